"""How well PDF files are read, and scanned pages recognised."""
