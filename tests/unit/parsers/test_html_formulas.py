"""MathML read from its structure: what a mathematician would have typed (seed 001 §7.3)."""

import pytest
from lxml import html

from commonplace.parsers.html_math import latex

X, Y, N, K = (f"<mi>{letter}</mi>" for letter in "xyni")
ONE, TWO, THREE = (f"<mn>{number}</mn>" for number in "123")


def op(sign: str) -> str:
    return f"<mo>{sign}</mo>"


def row(*parts: str) -> str:
    return f"<mrow>{''.join(parts)}</mrow>"


def el(name: str, *parts: str, **attributes: str) -> str:
    written = "".join(f' {key}="{value}"' for key, value in attributes.items())
    return f"<{name}{written}>{''.join(parts)}</{name}>"


def table(*rows: str) -> str:
    return el("mtable", *rows)


def tr(*cells: str) -> str:
    return el("mtr", *(el("mtd", cell) for cell in cells))


SUM = op("∑")
FORMULAS = {
    # tokens
    X: "x",
    el("mn", "3.14"): "3.14",
    X + op("+") + Y: "x+y",
    X + op("−") + Y: "x-y",
    X + op("×") + Y: r"x\times y",
    X + op("⋅") + Y: r"x\cdot y",
    X + op("±") + ONE: r"x\pm1",
    X + op("≤") + Y: r"x\le y",
    X + op("≠") + Y: r"x\ne y",
    X + op("≈") + Y: r"x\approx y",
    X + op("→") + el("mi", "∞"): r"x\to\infty",
    el("mi", "α") + op("=") + el("mi", "β"): r"\alpha=\beta",
    el("mi", "Ω") + el("mi", "x"): r"\Omega x",
    el("mi", "sin") + X: r"\sin x",
    el("mi", "log") + op("\u2061") + row(op("("), X, op(")")): r"\log(x)",
    el("mi", "Var"): r"\mathrm{Var}",
    el("mtext", "if ") + X: r"\text{if}x",
    el("mtext"): "",
    el("ms", "abc"): r"\text{abc}",
    el("mi", "ℝ"): r"\mathbb{R}",
    el("mi", "R", mathvariant="double-struck"): r"\mathbb{R}",
    el("mi", "v", mathvariant="bold"): r"\mathbf{v}",
    el("mi", "L", mathvariant="script"): r"\mathcal{L}",
    el("mi", "g", mathvariant="fraktur"): r"\mathfrak{g}",
    X + op("\u2062") + Y: "xy",
    X + el("mspace", width="1em") + Y: "xy",
    el("mn", "50") + op("%"): r"50\%",
    op("{") + X + op("}"): r"\{x\}",
    op("∀") + X + op("∈") + el("mi", "S"): r"\forall x\in S",
    op("¬") + el("mi", "p"): r"\neg p",
    el("mi", "p") + op("⇒") + el("mi", "q"): r"p\Rightarrow q",
    el("mi", "A") + op("∪") + el("mi", "B"): r"A\cup B",
    el("mi", "A") + op("⊆") + el("mi", "B"): r"A\subseteq B",
    op("∇") + el("mi", "f"): r"\nabla f",
    ONE + op(",") + op("…") + op(",") + N: r"1,\dots,n",
    # fractions and roots
    el("mfrac", ONE, X): r"\frac{1}{x}",
    el("mfrac", row(X, op("+"), ONE), row(X, op("-"), ONE)): r"\frac{x+1}{x-1}",
    el("mfrac", el("mfrac", ONE, X), Y): r"\frac{\frac{1}{x}}{y}",
    el("mfrac", N, el("mi", "k"), linethickness="0"): r"\binom{n}{k}",
    el("mfrac", ONE, TWO, bevelled="true"): "1/2",
    el("mfrac", row(el("mo", "∂"), el("mi", "f")), row(op("∂"), X)): (
        r"\frac{\partial f}{\partial x}"
    ),
    el("msqrt", X): r"\sqrt{x}",
    el("msqrt", X, op("+"), ONE): r"\sqrt{x+1}",
    el("mroot", X, THREE): r"\sqrt[3]{x}",
    el("msqrt", el("mfrac", X, Y)): r"\sqrt{\frac{x}{y}}",
    # indices
    el("msup", X, TWO): "x^{2}",
    el("msub", X, K): "x_{i}",
    el("msubsup", X, K, TWO): "x_{i}^{2}",
    el("msup", row(X, op("+"), Y), TWO): "{x+y}^{2}",
    el("msup", row(op("("), X, op("+"), Y, op(")")), TWO): "(x+y)^{2}",
    el("msup", el("mi", "e"), row(el("mi", "i"), el("mi", "π"))): r"e^{i\pi}",
    el("msup", el("mi", "f"), op("′")): "f'",
    el("msup", el("mi", "f"), op("″")): "f''",
    el("msubsup", el("mi", "f"), K, op("′")): "f_{i}'",
    el("msub", el("msup", X, TWO), K): "{x^{2}}_{i}",
    el("msup", el("mi", "A"), el("mi", "T")): "A^{T}",
    el("msup", X, row(op("-"), ONE)): "x^{-1}",
    el("msub", el("mi", "log"), TWO) + X: r"\log_{2}x",
    el("msup", el("mi", "sin"), TWO) + X: r"\sin^{2}x",
    el("mmultiscripts", X, K, TWO): "x_{i}^{2}",
    el("mmultiscripts", el("mi", "C"), "<none/>", "<none/>", "<mprescripts/>", N, "<none/>"): (
        "{}_{n}C"
    ),
    # limits
    el("munderover", SUM, row(K, op("="), ONE), N) + K: r"\sum_{i=1}^{n}i",
    el("munderover", op("∏"), K, N): r"\prod_{i}^{n}",
    el("munder", SUM, K): r"\sum_{i}",
    el("munder", el("mi", "lim"), row(N, op("→"), el("mi", "∞"))): r"\lim_{n\to\infty}",
    el("munder", el("mi", "max"), X): r"\max_{x}",
    el("mover", SUM, N): r"\sum^{n}",
    el("msubsup", op("∫"), el("mn", "0"), ONE) + el("mi", "f"): r"\int_{0}^{1}f",
    el("msub", op("∮"), el("mi", "C")) + el("mi", "f"): r"\oint_{C}f",
    el("munder", op("⋃"), K): r"\bigcup_{i}",
    el("munder", X, el("mtext", "def")): r"\underset{\text{def}}{x}",
    el("mover", op("="), el("mtext", "def")): r"\overset{\text{def}}{=}",
    # accents and braces
    el("mover", X, op("^")): r"\hat{x}",
    el("mover", X, op("¯")): r"\bar{x}",
    el("mover", X, op("→")): r"\vec{x}",
    el("mover", X, op("˙")): r"\dot{x}",
    el("mover", X, op("¨")): r"\ddot{x}",
    el("mover", X, op("~")): r"\tilde{x}",
    el("mover", row(X, op("+"), Y), op("⏞")): r"\overbrace{x+y}",
    el("munder", row(X, op("+"), Y), op("⏟")): r"\underbrace{x+y}",
    el("munder", el("munder", X, op("⏟")), N): r"\underbrace{x}_{n}",
    el("munder", X, op("_")): r"\underline{x}",
    # brackets and tables
    el("mfenced", X, Y): "(x, y)",
    el("mfenced", X, Y, open="[", close="]", separators=";"): "[x; y]",
    el("mfenced", X, open="{", close="}"): r"\{x\}",
    op("⌊") + X + op("⌋"): r"\lfloor x\rfloor",
    op("⟨") + X + op(",") + Y + op("⟩"): r"\langle x,y\rangle",
    op("|") + X + op("|"): "|x|",
    table(tr(ONE, TWO)): r"\begin{matrix}1 & 2\end{matrix}",
    row(op("("), table(tr(ONE, TWO), tr(X, Y)), op(")")): (
        r"\begin{pmatrix}1 & 2 \\ x & y\end{pmatrix}"
    ),
    row(op("["), table(tr(X), tr(Y)), op("]")): r"\begin{bmatrix}x \\ y\end{bmatrix}",
    row(op("|"), table(tr(X, Y)), op("|")): r"\begin{vmatrix}x & y\end{vmatrix}",
    row(op("{"), table(tr(ONE, X), tr(TWO, Y))): r"\begin{cases}1 & x \\ 2 & y\end{cases}",
    el("mfenced", table(tr(X)), open="[", close="]"): r"\begin{bmatrix}x\end{bmatrix}",
    # others
    el("menclose", X, notation="box"): r"\boxed{x}",
    el("menclose", X, notation="updiagonalstrike"): r"\cancel{x}",
    el("mstyle", X) + el("mpadded", Y): "xy",
    el("mphantom", X) + Y: "y",
    el("merror", X): "x",
    el("maction", X, Y): "x",
    el("mfrac", ONE): "1",
    el("munknown", Y): "y",
    el("semantics", X, el("annotation", "x", encoding="MathML-Content")): "x",
    X
    + op("=")
    + el(
        "mfrac",
        row(
            op("−"),
            el("mi", "b"),
            op("±"),
            el(
                "msqrt",
                el("msup", el("mi", "b"), TWO),
                op("−"),
                el("mn", "4"),
                el("mi", "a"),
                el("mi", "c"),
            ),
        ),
        row(TWO, el("mi", "a")),
    ): (r"x=\frac{-b\pm\sqrt{b^{2}-4ac}}{2a}"),
}


@pytest.mark.requirement("PAR-H20")
@pytest.mark.parametrize(("markup", "formula"), FORMULAS.items(), ids=list(FORMULAS.values()))
def test_a_formula_reads_as_it_would_be_typed(markup: str, formula: str) -> None:
    assert latex(html.fragment_fromstring(f"<math>{markup}</math>")) == formula


@pytest.mark.requirement("PAR-H20")
def test_there_are_enough_formulas_to_speak_of_mathml() -> None:
    assert len(FORMULAS) >= 80


@pytest.mark.requirement("PAR-H20")
@pytest.mark.parametrize(
    ("markup", "formula"),
    [
        ('<math alttext="E = mc^2"><mi>E</mi></math>', "E = mc^2"),
        (r'<math alttext="{\displaystyle x_{1}}"><mi>x</mi></math>', "x_{1}"),
        (r'<math alttext="$a$"><mi>b</mi></math>', "a"),
        ('<math><semantics><mi>x</mi><annotation encoding="application/x-tex">a_0', "a_0"),
        ('<math><semantics><mi>x</mi><annotation encoding="TeX">a_1</annotation>', "a_1"),
        ('<m:math xmlns:m="x"><m:mfrac><m:mi>a</m:mi><m:mi>b</m:mi></m:mfrac>', r"\frac{a}{b}"),
        ("<math>just words</math>", "just words"),
    ],
)
def test_what_the_author_wrote_comes_first_and_plain_text_last(markup: str, formula: str) -> None:
    assert latex(html.fragment_fromstring(markup)) == formula
