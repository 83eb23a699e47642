"""What agents remember: contexts as documents of a source, scratchpads as small values."""
