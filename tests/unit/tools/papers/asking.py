"""What the tests of papers share: two documents, a record, and how they are asked."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.library import Library

PROJECT = "lab/papers"
EVANS = """\
# Domain models in practice

doi:10.1000/ddd.1

## Part I

### Entities

Entities keep their identity while their attributes change. A customer stays the same customer.

### Value objects

Value objects are equal when their attributes are equal. Money is a value object.

## Part II

### Repositories

A repository hides how aggregates are stored and found again.
"""
LEE = """\
# Watering orchards

## Methods

Drip irrigation delivers water at the root. We measured soil moisture every hour for a season.
"""
BIB = """\
@article{evans2003,
  title = {Domain Models in Practice}, author = {Evans, Eric}, year = {2003},
  doi = {10.1000/ddd.1}, keywords = {architecture, design}
}
"""


async def put_in(lab: Library, folder: Path, **options: Any) -> Any:  # noqa: ANN401 - JSON
    told = await lab.call(
        "ingest_from_source", project=PROJECT, source=str(folder), options=options
    )
    assert "error" not in told, told
    return told


async def ask(lab: Library, tool: str = "papers.query", **arguments: Any) -> Any:  # noqa: ANN401
    given = {"project": PROJECT, "text": "identity of entities", **arguments}
    told = await lab.call(tool, **given)
    assert "error" not in told, told
    return told


def with_settings(lab: Library, **chosen: Any) -> Library:  # noqa: ANN401
    app = replace(lab.app, settings=lab.app.settings.model_copy(update=chosen))
    lab.dispatcher.app = app
    return replace(lab, app=app)


class Renamed:
    """The real embedder under a name the index does not know."""

    def __init__(self, inner: Any) -> None:  # noqa: ANN401
        self._inner = inner
        self.model = "another/model"

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        return getattr(self._inner, name)
