"""Bytes become text that can always be stored."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.domain.encoding import decode


@pytest.mark.requirement("PAR-02")
@pytest.mark.parametrize("charset", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_decides(charset: str) -> None:
    decoded = decode("Grüße 数据 🙂".encode(charset))
    assert decoded.text == "Grüße 数据 🙂"
    assert decoded.warnings == ()


@pytest.mark.requirement("PAR-02")
def test_a_declared_charset_is_believed_when_it_fits() -> None:
    assert decode("Привет".encode("koi8-r"), "koi8-r").text == "Привет"
    assert decode("日本".encode("shift_jis"), "Shift_JIS").text == "日本"


@pytest.mark.requirement("PAR-02")
@pytest.mark.parametrize("charset", ["utf-8", "nonsense", "hex", "punycode", "utf-7", "idna", ""])
def test_a_charset_that_does_not_fit_or_is_none_is_not_believed(charset: str) -> None:
    decoded = decode(b"caf\xe9", charset)
    assert decoded.text == "café"
    assert "Windows-1252" in decoded.warnings[0]


@pytest.mark.requirement("PAR-02")
def test_damaged_utf8_keeps_what_is_sound_and_tells_of_the_rest() -> None:
    decoded = decode("ä ö ü".encode() + b" \xff end")
    assert decoded.text == "ä ö ü \ufffd end"
    assert "1 places" in decoded.warnings[0]


@pytest.mark.requirement("PAR-02")
def test_nul_is_replaced_and_told() -> None:
    decoded = decode(b"a\0b")
    assert decoded.text == "a\ufffdb"
    assert decoded.warnings


@pytest.mark.requirement("PAR-02")
def test_newlines_stay_as_they_are() -> None:
    assert decode(b"a\r\nb\rc\n").text == "a\r\nb\rc\n"


@pytest.mark.requirement("PAR-02")
@given(st.binary(), st.sampled_from([None, "utf-8", "utf-16", "latin-1", "gb18030", "utf-16-le"]))
def test_any_bytes_become_storable_text(content: bytes, charset: str | None) -> None:
    text = decode(content, charset).text
    text.encode("utf-8")
    assert "\0" not in text


@pytest.mark.requirement("PAR-02")
@given(st.text(alphabet=st.characters(exclude_characters="\0", exclude_categories=["Cs"])))
def test_utf8_is_read_exactly(text: str) -> None:
    if not text.startswith("\ufeff"):
        assert decode(text.encode()).text == text
