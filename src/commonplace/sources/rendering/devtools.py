"""The part of the DevTools protocol that opens a page and reads what it became."""

import asyncio
import json
from typing import Any

from commonplace.domain.errors import SourceError
from commonplace.sources.rendering.process import Pipes

_IDLE = frozenset({"networkIdle", "networkAlmostIdle"})


class Page:
    """A tab of a browser."""

    def __init__(self, pipes: Pipes) -> None:
        self._pipes = pipes
        self._number = 0
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._session = ""
        self._listening: asyncio.Task[None] | None = None
        self._frame = ""
        self.is_quiet = asyncio.Event()
        """Set when the page has loaded and asks for nothing more."""

    async def open(self) -> None:
        """Make the tab."""
        self._listening = asyncio.create_task(self._listen())
        made = await self.call("Target.createTarget", url="about:blank")
        attached = await self.call("Target.attachToTarget", targetId=made["targetId"], flatten=True)
        self._session = attached["sessionId"]
        await self.call("Page.enable")
        await self.call("Page.setLifecycleEventsEnabled", enabled=True)
        # Peer connections go past every proxy; pages can be read without them.
        await self.call(
            "Page.addScriptToEvaluateOnNewDocument",
            source="for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', "
            "'RTCDataChannel', 'WebTransport']) delete window[name]",
        )

    async def go(self, url: str) -> None:
        """Begin to load an address."""
        self.is_quiet.clear()
        gone = await self.call("Page.navigate", url=url)
        self._frame = gone.get("frameId", "")
        if gone.get("errorText"):
            raise SourceError(f"Chromium cannot open the page: {gone['errorText']}")

    async def value(self, expression: str) -> str:
        """What a script of ours comes to, as text."""
        found = await self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        return str(found.get("result", {}).get("value", ""))

    async def halt(self) -> None:
        """End the script that runs in the page now."""
        await self.call("Runtime.terminateExecution")

    async def call(self, method: str, **params: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
        """One command and its outcome."""
        self._number += 1
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._waiting[self._number] = answer
        said: dict[str, Any] = {"id": self._number, "method": method, "params": params}
        if self._session:
            said["sessionId"] = self._session
        self._pipes.send(json.dumps(said).encode())
        return await answer

    async def close(self) -> None:
        """Stop listening."""
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.gather(self._listening, return_exceptions=True)

    async def _listen(self) -> None:
        try:
            while True:
                self._hear(json.loads(await self._pipes.receive()))
        except SourceError as exc:
            for answer in self._waiting.values():
                if not answer.done():
                    answer.set_exception(exc)
                    answer.exception()  # read, whether or not somebody still waits for it
            self.is_quiet.set()

    def _hear(self, message: dict[str, Any]) -> None:
        answer = self._waiting.pop(message.get("id", 0), None)
        if answer is not None and not answer.done():
            if "error" in message:
                answer.set_exception(SourceError(f"Chromium: {message['error'].get('message')}"))
            else:
                answer.set_result(message.get("result", {}))
        event, params = message.get("method"), message.get("params", {})
        if event == "Page.lifecycleEvent" and params.get("name") in _IDLE:
            if params.get("frameId") == self._frame:
                self.is_quiet.set()
        elif event == "Page.javascriptDialogOpening":
            self._dismiss()

    def _dismiss(self) -> None:
        """Answer a dialog, which would stop the page for ever."""
        said = {
            "id": 0,
            "sessionId": self._session,
            "method": "Page.handleJavaScriptDialog",
            "params": {"accept": False},
        }
        self._pipes.send(json.dumps(said).encode())
