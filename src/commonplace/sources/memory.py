"""What agents remember: a source that tools write to, so there is nothing to list."""

from commonplace.sources.base import written_kind

MEMORY = "memory"
LOCATION = "memory:"
KIND = written_kind(
    MEMORY,
    "holds what agents stored with memory.store_context; there is nothing to sync, see "
    "`commonplace memory audit`",
)
