"""What Zotero says of a work, as a bibliographic record."""

from collections.abc import Iterable, Mapping
from typing import Any

from commonplace.domain.csl import date, said, without_blanks
from commonplace.domain.fields import arxiv_of, doi_of, key_in, unique, year_of
from commonplace.domain.reference import Reference
from commonplace.sources.zotero.items import Item

# Names of variables and types are those of CSL's own mapping for Zotero.
_TYPES: Mapping[str, str] = {
    "artwork": "graphic",
    "audioRecording": "song",
    "bill": "bill",
    "blogPost": "post-weblog",
    "book": "book",
    "bookSection": "chapter",
    "case": "legal_case",
    "computerProgram": "software",
    "conferencePaper": "paper-conference",
    "dataset": "dataset",
    "dictionaryEntry": "entry-dictionary",
    "document": "document",
    "email": "personal_communication",
    "encyclopediaArticle": "entry-encyclopedia",
    "film": "motion_picture",
    "forumPost": "post",
    "hearing": "hearing",
    "instantMessage": "personal_communication",
    "interview": "interview",
    "journalArticle": "article-journal",
    "letter": "personal_communication",
    "magazineArticle": "article-magazine",
    "manuscript": "manuscript",
    "map": "map",
    "newspaperArticle": "article-newspaper",
    "patent": "patent",
    "podcast": "song",
    "preprint": "article",
    "presentation": "speech",
    "radioBroadcast": "broadcast",
    "report": "report",
    "standard": "standard",
    "statute": "legislation",
    "thesis": "thesis",
    "tvBroadcast": "broadcast",
    "videoRecording": "motion_picture",
    "webpage": "webpage",
}
_VARIABLES: Mapping[str, tuple[str, ...]] = {
    "container-title": (
        "publicationTitle",
        "bookTitle",
        "proceedingsTitle",
        "encyclopediaTitle",
        "dictionaryTitle",
        "websiteTitle",
        "blogTitle",
        "forumTitle",
        "programTitle",
        "seriesTitle",
    ),
    "collection-title": ("series",),
    "collection-number": ("seriesNumber",),
    "publisher": (
        "publisher",
        "institution",
        "university",
        "company",
        "studio",
        "distributor",
        "repository",
        "label",
        "network",
        "organization",
    ),
    "publisher-place": ("place",),
    "event-title": ("conferenceName", "meetingName"),
    "volume": ("volume", "codeNumber"),
    "issue": ("issue",),
    "page": ("pages",),
    "number-of-pages": ("numPages",),
    "number-of-volumes": ("numberOfVolumes",),
    "edition": ("edition",),
    "version": ("versionNumber",),
    "number": ("reportNumber", "patentNumber", "number", "archiveID", "billNumber", "docketNumber"),
    "genre": ("thesisType", "reportType", "type", "presentationType", "manuscriptType", "genre"),
    "DOI": ("DOI",),
    "ISBN": ("ISBN",),
    "ISSN": ("ISSN",),
    "URL": ("url",),
    "abstract": ("abstractNote",),
    "language": ("language",),
    "title-short": ("shortTitle",),
    "container-title-short": ("journalAbbreviation",),
    "archive": ("archive",),
    "archive_location": ("archiveLocation",),
    "medium": ("medium", "system", "audioRecordingFormat", "videoRecordingFormat"),
}
_TITLES = ("title", "caseName", "subject", "nameOfAct")
_ROLES: Mapping[str, str] = {
    "author": "author",
    "editor": "editor",
    "translator": "translator",
    "bookAuthor": "container-author",
    "seriesEditor": "collection-editor",
    "reviewedAuthor": "reviewed-author",
    "recipient": "recipient",
    "interviewer": "interviewer",
    "director": "director",
    "composer": "composer",
}
_AUTHORS = frozenset(
    ("author", "inventor", "artist", "performer", "programmer", "presenter", "podcaster",
     "cartographer", "interviewee", "sponsor", "director", "contributor", "creator")
)  # fmt: skip


def reference(work: Item, uris: Iterable[str] = ()) -> Reference:
    """The record of a work; ``uris`` are the addresses of its documents."""
    extra = work.text("extra")
    title = _first(work, _TITLES)
    issued = _first(work, ("date", "dateDecided", "dateEnacted", "issueDate", "filingDate"))
    people = _people(work)
    named = people.get("author") or people.get("editor") or []
    doi = doi_of(work.text("DOI")) or doi_of(extra) or doi_of(work.text("url"))
    citekey = work.text("citationKey") or key_in(extra)
    item = {
        "id": citekey or work.key,
        "type": _TYPES.get(work.kind, "document"),
        "title": title,
        **{variable: _first(work, fields) for variable, fields in _VARIABLES.items()},
        "issued": date(issued),
        "DOI": doi,
        **people,
    }
    return Reference(
        citekey=citekey,
        title=title,
        authors=unique(said(one) for one in named),
        year=year_of(issued),
        doi=doi,
        arxiv=arxiv_of(work.text("archiveID"), doi, extra, work.text("url")),
        tags=work.tags,
        language=work.text("language"),
        uris=tuple(uris),
        csl=without_blanks(item),
    )


def _first(work: Item, names: Iterable[str]) -> str:
    return next((told for name in names if (told := work.text(name))), "")


def _people(work: Item) -> dict[str, list[dict[str, str]]]:
    """Names by their role; whoever made what has no author is its author."""
    found: dict[str, list[dict[str, str]]] = {}
    told = work.data.get("creators")
    for one in told if isinstance(told, list) else ():
        if not isinstance(one, dict):
            continue
        kind = str(one.get("creatorType", ""))
        role = _ROLES.get(kind) or ("author" if kind in _AUTHORS else "")
        name = _name(one)
        if role and name:
            found.setdefault(role, []).append(name)
    return found


def _name(one: Mapping[str, Any]) -> dict[str, str]:
    if one.get("name"):
        return {"literal": str(one["name"])}
    names = {"family": str(one.get("lastName") or ""), "given": str(one.get("firstName") or "")}
    return {part: name for part, name in names.items() if name}
