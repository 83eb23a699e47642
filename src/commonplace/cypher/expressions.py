"""Parsing operators, the loosest first: OR, XOR, AND, NOT, comparisons, predicates, sums."""

from commonplace.cypher.atoms import AtomParser
from commonplace.cypher.lex import number
from commonplace.cypher.syntax import (
    Binary,
    Comparison,
    Expr,
    HasLabels,
    Index,
    Literal_,
    Logic,
    Property,
    Slice,
    Unary,
)

_COMPARISONS = ("=", "<>", "<", ">", "<=", ">=")
_LOGIC = ("OR", "XOR", "AND")
_ARITHMETIC = (("+", "-"), ("*", "/", "%"), ("^",))


class ExpressionParser(AtomParser):
    """The part of the parser that reads operators."""

    def expression(self) -> Expr:
        """Any expression."""
        self.deeper()
        found = self._logic(0)
        self.shallower()
        return found

    def _logic(self, level: int) -> Expr:
        if level == len(_LOGIC):
            return self._negation()
        word, at = _LOGIC[level], self.token.at
        operands = [self._logic(level + 1)]
        while self.words(word):
            operands.append(self._logic(level + 1))
        return operands[0] if len(operands) == 1 else Logic(word, tuple(operands), at=at)

    def _negation(self) -> Expr:
        at, count = self.token.at, 0
        while self.words("NOT"):
            count += 1
        found = self._comparison()
        for _ in range(2 - count % 2 if count else 0):  # an even number still checks the type
            found = Unary("NOT", found, at=at)
        return found

    def _comparison(self) -> Expr:
        at = self.token.at
        first = self._predicate()
        rest: list[tuple[str, Expr]] = []
        while self.is_symbol(*_COMPARISONS):
            operator = self.take().text
            rest.append((operator, self._predicate()))
        return Comparison(first, tuple(rest), at=at) if rest else first

    def _predicate(self) -> Expr:
        """``IN``, ``STARTS WITH``, ``IS NULL`` and the like, after sums."""
        found = self._arithmetic(0)
        while True:
            at = self.token.at
            operator = self._predicate_operator()
            if not operator:
                return found
            if operator in ("IS NULL", "IS NOT NULL"):
                found = Unary(operator, found, at=at)
            else:
                found = Binary(operator, found, self._arithmetic(0), at=at)

    def _predicate_operator(self) -> str:
        if self.symbol("=~"):
            return "=~"
        for words in (
            ("IN",), ("STARTS", "WITH"), ("ENDS", "WITH"), ("CONTAINS",),
            ("IS", "NULL"), ("IS", "NOT", "NULL"),
        ):  # fmt: skip
            if self.words(*words):
                return " ".join(words)
        return ""

    def _arithmetic(self, level: int) -> Expr:
        if level == len(_ARITHMETIC):
            return self._sign()
        found = self._arithmetic(level + 1)
        while self.is_symbol(*_ARITHMETIC[level]):
            token = self.take()
            found = Binary(token.text, found, self._arithmetic(level + 1), at=token.at)
        return found

    def _sign(self) -> Expr:
        signs = []
        while self.is_symbol("-", "+"):
            signs.append(self.take())
        is_literal = bool(signs) and signs[-1].text == "-" and self.token.kind == "number"
        if is_literal:
            at = signs.pop().at
            value = number(self.text, self.take(), is_negative=True)
            found = self._postfix(Literal_(value, at=at))
        else:
            found = self._postfix(self.atom())
        for token in reversed(signs[-2:]):  # each further pair changes nothing
            found = Unary(token.text, found, at=token.at)
        return found

    def _postfix(self, found: Expr) -> Expr:
        """``.key``, ``[index]``, ``[low..high]``, ``:Label``, ``{.key}``."""
        while True:
            at = self.token.at
            if self.symbol("."):
                found = Property(found, self.name("a property name"), at=at)
            elif self.symbol("["):
                found = self._bracket(found, at)
            elif self.is_symbol(":") and self.ahead().kind in ("name", "quoted"):
                labels = []
                while self.symbol(":"):
                    labels.append(self.name("a label"))
                found = HasLabels(found, tuple(labels), at=at)
            elif self.is_symbol("{") and self.is_projected(found):
                found = self.map_projection(found)
            else:
                return found

    def _bracket(self, target: Expr, at: int) -> Expr:
        if self.symbol(".."):
            high = None if self.is_symbol("]") else self.expression()
            self.need("]")
            return Slice(target, None, high, at=at)
        low = self.expression()
        if self.symbol(".."):
            high = None if self.is_symbol("]") else self.expression()
            self.need("]")
            return Slice(target, low, high, at=at)
        self.need("]")
        return Index(target, low, at=at)
