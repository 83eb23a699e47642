"""Leases: of several processes on one store, one does a piece of work.

A lease lapses when its holder neither ends nor renews it; that of a process that died on this
machine is taken over at once. Losing one costs double work, never wrong rows: writes replace
whole documents.
"""

import asyncio
import math
import os
import secrets
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from commonplace.engines.base import KeyValue

_NAMESPACE = "leases"
_TTL_S = 60.0  # longer than any step between two renewals takes on a busy machine
_RENEW_S = 5.0  # between two claims: each waits for the disk
_POLL_S = 0.1
_STARTED = 19  # of the fields after the name of the program; proc(5) counts 22 with those before


@dataclass(slots=True)
class Lease:
    """A piece of work that is ours until it lapses."""

    keyvalue: KeyValue
    name: str
    owner: str
    _renewed: float = -math.inf

    async def renew(self) -> bool:
        """Say that work goes on, unless it was said just now; whether the lease is still ours."""
        now = time.monotonic()
        if now - self._renewed < _RENEW_S:
            return True
        owner = self.owner.encode()
        is_ours = await self.keyvalue.claim(_NAMESPACE, self.name, owner, _TTL_S)
        self._renewed = now if is_ours else -math.inf
        return is_ours

    async def give_back(self) -> None:
        """Let the next one in, unless it is in already."""
        if await self.keyvalue.get(_NAMESPACE, self.name) == self.owner.encode():
            await self.keyvalue.expire(_NAMESPACE, self.name)


def make_owner() -> str:
    """Machine, process, a number used once, and when the process started."""
    pid = os.getpid()
    return f"{socket.gethostname()}/{pid}/{secrets.token_hex(4)}/{_started(pid)}"


def _started(pid: int) -> str:
    """When a process started, as the kernel counts; empty where it cannot be told.

    The number of a process that ended is given to another, sooner or later.
    """
    try:
        stat = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
    except OSError:
        return ""
    return stat.rpartition(")")[2].split()[_STARTED]


def is_dead(owner: str) -> bool:
    """Whether the holder was a process of this machine that no longer runs.

    >>> is_dead(make_owner()), is_dead("elsewhere/1/0"), is_dead("nonsense")
    (False, False, False)
    """
    machine, pid, _, then, *_ = (*owner.split("/"), "", "", "")
    # On Windows signal 0 is not a question but an interrupt.
    if machine != socket.gethostname() or not pid.isdecimal() or os.name == "nt":
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except (PermissionError, OverflowError):
        pass  # it runs, and is another's
    now = _started(int(pid))
    return bool(now and then) and now != then


async def take(keyvalue: KeyValue, name: str) -> Lease | None:
    """The lease, or None while another holds it."""
    lease = Lease(keyvalue, name, make_owner())
    holder = await keyvalue.get(_NAMESPACE, name)
    if holder is not None and is_dead(holder.decode()):
        await keyvalue.expire(_NAMESPACE, name)
        holder = None
    # Asked before claimed, because a claim is a write and would disturb who works.
    return lease if holder is None and await lease.renew() else None


@asynccontextmanager
async def held(
    keyvalue: KeyValue, name: str, tell: Callable[[str], Awaitable[None]] | None = None
) -> AsyncIterator[Lease]:
    """Wait for the lease as long as its holder makes progress, keep it, give it back.

    ``tell`` hears once that there is a wait.
    """
    lease = await take(keyvalue, name)
    if lease is None and tell is not None:
        await tell("waiting for another process that is at it")
    while lease is None:
        await asyncio.sleep(_POLL_S)
        lease = await take(keyvalue, name)
    try:
        yield lease
    finally:
        await asyncio.shield(lease.give_back())
