"""How tests read a document and lay out what was found, for people to compare."""

from datetime import UTC, datetime

from commonplace.domain.document import Card, Document, Resource
from commonplace.domain.media import PLAIN, media_type_of
from commonplace.domain.passage import Passage
from commonplace.parsers import parser_for

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def resource(name: str, content: bytes, media_type: str | None = None) -> Resource:
    return Resource(
        uri=f"file:///docs/{name}",
        path=name,
        content=content,
        media_type=media_type or media_type_of(name) or PLAIN,
        modified_at=NOON,
    )


def read(name: str, content: bytes | str, media_type: str | None = None) -> Document:
    raw = content.encode("utf-8") if isinstance(content, str) else content
    found = resource(name, raw, media_type)
    return parser_for(found.media_type).parse(found)


def card_of(name: str, document: Document) -> Card:
    return Card(
        id="d1",
        project="default",
        source_id="s1",
        uri=f"file:///docs/{name}",
        path=name,
        title=document.title,
        media_type=media_type_of(name) or PLAIN,
        content_hash="",
        modified_at=NOON,
        indexed_at=NOON,
    )


def words(text: str, most: int = 60) -> str:
    flat = text.replace("\r", "\\r").replace("\n", "\\n")
    return flat if len(flat) <= most else f"{flat[: most - 20]}…{flat[-19:]}"


def dump(document: Document, passages: list[Passage]) -> str:
    """Sections, blocks, links and passages, one a line."""
    text = document.text
    lines = [f"title: {document.title}", f"rendered: {document.is_rendered}"]
    lines += [f"tag: {tag}" for tag in document.tags]
    lines += [f"attribute {name}: {value}" for name, value in document.attributes.items()]
    lines += [f"warning: {warning}" for warning in document.warnings]
    lines += ["", "sections"]
    lines += [
        f"{'  ' * one.level}{one.heading} #{one.anchor} [{one.span.start}:{one.span.end}]"
        for one in document.sections
    ]
    lines += ["", "blocks"]
    for block in document.blocks:
        language = f" ({block.language})" if block.language else ""
        atoms = f" {len(block.atoms)} atoms" if block.atoms else ""
        lines.append(f"  {block.kind}{language}{atoms}: {words(block.span.of(text))}")
    lines += [f"  label {label}: #{anchor}" for label, anchor in document.labels.items()]
    lines += ["", "links"]
    lines += [
        f"  {one.text} -> {one.target} : {words(one.span.of(text))}" for one in document.links
    ]
    lines += ["", "passages"]
    for passage in passages:
        place = " > ".join(passage.headings) or "-"
        head = f"  {passage.ordinal} {passage.kind} {passage.tokens} tokens"
        lines.append(f"{head} [{place}] #{passage.anchor}: {words(passage.text)}")
    if document.is_rendered:
        lines += ["", "text", *(f"  {line}".rstrip() for line in text.split("\n"))]
    return "\n".join(lines).rstrip() + "\n"
