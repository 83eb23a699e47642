"""What a LaTeX or Sweave source says will be printed: headings and prose, with gaps.

Not a TeX: rules that are few enough to be read. Prose is taken; of formulas, citations, references,
numbers that R works out and commands nobody knows, it is only known that something stands there.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

GAP = "\x00"
"""Stands for what the source does not spell out."""
_BREAK = "\n\n"
_CHUNK = re.compile(r"^<<.*?>>=.*?^@[^\n]*$", re.DOTALL | re.MULTILINE)
_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%[^\n]*(?:\n[ \t]*)?")
_LEFT_OUT = re.compile(
    r"\\begin\{(comment|verbatim|Verbatim|alltt|S?code|Scode|S(?:input|output|chunk)|Code\w*|"
    r"lstlisting|minted|example|smallverbatim|tabular[xy*]?|longtable|array|tikzpicture|picture|"
    r"algorithm\w*|thebibliography|filecontents\*?|pspicture|CCSXML|tabbing|widetext)(\*?)\}.*?"
    r"\\end\{\1\2\}",
    re.DOTALL,
)
_DISPLAY = "equation|eqnarray|align|gather|displaymath|math|multline|alignat|flalign|eqarray"
_FORMULA = re.compile(
    rf"\\begin\{{({_DISPLAY})(\*?)\}}.*?\\end\{{\1\2\}}|\\\[.*?\\\]|\\\(.*?\\\)|"
    r"(?<!\\)\$\$.*?\$\$|(?<!\\)\$(?:[^$\\\n]|\\.|\n(?!\s*\n))*\$",
    re.DOTALL,
)
_FLOAT = re.compile(
    r"\\begin\{((?:wrap|sideways|margin)?(?:figure|table)|SCfigure|teaserfigure)(\*?)\}(.*?)"
    r"\\end\{\1\2\}",
    re.DOTALL,
)
_CODE = re.compile(r"\\(?:code|texttt|Robject|verb|samp|Sexpr|url)\{[^{}]*[$%][^{}]*\}")
_VERB = re.compile(r"\\(?:verb|lstinline)\*?([^\w\s{*])(.*?)\1")
_NEW = re.compile(
    r"\\(?:(?:re)?newcommand|providecommand|DeclareRobustCommand)\*?\s*\{?\\([A-Za-z]+)\}?\s*"
    r"(?:\[(\d)\])?\s*(\[[^\]]*\])?\s*(?=\{)|\\def\s*\\([A-Za-z]+)((?:#\d)*)(?=\{)"
)
_TOKEN = re.compile(r"\\([A-Za-z@]+)\*?[ \t]*\n?|\\(.|\n)|[{}~]|``|''|---?")
_OUTER = re.compile(r"\\(?:Abstract|abstract)\s*(?=\{)")
_HEADINGS = {"chapter": 0, "section": 1, "subsection": 2, "subsubsection": 3}
_SHOWN = frozenset(
    [
        "emph",
        "textbf",
        "textit",
        "texttt",
        "textsf",
        "textsc",
        "textrm",
        "textup",
        "textnormal",
        "textmd",
        "textsl",
        "underline",
        "mbox",
        "text",
        "uppercase",
        "code",
        "pkg",
        "proglang",
        "file",
        "samp",
        "dfn",
        "strong",
        "fct",
        "class",
        "fun",
        "textmd",
        "acro",
        "Rpackage",
        "Rfunction",
        "Rfunarg",
        "Robject",
        "Rcode",
        "Rclass",
        "Rmethod",
        "Biocpkg",
        "CRANpkg",
        "var",
        "option",
        "env",
        "command",
        "dQuote",
        "sQuote",
        "hbox",
        "makebox",
        "MakeUppercase",
        "enquote",
        "textcolor",
    ]
)
_QUOTED = {"dQuote": ("“", "”"), "sQuote": ("‘", "’"), "enquote": ("“", "”")}
_SILENT = {
    name: count
    for names, count in (
        ("label index vspace hspace pagestyle thispagestyle bibliographystyle bibliography", 1),
        ("SweaveOpts VignetteIndexEntry VignetteDepends VignetteKeywords VignettePackage", 1),
        ("usepackage addcontentsline pagenumbering markboth shorttitle hypersetup keywords", 1),
        ("setlength addtolength setcounter addtocounter", 2),
        ("bf it tt em rm sf sc sl small large Large LARGE huge normalsize footnotesize tiny", 0),
        ("bfseries itshape ttfamily sffamily scshape slshape rmfamily upshape normalfont", 0),
        ("centering raggedright noindent indent newpage clearpage pagebreak linebreak newline", 0),
        ("maketitle tableofcontents appendix medskip bigskip smallskip par protect xspace quad", 0),
        ("qquad hfill vfill cleardoublepage sloppy relax null samepage allowbreak break", 0),
    )
    for name in names.split()
}
_BREAKING = frozenset(
    ["par", "newpage", "clearpage", "bigskip", "medskip", "smallskip", "maketitle", "appendix"]
)
_LETTERS = {
    "ss": "ß", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ae": "æ", "AE": "Æ", "oe": "œ", "aa": "å",
    "AA": "Å", "i": "i", "TeX": "TeX", "LaTeX": "LaTeX", "R": "R", "textendash": "–", "S": "§",
    "textemdash": "—", "textbackslash": "\\", "textasciitilde": "~", "textunderscore": "_",
    "glqq": "„", "grqq": "“", "ldots": " ", "dots": " ", "textquotesingle": "'",
}  # fmt: skip
_ACCENTS = {"'": "\u0301", "`": "\u0300", '"': "\u0308", "^": "\u0302", "~": "\u0303"}
_ACCENTS |= {"c": "\u0327", "v": "\u030c", "u": "\u0306", "H": "\u030b", "=": "\u0304"}
_NOTES = frozenset(["footnote", "footnotetext", "thanks", "caption", "captionof"])
_MARK = re.compile(r"\x01(\d)([^\x01]*)\x01")
_MOST_STEPS = 200_000  # a macro that names itself has no end


@dataclass(frozen=True, slots=True)
class Prose:
    """A heading, a paragraph, or what floats: a note or a caption."""

    kind: Literal["heading", "paragraph", "floating"]
    text: str
    """With gaps."""
    level: int = 0


@dataclass(slots=True)
class _Macro:
    count: int
    default: str | None
    body: str


@dataclass(slots=True)
class _Walk:
    """A text that is taken apart from its beginning; macros are replaced where they stand."""

    text: str
    macros: dict[str, _Macro]
    floating: list[str]
    at: int = 0
    out: list[str] = field(default_factory=list)
    steps: int = 0

    def run(self) -> str:
        while (found := _TOKEN.search(self.text, self.at)) and self.steps < _MOST_STEPS:
            self.steps += 1
            self.out.append(self.text[self.at : found.start()])
            self.at = found.end()
            if found[1]:
                self._command(found[1])
            else:
                self._sign(found[2] if found[2] is not None else found[0], bool(found[2]))
        self.out.append(self.text[self.at :])
        return "".join(self.out)

    def inner(self, text: str) -> str:
        """Another text, by the same rules."""
        return _Walk(text, self.macros, self.floating, steps=self.steps + 1).run()

    def argument(self, opening: str = "{") -> str | None:
        """The next argument in such brackets; None where there is none."""
        found = re.compile(r"\s*" + re.escape(opening)).match(self.text, self.at)
        if not found:
            return None
        closing = "}" if opening == "{" else "]"
        depth, at = 1, found.end()
        while at < len(self.text) and depth:
            char = self.text[at]
            at += 1 + (char == "\\")
            depth += (char in ("{", opening)) - (char in ("}", closing))
        start, self.at = found.end(), min(at, len(self.text))
        return self.text[start : self.at - 1]

    def _sign(self, sign: str, is_command: bool) -> None:
        if is_command and sign in _ACCENTS:
            self._accent(sign)
        elif is_command:
            plain = {"\\": " ", "\n": " ", "-": "", "/": "", ",": " ", ";": " ", "!": "", "@": ""}
            self.out.append(plain.get(sign, sign))
        else:
            shown = {"~": " ", "``": "“", "''": "”", "--": "–", "---": "—"}
            self.out.append(shown.get(sign, ""))

    def _accent(self, sign: str) -> None:
        letter = self.argument()
        if letter is None:
            letter = self.text[self.at : self.at + 1]
            self.at += 1
        letter = {"\\i": "i", "\\j": "j"}.get(letter.strip(), letter)
        self.out.append(unicodedata.normalize("NFC", letter + _ACCENTS[sign]))

    def _command(self, name: str) -> None:
        if name in _HEADINGS:
            self.argument("[")
            text = self.inner(self.argument() or "")
            self.out.append(f"{_BREAK}\x01{_HEADINGS[name]}{' '.join(text.split())}\x01{_BREAK}")
        elif name in _SHOWN:
            self._shown(name)
        elif name in _NOTES:
            self.argument("[")
            self.floating.append(self.inner(self.argument() or ""))
            self.out.append(GAP)
        elif name in _ACCENTS and self.text[self.at : self.at + 1] == "{":
            self._accent(name)
        elif name in ("begin", "end"):
            self._environment(name)
        elif name == "item":
            mark = self.argument("[")
            self.out.append(_BREAK + (f"{self.inner(mark)} {GAP} " if mark else ""))
        elif name in _LETTERS:
            self.out.append(_LETTERS[name])
        else:
            self._other(name)

    def _shown(self, name: str) -> None:
        if name == "textcolor":
            self.argument()
        left, right = _QUOTED.get(name, ("", ""))
        self.out.append(f"{left}{self.inner(self.argument() or '')}{right}")

    def _environment(self, name: str) -> None:
        kind = self.argument()
        if name == "begin" and kind in ("minipage", "multicols", "list"):
            self.argument("[")
            self.argument()
        optional = self.argument("[") if name == "begin" else None
        self.out.append(_BREAK + (GAP if optional else ""))

    def _other(self, name: str) -> None:
        if name in _SILENT:
            for _ in range(_SILENT[name]):
                self.argument("[")
                self.argument()
            self.out.append(_BREAK if name in _BREAKING else "")
        elif name == "href":
            self.argument()
            self.out.append(self.inner(self.argument() or ""))
        elif name in self.macros:
            self._expand(self.macros[name])
        else:
            while self.argument("[") is not None or self.argument() is not None:
                pass
            self.out.append(GAP)

    def _expand(self, macro: _Macro) -> None:
        body, first = macro.body, 1
        if macro.default is not None:
            body = body.replace("#1", self.argument("[") or macro.default)
            first = 2
        for number in range(first, macro.count + 1):
            body = body.replace(f"#{number}", self.argument() or "")
        self.text = body + self.text[self.at :]
        self.at = 0


def _macros(source: str) -> dict[str, _Macro]:
    found = {}
    for new in _NEW.finditer(source):
        body = _Walk(source, {}, [], at=new.end()).argument() or ""
        count = int(new[2] or 0) if new[1] else (new[5] or "").count("#")
        found[new[1] or new[4]] = _Macro(count, new[3][1:-1] if new[3] else None, body)
    return found


def _defined(source: str) -> str:
    """The source without definitions of macros."""
    parts, last = [], 0
    for new in _NEW.finditer(source):
        if new.start() >= last:
            walk = _Walk(source, {}, [], at=new.end())
            walk.argument()
            parts.append(source[last : new.start()])
            last = walk.at
    return "".join([*parts, source[last:]])


def _float(found: re.Match[str]) -> str:
    """Of a figure or table what its captions say."""
    walks = [
        _Walk(found[3], {}, [], at=one.end())
        for one in re.finditer(r"\\caption\*?\s*(?:\[[^\]]*\])?(?=\s*\{)", found[3])
    ]
    captions = [walk.argument() for walk in walks]
    return _BREAK + "".join(f"\\caption{{{one}}}" for one in captions) + _BREAK


def read_source(source: str) -> list[Prose]:
    """Headings and prose in the order they are printed; notes and captions last."""
    text = _CHUNK.sub(_BREAK, source.replace("\r\n", "\n").replace("\r", "\n"))
    text = _COMMENT.sub(r"\1", _CODE.sub(GAP, _VERB.sub(GAP, _LEFT_OUT.sub(_BREAK, text))))
    macros = _macros(text)
    outer, _, body = text.partition(r"\begin{document}")
    body = (body or outer).partition(r"\end{document}")[0]
    told = _OUTER.search(outer) if body is not outer else None
    if told:
        body = (_Walk(outer, {}, [], at=told.end()).argument() or "") + _BREAK + body
    body = _FORMULA.sub(GAP, _FLOAT.sub(_float, _defined(body)))
    floating: list[str] = []
    printed = _Walk(body, macros, floating).run()
    return [*_parts(printed), *(Prose("floating", one) for one in map(_plain, floating) if one)]


def _plain(text: str) -> str:
    return " ".join(_MARK.sub(" ", text).split())


def _parts(printed: str) -> Iterator[Prose]:
    for block in re.split(r"\n[ \t]*\n\s*", printed):
        found = _MARK.fullmatch(block.strip())
        if found:
            yield Prose("heading", found[2], int(found[1]))
        elif text := _plain(block):
            yield Prose("paragraph", text)
