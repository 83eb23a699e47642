"""How often the embedder is asked: what a change of names must not do."""

from typing import Any

import pytest

from commonplace.embedders.static import StaticEmbedder


def count_embedded(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many texts each call of the real embedder has from now on."""
    calls: list[int] = []
    real = StaticEmbedder.embed

    async def counted(self: Any, texts: Any, *rest: Any, **named: Any) -> Any:  # noqa: ANN401
        calls.append(len(texts))
        return await real(self, texts, *rest, **named)

    monkeypatch.setattr(StaticEmbedder, "embed", counted)
    return calls
