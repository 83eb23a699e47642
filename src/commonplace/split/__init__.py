"""Document to passages."""
