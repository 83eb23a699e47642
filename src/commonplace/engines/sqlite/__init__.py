"""The default engine: one SQLite file, three ports, several processes."""

from commonplace.engines.base import Engine, Store


def open_store(address: str) -> Store:
    """Open ``sqlite:///folder/index.db``; ``?wait_s=30`` bounds the wait for another writer."""
    from commonplace.engines.sqlite.store import SqliteStore  # noqa: PLC0415 - catalog stays light

    return SqliteStore.open(address)


SQLITE = Engine(name="sqlite", open=open_store)
