"""A project moved to another home is the same index."""

from pathlib import Path

import pytest

from commonplace.index.pipeline import sync_source
from commonplace.index.sources import list_sources
from commonplace.index.writer import Writer
from commonplace.serve.transfer import export_project, import_project
from tests.library import Library, open_library


def writer_of(library: Library) -> Writer:
    app = library.app
    return Writer(
        store=app.store, settings=app.settings, embedder=app.embedders[app.settings.embedder]
    )


@pytest.mark.requirement("CLI-31")
async def test_an_imported_project_equals_the_exported_one_with_empty_documents_and_shared_nodes(
    tmp_path: Path,
) -> None:
    async with open_library(tmp_path / "here") as here, open_library(tmp_path / "there") as there:
        (here.folder / "empty.md").write_text("", "utf-8")
        (here.folder / "blank.txt").write_text(" \n\n", "utf-8")
        (here.folder / "linked.md").write_text("See [the guide](guide/orchard.md).", "utf-8")
        (here.folder / "commands.md").write_text("Run `orchard prune --kind apple`.", "utf-8")
        await here.add(here.folder)
        source = (await list_sources(here.app.store.keyvalue, "default"))[0]
        lines = [line async for line in export_project(here.app.store, "default")]
        assert len(lines) == 2 + 7
        writer = writer_of(there)
        for known in await list_sources(writer.store.keyvalue, "default"):
            prints = await writer.store.passages.fingerprints("default", known.id)
            ids = [one.document_id for one in prints.values()]
            await writer.store.passages.remove("default", ids)
            await writer.store.keyvalue.expire("sources/default", known.id)
        assert await import_project(writer, lines, lambda *_: None) == ("default", 7)
        assert [line async for line in export_project(there.app.store, "default")] == lines
        before = await here.app.store.passages.stats("default")
        after = await there.app.store.passages.stats("default")
        assert (after.documents, after.passages) == (before.documents, before.passages)
        assert after.coverage == before.coverage
        report = await sync_source(writer, source)  # the files are still there: nothing to do
        assert (report.unchanged, report.added, report.changed, report.removed) == (7, 0, 0, 0)
