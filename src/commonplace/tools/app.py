"""What a tool gets to work with: the application and the call."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from commonplace.session.chores import Chores

if TYPE_CHECKING:  # a server lists its tools before it loads what they work with
    from commonplace.answer.likelihood import Weigher
    from commonplace.domain.scope import Selection
    from commonplace.embedders.base import Embedder
    from commonplace.engines.base import Store
    from commonplace.index.writer import Writer
    from commonplace.retrieve.search import Reader
    from commonplace.session.activity import Activity
    from commonplace.session.cursors import Cursors
    from commonplace.session.scratch import Note, Scratch
    from commonplace.session.sessions import Session
    from commonplace.settings import Settings
    from commonplace.sources.fetching.shared import Fetching
    from commonplace.tokens import TokenCounter

Progress = Callable[[float, float | None, str], Awaitable[None]]
"""Report (done, total, message)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class App:
    """The assembled application; made once in ``serve/build.py``."""

    settings: "Settings"
    store: "Store"
    embedders: "Mapping[str, Embedder]"
    """By tier, the preferred one first: ``transformer`` when set, then ``static``."""
    tokens: "TokenCounter"
    scratch: "Scratch"
    cursors: "Cursors"
    activity: "Activity"
    fetching: "Fetching"
    chores: Chores = field(default_factory=Chores)
    others: "dict[str, Embedder]" = field(default_factory=dict)
    """Models that are not set and answer for projects bound to them, by name."""

    @property
    def reader(self) -> "Reader":
        """What the read path needs of the application."""
        from commonplace.retrieve.search import Reader  # noqa: PLC0415 - see above

        return Reader(
            passages=self.store.passages,
            graph=self.store.graph,
            embedders=tuple(self.embedders.values()),
        )

    @property
    def writer(self) -> "Writer":
        """What the write path needs of the application: the model that embeds at once."""
        from commonplace.index.writer import Writer  # noqa: PLC0415 - see above

        return Writer(
            store=self.store,
            settings=self.settings,
            embedder=self.embedders[self.settings.embedder],
        )

    @property
    def weigher(self) -> "Weigher":
        """What choosing quotes needs: the fast model, so that evidence costs milliseconds."""
        from commonplace.answer.likelihood import Weigher  # noqa: PLC0415 - see above

        return Weigher(tokens=self.tokens, embedder=self.embedders.get(self.settings.embedder))

    async def close(self) -> None:
        """End what still runs, then close connections and the store."""
        await self.chores.close()
        await self.fetching.close()
        await self.store.close()

    def note(self, call: "Call", selection: "Selection", passage_id: str) -> "Note":
        """The scratch note behind a handle, if it is of this session and project.

        Raises NotFound in the same words whatever the reason.
        """
        note = self.scratch.get(call.session.id, passage_id)
        if note.project != selection.project:
            raise self.scratch.missing(passage_id)
        return note

    def marks(self, call: "Call", degraded: Sequence[str]) -> dict[str, Any]:
        """The fields every reply ends with."""
        marks: dict[str, Any] = {"session_id": call.session.id}
        return marks | {"degraded": list(degraded)} if degraded else marks


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call of one tool."""

    session: "Session"
    correlation_id: str
    progress: Progress
