"""Parsing patterns: ``p = (a:Label)-[r:TYPE*1..3]->(b {key: value})``."""

from abc import abstractmethod
from collections.abc import Callable

from commonplace.cypher.cursor import TokenCursor
from commonplace.cypher.faults import CompileFault
from commonplace.cypher.lex import number
from commonplace.cypher.syntax import (
    Direction,
    EdgePattern,
    Expr,
    NodePattern,
    Parameter,
    PathPattern,
)


class PatternParser(TokenCursor):
    """The part of the parser that reads patterns."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._tried: dict[int, tuple[PathPattern, int] | None] = {}

    @abstractmethod
    def map_literal(self) -> Expr:
        """Read ``{key: value}``."""

    def patterns(self) -> tuple[PathPattern, ...]:
        """Patterns separated by commas."""
        found = [self.named_path()]
        while self.symbol(","):
            found.append(self.named_path())
        return tuple(found)

    def named_path(self) -> PathPattern:
        """A path with or without ``p =``, perhaps in shortestPath()."""
        at = self.token.at
        variable = None
        if self.token.kind in ("name", "quoted") and self.ahead().text == "=":
            variable = self.name("a variable")
            self.need("=")
        shortest = self._shortest()
        if shortest:
            self.need("(")
        path = self.path()
        if shortest:
            self.need(")")
            if len(path.edges) != 1:
                raise self.fault(at, "shortestPath takes one edge between two nodes",
                                 "InvalidRelationshipPattern")  # fmt: skip
        return PathPattern(
            variable=variable, nodes=path.nodes, edges=path.edges, shortest=shortest, at=at
        )

    def _shortest(self) -> str:
        kinds = {"SHORTESTPATH": "one", "ALLSHORTESTPATHS": "all"}
        kind = kinds.get(self.token.word, "")
        if kind and self.ahead().text == "(":
            self.take()
            return kind
        return ""

    def path(self) -> PathPattern:
        """Nodes and the edges between them."""
        at = self.token.at
        nodes, edges = [self.node()], []
        while self._is_edge():
            edges.append(self.edge())
            nodes.append(self.node())
        return PathPattern(nodes=tuple(nodes), edges=tuple(edges), at=at)

    def try_path(self) -> PathPattern | None:
        """A path with at least one edge, if one stands here."""
        return self.tried(self.path)

    def tried(self, read: Callable[[], PathPattern]) -> PathPattern | None:
        """What ``read`` finds here, if it has an edge; each place is tried once.

        A second try would make nested ones cost twice as much at every level.
        """
        start, level = self.place, self.level()
        if start not in self._tried:
            try:
                path = read()
                self._tried[start] = (path, self.place) if path.edges else None
            except CompileFault:
                self._tried[start] = None
            self.back_to(start, level)
        known = self._tried[start]
        if known is not None:
            self.place = known[1]
            return known[0]
        return None

    def _is_edge(self) -> bool:
        following = self.ahead().text if self.ahead().kind == "symbol" else ""
        if self.is_symbol("-"):
            return following in ("-", "[")
        return self.is_symbol("<") and following == "-" and self.ahead(2).text in ("-", "[")

    def node(self) -> NodePattern:
        """``(variable:Label {key: value})``."""
        at = self.need("(").at
        variable = self._variable()
        labels = []
        while self.symbol(":"):
            labels.append(self.name("a label"))
        properties = self._properties()
        self.need(")")
        return NodePattern(variable=variable, labels=tuple(labels), properties=properties, at=at)

    def _variable(self) -> str | None:
        return self.name("a variable") if self.token.kind in ("name", "quoted") else None

    def _properties(self) -> Expr | None:
        if self.token.kind == "parameter":
            if self.ahead().text not in (")", "]"):
                raise self.unexpected("expected )")
            return Parameter(self.take().text, at=self.tokens[self.place - 1].at)
        return self.map_literal() if self.is_symbol("{") else None

    def edge(self) -> EdgePattern:
        """``-[variable:A|B*low..high {key: value}]->`` in any direction."""
        at = self.token.at
        is_in = self.symbol("<")
        self.need("-")
        edge = EdgePattern()
        if self.symbol("["):
            edge = self._inside()
            self.need("]")
        self.need("-")
        is_out = self.symbol(">")
        direction: Direction = "both" if is_in == is_out else "in" if is_in else "out"
        return EdgePattern(
            variable=edge.variable,
            types=edge.types,
            properties=edge.properties,
            direction=direction,
            is_long=edge.is_long,
            low=edge.low,
            high=edge.high,
            at=at,
        )

    def _inside(self) -> EdgePattern:
        variable = self._variable()
        types = []
        if self.symbol(":"):
            types.append(self.name("a relationship type"))
            while self.symbol("|"):
                self.symbol(":")
                types.append(self.name("a relationship type"))
        if self.is_symbol("..") or self.token.kind == "number":
            raise self.unexpected("a length starts with *", "InvalidRelationshipPattern")
        is_long, low, high = self._length()
        return EdgePattern(
            variable=variable,
            types=tuple(types),
            properties=self._properties(),
            is_long=is_long,
            low=low,
            high=high,
        )

    def _length(self) -> tuple[bool, int, int | None]:
        """``*``, ``*2``, ``*2..``, ``*..3``, ``*2..3``."""
        if not self.symbol("*"):
            return False, 1, 1
        low = self._bound()
        if self.symbol(".."):
            high = self._bound()
            return True, 1 if low is None else low, high
        return True, 1 if low is None else low, low

    def _bound(self) -> int | None:
        if self.is_symbol("-") and self.ahead().kind == "number":
            raise self.unexpected("a length is not negative", "InvalidRelationshipPattern")
        if self.token.kind != "number":
            return None
        value = number(self.text, self.token)
        if not isinstance(value, int):
            raise self.unexpected("a length is a whole number", "InvalidRelationshipPattern")
        self.take()
        return value
