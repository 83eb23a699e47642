"""Small programs of several languages and what crosses them; the rules found by them."""

import pytest

from eval.lineage.across import Small, drawn, load
from tests.unit.link.code.crossing import lines, ties
from tests.unit.link.code.embedding import embedded

PROGRAMS = [one for name in ("programs", "third", "fourth", "fifth") for one in load(name)]
_MODELS = """
from django.db import models
class Buyer(models.Model):
    code = models.CharField(primary_key=True)
    parent = models.ForeignKey("self", null=True)
class Order(models.Model):
    buyer = models.ForeignKey("shop.Buyer", on_delete=models.CASCADE)
    total = models.IntegerField()
    class Meta:
        db_table = "orders"
"""


@pytest.mark.requirement("XL-A05")
@pytest.mark.parametrize("small", PROGRAMS, ids=[one.name for one in PROGRAMS])
def test_published_programs_are_exact(small: Small) -> None:
    assert drawn(small) == small.edges


@pytest.mark.requirement("XL-S13")
def test_text_that_a_function_gives_back_is_run_where_it_is_called() -> None:
    builder = """
from dataclasses import dataclass
@dataclass
class Builder:
    table: str = "orders"
    def late(self) -> str:
        if self.table:
            return f"SELECT id FROM {self.table} WHERE state = 'late'"
        return ""
"""
    desk = """
from builder import Builder
class Desk:
    def __init__(self, builder: Builder):
        self.builder = builder
    async def late(self, connection):
        return await connection.fetch(self.builder.late())
"""
    assert embedded({"builder.py": builder, "desk.py": desk}) == {
        "Desk.late READS orders",
        "Desk.late READS orders.id",
        "Desk.late READS orders.state",
    }


@pytest.mark.requirement("XL-S13")
def test_a_function_that_calls_itself_gives_no_text() -> None:
    text = """
def again(cursor):
    cursor.execute(again(cursor))
"""
    assert embedded({"a.py": text}) == set()


@pytest.mark.requirement("XL-S13")
def test_a_list_made_in_two_ways_is_not_guessed() -> None:
    text = """
def find(cursor, extra):
    parts = ["SELECT id", "FROM orders"]
    parts = extra
    cursor.execute(" ".join(parts))
"""
    assert embedded({"a.py": text}) == set()


@pytest.mark.requirement("XL-S13")
def test_a_key_that_is_no_literal_chooses_no_query() -> None:
    text = """
QUERIES = {Kind.A: "SELECT id FROM orders", Kind.B: "SELECT name FROM buyers"}
def find(cursor):
    cursor.execute(QUERIES[Kind.B])
"""
    assert embedded({"a.py": text}) == set()


@pytest.mark.requirement("XL-S14")
def test_names_of_parts_of_a_query_are_no_tables_but_tables_are() -> None:
    text = """
def dequeue(composer, connection):
    composer.part("picked", "SELECT id FROM orders WHERE state = 'new'")
    body = "UPDATE orders SET state = 'x' FROM picked WHERE picked.id = orders.id RETURNING *"
    composer.part("taken", body)
    composer.part("buyers", "SELECT id FROM picked")
    connection.fetch("SELECT taken.id, buyers.name FROM taken JOIN buyers ON true")
"""
    found = embedded({"a.py": text}, "READS", "WRITES")
    assert not any("picked" in one or "taken" in one for one in found)
    assert {"dequeue READS orders.state", "dequeue READS buyers.name"} <= found


@pytest.mark.requirement("XL-M13")
def test_paths_of_django_are_followed_over_relations_and_keys() -> None:
    views = """
from django.db.models import F, Q, Sum
from .models import Order
def up(k):
    return Order.objects.filter(Q(buyer__parent__pk=k) | ~Q(pk=1)).aggregate(s=Sum("total"))
def bump():
    Order.objects.update(total=F("total") * 2)
"""
    files = {"shop/models.py": _MODELS, "shop/views.py": views}
    assert lines(ties(files, "mappings"), "READS", "WRITES") == {
        *("up READS orders", "up READS orders.buyer_id", "up READS orders.id"),
        *("up READS orders.total", "up READS shop_buyer", "up READS shop_buyer.parent_id"),
        *("up READS shop_buyer.code", "bump WRITES orders", "bump WRITES orders.total"),
        *("bump READS orders", "bump READS orders.total"),
    }


@pytest.mark.requirement("XL-M13")
def test_a_relation_that_is_only_compared_reads_no_row_behind_it() -> None:
    views = """
from .models import Order
def of(buyer):
    return Order.objects.filter(buyer=buyer, buyer__isnull=False)
def whole():
    return Order.objects.select_related("buyer")
"""
    files = {"shop/models.py": _MODELS, "shop/views.py": views}
    assert lines(ties(files, "mappings"), "READS", "WRITES") == {
        *("of READS orders", "of READS orders.buyer_id"),
        *("whole READS orders", "whole READS orders.buyer_id", "whole READS shop_buyer"),
    }


@pytest.mark.requirement("XL-M13")
def test_names_an_annotation_gives_are_no_fields() -> None:
    views = """
from django.db.models import Max
from .models import Order
def most():
    return Order.objects.annotate(total=Max("buyer__code"))
"""
    files = {"shop/models.py": _MODELS, "shop/views.py": views}
    found = lines(ties(files, "mappings"), "READS", "WRITES")
    assert "most READS orders.total" not in found
    assert "most READS shop_buyer.code" in found
