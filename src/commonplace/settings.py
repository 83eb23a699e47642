"""Settings: defaults < user TOML < project ``commonplace.toml`` < environment < flags.

This module alone reads the environment and TOML files. The reference page in ``docs/`` is made
from the fields below.
"""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import quote

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from commonplace.domain.context import TYPES, ContextType
from commonplace.domain.errors import UserError
from commonplace.domain.scope import DEFAULT_PROJECT

PROJECT_FILE = "commonplace.toml"
PREFIX = "COMMONPLACE_"

# Names other servers use, read beside our own (DESIGN §7).
ENVIRONMENT_ALIASES: Mapping[str, str] = {
    "MCP_KB_V2_ENABLED": "kb_v2_enabled",
    "MCP_STRUCTURED_OUTPUT_ENABLED": "structured_output_enabled",
    "MCP_TRANSPORT": "transport",
    "MCP_HOST": "host",
    "MCP_PORT": "port",
    "MCP_AUTH_TOKEN": "auth_token",
    "MCP_RESPONSE_TOKEN_BUDGET": "response_tokens",
    "MCP_TOOL_TIMEOUT": "tool_timeout_s",
    "MCP_LOG_LEVEL": "log_level",
}


def _split_commas(value: object) -> object:
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    return value


def _transport(value: object) -> object:
    """Other servers call it streamable-http."""
    if isinstance(value, str):
        value = value.lower().replace("_", "-")
        return "http" if value == "streamable-http" else value
    return value


def _upper(value: object) -> object:
    return value.upper() if isinstance(value, str) else value


def _pairs_on(defaults: Mapping[Any, int]) -> BeforeValidator:
    """Numbers by name, as a table or as ``a=1,b=2``; names not given keep their defaults."""

    def read(value: object) -> object:
        if isinstance(value, str):
            pairs = (part.partition("=") for part in value.split(",") if part.strip())
            value = {name.strip(): number.strip() for name, _, number in pairs}
        return {**defaults, **value} if isinstance(value, Mapping) else value

    return BeforeValidator(read)


_RATE_LIMITS: Mapping[str, int] = {  # 004
    "memory.store_context": 100,
    "memory.retrieve_context": 50,
    "graph.query": 30,
    "memory.update_scratchpad": 200,
    "memory.get_agent_state": 100,
}
_AGENT_TTL_S: Mapping[str, int] = {
    "scratchpad": 3600,  # 004
    "state": 86_400,
    "memory": 86_400,
    "config": 86_400,
}
_RETENTION_DAYS: Mapping[ContextType, int] = dict.fromkeys(TYPES, 0)

Names = Annotated[tuple[str, ...], BeforeValidator(_split_commas)]


class Settings(BaseModel):
    """Everything that can be set. Frozen; assembled once in ``serve/build.py``."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    home: Path = Field(
        default_factory=lambda: Path.home() / ".commonplace",
        description="Data folder: the index, the vector snapshots, the user's settings.",
    )
    store: str = Field(
        default="", description="Address of the store; empty means SQLite in `home`."
    )
    projects: Names = Field(
        default=(), description="Projects this server serves; empty means all in `home`."
    )
    default_project: str = Field(
        default=DEFAULT_PROJECT, description="Project used when a call names none."
    )
    toolsets: Names = Field(
        default=("default",),
        description="Tool families to list: `default`, `all`, or names such as `kb,verify_quote`.",
    )
    tool_names: Literal["family", "bare"] = Field(
        default="family", description="List `kb_search` (family), or names without family (bare)."
    )
    kb_v2_enabled: bool = Field(
        default=True, description="Off lists only the legacy tools and hides `kb.*`."
    )
    structured_output_enabled: bool = Field(
        default=True, description="Off returns minified JSON text and no structuredContent."
    )

    transport: Annotated[Literal["stdio", "http"], BeforeValidator(_transport)] = Field(
        default="stdio", description="How to serve."
    )
    host: str = Field(default="127.0.0.1", description="Address the HTTP server binds.")
    port: int = Field(default=8642, ge=0, le=65535, description="Port of the HTTP server.")
    auth_token: str = Field(
        default="", repr=False, description="Bearer token HTTP clients must send; empty is none."
    )
    insecure: bool = Field(default=False, description="Allow a non-loopback bind without a token.")
    allow_hosts: Names = Field(
        default=(), description="Host header values accepted beside loopback, `name:port`."
    )
    allow_origins: Names = Field(
        default=(), description="Origin header values accepted beside loopback."
    )

    response_tokens: int = Field(
        default=0,
        ge=0,
        le=10_000,
        description="Budget of a reply whose call names none; 0 is each tool's own default.",
    )
    response_chars: int = Field(
        default=45_000, ge=1000, le=524_288, description="No reply is longer, whatever is asked."
    )
    tokenizer: Literal["cl100k_base", "o200k_base"] = Field(
        default="cl100k_base", description="Byte-pair encoding that counts tokens."
    )
    tool_timeout_s: float = Field(
        default=30.0, gt=0, le=3600, description="Time limit of a tool call."
    )
    query_timeout_s: float = Field(
        default=10.0, gt=0, le=3600, description="Time limit of a graph query."
    )
    query_steps: int = Field(
        default=5_000_000,
        ge=1000,
        description="Most nodes, edges and rows a graph query may touch.",
    )
    rate_limit_per_minute: int = Field(
        default=600, ge=0, description="Calls per tool and principal; 0 lifts every limit."
    )
    rate_limits: Annotated[dict[str, Annotated[int, Field(ge=0)]], _pairs_on(_RATE_LIMITS)] = Field(
        default=dict(_RATE_LIMITS),
        description="Calls a minute of single tools, `memory.store_context=100`; 0 is no limit.",
    )
    memory_retention_days: Annotated[
        dict[ContextType, Annotated[int, Field(ge=0)]], _pairs_on(_RETENTION_DAYS)
    ] = Field(
        default=dict(_RETENTION_DAYS),
        description="Contexts of a type are forgotten after so many days, `log=30`; 0 is never.",
    )
    agent_ttl_s: Annotated[
        dict[str, Annotated[int, Field(ge=60, le=86_400)]], _pairs_on(_AGENT_TTL_S)
    ] = Field(
        default=dict(_AGENT_TTL_S),
        description="Life of agent entries by prefix, where a call names none.",
    )
    session_ttl_s: float = Field(
        default=1800.0, gt=0, description="Sessions and scratch are kept this long after use."
    )
    scratch_bytes: int = Field(
        default=256 * 1024 * 1024, ge=1024, description="Most memory scratch texts may take."
    )

    embedder: str = Field(
        default="static", description="Model tier that makes a new index searchable at once."
    )
    upgrade_embedder: str = Field(
        default="transformer",
        description="Model tier that improves vectors in the background; empty is none.",
    )
    upgrade_wait_s: float = Field(
        default=20.0, ge=0, description="How long `add` and `sync` improve vectors themselves."
    )
    embed_url: str = Field(
        default="", description="OpenAI-compatible endpoint of the `remote` embedder."
    )
    embed_model: str = Field(default="", description="Model name sent to `embed_url`.")
    embed_key: str = Field(default="", repr=False, description="Key sent to `embed_url`.")
    embed_dimension: int = Field(
        default=0, ge=0, description="Vector length of `embed_model`; 0 asks the endpoint."
    )
    threads: int = Field(default=0, ge=0, description="Cores the models use; 0 means all.")

    passage_tokens: int = Field(
        default=256, ge=32, le=2048, description="Passages aim at this many tokens."
    )
    max_file_bytes: int = Field(
        default=20 * 1024 * 1024, ge=1024, description="Larger files are reported and skipped."
    )
    max_code_bytes: int = Field(
        default=2_000_000, ge=1024, description="Larger files of code are reported and skipped."
    )
    vendored: bool = Field(
        default=False, description="Index code of vendored and build folders too."
    )
    workers: int = Field(
        default=0, ge=0, description="Parsing processes; 0 means one per core, at most four."
    )
    parse_memory_mb: int = Field(
        default=2048,
        ge=256,
        description="Memory parsing one document may take; one that takes more is reported.",
    )
    ocr_languages: Names = Field(
        default=("en", "de"),
        description="Languages of scanned pages, where no catalogue tells them.",
    )
    ocr_max_pages: int = Field(
        default=500,
        ge=0,
        description="Most scanned pages of a document that are recognised; 0 is none.",
    )
    ocr_folder: str = Field(
        default="",
        description="Folder of Tesseract's language files; empty is where systems keep them.",
    )
    follow_symlinks: bool = Field(
        default=False, description="Follow links that leave the added folder."
    )
    writer_wait_s: float = Field(
        default=30.0, ge=0, description="How long a second writer waits for the first."
    )
    web_allow_hosts: Names = Field(
        default=(),
        description="Hosts of private networks that may be fetched: `docs.corp`, `10.0.0.0/8`.",
    )
    web_max_bytes: int = Field(
        default=10 * 1024 * 1024, ge=1024, description="Larger pages are not read."
    )
    web_timeout_s: float = Field(
        default=20.0, gt=0, le=600, description="Time limit of fetching one page."
    )
    web_host_delay_s: float = Field(
        default=0.1, ge=0, le=60, description="Pause between two requests to one host."
    )
    web_obey_robots: bool = Field(
        default=True, description="Keep to the robots.txt of sites; off for sites of your own."
    )
    web_render: Literal["never", "auto", "always"] = Field(
        default="never",
        description="Run the scripts of pages in Chromium: never, where there is no text, always.",
    )
    web_chromium: str = Field(
        default="", description="The Chromium that renders pages; empty looks for one."
    )
    web_sandbox: bool = Field(
        default=True, description="Chromium's own sandbox; off where the system allows it none."
    )
    web_render_mb: int = Field(
        default=1024, ge=256, description="Memory rendering one page may take."
    )
    web_max_age_s: float = Field(
        default=86_400.0, ge=0, description="Older pages are asked for again before they answer."
    )
    web_max_depth: int = Field(
        default=3,
        ge=0,
        le=10,
        description="How many links away from a page answers are looked for.",
    )
    web_max_pages: int = Field(
        default=20, ge=1, le=500, description="Most pages one question may fetch."
    )
    web_answer_s: float = Field(
        default=90.0, gt=0, le=3600, description="Time a question to the web may take."
    )
    papers_top_k_max: int = Field(
        default=50, ge=1, le=200, description="Most results of a question to papers."
    )
    papers_folders: Names = Field(
        default=(),
        description="Folders papers may be ingested from; empty is any, over HTTP none but sources "
        "already added.",
    )
    papers_ingest_s: float = Field(
        default=15.0,
        ge=0,
        le=60,
        description="How long `papers.ingest_from_source` waits before it gives a job.",
    )
    zotero_url: str = Field(
        default="http://127.0.0.1:23119", description="Where a running Zotero answers."
    )
    zotero_folder: str = Field(
        default="~/Zotero", description="Zotero's data folder, read when Zotero does not run."
    )
    zotero_linked_folder: str = Field(
        default="", description="Zotero's base folder of linked files, where files are linked so."
    )
    log_level: Annotated[Literal["DEBUG", "INFO", "WARNING", "ERROR"], BeforeValidator(_upper)] = (
        Field(default="INFO", description="Least severity of log lines on standard error.")
    )

    @property
    def store_url(self) -> str:
        """The address of the store, the default spelled out."""
        default = f"sqlite://{quote(str(self.home))}/index.db?wait_s={self.writer_wait_s:g}"
        return self.store or default


def _environment(environ: Mapping[str, str]) -> dict[str, Any]:
    found = {field: environ[name] for name, field in ENVIRONMENT_ALIASES.items() if name in environ}
    own = {f"{PREFIX}{field.upper()}": field for field in Settings.model_fields}
    found |= {field: environ[name] for name, field in own.items() if name in environ}
    return found


def _flat(tables: Mapping[str, Any]) -> dict[str, Any]:
    """Settings with those of a table named after it: ``allow_hosts`` of ``[web]``.

    >>> _flat({"port": 1, "web": {"allow_hosts": ["a"]}, "rate_limits": {"kb.search": 5}})
    {'port': 1, 'web_allow_hosts': ['a'], 'rate_limits': {'kb.search': 5}}
    """
    flat: dict[str, Any] = {}
    for name, value in tables.items():
        if isinstance(value, Mapping) and name not in Settings.model_fields:
            flat |= {f"{name}_{inner}": found for inner, found in value.items()}
        else:
            flat[name] = value
    return flat


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return _flat(tomllib.loads(path.read_text("utf-8")))
    except FileNotFoundError:
        return {}
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as exc:
        raise UserError(f"cannot read settings {path}: {exc}; mend or remove the file") from exc


def load(
    flags: Mapping[str, Any] | None = None,
    environ: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> Settings:
    """Assemble the settings; raises UserError naming the setting and where it came from.

    ``environ`` and ``folder`` default to the process's own; tests hand in theirs.
    """
    environ = os.environ if environ is None else environ
    given = _environment(environ)
    flags = {name: value for name, value in (flags or {}).items() if value is not None}
    home = flags.get("home") or given.get("home")
    user_file = Path(home or Settings.model_fields["home"].get_default(call_default_factory=True))
    files = (user_file / "settings.toml", (folder or Path.cwd()) / PROJECT_FILE)
    layers: list[tuple[str, Mapping[str, Any]]] = [(str(file), _read_toml(file)) for file in files]
    layers += [("the environment", given), ("the command line", flags)]
    try:
        settings = Settings(**{name: value for _, layer in layers for name, value in layer.items()})
    except ValidationError as exc:
        first = exc.errors()[0]
        name = ".".join(str(part) for part in first["loc"])
        origin = next(place for place, given in reversed(layers) if first["loc"][0] in given)
        raise UserError(f"setting {name!r} from {origin}: {first['msg']}; mend it there") from exc
    return settings.model_copy(update={"home": settings.home.expanduser().absolute()})
