"""The same question asked of jedi: what the name at each call site means."""

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from eval.calls.cases import Expected
from eval.calls.sites import Definition, Site, Sites, sites_of


def is_installed() -> bool:
    """Whether jedi can be asked."""
    return find_spec("jedi") is not None


class Jedi:
    """One project of files on disk."""

    def __init__(self, folder: Path, files: Mapping[str, str]) -> None:
        import jedi  # noqa: PLC0415 - not a dependency: only where it is installed

        project = jedi.Project(str(folder))
        self.folder = folder
        self.sites: dict[str, Sites] = {path: sites_of(text, path) for path, text in files.items()}
        self.scripts = {
            path: jedi.Script(text, path=str(folder / path), project=project)
            for path, text in files.items()
        }
        self.definitions: dict[tuple[str, int, int], Definition] = {
            (one.path, one.line, one.column if one.kind == "lambda" else -1): one
            for sites in self.sites.values()
            for one in sites.definitions
        }

    def edges(self) -> set[Expected]:
        """Edges between definitions of the project."""
        return {
            edge
            for path, sites in self.sites.items()
            for site in sites.sites
            for edge in self.meant(path, site)
        }

    def meant(self, path: str, site: Site) -> set[Expected]:
        """What one site calls."""
        if site.kind == "attribute":
            goto = self.ask(path, "goto", site.line, site.column)
            names = [one for one in goto if one.type == "property"]
            return {
                Expected(site.caller, "CALLS", one.name)
                for one in map(self.known, names)
                if one is not None
            }
        found: set[Expected] = set()
        for one in map(self.known, self.ask(path, "infer", site.line, site.column)):
            if one is not None and one.kind == "class":
                found.add(Expected(site.caller, "INSTANTIATES", one.name))
                constructor = self.constructor(one, 0)
                if constructor is not None:
                    found.add(Expected(site.caller, "CALLS", constructor.name))
            elif one is not None:
                found.add(Expected(site.caller, "CALLS", one.name))
        return found

    def ask(self, path: str, method: str, line: int, column: int) -> list[Any]:
        """Jedi's answer; none where it fails."""
        more = {"follow_imports": True} if method == "goto" else {}
        try:
            return list(getattr(self.scripts[path], method)(line, column, **more))
        except Exception:  # noqa: BLE001 - a peer's crash is its answer: nothing
            return []

    def known(self, name: Any) -> Definition | None:  # noqa: ANN401 - jedi has no types
        """The definition of this project a name of jedi's means."""
        if name.module_path is None or name.line is None:
            return None
        path = Path(name.module_path)
        if not path.is_relative_to(self.folder):
            return None
        column = name.column if name.name == "<lambda>" else -1
        return self.definitions.get((path.relative_to(self.folder).as_posix(), name.line, column))

    def constructor(self, one: Definition, depth: int) -> Definition | None:
        """The ``__init__`` making one of a class runs, its own or inherited."""
        wanted = f"{one.name}.__init__"
        for candidate in self.definitions.values():
            if candidate.name == wanted:
                return candidate
        for line, column in self.sites[one.path].bases.get(one.name, []) if depth < 20 else []:
            for base in map(self.known, self.ask(one.path, "infer", line, column)):
                if base is not None and base.kind == "class":
                    found = self.constructor(base, depth + 1)
                    if found is not None:
                        return found
        return None
