"""MathML as LaTeX: the source its author left, else what the structure says.

Good for reading and for search, not for typesetting: spaces, sizes and colours are left out.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from commonplace.parsers.drafting import one_line

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_MOST_DEPTH = 60
_SIGNS: Mapping[str, str] = {
    "∑": r"\sum", "∏": r"\prod", "∫": r"\int", "∞": r"\infty", "√": r"\sqrt", "∂": r"\partial",
    "≤": r"\le", "≥": r"\ge", "≠": r"\ne", "≈": r"\approx", "≡": r"\equiv", "∈": r"\in",
    "∉": r"\notin", "⊂": r"\subset", "⊆": r"\subseteq", "∪": r"\cup", "∩": r"\cap",
    "∀": r"\forall", "∃": r"\exists", "→": r"\to", "⇒": r"\Rightarrow", "⇔": r"\Leftrightarrow",
    "×": r"\times", "·": r"\cdot", "⋅": r"\cdot", "±": r"\pm", "∇": r"\nabla", "…": r"\dots",
    "α": r"\alpha", "β": r"\beta", "γ": r"\gamma", "δ": r"\delta", "ε": r"\epsilon",
    "θ": r"\theta", "λ": r"\lambda", "μ": r"\mu", "π": r"\pi", "ρ": r"\rho", "σ": r"\sigma",
    "τ": r"\tau", "φ": r"\phi", "ω": r"\omega", "Γ": r"\Gamma", "Δ": r"\Delta", "Σ": r"\Sigma",
    "Π": r"\Pi", "Ω": r"\Omega", "−": "-", "\u2061": "", "\u2062": "", "\u2063": "", "\u2064": "",
}  # fmt: skip
_ACCENTS = {"^": "hat", "ˆ": "hat", "¯": "bar", "‾": "bar", "→": "vec", "˙": "dot", "~": "tilde"}
_NAMED = frozenset(
    {"sin", "cos", "tan", "log", "ln", "exp", "lim", "max", "min", "det", "gcd", "sup", "inf"}
)


def latex(element: "HtmlElement") -> str:
    """The formula of a ``math`` element, without the marks around it."""
    written = element.get("alttext") or _annotation(element)
    return one_line(written) if written else one_line(_read(element, 0))


def is_display(element: "HtmlElement") -> bool:
    """Whether a formula stands on a line of its own."""
    return bool(element.get("display") == "block" or element.get("mode") == "display")


def _annotation(element: "HtmlElement") -> str:
    notes = element.xpath(".//*[local-name()='annotation' and contains(@encoding, 'tex')]/text()")
    return str(notes[0]) if notes else ""


def _name(element: "HtmlElement") -> str:
    tag = element.tag
    return tag.rpartition("}")[2].rpartition(":")[2].lower() if isinstance(tag, str) else ""


def _children(element: "HtmlElement") -> "list[HtmlElement]":
    hidden = {"annotation", "annotation-xml", ""}
    return [child for child in element if _name(child) not in hidden]


def _read(element: "HtmlElement", depth: int) -> str:
    if depth > _MOST_DEPTH:
        return "".join(element.itertext())
    parts = _children(element)
    known = _SHAPES.get(_name(element))
    if known is not None and len(parts) >= known[0]:
        return known[1](element, [_read(part, depth + 1) for part in parts])
    if not parts:
        return _token(element)
    return _joined([_read(part, depth + 1) for part in parts])


def _joined(parts: list[str]) -> str:
    """Parts side by side; a space where a command would run into a letter."""
    text = ""
    for part in parts:
        is_run = text[-1:].isalpha() and "\\" in text.rpartition(" ")[2] and part[:1].isalpha()
        text += f" {part}" if is_run else part
    return text


def _token(element: "HtmlElement") -> str:
    said = "".join(element.itertext()).strip()
    if _name(element) == "mtext":
        return rf"\text{{{said}}}" if said else ""
    if said in _NAMED:
        return rf"\{said}"
    return "".join(_SIGNS.get(char, char) for char in said)


def _fenced(element: "HtmlElement", parts: list[str]) -> str:
    opening, closing = element.get("open", "("), element.get("close", ")")
    return f"{opening}{', '.join(parts)}{closing}"


def _over(_element: "HtmlElement", parts: list[str]) -> str:
    accent = _ACCENTS.get(parts[1])
    return rf"\{accent}{{{parts[0]}}}" if accent else rf"\overset{{{parts[1]}}}{{{parts[0]}}}"


def _under(_element: "HtmlElement", parts: list[str]) -> str:
    return f"{parts[0]}_{{{parts[1]}}}"


def _table(_element: "HtmlElement", rows: list[str]) -> str:
    inner = r" \\ ".join(rows)
    return rf"\begin{{matrix}}{inner}\end{{matrix}}"


Shape = Callable[["HtmlElement", list[str]], str]
# By element: how many parts it must have, and what they come to.
_SHAPES: Mapping[str, tuple[int, Shape]] = {
    "mfrac": (2, lambda _, p: rf"\frac{{{p[0]}}}{{{p[1]}}}"),
    "msup": (2, lambda _, p: f"{p[0]}^{{{p[1]}}}"),
    "msub": (2, lambda _, p: f"{p[0]}_{{{p[1]}}}"),
    "msubsup": (3, lambda _, p: f"{p[0]}_{{{p[1]}}}^{{{p[2]}}}"),
    "munderover": (3, lambda _, p: f"{p[0]}_{{{p[1]}}}^{{{p[2]}}}"),
    "munder": (2, _under),
    "mover": (2, _over),
    "msqrt": (1, lambda _, p: rf"\sqrt{{{''.join(p)}}}"),
    "mroot": (2, lambda _, p: rf"\sqrt[{p[1]}]{{{p[0]}}}"),
    "mfenced": (0, _fenced),
    "mtable": (1, _table),
    "mtr": (1, lambda _, p: " & ".join(p)),
    "semantics": (1, lambda _, p: p[0]),
}
