"""Papers to PDF: by LaTeX in the classes people publish with, by Typst where there is no LaTeX."""

import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from eval.pdf.papers import Paper, Part

_SPECIAL = re.compile(r"[&%$#_{}]")
_LABEL = re.compile(r"\\newlabel\{([se])(\d+)\}\{\{(?:[^{}]|\{[^{}]*\})*\}\{(\d+)\}")
_LIMIT_S = 120


@dataclass(frozen=True, slots=True)
class Layout:
    """A way papers look."""

    name: str
    engine: Literal["latex", "typst"]
    columns: int
    preamble: str = ""
    title: str = r"\title{<title>}\author{<authors>}\maketitle"
    abstract: str = r"\begin{abstract}<abstract>\end{abstract}"


_ARTICLE = r"\documentclass[<options>]{article}\usepackage[margin=2.2cm]{geometry}"
_HEADS = r"\usepackage{fancyhdr}\pagestyle{fancy}\fancyhead[L]{Journal of Known Words}"
_IEEE = r"\IEEEauthorblockN{<authors>}"
LAYOUTS: Mapping[str, Layout] = {
    one.name: one
    for one in (
        Layout("article, 1 column", "latex", 1, _ARTICLE.replace("<options>", "11pt") + _HEADS),
        Layout("article, 2 columns", "latex", 2, _ARTICLE.replace("<options>", "10pt,twocolumn")),
        Layout(
            "IEEE conference",
            "latex",
            2,
            r"\documentclass[conference]{IEEEtran}",
            title=rf"\title{{<title>}}\author{{{_IEEE}}}\maketitle",
        ),
        Layout(
            "IEEE journal",
            "latex",
            2,
            r"\documentclass[journal]{IEEEtran}\markboth{Journal of Known Words, 2025}{Known}",
        ),
        Layout(
            "Elsevier, 2 columns",
            "latex",
            2,
            r"\documentclass[5p,times,twocolumn]{elsarticle}\journal{Known Words}",
            title=r"\begin{frontmatter}\title{<title>}\author{<authors>}",
            abstract=r"\begin{abstract}<abstract>\end{abstract}\end{frontmatter}",
        ),
        Layout("Springer LNCS", "latex", 1, r"\documentclass[runningheads]{llncs}"),
        Layout(
            "APS, 2 columns",
            "latex",
            2,
            r"\documentclass[aps,twocolumn,10pt]{revtex4-2}",
            title=r"\title{<title>}\author{<authors>}",
            abstract=r"\begin{abstract}<abstract>\end{abstract}\maketitle",
        ),
        Layout("Typst, 1 column", "typst", 1),
        Layout("Typst, 2 columns", "typst", 2),
    )
}


def is_available(layout: Layout) -> bool:
    """Whether its engine is installed."""
    if layout.engine == "latex":
        return shutil.which("pdflatex") is not None
    try:
        import typst  # noqa: F401, PLC0415 - only to see whether it is there
    except ImportError:
        return False
    return True


def typeset(paper: Paper, layout: Layout) -> tuple[Paper, bytes]:
    """The paper with the pages of its parts, and its file."""
    return _latex(paper, layout) if layout.engine == "latex" else _typst(paper, layout)


def _tex(text: str) -> str:
    return _SPECIAL.sub(lambda found: f"\\{found[0]}", text)


def _tex_part(number: int, part: Part) -> str:
    text = _tex(part.text)
    if part.kind == "heading":
        command = ("section", "subsection")[part.level - 1]
        return rf"\{command}{{{text}}}\label{{s{number}}}\label{{e{number}}}"
    note = rf"\footnote{{{_tex(part.note)}}}" if part.note else ""
    first, _, rest = text.partition(" ")
    rest, _, last = rest.rpartition(" ")
    return rf"{first}\label{{s{number}}} {rest}\label{{e{number}}} {last}{note}" + "\n"


def _tex_floats(paper: Paper) -> str:
    rows = r"\\ ".join(" & ".join(map(_tex, row)) for row in paper.table)
    table = (
        rf"\begin{{table}}[t]\centering\caption{{{_tex(paper.table_caption)}}}"
        rf"\begin{{tabular}}{{lrrr}}{rows}\end{{tabular}}\end{{table}}"
    )
    return table + (
        r"\begin{figure}[t]\centering\rule{5cm}{3cm}"
        rf"\caption{{{_tex(paper.figure_caption)}}}\end{{figure}}"
    )


def _tex_source(paper: Paper, layout: Layout) -> str:
    def filled(template: str) -> str:
        for name in ("title", "authors", "abstract"):
            template = template.replace(f"<{name}>", _tex(getattr(paper, name)))
        return template

    babel = r"\usepackage[ngerman]{babel}" if paper.language == "de" else ""
    body = [_tex_part(number, part) for number, part in enumerate(paper.parts)]
    middle = len(body) // 3
    works = "\n".join(rf"\bibitem{{w{at}}} {_tex(one)}" for at, one in enumerate(paper.works))
    return "\n".join(
        (
            layout.preamble,
            r"\usepackage[utf8]{inputenc}\usepackage[T1]{fontenc}",
            babel,
            r"\begin{document}",
            filled(layout.title),
            filled(layout.abstract),
            *body[:middle],
            _tex_floats(paper),
            *body[middle:],
            rf"\begin{{thebibliography}}{{99}}{works}\end{{thebibliography}}",
            r"\end{document}",
        )
    )


def _latex(paper: Paper, layout: Layout) -> tuple[Paper, bytes]:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "paper.tex")
        source.write_text(_tex_source(paper, layout), "utf-8")
        command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", source.name]
        for _ in range(2):  # page numbers settle
            run = subprocess.run(
                command, cwd=folder, capture_output=True, check=False, timeout=_LIMIT_S
            )
        made = Path(folder, "paper.pdf")
        if run.returncode or not made.exists():
            tail = run.stdout.decode("utf-8", "replace")[-800:]
            raise RuntimeError(f"{layout.name}, {paper.name}: pdflatex failed: {tail}")
        places = _LABEL.findall(Path(folder, "paper.aux").read_text("utf-8", "replace"))
        found = {(side, int(number)): int(page) for side, number, page in places}
        pages = {
            number: (found["s", number], found["e", number])
            for number in range(len(paper.parts))
            if ("s", number) in found and ("e", number) in found
        }
        return replace(paper, pages=pages), made.read_bytes()


def printed(text: str) -> str:
    """Text as Typst prints it unchanged."""
    return json.dumps(text, ensure_ascii=False)


def _typ_part(number: int, part: Part) -> str:
    mark = f"#metadata(({number}, <side>))<place>"
    first, last = mark.replace("<side>", "0"), mark.replace("<side>", "1")
    if part.kind == "heading":
        return f"#heading(level: {part.level}, {printed(part.text)}){first}{last}"
    note = f"#footnote({printed(part.note)})" if part.note else ""
    rest, _, word = part.text.rpartition(" ")
    return f"{first}#({printed(f'{rest} ')}){last}#({printed(word)}){note}"


def _typ_source(paper: Paper, layout: Layout) -> str:
    cells = ", ".join(printed(cell) for row in paper.table for cell in row)
    floats = (
        f"#figure(table(columns: 4, {cells}), caption: {printed(paper.table_caption)})",
        f"#figure(rect(width: 5cm, height: 3cm), caption: {printed(paper.figure_caption)})",
    )
    body = [_typ_part(number, part) for number, part in enumerate(paper.parts)]
    middle = len(body) // 3
    works = [f"[{number}] {one}" for number, one in enumerate(paper.works, 1)]
    return "\n\n".join(
        (
            f'#set page("a4", numbering: "1", columns: {layout.columns}, margin: 2.2cm, '
            "header: [Journal of Known Words])",
            f'#set text(size: 10pt, lang: "{paper.language}")',
            "#set par(justify: true)",
            '#set heading(numbering: "1.1")',
            f'#place(top, scope: "parent", float: true)[#align(center)[#text(17pt)['
            f"*#({printed(paper.title)})*]\n\n#({printed(paper.authors)})]]",
            f"*Abstract.* #({printed(paper.abstract)})",
            *body[:middle],
            *floats,
            *body[middle:],
            "#heading(numbering: none)[References]",
            *(f"#({printed(one)})" for one in works),
        )
    )


def _typst(paper: Paper, layout: Layout) -> tuple[Paper, bytes]:
    import typst  # noqa: PLC0415 - only here, and not where LaTeX is asked for

    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "paper.typ")
        found = "query(<place>).map(it => (..it.value, it.location().page()))"
        asked = f"#context [#metadata({found}) <places>]"
        source.write_text(_typ_source(paper, layout) + "\n" + asked, "utf-8")
        made = typst.compile(str(source))
        told = json.loads(typst.query(str(source), "<places>", field="value", one=True))
    places = {(number, side): page for number, side, page in told}
    pages = {
        number: (places[number, 0], places[number, 1])
        for number in range(len(paper.parts))
        if (number, 0) in places
    }
    return replace(paper, pages=pages), made
