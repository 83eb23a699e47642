"""A list of a tool over all its pages, as one reply."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from commonplace.serve.dispatch import Caller, Dispatcher, Outcome
from commonplace.serve.listing import offers
from commonplace.tools.app import App
from commonplace.tools.code.sharing import spread

_TAIL = ("next_cursor", "limit_reason", "truncated", "has_more", "remaining_count")
"""Left out where nothing is left out."""


async def call_pages(app: App, name: str, arguments: Mapping[str, Any], limit: int) -> Outcome:
    """A list over all its pages, up to a limit, in one session; the tail is the last page's.

    Rows are whole: what the rows of a page share says nothing of those of the next.
    """
    dispatcher, caller = Dispatcher(app, offers().values()), Caller(connection="cli")
    outcome = await dispatcher.call(name, arguments, caller)
    whole = spread(outcome.structured)
    while whole.get("next_cursor") and whole["returned_count"] < limit:
        asked = {**arguments, "cursor": whole["next_cursor"]}
        page = await dispatcher.call(name, asked, caller)
        if page.is_error:
            return page
        whole = joined(whole, spread(page.structured))
    return replace(outcome, structured=whole)


def joined(whole: Mapping[str, Any], page: Mapping[str, Any]) -> dict[str, Any]:
    """Two pages of one list as one: lists one behind the other, groups of one name together.

    >>> a = {"steps": [1], "returned_count": 1, "groups": [{"type": "call", "usages": [1]}]}
    >>> b = {"steps": [2], "returned_count": 1, "groups": [{"type": "call", "usages": [2]}]}
    >>> joined(a, b)["steps"], joined(a, b)["groups"][0]["usages"], joined(a, b)["returned_count"]
    ([1, 2], [1, 2], 2)
    """
    both = {name: value for name, value in whole.items() if name not in _TAIL} | dict(page)
    both["returned_count"] = whole["returned_count"] + page["returned_count"]
    for field in ("results", "steps"):
        if field in whole:
            both[field] = [*whole[field], *page[field]]
    for field in ("groups", "tiers"):
        if field in whole:
            both[field] = _merged(whole[field], page[field])
    return both


def _merged(whole: Sequence[Any], page: Sequence[Any]) -> list[Any]:
    """Groups of two pages: the last of the first may go on as the first of the second."""
    if not whole or not page:
        return [*whole, *page]
    last, first = whole[-1], page[0]
    names = {name for name, value in last.items() if not isinstance(value, list)}
    if any(last[name] != first.get(name) for name in names):
        return [*whole, *page]
    one = {
        name: [*value, *first[name]] if isinstance(value, list) else value
        for name, value in last.items()
    }
    return [*whole[:-1], one, *page[1:]]
