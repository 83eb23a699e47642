"""What the doctor says of parts that are only needed when a setting asks for them."""

from pathlib import Path

import pytest

from commonplace.serve.doctor import examine
from commonplace.settings import Settings


@pytest.mark.requirement("CLI-29")
async def test_a_browser_that_is_asked_for_and_missing_is_told(tmp_path: Path) -> None:
    asked = Settings(home=tmp_path, web_render="auto", web_chromium="/nowhere/chromium")
    (finding,) = [one for one in await examine(asked) if one.about == "rendering"]
    assert (finding.state, finding.fix) == ("warn", "install Chromium or name it in web_chromium")
    there = asked.model_copy(update={"web_chromium": "/bin/true"})
    (finding,) = [one for one in await examine(there) if one.about == "rendering"]
    assert (finding.state, finding.detail) == ("ok", "/bin/true")
    assert all(one.about != "rendering" for one in await examine(Settings(home=tmp_path)))


@pytest.mark.requirement("CLI-29")
async def test_an_index_that_cannot_be_opened_is_not_called_damaged(tmp_path: Path) -> None:
    (tmp_path / "index.db").mkdir()
    (finding,) = [one for one in await examine(Settings(home=tmp_path)) if one.about == "index"]
    assert finding.state == "fail"
    assert "cannot be opened" in finding.detail
    assert "readable and writable" in finding.fix
