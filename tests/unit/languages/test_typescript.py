"""TypeScript: definitions, members, types and what stands before them."""

import pytest

from commonplace.domain.code import Facts
from commonplace.languages import typescript
from tests.unit.languages.showing import calls, flows, kinds, named, shown, uses


def extract(text: str) -> Facts:
    return typescript.extract(text, "src/order.ts")


@pytest.mark.requirement("TS-01")
def test_types_are_symbols_wherever_they_stand() -> None:
    facts = extract(
        """export abstract class Order<T extends Item = Book> extends ns.Base<T>
             implements Priced, Sent<T> {}
        interface Priced extends Named { price(): number; readonly tax?: number }
        enum State { Open = 1, "Shut-down" }
        type Pair<A> = { left: A; swap(): void };
        type Id = string | Order<Item> | null;
        namespace Shop.Data { export const limit = 3; class Hidden {} }
        declare module "ext" { export function go(): void }
        """
    )
    assert kinds(facts) == [
        "Class Order",
        "Interface Priced",
        "Enum State",
        "Constant State.Open",
        "Constant State.Shut-down",
        "Type Pair",
        "Type Id",
        "Namespace Shop.Data",
        "Namespace ext",
        "Method Priced.price",
        "Field Priced.tax",
        "Field Pair.left",
        "Method Pair.swap",
        "Constant Shop.Data.limit",
        "Class Shop.Data.Hidden",
        "Function ext.go",
    ]
    order = named(facts, "Order")
    assert order.modifiers == {"abstract", "exported"}
    assert [shown(facts, one) for one in order.bases] == ["ns.Base<T>"]
    assert [shown(facts, one) for one in order.interfaces] == ["Priced", "Sent<T>"]
    assert [(one.name, shown(facts, one.type)) for one in order.type_parameters] == [("T", "Item")]
    assert [shown(facts, one) for one in named(facts, "Priced").bases] == ["Named"]
    assert shown(facts, named(facts, "Id").type) == "string | Order<Item>"


@pytest.mark.requirement("TS-02")
def test_members_have_visibility_modifiers_types_and_a_signature() -> None:
    facts = extract(
        """class Order {
          private static readonly limit: number = 3;
          #lines = load();
          constructor(private readonly repo: Repo, protected at?: Date, plain: string) { super(); }
          get total(): number { return 1; }
          set total(n) {}
          protected abstract check(): void;
          save = async (to: Place): Promise<void> => {};
          override ship<T>(...items: T[]): this { return this; }
        }"""
    )
    assert kinds(facts) == [
        "Class Order",
        "Field Order.limit",
        "Field Order.#lines",
        "Constructor Order.constructor",
        "Field Order.repo",
        "Field Order.at",
        "Property Order.total",
        "Property Order.total",
        "Method Order.check",
        "Method Order.save",
        "Method Order.ship",
    ]
    limit, lines, repo = (named(facts, f"Order.{one}") for one in ("limit", "#lines", "repo"))
    assert limit.visibility == "private"
    assert limit.modifiers == {"static", "readonly"}
    assert limit.signature == "private static readonly limit: number"
    assert (lines.visibility, shown(facts, lines.value)) == ("private", "load()")
    assert (repo.visibility, shown(facts, repo.type)) == ("private", "Repo")
    assert flows(facts, "Order.constructor") == ["this.repo = repo", "this.at = at"]
    getter, setter = (one for one in facts.symbols if one.path == "Order.total")
    assert getter.modifiers == {"getter"}
    assert setter.modifiers == {"setter"}
    assert named(facts, "Order.check").modifiers >= {"abstract"}
    assert named(facts, "Order.check").visibility == "protected"
    ship = named(facts, "Order.ship")
    assert ship.signature == "override ship<T>(...items: T[]): this"
    assert ship.modifiers == {"override"}
    assert [(one.name, one.flavour) for one in ship.parameters] == [("items", "rest")]
    assert shown(facts, named(facts, "Order.save").type) == "Promise<none>"


@pytest.mark.requirement("TS-10")
def test_decorators_are_kept_with_their_arguments() -> None:
    facts = extract(
        """@Entity({ name: "orders" })
        @sealed
        export class Order {
          @Column("text", { name: "st" }) status: string;
          @Get(":id") find(@Param("id") id: string) {}
        }"""
    )
    assert [shown(facts, one) for one in named(facts, "Order").decorators] == ["Entity()", "sealed"]
    assert calls(facts) == [
        ': Entity({name: "orders"})',
        'Order: Column("text", {name: "st"})',
        'Order: Get(":id")',
        'Order.find: Param("id")',
    ]
    assert [shown(facts, one) for one in named(facts, "Order.status").decorators] == ["Column()"]
    assert named(facts, "Order").at.line == 1


@pytest.mark.requirement("TS-11")
def test_types_are_kept_where_they_are_declared() -> None:
    facts = extract(
        """function f(a: Map<string, Order[]>, b: { repo: Repo }, c?: A.B | null): Promise<Order> {
          const x: Order = make();
          return (x as Special).go() satisfies Done;
        }"""
    )
    function = named(facts, "f")
    assert [shown(facts, one.type) for one in function.parameters] == [
        "Map<string, Array<Order>>",
        "{repo: <Repo>}",
        "A.B",
    ]
    assert shown(facts, function.type) == "Promise<Order>"
    assert flows(facts, "f")[:2] == ["x = <Order>", "x = make()"]
    assert "type Special" in uses(facts, "f")
    assert calls(facts)[-1] == "f: <Special>.go()"


@pytest.mark.requirement("TS-18")
def test_overloads_are_one_symbol_and_declarations_too() -> None:
    facts = extract(
        """/** Reads. */
        export function read(text: string): string;
        export function read(bytes: Uint8Array): string;
        export function read(any: unknown): string { return decode(any); }
        declare function later(): void;
        """
    )
    assert kinds(facts) == ["Function read", "Function later"]
    read = named(facts, "read")
    assert read.doc == "Reads."
    assert (read.at.line, read.at.end_line) == (1, 4)
    assert [one.name for one in read.parameters] == ["any"]


@pytest.mark.requirement("TS-19")
def test_doc_comments_belong_to_what_they_stand_before() -> None:
    facts = extract(
        """/** Not this. */

        import { a } from "./a";
        /**
         * An order.
         *
         * With lines.
         */
        @Entity()
        export class Order {
          /** How many. */
          @Column() count = 1;
          // not a doc comment
          other() {}
        }
        /** The limit. */
        export const LIMIT = 3;
        /* no */ function plain() {}
        """
    )
    assert named(facts, "Order").doc == "An order.\n\nWith lines."
    assert named(facts, "Order").at.line == 4
    assert named(facts, "Order.count").doc == "How many."
    assert named(facts, "LIMIT").doc == "The limit."
    assert named(facts, "Order.other").doc == named(facts, "plain").doc == ""


@pytest.mark.requirement("TS-01")
def test_types_written_by_import_are_read() -> None:
    facts = extract('export declare const a: import("./chain.js").Chain<undefined> | undefined;')
    assert facts.problems == ()
    assert [one.module for one in facts.imports] == ["./chain.js"]


@pytest.mark.requirement("TS-22")
@pytest.mark.parametrize(
    "parameters",
    ["out T", "in T", "in out T", "const out T", "out T extends Item = Item, in U", "T,\n  out U"],
)
def test_how_a_type_parameter_varies_is_no_syntax_error(parameters: str) -> None:
    text = (
        f"export interface Box<{parameters}> extends Base {{\n  get(): T\n}}\nfunction f() {{}}\n"
    )
    facts = extract(text)
    assert facts.problems == ()
    box = named(facts, "Box")
    assert kinds(facts) == ["Interface Box", "Function f", "Method Box.get"]
    assert box.type_parameters[0].name == "T"
    assert (box.at.line, named(facts, "f").at.line) == (1, 4 + parameters.count("\n"))
    assert " ".join(parameters.split()) in box.signature


@pytest.mark.requirement("TS-22")
def test_what_varies_is_blanked_only_where_type_parameters_stand() -> None:
    facts = extract(
        "interface Box<out T> { in: T }\nfor (const out in outs) {}\n"
        'const said = "a, out T = 1";\nrun(said, out, out in outs);\n'
    )
    assert facts.problems == ()
    assert shown(facts, named(facts, "said").value) == '"a, out T = 1"'
    assert [one.partition("(")[0] for one in calls(facts)] == [": run"]


@pytest.mark.requirement("TS-22")
def test_reserved_words_are_exported_and_imported_by_their_names() -> None:
    facts = extract(
        "const nullType = 1;\nfunction functionType() {}\n"
        "export { nullType as null, functionType as function };\n"
        'import { enum as enumType } from "./all";\nexport type * from "./types";\n'
    )
    assert facts.problems == ()
    assert dict(facts.exports)["null"] == "nullType"
    assert dict(facts.exports)["function"] == "functionType"
    assert [(one.module, one.name) for one in facts.imports] == [
        ("./all", "enum"),
        ("./types", "*"),
    ]


@pytest.mark.requirement("TS-22")
def test_a_default_function_that_is_only_declared_is_one() -> None:
    text = "import { T } from './t';\nexport default function (): {\n  error: T;\n};\n"
    facts = typescript.extract(text, "en.d.ts")
    assert facts.problems == ()
    assert "default" in dict(facts.exports)


@pytest.mark.requirement("TS-22")
def test_using_may_be_a_name() -> None:
    facts = extract("let using = '';\nusing += f(using);\nfunction f(using: string) {}\n")
    assert facts.problems == ()
    assert calls(facts) == [": f(using)"]
