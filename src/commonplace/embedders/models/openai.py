"""A client of any endpoint that speaks the OpenAI embeddings API, Ollama's included.

Used only when the user names one: texts leave the machine. The key is sent, never logged, and
taken out of every error message.
"""

import asyncio
import json
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

import httpx2
import numpy as np

from commonplace.domain.errors import EmbedError
from commonplace.embedders.base import Vectors
from commonplace.embedders.models.weights import encodable, unit_rows

_BATCH = 64  # inputs a request; OpenAI takes 2,048, Ollama and small servers far fewer tokens
_MAX_CHARS = 20_000  # about 8,191 tokens of dense text, the limit of OpenAI's models
_ATTEMPTS = 4
_MAX_WAIT_S = 30.0
_RETRIED = frozenset({408, 429, 500, 502, 503, 504})
_MAX_REPLY_BYTES = 256 * 1024 * 1024
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_FIXES = {
    401: "the key was refused; set embed_key (COMMONPLACE_EMBED_KEY)",
    403: "the key was refused; set embed_key (COMMONPLACE_EMBED_KEY)",
    404: "no such address or model; check embed_url and embed_model",
    413: "the request was too large; lower passage_tokens",
}


def embeddings_url(url: str) -> str:
    """The full address of the endpoint, from what users paste.

    >>> embeddings_url("http://localhost:11434")
    'http://localhost:11434/v1/embeddings'
    >>> embeddings_url("https://api.example.com/v1/")
    'https://api.example.com/v1/embeddings'
    >>> embeddings_url("https://example.com/custom/embeddings")
    'https://example.com/custom/embeddings'
    """
    trimmed = url.rstrip("/")
    if trimmed.endswith("/embeddings"):
        return trimmed
    return f"{trimmed}/embeddings" if trimmed.endswith("/v1") else f"{trimmed}/v1/embeddings"


@lru_cache(maxsize=1)
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()  # takes some 20 ms, so made once


def _wait_s(reply: httpx2.Response | None, attempt: int, backoff_s: float) -> float:
    """How long to wait: as the server asks, or twice as long each time."""
    asked = reply.headers.get("retry-after", "") if reply is not None else ""
    if asked.replace(".", "", 1).isdecimal():
        return min(float(asked), _MAX_WAIT_S)
    return min(backoff_s * 2.0**attempt, _MAX_WAIT_S)


def _rows(payload: object, count: int) -> Vectors:
    """The vectors of a reply in the order of the request; ValueError when it is malformed."""
    if not isinstance(payload, dict) or not isinstance(payload.get("data"), list):
        raise ValueError("no list `data`")
    by_index = {entry["index"]: entry["embedding"] for entry in payload["data"]}
    if sorted(by_index) != list(range(count)) or len(payload["data"]) != count:
        raise ValueError(f"{len(payload['data'])} vectors for {count} texts")
    rows = np.array([by_index[place] for place in range(count)], dtype=np.float32)
    if rows.ndim != 2 or not np.isfinite(rows).all():
        raise ValueError("vectors of unequal length or not finite")
    return rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """Where texts are sent, and how patiently."""

    url: str
    name: str
    """The model's name as the endpoint knows it."""
    key: str = ""
    timeout_s: float = 60.0
    backoff_s: float = 0.5


class RemoteEmbedder:
    """Vectors from a service the user named."""

    texts_per_s = 100.0  # a guess; it decides only that indexing need not wait for it

    def __init__(self, endpoint: Endpoint, dimension: int = 0) -> None:
        self._endpoint = endpoint
        self._dimension = dimension
        self.model = f"{endpoint.name}@remote"

    @property
    def dimension(self) -> int:
        """As set, or as the endpoint gave it; 0 until it was asked."""
        return self._dimension

    async def embed(self, texts: Sequence[str], *, is_query: bool = False) -> Vectors:  # noqa: ARG002 - the API has no such notion
        """One unit-length row per text; empty texts are not sent and give zeros."""
        filled = [row for row, text in enumerate(texts) if text and not text.isspace()]
        if not filled and self._dimension:
            return np.zeros((len(texts), self._dimension), dtype=np.float32)
        sent = [encodable(texts[row], _MAX_CHARS) for row in filled]
        rows = unit_rows(await self._request_all(sent or ["dimension"]))
        out = np.zeros((len(texts), self._dimension), dtype=np.float32)
        if filled:
            out[filled] = rows
        return out

    async def _request_all(self, texts: list[str]) -> Vectors:
        # A model on this machine is never behind the proxy of the environment.
        is_local = urlsplit(self._endpoint.url).hostname in _LOOPBACK
        async with httpx2.AsyncClient(
            timeout=self._endpoint.timeout_s, verify=_tls(), trust_env=not is_local
        ) as client:
            batches = [texts[start : start + _BATCH] for start in range(0, len(texts), _BATCH)]
            return np.vstack([await self._request(client, batch) for batch in batches])

    async def _request(self, client: httpx2.AsyncClient, batch: list[str]) -> Vectors:
        reply = await self._post(client, batch)
        try:
            if len(reply.content) > _MAX_REPLY_BYTES:
                raise ValueError("too large")
            rows = _rows(reply.json(), len(batch))
        except (ValueError, KeyError, TypeError) as exc:
            raise self._error(
                f"the reply is not of the embeddings API ({type(exc).__name__}: {exc}); "
                "check embed_url"
            ) from exc
        return self._sized(rows)

    def _sized(self, rows: Vectors) -> Vectors:
        """The rows, when their length is the one expected; the first reply sets it if unset."""
        found = rows.shape[1]
        self._dimension = self._dimension or found
        if found != self._dimension:
            raise self._error(
                f"vectors have {found} dimensions, not {self._dimension}; "
                f"set embed_dimension to {found} and re-embed"
            )
        return rows

    async def _post(self, client: httpx2.AsyncClient, batch: list[str]) -> httpx2.Response:
        endpoint = self._endpoint
        headers = {"Authorization": f"Bearer {endpoint.key}"} if endpoint.key else {}
        body = {"model": endpoint.name, "input": batch, "encoding_format": "float"}
        failure = ""
        for attempt in range(_ATTEMPTS):
            reply: httpx2.Response | None = None
            try:
                reply = await client.post(endpoint.url, json=body, headers=headers)
                if reply.is_success:
                    return reply
                failure = f"status {reply.status_code}: {_reason(reply)}"
                if reply.status_code not in _RETRIED:
                    fix = _FIXES.get(reply.status_code, "check embed_url and embed_model")
                    raise self._error(f"{failure}; {fix}")
            except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError) as exc:
                failure = f"{type(exc).__name__}: {exc}".rstrip(": ")
            if attempt + 1 < _ATTEMPTS:
                await asyncio.sleep(_wait_s(reply, attempt, endpoint.backoff_s))
        raise self._error(f"{failure}; tried {_ATTEMPTS} times: is the service running?")

    def _error(self, message: str) -> EmbedError:
        shown = message.replace(self._endpoint.key, "…") if self._endpoint.key else message
        return EmbedError(f"embedding with {self._endpoint.name}: {shown}")


def _reason(reply: httpx2.Response) -> str:
    """What the server said, short: OpenAI's envelope or the bare text."""
    try:
        payload: Any = json.loads(reply.content[:10_000])
        error = payload.get("error", payload) if isinstance(payload, dict) else payload
        said = error.get("message", error) if isinstance(error, dict) else error
    except ValueError:
        said = reply.text
    return " ".join(str(said).split())[:200]
