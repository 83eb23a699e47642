"""Incremental is full: after random edits the graph is the one a new index would make."""

import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from commonplace.engines.sqlite import SQLITE
from commonplace.index.code.bind import Drawn, bind
from commonplace.link.code.program import Program, Scale
from tests.unit.index.code.edits import Runs, check
from tests.unit.link.code.binding import program_of

MODULES = ("a", "b", "pkg/__init__", "pkg/c", "pkg/d")
NAMES = ("f", "g", "run", "Base", "Item", "Other")
# What failed is told as it was found: making it smaller takes minutes, which nobody would see the
# end of, and it is small already.
PHASES = (Phase.explicit, Phase.reuse, Phase.generate)
random_edits = settings(
    max_examples=30,
    deadline=None,
    phases=PHASES,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)

name = st.sampled_from(NAMES)
module = st.sampled_from([one.removesuffix("/__init__").replace("/", ".") for one in MODULES])


def python_lines() -> st.SearchStrategy[str]:
    """One statement of a small module: imports, classes, functions, aliases."""
    return st.one_of(
        st.builds("from {} import {}".format, module, name),
        st.builds("from {} import {} as {}".format, module, name, name),
        st.builds("import {}".format, module),
        st.just("from pkg.c import *"),
        st.builds("def {}(x=None):\n    return {}(x)".format, name, name),
        st.builds("def {}(x):\n    y = {}()\n    return y.run(x)".format, name, name),
        st.builds(
            "class {}({}):\n    def run(self, x):\n        return self.f(x)".format, name, name
        ),
        st.builds("class {}:\n    def f(self, x):\n        return {}(x)".format, name, name),
        st.builds("{} = {}".format, name, name),
        # What no other file can see: names of one file only, what a body does for itself.
        st.builds("def lonely(x):\n    y = {}(x)\n    return y".format, name),
        st.builds("def {}(x):\n    y = {}()\n    y.run({})\n    return x".format, name, name, name),
    )


def script_lines() -> st.SearchStrategy[str]:
    """The same in TypeScript."""
    place = st.sampled_from(["./a", "./b", "./pkg/c", "./pkg/d", "../a", "../b", "./c", "./d"])
    return st.one_of(
        st.builds("import {{ {} }} from '{}';".format, name, place),
        st.builds("export {{ {} }} from '{}';".format, name, place),
        st.builds("export * from '{}';".format, place),
        st.builds("export function {}(x?: any) {{ return {}(x); }}".format, name, name),
        st.builds(
            "export class {} extends {} {{ run(x: any) {{ return this.f(x); }} }}".format,
            name,
            name,
        ),
        st.builds("export class {} {{ f(x: any) {{ return {}(x); }} }}".format, name, name),
        st.builds("export const {} = new {}();".format, name, name),
        st.builds("export function lonely(x: any) {{ const y = {}(x); return y; }}".format, name),
        st.builds(
            "export function {}(x: any) {{ const y = new {}(); y.run({}); return x; }}".format,
            name,
            name,
            name,
        ),
    )


def java_lines() -> st.SearchStrategy[str]:
    """Classes of a file of Java; a file is its package by its folder."""
    kind = st.sampled_from(("Base", "Item", "Other"))
    return st.one_of(
        st.builds("import pkg.{};".format, kind),
        st.just("import pkg.*;"),
        st.builds("import static pkg.{}.{};".format, kind, name),
        st.builds("class {} {{ {} f({} x) {{ return x; }} }}".format, kind, kind, kind),
        st.builds(
            "class {} extends {} {{ void run({} x) {{ f(x).run(x); g(); }} }}".format, *[kind] * 3
        ),
        st.builds("interface {} {{ {} f({} x); }}".format, kind, kind, kind),
        st.builds("class {} implements {} {{ {} own = new {}(); }}".format, *[kind] * 4),
        st.builds(
            "class {} {{ static {} g() {{ return new {}().f(null); }} }}".format, *[kind] * 3
        ),
        st.builds(
            "class {} {{ void run(int x) {{}} void run({} x) {{ run(1); }} }}".format, kind, kind
        ),
    )


def csharp_lines() -> st.SearchStrategy[str]:
    """The same in C#, with partial classes and extension methods."""
    kind = st.sampled_from(("Base", "Item", "Other"))
    return st.one_of(
        st.just("using Pkg;"),
        st.builds("namespace Pkg {{ public class {} {{ public {} Own; }} }}".format, kind, kind),
        st.builds("partial class {} {{ {} F({} x) => x; }}".format, kind, kind, kind),
        st.builds("class {} : {} {{ void Run({} x) {{ F(x).Run(x); }} }}".format, *[kind] * 3),
        st.builds("interface {} {{ {} F({} x); }}".format, kind, kind, kind),
        st.builds(
            "static class {} {{ public static {} G(this {} x) {{ return x.G().F(x); }} }}".format,
            *[kind] * 3,
        ),
        st.builds(
            "class {} {{ void Run(int x) {{}} void Run({} x) {{ Run(1); }} }}".format, kind, kind
        ),
    )


def go_lines() -> st.SearchStrategy[str]:
    """The same in Go: files of a folder are one package."""
    return st.one_of(
        st.just('import "example.com/x/pkg"'),
        st.builds("func {}(x {}) {} {{ return {}(x) }}".format, *[name] * 4),
        st.builds("type {} struct {{ {} }}".format, name, name),
        st.builds("type {} interface {{ run(x int) }}".format, name),
        st.builds("func (o *{}) run(x int) {{ o.f(x); pkg.{}(x) }}".format, name, name),
        st.builds("var {} = {}{{}}".format, name, name),
    )


MANIFESTS = {".go": {"go.mod": st.just("module example.com/x\n")}}
HEADS = {".go": ("package one\n\n",), ".java": ("", "package pkg;\n\n")}


def edits(lines: Callable[[], st.SearchStrategy[str]], suffix: str) -> st.SearchStrategy[Runs]:
    """Some runs, each with a few files written or removed."""
    head = st.sampled_from(HEADS.get(suffix, ("",)))
    text = st.builds("{}{}".format, head, st.lists(lines(), max_size=4).map("\n\n".join))
    paths = st.sampled_from([f"{one}{suffix}" for one in MODULES])
    run = st.dictionaries(paths, st.none() | text | text, min_size=1, max_size=2)
    start = st.fixed_dictionaries(
        {f"{one}{suffix}": text for one in MODULES[:4]} | MANIFESTS.get(suffix, {})
    )
    return st.builds(
        lambda first, rest: [first, *rest], start, st.lists(run, min_size=1, max_size=4)
    )


LANGUAGES = [
    (python_lines, ".py"),
    (script_lines, ".ts"),
    (java_lines, ".java"),
    (csharp_lines, ".cs"),
    (go_lines, ".go"),
]


@pytest.mark.requirement("CIX-07")
@pytest.mark.parametrize(("lines", "suffix"), LANGUAGES)
@random_edits
@given(data=st.data())
async def test_random_edits_leave_the_graph_of_a_full_index(
    tmp_path: Path,
    lines: Callable[[], st.SearchStrategy[str]],
    suffix: str,
    data: st.DataObject,
) -> None:
    runs = data.draw(edits(lines, suffix))
    await check(tmp_path, runs, data.draw(st.booleans()))


TABLES = (
    "CREATE TABLE customers (id int primary key, name text, email text);\n",
    "CREATE TABLE customers (id int primary key, name text);\nCREATE TABLE orders (id int);\n",
    "CREATE VIEW big AS SELECT c.name, o.total FROM customers c JOIN orders o ON o.id = c.id;\n",
    "CREATE VIEW big AS SELECT name AS who FROM customers;\n",
    "ALTER TABLE customers ADD COLUMN phone text;\nINSERT INTO orders (id) SELECT id FROM big;\n",
)
QUERIES = (
    "def load(cursor):\n    cursor.execute('SELECT name, total FROM big')\n",
    "def save(cursor):\n    cursor.execute('UPDATE orders SET total = 1 WHERE id = 2')\n",
    "from sqlalchemy import Column, Integer, String\n\n\nclass Customer(Base):\n"
    "    __tablename__ = 'customers'\n    id = Column(Integer)\n    name = Column(String)\n",
)
ENTITIES = (
    """import jakarta.persistence.*;

@Entity
@Table(name = "customers")
class Customer {
    @Id Long id;
    @Column(name = "name") String who;
}
""",
    """import jakarta.persistence.*;

@Entity(name = "Buyer")
@Table(name = "orders")
class Customer {
    @Id Long id;
    Long total;
}
""",
)
REPOSITORIES = (
    """import org.springframework.data.jpa.repository.*;

interface Customers extends JpaRepository<Customer, Long> {
    Customer findByWho(String who);

    @Query("SELECT c.who FROM Customer c")
    String all();
}
""",
    """class Customers {
    void load(java.sql.Connection db) throws Exception {
        db.prepareStatement("SELECT name FROM customers").executeQuery();
    }
}
""",
)
CONTEXTS = (
    """using Microsoft.EntityFrameworkCore;

public class Shop : DbContext
{
    public DbSet<Buyer> Buyers { get; set; }
    protected override void OnModelCreating(ModelBuilder m)
    {
        m.Entity<Buyer>().ToTable("customers").Property(b => b.Who).HasColumnName("name");
    }
}
""",
    """using Dapper;

public class Shop
{
    public Buyer Load(System.Data.IDbConnection db) =>
        db.QueryFirst<Buyer>("SELECT id, name AS Who FROM customers");
    public void Save(System.Data.IDbConnection db) => db.Execute(Sql.Update);
}
""",
)
BUYERS = (
    "public class Buyer { public int Id { get; set; } public string Who { get; set; } }\n"
    'public static class Sql { public const string Update = "UPDATE orders SET total = 1"; }\n',
    "public class Buyer { public int Id { get; set; } }\n"
    'public static class Sql { public const string Update = "DELETE FROM customers"; }\n',
)
MIGRATIONS = tuple(
    f"from alembic import op\nimport sqlalchemy as sa\n\nrevision = '{own}'\n"
    f"down_revision = {before}\n\n\ndef upgrade():\n    {step}\n"
    for own, before in (("m1", "None"), ("m1", "'m2'"), ("m2", "'m1'"))
    for step in (
        "op.create_table('customers', sa.Column('name'), sa.Column('email'))",
        "op.add_column('customers', sa.Column('total'))",
        "op.drop_column('customers', 'name')",
        "op.rename_table('customers', 'orders')",
    )
)
CROSSING = {
    "m_one.py": st.sampled_from(MIGRATIONS),
    "m_two.py": st.sampled_from(MIGRATIONS),
    "one.sql": st.sampled_from(TABLES),
    "two.sql": st.sampled_from(TABLES),
    "app.py": st.sampled_from(QUERIES),
    "web.ts": st.just("export const f = (db) => db.query('SELECT email FROM customers');\n"),
    "Customer.java": st.sampled_from(ENTITIES),
    "Customers.java": st.sampled_from(REPOSITORIES),
    "Shop.cs": st.sampled_from(CONTEXTS),
    "Buyer.cs": st.sampled_from(BUYERS),
}


@pytest.mark.requirement("CIX-07")
@random_edits
@given(
    start=st.fixed_dictionaries(CROSSING),
    rest=st.lists(
        st.sampled_from(sorted(CROSSING)).flatmap(
            lambda path: st.fixed_dictionaries({path: st.none() | CROSSING[path] | CROSSING[path]})
        ),
        min_size=1,
        max_size=4,
    ),
    keeps=st.booleans(),
)
async def test_random_edits_across_languages_leave_the_graph_of_a_full_index(
    tmp_path: Path,
    start: dict[str, str | None],
    rest: Runs,
    keeps: bool,
) -> None:
    await check(tmp_path, [start, *rest], keeps)


@pytest.mark.requirement("CIX-22")
@settings(parent=random_edits, max_examples=8)
@given(data=st.data())
async def test_random_edits_in_the_default_engine_leave_the_graph_of_a_full_index(
    data: st.DataObject,
) -> None:
    lines, suffix = data.draw(st.sampled_from(LANGUAGES))
    runs = data.draw(edits(lines, suffix))
    crossing = data.draw(st.fixed_dictionaries({}, optional=CROSSING))
    runs[0] = {**runs[0], **crossing}
    with tempfile.TemporaryDirectory() as folder:
        store = SQLITE.open(f"sqlite://{folder}/index.db")
        try:
            await check(Path(folder), runs, data.draw(st.booleans()), store)
        finally:
            await store.close()


def told(drawn: Drawn) -> tuple[object, ...]:
    """All that passes state for a document, in an order of its own."""
    assert drawn.faults == []
    return sorted(drawn.nodes), {
        key: (e.confidence, e.properties) for key, e in drawn.edges.items()
    }


@pytest.mark.requirement("BIND-21")
@pytest.mark.parametrize("small", [-1, Scale().calls_at_once])
@settings(parent=random_edits, max_examples=25)
@given(data=st.data())
def test_a_file_bound_alone_has_the_edges_it_has_among_all(small: int, data: st.DataObject) -> None:
    lines, suffix = data.draw(st.sampled_from(LANGUAGES))
    files = data.draw(edits(lines, suffix))[0]
    files = {**files, **data.draw(st.fixed_dictionaries({}, optional=CROSSING))}
    texts = {path: text for path, text in files.items() if text is not None}

    def program() -> Program:
        return program_of(texts, Scale(calls_at_once=small))

    together = program()
    order = data.draw(st.permutations(sorted(together.units)))
    found = bind(together, order)
    for one in together.units:
        alone = bind(program(), [one])
        assert told(alone[one]) == told(found[one]), one
