"""What the operators do, null included."""

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache

import regex

from commonplace.cypher.durations import add_durations, factor_of, scale, shift
from commonplace.cypher.faults import RunFault, too_much
from commonplace.cypher.guard import Guard
from commonplace.cypher.temporal import Duration, Temporal, component
from commonplace.cypher.values import (
    Link,
    Path,
    Value,
    Vertex,
    equals,
    is_integer,
    is_number,
    less,
)

Operator = Callable[[Guard, Value, Value], Value]

MOST_PATTERN_CHARS = 1000
MOST_SUBJECT_CHARS = 1_000_000


def kind_of(value: Value) -> str:
    """A value's type in a message."""
    names: tuple[tuple[type, str], ...] = (
        (bool, "a boolean"), (int, "an integer"), (float, "a float"), (str, "a string"),
        (list, "a list"), (dict, "a map"), (Vertex, "a node"), (Link, "a relationship"),
        (Path, "a path"), (Duration, "a duration"), (Temporal, "a temporal value"),
    )  # fmt: skip
    return next((name for kind, name in names if isinstance(value, kind)), "null")


def type_fault(what: str, *values: Value) -> RunFault:
    """A value of the wrong type."""
    return RunFault(f"{what} does not take {' and '.join(map(kind_of, values))}",
                    "InvalidArgumentType")  # fmt: skip


def whole(value: int) -> int:
    """An integer that fits 64 bits; raises RunFault otherwise."""
    if not -(2**63) <= value < 2**63:
        raise RunFault("the integer result needs more than 64 bits", "NumberOutOfRange")
    return value


def add(guard: Guard, left: Value, right: Value) -> Value:
    """``+``: numbers, texts, lists, durations."""
    if left is None or right is None:
        return None
    if isinstance(left, list) or isinstance(right, list):
        parts = [one if isinstance(one, list) else [one] for one in (left, right)]
        guard.hold(len(parts[0]) + len(parts[1]))
        return parts[0] + parts[1]
    if is_number(left) and is_number(right):
        return whole(left + right) if is_integer(left) and is_integer(right) else left + right
    if isinstance(left, str) or isinstance(right, str):
        return _joined(guard, left, right)
    if isinstance(left, Duration):
        left, right = right, left
    if isinstance(right, Duration) and isinstance(left, Duration):
        return add_durations(left, right)
    if isinstance(right, Duration) and isinstance(left, Temporal):
        return shift(left, right)
    raise type_fault("+", left, right)


def _joined(guard: Guard, left: Value, right: Value) -> str:
    if not all(isinstance(one, str) or is_number(one) for one in (left, right)):
        raise type_fault("+", left, right)
    texts = [one if isinstance(one, str) else text_of(one) for one in (left, right)]
    guard.hold_text(len(texts[0]) + len(texts[1]))
    return texts[0] + texts[1]


def text_of(value: Value) -> str:
    """How a number, boolean or temporal value reads."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return _float_text(value)
    return str(value)


def _float_text(value: float) -> str:
    if value != value:
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return repr(value).replace("e", "E").replace("E+", "E")


def subtract(_guard: Guard, left: Value, right: Value) -> Value:
    """``-``: numbers, durations."""
    if left is None or right is None:
        return None
    if is_number(left) and is_number(right):
        return whole(left - right) if is_integer(left) and is_integer(right) else left - right
    if isinstance(right, Duration) and isinstance(left, Duration):
        return add_durations(left, right, -1)
    if isinstance(right, Duration) and isinstance(left, Temporal):
        return shift(left, right, -1)
    raise type_fault("-", left, right)


def multiply(_guard: Guard, left: Value, right: Value) -> Value:
    """``*``: numbers, a duration and a number."""
    if left is None or right is None:
        return None
    if is_number(left) and is_number(right):
        return whole(left * right) if is_integer(left) and is_integer(right) else left * right
    if isinstance(right, Duration):
        left, right = right, left
    if isinstance(left, Duration) and is_number(right):
        return scale(left, factor_of(right))
    raise type_fault("*", left, right)


def divide(_guard: Guard, left: Value, right: Value) -> Value:
    """``/``: whole numbers are divided toward zero."""
    if left is None or right is None:
        return None
    if isinstance(left, Duration) and is_number(right):
        factor = factor_of(right)
        if factor == 0:
            raise RunFault("division by zero", "NumberOutOfRange")
        return scale(left, Fraction(1) / factor)
    if not (is_number(left) and is_number(right)):
        raise type_fault("/", left, right)
    if is_integer(left) and is_integer(right):
        if right == 0:
            raise RunFault("division by zero", "NumberOutOfRange")
        size = abs(left) // abs(right)
        return whole(size if (left < 0) == (right < 0) else -size)
    if right == 0:
        return math.nan if left == 0 or left != left else math.copysign(math.inf, left)
    return left / right


def modulo(_guard: Guard, left: Value, right: Value) -> Value:
    """``%``: the rest has the sign of the dividend."""
    if left is None or right is None:
        return None
    if not (is_number(left) and is_number(right)):
        raise type_fault("%", left, right)
    if is_integer(left) and is_integer(right):
        if right == 0:
            raise RunFault("division by zero", "NumberOutOfRange")
        rest = abs(left) % abs(right)
        return -rest if left < 0 else rest
    return math.nan if right == 0 or math.isinf(left) else math.fmod(left, right)


def power(_guard: Guard, left: Value, right: Value) -> Value:
    """``^``: always a float."""
    if left is None or right is None:
        return None
    if not (is_number(left) and is_number(right)):
        raise type_fault("^", left, right)
    try:
        return math.pow(left, right)
    except OverflowError:
        return math.inf
    except ValueError:
        return math.nan


def contained(guard: Guard, left: Value, right: Value) -> Value:
    """``IN``: None when null stands between the value and the answer."""
    if right is None:
        return None
    if not isinstance(right, list):
        raise type_fault("IN", left, right)
    guard.tick(len(right) + 1)
    is_unknown = False
    for member in right:
        verdict = equals(left, member)
        if verdict:
            return True
        is_unknown = is_unknown or verdict is None
    return None if is_unknown else False


def starts_with(_guard: Guard, left: Value, right: Value) -> Value:
    """``STARTS WITH``; None unless both are texts."""
    is_text = isinstance(left, str) and isinstance(right, str)
    return left.startswith(right) if is_text else None


def ends_with(_guard: Guard, left: Value, right: Value) -> Value:
    """``ENDS WITH``; None unless both are texts."""
    is_text = isinstance(left, str) and isinstance(right, str)
    return left.endswith(right) if is_text else None


def contains(_guard: Guard, left: Value, right: Value) -> Value:
    """``CONTAINS``; None unless both are texts."""
    return right in left if isinstance(left, str) and isinstance(right, str) else None


@lru_cache(maxsize=64)
def _compiled(pattern: str) -> "regex.Pattern[str]":
    try:
        return regex.compile(pattern)
    except (regex.error, RecursionError, OverflowError, ValueError) as exc:
        raise RunFault(f"{pattern[:60]!r} is no regular expression: {exc}",
                       "InvalidArgumentValue") from exc  # fmt: skip


def matches(guard: Guard, left: Value, right: Value) -> Value:
    """``=~``: the whole text must match; ends with the query's time."""
    if not isinstance(left, str) or not isinstance(right, str):
        return None
    if len(right) > MOST_PATTERN_CHARS:
        raise too_much("has a long regular expression", MOST_PATTERN_CHARS, "shorten it")
    if len(left) > MOST_SUBJECT_CHARS:
        raise too_much("matches a long text", MOST_SUBJECT_CHARS, "match a shorter one")
    guard.tick(1 + len(left) // 64)
    try:
        return _compiled(right).fullmatch(left, timeout=guard.left_s, concurrent=True) is not None
    except TimeoutError:
        guard.check()
        raise too_much("has a costly regular expression", 1, "simplify it") from None
    except (MemoryError, RecursionError) as exc:
        raise too_much("has a costly regular expression", 1, "simplify it") from exc


BINARY: Mapping[str, Operator] = {
    "+": add,
    "-": subtract,
    "*": multiply,
    "/": divide,
    "%": modulo,
    "^": power,
    "IN": contained,
    "STARTS WITH": starts_with,
    "ENDS WITH": ends_with,
    "CONTAINS": contains,
    "=~": matches,
}


def differs(left: Value, right: Value) -> bool | None:
    """``<>``."""
    verdict = equals(left, right)
    return None if verdict is None else not verdict


def at_most(left: Value, right: Value) -> bool | None:
    """``<=``: less or equal, each of a comparable kind."""
    verdict = less(left, right)
    if verdict is None or verdict:
        return verdict
    return equals(left, right) is True


COMPARISONS: Mapping[str, Callable[[Value, Value], bool | None]] = {
    "=": equals,
    "<>": differs,
    "<": less,
    ">": lambda left, right: less(right, left),
    "<=": at_most,
    ">=": lambda left, right: at_most(right, left),
}


def truth(value: Value, operator: str) -> bool | None:
    """A value as an operand of AND, OR, XOR, NOT or WHERE."""
    if value is None or isinstance(value, bool):
        return value
    raise type_fault(operator, value)


def property_of(value: Value, key: str) -> Value:
    """``value.key``; null of null, and of what has no such property."""
    if value is None:
        return None
    if isinstance(value, Vertex | Link):
        return value.properties.get(key)
    if isinstance(value, dict):
        return value.get(key)
    if isinstance(value, Temporal | Duration):
        return component(value, key)
    raise type_fault(f".{key[:40]}", value)


def indexed(target: Value, index: Value) -> Value:
    """``target[index]``: a member of a list from either end, or a property by name."""
    if target is None or index is None:
        return None
    if isinstance(target, list):
        if not is_integer(index):
            raise type_fault("the index of a list", index)
        return target[index] if -len(target) <= index < len(target) else None
    if isinstance(target, dict | Vertex | Link):
        if not isinstance(index, str):
            what = "the key of a map"
            raise RunFault(f"{what} is no {kind_of(index)}", "MapElementAccessByNonString")
        return property_of(target, index)
    raise type_fault("[]", target)


def sliced(guard: Guard, target: Value, bounds: tuple[Value, Value]) -> Value:
    """``target[low..high]``."""
    if target is None or None in bounds:
        return None
    if not isinstance(target, list):
        raise type_fault("[..]", target)
    if not all(is_integer(bound) for bound in bounds):
        raise type_fault("[..]", *bounds)
    found = target[bounds[0] : bounds[1]]
    guard.hold(len(found))
    return found
