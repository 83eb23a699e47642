"""The folder is the registry: collect every record of one type from a package's modules."""

import importlib
import pkgutil
from types import ModuleType
from typing import Protocol, TypeVar


class Named(Protocol):
    """A catalog record is found by its name."""

    @property
    def name(self) -> str:
        """Unique in its catalog."""
        ...


Record = TypeVar("Record", bound=Named)


def collect(package: ModuleType, record_type: type[Record]) -> dict[str, Record]:
    """All module-level records of ``record_type`` in ``package``, by name, in name order.

    Modules and subpackages are imported, so catalog files keep heavy imports inside functions.
    """
    found: dict[str, Record] = {}
    for module_name in sorted(m.name for m in pkgutil.iter_modules(package.__path__)):
        module = importlib.import_module(f"{package.__name__}.{module_name}")
        for candidate in vars(module).values():
            if not isinstance(candidate, record_type):
                continue
            known = found.setdefault(candidate.name, candidate)
            if known is not candidate:
                raise ValueError(f"two records named {candidate.name!r} in {package.__name__}")
    return dict(sorted(found.items()))
