"""Front matter: the YAML or TOML head of a Markdown file, as plain attributes."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field

from commonplace.parsers.drafting import one_line

# Longer heads are data, not a head; the bound keeps YAML's slow parser from hostile input.
_MOST_CHARS = 32_000
_YAML = re.compile(r"---[ \t]*(?:\r\n|\r|\n)(.*?)^(?:---|\.\.\.)[ \t]*$", re.DOTALL | re.MULTILINE)
_TOML = re.compile(r"\+\+\+[ \t]*(?:\r\n|\r|\n)(.*?)^\+\+\+[ \t]*$", re.DOTALL | re.MULTILINE)
_MOST_BRACKETS = 400  # PyYAML recurses and slows down on nested ones
_TAG_KEYS = ("tags", "keywords", "categories")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What the head says and where it ends; ``end`` is 0 when there is none."""

    end: int = 0
    attributes: Mapping[str, str] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def _scalars(value: object) -> list[str]:
    """A scalar or a flat list of scalars as strings; anything deeper is left out."""
    values = value if isinstance(value, list) else [value]
    return [one_line(str(one)) for one in values if one is not None and not _is_nested(one)]


def _is_nested(value: object) -> bool:
    return isinstance(value, list | dict | set | tuple)


def _load(head: str, is_toml: bool) -> object:
    if is_toml:
        return tomllib.loads(head)
    if head.count("[") + head.count("{") > _MOST_BRACKETS:
        raise ValueError("too many brackets")
    import yaml  # noqa: PLC0415 - only files with a head need it

    try:
        return yaml.safe_load(head)
    except yaml.YAMLError as exc:
        raise ValueError(str(exc)) from exc


def read_front_matter(text: str) -> FrontMatter:
    r"""The head of a Markdown text.

    >>> head = read_front_matter("---\ntitle: Set up\ntags: [a, b]\n---\n# H")
    >>> head.attributes["title"], head.tags, head.end
    ('Set up', ('a', 'b'), 34)
    """
    is_toml = text.startswith("+++")
    if not is_toml and not text.startswith("---"):
        return FrontMatter()
    found = (_TOML if is_toml else _YAML).match(text, 0, _MOST_CHARS)
    if found is None:
        return FrontMatter()
    try:
        loaded = _load(found[1], is_toml)
    except (ValueError, RecursionError) as exc:
        reason = one_line(str(exc))[:120] or "nested too deeply"
        return FrontMatter(found.end(), warnings=(f"front matter not understood: {reason}",))
    if not isinstance(loaded, dict):
        # A rule of dashes, words, another rule: an ordinary text, not a head.
        return FrontMatter(0 if loaded is not None else found.end())
    attributes = {one_line(str(key)): ", ".join(_scalars(value)) for key, value in loaded.items()}
    tags = [tag for key in _TAG_KEYS for tag in _tags(loaded.get(key))]
    return FrontMatter(found.end(), attributes, tuple(dict.fromkeys(tags)))


def _tags(value: object) -> list[str]:
    words = value.split(",") if isinstance(value, str) else _scalars(value)
    return [word.strip() for word in words if word.strip()]
