"""The ledgers of all servers on one home, kept in the store and summed up for ``status``.

Each server process writes its own sums now and then and when it ends; none reads another's.
"""

import asyncio
import json
import logging
import secrets
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from commonplace.domain.errors import CommonplaceError
from commonplace.engines.base import KeyValue, Store
from commonplace.session.ledger import Ledger

log = logging.getLogger(__name__)

_NAMESPACE = "ledger"
_SAVE_S = 30.0  # a write in half a minute disturbs nobody; kill -9 loses no more than that
KEPT_DAYS = 30

_SUMS = ("calls", "tokens", "bytes", "cursors", "truncated", "duplicates")
_PEAKS = ("most_tokens", "most_bytes")


@asynccontextmanager
async def kept(store: Store, ledger: Ledger) -> AsyncIterator[None]:
    """Write the ledger's sums to the store for as long as the block runs, and at its end."""
    account = _Account(store, ledger)
    task = asyncio.create_task(account.keep())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        await account.save()


class _Account:
    """The place of one process in the store."""

    def __init__(self, store: Store, ledger: Ledger) -> None:
        self._store = store
        self._ledger = ledger
        self._key = secrets.token_hex(8)
        self._calls = 0

    async def keep(self) -> None:
        """Save now and then, for ever."""
        while True:
            await asyncio.sleep(_SAVE_S)
            await self.save()

    async def save(self) -> None:
        """Write the sums if there is anything new."""
        summary = self._ledger.summary()
        if summary["calls"] == self._calls:
            return
        value = json.dumps(summary).encode()
        try:
            await self._store.keyvalue.put(_NAMESPACE, self._key, value, KEPT_DAYS * 86_400.0)
        except CommonplaceError as exc:  # a store that cannot be written still answers questions
            log.warning("the ledger was not kept: %s", exc.message)
            return
        self._calls = summary["calls"]


async def totals(keyvalue: KeyValue) -> dict[str, Any]:
    """What all servers of the last days gave to models: in all, and by tool."""
    values = [await keyvalue.get(_NAMESPACE, key) for key in await keyvalue.keys(_NAMESPACE)]
    summaries = [json.loads(value) for value in values if value is not None]
    tools: dict[str, dict[str, Any]] = {}
    for summary in summaries:
        for name, row in summary["tools"].items():
            tools[name] = _add(tools.get(name), row)
    whole: dict[str, Any] = {}
    for row in tools.values():
        whole = _add(whole, row)
    return {"days": KEPT_DAYS, **_add(None, whole), "tools": dict(sorted(tools.items()))}


def _add(total: dict[str, Any] | None, row: dict[str, Any]) -> dict[str, Any]:
    total = total or {}
    sums = {name: total.get(name, 0) + row.get(name, 0) for name in _SUMS}
    peaks = {name: max(total.get(name, 0), row.get(name, 0)) for name in _PEAKS}
    errors = Counter(total.get("errors", {})) + Counter(row.get("errors", {}))
    return {**sums, **peaks, "errors": dict(sorted(errors.items()))}
