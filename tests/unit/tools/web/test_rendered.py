"""Questions to pages that scripts write, through the tools."""

from pathlib import Path

import pytest

from commonplace.sources.rendering.process import Browser
from tests.unit.tools.web.webbing import open_web

PAGE = """<html><head><title>App</title></head><body><div id=app></div><script>
document.getElementById('app').innerHTML =
  '<h1>Lighthouse</h1><p>The lighthouse was built in ' + (1870 + 1) + ' on the rock.</p>';
</script></body></html>"""
ASK = {"query": "When was the lighthouse built?", "expansion_budget": 0}


@pytest.mark.skipif(not Browser().find(), reason="no Chromium is installed")
@pytest.mark.requirement("WEB-R01")
async def test_an_answer_is_found_in_what_scripts_wrote(tmp_path: Path) -> None:
    chosen = {"web_render": "auto", "web_timeout_s": 40.0, "web_sandbox": False}
    async with open_web(tmp_path, **chosen) as (library, site):
        site.serve("/app", PAGE)
        told = await library.call("web.answer", url=site.url("/app"), **ASK)
        assert "built in 1871 on the rock" in told["evidence"][0]["text"]


@pytest.mark.requirement("WEB-R05")
@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({"web_render": "auto", "web_chromium": "/nowhere/chromium"}, "rendering is off"),
        ({}, 'set web_render = "auto"'),
    ],
)
async def test_a_reply_says_that_scripts_were_not_run(
    chosen: dict[str, str], said: str, tmp_path: Path
) -> None:
    async with open_web(tmp_path, **chosen) as (library, site):
        site.serve("/app", PAGE)
        told = await library.call("web.answer", url=site.url("/app"), **ASK)
        assert any(said in note for note in told["stats"]["notes"])
