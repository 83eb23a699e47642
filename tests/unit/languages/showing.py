"""Facts in a form a test can spell out."""

from commonplace.domain.code import Facts, Symbol
from commonplace.domain.expr import Expr

SHORT = {"self": "this", "super": "super", "result": "result", "yielded": "yielded"}


def shown(facts: Facts, expr: Expr | None) -> str:
    """An expression on one line: ``orders.find()``, ``<Order>``, ``"SELECT {table}"``."""
    if expr is None:
        return ""
    tag = expr[0]
    if tag in SHORT:
        return SHORT[tag]
    if tag in ("name", "value"):
        return str(expr[1])
    if tag == "attr":
        return f"{shown(facts, expr[1])}.{expr[2]}"
    if tag == "tail":
        return f"tail({shown(facts, expr[1])}, {expr[2]})"
    if tag == "call":
        call = facts.calls[expr[1]]
        return f"{'new ' * call.is_new}{shown(facts, call.callee)}()"
    if tag == "made":
        return facts.symbols[expr[1]].name
    return _compound(facts, expr)


def _compound(facts: Facts, expr: Expr) -> str:
    tag = expr[0]
    if tag == "text":
        parts = (one if isinstance(one, str) else f"{{{shown(facts, one)}}}" for one in expr[1])
        return f'"{"".join(parts)}"'
    if tag == "generic":
        return f"{shown(facts, expr[1])}<{', '.join(shown(facts, one) for one in expr[2])}>"
    if tag == "typed":
        return f"<{shown(facts, expr[1])}>"
    if tag == "item":
        return f"{shown(facts, expr[1])}[{'' if expr[2] is None else expr[2]}]"
    if tag == "one":
        return " | ".join(shown(facts, one) for one in expr[1])
    if tag == "seq":
        return f"[{', '.join(shown(facts, one) for one in expr[2])}]"
    if tag == "map":
        return f"{{{', '.join(f'{key}: {shown(facts, one)}' for key, one in expr[1])}}}"
    return f"{tag}({shown(facts, expr[1])})"


def named(facts: Facts, path: str) -> Symbol:
    """The one symbol of a path."""
    (found,) = (one for one in facts.symbols if one.path == path)
    return found


def kinds(facts: Facts) -> list[str]:
    """``Class Order``, ``Method Order.ship`` … in order, without the file."""
    return [f"{one.kind} {one.path}" for one in facts.symbols[1:]]


def calls(facts: Facts) -> list[str]:
    """``Order.ship: repo.save(order)`` in order; what syntax calls is in brackets."""
    found = []
    for call in facts.calls:
        arguments = [shown(facts, one) for one in call.arguments]
        arguments += [f"{key}={shown(facts, one)}" for key, one in call.keywords]
        text = f"{'new ' * call.is_new}{shown(facts, call.callee)}({', '.join(arguments)})"
        where = facts.symbols[call.scope].path
        found.append(f"{where}: {f'[{text}]' if call.is_implicit else text}")
    return found


def flows(facts: Facts, path: str) -> list[str]:
    """``x = new Order()`` of one scope, in order."""
    return [
        f"{shown(facts, one.target)} = {shown(facts, one.value)}"
        for one in facts.flows
        if facts.symbols[one.scope].path == path
    ]


def uses(facts: Facts, path: str) -> list[str]:
    """``read order.total`` of one scope, in order."""
    return [
        f"{one.access} {shown(facts, one.expr)}"
        for one in facts.uses
        if facts.symbols[one.scope].path == path
    ]


def stray_places(facts: Facts, text: str) -> list[object]:
    """What says it stands where the text is not."""
    lines = text.split("\n")
    places = [
        *(one.at for one in facts.symbols),
        *(one.at for one in facts.calls),
        *(one.at for one in facts.uses),
        *(one.at for one in facts.imports),
        *(one.at for one in facts.problems),
    ]
    return [
        at
        for at in places
        if not (1 <= at.line <= at.end_line <= len(lines))
        or not (0 <= at.column <= len(lines[at.line - 1]))
        or not (0 <= at.end_column <= len(lines[at.end_line - 1]))
    ]
