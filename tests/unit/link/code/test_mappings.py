"""Which classes are kept in which tables, and which functions read and write through them."""

import pytest

from tests.unit.link.code.crossing import lines, ties


def mapped(files: dict[str, str], *relations: str) -> set[str]:
    return lines(ties(files, "mappings"), *relations)


@pytest.mark.requirement("XL-M01")
def test_a_declarative_class_is_its_table_and_its_attributes_its_columns() -> None:
    model = """
from sqlalchemy import Column, Integer, ForeignKey
from sqlalchemy.orm import relationship
from base import Base

class Order(Base):
    __tablename__ = "orders"
    __table_args__ = ({"schema": "shop"},)
    id = Column(Integer, primary_key=True)
    total = Column("total_cents", Integer)
    buyer_id = Column(ForeignKey("buyers.id"))
    buyer = relationship("Buyer")
"""
    assert mapped({"model.py": model}) == {
        "Order MAPS_TO shop.orders",
        "Order.id MAPS_TO shop.orders.id",
        "Order.total MAPS_TO shop.orders.total_cents",
        "Order.buyer_id MAPS_TO shop.orders.buyer_id",
    }


@pytest.mark.requirement("XL-M02")
def test_statements_made_of_classes_read_and_write_the_columns_they_name() -> None:
    model = """
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
class Base(DeclarativeBase): ...
class Order(Base):
    __tablename__ = "orders"
    id: Mapped[int] = mapped_column(primary_key=True)
    state: Mapped[str]
"""
    store = """
from sqlalchemy import select, update
from model import Order

def late(session):
    return session.scalars(select(Order).where(Order.state == "late"))

def close(session, key):
    session.execute(update(Order).where(Order.id == key).values(state="closed"))

def add(session):
    order = Order(state="new")
    session.add(order)

def unrelated(items):
    items.add(3)
    return items.get("state")
"""
    assert mapped({"model.py": model, "store.py": store}, "READS", "WRITES") == {
        "late READS orders",
        "late READS orders.state",
        "close READS orders",
        "close READS orders.id",
        "close WRITES orders",
        "close WRITES orders.state",
        "add WRITES orders",
        "add WRITES orders.state",
    }


@pytest.mark.requirement("XL-M03")
def test_django_models_follow_the_naming_rule_unless_they_say_otherwise() -> None:
    models = """
from django.db import models

class Stamped(models.Model):
    made_at = models.DateTimeField()
    class Meta:
        abstract = True

class Author(models.Model):
    name = models.CharField(max_length=50, db_column="full_name")

class Book(Stamped):
    title = models.CharField(max_length=50)
    author = models.ForeignKey(Author, on_delete=models.CASCADE)
    tags = models.ManyToManyField("Tag")
    class Meta:
        db_table = "library_books"
"""
    views = """
from shop.models import Author, Book

def by_title(title):
    return Book.objects.filter(title__icontains=title).order_by("-made_at")

def add(name):
    Author.objects.create(name=name)

def rename(key, name):
    author = Author()
    author.name = name
    author.save()
"""
    assert mapped({"shop/models.py": models, "shop/views.py": views}) == {
        "Author MAPS_TO shop_author",
        "Author.name MAPS_TO shop_author.full_name",
        "Book MAPS_TO library_books",
        "Book.title MAPS_TO library_books.title",
        "Book.author MAPS_TO library_books.author_id",
        "Stamped.made_at MAPS_TO library_books.made_at",
        "by_title READS library_books",
        "by_title READS library_books.title",
        "by_title READS library_books.made_at",
        "add WRITES shop_author",
        "add WRITES shop_author.full_name",
        "rename WRITES shop_author",
        "rename WRITES shop_author.full_name",
    }


@pytest.mark.requirement("XL-M04")
def test_entities_of_jpa_map_fields_by_annotation_or_rule() -> None:
    entity = """
package shop;
import jakarta.persistence.*;

@Entity
public class OrderLine {
    @Id private Long id;
    @Column(name = "qty") private int quantity;
    private String stockCode;
    @ManyToOne private Order order;
    @OneToMany(mappedBy = "line") private java.util.List<Note> notes;
    @Transient private int cached;
    private static final int LIMIT = 3;
}
"""
    plain = mapped({"shop/OrderLine.java": entity})
    assert "OrderLine MAPS_TO OrderLine" in plain
    assert "OrderLine.stockCode MAPS_TO OrderLine.stockCode" in plain
    spring = "package shop;\nimport org.springframework.boot.SpringApplication;\nclass A {}\n"
    assert mapped({"shop/OrderLine.java": entity, "shop/A.java": spring}) == {
        "OrderLine MAPS_TO order_line",
        "OrderLine.id MAPS_TO order_line.id",
        "OrderLine.quantity MAPS_TO order_line.qty",
        "OrderLine.stockCode MAPS_TO order_line.stock_code",
        "OrderLine.order MAPS_TO order_line.order_id",
    }


@pytest.mark.requirement("XL-M05")
def test_names_of_repository_methods_tell_what_they_read() -> None:
    entities = """
package shop;
import jakarta.persistence.*;
@Entity @Table(name = "buyers") class Buyer { @Id Long id; String lastName; }
"""
    order = """
package shop;
import jakarta.persistence.*;
@Entity @Table(name = "orders") class Order {
    @Id Long id;
    @Column(name = "placed_on") String placed;
    @ManyToOne Buyer buyer;
}
"""
    repository = """
package shop;
import org.springframework.data.repository.CrudRepository;
interface Orders extends CrudRepository<Order, Long> {
    java.util.List<Order> findTop3ByPlacedAfterAndBuyerLastNameOrderByIdDesc(String a, String b);
    long deleteByPlacedBefore(String day);
    default String label() { return "orders"; }
}
"""
    service = """
package shop;
class Desk {
    private final Orders orders;
    Desk(Orders orders) { this.orders = orders; }
    void keep(Order order) { orders.save(order); }
    Object one(Long id) { return orders.findById(id); }
}
"""
    files = {
        "shop/Buyer.java": entities,
        "shop/Order.java": order,
        "shop/Orders.java": repository,
        "shop/Desk.java": service,
    }
    method = "Orders.findTop3ByPlacedAfterAndBuyerLastNameOrderByIdDesc"
    assert mapped(files, "READS", "WRITES") == {
        f"{method} READS orders",
        f"{method} READS orders.placed_on",
        f"{method} READS orders.id",
        f"{method} READS orders.buyer_id",
        f"{method} READS buyers",
        f"{method} READS buyers.last_name",
        "Orders.deleteByPlacedBefore WRITES orders",
        "Orders.deleteByPlacedBefore READS orders",
        "Orders.deleteByPlacedBefore READS orders.placed_on",
        "Desk.keep WRITES orders",
        "Desk.one READS orders",
    }


@pytest.mark.requirement("XL-M06")
def test_entity_framework_takes_what_the_context_configures_over_attributes_and_names() -> None:
    entity = """
using System.ComponentModel.DataAnnotations.Schema;
namespace Shop;
[Table("tbl_orders")]
public class Order {
    public int Id { get; set; }
    [Column("placed_on")] public string Placed { get; set; }
    public Buyer Buyer { get; set; }
    public List<Line> Lines { get; set; }
}
public class Buyer { public int Id { get; set; } public string Name { get; set; } }
"""
    context = """
using Microsoft.EntityFrameworkCore;
namespace Shop;
public class ShopContext : DbContext {
    public DbSet<Order> Orders { get; set; }
    public DbSet<Buyer> Buyers { get; set; }
    protected override void OnModelCreating(ModelBuilder builder) {
        builder.Entity<Order>().ToTable("orders", "sales");
        builder.Entity<Buyer>(b => { b.Property(x => x.Name).HasColumnName("full_name"); });
    }
}
"""
    desk = """
namespace Shop;
public class Desk {
    private readonly ShopContext _db;
    public Desk(ShopContext db) { _db = db; }
    public Buyer Find(string name) { return _db.Buyers.Where(b => b.Name == name).First(); }
    public void Close(int id) {
        var order = _db.Orders.Find(id);
        order.Placed = "";
        _db.SaveChanges();
    }
    public void Drop(Order order) { _db.Set<Order>().Remove(order); }
    public object Named(string n) { return (from b in _db.Buyers where b.Name == n select b); }
}
"""
    files = {"Order.cs": entity, "ShopContext.cs": context, "Desk.cs": desk}
    assert mapped(files) == {
        "Order MAPS_TO sales.orders",
        "Order.Id MAPS_TO sales.orders.Id",
        "Order.Placed MAPS_TO sales.orders.placed_on",
        "Buyer MAPS_TO Buyers",
        "Buyer.Id MAPS_TO Buyers.Id",
        "Buyer.Name MAPS_TO Buyers.full_name",
        "Desk.Find READS Buyers",
        "Desk.Find READS Buyers.full_name",
        "Desk.Close READS sales.orders",
        "Desk.Close WRITES sales.orders",
        "Desk.Close WRITES sales.orders.placed_on",
        "Desk.Drop WRITES sales.orders",
        "Desk.Named READS Buyers",
        "Desk.Named READS Buyers.full_name",
    }


@pytest.mark.requirement("XL-M03")
def test_conditions_and_shortcuts_of_django_name_fields() -> None:
    code = """
from django.db import models
from django.db.models import Q
from django.shortcuts import get_object_or_404

class Book(models.Model):
    title = models.CharField(max_length=9)
    year = models.IntegerField()

def found(words):
    return Book.objects.filter(Q(title=words) | Q(year__gte=1900))

def one(key):
    return get_object_or_404(Book, title=key)
"""
    assert mapped({"shop/models.py": code}, "READS") >= {
        "found READS shop_book",
        "one READS shop_book",
        "one READS shop_book.title",
    }


@pytest.mark.requirement("XL-M11")
def test_migrations_in_code_make_tables_and_columns() -> None:
    alembic = """
import sqlalchemy as sa
from alembic import op

def upgrade():
    op.create_table(
        "orders", sa.Column("id", sa.Integer), sa.Column("state", sa.Text), schema="shop"
    )
    with op.batch_alter_table("buyers") as batch:
        batch.add_column(sa.Column("phone", sa.Text))

def downgrade():
    op.drop_column("buyers", "phone")
"""
    django = """
from django.db import migrations, models

class Migration(migrations.Migration):
    operations = [
        migrations.CreateModel(
            name="Order",
            fields=[("id", models.AutoField()), ("buyer", models.ForeignKey("shop.Buyer"))],
        ),
        migrations.AddField(model_name="order", name="state", field=models.TextField()),
    ]
"""
    knex = """
exports.up = function (knex) {
  return knex.schema.createTable("notes", (table) => {
    table.increments("id");
    table.string("body").notNullable();
    table.index("body");
  });
};
"""
    assert mapped({"migrations/versions/1.py": alembic}) == {
        "upgrade REFERENCES shop.orders",
        "upgrade REFERENCES shop.orders.id",
        "upgrade REFERENCES shop.orders.state",
        "upgrade REFERENCES buyers",
        "upgrade REFERENCES buyers.phone",
        "downgrade REFERENCES buyers",
        "downgrade REFERENCES buyers.phone",
    }
    assert {one.partition(" ")[2] for one in mapped({"shop/migrations/0001.py": django})} == {
        "REFERENCES shop_order",
        "REFERENCES shop_order.id",
        "REFERENCES shop_order.buyer_id",
        "REFERENCES shop_order.state",
    }
    assert {one.partition(" ")[2] for one in mapped({"migrations/1.js": knex})} == {
        "REFERENCES notes",
        "REFERENCES notes.id",
        "REFERENCES notes.body",
    }
