"""``python -m eval.ocr``: character errors on drawn pages, clean and spoiled, in two languages."""

import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

import click
import numpy as np

from commonplace.domain.document import Recognition, Resource
from commonplace.domain.errors import ParseError
from commonplace.domain.media import PDF
from commonplace.parsers import parser_for
from commonplace.parsers.recognition import can_recognize
from eval.pdf.papers import texts_of
from eval.pdf.scans import SPOILED, as_pdf, draw
from eval.pdf.typeset import printed

SETS = {"en": "qasper-dev-evidence", "de": "xquad-de"}
_PARAGRAPHS = 4  # fill about one page


@dataclass(frozen=True, slots=True)
class Page:
    """A page and what is printed on it."""

    language: str
    text: str
    content: bytes


def distance(gold: str, found: str) -> int:
    """How many characters must be changed, added or left out (Levenshtein).

    >>> distance("walrus", "walus!"), distance("", "ab")
    (2, 2)
    """
    row = np.arange(len(found) + 1)
    steps = row.copy()
    letters = np.array([ord(char) for char in found])
    for char in gold:
        changed = row[:-1] + (letters != ord(char)) if len(found) else row[:-1]
        best = np.concatenate(([row[0] + 1], np.minimum(row[1:] + 1, changed)))
        row = np.minimum.accumulate(best - steps) + steps
    return int(row[-1])


def make_pages(data: Path, language: str, count: int) -> Iterator[Page]:
    """Pages of paragraphs, one column, set by Typst."""
    texts = texts_of(data, SETS[language])
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(count):
            paragraphs = [text for text in islice(texts, _PARAGRAPHS) if len(text) < 1200]
            source = (
                f'#set page("a4", margin: 2.5cm)\n#set text(11pt, lang: "{language}")\n'
                "#set par(justify: true)\n"
                + "\n\n".join(f"#({printed(one)})" for one in paragraphs)
            )
            file = Path(folder, "page.typ")
            file.write_text(source, "utf-8")
            import typst  # noqa: PLC0415 - a program of its own; requirements/bench.txt has it

            yield Page(language, " ".join(paragraphs), typst.compile(str(file)))


def recognised(content: bytes, languages: tuple[str, ...]) -> tuple[str, float, float]:
    """The text of a scan, its confidence, and the CPU-seconds it took."""
    resource = Resource(
        uri="file:///scan.pdf",
        path="scan.pdf",
        content=content,
        media_type=PDF,
        modified_at=datetime(2025, 1, 1, tzinfo=UTC),
        recognition=replace(Recognition(), languages=languages),
    )
    started = time.process_time()
    try:
        document = parser_for(PDF).parse(resource)
    except ParseError:
        return "", 0.0, time.process_time() - started
    told = float(document.attributes.get("ocr_confidence", "0"))
    return " ".join(document.text.split()), told, time.process_time() - started


@click.command()
@click.option("--data", envvar="COMMONPLACE_EVAL_DATA", type=click.Path(path_type=Path))
@click.option("--pages", "count", default=3, help="Of each language.")
def main(data: Path | None, count: int) -> None:
    """Draw pages, spoil them, recognise them, and print the table."""
    if data is None or not data.is_dir() or not can_recognize(Recognition()):
        click.echo("eval skipped: it needs --data, tesserocr and Tesseract's language files")
        return
    pages = [page for language in SETS for page in make_pages(data, language, count)]
    ways: dict[str, Callable[[Page], tuple[str, ...]]] = {
        "right language": lambda page: (page.language,),
        "en and de": lambda _page: ("en", "de"),
        "wrong language": lambda page: ("de" if page.language == "en" else "en",),
    }
    click.echo("| pages | languages | error en | error de | confidence | CPU-s a page |")
    click.echo("|---|---|---|---|---|---|")
    for name, (dpi, spoil) in SPOILED.items():
        clean = name == next(iter(SPOILED))
        for way, choose in list(ways.items())[: None if clean else 1]:
            errors: dict[str, list[float]] = {language: [] for language in SETS}
            told, spent = [], []
            for page in pages:
                content = as_pdf([spoil(dots) for dots in draw(page.content, dpi)], dpi)
                text, confidence, seconds = recognised(content, choose(page))
                errors[page.language].append(distance(page.text, text) / len(page.text))
                told.append(confidence)
                spent.append(seconds)
            rates = [f"{sum(one) / len(one):.2%}" for one in errors.values()]
            means = f"{sum(told) / len(told):.2f} | {sum(spent) / len(spent):.1f}"
            click.echo(f"| {name} | {way} | {' | '.join(rates)} | {means} |")


if __name__ == "__main__":
    main()
