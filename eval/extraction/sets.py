"""Pages with a known main content, read out of the packages that carry them."""

import ast
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from lxml import html
from markdown_it import MarkdownIt


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """A page and its whole main text, or pieces it must and must not hold."""

    name: str
    content: bytes
    gold: str = ""
    wanted: tuple[str, ...] = ()
    unwanted: tuple[str, ...] = ()


def _files(archive: Path) -> Iterator[tuple[PurePosixPath, bytes]]:
    with tarfile.open(archive) as opened:
        for member in opened:
            inner = opened.extractfile(member) if member.isfile() else None
            if inner is not None:
                yield PurePosixPath(member.name), inner.read()


def read_newspaper(archive: Path) -> list[Labelled]:
    """News pages in eleven languages with their text."""
    files = {path: content for path, content in _files(archive) if "data" in path.parts}
    texts = {path.stem: content for path, content in files.items() if path.suffix == ".txt"}
    return [
        Labelled(name=path.stem, content=content, gold=texts[path.stem].decode("utf-8", "replace"))
        for path, content in sorted(files.items())
        if path.suffix == ".html" and len(texts.get(path.stem, b"")) > 200
    ]


def read_trafilatura(archive: Path) -> list[Labelled]:
    """Pages of many kinds, most of them German, with pieces that belong in and pieces that do not.

    They are the regression tests of that library, so it had better do well.
    """
    files = {path.name: content for path, content in _files(archive) if "tests" in path.parts}
    tree = ast.parse(files["realworld_tests.py"])
    addresses = _addresses(tree)
    pages = []
    for url, (wanted, unwanted) in _claims(tree).items():
        content = files.get(addresses.get(url, ""))
        if content and wanted:
            pages.append(
                Labelled(
                    name=addresses[url],
                    content=content,
                    wanted=tuple(wanted),
                    unwanted=tuple(unwanted),
                )
            )
    return pages


def _addresses(tree: ast.Module) -> dict[str, str]:
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "MOCK_PAGES":
            return dict(ast.literal_eval(node.value))
    return {}


def _claims(tree: ast.Module) -> dict[str, tuple[list[str], list[str]]]:
    """What the tests say of each page: every ``'words' in result``, with and without ``not``."""
    found: dict[str, tuple[list[str], list[str]]] = {}
    url = ""
    for node in _in_order(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "load_mock_page":
            url = str(ast.literal_eval(node.args[0]))
            found.setdefault(url, ([], []))
        elif url and isinstance(node, ast.Compare) and _is_of_result(node):
            found[url][isinstance(node.ops[0], ast.NotIn)].append(ast.literal_eval(node.left))
    return found


def _is_of_result(node: ast.Compare) -> bool:
    is_text = isinstance(node.left, ast.Constant) and isinstance(node.left.value, str)
    return is_text and ast.unparse(node.comparators[0]) == "result"


def _in_order(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _in_order(child)


def read_docs(folder: Path) -> dict[str, list[Labelled]]:
    """Documentation pages by theme; the main text is what the same source says without one."""
    themes: dict[str, list[Labelled]] = {}
    for site in sorted(path for path in folder.iterdir() if (path / "gold").is_dir()):
        for theme in sorted(path for path in site.iterdir() if path.name != "gold"):
            themes.setdefault(theme.name, []).extend(_themed(site / "gold", theme))
    return themes


def _themed(gold: Path, theme: Path) -> Iterator[Labelled]:
    for source in sorted(path for path in gold.rglob("*") if path.suffix in {".txt", ".md"}):
        name = source.relative_to(gold).with_suffix("")
        flat, nested = theme / name.with_suffix(".html"), theme / name / "index.html"
        page = flat if flat.exists() else nested
        text = source.read_text("utf-8")
        if source.suffix == ".md":
            text = " ".join(
                map(str, html.fromstring(MarkdownIt().enable("table").render(text)).itertext())
            )
        if page.exists() and len(text) > 400:
            yield Labelled(name=f"{theme.name}/{name}", content=page.read_bytes(), gold=text)
