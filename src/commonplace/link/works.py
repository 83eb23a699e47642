"""The works a document cites: its list of references, cut into entries, each a node."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise

from commonplace.domain.document import Card, Document, Section, Span
from commonplace.domain.fields import arxiv_of, doi_of, folded, year_of
from commonplace.domain.graph import Edge, Node, Value
from commonplace.domain.ids import stable_id
from commonplace.domain.reference import Account, Listed, work_key

WORK = "Work"
CITES = "CITES"
_LIST = re.compile(
    r"(?:\d+\.?\s+|[A-Z]\.?\s+)?(?:references(?: and notes| cited)?|bibliography|works cited|"
    r"literature(?: cited)?|literatur(?:verzeichnis|angaben)?|quellen(?:verzeichnis)?)[.:]?",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"\[(\d{1,4})\]\s*(?=\S)")
_COUNTED = re.compile(r"(?:^|(?<=[.\d\])]\s)|(?<=\n))(\d{1,3})\.\s+(?=[A-Z“\"])")
_BARE = re.compile(r"(?<=\s)(\d{1,3})\s+(?=[A-ZÄÖÜ“\"])")
_NAME = r"[A-ZÄÖÜ][\w’'-]+(?: [A-ZÄÖÜ][\w’'-]+)?, [A-ZÄÖÜ]"
_BEGIN = re.compile(rf"(?:(?<=[.\d)”]\s)|(?<=[.\d)”]\n\n))(?={_NAME}|van |von |de )")
_NAMED = re.compile(_NAME)
_DATE = re.compile(r"(?:[.,] |\()(?:1[5-9]|20)\d\d[a-z]?,?[.):,]")
_MOST_PEOPLE_CHARS = 260
_QUOTED = re.compile(r"[“\"„]([^”“\"]{8,300}?)[,.]?[”“\"]")
_DATED = re.compile(r"\((?:1[5-9]|20)\d\d[a-z]?,?\)[.,:]?\s+(?!http|doi)([^.?!]{8,300}[.?!]?)")
_GOES_ON = r"(?=\s+[A-Z][\w’'-]*(?::?\s+(?!and\b|et\b|und\b|&)\w|,\s+(?!and\b|et\b|und\b)[a-z]))"
_INITIAL = (
    r"(?:(?<=[,.] [A-Z])|(?<=\.[A-Z])|(?<=[a-z] [A-Z])|(?<=[a-z] [A-Z]{2})|(?<=[a-z] [A-Z]{3})"
    r"|(?<=\bet al))"
)
_SENTENCE = re.compile(  # an initial ends no sentence, but that of "Knuth, D. The art of …" does
    rf"(?:(?<![A-Z])(?<!\bal)[.?!]|{_INITIAL}\.{_GOES_ON})(?=\s+(?:[A-Z0-9“\"(]|in [A-Z]))"
)
_COLON = re.compile(r"[^:]{3,200}?\b[A-Z]\.: ([^.?!]{8,300})")
_PERSON = re.compile(
    r"(?:(?:and|&|et al\.?)\s+)?(?:[A-Z]\.[ -]?){1,4}\s*(?:[a-z]{2,4} )?[A-ZÄÖÜ][\w’'-]+"
)
_YEAR_ALONE = re.compile(r"\s*\(?(?:1[5-9]|20)\d\d[a-z]?\)?[.,]?\s*")
_SMALL = frozenset({"and", "et", "und", "al", "de", "van", "von", "der", "di", "la"})
_BROKEN = re.compile(
    r"((?:10\.|doi\.|/)\S*[/.\-_(]|10\.)\s+(?!(?:1[5-9]|20)\d\d\.?$)(?=(?:org/)?\S*\d)"
)
_LEAST_CHARS, _MOST_CHARS = 25, 1200
_MOST_ENTRIES = 1500
_SURE = 1.0
_READ = 0.8  # a title cut out of an entry by its punctuation


def account(document: Document, card: Card) -> Account | None:
    """What a document tells of itself and of others; None when that is nothing."""
    told = document.attributes
    cites = tuple(_entries(document))[:_MOST_ENTRIES]
    doi, arxiv = doi_of(told.get("doi", "")), arxiv_of(f"arXiv:{told.get('arxiv', '')}")
    if not (cites or doi or arxiv or document.pages):
        return None
    return Account(title=card.title, doi=doi, arxiv=arxiv, cites=cites)


def work_id(project: str, key: str) -> str:
    """The id of a work that documents of a project share."""
    return stable_id("w", project, key)


def work_graph(card: Card, told: Account) -> tuple[list[Node], list[Edge]]:
    """A node per cited work, shared with all that cite it, and an edge to each."""
    nodes: dict[str, Node] = {}
    edges: dict[str, Edge] = {}
    own = work_key(told.doi, told.arxiv, told.title)
    for one in told.cites:
        here = work_id(card.project, one.key)
        if here in nodes or one.key == own:
            continue
        facts: dict[str, Value] = {"doi": one.doi, "arxiv": one.arxiv, "year": one.year}
        nodes[here] = Node(
            id=here,
            project=card.project,
            kind=WORK,
            name=one.title or one.text[:160],
            properties={name: value for name, value in facts.items() if value},
        )
        edges[here] = cites_edge(card.project, card.id, here, one)
    return list(nodes.values()), list(edges.values())


def cites_edge(project: str, document_id: str, target: str, one: Listed) -> Edge:
    """An edge to a cited work or document, with the entry that proves it."""
    return Edge(
        source=document_id,
        target=target,
        relation=CITES,
        project=project,
        document_id=document_id,
        confidence=_SURE if one.doi or one.arxiv else _READ,
        properties={"rule": "reference", "start": one.start, "end": one.end},
    )


def _entries(document: Document) -> Iterator[Listed]:
    for section in document.sections:
        if _LIST.fullmatch(section.heading.strip()):
            for span in _cut(document, section):
                if one := _listed(document.text, span):
                    yield one


def _cut(document: Document, section: Section) -> list[Span]:
    """Where the entries of a list stand: by their numbers, else by paragraphs and names."""
    blocks = [
        block.span
        for block in document.blocks
        if block.kind != "heading" and section.span.start <= block.span.start < section.span.end
    ]
    if not blocks:
        return []
    start, end = blocks[0].start, blocks[-1].end
    for marks in (_BRACKETED, _COUNTED, _BARE):
        found = _counted(marks, document.text, start, end)
        if len(found) > 1:
            cuts = [*(one[0] for one in found), end]
            return [Span(one[1], cut) for one, cut in zip(found, cuts[1:], strict=True)]
    return _by_names(document.text, blocks)


def _counted(marks: re.Pattern[str], text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Begin and end of the numbers that count one up from the first."""
    found: list[tuple[int, int]] = []
    expected: int | None = None
    for mark in marks.finditer(text, start, end):
        number = int(mark[1])
        is_first = expected is None and (marks is not _BARE or (number, mark.start()) == (1, start))
        if number == expected or is_first:
            found.append((mark.start(), mark.end()))
            expected = number + 1
    return found


def _by_names(text: str, blocks: Sequence[Span]) -> list[Span]:
    """Entries that begin with names and a year; what does not goes on with the one before.

    Where no block begins so, the list has another form, and every block is an entry.
    """
    start, end = blocks[0].start, blocks[-1].end
    begins = [start, *(found.start() for found in _BEGIN.finditer(text, start + 1, end))]
    cuts: list[int] = []
    last = start
    for found in _DATE.finditer(text, start, end):
        near = begins[bisect_left(begins, found.start()) - 1]
        if last <= near < found.start() and found.start() - near <= _MOST_PEOPLE_CHARS:
            cuts.append(near)
            last = found.end()
    heads = {block.start for block in blocks if _NAMED.match(text, block.start)}
    if len(cuts) < 2 or 2 * len(cuts) < max(len(blocks), len(heads)):
        return list(blocks)
    return [Span(one, other) for one, other in pairwise([*sorted({start, *cuts}), end])]


def _listed(text: str, span: Span) -> Listed | None:
    """An entry, unless it is none: a work has a year, or a number it is found by."""
    written = _BROKEN.sub(r"\1", " ".join(span.of(text).split()))
    doi, arxiv, year = doi_of(written), arxiv_of(written), year_of(written)
    is_one = _LEAST_CHARS <= len(written) <= _MOST_CHARS and (doi or arxiv or year)
    if not is_one:
        return None
    return Listed(
        text=written[:400],
        start=span.start,
        end=span.end,
        title=title_of(written),
        doi=doi,
        arxiv=arxiv,
        year=year,
    )


def title_of(entry: str) -> str:
    """The title in an entry: in quotation marks, behind the year, or the second sentence.

    >>> title_of("Evans, E. (2003). Domain-driven design. Addison-Wesley.")
    'Domain-driven design'
    >>> title_of("A. Vaswani et al. Attention is all you need. In NeurIPS, 2017.")
    'Attention is all you need'
    """
    for found in (_QUOTED.search(entry), _COLON.match(entry), _DATED.search(entry)):
        if found:
            return _plain(found[1])
    cuts = [0, *(one.end() for one in _SENTENCE.finditer(entry)), len(entry)]
    parts = [entry[one:other] for one, other in pairwise(cuts)]
    told = [part for part in parts if not _YEAR_ALONE.fullmatch(part)]
    if len(told) > 1 and _are_people(told[0]):
        return _plain(told[1])
    return _plain(_behind_people(told[0])) if told else ""


def _behind_people(part: str) -> str:
    """A title behind names that only commas part from it: ``A. One, B. Two, The title``."""
    pieces = part.split(", ")
    people = 0
    while people < len(pieces) and _PERSON.match(pieces[people]):
        people += 1
    return pieces[people] if 0 < people < len(pieces) else part


def _are_people(part: str) -> bool:
    """Whether a sentence is a list of names: nearly all its words are written large."""
    words = [word for word in re.findall(r"[^\W\d_]+", part) if word.lower() not in _SMALL]
    return bool(words) and sum(word[0].isupper() for word in words) >= 0.8 * len(words)


def _plain(title: str) -> str:
    kept = title.strip().rstrip(".,;")
    return kept if len(folded(kept).split()) > 1 else ""


def titles_in(entry: str, known: dict[tuple[str, ...], list[tuple[str, str]]]) -> Iterator[str]:
    """Documents whose whole title stands in an entry; ``known`` has them by three words."""
    plain = f" {folded(entry)} "
    words: Sequence[str] = plain.split()
    for at in range(len(words)):
        for title, document_id in known.get(tuple(words[at : at + 3]), ()):
            if f" {title} " in plain:
                yield document_id
