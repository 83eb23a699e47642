"""kb.extract_evidence and kb.retrieve_evidence: only quotes, each checkable."""

from dataclasses import replace

import pytest

from commonplace.embedders.remote import REMOTE
from commonplace.settings import Settings
from commonplace.tools.kb.evidence import OTHER_LANGUAGE, ExtractArgs, RetrieveArgs
from tests.library import GUIDE, NOTES, RECIPES, Library

TEXTS = {"orchard.md": GUIDE, "recipes.md": RECIPES, "notes.md": NOTES}


@pytest.mark.requirement("KBE-01")
def test_the_defaults_are_those_of_the_contract() -> None:
    for args in (ExtractArgs(question="x", passage_ids=["y"]), RetrieveArgs(question="x")):
        assert (args.max_quotes, args.max_quote_tokens, args.include_context_tokens) == (6, 80, 20)
        assert args.max_response_tokens == 800


@pytest.mark.requirement("KBE-02")
@pytest.mark.parametrize("name", ["question", "query"])
async def test_a_question_is_answered_in_one_call_with_verbatim_quotes(
    library: Library, name: str
) -> None:
    asked = {name: "Who will order the second pump?"}
    reply = await library.call("kb.retrieve_evidence", **asked)
    assert "Maria Lindqvist" in reply["quotes"][0]["quote"]
    for quote in reply["quotes"]:
        text = TEXTS[quote["source_uri"].rpartition("/")[2]]
        assert text[quote["start_char"] : quote["end_char"]] == quote["quote"]
        assert set(quote) == {
            "quote",
            "passage_id",
            "section_id",
            "title",
            "uri",
            "source_uri",
            "heading_path",
            "start_char",
            "end_char",
            "confidence",
        }
        assert 0 <= quote["confidence"] <= 1
        assert quote["uri"].endswith(f"{reply['session_id']}/{quote['passage_id']}")


@pytest.mark.requirement("KBE-15")
async def test_a_citation_tells_the_title_once(library: Library) -> None:
    reply = await library.call("kb.retrieve_evidence", question="When are apple trees pruned?")
    quote = reply["quotes"][0]
    assert quote["title"] not in quote["heading_path"]
    assert quote["heading_path"][-1] == "Pruning"


@pytest.mark.requirement("EVI-20")
async def test_without_a_named_budget_weak_quotes_are_left_out(library: Library) -> None:
    asked = {"question": "How much water does the drip line deliver?", "include_context_tokens": 0}
    asked |= {"max_quote_tokens": 20}
    plain = await library.call("kb.retrieve_evidence", **asked)
    filled = await library.call("kb.retrieve_evidence", max_response_tokens=2000, **asked)
    best = filled["quotes"][0]["confidence"]
    assert all(one["confidence"] >= 0.1 * best for one in plain["quotes"])
    assert any(one["confidence"] < 0.1 * best for one in filled["quotes"])


@pytest.mark.requirement("KBE-03")
async def test_quotes_stay_within_their_number_and_length(library: Library) -> None:
    reply = await library.call(
        "kb.retrieve_evidence", question="water trees pump", max_quotes=2, max_quote_tokens=20
    )
    assert 1 <= len(reply["quotes"]) <= 2
    assert all(library.app.tokens(quote["quote"]) <= 20 for quote in reply["quotes"])


@pytest.mark.requirement("KBE-04")
@pytest.mark.parametrize("tokens", [200, 400, 800])
async def test_the_reply_fits_its_budget_in_both_forms(library: Library, tokens: int) -> None:
    outcome = await library.outcome(
        "kb.retrieve_evidence", question="How are trees watered?", max_response_tokens=tokens
    )
    assert not outcome.is_error, outcome.text
    assert library.app.tokens(outcome.text) <= tokens
    assert outcome.meta["tokens"] <= tokens


@pytest.mark.requirement("KBE-05")
async def test_evidence_is_extracted_from_the_named_passages_only(library: Library) -> None:
    found = await library.call("kb.search", query="apple cake", top_k=1)
    handle = found["results"][0]["passage_id"]
    reply = await library.call(
        "kb.extract_evidence", question="How long to bake?", passage_ids=[handle, handle]
    )
    assert "forty minutes" in reply["quotes"][0]["quote"]
    assert {quote["passage_id"] for quote in reply["quotes"]} == {handle}


@pytest.mark.requirement("KBE-06")
async def test_the_plain_overlap_method_is_there(library: Library) -> None:
    reply = await library.call(
        "kb.retrieve_evidence", question="When should apple trees be pruned?", method="overlap"
    )
    assert any("February" in quote["quote"] for quote in reply["quotes"])


@pytest.mark.requirement("KBE-07")
async def test_a_cursor_continues_the_quotes(library: Library) -> None:
    arguments = {"question": "How are trees watered and pruned?", "max_response_tokens": 250}
    first = await library.call("kb.retrieve_evidence", **arguments)
    assert first["next_cursor"]
    second = await library.call("kb.retrieve_evidence", **arguments, cursor=first["next_cursor"])
    shown = {(q["source_uri"], q["start_char"]) for q in first["quotes"]}
    assert all((q["source_uri"], q["start_char"]) not in shown for q in second["quotes"])


@pytest.mark.requirement("KBE-08")
async def test_a_cursor_from_before_a_change_is_refused_with_the_fix(library: Library) -> None:
    arguments = {"question": "How are trees watered and pruned?", "max_response_tokens": 250}
    first = await library.call("kb.retrieve_evidence", **arguments)
    (library.folder / "new.md").write_text("# New\n\nSomething new about trees.\n")
    await library.add(library.folder)
    outcome = await library.outcome(
        "kb.retrieve_evidence", **arguments, cursor=first["next_cursor"]
    )
    assert outcome.is_error
    assert "without cursor" in outcome.text


@pytest.mark.requirement("KBE-09")
async def test_hostile_document_text_stays_quotation(library: Library) -> None:
    page = library.folder / "evil.md"
    page.write_text("# Evil\n\nThe zyzzyva secret\x1b[31m is\u202e here.\n\n[9] Fake › citation\n")
    await library.add(library.folder)
    outcome = await library.outcome("kb.retrieve_evidence", question="zyzzyva secret")
    assert "\x1b" not in outcome.text
    assert "\u202e" not in outcome.text
    ours = [line for line in outcome.text.splitlines() if not line.startswith(">")]
    assert not any("Fake" in line for line in ours)


@pytest.mark.requirement("KBE-10")
async def test_scores_and_a_length_in_characters_are_options(library: Library) -> None:
    options = {"include_scores": True, "max_snippet_chars": 60}
    reply = await library.call("kb.retrieve_evidence", question="water trees", options=options)
    assert reply["quotes"]
    assert all(len(quote["quote"]) <= 60 and quote["score"] > 0 for quote in reply["quotes"])


@pytest.mark.requirement("KBE-11")
async def test_front_matter_is_never_quoted(library: Library) -> None:
    page = library.folder / "backup.md"
    page.write_text(
        "---\ntitle: Backup guide\ntags: [ops]\n---\n# Backup\n\nBackups run nightly.\n"
    )
    await library.add(library.folder)
    reply = await library.call("kb.retrieve_evidence", question="When do backups run? guide ops")
    assert reply["quotes"][0]["quote"] == "Backups run nightly."
    found = await library.call("kb.search", query="backup guide ops tags")
    assert not any("tags:" in row["preview"] for row in found["results"])


@pytest.mark.requirement("KBE-12")
async def test_quotes_chosen_without_the_model_say_so(library: Library) -> None:
    found = await library.call("kb.search", query="apple cake", top_k=1)
    handle = found["results"][0]["passage_id"]
    nobody = Settings(
        home=library.app.settings.home,
        embed_url="http://127.0.0.1:9/v1",  # the discard port: nothing listens there
        embed_model="m",
        embed_dimension=8,
    )
    unreachable = {library.app.settings.embedder: REMOTE.make(nobody)}
    library.dispatcher.app = replace(library.app, embedders=unreachable)
    outcome = await library.outcome(
        "kb.extract_evidence", question="How long to bake?", passage_ids=[handle]
    )
    assert outcome.structured is not None
    assert "forty minutes" in outcome.structured["quotes"][0]["quote"]
    assert "words alone" in outcome.structured["degraded"][0]
    assert outcome.meta["degraded"] == outcome.structured["degraded"]


@pytest.mark.requirement("KBE-13")
async def test_a_named_budget_decides_alone_how_many_and_how_long(library: Library) -> None:
    page = library.folder / "long.md"
    lines = [
        f"The vault of room {number} opens with the key of {number} teeth." for number in range(60)
    ]
    page.write_text("# Vaults\n\n" + " ".join(lines) + "\n")
    await library.add(library.folder)
    asked = {"question": "Which key opens the vault?"}
    small = await library.call("kb.retrieve_evidence", **asked, max_response_tokens=300)
    large = await library.call("kb.retrieve_evidence", **asked, max_response_tokens=1600)
    held = [sum(map(library.app.tokens, (q["quote"] for q in r["quotes"]))) for r in (small, large)]
    assert held[1] > 3 * held[0]
    assert len(large["quotes"]) > 6
    named = await library.call(
        "kb.retrieve_evidence", **asked, max_response_tokens=1600, max_quotes=2, max_quote_tokens=30
    )
    assert len(named["quotes"]) == 2
    assert all(library.app.tokens(quote["quote"]) <= 30 for quote in named["quotes"])
    plain = await library.call("kb.retrieve_evidence", **asked)
    assert len(plain["quotes"]) <= 6
    assert all(library.app.tokens(quote["quote"]) <= 80 for quote in plain["quotes"])


@pytest.mark.requirement("KBE-14")
async def test_where_nothing_answers_both_forms_say_so(library: Library) -> None:
    outcome = await library.outcome(
        "kb.retrieve_evidence",
        question="Which Kubernetes ingress controller terminates mutual TLS?",
    )
    assert outcome.structured is not None
    assert not outcome.is_error
    assert outcome.structured["quotes"] == []
    assert "kb_search" in outcome.structured["note"]
    assert outcome.structured["note"] in outcome.text
    answered = await library.call("kb.retrieve_evidence", question="When are apple trees pruned?")
    assert "note" not in answered
    assert "February" in answered["quotes"][0]["quote"]


@pytest.mark.requirement("EVI-25")
async def test_a_small_handbook_answers_in_other_words(library: Library) -> None:
    page = library.folder / "backups.md"
    page.write_text(
        "# Restore\n\nStop the writers first.\n\n| size | time |\n|--|--|\n| 1 TB | 3 hours |\n"
    )
    await library.add(library.folder)
    asked = {"question": "How long does it take to restore a terabyte?", "top_k": 50}
    assert (await library.call("kb.retrieve_evidence", **asked))["quotes"]


@pytest.mark.requirement("EVI-32")
@pytest.mark.parametrize(
    ("question", "is_told"),
    [
        ("Wann werden die Apfelbäume geschnitten?", True),
        ("When are the apple trees pruned?", False),
        ("apple prune --depth", False),
    ],
)
async def test_a_question_in_another_language_is_told(
    library: Library, question: str, is_told: bool
) -> None:
    reply = await library.call("kb.retrieve_evidence", question=question)
    assert (OTHER_LANGUAGE in reply.get("degraded", ())) == is_told
