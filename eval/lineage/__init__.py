"""Column lineage of single statements, measured against cases written by hand."""
