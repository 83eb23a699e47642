"""Skipping rows that can hardly win hardly changes who wins."""

from collections.abc import Iterator
from pathlib import Path

import apsw
import numpy as np
import pytest

from commonplace.domain.query import Query
from commonplace.domain.scope import Selection
from commonplace.engines.analysis import Wanted, wanted
from commonplace.engines.sqlite import lexical, schema

WHOLE = Selection(project="default")
ROWS = 3000


@pytest.fixture(scope="module")
def connection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[apsw.Connection]:
    """A lexicon whose words are as unevenly frequent as those of a language."""
    folder: Path = tmp_path_factory.mktemp("lexical")
    made = apsw.Connection(str(folder / "index.db"))
    schema.migrate(made, "index.db")
    made.execute("BEGIN")
    made.execute("INSERT INTO projects (name, passages) VALUES ('default', ?)", (ROWS,))
    schema.create_lexicon(made, 1)
    random = np.random.default_rng(4)
    frequency = 1 / np.arange(1, 401)
    for row in range(1, ROWS + 1):
        drawn = random.choice(400, random.integers(5, 60), p=frequency / frequency.sum())
        body = " ".join(f"w{word}" for word in drawn)
        made.execute(
            "INSERT INTO passages VALUES "
            "(?, 1, 1, ?, ?, 0, 0, 'prose', 0, NULL, NULL, NULL, '', '')",
            (row, f"p{row:05d}", row),
        )
        made.execute("INSERT INTO lexicon_1 VALUES ('', '', ?, '')", (body,))
    made.execute("COMMIT")
    yield made
    made.close()


QUERIES = [
    ("w0", "w1"),
    ("w0", "w30", "w350"),
    ("w2", "w200", "w201", "w202"),
    ("w50", "w60", "w70", "w80", "w90"),
    ("w399",),
    ("w0",),
    ("w0", "unknown"),
    ("unknown",),
]


def both(
    connection: apsw.Connection, terms: tuple[str, ...], limit: int
) -> tuple[dict[str, float], dict[str, float]]:
    want: Wanted = wanted(Query(text="", terms=terms))
    plain = lexical._hits(connection, (1, WHOLE), (want, None), limit)
    quick = lexical.lexical(connection, (1, WHOLE), want, limit)
    return {h.passage_id: h.score for h in plain}, {h.passage_id: h.score for h in quick}


@pytest.mark.requirement("ENG-16")
@pytest.mark.parametrize("limit", [1, 10, 70])
@pytest.mark.parametrize("terms", QUERIES)
def test_as_long_as_all_rows_are_scored_nothing_is_left_out(
    connection: apsw.Connection,
    monkeypatch: pytest.MonkeyPatch,
    terms: tuple[str, ...],
    limit: int,
) -> None:
    monkeypatch.setattr(lexical, "_SCORED", ROWS)
    monkeypatch.setattr(lexical, "_LISTED_LEAST", ROWS)
    plain, quick = both(connection, terms, limit)
    assert list(plain.items()) == list(quick.items())


@pytest.mark.requirement("ENG-17")
def test_scoring_a_few_hundred_rows_finds_nearly_all_of_the_best_ten(
    connection: apsw.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lexical, "_LISTED_LEAST", ROWS)
    shares = []
    for terms in QUERIES:
        plain, quick = both(connection, terms, 10)
        assert all(plain[row] == quick[row] for row in plain.keys() & quick.keys())
        shares.append(len(plain.keys() & quick.keys()) / len(plain) if plain else 1.0)
    assert sum(shares) / len(shares) >= 0.9


@pytest.mark.requirement("ENG-17")
def test_common_words_are_left_out_beside_rare_ones_and_used_alone(
    connection: apsw.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lexical, "_LISTED_LEAST", 100)
    _, beside = both(connection, ("w0", "w350"), 10)
    _, rare = both(connection, ("w350",), 10)
    assert beside == rare
    plain, alone = both(connection, ("w0",), 10)
    assert plain == alone
