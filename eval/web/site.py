"""A site on loopback, its questions, and how far from their start the answers are."""

import posixpath
import re
import threading
from collections import deque
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

import yaml

_HREF = re.compile(r'href="([^"#?:]+)')
_FARTHEST = 4


class Case(NamedTuple):
    """One question and where its answer stands."""

    seed: str
    page: str
    ask: str
    answer: str


class Quiet(SimpleHTTPRequestHandler):
    """Serves files, keeps connections and says nothing."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        """Nothing."""


def serve(folder: Path, port: int = 0) -> ThreadingHTTPServer:
    """The folder on a port of loopback, until the process ends."""
    server = ThreadingHTTPServer(("127.0.0.1", port), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def read_cases(name: str) -> list[Case]:
    """The questions to a site."""
    text = Path(__file__).with_name(f"{name}.yaml").read_text("utf-8")
    return [Case(**one) for one in yaml.safe_load(text)]


class Distances:
    """How many links away from a page of a folder its other pages are."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._links: dict[str, list[str]] = {}

    def between(self, seed: str, page: str) -> int:
        """Links from one page to another, at most four."""
        far = {seed: 0}
        queue = deque([seed])
        while queue and page not in far:
            here = queue.popleft()
            for there in self._of(here):
                if there not in far and far[here] + 1 < _FARTHEST:
                    far[there] = far[here] + 1
                    queue.append(there)
        return far.get(page, _FARTHEST)

    def _of(self, page: str) -> list[str]:
        if page not in self._links:
            text = (self._folder / page).read_text("utf-8", "replace")
            near = {
                posixpath.normpath(posixpath.join(posixpath.dirname(page), target))
                for target in _HREF.findall(text)
            }
            self._links[page] = [one for one in sorted(near) if (self._folder / one).is_file()]
        return self._links[page]
