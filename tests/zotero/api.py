"""A server that answers as Zotero's local API does."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.site import Asked, Site, head, open_site
from tests.zotero.shelf import Shelf


@asynccontextmanager
async def open_zotero(shelf: Shelf) -> AsyncIterator[Site]:
    """A server that answers as Zotero's local API does, from the shelf as it is at the moment."""
    async with open_site() as site:

        async def groups(asked: Asked, writer: Any) -> None:  # noqa: ANN401
            del asked
            page = [
                {"id": number, "version": 0, "data": {"id": number, "name": name}}
                for number, (name, _) in shelf.groups.items()
            ]
            _say(writer, page, {"Total-Results": len(page)})

        site.pages["/api/users/0/groups"] = groups
        _serve(site, shelf, "users/0")
        for number, (_, other) in shelf.groups.items():
            _serve(site, other, f"groups/{number}")
        yield site


def _serve(site: Site, shelf: Shelf, home: str) -> None:
    """The pages of one library."""

    async def items(asked: Asked, writer: Any) -> None:  # noqa: ANN401
        query = {name: one[0] for name, one in parse_qs(urlsplit(asked.path).query).items()}
        found = _alive(shelf)
        since = int(query.get("since", "0"))
        found = [one for one in found if not since or one["version"] > since]
        sort = query.get("sort", "dateModified")
        if sort == "dateModified":
            found.sort(key=lambda one: str(one[sort]), reverse=True)
        start = int(query.get("start", "0"))
        limit = int(query.get("limit", "0")) or len(found)
        page = [_told(shelf, one) for one in found[start : start + limit]]
        _say(writer, page, {"Total-Results": len(found), "Last-Modified-Version": shelf.version})

    async def collections(asked: Asked, writer: Any) -> None:  # noqa: ANN401
        del asked
        held = [one for data in _alive(shelf) for one in data.get("collections", ())]
        page = [
            {"key": one["key"], "data": one, "meta": {"numItems": held.count(one["key"])}}
            for one in shelf.collections
        ]
        _say(writer, page, {"Total-Results": len(page)})

    async def searches(asked: Asked, writer: Any) -> None:  # noqa: ANN401
        del asked
        page = [{"key": one["key"], "data": one} for one in shelf.searches]
        _say(writer, page, {"Total-Results": len(page)})

    def finding(keys: list[str]) -> Any:  # noqa: ANN401
        async def found(asked: Asked, writer: Any) -> None:  # noqa: ANN401
            del asked
            page = [_told(shelf, one) for one in _alive(shelf) if one["key"] in keys]
            _say(writer, page, {"Total-Results": len(page)})

        return found

    site.pages[f"/api/{home}/items"] = items
    site.pages[f"/api/{home}/collections"] = collections
    site.pages[f"/api/{home}/searches"] = searches
    for one in shelf.searches:
        site.pages[f"/api/{home}/searches/{one['key']}/items"] = finding(one["found"])


def _alive(shelf: Shelf) -> list[dict[str, Any]]:
    """All items but those in the trash and their children."""
    gone = set(shelf.trash)
    for _ in range(2):
        gone |= {one["key"] for one in shelf.items if one.get("parentItem") in gone}
    return [one for one in shelf.items if one["key"] not in gone]


def _told(shelf: Shelf, data: dict[str, Any]) -> dict[str, Any]:
    links: dict[str, Any] = {}
    if data.get("filename"):
        place = shelf.folder / "storage" / data["key"] / data["filename"]
        links["enclosure"] = {"href": place.as_uri(), "type": data["contentType"]}
    return {"key": data["key"], "version": data["version"], "links": links, "data": data}


def _say(writer: Any, page: Any, headers: dict[str, int]) -> None:  # noqa: ANN401
    body = json.dumps(page).encode()
    named = {name: str(value) for name, value in headers.items()}
    kind = {"content-type": "application/json", "content-length": str(len(body))}
    writer.write(head(200, {**kind, **named}) + body)
