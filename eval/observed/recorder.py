"""Run a package's tests and note who calls whom: in a process of its own, with pytest inside.

``python -m eval.observed.recorder ROOT OUT SEARCH_PATH… -- PYTEST_ARGUMENTS…``
"""

import dis
import gc
import json
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

COMPREHENSIONS = frozenset({"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"})
RESUMED = 0x20 | 0x80 | 0x200  # CO_GENERATOR, CO_COROUTINE, CO_ASYNC_GENERATOR

# The import system asks modules for names they need not have: no call of the text.
IMPORTING = frozenset({dis.opmap["IMPORT_NAME"], dis.opmap["IMPORT_FROM"]})

Key = tuple[str, int, str, bool]
"""File, first line, name and whether it is resumed rather than called."""
Tracer = Callable[[FrameType, str, Any], Any]


class Recorder:
    """Pairs of code of one folder that called each other, and the lines that ran."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.pairs: set[tuple[CodeType, CodeType]] = set()
        self.lines: dict[str, set[int]] = {}

    def trace(self, frame: FrameType, event: str, _arg: object) -> Tracer | None:
        """Called by the interpreter when a function is entered."""
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(self.root):
            return None
        caller = frame.f_back
        if (
            caller is not None
            and caller.f_code.co_filename.startswith(self.root)
            and caller.f_code.co_code[caller.f_lasti] not in IMPORTING
        ):
            self.pairs.add((caller.f_code, code))
        seen = self.lines.setdefault(code.co_filename, set())

        def local(inner: FrameType, what: str, _value: object) -> Tracer:
            if what == "line":
                seen.add(inner.f_lineno)
            return local

        return local

    def key(self, code: CodeType) -> Key:
        """What is kept of code."""
        is_resumed = bool(code.co_flags & RESUMED) and code.co_name not in COMPREHENSIONS
        path = Path(code.co_filename).relative_to(self.root).as_posix()
        return path, code.co_firstlineno, code.co_name, is_resumed

    def write(self, target: Path) -> None:
        """Keep what was seen."""
        pairs = sorted({(self.key(caller), self.key(callee)) for caller, callee in self.pairs})
        lines = {
            Path(name).relative_to(self.root).as_posix(): sorted(seen)
            for name, seen in sorted(self.lines.items())
        }
        target.write_text(json.dumps({"pairs": pairs, "lines": lines}), "utf-8")


def main() -> None:
    """Set the trace before anything of the package is imported, then run its tests."""
    given, arguments = sys.argv[1 : sys.argv.index("--")], sys.argv[sys.argv.index("--") + 1 :]
    root, target, *search = given
    sys.path[:0] = search
    recorder = Recorder(root.rstrip("/") + "/")
    import pytest  # noqa: PLC0415 - from the search path just set

    gc.disable()  # finalizers run by the collector have no caller in the text
    threading.settrace(recorder.trace)
    sys.settrace(recorder.trace)
    code = pytest.main(arguments)
    sys.settrace(None)
    threading.settrace(None)
    recorder.write(Path(target))
    sys.stdout.write(f"pytest ended with {int(code)}\n")


if __name__ == "__main__":
    main()
