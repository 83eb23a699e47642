"""SQL that code says in strings, and chains of calls that stand for it."""
