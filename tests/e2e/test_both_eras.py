"""One real client, two transports, two protocol eras: the same server."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal

import jsonschema
import pytest
from mcp import Client, MCPError
from mcp_types import ResourceLink, TextContent, TextResourceContents

from tests.e2e.demo_tools import MOMENT
from tests.e2e.processes import http_server, stdio_server

Era = Literal["auto", "legacy"]
ERAS: tuple[Era, ...] = ("auto", "legacy")
Connect = Any


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("eras")


@pytest.fixture(scope="module")
def address(home: Path) -> Iterator[str]:
    with http_server(home) as (url, _):
        yield url


@pytest.fixture(params=["stdio", "http"])
def connect(request: pytest.FixtureRequest, home: Path) -> Connect:
    """Opens a client of an era over one of the transports."""

    @asynccontextmanager
    async def connected(mode: Era) -> AsyncIterator[Client]:
        over_http = request.param == "http"
        server = request.getfixturevalue("address") if over_http else stdio_server(home)
        async with Client(server, mode=mode) as client:
            yield client

    return connected


def text(content: Any) -> str:  # noqa: ANN401 - a content block
    assert isinstance(content, TextContent)
    return content.text


@pytest.mark.requirement("SRV-01")
async def test_both_eras_list_the_same_tools_with_names_every_client_takes(
    connect: Connect,
) -> None:
    listed = []
    for era, version in zip(ERAS, ("2026-07-28", "2025-11-25"), strict=True):
        async with connect(era) as client:
            assert client.protocol_version == version
            listed.append([tool.model_dump() for tool in (await client.list_tools()).tools])
    assert listed[0] == listed[1]
    assert "demo_echo" in [tool["name"] for tool in listed[0]]
    assert all(tool["name"].replace("_", "").isalnum() for tool in listed[0])


@pytest.mark.requirement("SRV-01")
@pytest.mark.requirement("SRV-05")
@pytest.mark.parametrize("era", ERAS)
async def test_calls_answer_as_text_and_as_data_and_so_do_errors(
    connect: Connect, era: Era
) -> None:
    async with connect(era) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        good = await client.call_tool("demo_echo", {"text": "hello"})
        bad = await client.call_tool("demo_missing", {})
        assert text(good.content[0]) == "hello"
        assert good.structured_content["said"] == "hello"
        assert good.structured_content["next_cursor"] is None
        assert good.meta is not None
        assert good.meta["degraded"] == ["dense: no model"]
        assert bad.is_error
        assert bad.structured_content["error"]["code"] == "NOT_FOUND"
        for tool, result in (("demo_echo", good), ("demo_missing", bad)):
            jsonschema.validate(result.structured_content, tools[tool].output_schema)


@pytest.mark.requirement("SRV-01")
@pytest.mark.parametrize("era", ERAS)
async def test_calls_at_the_same_time_each_get_their_own_answer(connect: Connect, era: Era) -> None:
    async with connect(era) as client:
        said = [f"call {number}" for number in range(30)]
        calls = (client.call_tool("demo_echo", {"text": words}) for words in said)
        results = await asyncio.gather(*calls)
        assert [text(result.content[0]) for result in results] == said


@pytest.mark.requirement("SRV-02")
@pytest.mark.parametrize("era", ERAS)
async def test_the_dotted_name_is_accepted_and_an_unknown_one_is_invalid_params(
    connect: Connect, era: Era
) -> None:
    async with connect(era) as client:
        assert not (await client.call_tool("demo.echo", {"text": "a"})).is_error
        with pytest.raises(MCPError) as unknown:
            await client.call_tool("demo_ehco", {"text": "a"})
        assert unknown.value.code == -32602
        assert "demo_echo" in unknown.value.message


@pytest.mark.requirement("SRV-10")
@pytest.mark.requirement("SRV-09")
@pytest.mark.parametrize("era", ERAS)
async def test_progress_arrives_and_cancelling_stops_the_work(
    connect: Connect, era: Era, home: Path
) -> None:
    mark = home / "cancelled"
    mark.unlink(missing_ok=True)
    arrived: asyncio.Queue[tuple[float, float | None, str | None]] = asyncio.Queue()

    async def hear(done: float, total: float | None, message: str | None) -> None:
        await arrived.put((done, total, message))

    async with connect(era) as client:
        call = asyncio.create_task(client.call_tool("demo_slow", {}, progress_callback=hear))
        assert await arrived.get() == (1, 2, "half")
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        # The cancellation and this call travel in order; the mark is there when it is answered,
        # or a turn of the server's loop later.
        for _ in range(100):
            await client.call_tool("demo_echo", {"text": "still here"})
            if mark.exists():
                break
        assert mark.exists()


@pytest.mark.requirement("SRV-08")
@pytest.mark.parametrize("era", ERAS)
async def test_a_late_tool_is_a_timeout(connect: Connect, era: Era) -> None:
    async with connect(era) as client:
        late = await client.call_tool("demo_late", {})
        assert late.structured_content["error"]["code"] == "TIMEOUT"


async def keep(client: Client) -> tuple[ResourceLink, str]:
    kept = await client.call_tool("demo_keep", {})
    link = kept.content[1]
    assert isinstance(link, ResourceLink)
    return link, kept.structured_content["session_id"]


@pytest.mark.requirement("SRV-15")
@pytest.mark.parametrize("era", ERAS)
async def test_a_linked_text_can_be_read_and_tells_what_it_is(connect: Connect, era: Era) -> None:
    async with connect(era) as client:
        templates = (await client.list_resource_templates()).resource_templates
        assert [t.uri_template for t in templates] == [
            "commonplace://scratch/{session_id}/{passage_id}"
        ]
        link, _ = await keep(client)
        assert (link.size, link.mime_type) == (15, "text/plain")
        assert link.annotations is not None
        assert link.annotations.audience == ["assistant"]
        assert link.annotations.priority == 0.1
        assert link.annotations.last_modified == MOMENT.isoformat()
        for scheme in ("commonplace", "wekadocs"):
            uri = link.uri.replace("commonplace", scheme)
            contents = (await client.read_resource(uri)).contents[0]
            assert isinstance(contents, TextResourceContents)
            assert contents.text == "The whole text."
            assert contents.mime_type == "text/plain"


async def refusal(client: Client, uri: str) -> str:
    with pytest.raises(MCPError) as missing:
        await client.read_resource(uri)
    assert missing.value.code == -32602
    return missing.value.message.replace(uri, "URI")


@pytest.mark.requirement("SRV-14")
@pytest.mark.parametrize("era", ERAS)
async def test_an_address_that_is_not_of_this_session_does_not_exist(
    connect: Connect, era: Era
) -> None:
    async with connect(era) as client:
        link, session_id = await keep(client)
        passage_id = link.uri.rpartition("/")[2]
        other = session_id[:-1] + ("1" if session_id[-1] == "0" else "0")
        uris = [
            f"commonplace://scratch/{other}/{passage_id}",
            f"commonplace://scratch/{session_id}/{passage_id}0",
            f"commonplace://scratch/{session_id}/../{session_id}/{passage_id}",
            f"commonplace://scratch/{session_id}/{passage_id}?",
            f"commonplace://scratch//{passage_id}",
            f"file:///scratch/{session_id}/{passage_id}",
        ]
        assert len({await refusal(client, uri) for uri in uris}) == 1


@pytest.mark.requirement("SRV-12")
@pytest.mark.requirement("SRV-14")
async def test_legacy_http_sessions_cannot_enter_each_other(address: str) -> None:
    async with Client(address, mode="legacy") as one, Client(address, mode="legacy") as two:
        link, session_id = await keep(one)
        assert (await keep(one))[1] == session_id
        assert (await keep(two))[1] != session_id
        await refusal(two, link.uri)
        tried = await two.call_tool("demo_echo", {"text": "a", "session_id": session_id})
        assert tried.structured_content["error"]["code"] == "INVALID_ARGUMENT"


@pytest.mark.requirement("SRV-12")
@pytest.mark.requirement("SRV-13")
async def test_a_stateless_session_is_entered_by_its_id_only(address: str) -> None:
    async with Client(address) as client:
        link, session_id = await keep(client)
        assert (await keep(client))[1] != session_id
        again = await client.call_tool("demo_keep", {"session_id": session_id})
        assert again.structured_content["session_id"] == session_id
        assert again.structured_content["said"] == link.uri
        tried = await client.call_tool("demo_echo", {"text": "a", "session_id": "0" * 32})
        message = tried.structured_content["error"]["message"]
        assert message == "unknown or expired session_id; omit it to start a new one"


@pytest.mark.requirement("SRV-11")
@pytest.mark.parametrize("era", ERAS)
async def test_the_rate_limit_of_the_settings_holds_over_the_wire(era: Era, tmp_path: Path) -> None:
    async with Client(stdio_server(tmp_path, rate_limit_per_minute="2"), mode=era) as client:
        codes = []
        for _ in range(3):
            result = await client.call_tool("demo_missing", {})
            codes.append(result.structured_content["error"]["code"])
        assert codes == ["NOT_FOUND", "NOT_FOUND", "RATE_LIMITED"]
        assert (await client.call_tool("demo_echo", {"text": "other tools go on"})).meta is not None


@pytest.mark.requirement("SRV-17")
async def test_settings_change_what_is_listed_and_how_replies_look(tmp_path: Path) -> None:
    flags = {"tool_names": "bare", "structured_output_enabled": "false"}
    async with Client(stdio_server(tmp_path, **flags)) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert "echo" in tools
        assert tools["echo"].output_schema is None
        result = await client.call_tool("echo", {"text": "hello"})
        assert result.structured_content is None
        assert text(result.content[0]).startswith('{"said":"hello","session_id":')
    async with Client(stdio_server(tmp_path, kb_v2_enabled="false")) as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
        assert "old_echo" in names
        assert "demo_echo" in names, "the flag hides the kb family only"
        assert not (await client.call_tool("demo_echo", {"text": "still callable"})).is_error
