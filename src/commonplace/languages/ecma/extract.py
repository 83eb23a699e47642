"""From a file of JavaScript or TypeScript to its facts."""

from collections.abc import Callable
from functools import lru_cache
from pathlib import PurePosixPath

from tree_sitter import Language, Parser

from commonplace.domain.code import Facts, Problem, Symbol
from commonplace.languages.ecma.expressions import EXPRESSIONS
from commonplace.languages.ecma.statements import STATEMENTS
from commonplace.languages.ecma.walk import Draft, Grammar, Walk
from commonplace.languages.generated import is_generated, is_minified
from commonplace.languages.sheet import MOST_CHARS, MOST_MINIFIED, Sheet, faults, parse


@lru_cache(maxsize=3)
def _grammar(load: Callable[[], object], *, is_typed: bool) -> tuple[Parser, Grammar]:
    """A parser, and what is done with each of its kinds of node."""
    language = Language(load())
    numbers = [
        (number, language.node_kind_for_id(number) or "")
        for number in range(language.node_kind_count)
        if language.node_kind_is_named(number)
    ]
    error = 65535  # the number of what is not in the grammar
    grammar = Grammar(
        {
            **{number: EXPRESSIONS[kind] for number, kind in numbers if kind in EXPRESSIONS},
            error: EXPRESSIONS["ERROR"],
        },
        {number: STATEMENTS[kind] for number, kind in numbers if kind in STATEMENTS},
        is_typed,
    )
    return Parser(language), grammar


def extract(text: str, path: str, language: str, load: Callable[[], object]) -> Facts:
    """Facts of a file; one too large or minified is told as a problem and not read."""
    sheet = Sheet(text)
    file = Draft(
        kind="Module", name=PurePosixPath(path).name, path="", parent=0, start=0, end=len(text)
    )
    refused = _refused(text)
    if refused:
        whole = sheet.whole()
        return Facts(
            language=language,
            symbols=(file.done(whole),),
            problems=(Problem(refused, whole),),
            is_generated=True,
        )
    parser, grammar = _grammar(load, is_typed=language != "javascript")
    root = parse(sheet, parser).root_node
    walk = Walk(sheet, grammar)
    walk.drafts.append(file)
    walk.put_off(root.named_children)
    walk.run()
    return Facts(
        language=language,
        symbols=_symbols(walk),
        imports=tuple(walk.imports),
        flows=tuple(walk.flows),
        calls=tuple(walk.calls),
        uses=tuple(walk.uses),
        exports=tuple(walk.exports.items()),
        problems=(*walk.problems, *(faults(sheet, root) if root.has_error else ())),
        is_generated=is_generated(text),
    )


def _refused(text: str) -> str:
    if len(text) > MOST_CHARS:
        return f"not read: {len(text)} characters, at most {MOST_CHARS} are"
    if len(text) > MOST_MINIFIED and is_minified(text):
        return f"not read: minified, {len(text)} characters"
    return ""


def _symbols(walk: Walk) -> tuple[Symbol, ...]:
    between = walk.sheet.between
    for inside in walk.exports.values():
        number = walk.named.get((0, inside))
        if number is not None:
            walk.drafts[number].modifiers.add("exported")
    return tuple(draft.done(between(draft.start, draft.end)) for draft in walk.drafts)
