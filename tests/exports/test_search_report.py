"""Reports of a search and of a coverage as a browser reads them, and what all reports have in common."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import warnings
from dataclasses import replace
from datetime import date

import jinja2
import pytest
from PIL import Image

from engine.compare import Coverage
from engine.documents import Chunk, Document, Reference, Section
from engine.documents.markup import Markup
from engine.encoders import Coupling
from engine.exports.coverage import coverage_csv, coverage_html, coverage_png
from engine.exports.page import render
from engine.exports.search_report import search_html
from engine.library import Filters
from engine.search import Answer, Question, Result, Term
from engine.search.evidence.explain import Evidence
from engine.search.evidence.sentences import PassagePair
from tests.compare.test_coverage import COVERAGE
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

SCRIPT = "<script>alert(1)</script>"


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
        "closely related (83\xa0%), nearness 0.57",
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
    assert "Its nearest passage: closely related (83\xa0%), nearness 0.57" in page
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
    assert "closely related (83\xa0%)" in page.text and "keywords alone" in page.text
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


def hostile() -> Coverage:
    rows = tuple(replace(row, title=SCRIPT) for row in COVERAGE.rows)
    columns = tuple(replace(one, title=SCRIPT) for one in COVERAGE.columns)
    return replace(COVERAGE, rows=rows, columns=columns, question=replace(COVERAGE.question, title=SCRIPT))


def test_it_lists_what_is_close_and_the_passages_of_what_is_said() -> None:
    page = coverage_html(COVERAGE, held=26_033, made_on=date(2026, 5, 3))
    close = page[page.index('id="close"') : page.index('id="heat"')]
    assert "row 2" in close and "row 0" not in close and 'id="nothing"' not in page
    assert page.count("In this one") == 5  # every cell that is said
    assert 'href="#m-2-0"' in page and 'id="m-2-0"' in page
    assert "3 of 26,033 documents" in page and "3 May 2026" in page


def test_formulas_of_names_are_set() -> None:
    page = coverage_html(replace(COVERAGE, question=replace(COVERAGE.question, title="On $x^2$")), held=3)
    assert '<h2 dir="auto">On <math' in page


def test_a_document_said_throughout_lists_no_other_part_and_none_is_called_new() -> None:
    whole = coverage_html(replace(COVERAGE, rows=COVERAGE.rows[:2], cells=COVERAGE.cells[:2]), held=3)
    assert 'id="close"' not in whole and 'id="nothing"' not in whole and "be new" not in whole


def test_no_text_of_a_document_becomes_markup_and_nothing_runs() -> None:
    page = coverage_html(hostile(), held=3)
    assert "<script" not in page and "&lt;script&gt;" in page
    assert "default-src &#39;none&#39;" in page


def named(title: str) -> Coverage:
    return replace(COVERAGE, rows=tuple(replace(row, title=title) for row in COVERAGE.rows))


def test_the_table_has_a_line_a_row_and_a_column_a_document() -> None:
    text = coverage_csv(COVERAGE)
    lines = list(csv.reader(io.StringIO(text)))
    assert lines[0] == ["row", "page", "covered", "word", "share", "p", "d0", "d1", "d2"]
    assert lines[3] == ["row 2", "", "no", "close: read it", "0.4", "0.36", "0.9", "0.0", "0.0"]
    assert text.endswith("\r\n")


def test_no_name_is_a_formula_to_a_spreadsheet() -> None:
    assert "'=1+1" in coverage_csv(named("=1+1"))


def picture(coverage: Coverage) -> Image.Image:
    with Image.open(io.BytesIO(coverage_png(coverage))) as image:
        assert image.format == "PNG"
        return image.convert("RGB")


@pytest.mark.parametrize("name", ["Cost $x_{ and $", "細胞の研究", "On 細胞 and β", "", "A\x00\nB", "W" * 500])
def test_the_picture_is_drawn_whatever_names_hold(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert coverage_png(named(name)).startswith(b"\x89PNG")


def test_a_name_in_letters_that_the_picture_lacks_is_a_number_and_a_line_says_so() -> None:
    lacking = picture(named("細胞の研究"))
    rows = tuple(replace(row, title=f"row {number}") for number, row in enumerate(COVERAGE.rows, 1))
    numbered = picture(replace(COVERAGE, rows=rows))
    assert lacking.crop((0, 0, *numbered.size)).tobytes() == numbered.tobytes()
    assert lacking.height > numbered.height
    assert picture(named("Исследование β")).height == numbered.height  # these it has


def test_the_darker_a_cell_the_more_probably_it_is_covered() -> None:
    light, dark = (
        picture(replace(COVERAGE, cells=tuple(tuple(replace(cell, p=p) for cell in row) for row in COVERAGE.cells)))
        for p in (0.0, 1.0)
    )
    for image, colour in ((light, (255, 255, 217)), (dark, (8, 29, 88))):
        share = sum(count for count, found in image.getcolors(1 << 24) or [] if found == colour)
        assert share > image.width * image.height // 5


def test_the_names_of_many_rows_do_not_cover_each_other() -> None:
    many = replace(COVERAGE, rows=COVERAGE.rows * 300, cells=COVERAGE.cells * 300)
    assert picture(many).height > 10 * len(many.rows)


def test_a_coverage_without_documents_is_drawn() -> None:
    none = replace(COVERAGE, columns=(), cells=((),) * len(COVERAGE.rows), p=COVERAGE.p[:, :0])
    assert picture(none).width > 375


def test_the_same_coverage_makes_the_same_picture() -> None:
    assert coverage_png(COVERAGE) == coverage_png(COVERAGE)


def test_a_text_is_escaped_and_loses_its_control_characters_wherever_it_stands() -> None:
    source = render("page.html", title="<a>\u202e", heading="<b>\x00", making={"<i>": "<u>\x1b"}, note="<p>")
    shown = Page(source)
    assert shown.all("title")[0].text == "<a>" and shown.all("h1")[0].text == "<b>"
    assert (shown.all("dt")[0].text, shown.all("dd")[0].text) == ("<i>", "<u>")
    assert not set("\u202e\x00\x1b") & set(source)
    assert render("page.html", title="", heading=Markup("<b>x</b>"), making={}, note="").count("<b>x</b>") == 1


def test_a_template_refuses_a_name_that_it_is_not_given() -> None:
    with pytest.raises(jinja2.UndefinedError, match="is undefined"):
        render("search_report.html", title="", heading="", making={}, note="")
