"""Rows as data: what every row has, in one order and without its name each time.

A symbol is ``[id, full name, place, kind]``, an edge ``[full name, relation, target]``; what only
some have follows by name, as an object. Field names were a fifth of a list.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, core_schema

Row = dict[str, Any]

SYMBOL = ("id", "fqn", "at", "kind")
EDGE = ("fqn", "relation", "target")
MARKS = (".", "/")
"""What a name begins with that continues a full name told before it."""
LISTS: Mapping[str, Sequence[str]] = {
    **dict.fromkeys(("results", "steps", "containers", "candidates", "parts"), SYMBOL),
    **dict.fromkeys(("symbols", "usages", "changes"), SYMBOL),
    "edges": EDGE,
}
"""Fields of replies and their groups that list rows, and the order of a row."""
_GROUPS = ("groups", "tiers")
_TOLD = {
    "id": "Send it back as symbol_id.",
    "fqn": "Full name; one that begins with . or / continues prefix, else the symbol asked about. "
    "Each dot more: a part of the last above with one less.",
    "kind": "If not told before.",
}

_ODD = "The full name, where it begins with . or / itself."


def fold(row: Mapping[str, Any], order: Sequence[str] = SYMBOL) -> list[Any]:
    """A row as data.

    >>> fold({"kind": "CLASS", "id": "s1", "fqn": "a.B", "at": "a.py:1", "hops": 2})
    ['s1', 'a.B', 'a.py:1', 'CLASS', {'hops': 2}]
    >>> fold({"id": "s2", "name": ".c", "hops": 2})
    ['s2', '.c', {'hops': 2}]
    """
    full = str(row.get("fqn") or "")
    is_odd = full.startswith(MARKS)  # a file called .env: it must not look like a continued name
    named = {**row, "fqn": "" if is_odd else full or row.get("name")}
    placed = [named.get(name) or "" for name in order]
    while placed and not placed[-1]:
        placed.pop()
    rest = {name: value for name, value in row.items() if name not in (*order, "name")}
    rest |= {"fqn": full} if is_odd else {}
    return [*placed, rest] if rest else placed


def unfold(folded: Sequence[Any], order: Sequence[str] = SYMBOL) -> Row:
    """A row by the names of its fields.

    >>> unfold(["s2", ".c", {"hops": 2}])
    {'id': 's2', 'name': '.c', 'hops': 2}
    """
    is_last = bool(folded) and isinstance(folded[-1], Mapping)
    placed, rest = (folded[:-1], folded[-1]) if is_last else (folded, {})
    row = {name: value for name, value in zip(order, placed, strict=False) if value != ""}
    if str(row.get("fqn", "")).startswith(MARKS):
        row = {"name" if name == "fqn" else name: value for name, value in row.items()}
    return {**row, **rest}


def folded(reply: Mapping[str, Any]) -> Row:
    """A reply with its rows as data; a group of which all is shown does not count it.

    >>> folded({"groups": [{"total": 1, "symbols": [{"id": "s1", "fqn": "a"}]}]})
    {'groups': [{'symbols': [['s1', 'a']]}]}
    """
    return {
        name: [_group(one) for one in value] if name in _GROUPS else _rows(name, value)
        for name, value in reply.items()
    }


def _group(group: Mapping[str, Any]) -> Row:
    shown = sum(len(value) for name, value in group.items() if name in LISTS)
    return {
        name: _rows(name, value)
        for name, value in group.items()
        if name != "total" or value != shown
    }


def _rows(name: str, value: Any) -> Any:  # noqa: ANN401 - JSON
    """The rows of a field that lists some, folded; another field as it is."""
    is_list = name in LISTS and isinstance(value, list)
    return [fold(row, LISTS[name]) for row in value] if is_list else value


class Folded:
    """Annotates the model of a row: replies have it folded, in this order."""

    def __init__(self, order: Sequence[str] = SYMBOL) -> None:
        self._order = order

    def __get_pydantic_core_schema__(
        self,
        source: type[Any],
        handler: GetCoreSchemaHandler,
    ) -> CoreSchema:
        """Unfolded, it is what the model says."""
        return core_schema.no_info_before_validator_function(self._unfolded, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> Row:
        """Texts in their order, and an object of the rest."""
        model = handler.resolve_ref_schema(handler(schema))
        fields = model.get("properties", {})
        hidden = {*self._order, "name"} - {"fqn"}
        rest = {name: one for name, one in fields.items() if name not in hidden}
        if "fqn" in rest:
            rest["fqn"] = {"type": "string", "description": _ODD}
        texts = [_text(name, fields.get(name, {})) for name in self._order]
        facts: Row = {"type": "object", "properties": rest, "additionalProperties": False}
        return {
            "type": "array",
            "description": f"[{', '.join(self._order)}, {{…}}]",
            "prefixItems": texts[:2],
            "items": {"anyOf": [*texts[2:], facts]},
        }

    def _unfolded(self, value: Any) -> Any:  # noqa: ANN401 - JSON
        return unfold(value, self._order) if isinstance(value, list) else value


def _text(name: str, field: Mapping[str, Any]) -> Row:
    told = _TOLD.get(name) or field.get("description")
    return {"type": "string", **({"description": told} if told else {})}
