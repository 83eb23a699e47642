"""What the MCP conformance suite asks a server under test for: contents, prompts, resources.

Every name and text is prescribed by the scenarios of ``@modelcontextprotocol/conformance``.
"""

import base64
import json
import struct
import zlib
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import anyio
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError

Context = ServerRequestContext[Any, Any]
Answer = Awaitable[types.CallToolResult | types.InputRequiredResult]
Run = Callable[[Context, types.CallToolRequestParams], Answer]


def _chunk(kind: bytes, content: bytes) -> bytes:
    check = struct.pack(">I", zlib.crc32(kind + content))
    return struct.pack(">I", len(content)) + kind + content + check


def _red_pixel() -> str:
    header = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"\0\xff\0\0")
    parts = _chunk(b"IHDR", header), _chunk(b"IDAT", pixels), _chunk(b"IEND", b"")
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"".join(parts)).decode()


def _silence() -> str:
    form = struct.pack("<HHIIHH", 1, 1, 8000, 8000, 1, 8)
    body = (
        b"WAVEfmt " + struct.pack("<I", len(form)) + form + b"data" + struct.pack("<I", 1) + b"\x80"
    )
    return base64.b64encode(b"RIFF" + struct.pack("<I", len(body)) + body).decode()


PNG = types.ImageContent(type="image", data=_red_pixel(), mime_type="image/png")
WAV = types.AudioContent(type="audio", data=_silence(), mime_type="audio/wav")


def text(words: str) -> types.TextContent:
    return types.TextContent(type="text", text=words)


def result(*content: types.ContentBlock) -> types.CallToolResult:
    return types.CallToolResult(content=list(content))


def embedded(uri: str, mime_type: str, words: str) -> types.EmbeddedResource:
    contents = types.TextResourceContents(uri=uri, mime_type=mime_type, text=words)
    return types.EmbeddedResource(type="resource", resource=contents)


async def image(_context: Context, _params: types.CallToolRequestParams) -> types.CallToolResult:
    return result(PNG)


async def audio(_context: Context, _params: types.CallToolRequestParams) -> types.CallToolResult:
    return result(WAV)


async def resource(_context: Context, _params: types.CallToolRequestParams) -> types.CallToolResult:
    words = "This is an embedded resource content."
    return result(embedded("test://embedded-resource", "text/plain", words))


async def mixed(_context: Context, _params: types.CallToolRequestParams) -> types.CallToolResult:
    words = '{"test":"data","value":123}'
    inside = embedded("test://mixed-content-resource", "application/json", words)
    return result(text("Multiple content types test:"), PNG, inside)


async def logging(context: Context, _params: types.CallToolRequestParams) -> types.CallToolResult:
    for words in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        await context.session.send_log_message("info", words, related_request_id=context.request_id)
        await anyio.sleep(0.05)  # the scenario wants messages apart
    return result(text("Logged three messages."))


async def sampling(context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
    prompt = text(str((params.arguments or {})["prompt"]))
    answer = await context.session.create_message(
        [types.SamplingMessage(role="user", content=prompt)],
        max_tokens=100,
        related_request_id=context.request_id,
    )
    return result(text(f"LLM response: {getattr(answer.content, 'text', '')}"))


async def _elicit(context: Context, message: str, properties: Mapping[str, Any]) -> str:
    schema = {"type": "object", "properties": dict(properties), "required": []}
    answer = await context.session.elicit_form(message, schema, context.request_id)
    return f"action={answer.action}, content={json.dumps(answer.content)}"


async def elicitation(
    context: Context, params: types.CallToolRequestParams
) -> types.CallToolResult:
    message = str((params.arguments or {})["message"])
    wanted = {name: {"type": "string", "description": name} for name in ("username", "email")}
    return result(text(f"User response: {await _elicit(context, message, wanted)}"))


async def defaults(context: Context, _params: types.CallToolRequestParams) -> types.CallToolResult:
    wanted = {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {
            "type": "string",
            "enum": ["active", "inactive", "pending"],
            "default": "active",
        },
        "verified": {"type": "boolean", "default": True},
    }
    return result(text(f"Elicitation completed: {await _elicit(context, 'Defaults', wanted)}"))


async def enums(context: Context, _params: types.CallToolRequestParams) -> types.CallToolResult:
    plain = ["option1", "option2", "option3"]
    titles = ("First", "Second", "Third")
    titled = [{"const": f"value{n}", "title": f"{t} Option"} for n, t in enumerate(titles, 1)]
    legacy = {"enum": ["opt1", "opt2", "opt3"]}
    names = ["Option One", "Option Two", "Option Three"]
    wanted = {
        "untitledSingle": {"type": "string", "enum": plain},
        "titledSingle": {"type": "string", "oneOf": titled},
        "legacyEnum": {"type": "string", **legacy, "enumNames": names},
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": plain}},
        "titledMulti": {"type": "array", "items": {"anyOf": titled}},
    }
    return result(text(f"Elicitation completed: {await _elicit(context, 'Enums', wanted)}"))


CONTENT_TOOLS: dict[str, Run] = {
    "test_image_content": image,
    "test_audio_content": audio,
    "test_embedded_resource": resource,
    "test_multiple_content_types": mixed,
    "test_tool_with_logging": logging,
    "test_logging_tool": logging,
    "test_sampling": sampling,
    "test_elicitation": elicitation,
    "test_elicitation_sep1034_defaults": defaults,
    "test_elicitation_sep1330_enums": enums,
}

RESOURCES = [
    types.Resource(
        uri="test://static-text", name="text", description="Text", mime_type="text/plain"
    ),
    types.Resource(
        uri="test://static-binary", name="pixel", description="PNG", mime_type="image/png"
    ),
]
TEMPLATE = types.ResourceTemplate(
    uri_template="test://template/{id}/data", name="template", description="Data by id"
)


def read(uri: str) -> types.TextResourceContents | types.BlobResourceContents | None:
    """A prescribed resource, or None."""
    if uri == "test://static-text":
        words = "This is the content of the static text resource."
        return types.TextResourceContents(uri=uri, mime_type="text/plain", text=words)
    if uri == "test://static-binary":
        return types.BlobResourceContents(uri=uri, mime_type="image/png", blob=PNG.data)
    if uri.startswith("test://template/") and uri.endswith("/data"):
        asked = uri.split("/")[3]
        fields = {"id": asked, "templateTest": True, "data": f"Data for ID: {asked}"}
        words = json.dumps(fields)
        return types.TextResourceContents(uri=uri, mime_type="application/json", text=words)
    return None


def _argument(name: str) -> types.PromptArgument:
    return types.PromptArgument(name=name, description=name, required=True)


PROMPTS = [
    types.Prompt(name="test_simple_prompt", description="Simple"),
    types.Prompt(
        name="test_prompt_with_arguments",
        description="Arguments",
        arguments=[_argument("arg1"), _argument("arg2")],
    ),
    types.Prompt(
        name="test_prompt_with_embedded_resource",
        description="Resource",
        arguments=[_argument("resourceUri")],
    ),
    types.Prompt(name="test_prompt_with_image", description="Image"),
    types.Prompt(name="test_input_required_result_prompt", description="Asks first"),
]


def prompt(name: str, arguments: Mapping[str, str]) -> types.GetPromptResult:
    """The messages of a prescribed prompt."""
    contents: dict[str, list[types.ContentBlock]] = {
        "test_simple_prompt": [text("This is a simple prompt for testing.")],
        "test_prompt_with_arguments": [
            text(
                f"Prompt with arguments: arg1='{arguments.get('arg1')}', "
                f"arg2='{arguments.get('arg2')}'"
            )
        ],
        "test_prompt_with_embedded_resource": [
            embedded(
                arguments.get("resourceUri", "test://example"),
                "text/plain",
                "Embedded resource content for testing.",
            ),
            text("Please process the embedded resource above."),
        ],
        "test_prompt_with_image": [PNG, text("Please analyze the image above.")],
    }
    if name not in contents:
        raise MCPError(code=types.INVALID_PARAMS, message="unknown prompt")
    messages = [types.PromptMessage(role="user", content=content) for content in contents[name]]
    return types.GetPromptResult(messages=messages)
