"""Mapper files of MyBatis as facts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import commonplace.languages
from commonplace.catalog import collect
from commonplace.languages.base import Language
from commonplace.languages.mybatis import extract
from commonplace.parsers.code import PARSER
from commonplace.sql.scripted import statements, tags

_PIECES = st.sampled_from(
    [
        *("<mapper namespace='a.B'>", "</mapper>", "<select id='x'>", "</select>", "<where>"),
        *("</where>", "<choose>", "<when test='a'>", "</when>", "</choose>", "SELECT a FROM t"),
        *("<!--", "-->", "<", "<![CDATA[ a < b ]]>", "#{a}", "${b}", "<include refid='x'/>"),
        *("<sql id='x'>", "&lt;", "é"),
    ]
)


@pytest.mark.requirement("XL-S15")
def test_a_statement_is_told_with_its_method_and_its_place() -> None:
    text = """<?xml version='1.0'?>
<mapper namespace='a.B'>
<select id='one'>
SELECT 1
</select></mapper>"""
    facts = extract(text, "BMapper.xml")
    (call,) = facts.calls
    assert (facts.namespace, call.arguments) == (
        "a.B",
        (("text", ("one",)), ("text", ("SELECT 1",))),
    )
    assert (call.at.line, call.at.end_line) == (3, 5)


@pytest.mark.requirement("XL-S15")
def test_tags_that_trim_leave_a_statement_that_can_be_read() -> None:
    text = """INSERT INTO t
    <trim prefix="(" suffix=")" suffixOverrides=",">a, <if test="b">b,</if></trim>
    <selectKey>SELECT 1</selectKey> VALUES (<![CDATA[#{a}]]>, #{b})"""
    (said,) = statements(tags(text), {})
    assert " ".join(said.split()) == "INSERT INTO t ( a, b ) VALUES (?, ?)"


@pytest.mark.requirement("XL-A04")
@given(st.lists(_PIECES, max_size=12))
def test_no_text_breaks_the_reader(pieces: list[str]) -> None:
    text = "\n".join(pieces)
    facts = extract(text, "AMapper.xml")
    lines = text.count("\n") + 1
    assert all(1 <= one.at.line <= one.at.end_line <= lines for one in facts.calls)


@pytest.mark.requirement("XL-S15")
def test_files_of_every_language_can_be_added() -> None:
    known = {
        kind
        for one in collect(commonplace.languages, Language).values()
        for kind in one.media_types
    }
    assert known <= set(PARSER.media_types)
