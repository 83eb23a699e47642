"""Documentation of packages, built in every theme.

``python -m eval.extraction.docs FOLDER SDIST… --bin PROGRAMS``

An sdist with ``docs/conf.py`` is built with Sphinx, one with ``mkdocs.yml`` with MkDocs, both
without the project's own extensions. What the page should say is Sphinx' own text of the same
source, or the Markdown itself. ``--bin`` names the folder that holds ``sphinx-build`` and
``mkdocs``, with the themes installed beside them.
"""

import argparse
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

SPHINX = (
    *("alabaster", "classic", "sphinx_rtd_theme", "furo", "pydata_sphinx_theme"),
    "sphinx_book_theme",
)
MKDOCS = ("mkdocs", "readthedocs", "material")


def build_sphinx(programs: Path, source: Path, made: Path) -> None:
    """Every Sphinx theme, and the text without one."""
    common = [str(programs / "sphinx-build"), "-C", "-Q"]
    subprocess.run([*common, "-b", "text", str(source), str(made / "gold")], check=True)
    for theme in SPHINX:
        chosen = ["-b", "html", "-D", f"html_theme={theme}"]
        subprocess.run([*common, *chosen, str(source), str(made / theme)], check=True)


def build_mkdocs(programs: Path, source: Path, made: Path) -> None:
    """Every MkDocs theme; the source is the text."""
    shutil.copytree(source, made / "gold", ignore=shutil.ignore_patterns("overrides"))
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(made / "gold", Path(folder) / "docs")
        plan = Path(folder) / "mkdocs.yml"
        for theme in MKDOCS:
            plan.write_text(
                f"site_name: Pages\ntheme: {{name: {theme}}}\nplugins: []\n"
                "markdown_extensions: [admonition, fenced_code, tables]\n",
                "utf-8",
            )
            command = (programs / "mkdocs", "build", "-q", "-f", plan, "-d", made / theme)
            subprocess.run([str(part) for part in command], check=True)


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("folder", type=Path)
    reader.add_argument("sdists", type=Path, nargs="+")
    reader.add_argument("--bin", type=Path, required=True)
    chosen = reader.parse_args()
    for archive in chosen.sdists:
        made = chosen.folder.absolute() / archive.name.removesuffix(".tar.gz")
        with tempfile.TemporaryDirectory() as unpacked, tarfile.open(archive) as opened:
            opened.extractall(unpacked, filter="data")
            (root,) = Path(unpacked).iterdir()
            build = build_mkdocs if (root / "mkdocs.yml").exists() else build_sphinx
            build(chosen.bin.absolute(), root / "docs", made)


if __name__ == "__main__":
    main()
