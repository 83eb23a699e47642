"""The remote embedder against a real HTTP server that speaks the OpenAI embeddings API."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest

from commonplace.domain.errors import EmbedError
from commonplace.embedders.models.openai import Endpoint, RemoteEmbedder
from commonplace.embedders.remote import REMOTE
from commonplace.settings import Settings

KEY = "sk-very-secret"
Answer = tuple[int, dict[str, str], Any]


def vector(text: str) -> list[float]:
    return [float(len(text)), 1.0, float(text.count("a"))]


def good(request: dict[str, Any]) -> Answer:
    """As OpenAI answers, but in reverse: the index counts, not the place."""
    rows = [
        {"object": "embedding", "index": place, "embedding": vector(text)}
        for place, text in enumerate(request["input"])
    ]
    return 200, {}, {"object": "list", "data": rows[::-1], "model": request["model"]}


@dataclass
class Service:
    """A running endpoint: answers are taken from ``script`` first, then from ``good``."""

    url: str = ""
    script: list[Callable[[dict[str, Any]], Answer]] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)


@pytest.fixture
def service() -> Iterator[Service]:
    state = Service()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            state.requests.append(body)
            state.headers.append(dict(self.headers))
            state.paths.append(self.path)
            answer = state.script.pop(0) if state.script else good
            status, headers, payload = answer(body)
            content = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
            with suppress(ConnectionError):  # who waited may have given up
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    state.url = f"http://127.0.0.1:{server.server_port}"
    yield state
    server.shutdown()
    server.server_close()
    thread.join()


def embedder(service: Service, dimension: int = 0, timeout_s: float = 20.0) -> RemoteEmbedder:
    endpoint = Endpoint(
        url=f"{service.url}/v1/embeddings", name="tiny", key=KEY, timeout_s=timeout_s, backoff_s=0.0
    )
    return RemoteEmbedder(endpoint, dimension)


def failing(status: int, said: str = "no", **headers: str) -> Callable[[dict[str, Any]], Answer]:
    return lambda _: (
        status,
        {name.replace("_", "-"): value for name, value in headers.items()},
        {"error": {"message": said}},
    )


def answering(payload: object) -> Callable[[dict[str, Any]], Answer]:
    return lambda _: (200, {}, payload)


@pytest.mark.requirement("EMB-09")
async def test_vectors_come_in_the_order_of_the_texts_over_several_requests(
    service: Service,
) -> None:
    texts = [f"text {'a' * number}" for number in range(150)]
    rows = await embedder(service).embed(texts)
    expected = np.array([vector(text) for text in texts])
    assert np.allclose(rows, expected / np.linalg.norm(expected, axis=1, keepdims=True), atol=1e-6)
    assert [len(request["input"]) for request in service.requests] == [64, 64, 22]
    assert service.headers[0]["Authorization"] == f"Bearer {KEY}"


@pytest.mark.requirement("EMB-09")
async def test_settings_name_the_endpoint_as_users_paste_it(service: Service) -> None:
    settings = Settings(embed_url=f"{service.url}/v1", embed_model="tiny")
    made = REMOTE.make(settings)
    assert made.model == "tiny@remote"
    assert (await made.embed(["hello"])).shape == (1, 3)
    assert made.dimension == 3
    assert service.paths == ["/v1/embeddings"]
    assert "Authorization" not in service.headers[0]


@pytest.mark.requirement("EMB-01")
async def test_empty_texts_are_not_sent_and_give_zeros(service: Service) -> None:
    remote = embedder(service)
    rows = await remote.embed(["", "word", "  "])
    assert service.requests[0]["input"] == ["word"]
    assert not rows[[0, 2]].any()
    assert np.linalg.norm(rows[1]) == pytest.approx(1)
    assert not (await remote.embed([""])).any()
    assert len(service.requests) == 1


@pytest.mark.requirement("EMB-01")
async def test_the_dimension_is_asked_for_when_only_empty_texts_are_given(
    service: Service,
) -> None:
    assert (await embedder(service).embed([""])).shape == (1, 3)


@pytest.mark.requirement("EMB-03")
async def test_hostile_texts_are_sent_as_valid_json(service: Service) -> None:
    rows = await embedder(service).embed(["a\0b", "\ud800", "😀", "x" * 1_000_000])
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)
    assert len(service.requests[0]["input"][3]) == 20_000


@pytest.mark.requirement("EMB-10")
@pytest.mark.parametrize("status", [429, 500, 503])
async def test_a_passing_failure_is_retried_as_the_server_asks(
    service: Service, status: int
) -> None:
    service.script = [failing(status, Retry_After="0"), failing(status, Retry_After="0.01")]
    assert (await embedder(service).embed(["word"])).any()
    assert len(service.requests) == 3


@pytest.mark.requirement("EMB-10")
@pytest.mark.requirement("EMB-11")
async def test_a_lasting_failure_ends_after_four_tries_without_naming_the_key(
    service: Service,
) -> None:
    service.script = [failing(503, f"overloaded, key {KEY}")] * 9
    with pytest.raises(EmbedError, match=r"503: overloaded.*tried 4 times") as caught:
        await embedder(service).embed(["word"])
    assert len(service.requests) == 4
    assert KEY not in str(caught.value)


@pytest.mark.requirement("EMB-11")
@pytest.mark.parametrize(
    ("status", "fix"), [(401, "embed_key"), (404, "embed_model"), (413, "passage_tokens")]
)
async def test_a_refusal_is_not_retried_and_names_the_fix(
    service: Service, status: int, fix: str
) -> None:
    service.script = [failing(status)]
    with pytest.raises(EmbedError, match=fix):
        await embedder(service).embed(["word"])
    assert len(service.requests) == 1


@pytest.mark.requirement("EMB-11")
async def test_a_service_that_does_not_run_is_an_error_with_a_hint() -> None:
    endpoint = Endpoint(url="http://127.0.0.1:1/v1/embeddings", name="tiny", backoff_s=0.0)
    with pytest.raises(EmbedError, match="is the service running"):
        await RemoteEmbedder(endpoint).embed(["word"])


@pytest.mark.requirement("EMB-11")
async def test_a_service_that_never_answers_is_given_up(service: Service) -> None:
    stopped = threading.Event()

    def hang(request: dict[str, Any]) -> Answer:
        stopped.wait(10)
        return good(request)

    service.script = [hang] * 4
    with pytest.raises(EmbedError, match="Timeout"):
        await embedder(service, timeout_s=0.05).embed(["word"])
    stopped.set()


@pytest.mark.requirement("EMB-12")
@pytest.mark.parametrize(
    "payload",
    [
        b"<html>proxy</html>",
        [],
        {"data": []},
        {"data": [{"index": 0}]},
        {"data": [{"index": 1, "embedding": [1, 2, 3]}]},
        {"data": [{"index": 0, "embedding": [1]}, {"index": 0, "embedding": [1]}]},
        {"data": [{"index": 0, "embedding": [[1]]}]},
        {"data": [{"index": 0, "embedding": ["x"]}]},
        b'{"data": [{"index": 0, "embedding": [NaN]}]}',
        {"data": ["x"]},
    ],
)
async def test_a_reply_of_another_shape_is_refused(service: Service, payload: object) -> None:
    service.script = [answering(payload)]
    with pytest.raises(EmbedError, match="check embed_url"):
        await embedder(service).embed(["word"])


@pytest.mark.requirement("EMB-12")
async def test_a_wrong_dimension_names_the_right_one(service: Service) -> None:
    with pytest.raises(EmbedError, match="set embed_dimension to 3"):
        await embedder(service, dimension=8).embed(["word"])


@pytest.mark.requirement("EMB-11")
def test_missing_settings_are_named() -> None:
    with pytest.raises(EmbedError, match="embed_url"):
        REMOTE.make(Settings())
    with pytest.raises(EmbedError, match="embed_model"):
        REMOTE.make(Settings(embed_url="http://localhost:11434"))
