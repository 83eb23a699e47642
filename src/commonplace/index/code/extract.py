"""One code file to its facts: decode, extract, mark. Pure, so it can run in any process."""

from dataclasses import dataclass, replace
from hashlib import blake2b

from commonplace.domain.code import At, Facts, Problem, Symbol
from commonplace.domain.document import Card, Document, Resource
from commonplace.domain.encoding import GUESSED, decode
from commonplace.domain.errors import ParseError
from commonplace.index.code.facts import Record, encode
from commonplace.languages import language_for
from commonplace.languages.base import Language
from commonplace.languages.generated import is_generated, is_minified
from commonplace.link.code.program import words_in
from commonplace.link.code.shared import SQL

_KNOWN_CHARS = 40  # a shorter text may well stand in two places

MINIFIED = "minified: not read as code"


@dataclass(frozen=True, slots=True)
class Extract:
    """The facts of one file, ready to be stored."""

    card: Card
    packed: bytes
    symbols: int = 0
    warnings: tuple[str, ...] = ()


def is_code(media_type: str) -> bool:
    """Whether files of this type have symbols."""
    return language_for(media_type) is not None


def read_facts(language: Language, text: str, path: str) -> Facts:
    """What the file says; of a minified one only that it is there.

    Long lines of SQL are rows: what defines their tables stands among them.
    """
    if language.name != SQL and is_minified(text):
        lines = text.count("\n") + 1
        whole = Symbol(kind="File", name=path.rpartition("/")[2], path="", parent=0, at=_all(lines))
        problem = Problem(MINIFIED, At(1, 0, 1, 0))
        return Facts(
            language=language.name, symbols=(whole,), problems=(problem,), is_generated=True
        )
    facts = language.extract(text, path)
    if not facts.is_generated and is_generated(text):
        return replace(facts, is_generated=True)
    return facts


def is_unread(facts: Facts) -> bool:
    """Whether the file is one nobody wrote, so that its words are no text to be found either."""
    return any(one.what == MINIFIED for one in facts.problems)


def _all(lines: int) -> At:
    return At(1, 0, lines, 0)


def marks_of(text: str, symbols: tuple[Symbol, ...]) -> list[int]:
    """A number for each symbol, made from its own text without its name and what stands in it.

    Space at the ends of lines does not count, so that code moved into a class is known again. The
    number is odd when the text is long enough to be known by.
    """
    lines = text.split("\n")
    owner = [0] * len(lines)
    for number, symbol in enumerate(symbols):
        first, last = symbol.at.line - 1, min(symbol.at.end_line, len(lines))
        owner[first:last] = [number] * (last - first)
    own: list[list[str]] = [[] for _ in symbols]
    for number, line in zip(owner, lines, strict=True):
        words = line.strip()
        if words:
            own[number].append(words)
    return [_mark(symbol, kept) for symbol, kept in zip(symbols, own, strict=True)]


def _mark(symbol: Symbol, lines: list[str]) -> int:
    text = "\n".join(lines).replace(symbol.name, "") if symbol.name else "\n".join(lines)
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little") & ~1 | (len(text) >= _KNOWN_CHARS)


def as_document(path: str, warnings: tuple[str, ...] = ()) -> Document:
    """A file of code as its card tells of it: by its path."""
    return Document(title=path, text="", warnings=warnings)


def facts_of(document: Document, resource: Resource) -> Facts | None:
    """What a parsed document says as code; None when it is none."""
    language = language_for(resource.media_type)
    return read_facts(language, document.text, resource.path) if language else None


def _is_doubt(warning: str, facts: Facts) -> bool:
    """Whether what was guessed of a text may change what it says: characters lost, or in names."""
    return not warning.startswith(GUESSED) or not all(one.name.isascii() for one in facts.symbols)


def pack(card: Card, resource: Resource) -> Extract:
    """The facts of a resource with its card; raises ParseError for what is no code."""
    language = language_for(resource.media_type)
    if language is None:
        raise ParseError(f"no language reads {resource.media_type!r}")
    decoded = decode(resource.content)
    facts = read_facts(language, decoded.text, resource.path)
    doubts = tuple(Problem(one, _all(1)) for one in decoded.warnings if _is_doubt(one, facts))
    facts = replace(facts, problems=(*facts.problems, *doubts)) if doubts else facts
    record = Record(
        source_id=card.source_id,
        path=card.path,
        content_hash=card.content_hash,
        facts=facts,
        marks=marks_of(decoded.text, facts.symbols),
        words=words_in("" if is_unread(facts) else decoded.text),
    )
    return Extract(card, encode(record), len(facts.symbols), decoded.warnings)
