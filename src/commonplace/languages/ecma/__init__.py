"""JavaScript and TypeScript: one walk over either tree."""
