"""Packages of Go: what folders are imported as, and which package an import means.

Files of one folder and one package clause see each other, whatever the folder is called; two
folders may well be imported by the same path (examples, forks, two repositories of a project), and
then the nearest to who imports is meant.
"""

import posixpath
from collections import defaultdict
from collections.abc import Iterator

from commonplace.link.code.names.manifests import Manifests
from commonplace.link.code.program import Unit

_STANDARD = frozenset(
    {"archive/tar", "archive/zip", "bufio", "bytes", "cmp", "compress/bzip2", "compress/flate",
     "compress/gzip", "compress/lzw", "compress/zlib", "container/heap", "container/list",
     "container/ring", "context", "crypto", "database/sql", "database/sql/driver", "embed",
     "encoding", "errors", "expvar", "flag", "fmt", "go/ast", "go/build", "go/constant",
     "go/doc", "go/format", "go/importer", "go/parser", "go/printer", "go/scanner", "go/token",
     "go/types", "go/version", "hash", "html", "html/template", "image", "image/color",
     "image/draw", "image/gif", "image/jpeg", "image/png", "index/suffixarray", "io", "io/fs",
     "io/ioutil", "iter", "log", "log/slog", "log/syslog", "maps", "math", "mime", "net", "os",
     "os/exec", "os/signal", "os/user", "path", "path/filepath", "plugin", "reflect", "regexp",
     "regexp/syntax", "runtime", "slices", "sort", "strconv", "strings", "structs", "sync",
     "sync/atomic", "syscall", "testing", "text/scanner", "text/tabwriter", "text/template",
     "text/template/parse", "time", "unicode", "unicode/utf16", "unicode/utf8", "unique",
     "unsafe", "weak", "C"}
)  # fmt: skip
_STANDARD_FOLDERS = (
    "crypto/",
    "debug/",
    "encoding/",
    "hash/",
    "math/",
    "mime/",
    "net/",
    "runtime/",
)
"""Below these all is of the library."""
_FOREIGN = ("golang.org/", "google.golang.org/", "gopkg.in/", "go.uber.org/")
"""Nobody's repository is imported so by its own files, unless a go.mod says it is."""
_HOSTS = frozenset({"github.com", "gitlab.com", "bitbucket.org", "codeberg.org"})
"""Where a repository is host, owner and name; elsewhere it is host and name."""


def is_standard(path: str) -> bool:
    """Whether an import path is of Go's own library: no other package can have it.

    >>> is_standard("encoding/json"), is_standard("database"), is_standard("example.com/errors")
    (True, False, False)
    """
    return path in _STANDARD or path.startswith(_STANDARD_FOLDERS)


def loose_name(folder: str) -> str:
    """What a folder without go.mod is imported as: below ``src`` of a GOPATH, else as it is.

    >>> loose_name("src/github.com/acme/app/store"), loose_name("store"), loose_name("go/src/a")
    ('github.com/acme/app/store', 'store', 'a')
    """
    parts = folder.split("/")
    roots = [place for place, part in enumerate(parts[:-1]) if part == "src"]
    hosted = [place for place in roots if "." in parts[place + 1]]
    return "/".join(parts[(hosted or roots)[0] + 1 :]) if roots else folder


class GoPackages:
    """The packages of a program."""

    def __init__(self, manifests: Manifests) -> None:
        self._manifests = manifests
        self._names: dict[str, dict[str, list[Unit]]] = defaultdict(dict)
        """By import path, then by space: the files, tests left out."""
        self._loose: set[str] = set()

    def add(self, unit: Unit) -> str:
        """Take in a file; what its symbols are called under."""
        folder = posixpath.dirname(unit.path)
        _, vendor, below = f"/{folder}".rpartition("/vendor/")
        name = below if vendor else self._manifests.go_name(unit)
        if name is None:
            name = loose_name(folder)
            self._loose.add(name)
        if not unit.path.endswith("_test.go"):
            self._names[name].setdefault(space_of(unit), []).append(unit)
        return name

    def meant(self, unit: Unit, path: str) -> str | None:
        """The space of the package an import path means to a file; None for one of a library."""
        if is_standard(path):
            return None
        for option in (self._manifests.go_replaced(path), *self._ends(path)):
            spaces = self._names.get(option)
            if spaces:
                return min(spaces, key=lambda one: _distance(spaces[one][0], unit))
        return None

    def files(self, unit: Unit, path: str) -> list[str]:
        """Documents of the package an import path means to a file."""
        space = self.meant(unit, path)
        if space is None:
            return []
        found = next(one[space] for one in self._names.values() if space in one)
        return [one.document_id for one in sorted(found, key=lambda one: one.path)]

    def _ends(self, path: str) -> Iterator[str]:
        """Folders without go.mod an import path may end with, the longest first."""
        parts = path.split("/")
        first = 0
        if "." in parts[0]:
            first = 3 if parts[0] in _HOSTS else 2
        if path.startswith(_FOREIGN):
            return
        for start in range(first, len(parts)):
            end = "/".join(parts[start:])
            if end in self._loose:
                yield end


def space_of(unit: Unit) -> str:
    """What files have in common that see each other: source, folder and package clause."""
    return "\n".join((unit.source_id, posixpath.dirname(unit.path), unit.facts.namespace))


def _distance(other: Unit, unit: Unit) -> tuple[bool, bool, int, str]:
    common = posixpath.commonprefix([other.path, unit.path]).count("/")
    is_program = other.facts.namespace == "main"  # beside the package of its folder
    return (other.source_id != unit.source_id, is_program, -common, other.path)
