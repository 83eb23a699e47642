"""A module and the stub beside it are one symbol, in two files."""

from pathlib import Path

import pytest

from tests.library import open_library


@pytest.mark.requirement("CODE-T03")
async def test_a_stub_is_no_other_symbol_than_its_module(tmp_path: Path) -> None:
    folder = tmp_path / "code"
    (folder / "tool").mkdir(parents=True)
    (folder / "tool" / "__init__.py").write_text("")
    (folder / "tool" / "op.py").write_text("def drop(name):\n    return name\n")
    (folder / "tool" / "op.pyi").write_text("\n\ndef drop(name: str) -> str: ...\n")
    (folder / "tool" / "other.py").write_text("def drop(name):\n    return None\n")
    async with open_library(tmp_path / "home", add=False) as library:
        await library.add(folder)
        details = await library.call("code.get_symbol_details", symbol="tool.op")
        assert [(one["name"], one["at"]) for one in details["parts"]] == [
            ("drop", "1-2"),
            ("drop", "tool/op.pyi:3"),
        ]
        one = await library.call("code.get_dependencies", symbol="tool.op.drop")
        assert one["symbol"]["fqn"] == "tool.op.drop"
        several = await library.call("code.get_dependencies", symbol="drop")
        assert several["total_count"] == 3
        assert {row["fqn"] for row in several["candidates"]} == {"tool.op.drop", "tool.other.drop"}
