"""The reference engine: dicts. Slow, plain, and right; other engines are compared with it."""

from commonplace.engines.base import Engine, Store


def open_store(_address: str) -> Store:
    """Open an empty store that lives as long as the process keeps it: ``memory://``."""
    from commonplace.engines.memory.store import MemoryStore  # noqa: PLC0415 - catalog stays light

    return MemoryStore()


MEMORY = Engine(name="memory", open=open_store)
