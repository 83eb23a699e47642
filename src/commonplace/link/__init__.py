"""Documents to nodes and edges."""
