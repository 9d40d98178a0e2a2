"""The report of an answer as a browser reads it: what was found and why, and no markup of a document."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import replace
from datetime import date

import pytest

from engine.documents import Chunk, Document, Reference, Section
from engine.encoders import Coupling
from engine.exports.search_report import search_html
from engine.library import Filters
from engine.search import Answer, Question, Result, Term
from engine.search.evidence.explain import Evidence
from engine.search.evidence.sentences import PassagePair
from tests.made_readings import NEAR as NEAR_LIST
from tests.made_readings import READ
from tests.read_page import Page

HOSTILE = '</style></title></p><script>alert(1)</script><img src=x onerror=alert(1)> " onfocus="alert(1)" \u202e\x00'
QUERY = Document(
    "draft", "paper", "Kites in gusts", "How a kite flies.", (Section("Method", "We tie it."), Section("", "More."))
)
NEAR = Document(
    "doi:10.1/k",
    "paper",
    "Tethered flight",
    "Lines and wind.",
    (),
    year=2015,
    categories=("cs.RO",),
    keywords=(),
    venue="Wind",
    authors=("Ada Gale",),
    url="https://example.org/k?a=1&b=2",
)


def chunk(text: str, section: str) -> Chunk:
    return Chunk("d", 0, section, 0, len(text), text)


EVIDENCE = Evidence(
    (Term("kite", 0.9), Term("gust", 0.4)),
    PassagePair(chunk("We tie it.", "Method"), chunk("Lines and wind.", "Abstract"), 0.6),
    (Coupling("title", "abstract", 0.71),),
)


def answer(*results: Result, duplicates: tuple[str, ...] = ()) -> Answer:
    return Answer(results, "blend", {"encode": 0.1}, NEAR_LIST, duplicates, holders={"kite": 3})


def result(document: Document = NEAR, rank: int = 1, evidence: Evidence = EVIDENCE) -> Result:
    return Result(rank, document, READ, {"encoder": 0.5}, evidence, ("arXiv:1",))


def shown(*results: Result, question: Question | None = None, duplicates: tuple[str, ...] = ()) -> Page:
    asked = question or Question(QUERY)
    return Page(search_html(asked, answer(*results, duplicates=duplicates), made_on=date(2026, 1, 31)))


def test_all_that_was_found_stands_in_it() -> None:
    page = shown(result(), result(replace(NEAR, id="b", title="Second", url=""), rank=2), duplicates=("own",))
    first = page.all("section")[0].text
    for said in (
        "1. Tethered flight", "2015", "Ada Gale", "Wind", "cs.RO", "doi:10.1/k", "kite, gust",
        "closely related (83 %), nearness 0.57",
        "0.71", "In your document · Method", "We tie it.", "Also in the library as arXiv:1",
    ):  # fmt: skip
        assert said in first
    assert "Kites in gusts" in page.text and "Sections: Method" in page.text
    assert "own: the document itself" in page.text and "31 January 2026" in page.text


def test_a_passage_names_its_page() -> None:
    paged = replace(EVIDENCE.passage, document=Chunk("d", 2, "Method", 0, 9, "It flies.", page=12))
    said = shown(result(evidence=replace(EVIDENCE, passage=paged))).text
    assert "Method, p. 12" in said


def test_the_nearest_passage_of_a_body_has_a_word_of_its_own() -> None:
    document = replace(NEAR, sections=(Section("Trials", "It flies."),))
    assert document.parts[2].role == "body"
    pair = replace(EVIDENCE.passage, document=Chunk("d", 2, "Trials", 0, 9, "It flies."), reading=READ)
    page = shown(result(document, evidence=replace(EVIDENCE, passages=(pair,)))).text
    assert "Its nearest passage: closely related (83 %), nearness 0.57" in page
    of_abstract = replace(pair, document=Chunk("d", 1, "Abstract", 0, 5, "Lines"))
    assert "nearest passage" not in shown(result(document, evidence=replace(EVIDENCE, passages=(of_abstract,)))).text


def test_the_contents_lead_to_every_result() -> None:
    page = shown(result(), result(replace(NEAR, id="b", title="Second"), rank=2))
    targets = [one.attributes["href"] for one in page.all("a") if one.attributes["href"].startswith("#")]
    assert targets == ["#r1", "#r2"]
    assert [page.id(target[1:]).name for target in targets] == ["section", "section"]


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", "https:", "//x.org", "http://[", ""])
def test_only_an_address_of_the_web_becomes_a_link(url: str) -> None:
    page = shown(result(replace(NEAR, url=url)))
    assert [one.attributes["href"] for one in page.all("a")] == ["#r1"]


def test_a_web_address_is_a_link_that_says_nothing_of_where_it_was_pressed() -> None:
    (link,) = [one for one in shown(result()).all("a") if one.attributes["href"].startswith("http")]
    assert link.attributes["href"] == NEAR.url and link.attributes["rel"] == "noreferrer noopener"


def test_no_text_becomes_markup() -> None:
    hostile = Document(
        HOSTILE,
        "paper",
        HOSTILE,
        HOSTILE,
        (Section(HOSTILE, HOSTILE),),
        year=2001,
        categories=(HOSTILE,),
        keywords=(),
        venue=HOSTILE,
        authors=(HOSTILE,),
        url=HOSTILE,
    )
    passage = PassagePair(chunk(HOSTILE, HOSTILE), chunk(HOSTILE, HOSTILE), 0.5)
    evidence = Evidence((Term(HOSTILE, 1.0),), passage, (Coupling(HOSTILE, "title", 0.5),))
    filters = Filters(categories=frozenset({HOSTILE}), collections=frozenset({HOSTILE}), files=frozenset({HOSTILE}))
    question = Question(hostile, filters=filters, liked=(HOSTILE,), disliked=("x" + HOSTILE,))
    page = shown(result(hostile, evidence=evidence), question=question, duplicates=(HOSTILE,))
    assert not page.all("script") and not page.all("img")
    assert not any(name.startswith("on") for one in page.found for name in one.attributes)
    assert "\u202e" not in page.source and "\x00" not in page.source
    assert page.text.count("<script>alert(1)</script>") >= 12


def test_nothing_but_its_own_style_sheet_is_allowed() -> None:
    page = shown(result())
    (policy,) = (one.attributes["content"] for one in page.all("meta") if one.attributes.get("http-equiv"))
    digest = base64.b64encode(hashlib.sha256(page.all("style")[0].text.encode()).digest()).decode()
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert "url(" not in page.source and "@import" not in page.source


def test_keywords_name_no_encoder_and_read_alike() -> None:
    page = shown(result(), question=Question(QUERY, ranking="keywords"))
    assert "closely related (83 %)" in page.text and "keywords alone" in page.text
    assert "blend" not in page.text


def test_the_verdict_and_the_words_of_the_question_are_written_down() -> None:
    page = shown(replace(result(), stressed=("kite",)), question=Question(QUERY, stressed=("kite",)))
    assert (
        "One paper is closely related." in page.text and "kite (3 documents)" in page.text and "Says kite" in page.text
    )


def test_what_was_asked_for_is_written_down() -> None:
    filters = Filters(
        frozenset({"patent"}), 1990, None, collections=frozenset({"Case 12"}), files=frozenset({"a.ris", "b.ris"})
    )
    page = shown(question=Question(QUERY, filters=filters, liked=("a", "b"), disliked=("c",)))
    making = next(one.text for one in page.all("section") if one.attributes.get("id") == "making")
    for said in (
        "patents; years 1990 to any; collections Case 12; imported from a.ris, b.ris",
        "a, b",
        "meaning and keywords together",
        "blend",
    ):
        assert said in making
    assert "Nothing was found that passes the filters." in page.text
    assert "<p>Nothing was found.</p>" in shown(question=Question(QUERY)).source


def test_without_a_document_that_asks_the_liked_ones_are_named() -> None:
    page = shown(result(), question=Question(Document("seeds", "query"), liked=("a", "b")))
    assert "Documents of the library, all together" in page.text and "a, b" in page.text
    assert "In one of these · Method" in page.text and "seeds" not in page.source
    assert page.all("title")[0].text == "What lies near 2 documents"


def test_kinds_that_were_ranked_apart_are_written_down() -> None:
    for apart in (True, False):
        found = replace(answer(result()), kinds_apart=apart)
        page = Page(search_html(Question(QUERY), found, made_on=date(2026, 1, 31)))
        assert ("papers and patents ranked separately" in page.text) is apart


def test_the_report_says_what_is_cited_and_what_both_cite() -> None:
    shared = (Reference("Davis T (2006). <b>Direct</b> methods."), Reference("", title="Kites"))
    cited, other = replace(result(), cited=True, shared=shared), replace(result(rank=2), cited=False)
    page = shown(cited, other)
    assert "Cited by you" in page.text and "Not cited" in page.text
    assert "Both cite 2 works" in page.text and "<b>Direct</b> methods." in page.text
    plain = shown(result()).text
    assert "Cited by you" not in plain and "Not cited" not in plain and "Both cite" not in plain
