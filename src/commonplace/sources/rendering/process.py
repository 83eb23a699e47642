"""A Chromium of our own: started for one page, spoken to over two pipes, ended with the page."""

import asyncio
import contextlib
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from commonplace.domain.errors import SourceError

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome")
_WATCH_S = 0.25
_LINE_BYTES = 256 * 1024 * 1024
# What runs before Chromium: the pipes become 3 and 4, as its switch wants; it dies with us; root
# becomes nobody, because a browser of root has no sandbox.
_START = """
import ctypes, os, signal, sys
read, write, user = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
low = [os.dup(read), os.dup(write)]
high = [os.dup2(one, 100 + place) for place, one in enumerate(low)]
os.dup2(high[0], 3)
os.dup2(high[1], 4)
if user:
    os.setgroups([])
    os.setgid(user)
    os.setuid(user)
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
os.closerange(5, 256)
os.execv(sys.argv[4], sys.argv[4:])
"""
_FLAGS = (
    *("--headless=new", "--remote-debugging-pipe", "--no-first-run", "--no-default-browser-check"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--disable-extensions", "--disable-default-apps", "--disable-breakpad", "--mute-audio"),
    *("--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--metrics-recording-only"),
    *("--disable-quic", "--dns-prefetch-disable", "--disable-domain-reliability"),
    "--proxy-bypass-list=<-loopback>",
    # With a proxy the browser has no name to look up; should it try, it finds none.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    *("--force-webrtc-ip-handling-policy", "--webrtc-ip-handling-policy=disable_non_proxied_udp"),
    "--disable-features=AsyncDns,DnsOverHttps,MediaRouter,OptimizationHints,Translate,WebRtc,"
    "AutofillServerCommunication,CertificateTransparencyComponentUpdater,NetworkPrediction",
    "--blink-settings=imagesEnabled=false",
    "--password-store=basic",
    "--use-mock-keychain",
)
_NOBODY = 65534


@dataclass(frozen=True, slots=True, kw_only=True)
class Browser:
    """Which Chromium is started, and how tightly it is held."""

    path: str = ""
    """Empty looks for one."""
    is_sandboxed: bool = True
    memory_mb: int = 1024

    def find(self) -> str:
        """The program; empty when there is none."""
        if self.path:
            return self.path if os.access(self.path, os.X_OK) else ""
        return next((found for name in NAMES if (found := shutil.which(name))), "")


@dataclass(slots=True)
class Pipes:
    """Both ways to a browser: messages end with NUL."""

    reader: asyncio.StreamReader
    incoming: asyncio.ReadTransport
    outgoing: asyncio.WriteTransport
    complaint: str = ""
    """Why it was ended, when we did."""

    def send(self, message: bytes) -> None:
        """Say something to the browser."""
        self.outgoing.write(message + b"\0")

    def close(self) -> None:
        """Close both ways."""
        self.incoming.close()
        if not self.outgoing.is_closing():
            self.outgoing.abort()

    async def receive(self) -> bytes:
        """What the browser says next; raises SourceError when it is gone."""
        try:
            return (await self.reader.readuntil(b"\0"))[:-1]
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, OSError) as exc:
            raise SourceError(self.complaint or "Chromium ended before the page was there") from exc


@asynccontextmanager
async def start(browser: Browser, proxy_port: int) -> AsyncIterator[Pipes]:
    """A browser with an empty profile, ended with the block whatever happens."""
    user = _NOBODY if hasattr(os, "geteuid") and os.geteuid() == 0 else 0
    ours_in, theirs_out = os.pipe()
    theirs_in, ours_out = os.pipe()
    with tempfile.TemporaryDirectory(prefix="commonplace-", ignore_cleanup_errors=True) as profile:
        if user:
            os.chown(profile, user, user)
        command = [
            *(browser.find(), *_FLAGS, f"--proxy-server=http://127.0.0.1:{proxy_port}"),
            *(f"--user-data-dir={profile}", f"--js-flags=--max-old-space-size={browser.memory_mb}"),
            *(() if browser.is_sandboxed else ("--no-sandbox",)),
            "about:blank",
        ]
        try:
            process = await _spawn(command, (theirs_in, theirs_out), user, profile)
        finally:
            os.close(theirs_in)
            os.close(theirs_out)
        pipes = await _open_pipes(ours_in, ours_out)
        watcher = asyncio.create_task(_watch(process.pid, browser.memory_mb, pipes))
        try:
            yield pipes
        finally:
            watcher.cancel()
            pipes.close()
            await asyncio.shield(_end(process))


async def _spawn(
    command: Sequence[str], pipes: tuple[int, int], user: int, profile: str
) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-I", "-S", "-c", _START, *map(str, pipes), str(user), *command),
        pass_fds=pipes,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,
        cwd=profile,
        env={"HOME": profile, "TMPDIR": profile, "PATH": os.defpath, "LANG": "en_US.UTF-8"},
    )


async def _open_pipes(read: int, write: int) -> Pipes:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=_LINE_BYTES)
    incoming, _ = await loop.connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(read, "rb", 0)
    )
    outgoing, _ = await loop.connect_write_pipe(asyncio.Protocol, os.fdopen(write, "wb", 0))
    return Pipes(reader, incoming, outgoing)


async def _end(process: asyncio.subprocess.Process) -> None:
    """Kill everything the browser started, and wait until it is gone."""
    for pid in [process.pid, *_session(process.pid)]:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()
    for _ in range(100):  # its children are ours to wait for only by looking
        if not _session(process.pid):
            return
        await asyncio.sleep(0.02)


async def _watch(pid: int, memory_mb: int, pipes: Pipes) -> None:
    """End a browser that takes too much memory; where /proc is, as other systems do not tell."""
    page_bytes = os.sysconf("SC_PAGE_SIZE")
    while True:
        await asyncio.sleep(_WATCH_S)
        pages = sum(_resident(one) for one in _session(pid))
        if pages * page_bytes > memory_mb * 1024 * 1024:
            pipes.complaint = f"the page took more than {memory_mb} MB to render"
            for one in [pid, *_session(pid)]:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(one, signal.SIGKILL)
            return


def _session(leader: int) -> list[int]:
    """The processes of a session that are still there."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            # The name may hold blanks and brackets; the session is the fourth field behind it.
            behind = entry.read_text("utf-8", "replace").rpartition(")")[2].split()
            if int(behind[3]) == leader:
                found.append(int(entry.parent.name))
    return found


def _resident(pid: int) -> int:
    """Pages of memory only this process holds: what it has in all, less what it shares."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        _, resident, shared, *_ = Path(f"/proc/{pid}/statm").read_text("ascii").split()
        return int(resident) - int(shared)
    return 0
