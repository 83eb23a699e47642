"""Logs: one JSON object a line on standard error, without secrets and without large text.

Standard output is the wire of the stdio transport, so nothing here ever writes to it.
"""

import io
import json
import logging
import os
import queue
import re
import threading
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, TextIO

from commonplace.settings import Settings

_VALUE_CHARS = 200  # a longer value is document text, not a fact about the call
_MESSAGE_CHARS = 500
_FRAMES = 12
_MOST_WAITING = 1_000
_FLUSH_S = 1.0  # at the end of the process; a log nobody reads must not keep it alive
_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}
_SECRET_NAME = re.compile(r"(?i)token$|secret|passw|api_?key|_key$|^key$|authori[sz]ation|cookie")
_SECRET_TEXT = re.compile(
    r"(?i)\b(bearer|basic)\s+[\w.~+/=-]+|\bsk-[\w-]{8,}|(?<=://)[^/\s:@]+:[^/\s@]+@"
)
_HIDDEN = "[redacted]"
_LEAST_SECRET_CHARS = 4  # a shorter one would blank out ordinary words


class PatientHandler(logging.Handler):
    """Writes lines from a thread of its own, so that nobody waits for who reads them.

    Some clients never read a server's standard error; once its pipe is full, a write blocks for
    ever. Lines wait in a bounded queue and the newest are dropped when it is full.
    """

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self._stream = stream
        self._lines: queue.Queue[str] = queue.Queue(_MOST_WAITING)
        self._process = os.getpid()
        self._written = threading.Condition()
        threading.Thread(target=self._write, name="log", daemon=True).start()

    def emit(self, record: logging.LogRecord) -> None:
        """Put the line in the queue."""
        line = self.format(record) + "\n"
        if os.getpid() != self._process:  # a forked worker has no such thread
            self._stream.write(line)
            return
        with suppress(queue.Full):
            self._lines.put_nowait(line)

    def flush(self) -> None:
        """Wait a moment for the queue to empty."""
        with self._written:
            self._written.wait_for(lambda: not self._lines.unfinished_tasks, _FLUSH_S)

    def _write(self) -> None:
        while True:
            line = self._lines.get()
            with suppress(OSError, ValueError):  # nobody is there to be told
                self._stream.write(line)
                self._stream.flush()
            self._lines.task_done()
            with self._written:
                self._written.notify_all()


class JsonLines(logging.Formatter):
    """Formats a record as one line of JSON; keys passed in ``extra`` become fields."""

    def __init__(self, secrets: Sequence[str] = ()) -> None:
        super().__init__()
        self._secrets = tuple(s for s in secrets if len(s) >= _LEAST_SECRET_CHARS)

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        facts: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "event": self._text(_message(record), _MESSAGE_CHARS),
        }
        for name, value in vars(record).items():
            if name not in _STANDARD:
                facts[name] = self._value(name, value)
        if record.exc_info and record.exc_info[1] is not None:
            facts["error_type"] = type(record.exc_info[1]).__name__
            facts["error_text"] = self._text(str(record.exc_info[1]), _VALUE_CHARS)
            facts["frames"] = _frames(record.exc_info[1])
        return json.dumps(facts, ensure_ascii=True, default=str)

    def _value(self, name: str, value: Any) -> Any:  # noqa: ANN401 - whatever was logged
        if _SECRET_NAME.search(name) and isinstance(value, str):
            return _HIDDEN
        if isinstance(value, str):
            if len(value) > _VALUE_CHARS:
                return f"<{len(value)} characters>"
            return self._text(value, _VALUE_CHARS)
        if isinstance(value, Mapping):
            return {str(key): self._value(str(key), inner) for key, inner in value.items()}
        if isinstance(value, list | tuple | set | frozenset):
            return [self._value("", inner) for inner in value]
        return value

    def _text(self, text: str, most_chars: int) -> str:
        for secret in self._secrets:
            text = text.replace(secret, _HIDDEN)
        text = _SECRET_TEXT.sub(_HIDDEN, text)
        if len(text) <= most_chars:
            return text
        return f"{text[:most_chars]}… <{len(text)} characters>"


def start_logging(settings: Settings, stream: TextIO | None = None) -> None:
    """Send every logger of the process to standard error as JSON lines."""
    handler = PatientHandler(stream or _unbuffered_stderr())
    handler.setFormatter(JsonLines((settings.auth_token, settings.embed_key)))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(settings.log_level)
    # The SDK's own lines name sessions and headers at INFO; they help only when debugging.
    is_debug = settings.log_level == "DEBUG"
    for name in ("mcp", "uvicorn", "httpx", "httpx2"):
        logging.getLogger(name).setLevel(logging.DEBUG if is_debug else logging.WARNING)


def _unbuffered_stderr() -> TextIO:
    """Standard error past the buffer of ``sys.stderr``.

    A thread that waits in there for a reader holds a lock that the end of the process waits for.
    """
    return io.TextIOWrapper(io.FileIO(2, "w", closefd=False), "utf-8", write_through=True)


def _message(record: logging.LogRecord) -> str:
    try:
        return record.getMessage()
    except (TypeError, ValueError):  # a record with wrong arguments must not stop the server
        return str(record.msg)


def _frames(error: BaseException) -> list[str]:
    frames = traceback.extract_tb(error.__traceback__)[-_FRAMES:]
    return [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
