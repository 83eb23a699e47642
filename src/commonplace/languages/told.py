"""What a walk begins and ends with: kinds of a grammar by number, and facts of what was found."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeVar

from commonplace.domain.code import Facts, Problem
from commonplace.languages import brackets
from commonplace.languages.generated import is_generated, is_minified
from commonplace.languages.sheet import MOST_CHARS, MOST_MINIFIED, Sheet, faults
from commonplace.languages.walk import Draft, Walk

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Parser

ERROR = 65535  # the number of what is not in a grammar
Done = TypeVar("Done")


def numbered(language: "Language", handlers: Mapping[str, Done]) -> dict[int, Done]:
    """What is done with each kind of node, by the kind's numbers in a grammar."""
    found = {
        number: handlers[kind]
        for number in range(language.node_kind_count)
        if language.node_kind_is_named(number)
        for kind in (language.node_kind_for_id(number),)
        if kind is not None and kind in handlers
    }
    return {**found, ERROR: handlers["ERROR"]} if "ERROR" in handlers else found


def refused(sheet: Sheet, file: Draft, language: str) -> Facts | None:
    """Facts of a file that is not read, and why: too large, or minified; None for others."""
    length, whole = len(sheet.text), sheet.whole()
    if length > MOST_CHARS:
        why = f"not read: {length} characters, at most {MOST_CHARS} are"
    elif length > MOST_MINIFIED and is_minified(sheet.text):
        why = f"not read: minified, {length} characters"
    else:
        return None
    return Facts(
        language=language,
        symbols=(file.done(whole),),
        problems=(Problem(why, whole),),
        is_generated=is_generated(sheet.text),
    )


def _as_it_is(source: bytes) -> bytes:
    return source


def parsed(
    parser: "Parser", sheet: Sheet, source: bytes, mend: Callable[[bytes], bytes] = _as_it_is
) -> "tuple[Node, tuple[Problem, ...]]":
    """The tree of a source, read as well as brackets left open allow, and what it is not.

    ``mend`` puts something as long in place of what the grammar does not know; it is asked where
    something was not understood, and heard where more is understood so.
    """
    root = parser.parse(source).root_node
    if root.has_error and (other := mend(source)) != source:
        again = parser.parse(other).root_node
        if brackets.unread(again) < brackets.unread(root):
            source, root = other, again
    if not root.has_error:
        return root, ()
    root, opened = brackets.better(parser, source, root, keeps_lines=False)
    told = brackets.problems(opened, lambda place: sheet.between(place, place + 1))
    return root, (*told, *faults(sheet, root))


def facts(walk: Walk, problems: tuple[Problem, ...], language: str, namespace: str = "") -> Facts:
    """All a walk has found."""
    between = walk.sheet.between
    found = Facts(
        language=language,
        namespace=namespace,
        symbols=tuple(draft.done(between(draft.start, draft.end)) for draft in walk.drafts),
        imports=tuple(walk.imports),
        flows=tuple(walk.flows),
        calls=tuple(walk.calls),
        uses=tuple(walk.uses),
        exports=tuple(walk.exports.items()),
        texts=walk.texts,
        problems=problems,
        is_generated=is_generated(walk.text),
    )
    return brackets.within(found, walk.sheet.whole()) if problems else found
