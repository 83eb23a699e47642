"""What a router stands for: whether something is one, and the paths it is put under."""

from collections.abc import Iterator

from commonplace.domain.code import Call
from commonplace.domain.expr import Expr
from commonplace.link.code.names.look import flows_in
from commonplace.link.code.orm.asking import lambdas, prefix
from commonplace.link.code.orm.base import Sight, argument, entry, tail
from commonplace.link.code.orm.mapped import sight_of
from commonplace.link.code.program import Place, Program
from commonplace.link.code.queries.chains import chains, peeled, words
from commonplace.link.code.web.base import Verbs

_DEEPEST = 6
_SURE, _GUESS = 0.95, 0.7


class Mounts:
    """Routers of a program and where they are mounted."""

    def __init__(self, program: Program, languages: frozenset[str], table: Verbs) -> None:
        self._under: dict[Place, list[tuple[str, Sight, int, Expr]]] = {}
        putting = table.mounts | table.plugins
        for unit in program.units.values() if putting else ():
            if unit.facts.language in languages and putting & words(unit):
                self._scan(sight_of(program, unit), table)

    def _scan(self, sight: Sight, table: Verbs) -> None:
        for chain in chains(sight.unit):
            for place, step in enumerate(chain.steps):
                outer = chain.root if place == 0 else prefix(chain, place)
                if step.call is None or outer is None:
                    continue
                if step.name in table.mounts:
                    self._mount(sight, table, (chain.scope, outer), step.call)
                elif step.name in table.plugins:
                    self._plug(sight, table, (chain.scope, outer), step.call)

    def _mount(self, sight: Sight, table: Verbs, outer: tuple[int, Expr], call: Call) -> None:
        texts = [one for one in call.arguments if one[0] == "text"]
        path = sight.said(call.scope, argument(call, -1, *table.prefix_keys))
        path = path or (sight.said(call.scope, texts[0]) if texts else "")
        for expr in call.arguments:
            if expr[0] in ("name", "attr"):
                for place in self._routers(sight, call.scope, expr):
                    self._under.setdefault(place, []).append((path, sight, *outer))

    def _plug(self, sight: Sight, table: Verbs, outer: tuple[int, Expr], call: Call) -> None:
        """``server.register(plugin, { prefix: "/x" })``: what the function says is below it."""
        given = [entry(one, key) for one in call.arguments[1:2] for key in table.prefix_keys]
        path = next((sight.said(call.scope, one) for one in given if one is not None), "")
        for expr in map(peeled, call.arguments[:1]):
            found = [Place(sight.unit.document_id, expr[1])] if expr[0] == "made" else []
            if expr[0] in ("name", "attr"):
                found = sight.look.places(sight.unit, call.scope, expr)
            for place in found:
                self._under.setdefault(place, []).append((path, sight, *outer))

    def _routers(self, sight: Sight, scope: int, expr: Expr) -> list[Place]:
        return [
            one
            for one in sight.look.places(sight.unit, scope, expr)
            if sight.look.symbol(one).kind in ("Variable", "Constant", "Field", "Property")
        ]

    def sureness(self, sight: Sight, scope: int, expr: Expr, table: Verbs) -> float:
        """How surely an expression is a router: by its maker, its type, or at least its name."""
        names = sight.look.type_names(sight.unit, scope, expr) - {""}
        if expr[0] == "attr":
            made = sight.look.type_names(sight.unit, scope, expr[1])
            names |= {f"{one}.{expr[2]}" for one in made if one}
        names.add(sight.look.external(sight.unit, scope, expr))
        if any(one.endswith(table.makers) for one in names):
            return _SURE
        is_other = any("." in one or "/" in one for one in names)
        return _GUESS if tail(expr) in table.usual and not is_other else 0.0

    def prefixes(
        self, sight: Sight, scope: int, expr: Expr, table: Verbs, depth: int = 0
    ) -> list[str]:
        """Every path a router's own paths come after."""
        if depth > _DEEPEST:
            return [""]
        own = self._own(sight, scope, expr, table, depth)
        places = [*self._routers(sight, scope, expr), *_given(sight, scope, expr)]
        mounted = [one for place in places for one in self._under.get(place, ())]
        if not mounted:
            return own
        if table.is_replaced and any(path for path, *_where in mounted):
            own = [""]
        return [
            f"{above}/{path}/{mine}"
            for path, where, at, outer in mounted
            for above in self.prefixes(where, at, outer, table, depth + 1)
            for mine in own
        ]

    def _own(self, sight: Sight, scope: int, expr: Expr, table: Verbs, depth: int) -> list[str]:
        """What its maker says, or the group it was made as."""
        for where, at, call in self._made(sight, scope, expr):
            call = _grouping(where, call, table)
            name = tail(peeled(call.callee))
            told = [
                argument(call, -1, one) or entry(argument(call, 0), one)
                for one in table.prefix_keys
            ]
            said = next((where.said(at, one) for one in told if one is not None), "")
            if said:
                return [said]
            base = peeled(call.callee)
            if name in table.groups and base[0] == "attr" and call.arguments:
                path = where.said(at, call.arguments[0])
                above = self.prefixes(where, at, base[1], table, depth + 1)
                return [f"{one}/{path}" for one in above]
        inside = list(self._inside(sight, scope, expr, table, depth))
        return inside or [""]

    def _made(self, sight: Sight, scope: int, expr: Expr) -> Iterator[tuple[Sight, int, Call]]:
        number: int | None = scope
        facts = sight.unit.facts
        while number is not None and expr[0] == "name":
            for flow in flows_in(sight.unit, number):
                if flow.target == expr and peeled(flow.value)[0] == "call":
                    yield sight, number, facts.calls[peeled(flow.value)[1]]
            number = facts.symbols[number].parent if number else None
        for place in self._routers(sight, scope, expr):
            unit = sight.look.program.units[place.document_id]
            value = unit.facts.symbols[place.number].value
            if value is not None and peeled(value)[0] == "call":
                there = sight_of(sight.look.program, unit)
                yield there, 0, unit.facts.calls[peeled(value)[1]]

    def _inside(
        self, sight: Sight, scope: int, expr: Expr, table: Verbs, depth: int
    ) -> Iterator[str]:
        """A router that is the parameter of a function given to ``r.Route("/x", func…)``."""
        if expr[0] != "name" or not table.groups:
            return
        for chain in chains(sight.unit):
            for place, step in enumerate(chain.steps):
                if step.name not in table.groups or step.call is None or scope not in lambdas(step):
                    continue
                parameters = sight.unit.facts.symbols[scope].parameters
                outer = chain.root if place == 0 else prefix(chain, place)
                if outer is None or not parameters or parameters[0].name != expr[1]:
                    continue
                path = sight.said(chain.scope, step.call.arguments[0])
                for above in self.prefixes(sight, chain.scope, outer, table, depth + 1):
                    yield f"{above}/{path}"


def _given(sight: Sight, scope: int, expr: Expr) -> Iterator[Place]:
    """The function whose first parameter an expression is."""
    number = scope
    while expr[0] == "name" and number:
        symbol = sight.unit.facts.symbols[number]
        if symbol.parameters and symbol.parameters[0].name == expr[1]:
            yield Place(sight.unit.document_id, number)
        number = symbol.parent


def _grouping(sight: Sight, call: Call, table: Verbs) -> Call:
    """``r.PathPrefix("/x").Subrouter()``: the call that names the path."""
    base = peeled(call.callee)
    inner = peeled(base[1]) if base[0] == "attr" else ("",)
    made = sight.unit.facts.calls[inner[1]] if inner[0] == "call" else None
    return made if made is not None and tail(peeled(made.callee)) in table.groups else call
