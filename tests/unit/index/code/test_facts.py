"""Facts as bytes, and marks that know a moved symbol again."""

from dataclasses import fields

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonplace.domain.code import Facts
from commonplace.domain.errors import ParseError
from commonplace.domain.media import CODE_SUFFIXES
from commonplace.index.code.extract import MINIFIED, marks_of, read_facts
from commonplace.index.code.facts import Kept, Record, decode, encode, fold
from commonplace.languages import language_for

PYTHON = language_for("text/x-python")
SAMPLE = '''
import os as system
from . import thing


class A(Base, metaclass=Meta):
    """Doc."""

    x: int = 1

    @deco(1)
    async def f(self, a, *b, c: str = "d", **e) -> "A":
        with open(f"{a}/x") as file:
            return [g(one) for one in file if self.x]


cursor.execute("SELECT name FROM users WHERE id = " + str(key))
'''


def record(facts: Facts, marks: list[int] | None = None) -> Record:
    return Record(source_id="s", path="a.py", content_hash="h", facts=facts, marks=marks or [])


def same(one: Facts, other: Facts) -> bool:
    return all(getattr(one, f.name) == getattr(other, f.name) for f in fields(Facts))


@pytest.mark.requirement("CIX-06")
@pytest.mark.parametrize("times", [1, 60], ids=["as they are", "compressed"])
def test_facts_are_read_back_as_they_were_and_unpacked_late(times: int) -> None:
    assert PYTHON is not None
    text = SAMPLE * times
    facts = PYTHON.extract(text, "a.py")
    marks = marks_of(text, facts.symbols)
    packed = encode(record(facts, marks))
    assert (b"cursor" in packed) == (times == 1)
    read = decode(packed)
    assert (read.source_id, read.path, list(read.marks)) == ("s", "a.py", marks)
    assert isinstance(read.facts, Kept)
    assert read.facts.call_count == len(facts.calls)
    assert same(read.facts, facts)
    assert type(read.facts.calls[0]) is type(facts.calls[0])
    fold(read.facts)
    assert same(read.facts, facts)
    assert same(decode(encode(record(read.facts))).facts, facts)


@pytest.mark.requirement("CIX-06")
def test_facts_another_version_wrote_are_not_read() -> None:
    for value in (b"", b"\x04\0\0\0abcd", b"not facts at all"):
        with pytest.raises(ParseError):
            decode(value)


@pytest.mark.requirement("CIX-06")
@settings(max_examples=40, deadline=None)
@given(st.sampled_from(sorted(CODE_SUFFIXES)), st.text(max_size=200))
def test_whatever_a_file_holds_its_facts_can_be_kept(suffix: str, text: str) -> None:
    language = language_for(CODE_SUFFIXES[suffix])
    if language is None:
        return
    facts = read_facts(language, text, f"x{suffix}")
    assert len(marks_of(text, facts.symbols)) == len(facts.symbols)
    assert same(decode(encode(record(facts))).facts, facts)


@pytest.mark.requirement("CIX-11")
def test_a_minified_file_is_there_and_not_read() -> None:
    language = language_for("text/javascript")
    assert language is not None
    facts = read_facts(language, "function a(){return b()};" * 20_000, "x.js")
    assert [one.kind for one in facts.symbols] == ["File"]
    assert facts.is_generated
    assert [one.what for one in facts.problems] == [MINIFIED]


@pytest.mark.requirement("CIX-05")
def test_a_mark_depends_on_own_text_and_neither_name_nor_place() -> None:
    assert PYTHON is not None
    body = "def {}(lines):\n    return sum(line.price * line.count for line in lines)\n"
    texts = [
        body.format("total"),
        "x = 1\n\n" + body.format("amount"),
        body.format("t") + "# y\n",
    ]
    marks = []
    for text in texts:
        facts = PYTHON.extract(text, "a.py")
        number = next(n for n, one in enumerate(facts.symbols) if one.kind == "Function")
        marks.append(marks_of(text, facts.symbols)[number])
    assert marks[0] == marks[1]
    assert marks[0] % 2 == 1
