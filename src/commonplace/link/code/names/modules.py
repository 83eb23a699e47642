"""Which file a name in an import means, and what a symbol is called from outside.

One index per state of a program: module names of Python, paths of JavaScript and TypeScript,
packages of Java and Go, namespaces of C#. A file may be importable by several names: folders that
are no package may or may not stand on the search path, so all their names are kept and the
nearest file wins.
"""

import posixpath
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from commonplace.domain.code import Import
from commonplace.link.code.names.golang import GoPackages, space_of
from commonplace.link.code.names.manifests import Manifests
from commonplace.link.code.names.roots import package_names
from commonplace.link.code.program import Place, Program, Unit

PYTHON = "python"
SCRIPTS = frozenset({"javascript", "typescript", "tsx", "jsx"})
DECLARING = frozenset({"java", "csharp", "go"})
"""Languages that declare types: values are followed from file to file where a program is small."""
_ROOTS = frozenset({"src", "lib", "python"})
_SCRIPT_SUFFIXES = (".d.ts", ".tsx", ".ts", ".mts", ".cts", ".jsx", ".js", ".mjs", ".cjs", ".vue")


def qualified(program: Program, place: Place) -> str:
    """The full name of a symbol: its module or namespace, then its path within the file."""
    unit = program.units[place.document_id]
    return within(modules(program).name(unit), unit, place.number)


def within(module: str, unit: Unit, number: int) -> str:
    """The full name of a symbol of a file whose symbols are called under this name."""
    path = unit.facts.symbols[number].path
    if not path:
        return module or unit.path
    return f"{module}.{path}" if module else path


def modules(program: Program) -> "Modules":
    """The index of this state of the program."""
    found = program.memo.get("modules")
    if found is None:
        found = program.memo["modules"] = Modules(program)
    index: Modules = found
    return index


@dataclass(slots=True)
class _Tables:
    dotted: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """Python: documents by every name they may be imported by."""
    folders: set[str] = field(default_factory=set)
    """Python: dotted names that are folders with modules in them."""
    scripts: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """JavaScript and TypeScript: documents by path without suffix."""


class Modules:
    """Names of the files of a program, both ways."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._tables = _Tables()
        self._manifests = Manifests(program)
        self.go = GoPackages(self._manifests)
        self._names: dict[str, str] = {}
        self._packages = package_names(program)
        paths = program.paths
        for unit in sorted(program.units.values(), key=lambda one: (one.path, one.document_id)):
            language = unit.facts.language
            if language == PYTHON:
                self._add_python(unit, paths)
            elif language in SCRIPTS:
                self._tables.scripts[bare(unit.path)].append(unit.document_id)
                self._names[unit.document_id] = _script_name(unit.path)
            else:
                self._add_space(unit)

    def name(self, unit: Unit) -> str:
        """What the file's own symbols are called under; its path where the language has no name."""
        return self._names[unit.document_id]

    def space(self, unit: Unit) -> str:
        """What the files have in common that see each other's definitions without an import."""
        return space_of(unit) if unit.facts.language == "go" else self.name(unit)

    def is_folder(self, dotted: str) -> bool:
        """Whether there are modules of Python below this name."""
        return dotted in self._tables.folders

    def _add_python(self, unit: Unit, paths: dict[str, set[str]]) -> None:
        names = _python_names(unit.path, paths)
        package = self._packages.get(unit.source_id)
        if package is not None:  # the source itself is a package
            own = [package if name == "__init__" else f"{package}.{name}" for name in names]
            names = [*own, *names]
        self._names[unit.document_id] = names[0]
        for name in names:
            self._tables.dotted[name].append(unit.document_id)
            while "." in name:
                name = name.rpartition(".")[0]
                self._tables.folders.add(name)

    def _add_space(self, unit: Unit) -> None:
        facts = unit.facts
        name = facts.namespace
        if facts.language == "go":
            name = self.go.add(unit)
        elif not name and facts.language not in ("java", "csharp"):
            name = unit.path
        self._names[unit.document_id] = name

    def python_named(self, dotted: str) -> str | None:
        """The document of Python that has this name."""
        found = self._tables.dotted.get(dotted)
        return found[0] if found else None

    def python(self, unit: Unit, dotted: str) -> str | None:
        """The document an absolute import of Python means, seen from a file."""
        found = self._tables.dotted.get(dotted)
        if not found:
            return None
        exact = [one for one in found if self._names[one] == dotted]
        top = dotted.partition(".")[0]
        near = _nearest(self._program, exact, unit)
        if near is not None or top not in sys.stdlib_module_names:
            return near or _nearest(self._program, found, unit)
        folder = posixpath.dirname(unit.path)
        same = (one for one in found if posixpath.dirname(self._path(one)) == folder)
        return next(same, None)

    def absolute(self, unit: Unit, imported: Import) -> str:
        """The dotted name of what a Python import names, with its leading dots worked out."""
        if not imported.level:
            return imported.module
        parts = self._names[unit.document_id].split(".")
        if not unit.path.endswith("__init__.py"):
            parts = parts[:-1]
        if imported.level > 1:
            parts = parts[: -(imported.level - 1)]
        return ".".join((*parts, imported.module) if imported.module else parts)

    def relative(self, unit: Unit, imported: Import) -> str | None:
        """The document a relative import of Python means, by folders rather than by names."""
        folder = posixpath.dirname(unit.path)
        for _ in range(imported.level - 1):
            folder = posixpath.dirname(folder)
        path = posixpath.join(folder, imported.module.replace(".", "/"))
        for candidate in (f"{path}.py", posixpath.join(path, "__init__.py"), f"{path}.pyi"):
            near = self._at(candidate, unit)
            if near is not None:
                return near
        return None

    def script(self, unit: Unit, written: str) -> str | None:
        """The document an import of JavaScript or TypeScript means."""
        if written.startswith("."):
            path = posixpath.normpath(posixpath.join(posixpath.dirname(unit.path), written))
            return self._script_at(path, unit)
        for path in (*self._manifests.script(unit, written), *self._mapped(unit, written)):
            found = self._script_at(path, unit)
            if found is not None:
                return found
        return None

    def _script_at(self, path: str, unit: Unit) -> str | None:
        table = self._tables.scripts
        stripped = bare(path)
        path = "" if path == "." else path
        options = (path, stripped, posixpath.join(path, "index"))
        for option in options:
            near = _nearest(self._program, table.get(option, ()), unit)
            if near is not None:
                return near
        return None

    def _mapped(self, unit: Unit, written: str) -> list[str]:
        """Paths a bare or aliased import may mean: ``@/x``, ``~/x``, ``src/x``, packages."""
        rest = written
        if written.startswith(("@/", "~/", "#/")):
            rest = written[2:]
        options = []
        folder = posixpath.dirname(unit.path)
        while True:
            if rest != written:
                options.append(posixpath.join(folder, "src", rest))
                options.append(posixpath.join(folder, "app", rest))
            elif "/" in written and not written.startswith("@"):
                options.append(posixpath.join(folder, "src", rest))
            options.append(posixpath.join(folder, rest))
            if not folder:
                return options
            folder = posixpath.dirname(folder)

    def looked_at(self, unit: Unit, written: str) -> Iterator[str]:
        """Names of files and folders that decide what an import means, also if they are not there.

        For whoever must ask again when one of them comes.
        """
        if unit.facts.language == "go":
            path = self._manifests.go_replaced(written)
            for folder in (written, path, *self._manifests.go_folders(path)):
                yield posixpath.basename(folder)
            return
        yield written.rpartition("/")[2].partition(".")[0]
        if not written.startswith("."):
            for path in self._manifests.script(unit, written):
                yield posixpath.basename(path).partition(".")[0]

    def _at(self, path: str, unit: Unit) -> str | None:
        return _nearest(self._program, sorted(self._program.paths.get(path, ())), unit)

    def _path(self, document_id: str) -> str:
        return self._program.units[document_id].path


def bare(path: str) -> str:
    """A path of a script without its suffix.

    >>> bare("src/user.service.ts"), bare("types.d.ts")
    ('src/user.service', 'types')
    """
    for suffix in _SCRIPT_SUFFIXES:
        if path.endswith(suffix):
            return path[: -len(suffix)]
    return path


def _script_name(path: str) -> str:
    return bare(path)


def _python_names(path: str, paths: dict[str, set[str]]) -> list[str]:
    """Every name a file may be imported by, the likeliest first."""
    stem = path.rpartition(".")[0] if path.endswith((".py", ".pyi")) else path
    parts = stem.split("/")
    folders = parts[:-1]
    if parts[-1] == "__init__":
        parts = folders or ["__init__"]
    root = len(folders)
    while root and "/".join((*folders[:root], "__init__.py")) in paths:
        root -= 1
    first = root
    if root == len(folders):  # in no package: the path tells, from below a source root
        roots = [place for place, folder in enumerate(folders) if folder in _ROOTS]
        first = roots[-1] + 1 if roots else 0
    starts = [first, *(start for start in range(root + 1) if start != first)]
    return [".".join(parts[start:]) for start in starts if parts[start:]]


def _nearest(program: Program, found: "list[str] | tuple[str, ...]", unit: Unit) -> str | None:
    """Of several files the one of the same source with the longest common path."""
    if not found:
        return None
    if len(found) == 1:
        return found[0]

    def distance(document_id: str) -> tuple[bool, int, str]:
        other = program.units[document_id]
        common = posixpath.commonprefix([other.path, unit.path]).count("/")
        return (other.source_id != unit.source_id, -common, other.path)

    return min(found, key=distance)
