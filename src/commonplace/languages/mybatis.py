"""Mapper files of MyBatis: the statements of an interface's methods, in tags."""

from collections.abc import Iterator

from commonplace.domain import expr
from commonplace.domain.code import At, Call, Facts, Symbol
from commonplace.domain.media import MYBATIS as MEDIA_TYPE
from commonplace.languages.base import Language
from commonplace.languages.sheet import MOST_CHARS, Sheet
from commonplace.sql.scripted import Tag, statements, tags

_STATEMENTS = frozenset({"select", "insert", "update", "delete"})


def extract(text: str, path: str) -> Facts:
    """The statements as calls of their tags, with the method each is of; others have none."""
    sheet = Sheet(text)
    name = path.rpartition("/")[2]
    file = Symbol(kind="File", name=name, path="", parent=0, at=sheet.whole())
    is_mapper = "<mapper" in text and "namespace" in text and len(text) <= MOST_CHARS
    found = next((one for one in tags(text) if _is_mapper(one)), None) if is_mapper else None
    if not isinstance(found, Tag):
        return Facts(language="mybatis", symbols=(file,))
    calls = tuple(_calls(sheet, found))
    return Facts(
        language="mybatis", namespace=found.given["namespace"], symbols=(file,), calls=calls
    )


def _is_mapper(one: Tag | str) -> bool:
    return isinstance(one, Tag) and one.name == "mapper" and "namespace" in one.given


def _calls(sheet: Sheet, mapper: Tag) -> Iterator[Call]:
    inner = [one for one in mapper.inside if isinstance(one, Tag)]
    fragments = {one.given.get("id", ""): one.inside for one in inner if one.name == "sql"}
    for one in inner:
        if one.name in _STATEMENTS and "id" in one.given:
            at: At = sheet.between(one.start, one.end)
            for said in statements(one.inside, fragments):
                given = (expr.text(one.given["id"]), expr.text(said))
                yield Call(0, expr.name(one.name), given, (), at)


MYBATIS = Language(name="mybatis", media_types=(MEDIA_TYPE,), suffixes=(), extract=extract)
