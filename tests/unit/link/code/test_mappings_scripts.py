"""Mappers and query builders of JavaScript and TypeScript."""

import pytest

from tests.unit.link.code.test_mappings import mapped

TYPEORM_ENTITY = """
import { Entity, Column, PrimaryGeneratedColumn, ManyToOne, JoinColumn } from "typeorm";
import { Buyer } from "./buyer";

@Entity("orders")
export class Order {
  @PrimaryGeneratedColumn() id: number;
  @Column({ name: "placed_on" }) placed: string;
  @ManyToOne(() => Buyer) @JoinColumn({ name: "buyer_ref" }) buyer: Buyer;
  cached: number;
}
"""


@pytest.mark.requirement("XL-M07")
def test_typeorm_repositories_read_and_write_the_columns_of_their_entity() -> None:
    desk = """
import { Repository } from "typeorm";
import { Order } from "./order";

export class Desk {
  constructor(private readonly orders: Repository<Order>) {}
  late(day: string) { return this.orders.find({ where: { placed: day } }); }
  close(id: number) { return this.orders.update({ id }, { placed: "" }); }
}
"""
    assert mapped({"src/order.ts": TYPEORM_ENTITY, "src/desk.ts": desk}) == {
        "Order MAPS_TO orders",
        "Order.id MAPS_TO orders.id",
        "Order.placed MAPS_TO orders.placed_on",
        "Order.buyer MAPS_TO orders.buyer_ref",
        "Desk.late READS orders",
        "Desk.late READS orders.placed_on",
        "Desk.close WRITES orders",
        "Desk.close READS orders",
        "Desk.close READS orders.id",
        "Desk.close WRITES orders.placed_on",
    }


@pytest.mark.requirement("XL-M08")
def test_prisma_models_are_tables_and_the_client_asks_for_them_by_name() -> None:
    schema = """
model Order {
  id     Int    @id @default(autoincrement())
  placed String @map("placed_on") // day
  lines  Line[]
  buyer  Buyer? @relation(fields: [buyerId], references: [id])
  buyerId Int?
  @@map("orders")
}
model Line { id Int @id }
model Buyer {
  id Int @id
}
"""
    desk = """
import { PrismaClient } from "@prisma/client";
const prisma = new PrismaClient();
export async function late(day: string) {
  return prisma.order.findMany({ where: { AND: [{ placed: day }] }, select: { id: true } });
}
export async function add() { await prisma.order.create({ data: { placed: "today" } }); }
"""
    found = mapped({"prisma/schema.prisma": schema, "src/desk.ts": desk})
    assert {one for one in found if "rder" in one} - {"Order.lines"} >= {
        "Order MAPS_TO orders",
        "Order.id MAPS_TO orders.id",
        "Order.placed MAPS_TO orders.placed_on",
        "Order.buyerId MAPS_TO orders.buyerId",
        "late READS orders",
        "late READS orders.placed_on",
        "late READS orders.id",
        "add WRITES orders",
        "add WRITES orders.placed_on",
    }
    assert not any(one.startswith(("Order.lines", "Order.buyer MAPS")) for one in found)


@pytest.mark.requirement("XL-M09")
def test_sequelize_models_are_defined_by_calls() -> None:
    models = """
import { sequelize } from "./db";
import { DataTypes, Model } from "sequelize";
export const Order = sequelize.define("Order", {
  placed: { type: DataTypes.STRING, field: "placed_on" },
});
export class Category extends Model {}
Category.init({ title: DataTypes.STRING }, { sequelize, tableName: "cats" });
"""
    desk = """
import { Category, Order } from "./models";
export function late(day) { return Order.findAll({ where: { placed: day } }); }
export function add(title) { return Category.create({ title }); }
"""
    assert mapped({"src/models.js": models, "src/desk.js": desk}) == {
        "Order MAPS_TO Orders",
        "Category MAPS_TO cats",
        "late READS Orders",
        "late READS Orders.placed_on",
        "add WRITES cats",
        "add WRITES cats.title",
    }


@pytest.mark.requirement("XL-M10")
def test_knex_names_tables_and_columns_in_its_calls() -> None:
    desk = """
import knex from "knex";
const db = knex({ client: "pg" });
export async function late(day) {
  return db("orders").where("placed_on", day).select("id", "total");
}
export async function add(order) { await db("orders").insert({ placed_on: order.day, total: 1 }); }
export async function all() { return db.select("id").from("buyers"); }
export function other(cache) { return cache("orders").where("a", 1); }
"""
    assert mapped({"src/desk.js": desk}) == {
        "late READS orders",
        "late READS orders.placed_on",
        "late READS orders.id",
        "late READS orders.total",
        "add WRITES orders",
        "add WRITES orders.placed_on",
        "add WRITES orders.total",
        "all READS buyers",
        "all READS buyers.id",
    }


@pytest.mark.requirement("XL-M10")
def test_columns_of_joined_tables_belong_to_the_table_they_are_prefixed_with() -> None:
    desk = """
import knex from "knex";
const db = knex({ client: "pg" });
export function names() {
  return db("orders as o")
    .join("buyers", "buyers.id", "o.buyer_id")
    .where("o.state", "late")
    .select("buyers.name", "total");
}
"""
    assert mapped({"src/desk.js": desk}) == {
        "names READS orders",
        "names READS orders.state",
        "names READS orders.buyer_id",
        "names READS buyers",
        "names READS buyers.id",
        "names READS buyers.name",
    }


@pytest.mark.requirement("XL-M07")
def test_fields_in_the_strings_of_a_query_builder_are_read() -> None:
    desk = """
import { Repository } from "typeorm";
import { Order } from "./order";
export class Desk {
  constructor(private readonly orders: Repository<Order>) {}
  late(day: string) {
    return this.orders.createQueryBuilder("o").where("o.placed < :day", { day }).getMany();
  }
}
"""
    found = mapped({"src/order.ts": TYPEORM_ENTITY, "src/desk.ts": desk}, "READS")
    assert found == {"Desk.late READS orders", "Desk.late READS orders.placed_on"}
