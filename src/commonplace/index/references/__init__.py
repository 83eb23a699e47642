"""Bibliographies: read in any of their formats, matched to documents, kept beside them."""
