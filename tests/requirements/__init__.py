"""Every promised behaviour, with an id; none untested. One module an area."""

import importlib
import pkgutil


def load() -> dict[str, str]:
    """All requirements of all areas by id; the same id in two areas is an error."""
    found: dict[str, str] = {}
    for module in pkgutil.iter_modules(__path__):
        area = importlib.import_module(f"{__name__}.{module.name}").REQUIREMENTS
        twice = found.keys() & area.keys()
        if twice:
            raise ValueError(f"requirement ids used twice: {sorted(twice)}")
        found |= area
    return found
