"""Pages that are moved to another home keep all that is known of them."""

from pathlib import Path

import pytest

from commonplace.serve.transfer import export_project, import_project
from tests.unit.tools.web.webbing import open_web


@pytest.mark.requirement("WEB-22")
async def test_pages_are_exported_with_their_times_validators_links_and_images(
    tmp_path: Path,
) -> None:
    async with (
        open_web(tmp_path / "here") as (here, site),
        open_web(tmp_path / "there") as (there, _),
    ):
        site.serve("/moved", status=301, location="/telescopes")
        await here.call("web.ingest", url=[site.url("/"), site.url("/moved")])
        lines = [line async for line in export_project(here.app.store, "default")]
        assert await import_project(there.app.writer, lines, lambda *_: None) == ("default", 2)
        assert [line async for line in export_project(there.app.store, "default")] == lines
        before = await here.call("web.status")
        after = await there.call("web.status")
        rows = [{**row, "read_in_session": True} for row in after["pages"]]
        assert rows == before["pages"]
        site.asked.clear()
        told = await there.call(
            "web.answer", url=site.url("/moved"), query="large refractor", expansion_budget=0
        )
        assert site.asked == [], "what was fetched elsewhere is young enough here"
        assert told["sources"][0]["url"] == site.url("/telescopes")
        site.serve("/telescopes", status=304)
        again = await there.call("web.ingest", url=site.url("/telescopes"), max_age=0)
        assert again["pages"][0]["was_indexed"] is True
        assert site.asked[-1].headers["if-none-match"] == '"/telescopes"'


@pytest.mark.requirement("WEB-22")
async def test_a_line_that_is_no_page_is_refused_by_its_number(tmp_path: Path) -> None:
    async with open_web(tmp_path) as (library, site):
        await library.call("web.ingest", url=site.url("/visit"))
        lines = [line async for line in export_project(library.app.store, "default")]
        lines[-1] = '{"page": {"url": "x"}}\n'
        with pytest.raises(Exception, match=rf"line {len(lines)}: not a source, document or page"):
            await import_project(library.app.writer, lines, lambda *_: None)
