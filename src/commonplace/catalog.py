"""The folder is the registry: collect every record of one type from a package's modules."""

import importlib
import importlib.util
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


def pick(package: ModuleType, record_type: type[Record], name: str) -> Record | None:
    """The record of this name: from the module of its name if it is there, else from all.

    A program that needs one engine does not import the others.
    """
    own = importlib.util.find_spec(f"{package.__name__}.{name}") if name.isidentifier() else None
    if own is not None:
        members = vars(importlib.import_module(own.name)).values()
        for record in members:
            if isinstance(record, record_type) and record.name == name:
                return record
    return collect(package, record_type).get(name)
