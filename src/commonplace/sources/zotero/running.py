"""The library of a running Zotero, by its local API.

Versions are those of the sync server: an edit that was not synced has none. So the state of a
library is more than its version: how many items it has, and which was changed last.
"""

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from commonplace.domain.errors import SourceError
from commonplace.sources.zotero.items import (
    ATTACHMENT,
    OWN,
    Collection,
    Item,
    Library,
    Search,
    group_home,
)
from commonplace.sources.zotero.searches import named

if TYPE_CHECKING:
    from httpx2 import AsyncClient, Response

_USER = "/api/users/0"
_PAGE = 500
_MOST_PAGES = 2000  # a million items
_TIMEOUT_S = 60.0  # a library that was just opened is loaded first


class NotRunning(SourceError):
    """Nothing answers, or the local API is switched off."""


class Running:
    """One conversation with Zotero; use it as a context."""

    def __init__(self, address: str, group: str = "") -> None:
        self._address = address.rstrip("/")
        self._group = group
        self._home = OWN
        self._client: AsyncClient

    async def __aenter__(self) -> "Running":
        import httpx2  # noqa: PLC0415 - catalog files load their library late

        timeout = httpx2.Timeout(_TIMEOUT_S, connect=2.0)
        headers = {"Zotero-API-Version": "3"}
        # No proxy of the environment: this is a program of the user's own machine.
        self._client = httpx2.AsyncClient(timeout=timeout, headers=headers, trust_env=False)
        try:
            self._home = await self._home_of(self._group) if self._group else OWN
        except BaseException:
            await self._client.aclose()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.aclose()

    async def _home_of(self, group: str) -> str:
        """Where a group is, by its name or number."""
        reply = await self._get("/groups", {})
        known = {str(one.get("id")): str(one["data"].get("name", "")) for one in reply.json()}
        return group_home(known, group)

    async def search(self, name: str) -> frozenset[str]:
        """Keys of what a saved search finds now: Zotero runs it."""
        known = [
            (Search(str(one["data"].get("name", "")), ()), str(one["key"]))
            for one in (await self._get("/searches", {})).json()
        ]
        wanted = named(tuple(one for one, _ in known), name)
        key = next(key for one, key in known if one == wanted)
        return frozenset([one["key"] async for one in self._pages(f"/searches/{key}/items")])

    async def _pages(self, path: str) -> AsyncIterator[Mapping[str, Any]]:
        """What a list holds, page by page."""
        for number in range(_MOST_PAGES):
            given = {"start": str(number * _PAGE), "limit": str(_PAGE), "sort": "dateAdded"}
            reply = await self._get(path, given)
            page = reply.json()
            for one in page:
                yield one
            total = int(reply.headers.get("Total-Results", "0"))
            if not page or (number + 1) * _PAGE >= total:
                break

    async def state(self) -> str:
        """What changes with every change of the library: one small request, and one for folders."""
        newest = await self._get("/items", {"limit": "1", "sort": "dateModified"})
        found = newest.json()
        told = [f"{one['data']['key']} {one.get('version')} {_date(one)}" for one in found[:1]]
        folders = await self._collections()
        held = [[one.get("key"), one.get("data"), one.get("meta")] for one in folders]
        version = newest.headers.get("Last-Modified-Version", "")
        total = newest.headers.get("Total-Results", "")
        return f"api {version} {total} {told} {json.dumps(held, sort_keys=True)}"

    async def library(self, state: str) -> Library:
        """All items that are not in the trash, page by page."""
        items: dict[str, Item] = {}
        async for one in self._pages("/items"):
            items[one["data"]["key"]] = Item(one["data"], await self._file(one))
        folders = [_collection(one) for one in await self._collections()]
        return Library(tuple(items.values()), tuple(folders), state, self._home)

    async def _collections(self) -> list[Mapping[str, Any]]:
        reply = await self._get("/collections", {})
        return sorted(reply.json(), key=lambda one: str(one.get("key")))

    async def _file(self, one: Mapping[str, Any]) -> str:
        """Where an attachment's file is: told with it, or asked for."""
        data = one["data"]
        if data.get("itemType") != ATTACHMENT or data.get("linkMode") in ("linked_url", None):
            return ""
        links = one.get("links")
        enclosure = links.get("enclosure") if isinstance(links, dict) else None
        told = str(enclosure.get("href", "")) if isinstance(enclosure, dict) else ""
        if not told and str(data.get("path", "")).startswith("attachments:"):
            reply = await self._ask(f"/items/{data['key']}/file/view/url", {})
            told = reply.text.strip() if reply.status_code == 200 else ""
        return unquote(urlsplit(told).path) if told.startswith("file:") else ""

    async def _ask(self, path: str, query: Mapping[str, str]) -> "Response":
        import httpx2  # noqa: PLC0415 - as above

        try:
            home = _USER if self._home == OWN else f"/api/{self._home}"
            return await self._client.get(f"{self._address}{home}{path}", params=dict(query))
        except httpx2.HTTPError as exc:
            raise NotRunning(f"Zotero does not answer at {self._address}; start it") from exc

    async def _get(self, path: str, query: Mapping[str, str]) -> "Response":
        reply = await self._ask(path, query)
        if reply.status_code == 403:
            raise NotRunning(
                "Zotero's local API is off; allow other applications to communicate with Zotero in "
                "its settings, under Advanced"
            )
        if reply.status_code >= 500:
            raise NotRunning(
                f"Zotero fails at {self._address} (status {reply.status_code}); restart it"
            )
        if reply.status_code != 200 or not isinstance(_json(reply), list):
            raise NotRunning(
                f"what answers at {self._address} is no Zotero 7 or later (status "
                f"{reply.status_code}); check the setting zotero_url"
            )
        return reply


def _json(reply: "Response") -> Sequence[Any] | None:
    try:
        held = reply.json()
    except ValueError:
        return None
    return held if isinstance(held, list) and all(map(_is_object, held)) else None


def _is_object(one: object) -> bool:
    """Whether this is an item, a collection or a search, with a key, or a group, with a number."""
    data = one.get("data") if isinstance(one, dict) else None
    if not isinstance(one, dict) or not isinstance(data, dict):
        return False
    return isinstance(data.get("key"), str) or isinstance(one.get("id"), int)


def _date(one: Mapping[str, Any]) -> str:
    return str(one["data"].get("dateModified", ""))


def _collection(one: Mapping[str, Any]) -> Collection:
    data = one["data"]
    name, parent = str(data.get("name", "")), str(data.get("parentCollection") or "")
    return Collection(data["key"], name, parent)
