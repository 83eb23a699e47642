"""Routes said by annotations: a class tells the beginning, its methods the rest."""

from collections.abc import Iterator

from commonplace.domain.code import Call, Symbol
from commonplace.domain.expr import Expr
from commonplace.link.code.bound import beginning
from commonplace.link.code.orm.base import Sight, argument, entry, marks, tail
from commonplace.link.code.program import Place
from commonplace.link.code.web.base import Handled, Marks
from commonplace.link.code.web.paths import joined

CLIENTS = frozenset({"FeignClient", "HttpExchange", "RegisterRestClient"})
"""Annotations of interfaces whose methods ask for the routes they are annotated with."""
METHODS = frozenset({"GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"})


def annotated(sight: Sight, table: Marks, of_clients: bool = False) -> Iterator[Handled]:
    """The routes the methods of a file answer; or, of declared clients, those they ask for."""
    facts = sight.unit.facts
    for number, symbol in enumerate(facts.symbols):
        if not symbol.decorators or symbol.kind not in ("Method", "Function"):
            continue
        around = marks(facts.symbols[symbol.parent].decorators, sight) if symbol.parent else {}
        if bool(CLIENTS & around.keys()) != of_clients:
            continue
        said = marks(symbol.decorators, sight)
        for mark in table.methods.keys() & said.keys():
            yield from _routes(sight, table, number, (mark, said[mark], said))


def _routes(
    sight: Sight, table: Marks, number: int, told: tuple[str, Call | None, dict[str, Call | None]]
) -> Iterator[Handled]:
    mark, call, said = told
    symbol = sight.unit.facts.symbols[number]
    around = sight.unit.facts.symbols[symbol.parent] if symbol.parent else None
    methods = [table.methods[mark]] if table.methods[mark] else _methods(sight, number, call)
    own = paths_of(sight, number, call, table.keys)
    if own == [""]:
        others = (
            paths_of(sight, number, said[one], table.keys) for one in table.prefixes & said.keys()
        )
        own = next(others, own)
    handler = Place(sight.unit.document_id, number)
    for prefix in _prefixes(sight, table, symbol.parent, around):
        for path in own:
            before = "" if path.startswith(("~/", "/")) and _resets(sight) else prefix
            full = _named(f"{before}/{path.lstrip('~')}", around, symbol)
            for method in methods:
                yield Handled(method, joined(full), handler, beginning(symbol), "annotation")


def _resets(sight: Sight) -> bool:
    """Whether a path that begins with a slash forgets its class's prefix."""
    return sight.unit.facts.language == "csharp"


def _named(path: str, around: Symbol | None, symbol: Symbol) -> str:
    """ASP.NET's tokens for the names of class and method."""
    controller = around.name.removesuffix("Controller").lower() if around else ""
    return path.replace("[controller]", controller).replace("[action]", symbol.name.lower())


def _prefixes(sight: Sight, table: Marks, number: int, around: Symbol | None) -> list[str]:
    if around is None:
        return [""]
    said = marks(around.decorators, sight)
    found: list[str] = []
    for mark in table.prefixes & said.keys():
        found += paths_of(sight, number, said[mark], table.keys)
    for mark in CLIENTS & said.keys():  # @FeignClient(name = "items", path = "/v1")
        before = sight.said(number, argument(said[mark], -1, "path"))
        found = [f"{before}/{one}" for one in found or [""]] if before else found
    return found or [""]


def paths_of(sight: Sight, scope: int, call: Call | None, keys: tuple[str, ...]) -> list[str]:
    """The paths an annotation gives: a string, several, or an object with one."""
    expr = argument(call, 0, *keys)
    if expr is not None and expr[0] == "map":
        expr = entry(expr, "path")
    members = _each(expr)
    found = [sight.said(scope, one) for one in members]
    return [one for one, told in zip(found, members, strict=True) if one or _is_empty(told)] or [""]


def _is_empty(expr: Expr) -> bool:
    """Whether a path is said to be none."""
    return expr[0] == "text" and expr[1] in ((), ("",))


def _each(expr: Expr | None) -> tuple[Expr, ...]:
    if expr is None:
        return ()
    members: tuple[Expr, ...] = expr[2] if expr[0] == "seq" else (expr,)
    return members


def _methods(sight: Sight, scope: int, call: Call | None) -> list[str]:
    found = []
    for one in _each(argument(call, -1, "method", "methods")):
        name = sight.said(scope, one) if one[0] == "text" else tail(one)
        found += [name.upper()] if name.upper() in METHODS else []
    return found or ["*"]
