"""A server loads by itself what its first call would wait for."""

import asyncio
import json
import logging
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from commonplace.domain.errors import EmbedError
from commonplace.serve.background import make_ready
from commonplace.serve.dispatch import Dispatcher
from commonplace.serve.listing import offers
from tests.e2e.processes import ROOT
from tests.library import open_library

ASKED_WHEN_READY = """
import asyncio, json, sys
from pathlib import Path
from commonplace.serve.background import make_ready
from commonplace.serve.build import build
from commonplace.serve.dispatch import Caller, Dispatcher
from commonplace.serve.listing import offers
from commonplace.settings import Settings

async def ask():
    app = build(Settings(home=Path(sys.argv[1])))
    dispatcher = Dispatcher(app, offers().values())
    await make_ready(app, dispatcher)
    before = set(sys.modules)
    outcome = await dispatcher.call("kb.search", {"query": "pump"}, Caller(connection="test"))
    loaded = [name for name in set(sys.modules) - before if not name.startswith("anyio.")]
    print(json.dumps([len(outcome.structured["results"]), sorted(loaded)]))
    await app.close()

asyncio.run(ask())
"""


@pytest.mark.requirement("SRV-38")
async def test_the_first_search_of_a_settled_server_loads_nothing(tmp_path: Path) -> None:
    async with open_library(tmp_path) as library:
        home = library.app.settings.home
    program = [sys.executable, "-c", ASKED_WHEN_READY, str(home)]
    process = await asyncio.create_subprocess_exec(*program, cwd=ROOT, stdout=subprocess.PIPE)
    told, _ = await process.communicate()
    found, loaded = json.loads(told)
    assert found > 0
    assert loaded == []


@pytest.mark.requirement("SRV-38")
async def test_a_model_that_cannot_be_loaded_is_told_and_the_tools_are_loaded_all_the_same(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(text: str) -> int:  # noqa: ARG001 - as counters are called
        raise EmbedError("no ranks; reinstall")

    async with open_library(tmp_path) as library:
        offered = offers()
        app = replace(library.app, tokens=broken)
        with caplog.at_level(logging.WARNING):
            await make_ready(app, Dispatcher(app, offered.values()))
    assert "no ranks; reinstall" in caplog.text
    assert all("tool" in vars(offer) for offer in offered.values())
