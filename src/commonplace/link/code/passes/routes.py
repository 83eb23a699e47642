"""Routes to the functions that answer them, and requests to the routes they ask for."""

from collections.abc import Collection, Iterator

from commonplace.link.code.aspects import ASKS_ROUTES, note
from commonplace.link.code.base import Found, Pass
from commonplace.link.code.drawing import Drawing, Proof
from commonplace.link.code.orm.base import Sight
from commonplace.link.code.orm.mapped import sight_of
from commonplace.link.code.program import Program, Unit
from commonplace.link.code.queries.chains import noted, owner, words
from commonplace.link.code.shared import route_node
from commonplace.link.code.web import webs
from commonplace.link.code.web.annotated import annotated
from commonplace.link.code.web.base import Handled, Sent, Verbs, Web
from commonplace.link.code.web.mounts import Mounts
from commonplace.link.code.web.paths import fit
from commonplace.link.code.web.relayed import is_relay, relayed
from commonplace.link.code.web.routed import routed
from commonplace.link.code.web.sent import sent

_LONE = 0.5  # what is asked for of a server that is not in the program
_ENDS = 0.7  # a path known only from some segment on


def run(program: Program, document_ids: Collection[str]) -> dict[str, Found]:
    """Edges of these documents."""
    found = {}
    for unit in program.chosen(document_ids):
        drawing = Drawing(unit)
        project = unit.project
        for one in handled(program, unit):
            note(program, unit.document_id, ASKS_ROUTES)
            route = drawing.node(route_node(project, one.method, one.path))
            handler = program.node_id(one.handler)
            drawing.edge(route, "HANDLES", handler, Proof(one.how, one.confidence, one.at))
        for asked in _sent(program, unit):
            note(program, unit.document_id, ASKS_ROUTES)
            source = unit.ids[owner(unit.facts, asked.scope)]
            for method, path, confidence in _answers(program, asked):
                route = drawing.node(route_node(project, method, path))
                drawing.edge(source, "REQUESTS", route, Proof("request", confidence, asked.at))
        found[unit.document_id] = drawing.found()
    return found


def handled(program: Program, unit: Unit) -> list[Handled]:
    """The routes one file answers."""
    sight = sight_of(program, unit)
    return [one for web in _webs(program, unit) for one in _served(program, sight, web)]


def _served(program: Program, sight: Sight, web: Web) -> Iterator[Handled]:
    if web.serves is not None:
        yield from web.serves(sight)
    if web.marks is not None:
        yield from annotated(sight, web.marks)
    if web.verbs is not None and (web.verbs.methods.keys() | web.verbs.objects) & words(sight.unit):
        yield from routed(sight, web.verbs, _mounts(program, web, web.verbs))


def _webs(program: Program, unit: Unit) -> list[Web]:
    """The frameworks and clients that may matter to a file."""
    used = program.memo.get("web.used")
    if used is None:
        used = program.memo["web.used"] = _used(program)
    return [web for web in used if unit.facts.language in web.languages]


def _used(program: Program) -> list[Web]:
    every = (noted(one, "modules", _modules) for one in program.units.values())
    imported = frozenset().union(*every)
    return [
        web for web in webs().values() if not web.modules or not imported.isdisjoint(web.modules)
    ]


def _modules(unit: Unit) -> frozenset[str]:
    """What a file imports from outside, and all that is above it."""
    found = set()
    for one in unit.facts.imports:
        module = "" if one.level else one.module
        while module and module not in found:
            found.add(module)
            module = module.rpartition("/" if "/" in module else ".")[0]
    return frozenset(found)


def _mounts(program: Program, web: Web, table: Verbs) -> Mounts:
    key = f"web.mounts.{web.name}"
    if key not in program.memo:
        program.memo[key] = Mounts(program, web.languages, table)
    known: Mounts = program.memo[key]
    return known


def _sent(program: Program, unit: Unit) -> Iterator[Sent]:
    sight = sight_of(program, unit)
    for web in _webs(program, unit):
        if web.sends is not None and (web.sends.methods.keys() | web.sends.bare) & words(unit):
            own = sent(sight, web.sends)
            yield from (one for one in own if not is_relay(sight, web, one.scope))
        if web.sends is not None:
            yield from relayed(sight, web)
        if web.asks is not None:
            yield from web.asks(sight)


def routes(program: Program) -> list[tuple[str, str]]:
    """Method and path of every route the program answers."""
    found = program.memo.get("web.routes")
    if found is None:
        every = (one for unit in program.units.values() for one in handled(program, unit))
        found = program.memo["web.routes"] = sorted({(one.method, one.path) for one in every})
    known: list[tuple[str, str]] = found
    return known


def _answers(program: Program, asked: Sent) -> list[tuple[str, str, float]]:
    """The best routes for a request: those that fit it as well as any."""
    scored = []
    for method, path in routes(program):
        if method not in (asked.method, "*"):
            continue
        score = fit(asked.path, path)
        if not score and not asked.is_whole and path.endswith(asked.path):
            score = _ENDS
        if score:
            scored.append((method, path, score))
    best = max((score for _method, _path, score in scored), default=0.0)
    if not best:
        return [(asked.method, asked.path, min(_LONE, asked.confidence))]
    return [
        (method, path, round(score * asked.confidence, 3))
        for method, path, score in scored
        if score == best
    ]


ROUTES = Pass(name="routes", relations=frozenset({"HANDLES", "REQUESTS"}), run=run)
