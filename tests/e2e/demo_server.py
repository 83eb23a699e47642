"""A program that serves the demo tools as the settings say: ``python -m tests.e2e.demo_server``."""

import asyncio
import time
from typing import Any

from tests.e2e.demo_tools import TOOLS

from commonplace.serve.http import serve_http
from commonplace.serve.logs import start_logging
from commonplace.serve.stdio import serve_stdio
from commonplace.session.cursors import Cursors
from commonplace.session.scratch import Scratch
from commonplace.settings import Settings, load
from commonplace.tokens import token_counter
from commonplace.tools.app import App


def make_app(settings: Settings, **more: Any) -> App:  # noqa: ANN401 - any field of App
    """An application without documents or models."""
    fields: dict[str, Any] = {
        "store": None,  # no demo tool reads or writes documents
        "embedders": {},
        "tokens": token_counter(settings.tokenizer),
        "scratch": Scratch(settings.scratch_bytes, settings.session_ttl_s, time.monotonic),
        "cursors": Cursors(b"key"),
    }
    return App(settings=settings, **(fields | more))


async def main() -> None:
    """Serve until asked to stop."""
    settings = load({"toolsets": ["all"]})
    start_logging(settings)
    app = make_app(settings)
    await (serve_http(app, TOOLS) if settings.transport == "http" else serve_stdio(app, TOOLS))


if __name__ == "__main__":
    asyncio.run(main())
