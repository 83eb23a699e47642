"""Code as it is found, indexed as users index it and asked about through tools and status."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.needing import needs_git
from tests.unit.tools.code.repository import Repository


@pytest.mark.requirement("BAD-01")
async def test_a_syntax_error_costs_what_stands_at_it(repository: Repository) -> None:
    report = await repository.index(
        {
            "a.py": "def ok():\n    return 1\n\ndef broken(:\n    x\n\n"
            "def end():\n    return ok()\n",
            "b.ts": "export function good() {}\nexport function broken( {\nexport class C {"
            " m() { good() } }\n",
            "C.java": "package p;\nclass C { void a() { b(); } void b() { }\n  void c( { a(; }\n"
            "  void d() { a(); }\n}\n",
            "D.cs": "namespace N {\nclass D {\n  void A() { B(); }\n  void B() {}\n"
            "  void X( { A(; }\n  void E() { A(); }\n}\n}\n",
            "e.go": "package e\n\nfunc G() { H() }\n\nfunc H( {\n}\n\nfunc I() { G() }\n",
        }
    )
    assert report.failures == ()
    calls = await repository.edges("CALLS")
    assert {"a.end CALLS a.ok", "b.C.m CALLS b.good", "p.C.d CALLS p.C.a"} <= calls
    assert {"N.D.E CALLS N.D.A", "I CALLS G"} <= calls
    told = await repository.status()
    assert {row["files_with_problems"] for row in told["languages"].values()} == {1}
    places = {place.partition(":")[0] for some in told["places"].values() for place in some}
    assert "a.py" in places
    assert places <= {"a.py", "b.ts", "C.java", "D.cs", "e.go"}
    impact = await repository.library.call("code.analyze_impact", symbol="a.ok")
    assert "not fully understood (a.py)" in str(impact)


@pytest.mark.requirement("BAD-02")
async def test_a_half_written_file_keeps_what_was_written_before(repository: Repository) -> None:
    await repository.index(
        {
            "a.py": "class A:\n    def f(self):\n        return self.g()\n\n    def g(self):\n"
            "        return self.f(\n",
            "b.ts": "export class B {\n  f() { return this.g() }\n  g() {\n    return this.f(",
            "C.java": "class C {\n    void f() { g(); }\n    void g() {\n        f(",
            "D.cs": "class D\n{\n    void F() { G(); }\n    void G()\n    {\n        F(",
            "e.go": "package e\n\nfunc P() { Q() }\n\nfunc Q() {\n\tP(",
            "f.sql": "CREATE TABLE t (id int);\nCREATE TABLE u (id int, name tex",
        }
    )
    calls = await repository.edges("CALLS")
    assert {"a.A.f CALLS a.A.g", "b.B.f CALLS b.B.g", "C.f CALLS C.g", "D.F CALLS D.G"} <= calls
    assert "P CALLS Q" in calls
    assert (await repository.names("t"))[0] == "t"
    told = await repository.status()
    assert {name: row["files_with_problems"] for name, row in told["languages"].items()} == (
        dict.fromkeys(("csharp", "go", "java", "python", "sql", "typescript"), 1)
    )


@pytest.mark.requirement("BAD-03")
async def test_a_minified_file_of_50_mb_is_left_out_and_counted(repository: Repository) -> None:
    packed = b"function a(){return b()};"
    report = await repository.index(
        {
            "app.js": packed * (50 * 1024 * 1024 // len(packed)),
            "small.js": packed * 4000,
            "rows.sql": "CREATE TABLE t (id int);\nINSERT INTO t VALUES "
            + ",".join(f"({n})" for n in range(2000))
            + ";\nCREATE VIEW v AS SELECT id FROM t;\n",
            "own.js": "function own() { return 1 }\n",
        }
    )
    (left,) = report.failures
    assert left.path == "app.js"
    assert "over max_file_bytes" in left.reason
    told = await repository.status()
    assert [*told["left_out"].values()] == [1]
    assert told["problems"] == {"minified": 1}
    assert told["generated_files"] == 2
    assert report.passages < 100, "words nobody wrote are not looked for"
    assert "own.own" in await repository.names("own")
    assert "t.id FLOWS_TO v.id" in await repository.edges("FLOWS_TO"), "rows are no minified code"


@pytest.mark.requirement("BAD-04")
async def test_mixed_encodings_are_read_as_far_as_they_can_be(repository: Repository) -> None:
    report = await repository.index(
        {
            "latin.py": "# Grüße\ndef plain():\n    return 1\n".encode("latin-1"),
            "names.py": "def grüße():\n    return 1\n".encode("latin-1"),
            "mixed.py": "# grüße\n".encode()
            + "def mixed():\n    return 'grüß'\n".encode("latin-1"),
            "Wide.cs": "class Wide { void F() {} }\n".encode("utf-16"),
            "marked.ts": b"\xef\xbb\xbfexport function marked() {}\n",
            "bare.sql": "CREATE TABLE bare (id int);\n".encode("utf-16-le"),
        }
    )
    assert [one.path for one in report.failures] == ["bare.sql"]
    for fqn in ("latin.plain", "names.grüße", "mixed.mixed", "Wide.F", "marked.marked"):
        assert fqn in await repository.names(fqn)
    told = await repository.status()
    assert told["problems"] == {"invalid UTF-8": 1, "not UTF-8": 1}
    assert told["places"]["not UTF-8"] == ["names.py:1-1"]
    assert told["left_out"] == {"holds binary data, not application/sql": 1}


@pytest.mark.requirement("BAD-05")
async def test_line_ends_change_neither_names_nor_edges(repository: Repository) -> None:
    files = {
        "a.py": "class A:\n    '''Doc.\n\n    More.'''\n\n    def f(self):\n        return "
        "self.g()\n\n    def g(self):\n        return 1\n",
        "b.sql": "CREATE TABLE t (\n  id int,\n  name text\n);\nGO\nCREATE VIEW v AS\n"
        "SELECT name FROM t\nGO\n",
        "c.js": "function a() {\n  return b()\n}\n\nfunction b() {}\n",
        "D.java": "class D {\n  // calls\n  void f() { g(); }\n  void g() {}\n}\n",
    }
    report = await repository.index(
        {path: text.replace("\n", "\r\n") for path, text in files.items()}
    )
    assert (report.failures, (await repository.status())["problems"]) == ((), {})
    edges = await repository.edges("CALLS", "FLOWS_TO")
    assert edges == {
        "a.A.f CALLS a.A.g",
        "c.a CALLS c.b",
        "D.f CALLS D.g",
        "t.name FLOWS_TO v.name",
    }
    details = await repository.library.call("code.get_symbol_details", symbol="a.A")
    assert details["symbol"]["doc"] == "Doc."


@pytest.mark.requirement("BAD-06")
async def test_imports_in_a_circle_are_bound(repository: Repository) -> None:
    await repository.index(
        {
            "one.py": "from two import *\nfrom two import g\n\ndef f():\n    return g()\n",
            "two.py": "from one import *\nfrom one import f\n\ndef g():\n    return f()\n",
            "a.ts": "export * from './b';\nimport { g } from './b';\n"
            "export function p() { return g() }\n",
            "b.ts": "export * from './a';\nimport { p } from './a';\n"
            "export function g() { return p() }\n",
        }
    )
    calls = await repository.edges("CALLS")
    assert {"one.f CALLS two.g", "two.g CALLS one.f", "a.p CALLS b.g", "b.g CALLS a.p"} <= calls


@pytest.mark.requirement("BAD-07")
async def test_inheritance_in_a_circle_ends(repository: Repository) -> None:
    await repository.index(
        {
            "a.py": "from b import B\n\nclass A(B):\n    def f(self):\n        self.g()\n",
            "b.py": "from a import A\n\nclass B(A):\n    def g(self):\n        self.f()\n",
            "own.py": "class Own(Own):\n    def f(self):\n        self.f()\n",
            "C.java": "class C extends D { void f() { g(); } }\n"
            "class D extends C { void g() {} }\n",
            "E.cs": "class E : F { void X() { Y(); } }\nclass F : E { void Y() {} }\n",
            "g.ts": "class G extends H { f() { this.k() } }\nclass H extends G { k() {} }\n",
            "h.go": "package h\n\ntype S struct { T }\ntype T struct { S }\n\nfunc (s S) M() {}\n",
            "v.sql": "CREATE VIEW v AS SELECT a FROM w;\nCREATE VIEW w AS SELECT a FROM v;\n",
        }
    )
    assert {"a.A INHERITS b.B", "b.B INHERITS a.A"} <= await repository.edges("INHERITS")
    assert {"a.A.f CALLS b.B.g", "C.f CALLS D.g", "E.X CALLS F.Y"} <= (
        await repository.edges("CALLS")
    )
    for tool in ("get_dependencies", "analyze_impact", "trace_lineage"):
        outcome = await repository.library.outcome(f"code.{tool}", symbol="v.a")
        assert not outcome.is_error, outcome.text


@pytest.mark.requirement("BAD-08")
async def test_of_duplicate_definitions_each_is_there(repository: Repository) -> None:
    await repository.index(
        {
            "a.py": "def f():\n    return 1\n\n\ndef f():\n    return 2\n",
            "C.java": "class C {\n  void g() {}\n  void g() {}\n}\n",
            "d.ts": "function h() {}\nfunction h() {}\n",
            "one.sql": "CREATE TABLE t (id int);\n",
            "two.sql": "CREATE TABLE t (id int, name text);\n",
        }
    )
    for symbol, lines in (
        ("a.f", {"1-2", "5-6"}),
        ("C.g", {"2", "3"}),
        ("d.h", {"1", "2"}),
    ):
        reply = await repository.library.call("code.search_symbols", query=symbol)
        found = [one for one in reply["results"] if one["fqn"] == symbol]
        assert {one["at"].rpartition(":")[2] for one in found} == lines
        assert len({one["id"] for one in found}) == 2
    table = await repository.library.call("code.get_symbol_details", symbol="t")
    assert {one["name"] for one in table["parts"]} == {"id", "name"}


@pytest.mark.requirement("BAD-11")
async def test_links_in_a_circle_are_passed_by(repository: Repository) -> None:
    repository.write({"pkg/a.py": "def f():\n    return 1\n"})
    os.symlink(repository.root, repository.root / "pkg" / "up")
    os.symlink("self", repository.root / "self")
    os.symlink("there.py", repository.root / "here.py")
    os.symlink("here.py", repository.root / "there.py")
    report = await repository.index({})
    assert await repository.names("f") == ["pkg.a.f"]
    told = {skip.path: skip.reason for skip in report.skips}
    assert told["pkg/up"] == "link to what is listed already"
    assert "circle" in told["self"]
    assert (await repository.status())["left_out"] == {
        "broken link: links that lead in a circle": 2
    }


def git(folder: Path, *arguments: str) -> None:
    settings = ("user.name=a", "user.email=a@example.org", "protocol.file.allow=always")
    options = [part for one in settings for part in ("-c", one)]
    subprocess.run(["git", *options, *arguments], cwd=folder, check=True, capture_output=True)


@needs_git
@pytest.mark.requirement("BAD-12")
async def test_submodules_are_read_and_one_not_checked_out_is_told(
    repository: Repository,
) -> None:
    other = repository.root.parent / "other"
    other.mkdir()
    git(other, "init", "-q")
    (other / "lib.py").write_text("def inner():\n    return 1\n", "utf-8")
    (other / ".gitignore").write_text("local.py\n", "utf-8")
    git(other, "add", ".")
    git(other, "commit", "-qm", "library")
    git(repository.root, "init", "-q")
    for name in ("sub", "left"):
        git(repository.root, "submodule", "--quiet", "add", str(other), name)
    git(repository.root, "commit", "-qm", "application")
    git(repository.root, "submodule", "--quiet", "deinit", "-f", "left")
    report = await repository.index(
        {
            "app.py": "from sub.lib import inner\n\ndef main():\n    return inner()\n",
            "sub/local.py": "x = 1\n",
        }
    )
    assert "app.main CALLS sub.lib.inner" in await repository.edges("CALLS")
    told = {skip.path: skip.reason for skip in report.skips}
    assert "git submodule update --init" in told["left/"]
    assert "sub/.git" not in told
    assert (await repository.status())["left_out"] == {
        "submodule that is not checked out": 1,
        "ignored by sub/.gitignore": 1,
    }


@pytest.mark.requirement("BAD-13")
async def test_vendored_and_generated_code_is_recognised(repository: Repository) -> None:
    await repository.index(
        {
            "vendor/lib.py": "def theirs():\n    return 1\n",
            "web/package.json": '{"name": "web"}',
            "web/dist/app.js": "function built() {}\n",
            "web/jquery.min.js": "function packed() {}\n",
            "api_pb2.py": "# Generated by the protocol buffer compiler.  DO NOT EDIT!\n"
            "def made():\n    return 1\n",
            "own.py": "from api_pb2 import made\n\n\ndef own():\n    return made()\n",
        }
    )
    told = await repository.status()
    assert told["generated_files"] == 1
    assert told["left_out"] == {"vendored or built code": 2, "minified code": 1}
    assert "own.own CALLS api_pb2.made" in await repository.edges("CALLS")
    reply = await repository.library.call(
        "graph.query", query="MATCH (f:Function) WHERE f.generated RETURN f.name AS name"
    )
    assert reply["results"] == [{"name": "made"}]


@pytest.mark.requirement("BAD-14")
async def test_ignore_rules_keep_code_out_and_are_counted(repository: Repository) -> None:
    files: dict[str, str | bytes] = {
        ".gitignore": "secret/\n*_local.py\n!keep_local.py\n",
        ".commonplaceignore": "drafts/*.py\n",
        "secret/key.py": "def key():\n    return 1\n",
        "a_local.py": "def local():\n    return 1\n",
        "keep_local.py": "def kept():\n    return 1\n",
        "drafts/d.py": "def draft():\n    return 1\n",
    }
    await repository.index(files)
    for name, found in (("key", []), ("local", []), ("draft", []), ("kept", ["keep_local.kept"])):
        assert [one for one in await repository.names(name) if one.endswith(f".{name}")] == found
    assert (await repository.status())["left_out"] == {
        "ignored by .gitignore": 1,
        "ignored by .commonplaceignore": 1,
    }


@pytest.mark.requirement("BAD-16")
async def test_escapes_of_nul_cost_those_characters_only(repository: Repository) -> None:
    report = await repository.index(
        {
            "a.py": '"""All of \\x00."""\n\ndef seek():\n'
            '    """Looks for \'Exif\\x00\\ud800\'."""\n'
            '    con.execute("select a from t\\x00 where b = 1")\n',
            "b.js": "app.get('/x\\u0000y', (q, r) => { db.query('select a from u\\0') })\n",
            "C.java": 'class C { void c() { jdbc.query("select a from v\\0"); } }\n',
            "D.cs": 'class D { void E() { c.Execute("select a from w\\0"); } }\n',
            "e.go": 'package e\n\nfunc F() { db.Query("select a from x\\x00") }\n',
        }
    )
    assert report.failures == ()
    assert report.added == 5
    told = await repository.library.call("code.search_symbols", query="seek")
    assert "Exif\ufffd\ufffd" in str(told)
