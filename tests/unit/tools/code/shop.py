"""A small shop as a code graph: C#, SQL and TypeScript, with every relation tools follow."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from commonplace.domain.document import Card
from commonplace.domain.graph import Edge, Node
from commonplace.domain.ids import content_hash, document_id
from commonplace.engines.base import Entry
from commonplace.link.code.shared import column_id, route_id, route_node, sql_node, table_id
from tests.library import Library, open_library

P = "default"
SERVICE = """\
namespace Shop.Services;

/// <summary>Takes orders.</summary>
public class OrderService
{
    private readonly OrderRepository repo;
    public const int Limit = 10;

    public int Place(Order order)
    {
        if (order.Lines > Limit) return 0;
        return repo.Save(order);
    }

    public Order Find(int id) => repo.Get(id);
}
"""
REPOSITORY = """\
namespace Shop.Data;

public class OrderRepository
{
    public int Save(Order order) => db.Execute("INSERT INTO dbo.Orders (Total) VALUES (@t)");
    public Order Get(int id) => db.Query("SELECT Id, Total FROM dbo.Orders");
}
"""
CLIENT = """\
export async function loadOrder(id: number) {
  const text = "```";
  return fetch(`/orders/${id}`);
}
"""
FILES = {
    "src/OrderService.cs": SERVICE,
    "src/OrderRepository.cs": REPOSITORY,
    "web/client.ts": CLIENT,
}
LANGUAGES = {"cs": "csharp", "ts": "typescript"}


@dataclass(frozen=True, slots=True)
class Shop:
    """A library with the shop's graph and files."""

    library: Library
    root: Path

    async def call(self, name: str, **arguments: Any) -> Any:  # noqa: ANN401 - JSON
        return await self.library.call(f"code.{name}", **arguments)

    async def text(self, name: str, **arguments: Any) -> str:  # noqa: ANN401
        outcome = await self.library.outcome(f"code.{name}", **arguments)
        assert not outcome.is_error, outcome.text
        return outcome.text

    def document(self, path: str) -> str:
        return document_id(P, (self.root / path).as_uri())


def symbol(shop: Shop, path: str, node_id: str, kind: str, fqn: str, **told: Any) -> Node:  # noqa: ANN401
    language = LANGUAGES[path.rpartition(".")[2]]
    properties = {"fqn": fqn, "language": language, "file": path, **told}
    return Node(
        id=node_id,
        project=P,
        kind=kind,
        name=fqn.rpartition(".")[2],
        document_id=shop.document(path),
        properties=properties,
    )


def nodes(shop: Shop) -> list[Node]:
    service, repository, client = FILES
    made = [
        symbol(shop, path, shop.document(path), "File", path, lines=f"1-{text.count(chr(10))}")
        for path, text in FILES.items()
    ]
    made += [
        symbol(
            shop,
            service,
            "svc",
            "Class",
            "Shop.Services.OrderService",
            lines="3-16",
            signature="public class OrderService",
            doc="Takes orders.",
            summary="OrderService writes to dbo.Orders, and calls OrderRepository.",
        ),
        symbol(
            shop,
            service,
            "place",
            "Method",
            "Shop.Services.OrderService.Place",
            lines="9-13",
            signature="public int Place(Order order)",
        ),
        symbol(shop, service, "find", "Method", "Shop.Services.OrderService.Find", lines="15-15"),
        symbol(shop, service, "limit", "Constant", "Shop.Services.OrderService.Limit", lines="7-7"),
        symbol(shop, repository, "repo", "Class", "Shop.Data.OrderRepository", lines="3-7"),
        symbol(
            shop,
            repository,
            "save",
            "Method",
            "Shop.Data.OrderRepository.Save",
            lines="5-5",
            signature="public int Save(Order order)",
        ),
        symbol(shop, repository, "get", "Method", "Shop.Data.OrderRepository.Get", lines="6-6"),
        symbol(shop, client, "load", "Function", "web/client.loadOrder", lines="1-4"),
        symbol(shop, client, "test", "Test", "web/client.testLoad", lines="4-4", test=True),
        sql_node(P, "Table", "dbo.Orders", {"file": "db/orders.sql", "lines": "1-5"}),
        sql_node(P, "Column", "dbo.Orders.Total"),
        sql_node(P, "Column", "dbo.Orders.Id"),
        sql_node(P, "View", "dbo.Report"),
        sql_node(P, "Column", "dbo.Report.Sum"),
        route_node(P, "GET", "/orders/{}"),
    ]
    return made


ORDERS, TOTAL = table_id(P, "dbo.Orders"), column_id(P, "dbo.Orders", "Total")
REPORT, SUM = table_id(P, "dbo.Report"), column_id(P, "dbo.Report", "Sum")
ID = column_id(P, "dbo.Orders", "Id")
ROUTE = route_id(P, "GET", "/orders/{}")


def edges(shop: Shop) -> list[Edge]:
    service, repository, client = (shop.document(path) for path in FILES)

    def edge(source: str, relation: str, target: str, **told: Any) -> Edge:  # noqa: ANN401
        document = told.pop("document", service)
        sure = told.pop("sure", 1.0)
        return Edge(
            source=source,
            relation=relation,
            target=target,
            project=P,
            document_id=document,
            confidence=sure,
            properties=told,
        )

    return [
        edge(service, "CONTAINS", "svc"),
        *(edge("svc", "CONTAINS", one) for one in ("place", "find", "limit")),
        edge(repository, "CONTAINS", "repo", document=repository),
        *(edge("repo", "CONTAINS", one, document=repository) for one in ("save", "get")),
        *(edge(client, "CONTAINS", one, document=client) for one in ("load", "test")),
        *(edge(ORDERS, "CONTAINS", one, document=repository) for one in (TOTAL, ID)),
        edge(REPORT, "CONTAINS", SUM, document=repository),
        edge("place", "CALLS", "save", how="type", at="12:20-24"),
        edge("place", "REFERENCES", "limit", how="scope", at="11:26-31,11:40-45"),
        edge("find", "CALLS", "get", how="type", at="15:39-42"),
        edge("save", "WRITES", TOTAL, how="literal", at="5:40-60", document=repository),
        edge("save", "WRITES", ORDERS, how="literal", at="5:40-60", document=repository),
        edge("get", "READS", TOTAL, how="literal", at="6:40-60", document=repository),
        edge("get", "READS", ID, how="literal", at="6:40-60", document=repository),
        edge("get", "READS", ORDERS, how="literal", at="6:40-60", document=repository),
        edge(TOTAL, "FLOWS_TO", SUM, how="aggregate", document=repository),
        edge(ROUTE, "HANDLES", "find", how="decorator"),
        edge("load", "REQUESTS", ROUTE, how="literal", at="3:10-15", document=client),
        edge("test", "TESTS", "load", how="name", at="4:0-4", document=client),
        edge("test", "CALLS", "save", how="name", at="4:0-4", sure=0.3, document=client),
    ]


@asynccontextmanager
async def open_shop(folder: Path, **chosen: Any) -> AsyncIterator[Shop]:  # noqa: ANN401
    """The shop's files as a source, its graph as the passes would draw it."""
    root = folder / "shop"
    for path, text in FILES.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    async with open_library(folder, add=False, **chosen) as library:
        shop = Shop(library, root)
        await library.add(root)
        await fill(shop)
        yield shop


async def fill(shop: Shop) -> None:
    """Write every file as a document with the symbols and edges above."""
    store = shop.library.app.store
    drawn, made = edges(shop), nodes(shop)
    shared = [node for node in made if node.document_id is None]
    (source,) = await _sources(shop)
    entries = []
    for path, text in FILES.items():
        own = shop.document(path)
        entries.append(
            Entry(
                card=_card(shop, path, text, source),
                passages=(),
                nodes=[*(node for node in made if node.document_id == own), *shared],
                edges=[edge for edge in drawn if edge.document_id == own],
            )
        )
    await store.passages.write(entries)


async def _sources(shop: Shop) -> list[str]:
    return await shop.library.app.store.keyvalue.keys(f"sources/{P}")


def _card(shop: Shop, path: str, text: str, source: str) -> Card:
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    return Card(
        id=shop.document(path),
        project=P,
        source_id=source,
        uri=(shop.root / path).as_uri(),
        path=path,
        title=path,
        media_type="text/plain",
        content_hash=content_hash(text.encode()),
        modified_at=moment,
        indexed_at=moment,
        size_bytes=len(text),
    )
