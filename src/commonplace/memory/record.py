"""A context as its node keeps it and as a line of JSON; both hold all of it."""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Any

from commonplace.domain.context import CONTEXT, SIMILAR_TO, Context, Relationship, Repeat, Similar
from commonplace.domain.errors import InvalidArgument
from commonplace.domain.graph import Edge, Node, Value
from commonplace.domain.ids import stable_id
from commonplace.memory.render import title_of

PREFIX = "ctx_"
MAX_CONTENT_BYTES = 256 * 1024
MAX_DEPTH = 32
_SCHEME = "commonplace://memory/"
_ID = re.compile(rf"{PREFIX}[A-Za-z0-9_-]{{1,64}}")


def dump(value: Any, *, is_sorted: bool = False) -> str:  # noqa: ANN401 - JSON
    """JSON without air; raises InvalidArgument for what JSON has no form of."""
    try:
        return json.dumps(
            value, ensure_ascii=False, sort_keys=is_sorted, separators=(",", ":"), allow_nan=False
        )
    except (ValueError, TypeError, RecursionError) as exc:
        raise InvalidArgument(f"not plain JSON: {exc}; send text, numbers, lists, objects") from exc


def context_id(project: str, kind: str, content: Mapping[str, Any]) -> str:
    """The id of a context: the same content of the same type is the same context."""
    return stable_id(PREFIX, project, kind, dump(content, is_sorted=True))


def is_context_id(text: str) -> bool:
    """Whether this can be the id of a context.

    >>> is_context_id("ctx_abc123def456"), is_context_id("req-auth-001")
    (True, False)
    """
    return _ID.fullmatch(text) is not None


def check(content: Mapping[str, Any], metadata: Mapping[str, Any]) -> None:
    """Refuse content that says nothing, is too large or too deep to be shown again."""
    if not content:
        raise InvalidArgument("content: is empty; say what to remember", field="content")
    for name, value in (("content", content), ("metadata", metadata)):
        if _depth(value) > MAX_DEPTH:
            raise InvalidArgument(
                f"{name}: is nested more than {MAX_DEPTH} deep; flatten it", field=name
            )
    size_bytes = len(dump(content).encode()) + len(dump(metadata).encode())
    if size_bytes > MAX_CONTENT_BYTES:
        raise InvalidArgument(
            f"content: takes {size_bytes:,} bytes with its metadata, more than "
            f"{MAX_CONTENT_BYTES:,}; store it in parts, related by part_of",
            field="content",
            limit_bytes=MAX_CONTENT_BYTES,
        )


def _depth(value: Any) -> int:  # noqa: ANN401 - JSON
    level: list[Any] = [value]
    depth = 0
    while level and depth <= MAX_DEPTH:
        depth += 1
        inner: list[Any] = []
        for one in level:
            if isinstance(one, Mapping):
                inner += one.values()
            elif isinstance(one, list | tuple):
                inner += one
        level = [one for one in inner if isinstance(one, Mapping | list | tuple)]
    return depth


def uri_of(context: Context) -> str:
    """Its address: what citations of it name."""
    return f"{_SCHEME}{context.type}/{context.id}"


def type_of(uri: str) -> str:
    """The type an address of a context names.

    >>> type_of("commonplace://memory/decision/ctx_1")
    'decision'
    """
    return uri.removeprefix(_SCHEME).partition("/")[0]


def to_node(context: Context) -> Node:
    """The node that keeps all of a context; queries read its properties."""
    properties: dict[str, Value] = {
        "id": context.id,
        "type": context.type,
        "content": dump(context.content),
        "metadata": dump(context.metadata),
        "agent": context.agent,
        "created_at": _moment(context.created_at),
        "environment": context.environment,
        "relationships": dump([asdict(one) for one in context.relationships]),
    }
    if context.similar:
        properties["similar"] = dump([asdict(one) for one in context.similar])
    if context.repeats:
        properties["repeats"] = dump([_repeat(one) for one in context.repeats])
        properties["times_stored"] = 1 + sum(one.times for one in context.repeats)
    return Node(
        id=context.id,
        project=context.project,
        kind=CONTEXT,
        name=title_of(context),
        document_id=context.id,
        properties=properties,
    )


def to_edges(context: Context) -> list[Edge]:
    """Its relationships, also to what does not exist yet, and what it nearly repeats."""
    stated = [
        Edge(
            source=context.id,
            target=one.target,
            relation=one.relation,
            project=context.project,
            document_id=context.id,
            properties={"type": one.type},
        )
        for one in context.relationships
    ]
    return stated + [
        Edge(
            source=context.id,
            target=one.id,
            relation=SIMILAR_TO,
            project=context.project,
            document_id=context.id,
            confidence=one.similarity,
            properties={"type": "similar_to"},
        )
        for one in context.similar
    ]


def from_node(node: Node) -> Context:
    """The context a node keeps."""
    kept = {name: str(value) for name, value in node.properties.items() if value is not None}
    return Context(
        id=node.id,
        project=node.project,
        type=kept["type"],
        content=json.loads(kept["content"]),
        metadata=json.loads(kept["metadata"]),
        agent=kept["agent"],
        environment=kept.get("environment"),
        created_at=datetime.fromisoformat(kept["created_at"]),
        **_lists(
            {
                name: json.loads(kept.get(name, "[]"))
                for name in ("relationships", "similar", "repeats")
            }
        ),
    )


def to_line(context: Context) -> dict[str, Any]:
    """The context as a line of an export; empty parts are left out."""
    record = {
        "id": context.id,
        "type": context.type,
        "agent": context.agent,
        "created_at": _moment(context.created_at),
        "environment": context.environment,
        "content": context.content,
        "metadata": context.metadata,
        "relationships": [asdict(one) for one in context.relationships],
        "similar": [asdict(one) for one in context.similar],
        "repeats": [_repeat(one) for one in context.repeats],
    }
    return {name: value for name, value in record.items() if value}


def from_line(record: Mapping[str, Any], project: str) -> Context:
    """The context of a line; raises KeyError, TypeError, ValueError for what is none."""
    check(record["content"], record.get("metadata", {}))
    created_at = datetime.fromisoformat(record["created_at"])
    return Context(
        id=record["id"],
        project=project,
        type=record["type"],
        content=record["content"],
        metadata=record.get("metadata", {}),
        agent=record["agent"],
        environment=record.get("environment"),
        created_at=created_at if created_at.tzinfo else created_at.replace(tzinfo=UTC),
        **_lists(record),
    )


def _lists(record: Mapping[str, Any]) -> dict[str, Any]:
    repeats = [
        Repeat(**{**one, "last_at": datetime.fromisoformat(one["last_at"])})
        for one in record.get("repeats", ())
    ]
    return {
        "relationships": tuple(Relationship(**one) for one in record.get("relationships", ())),
        "similar": tuple(Similar(**one) for one in record.get("similar", ())),
        "repeats": tuple(repeats),
    }


def _repeat(one: Repeat) -> dict[str, Any]:
    return asdict(one) | {"last_at": _moment(one.last_at)}


def _moment(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def merge(known: Context, other: Context) -> Context:
    """What is known of one context after another record of it came; nothing is lost.

    A record of another moment is a repeat of the first. One of the same moment is the same
    record: importing an export again changes nothing.
    """
    came = list(other.repeats)
    if other.created_at != known.created_at:
        moment = other.created_at
        came.append(Repeat(agent=other.agent, metadata=other.metadata, times=1, last_at=moment))
    repeats = {(one.agent, dump(one.metadata)): one for one in known.repeats}
    for one in came:
        key = (one.agent, dump(one.metadata))
        old = repeats.get(key)
        if old is None:
            repeats[key] = one
        elif one.last_at > old.last_at:
            repeats[key] = replace(one, times=max(one.times, old.times + 1))
    return replace(
        known,
        relationships=tuple(dict.fromkeys((*known.relationships, *other.relationships))),
        repeats=tuple(repeats.values()),
    )
