"""What is cut is cut between words, and says so."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from commonplace.domain.clip import clip
from commonplace.languages import csharp, go, java, javascript, python, sql, typescript


def is_word(char: str) -> bool:
    return char.isalnum() or char == "_"


@pytest.mark.requirement("CODE-T32")
@given(
    words=st.lists(st.sampled_from(["of", "order_lines", "9", "=", "(", ",", '"é"']), max_size=12),
    most=st.integers(2, 40),
)
@example(words=["=", "order_lines"], most=4)
def test_a_line_is_cut_between_words(words: list[str], most: int) -> None:
    line = " ".join(words)
    made = clip(line, most)
    assert len(made) <= most
    if made == line:
        return
    assert made.endswith("…")
    kept = made[:-1]
    assert line.startswith(kept)
    is_cut = bool(kept) and is_word(kept[-1]) and is_word(line[len(kept)])
    assert not is_cut or len(re.findall(r"\w+", kept)) == 1, "only the first word may be too long"


LONG = ", ".join(f'"some_value_of_number_{number}"' for number in range(30))
PARAMETERS = ", ".join(f"some_parameter_{number}" for number in range(30))


@pytest.mark.requirement("CODE-T32")
@pytest.mark.parametrize(
    ("language", "text", "name"),
    [
        (python, f"VALUES = [{LONG}]\n", "VALUES"),
        (python, f"def take({PARAMETERS}):\n    pass\n", "take"),
        (javascript, f"export function take({PARAMETERS}) {{}}\n", "take"),
        (typescript, f"export const VALUES = [{LONG}]\n", "VALUES"),
        (typescript, f"class A {{ take({PARAMETERS}) {{}} }}\n", "take"),
        (go, f"package a\nfunc take({PARAMETERS} int) {{}}\n", "take"),
        (java, f"class A {{ void take({PARAMETERS.replace('some', 'int some')}) {{}} }}\n", "take"),
        (csharp, f"class A {{ void take({PARAMETERS.replace('some', 'int some')}) {{}} }}", "take"),
        (sql, f"CREATE TABLE t (v varchar(9) CHECK (v IN ({LONG})));", "v"),
        (sql, f"CREATE VIEW v AS SELECT {PARAMETERS} FROM t;", "v"),
    ],
)
def test_no_signature_ends_in_a_word(language: object, text: str, name: str) -> None:
    facts = language.extract(text, "a.x")  # type: ignore[attr-defined]
    (symbol,) = [one for one in facts.symbols if one.name == name]
    kept = symbol.signature.removesuffix("…")
    assert re.search(re.escape(kept) + r"(?!\w)" * is_word(kept[-1]), " ".join(text.split()))
