"""Pages that scripts write, rendered by a real Chromium that reaches nothing it should not."""

import asyncio
import errno
import os
import shutil
import socket
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import pytest

from commonplace.domain.errors import CommonplaceError, DeadlineExceeded, SourceError
from commonplace.parsers.html import needs_scripts
from commonplace.sources.fetching import network
from commonplace.sources.fetching.fetcher import Fetcher, Terms
from commonplace.sources.fetching.guard import Guard
from commonplace.sources.fetching.pace import Pace
from commonplace.sources.rendering.finish import Finisher, Mode
from commonplace.sources.rendering.process import Browser
from commonplace.sources.rendering.proxy import open_proxy
from commonplace.sources.rendering.renderer import Renderer
from tests.site import Site, open_site

needs_chromium = pytest.mark.skipif(not Browser().find(), reason="no Chromium is installed")
TERMS = Terms(max_bytes=10**6, timeout_s=30.0, accepts=lambda _type: True, obeys_robots=False)
FRAME = "<body><div id=app></div><script>document.getElementById('app').innerHTML = {}</script>"


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    async with open_site() as opened:
        yield opened


@pytest.fixture
def profiles(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Where browsers of this test keep their profiles, open to the user they run as."""
    folder = tempfile.mkdtemp(prefix="rendering-", dir="/tmp")
    Path(folder).chmod(0o755)
    monkeypatch.setattr(tempfile, "tempdir", folder)
    yield folder
    monkeypatch.undo()
    shutil.rmtree(folder, ignore_errors=True)


SANDBOXED: list[bool] = []
"""Whether browsers start in a sandbox here; found out once."""


@pytest.fixture
async def browser(profiles: str) -> Browser:
    """A browser that starts here: sandboxed where the system allows it."""
    del profiles
    if not SANDBOXED:
        async with open_site() as probe:
            probe.serve("/", "<p>up</p>")
            try:
                await Renderer(only(probe), Browser()).render(probe.url(), 10**6, 40.0)
                SANDBOXED.append(True)
            except SourceError:
                SANDBOXED.append(False)
    return Browser(is_sandboxed=SANDBOXED[0])


def only(site: Site) -> Guard:
    return Guard([f"127.0.0.1:{site.port}"])


def left_behind(profiles: str) -> list[int]:
    return [
        one.pid
        for one in psutil.process_iter(["cmdline", "status"])
        if profiles in " ".join(one.info["cmdline"] or ())
        and one.info["status"] != psutil.STATUS_ZOMBIE
    ]


@needs_chromium
@pytest.mark.requirement("WEB-R01")
async def test_text_that_scripts_write_is_found(site: Site, browser: Browser) -> None:
    site.serve("/data.json", '{"said": "Fetched later"}', content_type="application/json")
    site.serve(
        "/",
        "<body><div id=app>Loading</div><script>"
        "customElements.define('x-host', class extends HTMLElement { connectedCallback() {"
        "this.attachShadow({mode: 'open'}).innerHTML = '<p>In the shadow</p>' } });"
        "alert('hello');"
        "fetch('/data.json').then(r => r.json()).then(d => setTimeout(() => {"
        "document.getElementById('app').innerHTML = `<h1>${d.said}</h1><x-host></x-host>`;"
        "history.pushState({}, '', '/pushed?q=1#part') }, 100))</script>",
    )
    rendered = await Renderer(only(site), browser).render(site.url(), 10**6, 40.0)
    text = rendered.content.decode()
    assert "<h1>Fetched later</h1>" in text
    assert "<p>In the shadow</p>" in text
    assert "<script" not in text
    assert rendered.url == site.url("/pushed?q=1#part")
    assert (rendered.is_whole, rendered.refused) == (True, ())


@dataclass(slots=True)
class Trap:
    """A port of this machine, TCP and UDP, that notes whoever comes."""

    port: int = 0
    caught: list[str] = field(default_factory=list)


class _Datagrams(asyncio.DatagramProtocol):
    def __init__(self, trap: Trap) -> None:
        self._trap = trap

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        self._trap.caught.append(f"udp {addr} {data[:20]!r}")


@asynccontextmanager
async def open_trap() -> AsyncIterator[Trap]:
    trap = Trap()

    async def catch(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        trap.caught.append(f"tcp {(await reader.read(100))!r}")
        writer.close()

    loop = asyncio.get_running_loop()
    with ExitStack() as held:
        trap.port, (four, six, udp) = _same_port(held)
        servers = [await asyncio.start_server(catch, sock=one) for one in (four, six)]
        noting, _ = await loop.create_datagram_endpoint(lambda: _Datagrams(trap), sock=udp)
        try:
            yield trap
        finally:
            noting.close()
            for server in servers:
                server.close()


def _same_port(held: ExitStack) -> tuple[int, list[socket.socket]]:
    """TCP of both kinds of address and UDP at one port: another program may have one of them."""
    port, made = 0, []
    for family, kind, host in (
        (socket.AF_INET, socket.SOCK_STREAM, "127.0.0.1"),
        (socket.AF_INET6, socket.SOCK_STREAM, "::1"),
        (socket.AF_INET, socket.SOCK_DGRAM, "127.0.0.1"),
    ):
        one = held.enter_context(closing(socket.socket(family, kind)))
        if family == socket.AF_INET6:
            one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        try:
            one.bind((host, port))
        except OSError as exc:
            if exc.errno == errno.EADDRINUSE:
                return _same_port(held)
            raise
        port = one.getsockname()[1]
        made.append(one)
    return port, made


ATTACKS = """<body><p id=said>trying</p>
<img src="http://127.0.0.1:PORT/img"><iframe src="http://127.0.0.1:PORT/frame"></iframe>
<iframe src="/away"></iframe><iframe srcdoc="<meta http-equiv=refresh content='0;
url=http://127.0.0.1:PORT/refresh'>"></iframe>
<script src="http://127.0.0.1:PORT/script"></script><link rel=stylesheet href="/css">
<link rel=preconnect href="http://127.0.0.1:PORT"><link rel=dns-prefetch href="//localhost">
<link rel=prefetch href="http://localhost:PORT/prefetch"><link rel=manifest href="//127.0.0.1:PORT">
<object data="http://127.0.0.1:PORT/object"></object><embed src="http://127.0.0.1:PORT/embed">
<video src="http://127.0.0.1:PORT/video" autoplay></video>
<style>@import url(http://127.0.0.1:PORT/import); body { background: url(//127.0.0.1:PORT/bg) }
</style><form id=f method=post target=t action="http://127.0.0.1:PORT/form"></form>
<iframe name=t></iframe>
<script>
const quiet = promise => Promise.resolve(promise).catch(() => 0);
const hosts = ['127.0.0.1', 'localhost', '127.1', '0.0.0.0', '2130706433', '0x7f000001', '[::1]',
  '[::ffff:127.0.0.1]', 'LOCALHOST.', 'evil.test'];
const tries = [];
for (const host of hosts) for (const scheme of ['http', 'https'])
  tries.push(quiet(fetch(`${scheme}://${host}:PORT/fetch`, {mode: 'no-cors'})));
tries.push(quiet(fetch('/away', {mode: 'no-cors'})));
const attempt = work => { try { work() } catch (error) { } };
attempt(() => new WebSocket('ws://127.0.0.1:PORT/ws'));
attempt(() => new WebSocket('wss://localhost:PORT/ws'));
attempt(() => new EventSource('http://127.0.0.1:PORT/events'));
attempt(() => navigator.sendBeacon('http://127.0.0.1:PORT/beacon', 'x'));
attempt(() => document.getElementById('f').submit());
attempt(() => window.open('http://127.0.0.1:PORT/open'));
attempt(() => { const asked = new XMLHttpRequest(); asked.open('GET', 'http://127.0.0.1:PORT/x');
  asked.send() });
attempt(() => tries.push(quiet(import('http://127.0.0.1:PORT/module.js'))));
attempt(() => new WebTransport('https://127.0.0.1:PORT/transport'));
attempt(() => { const peer = new RTCPeerConnection({iceServers: [
  {urls: 'stun:127.0.0.1:PORT'}, {urls: 'turn:127.0.0.1:PORT?transport=tcp', username: 'a',
  credential: 'b'}]}); peer.createDataChannel('x');
  peer.createOffer().then(offer => peer.setLocalDescription(offer)) });
attempt(() => { const inner = document.createElement('iframe'); document.body.append(inner);
  const peer = new inner.contentWindow.RTCPeerConnection({iceServers: [
  {urls: 'stun:127.0.0.1:PORT'}]}); peer.createDataChannel('x');
  peer.createOffer().then(offer => peer.setLocalDescription(offer)) });
attempt(() => { const code = new Blob([`fetch('http://127.0.0.1:PORT/worker', {mode: 'no-cors'})`]);
  new Worker(URL.createObjectURL(code)) });
Promise.all(tries).then(() => setTimeout(() => {
  document.getElementById('said').textContent = 'tried all' }, 500));
</script>"""


@needs_chromium
@pytest.mark.requirement("WEB-R02")
async def test_a_page_reaches_nothing_it_may_not(
    site: Site, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    look_up = network._look_up

    async def answer(host: str, port: int, timeout_s: float | None) -> list[str]:
        return ["127.0.0.1"] if host == "evil.test" else await look_up(host, port, timeout_s)

    monkeypatch.setattr(network, "_look_up", answer)
    async with open_trap() as trap:
        site.serve("/away", status=302, location=f"http://127.0.0.1:{trap.port}/redirected")
        site.serve("/css", f"@import url(http://127.0.0.1:{trap.port}/c)", content_type="text/css")
        site.serve("/", ATTACKS.replace("PORT", str(trap.port)))
        rendered = await Renderer(only(site), browser).render(site.url(), 10**6, 45.0)
    assert trap.caught == []
    assert "tried all" in rendered.content.decode()
    assert {f"127.0.0.1:{trap.port}", f"evil.test:{trap.port}"} <= set(rendered.refused)


@needs_chromium
@pytest.mark.requirement("WEB-R03")
async def test_a_page_whose_script_never_ends_is_ended(
    site: Site, browser: Browser, profiles: str
) -> None:
    site.serve("/", "<p>Before it.</p><script>while (true) {}</script>")
    try:
        rendered = await Renderer(only(site), browser).render(site.url(), 10**6, 12.0)
        assert not rendered.is_whole
    except DeadlineExceeded as exc:
        assert "12 s" in exc.message  # noqa: PT017 - both ends are right, by the load of the machine
    assert left_behind(profiles) == []


@needs_chromium
@pytest.mark.requirement("WEB-R03")
async def test_a_cancelled_rendering_leaves_no_process(
    site: Site, browser: Browser, profiles: str
) -> None:
    site.serve("/", "<script>while (true) {}</script>")
    task = asyncio.create_task(Renderer(only(site), browser).render(site.url(), 10**6, 50.0))
    while not site.paths:  # noqa: ASYNC110 - the server has no event to wait for
        await asyncio.sleep(0.05)
    assert left_behind(profiles)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert left_behind(profiles) == []
    assert os.listdir(profiles) == []


@needs_chromium
@pytest.mark.requirement("WEB-R03")
async def test_a_page_that_takes_too_much_memory_is_ended(site: Site, browser: Browser) -> None:
    site.serve("/", "<script>while (true) {}</script>")
    small = Browser(is_sandboxed=browser.is_sandboxed, memory_mb=1)
    with pytest.raises(SourceError, match="more than 1 MB"):
        await Renderer(only(site), small).render(site.url(), 10**6, 50.0)


@needs_chromium
@pytest.mark.requirement("WEB-R03")
async def test_a_page_that_grows_too_large_is_left(site: Site, browser: Browser) -> None:
    site.serve("/", "<body><script>document.body.textContent = 'x'.repeat(3e5)</script>")
    with pytest.raises(SourceError, match="larger than 100,000 bytes"):
        await Renderer(only(site), browser).render(site.url(), 10**5, 40.0)


def fetcher(site: Site, browser: Browser, mode: Mode) -> Fetcher:
    guard = only(site)
    renderer = Renderer(guard, browser)
    finish = Finisher(renderer=renderer, mode=mode, needs_scripts=needs_scripts)
    return Fetcher(guard, Pace(0.0), finish)


ABSENT = Browser(path="/nowhere/chromium")


@needs_chromium
@pytest.mark.requirement("WEB-R04")
async def test_only_pages_that_need_it_are_rendered(site: Site, browser: Browser) -> None:
    site.serve("/made", FRAME.format("'<p>Made</p>'"), etag='"1"')
    site.serve("/written", f"<p>{'Words. ' * 60}</p><script>document.body.append('more')</script>")
    async with fetcher(site, browser, "auto") as own:
        made = await own.fetch(site.url("/made"), TERMS)
        written = await own.fetch(site.url("/written"), TERMS)
    assert b"<p>Made</p>" in made.content
    assert (made.known.etag, made.content_type) == ("", "text/html; charset=utf-8")
    assert b"append('more')" in written.content  # as it came


@needs_chromium
@pytest.mark.requirement("WEB-R04")
async def test_every_page_is_rendered_when_the_setting_says_so(
    site: Site, browser: Browser
) -> None:
    site.serve(
        "/",
        f"<p>{'Words. ' * 60}</p><script>location.pathname == '/' && "
        "location.assign('/next')</script>",
    )
    site.serve("/next", f"<p>{'Next. ' * 60}</p><script>document.body.append('more')</script>")
    async with fetcher(site, browser, "always") as own:
        page = await own.fetch(site.url("/"), TERMS)
    assert (page.url, page.hops) == (site.url("/next"), (site.url("/"),))
    assert b"more" in page.content


@pytest.mark.requirement("WEB-R05")
async def test_a_page_that_needs_rendering_where_nothing_renders_says_so(site: Site) -> None:
    site.serve("/", FRAME.format("'Made'"))
    site.serve("/plain", f"<p>{'Words. ' * 60}</p>")
    async with fetcher(site, ABSENT, "auto") as own:
        page = await own.fetch(site.url("/"), TERMS)
        plain = await own.fetch(site.url("/plain"), TERMS)
    (warning,) = page.warnings
    assert warning.startswith("rendering is off: web_chromium names '/nowhere/chromium'")
    assert plain.warnings == ()
    with pytest.raises(SourceError, match="web_chromium"):
        await Renderer(only(site), ABSENT).render(site.url(), 10, 1.0)


@pytest.mark.requirement("WEB-R05")
@pytest.mark.parametrize(
    ("markup", "needs"),
    [
        ("<div id=root></div><script src=/app.js></script>", True),
        ("<noscript>You need to enable JavaScript</noscript><script type=module>1</script>", True),
        ("<p>Short.</p>", False),
        (f"<p>{'Words. ' * 60}</p><script>1</script>", False),
        ('<div>Little</div><script type="application/ld+json">{}</script>', False),
        ("", False),
    ],
)
def test_a_frame_that_scripts_fill_is_known_by_its_emptiness(markup: str, needs: bool) -> None:
    assert needs_scripts(markup.encode(), "text/html") is needs


async def ask(port: int, request: bytes) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request)
    reply = await asyncio.wait_for(reader.read(300), 20)
    writer.close()
    return reply


@pytest.mark.requirement("WEB-R02")
@pytest.mark.parametrize(
    ("request_line", "status"),
    [
        ("CONNECT 127.0.0.1:{port} HTTP/1.1", b"403"),
        ("CONNECT localhost:{port} HTTP/1.1", b"403"),
        ("CONNECT [::1]:{port} HTTP/1.1", b"403"),
        ("CONNECT 169.254.169.254:80 HTTP/1.1", b"403"),
        ("GET http://127.0.0.1:{port}/ HTTP/1.1", b"403"),
        ("GET http://10.0.0.1/ HTTP/1.1", b"403"),
        ("GET http://a@127.0.0.1:{port}/ HTTP/1.1", b"403"),
        ("GET / HTTP/1.1", b"400"),
        ("GET ftp://127.0.0.1:{port}/ HTTP/1.1", b"400"),
        ("CONNECT 127.0.0.1 HTTP/1.1", b"400"),
        ("CONNECT", b"400"),
        ("GET http://no.such.name.invalid/ HTTP/1.1", b"502"),
    ],
)
async def test_the_proxy_refuses_what_the_guard_refuses(request_line: str, status: bytes) -> None:
    async with open_trap() as trap, open_proxy(Guard(), 10**6) as proxy:
        line = request_line.format(port=trap.port)
        reply = await ask(proxy.port, f"{line}\r\nHost: x\r\n\r\n".encode())
        assert reply.split(b" ")[1] == status
        assert trap.caught == []


@pytest.mark.requirement("WEB-R02")
async def test_the_proxy_forwards_one_request_and_no_other(site: Site) -> None:
    site.serve("/a", "first")
    async with open_proxy(only(site), 10**6) as proxy:
        request = f"GET {site.url('/a')} HTTP/1.1\r\nHost: evil\r\nProxy-Connection: x\r\n\r\n"
        second = f"GET {site.url('/b')} HTTP/1.1\r\nHost: evil\r\n\r\n"
        reply = await ask(proxy.port, (request + second).encode())
    assert b"Connection: close" in reply
    assert site.paths == ["/a"]
    assert site.asked[0].headers["host"] == f"127.0.0.1:{site.port}"
    assert "proxy-connection" not in site.asked[0].headers


@pytest.mark.requirement("WEB-R02")
async def test_the_proxy_stops_when_too_much_has_come(site: Site) -> None:
    site.serve("/", "x" * 200_000)
    async with open_proxy(only(site), 1000) as proxy:
        await ask(proxy.port, f"GET {site.url('/')} HTTP/1.1\r\n\r\n".encode())
        while proxy.passed <= 1000:  # noqa: ASYNC110 - the proxy has no event to wait for
            await asyncio.sleep(0.01)
        reply = await ask(proxy.port, f"GET {site.url('/')} HTTP/1.1\r\n\r\n".encode())
    assert b"503" in reply


@pytest.mark.requirement("WEB-R05")
async def test_a_page_that_cannot_be_rendered_is_read_as_it_came(site: Site) -> None:
    site.serve("/", FRAME.format("'Made'"))
    broken = Browser(path="/bin/false")
    async with fetcher(site, broken, "auto") as own:
        page = await own.fetch(site.url("/"), TERMS)
    assert b"id=app" in page.content
    assert page.warnings[0].startswith("not rendered: Chromium ended")
    assert isinstance(SourceError("x"), CommonplaceError)
