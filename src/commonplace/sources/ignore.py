"""Ignore rules: built-in < ``.gitignore`` < ``.commonplaceignore``, nested files, negation.

A rule decides for the folder of its file and below; the file nearest to the path wins, and
within a file the last rule that matches.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pathspec

GIT_RULES = ".gitignore"
OWN_RULES = ".commonplaceignore"
_MOST_BYTES = 1024 * 1024  # a longer rules file is not a rules file

# Never entered, whatever the rules say: their files are not the user's words.
VERSION_CONTROL = frozenset({".git", ".hg", ".svn", ".bzr", ".jj", "CVS", "_darcs"})
_FOLDERS = frozenset(
    {"node_modules", "bower_components", "jspm_packages", "site-packages", "__pycache__"}
    | {".venv", "venv", "virtualenv", ".tox", ".nox", ".eggs", ".cache", ".mypy_cache"}
    | {".pytest_cache", ".ruff_cache", ".hypothesis", ".ipynb_checkpoints", ".gradle", ".idea"}
    | {".vs", ".vscode-test", ".next", ".nuxt", ".terraform", ".parcel-cache", ".yarn"}
    | {".commonplace", "_build", "htmlcov"}
    | {"_sources", "_static"}  # what Sphinx copies beside its pages: each page would be found twice
)
_FOLDER_ENDINGS = (".egg-info", ".dist-info")
_LOCKS = frozenset(
    {"package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lockb"}
    | {"poetry.lock", "pipfile.lock", "uv.lock", "pdm.lock", "cargo.lock", "composer.lock"}
    | {"gemfile.lock", "go.sum", "flake.lock", "mix.lock", "packages.lock.json"}
)
# Code other people wrote, kept with one's own; and what builds leave beside a manifest.
_VENDORED = frozenset(
    {"vendor", "vendored", "third_party", "third-party", "thirdparty", "3rdparty", "Godeps"}
    | {"Pods", "Carthage"}
)
_OUTPUT: Mapping[str, tuple[str, ...]] = {
    "dist": ("package.json", "pyproject.toml", "setup.py"),
    "build": ("package.json", "pyproject.toml", "setup.py", "build.gradle", "build.gradle.kts"),
    "out": ("package.json", "build.gradle", "build.gradle.kts"),
    "target": ("pom.xml", "Cargo.toml", "build.sbt"),
    "obj": (".csproj", ".fsproj", ".vbproj"),
    "bin": (".csproj", ".fsproj", ".vbproj"),
}
_MINIFIED = (".min.js", "-min.js", ".min.mjs", ".bundle.js", ".chunk.js")
_NOISE = frozenset({".ds_store", "thumbs.db", "desktop.ini"})


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one file, with the folder they count from."""

    base: str
    """Path of the folder within the source, with a slash at its end; empty for the top."""
    name: str
    spec: pathspec.GitIgnoreSpec
    above: str = ""
    """For a file above the source: the source's own path seen from it, with a slash at its end."""

    def decide(self, path: str) -> bool | None:
        """True to ignore, False to keep, None when no rule speaks of the path."""
        return self.spec.check_file(self.above + path[len(self.base) :]).include


def read_rules(folder: Path, base: str, name: str) -> list[Rules]:
    """The rules file of a folder, if it has a readable one."""
    path = folder / name
    try:
        if not path.is_file() or path.stat().st_size > _MOST_BYTES:
            return []
        lines = path.read_text("utf-8", "replace").splitlines()
    except OSError:
        # Without leave to read the rules there is nothing they could say.
        return []
    return [make_rules(base, name, lines)]


def make_rules(base: str, name: str, lines: Sequence[str]) -> Rules:
    """Rules from lines; a line that is no pattern is left out, as git does.

    >>> make_rules("", ".gitignore", ["*.txt", "!keep.txt"]).decide("keep.txt")
    False
    """
    try:
        return Rules(base, name, pathspec.GitIgnoreSpec.from_lines(lines))
    except ValueError:
        return Rules(base, name, pathspec.GitIgnoreSpec.from_lines(_valid(lines)))


def _valid(lines: Sequence[str]) -> list[str]:
    valid = []
    for line in lines:
        try:
            pathspec.GitIgnoreSpec.from_lines([line])
        except ValueError:
            continue
        valid.append(line)
    return valid


def built_in(name: str, is_folder: bool) -> bool:
    """Whether the built-in rules ignore a name.

    >>> built_in("node_modules", True), built_in("docs", True), built_in("uv.lock", False)
    (True, False, True)
    """
    if is_folder:
        return name in _FOLDERS or name.endswith(_FOLDER_ENDINGS)
    lower = name.lower()
    return lower in _LOCKS or lower in _NOISE


def is_vendored(name: str, beside: Collection[str]) -> bool:
    """Whether the code in a folder is someone else's, or made by a build; ``beside`` are names.

    >>> is_vendored("vendor", ()), is_vendored("dist", ["package.json"]), is_vendored("dist", ())
    (True, True, False)
    """
    if name in _VENDORED:
        return True
    return any(one.endswith(_OUTPUT[name]) for one in beside) if name in _OUTPUT else False


def is_packed(name: str) -> bool:
    """Whether a file of code says by its name that a program wrote it to be small.

    >>> is_packed("jquery.min.js"), is_packed("admin.js")
    (True, False)
    """
    return name.lower().endswith(_MINIFIED)


def is_kept(rules: Sequence[Rules], path: str) -> bool:
    """Whether a rule of the user's names a path to keep it."""
    return any(rule.decide(path) is False for rule in rules)


def why_ignored(rules: Sequence[Rules], path: str, is_folder: bool) -> str | None:
    """Why a path is ignored, or None when it is kept; ``rules`` run from outer to inner."""
    asked = f"{path}/" if is_folder else path
    for own in (True, False):
        for rule in reversed(rules):
            if (rule.name == OWN_RULES) is not own:
                continue
            decision = rule.decide(asked)
            if decision is not None:
                return f"ignored by {rule.base}{rule.name}" if decision else None
    return "ignored by a built-in rule" if built_in(path.rpartition("/")[2], is_folder) else None
