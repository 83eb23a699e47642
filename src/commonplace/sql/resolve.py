"""The names of a shape decided: which columns of which tables each column it makes comes from.

With the columns of every table known, a name without a table has one meaning. Where they are not
known, what could be meant is kept with little confidence, and a star stays a star.
"""

from collections.abc import Iterable, Sequence

from commonplace.sql.names import fold
from commonplace.sql.scopes import Scopes
from commonplace.sql.sources import (
    ANY,
    ASSUMED,
    CANDIDATE,
    CERTAIN,
    INDIRECT,
    STAR,
    Flowing,
    Sources,
    merge,
)


class Resolver(Scopes):
    """Tells what one statement sets and reads."""

    def flows(self) -> list[Flowing]:
        """Every column that is set."""
        found: list[Flowing] = []
        for one in self.sets:
            if one[0] == "set":
                _set, target, column, refs, how, number = one
                found.append(Flowing(target, column, self.output(number, ("", refs, how))[1]))
            elif one[0] in {"rows", "make"}:
                found += self._placed(one)
        return found

    def _placed(self, one: tuple[str, str, tuple[str, ...], int]) -> Iterable[Flowing]:
        """Rows of a block put into a table, column by column."""
        kind, target, columns, number = one
        outs = self.outs(number)
        names: Sequence[str] | None = columns
        if not columns and kind == "make":
            names = [name for name, _sources in outs]
        elif not columns:
            names = self.tables.columns(target)
        is_open = any(name in {STAR, ANY} for name, _sources in outs)
        if names is None or (is_open and columns):
            for name, sources in outs:
                is_alike = names is None and not is_open and name.lower() not in self.unnamed
                low: Sources = {}
                merge(low, sources, most=ASSUMED if is_alike else CANDIDATE)
                yield Flowing(target, name if is_alike else STAR, low, ASSUMED)
            return
        for column, (_name, sources) in zip(names, outs, strict=False):
            yield Flowing(target, column or STAR, sources)

    def reads(self) -> Sources:
        """Every column the statement looks at."""
        found: Sources = {}
        for number, block in enumerate(self.blocks):
            if block is None or block[0] == "u":
                continue
            for _name, sources in self.outs(number):
                merge(found, _direct(sources))
            made = {output[0].lower() for output in block[3]}
            for ref in block[4]:
                more = _direct(self.ref(number, ref))
                is_alias = len(ref) == 2 and not ref[0] and ref[1].lower() in made
                if not is_alias or any(sure >= CERTAIN for _how, sure in more.values()):
                    merge(found, more)
        for one in self.sets:
            if one[0] == "set":
                merge(found, _direct(self.output(one[5], ("", one[3], one[4]))[1]))
        return found

    def tables_read(self, target: str) -> list[str]:
        """Every table it selects from; the target only when something of it is looked at."""
        found: dict[str, str] = {}
        for block in self.blocks:
            for relation in block[2] if block is not None and block[0] == "s" else ():
                inner = relation
                while inner[1] == "p":
                    inner = inner[2][0]
                if inner[1] == "t" and inner[2]:
                    found.setdefault(fold(inner[2]), inner[2])
        looked = {fold(table) for table, _column in self.reads()}
        own = fold(target) if target else ""
        return [name for key, name in found.items() if key != own or key in looked]


def _direct(sources: Sources) -> Sources:
    """Without what only a called function looks at."""
    return {key: made for key, made in sources.items() if made[0] != INDIRECT}
