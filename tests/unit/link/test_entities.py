"""Which entities the rules find, and which they leave alone."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.link.telling import entities, graph_of, ties

SHELL = """Run it:

```console
(env) $ FOO_BAR=1 sudo depot serve --max-size 3 \\
    --quiet && cd x
depot: started
$ python -m depot.tools check | grep -v x
```
"""
SCRIPT = "```bash\n#!/bin/sh\nfor x in *; do depot serve; done\n```\n"


@pytest.mark.requirement("GRAPH-E08")
def test_a_shell_block_calls_commands_with_their_flags() -> None:
    assert entities(SHELL) == {
        ("Command", "depot serve"),
        ("Command", "python -m depot.tools check"),
        ("Command", "grep"),
        ("Parameter", "--max-size"),
        ("Parameter", "--quiet"),
        ("Configuration", "FOO_BAR"),
    }
    flags = {("depot serve", "--max-size"), ("depot serve", "--quiet")}
    assert ties(SHELL, "HAS_PARAMETER") == flags


@pytest.mark.requirement("GRAPH-E08")
@pytest.mark.parametrize(
    "text",
    [
        SCRIPT,
        "```console\nno prompt, so all of it is output\n```\n",
        "```bash\ncd a\nls\necho hello\n```\n",
        "```text\n$ is the currency of many lands\n```\n",
    ],
)
def test_output_scripts_and_builtins_are_no_commands(text: str) -> None:
    assert {name for kind, name in entities(text) if kind == "Command"} <= {"is"}


@pytest.mark.requirement("GRAPH-E08")
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Use `git commit --amend` here.", ("Command", "git commit")),
        ("The `depot sweep` command cleans.", ("Command", "depot sweep")),
        ("Give `-q/--quiet` to it.", ("Parameter", "--quiet")),
        ("The `timeout` argument is a number.", ("Parameter", "timeout")),
        ("The `a_b`, `c_d` and `e_f` parameters go.", ("Parameter", "c_d")),
        ("Set the `DEPOT_HOME` variable.", ("Configuration", "DEPOT_HOME")),
        ("The `pool.size` setting is read once.", ("Configuration", "pool.size")),
        ("```toml\n[pool]\nsize = 3\n```\n", ("Configuration", "pool.size")),
        ("`size` in `d.yml`:\n\n```yaml\npool:\n  size: 3\n```\n", ("Configuration", "pool.size")),
        ("| Option | Means |\n|---|---|\n| `size` | so |\n", ("Configuration", "size")),
        ("| Flag | Means |\n|---|---|\n| `--size` | so |\n", ("Parameter", "--size")),
        ("It raises `depot.PoolError` then.", ("Error", "PoolError")),
        ("```python\nraise pool.FullError(1)\n```\n", ("Error", "FullError")),
        ("A reply of 404 Not Found follows.", ("Error", "404 Not Found")),
        ("The error code `DEP1234` says so.", ("Error", "DEP1234")),
        ("A `PoolManager` holds them.", ("Component", "PoolManager")),
        ("Ask the `Pool`.\n\n```python\nfrom d import Pool\n```\n", ("Component", "Pool")),
        ("The `depot-redis` plugin helps.", ("Component", "depot-redis")),
        ("## Pools\n\nA pool is a set of entries.\n", ("Concept", "Pools")),
        ("## Sweep\n\nSweep is a command-line tool.\n", ("Component", "Sweep")),
        ("## What is a lease?\n\nIt ends.\n", ("Concept", "lease")),
        ("**Leases** are promises that end.", ("Concept", "Leases")),
        ("# Glossary\n\nlease\n:   a promise that ends\n", ("Concept", "lease")),
        ("It is a write-ahead log (WAL) then.", ("Concept", "write-ahead log")),
    ],
)
def test_structure_tells_what_a_name_is(text: str, found: tuple[str, str]) -> None:
    assert found in entities(text)


@pytest.mark.requirement("GRAPH-E08")
@pytest.mark.parametrize(
    ("text", "found"),
    [
        (".. option:: --size <n>\n\n   So.\n", ("Parameter", "--size")),
        (".. envvar:: DEPOT_HOME\n\n   So.\n", ("Configuration", "DEPOT_HOME")),
        (".. setting:: POOL\n\n   So.\n", ("Configuration", "POOL")),
        (".. exception:: depot.Full\n\n   So.\n", ("Error", "Full")),
        ("See :class:`~depot.pool.Pool`.\n", ("Component", "Pool")),
        ("See :exc:`depot.Full`.\n", ("Error", "Full")),
        ("Run :program:`depot`.\n", ("Command", "depot")),
        ("A :term:`leases <lease>` ends.\n", ("Concept", "lease")),
        (".. glossary::\n\n   lease\n      A promise.\n", ("Concept", "lease")),
        ("--size=N  How many.\n--quiet   No words.\n", ("Parameter", "--quiet")),
    ],
)
def test_restructured_text_says_it_outright(text: str, found: tuple[str, str]) -> None:
    assert found in entities(text, "a.rst")


@pytest.mark.requirement("GRAPH-E08")
def test_options_belong_to_the_program_named_before_them() -> None:
    text = ".. program:: depot\n\n.. option:: --size <n>\n\n   So.\n"
    assert ties(text, "HAS_PARAMETER", "a.rst") == {("depot", "--size")}


@pytest.mark.requirement("GRAPH-E09")
@pytest.mark.parametrize(
    "text",
    [
        "Plain words about nothing in particular.",
        "`some_function()` returns `None`, `True` or `foo`.",
        "The constant `MAX_SIZE` is 3.",
        "CSS has `--main-color`.",
        "Setting `x_y` to 3 helps.",
        "Most `depot` packages are small.",
        "Redis is fast. I met Redis once.",
        "## Usage\n\nUsage is simple.\n",
        "## Sweep\n\nSweep is not used.\n",
        "1. Cheap\n2. Fast\n3. Good\n",
        "This will:\n\n1. Create a pool\n2. Start it\n",
        "There are two ways:\n\n1. Use a pool\n2. Write your own\n",
        "```python\nx = 1\n```\n",
        "```yaml\nname: value\n```\n",
        "```toml\n[project.scripts]\nmine = 'a:b'\n```\n",
        "(see the other side (SOS))",
    ],
)
def test_what_is_not_shown_to_be_an_entity_is_none(text: str) -> None:
    assert entities(text) == set()


@pytest.mark.requirement("GRAPH-E04")
def test_a_list_of_instructions_is_a_procedure_whatever_stands_between() -> None:
    text = (
        "## Moving a pool\n\n1. Stop the server.\n\n   ```sh\n   depot stop\n   ```\n\n"
        "2. Copy **all** files.\n\n![picture](a.png)\n\n3. Then, start it: now.\n   1. Wait.\n"
    )
    steps = {("Moving a pool", "Stop the server."), ("Moving a pool", "Copy all files.")}
    assert ties(text, "HAS_STEP") == steps | {("Moving a pool", "Then, start it:")}
    assert ("Stop the server.", "depot stop") in ties(text, "MENTIONS")


@pytest.mark.requirement("GRAPH-E10")
def test_code_introduced_as_an_example_is_one() -> None:
    text = "## Pools\n\nFor example, this makes a pool of three:\n\n```python\nPool(3)\n```\n"
    assert ("Example", "For example, this makes a pool of three") in entities(text)
    assert ("Example", "Example: Pools") in entities(
        text.replace(", this makes a pool of three", "")
    )
    assert entities(text.replace("For example, t", "T")) == set()


@pytest.mark.requirement("GRAPH-E05")
def test_spellings_are_tied_where_they_meet_and_from_where_they_are_defined() -> None:
    text = "Give `--pool-size`, or set the `POOL_SIZE` variable."
    assert ties(text, "SAME_AS") == {("POOL_SIZE", "--pool-size")}
    assert len(ties("- `--pool-size`: how many", "SAME_AS")) == 2
    assert ties("Give `--size`, or set the `SIZE` environment variable.", "SAME_AS") == set()
    assert ties("It is a write-ahead log (WAL).", "SAME_AS") == {("WAL", "write-ahead log")}


@pytest.mark.requirement("GRAPH-E03")
def test_provenance_points_at_the_name() -> None:
    text = "# A\n\nThe `DEPOT_HOME` variable and `--quiet`, or `PoolError`.\n"
    nodes, edges = graph_of(text)
    names = {node.id: node.name for node in nodes}
    for edge in edges:
        if edge.relation == "MENTIONS":
            start, end = edge.properties["start"], edge.properties["end"]
            assert isinstance(start, int)
            assert isinstance(end, int)
            assert text[start:end] == names[edge.target]


@pytest.mark.requirement("GRAPH-E09")
def test_a_passage_full_of_names_keeps_the_surest() -> None:
    text = "Options: " + ", ".join(f"`--flag-{n}x`" for n in range(60)) + "\n"
    nodes, edges = graph_of(text)
    mentions = [edge for edge in edges if edge.relation == "MENTIONS"]
    assert max(Counter(edge.source for edge in mentions).values()) == 24
    assert {node.id for node in nodes if node.kind == "Parameter"} <= {e.target for e in mentions}


PIECES = [
    "# A heading",
    "`code --flag`",
    "```sh\n$ x y\n```",
    "1. Do it",
    "- `--a-b`: c",
    "| Option |",
    "|---|",
    "| `a` |",
    "**Bold** is a",
    ".. option:: --x",
    ":term:`y`",
    "$ ls",
    "[a](b.md#c)",
    "`A_B=`",
    "term\n:   def",
    ".. _x:",
    "Title\n=====",
    "::",
    "(ABC)",
    "Alpha Beta Core (ABC)",
    "\u2028",
    "#",
    "## What is ?",
    "# ``",
    "** **",
    "| |",
    "1.",
    "```toml\n[x]\n=\n```",
]


@pytest.mark.requirement("GRAPH-E03")
@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.sampled_from(PIECES) | st.text(max_size=12), max_size=14),
    st.sampled_from(["a.md", "a.rst", "a.txt", "a.html"]),
)
def test_any_text_gives_edges_with_a_place_and_known_rules(pieces: list[str], name: str) -> None:
    text = "\n\n".join(pieces)
    nodes, edges = graph_of(text, name)
    assert len({node.id for node in nodes}) == len(nodes)
    keys = {(edge.source, edge.relation, edge.target) for edge in edges}
    assert len(keys) == len(edges)
    for edge in edges:
        assert 0 < edge.confidence <= 1
        if "start" in edge.properties:
            start, end = edge.properties["start"], edge.properties["end"]
            assert isinstance(start, int)
            assert isinstance(end, int)
            assert 0 <= start <= end
    assert (nodes, edges) == graph_of(text, name)
