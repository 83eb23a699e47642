"""Functions on texts and numbers."""

import math
from collections.abc import Callable, Mapping, Sequence

from commonplace.cypher.faults import RunFault
from commonplace.cypher.functions import Context, Function
from commonplace.cypher.operators import type_fault, whole
from commonplace.cypher.values import Value, is_integer, is_number


def _text(name: str, work: Callable[[str], str]) -> Function:
    def body(context: Context, args: Sequence[Value]) -> Value:
        if not isinstance(args[0], str):
            raise type_fault(f"{name}()", args[0])
        context.guard.hold_text(len(args[0]))
        return work(args[0])

    return Function(1, 1, body)


def _texts(name: str, args: Sequence[Value]) -> list[str]:
    if not all(isinstance(arg, str) for arg in args):
        raise type_fault(f"{name}()", *args)
    return list(args)


def _counts(name: str, args: Sequence[Value]) -> list[int]:
    if not all(is_integer(arg) for arg in args):
        raise type_fault(f"{name}()", *args)
    if any(arg < 0 for arg in args):
        raise RunFault(f"{name}() takes no negative number", "NegativeIntegerArgument")
    return list(args)


def _split(context: Context, args: Sequence[Value]) -> Value:
    text, mark = _texts("split", args)
    context.guard.hold(text.count(mark) + 1 if mark else len(text) + 1)
    return text.split(mark) if mark else list(text)


def _replace(context: Context, args: Sequence[Value]) -> Value:
    text, old, new = _texts("replace", args)
    found = text.count(old) if old else 0
    context.guard.hold_text(len(text) + found * max(0, len(new) - len(old)))
    return text.replace(old, new) if old else text


def _substring(_context: Context, args: Sequence[Value]) -> Value:
    (text,) = _texts("substring", args[:1])
    counts = _counts("substring", args[1:])
    return text[counts[0] :] if len(counts) == 1 else text[counts[0] : counts[0] + counts[1]]


def _left(_context: Context, args: Sequence[Value]) -> Value:
    (text,) = _texts("left", args[:1])
    return text[: _counts("left", args[1:])[0]]


def _right(_context: Context, args: Sequence[Value]) -> Value:
    (text,) = _texts("right", args[:1])
    count = _counts("right", args[1:])[0]
    return text[-count:] if count else ""


def _numeric(name: str, work: Callable[[float], float]) -> Function:
    """A function on one number that gives a float; what has no value is NaN or infinite."""

    def body(_context: Context, args: Sequence[Value]) -> Value:
        if not is_number(args[0]):
            raise type_fault(f"{name}()", args[0])
        try:
            return float(work(args[0]))
        except ValueError:
            return math.nan
        except OverflowError:
            return math.inf

    return Function(1, 1, body)


def _abs(_context: Context, args: Sequence[Value]) -> Value:
    if not is_number(args[0]):
        raise type_fault("abs()", args[0])
    return whole(abs(args[0])) if is_integer(args[0]) else abs(args[0])


def _sign(_context: Context, args: Sequence[Value]) -> Value:
    if not is_number(args[0]):
        raise type_fault("sign()", args[0])
    return (args[0] > 0) - (args[0] < 0)


def _round(_context: Context, args: Sequence[Value]) -> Value:
    if not all(map(is_number, args)):
        raise type_fault("round()", *args)
    if not math.isfinite(args[0]):
        return args[0]
    places = int(args[1]) if len(args) > 1 else 0
    if not 0 <= places <= 30:
        raise RunFault("round() takes 0 to 30 decimals", "NumberOutOfRange")
    if places:
        return round(float(args[0]), places)
    return float(math.floor(args[0] + 0.5))


def _log(value: float) -> float:
    return -math.inf if value == 0 else math.log(value)


def _log10(value: float) -> float:
    return -math.inf if value == 0 else math.log10(value)


def _cot(value: float) -> float:
    return math.inf if value == 0 else 1 / math.tan(value)


def _constant(value: float) -> Function:
    return Function(0, 0, lambda _context, _args: value)


def _atan2(_context: Context, args: Sequence[Value]) -> Value:
    if not all(map(is_number, args)):
        raise type_fault("atan2()", *args)
    return math.atan2(args[0], args[1])


TEXTS: Mapping[str, Function] = {
    "tolower": _text("toLower", str.lower),
    "toupper": _text("toUpper", str.upper),
    "lower": _text("lower", str.lower),
    "upper": _text("upper", str.upper),
    "trim": _text("trim", str.strip),
    "ltrim": _text("lTrim", str.lstrip),
    "rtrim": _text("rTrim", str.rstrip),
    "split": Function(2, 2, _split),
    "replace": Function(3, 3, _replace),
    "substring": Function(2, 3, _substring),
    "left": Function(2, 2, _left),
    "right": Function(2, 2, _right),
    "abs": Function(1, 1, _abs),
    "sign": Function(1, 1, _sign),
    "round": Function(1, 2, _round),
    "ceil": _numeric("ceil", lambda value: math.ceil(value) if math.isfinite(value) else value),
    "floor": _numeric("floor", lambda value: math.floor(value) if math.isfinite(value) else value),
    "sqrt": _numeric("sqrt", math.sqrt),
    "exp": _numeric("exp", math.exp),
    "log": _numeric("log", _log),
    "log10": _numeric("log10", _log10),
    "sin": _numeric("sin", math.sin),
    "cos": _numeric("cos", math.cos),
    "tan": _numeric("tan", math.tan),
    "cot": _numeric("cot", _cot),
    "asin": _numeric("asin", math.asin),
    "acos": _numeric("acos", math.acos),
    "atan": _numeric("atan", math.atan),
    "atan2": Function(2, 2, _atan2),
    "degrees": _numeric("degrees", math.degrees),
    "radians": _numeric("radians", math.radians),
    "haversin": _numeric("haversin", lambda value: (1 - math.cos(value)) / 2),
    "pi": _constant(math.pi),
    "e": _constant(math.e),
}
