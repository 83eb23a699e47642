"""The knowledge-base family: search, read, expand, extract, retrieve (seed 000 §4)."""

from commonplace.tools.kb.evidence import EXTRACT_EVIDENCE, RETRIEVE_EVIDENCE
from commonplace.tools.kb.excerpt import EXPAND_EXCERPT, READ_EXCERPT
from commonplace.tools.kb.search import SEARCH

__all__ = ["EXPAND_EXCERPT", "EXTRACT_EVIDENCE", "READ_EXCERPT", "RETRIEVE_EVIDENCE", "SEARCH"]
