"""The values in the TCK's tables, and ours, in one form that can be compared."""

import re
from collections.abc import Iterable
from typing import Any

from commonplace.cypher.temporal import Duration, Temporal
from commonplace.cypher.values import Link, Path, Vertex

Form = tuple[Any, ...]

_WORD = re.compile(r"[^\s,\]})]+")
_NAME = re.compile(r"`([^`]*)`|([^\s:{}()\[\],|`]+)")
_WORDS: dict[str, Any] = {
    "true": True, "false": False, "null": None, "NaN": float("nan"),
    "Inf": float("inf"), "-Inf": float("-inf"),
}  # fmt: skip
STORED = {"id", "kind", "document_id", "confidence", "type"}
"""What we say of every node or edge beside its own properties."""


class _Cell:
    """Reads one cell of a table."""

    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0

    def whole(self) -> Form:
        found = self._value()
        self._space()
        if self._at != len(self._text):
            raise ValueError(f"cannot read {self._text!r}")
        return found

    def _space(self) -> None:
        while self._text[self._at : self._at + 1].isspace():
            self._at += 1

    def _eat(self, mark: str) -> bool:
        self._space()
        found = self._text.startswith(mark, self._at)
        self._at += len(mark) if found else 0
        return found

    def _need(self, mark: str) -> None:
        if not self._eat(mark):
            raise ValueError(f"expected {mark!r} in {self._text!r} at {self._at}")

    def _value(self) -> Form:
        self._space()
        rest = self._text[self._at :]
        if rest.startswith("'"):
            return form(self._string())
        if re.match(r"\[\s*:", rest):
            return self._link()
        for mark, read in (
            ("[", self._list),
            ("{", self._map),
            ("(", self._node),
            ("<", self._path),
        ):
            if rest.startswith(mark):
                return read()
        match = _WORD.match(self._text, self._at)
        if match is None:
            raise ValueError(f"cannot read {self._text!r}")
        self._at = match.end()
        word = match.group()
        if word in _WORDS:
            return form(_WORDS[word])
        return form(int(word) if re.fullmatch(r"-?\d+", word) else float(word))

    def _string(self) -> str:
        match = re.compile(r"'((?:[^'\\]|\\.)*)'", re.DOTALL).match(self._text, self._at)
        if match is None:
            raise ValueError(f"cannot read {self._text!r}")
        self._at = match.end()
        escapes = {"n": "\n", "t": "\t", "r": "\r"}
        return re.sub(r"\\(.)", lambda one: escapes.get(one[1], one[1]), match[1])

    def _name(self) -> str:
        self._space()
        match = _NAME.match(self._text, self._at)
        if match is None:
            raise ValueError(f"cannot read {self._text!r}")
        self._at = match.end()
        return match[1] if match[1] is not None else match[2]

    def _list(self) -> Form:
        self._need("[")
        found: list[Form] = []
        while not self._eat("]"):
            found.append(self._value())
            self._eat(",")
        return ("list", tuple(found))

    def _map(self) -> Form:
        self._need("{")
        found: dict[str, Form] = {}
        while not self._eat("}"):
            key = self._name()
            self._need(":")
            found[key] = self._value()
            self._eat(",")
        return ("map", tuple(sorted(found.items())))

    def _properties(self) -> Form:
        self._space()
        return self._map() if self._text[self._at] == "{" else ("map", ())

    def _node(self) -> Form:
        self._need("(")
        labels = []
        while self._eat(":"):
            labels.append(self._name())
        properties = self._properties()
        self._need(")")
        return ("node", tuple(sorted(labels)), properties)

    def _link(self) -> Form:
        self._need("[")
        self._need(":")
        kind = self._name()
        properties = self._properties()
        self._need("]")
        return ("edge", kind, properties)

    def _path(self) -> Form:
        self._need("<")
        parts: list[Form] = [self._node()]
        while not self._eat(">"):
            is_in = self._eat("<-")
            if not is_in:
                self._need("-")
            link = self._link()
            self._need("-" if is_in else "->")
            parts += [("in" if is_in else "out", link), self._node()]
        return ("path", tuple(parts))


def read_cell(text: str) -> Form:
    """A cell of an expected table."""
    return _Cell(text).whole()


def value_of(found: Form) -> Any:  # noqa: ANN401 - JSON
    """A form as a parameter's value."""
    if found[0] == "list":
        return [value_of(one) for one in found[1]]
    if found[0] == "map":
        return {key: value_of(one) for key, one in found[1]}
    return found[1]


def form(value: Any) -> Form:  # noqa: ANN401 - a Cypher value
    """A value of ours."""
    if isinstance(value, Vertex):
        return ("node", tuple(sorted(value.labels)), _own(value))
    if isinstance(value, Link):
        return ("edge", value.type, _own(value))
    if isinstance(value, Path):
        return ("path", tuple(_parts(value)))
    if isinstance(value, Temporal | Duration):
        return ("string", str(value))
    if isinstance(value, list):
        return ("list", tuple(form(one) for one in value if not _is_stored(one, value)))
    if isinstance(value, dict):
        is_entity = "kind" in value or "confidence" in value
        pairs = {k: form(v) for k, v in value.items() if not (is_entity and k in STORED)}
        return ("map", tuple(sorted(pairs.items())))
    if isinstance(value, float) and value != value:
        return ("float", "NaN")
    return ({bool: "boolean", int: "integer", float: "float", str: "string"}.get(type(value), ""),
            value)  # fmt: skip


def _is_stored(one: Any, among: list[Any]) -> bool:  # noqa: ANN401
    """Whether it is one of our names in a list of keys."""
    is_keys = "kind" in among or "confidence" in among
    return is_keys and isinstance(one, str) and one in STORED


def _own(entity: Vertex | Link) -> Form:
    pairs = {key: form(one) for key, one in entity.properties.items() if key not in STORED}
    return ("map", tuple(sorted(pairs.items())))


def _parts(path: Path) -> Iterable[Form]:
    yield form(path.nodes[0])
    for link, before, after in zip(path.links, path.nodes, path.nodes[1:], strict=False):
        yield ("out" if link.source == before.id else "in", form(link))
        yield form(after)


def unordered(found: Form) -> Form:
    """The same with every list sorted."""
    if found[0] == "list":
        return ("list", tuple(sorted((unordered(one) for one in found[1]), key=repr)))
    return found
