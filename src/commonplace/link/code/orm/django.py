"""Django: models by their naming rule, and what managers are asked."""

import posixpath
from collections.abc import Iterable, Iterator

from commonplace.domain.code import Symbol
from commonplace.link.code.orm.asking import (
    class_of_value,
    in_objects,
    in_strings,
    made_with,
    named_class,
)
from commonplace.link.code.orm.base import (
    Access,
    Asked,
    Claim,
    Column,
    Orm,
    Sight,
    argument,
    naming,
    tail,
)
from commonplace.link.code.orm.django_managers import ASKING, own_rows, related_rows
from commonplace.link.code.orm.django_paths import TO_ONE, followed, in_expressions, keywords_of
from commonplace.link.code.program import Place, Unit
from commonplace.link.code.queries.chains import Chain, Step, chain_of, noted

_WRITES = frozenset(
    {"create", "bulk_create", "update", "get_or_create", "update_or_create", "delete"}
    | {"bulk_update", "acreate", "aupdate", "adelete"}
)
_FETCHING = frozenset({"select_related", "prefetch_related"})
_BY_STRING = frozenset(
    {"order_by", "values", "values_list", "only", "defer", "distinct", "earliest", "latest"}
    | _FETCHING
)
_MANAGERS = frozenset({"objects", "_default_manager", "_base_manager"})
_SHORTCUTS = frozenset({"get_object_or_404", "get_list_or_404", "aget_object_or_404"})
_SAVING = frozenset({"save", "asave", "delete", "adelete"})
_DEEPEST = 8
_RELATED = 0.6  # rows by what one model calls the way back to another
_MODEL = "django.db.models.Model"


def _may(unit: Unit) -> bool:
    return bool(noted(unit, "heirs", _heirs))


def _heirs(unit: Unit) -> tuple[tuple[int, str, frozenset[str]], ...]:
    """The classes of a file that descend from something: number, name, what from."""
    return tuple(
        (number, symbol.name, frozenset(tail(one) for one in symbol.bases))
        for number, symbol in enumerate(unit.facts.symbols)
        if symbol.kind == "Class" and symbol.bases
    )


def _named(sight: Sight) -> set[str]:
    """Names of all classes that can be models, going by the names of what they descend from."""
    program = sight.look.program
    known = program.memo.get("orm.django.names")
    if known is None:
        heirs = [
            one
            for unit in program.units.values()
            if unit.facts.language == "python"
            for one in noted(unit, "heirs", _heirs)
        ]
        known = program.memo["orm.django.names"] = {"Model"}
        while True:
            more = {name for _number, name, above in heirs if above & known} - known
            if not more:
                break
            known |= more
    names: set[str] = known
    return names


def _claims(sight: Sight) -> Iterator[Claim]:
    facts, names = sight.unit.facts, _named(sight)
    for number, _name, above in noted(sight.unit, "heirs", _heirs):
        symbol = facts.symbols[number]
        if not above & names:
            continue
        place = Place(sight.unit.document_id, number)
        meta = _meta(sight, place)
        if "abstract" not in meta and is_model(sight, place):
            key = () if _has_key(sight, place, 0) else (Column("id", "id"),)
            yield Claim(place, _table(sight, place, symbol, meta), key)


def is_model(sight: Sight, place: Place) -> bool:
    """Whether a class descends from Django's model."""
    known: dict[Place, bool] = sight.look.program.memo.setdefault("orm.django", {})
    if place not in known:
        known[place] = False  # a class above itself is none
        known[place] = _descends(sight, place)
    return known[place]


def _descends(sight: Sight, place: Place) -> bool:
    unit = sight.look.program.units[place.document_id]
    bases = unit.facts.symbols[place.number].bases
    if any(
        sight.look.external(unit, 0, one) in (_MODEL, "django.contrib.gis.db.models.Model")
        for one in bases
    ):
        return True
    return any(is_model(sight, one) for one in sight.look.bases(place))


def _has_key(sight: Sight, place: Place, depth: int) -> bool:
    """Whether a class or one above it says which field is its key; else Django adds ``id``."""
    unit = sight.look.program.units[place.document_id]
    for number in unit.children.get(place.number, ()):
        value = unit.facts.symbols[number].value
        call = unit.facts.calls[value[1]] if value is not None and value[0] == "call" else None
        if call is not None and any(key == "primary_key" for key, _value in call.keywords):
            return True
    above = sight.look.bases(place) if depth < _DEEPEST else ()
    return any(_has_key(sight, one, depth + 1) for one in above)


def _meta(sight: Sight, place: Place) -> dict[str, Symbol]:
    unit = sight.unit
    for number in unit.children.get(place.number, ()):
        if unit.facts.symbols[number].name == "Meta":
            inner = unit.children.get(number, ())
            return {unit.facts.symbols[one].name: unit.facts.symbols[one] for one in inner}
    return {}


def _table(sight: Sight, place: Place, symbol: Symbol, meta: dict[str, Symbol]) -> str:
    if "db_table" in meta:
        named = sight.said(place.number, meta["db_table"].value)
        if named:
            return named
    label = sight.said(place.number, meta["app_label"].value) if "app_label" in meta else ""
    return f"{label or _app(sight.unit.path)}_{symbol.name.lower()}"


def _app(path: str) -> str:
    """The folder of the application a file of models is in."""
    folder = posixpath.dirname(path)
    if posixpath.basename(folder) == "models":
        folder = posixpath.dirname(folder)
    return posixpath.basename(folder) or "app"


def _columns(sight: Sight, place: Place) -> Iterator[Column]:
    facts = sight.unit.facts
    for number in sight.unit.children.get(place.number, ()):
        symbol = facts.symbols[number]
        if symbol.value is None or symbol.value[0] != "call":
            continue
        call = facts.calls[symbol.value[1]]
        called = tail(call.callee)
        if called not in TO_ONE and (not called.endswith("Field") or called == "ManyToManyField"):
            continue
        named = sight.said(call.scope, argument(call, -1, "db_column"))
        rule = f"{symbol.name}_id" if called in TO_ONE else symbol.name
        yield Column(symbol.name, named or rule, "declared" if named else "convention")


def _asks(sight: Sight, chain: Chain) -> Iterable[Asked]:
    yield from _shortcut(sight, chain)
    if chain.root is None or not chain.steps:
        return
    if chain.steps[-1].name in _SAVING and len(chain.steps) == 1:
        subject = class_of_value(sight, chain.scope, chain.root) or _loaded(sight, chain)
        if subject is not None:
            fields = (*_updated(sight, chain), *made_with(sight, chain.scope, chain.root))
            yield Asked(subject, "WRITES", fields if "save" in chain.steps[-1].name else ())
        return
    yield from _queried(sight, chain)


def _loaded(sight: Sight, chain: Chain) -> Place | None:
    """The model of what a variable was loaded as, by the query that loaded it."""
    root = chain.root
    for one in sight.look.makers(sight.unit, chain.scope, root) if root is not None else ():
        if one.unit is sight.unit:
            made = chain_of(sight.unit.facts, one.scope, one.expr, chain.at)
            if made.names() == ("get_object",):
                return _served(sight, made)
            for asked in (*_shortcut(sight, made), *_queried(sight, made)):
                return asked.subject
    return None


def _served(sight: Sight, chain: Chain) -> Place | None:
    """The model of a view's own rows: ``queryset = Order.objects.all()``, ``model = Order``."""
    own = sight.look.enclosing(sight.unit, chain.scope)
    for place in sight.look.members(own) if own is not None else ():
        symbol = sight.look.symbol(place)
        if symbol.value is None or place.document_id != sight.unit.document_id:
            continue
        if symbol.name == "model":
            return named_class(sight, chain, symbol.value)
        if symbol.name == "queryset" and symbol.value[0] == "call":
            told = chain_of(sight.unit.facts, symbol.parent, symbol.value, chain.at)
            return next((one.subject for one in _queried(sight, told)), None)
    return None


def _queried(sight: Sight, chain: Chain) -> Iterator[Asked]:
    """What a manager is asked: of a model by its name, or by the manager's own methods."""
    own = own_rows(sight, chain)
    if own is not None:
        yield from _managed(sight, *own)
    found = related_rows(sight, chain)
    if found is not None:
        asked = _managed(sight, *found)
        yield from (one._replace(confidence=_RELATED) for one in asked)
    for place, step in enumerate(chain.steps):
        if step.name in _MANAGERS and step.call is None:
            expr = chain.root
            for before in chain.steps[:place]:
                expr = ("attr", expr, before.name) if expr is not None else None
            subject = named_class(sight, chain, expr) or _own(sight, chain, place)
            if subject is not None:
                yield from _managed(sight, subject, chain.steps[place + 1 :])


def _shortcut(sight: Sight, chain: Chain) -> Iterator[Asked]:
    """``get_object_or_404(Order, pk=key)``."""
    if chain.steps and chain.root is None and chain.steps[0].name in _SHORTCUTS:
        subject = named_class(sight, chain, argument(chain.steps[0].call, 0))
        if subject is not None:
            yield Asked(subject, "READS")
            yield from followed(sight, subject, keywords_of(chain.steps[0]), "READS")


def _own(sight: Sight, chain: Chain, place: int) -> Place | None:
    """The model itself, in ``cls.objects`` and ``self.__class__.objects``."""
    own = sight.look.enclosing(sight.unit, chain.scope) if chain.root is not None else None
    is_own = own in sight.mapped and sight.look.is_self(sight.unit, chain.scope, chain.root or ())
    between = [step.name for step in chain.steps[:place]]
    return own if is_own and between in ([], ["__class__"]) else None


def _updated(sight: Sight, chain: Chain) -> tuple[str, ...]:
    """Fields of the saved object that the function sets."""
    return tuple(
        one.target[2]
        for one in sight.unit.facts.flows
        if one.scope == chain.scope and one.target[0] == "attr" and one.target[1] == chain.root
    )


def _made(sight: Sight, step: Step) -> tuple[str, ...]:
    """Fields of the objects ``bulk_create([Order(total=1)])`` is given."""
    first = argument(step.call, 0)
    if step.call is None or not step.name.startswith("bulk_") or first is None:
        return ()
    members = first[2] if first[0] == "seq" else ()
    listed = in_objects(sight, argument(step.call, 1, "fields"))
    made = (one for each in members for one in made_with(sight, step.call.scope, each))
    return (*made, *(listed if step.name == "bulk_update" else ()))


def _managed(sight: Sight, subject: Place, steps: tuple[Step, ...]) -> Iterator[Asked]:
    writes = False
    for step in steps:
        access: Access = "WRITES" if step.name in _WRITES else "READS"
        writes = writes or access == "WRITES"
        if step.name == "annotate":
            own: tuple[str, ...] = ()  # its keywords are names it gives
        elif step.name in _BY_STRING:
            own = in_strings(step)
        else:
            own = keywords_of(step)
        own = tuple(one for one in own if one not in ("defaults", "create_defaults"))
        for key, value in step.call.keywords if step.call else ():
            if key in ("defaults", "create_defaults"):
                yield from followed(sight, subject, in_objects(sight, value), access)
        if step.name in ("get_or_create", "update_or_create"):
            yield from followed(sight, subject, own, "READS")
        yield from followed(sight, subject, own, access, step.name in _FETCHING)
        yield from followed(sight, subject, in_expressions(sight, step), "READS")
        yield from naming(subject, access, _made(sight, step))
    yield Asked(subject, "WRITES" if writes else "READS")


DJANGO = Orm(
    name="django",
    languages=frozenset({"python"}),
    may=_may,
    claims=_claims,
    columns=_columns,
    words=_MANAGERS | _SAVING | _SHORTCUTS | ASKING,
    asks=_asks,
)
