"""Addresses on the command line: a page indexed, a page asked."""

import asyncio
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from commonplace.serve.cli.root import run
from tests.site import Site, open_site

PAGE = "<main><h1>Dome</h1><p>The dome turns once an hour. Its motor was built in 1931.</p></main>"


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Site]:
    """A site in a thread of its own: commands have their own event loop."""
    ready, over = threading.Event(), threading.Event()
    opened: list[Site] = []

    async def serve() -> None:
        async with open_site() as one:
            one.serve("/dome", PAGE, etag='"1"')
            opened.append(one)
            ready.set()
            await asyncio.to_thread(over.wait)

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    ready.wait(10)
    monkeypatch.setenv("COMMONPLACE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COMMONPLACE_WEB_ALLOW_HOSTS", "127.0.0.1")
    monkeypatch.setenv("COMMONPLACE_UPGRADE_EMBEDDER", "")
    yield opened[0]
    over.set()
    thread.join()


@pytest.mark.requirement("CLI-39")
def test_a_page_is_added_asked_and_known_again(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    url = site.url("/dome")
    assert run(["add", url]) == 0
    assert f"{url}  1 document: 1 added; " in capsys.readouterr().out
    site.serve("/dome", status=304)
    assert run(["add", url]) == 0
    assert "1 document, nothing changed" in capsys.readouterr().out
    assert run(["ask", "--url", url, "When was the motor built?"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("[SOURCES]\n[1] Dome — ")
    assert "built in 1931" in shown
    assert run(["--json", "ask", "--url", url, "motor"]) == 0
    assert json.loads(capsys.readouterr().out)["sources"][0]["url"] == url


@pytest.mark.requirement("CLI-39")
def test_a_page_that_cannot_be_read_fails_with_the_reason(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["add", site.url("/missing")]) == 1
    assert "answers 404" in capsys.readouterr().err


@pytest.mark.requirement("CLI-39")
def test_status_tells_pages_and_how_old_they_are(
    site: Site, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    site.serve("/tower", PAGE.replace("Dome", "Tower"))
    assert run(["add", site.url("/dome"), site.url("/tower")]) == 0
    assert run(["status"]) == 0
    shown = capsys.readouterr().out
    assert "web: 2 pages, fetched just now" in shown
    assert f"127.0.0.1:{site.port} 2" in shown
    monkeypatch.setenv("COMMONPLACE_WEB_MAX_AGE_S", "0")
    assert run(["status"]) == 0
    assert "2 stale, `commonplace add URL` fetches again" in capsys.readouterr().out
    assert run(["--json", "status"]) == 0
    (project,) = json.loads(capsys.readouterr().out)["projects"]
    assert (project["web"]["pages"], project["web"]["stale"]) == (2, 2)
