"""The composition root: settings in, application out. Nothing heavy loads here."""

import secrets
import time
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from commonplace import embedders, engines
from commonplace.catalog import collect, pick
from commonplace.domain.errors import StoreError, UserError
from commonplace.embedders.base import Embedder, EmbedderKind
from commonplace.engines.base import Engine, Store
from commonplace.session.activity import Activity
from commonplace.session.cursors import Cursors
from commonplace.session.scratch import Scratch
from commonplace.settings import Settings
from commonplace.sources.fetching.shared import Fetching
from commonplace.tokens import token_counter
from commonplace.tools.app import App

_KEY_FILE = "cursor.key"


def open_store(settings: Settings) -> Store:
    """The store the settings name; raises UserError for an unknown scheme."""
    scheme = urlsplit(settings.store_url).scheme
    engine = pick(engines, Engine, scheme)
    if engine is None:
        known = ", ".join(collect(engines, Engine))
        raise UserError(f"no engine {scheme!r} for {settings.store_url}; known: {known}")
    return engine.open(settings.store_url)


def make_embedders(settings: Settings) -> dict[str, Embedder]:
    """The embedders by tier, the preferred first; constructing one loads nothing."""
    made: dict[str, Embedder] = {}
    for name in (settings.upgrade_embedder, settings.embedder):
        kind = pick(embedders, EmbedderKind, name) if name else None
        if kind is not None:
            made[name] = kind.make(settings)
        elif name:
            known = ", ".join(collect(embedders, EmbedderKind))
            raise UserError(f"no embedder {name!r}; known: {known}")
    return made


def build(settings: Settings, store: Store | None = None) -> App:
    """The application over the home folder of the settings, and over this store if given."""
    made: Mapping[str, Embedder] = make_embedders(settings)
    return App(
        settings=settings,
        store=store or open_store(settings),
        embedders=made,
        tokens=token_counter(settings.tokenizer),
        scratch=Scratch(settings.scratch_bytes, settings.session_ttl_s, time.monotonic),
        cursors=Cursors(_cursor_key(settings.home)),
        activity=Activity(),
        fetching=Fetching(settings, _needs_scripts),
    )


def _needs_scripts(content: bytes, media_type: str) -> bool:
    from commonplace.parsers.html import needs_scripts  # noqa: PLC0415 - tools are listed before

    return needs_scripts(content, media_type)


def _cursor_key(home: Path) -> bytes:
    """The key cursors are signed with: kept in the home, so that they outlive a restart.

    On a home that cannot be written, a key of this process only.
    """
    path = home / _KEY_FILE
    try:
        home.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            file.write(secrets.token_bytes(32))
        path.chmod(0o600)
    except FileExistsError:
        pass
    except OSError:
        return secrets.token_bytes(32)
    try:
        key = path.read_bytes()
    except OSError as exc:
        raise StoreError(f"cannot read {path}: {exc.strerror}; make it readable") from exc
    return key if len(key) == 32 else secrets.token_bytes(32)
