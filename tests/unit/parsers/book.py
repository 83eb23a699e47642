"""Makes small EPUB books for tests."""

import io
import zipfile
from collections.abc import Mapping

_XHTML = "application/xhtml+xml"
_CONTAINER = (
    '<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
    '<rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
)
NAV = (
    '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><body>'
    '<nav epub:type="toc"><ol><li><a href="text/two.xhtml">Part I</a><ol>'
    '<li><a href="text/one.xhtml#a">The Walrus</a></li></ol></li></ol></nav></body></html>'
)
NCX = (
    '<!DOCTYPE ncx><ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap><navPoint><navLabel>'
    '<text>Part I</text></navLabel><content src="text/two.xhtml"/><navPoint><navLabel><text>The '
    'Walrus</text></navLabel><content src="text/one.xhtml"/></navPoint></navPoint></navMap></ncx>'
)
ONE = (
    '<h1 id="a">The Walrus</h1><p>Of cabbages and <a href="two.xhtml#k">kings</a>, see '
    '<a href="https://example.org/">there</a>.</p><h2 id="b">Oysters</h2><p>They were eaten.</p>'
)
TWO = '<p id="k">The time has come, said nobody.</p>'


def page(body: str) -> str:
    return f'<?xml version="1.0" encoding="utf-8"?><html><head/><body>{body}</body></html>'


def make_epub(
    chapters: Mapping[str, str] | None = None,
    spine: tuple[str, ...] = ("two", "one"),
    contents: str = "nav",
    extra: Mapping[str, bytes | str] | None = None,
) -> bytes:
    """A book of two chapters, read in the order of its spine, with nav, NCX or neither."""
    texts = chapters or {"one": ONE, "two": TWO}
    item = '<item id="{0}" href="text/{0}.xhtml" media-type="{1}"/>'
    items = [item.format(name, _XHTML) for name in texts]
    order = "".join(f'<itemref idref="{name}"/>' for name in spine)
    items.append(f'<item id="nav" href="nav.xhtml" properties="nav" media-type="{_XHTML}"/>')
    items.append('<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>')
    package = (
        '<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>A Small Book</dc:title>'
        "<dc:creator>L. Carroll</dc:creator><dc:language>en</dc:language>"
        "<dc:identifier>doi:10.1000/walrus.1</dc:identifier></metadata>"
        f"<manifest>{''.join(items)}</manifest><spine>"
        f"{order}</spine></package>"
    )
    files: dict[str, bytes | str] = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": _CONTAINER,
        "OEBPS/book.opf": package,
        **{f"OEBPS/text/{name}.xhtml": page(body) for name, body in texts.items()},
    }
    if contents:
        files |= {"OEBPS/nav.xhtml": NAV} if contents == "nav" else {"OEBPS/toc.ncx": NCX}
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {**files, **(extra or {})}.items():
            archive.writestr(name, content)
    return made.getvalue()
