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


JAPANESE = "これは日本語の文書です。索引は検索のために作られる。"
CHINESE = "这是一个中文文档。索引用于搜索，保存在数据库文件中。"
TAIWANESE = "這是一個中文文件。索引用於搜尋，儲存在資料庫檔案中。"
KOREAN = "이것은 한국어 문서입니다. 색인은 검색을 위해 만들어집니다."
RUSSIAN = "Это документ на русском языке. Индекс нужен для поиска."
GREEK = "Αυτό είναι ένα έγγραφο στα ελληνικά. Το ευρετήριο χρειάζεται."


@pytest.mark.requirement("PAR-38")
@pytest.mark.parametrize(
    ("text", "charset", "name"),
    [
        (JAPANESE, "shift_jis", "Shift_JIS"),
        (JAPANESE, "euc_jp", "EUC-JP"),
        (CHINESE, "gbk", "GB18030"),
        (TAIWANESE, "big5", "Big5"),
        (KOREAN, "euc_kr", "EUC-KR"),
        (RUSSIAN, "koi8-r", "KOI8-R"),
        (RUSSIAN, "cp1251", "Windows-1251"),
        (GREEK, "cp1253", "Windows-1253"),
    ],
)
def test_scripts_are_recognised_by_their_letters(text: str, charset: str, name: str) -> None:
    for written in (text, f"# README\n\n{text}\n\n    make setup\n"):
        decoded = decode(written.encode(charset))
        assert decoded.text == written
        assert decoded.warnings == (
            f"not UTF-8: read as {name}; save the file as UTF-8 to be sure",
        )


@pytest.mark.requirement("PAR-38")
@pytest.mark.parametrize(
    "text",
    [
        "Die Größe der Straße beträgt fünf Meter. Über allen Gipfeln ist Ruh.",
        "Où êtes-vous ? À l’été, le garçon naïf a mangé des œufs — « bien sûr ».",
        "El niño pidió una piña; ¿cuánto costó? Mañana será otro día.",
        "Æblegrød på øen, og smørrebrød til frokost.",
        "ÄÖÜ äöü ß ÄÖÜ äöü ß",
        "Ø Å Æ",
    ],
)
def test_western_text_stays_western(text: str) -> None:
    assert decode(text.encode("cp1252")).text == text


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
