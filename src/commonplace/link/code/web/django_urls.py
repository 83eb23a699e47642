"""Django: lists of paths, those of an application included under another path."""

from collections.abc import Iterator

from commonplace.domain.code import Call
from commonplace.domain.expr import Expr
from commonplace.link.code.names.modules import modules
from commonplace.link.code.orm.base import Sight, argument, marks, tail
from commonplace.link.code.orm.mapped import sight_of
from commonplace.link.code.program import Place, Unit
from commonplace.link.code.queries.chains import peeled
from commonplace.link.code.web.base import Handled, Web
from commonplace.link.code.web.paths import joined, of_pattern

_PLAIN, _PATTERN = "path", frozenset({"re_path", "url"})
_ALLOWING = frozenset({"api_view", "require_http_methods"})
_DEEPEST = 5
_VERBS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")


def _entries(sight: Sight) -> Iterator[tuple[str, Expr, Call]]:
    """Each path of a file's list with what it leads to."""
    facts = sight.unit.facts
    if not any(symbol.name == "urlpatterns" for symbol in facts.symbols):
        return
    for call in facts.calls:
        name = tail(call.callee)
        if (name != _PLAIN and name not in _PATTERN) or len(call.arguments) < 2:
            continue
        if call.arguments[0][0] == "text":
            written = sight.said(call.scope, call.arguments[0])
            path = of_pattern(written) if name in _PATTERN else joined(written)
            yield path, peeled(call.arguments[1]), call


def _serves(sight: Sight) -> Iterator[Handled]:
    for path, expr, call in _entries(sight):
        handler = _view(sight, expr)
        for method, place in _methods(sight, handler) if handler is not None else ():
            for before in _prefixes(sight, sight.unit, 0):
                yield Handled(method, joined(before, path), place, call.at, "call")


def _methods(sight: Sight, handler: Place) -> list[tuple[str, Place]]:
    """A class answers with the methods called as those of HTTP; without any, itself."""
    if sight.look.symbol(handler).kind != "Class":
        return [(one, handler) for one in _allowed(sight, handler) or ["*"]]
    found = [(one, sight.look.member(handler, one.lower())) for one in _VERBS]
    return [(name, place) for name, place in found if place is not None] or [("*", handler)]


def _allowed(sight: Sight, handler: Place) -> list[str]:
    """The methods a decorator leaves to a function: ``@api_view(["GET"])``, ``@require_POST``."""
    there = sight_of(sight.look.program, sight.look.program.units[handler.document_id])
    for name, call in marks(sight.look.symbol(handler).decorators, there).items():
        if name in _ALLOWING:
            given = argument(call, 0, "http_method_names", "request_method_list")
            listed = given[2] if given is not None and given[0] == "seq" else ()
            told = [there.said(handler.number, one).upper() for one in listed]
            return [one for one in told if one in _VERBS] or ["GET"]
        if name.startswith("require_") and name[8:] in _VERBS:
            return [name[8:]]
    return []


def _view(sight: Sight, expr: Expr) -> Place | None:
    """A function, or the class whose ``as_view()`` it is."""
    if expr[0] == "call":
        callee = peeled(sight.unit.facts.calls[expr[1]].callee)
        if tail(callee) == "include":
            return None
        if tail(callee) == "as_view":
            expr = callee[1]
        else:
            inner = sight.unit.facts.calls[expr[1]].arguments
            expr = inner[0] if inner else expr
    places = sight.look.places(sight.unit, 0, expr)
    return places[0] if len(places) == 1 else None


def _included(sight: Sight) -> dict[str, list[tuple[str, Unit]]]:
    """Files of paths by what includes them."""
    program = sight.look.program
    table = program.memo.get("web.django")
    if table is None:
        table = {}
        for unit in program.units.values():
            if unit.facts.language == "python" and any(
                one.name == "urlpatterns" for one in unit.facts.symbols
            ):
                there = sight_of(program, unit)
                for path, expr, _call in _entries(there):
                    for document in _target(there, expr):
                        table.setdefault(document, []).append((path, unit))
        program.memo["web.django"] = table
    known: dict[str, list[tuple[str, Unit]]] = table
    return known


def _target(sight: Sight, expr: Expr) -> Iterator[str]:
    call = sight.unit.facts.calls[expr[1]] if expr[0] == "call" else None
    if call is None or tail(call.callee) != "include":
        return
    named = argument(call, 0)
    if named is not None and named[0] == "seq" and named[2]:
        named = named[2][0]
    dotted = sight.said(call.scope, named)
    found = modules(sight.look.program).python(sight.unit, dotted) if dotted else None
    if found is not None:
        yield found


def _prefixes(sight: Sight, unit: Unit, depth: int) -> list[str]:
    above = _included(sight).get(unit.document_id, [])
    if not above or depth > _DEEPEST:
        return [""]
    return [
        f"{before}/{path}" for path, outer in above for before in _prefixes(sight, outer, depth + 1)
    ]


DJANGO_URLS = Web(
    name="django_urls", languages=frozenset({"python"}), modules=("django",), serves=_serves
)
