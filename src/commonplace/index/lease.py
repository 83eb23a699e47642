"""Leases: of several processes on one store, one does a piece of work.

A lease lapses when its holder neither ends nor renews it; that of a process that died on this
machine is taken over at once. Losing one costs double work, never wrong rows: writes replace
whole documents.
"""

import asyncio
import os
import secrets
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from commonplace.engines.base import KeyValue

_NAMESPACE = "leases"
_TTL_S = 60.0  # longer than any step between two renewals takes on a busy machine
_POLL_S = 0.1


@dataclass(frozen=True, slots=True)
class Lease:
    """A piece of work that is ours until it lapses."""

    keyvalue: KeyValue
    name: str
    owner: str

    async def renew(self) -> bool:
        """Say that work goes on; whether the lease is still ours."""
        return await self.keyvalue.claim(_NAMESPACE, self.name, self.owner.encode(), _TTL_S)

    async def give_back(self) -> None:
        """Let the next one in, unless it is in already."""
        if await self.keyvalue.get(_NAMESPACE, self.name) == self.owner.encode():
            await self.keyvalue.expire(_NAMESPACE, self.name)


def make_owner() -> str:
    """Machine, process and a number used once."""
    return f"{socket.gethostname()}/{os.getpid()}/{secrets.token_hex(4)}"


def is_dead(owner: str) -> bool:
    """Whether the holder was a process of this machine that no longer runs.

    >>> is_dead(make_owner()), is_dead("elsewhere/1/0"), is_dead("nonsense")
    (False, False, False)
    """
    machine, _, rest = owner.partition("/")
    pid = rest.partition("/")[0]
    # On Windows signal 0 is not a question but an interrupt.
    if machine != socket.gethostname() or not pid.isdecimal() or os.name == "nt":
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except (PermissionError, OverflowError):
        return False
    return False


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
