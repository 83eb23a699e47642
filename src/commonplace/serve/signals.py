"""Ending on a signal instead of dying of it."""

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def stopping(stop: Callable[[signal.Signals], None]) -> Iterator[None]:
    """Call ``stop`` on SIGINT and SIGTERM, where the event loop can be told of signals."""
    loop = asyncio.get_running_loop()
    caught: list[signal.Signals] = []
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, stop, number)
        except (NotImplementedError, RuntimeError, ValueError):  # Windows, or not the main thread
            continue
        caught.append(number)
    try:
        yield
    finally:
        for number in caught:
            loop.remove_signal_handler(number)
