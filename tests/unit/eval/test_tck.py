"""The TCK program: scenarios read, set up, judged."""

from pathlib import Path

import pytest

from eval.tck.__main__ import run, table
from eval.tck.features import read_features

FEATURE = '''
Feature: Sample - made for this test

  Background:
    Given any graph

  Scenario: [1] Right
    Given an empty graph
    And having executed:
      """
      CREATE (a:A {name: 'x', n: 1})-[:T {w: 2}]->(:B), (a)-[:T]->(:B)
      """
    And parameters are:
      | p | 1 |
    When executing query:
      """
      MATCH p = (a:A {n: $p})-[r:T]->(b) RETURN a, p ORDER BY r.w
      """
    Then the result should be, in order:
      | a                      | p                                             |
      | (:A {name: 'x', n: 1}) | <(:A {name: 'x', n: 1})-[:T {w: 2}]->(:B)>    |
      | (:A {name: 'x', n: 1}) | <(:A {name: 'x', n: 1})-[:T]->(:B)>           |
    And no side effects

  Scenario Outline: [2] Filled in
    When executing query:
      """
      RETURN <value> AS x
      """
    Then the result should be, in any order:
      | x        |
      | <result> |

    Examples:
      | value  | result |
      | 1 + 1  | 2      |
      | 1 + 1  | 3      |
      | 2.0    | 2      |

  Scenario: [3] An error
    When executing query:
      """
      RETURN x
      """
    Then a SyntaxError should be raised at compile time: UndefinedVariable

  Scenario: [4] Another error
    When executing query:
      """
      RETURN 1 +
      """
    Then a SyntaxError should be raised at compile time: UndefinedVariable

  Scenario: [5] It writes
    When executing query:
      """
      CREATE (n)
      """
    Then the result should be empty
'''


@pytest.mark.requirement("CYP-15")
@pytest.mark.parametrize("engine", ["memory", "sqlite"])
async def test_right_and_wrong_are_told_apart(tmp_path: Path, engine: str) -> None:
    folder = tmp_path / "clauses" / "sample"
    folder.mkdir(parents=True)
    (folder / "Sample1.feature").write_text(FEATURE, "utf-8")
    every = list(read_features(tmp_path))
    reading = [one for one in every if one.reads]
    assert (len(every), len(reading)) == (7, 6)
    found = await run(reading, engine)
    assert [not why for why in found.values()] == [True, True, False, False, True, False]
    assert "| clauses/sample | 6 | 3 | 0.500 |" in table(reading, found)
