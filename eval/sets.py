"""Reading the open sets; the folder they stand in is an argument, they are never copied."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Published:
    """Reference BM25 of the data's own README: bm25s lucene, Snowball stems, stop words."""

    ndcg: float
    r1: float
    r5: float
    r10: float


PUBLISHED: Mapping[str, Published] = {
    "cranfield": Published(0.388, 0.068, 0.299, 0.400),
    "cisi": Published(0.396, 0.022, 0.083, 0.132),
    "squadshifts-newwiki": Published(0.839, 0.750, 0.893, 0.927),
    "hotpotqa-200": Published(0.798, 0.393, 0.788, 0.923),
    "qasper-dev-evidence": Published(0.318, 0.166, 0.338, 0.426),
    "xquad-de": Published(0.954, 0.900, 0.987, 0.987),
    "xquad-xl-de-en": Published(0.490, 0.400, 0.575, 0.595),
    "k8s-docs-anchor": Published(0.582, 0.312, 0.768, 0.848),
    "lihua-world": Published(0.758, 0.586, 0.841, 0.894),
    "cosqa-dev": Published(0.381, 0.248, 0.440, 0.536),
    "toolsel-seal-in": Published(0.882, 0.488, 0.848, 0.914),
}


@dataclass(frozen=True, slots=True)
class Page:
    """A document of a set, as a file would hold it."""

    id: str
    title: str
    text: str

    @property
    def body(self) -> str:
        """The text under its title, as Markdown."""
        return f"{self.prefix}{self.text}"

    @property
    def prefix(self) -> str:
        """What stands before the set's own text."""
        return f"# {' '.join(self.title.split())}\n\n" if self.title.strip() else ""


@dataclass(frozen=True, slots=True)
class Mark:
    """A gold span: where the answer stands."""

    page: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """A judged question."""

    id: str
    text: str
    grades: Mapping[str, int] = field(default_factory=dict)
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class JudgedSet:
    """One open set."""

    name: str
    pages: tuple[Page, ...]
    questions: tuple[Question, ...]

    @property
    def is_ranked(self) -> bool:
        """Whether it judges documents."""
        return any(question.grades for question in self.questions)

    @property
    def is_marked(self) -> bool:
        """Whether it marks answers."""
        return any(question.marks for question in self.questions)


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    if path.exists():
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                yield json.loads(line)


def _grades(path: Path) -> dict[str, dict[str, int]]:
    grades: dict[str, dict[str, int]] = {}
    for line in path.read_text("utf-8").splitlines()[1:]:
        question, page, grade = line.split("\t")
        grades.setdefault(question, {})[page] = int(grade)
    return grades


def _marks(folder: Path, texts: Mapping[str, str]) -> dict[str, list[Mark]]:
    marks: dict[str, list[Mark]] = {}
    for row in _rows(folder / "evidence.jsonl"):
        page = row.get("doc_id") or row["file"]
        found = marks.setdefault(row["qid"], [])
        if "spans" in row:
            found.extend(Mark(page, start, end, text) for start, end, text in row["spans"])
            continue
        for sentence in (sentence.strip() for sentence in row["text"]):
            start = texts[page].find(sentence)
            found.append(Mark(page, start, start + len(sentence), sentence))
    return marks


def _load_judged(folder: Path) -> JudgedSet:
    pages = [
        Page(row["_id"], row.get("title") or "", row["text"])
        for row in _rows(folder / "corpus.jsonl")
    ]
    marks = _marks(folder, {page.id: page.text for page in pages})
    grades = _grades(folder / "qrels.tsv")
    questions = tuple(
        Question(
            row["_id"], row["text"], grades.get(row["_id"], {}), tuple(marks.get(row["_id"], ()))
        )
        for row in _rows(folder / "queries.jsonl")
        if row["_id"] in grades or row["_id"] in marks
    )
    return JudgedSet(folder.name, tuple(pages), questions)


def _load_long(folder: Path) -> JudgedSet:
    pages = tuple(
        Page(path.name, "", path.read_text("utf-8"))
        for path in sorted(folder.glob("*.md"))
        if path.name != "SOURCE.md"
    )
    marks = _marks(folder, {page.id: page.text for page in pages})
    rows = _rows(folder / "evidence.jsonl")
    questions = tuple(
        Question(row["qid"], row["question"], {}, tuple(marks[row["qid"]])) for row in rows
    )
    return JudgedSet(folder.name, pages, questions)


def names(data: Path) -> list[str]:
    """The sets in a folder, smallest first, so that a first figure comes soon."""
    folders = [
        folder
        for folder in data.iterdir()
        if (folder / "qrels.tsv").exists() or (folder / "evidence.jsonl").exists()
    ]
    return [
        f.name
        for f in sorted(folders, key=lambda f: (sum(p.stat().st_size for p in f.iterdir()), f.name))
    ]


def load(data: Path, name: str) -> JudgedSet:
    """One set by the name of its folder."""
    folder = data / name
    return _load_judged(folder) if (folder / "corpus.jsonl").exists() else _load_long(folder)
