"""Go: one walk over its tree."""
