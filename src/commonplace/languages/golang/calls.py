"""Calls, built-in ones included."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from commonplace.domain.expr import Expr, generic, made, one, seq, star, value
from commonplace.languages.golang import strings
from commonplace.languages.golang.functions import function
from commonplace.languages.golang.kinds import type_arguments
from commonplace.languages.golang.names import callee
from commonplace.languages.golang.walk import GoWalk
from commonplace.languages.walk import UNKNOWN, Naming

if TYPE_CHECKING:
    from tree_sitter import Node

MOST_TITLE = 120


def call(walk: GoWalk, node: "Node") -> Expr:
    """``f(x)``, ``pkg.F[int](x)``; what looks like a call may be a conversion."""
    first, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if first is None or arguments is None:
        walk.put_off(node.named_children)
        return UNKNOWN
    built_in = BUILT_IN.get(walk.word(first)) if first.type == "identifier" else None
    if built_in is not None and not walk.is_local(walk.word(first)):
        return built_in(walk.each(arguments.children))
    called, at = callee(walk, first)
    types = node.child_by_field_name("type_arguments")
    if types is not None:
        called = generic(called, *type_arguments(walk, types))
    if called[0] == "attr" and called[2] == "Run":
        given = _test(walk, arguments)
    else:
        given = walk.each(arguments.children)
    return walk.add_call(called, given, at)


def _test(walk: GoWalk, arguments: "Node") -> list[Expr]:
    """``t.Run("title", func(t *testing.T) {…})``: a test below a test."""
    nodes = [child for child in arguments.named_children if not child.is_extra]
    is_test = walk.drafts[walk.scope.number].kind == "Test" and len(nodes) == 2
    if not is_test or nodes[1].type != "func_literal" or not nodes[0].type.endswith("_literal"):
        return walk.each(nodes)
    title = " ".join(strings.literal(walk, nodes[0]).split())[:MOST_TITLE]
    number = function(walk, nodes[1], Naming(title.replace(".", " ") or "<test>", "Test"))
    walk.drafts[number].name = title
    walk.drafts[number].modifiers.add("test")
    return [walk.expr(nodes[0]), made(number)]


def _first(given: list[Expr]) -> Expr:
    return given[0] if given else UNKNOWN


def _appended(given: list[Expr]) -> Expr:
    """What is appended is among what comes out, as what was there before is."""
    if len(given) < 2:
        return _first(given)
    spread = [found[1] for found in given[1:] if found[0] == "star"]
    added = [found for found in given[1:] if found[0] != "star"]
    return one(given[0], *spread, *([seq("list", *added)] if added else ()))


def _int(_: list[Expr]) -> Expr:
    return value("int")


def _nothing(_: list[Expr]) -> Expr:
    return UNKNOWN


BUILT_IN: Mapping[str, Callable[[list[Expr]], Expr]] = {
    "make": _first,
    "new": _first,
    "append": _appended,
    "len": _int,
    "cap": _int,
    "copy": _int,
    "min": _first,
    "max": _first,
    **dict.fromkeys(("delete", "panic", "print", "println", "recover", "close", "clear"), _nothing),
    **dict.fromkeys(("string", "int", "int64", "int32", "float64", "byte", "rune"), _nothing),
    **dict.fromkeys(("uint", "uint8", "uint16", "uint32", "uint64", "float32", "bool"), _nothing),
}


def spread(walk: GoWalk, node: "Node") -> Expr:
    """``xs...``."""
    found = walk.each(node.children)
    return star(found[0]) if found else UNKNOWN
