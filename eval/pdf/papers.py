"""Papers whose every word is known: open text, put under headings, with notes, tables and works."""

import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Literal

Kind = Literal["heading", "paragraph"]

_FORMULA = re.compile(r"\$[^$]*\$")
_STAND_IN = re.compile(r"\b(?:INLINEFORM|DISPLAYFORM)\d+")
_MARK = re.compile(r"\b(?:BIBREF|TABREF|FIGREF|SECREF|EQREF)(\d+)")
_ODD = re.compile(r"[^A-Za-z0-9À-ÖØ-öø-ÿ .,;:()'/%+=?!\[\]-]+")
_DASHES = re.compile(r"\s*-{2,}\s*|\s+-\s+")
_SPACES = re.compile(r"\s+")
_PARAGRAPHS = 14
_ENGLISH = (
    "Introduction|Related Work|Background|Task Definition|Corpus and Annotation|Models|"
    "Experimental Setup|Results|Error Analysis|Discussion|Limitations|Conclusion"
)
_GERMAN = (
    "Einleitung|Stand der Forschung|Grundlagen|Aufgabenstellung|Daten und Auszeichnung|Modelle|"
    "Aufbau der Versuche|Ergebnisse|Fehleranalyse|Diskussion|Grenzen|Schluss"
)
_BELOW = ("Choice of Parameters", "Details of the Procedure", "What Was Left Out", "Variants")
_BELOW_GERMAN = ("Wahl der Parameter", "Ablauf im Einzelnen", "Auslassungen", "Varianten")
_NAMES = ("Ada Lovell", "Bruno Katz", "Carla Mendez", "Dmitri Olsen", "Esther Voigt", "Farid Naim")


@dataclass(frozen=True, slots=True)
class Part:
    """A heading or a paragraph of the running text."""

    kind: Kind
    text: str
    level: int = 0
    note: str = ""
    """At the foot of its page."""


@dataclass(frozen=True, slots=True)
class Paper:
    """What is printed, in the order it is read."""

    name: str
    language: Literal["en", "de"]
    title: str
    authors: str
    abstract: str
    parts: tuple[Part, ...]
    table: tuple[tuple[str, ...], ...]
    table_caption: str
    figure_caption: str
    works: tuple[str, ...]
    pages: dict[int, tuple[int, int]] = field(default_factory=dict)
    """First and last page of each part, by index, as the typesetter tells."""


def clean(text: str) -> str:
    """Open text as a typesetter prints it as it is.

    >>> clean("the F$_1$-score BIBREF19 -- as `usual' -- is 3")
    "the F -score [19] as usual' is 3"
    """
    text = _MARK.sub(r"[\1]", _FORMULA.sub(" ", _STAND_IN.sub(" ", text)))
    text = _ODD.sub(" ", text.replace("’", "'"))
    return _SPACES.sub(" ", _DASHES.sub(" ", text)).strip()


def texts_of(data: Path, name: str) -> Iterator[str]:
    """Paragraphs of an open set, clean, of a usual length."""
    with (data / name / "corpus.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            text = clean(json.loads(line)["text"])
            if 30 <= len(text.split()) <= 400:
                yield text[0].upper() + text[1:]


def make_papers(data: Path, english: int, german: int) -> Iterator[Paper]:
    """So many papers of each language, every one of paragraphs no other has."""
    for language, name, count in (
        ("en", "qasper-dev-evidence", english),
        ("de", "xquad-de", german),
    ):
        texts = texts_of(data, name)
        for number in range(count):
            taken = list(islice(texts, _PARAGRAPHS + 1))
            if len(taken) > 4:
                yield _paper(f"{language}-{number:02d}", "de" if language == "de" else "en", taken)


def _paper(name: str, language: Literal["en", "de"], texts: Sequence[str]) -> Paper:
    chance = random.Random(name)
    words = " ".join(texts).split()
    heads = (_ENGLISH if language == "en" else _GERMAN).split("|")
    below = _BELOW if language == "en" else _BELOW_GERMAN
    parts: list[Part] = []
    for at, text in enumerate(texts[1:]):
        if at % 3 == 0 and heads:
            parts.append(Part("heading", heads.pop(0), 1))
        elif at % 7 == 4:
            parts.append(Part("heading", f"{below[at % len(below)]} {at}", 2))
        note = f"{_phrase(chance, words, 9)} {at}." if at % 5 == 2 else ""
        parts.append(Part("paragraph", text, note=note))
    rows: list[tuple[str, ...]] = [("System", "Precision", "Recall", "Score")]
    rows += [
        (f"Model {letter}", *(f"{chance.random():.3f}" for _ in range(3))) for letter in "ABCDE"
    ]
    return Paper(
        name=name,
        language=language,
        title=_phrase(chance, words, 7).title(),
        authors=", ".join(chance.sample(_NAMES, 3)),
        abstract=texts[0],
        parts=tuple(parts),
        table=tuple(rows),
        table_caption=f"{_phrase(chance, words, 14)}.",
        figure_caption=f"{_phrase(chance, words, 16)}.",
        works=tuple(_works(chance, words, 14)),
    )


def _phrase(chance: random.Random, words: Sequence[str], count: int) -> str:
    plain = [word for word in words if word.isalpha() and len(word) > 2]
    picked = " ".join(chance.sample(plain, count)).lower()
    return picked[0].upper() + picked[1:]


def _works(chance: random.Random, words: Sequence[str], count: int) -> Iterator[str]:
    for _ in range(count):
        name = chance.choice(_NAMES)
        year = chance.randrange(1990, 2024)
        title = _phrase(chance, words, 8)
        yield f"{name} and {chance.choice(_NAMES)}. {title}. Journal of {title.split()[0]}, {year}."
