"""Recognising text in pictures of pages: which engine, which languages, and what is missing.

The engine is Tesseract, through ``tesserocr`` (the extra ``ocr``); its language files come from
the system or from a folder that is set.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from commonplace.domain.document import Recognition
from commonplace.domain.errors import ParseError

SCANNED = "scanned_pages"
"""The attribute of documents with pages that are scans, recognised or not."""
DPI = 300
"""What Tesseract's models were trained for."""
_TIMEOUT_MS = 20_000  # of a page; an ordinary one takes two seconds
_SUFFIX = ".traineddata"
_FOLDERS = (
    "/usr/share/tesseract-ocr/*/tessdata",
    "/usr/share/tessdata",
    "/usr/share/tesseract/tessdata",
    "/usr/local/share/tessdata",
    "/opt/homebrew/share/tessdata",
    "/opt/local/share/tessdata",
)
# ISO 639 and the names catalogues use, to the names of Tesseract's files.
_LANGUAGES = {
    "eng": "en english englisch",
    "deu": "de ger german deutsch",
    "fra": "fr fre french français",
    "spa": "es spanish español",
    "ita": "it italian italiano",
    "por": "pt portuguese português",
    "nld": "nl dut dutch nederlands",
    "swe": "sv swedish svenska",
    "dan": "da danish dansk",
    "nor": "no nb nn nob nno norwegian norsk",
    "fin": "fi finnish suomi",
    "pol": "pl polish polski",
    "ces": "cs cze czech čeština",
    "hun": "hu hungarian magyar",
    "ron": "ro rum romanian română",
    "ell": "el gre greek",
    "rus": "ru russian русский",
    "ukr": "uk ukrainian",
    "tur": "tr turkish türkçe",
    "lat": "la latin",
    "ara": "ar arabic",
    "heb": "he hebrew",
    "hin": "hi hindi",
    "jpn": "ja japanese 日本語",
    "kor": "ko korean 한국어",
    "chi_sim": "zh zh-cn zh-hans chi zho chinese 中文",
    "chi_tra": "zh-tw zh-hant",
    "vie": "vi vietnamese",
}
_CODES = {name: code for code, names in _LANGUAGES.items() for name in (code, *names.split())}


@dataclass(frozen=True, slots=True)
class Picture:
    """A page as grey dots, rows from the top."""

    dots: bytes
    width: int
    height: int
    stride: int


@dataclass(frozen=True, slots=True)
class Written:
    """A line that was recognised; places in dots from the top left."""

    text: str
    left: int
    right: int
    baseline: int
    height: float
    confidence: float
    """From 0 to 1."""


def code_of(language: str) -> str:
    """The engine's name of a language, as catalogues and people write it; empty if unknown.

    >>> code_of("en-US"), code_of("Deutsch"), code_of("deu"), code_of("Klingon")
    ('eng', 'deu', 'deu', '')
    """
    told = language.strip().lower().replace("_", "-")
    whole = _CODES.get(told) or _CODES.get(told.replace("-", "_"))
    return whole or _CODES.get(told.partition("-")[0], "")


def _folder(named: str) -> Path | None:
    if named:
        folder = Path(named).expanduser()
        return folder if any(folder.glob(f"*{_SUFFIX}")) else None
    for pattern in _FOLDERS:
        for folder in sorted(Path("/").glob(pattern[1:]), reverse=True):
            if any(folder.glob(f"*{_SUFFIX}")):
                return folder
    return None


def can_recognize(recognition: Recognition) -> bool:
    """Whether the engine and some language are there."""
    return find_spec("tesserocr") is not None and _folder(recognition.folder) is not None


def choose(recognition: Recognition, catalogued: str) -> tuple[str, ...]:
    """The engine's languages: the catalogue's, else those asked for; ParseError tells the fix.

    A wrong language costs a twelfth of the characters, so one the catalogue tells stands alone.
    """
    if find_spec("tesserocr") is None:
        raise ParseError("to recognise them: pip install 'commonplace[ocr]', then sync again")
    folder = _folder(recognition.folder)
    if folder is None:
        raise ParseError(
            "to recognise them install language files, such as tesseract-ocr-eng of Debian, or "
            "name their folder in ocr_folder; then sync again"
        )
    there = {file.name.removesuffix(_SUFFIX) for file in folder.glob(f"*{_SUFFIX}")}
    wishes = ((catalogued,), recognition.languages)
    for wish in wishes:
        codes = tuple(dict.fromkeys(code for one in wish if (code := code_of(one)) in there))
        if codes:
            return codes
    wanted = ", ".join(filter(None, (catalogued, *recognition.languages))) or "no language"
    raise ParseError(
        f"no language file for {wanted} in {folder}; there are {', '.join(sorted(there))}: "
        "install one, or set ocr_languages"
    )


@lru_cache(maxsize=2)
def _engine(codes: tuple[str, ...], named: str) -> Any:  # noqa: ANN401 - it tells no types
    import tesserocr  # noqa: PLC0415 - an extra, loaded when a scan is met

    return tesserocr.PyTessBaseAPI(
        path=str(_folder(named)), lang="+".join(codes), psm=tesserocr.PSM.AUTO
    )


def recognize(picture: Picture, codes: Sequence[str], folder: str = "") -> Iterator[Written]:
    """The lines of a page in the order they are read; raises ParseError when it takes too long."""
    import tesserocr  # noqa: PLC0415 - as above

    engine = _engine(tuple(codes), folder)
    engine.SetImageBytes(picture.dots, picture.width, picture.height, 1, picture.stride)
    engine.SetSourceResolution(DPI)
    try:
        if not engine.Recognize(_TIMEOUT_MS):
            raise ParseError(f"recognising it took more than {_TIMEOUT_MS // 1000} s")
        level = tesserocr.RIL.TEXTLINE
        for line in tesserocr.iterate_level(engine.GetIterator(), level):
            if line.Empty(level):
                continue
            left, top, right, bottom = line.BoundingBox(level)
            base = line.Baseline(level)
            rows = line.RowAttributes()
            yield Written(
                text=line.GetUTF8Text(level),
                left=left,
                right=right,
                baseline=round((base[0][1] + base[1][1]) / 2) if base else bottom,
                height=float(rows["row_height"]) or float(bottom - top),
                confidence=line.Confidence(level) / 100,
            )
    finally:
        engine.Clear()
