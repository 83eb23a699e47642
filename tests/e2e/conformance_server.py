"""The server the MCP conformance suite is run against: ``python -m tests.e2e.conformance_server``.

Our own HTTP serving, guards, dispatcher and lists; beside them the contents the suite prescribes,
most of which (images, prompts, sampling) this product has no use for.
"""

import asyncio
import warnings
from collections.abc import Mapping
from typing import Any

import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler
from mcp.shared.exceptions import MCPDeprecationWarning
from mcp.shared.subscriptions import PromptsListChanged, ToolsListChanged

from commonplace.domain.errors import UserError
from commonplace.domain.evidence import Reply
from commonplace.serve.build import build
from commonplace.serve.dispatch import Dispatcher
from commonplace.serve.http import run_http
from commonplace.serve.logs import start_logging
from commonplace.serve.mcp import make_server
from commonplace.settings import load
from commonplace.tools.app import App, Call
from commonplace.tools.base import Tool, ToolArgs, ToolOutput
from tests.e2e.conformance_content import (
    CONTENT_TOOLS,
    PROMPTS,
    RESOURCES,
    TEMPLATE,
    Context,
    Run,
    prompt,
    read,
    result,
    text,
)
from tests.e2e.conformance_inputs import INPUT_TOOLS, answered, ask, required


class NoArgs(ToolArgs):
    """Nothing."""


class Said(ToolOutput):
    """One sentence."""

    said: str


def _reply(said: str) -> Reply:
    return Reply(text=said, structured={"said": said})


async def _simple(_app: App, _call: Call, _args: NoArgs) -> Reply:
    return _reply("This is a simple text response for testing.")


async def _error(_app: App, _call: Call, _args: NoArgs) -> Reply:
    raise UserError("This tool intentionally returns an error for testing")


async def _progress(_app: App, call: Call, _args: NoArgs) -> Reply:
    for done in (0, 50, 100):
        await call.progress(done, 100, f"{done} of 100")
        await anyio.sleep(0.05)  # the scenario wants notifications apart
    return _reply("Done.")


def _tool(name: str, run: Any) -> Tool:  # noqa: ANN401
    return Tool(name=name, description=f"{name}.", args=NoArgs, output=Said, run=run)


OWN_TOOLS = (
    _tool("test_simple_text", _simple),
    _tool("test_error_handling", _error),
    _tool("test_tool_with_progress", _progress),
)
_STRING = {"type": "string"}
ARGUMENTS: Mapping[str, tuple[str, ...]] = {
    "test_sampling": ("prompt",),
    "test_elicitation": ("message",),
}


def _describe(name: str) -> types.Tool:
    properties = dict.fromkeys(ARGUMENTS.get(name, ()), _STRING)
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return types.Tool(name=name, description=f"{name}.", input_schema=schema)


class Prescribed:
    """Adds the suite's contents to a server of ours by wrapping its handlers."""

    def __init__(self, server: Server[Any]) -> None:
        self._bus = InMemorySubscriptionBus()
        self._tools: dict[str, Run] = {
            **CONTENT_TOOLS,
            **INPUT_TOOLS,
            "test_trigger_tool_change": self._change_tools,
            "test_trigger_prompt_change": self._change_prompts,
        }
        own = {method: server.get_request_handler(method) for method in METHODS}
        self._own = {method: entry.handler for method, entry in own.items() if entry}
        add = server.add_request_handler
        add("tools/list", types.PaginatedRequestParams, self._list_tools)
        add("tools/call", types.CallToolRequestParams, self._call_tool)
        add("resources/list", types.PaginatedRequestParams, self._list_resources)
        add("resources/templates/list", types.PaginatedRequestParams, self._list_templates)
        add("resources/read", types.ReadResourceRequestParams, self._read)
        add("resources/subscribe", types.SubscribeRequestParams, self._nothing)
        add("resources/unsubscribe", types.UnsubscribeRequestParams, self._nothing)
        add("prompts/list", types.PaginatedRequestParams, self._list_prompts)
        add("prompts/get", types.GetPromptRequestParams, self._get_prompt)
        add("completion/complete", types.CompleteRequestParams, self._complete)
        add("logging/setLevel", types.SetLevelRequestParams, self._nothing)
        listen = ListenHandler(self._bus)
        add("subscriptions/listen", types.SubscriptionsListenRequestParams, listen)

    async def _change_tools(
        self, _context: Context, _params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        await self._bus.publish(ToolsListChanged())
        return result(text("changed"))

    async def _change_prompts(
        self, _context: Context, _params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        await self._bus.publish(PromptsListChanged())
        return result(text("changed"))

    async def _list_tools(self, context: Context, params: Any) -> types.ListToolsResult:  # noqa: ANN401
        listed: types.ListToolsResult = await self._own["tools/list"](context, params)  # type: ignore[assignment]
        return types.ListToolsResult(tools=[*listed.tools, *map(_describe, self._tools)])

    async def _call_tool(self, context: Context, params: types.CallToolRequestParams) -> Any:  # noqa: ANN401
        run = self._tools.get(params.name, self._own["tools/call"])
        return await run(context, params)

    async def _list_resources(
        self, _context: Context, _params: object
    ) -> types.ListResourcesResult:
        return types.ListResourcesResult(resources=RESOURCES)

    async def _list_templates(self, context: Context, params: Any) -> Any:  # noqa: ANN401
        listed: Any = await self._own["resources/templates/list"](context, params)
        templates = [*listed.resource_templates, TEMPLATE]
        return types.ListResourceTemplatesResult(resource_templates=templates)

    async def _read(self, context: Context, params: types.ReadResourceRequestParams) -> Any:  # noqa: ANN401
        contents = read(params.uri)
        if contents is None:
            return await self._own["resources/read"](context, params)
        return types.ReadResourceResult(contents=[contents])

    async def _nothing(self, _context: Context, _params: object) -> types.EmptyResult:
        return types.EmptyResult()

    async def _list_prompts(self, _context: Context, _params: object) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=PROMPTS)

    async def _get_prompt(
        self, _context: Context, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult | types.InputRequiredResult:
        if params.name != "test_input_required_result_prompt":
            return prompt(params.name, params.arguments or {})
        said = answered(params, "user_context", "context")
        if said is None:
            question = ask("What context should the prompt use?", "context")
            return required(user_context=question)
        message = types.PromptMessage(role="user", content=text(f"Context: {said}"))
        return types.GetPromptResult(messages=[message])

    async def _complete(self, _context: Context, _params: object) -> types.CompleteResult:
        return types.CompleteResult(completion=types.Completion(values=[], total=0, has_more=False))


METHODS = ("tools/list", "tools/call", "resources/templates/list", "resources/read")


async def main() -> None:
    """Serve until asked to stop."""
    warnings.simplefilter("ignore", MCPDeprecationWarning)  # the older revision is tested too
    settings = load({"transport": "http"})
    start_logging(settings)
    server = make_server(Dispatcher(build(settings), OWN_TOOLS))
    Prescribed(server)
    await run_http(server, settings)


if __name__ == "__main__":
    asyncio.run(main())
