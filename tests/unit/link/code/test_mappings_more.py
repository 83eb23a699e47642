"""Mappers by declaration of tables, objects inside rows, and rows behind relations."""

import pytest

from tests.unit.link.code.crossing import lines, ties

_DRIZZLE = """
import { integer, pgTable, pgSchema, text } from "drizzle-orm/pg-core";
import { relations } from "drizzle-orm";
const shop = pgSchema("shop");
export const buyers = pgTable("buyers", { id: integer("id"), name: text() });
export const orders = shop.table("orders", {
  id: integer("id").primaryKey(),
  buyerId: integer("buyer_id").references(() => buyers.id),
});
export const orderRelations = relations(orders, ({ one }) => ({ buyer: one(buyers) }));
"""
_JPA = """
import jakarta.persistence.*;
@Entity @Table(name = "party") @Inheritance(strategy = InheritanceType.%s)
class Party { @Id Long id; String name; @Embedded Place home; }
@Entity @Table(name = "person") class Person extends Party { String title; }
@Embeddable class Place { @Column(name = "home_town") String town; }
"""


@pytest.mark.requirement("XL-M14")
def test_tables_of_drizzle_are_declared_once_and_asked_for_elsewhere() -> None:
    asking = """
import { eq } from "drizzle-orm";
import { db } from "./db";
import { buyers, orders } from "./schema";
export const ofBuyer = wrap(async (id) => db.select().from(orders).where(eq(orders.buyerId, id)));
export async function put(rows) { await db.insert(buyers).values([{ name: "x" }]); }
export const found = () =>
  db.query.orders.findMany({ columns: { id: true }, with: { buyer: true } });
"""
    found = ties({"schema.ts": _DRIZZLE, "asking.ts": asking}, "mappings")
    assert lines(found, "READS", "WRITES", "MAPS_TO") == {
        *("buyers MAPS_TO buyers", "orders MAPS_TO shop.orders"),
        *("ofBuyer READS shop.orders", "ofBuyer READS shop.orders.buyer_id"),
        *("put WRITES buyers", "put WRITES buyers.name"),
        *("found READS shop.orders", "found READS shop.orders.id", "found READS buyers"),
    }


@pytest.mark.requirement("XL-M15")
@pytest.mark.parametrize(
    ("strategy", "table", "above"),
    [
        ("SINGLE_TABLE", "party", True),
        ("TABLE_PER_CLASS", "person", True),
        ("JOINED", "person", False),
    ],
)
def test_entities_below_others_are_kept_as_the_strategy_says(
    strategy: str, table: str, above: bool
) -> None:
    found = lines(ties({"Party.java": _JPA % strategy}, "mappings"), "MAPS_TO")
    assert {f"Person MAPS_TO {table}", f"Person.title MAPS_TO {table}.title"} <= found
    assert {"Party MAPS_TO party", "Place.town MAPS_TO party.home_town"} <= found
    assert ("Party.name MAPS_TO person.name" in found) == (above and table == "person")
    assert not any("Place MAPS_TO" in one or "home MAPS_TO" in one for one in found)


@pytest.mark.requirement("XL-M15")
def test_a_setter_writes_where_the_entity_is_loaded_or_saved_and_nowhere_else() -> None:
    text = """
import jakarta.persistence.*;
@Entity class Ad { @Id Long id; boolean sold; }
class Desk {
    private EntityManager em;
    void sell(Long id) { Ad ad = em.find(Ad.class, id); ad.setSold(true); }
    Ad fresh() { Ad ad = new Ad(); ad.setSold(false); return ad; }
    void keep() { Ad ad = new Ad(); ad.setSold(false); em.persist(ad); em.flush(); }
}
"""
    found = lines(ties({"Ad.java": text}, "mappings"), "WRITES")
    assert found == {
        *("Desk.sell WRITES Ad", "Desk.sell WRITES Ad.sold"),
        *("Desk.keep WRITES Ad", "Desk.keep WRITES Ad.sold"),
    }


@pytest.mark.requirement("XL-M16")
def test_rows_that_a_query_travels_to_are_those_it_names() -> None:
    text = """
using Microsoft.EntityFrameworkCore;
class Buyer { public int Id { get; set; } public string Name { get; set; } }
class Order
{
    public int Id { get; set; }
    public int Total { get; set; }
    public Buyer Buyer { get; set; }
}
class Db : DbContext
{
    public DbSet<Order> Orders { get; set; }
    public DbSet<Buyer> Buyers { get; set; }
}
class Desk
{
    private readonly Db db;
    object Names() => db.Orders.Select(o => o.Buyer).Where(b => b.Name != "").ToList();
    object Made() => db.Orders.Select(o => new { Total = o.Id }).OrderBy(x => x.Total).ToList();
    object Whole() => db.Orders.Include(o => o.Buyer).ToList();
}
"""
    assert lines(ties({"Desk.cs": text}, "mappings"), "READS") == {
        *("Desk.Names READS Orders", "Desk.Names READS Buyers", "Desk.Names READS Buyers.Name"),
        *("Desk.Made READS Orders", "Desk.Made READS Orders.Id"),
        *("Desk.Whole READS Orders", "Desk.Whole READS Buyers"),
    }


@pytest.mark.requirement("XL-M16")
def test_things_that_are_saved_elsewhere_than_in_a_database_are_no_rows() -> None:
    text = """
import { Entity, Column } from "typeorm";
@Entity() export class Order { @Column() id: number; }
export class Desk {
  keep(cache: Cache, order: Order) { cache.save(order); }
  put(manager: EntityManager, order: Order) { manager.save(order); }
}
"""
    assert lines(ties({"desk.ts": text}, "mappings"), "WRITES") == {"Desk.put WRITES order"}
