"""The report as a browser reads it: its parts, its policy, and nothing from anywhere else."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import replace

import numpy as np

from engine.compare import Carriers, Change, Comparison, Exclusions, Grid, Versions
from engine.compare.base import Reading
from engine.documents import Document, Section
from engine.exports.comparison.report import comparison_html
from engine.search import readings
from tests.compare.made import comparison, document
from tests.exports.comparison.reports import CARD, numbers, page, weighed
from tests.read_page import Page

HOSTILE = (
    "</style></title></p></a><script>alert(1)</script><img src=x onerror=alert(1)><svg onload='alert(1)'>"
    '<![CDATA[<b>]]> <!-- }*{display:none} " onfocus="alert(1)" autofocus \' javascript:alert(1) &lt;i&gt; '
    "\u202eesrever\u2066 \u200bnul\x00bell\x07"
)


CONTROLS = "\u202e\u2066\u200b\x00\x07"


def test_the_page_takes_nothing_from_anywhere(shown: Page) -> None:
    assert {one.name for one in shown.found} & {"script", "link", "img", "iframe", "object", "form", "base"} == set()
    for one in shown.found:
        assert not [name for name in one.attributes if name in {"src", "style", "srcset"} or name.startswith("on")]
    assert "url(" not in shown.source
    assert "@import" not in shown.source
    assert "http:" not in shown.source


def test_the_policy_allows_one_style_sheet_and_nothing_else(shown: Page) -> None:
    (sheet,) = shown.all("style")
    digest = base64.b64encode(hashlib.sha256(sheet.text.encode()).digest()).decode()
    (policy,) = [one for one in shown.all("meta") if one.attributes.get("http-equiv") == "Content-Security-Policy"]
    expected = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert policy.attributes["content"] == expected
    assert "<" not in sheet.text


def test_every_link_leads_to_a_place_in_the_file(shown: Page) -> None:
    ids = [one.attributes["id"] for one in shown.found if "id" in one.attributes]
    assert len(ids) == len(set(ids))
    links = [one.attributes["href"] for one in shown.all("a")]
    assert {link[0] for link in links} == {"#"}
    assert {link[1:] for link in links} <= set(ids)


def test_the_score_and_its_reading_stand_first(made: Comparison, shown: Page) -> None:
    (score,) = shown.all("p", "score")
    assert score.text == f"{made.as_json()['document']['score']:.2f}"  # type: ignore[index]
    told = [one.text for one in shown.all("p", "reading")]
    assert told == [readings.said(made.nearness), made.reading.sentence]
    left_out = "reference lists (3 of A, 1 of B); sentences that many documents share (0 of A, 2 of B)."
    assert f"Sentences left out: {left_out}" in shown.text


def test_passages_and_claims_are_those_of_the_json(made: Comparison, shown: Page) -> None:
    value = made.as_json()
    entries = shown.all("li", within="passages")
    for entry, passage in zip(entries, value["passages"], strict=True):  # type: ignore[call-overload]
        assert numbers(entry.text) == [f"{passage['score']:.2f}"]
        assert passage["a"]["text"] in entry.text
        assert passage["b"]["text"] in entry.text
        assert passage["a"]["section"] in entry.text
    rows = shown.all("tr", within="claims")[1:]
    assert numbers(rows[0].text) == [f"{value['claims'][0]['passages'][0]['score']:.2f}"]  # type: ignore[index]
    assert "No passage comes near." in rows[1].text
    assert "Claims of A read on B" in shown.id("claims").text


def test_how_it_was_made_is_said(made: Comparison) -> None:
    asked = replace(made, exclusions=Exclusions(min_words=8), words="Words weigh by counts.")
    text = page(asked).id("making").text
    for said in ("colde", "0123456789abcdef", "31 January 2026", "fewer than 8 words", "Words weigh by counts."):
        assert said in text
    bare = (
        Page(comparison_html(replace(made, exclusions=Exclusions(references=False, recurring=False)))).id("making").text
    )
    assert "Nothing was left out on request." in bare
    assert "Fingerprint" not in bare


def hostile(one: Document) -> Document:
    return replace(
        one,
        id=HOSTILE,
        title=HOSTILE,
        sections=tuple(Section(HOSTILE, part.text.replace("valve", HOSTILE)) for part in one.sections),
        venue=HOSTILE,
        authors=(HOSTILE,),
        categories=(HOSTILE,),
        url=HOSTILE,
    )


def test_no_text_of_a_document_becomes_markup(made: Comparison) -> None:
    a, b = hostile(document("A", 2, 2)), hostile(document("B", 2, 2))
    one = comparison(a, b)
    names = tuple(HOSTILE for _ in one.chunks.a)
    one = replace(one, chunks=replace(one.chunks, a=names, b=names), reading=Reading(None, HOSTILE), words=HOSTILE)
    card = replace(CARD, name=HOSTILE, summary=HOSTILE, fingerprint=HOSTILE)
    source = comparison_html(one, encoder=card, salient=replace(weighed(one), encoder=card))
    shown = Page(source)
    plain = page(made, salient=weighed(made))
    assert {one.name for one in shown.found} <= {one.name for one in plain.found}
    assert {name for one in shown.found for name in one.attributes} <= {
        name for one in plain.found for name in one.attributes
    }
    assert [one for one in shown.found if "salient" in one.classes and "<script>" in one.text]
    assert not set(CONTROLS) & set(source)
    assert shown.all("h2")[0].text.split(" ", 1)[1] == "".join(c for c in HOSTILE if c not in CONTROLS)
    assert shown.all("title")[0].text.startswith("</style>")


def test_documents_without_text_or_matches_still_give_a_report() -> None:
    empty = comparison(document("A", 0, 0), document("B", 1, 1), passages=0)
    text = page(replace(empty, left_out={})).text
    assert "There is nothing to draw" in text
    assert "No passage of one document matches one of the other." in text
    assert "This document holds no text." in text
    assert "No sentence was left out." in text
    assert "Claim chart" not in text


def test_works_that_both_cite_are_listed_as_text() -> None:
    listed = (Section("References", "Davis T (2006). <b>Direct</b> methods for sparse systems. SIAM.", "references"),)
    a, b = (replace(document(letter, 2, 2), kind="paper", sections=listed) for letter in "AB")
    drawn = page(replace(comparison(document("A", 2, 2), document("B", 2, 2)), a=a, b=b))
    assert "Both cite 1 work" in drawn.text and "<b>Direct</b> methods" in drawn.text


def test_what_the_other_lacks_is_listed_beside_its_nearest_miss(made: Comparison, shown: Page) -> None:
    told = shown.id("differences").text
    for half, other, side in (("A", "B", made.differences.a), ("B", "A", made.differences.b)):
        share = f"{side.share * 100:.0f} % of {side.of_words:,} words"
        assert f"In {half}, and nothing in {other} covers it: {share}" in told
        for one in side.passages:
            assert one.passage.text in told
            assert ("Nothing comes near." if one.nearest is None else one.nearest.text) in told
    assert len(shown.all("span", "alone", within="texts")) + len(shown.all("a", "alone", within="texts")) >= 2


def test_attention_is_drawn_both_ways(shown: Page) -> None:
    summaries = [one.text for one in shown.all("summary")]
    assert "Attention of the chunks of A to those of B" in summaries
    assert "Attention of the chunks of B to those of A" in summaries


def test_changes_of_a_version_stand_in_place_of_differences(made: Comparison) -> None:
    ours, theirs = made.carriers.a[0], made.carriers.b[0]
    kinds = Versions(
        (
            Change("new", None, theirs, 8, 0.31, ours),
            Change("rewritten", ours, replace(theirs, text="The C valve of part 0 closes."), 8, 0.6),
            Change("dropped", ours, None, 8, 0.0),
        ),
        80,
        40,
    )
    read = Page(comparison_html(made, versions=kinds))
    told = read.id("changes").text
    assert "New: 20 %" in told and "Rewritten: 20 %" in told and "Dropped: 10 %" in told and "Moved" not in told
    assert theirs.text in told and "Nothing comes near." in told
    assert not [one for one in read.found if one.attributes.get("id") == "differences"]
    assert "Two versions compared" in read.text


def test_one_document_is_reported_alone_with_attention_and_without_a_score(made: Comparison) -> None:
    alone = replace(made, b=made.a, chunks_b=made.chunks_a, section_of_b=made.section_of_a, kept_b=made.kept_a)
    grid = Grid(made.chunks.a, made.chunks.a, *[made.chunks.within_a] * 3)
    sections = Grid(made.sections.a, made.sections.a, *[made.sections.within_a] * 3)
    own = made.carriers.a
    carriers = Carriers(own, own, np.full((len(grid.a), len(grid.a), 2), -1), grid.across)
    alone = replace(alone, chunks=grid, sections=sections, carriers=carriers, passages=(), claims=())
    alone = replace(alone, attention=grid.across, attention_back=grid.across, is_within=True)
    read = Page(comparison_html(alone))
    assert "Within one document" in read.text and not read.all("p", "score")
    assert "Attention of the chunks to each other" in [one.text for one in read.all("summary")]
    assert "No passage says what another says." in read.text and "Differences" not in read.text
