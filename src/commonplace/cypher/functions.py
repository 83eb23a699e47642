"""The functions a query may call. One record each: how many arguments, what it does."""

import math
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from commonplace.cypher.faults import RunFault
from commonplace.cypher.guard import Guard
from commonplace.cypher.operators import kind_of, text_of, type_fault, whole
from commonplace.cypher.reading import Reading
from commonplace.cypher.values import Link, Path, Value, Vertex, is_integer, is_number


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What a running query works with."""

    reading: Reading
    guard: Guard
    parameters: Mapping[str, Value]
    moment: datetime = field(default_factory=lambda: datetime.now(UTC))


Body = Callable[[Context, Sequence[Value]], Value]


@dataclass(frozen=True, slots=True)
class Function:
    """How a function is called; ``takes_null`` when null does not simply give null."""

    low: int
    high: int
    body: Body
    takes_null: bool = False


def _value_fault(what: str, value: Value) -> RunFault:
    return RunFault(f"{what} does not take {kind_of(value)}", "InvalidArgumentValue")


def _node_labels(_context: Context, args: Sequence[Value]) -> Value:
    if not isinstance(args[0], Vertex):
        raise _value_fault("labels()", args[0])
    return list(args[0].labels)


def _type(_context: Context, args: Sequence[Value]) -> Value:
    if not isinstance(args[0], Link):
        raise _value_fault("type()", args[0])
    return args[0].type


def _id(_context: Context, args: Sequence[Value]) -> Value:
    if isinstance(args[0], Vertex):
        return args[0].id
    if isinstance(args[0], Link):
        return "|".join(args[0].key)
    raise type_fault("id()", args[0])


def _end(is_start: bool) -> Body:
    def body(context: Context, args: Sequence[Value]) -> Value:
        if not isinstance(args[0], Link):
            raise type_fault("startNode() and endNode()", args[0])
        wanted = args[0].source if is_start else args[0].target
        return next(iter(context.reading.nodes([wanted])), None)

    return body


def _properties(_context: Context, args: Sequence[Value]) -> Value:
    if isinstance(args[0], Vertex | Link):
        return dict(args[0].properties)
    if isinstance(args[0], dict):
        return args[0]
    raise type_fault("properties()", args[0])


def _keys(context: Context, args: Sequence[Value]) -> Value:
    return list(_properties(context, args))


def _nodes(_context: Context, args: Sequence[Value]) -> Value:
    if not isinstance(args[0], Path):
        raise type_fault("nodes()", args[0])
    return list(args[0].nodes)


def _links(_context: Context, args: Sequence[Value]) -> Value:
    if not isinstance(args[0], Path):
        raise type_fault("relationships()", args[0])
    return list(args[0].links)


def _length(_context: Context, args: Sequence[Value]) -> Value:
    if isinstance(args[0], Path):
        return len(args[0].links)
    if isinstance(args[0], str | list):  # older dialects say length for size
        return len(args[0])
    raise type_fault("length()", args[0])


def _size(_context: Context, args: Sequence[Value]) -> Value:
    if isinstance(args[0], str | list | dict):
        return len(args[0])
    raise type_fault("size()", args[0])


def _listed(name: str, value: Value) -> list[Value]:
    if not isinstance(value, list):
        raise type_fault(f"{name}()", value)
    return value


def _head(_context: Context, args: Sequence[Value]) -> Value:
    return next(iter(_listed("head", args[0])), None)


def _last(_context: Context, args: Sequence[Value]) -> Value:
    members = _listed("last", args[0])
    return members[-1] if members else None


def _tail(context: Context, args: Sequence[Value]) -> Value:
    members = _listed("tail", args[0])
    context.guard.hold(len(members))
    return members[1:]


def _reverse(context: Context, args: Sequence[Value]) -> Value:
    if isinstance(args[0], str):
        context.guard.hold_text(len(args[0]))
        return args[0][::-1]
    members = _listed("reverse", args[0])
    context.guard.hold(len(members))
    return members[::-1]


def _range(context: Context, args: Sequence[Value]) -> Value:
    if not all(is_integer(arg) for arg in args):
        raise type_fault("range()", *args)
    step = args[2] if len(args) > 2 else 1
    if step == 0:
        raise RunFault("the step of range() is not 0", "NumberOutOfRange")
    found = range(args[0], args[1] + (1 if step > 0 else -1), step)
    count = max(0, (found.stop - found.start + step - (1 if step > 0 else -1)) // step)
    context.guard.hold(count)
    return list(found)


def _coalesce(_context: Context, args: Sequence[Value]) -> Value:
    return next((arg for arg in args if arg is not None), None)


def _exists(_context: Context, args: Sequence[Value]) -> Value:
    return args[0] is not None and args[0] is not False


def _is_empty(_context: Context, args: Sequence[Value]) -> Value:
    if not isinstance(args[0], str | list | dict):
        raise type_fault("isEmpty()", args[0])
    return not args[0]


def _to_integer(_context: Context, args: Sequence[Value]) -> Value:
    value = args[0]
    if isinstance(value, str):
        value = _read_number(value)
    if is_integer(value) or value is None:
        return value
    if isinstance(value, float) and math.isfinite(value):
        return whole(int(value))
    raise RunFault("toInteger() takes a number or a string", "InvalidArgumentValue")


def _read_number(text: str) -> int | float | None:
    text = text.strip()
    if len(text) > 400 or not text.isascii() or "_" in text:
        return None
    try:
        found = int(text)
        return found if -(2**63) <= found < 2**63 else None
    except ValueError:
        pass
    try:
        decimal = float(text)
    except ValueError:
        return None
    return decimal if math.isfinite(decimal) else None


def _to_float(_context: Context, args: Sequence[Value]) -> Value:
    value = args[0]
    if isinstance(value, str):
        value = _read_number(value)
        return None if value is None else float(value)
    if is_number(value):
        return float(value)
    raise RunFault("toFloat() takes a number or a string", "InvalidArgumentValue")


def _to_boolean(_context: Context, args: Sequence[Value]) -> Value:
    value = args[0]
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        return {"true": True, "false": False}.get(value.strip().lower())
    if is_integer(value):
        return value != 0
    raise RunFault("toBoolean() takes a boolean or a string", "InvalidArgumentValue")


def _to_string(_context: Context, args: Sequence[Value]) -> Value:
    if isinstance(args[0], list | dict | Vertex | Link | Path):
        raise RunFault("toString() takes a single value", "InvalidArgumentValue")
    return text_of(args[0]) if not isinstance(args[0], str) else args[0]


def _or_null(body: Body) -> Body:
    def tolerant(context: Context, args: Sequence[Value]) -> Value:
        try:
            return body(context, args)
        except RunFault:
            return None

    return tolerant


def _rand(_context: Context, _args: Sequence[Value]) -> Value:
    return secrets.randbelow(2**53) / 2**53


def _timestamp(context: Context, _args: Sequence[Value]) -> Value:
    return int(context.moment.timestamp() * 1000)


GENERAL: Mapping[str, Function] = {
    "labels": Function(1, 1, _node_labels),
    "type": Function(1, 1, _type),
    "id": Function(1, 1, _id),
    "elementid": Function(1, 1, _id),
    "startnode": Function(1, 1, _end(True)),
    "endnode": Function(1, 1, _end(False)),
    "properties": Function(1, 1, _properties),
    "keys": Function(1, 1, _keys),
    "nodes": Function(1, 1, _nodes),
    "relationships": Function(1, 1, _links),
    "rels": Function(1, 1, _links),
    "length": Function(1, 1, _length),
    "size": Function(1, 1, _size),
    "head": Function(1, 1, _head),
    "last": Function(1, 1, _last),
    "tail": Function(1, 1, _tail),
    "reverse": Function(1, 1, _reverse),
    "range": Function(2, 3, _range),
    "coalesce": Function(1, 100, _coalesce, takes_null=True),
    "exists": Function(1, 1, _exists, takes_null=True),
    "isempty": Function(1, 1, _is_empty),
    "tointeger": Function(1, 1, _to_integer),
    "toint": Function(1, 1, _to_integer),
    "tofloat": Function(1, 1, _to_float),
    "toboolean": Function(1, 1, _to_boolean),
    "tostring": Function(1, 1, _to_string),
    "tointegerornull": Function(1, 1, _or_null(_to_integer)),
    "tofloatornull": Function(1, 1, _or_null(_to_float)),
    "tobooleanornull": Function(1, 1, _or_null(_to_boolean)),
    "tostringornull": Function(1, 1, _or_null(_to_string)),
    "rand": Function(0, 0, _rand),
    "timestamp": Function(0, 0, _timestamp),
}
