"""Java: definitions, and what stands before them."""

import pytest

from commonplace.languages.java import extract
from tests.unit.languages.showing import calls, flows, kinds, named, shown, uses


@pytest.mark.requirement("JAVA-01")
def test_types_are_symbols_wherever_they_stand() -> None:
    facts = extract(
        """package shop;
        public sealed abstract class Order<T extends Item> extends Base<T> implements Priced, Sent
            permits Small {
          static class Line { }
          enum State { OPEN, SHUT { void bang() { } }; }
          void run() { class Local { } record Pair(int a) { } }
        }
        interface Priced extends Named { }
        @interface Slow { }
        record Point(int x) { }
        """,
        "shop/Order.java",
    )
    assert facts.namespace == "shop"
    assert kinds(facts) == [
        "Class Order",
        "Class Order.Line",
        "Enum Order.State",
        "Constant Order.State.OPEN",
        "Constant Order.State.SHUT",
        "Class Order.State.<class1>",
        "Method Order.State.<class1>.bang",
        "Method Order.run",
        "Class Order.run.Local",
        "Record Order.run.Pair",
        "Field Order.run.Pair.a",
        "Method Order.run.Pair.a",
        "Interface Priced",
        "Interface Slow",
        "Record Point",
        "Field Point.x",
        "Method Point.x",
    ]
    order = named(facts, "Order")
    assert order.visibility == "public"
    assert order.modifiers == {"sealed", "abstract"}
    assert [shown(facts, one) for one in order.bases] == ["Base<T>"]
    assert [shown(facts, one) for one in order.interfaces] == ["Priced", "Sent"]
    assert [(one.name, shown(facts, one.type)) for one in order.type_parameters] == [("T", "Item")]
    assert [shown(facts, one) for one in named(facts, "Priced").bases] == ["Named"]
    assert named(facts, "Order.Line").visibility == "internal"
    assert named(facts, "Order.run.Local").visibility == "local"


@pytest.mark.requirement("JAVA-02")
def test_members_have_a_signature_types_and_parameters() -> None:
    facts = extract(
        """class Order {
          public static final String NAME = "x";
          private final Map<String, List<Line>> lines = new HashMap<>();
          int a, b[];
          protected Order(long id) { }
          @Override
          public <T> List<? extends T>
              find(final T key, String... more) throws IOException { return null; }
          void find() { }
          abstract int size();
        }
        interface Priced { int price(); default void show() { } int LIMIT = 3; }
        """,
        "Order.java",
    )
    assert kinds(facts)[1:9] == [
        "Constant Order.NAME",
        "Field Order.lines",
        "Field Order.a",
        "Field Order.b",
        "Constructor Order.Order",
        "Method Order.find",
        "Method Order.find",
        "Method Order.size",
    ]
    first = next(one for one in facts.symbols if one.name == "find")
    assert first.signature == (
        "public <T> List<? extends T> find(final T key, String... more) throws IOException"
    )
    assert shown(facts, first.type) == "List<T>"
    assert [(one.name, one.flavour, shown(facts, one.type)) for one in first.parameters] == [
        ("key", "plain", "T"),
        ("more", "rest", "String"),
    ]
    assert first.modifiers == {"override"}
    assert named(facts, "Order.NAME").signature == "public static final String NAME"
    assert shown(facts, named(facts, "Order.NAME").value) == '"x"'
    assert shown(facts, named(facts, "Order.lines").type) == "Map<String, List<Line>>"
    assert shown(facts, named(facts, "Order.b").type) == "Array<int>"
    assert named(facts, "Order.Order").visibility == "protected"
    assert named(facts, "Priced.price").modifiers == {"abstract"}
    assert named(facts, "Priced.LIMIT").kind == "Constant"
    assert named(facts, "Priced.show").visibility == "public"


@pytest.mark.requirement("JAVA-03")
def test_annotations_keep_their_arguments_and_tests_are_marked() -> None:
    facts = extract(
        """@Entity
        @Table(name = "orders", indexes = {@Index(columnList = "id")})
        class Order {
          @Column(name = "total") private long total;
          @Query("SELECT o FROM Order o") @Lazy(false) void find() { }
          @org.junit.jupiter.api.Test void adds() { }
          @ParameterizedTest @ValueSource(ints = {1, 2}) void many(int x) { }
        }
        class OldTest extends TestCase { public void testIt() { } }
        """,
        "Order.java",
    )
    order = named(facts, "Order")
    assert [shown(facts, one) for one in order.decorators] == ["Entity", "Table()"]
    assert calls(facts)[:4] == [
        ': Index(columnList="id")',
        ': Table(name="orders", indexes=[Index()])',
        'Order: Column(name="total")',
        'Order: Query("SELECT o FROM Order o")',
    ]
    assert [one.path for one in facts.symbols if "test" in one.modifiers] == [
        "Order.adds",
        "Order.many",
        "OldTest.testIt",
    ]
    assert named(facts, "Order.total").signature == "private long total"


@pytest.mark.requirement("JAVA-04")
def test_javadoc_is_the_doc_text_of_what_follows() -> None:
    facts = extract(
        """/** All orders.
         * <p>See {@link Line}. */
        class Order {
          /* not this */
          int a;
          /** Adds.
           *  @return it */
          @Deprecated
          int add() { return 1; }
          int last;
        }
        """,
        "Order.java",
    )
    assert named(facts, "Order").doc == "All orders.\nSee Line."
    assert named(facts, "Order.add").doc == "Adds.\n@return it"
    assert named(facts, "Order.add").at.line == 6
    assert (named(facts, "Order.a").doc, named(facts, "Order.last").doc) == ("", "")


@pytest.mark.requirement("JAVA-05")
def test_imports_are_kept_as_written() -> None:
    facts = extract(
        """package org.acme.shop;
        import java.util.List;
        import java.io.*;
        import static java.lang.Math.max;
        import static org.acme.Texts.*;
        """,
        "Shop.java",
    )
    assert facts.namespace == "org.acme.shop"
    assert [(one.module, one.name, one.alias, set(one.modifiers)) for one in facts.imports] == [
        ("java.util", "List", "List", set()),
        ("java.io", "*", "", set()),
        ("java.lang.Math", "max", "max", {"static"}),
        ("org.acme.Texts", "*", "", {"static"}),
    ]


@pytest.mark.requirement("JAVA-06")
def test_calls_are_kept_with_the_place_of_the_called_name() -> None:
    facts = extract(
        """class Order extends Base {
  Order() { this(1); }
  Order(int id) { super(id); }
  Order(String id) { }
  void ship(Repo repo) {
    repo.find(1).save(this, "x");
    super.ship(repo);
    Order.<Line>make(new Line(2));
    try (Connection c = open()) { c.send(); }
  }
}
""",
        "Order.java",
    )
    assert calls(facts) == [
        "Order.Order: new this(int)",
        "Order.Order: new super(id)",
        "Order.Order: [new super()]",
        "Order.ship: repo.find(int)",
        'Order.ship: repo.find().save(this, "x")',
        "Order.ship: super.ship(repo)",
        "Order.ship: new Line(int)",
        "Order.ship: Order.make<Line>(new Line())",
        "Order.ship: open()",
        "Order.ship: [c.close()]",
        "Order.ship: c.send()",
    ]
    save = facts.calls[4].at
    assert (save.line, save.column, save.end_column) == (6, 17, 21)


@pytest.mark.requirement("JAVA-07")
def test_lambdas_and_anonymous_classes_are_symbols_of_their_own() -> None:
    facts = extract(
        """class Main {
          Runnable field = () -> work();
          void run(List<Order> orders) {
            orders.forEach(o -> o.ship());
            orders.sort((a, b) -> { return a.rank() - b.rank(); });
            new Thread(new Runnable() { public void run() { work(); } });
            orders.stream().map(Order::total).map(this::shown).map(Tag::new).toArray(int[]::new);
          }
        }
        """,
        "Main.java",
    )
    assert kinds(facts) == [
        "Class Main",
        "Field Main.field",
        "Function Main.<lambda1>",
        "Method Main.run",
        "Function Main.run.<lambda1>",
        "Function Main.run.<lambda2>",
        "Class Main.run.<class1>",
        "Method Main.run.<class1>.run",
    ]
    assert shown(facts, named(facts, "Main.field").value) == "<lambda1>"
    assert calls(facts) == [
        "Main.<lambda1>: work()",
        "Main.run.<lambda1>: o.ship()",
        "Main.run: orders.forEach(<lambda1>)",
        "Main.run.<lambda2>: a.rank()",
        "Main.run.<lambda2>: b.rank()",
        "Main.run: orders.sort(<lambda2>)",
        "Main.run.<class1>.run: work()",
        "Main.run: new <class1>()",
        "Main.run: new Thread(new <class1>())",
        "Main.run: orders.stream()",
        "Main.run: orders.stream().map(Order.total)",
        "Main.run: orders.stream().map().map(this.shown)",
        "Main.run: orders.stream().map().map().map(Tag.new)",
        "Main.run: orders.stream().map().map().map().toArray(<Array<int>>)",
    ]
    assert flows(facts, "Main.run.<lambda1>") == ["result = o.ship()"]


@pytest.mark.requirement("JAVA-08")
def test_locals_have_their_types_within_their_block() -> None:
    facts = extract(
        """class Main {
          Line line;
          void run(Object any, List<Order> orders) {
            for (Order it : orders) { it.ship(); }
            if (any instanceof Circle it) { it.roll(); }
            var x = (Square) any;
            Order y = x == null ? first() : orders.get(0);
            switch (any) { case Cat c -> c.purr(); case Dog c -> c.bark(); default -> { } }
            try { y.go(); } catch (Early | Late it) { it.note(); }
            line = y.last;
            x.size = 3;
          }
        }
        """,
        "Main.java",
    )
    assert flows(facts, "Main.run") == [
        "it = <Order>",
        "it = each(orders)",
        "it~2 = <Circle>",
        "x = <Square>",
        "y = <Order>",
        "y = first() | orders.get()",
        "c = <Cat>",
        "c~2 = <Dog>",
        "it~3 = <Early>",
        "it~3 = <Late>",
        "this.line = y.last",
        "x.size = int",
    ]
    assert "Main.run: it~3.note()" in calls(facts)
    assert uses(facts, "Main.run")[-3:] == ["write this.line", "read y.last", "write x.size"]


@pytest.mark.requirement("JAVA-09")
def test_strings_put_together_are_one_with_holes() -> None:
    facts = extract(
        r"""class Sql {
          static final String ALL = "SELECT *" + " FROM " + TABLE + " WHERE id = " + 1;
          static final String BOTH = HEAD + TAIL;
          static final String BLOCK = \"""
              SELECT id,
                     name\tx
              FROM t\""";
          int sum = 1 + 2;
          void run(String table) {
            String sql = "SELECT a";
            sql += " FROM " + table;
            StringBuilder sb = new StringBuilder("UPDATE ");
            sb.append(table).append(" SET x = 1");
            query(sb.toString());
            query(new StringBuilder().append("DELETE FROM ").append(table).toString());
            query(String.format("SELECT %s FROM %s", a, table));
            query("DROP TABLE %s%%".formatted(table));
          }
        }
        """.replace('\\"""', '"""'),
        "Sql.java",
    )
    assert shown(facts, named(facts, "Sql.ALL").value) == '"SELECT * FROM {TABLE} WHERE id = {int}"'
    assert shown(facts, named(facts, "Sql.BOTH").value) == '"{HEAD}{TAIL}"'
    assert shown(facts, named(facts, "Sql.BLOCK").value) == '"SELECT id,\n       name\tx\nFROM t"'
    assert shown(facts, named(facts, "Sql.sum").value) == "int"
    assert 'sql = "{sql} FROM {table}"' in flows(facts, "Sql.run")
    assert 'sb = "{sb}{table}"' in flows(facts, "Sql.run")
    assert [one for one in calls(facts) if "query" in one] == [
        'Sql.run: query("{sb}")',
        'Sql.run: query("DELETE FROM {table}")',
        'Sql.run: query("SELECT {a} FROM {table}")',
        'Sql.run: query("DROP TABLE {table}%")',
    ]


@pytest.mark.requirement("JAVA-06")
def test_syntax_that_runs_a_method_is_a_call_nobody_writes() -> None:
    facts = extract(
        """class Main {
          Range range;
          void run(Money a) {
            String s = "is " + a;
            for (int i : range) go(i);
            this.new Part().go();
          }
        }
        """,
        "Main.java",
    )
    assert calls(facts) == [
        "Main.run: [a.toString()]",
        "Main.run: [range.iterator()]",
        "Main.run: [range.iterator().hasNext()]",
        "Main.run: [range.iterator().next()]",
        "Main.run: go(i)",
        "Main.run: new Part()",
        "Main.run: new Part().go()",
    ]


@pytest.mark.requirement("JAVA-08")
def test_a_local_that_hides_a_field_has_a_name_of_its_own() -> None:
    text = "class Main { A x; void f() { B x = new B(); x.go(); } void g(C x) { x.go(); } }"
    assert calls(extract(text, "Main.java")) == [
        "Main.f: new B()",
        "Main.f: x~1.go()",
        "Main.g: x.go()",
    ]
