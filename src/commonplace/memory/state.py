"""What an agent keeps for a while: small texts under its own name, each with a time to live."""

import re
from dataclasses import dataclass
from typing import Literal

from commonplace.domain.errors import CommonplaceError, InvalidArgument, NotFound, ScopeViolation
from commonplace.engines.base import KeyValue, Terms

Prefix = Literal["state", "scratchpad", "memory", "config"]
UpdateMode = Literal["overwrite", "append"]

MAX_BYTES = 100 * 1024
LEAST_TTL_S, MOST_TTL_S = 60, 86_400
JOINT = b"\n"
"""What an append puts between what is there and what is added."""
_AGENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,127}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawer:
    """Where the values of one kind of one agent lie; nobody else's drawer has the same name.

    >>> drawer = Drawer(project="default", principal="local", agent_id="dev", prefix="state")
    >>> drawer.name_of("task")
    'agent:dev:state:task'
    """

    project: str
    principal: str
    agent_id: str
    prefix: Prefix

    @property
    def namespace(self) -> str:
        """Separate for every project and principal; neither can hold the separator of keys."""
        return f"agents/{self.principal}/{self.project}"

    def name_of(self, key: str) -> str:
        """The full name of a key."""
        return f"agent:{self.agent_id}:{self.prefix}:{key}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Updated:
    """How an entry stands after an update."""

    name: str
    size_bytes: int
    ttl_s: int


def check_agent(agent_id: str) -> None:
    """Refuse an id that could name another agent's drawer."""
    if _AGENT.fullmatch(agent_id) is None:
        raise InvalidArgument(
            f"Invalid agent ID format: {agent_id[:80]}; use letters, digits, _ . - (at most 64)",
            error_type="invalid_agent_id",
        )


def own_key(drawer: Drawer, key: str) -> str:
    """The key, its full name allowed; raises for another agent's, and for what is no key."""
    own = drawer.name_of("")
    if key.startswith("agent:"):
        if not key.startswith(own):
            raise ScopeViolation(
                f"{key[:200]} belongs to another agent or prefix; give your own key",
                error_type="access_denied",
            )
        key = key.removeprefix(own)
    if _KEY.fullmatch(key) is None:
        raise InvalidArgument(
            f"Invalid key format: {key[:80]}; use letters, digits, _ . - (at most 128)",
            error_type="invalid_key",
        )
    return key


def _too_large(size_bytes: int) -> CommonplaceError:
    return InvalidArgument(
        f"Content exceeds 100KB limit: {size_bytes:,} bytes of {MAX_BYTES:,}; shorten it, or use "
        "another key",
        error_type="content_too_large",
        limit_bytes=MAX_BYTES,
    )


async def update(
    keyvalue: KeyValue, drawer: Drawer, key: str, content: str, how: tuple[UpdateMode, int]
) -> Updated:
    """Set or lengthen an entry. An append renews its life and never shortens it."""
    mode, ttl_s = how
    name, value = drawer.name_of(own_key(drawer, key)), content.encode()
    if len(value) > MAX_BYTES:
        raise _too_large(len(value))
    if mode == "overwrite":
        await keyvalue.put(drawer.namespace, name, value, ttl_s)
        return Updated(name=name, size_bytes=len(value), ttl_s=ttl_s)
    terms = Terms(joint=JOINT, most_bytes=MAX_BYTES, ttl_s=ttl_s)
    grown = await keyvalue.append(drawer.namespace, name, value, terms)
    if not grown.is_added:
        raise _too_large(grown.size_bytes + len(JOINT) + len(value))
    left_s = MOST_TTL_S if grown.ttl_s is None else round(grown.ttl_s)
    return Updated(name=name, size_bytes=grown.size_bytes, ttl_s=left_s)


async def sweep_pairs(keyvalue: KeyValue) -> None:
    """Remove what has expired, which nobody can read any more: every write does, so write."""
    await keyvalue.expire("agents", "")


async def read(keyvalue: KeyValue, drawer: Drawer, key: str) -> str:
    """One entry; raises NotFound, for an expired one too."""
    key = own_key(drawer, key)
    value = await keyvalue.get(drawer.namespace, drawer.name_of(key))
    if value is None:
        raise NotFound(
            f"Key '{key}' not found; it was never set or has expired", error_type="key_not_found"
        )
    return value.decode()


async def read_all(keyvalue: KeyValue, drawer: Drawer) -> dict[str, str]:
    """Every live entry of the drawer, by key."""
    start = drawer.name_of("")
    entries: dict[str, str] = {}
    for name in await keyvalue.keys(drawer.namespace, start):
        value = await keyvalue.get(drawer.namespace, name)
        if value is not None:  # it may have expired between the two
            entries[name.removeprefix(start)] = value.decode()
    return entries
