"""What a source says is printed, and what readers are scored by."""

import pytest

from eval.pdf.latex import GAP, Prose, read_source
from eval.pdf.pages import Pages, told_pages
from eval.pdf.published import Text, mark, tokens_of, words_f1
from eval.pdf.readers import Extract, ours, parse
from tests.unit.parsers.paper import Sheet, make_pdf

SOURCE = r"""\documentclass{jss}
\newcommand{\name}[1]{\emph{#1} walrus}
\Abstract{We speak of \pkg{zoo} things.}
\begin{document}
\section[short]{On \name{the}} % a remark
The mean $\mu$ of ``all'' oysters\footnote{Not of one.} is caf\'e--like, see~\citep{a}.
<<echo=TRUE>>=
x <- 1
@
\begin{figure}\includegraphics{a}\caption{Many oysters.}\end{figure}
\begin{itemize}\item First \verb|x| here. \item Second.\end{itemize}
\subsection{Sums of $x$}
\begin{equation} a = b \end{equation}
\code{x$y} costs 5\% \unknown{more}.
\end{document}
Nothing of this.
"""


def test_a_source_gives_headings_prose_and_what_floats_with_gaps() -> None:
    told = [(one.kind, one.level, one.text.replace(GAP, "?")) for one in read_source(SOURCE)]
    assert told == [
        ("paragraph", 0, "We speak of zoo things."),
        ("heading", 1, "On the walrus"),
        ("paragraph", 0, "The mean ? of “all” oysters? is café–like, see ?."),
        ("paragraph", 0, "?"),
        ("paragraph", 0, "First ? here."),
        ("paragraph", 0, "Second."),
        ("heading", 2, "Sums of ?"),
        ("paragraph", 0, "? ? costs 5% ?."),
        ("floating", 0, "Not of one."),
        ("floating", 0, "Many oysters."),
    ]


@pytest.mark.parametrize("source", ["", "{", r"\begin{document", "\\newcommand{\\a}{\\a}\\a", "$"])
def test_whatever_a_source_is_reading_it_ends(source: str) -> None:
    assert isinstance(read_source(source), list)


def test_a_paragraph_is_found_where_most_of_it_stands() -> None:
    words = "one two three four five six seven eight nine ten eleven twelve thirteen"
    text = Text(f"one two three. Some other words stand here. {words} and so on.")
    found = text.find(tokens_of(words))
    assert found is not None
    assert text.words[found.start : found.end] == words.split()
    assert text.find(tokens_of(words.replace("e", "x"))) is None


def test_what_cuts_into_a_paragraph_costs_words_and_pairs_and_gaps_cost_nothing() -> None:
    prose = [
        Prose("heading", "Walruses", 1),
        Prose(
            "paragraph", f"the walrus and {GAP} the carpenter were walking close at hand they wept"
        ),
    ]
    plain = "the walrus and 7.5 the carpenter were walking close at hand they wept"
    cut = plain.replace("close", "Journal of Walruses close")
    pages = Pages(make_pdf([Sheet().line(72, 700, "nothing")]))
    whole, spoiled = (mark(prose, Extract(text), pages) for text in (plain, cut))
    assert (whole.found, whole.words, whole.pairs, whole.whole) == (1, 1, 1, 1)
    assert spoiled.words < 0.95
    assert spoiled.pairs < 1
    assert words_f1(["a", None, "b"], ["a", "b"]) == 1
    assert whole.headings is None


def test_pages_are_named_by_words_that_stand_on_one_of_them() -> None:
    words = ["Walruses walk along the beach", "oysters were eaten one by one"]
    content = make_pdf([Sheet().line(72, 700, text) for text in words])
    pages = Pages(content)
    assert pages.first(tokens_of(words[0])) == pages.last(tokens_of(words[0])) == 1
    assert pages.first(tokens_of(" ".join(words))) == 1
    assert pages.last(tokens_of(" ".join(words))) == 2
    assert pages.first(tokens_of("nobody came at all")) is None
    assert pages.first(tokens_of("two words")) is None
    assert told_pages(parse(content)) == [1] * 5 + [2] * 6
    prose = [Prose("paragraph", f"{words[0]} {words[1]} and so on they said")]
    assert mark(prose, ours(content), pages).last_pages is None
    shorter = [Prose("paragraph", " ".join([*words, words[1]]))]
    assert mark(shorter, ours(content), pages).first_pages == 1
