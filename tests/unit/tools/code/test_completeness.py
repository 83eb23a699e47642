"""What an impact says of edges that are less than sure."""

from pathlib import Path

import pytest

from tests.library import open_library

CODE = """class Base:
    def run(self):
        return self.step()

    def step(self):
        return 0


class One(Base):
    def step(self):
        return 1


One().run()
"""


@pytest.mark.requirement("CODE-T09")
async def test_a_method_of_a_class_nobody_makes_is_not_told_to_rest_on_its_name(
    tmp_path: Path,
) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "a.py").write_text(CODE, "utf-8")
    async with open_library(tmp_path, add=False) as library:
        await library.add(tmp_path / "code")
        reply = str(await library.call("code.analyze_impact", symbol="a.Base.step"))
    assert "name alone" not in reply
    assert "no object is known to be made" in reply
