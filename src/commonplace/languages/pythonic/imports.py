"""What a module takes from others, and what it lists for them."""

from typing import TYPE_CHECKING

from commonplace.domain import expr
from commonplace.domain.code import Import
from commonplace.domain.expr import Expr
from commonplace.languages.pythonic.notes import Notes

if TYPE_CHECKING:
    from tree_sitter import Node

FOR_TYPES = frozenset({"type"})
NO_MODIFIERS: frozenset[str] = frozenset()


def import_(notes: Notes, node: "Node") -> None:
    """``import a.b as c``; without ``as`` the name here is the first part."""
    for part in notes.parts(node):
        if part.type == "aliased_import":
            name, alias = notes.parts(part)[:2]
            _import(notes, notes.text(name), None, notes.word(alias), part)
        else:
            module = notes.text(part)
            _import(notes, module, None, module.partition(".")[0], part)


def import_from(notes: Notes, node: "Node") -> None:
    """``from .a import b as c, d``."""
    parts = notes.parts(node)
    written = "".join(notes.text(parts[0]).split())
    module = written.lstrip(".")
    level = len(written) - len(module)
    for part in parts[1:]:
        if part.type == "wildcard_import":
            _import(notes, module, "*", "", part, level)
        elif part.type == "aliased_import":
            name, alias = notes.parts(part)[:2]
            _import(notes, module, notes.text(name), notes.word(alias), part, level)
        else:
            word = notes.text(part)
            _import(notes, module, word, word, part, level)


def _import(  # noqa: PLR0913 - the six things an import says
    notes: Notes, module: str, name: str | None, alias: str, node: "Node", level: int = 0
) -> None:
    scope = notes.scope
    if alias:
        scope.local.add(alias)
        notes.part_with(alias)
        if notes.depth == 0 and scope.number == 0:
            notes.taken[alias] = len(notes.imports)
    notes.imports.append(
        Import(
            scope.homes.get(alias, scope.number),
            module,
            name,
            alias,
            level,
            notes.at(node),
            FOR_TYPES if notes.for_types else NO_MODIFIERS,
        )
    )


def export(notes: Notes, value: Expr) -> None:
    """Names listed in ``__all__``."""
    if value[0] == "one":
        for option in value[1]:
            export(notes, option)
    members = value[2] if value[0] == "seq" else ()
    for member in members:
        if member[0] == "text" and len(member[1]) == 1 and isinstance(member[1][0], str):
            notes.exports[member[1][0]] = member[1][0]


def more_exports(notes: Notes) -> None:
    """``__all__.extend([...])`` and ``append``."""
    called = notes.calls[-1] if notes.calls else None
    if called is None or called.callee[0] != "attr" or called.callee[1] != ("name", "__all__"):
        return
    given = called.arguments[:1]
    if called.callee[2] == "extend" and given:
        export(notes, given[0])
    elif called.callee[2] == "append":
        export(notes, expr.seq("list", *given))
