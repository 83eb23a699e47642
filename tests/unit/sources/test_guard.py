"""No page reaches the reader's own network, however the address is written."""

import ipaddress
import socket
from collections.abc import AsyncIterator
from typing import Any

import pytest

from commonplace.domain.errors import CommonplaceError, ForbiddenOperation, InvalidArgument
from commonplace.sources.fetching import fetcher as fetching
from commonplace.sources.fetching.fetcher import Fetcher, Terms
from commonplace.sources.fetching.guard import Guard, is_public
from commonplace.sources.fetching.pace import Pace
from tests.site import Site, open_site

TERMS = Terms(max_bytes=10**6, timeout_s=60.0, accepts=lambda _type: True, obeys_robots=False)
OPEN = Terms(max_bytes=10**6, timeout_s=60.0, accepts=lambda _type: True)

# Every way to write an address of this machine that some client or resolver understands.
LOOPBACK = [
    "http://127.0.0.1:{port}/",
    "http://localhost:{port}/",
    "http://LOCALHOST:{port}/",
    "http://localhost.:{port}/",
    "http://127.1:{port}/",
    "http://127.0.1:{port}/",
    "http://127.0.0.2:{port}/",
    "http://127.255.255.254:{port}/",
    "http://0x7f000001:{port}/",
    "http://0x7f.0.0.1:{port}/",
    "http://0x7F.0x00.0x00.0x01:{port}/",
    "http://2130706433:{port}/",
    "http://017700000001:{port}/",
    "http://0177.0.0.1:{port}/",
    "http://127.000.000.001:{port}/",
    "http://0:{port}/",
    "http://0.0.0.0:{port}/",
    "http://[::1]:{port}/",
    "http://[::]:{port}/",
    "http://[0:0:0:0:0:0:0:1]:{port}/",
    "http://[0000:0000:0000:0000:0000:0000:0000:0001]:{port}/",
    "http://[::ffff:127.0.0.1]:{port}/",
    "http://[::ffff:7f00:1]:{port}/",
    "http://[0:0:0:0:0:ffff:7f00:1]:{port}/",
    "http://[::127.0.0.1]:{port}/",
    "http://[64:ff9b::7f00:1]:{port}/",
    "http://[64:ff9b:1::7f00:1]:{port}/",
    "http://[2002:7f00:1::]:{port}/",
    "http://[::1%25lo]:{port}/",
    "http://[fe80::1%25lo]:{port}/",
    "http://①②⑦.⓪.⓪.①:{port}/",
    "http://１２７.０.０.１:{port}/",
    "http://127。0。0。1:{port}/",
    "http://loc\u00adalhost:{port}/",
    "http://%31%32%37.0.0.1:{port}/",
    "http://%6c%6fcalhost:{port}/",
    "http://example.com@127.0.0.1:{port}/",
    "http://user:word@127.0.0.1:{port}/",
    "http://127.0.0.1:{port}\\@example.com/",
    "http:\\\\127.0.0.1:{port}/",
    "http:/127.0.0.1:{port}/",
    "http:127.0.0.1:{port}/",
    "//127.0.0.1:{port}/",
    "http://127.0.0.1:{port}#@example.com/",
    "http://127.0.0.1:{port}?@example.com/",
    "http://example.com\r\nhost: 127.0.0.1:{port}/",
    "http://127.0.0.1:{port}\t/",
    " http://127.0.0.1:{port}/",
    "HTTP://127.0.0.1:{port}/",
    "https://127.0.0.1:{port}/",
    "ftp://127.0.0.1:{port}/",
    "gopher://127.0.0.1:{port}/_GET",
    "dict://127.0.0.1:{port}/d",
    "ws://127.0.0.1:{port}/",
    "http+unix://127.0.0.1:{port}/",
    "file:///etc/passwd",
    "file://127.0.0.1/etc/passwd",
    "data:text/html,<p>hello",
    "javascript:alert(1)",
    "jar:http://127.0.0.1:{port}/!/",
]
PRIVATE = [
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.0.1",
    "169.254.169.254",
    "100.64.0.1",
    "192.0.0.192",
    "192.0.2.1",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "0.1.2.3",
    "fe80::1",
    "fec0::1",
    "fc00::1",
    "fd00:ec2::254",
    "ff02::1",
    "::",
    "::1",
    "::ffff:10.0.0.1",
    "::ffff:169.254.169.254",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::808:808",
    "2002:a00:1::",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "2001:db8::1",
    "100::1",
]


@pytest.fixture(autouse=True)
def _impatience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "_FIRST_PAUSE_S", 0.0)


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    async with open_site() as opened:
        opened.serve("/", "<p>secret</p>")
        yield opened


def fetcher(*allowed: str) -> Fetcher:
    return Fetcher(Guard(allowed), Pace(0.0))


@pytest.mark.requirement("WEB-F02")
@pytest.mark.parametrize("form", LOOPBACK)
async def test_no_form_of_address_reaches_this_machine(form: str, site: Site) -> None:
    async with fetcher() as own:
        with pytest.raises((ForbiddenOperation, InvalidArgument, CommonplaceError)):
            await own.fetch(form.format(port=site.port), TERMS)
    assert site.connections == 0


@pytest.mark.requirement("WEB-F02")
@pytest.mark.parametrize("form", LOOPBACK[:40])
async def test_no_redirect_reaches_this_machine(form: str, site: Site) -> None:
    target = form.format(port=site.port).encode("ascii", "xmlcharrefreplace").decode()
    async with open_site() as outer:
        outer.serve("/", status=302, location=target)
        # The outer site stands for a public one: its own port alone is excepted.
        async with fetcher(f"127.0.0.1:{outer.port}") as own:
            with pytest.raises(CommonplaceError):
                await own.fetch(outer.url("/"), TERMS)
        assert set(outer.paths) == {"/"}
    assert site.connections == 0


@pytest.mark.requirement("WEB-F02")
async def test_robots_txt_that_redirects_inside_reaches_nothing(site: Site) -> None:
    async with open_site() as outer:
        outer.serve("/robots.txt", status=302, location=site.url("/"))
        outer.serve("/", "<p>page</p>")
        async with fetcher(f"127.0.0.1:{outer.port}") as own:
            with pytest.raises(ForbiddenOperation):
                await own.fetch(outer.url("/"), OPEN)
    assert site.connections == 0


@pytest.mark.requirement("WEB-F02")
@pytest.mark.parametrize("address", PRIVATE)
def test_addresses_that_are_not_public_are_refused(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))
    with pytest.raises(ForbiddenOperation, match="web_allow_hosts"):
        Guard().check_address("evil.example", 80, address)


@pytest.mark.requirement("WEB-F02")
@pytest.mark.parametrize("address", ["93.184.215.14", "2606:2800:21f::1", "::ffff:93.184.215.14"])
def test_public_addresses_are_let_through(address: str) -> None:
    Guard().check_address("docs.example", 443, address)


class Rebinding:
    """A resolver whose answers change: the first is for the check, the next for the dialling."""

    def __init__(self, *answers: list[str]) -> None:
        self.answers = list(answers)

    def __call__(self, _host: str, port: int, *_: Any, **__: Any) -> list[Any]:  # noqa: ANN401 - the socket module's
        addresses = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port)) for one in addresses]


@pytest.mark.requirement("WEB-F02")
async def test_a_name_that_answers_otherwise_the_second_time_reaches_nothing(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    patience = Terms(max_bytes=10, timeout_s=0.5, accepts=lambda _type: True, obeys_robots=False)
    resolver = Rebinding(["198.51.100.7"], ["127.0.0.1"])
    monkeypatch.setattr(socket, "getaddrinfo", resolver)
    # The test network of RFC 5737 stands for a public address: nobody answers there.
    async with fetcher("198.51.100.0/24") as own:
        for _ in range(3):
            with pytest.raises(CommonplaceError):
                await own.fetch(f"http://rebind.example:{site.port}/", patience)
    assert site.connections == 0


@pytest.mark.requirement("WEB-F02")
async def test_of_mixed_answers_only_the_public_ones_are_dialled(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    patience = Terms(max_bytes=10, timeout_s=0.5, accepts=lambda _type: True, obeys_robots=False)
    monkeypatch.setattr(socket, "getaddrinfo", Rebinding(["127.0.0.1", "198.51.100.7"]))
    async with fetcher("198.51.100.0/24") as own:
        with pytest.raises(CommonplaceError):
            await own.fetch(f"http://mixed.example:{site.port}/", patience)
    assert site.connections == 0


@pytest.mark.requirement("WEB-F03")
@pytest.mark.parametrize(
    ("entry", "is_allowed"),
    [
        ("127.0.0.1", True),
        ("127.0.0.0/8", True),
        ("localhost", False),
        ("127.0.0.1:{port}", True),
        ("127.0.0.1:1", False),
        ("*", True),
        ("*.example", False),
        ("10.0.0.0/8", False),
        ("::1", False),
    ],
)
async def test_an_exception_is_for_what_it_names(entry: str, is_allowed: bool, site: Site) -> None:
    async with fetcher(entry.format(port=site.port)) as own:
        if is_allowed:
            assert (await own.fetch(site.url("/"), TERMS)).content == b"<p>secret</p>"
        else:
            with pytest.raises(ForbiddenOperation):
                await own.fetch(site.url("/"), TERMS)


@pytest.mark.requirement("WEB-F03")
@pytest.mark.parametrize("entry", ["", "http://a.example/", "10.0.0.0/99"])
def test_an_exception_that_is_none_is_refused(entry: str) -> None:
    with pytest.raises(InvalidArgument, match="web_allow_hosts"):
        Guard([entry])


@pytest.mark.requirement("WEB-F01")
@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.com",
        "http://",
        "http://:80/",
        "http://a.example:0/",
        "http://a.example:99999/",
        "http://a b.example/",
        "mailto:a@b.example",
        "http://name:word@a.example/",
        "http://a.example/" + "x" * 5000,
        "http://[::1",
        "http://a.example/\x00",
    ],
)
def test_what_is_no_web_address_is_refused_with_the_reason(url: str) -> None:
    with pytest.raises(InvalidArgument):
        Guard().check_url(url)


@pytest.mark.requirement("WEB-F01")
def test_an_address_loses_its_fragment_and_keeps_its_query() -> None:
    checked = Guard().check_url("https://docs.example/a?q=1#part")
    assert str(checked) == "https://docs.example/a?q=1"
