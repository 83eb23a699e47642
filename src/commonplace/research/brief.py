"""The brief of seed 001 §6: what was read, what answers, the way there; as text and as data.

Page text stands as quotation, line by line: nothing in it can pass for a line of ours (D12).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from commonplace.answer.render import one_line, quotation
from commonplace.answer.spans import split_spans
from commonplace.domain.evidence import Quote
from commonplace.domain.passage import Passage
from commonplace.index.page import Page
from commonplace.research.asking import idle_constraints
from commonplace.research.nouns import Chunk, Finding, Phase
from commonplace.research.trace import trace

_PHASES: tuple[Phase, ...] = (
    "analysis",
    "retrieval",
    "reranking",
    "expansion",
    "locality",
    "merge",
)
_NOTHING = "No relevant content was found for this query in the specified URL."
MOST_IMAGES = 20
_MOST_WARNINGS = 5
_MOST_FAILURE_CHARS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Extras:
    """Which of the sections that may be left out are there."""

    citations: bool = True
    trace: bool = True
    images: bool = True
    session: bool = True
    """Which other pages the conversation has read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """A finding ready to be told: what is shown of it, and the handles of its passages."""

    finding: Finding
    quotes: Sequence[Quote]
    """Verbatim, best first."""
    handles: Mapping[str, str]
    """By passage id."""
    max_depth: int
    stale_before: datetime
    """Pages fetched earlier are stale."""

    def data(self, chunks: Sequence[Chunk], total: int, extras: Extras) -> dict[str, Any]:
        """The facts of the brief with these chunks of all there are."""
        numbers = _numbers(chunks)
        told: dict[str, Any] = {
            "sources": self._sources(chunks, numbers),
            "evidence": [self._evidence(chunk, numbers) for chunk in chunks],
        }
        if extras.images and (images := self._images(chunks, numbers)):
            told["images"] = images
        if extras.trace and (lines := self._trace()):
            told["expansion_trace"] = lines
        elif self.finding.rounds and not extras.trace:
            told["trace_omitted"] = self.finding.rounds
        if extras.citations and (citations := self._citations(numbers)):
            told["citations"] = citations
        told["stats"] = self._stats()
        if len(chunks) < total:
            told["omitted"] = total - len(chunks)
        return told

    def _sources(self, chunks: Sequence[Chunk], numbers: Mapping[str, int]) -> list[dict[str, Any]]:
        headings: dict[str, dict[str, None]] = {document: {} for document in numbers}
        for chunk in chunks:
            passage = chunk.located.passage
            for heading in _headings(passage, len(passage.text)):
                headings[passage.document_id][heading] = None
        return [
            {
                "number": number,
                "title": one_line(self._page(document).title) or "Untitled",
                "url": self._page(document).url,
                "fetched_at": self._page(document).fetched_at.strftime("%Y-%m-%d %H:%M UTC"),
                "is_stale": self._page(document).fetched_at < self.stale_before,
                "sections": list(headings[document]),
            }
            for document, number in numbers.items()
        ]

    def _page(self, document_id: str) -> Page:
        return self.finding.pages[document_id]

    def _evidence(self, chunk: Chunk, numbers: Mapping[str, int]) -> dict[str, Any]:
        passage = chunk.located.passage
        row: dict[str, Any] = {
            "source": numbers[passage.document_id],
            "relevance": round(chunk.score, 2),
            "passage_id": self.handles[passage.id],
            "section_id": passage.id,
            "start_char": passage.span.start,
            "end_char": passage.span.end,
            "text": passage.text,
        }
        if chunk.chance:
            row["confidence"] = round(chunk.chance, 2)
        if chunk.part:
            row["sub_query"] = chunk.part
        if chunk.is_adjacent:
            row["adjacent"] = True
        return row

    def _images(self, chunks: Sequence[Chunk], numbers: Mapping[str, int]) -> list[dict[str, Any]]:
        found: dict[str, dict[str, Any]] = {}
        for chunk in chunks:
            passage = chunk.located.passage
            for picture in self._page(passage.document_id).pictures:
                if passage.span.start <= picture.place < passage.span.end:
                    found.setdefault(
                        picture.url,
                        {
                            "url": picture.url,
                            "alt": one_line(picture.alt)[:200],
                            "caption": one_line(picture.caption)[:300],
                            "source": numbers[passage.document_id],
                        },
                    )
        return list(found.values())[:MOST_IMAGES]

    def _citations(self, numbers: Mapping[str, int]) -> list[dict[str, Any]]:
        return [
            {
                "source": numbers[quote.located.card.id],
                "quote": quote.text,
                "start_char": quote.span.start,
                "end_char": quote.span.end,
                "section": _section(quote),
            }
            for quote in self.quotes
            if quote.located.card.id in numbers
        ]

    def _trace(self) -> list[str]:
        return trace(self.finding.steps, self.finding.stop_reason)

    def _stats(self) -> dict[str, Any]:
        finding = self.finding
        matched = {chunk.located.card.id for chunk in finding.chunks}
        return {
            "mode": finding.mode,
            "intent": finding.question.intent,
            "documents_searched": len(finding.pages),
            "documents_matched": len(matched),
            "chunks_evaluated": finding.looked_at,
            "expansion_iterations": finding.rounds,
            "urls_ingested": sum(not (s.failure or s.was_known) for s in finding.steps),
            "stop_reason": one_line(finding.stop_reason),
            "total_ms": round(sum(finding.times_ms.values())),
            "ingestion_ms": round(finding.times_ms.get("ingestion", 0.0)),
            "phases_ms": {name: round(finding.times_ms.get(name, 0.0), 1) for name in _PHASES},
            "notes": self._notes(),
        }

    def _notes(self) -> list[str]:
        finding, question = self.finding, self.finding.question
        notes = []
        if finding.rounds == 0 and question.rounds != 0:
            notes.append("No expansion performed (single iteration).")
        if finding.rounds and finding.rounds >= question.rounds:
            counts = f"{finding.rounds} of {question.rounds}"
            notes.append(f"Expansion budget exhausted (reached {counts} iterations).")
        if any(step.depth >= self.max_depth for step in finding.steps):
            notes.append(
                f"Expansion reached maximum depth ({self.max_depth}). Results may benefit from a "
                "more specific query or a different seed URL."
            )
        if finding.known:
            notes.append(f"{finding.known} passages left out: known_context says it already.")
        if finding.excluded:
            notes.append(f"{finding.excluded} passages left out by constraints.")
        notes += [
            f"Not read: {step.url} ({one_line(step.failure)[:_MOST_FAILURE_CHARS]})"
            for step in finding.steps
            if step.failure and not step.parent
        ]
        notes += [
            f'Constraint without effect, nothing in it can be looked for: "{one_line(text)[:80]}"'
            for text in idle_constraints(question.constraints)
        ]
        notes += [
            f"{page.url}: {one_line(warning)}"
            for page in finding.pages.values()
            for warning in page.warnings
        ][:_MOST_WARNINGS]
        if finding.is_partial:
            notes.append("Time ran out: this is what was found until then; the cursor goes on.")
        return notes


def _headings(passage: Passage, end: int) -> list[str]:
    """The headings a passage stands under, or holds before an offset of its text."""
    held = [piece for piece in split_spans(passage.text) if piece.kind == "heading"]
    inside = [
        passage.text[one.start : one.end].lstrip("# ").rstrip("# ")
        for one in held
        if one.start < end
    ]
    begins = passage.headings[-1:] if not held or passage.text[: held[0].start].strip() else ()
    return [one_line(heading) for heading in (*begins, *inside)]


def _section(quote: Quote) -> str:
    """The heading a quote stands under."""
    passage = quote.located.passage
    return next(iter(_headings(passage, quote.span.start - passage.span.start)[-1:]), "")


def _numbers(chunks: Sequence[Chunk]) -> dict[str, int]:
    documents = dict.fromkeys(chunk.located.card.id for chunk in chunks)
    return {document: number for number, document in enumerate(documents, 1)}


def _relevance(row: Mapping[str, Any]) -> str:
    facts = [f"relevance: {row['relevance']:.2f}"]
    if "confidence" in row:
        facts.append(f"confidence: {row['confidence']:.2f}")
    if "sub_query" in row:
        facts.append(f'sub-query: "{one_line(row["sub_query"])}"')
    mark = " [adjacent context]" if row.get("adjacent") else ""
    return f"Source [{row['source']}] ({', '.join(facts)}){mark} · passage_id {row['passage_id']}:"


def text_of(told: Mapping[str, Any]) -> str:
    """The brief as text, from its facts."""
    sections = [_sources_text(told["sources"]), _evidence_text(told)]
    if told.get("images"):
        sections.append("\n".join(["[IMAGES]", *map(_image_line, told["images"])]))
    if told.get("expansion_trace"):
        sections.append("\n".join(["[EXPANSION TRACE]", *told["expansion_trace"]]))
    elif told.get("trace_omitted"):
        count = told["trace_omitted"]
        sections.append(f"[Expansion trace omitted — {count} iterations, see stats above]")
    if told.get("citations"):
        sections.append(_citations_text(told))
    sections.append(_stats_text(told["stats"]))
    if told.get("session_urls"):
        sections.append("\n".join(["Also read in this conversation:", *told["session_urls"]]))
    return "\n\n".join(sections)


def _sources_text(sources: Sequence[Mapping[str, Any]]) -> str:
    lines = ["[SOURCES]"]
    for source in sources:
        lines.append(f"[{source['number']}] {source['title']} — {source['url']}")
        lines += [f"    § {section}" for section in source["sections"]]
        stale = ", stale" if source["is_stale"] else ""
        lines.append(f"    fetched {source['fetched_at']}{stale}")
    return "\n".join(lines if sources else [*lines, "(none)"])


def _evidence_text(told: Mapping[str, Any]) -> str:
    blocks = [f"{_relevance(row)}\n{quotation(row['text'])}" for row in told["evidence"]]
    if told.get("omitted"):
        shown = len(told["evidence"])
        total = shown + told["omitted"]
        blocks.append(
            f"... (showing {shown} of {total} chunks — remaining {told['omitted']} omitted due to "
            "response budget)"
        )
    return "[EVIDENCE]\n" + ("\n\n".join(blocks) or _NOTHING)


def _image_line(image: Mapping[str, Any]) -> str:
    caption = f" — {_label(image['caption'])}" if image["caption"] else ""
    url = image["url"].replace("(", "%28").replace(")", "%29")
    return f"- [{_label(image['alt'])}]({url}){caption} (from Source [{image['source']}])"


def _label(text: str) -> str:
    """What a page calls a picture, so that it makes no link of ours."""
    return re.sub(r"([\[\]\\<>`])", r"\\\1", text)


def _citations_text(told: Mapping[str, Any]) -> str:
    sources = {source["number"]: source for source in told["sources"]}
    blocks = ["[CITATIONS]"]
    for row in told["citations"]:
        source = sources[row["source"]]
        section = f" § {row['section']}" if row["section"] else ""
        where = f"{source['title']}, {source['url']}{section}"
        blocks.append(f'[{row["source"]}] "{one_line(row["quote"])}"\n    — {where}')
    return "\n".join(blocks)


def _stats_text(stats: Mapping[str, Any]) -> str:
    full = "full_context (entire corpus fits within token budget)"
    mode = full if stats["mode"] == "full_context" else "chunk (selective retrieval)"
    phases = ", ".join(f"{name}: {ms:.0f}ms" for name, ms in stats["phases_ms"].items())
    lines = [
        "[STATS]",
        f"Mode: {mode}",
        f"Documents searched: {stats['documents_searched']}",
        f"Documents matched: {stats['documents_matched']}",
        f"Chunks evaluated: {stats['chunks_evaluated']}",
        f"Expansion iterations: {stats['expansion_iterations']}",
        f"URLs ingested: {stats['urls_ingested']}",
        f"Stop reason: {stats['stop_reason']}",
        f"Total time: {stats['total_ms']}ms ({phases})",
        f"Ingestion: {stats['ingestion_ms']}ms of it",
        *(f"Note: {note}" for note in stats["notes"]),
    ]
    return "\n".join(lines)
