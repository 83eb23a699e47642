"""One value of many rows: count, sum, avg, min, max, collect, percentiles, deviations."""

import math
from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction

from commonplace.cypher.counting import WEIGHT
from commonplace.cypher.durations import add_durations, scale
from commonplace.cypher.evaluate import Eval, Evaluator, Row
from commonplace.cypher.faults import RunFault
from commonplace.cypher.guard import Guard
from commonplace.cypher.operators import type_fault, whole
from commonplace.cypher.syntax import Call
from commonplace.cypher.temporal import Duration
from commonplace.cypher.values import Ordered, Value, group_key, is_integer, is_number


class Weight:
    """Stands for so many values at once."""

    __slots__ = ("count",)

    def __init__(self, count: int) -> None:
        self.count = count


class Count:
    """How many values that are not null."""

    def __init__(self) -> None:
        self.count = 0

    def put(self, value: Value) -> None:
        """Count one value; a weight counts as many."""
        self.count += value.count if isinstance(value, Weight) else 1

    def get(self) -> Value:
        """The count so far."""
        return self.count


class Sum(Count):
    """Numbers or durations, added up."""

    def __init__(self) -> None:
        super().__init__()
        self.total: Value = 0

    def put(self, value: Value) -> None:
        """Add a value."""
        if isinstance(value, Duration) and (self.count == 0 or isinstance(self.total, Duration)):
            self.total = value if self.count == 0 else add_durations(self.total, value)
        elif is_number(value) and is_number(self.total):
            self.total += value
        else:
            raise type_fault("sum() and avg()", value)
        self.count += 1

    def get(self) -> Value:
        """The sum so far."""
        return whole(self.total) if is_integer(self.total) else self.total


class Average(Sum):
    """The mean; null of nothing."""

    def get(self) -> Value:
        """The mean so far."""
        if not self.count:
            return None
        if isinstance(self.total, Duration):
            return scale(self.total, _share(self.count))
        return self.total / self.count


def _share(count: int) -> Fraction:
    return Fraction(1, count)


class Least:
    """The smallest value in the order of all values; null of nothing."""

    def __init__(self) -> None:
        self.best: Ordered | None = None

    def put(self, value: Value) -> None:
        """Look at a value."""
        one = Ordered(value)
        if self.best is None or self.is_better(one, self.best):
            self.best = one

    def is_better(self, one: Ordered, best: Ordered) -> bool:
        """Whether it comes first."""
        return one < best

    def get(self) -> Value:
        """The value so far."""
        return self.best.value if self.best is not None else None


class Most(Least):
    """The largest value; null of nothing."""

    def is_better(self, one: Ordered, best: Ordered) -> bool:
        """Whether it comes last."""
        return best < one


class Collect:
    """All values in a list."""

    def __init__(self, guard: Guard) -> None:
        self._hold = guard.hold
        self.values: list[Value] = []

    def put(self, value: Value) -> None:
        """Keep a value."""
        self._hold()
        self.values.append(value)

    def get(self) -> Value:
        """All values so far."""
        return list(self.values)


class Deviation(Collect):
    """Standard deviation, of a sample or of all."""

    def __init__(self, guard: Guard, *, is_sample: bool) -> None:
        super().__init__(guard)
        self._less = 1 if is_sample else 0

    def put(self, value: Value) -> None:
        """Keep a number."""
        if not is_number(value):
            raise type_fault("stDev()", value)
        super().put(value)

    def get(self) -> Value:
        """The deviation so far."""
        count = len(self.values) - self._less
        if count < 1:
            return 0.0
        mean = math.fsum(self.values) / len(self.values)
        return math.sqrt(math.fsum((value - mean) ** 2 for value in self.values) / count)


class Percentile(Collect):
    """The value below which a share of the others lies; between two, or one of them."""

    def __init__(self, guard: Guard, share: Value, *, is_smooth: bool) -> None:
        super().__init__(guard)
        if not is_number(share):
            raise type_fault("a percentile", share)
        if not 0 <= share <= 1:
            raise RunFault("a percentile is between 0.0 and 1.0", "NumberOutOfRange")
        self._share, self._is_smooth = share, is_smooth

    def put(self, value: Value) -> None:
        """Keep a number."""
        if not is_number(value):
            raise type_fault("a percentile", value)
        super().put(value)

    def get(self) -> Value:
        """The percentile so far."""
        found = sorted(self.values)
        if not found:
            return None
        if not self._is_smooth:
            return found[max(0, math.ceil(self._share * len(found)) - 1)]
        place = self._share * (len(found) - 1)
        low, high = found[math.floor(place)], found[math.ceil(place)]
        return float(low + (high - low) * (place - math.floor(place)))


Aggregate = Count | Least | Collect
_MAKERS: Mapping[str, Callable[[Guard, Value], Aggregate]] = {
    "count": lambda _guard, _share: Count(),
    "sum": lambda _guard, _share: Sum(),
    "avg": lambda _guard, _share: Average(),
    "min": lambda _guard, _share: Least(),
    "max": lambda _guard, _share: Most(),
    "collect": lambda guard, _share: Collect(guard),
    "stdev": lambda guard, _share: Deviation(guard, is_sample=True),
    "stdevp": lambda guard, _share: Deviation(guard, is_sample=False),
    "percentilecont": lambda guard, share: Percentile(guard, share, is_smooth=True),
    "percentiledisc": lambda guard, share: Percentile(guard, share, is_smooth=False),
}


class Summary:
    """One aggregate of a projection: makes a tally for each group and feeds it rows."""

    def __init__(self, call: Call, evaluator: Evaluator) -> None:
        self._call = call
        self._guard = evaluator.context.guard
        self._value: Eval | None = None if call.is_star else evaluator.compile(call.arguments[0])
        self._share: Eval | None = (
            evaluator.compile(call.arguments[1]) if len(call.arguments) > 1 else None
        )

    def start(self, row: Row) -> "Tally":
        """A tally of a group whose first row this is; an empty row when there is none."""
        share = self._share(row) if self._share is not None else None
        made = _MAKERS[self._call.name](self._guard, share)
        return Tally(made, self._value, self._guard if self._call.is_distinct else None)


class Tally:
    """One aggregate of one group."""

    __slots__ = ("_guard", "_made", "_seen", "_value")

    def __init__(self, made: Aggregate, value: Eval | None, guard: Guard | None) -> None:
        self._made, self._value, self._guard = made, value, guard
        self._seen: set[Hashable] = set()

    def put(self, row: Row) -> None:
        """Count a row; null is not counted."""
        value = self._value(row) if self._value is not None else True
        if value is None:
            return
        if WEIGHT in row:
            value = Weight(row[WEIGHT])
        if self._guard is not None:
            key = group_key(value)
            if key in self._seen:
                return
            self._guard.hold()
            self._seen.add(key)
        self._made.put(value)

    def get(self) -> Value:
        """The aggregate so far."""
        return self._made.get()
