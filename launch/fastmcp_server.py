"""For people who use ``fastmcp run``: hands every request on to ``commonplace serve``.

FastMCP needs not share an environment with Commonplace: the server is its own process, the one
``make setup`` made beside this file, or else the ``commonplace`` on the path.
"""

from pathlib import Path
from typing import Any


def create_mcp_server() -> Any:  # noqa: ANN401 - FastMCP is not among our dependencies
    """The entry point named in ``fastmcp.json``."""
    from fastmcp.server import create_proxy  # noqa: PLC0415 - only `fastmcp run` calls this

    own = Path(__file__).parents[1] / ".venv" / "bin" / "commonplace"
    command = str(own) if own.exists() else "commonplace"
    return create_proxy({"mcpServers": {"commonplace": {"command": command, "args": ["serve"]}}})
