"""Functions on temporal values."""

from collections.abc import Mapping, Sequence

from commonplace.cypher import moments
from commonplace.cypher.durations import between, duration_from_map, duration_from_text
from commonplace.cypher.faults import RunFault
from commonplace.cypher.functions import Body, Context, Function
from commonplace.cypher.operators import type_fault
from commonplace.cypher.temporal import Duration, Temporal
from commonplace.cypher.values import Value, is_integer


def _maker(kind: type[Temporal]) -> Body:
    """``date()``, ``date(text)``, ``date({…})``, ``date(other)``."""

    def body(context: Context, args: Sequence[Value]) -> Value:
        if not args:
            return moments.now(kind, context.moment)
        given = args[0]
        if isinstance(given, str):
            return moments.from_text(kind, given)
        if isinstance(given, dict):
            return moments.from_map(kind, given)
        if isinstance(given, Temporal):
            return moments.convert(kind, given)
        raise type_fault(f"{kind.__name__.lower()}()", given)

    return body


def _truncater(kind: type[Temporal]) -> Body:
    def body(context: Context, args: Sequence[Value]) -> Value:
        value = args[1] if len(args) > 1 else moments.now(kind, context.moment)
        if not isinstance(args[0], str) or not isinstance(value, Temporal):
            raise type_fault("truncate()", *args[:2])
        given = args[2] if len(args) > 2 else {}
        if not isinstance(given, dict):
            raise type_fault("truncate()", given)
        return moments.truncate(kind, args[0], value, given)

    return body


def _clock(kind: type[Temporal]) -> Body:
    def body(context: Context, args: Sequence[Value]) -> Value:
        found = moments.now(kind, context.moment)
        if not args:
            return found
        now = moments.now(moments.KINDS["datetime"], context.moment)
        return moments.from_map(kind, {"datetime": now, "timezone": args[0]})

    return body


def _duration(_context: Context, args: Sequence[Value]) -> Value:
    if isinstance(args[0], str):
        return duration_from_text(args[0])
    if isinstance(args[0], dict):
        return duration_from_map(args[0])
    if isinstance(args[0], Duration):
        return args[0]
    raise type_fault("duration()", args[0])


def _between(unit: str) -> Body:
    def body(_context: Context, args: Sequence[Value]) -> Value:
        if not all(isinstance(arg, Temporal) for arg in args):
            raise type_fault("duration.between()", *args)
        return between(args[0], args[1], unit)

    return body


def _from_epoch(_context: Context, args: Sequence[Value]) -> Value:
    if not all(map(is_integer, args)):
        raise type_fault("datetime.fromEpoch()", *args)
    if len(args) == 1:
        return moments.from_epoch(0, args[0] * 1_000_000)
    if not 0 <= args[1] < 1_000_000_000:
        raise RunFault("nanoseconds are from 0 to 999999999", "NumberOutOfRange")
    return moments.from_epoch(args[0], args[1])


def _family(name: str, kind: type[Temporal]) -> dict[str, Function]:
    found = {
        name: Function(0, 1, _maker(kind)),
        f"{name}.truncate": Function(1, 3, _truncater(kind)),
    }
    clocks = ("transaction", "statement", "realtime")
    return found | {f"{name}.{clock}": Function(0, 1, _clock(kind)) for clock in clocks}


TIMES: Mapping[str, Function] = {
    **{
        key: one for name, kind in moments.KINDS.items() for key, one in _family(name, kind).items()
    },
    "datetime.fromepoch": Function(2, 2, _from_epoch),
    "datetime.fromepochmillis": Function(1, 1, _from_epoch),
    "duration": Function(1, 1, _duration),
    "duration.between": Function(2, 2, _between("")),
    "duration.inmonths": Function(2, 2, _between("inmonths")),
    "duration.indays": Function(2, 2, _between("indays")),
    "duration.inseconds": Function(2, 2, _between("inseconds")),
}
