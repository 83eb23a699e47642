"""Signs of MathML and what LaTeX calls them."""

from collections.abc import Mapping

SIGNS: Mapping[str, str] = {
    "∑": r"\sum", "∏": r"\prod", "∐": r"\coprod", "∫": r"\int", "∬": r"\iint", "∭": r"\iiint",
    "∮": r"\oint", "∞": r"\infty", "√": r"\sqrt", "∂": r"\partial", "∇": r"\nabla",
    "≤": r"\le", "≥": r"\ge", "≠": r"\ne", "≈": r"\approx", "≡": r"\equiv", "∼": r"\sim",
    "≃": r"\simeq", "≅": r"\cong", "∝": r"\propto", "≪": r"\ll", "≫": r"\gg", "≺": r"\prec",
    "≻": r"\succ", "∈": r"\in", "∉": r"\notin", "∋": r"\ni", "⊂": r"\subset", "⊃": r"\supset",
    "⊆": r"\subseteq", "⊇": r"\supseteq", "∪": r"\cup", "∩": r"\cap", "⋃": r"\bigcup",
    "⋂": r"\bigcap", "∖": r"\setminus", "∅": r"\emptyset", "∀": r"\forall", "∃": r"\exists",
    "∄": r"\nexists", "¬": r"\neg", "∧": r"\wedge", "∨": r"\vee", "⊕": r"\oplus",
    "⊗": r"\otimes", "⊥": r"\perp", "∥": r"\parallel", "∣": r"\mid", "⊢": r"\vdash",
    "⊨": r"\models", "→": r"\to", "←": r"\leftarrow", "↔": r"\leftrightarrow", "↦": r"\mapsto",
    "⇒": r"\Rightarrow", "⇐": r"\Leftarrow", "⇔": r"\Leftrightarrow", "⟹": r"\implies",
    "⟺": r"\iff", "↑": r"\uparrow", "↓": r"\downarrow", "⟶": r"\longrightarrow",
    "×": r"\times", "÷": r"\div", "·": r"\cdot", "⋅": r"\cdot", "∗": "*", "∘": r"\circ",
    "±": r"\pm", "∓": r"\mp", "…": r"\dots", "⋯": r"\cdots", "⋮": r"\vdots", "⋱": r"\ddots",
    "⌊": r"\lfloor", "⌋": r"\rfloor", "⌈": r"\lceil", "⌉": r"\rceil", "⟨": r"\langle",
    "⟩": r"\rangle", "〈": r"\langle", "〉": r"\rangle", "‖": r"\|", "∠": r"\angle", "°": r"^\circ",
    "ℏ": r"\hbar", "ℓ": r"\ell", "ℜ": r"\Re", "ℑ": r"\Im", "ℵ": r"\aleph", "†": r"\dagger",
    "α": r"\alpha", "β": r"\beta", "γ": r"\gamma", "δ": r"\delta", "ε": r"\epsilon",
    "ϵ": r"\epsilon", "ζ": r"\zeta", "η": r"\eta", "θ": r"\theta", "ϑ": r"\vartheta",
    "ι": r"\iota", "κ": r"\kappa", "λ": r"\lambda", "μ": r"\mu", "µ": r"\mu", "ν": r"\nu",
    "ξ": r"\xi", "π": r"\pi", "ρ": r"\rho", "σ": r"\sigma", "ς": r"\varsigma", "τ": r"\tau",
    "υ": r"\upsilon", "φ": r"\phi", "ϕ": r"\phi", "χ": r"\chi", "ψ": r"\psi", "ω": r"\omega",
    "Γ": r"\Gamma", "Δ": r"\Delta", "Θ": r"\Theta", "Λ": r"\Lambda", "Ξ": r"\Xi", "Π": r"\Pi",
    "Σ": r"\Sigma", "Υ": r"\Upsilon", "Φ": r"\Phi", "Ψ": r"\Psi", "Ω": r"\Omega",
    "ℝ": r"\mathbb{R}", "ℕ": r"\mathbb{N}", "ℤ": r"\mathbb{Z}", "ℚ": r"\mathbb{Q}",
    "ℂ": r"\mathbb{C}", "ℙ": r"\mathbb{P}", "𝔼": r"\mathbb{E}", "ℒ": r"\mathcal{L}",
    "ℋ": r"\mathcal{H}", "ℱ": r"\mathcal{F}", "𝒪": r"\mathcal{O}",
    "−": "-", "′": "'", "″": "''", "{": r"\{", "}": r"\}", "%": r"\%", "#": r"\#", "&": r"\&",
    "\u2061": "", "\u2062": "", "\u2063": "", "\u2064": "", "\u00a0": " ", "\u2009": "",
}  # fmt: skip
NAMED = frozenset(
    {"sin", "cos", "tan", "cot", "sec", "csc", "arcsin", "arccos", "arctan", "sinh", "cosh"}
    | {"tanh", "log", "ln", "lg", "exp", "lim", "max", "min", "det", "gcd", "sup", "inf", "arg"}
    | {"dim", "ker", "deg", "hom", "Pr", "liminf", "limsup"}
)
# Operators whose limits stand above and below.
BIG = frozenset(
    {r"\sum", r"\prod", r"\coprod", r"\int", r"\iint", r"\iiint", r"\oint", r"\bigcup", r"\bigcap"}
)
ACCENTS: Mapping[str, str] = {
    "^": "hat", "ˆ": "hat", "\u0302": "hat", "¯": "bar", "‾": "bar", "\u0304": "bar", "―": "bar",
    "_": "overline", r"\to": "vec", "→": "vec", "\u20d7": "vec", "˙": "dot", "\u0307": "dot",
    "¨": "ddot", "~": "tilde", "˜": "tilde", r"\sim": "tilde", "ˇ": "check", "˘": "breve",
    "⏞": "overbrace", "︷": "overbrace", "⏠": "overbrace",
}  # fmt: skip
UNDER_ACCENTS: Mapping[str, str] = {
    "_": "underline", "¯": "underline", "‾": "underline", "̲": "underline",
    "⏟": "underbrace", "︸": "underbrace",
}  # fmt: skip
VARIANTS: Mapping[str, str] = {
    "bold": "mathbf", "bold-italic": "mathbf", "double-struck": "mathbb", "script": "mathcal",
    "bold-script": "mathcal", "fraktur": "mathfrak", "sans-serif": "mathsf", "monospace": "mathtt",
}  # fmt: skip
# Brackets around a table, and the environment that draws them; an empty one stands for none.
FENCED_TABLES: Mapping[tuple[str, str], str] = {
    ("(", ")"): "pmatrix", ("[", "]"): "bmatrix", ("|", "|"): "vmatrix", (r"\|", r"\|"): "Vmatrix",
    (r"\{", r"\}"): "Bmatrix", (r"\{", ""): "cases",
}  # fmt: skip
