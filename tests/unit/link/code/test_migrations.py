"""What migrations leave: tables and columns after all of them ran, none of them taken back."""

from collections.abc import Mapping

import pytest

from commonplace.link.code.lineage.schema import schema_of
from commonplace.link.code.lineage.trace import columns_of
from tests.unit.link.code.crossing import program_of, ties


def left(files: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Tables that are there in the end, and their columns."""
    program = program_of(files)
    schema = schema_of(program)
    return {
        table.name: tuple(columns_of(program, schema, table.name) or ())
        for table in schema.tables.values()
        if not table.dropped_in
    }


ALEMBIC = '''"""{name}."""
import sqlalchemy as sa
from alembic import op

revision = "{name}"
down_revision = {before}


def upgrade():
    {up}


def downgrade():
    {down}
'''


def alembic(name: str, before: str, up: str, down: str = "pass") -> str:
    return ALEMBIC.format(name=name, before=before, up=up, down=down)


@pytest.mark.requirement("MIG-01")
def test_alembic_runs_in_the_order_of_its_revisions_and_not_of_its_files() -> None:
    files = {
        "versions/c1_first.py": alembic(
            "c1", "None", 'op.create_table("orders", sa.Column("id", sa.Integer), sa.Column("a"))'
        ),
        "versions/b2_second.py": alembic(
            "b2", '"c1"', 'op.add_column("orders", sa.Column("b", sa.Text))'
        ),
        "versions/a3_third.py": alembic("a3", '"b2"', 'op.drop_column("orders", "b")'),
    }
    assert left(files) == {"orders": ("id", "a")}


@pytest.mark.requirement("MIG-01")
def test_alembic_renames_drops_and_alters() -> None:
    files = {
        "versions/1.py": alembic(
            "1",
            "None",
            'op.create_table("orders", sa.Column("id"), sa.Column("total"), sa.Column("old"))\n'
            '    op.create_table("notes", sa.Column("id"))',
            'op.drop_table("orders")\n    op.create_table("earlier", sa.Column("id"))',
        ),
        "versions/2.py": alembic(
            "2",
            '("1",)',
            'op.alter_column("orders", "total", new_column_name="amount")\n'
            '    op.rename_table("orders", "sales")\n'
            '    op.drop_table("notes")\n'
            '    with op.batch_alter_table("sales") as batch:\n'
            '        batch.drop_column("old")\n'
            '        batch.add_column(sa.Column("new"))',
            'op.drop_column("sales", "new")',
        ),
    }
    assert left(files) == {"sales": ("id", "amount", "new")}


DJANGO = """from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = []
    operations = [
        {operations}
    ]
"""


@pytest.mark.requirement("MIG-02")
def test_django_adds_removes_and_renames_fields_models_and_tables() -> None:
    operations = {
        "0001_initial": """migrations.CreateModel(
            name="Order",
            fields=[("id", models.AutoField(primary_key=True)), ("note", models.TextField())],
        ),
        migrations.CreateModel(
            name="Buyer", fields=[("id", models.AutoField())], options={"db_table": "people"}
        ),
        migrations.CreateModel(name="Gone", fields=[("id", models.AutoField())]),""",
        "0002_more": """migrations.AddField("order", "buyer", models.ForeignKey("Buyer")),
        migrations.AddField(model_name="buyer", name="mail", field=models.TextField()),
        migrations.RenameField("order", "note", "remark"),
        migrations.DeleteModel(name="Gone"),""",
        "0003_last": """migrations.RenameModel("Order", "Sale"),
        migrations.AddField("sale", "paid", models.BooleanField()),
        migrations.RemoveField(model_name="sale", name="remark"),
        migrations.AlterModelTable(name="sale", table="sales"),
        migrations.AddField("sale", "sent", models.BooleanField()),""",
    }
    files = {
        f"shop/migrations/{name}.py": DJANGO.format(operations=listed)
        for name, listed in operations.items()
    }
    assert left(files) == {
        "people": ("id", "mail"),
        "sales": ("id", "buyer_id", "paid", "sent"),
    }


@pytest.mark.requirement("MIG-03")
def test_flyway_runs_versions_then_what_is_repeated_and_nothing_that_undoes() -> None:
    assert left(
        {
            "db/V1__init.sql": "CREATE TABLE t (a int, b int); CREATE TABLE u (a int);",
            "db/V1.1__more.sql": "ALTER TABLE t ADD COLUMN c int;",
            "db/V2__names.sql": "ALTER TABLE t RENAME COLUMN b TO z; ALTER TABLE u RENAME TO w;",
            "db/V10__last.sql": "ALTER TABLE t DROP COLUMN c; ALTER TABLE w ADD d int;",
            "db/R__view.sql": "CREATE VIEW v AS SELECT * FROM t;",
            "db/U10__last.sql": "ALTER TABLE t ADD COLUMN c int; DROP TABLE w;",
        }
    ) == {"t": ("a", "z"), "w": ("a", "d"), "v": ("a", "z")}


EF = """using Microsoft.EntityFrameworkCore.Migrations;

public partial class {name} : Migration
{{
    protected override void Up(MigrationBuilder migrationBuilder)
    {{
        {up}
    }}

    protected override void Down(MigrationBuilder migrationBuilder)
    {{
        {down}
    }}
}}
"""


@pytest.mark.requirement("MIG-04")
def test_ef_core_runs_up_by_time_and_never_down() -> None:
    files = {
        "Migrations/20240101000000_Init.cs": EF.format(
            name="Init",
            up='migrationBuilder.CreateTable(name: "Orders", columns: table => new\n'
            "        { Id = table.Column<int>(), Total = table.Column<int>(), Old = "
            "table.Column<int>() });\n"
            '        migrationBuilder.CreateTable(name: "Notes", columns: table => new '
            "{ Id = table.Column<int>() });",
            down='migrationBuilder.DropTable(name: "Orders");',
        ),
        "Migrations/20240301000000_Change.cs": EF.format(
            name="Change",
            up='migrationBuilder.AddColumn<string>(name: "State", table: "Orders");\n'
            '        migrationBuilder.DropColumn(name: "Old", table: "Orders");\n'
            '        migrationBuilder.RenameColumn(name: "Total", table: "Orders", '
            'newName: "Amount");\n'
            '        migrationBuilder.DropTable(name: "Notes");\n'
            '        migrationBuilder.RenameTable(name: "Orders", newName: "Sales");',
            down='migrationBuilder.DropColumn(name: "State", table: "Sales");\n'
            '        migrationBuilder.CreateTable(name: "Notes", columns: table => new '
            "{ Id = table.Column<int>() });",
        ),
    }
    assert left(files) == {"Sales": ("Id", "Amount", "State")}


@pytest.mark.requirement("MIG-05")
def test_sql_named_by_time_as_rails_does_runs_up_in_order_and_not_down() -> None:
    assert left(
        {
            "db/migrate/20240101120000_orders.up.sql": "CREATE TABLE orders (id int, a int);",
            "db/migrate/20240101120000_orders.down.sql": "DROP TABLE orders;",
            "db/migrate/20240102090000_change.sql": "-- migrate:up\nALTER TABLE orders ADD b int;\n"
            "ALTER TABLE orders RENAME COLUMN a TO c;\n\n-- migrate:down\n"
            "ALTER TABLE orders DROP COLUMN b;\n",
            "db/migrate/20231231000000_before.sql": "CREATE TABLE users (id int);",
            "db/migrate/20240103000000_drop.sql": "DROP TABLE users;",
        }
    ) == {"orders": ("id", "c", "b")}


@pytest.mark.requirement("MIG-05")
def test_a_structure_beside_its_migrations_says_the_same_once() -> None:
    assert left(
        {
            "db/migrate/20240101_init.sql": "CREATE TABLE orders (id int, a int);",
            "db/migrate/20240102_more.sql": "ALTER TABLE orders ADD b int; "
            "ALTER TABLE orders DROP COLUMN a;",
            "db/structure.sql": "CREATE TABLE public.orders (id int NOT NULL, b int);\n"
            "INSERT INTO schema_migrations (version) VALUES ('20240101'), ('20240102');",
        }
    )["public.orders"] == ("id", "b")


@pytest.mark.requirement("MIG-06")
def test_a_query_reads_the_column_a_migration_left() -> None:
    files = {
        "versions/1.py": alembic("1", "None", 'op.create_table("orders", sa.Column("total"))'),
        "versions/2.py": alembic(
            "2", '"1"', 'op.alter_column("orders", "total", new_column_name="amount")'
        ),
        "app.py": "def load(cursor):\n    cursor.execute('SELECT amount FROM orders')\n",
    }
    assert ("load", "READS", "orders.amount") in ties(files, "embedded", "mappings")


@pytest.mark.requirement("MIG-01")
def test_alembic_may_say_it_in_sql() -> None:
    first = """op.execute("CREATE TABLE orders (id INT, total INT); CREATE TABLE old (a INT)")
    op.execute("CREATE TABLE sums AS SELECT total FROM orders")"""
    second = """op.execute("ALTER TABLE orders ADD COLUMN note TEXT, DROP COLUMN id")
    op.execute(sa.text("ALTER TABLE orders RENAME COLUMN total TO amount"))
    op.get_bind().execute(sa.text("ALTER TABLE sums RENAME TO totals"))
    op.execute("DROP TABLE old")
    op.execute("UPDATE orders SET note = 'x'")"""
    files = {
        "versions/1.py": alembic("a", "None", first),
        "versions/2.py": alembic("b", '"a"', second, 'op.execute("ALTER TABLE orders DROP note")'),
    }
    assert left(files) == {"orders": ("amount", "note"), "totals": ("total",)}


@pytest.mark.requirement("MIG-02")
def test_django_may_say_it_in_sql() -> None:
    sql = """
from django.db import migrations


class Migration(migrations.Migration):
    operations = [
        migrations.RunSQL("CREATE TABLE notes (id INT, text TEXT)", "DROP TABLE notes"),
        migrations.RunSQL(sql="ALTER TABLE notes ADD COLUMN seen INT"),
    ]
"""
    assert left({"shop/migrations/0001_notes.py": sql}) == {"notes": ("id", "text", "seen")}


@pytest.mark.requirement("MIG-04")
def test_entity_framework_may_say_it_in_sql() -> None:
    sql = """
public partial class Notes : Migration
{
    protected override void Up(MigrationBuilder migrationBuilder)
    {
        migrationBuilder.Sql("CREATE TABLE dbo.Notes (Id INT, Old INT)");
        migrationBuilder.Sql("ALTER TABLE dbo.Notes DROP COLUMN Old");
    }
    protected override void Down(MigrationBuilder migrationBuilder)
    {
        migrationBuilder.Sql("DROP TABLE dbo.Notes");
    }
}
"""
    assert left({"Migrations/20240101_Notes.cs": sql}) == {"dbo.Notes": ("Id",)}
