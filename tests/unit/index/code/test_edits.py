"""Edits after which the graph once was not the one of a full index; random ones found them."""

from pathlib import Path

import pytest

from tests.unit.index.code.edits import Runs, check

TWINS = """package pkg;
class L implements K { K own = new K(); }
class L extends L { void run(K x) {} }
"""
CIRCULAR = """interface Other { Item F(Item x); }
static class Base { public static Base G(this Item x) { return x.G().F(x); } }
class Base : Base, Item { public override Other F(Other x) => base.F(x); }
"""
EXTENDING = "static class Item { public static Base G(this Base x) { return x.G().F(x); } }\n"
METHOD = "func (o *Item) f(x int) *run { return o.run }\n"
EDITS: dict[str, Runs] = {
    "a class overrides by a circle of ancestors, whichever file is bound": [
        {
            "K.java": "package pkg;\nclass K extends L { void run(K x) {} }\n",
            "L.java": TWINS,
        },
        {"L.java": TWINS.replace(";", ";\n")},
    ],
    "scripts of two languages share what no file defines": [
        {"b.ts": "export interface g extends Base {}\n"},
        {"a.js": "export class Item extends Base {}\n"},
    ],
    "a namespace of several parts is what an import named": [
        {"a.cs": "using Base = Pkg.Other;\n"},
        {"b.cs": "namespace Pkg.Other { class Base {} }\nclass Item {}\n"},
    ],
    "overloads are chosen by what is declared, not by what was found first": [
        {"a.cs": CIRCULAR, "b.cs": EXTENDING},
        {"b.cs": EXTENDING.replace("{", "{\n")},
    ],
    "a method of Go is no name of its package, also where its type is gone": [
        {"a.go": "package one\ntype Item struct {}\n" + METHOD, "b.go": "package one\ntype g f\n"},
        {"a.go": "package one\n" + METHOD},
    ],
}


@pytest.mark.requirement("CIX-07")
@pytest.mark.parametrize("keeps", [False, True])
@pytest.mark.parametrize("runs", EDITS.values(), ids=list(EDITS))
async def test_an_edit_leaves_the_graph_of_a_full_index(
    tmp_path: Path, runs: Runs, keeps: bool
) -> None:
    await check(tmp_path, runs, keeps)
