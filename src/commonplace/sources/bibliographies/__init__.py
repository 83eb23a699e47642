"""Formats of bibliographies, one file each, and where their files lie."""
