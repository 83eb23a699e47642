"""Going on with a research: what a cursor of ``web.answer`` stands for.

A cursor is a leg and a place in its list. A leg begins where time ran out, or where pages were
asked for anew: what the legs before it have shown and given up is kept as long as a session, so
that the next shows what is new and waits for nothing twice. Pages that came are in the index.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from commonplace.answer.pack import Tail
from commonplace.domain.errors import InvalidArgument
from commonplace.domain.ids import content_hash
from commonplace.research.nouns import Finding
from commonplace.session.cursors import Cursors
from commonplace.tools.app import App
from commonplace.tools.paging import Continuation

_PLACES = 1000
"""Of one leg's list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Leg:
    """One stretch of a research."""

    begun_at: datetime
    """When the research began: pages fetched since are young enough."""
    number: int = 0
    offset: int = 0
    shown: frozenset[str] = field(default_factory=frozenset)
    """Passages earlier legs have shown."""
    given_up: frozenset[str] = field(default_factory=frozenset)
    """Addresses earlier legs could not read."""


class Legs:
    """The legs of one research, told by its arguments."""

    def __init__(self, app: App, project: str, facts: dict[str, Any]) -> None:
        self._app, self._facts = app, facts
        self._space = f"research/{project}"
        self._name = content_hash(json.dumps(facts, sort_keys=True, default=str).encode())[:24]

    async def read(self, cursor: str | None) -> Leg:
        """The leg and place a cursor stands for; raises InvalidArgument."""
        number, offset = divmod(self._app.cursors.read(cursor, 0, **self._facts), _PLACES)
        if number == 0:
            return Leg(begun_at=self._app.writer.clock(), offset=offset)
        kept = await self._app.store.keyvalue.get(self._space, f"{self._name}/{number}")
        if kept is None:
            raise InvalidArgument(
                "cursor has expired; call again without it: pages that were read are in the index",
                field="cursor",
            )
        record = json.loads(kept)
        return Leg(
            begun_at=datetime.fromisoformat(record["begun_at"]),
            number=number,
            offset=offset,
            shown=frozenset(record["shown"]),
            given_up=frozenset(record["given_up"]),
        )

    def going_on(self, leg: Leg, finding: Finding, *, is_anew: bool) -> "LegContinuation":
        """What gives this leg's reply its cursor; ``is_anew`` when pages were fetched anew."""
        return LegContinuation(self._app.cursors, self._facts, leg, (finding.is_partial, is_anew))

    async def keep(self, leg: Leg, finding: Finding, returned: int) -> None:
        """Keep what the next leg must know."""
        shown = [chunk.located.passage.id for chunk in finding.chunks[: leg.offset + returned]]
        failed = [step.url for step in finding.steps if step.failure and not step.is_late]
        record = {
            "begun_at": leg.begun_at.isoformat(),
            "shown": sorted({*leg.shown, *shown}),
            "given_up": sorted({*leg.given_up, *failed}),
        }
        key, ttl_s = f"{self._name}/{leg.number + 1}", self._app.settings.session_ttl_s
        value = json.dumps(record).encode("utf-8", "replace")
        await self._app.store.keyvalue.put(self._space, key, value, ttl_s)


class LegContinuation(Continuation):
    """Cursors that stay on a leg, or begin the next."""

    def __init__(
        self, cursors: Cursors, facts: Mapping[str, Any], leg: Leg, why: tuple[bool, bool]
    ) -> None:
        super().__init__(cursors, 0, facts)
        self._leg = leg
        self._is_partial, is_anew = why
        self.begins_next = self._is_partial or (is_anew and leg.number == 0)

    def fields(self, tail: Tail) -> dict[str, Any]:
        """The tail as reply fields: a research that is not over has more, whatever is listed."""
        has_more = tail.has_more or self._is_partial
        place = tail.next_offset or 0
        place += _PLACES * self._leg.number
        if self.begins_next:
            place = _PLACES * (self._leg.number + 1)
        return super().fields(tail) | {
            "next_cursor": self.cursor(place) if has_more else None,
            "has_more": has_more,
        }
