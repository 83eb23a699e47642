"""The write path; this module alone knows its order.

list → compare → symbols of code (``code/stage.py``) → read → draft (parse, split, structure) →
embed → write → remove what is gone.

Every step can be interrupted: a document is stored whole or not at all, and a new run finds the
finished ones by their fingerprints.
"""

import asyncio
import time
from collections import deque
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from commonplace.domain.errors import CommonplaceError, EmbedError, SourceError, UserError
from commonplace.domain.scope import Source
from commonplace.engines.base import Entry
from commonplace.index import seen as record
from commonplace.index.code.documents import keep_mentions
from commonplace.index.code.later import forget_container
from commonplace.index.code.stage import (
    drop_code,
    finish_code,
    forget_code,
    gone_code,
    sync_code,
    text_done,
)
from commonplace.index.draft import Draft, make_recipe
from commonplace.index.embed_text import embed_entries
from commonplace.index.jobs import Tracker, tracked
from commonplace.index.lease import Lease, held
from commonplace.index.plan import PLAIN, Wish, chunks, make_plan, overlapping
from commonplace.index.references.keep import forget_gone
from commonplace.index.references.tell import (
    Changes,
    cite_others,
    count_records,
    owe_references,
    tell_references,
)
from commonplace.index.references.works import keep_works
from commonplace.index.renamed import given_up, inherit_vectors
from commonplace.index.run import Run, read
from commonplace.index.seen import Seen, stamp_of
from commonplace.index.sources import (
    mark_synced,
    open_source,
    remove_documents,
    remove_source,
    synced_sources,
    telling_kinds,
)
from commonplace.index.upgrade import upgrade
from commonplace.index.workers import Workers
from commonplace.index.writer import Progress, Report, Writer, silent
from commonplace.sources.base import Skip

_BATCH_PASSAGES = 1000  # of one transaction, for the reasons of Writer.batch_documents
_PACE_S = 1.0  # between two pages that are told


async def sync_source(
    writer: Writer,
    source: Source,
    progress: Progress = silent,
    wish: Wish = PLAIN,
) -> Report:
    """Bring the index up to date with a source; unchanged resources cost a stat each.

    Failures of single documents are in the report. Raises SourceError when the source cannot be
    listed, StoreError when the store cannot be written; what was reported done stays.
    """
    start = time.monotonic()
    name = f"sync/{source.id}"
    heirs = [] if wish.vacant else await overlapping(writer, source)
    async with (
        held(writer.store.keyvalue, name, partial(progress, 0, None)) as lease,
        tracked(writer, name, source.project, source.location) as tracker,
    ):
        await progress(0, None, f"looking at {source.location}")
        run = await _prepare(writer, source, (lease, tracker, progress), wish)
        await run.tell("comparing")
        gone = run.plan.gone()
        run.given_up = given_up(run.plan.known, gone)
        will_change = bool(gone or run.plan.fresh)
        is_owed = await owe_references(writer.store.keyvalue, source, will_change=will_change)
        try:
            await _stages(run, {} if heirs else gone_code(gone), wish.label)
        except BaseException:
            await asyncio.shield(record.save(writer.store.keyvalue, source, run.seen))
            raise
        await _fill(run)
        if not heirs:
            await remove_documents(writer, source.project, list(gone.values()))
        finished = replace(run.seen, recipe=run.recipe.key)
        if finished != run.seen_before:  # it can be large, and most syncs change nothing
            await record.save(writer.store.keyvalue, source, finished)
            await run.tell("sorting")
            await writer.store.passages.prepare(source.project)
        changes = Changes(written=frozenset(run.prose), removed=bool(gone), is_owed=is_owed)
        run.records = await tell_references(writer, source, run.opened, changes)
        await mark_synced(writer, source)
        await run.tell("done")
    removed = len(gone)
    if heirs and gone:
        removed = await hand_over(writer, source, gone, progress)
        run.records = run.records and await count_records(writer, source)
    return run.report(time.monotonic() - start, removed)


async def hand_over(
    writer: Writer, source: Source, given_up: Collection[str], progress: Progress = silent
) -> int:
    """Let overlapping sources take what this one gives up, and remove the rest; how many that is.

    To be called without the source's lease: two that wait for each other's would wait for ever.
    """
    for heir in await overlapping(writer, source) if given_up else ():
        # One that cannot be listed now holds nothing; its next sync takes what it then has.
        with suppress(SourceError):
            await sync_source(writer, heir, progress, Wish(vacant=given_up))
    known = await writer.store.passages.fingerprints(source.project, source.id)
    left = {uri: known[uri].document_id for uri in given_up if uri in known}
    await drop_code(writer, source, gone_code(left))
    await remove_documents(writer, source.project, list(left.values()))
    await forget_gone(writer.store, source)
    return len(left)


async def leave_source(
    writer: Writer, source: Source, progress: Progress = silent
) -> tuple[int, int]:
    """Forget a source; how many of its documents went, and how many another source keeps."""
    known = await writer.store.passages.fingerprints(source.project, source.id)
    removed = await hand_over(writer, source, known, progress)
    removed += await remove_source(writer, source)
    await forget_code(writer, source)
    await forget_container(writer, source)
    if source.kind in telling_kinds():
        await cite_others(writer, source)
    return removed, max(0, len(known) - removed)


async def _prepare(
    writer: Writer,
    source: Source,
    hands: tuple[Lease, Tracker, Progress],
    wish: Wish,
) -> Run:
    """Open the source and make the plan."""
    recipe = make_recipe(source, writer.settings, writer.clock())
    opened = open_source(source, writer)
    before = await record.load(writer.store.keyvalue, source)
    known = before.rescanned(recipe.scans_key)
    is_current = known.recipe in ("", recipe.key)
    plan = await make_plan(writer, source, opened, known if is_current else None, wish)
    # Until a run under a new recipe is complete, the old one stays on record: all is read again.
    kept = Seen(recipe.key if is_current else known.recipe, scans=known.scans)
    for uri in plan.known if plan.is_partial else plan.listed:
        if uri in known.touched:
            kept.touched[uri] = known.touched[uri]
        if uri in known.broken and is_current:
            kept.broken[uri] = known.broken[uri]
        if uri in known.scanned:
            kept.scanned[uri] = known.scanned[uri]
    lease, tracker, progress = hands
    return Run(writer, source, recipe, opened, plan, kept, before, lease, tracker, progress)


async def _stages(run: Run, gone: dict[str, str], label: str) -> None:
    """Symbols of code, then text of everything."""
    total_bytes = sum(listing.size_bytes for listing in run.plan.fresh)
    async with Workers(run.writer.settings, total_bytes) as workers:
        await sync_code(run, workers, gone, label)
        await _work(run, workers)
    if run.owed:
        await text_done(run.writer, run.source.project, run.source.id)
    await finish_code(run, run.plan.is_partial)


async def _work(run: Run, workers: Workers) -> None:
    """Read, draft and store all that is fresh; workers draft ahead while we store."""
    ahead: deque[asyncio.Task[list[Draft | Skip]]] = deque()
    try:
        for chunk in chunks(run.plan.fresh, run.writer.batch_documents):
            resources = await read(run, chunk)
            ahead.append(asyncio.create_task(workers.draft(run.recipe, resources)))
            if len(ahead) > workers.count + 1:
                await _take(run, await _drafted(run, workers, ahead))
        while ahead:
            await _take(run, await _drafted(run, workers, ahead))
        await _store(run)
    finally:
        for task in ahead:
            task.cancel()
        await asyncio.gather(*ahead, return_exceptions=True)


async def _drafted(
    run: Run, workers: Workers, ahead: deque[asyncio.Task[list[Draft | Skip]]]
) -> list[Draft | Skip]:
    """What the first task drafts; meanwhile pages are told, which renews the lease."""
    while not (await asyncio.wait([ahead[0]], timeout=_PACE_S))[0]:
        if workers.pace:
            await run.tell(workers.pace)
    return ahead.popleft().result()


async def _take(run: Run, outcomes: Sequence[Draft | Skip]) -> None:
    """Collect drafts; store them when they are enough for a transaction."""
    for outcome in outcomes:
        if isinstance(outcome, Draft):
            run.batch.append(outcome)
            continue
        listing = run.listings.pop(outcome.path)
        run.plan.failures.append(outcome)
        run.seen.broken[listing.uri] = [*stamp_of(listing), outcome.reason]
    size = sum(len(draft.entry.passages) for draft in run.batch)
    if size >= _BATCH_PASSAGES or len(run.batch) >= run.writer.batch_documents:
        await _store(run)


async def _store(run: Run) -> None:
    """Embed and write what is collected, in one transaction."""
    if not run.batch:
        return
    drafts, run.batch = run.batch, []
    entries = [draft.entry for draft in drafts]
    if run.writer.embeds_at_once and not run.vector_fault:
        entries = await _embed(run, entries)
    prose = {one.entry.card.id: one.mentions for one in drafts if one.entry.part == "whole"}
    async with run.writer.store.transaction():
        written = await _write(run, entries)
        new = [entry for entry in written if entry.card.uri not in run.plan.known]
        await inherit_vectors(run.writer.store.passages, new, run.given_up)
        await keep_mentions(run.writer.store.keyvalue, run.source.project, prose)
        told = {one.entry.card.id: one.works for one in drafts if one.entry.card.id in prose}
        await keep_works(run.writer.store.keyvalue, run.source.project, told)
    run.prose += prose
    for draft in drafts:
        card = draft.entry.card
        listing = run.listings.pop(card.path, None)
        for noted in (run.seen.touched, run.seen.broken, run.seen.scanned):
            noted.pop(card.uri, None)
        if draft.is_scanned:
            run.seen.scanned[card.uri] = listing.language if listing else ""
        run.warnings += [Skip(path=card.path, reason=text) for text in draft.warnings]
    run.added += len(new)
    run.changed += len(written) - len(new)
    run.passages += sum(len(entry.passages) for entry in written)
    await run.tell(drafts[-1].entry.card.path)


async def _embed(run: Run, entries: list[Entry]) -> list[Entry]:
    """The entries with one vector per passage; without, and said so, when the model fails."""
    try:
        return await embed_entries(run.writer.embedder, entries)
    except EmbedError as exc:
        run.vector_fault = exc.message
        return entries


async def _fill(run: Run) -> None:
    """Vectors for passages without: of a slow embedder, or from before it was chosen."""
    writer = run.writer

    async def tell(done: float, total: float | None, message: str) -> None:
        await run.keep()  # it may take longer than a lease lasts
        await run.progress(done, total, message)

    try:
        if not run.vector_fault:
            made = await upgrade(writer, run.source.project, writer.embedder, None, tell)
            if made.is_elsewhere:
                reason = f"vectors of {made.model} are being made by another process"
                run.warnings.append(Skip(path=run.source.location, reason=reason))
    except EmbedError as exc:
        run.vector_fault = exc.message
    if run.vector_fault:
        reason = f"no vectors of {writer.embedder.model}, only words: {run.vector_fault}"
        run.warnings.append(Skip(path=run.source.location, reason=reason))


async def _write(run: Run, entries: Sequence[Entry]) -> list[Entry]:
    """Write all; when the store refuses one, write the others one by one and report it."""
    passages = run.writer.store.passages
    try:
        await passages.write(entries)
    except UserError:
        written = []
        for entry in entries:
            try:
                await passages.write([entry])
            except UserError as exc:
                failure = Skip(path=entry.card.path, reason=exc.message, is_failure=True)
                run.plan.failures.append(failure)
            else:
                written.append(entry)
        return written
    return list(entries)


async def sync_all(
    writer: Writer, project: str, progress: Progress = silent
) -> list[Report | tuple[Source, CommonplaceError]]:
    """Sync every source of a project; one that fails is given with its error, the others go on."""
    outcomes: list[Report | tuple[Source, CommonplaceError]] = []
    for source in await synced_sources(writer.store.keyvalue, project):
        try:
            outcomes.append(await sync_source(writer, source, progress))
        except SourceError as exc:
            outcomes.append((source, exc))
    return outcomes
