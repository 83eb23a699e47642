"""Statements of SQL in code: strings that reach a database, and strings nobody else would write."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from commonplace.domain.code import At, Call, Text
from commonplace.domain.expr import Expr
from commonplace.link.code.orm.base import Sight, entry, keys, tail
from commonplace.link.code.program import Unit
from commonplace.link.code.queries.chains import noted, owner, peeled
from commonplace.link.code.queries.prepared import PREPARING, runs
from commonplace.link.code.queries.runners import (
    ANNOTATIONS,
    COMMANDS,
    KEYWORDS,
    NAMING_QUERIES,
    PROPERTIES,
    RUNNERS,
    SPEAKS_OF_OBJECTS,
    TELLING,
)
from commonplace.link.code.queries.strings import BUILDING, HOLE, SAME, Strings, Written
from commonplace.link.code.queries.values_in import valued, with_keys
from commonplace.link.code.queries.wrapped import given_to, wrappers
from commonplace.sql.scripted import CLAUSES, assembled, tags
from commonplace.sql.scripted import statements as scripted

_NAME = rf"[\w\[\"`.#@{HOLE}$\]]+"
_SQL = re.compile(
    r"\s*(?:--[^\n]*\n\s*|/\*.*?\*/\s*|\(\s*)*"
    r"(?:select\b.*?\b(?:from|into)\b|select\s+[\w.]+\s*\(|insert\s+(?:into|ignore|or|overwrite)\b"
    rf"|update\s+(?:only\s+)?{_NAME}(?:\s+(?:as\s+)?\w+)?\s+set\b|delete\s+(?:from\s+)?{_NAME}"
    rf"|merge\s+(?:into\s+)?{_NAME}|with\s+(?:recursive\s+)?{_NAME}.*?\bas\s*(?:\w+\s*)*\("
    r"|call\s+[\w.\"]+|exec(?:ute)?\s+[\w.\[\"@]+|\{\s*(?:\?\s*=\s*)?call\b"
    r"|create\s+(?:or\s+replace\s+|temp(?:orary)?\s+|unique\s+|materialized\s+)*"
    r"(?:table|view|index|function|procedure|trigger|schema|sequence|type)\b"
    rf"|copy\s+{_NAME}\s*(?:\([^()]*\)\s*)?(?:from|to)\b"
    rf"|alter\s+table\b|drop\s+(?:table|view|index|column)\b|truncate\s+(?:table\s+)?{_NAME}"
    r"|replace\s+into\b|from\s+[A-Z]\w*\s+\w+)",
    re.IGNORECASE | re.DOTALL,
)
_LOUD = re.compile(r"[\s(]*(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|MERGE|WITH|CALL|EXEC)\b")
_BEGUN = re.compile(r"[\s(]*(?:select|insert into|update|delete from|merge|with|call|exec)\b")
_NAMED = re.compile(r"[A-Za-z_]\w*")
_ROUTINE = re.compile(r"[\w\[\]\".]+")
SURE, _PASSED, _LIKELY, _QUIET = 0.95, 0.9, 0.7, 0.6
"""Of what is given to something that runs SQL, to a function that gives it on, and to something
unknown: in capitals, or in small letters with places for values."""
_FILLED = re.compile(r"%s|%\(\w+\)s|\$\d|\s[=<>]+\s*[?:@]|\(\s*[?:@]")
_HEAD_CHARS = 2000
_NATIVE = frozenset({"NativeQuery", "NamedNativeQuery", "Select", "Insert", "Update", "Delete"})
"""Annotations whose text is SQL, not of classes."""


class Statement(NamedTuple):
    """A text of SQL and the function that runs it."""

    scope: int
    at: At
    written: Written
    how: str
    confidence: float
    objects: bool = False
    """Whether it speaks of classes and fields: JPQL, HQL."""
    kept_as: tuple[Expr, ...] = ()
    """The types its rows are read into."""
    routine: bool = False
    """Whether the text is just the name of a routine to be called."""


def statements(sight: Sight) -> Iterator[Statement]:
    """Every statement of a file, each once for a function."""
    seen: dict[tuple[int, str, str], Statement] = {}
    for one in _all(sight):
        key = (owner(sight.unit.facts, one.scope), one.written.text, one.written.file)
        known = seen.get(key)
        if known is None or (known.confidence, bool(known.kept_as)) < (
            one.confidence,
            bool(one.kept_as),
        ):
            seen[key] = one
    for one in seen.values():
        yield one._replace(at=_own_lines(sight.unit, one))


def _own_lines(unit: Unit, one: Statement) -> At:
    """Where the string stands that a statement is written in; where it is in none, what runs it."""
    constant, facts = one.written.constant, unit.facts
    if not facts.texts or (constant is not None and constant.document_id != unit.document_id):
        return one.at
    number = owner(facts, one.scope) if constant is None else constant.number
    around, head = facts.symbols[number].at, Text.head_of(one.written.text)
    found = [
        text
        for text in facts.texts
        if text.head and head.startswith(text.head) and _is_in(text.at, around)
    ]
    line = one.at.line
    return (
        max(found, key=lambda text: (len(text.head), -abs(text.at.line - line))).at
        if found
        else one.at
    )


def _is_in(inner: At, outer: At) -> bool:
    return outer[:2] <= inner[:2] and inner[2:] <= outer[2:]


def parts_named(unit: Unit) -> dict[int, set[str]]:
    """Names functions give to parts of a query they put together: ``add("claimed", "SELECT …")``.

    Such a name, where a later part selects from it, is no table.
    """
    found: dict[int, set[str]] = {}
    runners = RUNNERS.get(unit.facts.language, frozenset())
    naming = [
        (owner(unit.facts, call.scope), peeled(call.callee), given)
        for call in unit.facts.calls
        if tail(call.callee) not in runners
        and len(given := [_begins(one) for one in call.arguments]) > 1
        and _NAMED.fullmatch(given[0])
    ]
    of_queries = {
        (number, callee)
        for number, callee, given in naming
        if any(looks_like_sql(one) for one in given[1:])
    }
    for number, callee, given in naming:
        if (number, callee) in of_queries:
            found.setdefault(number, set()).add(given[0])
    return found


def _begins(expr: Expr) -> str:
    """The literal a string begins with."""
    is_literal = expr[0] == "text" and expr[1] and isinstance(expr[1][0], str)
    return expr[1][0] if is_literal else ""


def looks_like_sql(text: str) -> bool:
    """Whether a text begins as a statement does.

    >>> looks_like_sql("SELECT a FROM t"), looks_like_sql("select a colour"), looks_like_sql("")
    (True, False, False)
    """
    return _SQL.match(text[:_HEAD_CHARS]) is not None


def _all(sight: Sight) -> Iterator[Statement]:
    facts = sight.unit.facts
    runners = RUNNERS.get(facts.language, frozenset())
    decorated = noted(sight.unit, "decorated", decorated_by)
    wrapping = wrappers(sight.look.program)
    procedures = _procedures(sight) if facts.language in COMMANDS else set()
    for number, call in enumerate(facts.calls):
        name = tail(peeled(call.callee))
        if number in decorated:
            yield from _annotated(sight, decorated[number], name, call)
        elif name in NAMING_QUERIES:
            yield from _by_name(sight, call)
        elif name in runners:
            yield from _run(sight, name, (number, call), procedures)
        elif name not in TELLING and name not in SAME and name not in BUILDING:
            yield from _said(sight, call)
        if name in wrapping and number not in decorated:
            yield from _wrapped(sight, name, call)
    if facts.language in COMMANDS:
        yield from _set(sight, procedures)
    yield from _clauses(sight)


def decorated_by(unit: Unit) -> dict[int, int]:
    """Calls that are decorators, with the symbol they decorate."""
    return {
        one[1]: number
        for number, symbol in enumerate(unit.facts.symbols)
        for one in symbol.decorators
        if one[0] == "call"
    }


def _annotated(sight: Sight, number: int, name: str, call: Call) -> Iterator[Statement]:
    """``@Query("…")``: the statement of the method it stands on."""
    if name not in ANNOTATIONS:
        return
    keywords = dict(call.keywords)
    options = [*call.arguments[:1], *(keywords[key] for key in KEYWORDS if key in keywords)]
    is_routine = name == "Procedure"
    is_native = "nativeQuery" in keywords or name in _NATIVE
    for expr in map(_lines, options):
        for one in map(_valued, _plain(sight.strings.read(number, expr))):
            objects = not is_native and not is_routine
            yield Statement(number, call.at, one, _how(one), SURE, objects, (), is_routine)


def _plain(options: Iterable[Written]) -> Iterator[Written]:
    """Strings with the tags of MyBatis in them as the statements they may become."""
    for one in options:
        if "<script>" in one.text:
            yield from (one._replace(text=text) for text in scripted(tags(one.text), {}))
        else:
            yield one


def _by_name(sight: Sight, call: Call) -> Iterator[Statement]:
    """``createNamedQuery("Order.late")``: the statement an annotation gives that name."""
    program = sight.look.program
    known: dict[str, list[Statement]] | None = program.memo.get("statements.named")
    if known is None:
        known = program.memo["statements.named"] = {}
        for unit in program.units.values():
            if unit.facts.language == sight.unit.facts.language:
                there = replace(sight, unit=unit, strings=Strings(sight.look, unit))
                for name, one in _named_queries(there):
                    known.setdefault(name, []).append(one)
    wanted = sight.said(call.scope, call.arguments[0]) if call.arguments else ""
    for one in known.get(wanted, ()):
        yield one._replace(scope=call.scope, at=call.at, how="folded")


def _named_queries(sight: Sight) -> Iterator[tuple[str, Statement]]:
    for call in sight.unit.facts.calls:
        name = tail(call.callee)
        if name in ("NamedQuery", "NamedNativeQuery"):
            keywords = dict(call.keywords)
            called = sight.said(call.scope, keywords.get("name"))
            for one in map(_valued, sight.strings.read(call.scope, keywords.get("query", ("",)))):
                objects = name == "NamedQuery"
                yield called, Statement(call.scope, call.at, one, _how(one), SURE, objects)


def _lines(expr: Expr) -> Expr:
    """``{"UPDATE t", "SET a = 1"}`` of MyBatis is one statement."""
    if expr[0] != "seq":
        return expr
    return ("text", tuple(part for one in expr[2] for part in (one, " ")))


def _run(
    sight: Sight, name: str, numbered: tuple[int, Call], procedures: set[Expr]
) -> Iterator[Statement]:
    """A call that runs what it is given."""
    number, call = numbered
    callee = peeled(call.callee)
    types = callee[2] if callee[0] == "generic" else ()
    keywords = dict(call.keywords)
    given = [*call.arguments[:3], *(keywords[key] for key in KEYWORDS if key in keywords)]
    given += (found for one in call.arguments[:1] for found in _entries(one))
    is_routine = ("call", number) in procedures or _is_routine(name, call)
    for expr in given:
        if peeled(expr)[0] not in ("text", "name", "attr", "call", "one", "item"):
            continue
        for one in map(_valued, sight.strings.read(call.scope, expr)):
            if is_routine and _ROUTINE.fullmatch(one.text) and one.text != HOLE:
                for by in (runs(sight, number, call) if name in PREPARING else ()) or (call,):
                    yield Statement(by.scope, by.at, one, _how(one), SURE, routine=True)
                return
            one = one._replace(text=with_keys(one.text, given_keys(call.arguments[1:2])))
            if one.file or looks_like_sql(one.text):
                objects = name in SPEAKS_OF_OBJECTS
                run_in = runs(sight, number, call) if name in PREPARING else ()
                for by in run_in or (call,):
                    sure = min(SURE, one.sure)
                    yield Statement(by.scope, by.at, one, _how(one), sure, objects, types)


def given_keys(given: tuple[Expr, ...]) -> tuple[str, ...]:
    """The keys of an object given for a placeholder: ``("… SET ?", { a, b })``."""
    members = [each for one in given for each in (one[2][:1] if one[0] == "seq" else (one,))]
    return tuple(key for one in members for key in keys(one))


def _entries(expr: Expr) -> list[Expr]:
    """``query({ text: "…" })``."""
    found = (entry(expr, key) for key in ("text", "sql", "query"))
    return [one for one in found if one is not None]


def _is_routine(name: str, call: Call) -> bool:
    """Whether a call takes the name of a routine instead of a statement."""
    if name in ("callproc", "createStoredProcedureQuery", "withProcedureName", "withFunctionName"):
        return True
    given = [*call.arguments, *(value for _key, value in call.keywords)]
    return any(tail(one) == "StoredProcedure" for one in given)


def _procedures(sight: Sight) -> set[Expr]:
    """Commands that are told to call a stored procedure: the variables, and what made them."""
    facts = sight.unit.facts
    found: set[Expr] = set()
    for flow in facts.flows:
        target = flow.target
        if (
            target[0] == "attr"
            and target[2] == "CommandType"
            and tail(flow.value) == "StoredProcedure"
        ):
            found.add(target[1])
            for one in sight.look.makers(sight.unit, flow.scope, target[1]):
                if one.unit is sight.unit:
                    found.add(one.expr)
    return found


def _wrapped(sight: Sight, name: str, call: Call) -> Iterator[Statement]:
    """A statement that is given to a function of the program which runs it."""
    for expr in given_to(sight, name, call):
        for one in map(_valued, sight.strings.read(call.scope, expr)):
            if one.file or looks_like_sql(one.text):
                yield Statement(call.scope, call.at, one, _how(one), min(_PASSED, one.sure))


def _said(sight: Sight, call: Call) -> Iterator[Statement]:
    """A literal that is plainly SQL, given to something unknown."""
    for expr in call.arguments[:3]:
        if expr[0] != "text" or not expr[1] or not isinstance(expr[1][0], str):
            continue
        head = expr[1][0][:_HEAD_CHARS]
        is_loud = _LOUD.match(head) is not None
        is_begun = is_loud or _BEGUN.match(head) is not None
        is_filled = is_begun and (len(expr[1]) > 1 or _FILLED.search(head) is not None)
        if is_loud or (is_filled and looks_like_sql(head)):
            for one in map(_valued, sight.strings.read(call.scope, expr)):
                if looks_like_sql(one.text):
                    sure = _LIKELY if is_loud else _QUIET
                    yield Statement(call.scope, call.at, one, _how(one), sure)


def _set(sight: Sight, procedures: set[Expr]) -> Iterator[Statement]:
    """``command.CommandText = "…"``."""
    for use in sight.unit.facts.uses:
        if use.access != "write" or use.expr[0] != "attr" or use.expr[2] not in PROPERTIES:
            continue
        for flow in sight.unit.facts.flows:
            if flow.scope != use.scope or flow.target != use.expr:
                continue
            is_routine = use.expr[1] in procedures
            for one in map(_valued, sight.strings.read(flow.scope, flow.value)):
                if is_routine and _ROUTINE.fullmatch(one.text):
                    yield Statement(use.scope, use.at, one, _how(one), SURE, routine=True)
                elif looks_like_sql(one.text):
                    yield Statement(use.scope, use.at, one, _how(one), SURE)


def _clauses(sight: Sight) -> Iterator[Statement]:
    """``SELECT("a"); FROM("t"); WHERE("b = 1")`` of MyBatis: the clauses of one function."""
    facts = sight.unit.facts
    if facts.language != "java" or not any(_is_builder(one.module) for one in facts.imports):
        return
    told: dict[int, dict[str, list[str]]] = {}
    first: dict[int, Call] = {}
    for call in facts.calls:
        name = tail(call.callee)
        if name in CLAUSES:
            number = owner(facts, call.scope)
            given = [sight.strings.read(call.scope, one)[0].text for one in call.arguments]
            told.setdefault(number, {}).setdefault(name, []).extend(given)
            first.setdefault(number, call)
    for number, clauses in told.items():
        one = _valued(Written(assembled(clauses), False))
        if looks_like_sql(one.text):
            yield Statement(number, first[number].at, one, _how(one), SURE)


def _is_builder(module: str) -> bool:
    return module.startswith("org.apache.ibatis.jdbc")


def _valued(one: Written) -> Written:
    return one._replace(text=valued(one.text)) if not one.file else one


def _how(written: Written) -> str:
    if written.file:
        return "file"
    if written.is_partial:
        return "partial"
    return "literal" if written.is_literal else "folded"
