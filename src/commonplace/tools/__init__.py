"""One record per tool, one file per family."""
