"""Replies to the questions of 003's examples are as its examples show them."""

import pytest

from tests.unit.tools.code.repository import Repository
from tests.unit.tools.code.shop import Shop

FILES = {
    "src/Data/Interfaces/ICustomerRepository.cs": """\
namespace MyApp.Data.Interfaces
{
    public interface ICustomerRepository
    {
        Customer GetById(int id);
        void Create(Customer c);
    }
    public class Customer { public int Id { get; set; } public string Email { get; set; } }
}
""",
    "src/Data/Repositories/CustomerRepository.cs": """\
using MyApp.Data.Interfaces;
using Dapper;
using System.Data;
namespace MyApp.Data.Repositories
{
    public class CustomerRepository : ICustomerRepository
    {
        private readonly IDbConnection _db;
        public CustomerRepository(IDbConnection db) { _db = db; }
        public Customer GetById(int id)
        {
            return _db.QuerySingle<Customer>("SELECT c.Id, c.Email FROM dbo.Customers c "
                + "JOIN dbo.CustomerAddresses a ON a.CustomerId = c.Id WHERE c.Id = @id", 1);
        }
        public void Create(Customer c)
        {
            _db.Execute("INSERT INTO dbo.Customers (Id, Email) VALUES (@Id, @Email)", c);
        }
    }
}
""",
    "tests/Data/CustomerRepositoryTests.cs": """\
using Xunit;
using MyApp.Data.Repositories;
namespace MyApp.Tests.Data
{
    public class CustomerRepositoryTests
    {
        [Fact] public void GetsById() { var r = new CustomerRepository(null); r.GetById(1); }
        [Fact] public void Creates() { var r = new CustomerRepository(null); r.Create(null); }
    }
}
""",
    "db/schema.sql": """\
CREATE TABLE dbo.Customers (Id INT PRIMARY KEY, Email NVARCHAR(200));
CREATE TABLE dbo.CustomerAddresses (Id INT PRIMARY KEY, CustomerId INT, City NVARCHAR(100));
""",
}


@pytest.mark.requirement("CODE-T33")
async def test_the_class_its_interface_and_its_tests_are_the_first_three(
    repository: Repository,
) -> None:
    await repository.index(FILES)
    outcome = await repository.library.outcome(
        "code.search_symbols", query="CustomerRepository", limit=3
    )
    lines = outcome.text.splitlines()
    assert lines[0] == "Found 3 symbols matching 'CustomerRepository' (7 total, showing top 3):"
    named = [line for line in lines if "**" in line]
    assert named == [
        "1. **CustomerRepository** (CLASS)",
        "2. **ICustomerRepository** (INTERFACE)",
        "3. **CustomerRepositoryTests** (CLASS)",
    ]
    for told in (
        "   FQN: `MyApp.Data.Repositories.CustomerRepository`",
        "   File: `src/Data/Repositories/CustomerRepository.cs:6-19`",
        "   Methods: GetById, Create",
        "   Reads: dbo.Customers, dbo.CustomerAddresses",
    ):
        assert told in lines
    assert any(line.startswith("   Implementors: 1") for line in lines)
    assert any(line.startswith("   Test methods: 2") for line in lines)


@pytest.mark.requirement("CODE-T33")
async def test_a_file_is_called_by_its_own_name(repository: Repository) -> None:
    await repository.index(FILES)
    outcome = await repository.library.outcome("code.search_symbols", query="CustomerRepository")
    assert "**CustomerRepository.cs** (FILE)" in outcome.text


@pytest.mark.requirement("CODE-T34")
@pytest.mark.parametrize("tool", ["search_symbols", "get_symbol_details"])
async def test_a_compact_card_sums_up_the_parts_of_a_class(
    repository: Repository, tool: str
) -> None:
    await repository.index(FILES)
    asked = {"query" if tool == "search_symbols" else "symbol": "CustomerRepository"}
    outcome = await repository.library.outcome(f"code.{tool}", **asked, verbosity="summary")
    reply = outcome.structured
    shown = reply["symbol"] if "symbol" in reply else reply["results"][0]
    assert shown["signature"] == "public class CustomerRepository : ICustomerRepository"
    assert shown["counts"]["methods"] == 2
    assert (
        "Methods: 2 | Members: 1 | Reads: 2 tables | Writes: 1 table | Callers: 2" in outcome.text
    )


@pytest.mark.requirement("CODE-T39")
async def test_a_class_that_names_its_own_method_passes_no_change_on(
    repository: Repository,
) -> None:
    model = "class Model:\n    def save(self):\n        return 1\n    save.alters = True\n"
    rest = "class Own(Model):\n    pass\ndef use(it: Model):\n    return it.save()\n"
    await repository.index({"m.py": model + rest})
    reply = await repository.library.call("code.analyze_impact", symbol="Model.save")
    hit = {one["fqn"] for tier in reply["tiers"] for one in tier["symbols"]}
    assert "m.use" in hit
    assert "m.Own" not in hit


@pytest.mark.requirement("CODE-T11")
async def test_a_usage_over_several_lines_tells_all_of_them(repository: Repository) -> None:
    sql = "CREATE TABLE t (a int);\nCREATE VIEW v AS\nSELECT\n  a\nFROM t;\n"
    await repository.index({"b.sql": sql})
    reply = await repository.library.call(
        "code.find_usages", symbol="t.a", usage_types=["read"], include_context=True
    )
    (shown,) = [one for group in reply["groups"] for one in group["usages"]]
    assert shown["at"] == "b.sql:3-5"
    assert "4:   a" in shown["context"]


@pytest.mark.requirement("CODE-T13")
async def test_calls_of_what_was_removed_are_told_as_leading_outside(
    repository: Repository,
) -> None:
    await repository.index(
        {"a.py": "from b import f\ndef g():\n    return f()\n", "b.py": "def f(): pass\n"}
    )
    (repository.root / "b.py").unlink()
    await repository.index({})
    outcome = await repository.library.outcome("code.compare_snapshots")
    assert "- a.g CALLS b.f (EXTERNAL)" in outcome.text
    assert "- a.g CALLS b.f\n" in outcome.text


@pytest.mark.requirement("CODE-T40")
@pytest.mark.parametrize("asked", ["GET /orders/{id}", "get /orders/<int:pk>/", "/orders/:id"])
async def test_a_route_is_found_as_its_source_writes_it(shop: Shop, asked: str) -> None:
    reply = await shop.call("search_symbols", query=asked)
    first = reply["results"][0]
    assert first["fqn"] == "GET /orders/{}"
    assert first["handled_by"]
    assert first["requested_by"] == ["web/client.loadOrder"]
    details = await shop.call("get_symbol_details", symbol=asked)
    assert details["symbol"]["id"] == first["id"]


@pytest.mark.requirement("CODE-T41")
async def test_where_nothing_was_bound_the_files_that_write_the_name_are_told(
    repository: Repository,
) -> None:
    files = {
        "conf.py": "ROUTERS = []\n",
        "use.py": "def f(settings):\n    return settings.ROUTERS\n",
    }
    await repository.index(files)
    outcome = await repository.library.outcome("code.find_usages", symbol="ROUTERS")
    assert "No usage found." in outcome.text
    assert "the name is written in use.py" in outcome.structured["note"]


@pytest.mark.requirement("CODE-T09")
async def test_calls_nobody_could_bind_are_told_beside_those_that_were(
    repository: Repository,
) -> None:
    own = "class Own:\n    def saved(self): pass\ndef one(it: Own):\n    it.saved()\n"
    other = "class Other:\n    def saved(self): pass\ndef two(it):\n    it.saved()\n"
    await repository.index({"own.py": own, "other.py": other})
    reply = await repository.library.call("code.analyze_impact", symbol="Own.saved")
    assert reply["risk"] == "high"
    assert any("other.two" in one or "name alone" in one for one in reply["doubts"])


@pytest.mark.requirement("CODE-T04")
@pytest.mark.parametrize("path", ["a.py", "b.ts", "C.java", "d.go", "E.cs", "f.sql"])
async def test_a_file_takes_the_lines_it_has(repository: Repository, path: str) -> None:
    texts = {
        "a.py": "def f():\n    return 1\n",
        "b.ts": "export function f() {\n}\n",
        "C.java": "class C {\n}\n",
        "d.go": "package d\nfunc f() {}\n",
        "E.cs": "class E {\n}\n",
        "f.sql": "CREATE TABLE t (\n  a int);\n",
    }
    await repository.index({path: texts[path]})
    reply = await repository.library.call("code.get_symbol_details", symbol=path)
    assert reply["symbol"]["at"] == f"{path}:1-2"
