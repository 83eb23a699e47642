"""Components: classes in inline code that their name or the page's own code shows to be such."""

import re
from collections.abc import Iterator

from commonplace.link.entities.found import COMPONENT, Found, Rule
from commonplace.link.entities.naming import (
    has_humps,
    is_class,
    is_error,
    is_placeholder,
    last_part,
)
from commonplace.link.entities.page import Code, Page
from commonplace.link.entities.vocabulary import NOT_NAMES, TYPES

_SHOWN = re.compile(
    r"^\s*(?:from [\w.]+ )?import (?:\(\s*)?((?:\w+(?: as \w+)?,?\s*)+)"
    r"|\b([A-Z]\w+)[(.]",
    re.MULTILINE,
)
# What a name in capitals may be instead: a directive of a server, a field, an error.
_OTHER = (
    r"(?:error|exception|warning|property|key|header|field|option|parameter|attribute|directive|"
    r"setting|value|variable|argument|claim|element|tag)s?"
)
_OTHER_AFTER = re.compile(rf"\s+{_OTHER}\b", re.IGNORECASE)
_OTHER_BEFORE = re.compile(rf"\b(?:{_OTHER}|raises?|raising)(?: an?)?\s+$", re.IGNORECASE)
_MOST_BEFORE = 30
_ENDINGS = re.compile(
    r"I[A-Z][a-z]\w+|\w+(?:Adapter|Backend|Base|Builder|Client|Config|Context|Controller|Driver|"
    r"Engine|Executor|Exporter|Factory|Field|Filter|Form|Handler|Helper|Hook|Interface|Item|Listener|"
    r"Loader|Manager|Middleware|Mixin|Model|Module|Node|Panel|Parser|Pipeline|Plugin|Policy|Pool|"
    r"Processor|Protocol|Provider|Proxy|Queue|Reader|Registry|Renderer|Request|Resolver|Response|"
    r"Router|Runner|Scheduler|Serializer|Server|Service|Session|Spawner|Storage|Store|Strategy|Task|"
    r"Tracker|Validator|View|Widget|Worker|Wrapper|Writer)"
)
"""How classes are named."""
_WORD = re.compile(r"[A-Z]\w*")


def find_classes(page: Page) -> Iterator[Found]:
    """Names that code of the page uses as a class, that have a path, or that end as classes do."""
    shown = {
        name
        for found in _SHOWN.finditer(page.code_text)
        for name in _WORD.findall(found[1] or found[2])
    } - page.made
    for place in page.places:
        for code in place.codes:
            name = last_part(code.text)
            if code.role or not is_class(name) or is_error(name):
                continue
            if name in NOT_NAMES | TYPES or is_placeholder(name) or name.isupper():
                continue
            if _is_other(page.text, code) or name.endswith("ExceptionGroup"):
                continue
            has_path = "." in code.text and has_humps(name)
            is_named = _ENDINGS.fullmatch(name) is not None and name not in page.made
            is_sure = has_path or name in shown or is_named
            confidence = 0.8 if is_sure else 0.3
            yield Found(kind=COMPONENT, name=name, span=code.span, confidence=confidence)


def _is_other(text: str, code: Code) -> bool:
    """Whether a noun beside it says that it is no class."""
    start = code.outer.start
    before = text[max(0, start - _MOST_BEFORE) : start]
    return bool(_OTHER_AFTER.match(text, code.outer.end) or _OTHER_BEFORE.search(before))


CLASS = Rule("class-name", find_classes)
