"""What an EPUB says of itself: its title, the order of its chapters, its table of contents."""

import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import unquote

from commonplace.domain.errors import ParseError
from commonplace.parsers.archive import Archive
from commonplace.parsers.drafting import one_line
from commonplace.parsers.pdf_facts import find_doi

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_MARKUP = ("application/xhtml+xml", "text/html", "text/x-oeb1-document", "application/xml")
_FONTS = (".ttf", ".otf", ".woff", ".woff2")
_MOST_DEPTH = 8


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the table of contents."""

    title: str
    depth: int


@dataclass(slots=True)
class Package:
    """The book's own description."""

    title: str = ""
    spine: list[str] = field(default_factory=list)
    """Paths of chapters within the archive."""
    contents: dict[str, list[Entry]] = field(default_factory=dict)
    """Lines of the table of contents by the chapter they lead to."""
    attributes: Mapping[str, str] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    @staticmethod
    def resolve(base: str, href: str) -> str:
        """The path within the archive a reference in one of its files means.

        >>> Package.resolve("OEBPS/toc.ncx", "text/one.xhtml#a")
        'OEBPS/text/one.xhtml'
        """
        path = unquote(href.partition("#")[0])
        return posixpath.normpath(posixpath.join(posixpath.dirname(base), path))


def _tree(archive: Archive, name: str) -> "Element":
    from lxml import etree  # noqa: PLC0415 - catalog files load their library late

    reader = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, recover=True, huge_tree=False
    )
    tree = etree.fromstring(archive.read(name), reader)
    if tree is None:
        raise ParseError(f"{name} in it is no XML; get the book again")
    return tree


def _all(tree: "Element", name: str) -> "list[Element]":
    """Elements of a name, whatever their namespace."""
    return [one for one in tree.iter() if _name(one) == name]


def _words(element: "Element") -> str:
    return one_line("".join(str(text) for text in element.itertext()))


def read_package(archive: Archive) -> Package:
    """The description; raises ParseError for what is no book, or locked."""
    if _CONTAINER not in archive.names:
        raise ParseError("it is no EPUB: META-INF/container.xml is missing; get the book again")
    _check_locks(archive)
    roots = [one.get("full-path") or "" for one in _all(_tree(archive, _CONTAINER), "rootfile")]
    root = next((one for one in roots if one in archive.names), None)
    if root is None:
        raise ParseError("the description the book names is not in it; get the book again")
    tree = _tree(archive, root)
    manifest = {one.get("id"): one for one in _all(tree, "item")}
    package = Package(attributes=_attributes(tree))
    package.title = package.attributes.get("title", "")
    for one in _all(tree, "itemref"):
        item = manifest.get(one.get("idref"))
        if item is None or one.get("linear") == "no":
            continue
        if item.get("media-type") not in _MARKUP:
            package.warnings.append(f"{item.get('href')} is no text and was left out")
            continue
        package.spine.append(package.resolve(root, item.get("href") or ""))
    if not package.spine:
        raise ParseError("the book names no chapters; get it again")
    _read_contents(archive, package, root, manifest)
    return package


def _check_locks(archive: Archive) -> None:
    if _ENCRYPTION not in archive.names:
        return
    locked = [one.get("URI") or "" for one in _all(_tree(archive, _ENCRYPTION), "CipherReference")]
    if any(not one.lower().endswith(_FONTS) for one in locked):  # fonts are often scrambled
        raise ParseError("it is locked (DRM); add a copy without")


def _attributes(tree: "Element") -> dict[str, str]:
    def told(name: str) -> list[str]:
        return [text for one in _all(tree, name) if (text := _words(one))]

    found = {
        "title": next(iter(told("title")), ""),
        "author": ", ".join(told("creator")),
        "lang": next(iter(told("language")), ""),
        "date": next(iter(told("date")), ""),
        "publisher": next(iter(told("publisher")), ""),
        "identifier": next(iter(told("identifier")), ""),
        "doi": find_doi(told("identifier")),
    }
    return {name: value for name, value in found.items() if value}


def _read_contents(
    archive: Archive, package: Package, root: str, manifest: "Mapping[str | None, Element]"
) -> None:
    """The table of contents: the navigation document of EPUB 3, else the NCX of EPUB 2."""
    for item in manifest.values():
        is_nav = "nav" in (item.get("properties") or "").split()
        is_ncx = item.get("media-type") == "application/x-dtbncx+xml"
        file = package.resolve(root, item.get("href") or "")
        if not (is_nav or is_ncx) or file not in archive.names:
            continue
        tree = _tree(archive, file)
        rows = list(_nav(tree) if is_nav else _ncx(tree))
        if not rows or (package.contents and not is_nav):
            continue
        package.contents = {}
        for href, title, depth in rows:
            entries = package.contents.setdefault(package.resolve(file, href), [])
            entries.append(Entry(title, depth))


def _nav(tree: "Element") -> Iterator[tuple[str, str, int]]:
    """Reference, title and depth of each line of the navigation document."""
    for nav in _all(tree, "nav"):
        kinds = [value for name, value in nav.attrib.items() if str(name).endswith("type")]
        if kinds and "toc" not in kinds:
            continue
        for link in _all(nav, "a"):
            depth = sum(_name(one) == "ol" for one in link.iterancestors()) - 1
            yield link.get("href") or "", _words(link), min(max(depth, 0), _MOST_DEPTH)
        return


def _ncx(tree: "Element") -> Iterator[tuple[str, str, int]]:
    for point in _all(tree, "navPoint"):
        label = next((one for one in point if _name(one) == "navLabel"), None)
        place = next((one for one in point if _name(one) == "content"), None)
        if label is not None and place is not None:
            depth = sum(_name(one) == "navPoint" for one in point.iterancestors())
            yield place.get("src") or "", _words(label), min(depth, _MOST_DEPTH)


def _name(element: "Element") -> str:
    return str(element.tag).rpartition("}")[2]
