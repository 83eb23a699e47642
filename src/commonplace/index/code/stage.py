"""The first stage of a sync: symbols of code, before any text is cut.

Files that changed are extracted in the workers; then names are bound, once, when all facts are
there. What is left for the text stage is noted in the store together with the symbols.
"""

import asyncio
import re
from collections import Counter, deque
from collections.abc import Sequence
from functools import partial
from pathlib import PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import unquote

from commonplace.domain.media import media_type_of
from commonplace.domain.scope import Source
from commonplace.index.code import snapshots, status
from commonplace.index.code.changes import Found
from commonplace.index.code.documents import draw_documents
from commonplace.index.code.extract import Extract
from commonplace.index.code.late import behind, files_behind, is_worth
from commonplace.index.code.later import follow_values, sum_up
from commonplace.index.code.owed import code_space, text_key, text_owed
from commonplace.index.code.settle import is_due, settle
from commonplace.index.code.shelf import facts_space
from commonplace.index.lease import Lease, held
from commonplace.index.plan import chunks
from commonplace.index.run import Run, read
from commonplace.index.seen import stamp_of
from commonplace.index.workers import Workers
from commonplace.languages import language_for
from commonplace.sources.base import Listing, Skip
from commonplace.sources.git import commit_of
from commonplace.sources.walk import SUBMODULE

if TYPE_CHECKING:
    from commonplace.index.writer import Writer

_MOST_REASONS = 5
_MANY = 200  # files of which cutting the text takes longer than loading a program again
_OWN_SIZE = re.compile(r"^\d+ bytes(?: of code)?, ")


def is_code(media_type: str | None) -> bool:
    """Whether files of this type have symbols."""
    return media_type is not None and language_for(media_type) is not None


def code_name(project: str) -> str:
    """The lease of a project's code: names are bound across sources, so one binds at a time."""
    return f"code/{project}"


def gone_code(gone: dict[str, str]) -> dict[str, str]:
    """Those of the documents that are gone which were code, by address."""
    return {
        uri: one
        for uri, one in gone.items()
        if is_code(media_type_of(PurePosixPath(unquote(uri)).name))
    }


async def sync_code(run: Run, workers: Workers, gone: dict[str, str], label: str = "") -> None:
    """Bring symbols and bindings up to date; the plan then holds what text is to be cut of."""
    if not run.plan.is_partial:
        await _miss(run)
    fresh = [one for one in run.plan.fresh if is_code(one.media_type)]
    project = run.source.project
    if fresh or gone or label or await is_due(run.writer, project):
        keyvalue, waits = run.writer.store.keyvalue, partial(run.progress, 0, None)
        async with held(keyvalue, code_name(project), waits) as lease:
            extracts = await _extract(run, workers, fresh)
            if workers.count > 1:
                workers.release()  # binding takes the memory they would only wait with

            async def renew() -> None:
                await lease.renew()
                await run.tell("binding names")

            found = Found(
                source=run.source,
                fresh=extracts,
                gone=list(gone.values()),
                label=label,
                commit=await asyncio.to_thread(commit_of, run.source),
            )
            run.symbols = sum(one.symbols for one in extracts)
            run.settled = await settle(run.writer, found, renew)
            run.warnings += run.settled.faults
            await _tell_status(run)
            run.owed = {one.card.uri: one.card.content_hash for one in extracts}
        await run.tell("symbols ready")
        if len(extracts) > _MANY:
            run.writer.shelf.put_away()  # text takes the memory; what comes after loads it
    await _owe(run)


async def _miss(run: Run) -> None:
    """Have read again what is indexed and has no facts: an imported index has none."""
    plan, waiting = run.plan, {one.uri for one in run.plan.fresh}
    kept = set(await run.writer.store.keyvalue.keys(facts_space(run.source.project)))
    missing = [
        listing
        for uri, listing in plan.listed.items()
        if uri in plan.known
        and uri not in waiting
        and plan.known[uri].document_id not in kept
        and is_code(listing.media_type)
    ]
    run.missing = {one.uri for one in missing}
    plan.fresh += missing
    plan.unchanged -= len(missing)


async def _tell_status(run: Run) -> None:
    """Note what the source's code is, and what was left out of it."""
    known = run.writer.shelf.held
    told = status.count(known, run.source.id) if known else {}
    if not run.plan.is_partial:
        reasons = Counter(
            _reason(skip)
            for skip in (*run.plan.skips, *run.plan.failures)
            if is_code(media_type_of(skip.path.rpartition("/")[2]))
            or skip.reason.startswith(SUBMODULE)
        )
        told["left_out"] = dict(reasons.most_common(_MOST_REASONS))
    await status.keep(run.writer.store.keyvalue, run.source.project, run.source.id, told)


def _reason(skip: Skip) -> str:
    """Why, without what is its own: many may be left out for the same.

    >>> _reason(Skip(path="a.js", reason="52428789 bytes, over max_file_bytes = 1000"))
    'over max_file_bytes = 1000'
    """
    return _OWN_SIZE.sub("", skip.reason.removeprefix(f"{skip.path} ").partition(";")[0])


async def _extract(run: Run, workers: Workers, fresh: Sequence[Listing]) -> list[Extract]:
    """Facts of all these files; workers are a few chunks ahead."""
    ahead: deque[asyncio.Task[list[Extract | Skip]]] = deque()
    extracts: list[Extract] = []
    try:
        for chunk in chunks(fresh):
            resources = await read(run, chunk)
            ahead.append(asyncio.create_task(workers.extract(run.recipe, resources)))
            if len(ahead) > workers.count + 1:
                extracts += _sort(run, await ahead.popleft())
                await run.tell(f"symbols of {chunk[-1].path}")
        while ahead:
            extracts += _sort(run, await ahead.popleft())
    finally:
        for task in ahead:
            task.cancel()
        await asyncio.gather(*ahead, return_exceptions=True)
    return extracts


def _sort(run: Run, outcomes: Sequence[Extract | Skip]) -> list[Extract]:
    """Those with facts; what failed is noted."""
    extracts = []
    for outcome in outcomes:
        if isinstance(outcome, Extract):
            extracts.append(outcome)
            continue
        listing = run.listings.pop(outcome.path)
        run.plan.failures.append(outcome)
        run.seen.broken[listing.uri] = [*stamp_of(listing), outcome.reason]
    return extracts


async def _owe(run: Run) -> None:
    """Put into the plan what lacks its text: read now, or before a run that was interrupted."""
    known = run.plan.known
    for one in await text_owed(run.writer.store.keyvalue, run.source.project, run.source.id):
        uri = run.plan.addresses.get(one)
        if uri is not None and uri in known:
            run.owed.setdefault(uri, known[uri].content_hash)
    prose = [one for one in run.plan.fresh if not is_code(one.media_type)]
    late = [run.plan.listed[uri] for uri in run.owed if uri in run.plan.listed]
    # Of a run that was interrupted: their files did not change, and now they are work again.
    fresh = {one.uri for one in run.plan.fresh}
    run.plan.unchanged -= sum(one.uri not in fresh for one in late)
    run.plan.fresh = [*prose, *late]


async def finish_code(run: Run, is_watched: bool = False) -> None:
    """What needs both symbols and text, and what takes longer. Then the program may go."""
    names = run.settled.names if run.settled else frozenset()
    changed = run.settled.bound if run.settled else 0
    writer, project = run.writer, run.source.project
    keyvalue, is_idle = writer.store.keyvalue, not (run.prose or names or changed)
    try:
        if not is_idle:
            async with held(keyvalue, code_name(project)) as lease:
                await draw_documents(writer, project, run.prose, names)
                if not is_watched:
                    await _go_on(run, changed, lease)
        elif not is_watched and await files_behind(keyvalue, project):
            async with held(keyvalue, code_name(project)) as lease:
                await follow_values(writer, project, partial(_renew, run, lease))
    finally:
        writer.shelf.put_away()


async def _renew(run: Run, lease: Lease) -> None:
    await lease.renew()
    await run.tell("following values")


async def _go_on(run: Run, changed: int, lease: Lease) -> None:
    """Values followed from file to file, and summaries: nothing waits for them.

    After a small change values are left to a sync that has nothing else to do, or to who watches:
    following them takes as long as indexing, and what was found before mostly holds.
    """
    writer, project, renew = run.writer, run.source.project, partial(_renew, run, lease)
    known = writer.shelf.held
    if known is None or is_worth(known):
        await follow_values(writer, project, renew)
    await sum_up(writer, project, changed, renew)


async def rest(writer: "Writer", project: str) -> None:
    """After edits that were watched have come to rest: what was left for later."""
    known = writer.shelf.held
    if known is not None and behind(known):
        async with held(writer.store.keyvalue, code_name(project)) as lease:
            await follow_values(writer, project, lease.renew)
            await sum_up(writer, project, 1, lease.renew)


async def drop_code(writer: "Writer", source: Source, gone: dict[str, str]) -> None:
    """Remove code documents, given by address, and bind anew what depended on them."""
    if gone:
        async with held(writer.store.keyvalue, code_name(source.project)) as lease:
            await settle(writer, Found(source=source, gone=list(gone.values())), lease.renew)


async def forget_code(writer: "Writer", source: Source) -> None:
    """Remove what is kept of a source beside its documents."""
    await text_done(writer, source.project, source.id)
    await status.forget(writer.store.keyvalue, source.project, source.id)
    await snapshots.forget(writer.store.keyvalue, source.project, source.id)


async def text_done(writer: "Writer", project: str, source_id: str) -> None:
    """Note that nothing of a source lacks its text."""
    space, keyvalue = code_space(project), writer.store.keyvalue
    for key in await keyvalue.keys(space, text_key(source_id)):
        await keyvalue.expire(space, key)
