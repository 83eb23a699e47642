"""``python -m bench.pdf``: pages a second and memory on a long book, beside pypdf and pdfminer.six.

Every reader runs in a process of its own, so that memory is its own too. The book is set by Typst:
two columns, headings, running heads and page numbers.
"""

import multiprocessing
import tempfile
import time
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

import click

from eval.pdf.readers import READERS

_WORDS_A_PAGE = 760
_CHAPTER_PAGES = 20


@dataclass(frozen=True, slots=True)
class Cost:
    """What reading took."""

    cpu_s: float
    peak_mb: float
    before_mb: float
    """Before the first page: the interpreter and the file."""
    words: int


def make_book(pages: int) -> bytes:
    """A book of about so many pages."""
    import typst  # noqa: PLC0415 - a program of its own; requirements/bench.txt has it

    source = (
        '#set page("a4", numbering: "1", columns: 2, header: [A Long Book])\n'
        '#set text(10pt)\n#set par(justify: true)\n#set heading(numbering: "1.1")\n'
        f"#for chapter in range({max(1, pages // _CHAPTER_PAGES)}) [\n"
        "= Chapter of Words\n"
        f"#for part in range({_CHAPTER_PAGES}) [\n== Part of it\n"
        f"#lorem({_WORDS_A_PAGE // 2})\n\n#lorem({_WORDS_A_PAGE // 2})\n]\n]\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "book.typ")
        file.write_text(source, "utf-8")
        return bytes(typst.compile(str(file)))


def _peak_mb() -> float:
    """Most memory this process held, without what its parent held when it began."""
    status = Path("/proc/self/status").read_text("ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def _read(name: str, path: str, answer: Connection) -> None:
    content = Path(path).read_bytes()
    before = _peak_mb()
    started = time.process_time()
    extract = READERS[name](content)
    spent = time.process_time() - started
    answer.send(Cost(spent, _peak_mb(), before, len(extract.text.split())))


def measure(name: str, path: Path) -> Cost:
    """One reader on one file."""
    fresh = multiprocessing.get_context("spawn")
    ours, theirs = fresh.Pipe()
    process = fresh.Process(target=_read, args=(name, str(path), theirs))
    process.start()
    cost: Cost = ours.recv()
    process.join()
    return cost


def page_count(content: bytes) -> int:
    """Pages as PDFium counts them."""
    import pypdfium2  # noqa: PLC0415 - heavy

    pdf = pypdfium2.PdfDocument(content)
    count = len(pdf)
    pdf.close()
    return count


@click.command()
@click.option("--pages", default=2000)
@click.option("--readers", default=",".join(READERS), help="Names, with commas.")
@click.option("--keep", type=click.Path(path_type=Path), help="The book, to be made once.")
def main(pages: int, readers: str, keep: Path | None) -> None:
    """Make the book, read it with each, print the table."""
    with tempfile.TemporaryDirectory() as folder:
        path = keep or Path(folder, "book.pdf")
        if not path.exists():
            path.write_bytes(make_book(pages))
        count = page_count(path.read_bytes())
        click.echo(f"{count} pages, {path.stat().st_size / 1e6:.1f} MB\n")
        click.echo("| reader | CPU-s | pages/CPU-s | peak MB | of it before | words |")
        click.echo("|---|---|---|---|---|---|")
        for name in readers.split(","):
            cost = measure(name, path)
            click.echo(
                f"| {name} | {cost.cpu_s:.1f} | {count / cost.cpu_s:.0f} | {cost.peak_mb:.0f} | "
                f"{cost.before_mb:.0f} | {cost.words} |"
            )


if __name__ == "__main__":
    main()
