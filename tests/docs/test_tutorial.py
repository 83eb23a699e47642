import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import DOCS, blocks


@pytest.mark.requirement("DOC-09")
def test_the_tutorial_works_as_written(tmp_path: Path) -> None:
    script = "set -euo pipefail\n" + "\n".join(blocks(DOCS / "tutorial.md", "sh"))
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=tmp_path,
        env={
            "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
            "HOME": str(tmp_path),
            "COMMONPLACE_HOME": str(tmp_path / "home"),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for answer in ("3 hours", "it goes to the", "rota of the other site"):
        assert answer in done.stdout
