import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from commonplace import sample
from tests.docs.pages import ROOT


@pytest.mark.requirement("DOC-10")
def test_a_checkout_uses_its_documentation_as_the_sample() -> None:
    assert sample.folder() == ROOT / "docs"


@pytest.mark.requirement("DOC-10")
def test_a_wheel_carries_the_sample(tmp_path: Path) -> None:
    build = f"from hatchling.build import build_wheel; build_wheel({str(tmp_path)!r})"
    subprocess.run([sys.executable, "-c", build], cwd=ROOT, check=True, capture_output=True)
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        wheel.extractall(tmp_path / "site")
    find = "from commonplace import sample; print(sample.folder())"
    found = subprocess.run(
        [sys.executable, "-c", find],
        env={"PYTHONPATH": str(tmp_path / "site")},
        cwd=tmp_path,
        check=True,
        capture_output=True,
        text=True,
    )
    assert Path(found.stdout.strip()) == tmp_path / "site" / "commonplace" / "sample" / "docs"
