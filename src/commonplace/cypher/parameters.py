"""Values from outside as a query may use them: plain, finite in number, 64 bits wide."""

from collections.abc import Mapping

from commonplace.cypher.faults import RunFault, too_much
from commonplace.cypher.values import Value

MOST_VALUES = 100_000
MOST_NESTED = 20


def checked(parameters: Mapping[str, Value]) -> dict[str, Value]:
    """The parameters, unless one of them is no Cypher value.

    >>> checked({"a": [1, {"b": None}]})
    {'a': [1, {'b': None}]}
    """
    stack: list[tuple[Value, int]] = [(value, 1) for value in parameters.values()]
    count = 0
    while stack:
        value, level = stack.pop()
        count += 1
        if count > MOST_VALUES or level > MOST_NESTED:
            raise too_much("has too many or too deeply nested parameters", MOST_VALUES,
                           "send fewer values")  # fmt: skip
        if isinstance(value, dict) and all(isinstance(key, str) for key in value):
            stack += [(one, level + 1) for one in value.values()]
        elif isinstance(value, list):
            stack += [(one, level + 1) for one in value]
        elif not _is_plain(value):
            raise RunFault("a parameter is a text, a number of at most 64 bits, a boolean, null, "
                           "a list or a map", "InvalidArgumentValue")  # fmt: skip
    return dict(parameters)


def _is_plain(value: Value) -> bool:
    if isinstance(value, int) and not isinstance(value, bool):
        return -(2**63) <= value < 2**63
    return value is None or isinstance(value, bool | float | str)
