"""The text of a code file: sections at its symbols, passages that never cut one without need.

A passage hangs on the symbols that begin in it, or else on the one it is a part of. So a search of
text comes to symbols, and a symbol to its text.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace

from commonplace.domain.code import Facts, Symbol
from commonplace.domain.document import Card, Document, Section, Span
from commonplace.domain.graph import PASSAGE, Edge, Node
from commonplace.domain.passage import Passage
from commonplace.link.code.program import Unit
from commonplace.link.structure import HAS_PASSAGE, NEXT
from commonplace.parsers.code import line_blocks

_INNER = frozenset(
    {"Function", "Method", "Constructor", "Property", "Test", "Procedure", "Trigger", "View"}
)
"""What stands in one of these is part of its body."""
_SMALL = frozenset({"Field", "Constant", "Variable", "Column", "Index", "Sequence", "Parameter"})
"""Lines among others, not sections."""
_MOST_CHARS = 120


def line_starts(text: str) -> list[int]:
    r"""Where each line begins, as parsers count lines: at line feeds only.

    >>> line_starts("a\nb")
    [0, 2]
    """
    starts = [0]
    while found := text.find("\n", starts[-1]) + 1:
        starts.append(found)
    return starts


def heading_of(symbol: Symbol) -> str:
    """What a passage of it is headed by: its signature, as long as that is short.

    >>> from commonplace.domain.code import At
    >>> at = At(1, 0, 2, 0)
    >>> heading_of(Symbol(kind="Class", name="Order", path="Order", parent=0, at=at))
    'class Order'
    """
    text = symbol.signature or f"{symbol.kind.lower()} {symbol.path or symbol.name}"
    return text if len(text) <= _MOST_CHARS else f"{symbol.kind.lower()} {symbol.path}"


def sectioned(facts: Facts) -> list[int]:
    """Numbers of the symbols that are sections: the file, classes, functions, not what is local."""
    chosen = [0]
    for number, symbol in enumerate(facts.symbols[1:], 1):
        above = facts.symbols[symbol.parent]
        is_local = above.kind in _INNER or "anonymous" in symbol.modifiers
        if symbol.kind not in _SMALL and not is_local:
            chosen.append(number)
    return chosen


def outlined(document: Document, facts: Facts) -> Document:
    """The document with its symbols as sections, and blocks that end where one of them begins."""
    starts = line_starts(document.text)
    sections = tuple(_sections(facts, starts, document.text))
    cuts = frozenset(one.span.start for one in sections)
    return replace(document, sections=sections, blocks=tuple(line_blocks(document.text, cuts)))


def _sections(facts: Facts, starts: Sequence[int], text: str) -> Iterator[Section]:
    """By place. Where the text of an outer symbol goes on after an inner one, it is named again."""
    length = len(text)
    marks = _marks(facts)
    places = [starts[line - 1] if line <= len(starts) else length for line, _, _ in marks]
    for (line, number, depth), start, after in zip(
        marks, places, [*places[1:], length], strict=True
    ):
        symbol = facts.symbols[number]
        goes_on = line != symbol.at.line
        if start >= length or (goes_on and not text[start:after].strip()):
            continue
        end = starts[symbol.at.end_line] if symbol.at.end_line < len(starts) else length
        span = Span(start, max(start, end))
        yield Section(heading=heading_of(symbol), level=depth + 1, span=span)


def _marks(facts: Facts) -> list[tuple[int, int, int]]:
    """Line, number and depth of every place where a section begins or goes on."""
    chosen = set(sectioned(facts))
    depths = {0: 0}
    marks = [(1, 0, 0)]
    for number in sorted(chosen - {0}):
        symbol = facts.symbols[number]
        parent = symbol.parent
        while parent not in depths:
            parent = facts.symbols[parent].parent
        depths[number] = depths[parent] + 1
        marks.append((symbol.at.line, number, depths[number]))
        marks.append((symbol.at.end_line + 1, parent, depths[parent]))
    # At one line the end of an inner symbol gives way to the beginning of the next.
    begun = {line for line, number, _ in marks if facts.symbols[number].at.line == line}
    kept = {
        mark for mark in marks if facts.symbols[mark[1]].at.line == mark[0] or mark[0] not in begun
    }
    return sorted(kept, key=lambda mark: (mark[0], mark[2]))


def passage_graph(
    card: Card, facts: Facts, text: str, passages: Sequence[Passage]
) -> tuple[list[Node], list[Edge]]:
    """Nodes of the passages, their order, and the symbols they belong to."""
    unit = Unit(
        document_id=card.id,
        source_id=card.source_id,
        path=card.path,
        facts=facts,
        project=card.project,
    )
    starts = line_starts(text)
    chosen = sectioned(unit.facts)
    nodes: list[Node] = []
    edges: list[Edge] = []
    for number, passage in enumerate(passages):
        first = bisect_right(starts, passage.span.start)
        last = bisect_right(starts, max(passage.span.start, passage.span.end - 1))
        nodes.append(
            Node(
                id=passage.id,
                project=card.project,
                kind=PASSAGE,
                name=(passage.headings or (card.title,))[-1],
                document_id=card.id,
                properties={"start": passage.span.start, "lines": f"{first}-{last}"},
            )
        )
        owners = _owners(unit.facts, chosen, (first, last))
        edges += [_edge(card, unit.ids[one], HAS_PASSAGE, passage.id) for one in owners]
        if number:
            edges.append(_edge(card, passages[number - 1].id, NEXT, passage.id))
    return nodes, edges


def _owners(facts: Facts, chosen: Sequence[int], lines: tuple[int, int]) -> list[int]:
    """Sections that begin in these lines, and the innermost one the first line is in."""
    first, last = lines
    begun: list[int] = []
    around = 0
    for number in chosen:
        at = facts.symbols[number].at
        if number and first <= at.line <= last:
            begun.append(number)
        elif at.line <= first <= at.end_line:
            around = number
    starts_here = begun and facts.symbols[begun[0]].at.line == first
    return begun if starts_here else [around, *begun]


def _edge(card: Card, source: str, relation: str, target: str) -> Edge:
    return Edge(
        source=source, target=target, relation=relation, project=card.project, document_id=card.id
    )
