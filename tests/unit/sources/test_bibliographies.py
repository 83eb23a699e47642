"""Bibliographies as people have them: odd encodings, inheritance, LaTeX, half-written entries."""

from pathlib import Path

import pytest

from commonplace.domain.reference import Reference
from commonplace.settings import Settings
from commonplace.sources.bibliographies import bibtex, csl, ris
from commonplace.sources.bibliographies.find import read_one


def one(text: str) -> Reference:
    """The only record of a BibTeX text that has nothing wrong."""
    reading = bibtex.read(text)
    assert reading.problems == ()
    return reading.references[0]


@pytest.mark.requirement("PAP-35")
def test_a_paper_of_proceedings_has_book_year_and_editor_from_them() -> None:
    made = one(
        "@inproceedings{kid, author={Lee, Ann}, title={On Pears}, pages={3--9}, crossref={Proc}}\n"
        "@proceedings{proc, title={Proceedings of Orchards}, editor={Ito, Ken}, year=2011,"
        " publisher={Tree Press}, doi={10.1000/whole}, pages={1--500}}"
    )
    assert (made.title, made.authors, made.year, made.doi) == ("On Pears", ("Ann Lee",), 2011, "")
    assert made.csl["container-title"] == "Proceedings of Orchards"
    assert made.csl["editor"] == [{"family": "Ito", "given": "Ken"}]
    assert (made.csl["publisher"], made.csl["page"]) == ("Tree Press", "3-9")


@pytest.mark.requirement("PAP-35")
def test_a_part_of_a_book_without_a_title_has_that_of_the_book() -> None:
    made = one("@inbook{part, chapter=3, crossref={all}}\n@book{all, title={Pears}, author={Lee}}")
    assert (made.title, made.authors) == ("Pears", ("Lee",))


@pytest.mark.requirement("PAP-35")
def test_xdata_gives_all_it_has_and_is_no_work() -> None:
    reading = bibtex.read(
        "@xdata{tp, publisher={Tree Press}, location={Ulm}, title={no work}}\n"
        "@book{a, title={Pears}, xdata={tp}}\n@book{b, title={Self}, crossref={b}, xdata={b,none}}"
    )
    assert [each.citekey for each in reading.references] == ["a", "b"]
    assert reading.references[0].csl["publisher-place"] == "Ulm"


@pytest.mark.requirement("PAP-35")
@pytest.mark.parametrize(
    ("field", "authors", "people"),
    [
        ("{World Health Organization}", ("World Health Organization",), "literal"),
        ("{{World Health Organization}}", ("World Health Organization",), "literal"),
        ("{Barnes and Noble, Inc.}", ("Barnes and Noble, Inc.",), "literal"),
        ("Lee, Ann and others", ("Ann Lee",), "family"),
        ("Lee, Ann AND Ito, Ken", ("Ann Lee", "Ken Ito"), "family"),
        ("family=Gogh, given=Vincent, prefix=van", ("Vincent van Gogh",), "family"),
        ('{\\"O}zg{\\"u}r, Ay{\\c s}e', ("Ayşe Özgür",), "family"),
        ("{\\'E}variste Galois", ("Évariste Galois",), "family"),
        ("Angela Merkel", ("Angela Merkel",), "family"),
        ("Vincent van der Gogh", ("Vincent van der Gogh",), "family"),
        ("King, Jr., Martin Luther", ("Martin Luther King Jr.",), "family"),
    ],
)
def test_names_are_read_as_they_are_meant(
    field: str, authors: tuple[str, ...], people: str
) -> None:
    made = one(f"@book{{a, title={{T}}, author={{{field}}}}}")
    assert made.authors == authors
    assert people in made.csl["author"][0]


@pytest.mark.requirement("PAP-35")
@pytest.mark.parametrize("given", ["Angela", "Peter", "Linda", "Heidi", "Auguste", "Alexander"])
def test_the_end_of_a_given_name_is_no_particle(given: str) -> None:
    made = one(f"@book{{a, title={{T}}, author={{{given} Lee and {given} de la Lee}}}}")
    assert made.csl["author"] == [
        {"family": "Lee", "given": given},
        {"family": "de la Lee", "given": given},
    ]


@pytest.mark.requirement("PAP-35")
@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (r"The $\beta$-decay of $^{3}$H", "The β-decay of 3H"),
        (r"``Na\"{\i}ve'' et al.\ in \LaTeX{} and \TeX", "“Naïve” et al. in LaTeX and TeX"),
        (r"{\O}rsted's {\L}{\'o}d{\'z}---10\,\% of $O(n^2)$", "Ørsted's Łódź—10 % of O(n2)"),
        (r"{\th}orn \textquoteright{}s \v{S}koda \& \.{I}zmir", "þorn ’s Škoda & İzmir"),
        (r"a\_b \{c\} \textasciitilde{} 5\$", "a_b {c} ~ 5$"),
        (r"A$\lambda$B, US\$5 and US\$6", "AλB, US$5 and US$6"),
    ],
)
def test_latex_of_titles_becomes_what_is_printed(written: str, meant: str) -> None:
    assert one(f"@book{{a, title={{{written}}}}}").title == meant


@pytest.mark.requirement("PAP-35")
def test_addresses_and_dois_stay_as_they_are() -> None:
    made = one(
        r"@misc{a, title={T}, url={https://x.org/~me/a--b\_c?d=1\&e},"
        r" doi={10.1002/(SICI)1097-4571(199806)49:8<693::AID-ASI4>3.0.CO;2-O}}"
    )
    assert made.csl["URL"] == "https://x.org/~me/a--b_c?d=1&e"
    assert made.doi == "10.1002/(sici)1097-4571(199806)49:8<693::aid-asi4>3.0.co;2-o"
    linked = one(r"@misc{a, title={T}, howpublished={\url{https://x.org/a}}}")
    assert linked.csl["URL"] == "https://x.org/a"


@pytest.mark.requirement("PAP-03")
def test_what_can_be_read_of_a_broken_entry_is_kept_and_the_rest_told() -> None:
    reading = bibtex.read(
        "@book{a, title={A},, year=2001, % old = {x},\n doi={10.1000/a}}\n"
        "@book{b, title={B}, 1st={x}, year=2002}\n@book{c, title={C}, year = }\n"
        "@book{title={D}}\n@book{Smith (2010), title={E}}\n@book{f, year=2003}"
    )
    assert [(each.citekey, each.year) for each in reading.references] == [
        ("a", 2001), ("b", None), ("c", None), ("", None), ("Smith (2010)", None),
    ]  # fmt: skip
    assert reading.problems == (
        "entry at line 3: what stands after title is no field, and was not read",
        "entry at line 4: a field has no value",
        "entry at line 5: it has no key",
        "1 entries without a title were left out",
    )


@pytest.mark.requirement("PAP-03")
def test_an_entry_inside_a_value_is_no_entry() -> None:
    text = "@book{a, title={A}, abstract={as in @book{x, title={X}}}}\n@book{b, title={B}}"
    assert [each.citekey for each in bibtex.read(text).references] == ["a", "b"]


@pytest.mark.requirement("PAP-36")
@pytest.mark.parametrize(
    ("head", "encoding", "is_told"),
    [
        ("", "utf-8", False),
        ("", "utf-8-sig", False),
        ("", "utf-16", False),
        ("", "cp1252", True),
        ("% Encoding: ISO8859_2\n", "iso8859-2", False),
        ("% Encoding: Cp1252\n", "cp1252", False),
    ],
)
def test_a_bibliography_is_read_in_its_encoding(
    tmp_path: Path, head: str, encoding: str, is_told: bool
) -> None:
    path = tmp_path / "a.bib"
    path.write_bytes((f"{head}@book{{müller, title={{Größe}}}}").encode(encoding))
    reading = read_one(path, Settings(home=tmp_path))
    assert [(each.citekey, each.title) for each in reading.references] == [("müller", "Größe")]
    assert [one.partition(":")[0] for one in reading.notes] == ["not UTF-8"] * is_told


@pytest.mark.requirement("PAP-36")
def test_keys_of_two_works_are_told_and_copies_are_not(tmp_path: Path) -> None:
    path = tmp_path / "a.bib"
    path.write_text("@book{a, title={A}}@book{a, title={B}}@book{c, title={C}}@book{c, title={c}}")
    reading = read_one(path, Settings(home=tmp_path))
    assert len(reading.references) == 4
    assert reading.notes == ("2 works have the key 'a'; `cite` finds the first",)


@pytest.mark.requirement("PAP-01")
def test_ris_without_ends_dates_without_years_and_institutions() -> None:
    reading = ris.read(
        "TY  - JOUR\nTI  - A\nAU  - World Health Organization\nAU  - European Commission,\n"
        "AU  - J. R. Tolkien\nDA  - JUN 15\nPY  - 2009\nID  - 17\nKW  - Neoplasms, Experimental\n"
        "KW  - Rats\nL1  - file:///C:/a/Evans%202003.pdf\n"
        "TY  - BOOK\nTI  - B\nPY  - 2001\nDA  - 2003/01/02/\nER  - "
    )
    first, second = reading.references
    assert first.authors == ("World Health Organization", "European Commission", "J. R. Tolkien")
    assert first.csl["author"][2] == {"family": "Tolkien", "given": "J. R."}
    assert first.csl["issued"] == {"date-parts": [[2009, 6]]}
    assert (first.year, first.citekey, first.file) == (2009, "", "Evans 2003.pdf")
    assert first.tags == ("Neoplasms, Experimental", "Rats")
    assert (second.year, second.csl["issued"]) == (2001, {"date-parts": [[2001]]})


@pytest.mark.requirement("PAP-01")
def test_one_csl_item_alone_is_a_bibliography_and_lists_are_read() -> None:
    text = '{"type": "book", "title": ["Pears"], "DOI": "10.1000/p", "author": [{"family": "Lee"}]}'
    assert [(each.title, each.doi) for each in csl.read(text).references] == [
        ("Pears", "10.1000/p")
    ]


@pytest.mark.requirement("PAP-01")
def test_names_and_dates_of_csl_may_be_plain_text() -> None:
    text = """[{"type": "book", "title": "A", "author": "Lee, Ann", "issued": 2019},
        {"type": "book", "title": "B", "author": ["Ann Lee", 3], "issued": "2019-05"},
        {"type": "book", "title": "C", "author": {"family": "Lee", "given": "Ann"}, "editor": 7}]"""
    made = csl.read(text).references
    assert {each.authors for each in made} == {("Ann Lee",)}
    assert all(each.csl["author"] == [{"family": "Lee", "given": "Ann"}] for each in made)
    assert [each.csl.get("issued") for each in made] == [
        {"date-parts": [[2019]]},
        {"date-parts": [[2019, 5]]},
        None,
    ]
    assert made[2].csl["editor"] == []
