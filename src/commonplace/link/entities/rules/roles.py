"""What reStructuredText says outright: roles name things, directives define them."""

import re
from collections.abc import Iterator, Mapping

from commonplace.domain.document import Span
from commonplace.link.entities.found import (
    COMMAND,
    COMPONENT,
    CONCEPT,
    CONFIGURATION,
    ERROR,
    HAS_PARAMETER,
    PARAMETER,
    Found,
    Rule,
    Tie,
)
from commonplace.link.entities.naming import (
    flags,
    is_command,
    is_error,
    is_key,
    is_placeholder,
    last_part,
)
from commonplace.link.entities.page import Code, Page
from commonplace.link.entities.shell import calls
from commonplace.link.entities.vocabulary import TYPES

_ROLES: Mapping[str, str] = {
    **dict.fromkeys(("envvar", "setting", "confval"), CONFIGURATION),
    **dict.fromkeys(("program", "command", "djadmin"), COMMAND),
    **dict.fromkeys(("class", "mod", "interface"), COMPONENT),
    "option": PARAMETER,
    "exc": ERROR,
    "term": CONCEPT,
}
_DIRECTIVES: Mapping[str, str] = {
    **dict.fromkeys(("envvar", "setting", "confval"), CONFIGURATION),
    **dict.fromkeys(("option", "cmdoption", "django-admin-option"), PARAMETER),
    **dict.fromkeys(("exception", "autoexception"), ERROR),
    **dict.fromkeys(("class", "autoclass", "module", "automodule", "py:class"), COMPONENT),
    **dict.fromkeys(("program", "django-admin", "command"), COMMAND),
}
_METHOD = re.compile(r"\.[A-Z]\w*\.[a-z]\w*$")
_RAISES = re.compile(r"\b(?:raises?|raising|throws?|catch(?:es)?)(?: an?)?\s+$", re.IGNORECASE)
_EXCEPTION = re.compile(r"\s+(?:exception|error)s?\b", re.IGNORECASE)
_DIRECTIVE = re.compile(r"\s*\.\. (?:[a-z]+:)?([a-z-]+):: *(.*(?:\n {6,}.*)*)")


def named(kind: str, written: str) -> str:
    """The name of an entity from how a role or directive writes it; empty when it is none."""
    bare = written.partition("(")[0].strip() if kind in {ERROR, COMPONENT} else written.strip()
    if kind == PARAMETER:
        listed = flags(bare)
        return listed[0][0] if listed else ""
    if kind == ERROR or (kind == COMPONENT and last_part(bare)[:1].isupper()):
        bare = last_part(bare)
    if kind == CONCEPT:
        return " ".join(bare.rpartition(":")[2].split()) if len(bare) <= 60 else ""
    if kind == COMPONENT and (_METHOD.search(bare) or is_no_component(bare)):
        return ""
    if kind == COMMAND:
        called = next(calls(bare), None)
        name = called.name if called and called.is_known else bare.split(" ")[0]
        return name if is_command(name) else ""
    return bare if is_key(bare) else ""


def is_no_component(name: str) -> bool:
    """Whether a class is a type of the language, a warning, or one that an example invents."""
    return name in TYPES or name.endswith("Warning") or is_placeholder(name)


def _kind(kind: str, name: str) -> str:
    return ERROR if kind == COMPONENT and is_error(name) else kind


def find_roles(page: Page) -> Iterator[Found]:
    """Text with a role that names its kind."""
    for place in page.places:
        for code in place.codes:
            kind = _ROLES.get(code.role)
            name = named(kind, code.target) if kind else ""
            if kind == COMPONENT and _is_raised(page.text, code):
                kind = ERROR
            if kind and name:
                yield Found(kind=_kind(kind, name), name=name, span=code.span, confidence=0.95)


def _is_raised(text: str, code: Code) -> bool:
    """Whether a class is an exception, by its module or the words around it."""
    if re.search(r"(?:^|\.)(?:exceptions?|errors)\.", code.target):
        return last_part(code.target)[:1].isupper()
    before = text[max(0, code.outer.start - 20) : code.outer.start]
    return bool(_RAISES.search(before) or _EXCEPTION.match(text, code.outer.end))


def find_directives(page: Page) -> Iterator[Found | Tie]:
    """Directives that define; options belong to the program named last."""
    if not page.is_rst:
        return
    program: Found | None = None
    for place in page.prose:
        found = _DIRECTIVE.match(place.text)
        kind = _DIRECTIVES.get(found[1]) if found else None
        if not found or not kind:
            continue
        for written in found[2].split("\n"):
            name = named(kind, written)
            if not name:
                continue
            start = place.block.span.start + place.text.find(written.strip())
            one = Found(
                kind=_kind(kind, name),
                name=name,
                span=Span(start, start + len(written.strip())),
                confidence=0.95,
                is_defined=True,
            )
            yield one
            if kind == COMMAND:
                program = one
            elif kind == PARAMETER and program is not None:
                yield Tie(
                    relation=HAS_PARAMETER,
                    source=program,
                    target=one,
                    span=one.span,
                    confidence=0.95,
                )


ROLE = Rule("role", find_roles)
DIRECTIVE = Rule("directive", find_directives)
