"""Each format keeps its structure: ``case.in`` beside ``case.out``; `make golden` rewrites."""

import base64
import os
from pathlib import Path

import pytest

from commonplace.domain.media import SUFFIXES
from commonplace.split.prose import split_prose
from commonplace.tokens import token_counter
from tests.golden.reading import card_of, dump, read

HERE = Path(__file__).parent
CASES = sorted(HERE.glob("*/*.in"))
REWRITES = os.environ.get("COMMONPLACE_GOLDEN") == "write"  # noqa: TID251 - the switch of `make golden`
FORMATS = {"markdown": "md", "text": "txt", "rst": "rst", "html": "html"} | {
    "docx": "docx",
    "notebook": "ipynb",
}
TARGET = 48  # small, so that short cases show where passages end


@pytest.mark.requirement("PAR-15")
@pytest.mark.parametrize("case", CASES, ids=[f"{c.parent.name}/{c.stem}" for c in CASES])
def test_a_case_gives_the_structure_kept_beside_it(case: Path) -> None:
    suffix = FORMATS[case.parent.name]
    assert f".{suffix}" in SUFFIXES
    content = case.read_bytes()
    if suffix == "docx":
        content = base64.b64decode(content)
    name = f"{case.stem}.{suffix}"
    document = read(name, content)
    count = token_counter("cl100k_base")
    passages = split_prose(document, card_of(name, document), count, TARGET)
    found = dump(document, passages)
    kept = case.with_suffix(".out")
    if REWRITES:
        kept.write_text(found, "utf-8")
    assert found == kept.read_text("utf-8"), "run `make golden` and read the diff"


@pytest.mark.requirement("PAR-15")
def test_every_format_has_a_case() -> None:
    assert {case.parent.name for case in CASES} == set(FORMATS)
