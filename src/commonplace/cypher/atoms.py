"""Parsing what operators stand between: literals, variables, calls, lists, maps, CASE."""

from abc import abstractmethod

from commonplace.cypher.lex import number
from commonplace.cypher.patterns import PatternParser
from commonplace.cypher.syntax import (
    Call,
    Case,
    Comprehension,
    Expr,
    ListOf,
    Literal_,
    MapOf,
    MapProjection,
    Match,
    Parameter,
    PathPattern,
    PatternComprehension,
    PatternExpr,
    Quantifier,
    Query,
    Reduce,
    Subquery,
    Variable,
)

_CONSTANTS = {"TRUE": True, "FALSE": False, "NULL": None}
_QUANTIFIERS = ("ALL", "ANY", "NONE", "SINGLE")


class AtomParser(PatternParser):
    """The part of the parser that reads atoms."""

    @abstractmethod
    def expression(self) -> Expr:
        """Read any expression."""

    @abstractmethod
    def query(self, *, is_inner: bool = False) -> Query:
        """Read a whole query."""

    def atom(self) -> Expr:
        """The smallest expression that stands here."""
        token = self.token
        if token.kind == "number":
            return Literal_(number(self.text, self.take()), at=token.at)
        if token.kind == "string":
            return Literal_(self.take().text, at=token.at)
        if token.kind == "parameter":
            return Parameter(self.take().text, at=token.at)
        if token.kind in ("name", "quoted"):
            return self._worded()
        if self.is_symbol("("):
            return self._bracketed()
        if self.is_symbol("["):
            return self._list()
        if self.is_symbol("{"):
            return self.map_literal()
        raise self.unexpected("expected an expression")

    def _bracketed(self) -> Expr:
        at = self.token.at
        path = self.try_path()
        if path is not None:
            return PatternExpr(path, at=at)
        self.need("(")
        found = self.expression()
        self.need(")")
        return found

    def _worded(self) -> Expr:
        token, following = self.token, self.ahead()
        word = token.word
        opens = following.text if following.kind == "symbol" else ""
        if word in _CONSTANTS and opens not in ("(", "."):
            self.take()
            return Literal_(_CONSTANTS[word], at=token.at)
        if word == "CASE" and opens not in (")", ",", "."):
            return self._case()
        if word in ("EXISTS", "COUNT") and opens == "{":
            return self._subquery(word)
        if opens == "(" and word in _QUANTIFIERS and self.ahead(3).word == "IN":
            return self._quantifier()
        if opens == "(" and word == "REDUCE":
            return self._reduce()
        if opens == "(" and word in ("SHORTESTPATH", "ALLSHORTESTPATHS"):
            return PatternExpr(self.named_path(), at=token.at)
        if self._is_call():
            return self._call()
        return Variable(self.name("an expression"), at=token.at)

    def _is_call(self) -> bool:
        """Whether ``name(`` or ``name.name(`` stands here."""
        steps = 1
        while self.ahead(steps).text == "." and self.ahead(steps + 1).kind in ("name", "quoted"):
            steps += 2
        following = self.ahead(steps)
        return following.kind == "symbol" and following.text == "("

    def _call(self) -> Expr:
        at = self.token.at
        name = self.name("a function")
        while self.symbol("."):
            name += "." + self.name("a function")
        name = name.lower() if name.isascii() else name
        self.need("(")
        if name == "count" and self.symbol("*"):
            self.need(")")
            return Call(name, (), is_star=True, at=at)
        is_distinct = self.words("DISTINCT")
        arguments = [] if self.is_symbol(")") else [self.expression()]
        while self.symbol(","):
            arguments.append(self.expression())
        self.need(")")
        return Call(name, tuple(arguments), is_distinct=is_distinct, at=at)

    def _case(self) -> Expr:
        at = self.need("CASE").at
        subject = None if self.is_word("WHEN") else self.expression()
        branches = []
        while self.words("WHEN"):
            condition = self.expression()
            self.need("THEN")
            branches.append((condition, self.expression()))
        if not branches:
            raise self.unexpected("expected WHEN")
        otherwise = self.expression() if self.words("ELSE") else None
        self.need("END")
        return Case(subject, tuple(branches), otherwise, at=at)

    def _subquery(self, word: str) -> Expr:
        at = self.take().at
        self.need("{")
        self.deeper()
        if self.is_symbol("("):
            patterns = self.patterns()
            where = self.expression() if self.words("WHERE") else None
            query = Query(((Match(patterns, where, at=at),),))
        else:
            query = self.query(is_inner=True)
        self.shallower()
        self.need("}")
        return Subquery(word.lower(), query, at=at)

    def _quantifier(self) -> Expr:
        token = self.take()
        self.need("(")
        variable = self.name("a variable")
        self.need("IN")
        source = self.expression()
        where = self.expression() if self.words("WHERE") else None
        self.need(")")
        return Quantifier(token.word.lower(), variable, source, where, at=token.at)

    def _reduce(self) -> Expr:
        at = self.take().at
        self.need("(")
        total = self.name("a variable")
        self.need("=")
        start = self.expression()
        self.need(",")
        variable = self.name("a variable")
        self.need("IN")
        source = self.expression()
        self.need("|")
        value = self.expression()
        self.need(")")
        return Reduce(total, start, variable, source, value, at=at)

    def _list(self) -> Expr:
        at = self.need("[").at
        found = self._comprehension(at) or self._pattern_comprehension(at)
        if found is not None:
            return found
        members = [] if self.is_symbol("]") else [self.expression()]
        while self.symbol(","):
            members.append(self.expression())
        self.need("]")
        return ListOf(tuple(members), at=at)

    def _comprehension(self, at: int) -> Expr | None:
        if self.token.kind not in ("name", "quoted") or self.ahead().word != "IN":
            return None
        variable = self.name("a variable")
        self.need("IN")
        source = self.expression()
        where = self.expression() if self.words("WHERE") else None
        value = self.expression() if self.symbol("|") else None
        self.need("]")
        return Comprehension(variable, source, where, value, at=at)

    def _pattern_comprehension(self, at: int) -> Expr | None:
        start, level = self.place, self.level()
        path = self._comprehended()
        if path is None or not (self.is_word("WHERE") or self.is_symbol("|")):
            self.back_to(start, level)
            return None
        where = self.expression() if self.words("WHERE") else None
        self.need("|")
        value = self.expression()
        self.need("]")
        return PatternComprehension(path, where, value, at=at)

    def _comprehended(self) -> PathPattern | None:
        if self.token.kind in ("name", "quoted") and self.ahead().text == "=":
            return self.tried(self.named_path)
        return self.try_path() if self.is_symbol("(") else None

    def map_literal(self) -> Expr:
        """``{key: value}``."""
        at = self.need("{").at
        members: list[tuple[str, Expr]] = []
        while not self.is_symbol("}"):
            if members:
                self.need(",")
            key = self.name("a key")
            self.need(":")
            members.append((key, self.expression()))
        self.need("}")
        return MapOf(tuple(members), at=at)

    def is_projected(self, target: Expr) -> bool:
        """Whether ``target {`` opens a map projection rather than something else's braces."""
        inner = self.ahead()
        if not isinstance(target, Variable) or inner.text == "}":
            return False
        return inner.text == "." or self.ahead(2).text in (",", "}", ":")

    def map_projection(self, target: Expr) -> Expr:
        """``target {.key, .*, other: value, variable}``."""
        at = self.need("{").at
        members: list[tuple[str, Expr | None]] = []
        while not self.is_symbol("}"):
            if members:
                self.need(",")
            if self.symbol("."):
                is_all = self.symbol("*")
                members.append(("*" if is_all else self.name("a property name"), None))
                continue
            here = self.token.at
            key = self.name("a key")
            value = self.expression() if self.symbol(":") else Variable(key, at=here)
            members.append((key, value))
        self.need("}")
        return MapProjection(target, tuple(members), at=at)
