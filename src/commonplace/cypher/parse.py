"""Query text to tree: clauses. Whatever is no reading clause is refused by its name."""

from commonplace.cypher.expressions import ExpressionParser
from commonplace.cypher.faults import CompileFault, forbidden, too_much
from commonplace.cypher.syntax import (
    Clause,
    Expr,
    Item,
    Match,
    Projection,
    Query,
    Unwind,
    Variable,
    depth,
)

MOST_CLAUSES = 100
MOST_TREE = 150  # levels of the tree; evaluating it takes a few frames of Python's stack each

READS = ("MATCH", "OPTIONAL", "UNWIND", "WITH", "RETURN")
REFUSED = frozenset(
    {"CREATE", "MERGE", "DELETE", "DETACH", "SET", "REMOVE", "FOREACH", "CALL", "LOAD", "DROP",
     "ALTER", "GRANT", "REVOKE", "DENY", "USE", "USING", "SHOW", "START", "STOP", "TERMINATE",
     "EXPLAIN", "PROFILE", "CYPHER", "INSERT", "UPDATE", "REPLACE", "UPSERT", "TRUNCATE",
     "RENAME", "ENABLE", "PRAGMA", "ATTACH", "BEGIN", "COMMIT", "ROLLBACK", "VACUUM", "SELECT",
     "NODETACH", "FINISH", "IMPORT", "EXPORT", "COPY", "INSTALL"}
)  # fmt: skip


class Parser(ExpressionParser):
    """Reads one query."""

    starts: tuple[str, ...] = READS
    """Words a clause may start with."""

    def query(self, *, is_inner: bool = False) -> Query:
        """Single queries joined by UNION or UNION ALL, never both."""
        parts = [self._single(is_inner)]
        keeps: bool | None = None
        while self.is_word("UNION"):
            at = self.take().at
            is_all = self.words("ALL")
            if keeps not in (None, is_all):
                raise self.fault(at, "UNION and UNION ALL cannot be mixed",
                                 "InvalidClauseComposition")  # fmt: skip
            keeps = is_all
            parts.append(self._single(is_inner))
        return Query(tuple(parts), keeps_all=bool(keeps))

    def whole(self) -> Query:
        """One query and nothing after it."""
        query = self.query()
        self.symbol(";")
        if self.token.kind != "end":
            raise self.misplaced("expected the end of the query")
        return query

    def _single(self, is_inner: bool) -> tuple[Clause, ...]:
        clauses: list[Clause] = []
        while self.is_word(*self.starts):
            clauses.append(self.clause())
            if len(clauses) > MOST_CLAUSES:
                raise too_much("has too many clauses", MOST_CLAUSES, "split it")
            if _ends(clauses[-1]):
                break
        if not clauses:
            raise self.misplaced("expected MATCH, UNWIND, WITH or RETURN")
        self.check_end(clauses[-1], is_inner)
        return tuple(clauses)

    def check_end(self, last: Clause, is_inner: bool) -> None:
        """Refuse a query that does not end as it should."""
        is_open = is_inner and isinstance(last, Match) and self.is_symbol("}")
        if _ends(last) or is_open:
            if self.is_word(*self.starts):
                raise self.misplaced("nothing follows RETURN but UNION", "InvalidClauseComposition")
            return
        if self.token.kind == "end" or self.is_word("UNION") or self.is_symbol("}", ";"):
            raise self.misplaced("the query ends without RETURN", "InvalidClauseComposition")
        raise self.misplaced("expected a clause")

    def misplaced(self, message: str, kind: str = "UnexpectedSyntax") -> CompileFault | Exception:
        """The refusal of what stands where a clause could: by its name if it is no reading one."""
        if self.token.word in REFUSED:
            return forbidden(self.text, self.token.at, self.token.word)
        return self.unexpected(message, kind)

    def clause(self) -> Clause:
        """One reading clause."""
        at = self.token.at
        if self.words("OPTIONAL", "MATCH"):
            return self._match(at, is_optional=True)
        if self.words("MATCH"):
            return self._match(at, is_optional=False)
        if self.words("UNWIND"):
            source = self.expression()
            self.need("AS")
            return Unwind(source, self.name("a variable"), at=at)
        if self.words("WITH"):
            return self._projection(at, is_last=False)
        if self.words("RETURN"):
            return self._projection(at, is_last=True)
        self.take()  # OPTIONAL without MATCH
        raise self.misplaced("expected MATCH")

    def _match(self, at: int, *, is_optional: bool) -> Match:
        patterns = self.patterns()
        where = self.expression() if self.words("WHERE") else None
        return Match(patterns, where, is_optional, at=at)

    def _projection(self, at: int, *, is_last: bool) -> Projection:
        is_distinct = self.words("DISTINCT")
        has_star = self.symbol("*")
        items: list[Item] = []
        if not has_star or self.symbol(","):
            items.append(self._item())
            while self.symbol(","):
                items.append(self._item())
        order = self._order()
        skip = self.expression() if self.words("SKIP") or self.words("OFFSET") else None
        limit = self.expression() if self.words("LIMIT") else None
        where = self.expression() if not is_last and self.words("WHERE") else None
        return Projection(
            tuple(items), has_star, is_distinct, order, skip, limit, where, is_last, at=at
        )

    def _item(self) -> Item:
        start = self.token.at
        value = self.expression()
        written = self.text[start : self.tokens[self.place - 1].stop]
        if self.words("AS"):
            return Item(value, self.name("a column name"), is_named=True)
        name = value.name if isinstance(value, Variable) else written
        return Item(value, name, is_named=isinstance(value, Variable))

    def _order(self) -> tuple[tuple[Expr, bool], ...]:
        if not self.words("ORDER", "BY"):
            return ()
        found = [self._sort_item()]
        while self.symbol(","):
            found.append(self._sort_item())
        return tuple(found)

    def _sort_item(self) -> tuple[Expr, bool]:
        value = self.expression()
        if self.words("DESC") or self.words("DESCENDING"):
            return value, True
        _ = self.words("ASC") or self.words("ASCENDING")
        return value, False


def _ends(clause: Clause) -> bool:
    return isinstance(clause, Projection) and clause.is_last


def parse(text: str) -> Query:
    """The tree of a reading query.

    Raises CompileFault with line and column, ForbiddenOperation naming a clause that does not
    read, BudgetExceeded for a query too long or too deeply nested.
    """
    return checked_depth(Parser(text).whole())


def checked_depth(query: Query) -> Query:
    """The query, unless its tree is deeper than the stack should bear."""
    if depth(query) > MOST_TREE:
        raise too_much("is nested too deeply", MOST_TREE, "break long chains of operators")
    return query
