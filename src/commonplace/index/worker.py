"""A worker's side: a process of its own that drafts what it is sent, until its parent is gone.

Run by ``workers.py`` as ``python -m commonplace.index.worker``. A request is a limit, a recipe
and pickled resources; an answer is one pickle a resource, in order.

A document that takes too long ends the process. The kernel does it, or where it has no alarms a
thread of the interpreter's own: while a regular expression or a C library holds the interpreter's
lock, no handler and no thread of Python's would run.
"""

import faulthandler
import gc
import os
import pickle
import queue
import signal
import sys
import threading
from collections.abc import Sequence
from typing import BinaryIO

from commonplace.index.draft import Recipe, made
from commonplace.tokens import token_counter

HAS_ALARM = hasattr(signal, "setitimer")
TOO_LONG = -signal.SIGALRM if HAS_ALARM else 1
"""The exit code of a worker whose document took too long."""
_ORPHANED = 3

Requests = queue.SimpleQueue[tuple[float, Recipe, Sequence[bytes]]]


def _receive(stream: BinaryIO, requests: Requests) -> None:
    """Read ahead, so that the parent never waits to write; end with it, whatever is under way."""
    while True:
        try:
            requests.put(pickle.load(stream))  # noqa: S301 - from the process that started us
        except (EOFError, OSError, pickle.UnpicklingError):
            os._exit(_ORPHANED)


def _limit(seconds: float) -> None:
    """End this process in so many seconds; 0 is never."""
    if HAS_ALARM:  # a microsecond; the other way takes one thread, nearly a millisecond
        signal.setitimer(signal.ITIMER_REAL, seconds)
    elif seconds:
        faulthandler.dump_traceback_later(seconds, exit=True)
    else:
        faulthandler.cancel_dump_traceback_later()


def main() -> None:
    """Answer requests until the parent ends."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not come between the answers
    requests: Requests = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(sys.stdin.buffer, requests), daemon=True).start()
    while True:
        limit_s, recipe, pickled = requests.get()
        if recipe.stage == "text":
            gc.enable()
            token_counter(recipe.tokenizer)("")  # its ranks load now, not at the first one's cost
        else:
            gc.disable()  # facts are trees of tuples: looking for cycles in them is half the work
        for one in pickled:
            _limit(limit_s)
            resource = pickle.loads(one)  # noqa: S301 - as above
            outcome = pickle.dumps(made(recipe, resource))
            _limit(0)
            answers.write(outcome)
            answers.flush()


if __name__ == "__main__":
    main()
