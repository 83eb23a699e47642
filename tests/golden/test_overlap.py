"""Seed 000 §4.6.1, case by case: each file holds a question, passages and the quotes expected."""

import json
from pathlib import Path
from typing import Any

import pytest

from commonplace.answer.evidence import QuoteLimits, select_quotes
from commonplace.answer.likelihood import Weigher
from commonplace.answer.overlap import MAX_QUOTE_CHARS
from commonplace.tokens import token_counter
from tests.unit.retrieve.shelf import locate

CASES = sorted((Path(__file__).parent / "overlap").glob("*.json"))
CAPPED = "<500"


def _told(case: Path) -> dict[str, Any]:
    return dict(json.loads(case.read_text("utf-8")))


@pytest.mark.requirement("EVI-07")
@pytest.mark.parametrize("case", CASES, ids=[case.stem for case in CASES])
async def test_a_case_gives_the_quotes_kept_with_it(case: Path) -> None:
    told = _told(case)
    candidates = [locate(str(place), text)[0] for place, text in enumerate(told["passages"])]
    limits = QuoteLimits(
        max_quotes=told["max_quotes"], max_quote_tokens=told["max_quote_tokens"], method="overlap"
    )
    weigher = Weigher(tokens=token_counter("cl100k_base"))
    quotes = await select_quotes(told["question"], candidates, (), limits, weigher)
    found = [[quote.text, round(quote.score, 4)] for quote in quotes]
    if told["quotes"][0][0] == CAPPED:
        assert [score for _, score in found] == [score for _, score in told["quotes"]]
        assert all(0 < len(quote.text) <= MAX_QUOTE_CHARS for quote in quotes)
        assert all(quote.text.endswith("filler line of text") for quote in quotes)
    else:
        assert found == told["quotes"]
