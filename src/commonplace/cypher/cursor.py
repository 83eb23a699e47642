"""A place among the tokens of a query: what all parts of the parser share."""

from commonplace.cypher.faults import CompileFault, compile_fault, too_much
from commonplace.cypher.lex import Token, lex

MOST_DEPTH = 60  # nested brackets; each costs the parser a few frames of Python's stack


class TokenCursor:
    """Looks at and takes tokens; knows how deep the parser is."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = lex(text)
        self.place = 0
        self._depth = 0

    @property
    def token(self) -> Token:
        """The next token."""
        return self.tokens[self.place]

    def ahead(self, steps: int = 1) -> Token:
        """A token further on; the last one when there are not so many."""
        return self.tokens[min(self.place + steps, len(self.tokens) - 1)]

    def take(self) -> Token:
        """The next token, and go on."""
        token = self.token
        if token.kind != "end":
            self.place += 1
        return token

    def is_symbol(self, *texts: str) -> bool:
        """Whether one of these symbols comes next."""
        return self.token.kind == "symbol" and self.token.text in texts

    def is_word(self, *words: str) -> bool:
        """Whether one of these keywords comes next."""
        return self.token.word in words

    def symbol(self, text: str) -> bool:
        """Take this symbol if it comes next."""
        found = self.is_symbol(text)
        if found:
            self.place += 1
        return found

    def words(self, *words: str) -> bool:
        """Take these keywords if all of them come next."""
        found = all(self.ahead(steps).word == word for steps, word in enumerate(words))
        if found:
            self.place += len(words)
        return found

    def need(self, text: str) -> Token:
        """Take this symbol or keyword; raises CompileFault when something else comes."""
        token = self.token
        if (token.kind == "symbol" and token.text == text) or token.word == text:
            return self.take()
        raise self.unexpected(f"expected {text}")

    def name(self, what: str) -> str:
        """Take a name, bare or in backticks."""
        if self.token.kind not in ("name", "quoted"):
            raise self.unexpected(f"expected {what}")
        return self.take().text

    def deeper(self) -> None:
        """Enter a bracket; refuses nesting no sane query has."""
        self._depth += 1
        if self._depth > MOST_DEPTH:
            raise too_much("is nested too deeply", MOST_DEPTH, "flatten its brackets")

    def shallower(self) -> None:
        """Leave a bracket."""
        self._depth -= 1

    def level(self) -> int:
        """How deep the parser is; give it back to ``back_to`` after a failed try."""
        return self._depth

    def back_to(self, place: int, level: int) -> None:
        """Undo a failed try."""
        self.place, self._depth = place, level

    def unexpected(self, message: str, kind: str = "UnexpectedSyntax") -> CompileFault:
        """The fault of the next token."""
        return compile_fault(self.text, self.token.at, message, kind)

    def fault(self, at: int, message: str, kind: str) -> CompileFault:
        """A fault at another place."""
        return compile_fault(self.text, at, message, kind)
