"""``verify_quote`` tells whether a quotation is in the indexed documents, and exactly so."""

from dataclasses import replace
from typing import Any, Literal
from urllib.parse import quote

from pydantic import Field

from commonplace.answer.pack import Form, Page, Tail, pack
from commonplace.answer.render import neutral, one_line, place, quotation
from commonplace.answer.verify import Place, Verdict, verify
from commonplace.domain.errors import NotFound
from commonplace.domain.evidence import Reply
from commonplace.domain.passage import Located, below_title, without_page
from commonplace.domain.scope import Selection
from commonplace.index.sources import list_sources
from commonplace.retrieve.analyse import analyse
from commonplace.tools.app import App, Call
from commonplace.tools.base import Tool, ToolOutput
from commonplace.tools.paging import BudgetedArgs, budget, response_tokens
from commonplace.tools.scope import Scope, select

MAX_QUOTE_CHARS = 4000
_CANDIDATES = 20
_MOST_PASSAGES = 20_000  # of one document: a book has a thousand


class VerifyArgs(BudgetedArgs):
    """Arguments of verify_quote."""

    quote: str = Field(min_length=1, max_length=MAX_QUOTE_CHARS, pattern=r"\S")
    source: str | None = Field(
        default=None, max_length=2000, description="Only here: source_uri, path or section_id."
    )
    scope: Scope | None = None


class PlaceOut(ToolOutput):
    """Where a piece stands, with the source's own words."""

    text: str
    section_id: str
    title: str
    source_uri: str
    heading_path: list[str]
    start_char: int
    end_char: int


class VerifyReply(ToolOutput):
    """Reply of verify_quote."""

    status: Literal["verbatim", "differs", "stitched", "not_found"]
    is_verbatim: bool
    likeness: float
    places: list[PlaceOut]
    diff: str | None = Field(default=None, description="[-in the quote-] {+in the source+}")
    truncated: bool
    total_count: int
    session_id: str


DESCRIPTION = """\
Use when you are about to present a sentence as a quotation from the documents.
Do not use when you want to find something: kb_retrieve_evidence.
Returns at most one verdict (verbatim, differs, stitched, not_found) with places and a diff, \
inside max_response_tokens.
If you need more, call kb_retrieve_evidence for what the documents do say.
Defaults: the whole project. Max: 4000 characters."""


async def run_verify(app: App, call: Call, args: VerifyArgs) -> Reply:
    """Find where the quotation could stand, then compare exactly."""
    selection = await select(app, args.scope)
    candidates = await _candidates(app, selection, args)
    verdict = verify(args.quote, candidates)

    def shape(places: Any, tail: Tail) -> Form:  # noqa: ANN401 - a slice of places
        structured = {
            "status": verdict.status,
            "is_verbatim": verdict.status == "verbatim",
            "likeness": round(verdict.likeness, 2),
            "places": [_row(one) for one in places],
            "truncated": tail.truncated,
            "total_count": tail.total_count,
            "session_id": call.session.id,
        }
        if verdict.diff and places:
            structured["diff"] = verdict.diff
        return Form(_text(verdict, structured), structured)

    return pack(
        verdict.places,
        Page(0, max(1, len(verdict.places))),
        budget(app, response_tokens(app, args)),
        shape,
    )


async def _candidates(app: App, selection: Selection, args: VerifyArgs) -> list[Located]:
    passages = app.store.passages
    if args.source is not None:
        named = await passages.get(selection, [args.source])
        if named:
            return await _with_neighbours(app, selection, named)
        return await _whole_source(app, selection, args.source)
    query = replace(analyse(args.quote), phrases=())
    hits = await passages.lexical(query, selection, _CANDIDATES)
    found = await passages.get(selection, [hit.passage_id for hit in hits])
    return await _with_neighbours(app, selection, found)


async def _whole_source(app: App, selection: Selection, name: str) -> list[Located]:
    """Every passage of the documents of this address or path."""
    name = without_page(name)
    ending = "/" + quote(name.lstrip("/"))
    found: list[Located] = []
    for source in await list_sources(app.store.keyvalue, selection.project):
        known = await app.store.passages.fingerprints(selection.project, source.id)
        for uri, fingerprint in known.items():
            if uri == name or uri.endswith(ending):
                document = fingerprint.document_id
                found += await app.store.passages.read(selection, document, range(_MOST_PASSAGES))
    if not found:
        raise NotFound(
            f"no source {name[:200]!r} in this project; use the source_uri or section_id of a "
            "reply, or omit source"
        )
    return found


async def _with_neighbours(app: App, selection: Selection, found: list[Located]) -> list[Located]:
    """The passages with the ones before and behind them: a quotation may cross a border."""
    near: list[Located] = []
    for one in found:
        ordinals = range(max(0, one.passage.ordinal - 1), one.passage.ordinal + 2)
        near += await app.store.passages.read(selection, one.passage.document_id, ordinals)
    return near


def _row(one: Place) -> dict[str, Any]:
    return {
        "text": one.text,
        "section_id": one.passage_id,
        "title": one.card.title,
        "source_uri": one.uri,
        "heading_path": below_title(one.card.title, one.headings),
        "start_char": one.span.start,
        "end_char": one.span.end,
    }


_TOLD = {
    "verbatim": "Verbatim: the documents say exactly this.",
    "differs": "Differs: the documents say something like it, in other words.",
    "stitched": "Stitched: every piece is in the documents, but not in one place.",
    "not_found": "Not found: nothing in the indexed documents says this.",
}


def _text(verdict: Verdict, structured: dict[str, Any]) -> str:
    lines = [_TOLD[verdict.status]]
    for row in structured["places"]:
        where = place(row["title"], row["heading_path"])
        lines.append(quotation(row["text"]))
        lines.append(f"{where} · {row['source_uri']} {row['start_char']}–{row['end_char']}")
    if structured.get("diff"):
        lines.append("diff: " + one_line(neutral(structured["diff"])))
    return "\n".join(lines)


VERIFY_QUOTE = Tool(
    name="verify_quote",
    description=DESCRIPTION,
    args=VerifyArgs,
    output=VerifyReply,
    run=run_verify,
)
