"""Files that say what a folder is imported as: package.json, tsconfig.json, go.mod.

Their facts have no symbols but the file. ``namespace`` is the name of the package or module;
``exports`` are pairs (what is imported, where it is), both with at most one ``*``, the place
relative to the file's folder.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePosixPath

from commonplace.domain import media
from commonplace.domain.code import At, Facts, Problem, Symbol
from commonplace.languages.base import Language
from commonplace.languages.sheet import Sheet

Pairs = Iterator[tuple[str, str]]
MOST_CHARS = 1_000_000
MOST_PAIRS = 1_000
# Of several places for one name, sources before what is built of them.
CONDITIONS = ("source", "types", "typings", "import", "module", "require", "node", "default")
_COMMENT = re.compile(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*|/\*[\s\S]*?\*/')
_TRAILING = re.compile(r'("(?:[^"\\\n]|\\.)*")|,(?=\s*[}\]])')
_MODULE = re.compile(r'^[ \t]*module[ \t]+"?([^\s"/][^\s"]*)', re.MULTILINE)
_REPLACE = re.compile(
    r"^[ \t]*(?:replace[ \t]+)?([^\s()]+)(?:[ \t]+v\S+)?[ \t]+=>[ \t]+([^\s/]\S*)", re.M
)


def package_json(written: Mapping[str, object]) -> tuple[str, list[tuple[str, str]]]:
    """Its name, and where each of its entries is."""
    name = written.get("name")
    label = name if isinstance(name, str) else ""
    pairs: list[tuple[str, str]] = []
    for key in ("source", "types", "typings", "module", "main"):
        place = written.get(key)
        if isinstance(place, str):
            pairs.append((label, place))
    pairs += (
        (label + outside.removeprefix(".") if outside.startswith(".") else outside, inside)
        for key in ("exports", "imports")
        for outside, inside in _entries(written.get(key))
    )
    return label, pairs


def _entries(written: object) -> Pairs:
    """``"exports"`` in each of its forms: a path, paths by name, paths by condition."""
    if not isinstance(written, dict):
        yield from ((".", place) for place in _places(written, 0))
        return
    if not any(str(key).startswith((".", "#")) for key in written):
        yield from ((".", place) for place in _places(written, 0))
        return
    for key, inner in written.items():
        yield from ((str(key), place) for place in _places(inner, 0))


def _places(written: object, depth: int) -> Iterator[str]:
    if isinstance(written, str):
        yield written
    elif isinstance(written, list):
        for one in written:
            yield from _places(one, depth + 1) if depth < 10 else ()
    elif isinstance(written, dict) and depth < 10:
        for condition in CONDITIONS:
            if condition in written:
                yield from _places(written[condition], depth + 1)


def tsconfig_json(written: Mapping[str, object]) -> tuple[str, list[tuple[str, str]]]:
    """Names that are looked up elsewhere than in packages."""
    options = written.get("compilerOptions")
    if not isinstance(options, dict):
        return "", []
    base = options.get("baseUrl")
    paths = options.get("paths")
    folder = base if isinstance(base, str) else "."
    pairs = [
        (str(outside), str(PurePosixPath(folder, str(inside))))
        for outside, places in (paths.items() if isinstance(paths, dict) else ())
        for inside in (places if isinstance(places, list) else ())
    ]
    if isinstance(base, str):
        pairs.append(("*", str(PurePosixPath(folder, "*"))))
    return "", pairs


def _facts(text: str, path: str, name: str, pairs: list[tuple[str, str]], why: str = "") -> Facts:
    at = Sheet(text).whole()
    label = PurePosixPath(path).name
    file = Symbol(kind="File", name=label, path="", parent=0, at=at, signature=name)
    return Facts(
        language="manifest",
        namespace=name,
        symbols=(file,),
        exports=tuple(dict.fromkeys(pairs))[:MOST_PAIRS],
        problems=(Problem(why, At(1, 0, 1, 0)),) if why else (),
    )


def extract(text: str, path: str) -> Facts:
    """Facts of a manifest; comments and trailing commas in JSON are taken as meant."""
    label = PurePosixPath(path).name.lower()
    if len(text) > MOST_CHARS:
        return _facts("", path, "", [], f"not read: {len(text)} characters")
    if label == "go.mod":
        found = _MODULE.search(text)
        name = found.group(1) if found is not None else ""
        return _facts(text, path, name, list(_REPLACE.findall(text)))
    read: Callable[[Mapping[str, object]], tuple[str, list[tuple[str, str]]]]
    read = package_json if label == "package.json" else tsconfig_json
    try:
        written = json.loads(_plain(text))
    except (ValueError, RecursionError) as error:
        return _facts(text, path, "", [], f"no JSON: {error}"[:200])
    if not isinstance(written, dict):
        return _facts(text, path, "", [], "no JSON object")
    name, pairs = read(written)
    return _facts(text, path, name, pairs)


def _plain(text: str) -> str:
    """JSON without what only its readers in this field accept."""
    text = text.removeprefix("\ufeff")
    if "//" in text or "/*" in text:
        text = _COMMENT.sub(lambda match: match.group(1) or " ", text)
    return _TRAILING.sub(lambda match: match.group(1) or "", text)


MANIFESTS = Language(
    name="manifest",
    media_types=(media.PACKAGE_JSON, media.TSCONFIG_JSON, media.GO_MODULE),
    suffixes=(),
    extract=extract,
)
