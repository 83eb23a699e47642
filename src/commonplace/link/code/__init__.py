"""Facts of all files to one graph: names bound across files, one file a pass."""
