"""From a file of JavaScript or TypeScript to its facts."""

import re
from collections.abc import Callable
from functools import lru_cache

from tree_sitter import Language, Parser

from commonplace.domain.code import Facts
from commonplace.languages.ecma.commonjs import close
from commonplace.languages.ecma.expressions import EXPRESSIONS
from commonplace.languages.ecma.newer import disposed, older
from commonplace.languages.ecma.statements import STATEMENTS
from commonplace.languages.queried import texts_in
from commonplace.languages.sheet import Sheet
from commonplace.languages.told import facts, numbered, parsed, refused
from commonplace.languages.walk import Draft, Grammar, Walk

# The grammar does not know ``import("./m").T<A>``: a name of the same length stands in for it.
_IMPORTED = re.compile(rb"import\(([\"'])[^\"'\n()]*\1\)(?=\.(?!then\b|catch\b)[\w.]+<)")
_PROTOTYPE = re.compile(r"([A-Za-z_$][\w$]*)\.prototype\b(?:\.[\w$]+)?\s*=[^=]")


def _stand_in(match: re.Match[bytes]) -> bytes:
    return b"import".ljust(len(match.group()), b"_")


@lru_cache(maxsize=3)
def _grammar(load: Callable[[], object], *, is_typed: bool) -> tuple[Parser, Grammar]:
    """A parser, and what is done with each of its kinds of node."""
    language = Language(load())
    grammar = Grammar(numbered(language, EXPRESSIONS), numbered(language, STATEMENTS), is_typed)
    return Parser(language), grammar


def extract(text: str, path: str, language: str, load: Callable[[], object]) -> Facts:
    """Facts of a file; one too large or minified is told as a problem and not read."""
    sheet = Sheet(text)
    label = path.rpartition("/")[2]
    file = Draft(kind="Module", name=label, path="", parent=0, start=0, end=len(text))
    no = refused(sheet, file, language)
    if no is not None:
        return no
    is_typed = language != "javascript"
    parser, grammar = _grammar(load, is_typed=is_typed)
    source = sheet.source
    if is_typed and b"import(" in source:
        source = _IMPORTED.sub(_stand_in, source)
    if is_typed and b"using " in source:
        source = disposed(source)
    root, problems = parsed(parser, sheet, source, older)
    walk = Walk(sheet, grammar)
    if ".prototype" in text:
        walk.constructors = frozenset(_PROTOTYPE.findall(text))
    walk.is_valued = "valueOf" in text or "toPrimitive" in text
    walk.texts = texts_in(root, sheet.source, sheet.at)
    walk.drafts.append(file)
    walk.put_off(root.named_children)
    del root
    walk.run()
    close(walk)
    for inside in walk.exports.values():
        number = walk.named.get((0, inside))
        if number is not None:
            walk.drafts[number].modifiers.add("exported")
    return facts(walk, problems, language)
