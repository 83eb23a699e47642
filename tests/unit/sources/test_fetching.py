"""Fetching from a real server on loopback: redirects, rules, limits, tries, freshness."""

import asyncio
import gzip
import time
import zlib
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from commonplace.domain.errors import DeadlineExceeded, ForbiddenOperation, SourceError
from commonplace.sources.fetching import fetcher as fetching
from commonplace.sources.fetching.fetcher import Fetcher, Terms
from commonplace.sources.fetching.fresh import fresh_until
from commonplace.sources.fetching.guard import Guard
from commonplace.sources.fetching.pace import Pace
from commonplace.sources.fetching.page import Known
from tests.site import Asked, Site, head, open_site, own_certificate, plain

TERMS = Terms(max_bytes=100_000, timeout_s=60.0, accepts=lambda kind: kind.startswith("text/"))


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    async with open_site() as opened:
        yield opened


@pytest.fixture
async def own(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Fetcher]:
    monkeypatch.setattr(fetching, "_FIRST_PAUSE_S", 0.01)
    async with Fetcher(Guard(["127.0.0.1"]), Pace(0.0)) as opened:
        yield opened


@pytest.mark.requirement("WEB-F04")
async def test_redirects_are_followed_and_told(site: Site, own: Fetcher) -> None:
    site.serve("/old", status=301, location="/newer?x=1")
    site.serve("/newer", status=307, location=site.url("/now#part"))
    site.serve("/now", "<p>here</p>")
    page = await own.fetch(site.url("/old#there"), TERMS)
    assert (page.asked, page.url) == (site.url("/old"), site.url("/now"))
    assert page.hops == (site.url("/old"), site.url("/newer?x=1"))
    assert page.content == b"<p>here</p>"


@pytest.mark.requirement("WEB-F04")
async def test_circles_and_endless_chains_end(site: Site, own: Fetcher) -> None:
    site.serve("/a", status=302, location="/b")
    site.serve("/b", status=302, location="/a")
    with pytest.raises(SourceError, match="circle"):
        await own.fetch(site.url("/a"), TERMS)
    for number in range(20):
        site.serve(f"/{number}", status=302, location=f"/{number + 1}")
    with pytest.raises(SourceError, match="more than 10 times"):
        await own.fetch(site.url("/0"), TERMS)


@pytest.mark.requirement("WEB-F05")
async def test_robots_rules_and_delay_are_kept(site: Site, own: Fetcher) -> None:
    ours = "User-agent: commonplace\nCrawl-delay: 0.2\nDisallow: /private\n\n"
    rules = f"{ours}User-agent: *\nDisallow: /"
    site.serve("/robots.txt", rules, content_type="text/plain")
    site.serve("/a", "<p>a</p>")
    site.serve("/private", "<p>no</p>")
    with pytest.raises(ForbiddenOperation, match=r"robots\.txt does not allow"):
        await own.fetch(site.url("/private"), TERMS)
    started = time.monotonic()
    await own.fetch(site.url("/a"), TERMS)
    await own.fetch(site.url("/a"), TERMS)
    assert time.monotonic() - started >= 0.2
    assert [one.path for one in site.asked] == ["/robots.txt", "/a", "/a"]
    lenient = replace(TERMS, obeys_robots=False)
    assert (await own.fetch(site.url("/private"), lenient)).content == b"<p>no</p>"


@pytest.mark.requirement("WEB-F05")
async def test_rules_that_cannot_be_read_allow_nothing_and_absent_ones_all(
    site: Site, own: Fetcher
) -> None:
    site.serve("/a", "<p>a</p>")
    site.serve("/robots.txt", status=503)
    with pytest.raises(ForbiddenOperation, match="answers 503"):
        await own.fetch(site.url("/a"), TERMS)
    async with open_site() as other:
        other.serve("/a", "<p>a</p>")
        assert (await own.fetch(other.url("/a"), TERMS)).content == b"<p>a</p>"


@pytest.mark.requirement("WEB-F06")
async def test_a_page_beyond_the_limit_is_left_when_it_passes_it(site: Site, own: Fetcher) -> None:
    sent = 0

    async def endless(_asked: Asked, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        writer.write(head(200, {"connection": "close"}))
        while sent < 100_000_000:
            writer.write(b"x" * 65_536)
            await writer.drain()
            sent += 65_536

    site.pages["/endless"] = endless
    site.serve("/declared", b"x" * 200_000)
    for path in ("/endless", "/declared"):
        with pytest.raises(SourceError, match="web_max_bytes"):
            await own.fetch(site.url(path), TERMS)
    assert sent < 20_000_000


@pytest.mark.requirement("WEB-F06")
@pytest.mark.parametrize("coding", ["gzip", "deflate"])
async def test_a_bomb_is_left_while_it_unpacks(site: Site, own: Fetcher, coding: str) -> None:
    blank = b"\0" * 50_000_000
    packed = gzip.compress(blank) if coding == "gzip" else zlib.compress(blank)
    site.pages["/bomb"] = plain(packed, content_encoding=coding)
    with pytest.raises(SourceError, match="web_max_bytes"):
        await own.fetch(site.url("/bomb"), TERMS)
    site.pages["/small"] = plain(gzip.compress(b"<p>ok</p>"), content_encoding="gzip")
    assert (await own.fetch(site.url("/small"), TERMS)).content == b"<p>ok</p>"
    site.pages["/torn"] = plain(b"\x1f\x8bnot really", content_encoding="gzip")
    with pytest.raises(SourceError, match="damaged"):
        await own.fetch(site.url("/torn"), TERMS)


@pytest.mark.requirement("WEB-F06")
async def test_a_drip_ends_with_its_time(site: Site, own: Fetcher) -> None:
    async def drip(_asked: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(head(200, {"connection": "close"}))
        while True:
            writer.write(b".")
            await writer.drain()
            await asyncio.sleep(0.02)

    site.pages["/drip"] = drip
    with pytest.raises(DeadlineExceeded, match="web_timeout_s"):
        await own.fetch(site.url("/drip"), replace(TERMS, timeout_s=0.3, obeys_robots=False))


@pytest.mark.requirement("WEB-F07")
async def test_failures_that_may_pass_are_tried_again(site: Site, own: Fetcher) -> None:
    left = {"busy": 2, "reset": 1}

    async def busy(_asked: Asked, writer: asyncio.StreamWriter) -> None:
        left["busy"] -= 1
        ended = {"retry-after": "0", "content-length": "0"}
        body = b"<p>at last</p>"
        full = head(200, {"content-length": str(len(body))}) + body
        writer.write(head(429, ended) if left["busy"] >= 0 else full)

    async def reset(_asked: Asked, writer: asyncio.StreamWriter) -> None:
        left["reset"] -= 1
        writer.write(head(200, {"content-length": "20"}) + b"half of the ")
        if left["reset"] >= 0:
            await writer.drain()
            writer.transport.abort()
        else:
            writer.write(b"20 bytes")

    site.pages |= {"/busy": busy, "/reset": reset}
    assert (await own.fetch(site.url("/busy"), TERMS)).content == b"<p>at last</p>"
    assert (await own.fetch(site.url("/reset"), TERMS)).content == b"half of the 20 bytes"


@pytest.mark.requirement("WEB-F07")
async def test_tries_end_and_long_waits_are_told_instead_of_waited(
    site: Site, own: Fetcher
) -> None:
    site.serve("/down", status=503)
    with pytest.raises(SourceError, match="answers 503"):
        await own.fetch(site.url("/down"), TERMS)
    assert site.paths == ["/down"] * 3
    site.serve("/later", status=503, retry_after="3600")
    with pytest.raises(SourceError, match="come back in 3600 s"):
        await own.fetch(site.url("/later"), TERMS)
    with pytest.raises(SourceError, match="answers 404"):
        await own.fetch(site.url("/missing"), TERMS)
    async with open_site() as gone:
        pass
    quick = replace(TERMS, obeys_robots=False)
    with pytest.raises(SourceError, match="cannot be reached"):
        await own.fetch(gone.url("/"), quick)


@pytest.mark.requirement("WEB-F08")
async def test_what_has_not_changed_is_not_sent_again(site: Site, own: Fetcher) -> None:
    dated = "Tue, 01 Jul 2025 10:00:00 GMT"
    site.serve("/page", "<p>1</p>", etag='"v1"', last_modified=dated, cache_control="max-age=60")
    first = await own.fetch(site.url("/page"), TERMS)
    assert first.known == Known(etag='"v1"', last_modified=dated)
    assert first.modified_at == datetime(2025, 7, 1, 10, tzinfo=UTC)
    assert first.fresh_until - first.fetched_at == timedelta(seconds=60)
    site.serve("/page", status=304, etag='"v1"')
    again = await own.fetch(site.url("/page"), TERMS, first.known)
    assert (again.is_unchanged, again.content) == (True, b"")
    sent = site.asked[-1].headers
    assert (sent["if-none-match"], sent["if-modified-since"]) == ('"v1"', dated)


@pytest.mark.requirement("WEB-F08")
@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, 0),
        ({"cache-control": "no-cache, max-age=60"}, 0),
        ({"cache-control": "no-store"}, 0),
        ({"cache-control": "max-age=60", "age": "70"}, 0),
        ({"cache-control": "max-age=wrong"}, 0),
        ({"cache-control": "max-age=60", "vary": "*"}, 0),
        ({"expires": "Thu, 01 Jan 2026 00:01:00 GMT", "date": "Thu, 01 Jan 2026 00:00:00 GMT"}, 60),
        ({"expires": "0"}, 0),
        ({"last-modified": "Wed, 31 Dec 2025 23:50:00 GMT"}, 60),
        ({"last-modified": "Sat, 01 Jan 2000 00:00:00 GMT"}, 86_400),
        ({"last-modified": "Fri, 01 Jan 2027 00:00:00 GMT"}, 0),
    ],
)
def test_freshness_follows_the_headers(headers: dict[str, str], seconds: int) -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    assert fresh_until(headers, now) == now + timedelta(seconds=seconds)


@pytest.mark.requirement("WEB-F09")
async def test_a_host_gets_two_requests_at_once(site: Site, own: Fetcher) -> None:
    now, most = 0, 0
    both = asyncio.Event()

    async def slow(_asked: Asked, writer: asyncio.StreamWriter) -> None:
        nonlocal now, most
        now += 1
        most = max(most, now)
        if most >= 2:
            both.set()
        await both.wait()
        await asyncio.sleep(0.02)  # a third would come by now
        now -= 1
        writer.write(head(200, {"content-length": "2"}) + b"ok")

    for number in range(8):
        site.pages[f"/{number}"] = slow
    await asyncio.gather(*(own.fetch(site.url(f"/{n}"), TERMS) for n in range(8)))
    assert most == 2


@pytest.mark.requirement("WEB-F09")
async def test_a_host_that_hangs_keeps_no_place_from_others(site: Site, own: Fetcher) -> None:
    begun = asyncio.Event()

    async def hang(_asked: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(head(200, {"content-length": "10"}))
        await writer.drain()
        begun.set()
        await asyncio.sleep(60)

    site.pages |= {f"/{number}": hang for number in range(12)}
    stuck = [asyncio.create_task(own.fetch(site.url(f"/{n}"), TERMS)) for n in range(12)]
    await begun.wait()
    async with open_site() as other:
        other.serve("/ok", "<p>ok</p>")
        assert (await own.fetch(other.url("/ok"), TERMS)).content == b"<p>ok</p>"
    for task in stuck:
        task.cancel()
    await asyncio.gather(*stuck, return_exceptions=True)


@pytest.mark.requirement("WEB-F10")
async def test_types_nobody_reads_are_not_downloaded(site: Site, own: Fetcher) -> None:
    site.serve("/film", b"\0" * 90_000, content_type="video/mp4")
    with pytest.raises(SourceError, match="'video/mp4', which is not read as a page"):
        await own.fetch(site.url("/film"), TERMS)


@pytest.mark.requirement("WEB-F10")
async def test_a_certificate_nobody_vouches_for_is_told(tmp_path: Path, own: Fetcher) -> None:
    context = await asyncio.to_thread(own_certificate, tmp_path)
    async with open_site(context) as secure:
        with pytest.raises(SourceError, match="certificate"):
            await own.fetch(secure.url("/"), replace(TERMS, obeys_robots=False))


@pytest.mark.requirement("WEB-F11")
async def test_a_cancelled_fetch_stops_at_once_and_the_next_works(site: Site, own: Fetcher) -> None:
    begun = asyncio.Event()

    async def hang(_asked: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(head(200, {"content-length": "10"}))
        await writer.drain()
        begun.set()
        await asyncio.sleep(60)

    site.pages["/hang"] = hang
    site.serve("/ok", "<p>ok</p>")
    task = asyncio.create_task(own.fetch(site.url("/hang"), TERMS))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (await own.fetch(site.url("/ok"), TERMS)).content == b"<p>ok</p>"
