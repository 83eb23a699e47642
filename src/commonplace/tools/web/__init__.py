"""The web family: answer, search, status, ingest (seed 001)."""

from commonplace.tools.web.answer import ANSWER
from commonplace.tools.web.ingest import INGEST
from commonplace.tools.web.search import SEARCH
from commonplace.tools.web.status import STATUS

__all__ = ["ANSWER", "INGEST", "SEARCH", "STATUS"]
