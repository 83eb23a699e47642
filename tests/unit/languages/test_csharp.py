"""C#: definitions, calls, locals and strings."""

import pytest

from commonplace.languages.csharp import extract
from tests.unit.languages.showing import calls, flows, kinds, named, shown, uses


@pytest.mark.requirement("CS-01")
def test_types_are_symbols_with_what_they_inherit() -> None:
    facts = extract(
        """public abstract partial class Order<T, U> : Base<T>, IPriced where T : Item, new() {
          private protected class Line { }
          public enum State : byte { Open = 1, Shut }
          public delegate int Rule(int x);
        }
        internal readonly struct Money : IEquatable<Money> { }
        public record Point(int X, int Y) : Shape(X), INamed;
        public record struct Size(int W);
        public interface IPriced : INamed { }
        class Service(IRepo repo) { }
        """,
        "Order.cs",
    )
    assert kinds(facts) == [
        "Class Order",
        "Class Order.Line",
        "Enum Order.State",
        "Constant Order.State.Open",
        "Constant Order.State.Shut",
        "Type Order.Rule",
        "Struct Money",
        "Record Point",
        "Property Point.X",
        "Property Point.Y",
        "Struct Size",
        "Property Size.W",
        "Interface IPriced",
        "Class Service",
        "Field Service.repo",
    ]
    order = named(facts, "Order")
    assert order.modifiers == {"abstract", "partial"}
    assert [shown(facts, one) for one in order.bases] == ["Base<T>"]
    assert [shown(facts, one) for one in order.interfaces] == ["IPriced"]
    assert [(one.name, shown(facts, one.type)) for one in order.type_parameters] == [
        ("T", "Item"),
        ("U", ""),
    ]
    assert order.signature.startswith("public abstract partial class Order<T, U> : Base<T>")
    assert named(facts, "Order.Line").visibility == "protected"
    assert named(facts, "Money").visibility == "internal"
    assert [shown(facts, one) for one in named(facts, "Money").interfaces] == ["IEquatable<Money>"]
    assert [shown(facts, one) for one in named(facts, "IPriced").bases] == ["INamed"]
    assert shown(facts, named(facts, "Service.repo").type) == "IRepo"
    assert calls(facts) == ["Point: new super(X)"]


@pytest.mark.requirement("CS-02")
@pytest.mark.parametrize(
    ("text", "namespace", "paths"),
    [
        ("namespace Acme.Shop;\nclass A { }", "Acme.Shop", ["A"]),
        ("namespace Acme.Shop { class A { } }", "Acme.Shop", ["A"]),
        ("namespace Acme { namespace Shop { class A { } } }", "Acme.Shop", ["A"]),
        (
            "namespace A.X { class P { } } namespace A.Y { class Q { } }",
            "A",
            ["X", "X.P", "Y", "Y.Q"],
        ),
        ("class P { } namespace A { class Q { } }", "", ["P", "A", "A.Q"]),
        ("class P { }", "", ["P"]),
    ],
)
def test_namespaces_make_the_names(text: str, namespace: str, paths: list[str]) -> None:
    facts = extract(text, "A.cs")
    assert facts.namespace == namespace
    assert [one.path for one in facts.symbols[1:]] == paths


@pytest.mark.requirement("CS-03")
def test_members_of_every_kind_are_symbols() -> None:
    facts = extract(
        """class Order {
          public const string Name = "x";
          private static readonly int Limit = 3;
          private readonly List<Line> _lines = new();
          public event EventHandler<Paid> Paid;
          public int Id { get; set; } = 1;
          public decimal Total => Sum();
          public int Count { get { return _count; } set { _count = value; } }
          public Line this[int i] => _lines[i];
          public static Order operator +(Order a, Order b) => a;
          public static implicit operator int(Order o) => o.Id;
          public Order(int id) { }
          static Order() { }
          ~Order() { }
          public async Task<List<R>> Find<R>(R key, int n = 5, params string[] more) where R : Item
              => null;
          void IPriced.Show() { }
        }
        static class Extensions { public static int Size(this Order order) => 1; }
        """,
        "Order.cs",
    )
    assert kinds(facts)[1:-2] == [
        "Constant Order.Name",
        "Constant Order.Limit",
        "Field Order._lines",
        "Field Order.Paid",
        "Property Order.Id",
        "Property Order.Total",
        "Property Order.Count",
        "Property Order.this[]",
        "Method Order.operator +",
        "Method Order.operator int",
        "Constructor Order.Order",
        "Method Order.<static1>",
        "Method Order.~Order",
        "Method Order.Find",
        "Method Order.Show",
    ]
    assert "auto" in named(facts, "Order.Id").modifiers
    assert "auto" not in named(facts, "Order.Total").modifiers
    assert shown(facts, named(facts, "Order._lines").value) == "new List<Line>()"
    find = named(facts, "Order.Find")
    assert find.signature == (
        "public async Task<List<R>> Find<R>(R key, int n = 5, params string[] more) where R : Item"
    )
    assert [(one.name, one.flavour, shown(facts, one.type)) for one in find.parameters] == [
        ("key", "plain", "R"),
        ("n", "plain", "int"),
        ("more", "rest", "string"),
    ]
    assert named(facts, "Order.Show").modifiers == {"explicit"}
    assert named(facts, "Extensions.Size").modifiers == {"static", "extension"}
    assert named(facts, "Extensions.Size").parameters[0].flavour == "receiver"
    assert flows(facts, "Order.Count") == [
        "result = _count",
        "value = <int>",
        "this._count = value",
    ]


@pytest.mark.requirement("CS-04")
def test_attributes_keep_their_arguments_and_tests_are_marked() -> None:
    facts = extract(
        """[Table("orders", Schema = "dbo")]
        class Order {
          [Key, Column("order_id")] public int Id { get; set; }
          [HttpGetAttribute("{id}")] public void Get([FromRoute] int id) { }
          [Fact] public void Adds() { }
          [TestMethod] public async Task Runs() { }
        }
        """,
        "Order.cs",
    )
    assert calls(facts) == [
        ': Table("orders", Schema="dbo")',
        'Order: Column("order_id")',
        'Order: HttpGet("{id}")',
    ]
    assert [shown(facts, one) for one in named(facts, "Order.Id").decorators] == [
        "Key",
        "Column()",
    ]
    assert [one.path for one in facts.symbols if one.kind == "Test"] == ["Order.Adds", "Order.Runs"]
    assert named(facts, "Order.Id").signature == "public int Id"


@pytest.mark.requirement("CS-05")
def test_xml_comments_are_the_doc_text_of_what_follows() -> None:
    facts = extract(
        """/// <summary>
        /// All orders; see <see cref="Line"/>.
        /// </summary>
        class Order {
          // not this
          int a;
          /// <summary>Adds.</summary>
          /// <param name="x">what</param>
          [Obsolete]
          int Add(int x) => x;
        }
        """,
        "Order.cs",
    )
    assert named(facts, "Order").doc == "All orders; see Line."
    assert named(facts, "Order.Add").doc == "Adds.\nparam x: what"
    assert named(facts, "Order.Add").at.line == 7
    assert named(facts, "Order.a").doc == ""


@pytest.mark.requirement("CS-06")
def test_usings_are_kept_as_written() -> None:
    facts = extract(
        """global using System;
        using System.Linq;
        using static System.Math;
        using Text = System.Text.StringBuilder;
        """,
        "Usings.cs",
    )
    assert [(one.module, one.name, one.alias, set(one.modifiers)) for one in facts.imports] == [
        ("System", "*", "", {"global"}),
        ("System.Linq", "*", "", set()),
        ("System.Math", "*", "", {"static"}),
        ("System.Text", "StringBuilder", "Text", set()),
    ]


@pytest.mark.requirement("CS-07")
def test_calls_are_kept_with_the_place_of_the_called_name() -> None:
    facts = extract(
        """class Order : Base {
  Order() : this(1) { }
  Order(int id) : base(id) { }
  Order(string id) { }
  async Task Ship(Repo repo) {
    repo?.Find(1)?.Save(this, copy: true);
    await base.Ship(repo);
    db.Query<Line>("SELECT 1");
    var o = new Order { Id = 3, Line = new() };
    using var c = Open();
    _lines[0].Print();
    var sum = a + b;
  }
}
""",
        "Order.cs",
    )
    assert calls(facts) == [
        "Order.Order: new this(int)",
        "Order.Order: new super(id)",
        "Order.Order: [new super()]",
        "Order.Ship: repo.Find(int)",
        "Order.Ship: repo.Find().Save(this, copy=bool)",
        "Order.Ship: super.Ship(repo)",
        'Order.Ship: db.Query<Line>("SELECT 1")',
        "Order.Ship: new Order(Id=int, Line=new unknown())",
        "Order.Ship: new unknown()",
        "Order.Ship: Open()",
        "Order.Ship: [c.Dispose()]",
        "Order.Ship: [_lines.this[](int)]",
        "Order.Ship: _lines[].Print()",
        "Order.Ship: [a.operator +(a, b)]",
    ]
    save = facts.calls[4].at
    assert (save.line, save.column, save.end_column) == (6, 19, 23)
    assert "write new Order().Id" in uses(facts, "Order.Ship")


@pytest.mark.requirement("CS-08")
def test_lambdas_local_functions_and_queries() -> None:
    facts = extract(
        """class Main {
          void Run(List<Order> orders) {
            orders.ForEach(o => o.Ship());
            Action<int> a = delegate (int x) { Work(x); };
            int Local(int k) => k;
            var codes = from o in orders
                        join l in lines on o.Id equals l.OrderId
                        let t = l.Total()
                        where o.Paid() select o.Code();
            button.Clicked += OnClicked;
          }
        }
        """,
        "Main.cs",
    )
    assert kinds(facts) == [
        "Class Main",
        "Method Main.Run",
        "Function Main.Run.<lambda1>",
        "Function Main.Run.<lambda2>",
        "Function Main.Run.Local",
    ]
    assert calls(facts) == [
        "Main.Run.<lambda1>: o.Ship()",
        "Main.Run: orders.ForEach(<lambda1>)",
        "Main.Run.<lambda2>: Work(x)",
        "Main.Run: l.Total()",
        "Main.Run: o.Paid()",
        "Main.Run: o.Code()",
    ]
    assert flows(facts, "Main.Run")[2:] == [
        "o = each(orders)",
        "l = each(lines)",
        "t = l.Total()",
        "codes = [o.Code()]",
        "button.Clicked = OnClicked",
    ]


@pytest.mark.requirement("CS-09")
def test_locals_have_their_types_within_their_block() -> None:
    facts = extract(
        """class Main {
          Line line;
          Order Run(object any, List<Order> orders) {
            foreach (Order it in orders) { it.Ship(); }
            if (any is Circle c && any is { Size: Big big }) c.Roll();
            var x = any as Square;
            Order y = new();
            switch (any) { case Cat a: a.Purr(); break; case Dog a: a.Bark(); break; }
            var z = any switch { Hat h => h.On(), _ => null };
            Parse(out Key key);
            line = y.Last;
            return new(3);
          }
        }
        """,
        "Main.cs",
    )
    assert flows(facts, "Main.Run") == [
        "it = <Order>",
        "it = each(orders)",
        "c = <Circle>",
        "big = <Big>",
        "x = <Square>",
        "y = new Order()",
        "a = <Cat>",
        "a~2 = <Dog>",
        "h = <Hat>",
        "z = h.On() | none",
        "key = <Key>",
        "this.line = y.Last",
        "result = new Order()",
    ]


@pytest.mark.requirement("CS-10")
def test_strings_put_together_are_one_with_holes() -> None:
    facts = extract(
        '''class Sql {
          const string All = "SELECT *" + " FROM " + Table + @" WHERE ""id"" = " + 1;
          const string Raw = """
              SELECT id
                FROM t
              """;
          void Run(string table) {
            var sql = $"SELECT {Columns:N2} FROM {table} WHERE a = '{{x}}'";
            sql += $@" AND ""b"" = {b}";
            var text = new StringBuilder();
            StringBuilder sb = new("UPDATE ");
            sb.Append(table).AppendLine(" SET x = 1");
            Query(sb.ToString());
            Query(string.Format("SELECT {1} FROM {0}", table, a));
          }
        }
        ''',
        "Sql.cs",
    )
    assert shown(facts, named(facts, "Sql.All").value) == (
        '"SELECT * FROM {Table} WHERE "id" = {int}"'
    )
    assert shown(facts, named(facts, "Sql.Raw").value) == '"SELECT id\n  FROM t\n"'
    assert [one for one in flows(facts, "Sql.Run") if one.startswith(("sql", "sb"))] == [
        "sql = \"SELECT {Columns} FROM {table} WHERE a = '{x}'\"",
        'sql = "{sql} AND "b" = {b}"',
        "sb = new StringBuilder()",
        'sb = "{sb}{table}"',
        'sb = "{sb} SET x = 1\n"',
    ]
    assert [one for one in calls(facts) if "Query" in one] == [
        'Sql.Run: Query("{sb}")',
        'Sql.Run: Query("SELECT {a} FROM {table}")',
    ]


@pytest.mark.requirement("CS-07")
def test_syntax_that_runs_a_method_is_a_call_nobody_writes() -> None:
    facts = extract(
        """class Main {
          Bag bag;
          async Task Run(Money a, int n, Point p) {
            a += a; var b = -a; a++; var c = n * a; var d = (double)a;
            Money e = 3;
            var s = $"{a}" + a;
            var (x, y) = p;
            await using var f = new File();
            foreach (var one in bag) one.Go();
            if (p is Point { X: 1 }) { }
          }
        }
        """,
        "Main.cs",
    )
    assert calls(facts) == [
        "Main.Run: [a.operator +(a, a)]",
        "Main.Run: [a.operator -(a)]",
        "Main.Run: [a.operator ++(a)]",
        "Main.Run: [n | a.operator *(n, a)]",
        "Main.Run: [a.operator double(a)]",
        "Main.Run: [Money.operator Money(int)]",
        "Main.Run: [a.ToString()]",
        "Main.Run: [a.ToString()]",
        "Main.Run: [p.Deconstruct(x, y)]",
        "Main.Run: new File()",
        "Main.Run: [f.DisposeAsync()]",
        "Main.Run: [bag.GetEnumerator()]",
        "Main.Run: [bag.GetEnumerator().MoveNext()]",
        "Main.Run: one.Go()",
    ]
    assert "read <Point>.X" in uses(facts, "Main.Run")


@pytest.mark.requirement("CS-09")
def test_a_local_that_hides_a_field_has_a_name_of_its_own() -> None:
    text = "class Main { A x; void F() { var x = new B(); x.Go(); } void G(C x) { x.Go(); } }"
    assert calls(extract(text, "Main.cs")) == [
        "Main.F: new B()",
        "Main.F: x~1.Go()",
        "Main.G: x.Go()",
    ]
