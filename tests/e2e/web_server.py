"""A program that serves every real tool as the settings say: ``python -m tests.e2e.web_server``."""

import asyncio

from commonplace.serve.build import build
from commonplace.serve.http import serve_http
from commonplace.serve.logs import start_logging
from commonplace.serve.stdio import serve_stdio
from commonplace.settings import load


async def main() -> None:
    """Serve until asked to stop."""
    settings = load({"toolsets": ["all"]})
    start_logging(settings)
    app = build(settings)
    await (serve_http(app) if settings.transport == "http" else serve_stdio(app))
    await app.close()


if __name__ == "__main__":
    asyncio.run(main())
