"""The papers family: documents with citekeys and pages, by project (seed 002)."""

from commonplace.tools.papers.ingest import INGEST_FROM_SOURCE
from commonplace.tools.papers.inspect import INSPECT_COLLECTION
from commonplace.tools.papers.projects import LIST_PROJECTS
from commonplace.tools.papers.query import QUERY
from commonplace.tools.papers.query_hybrid import QUERY_HYBRID

__all__ = ["INGEST_FROM_SOURCE", "INSPECT_COLLECTION", "LIST_PROJECTS", "QUERY", "QUERY_HYBRID"]
