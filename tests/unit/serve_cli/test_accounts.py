import pytest

from commonplace.engines.memory.store import MemoryStore
from commonplace.serve.accounts import kept, totals
from commonplace.session.ledger import Entry, Ledger


@pytest.mark.requirement("CLI-38")
async def test_the_sums_of_several_servers_are_added_up() -> None:
    store = MemoryStore()
    for tokens in (100, 300):
        ledger = Ledger()
        async with kept(store, ledger):
            ledger.enter(Entry(tool="kb.search", elapsed_ms=1, tokens=tokens, is_truncated=True))
            ledger.enter(Entry(tool="verify_quote", elapsed_ms=1, tokens=7, error="NOT_FOUND"))
    summed = await totals(store.keyvalue)
    assert (summed["calls"], summed["tokens"], summed["most_tokens"]) == (4, 414, 300)
    assert summed["truncated"] == 2
    assert summed["errors"] == {"NOT_FOUND": 2}
    assert summed["tools"]["kb.search"]["tokens"] == 400


@pytest.mark.requirement("CLI-38")
async def test_without_calls_nothing_is_written_and_the_sums_are_zero() -> None:
    store = MemoryStore()
    async with kept(store, Ledger()):
        pass
    assert await store.keyvalue.keys("ledger") == []
    assert (await totals(store.keyvalue))["calls"] == 0


async def test_a_store_that_cannot_be_written_does_not_end_the_server(
    caplog: pytest.LogCaptureFixture,
) -> None:
    store = MemoryStore()
    ledger = Ledger()
    async with kept(store, ledger):
        ledger.enter(Entry(tool="kb.search", elapsed_ms=1))
        await store.close()
    assert "not kept" in caplog.text
