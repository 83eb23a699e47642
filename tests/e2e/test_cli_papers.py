"""Papers on the command line: a bibliography, a Zotero collection, references in a style."""

from pathlib import Path

import pytest

from commonplace.serve.cli.root import EXIT_FAILED, run
from tests.e2e.test_cli import Cli, Ran
from tests.zotero.shelf import make_shelf

BIB = """\
@article{evans2003,
  title = {Domain {Models} in Practice}, author = {Evans, Eric and Vernon, Vaughn}, year = 2003,
  journal = {Journal of Models}, volume = 7, number = 2, pages = {1--20}, doi = {10.1000/ddd.1}
}
@book{lee2021, title = {Watering orchards}, author = {Lee, Ana}, date = {2021-04},
  publisher = {Tree \\& Sons}, location = {Kiel}}
"""
STYLE = """\
<style xmlns="http://purl.org/net/xbiblio/csl" class="in-text" version="1.0">
  <info><title>Mine</title><id>mine</id><updated>2026-01-01T00:00:00+00:00</updated></info>
  <citation><layout><text variable="title"/></layout></citation>
  <bibliography><layout>
    <text variable="citation-number" prefix="[" suffix="] "/>
    <text variable="title" font-style="italic"/>
    <date variable="issued" prefix=", "><date-part name="year"/></date>
  </layout></bibliography>
</style>
"""


@pytest.fixture
def cli(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Cli:
    def call(*arguments: str) -> Ran:
        code = run(["--home", str(tmp_path / "home"), *arguments])
        return Ran(code, *capsys.readouterr())

    return call


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "evans.md").write_text("# Domain models in practice\n\nEntities have identity.\n")
    (folder / "other.md").write_text("# Something else\n\nOf no author.\n")
    (tmp_path / "library.bib").write_text(BIB)
    return folder


@pytest.mark.requirement("PAP-20")
def test_add_reads_the_bibliography_it_is_given(cli: Cli, papers: Path, tmp_path: Path) -> None:
    added = cli("add", str(papers), "--references", str(tmp_path / "library.bib"), "--no-wait")
    assert added.code == 0
    assert "other.md: no record in the bibliography" in added.out
    asked = cli("call", "papers.query", '{"project": "default", "text": "entities"}', "--json")
    assert asked.json["items"][0]["citekey"] == "evans2003"
    wrong = cli("add", str(papers), "--references", str(papers / "evans.md"), "--no-wait")
    assert wrong.code == EXIT_FAILED
    assert "is no bibliography" in wrong.err


@pytest.mark.requirement("PAP-20")
def test_add_reads_the_bibliography_beside_the_papers(cli: Cli, papers: Path) -> None:
    (papers / "library.bib").write_text(BIB)
    (papers / "posts.json").write_text('[{"title": "Something else", "id": "no-work"}]')
    assert cli("add", str(papers), "--no-wait").code == 0
    asked = cli("call", "papers.query", '{"project": "default", "text": "entities"}', "--json")
    keys = {one["title"]: one["citekey"] for one in asked.json["items"]}
    assert keys == {"Domain Models in Practice": "evans2003", "Something else": None}
    (papers / "library.bib").write_text(BIB.replace("evans2003", "evans2004"))
    assert "nothing changed" in cli("sync", "--no-wait").out
    asked = cli("call", "papers.query", '{"project": "default", "text": "entities"}', "--json")
    assert asked.json["items"][0]["citekey"] == "evans2004"


@pytest.mark.requirement("PAP-31")
def test_a_bibliography_is_added_by_itself_and_says_how_many_it_matches(
    cli: Cli, papers: Path, tmp_path: Path
) -> None:
    assert "record" not in cli("add", str(papers), "--no-wait").out
    library = tmp_path / "library.bib"
    for _ in range(2):
        assert "library.bib  2 records match 1 of 2 documents" in cli(
            "add", str(library), "--no-wait"
        ).out.replace("\n", "")
    assert cli("cite", "lee2021").code == 0
    told = cli("add", str(library), "--no-wait", "--json").json["sources"][0]["records"]
    assert told == {"known": 2, "matched": 1, "documents": 2}
    assert cli("remove", str(library)).code == 0
    assert "`commonplace add LIBRARY.bib`" in cli("cite", "lee2021").err


@pytest.mark.requirement("PAP-21")
def test_references_are_written_in_a_style(cli: Cli, papers: Path, tmp_path: Path) -> None:
    cli("add", str(papers), "--references", str(tmp_path / "library.bib"), "--no-wait")
    cited = cli("cite", "lee2021", "@Evans2003")
    assert cited.out == (
        "Evans, Eric and Vaughn Vernon (2003). Domain Models in Practice. Journal of Models, "
        "7(2), 1–20. https://doi.org/10.1000/ddd.1\n"
        "Lee, Ana (2021). Watering orchards. Kiel: Tree & Sons\n"
    )
    assert "*Journal of Models*" in cli("cite", "evans2003", "--format", "markdown").out
    page = cli("cite", "lee2021", "--format", "html").out
    assert page == ("<p>Lee, Ana (2021). <i>Watering orchards</i>. Kiel: Tree &amp; Sons</p>\n")


@pytest.mark.requirement("PAP-21")
def test_a_style_of_the_users_own(cli: Cli, papers: Path, tmp_path: Path) -> None:
    cli("add", str(papers), "--references", str(tmp_path / "library.bib"), "--no-wait")
    style = tmp_path / "mine.csl"
    style.write_text(STYLE)
    keys = ("lee2021", "evans2003")
    expected = ["[1] Watering orchards, 2021", "[2] Domain Models in Practice, 2003"]
    told = cli("cite", *keys, "--style", str(style), "--json").json
    assert [one["text"] for one in told["references"]] == expected
    assert [one["citekey"] for one in told["references"]] == list(keys)
    named = tmp_path / "home" / "styles"
    named.mkdir()
    (named / "mine.csl").write_text(STYLE)
    assert cli("cite", *keys, "--style", "mine").out.splitlines() == expected
    aligned = STYLE.replace("<bibliography>", '<bibliography second-field-align="flush">')
    (named / "aligned.csl").write_text(aligned.replace('suffix="] "', 'suffix="]"'))
    assert cli("cite", *keys, "--style", "aligned").out.splitlines() == expected


@pytest.mark.requirement("PAP-21")
def test_what_cannot_be_cited_is_told_with_what_can(cli: Cli, papers: Path, tmp_path: Path) -> None:
    cli("add", str(papers), "--references", str(tmp_path / "library.bib"), "--no-wait")
    assert "no record 'evans2033' in this project; near: evans2003" in cli("cite", "evans2033").err
    assert "or one of: author-date" in cli("cite", "evans2003", "--style", "apa").err
    bad = tmp_path / "bad.csl"
    for text in ("<style", "<html/>", STYLE.replace("bibliography", "nothing")):
        bad.write_text(text)
        ran = cli("cite", "evans2003", "--style", str(bad))
        assert ran.code == EXIT_FAILED
        assert "bad.csl" in ran.err


@pytest.mark.requirement("PAP-26")
def test_projects_are_bound_and_inspected(cli: Cli, papers: Path) -> None:
    made = cli("projects", "create", "lab/papers", "--model", "static")
    assert made.out == "Project lab/papers is there, bound to wordllama-l2-supercat-256@0.4.\n"
    assert cli("--project", "lab/papers", "add", str(papers), "--no-wait").code == 0
    told = cli("projects", "inspect", "lab/papers", "--sample", "1")
    assert "lab/papers: 2 documents (0 in a bibliography), 2 passages" in told.out
    facts = cli("projects", "inspect", "lab/papers", "--json").json
    assert facts["dense_model"] == "wordllama-l2-supercat-256@0.4"
    assert "Available projects: default, lab/papers" in cli("projects", "inspect", "no/such").err
    wrong = cli("projects", "create", "lab/more", "--model", "nothing")
    assert "no model tier 'nothing'; known: " in wrong.err


@pytest.mark.requirement("ZOT-13")
def test_a_zotero_collection_is_added_and_narrowed(cli: Cli, tmp_path: Path) -> None:
    shelf = make_shelf(tmp_path / "Zotero")
    home = tmp_path / "home"
    home.mkdir()
    told = f'zotero_url = "http://127.0.0.1:9"\nzotero_folder = "{shelf.folder}"\n'
    (home / "settings.toml").write_text(told)
    connection = shelf.write()
    added = cli("add", "zotero:", "--tag", "design", "--tag", "to read", "--no-wait")
    assert added.code == 0
    assert "2 documents: 2 added" in added.out
    assert "Evans, Eric" in cli("cite", "evans2003").out
    assert "no collection 'Nothing'" in cli("add", "zotero:Nothing", "--no-wait").err
    assert "zotero:?tag=design&tag=to+read" in cli("status", "--json").out
    assert cli("remove", "zotero:?tag=to read&tag=design").code == 0
    connection.close()
