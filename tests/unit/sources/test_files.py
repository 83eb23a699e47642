"""Folders and files: everything readable is listed, everything else is told."""

import os
import shutil
import socket
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.domain.errors import SourceError
from commonplace.sources.base import Listing, ReadsMany
from commonplace.sources.files import FILE, FOLDER, make_resource, to_path
from commonplace.sources.walk import Limits, Walk
from tests.unit.sources.walking import kind_of, open_at, paths, plant, reasons, walk


@pytest.mark.requirement("SRC-01")
async def test_a_folder_lists_what_parsers_read_in_path_order(tmp_path: Path) -> None:
    plant(tmp_path, "b.md", "a/z.rst", "a.txt", "a/README", "code.py", "a/logo.png", "LICENSE")
    listed = ["LICENSE", "a.txt", "a/README", "a/z.rst", "b.md", "code.py"]
    assert await paths(tmp_path) == listed
    assert set(await reasons(tmp_path)) == {"a/logo.png"}


@pytest.mark.requirement("SRC-01")
async def test_an_unchanged_tree_costs_one_stat_per_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(tmp_path, *(f"{name}.md" for name in "abcdef"), "skipped.png")
    opened: list[str] = []
    monkeypatch.setattr(os, "open", lambda path, *_rest: opened.append(str(path)))
    listings, _skips = await walk(tmp_path)
    assert len(listings) == 6
    assert opened == []


@pytest.mark.requirement("SRC-01")
async def test_listing_and_reading_give_the_bytes_and_the_facts(tmp_path: Path) -> None:
    plant(tmp_path, "sub/a b.md", text="Grüße")
    os.utime(tmp_path / "sub/a b.md", (1_700_000_000, 1_700_000_000))
    opened = open_at(tmp_path)
    ((listing,), _skips) = await walk(tmp_path)
    assert isinstance(listing, Listing)
    resource = await opened.read(listing)
    assert resource.content == "Grüße".encode()
    assert resource.path == "sub/a b.md"
    assert resource.uri == (tmp_path / "sub/a b.md").as_uri()
    assert "%20" in resource.uri
    assert resource.modified_at.timestamp() == 1_700_000_000
    assert listing.size_bytes == 7


@pytest.mark.requirement("SRC-02")
async def test_rules_rank_own_over_git_over_built_in(tmp_path: Path) -> None:
    plant(tmp_path, "node_modules/x.md", "a.md", "b.md", "c.md", "__pycache__/y.md")
    plant(tmp_path, ".gitignore", text="a.md\nb.md\n")
    plant(tmp_path, ".commonplaceignore", text="!b.md\nc.md\n!node_modules/\n")
    assert await paths(tmp_path) == ["b.md", "node_modules/x.md"]


@pytest.mark.requirement("SRC-02")
async def test_nested_rules_count_from_their_folder_and_negate(tmp_path: Path) -> None:
    plant(tmp_path, "a/x.md", "a/keep.md", "b/x.md", "a/deep/x.md", "a/only/x.md", "top.txt")
    plant(tmp_path, ".gitignore", text="*.txt\nx.md\n")
    plant(tmp_path, "a/.gitignore", text="!x.md\n/only/\n")
    assert await paths(tmp_path) == ["a/deep/x.md", "a/keep.md", "a/x.md"]
    assert (await reasons(tmp_path))["top.txt"] == "ignored by .gitignore"
    assert (await reasons(tmp_path))["a/only/"] == "ignored by a/.gitignore"


@pytest.mark.requirement("SRC-02")
async def test_environments_and_version_control_are_never_entered(tmp_path: Path) -> None:
    plant(tmp_path, "env/pyvenv.cfg", "env/a.md", ".git/x/a.md", ".svn/a.md", "pkg.egg-info/a.txt")
    plant(tmp_path, "doc.md", ".commonplaceignore", text="!.svn/\n")
    assert await paths(tmp_path) == ["doc.md"]


@pytest.mark.requirement("SRC-02")
async def test_a_rules_file_of_nonsense_is_survived(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_bytes(b"\xff\xfe\0[\n!\n/\n\\\n*.txt\n")
    plant(tmp_path, "a.md", "b.txt")
    assert await paths(tmp_path) == ["a.md"]


@pytest.mark.requirement("SRC-03")
async def test_links_inside_are_followed_once_and_circles_end(tmp_path: Path) -> None:
    plant(tmp_path, "real/a.md", ".cache/hidden/b.md")
    (tmp_path / "again").symlink_to(tmp_path / "real")
    (tmp_path / "again.md").symlink_to(tmp_path / "real" / "a.md")
    (tmp_path / "real" / "up").symlink_to(tmp_path)
    (tmp_path / "self").symlink_to(tmp_path / "self")
    (tmp_path / "broken.md").symlink_to(tmp_path / "absent")
    (tmp_path / "shown").symlink_to(tmp_path / ".cache" / "hidden")
    assert await paths(tmp_path) == ["real/a.md", "shown/b.md"]
    told = await reasons(tmp_path)
    assert told["again"] == told["again.md"] == told["real/up"] == "link to what is listed already"
    assert "circle" in told["self"]
    assert "broken link" in told["broken.md"]


@pytest.mark.requirement("SRC-03")
async def test_links_that_leave_are_followed_only_on_request(tmp_path: Path) -> None:
    plant(tmp_path, "outside/a.md", "outside/b.md", "inside/c.md")
    (tmp_path / "inside" / "folder").symlink_to(tmp_path / "outside")
    (tmp_path / "inside" / "file.md").symlink_to(tmp_path / "outside" / "b.md")
    assert await paths(tmp_path / "inside") == ["c.md"]
    assert "follow_symlinks" in (await reasons(tmp_path / "inside"))["folder"]
    followed = await paths(tmp_path / "inside", follow_symlinks=True)
    assert followed == ["c.md", "file.md", "folder/a.md", "folder/b.md"]


@pytest.mark.requirement("SRC-03")
async def test_a_file_swapped_for_a_link_that_leaves_is_not_read(tmp_path: Path) -> None:
    plant(tmp_path, "secret.md", "inside/a.md")
    opened = open_at(tmp_path / "inside")
    ((listing,), _skips) = await walk(tmp_path / "inside")
    (tmp_path / "inside" / "a.md").unlink()
    (tmp_path / "inside" / "a.md").symlink_to(tmp_path / "secret.md")
    with pytest.raises(SourceError, match="leads out"):
        await opened.read(listing)


@pytest.mark.requirement("SRC-04")
@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
async def test_unreadable_folders_are_told_and_the_walk_goes_on(tmp_path: Path) -> None:
    plant(tmp_path, "locked/a.md", "open/b.md")
    (tmp_path / "locked").chmod(0)
    try:
        listings, skips = await walk(tmp_path)
    finally:
        (tmp_path / "locked").chmod(0o700)
    assert [listing.path for listing in listings] == ["open/b.md"]
    assert [(skip.path, skip.is_failure) for skip in skips] == [("locked/", True)]


@pytest.mark.requirement("SRC-04")
async def test_a_folder_that_cannot_be_listed_is_told_and_the_walk_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(tmp_path, "locked/a.md", "open/b.md")
    scandir = os.scandir

    def refuse(path: str) -> object:
        if path.endswith("locked"):
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    listings, skips = await walk(tmp_path)
    assert [listing.path for listing in listings] == ["open/b.md"]
    assert [(one.path, one.reason, one.is_failure) for one in skips] == [
        ("locked/", "Permission denied", True)
    ]


@pytest.mark.requirement("SRC-05")
async def test_a_file_over_the_limit_is_told_and_never_read(tmp_path: Path) -> None:
    with (tmp_path / "huge.md").open("wb") as file:
        file.truncate(2 * 1024**3)
    plant(tmp_path, "small.md")
    listings, skips = await walk(tmp_path)
    assert [listing.path for listing in listings] == ["small.md"]
    assert skips[0].is_failure
    assert "max_file_bytes" in skips[0].reason


@pytest.mark.requirement("SRC-05")
async def test_a_file_that_grew_over_the_limit_is_not_kept(tmp_path: Path) -> None:
    plant(tmp_path, "a.md")
    opened = open_at(tmp_path, max_file_bytes=1024)
    ((listing,), _skips) = await walk(tmp_path, max_file_bytes=1024)
    (tmp_path / "a.md").write_bytes(b"x" * 2000)
    with pytest.raises(SourceError, match="max_file_bytes"):
        await opened.read(listing)


@pytest.mark.requirement("SRC-06")
async def test_binary_data_under_a_text_name_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"\x7fELF\0\0\0")
    ((listing,), _skips) = await walk(tmp_path)
    with pytest.raises(SourceError, match="binary"):
        await open_at(tmp_path).read(listing)


@pytest.mark.requirement("SRC-06")
async def test_utf16_and_word_files_are_no_binary_data(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes("Grüße".encode("utf-16"))
    (tmp_path / "b.docx").write_bytes(b"PK\x03\x04\0\0")
    opened = open_at(tmp_path)
    for listing in (await walk(tmp_path))[0]:
        assert (await opened.read(listing)).content


@pytest.mark.requirement("SRC-07")
async def test_a_file_that_vanishes_is_a_source_error(tmp_path: Path) -> None:
    plant(tmp_path, "a.md")
    ((listing,), _skips) = await walk(tmp_path)
    (tmp_path / "a.md").unlink()
    with pytest.raises(SourceError, match="No such file"):
        await open_at(tmp_path).read(listing)


@pytest.mark.requirement("SRC-07")
async def test_a_file_that_became_a_folder_is_a_source_error(tmp_path: Path) -> None:
    plant(tmp_path, "a.md")
    ((listing,), _skips) = await walk(tmp_path)
    (tmp_path / "a.md").unlink()
    (tmp_path / "a.md").mkdir()
    with pytest.raises(SourceError):
        await open_at(tmp_path).read(listing)


@pytest.mark.requirement("SRC-07")
async def test_many_files_are_read_at_once_and_each_failure_is_its_own(tmp_path: Path) -> None:
    plant(tmp_path / "docs", "in/a.md", "in/b.md", "out/c.md", "d.md", "e.md")
    plant(tmp_path / "elsewhere", "c.md", "e.md")
    docs = tmp_path / "docs"
    listings, _skips = await walk(docs)
    (docs / "in/b.md").unlink()
    shutil.rmtree(docs / "out")
    (docs / "out").symlink_to(tmp_path / "elsewhere")
    (docs / "e.md").unlink()
    (docs / "e.md").symlink_to(tmp_path / "elsewhere/e.md")
    (docs / "d.md").unlink()
    (docs / "d.md").symlink_to("in/a.md")
    opened = open_at(docs)
    assert isinstance(opened, ReadsMany)
    found = await opened.read_many(listings)
    told = {
        listing.path: one.message if isinstance(one, SourceError) else one.path
        for listing, one in zip(listings, found, strict=True)
    }
    assert told["in/a.md"] == "in/a.md"
    assert told["d.md"] == "d.md"
    assert "No such file" in told["in/b.md"]
    assert "leads out" in told["out/c.md"]
    assert "leads out" in told["e.md"]


@pytest.mark.requirement("SRC-08")
async def test_pipes_and_sockets_are_told_without_opening_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    with socket.socket(socket.AF_UNIX) as listener:
        # The path of a socket is short by law: bind where we stand, then name it.
        monkeypatch.chdir(tmp_path)
        listener.bind("s.md")
        listings, skips = await walk(tmp_path)
    assert listings == []
    assert {skip.reason for skip in skips} == {"not a regular file"}


@pytest.mark.requirement("SRC-08")
async def test_a_file_swapped_for_a_pipe_does_not_block_the_read(tmp_path: Path) -> None:
    plant(tmp_path, "a.md")
    ((listing,), _skips) = await walk(tmp_path)
    (tmp_path / "a.md").unlink()
    os.mkfifo(tmp_path / "a.md")
    with pytest.raises(SourceError, match="regular"):
        await open_at(tmp_path).read(listing)


@pytest.mark.requirement("SRC-09")
async def test_a_name_that_is_not_utf8_is_told_in_print(tmp_path: Path) -> None:
    plant(tmp_path, os.fsdecode(b"d\xff/a.md"), os.fsdecode(b"caf\xe9.md"))
    listings, skips = await walk(tmp_path)
    assert listings == []
    assert {skip.path for skip in skips} == {"caf\\xe9.md", "d\\xff"}
    assert all(skip.is_failure for skip in skips)


@pytest.mark.requirement("SRC-09")
@given(
    st.text(
        alphabet=st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), max_size=40
    )
)
def test_an_address_leads_back_to_its_path(name: str) -> None:
    path = Path("/docs") / f"x{name}.md"
    assert to_path(path.as_uri()) == path
    assert unquote(urlsplit(path.as_uri()).path) == str(path)


@pytest.mark.requirement("SRC-09")
async def test_names_with_signs_of_addresses_are_encoded(tmp_path: Path) -> None:
    plant(tmp_path, "50% #1?.md", "数据.md", "new\nline.md")
    listings, _skips = await walk(tmp_path)
    assert sorted(unquote(urlsplit(one.uri).path) for one in listings) == sorted(
        str(tmp_path / one.path) for one in listings
    )
    assert all(one.uri.isascii() and "#" not in one.uri for one in listings)


@pytest.mark.requirement("SRC-12")
async def test_a_single_file_is_listed_under_its_name(tmp_path: Path) -> None:
    plant(tmp_path, "notes.xyz", text="plain words")
    assert kind_of(str(tmp_path / "notes.xyz")) is FILE
    ((listing,), _skips) = await walk(tmp_path / "notes.xyz")
    assert (listing.path, listing.media_type) == ("notes.xyz", "text/plain")
    assert (await open_at(tmp_path / "notes.xyz").read(listing)).content == b"plain words"


@pytest.mark.requirement("SRC-12")
async def test_a_single_file_that_is_gone_lists_nothing(tmp_path: Path) -> None:
    plant(tmp_path, "a.md")
    opened = open_at(tmp_path / "a.md")
    (tmp_path / "a.md").unlink()
    assert [one async for one in opened.list()] == []


@pytest.mark.requirement("SRC-13")
def test_a_location_that_is_not_there_names_the_fix(tmp_path: Path) -> None:
    kind = kind_of(str(tmp_path / "absent"))
    with pytest.raises(SourceError, match="check the spelling"):
        kind.describe(str(tmp_path / "absent"))


@pytest.mark.requirement("SRC-13")
@pytest.mark.parametrize("location", ["https://example.org/x", "zotero:", "", "a\0b"])
def test_what_is_no_path_is_left_to_other_kinds(location: str) -> None:
    assert not FOLDER.accepts(location)
    assert not FILE.accepts(location)


@pytest.mark.requirement("SRC-04")
async def test_times_outside_the_calendar_are_survived(tmp_path: Path) -> None:
    plant(tmp_path, "a.md")
    os.utime(tmp_path / "a.md", ns=(0, 2**62))
    ((listing,), _skips) = await walk(tmp_path)
    assert listing.modified_at.tzinfo is not None


@pytest.mark.requirement("SRC-04")
async def test_a_folder_removed_during_the_walk_is_told(tmp_path: Path) -> None:
    plant(tmp_path, "a/x.md", "b/y.md")
    found = Walk(tmp_path, Limits(max_file_bytes=1024)).run()
    assert getattr(next(found), "path", None) == "a/x.md"
    (tmp_path / "b" / "y.md").unlink()
    (tmp_path / "b").rmdir()
    (rest,) = list(found)
    assert rest.path == "b/"


@pytest.mark.requirement("SRC-06")
def test_only_the_beginning_is_searched_for_nul() -> None:
    listing = Listing(
        uri="file:///a.md",
        path="a.md",
        media_type="text/markdown",
        size_bytes=0,
        modified_at=datetime(2026, 1, 1, tzinfo=UTC),
    )
    assert make_resource(listing, b"x" * 9000 + b"\0").content
    word = replace(listing, media_type="application/zip")
    assert make_resource(word, b"\0").content == b"\0"
