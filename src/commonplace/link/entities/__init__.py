"""Entities of a document: what its structure says it tells of, with proof and confidence."""
