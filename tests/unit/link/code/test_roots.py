"""A source that is itself a package is known by the name its files import it by."""

import pytest

from commonplace.link.code.names.roots import package_names
from tests.unit.link.code.binding import calls_of, program_of

PACKAGE = {
    "__init__.py": "from shop.orders import save\n",
    "orders.py": "from shop import tools\nimport json\ndef save():\n    tools.log()\n",
    "tools.py": "import yaml.nodes\ndef log():\n    pass\n",
    "sub/__init__.py": "",
    "sub/deep.py": "from shop.orders import save\nfrom ..tools import log\nsave()\nlog()\n",
}


@pytest.mark.requirement("BIND-01")
def test_a_package_added_by_its_own_folder_finds_itself() -> None:
    assert package_names(program_of(PACKAGE)) == {"s": "shop"}
    found = calls_of(PACKAGE)
    assert ("shop.orders.save", "shop.tools.log") in found
    assert ("shop.sub.deep", "shop.orders.save") in found
    assert ("shop.sub.deep", "shop.tools.log") in found


@pytest.mark.requirement("BIND-01")
def test_a_name_of_the_source_or_of_the_library_is_no_package_name() -> None:
    plain = {f"shop/{path}": text for path, text in PACKAGE.items()}
    assert package_names(program_of(plain)) == {}
    lone = {"__init__.py": "import json.decoder\n", "decoder.py": "", "a.py": "import a.b\n"}
    assert package_names(program_of(lone)) == {}
