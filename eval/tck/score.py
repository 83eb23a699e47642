"""One scenario through the graph port of an engine: passed, or what went wrong."""

import re
from dataclasses import replace

from commonplace.cypher.faults import CompileFault, QueryFault
from commonplace.cypher.guard import Limits
from commonplace.cypher.reading import Answer, Inquiry
from commonplace.domain.errors import CommonplaceError
from commonplace.domain.scope import Selection
from commonplace.engines.base import Store
from eval.tck.expected import form, read_cell, unordered, value_of
from eval.tck.features import Scenario
from eval.tck.setup import build, stored

_LIMITS = Limits(timeout_s=20.0, rows=10_000)
_ID = re.compile(r"\bid\b(?!\()")


def renamed(scenario: Scenario) -> Scenario:
    """Every property ``id`` under another name, in data, query and table: ours is the store's."""

    def change(text: str) -> str:
        return _ID.sub("id_", text)

    return replace(
        scenario,
        setup=[change(one) for one in scenario.setup],
        query=change(scenario.query),
        header=[change(one) for one in scenario.header],
        rows=[[change(cell) for cell in row] for row in scenario.rows],
    )


async def judge(store: Store, project: str, scenario: Scenario, trees: dict[str, str]) -> str:
    """Empty when it passed, else why not. ``trees``: the TCK's named graphs as statements."""
    scenario = renamed(scenario)
    setup = [trees[scenario.graph], *scenario.setup] if scenario.graph in trees else scenario.setup
    nodes, edges = stored(build(setup), project)
    await store.graph.merge(nodes, edges)
    inquiry = Inquiry(
        text=scenario.query,
        parameters={key: value_of(read_cell(one)) for key, one in scenario.parameters.items()},
        limits=_LIMITS,
    )
    try:
        answer = await store.graph.query(Selection(project=project), inquiry)
    except CommonplaceError as exc:
        return _judge_error(scenario, exc)
    if scenario.error is not None:
        return f"no error, expected {' '.join(scenario.error)}"
    return _judge_rows(scenario, answer)


def _judge_error(scenario: Scenario, exc: CommonplaceError) -> str:
    if scenario.error is None:
        return f"error: {exc.message}"
    _, phase, detail = scenario.error
    kind = exc.kind if isinstance(exc, QueryFault) else exc.code
    if detail not in ("*", kind):
        return f"error {kind}, expected {detail}"
    if phase == "compile time" and not isinstance(exc, CompileFault):
        return f"error {kind} only at run time"
    return ""


def _judge_rows(scenario: Scenario, answer: Answer) -> str:
    if sorted(answer.columns) != sorted(scenario.header) and (scenario.header or answer.rows):
        return f"columns {answer.columns}, expected {scenario.header}"
    places = [answer.columns.index(name) for name in scenario.header] if answer.rows else []
    found = [tuple(form(row[place]) for place in places) for row in answer.rows]
    wanted = [tuple(read_cell(cell) for cell in row) for row in scenario.rows]
    if scenario.ignores_list_order:
        found = [tuple(map(unordered, row)) for row in found]
        wanted = [tuple(map(unordered, row)) for row in wanted]
    if not scenario.is_ordered:
        found, wanted = sorted(found, key=repr), sorted(wanted, key=repr)
    # 1 equals 1.0 in Python; the TCK tells them apart, so the forms are compared as text.
    if repr(found) == repr(wanted):
        return ""
    return f"rows {found[:3]}, expected {wanted[:3]}"
