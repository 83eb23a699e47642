"""Walking an HTML tree and writing what a reader would see of it."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from commonplace.domain.document import Image, Link, Span
from commonplace.parsers.drafting import one_line
from commonplace.parsers.encoding import clean
from commonplace.parsers.html_main import Content
from commonplace.parsers.html_math import is_display, latex
from commonplace.parsers.html_notes import note_kind, take_label
from commonplace.parsers.html_shape import BLOCKS, HEADINGS, is_chrome
from commonplace.parsers.rendering import Margin, Run, Writer
from commonplace.parsers.tables import expand, make_cell, write_table

if TYPE_CHECKING:
    from lxml.html import HtmlElement

# One Python frame a level at most twice; libxml2 itself stops at 256.
_MOST_DEPTH = 150
_LANGUAGE = re.compile(
    r"(?:^|\s)(?:language|lang|highlight-source|highlight|brush:)-?\s*([\w+#.-]+)"
)
_NO_LANGUAGE = frozenset({"default", "none", "text", "source", "plaintext", "notranslate"})


class Walker:
    """One walk over one tree, into one writer."""

    def __init__(self, content: Content) -> None:
        self.writer = Writer()
        self._content = content
        self._anchor: str | None = None
        self._holders: set[HtmlElement] = set()
        for block in content.root.iter(*BLOCKS):
            above = block.getparent()
            while above is not None and above not in self._holders:
                self._holders.add(above)
                above = above.getparent()
        self._kinds: Mapping[str, Callable[[HtmlElement, Margin, int], None]] = {
            **dict.fromkeys(HEADINGS, self._heading),
            "pre": self._pre,
            "table": self._table,
            **dict.fromkeys(("ul", "ol", "menu"), self._list),
            "dl": self._definitions,
            "blockquote": self._quote,
        }
        self.block(content.root, Margin(), 0)

    def block(self, element: "HtmlElement", margin: Margin, depth: int) -> None:
        """The children of an element: inline runs become paragraphs between its blocks."""
        run = Run()
        run.add(element.text)
        for child in element:
            if not self._is_left_out(child):
                if self._is_block(child):
                    self.writer.write(run, margin)
                    run = Run()
                    self._one(child, margin, depth + 1)
                else:
                    self._inline(child, run, depth + 1)
            run.add(child.tail)
        self.writer.write(run, margin)

    def _is_left_out(self, element: "HtmlElement") -> bool:
        content = self._content
        if element in content.around:
            self._keep_links(element)
            return True
        return is_chrome(element, content.is_marked)

    def _keep_links(self, element: "HtmlElement") -> None:
        """The links of what is left out: they lead on, though their words are not in the text."""
        place = Span(self.writer.length, self.writer.length)
        for link in element.iter("a"):
            target = clean((link.get("href") or "").strip())
            said = one_line("".join(link.itertext()))
            if target and said:
                self.writer.links.append(Link(target=target, text=said, span=place))

    def _is_block(self, element: "HtmlElement") -> bool:
        return element.tag in BLOCKS or element in self._holders

    def _one(self, element: "HtmlElement", margin: Margin, depth: int) -> None:
        if depth > _MOST_DEPTH:
            run = Run()
            run.add(" ".join(element.itertext()))
            self.writer.write(run, margin, "other")
            return
        if note_kind(element):
            self._admonition(element, margin, depth)
            return
        self._kinds.get(str(element.tag), self.block)(element, margin, depth)

    def _inline(self, element: "HtmlElement", run: Run, depth: int) -> None:
        tag = element.tag
        start = run.length
        self._anchor = element.get("id") or element.get("name") or self._anchor
        if tag in _VOID:
            run.add(*_VOID[tag](element))
            if tag == "img":
                self._picture(element)
            return
        if tag in {"code", "kbd", "samp", "tt"} and not run_ends_in_code(run):
            words = one_line("".join(element.itertext()))
            run.add(f"`{words}`" if words and "`" not in words else words)
        elif depth > _MOST_DEPTH:
            run.add(" ".join(element.itertext()))
        else:
            run.add(element.text)
            for child in element:
                if not self._is_left_out(child):
                    self._inline(child, run, depth + 1)
                run.add(child.tail)
        target = element.get("href") if tag == "a" else None
        if target:
            run.link(start, target.strip())

    def _picture(self, element: "HtmlElement") -> None:
        """Note an image with its caption, at the block being written."""
        target = (element.get("src") or element.get("data-src") or "").strip()
        if not target or target.startswith("data:"):
            return
        caption = ""
        for above in element.iterancestors("figure"):
            found = above.find(".//figcaption")
            caption = "" if found is None else one_line("".join(found.itertext()))
            break
        place = self.writer.length + (2 if self.writer.blocks else 0)
        self.writer.images.append(
            Image(
                target=clean(target),
                alt=clean(one_line(element.get("alt") or "")),
                caption=clean(caption),
                span=Span(place, place),
            )
        )

    def _admonition(self, element: "HtmlElement", margin: Margin, depth: int) -> None:
        """A note or warning: its label before its first words, its own title left out."""
        label = take_label(element)
        self.block(element, margin.deeper(f"{label}: ", ""), depth + 1)

    def _heading(self, element: "HtmlElement", margin: Margin, depth: int) -> None:
        anchor = element.get("id") or self._anchor_near(element)
        self._anchor = None
        run = Run()
        for text, child in _parts(element):
            run.add(text)
            if child is not None and not self._is_left_out(child):
                self._inline(child, run, depth + 1)
        anchor = anchor or self._anchor
        self._anchor = None
        self.writer.heading(run, HEADINGS[str(element.tag)], anchor, margin)

    def _anchor_near(self, element: "HtmlElement") -> str | None:
        """The id of the section a heading opens, or of an empty anchor just before it."""
        above = element.getparent()
        if above is not None and above.get("id") and above.tag in {"section", "div", "article"}:
            first = next((child for child in above if child.tag in HEADINGS), None)
            if first is element:
                return str(above.get("id"))
        return self._anchor

    def _pre(self, element: "HtmlElement", margin: Margin, _depth: int) -> None:
        for rule in element.iter("br"):
            rule.tail = "\n" + (rule.tail or "")
        self.writer.code("".join(element.itertext()), _language(element), margin)

    def _list(self, element: "HtmlElement", margin: Margin, depth: int) -> None:
        number = int(start) if (start := element.get("start") or "1").isdecimal() else 1
        for child in element:
            if self._is_left_out(child):
                continue
            mark = f"{number}. " if element.tag == "ol" else "- "
            inner = margin.deeper(mark, " " * len(mark))
            self.block(child, inner, depth + 1)
            number += 1

    def _definitions(self, element: "HtmlElement", margin: Margin, depth: int) -> None:
        for child in element:
            if self._is_left_out(child):
                continue
            if child.tag == "dd":
                self.block(child, margin.deeper(":   ", "    "), depth + 1)
            else:
                self.block(child, margin, depth + 1)

    def _quote(self, element: "HtmlElement", margin: Margin, depth: int) -> None:
        self.block(element, margin.deeper("> ", "> "), depth + 1)

    def _table(self, element: "HtmlElement", margin: Margin, depth: int) -> None:
        if element.xpath("boolean(.//table | .//pre | .//h1 | .//h2 | .//h3 | .//ul/li/ul)"):
            # A table that lays out blocks is not a table of facts.
            self.block(element, margin, depth + 1)
            return
        rows = []
        for child in element.iter("caption", "tr"):
            cells = [child] if child.tag == "caption" else child.xpath("./td | ./th")
            runs = [(cell, self._cell(cell, depth)) for cell in cells]
            if child.tag == "caption":
                self.writer.write(runs[0][1], margin)
            else:
                rows.append([make_cell(cell, run) for cell, run in runs])
        write_table(self.writer, expand(rows), margin)

    def _cell(self, element: "HtmlElement", depth: int) -> Run:
        run = Run()
        self._flat(element, run, depth)
        return run

    def _flat(self, element: "HtmlElement", run: Run, depth: int) -> None:
        """Blocks inside a cell, on one line."""
        run.add(element.text)
        for child in element:
            if not self._is_left_out(child):
                if self._is_block(child) and depth < _MOST_DEPTH:
                    run.add(" ")
                    self._flat(child, run, depth + 1)
                    run.add(" ")
                else:
                    self._inline(child, run, depth + 1)
            run.add(child.tail)


def run_ends_in_code(run: Run) -> bool:
    """Whether another code mark would merge with the one just written."""
    return run.last == "`"


def _parts(element: "HtmlElement") -> "Iterator[tuple[str | None, HtmlElement | None]]":
    yield element.text, None
    for child in element:
        yield None, child
        yield child.tail, None


def _language(element: "HtmlElement") -> str | None:
    """The language of a code block, from its class, its child's, or a wrapper's."""
    near = [*element.iter("code"), element, *list(element.iterancestors())[:3]]
    for one in near:
        named = one.get("data-lang") or one.get("data-language")
        found = _LANGUAGE.search(one.get("class") or "")
        language = named or (found[1] if found else "")
        if language and language not in _NO_LANGUAGE:
            return one_line(language)[:40]
    return None


def _break(_element: "HtmlElement") -> tuple[str, bool]:
    return "\n", True


def _image(element: "HtmlElement") -> tuple[str, bool]:
    return element.get("alt") or "", False


def _math(element: "HtmlElement") -> tuple[str, bool]:
    formula = latex(element)
    mark = "$$" if is_display(element) else "$"
    return (f"{mark}{formula}{mark}" if formula else ""), False


_VOID: Mapping[str, Callable[["HtmlElement"], tuple[str, bool]]] = {
    "br": _break,
    "img": _image,
    "math": _math,
}
