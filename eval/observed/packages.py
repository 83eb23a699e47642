"""The packages whose own tests are run: where their code is, and what the tests need."""

import subprocess
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path

PYTEST = "pytest==8.4.2"  # the suites of these versions were written for it
# Its own plugins only: those of this environment change the order or the time of tests.
WITHOUT = ("randomly", "xdist", "timeout", "asyncio", "hypothesispytest", "anyio", "cacheprovider")


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """One package as its maker publishes it."""

    name: str
    version: str
    code: str
    """The package's folder within the archive."""
    needs: tuple[str, ...] = ()
    """What its tests import beside pytest and what it needs itself."""
    tests: str = "tests"
    options: tuple[str, ...] = ()

    @property
    def archive(self) -> str:
        """The name of its folder."""
        return f"{self.name}-{self.version}"


PACKAGES = (
    Package(
        name="flask",
        version="3.1.3",
        code="src/flask",
        needs=(
            "werkzeug",
            "jinja2",
            "itsdangerous",
            "click",
            "blinker",
            "asgiref",
            "python-dotenv",
        ),
    ),
    Package(name="click", version="8.5.1", code="src/click"),
    Package(name="jinja2", version="3.1.6", code="src/jinja2", needs=("trio",)),
    Package(name="itsdangerous", version="2.2.0", code="src/itsdangerous", needs=("freezegun",)),
    Package(
        name="werkzeug",
        version="3.1.9",
        code="src/werkzeug",
        needs=("cryptography", "ephemeral-port-reserve", "pytest-timeout", "watchdog"),
        options=("-m", "not dev_server"),  # those start servers, in processes of their own
    ),
    Package(
        name="marshmallow",
        version="4.4.0",
        code="src/marshmallow",
        needs=("simplejson", "tzdata"),
    ),
    Package(name="sqlparse", version="0.6.1", code="sqlparse"),
    Package(
        name="markdown_it_py",
        version="4.3.0",
        code="markdown_it",
        needs=("pytest-regressions", "linkify-it-py"),
    ),
    Package(name="tomlkit", version="0.15.2", code="tomlkit", needs=("PyYAML",)),
    Package(name="cachetools", version="8.0.0", code="src/cachetools"),
)


def fetch(package: Package, folder: Path) -> Path:
    """The unpacked archive; fetched from the package index where it is not there yet."""
    home = folder / package.archive
    if not home.is_dir():
        _pip("download", "--no-binary", ":all:", "--no-deps", "--dest", str(folder),
             f"{package.name}=={package.version}")  # fmt: skip
        with tarfile.open(folder / f"{package.archive}.tar.gz") as archive:
            archive.extractall(folder, filter="data")
    libraries = folder / f"{package.archive}.needs"
    if not libraries.is_dir():
        own = f"{package.name}=={package.version}"  # for what it needs, and its version
        _pip("install", "--target", str(libraries), PYTEST, own, *package.needs)
    return home


def observe(package: Package, folder: Path) -> Path:
    """The file of what was seen while its tests ran; made where it is not there yet."""
    home = fetch(package, folder).resolve()
    seen = folder.resolve() / f"{package.archive}.json"
    if seen.exists():
        return seen
    code = home / package.code
    arguments = ["-q", "--continue-on-collection-errors", "-W", "ignore", "-o", "filterwarnings="]
    for plugin in WITHOUT:
        arguments += ["-p", f"no:{plugin}"]
    search = [str(code.parent), str(folder.resolve() / f"{package.archive}.needs")]
    command = [
        sys.executable, "-m", "eval.observed.recorder", str(code.parent), str(seen), *search,
        "--", *arguments, "--rootdir", str(home), *package.options, str(home / package.tests),
    ]  # fmt: skip
    subprocess.run(command, check=True)
    return seen


def sources(package: Package, folder: Path) -> dict[str, str]:
    """Its code by path, the package's own folder first."""
    code = fetch(package, folder) / package.code
    return {
        path.relative_to(code.parent).as_posix(): path.read_text("utf-8")
        for path in sorted(code.rglob("*.py"))
    }


def _pip(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "pip", "-q", *arguments], check=True)
