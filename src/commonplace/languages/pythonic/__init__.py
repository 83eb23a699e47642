"""How Python is read: expressions, statements, definitions, each in its own module."""
