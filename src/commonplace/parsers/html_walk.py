"""Walking an HTML tree and writing what a reader would see of it."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from commonplace.domain.document import Image, Link, Span
from commonplace.domain.encoding import clean
from commonplace.parsers.drafting import Heading, entry_name, one_line
from commonplace.parsers.html_code import code_language, code_text
from commonplace.parsers.html_inline import (
    CODE,
    WRAPPED,
    code_span,
    image_target,
    is_formula_script,
    written,
)
from commonplace.parsers.html_main import Content
from commonplace.parsers.html_notes import note_kind, take_label
from commonplace.parsers.html_shape import BLOCKS, HEADINGS, classes_of, is_chrome
from commonplace.parsers.rendering import Margin, Run, Writer
from commonplace.parsers.tables import expand, lays_out, make_cell, write_table

if TYPE_CHECKING:
    from lxml.html import HtmlElement

# One Python frame a level at most twice; libxml2 itself stops at 2048.
_MOST_DEPTH = 150


class Walker:
    """One walk over one tree, into one writer."""

    def __init__(self, content: Content) -> None:
        self.writer = Writer()
        self._content = content
        self._anchor: str | None = None
        self._level = 0
        """Of the last heading; entries stand below it."""
        self._entries = 0
        """How many entries are being written, one inside the other."""
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
            "summary": self._summary,
        }
        self.block(content.root, Margin(), 0)
        for element in content.beside():
            if not is_chrome(element, content.is_marked):
                self._keep_links(element)

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
        return is_chrome(element, content.is_marked) and not is_formula_script(element)

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
        formula = written(element, "") if element.tag in {"div", "p"} else None
        if depth > _MOST_DEPTH or formula:
            run = Run()
            run.add(formula or " ".join(element.itertext()))
            self.writer.write(run, margin, None if formula else "other")
        elif note_kind(element):
            label = Run()
            label.add(f"{take_label(element)}: ")
            self._labelled([element], label, margin, depth)
        else:
            self._kinds.get(str(element.tag), self.block)(element, margin, depth)

    def _inline(self, element: "HtmlElement", run: Run, depth: int) -> None:
        tag = element.tag
        start = run.length
        self._anchor = element.get("id") or element.get("name") or self._anchor
        if tag == "img":
            self._picture(element)
        said = "\n" if tag == "br" else written(element, run.last)
        if said is not None:
            run.add(said, is_exact=tag == "br")
        elif tag in CODE and run.last != "`":  # another mark would merge with the one before
            run.add(code_span(one_line("".join(element.itertext()))))
        elif depth > _MOST_DEPTH:
            run.add(" ".join(element.itertext()))
        else:
            before, after = WRAPPED.get(str(tag), ("", ""))
            run.add(before)
            self._words(element, run, depth)
            run.add(after)
        target = element.get("href") if tag == "a" else None
        if target:
            run.link(start, target.strip())

    def _words(self, element: "HtmlElement", run: Run, depth: int) -> None:
        run.add(element.text)
        for child in element:
            if not self._is_left_out(child):
                self._inline(child, run, depth + 1)
            run.add(child.tail)

    def _picture(self, element: "HtmlElement") -> None:
        """Note an image with its caption, at the block being written."""
        target = image_target(element)
        if not target:
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

    def _labelled(
        self, elements: "list[HtmlElement]", label: Run, margin: Margin, depth: int
    ) -> None:
        """Blocks whose first words follow a label on the same line."""
        inner = margin.deeper("", "")
        inner.label = label
        for element in elements:
            self.block(element, inner, depth + 1)
        self.writer.say_label(inner)

    def _heading(self, element: "HtmlElement", margin: Margin, depth: int) -> None:
        anchor = element.get("id") or self._anchor_near(element)
        self._anchor = None
        run = Run()
        self._words(element, run, depth)
        anchor = anchor or self._anchor
        self._anchor = None
        if self.writer.heading(run, HEADINGS[str(element.tag)], anchor, margin):
            self._level = self.writer.headings[-1].level if self.writer.headings else 0

    def _anchor_near(self, element: "HtmlElement") -> str | None:
        """The id of the section a heading opens, or of an empty anchor just before it."""
        above = element.getparent()
        if above is not None and above.get("id") and above.tag in {"section", "div", "article"}:
            first = next((child for child in above if child.tag in HEADINGS), None)
            if first is element:
                return str(above.get("id"))
        return self._anchor

    def _pre(self, element: "HtmlElement", margin: Margin, _depth: int) -> None:
        self.writer.code(code_text(element), code_language(element), margin)

    def _summary(self, element: "HtmlElement", margin: Margin, depth: int) -> None:
        """What a fold is called; what it folds is read like the rest."""
        self.writer.write(self._bold(element, depth), margin)

    def _bold(self, element: "HtmlElement", depth: int) -> Run:
        inner, run = Run(), Run()
        self._flat(element, inner, depth)
        run.add("**")
        run.join(inner, "")
        run.close("**")
        return run

    def _list(self, element: "HtmlElement", margin: Margin, depth: int) -> None:
        self.writer.say_label(margin)
        number = int(start) if (start := element.get("start") or "1").isdecimal() else 1
        for child in element:
            if self._is_left_out(child):
                continue
            mark = f"{number}. " if element.tag == "ol" else "- "
            inner = margin.deeper(mark, " " * len(mark))
            self.block(child, inner, depth + 1)
            number += 1

    def _definitions(self, element: "HtmlElement", margin: Margin, depth: int) -> None:
        """``**Term**: definition``, one paragraph each; terms that share one stand together."""
        self.writer.say_label(margin)
        terms: list[HtmlElement] = []
        said: list[HtmlElement] = []
        for child in self._defined(element):
            if child.tag != "dd":
                if said:
                    self._define(terms, said, margin, depth)
                    terms, said = [], []
                terms.append(child)
            else:
                said.append(child)
        self._define(terms, said, margin, depth)

    def _defined(self, element: "HtmlElement") -> "Iterator[HtmlElement]":
        for child in element:
            if not self._is_left_out(child):
                if child.tag == "div" and child.find("dt") is not None:
                    yield from self._defined(child)
                else:
                    yield child

    def _define(
        self, terms: "list[HtmlElement]", said: "list[HtmlElement]", margin: Margin, depth: int
    ) -> None:
        label, name = Run(), ""
        for term in terms:
            bold = self._bold(term, depth)
            name = name or entry_name(bold.text)
            label.join(bold, ", ")
        if label.length and said:
            label.add(": ")
        anchor = next((one.get("id") for one in terms if one.get("id")), None)
        if anchor and name and said and not _is_note(terms[0]):
            with self._entry(name, anchor, margin):
                self._labelled(said, label, margin, depth)
        else:
            self._labelled(said, label, margin, depth)

    @contextmanager
    def _entry(self, name: str, anchor: str, margin: Margin) -> Iterator[None]:
        """A term with an anchor names a section of its own: what is written meanwhile."""
        writer = self.writer
        blocks, headings = len(writer.blocks), len(writer.headings)
        is_top = bool(self._level) and not margin.first and not margin.rest
        self._entries += 1
        yield
        if is_top and len(writer.blocks) > blocks:
            entry = Heading(
                text=name,
                level=self._level + self._entries,
                start=writer.blocks[blocks].span.start,
                end=writer.length,
                anchor=anchor,
            )
            writer.headings.insert(headings, entry)
        self._entries -= 1

    def _quote(self, element: "HtmlElement", margin: Margin, depth: int) -> None:
        self.writer.say_label(margin)
        self.block(element, margin.deeper("> ", "> "), depth + 1)

    def _table(self, element: "HtmlElement", margin: Margin, depth: int) -> None:
        if lays_out(element):
            self.block(element, margin, depth + 1)
            return
        rows = []
        for child in _rows(element):
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
                if child.tag == "table" and depth < _MOST_DEPTH:
                    self._nested(child, run, depth + 1)
                elif self._is_block(child) and depth < _MOST_DEPTH:
                    run.add(" ")
                    self._flat(child, run, depth + 1)
                    run.add(" ")
                else:
                    self._inline(child, run, depth + 1)
            run.add(child.tail)

    def _nested(self, table: "HtmlElement", run: Run, depth: int) -> None:
        """A table inside a cell: its cells after commas, its rows after semicolons."""
        run.add(" ")
        inner = Run()
        for row in _rows(table):
            line = Run()
            for cell in [row] if row.tag == "caption" else row.xpath("./td | ./th"):
                line.join(self._cell(cell, depth), ", ")
            inner.join(line, "; ")
        run.join(inner, "")
        run.add(" ")


def _is_note(term: "HtmlElement") -> bool:
    """Whether a term is the mark of a footnote or of a cited work."""
    classes = {*classes_of(term), *classes_of(term.getparent())}
    return not classes.isdisjoint({"footnote", "citation", "label"})


def _rows(table: "HtmlElement") -> "Iterator[HtmlElement]":
    """The caption and the rows of a table, those of tables inside it left out."""
    for child in table:
        if child.tag in {"caption", "tr"}:
            yield child
        elif child.tag in {"thead", "tbody", "tfoot"}:
            yield from child.iterchildren("tr")
