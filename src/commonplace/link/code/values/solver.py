"""The least solution of what values flow where: cells that read one another, until none grows.

A cell is a variable, a result, a parameter, a member. Each has an equation over other cells
(``equations.py``); equations only ever add, so the least solution is one and does not depend on
the order of work. Solvers differ in which calls hand their arguments over:

- *outside*: none do. What other files see of a file; parameters stand for themselves and are put
  in at the call. Needs no knowledge of callers, so it may be kept while a file's users change.
- *inside one file*: the calls of this file do; everything else is asked of the outside solver.
- *onlooking*: none do, and nothing is kept: all is asked of the outside solver.
- *plain*: none do, and no overload is chosen by its arguments: asked for what chooses one.
- *whole*: all do (tier B).
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from commonplace.domain.code import Facts
from commonplace.link.code.names.modules import Modules, modules
from commonplace.link.code.names.scopes import Scopes, scopes
from commonplace.link.code.program import Abandoned, Program, Unit
from commonplace.link.code.values.values import MOST, NONE, UNKNOWN, Values

Key: TypeAlias = tuple[Any, ...]
"""What is asked: a letter for the equation, the document, and what the equation needs."""
ONLOOKER = ""
"""The home of a solver that has none: of all files it sees what the others see."""
_OWN = frozenset("CK")
_DEEPEST = 25  # cells worked out within one another; each takes about ten frames, of three solvers


class Cell:
    """What is known of one thing so far."""

    __slots__ = ("is_final", "mask", "readers", "values")

    def __init__(self) -> None:
        self.values: Values = NONE
        self.readers: dict[Key, None] | None = None
        """In the order they asked, so that work is done in the same order in every process."""
        self.mask = 0
        self.is_final = False


class _FactsOf(dict[str, Facts]):
    """Facts by document; asked hundreds of thousands of times, so a plain look-up."""

    def __init__(self, program: Program) -> None:
        self._units = program.units

    def __missing__(self, document_id: str) -> Facts:
        found = self[document_id] = self._units[document_id].facts
        return found


class _ScopesOf(dict[str, Scopes]):
    """Indexes by document."""

    def __init__(self, program: Program) -> None:
        self._units = program.units

    def __missing__(self, document_id: str) -> Scopes:
        found = self[document_id] = scopes(self._units[document_id])
        return found


class Solver:
    """Cells, and the work left on them."""

    __slots__ = (
        "_bits",
        "_cells",
        "_current",
        "_depth",
        "_fresh",
        "_keys",
        "_local",
        "_mask",
        "_pending",
        "_plain",
        "_queued",
        "_same",
        "_theirs",
        "delegating",
        "equations",
        "facts",
        "hands_over",
        "home",
        "is_plain",
        "is_whole",
        "level",
        "modules",
        "names",
        "outside",
        "program",
        "scopes",
        "sites",
        "statics",
    )

    def __init__(
        self,
        program: Program,
        equations: dict[str, Callable[..., Any]],
        outside: "Solver | None" = None,
        home: str | None = None,
        is_whole: bool = False,
    ) -> None:
        self.program = program
        self.equations = equations
        self.outside = outside
        self.home = home
        self.is_whole = is_whole
        self.hands_over = is_whole or bool(home)
        """Whether calls hand their arguments to parameters."""
        self.is_plain = False
        """Whether overloads are told apart by how much they take only (``overloads.py``)."""
        self.names: set[str] = set()
        """Names looked for among all definitions, in ways only this file's edges depend on."""
        self.delegating: set[tuple[str, int, str]] = set()
        """Names that getters are being asked for (``members.py``): they may ask one another."""
        self.level = 0
        """Bases being worked out within one another (``hierarchy.py``)."""
        self.modules: Modules = modules(program)
        self.facts: Callable[[str], Facts] = (
            _FactsOf(program).__getitem__ if outside is None else outside.facts
        )
        """What a file says."""
        self.scopes: Callable[[str], Scopes] = (
            _ScopesOf(program).__getitem__ if outside is None else outside.scopes
        )
        """The indexes of a file."""
        self.sites: dict[int, tuple[str, int, Any]] = program.memo.setdefault("sites", {})
        """Where containers are written: document, scope, expression, by the expression's id.

        One for all solvers of a program: what one found is asked about in another.
        """
        self.statics: dict[Any, Any] = {} if outside is None else outside.statics
        """What is worked out without flows: bases, ancestors. One for all solvers."""
        self._bits: dict[str, int] = {} if outside is None else outside._bits
        self._keys: list[str] = [] if outside is None else outside._keys
        self._cells: dict[Key, Cell] = {}
        self._theirs: dict[Key, Cell] = {} if outside is None else outside._cells
        self._current: Key | None = None
        self._mask = 0
        self._depth = 0
        self._pending: list[Key] = []
        self._queued: set[Key] = set()
        self._fresh: list[Cell] = []
        self._local: dict[str, list[Key]] = defaultdict(list)
        """By file: its calls and the variables of its functions and classes."""
        self._plain: Solver | None = None
        self._same: dict[Any, Any] = {}
        """One object for all that are equal: cells hold few different sets, and masks are long."""

    def unit(self, document_id: str) -> Unit:
        """A file; looking at it is noted."""
        return self.program.units[document_id]

    def note(self, key: str) -> None:
        """Remember that the answer depends on a file, or on a name that was looked for."""
        self._mask |= self._bits.get(key) or self._bit(key)

    def _bit(self, key: str) -> int:
        bit = self._bits[key] = 1 << len(self._keys)
        self._keys.append(key)
        return bit

    def noted(self) -> frozenset[str]:
        """All that was looked at so far."""
        bits = bin(self._mask)[:1:-1]
        found: list[str] = []
        place = bits.find("1")
        while place >= 0:
            found.append(self._keys[place])
            place = bits.find("1", place + 1)
        return frozenset(found) | self.names

    def number(self, expr: Any) -> int:  # noqa: ANN401 - an expression of the facts
        """A number for an expression as it is written in one place; it is held from then on.

        Bodies of files are let go of and read again; without a hold another could get the number.
        """
        self.statics.setdefault(("held", id(expr)), (expr, 0))
        return id(expr)

    def known(self, key: Key) -> Any:  # noqa: ANN401 - whatever was worked out
        """What ``fixed`` worked out before; None when it did not."""
        found = self.statics.get(key)
        if found is None:
            return None
        self._mask |= found[1]
        return found[0]

    def fixed(self, key: Key, work_out: "Callable[[], Any]", meanwhile: Any) -> Any:  # noqa: ANN401 - whatever it works out
        """What does not depend on flows, worked out once for all solvers of this program.

        ``meanwhile`` is the answer to itself, where something is defined by itself.
        """
        found = self.statics.get(key)
        if found is None:
            before, self._mask = self._mask, 0
            self.statics[key] = (meanwhile, 0)
            try:
                found = self.statics[key] = (work_out(), self._mask)
            except BaseException:
                del self.statics[key]
                raise
            finally:
                self._mask |= before
        self._mask |= found[1]
        return found[0]

    def get(self, key: Key) -> Values:
        """What is known of a cell now; asked again by itself when more becomes known."""
        if self.home is not None and key[1] != self.home:
            cell = self._theirs.get(key)
            if cell is None or not cell.is_final:
                cell = self._ask_outside(key)
            self._mask |= cell.mask
            return cell.values
        cell = self._cells.get(key)
        if cell is None:
            cell = self._cells[key] = Cell()
            self._fresh.append(cell)
            if self.home is None and (key[0] in _OWN or (key[0] == "V" and key[2])):
                self._local[key[1]].append(key)
            if self._depth < _DEEPEST:
                self._work(key, cell)
            else:
                self._queue(key)
        if not cell.is_final and self._current is not None:
            if cell.readers is None:
                cell.readers = {self._current: None}
            else:
                cell.readers[self._current] = None
        self._mask |= cell.mask
        return cell.values

    def _ask_outside(self, key: Key) -> Cell:
        outer = self.outside
        assert outer is not None  # noqa: S101 - a solver of one file has one outside
        outer.get(key)
        outer.drain()
        return outer._cells[key]

    def plainly(self, ask: "Callable[[Solver], Any]") -> Any:  # noqa: ANN401 - whatever it asks
        """The answer of a solver to which arguments choose no overload, final.

        So that what chooses does not depend on what is chosen.
        """
        outer = self.outside or self
        if outer._plain is None:
            outer._plain = Solver(self.program, self.equations, outer)
            outer._plain.is_plain = True
        plain = outer._plain
        ask(plain)
        plain.drain()
        plain._mask = 0
        found = ask(plain)
        self._mask |= plain._mask
        return found

    def add(self, key: Key, values: Values) -> None:
        """Hand values to a cell from elsewhere."""
        if not self.is_whole and key[1] != self.home:
            return
        cell = self._cells.get(key)
        if cell is None:
            cell = self._cells[key] = Cell()
            self._fresh.append(cell)
            self._queue(key)
        self._grow(cell, values)

    def _grow(self, cell: Cell, values: Values) -> None:
        known = cell.values
        if values <= known or known is UNKNOWN:
            return
        together = known | values
        if len(together) > MOST or together >= UNKNOWN:
            together = UNKNOWN
            if known == UNKNOWN:
                return
        cell.values = together
        if cell.readers is not None:
            for reader in cell.readers:
                self._queue(reader)

    def _queue(self, key: Key) -> None:
        if key not in self._queued:
            self._queued.add(key)
            self._pending.append(key)

    def _work(self, key: Key, cell: Cell) -> None:
        before, self._current = self._current, key
        self._depth += 1
        if self.home is not None:  # what it looks at is noted for the file as a whole
            values = self.equations[key[0]](self, *key[1:])
        else:
            mask, self._mask = self._mask, self._bits.get(key[1]) or self._bit(key[1])
            values = self.equations[key[0]](self, *key[1:])
            if self._mask | cell.mask != cell.mask:
                cell.mask |= self._mask
                if cell.readers is not None and not self.is_whole:
                    for reader in cell.readers:
                        self._queue(reader)
            self._mask |= mask
        self._depth -= 1
        self._current = before
        if values:
            self._grow(cell, values)

    def drain(self) -> None:
        """Work until nothing grows; then everything known is final. Raises Abandoned."""
        pending, program = self._pending, self.program
        while pending:
            if program.is_abandoned:
                raise Abandoned
            key = pending.pop()
            self._queued.discard(key)
            self._work(key, self._cells[key])
        same = self._same.setdefault
        for cell in self._fresh:
            cell.is_final = True
            cell.readers = None
            cell.mask = same(cell.mask, cell.mask)
            cell.values = same(cell.values, cell.values)
        self._fresh.clear()

    def forget(self, document_id: str) -> None:
        """Let go of what hardly anyone but the file asks for, once its edges are drawn."""
        for key in self._local.pop(document_id, ()):
            self._cells.pop(key, None)

    def called_classes(self) -> frozenset[Any]:
        """Every class that is called, to make an object of it."""
        return frozenset(
            value
            for key, cell in self._cells.items()
            if key[0] == "C"
            for value in cell.values
            if value[0] == "c"
        )

    def start(self, keys: Iterable[Key]) -> None:
        """Work these out, and all they need; raises Abandoned."""
        for key in keys:  # one after the other: what an overload is given is known before it
            self.program.check()
            self.get(key)
        self.drain()
