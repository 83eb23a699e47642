"""A server goes on with the index that is there."""

from pathlib import Path

import pytest

from commonplace.serve import late
from commonplace.serve.build import open_store
from commonplace.settings import Settings


@pytest.mark.requirement("SRV-39")
async def test_an_index_that_took_the_place_of_another_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(late, "_LOOK_S", 0.0)
    settings = Settings(home=tmp_path)
    served = late.open_late(settings)
    await served.keyvalue.put("space", "index", b"old")
    assert await served.keyvalue.get("space", "index") == b"old"
    index = tmp_path / "index.db"
    index.rename(tmp_path / "away.db")
    other = open_store(settings)
    await other.keyvalue.put("space", "index", b"new")
    await other.close()
    assert await served.keyvalue.get("space", "index") == b"new"
    async with served.transaction():
        await served.keyvalue.put("space", "more", b"1")
    assert await served.size_bytes() > 0
    await served.close()
