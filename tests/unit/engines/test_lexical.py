"""Skipping rows that cannot win never changes who wins."""

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


@pytest.mark.requirement("ENG-16")
@pytest.mark.parametrize("limit", [1, 10, 70])
@pytest.mark.parametrize("listed", [50, 500, 4000])
@pytest.mark.parametrize(
    "terms",
    [
        ("w0", "w1"),
        ("w0", "w30", "w350"),
        ("w2", "w200", "w201", "w202"),
        ("w50", "w60", "w70", "w80", "w90"),
        ("w399",),
        ("w0", "unknown"),
        ("unknown",),
    ],
)
def test_the_best_rows_are_those_of_scoring_every_row(
    connection: apsw.Connection,
    monkeypatch: pytest.MonkeyPatch,
    terms: tuple[str, ...],
    listed: int,
    limit: int,
) -> None:
    monkeypatch.setattr(lexical, "_LISTED_MOST", listed)
    monkeypatch.setattr(lexical, "_SCORED", 20)
    want: Wanted = wanted(Query(text="", terms=terms))
    plain = lexical._hits(connection, (1, WHOLE), (want, None), limit)
    quick = lexical.lexical(connection, (1, WHOLE), want, limit)
    assert [hit.passage_id for hit in quick] == [hit.passage_id for hit in plain]
    assert [hit.score for hit in quick] == [hit.score for hit in plain]
