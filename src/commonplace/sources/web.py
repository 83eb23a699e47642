"""Pages of the web: a source that fetching writes to, one a project."""

from commonplace.sources.base import written_kind

WEB = "web"
LOCATION = "web:"
KIND = written_kind(
    WEB, "holds pages that were fetched; ask for a page again with `commonplace add URL`"
)
