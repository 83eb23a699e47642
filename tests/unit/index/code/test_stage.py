"""A folder of code and prose through the whole write path."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from commonplace.domain.graph import Edge
from commonplace.index import pipeline
from commonplace.index.code.owed import files_without_text
from commonplace.index.code.snapshots import compare, list_snapshots
from commonplace.index.code.status import code_status
from commonplace.index.pipeline import leave_source, sync_source
from commonplace.index.plan import Wish
from commonplace.index.sources import add_source
from commonplace.index.writer import Report, Writer
from commonplace.sources.base import Listing, Skip
from commonplace.sources.walk import Walk
from tests.unit.index.asking import WHOLE, found, index, texts

ORDER = '''"""Orders of a shop."""


class Order:
    """What a customer bought."""

    def total(self, lines):
        """The sum of all lines, with discount."""
        return sum(line.price for line in lines)


def ship(order):
    return order.total([])
'''
GUIDE = "# Shipping\n\nCall `Order.total` before `shop.order.ship()`; never a plain `order`.\n"


@pytest.fixture
def code(tmp_path: Path) -> Path:
    """A package and a page about it."""
    made = tmp_path / "repository"
    (made / "shop").mkdir(parents=True)
    (made / "shop" / "__init__.py").write_text("", "utf-8")
    (made / "shop" / "order.py").write_text(ORDER, "utf-8")
    (made / "guide.md").write_text(GUIDE, "utf-8")
    return made


async def edges(writer: Writer, source_id: str, relation: str) -> list[Edge]:
    """All edges of a relation that documents of a source state."""
    known = await writer.store.passages.fingerprints("default", source_id)
    ids = [one.document_id for one in known.values()]
    entries = await writer.store.passages.entries("default", ids)
    return [edge for entry in entries for edge in entry.edges if edge.relation == relation]


async def names(writer: Writer, found_edges: list[Edge]) -> set[tuple[str, str]]:
    """Names of both ends."""
    ids = [end for edge in found_edges for end in (edge.source, edge.target)]
    known = {one.id: one.name for one in await writer.store.graph.nodes("default", ids)}
    return {(known[edge.source], known[edge.target]) for edge in found_edges}


@pytest.mark.requirement("CIX-08")
async def test_text_of_code_is_whole_and_hangs_on_its_symbols(writer: Writer, code: Path) -> None:
    report = await index(writer, code)
    assert (report.failures, report.warnings) == ((), ())
    stored = await texts(writer, report.source_id)
    assert stored["shop/order.py"] == ORDER
    assert await found(writer, "discount") == ["shop/order.py"]
    owners = await names(writer, await edges(writer, report.source_id, "HAS_PASSAGE"))
    assert {"Order", "total", "ship"} <= {source for source, _ in owners}


@pytest.mark.requirement("CIX-08")
async def test_a_long_function_is_cut_between_lines(writer: Writer, code: Path) -> None:
    body = "\n".join(f"    value_{n} = compute(value_{n - 1}, {n}) + other" for n in range(1, 400))
    text = f"def long(value_0):\n{body}\n    return value_1\n\n\ndef last():\n    return 1\n"
    (code / "shop" / "order.py").write_text(text, "utf-8")
    report = await index(writer, code)
    assert (await texts(writer, report.source_id))["shop/order.py"] == text
    known = await writer.store.passages.fingerprints("default", report.source_id)
    (uri,) = (one for one in known if one.endswith("order.py"))
    located = await writer.store.passages.read(WHOLE, known[uri].document_id, range(1000))
    assert len(located) > 3
    assert all(one.passage.text.endswith("\n") for one in located)
    assert all(one.passage.headings[-1].startswith("def ") for one in located)


@pytest.mark.requirement("CIX-09")
async def test_prose_leads_to_the_symbols_it_names(writer: Writer, code: Path) -> None:
    report = await index(writer, code)
    drawn = await edges(writer, report.source_id, "DOCUMENTS")
    assert {target for _, target in await names(writer, drawn)} == {"total", "ship"}
    (code / "shop" / "order.py").write_text(ORDER.replace("def ship", "def send"), "utf-8")
    await index(writer, code)
    drawn = await edges(writer, report.source_id, "DOCUMENTS")
    assert {target for _, target in await names(writer, drawn)} == {"total"}
    (code / "guide.md").write_text("# Sending\n\nUse `shop.order.send`.\n", "utf-8")
    await index(writer, code)
    drawn = await edges(writer, report.source_id, "DOCUMENTS")
    assert {target for _, target in await names(writer, drawn)} == {"send"}


@pytest.mark.requirement("CIX-09")
async def test_an_ambiguous_name_or_a_plain_word_leads_nowhere(writer: Writer, code: Path) -> None:
    (code / "shop" / "other.py").write_text("class Order:\n    def total(self): ...\n", "utf-8")
    (code / "guide.md").write_text("# All\n\n`Order.total`, `total`, `order`, `ship`.\n", "utf-8")
    report = await index(writer, code)
    assert await edges(writer, report.source_id, "DOCUMENTS") == []


@pytest.mark.requirement("CIX-12")
async def test_symbols_are_ready_before_text_and_text_owed_is_cut_by_the_next_sync(
    writer: Writer, code: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def die(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(pipeline, "_work", die)
        with pytest.raises(KeyboardInterrupt):
            await index(writer, code)
    source = await add_source(writer, str(code), "default")
    contains = await edges(writer, source.id, "CONTAINS")
    assert ("order", "Order") in await names(writer, contains)
    assert "shop/order.py" not in await texts(writer, source.id)
    assert await files_without_text(writer.store.keyvalue, "default") == 2
    report = await sync_source(writer, source)
    assert (await texts(writer, source.id))["shop/order.py"] == ORDER
    assert report.bound == 0
    again = await sync_source(writer, source)
    assert again.passages == 0
    assert report.documents == again.documents  # none is counted as unchanged and as changed
    assert await files_without_text(writer.store.keyvalue, "default") == 0


@pytest.mark.requirement("CIX-12")
@pytest.mark.parametrize("edited", ["__init__.py", "order.py"])
async def test_text_owed_by_one_interrupted_run_is_still_owed_after_another(
    writer: Writer, code: Path, monkeypatch: pytest.MonkeyPatch, edited: str
) -> None:
    async def die(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(pipeline, "_work", die)
        with pytest.raises(KeyboardInterrupt):
            await index(writer, code)
        (code / "shop" / edited).write_text("def added():\n    return 1\n", "utf-8")
        with pytest.raises(KeyboardInterrupt):
            await index(writer, code)
    assert await files_without_text(writer.store.keyvalue, "default") == 2


@pytest.mark.requirement("CIX-12")
async def test_only_the_changed_file_is_read_and_a_removed_one_is_gone(
    writer: Writer, code: Path
) -> None:
    await index(writer, code)
    (code / "shop" / "order.py").rename(code / "shop" / "orders.py")
    report = await index(writer, code)
    assert (report.added, report.removed, report.unchanged) == (1, 1, 2)
    difference = await compare(writer.store.keyvalue, "default")
    assert {one.change for one in difference.symbols} == {"moved"}
    assert await found(writer, "discount") == ["shop/orders.py"]


@pytest.mark.requirement("CIX-05")
async def test_a_labelled_sync_is_a_snapshot_with_the_commit_of_the_work_tree(
    writer: Writer, code: Path
) -> None:
    commit = "0123456789abcdef0123456789abcdef01234567"
    (code / ".git" / "refs" / "heads").mkdir(parents=True)
    (code / ".git" / "HEAD").write_text("ref: refs/heads/main\n", "utf-8")
    (code / ".git" / "refs" / "heads" / "main").write_text(f"{commit}\n", "utf-8")
    await index(writer, code)
    source = await add_source(writer, str(code), "default")
    assert (await sync_source(writer, source)).snapshot is None
    assert (await sync_source(writer, source, wish=Wish(label="release"))).snapshot == 2
    snapshots = await list_snapshots(writer.store.keyvalue, "default")
    assert [(one.label, one.commit) for one in snapshots] == [("", commit), ("release", commit)]
    await leave_source(writer, source)
    assert await list_snapshots(writer.store.keyvalue, "default") == []


def reasons(report: Report) -> dict[str, str]:
    return {skip.path: skip.reason for skip in (*report.skips, *report.failures)}


@pytest.mark.requirement("CIX-10")
async def test_code_of_others_and_of_programs_is_left_out_and_told(
    writer: Writer, code: Path
) -> None:
    for path in ("vendor/lib.py", "web/dist/app.js", "web/jquery.min.js", "web/app.js"):
        (code / path).parent.mkdir(parents=True, exist_ok=True)
        (code / path).write_text("function f() { return 1 }\n", "utf-8")
    (code / "web" / "package.json").write_text('{"name": "web"}', "utf-8")
    (code / "vendor" / "readme.md").write_text("# Vendored\n", "utf-8")
    (code / "huge.py").write_text("x = 1\n" * 400_000, "utf-8")
    told = reasons(await index(writer, code))
    assert "see setting vendored" in told["vendor/lib.py"]
    assert "see setting vendored" in told["web/dist/app.js"]
    assert told["web/jquery.min.js"] == "minified code"
    assert "max_code_bytes" in told["huge.py"]
    assert not {"web/app.js", "vendor/readme.md"} & told.keys()
    (code / ".commonplaceignore").write_text("!vendor/*.py\n", "utf-8")
    assert "vendor/lib.py" not in reasons(await index(writer, code))


@pytest.mark.requirement("CIX-11")
async def test_bad_code_is_indexed_as_far_as_it_goes(writer: Writer, code: Path) -> None:
    files = {
        "half.py": b"class A:\n    def f(self, x\n        return (\n",
        "latin.py": "# Gr\u00fc\u00dfe\ndef gr\u00fc\u00dfe():\n    return 1\n".encode("latin-1"),
        "wide.sql": "CREATE TABLE t (id int);".encode("utf-16"),
        "crlf.py": b"def f():\r\n    return 1\r\n",
        "twice.py": b"def f():\n    return 1\n\n\ndef f():\n    return 2\n",
        "loop_a.py": b"from loop_b import B\n\n\nclass A(B):\n    pass\n",
        "loop_b.py": b"from loop_a import A\n\n\nclass B(A):\n    pass\n",
        "packed.js": b"function a(){return b()};" * 20_000,
        "bad.sql": b"CREATE TABLE x (id int); SELEKT FROM WHERE ((;",
        "empty.py": b"",
    }
    for name, content in files.items():
        (code / name).write_bytes(content)
    (code / "module").mkdir()
    (code / "module" / ".git").write_text("gitdir: ../.git/modules/module\n", "utf-8")
    (code / "module" / "inner.py").write_text("def inner():\n    return 1\n", "utf-8")
    os.symlink(code, code / "shop" / "loop")
    report = await index(writer, code)
    assert report.failures == ()
    known = await writer.store.passages.fingerprints("default", report.source_id)
    assert {uri.rsplit("/", 1)[1] for uri in known} >= {*files, "inner.py"}
    again = await index(writer, code)
    assert (again.added, again.changed, again.bound) == (0, 0, 0)


@pytest.mark.requirement("CIX-13")
async def test_a_watched_edit_is_taken_up_without_a_walk_and_a_new_file_with_one(
    writer: Writer, code: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await index(writer, code)
    source = await add_source(writer, str(code), "default")
    edited, added = code / "shop" / "order.py", code / "shop" / "more.py"
    edited.write_text(ORDER.replace("ship", "send"), "utf-8")
    walks: list[str] = []
    walk = Walk.run

    def run(self: Walk) -> Iterator[Listing | Skip]:
        walks.append("walk")
        return walk(self)

    monkeypatch.setattr(Walk, "run", run)
    report = await sync_source(writer, source, wish=Wish(paths=[str(edited)]))
    assert (report.changed, report.unchanged, report.removed, walks) == (1, 2, 0, [])
    assert await found(writer, "send") == ["shop/order.py"]
    added.write_text("def more():\n    return 1\n", "utf-8")
    report = await sync_source(writer, source, wish=Wish(paths=[str(added)]))
    assert (report.added, walks) == (1, ["walk"])
    added.unlink()
    report = await sync_source(writer, source, wish=Wish(paths=[str(added)]))
    assert (report.removed, len(walks)) == (1, 2)


@pytest.mark.requirement("CIX-11")
async def test_status_counts_what_was_not_understood(writer: Writer, code: Path) -> None:
    (code / "half.py").write_text("class A:\n    def f(self, x\n", "utf-8")
    (code / "vendor").mkdir()
    (code / "vendor" / "lib.py").write_text("x = 1\n", "utf-8")
    for name in ("a.py", "b.py"):
        (code / name).write_bytes(b"x = 1\0\n")
    report = await index(writer, code)
    told = await code_status(writer.store.keyvalue, "default")
    assert told["is_bound"]
    source = told["sources"][report.source_id]
    assert source["languages"]["python"]["files"] == 3
    assert source["languages"]["python"]["files_with_problems"] == 1
    binary = "holds binary data, not text/x-python"
    assert source["left_out"] == {"vendored or built code": 1, binary: 2}
    assert source["files_without_text"] == 0
    await leave_source(writer, await add_source(writer, str(code), "default"))
    assert await code_status(writer.store.keyvalue, "default") == {}


@pytest.mark.requirement("CIX-04")
async def test_code_whose_facts_are_not_kept_is_read_again(writer: Writer, code: Path) -> None:
    await index(writer, code)
    keyvalue = writer.store.keyvalue
    for key in await keyvalue.keys("facts/default"):
        await keyvalue.expire("facts/default", key)
    report = await index(writer, code)
    assert (report.changed, report.unchanged, report.bound) == (2, 1, 2)
    assert len(await keyvalue.keys("facts/default")) == 2
    assert (await index(writer, code)).unchanged == 3
