"""Tools of the conformance suite that ask the client back before they answer (SEP-2322)."""

import hashlib
import hmac
from typing import Any

import mcp_types as types
from mcp.shared.exceptions import MCPError

from tests.e2e.conformance_content import Context, Run, result, text

Params = types.CallToolRequestParams | types.GetPromptRequestParams
Outcome = types.CallToolResult | types.InputRequiredResult

_KEY = b"a key of this test server"


def ask(message: str, field: str, kind: str = "string") -> types.ElicitRequest:
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {field: {"type": kind}},
        "required": [field],
    }
    params = types.ElicitRequestFormParams(message=message, requested_schema=schema)
    return types.ElicitRequest(params=params)


def sample(words: str, most: int) -> types.CreateMessageRequest:
    message = types.SamplingMessage(role="user", content=text(words))
    params = types.CreateMessageRequestParams(messages=[message], max_tokens=most)
    return types.CreateMessageRequest(params=params)


def seal(state: str) -> str:
    return f"{state}.{hmac.new(_KEY, state.encode(), hashlib.sha256).hexdigest()}"


def unseal(sealed: str | None) -> str | None:
    if sealed is None:
        return None
    state = sealed.rpartition(".")[0]
    if not hmac.compare_digest(seal(state), sealed):
        raise MCPError(code=types.INVALID_PARAMS, message="requestState was changed")
    return state


def required(state: str | None = None, **asked: Any) -> types.InputRequiredResult:  # noqa: ANN401
    sealed = seal(state) if state else None
    return types.InputRequiredResult(input_requests=asked, request_state=sealed)


def answered(params: Params, key: str, field: str) -> str | None:
    """What the user said, if the client sent a proper answer to that question."""
    answer = (params.input_responses or {}).get(key)
    content = answer.content if isinstance(answer, types.ElicitResult) else None
    said = (content or {}).get(field)
    return None if said is None else str(said)


async def elicitation(_context: Context, params: types.CallToolRequestParams) -> Outcome:
    name = answered(params, "user_name", "name")
    if name is None:
        return required(user_name=ask("What is your name?", "name"))
    return result(text(f"Hello, {name}!"))


async def sampling(_context: Context, params: types.CallToolRequestParams) -> Outcome:
    answer = (params.input_responses or {}).get("capital_question")
    if answer is None:
        return required(capital_question=sample("What is the capital of France?", 100))
    return result(text(str(getattr(getattr(answer, "content", None), "text", ""))))


async def roots(_context: Context, params: types.CallToolRequestParams) -> Outcome:
    answer = (params.input_responses or {}).get("client_roots")
    if not isinstance(answer, types.ListRootsResult):
        return required(client_roots=types.ListRootsRequest())
    return result(text(", ".join(f"{root.name}: {root.uri}" for root in answer.roots)))


async def state(_context: Context, params: types.CallToolRequestParams) -> Outcome:
    if unseal(params.request_state) != "confirming" or not params.input_responses:
        return required("confirming", confirm=ask("Please confirm", "ok", "boolean"))
    return result(text("state-ok"))


async def several(_context: Context, params: types.CallToolRequestParams) -> Outcome:
    wanted = {
        "user_name": ask("What is your name?", "name"),
        "greeting": sample("Generate a greeting", 50),
        "client_roots": types.ListRootsRequest(),
    }
    unseal(params.request_state)
    if not wanted.keys() <= (params.input_responses or {}).keys():
        return required("several", **wanted)
    return result(text("All three were answered."))


async def rounds(_context: Context, params: types.CallToolRequestParams) -> Outcome:
    reached = unseal(params.request_state)
    if reached == "one" and answered(params, "step1", "name") is not None:
        return required("two", step2=ask("Step 2: What is your favorite color?", "color"))
    if reached == "two" and answered(params, "step2", "color") is not None:
        return result(text("Both steps are done."))
    return required("one", step1=ask("Step 1: What is your name?", "name"))


async def capabilities(context: Context, params: types.CallToolRequestParams) -> Outcome:
    declared = context.session.client_capabilities or types.ClientCapabilities()
    wanted: dict[str, Any] = {}
    if declared.sampling is not None:
        wanted["greeting"] = sample("Generate a greeting", 50)
    if declared.elicitation is not None:
        wanted["user_name"] = ask("What is your name?", "name")
    if params.input_responses or not wanted:
        return result(text("Nothing left to ask."))
    return required(**wanted)


async def undeclared(context: Context, _params: types.CallToolRequestParams) -> Outcome:
    declared = context.session.client_capabilities
    if declared is None or declared.sampling is None:
        raise MCPError(
            code=types.MISSING_REQUIRED_CLIENT_CAPABILITY,
            message="this tool needs sampling",
            data={"requiredCapabilities": {"sampling": {}}},
        )
    return result(text("sampling is declared"))


INPUT_TOOLS: dict[str, Run] = {
    "test_input_required_result_elicitation": elicitation,
    "test_input_required_result_sampling": sampling,
    "test_input_required_result_list_roots": roots,
    "test_input_required_result_request_state": state,
    "test_input_required_result_multiple_inputs": several,
    "test_input_required_result_multi_round": rounds,
    "test_input_required_result_tampered_state": state,
    "test_input_required_result_capabilities": capabilities,
    "test_streaming_elicitation": elicitation,
    "test_missing_capability": undeclared,
}
