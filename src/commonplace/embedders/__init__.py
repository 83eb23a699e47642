"""Text to vectors: static, transformer, remote."""
