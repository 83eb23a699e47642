"""A program that serves the demo tools as the settings say: ``python -m tests.e2e.demo_server``."""

import asyncio

from commonplace.serve.build import build
from commonplace.serve.http import serve_http
from commonplace.serve.logs import start_logging
from commonplace.serve.stdio import serve_stdio
from commonplace.settings import load
from tests.e2e.demo_tools import TOOLS


async def main() -> None:
    """Serve until asked to stop."""
    settings = load({"toolsets": ["all"]})
    start_logging(settings)
    app = build(settings)
    await (serve_http(app, TOOLS) if settings.transport == "http" else serve_stdio(app, TOOLS))
    await app.store.close()


if __name__ == "__main__":
    asyncio.run(main())
