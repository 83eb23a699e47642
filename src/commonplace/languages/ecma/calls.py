"""Calls of every form: plain, ``new``, tagged templates, ``require`` and ``import``."""

from typing import TYPE_CHECKING

from commonplace.domain.code import Flow
from commonplace.domain.expr import Expr, generic, made
from commonplace.languages.ecma import strings
from commonplace.languages.ecma.annotations import type_arguments
from commonplace.languages.ecma.functions import FUNCTIONS, function
from commonplace.languages.ecma.names import callee
from commonplace.languages.ecma.owners import owner_number
from commonplace.languages.ecma.requires import pass_on, required
from commonplace.languages.walk import UNKNOWN, Naming, Walk

if TYPE_CHECKING:
    from tree_sitter import Node

TESTS = frozenset(("it", "test", "specify", "bench"))
SUITES = frozenset(("describe", "suite", "context"))
REQUIRE = ("name", "require")
INHERITS = frozenset(("inherits", "setPrototypeOf"))
SPECIAL = INHERITS | {"call", "then", "__exportStar"}
MOST_TITLE = 120


def call(walk: Walk, node: "Node") -> Expr:
    """``f(x)``, ``f`x``` and what is written like a call but is an import."""
    children = node.children
    first, arguments = children[0], children[-1]
    called, at = callee(walk, first)
    if arguments.type == "template_string":
        return walk.add_call(called, strings.tagged(walk, arguments), at)
    if called is UNKNOWN or called == REQUIRE:
        found = required(walk, first, arguments)
        if found is not None:
            return found
    for child in children[1:-1]:
        if child.type == "type_arguments":
            called = generic(called, *type_arguments(walk, child))
    inner = arguments.children
    word = _test_word(walk, called) if len(inner) > 4 else None
    if word is not None:
        given = _test(walk, arguments, is_suite=word in SUITES)
    else:
        given = walk.each(inner)
    if given and called[-1] in SPECIAL:
        called, given = _special(walk, called, given)
    return walk.add_call(called, given, at, is_new=called[0] == "super")


def _special(walk: Walk, called: Expr, given: list[Expr]) -> tuple[Expr, list[Expr]]:
    """Calls that say more: of modules, and of classes before there were classes."""
    if called[-1] == "__exportStar" and given[0][0] == "name":
        pass_on(walk, given[0][1])
    if called[0] != "attr":
        return called, given
    if called[2] == "then" and called[1][0] == "name" and given[0][0] == "made":
        _loaded(walk, called[1], given[0][1])
    if called[2] in INHERITS and len(given) == 2:
        _inherit(walk, *given)
    is_above = called[2] == "call" and given[0] == ("self",)
    if is_above and walk.drafts[walk.scope.number].kind == "Constructor":
        return ("super",), given[1:]
    return called, given


def _loaded(walk: Walk, module: Expr, number: int) -> None:
    """``import("./x").then((x) => …)``: the function is given the module."""
    parameters = walk.drafts[number].parameters
    if str(module[1]).startswith("<import") and parameters:
        walk.flows.append(Flow(number, ("name", parameters[0].name), module))


def _inherit(walk: Walk, below: Expr, above: Expr) -> None:
    """``util.inherits(Dog, Animal)``, ``Object.setPrototypeOf(Dog.prototype, …)``."""
    owners = [found[1] if found[0] == "attr" else found for found in (below, above)]
    number = owner_number(walk, owners[0])
    if number is not None and owners[1][0] == "name":
        walk.drafts[number].bases += (owners[1],)


def new(walk: Walk, node: "Node") -> Expr:
    """``new C(x)``; the brackets may be missing."""
    made_of, arguments = (
        node.child_by_field_name("constructor"),
        node.child_by_field_name("arguments"),
    )
    if made_of is None:
        walk.put_off(node.named_children)
        return UNKNOWN
    called, at = callee(walk, made_of)
    types = node.child_by_field_name("type_arguments")
    if types is not None:
        called = generic(called, *type_arguments(walk, types))
    given = walk.each(arguments.children) if arguments is not None else []
    return walk.add_call(called, given, at, is_new=True)


def _test_word(walk: Walk, called: Expr) -> str | None:
    """``it``, ``test.only``, ``it.each(table)``: the word itself."""
    while called[0] in ("attr", "call"):
        called = called[1] if called[0] == "attr" else walk.calls[called[1]].callee
    return called[1] if called[0] == "name" and called[1] in TESTS | SUITES else None


def _test(walk: Walk, arguments: "Node", *, is_suite: bool) -> list[Expr]:
    """What is given to a test: its function is called by the test's title."""
    given: list[Expr] = []
    title = ""
    for child in arguments.named_children:
        if child.type in ("string", "template_string") and not given:
            title = " ".join(walk.text[child.start_byte + 1 : child.end_byte - 1].split())
            given.append(walk.expr(child))
        elif child.type in FUNCTIONS and title:
            label = title[:MOST_TITLE]
            path = walk.drafts[walk.scope.number].path
            naming = Naming(label, "Test", None, None, None, None)
            number = function(walk, child, naming)
            below = label.replace(".", " ")
            walk.drafts[number].path = f"{path}.{below}" if path else below
            walk.drafts[number].modifiers |= {"test", "suite"} if is_suite else {"test"}
            given.append(made(number))
        elif not child.is_extra:
            given.append(walk.expr(child))
    return given
