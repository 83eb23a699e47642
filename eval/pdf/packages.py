"""Published papers with their sources, out of Debian packages: fetched, unpacked, never kept here.

Vignettes of R packages are articles of the Journal of Statistical Software, the R Journal and
others, or written like them; the samples and guides of publishers are set in their two columns.
"""

import gzip
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_R = (
    "actuar adephylo aer ape bbmle bradleyterry2 brms calibrate clue coin "
    "colorspace desolve dbscan diptest e1071 effects elliptic erm etm evd "
    "filehash fitdistrplus flexmix formula gdata glmmtmb gnm gstat gsubfn hexbin hsaur3 "
    "hypergeo intervals irace kernlab laeken libcoin lme4 lmtest logcondens magic maxlik "
    "mcmc metap mixtools mlmrev mnp multcomp network nmf ordinal partitions party partykit "
    "phylobase pls powerlaw proto pscl psych psychotools rcppeigen rgenoud rmpfr "
    "robustbase rockchalk rrcov sandwich seriation sets "
    "snowfall sp spacetime sparsem strucchange surveillance survey systemfit "
    "tgp tinytest tm tsp vcd vegan xts zoo"
)
_PUBLISHERS = "texlive-publishers-doc"
PACKAGES = (*(f"r-cran-{name}" for name in _R.split()), _PUBLISHERS)
_SUFFIXES = (".Rnw", ".tex", ".ltx", ".tex.gz", ".ltx.gz")
_MOST_OF_ONE = 1  # vignette of a package, the longest: they look alike
_LEAST_BYTES = 9_000  # of a source: shorter ones are notes
# Of one publisher's samples with the same words, one; classes whose sample is a paper.
_SAMPLES = [
    "acmart/samples/sample-sigconf",
    "acmart/samples/sample-acmtog",
    "acmart/samples/sample-xelatex",
    "aguplus/aguplus",
    "asmeconf/asmeconf-template",
    "asmejour/asmejour-template",
    "asmeconf/examples/asmeconf-fontspec",
    "ieeepes/ieeepes_doc",
    "oup-authoring-template/oup-authoring-template",
    "quantumarticle/quantum-template",
    "quantumarticle/quantum-bibliographystyle-demo",
    "revtex/aps/apsguide4-2",
    "revtex/sample/aps/apssamp",
    "revtex/auguide/auguide4-2",
    "revtex4-1/auguide/whatsnew4-1",
    "revtex4-1/sample/aip/aipsamp",
    "revtex4-1/sample/aps/apssamp",
    "tugboat/ltubguid",
    "anonymous-acm/anonymous-acm",
    "philosophersimprint/sample",
]


@dataclass(frozen=True, slots=True)
class Pair:
    """A paper and what it was made from."""

    package: str
    pdf: Path
    source: Path

    @property
    def name(self) -> str:
        """Package and file."""
        return f"{self.package.removeprefix('r-cran-')}/{self.pdf.stem}"

    def text(self) -> str:
        """The source, in whatever code it is written."""
        content = self.source.read_bytes()
        content = gzip.decompress(content) if self.source.suffix == ".gz" else content
        try:
            return content.decode("utf-8")
        except UnicodeDecodeError:
            return content.decode("latin-1")


def fetch(folder: Path) -> list[str]:
    """Download and unpack what is not in the folder yet; returns the packages there are not."""
    apt, dpkg = shutil.which("apt-get"), shutil.which("dpkg-deb")
    if apt is None or dpkg is None:
        return [name for name in PACKAGES if not (folder / name).is_dir()]
    archives = folder / "archives"
    archives.mkdir(parents=True, exist_ok=True)
    missing = []
    for name in PACKAGES:
        if (folder / name).is_dir():
            continue
        subprocess.run(
            [apt, "-qq", "download", name], cwd=archives, capture_output=True, check=False
        )
        found = next(archives.glob(f"{name}_*.deb"), None)
        if found is None:
            missing.append(name)
            continue
        subprocess.run([dpkg, "-x", str(found), str(folder / name)], check=True)
        found.unlink()
    return missing


def pairs(folder: Path) -> Iterator[Pair]:
    """Papers whose source is beside them, in a fixed order."""
    for package in PACKAGES:
        if package == _PUBLISHERS:
            root = folder / package / "usr/share/doc/texlive-doc/latex"
            chosen = [root / f"{name}.pdf" for name in _SAMPLES]
            least, most = 0, len(chosen)
        else:
            chosen = sorted((folder / package).glob("usr/lib/R/site-library/*/doc/*.pdf"))
            least, most = _LEAST_BYTES, _MOST_OF_ONE
        beside = [(pdf, source) for pdf in chosen if (source := _source(pdf))]
        ranked = sorted(beside, key=lambda one: (-one[1].stat().st_size, one[0]))
        for pdf, source in ranked[:most]:
            if source.stat().st_size >= least:
                yield Pair(package, pdf, source)


def _source(pdf: Path) -> Path | None:
    tries = [pdf.with_name(f"{pdf.stem}{suffix}") for suffix in _SUFFIXES]
    return next((one for one in tries if one.is_file()), None) if pdf.is_file() else None
