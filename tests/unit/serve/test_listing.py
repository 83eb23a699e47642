"""The list of tools is a file, and says what the catalog says."""

import json
import subprocess
import sys

import pytest

from commonplace import tools
from commonplace.catalog import collect
from commonplace.serve.listing import make_offer, offers
from commonplace.tools.base import Tool
from tests.e2e.processes import ROOT

LISTED = """
import json, sys
from commonplace.serve.listing import offers
shown = sorted(offers())
before = sorted(name for name in sys.modules if name.startswith("commonplace.tools."))
offers()["kb.search"].tool
print(json.dumps([shown, before, "commonplace.tools.kb.search" in sys.modules]))
"""


@pytest.mark.requirement("SRV-35")
def test_the_file_offers_what_the_catalog_holds() -> None:
    catalog = collect(tools, Tool)
    offered = offers()
    assert list(offered) == list(catalog)
    assert {name: offer.tool for name, offer in offered.items()} == catalog
    assert [name for name, tool in catalog.items() if make_offer(tool) != offered[name]] == []


@pytest.mark.requirement("SRV-35")
def test_a_tool_is_imported_when_it_is_called_not_when_it_is_listed() -> None:
    program = [sys.executable, "-c", LISTED]
    ran = subprocess.run(program, cwd=ROOT, check=True, capture_output=True, text=True)
    shown, before, is_imported = json.loads(ran.stdout)
    assert "kb.search" in shown
    assert before == ["commonplace.tools.base"]
    assert is_imported
