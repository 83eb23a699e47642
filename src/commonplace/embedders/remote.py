"""Vectors from a service the user names: OpenAI's embeddings API, as Ollama and others speak it."""

from urllib.parse import urlsplit

from commonplace.domain.errors import EmbedError
from commonplace.embedders.base import Embedder, EmbedderKind
from commonplace.settings import Settings


def _make(settings: Settings) -> Embedder:
    if urlsplit(settings.embed_url).scheme not in {"http", "https"}:
        raise EmbedError(
            "embedder `remote` needs embed_url, such as http://localhost:11434/v1 "
            "(COMMONPLACE_EMBED_URL)"
        )
    if not settings.embed_model:
        raise EmbedError("embedder `remote` needs embed_model (COMMONPLACE_EMBED_MODEL)")
    from commonplace.embedders.models import openai  # noqa: PLC0415 - only its users pay for it

    endpoint = openai.Endpoint(
        url=openai.embeddings_url(settings.embed_url),
        name=settings.embed_model,
        key=settings.embed_key,
    )
    return openai.RemoteEmbedder(endpoint, settings.embed_dimension)


REMOTE = EmbedderKind("remote", _make)
