"""Opens sources as the index does, and lists them."""

from datetime import UTC, datetime
from pathlib import Path

from commonplace import sources
from commonplace.catalog import collect
from commonplace.domain.scope import Source
from commonplace.settings import Settings
from commonplace.sources.base import Listing, OpenSource, Skip, SourceKind

KINDS = sorted(collect(sources, SourceKind).values(), key=lambda kind: kind.rank)


def kind_of(location: str) -> SourceKind:
    return next(kind for kind in KINDS if kind.accepts(location))


def open_at(location: Path | str, **settings: object) -> OpenSource:
    kind = kind_of(str(location))
    described = kind.describe(str(location))
    source = Source(
        id="s1",
        project="default",
        kind=kind.name,
        location=described.location,
        added_at=datetime(2026, 1, 1, tzinfo=UTC),
    )
    return kind.open(source, Settings.model_validate(settings))


async def walk(location: Path | str, **settings: object) -> tuple[list[Listing], list[Skip]]:
    listings: list[Listing] = []
    skips: list[Skip] = []
    async for one in open_at(location, **settings).list():
        if isinstance(one, Listing):
            listings.append(one)
        else:
            skips.append(one)
    return listings, skips


async def paths(location: Path | str, **settings: object) -> list[str]:
    return [listing.path for listing in (await walk(location, **settings))[0]]


async def reasons(location: Path | str, **settings: object) -> dict[str, str]:
    return {skip.path: skip.reason for skip in (await walk(location, **settings))[1]}


def plant(root: Path, *names: str, text: str = "words") -> None:
    """Files with these paths under ``root``."""
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
