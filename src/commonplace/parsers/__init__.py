"""Resource to Document, one file a format."""
