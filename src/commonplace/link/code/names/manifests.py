"""What folders are imported as: by package.json, tsconfig.json and go.mod of the program."""

import posixpath
from collections.abc import Iterator
from typing import NamedTuple

from commonplace.link.code.program import Program, Unit

BUILT = frozenset({"dist", "build", "lib", "out", "esm", "cjs", "es"})
"""Folders that hold what was made of ``src``."""


class _Manifest(NamedTuple):
    source_id: str
    folder: str
    name: str
    pairs: tuple[tuple[str, str], ...]


class Manifests:
    """The manifests of a program, by what they are asked for."""

    def __init__(self, program: Program) -> None:
        self._packages: list[_Manifest] = []
        self._paths: list[_Manifest] = []
        self._modules: list[_Manifest] = []
        kinds = {"package.json": self._packages, "go.mod": self._modules}
        for unit in sorted(program.units.values(), key=lambda one: (one.path, one.document_id)):
            if unit.facts.language == "manifest":
                folder, _, label = unit.path.rpartition("/")
                facts = unit.facts
                found = _Manifest(unit.source_id, folder, facts.namespace, facts.exports)
                kinds.get(label.lower(), self._paths).append(found)

    def script(self, unit: Unit, written: str) -> Iterator[str]:
        """Paths an import of JavaScript or TypeScript may mean, the likeliest first."""
        for one in self._around(self._paths, unit):
            yield from _matched(one, written)
        if written.startswith("#"):
            for one in self._around(self._packages, unit):
                yield from _matched(one, written)
        for one in self._packages:
            if one.name and (written == one.name or written.startswith(f"{one.name}/")):
                yield from _matched(one, written)
                rest = written[len(one.name) :].strip("/") or "index"
                yield posixpath.join(one.folder, "src", rest)
                yield posixpath.join(one.folder, rest)

    def go_name(self, unit: Unit) -> str | None:
        """The import path of the package in a file's folder; None without go.mod."""
        folder = posixpath.dirname(unit.path)
        for one in self._around(self._modules, unit):
            below = posixpath.relpath(folder or ".", one.folder or ".")
            return one.name if below == "." else posixpath.join(one.name, below)
        return None

    def go_replaced(self, path: str) -> str:
        """An import path as ``replace`` in a go.mod has it."""
        for one in self._modules:
            for old, new in one.pairs:
                if path == old or path.startswith(f"{old}/"):
                    if not new.startswith("."):  # another module stands in
                        return new + path[len(old) :]
                    place = posixpath.normpath(posixpath.join(one.folder, new))
                    for other in self._modules:
                        if other.folder == place:
                            return other.name + path[len(old) :]
                    return place + path[len(old) :]
        return path

    def go_folders(self, path: str) -> Iterator[str]:
        """Folders an import path of Go may mean by the modules there are."""
        for one in self._modules:
            if path == one.name or path.startswith(f"{one.name}/"):
                yield posixpath.join(one.folder, path[len(one.name) + 1 :]).rstrip("/")

    def _around(self, manifests: list[_Manifest], unit: Unit) -> Iterator[_Manifest]:
        """Those in the folders around a file, the nearest first."""
        around = [
            one
            for one in manifests
            if one.source_id == unit.source_id
            and (not one.folder or unit.path.startswith(f"{one.folder}/"))
        ]
        yield from sorted(around, key=lambda one: -len(one.folder))


def _matched(manifest: _Manifest, written: str) -> Iterator[str]:
    for outside, inside in manifest.pairs:
        before, star, after = outside.partition("*")
        if not star:
            rest = "" if written == outside else None
        elif written.startswith(before) and written.endswith(after):
            rest = written[len(before) : len(written) - len(after)]
        else:
            rest = None
        if rest is None:
            continue
        place = posixpath.normpath(posixpath.join(manifest.folder, inside.replace("*", rest)))
        yield place
        built = _source(manifest.folder, place)
        if built is not None:
            yield built


def _source(folder: str, place: str) -> str | None:
    """Where the source of something built most likely is: ``dist/x.js`` is made of ``src/x``.

    >>> _source("packages/a", "packages/a/dist/index.d.ts")
    'packages/a/src/index.d.ts'
    """
    parts = posixpath.relpath(place, folder or ".").split("/")
    if len(parts) < 2 or parts[0] not in BUILT:
        return None
    while len(parts) > 2 and parts[1] in BUILT:
        del parts[1]
    return posixpath.join(folder, "src", *parts[1:])
