"""Symbols of a file as nodes, and what contains what."""

import re
from collections.abc import Iterable, Mapping
from itertools import islice, repeat
from typing import Any

from commonplace.domain.bulk import filled
from commonplace.domain.code import Problem, Symbol
from commonplace.domain.graph import Edge, Node, Value
from commonplace.link.code.names.modules import modules, within
from commonplace.link.code.passes.calls import open_calls
from commonplace.link.code.program import Program, Unit
from commonplace.link.code.shared import SQL, is_shared

CONTAINS = "CONTAINS"
_DOC_CHARS = 300
_DOC_SENTENCES = 2
_MOST_OPEN = 12
_MOST_UNREAD = 5
_PROBLEM_CHARS = 80
_SENTENCE = re.compile(r"[.!?](?=\s|$)")
_BLANK = re.compile(r"\n\s*\n")


def first_sentences(doc: str) -> str:
    r"""What a reader needs of a doc text: two sentences of its first paragraph, at most.

    >>> first_sentences("Save it. At once. Or else.\n\nMore.")
    'Save it. At once.'
    """
    words = " ".join(_BLANK.split(doc.strip(), 1)[0].split())
    ends = [found.end() for found in _SENTENCE.finditer(words)][:_DOC_SENTENCES]
    if len(ends) == _DOC_SENTENCES:
        words = words[: ends[-1]]
    if len(words) <= _DOC_CHARS:
        return words
    return words[: words.rfind(" ", 0, _DOC_CHARS)].rstrip() if " " in words else words[:_DOC_CHARS]


def lines_of(symbol: Symbol) -> str:
    """The lines a definition takes: ``15-89``; one that ends before a line does not take it."""
    at = symbol.at
    last = at.end_line - 1 if at.end_column == 0 and at.end_line > at.line else at.end_line
    return f"{at.line}-{last}"


def properties_of(unit: Unit, symbol: Symbol, fqn: str) -> dict[str, Value]:
    """What the node of a symbol tells."""
    told: dict[str, Value] = {
        "fqn": fqn,
        "language": unit.facts.language,
        "file": unit.path,
        "lines": lines_of(symbol),
    }
    if symbol.signature:
        told["signature"] = symbol.signature
    if symbol.doc and (doc := first_sentences(symbol.doc)):
        told["doc"] = doc
    if symbol.visibility != "public":
        told["visibility"] = symbol.visibility
    if symbol.modifiers:
        told["modifiers"] = " ".join(sorted(symbol.modifiers))
    if "test" in symbol.modifiers:
        told["test"] = True
    if unit.facts.is_generated:
        told["generated"] = True
    return told


OWN = frozenset(
    {"fqn", "language", "file", "lines", "signature", "doc", "visibility", "modifiers"}
    | {"test", "generated", "open", "problems", "unread"}
)
"""Properties that are made here; others were added to a node later and stay."""


def _open(names: Mapping[str, int]) -> str:
    """Calls of which no definition is known: ``save:2 load:1``, the most frequent first."""
    ranked = sorted(names.items(), key=lambda one: (-one[1], one[0]))[:_MOST_OPEN]
    return " ".join(f"{name}:{count}" for name, count in ranked)


def _unread(problems: Iterable[Problem]) -> str:
    """The first places that were not understood, with their lines: ``3-4 syntax error``."""
    places = (f"{at.line}-{at.end_line} {what[:_PROBLEM_CHARS]}" for what, at in problems)
    return "; ".join(islice(places, _MOST_UNREAD))


def _has_calls(unit: Unit) -> bool:
    return unit.facts.call_count > 0 and unit.facts.language != SQL


def symbol_nodes(program: Program, unit: Unit) -> list[Node]:
    """The nodes of a file that are its own; those it shares are stated by passes."""
    unknown = open_calls(program, unit.document_id) if _has_calls(unit) else {}
    problems = program.problems(unit)
    module = modules(program).name(unit)
    own = [
        (number, symbol)
        for number, symbol in enumerate(unit.facts.symbols)
        if not is_shared(unit.facts, number)
    ]
    told = [properties_of(unit, symbol, within(module, unit, number)) for number, symbol in own]
    if problems:
        told[0]["problems"] = len(problems)
        told[0]["unread"] = _unread(problems)
    for place, names in unknown.items():
        told[place.number]["open"] = _open(names)
    columns: dict[str, Iterable[Any]] = {
        "id": [unit.ids[number] for number, _ in own],
        "project": repeat(unit.project),
        "kind": [symbol.kind for _, symbol in own],
        "name": [symbol.name or unit.path.rpartition("/")[2] for _, symbol in own],
        "document_id": repeat(unit.document_id),
        "properties": told,
    }
    return filled(Node, len(own), columns)


def containment(unit: Unit) -> list[Edge]:
    """What stands directly in what."""
    below, ids = unit.facts.symbols[1:], unit.ids
    columns: dict[str, Iterable[Any]] = {
        "source": [ids[symbol.parent] for symbol in below],
        "target": ids[1:],
        "relation": repeat(CONTAINS),
        "project": repeat(unit.project),
        "document_id": repeat(unit.document_id),
        "confidence": repeat(1.0),
        "properties": [{} for _ in below],
    }
    return filled(Edge, len(below), columns)
