"""Reports of a comparison as a browser reads them: their parts, policy and grids, and the one of three documents."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from engine.compare import (
    Carriers,
    Change,
    Comparison,
    Exclusions,
    Grid,
    Passage,
    ReadDocument,
    Together,
    Versions,
    Words,
    as_json,
    compare_together,
)
from engine.compare.model import Differences, Percentile, Uncovered, UncoveredPassage
from engine.documents import Chunk, Document, Section
from engine.encoders import EncoderCard
from engine.encoders.keyvec import Salience
from engine.exports.comparison.heatmaps import (
    MAX_DRAWN,
    MAX_ELEMENTS,
    MAX_LINKED,
    MAX_NUMBERED,
    MAX_PASSAGES,
    STEPS,
    ColourScale,
    SalientTexts,
)
from engine.exports.comparison.report import comparison_html, csv_files
from engine.exports.comparison.together_report import together_html
from tests.compare.made import NEAR, SENTENCE, comparison, document, without_chunk
from tests.compare.texts import GLIDERS, KITES, PATENT, StandIn
from tests.read_page import Page

CARD = EncoderCard("colde", "Compares long documents.", 256, "0123456789abcdef")
MADE_ON = date(2026, 1, 31)

HOSTILE = (
    "</style></title></p></a><script>alert(1)</script><img src=x onerror=alert(1)><svg onload='alert(1)'>"
    '<![CDATA[<b>]]> <!-- }*{display:none} " onfocus="alert(1)" autofocus \' javascript:alert(1) &lt;i&gt; '
    "\u202eesrever\u2066 \u200bnul\x00bell\x07"
)

CONTROLS = "\u202e\u2066\u200b\x00\x07"


def page(one: Comparison, *, salient: SalientTexts | None = None) -> Page:
    return Page(comparison_html(one, encoder=CARD, made_on=MADE_ON, salient=salient))


def numbers(*texts: str) -> list[str]:
    return [number for text in texts for number in re.findall(r"-?\d+\.\d\d(?!\d)", text)]


def weighed(one: Comparison, *, p: Sequence[float] = (0.9, 0.1, 0.2, 0.3, 0.75)) -> SalientTexts:
    """The comparison's own sentences, weighed by hand; the rest have nothing."""
    own = [(*p, *[0.0] * len(sentences))[: len(sentences)] for sentences in (one.carriers.a, one.carriers.b)]
    a, b = (
        Salience(sentences, np.array(values, np.float32), (("<b>", 0.5),))
        for sentences, values in zip((one.carriers.a, one.carriers.b), own, strict=True)
    )
    return SalientTexts(a, b, EncoderCard("keyvec", "Weighs.", 100, "fedcba9876543210"))


@pytest.fixture(scope="module")
def made() -> Comparison:
    return comparison(document("A", 3, 2), document("B", 2, 4))


@pytest.fixture(scope="module")
def shown(made: Comparison) -> Page:
    return page(made)


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


def test_the_word_stands_first_with_what_it_reads(made: Comparison, shown: Page) -> None:
    (word,) = shown.all("p", "score")
    assert word.text == made.nearness.with_p
    (both,) = [one.text for one in shown.all("p", "reading")]
    assert both == made.said_in_both("A", "B") and "90\xa0% of A (by words) is also in B, and 75\xa0% of B in A" in both
    alone = Uncovered((UncoveredPassage(made.chunks_a[0], 9, None, 0.0),), 9)
    neither = replace(made, differences=Differences(alone, alone, 0.1)).said_in_both("A", "B")
    assert neither == "Sentence by sentence, neither says what the other says, or comes close to it."
    assert made.read_part("A", "B") in shown.text
    assert f"Score of the whole texts: {as_json(made)['document']['score']:.2f}. {made.reading.sentence}" in shown.text
    left_out = "reference lists (3 of A, 1 of B); sentences that many documents share (0 of A, 2 of B)."
    assert f"Sentences left out: {left_out}" in shown.text


def test_passages_and_claims_are_those_of_the_json(made: Comparison, shown: Page) -> None:
    value = as_json(made)
    entries = shown.all("li", within="passages")
    for entry, passage in zip(entries, value["passages"], strict=True):  # type: ignore[call-overload]
        assert passage["reading"]["word"] in entry.text and not numbers(entry.text)
        assert passage["a"]["text"] in entry.text
        assert passage["b"]["text"] in entry.text
        assert passage["a"]["section"] in entry.text
    rows = shown.all("tr", within="claims")[1:]
    assert value["claims"][0]["passages"][0]["reading"] == NEAR.as_json() and NEAR.with_p in rows[0].text
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
    one = replace(one, chunks=replace(one.chunks, a=names, b=names), reading=Percentile(None, HOSTILE), words=HOSTILE)
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
        alone, close = (f"{one.share * 100:.0f}\xa0% of {side.of_words:,} words" for one in (side.alone, side.close))
        assert f"In {half}, and nothing in {other} comes close: {alone}" in told
        assert f"In {half}, close to a sentence of {other}: read both: {close}" in told
        for one in side.passages:
            assert one.passage.text in told
            assert ("Nothing comes near." if one.nearest is None else one.nearest.text) in told
            assert one.reading is None or f", nearest: {one.reading.with_p}" in told
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
    assert (
        "New: 20\xa0%" in told and "Rewritten: 20\xa0%" in told and "Dropped: 10\xa0%" in told and "Moved" not in told
    )
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


def test_a_cell_opens_both_its_chunks_with_the_sentences_that_carry_it(made: Comparison, shown: Page) -> None:
    assert shown.id("at-c-3-5").name == "td"
    pair = shown.id("c-3-5")
    assert {"a3", "b5"} <= pair.classes
    assert "a3" in shown.id("a-3").classes
    assert shown.id("b-5").text.endswith(made.chunks_b[5].text)
    sheet = shown.all("style")[0].text
    ours, theirs = made.carriers.pairs[3, 5]
    for name in ("a3", "b5", f"au{ours}", f"bu{theirs}"):
        assert name in pair.classes
        assert f".pairs:has(>.{name}:target)~.texts" in sheet
    assert next(one for one in shown.found if f"au{ours}" in one.classes and one.name != "p").text


def test_the_way_back_leads_to_the_cell_and_to_the_list(shown: Page) -> None:
    back = [one.attributes["href"] for one in shown.all("a", within="t-1")]
    assert "#p-1" in back
    assert any(link.startswith("#at-c-") for link in back)
    assert {"#t-0", "#t-2"} <= set(back)
    assert [one.attributes["href"] for one in shown.all("a", within="s-1-1")] == ["#at-s-1-1"]
    assert "#t-1" in [one.attributes["href"] for one in shown.all("a", within="p-1")]


def test_texts_are_whole_and_passages_tinted_where_they_stand(made: Comparison, shown: Page) -> None:
    words = [one.text for one in shown.all("p", "words")]
    assert words == [chunk.text for chunk in (*made.chunks_a, *made.chunks_b)]
    for place, passage in enumerate(made.passages):
        tinted = [one.text for one in shown.all("a", f"p{place}")]
        assert tinted == [passage.a.text, passage.b.text]
    tints = [next(iter(one.classes & {f"t{n}" for n in range(4)})) for one in shown.all("a", "p0")]
    assert tints == ["t3", "t3"]
    assert "t0" in shown.all("a", f"p{len(made.passages) - 1}")[0].classes


def test_passages_that_overlap_or_run_over_a_chunk_are_cut(made: Comparison) -> None:
    first, second = made.chunks_a[:2]
    over = stretch(made.a, first.part, first.stop - 9, second.start + 9)
    inside = stretch(made.a, first.part, first.stop - 20, first.stop - 4)
    b = made.passages[0].b
    shown = page(replace(made, passages=(Passage(0.9, over, b), Passage(0.8, inside, b))))
    words = [one.text for one in shown.all("p", "words")]
    assert words == [chunk.text for chunk in (*made.chunks_a, *made.chunks_b)]
    assert {"a0", "a1"} <= shown.id("t-0").classes
    tinted = [(one.text, one.attributes["href"]) for one in shown.all("a", within="a-0")]
    assert "".join(text for text, _ in tinted) == made.a.parts[first.part].text[inside.start : first.stop]
    assert [place for _, place in tinted] == ["#t-1", "#t-0", "#t-0"]
    assert shown.all("a", "p0", within="a-1")[0].text == second.text[:9]


def test_links_say_what_they_lead_to_and_white_space_is_none(made: Comparison) -> None:
    first, text = made.chunks_a[0], made.chunks_a[0].text
    gap = first.start + text.index(" ")
    whole, space = (stretch(made.a, first.part, *ends) for ends in ((first.start, first.stop), (gap, gap + 1)))
    b = made.passages[0].b
    shown = page(replace(made, passages=(Passage(0.9, space, b), Passage(0.8, whole, b))))
    assert [one.text for one in shown.all("span", "p0", within="a-0")] == [" "]
    assert all(one.text.strip() or one.attributes.get("aria-label") for one in shown.all("a"))
    labels = [one.attributes["aria-label"] for one in shown.all("a", within="passages")]
    assert len(labels) == len(set(labels)) and labels[0] == "Passage 1 in both texts"


def stretch(one: Document, part: int, start: int, stop: int) -> Chunk:
    return Chunk(one.id, part, one.parts[part].title, start, stop, one.parts[part].text[start:stop])


def test_the_strongest_sentences_are_underlined_in_both_texts_with_their_p(made: Comparison, shown: Page) -> None:
    salient = weighed(made)
    marked = page(made, salient=salient)
    for said in (salient.a, salient.b):
        assert len(said.strongest()) == 5
    names = {"a": salient.a, "b": salient.b}
    for letter, said in names.items():
        pieces: dict[str, str] = {}
        for one in marked.found:
            inside = any((around.attributes.get("id") or "").startswith(f"{letter}-") for around in one.around)
            if "salient" in one.classes and inside:
                title = one.attributes["title"]
                pieces[title] = pieces.get(title, "") + one.text
        expected: dict[str, str] = {}
        for chunk, p in said.strongest():
            title = f"Salient sentence, p {p:.2f}: how likely it is to carry what an abstract would say, from 0 to 1"
            expected[title] = expected.get(title, "") + chunk.text
        assert pieces == expected
    assert [one.text for one in marked.all("p", "words")] == [one.text for one in shown.all("p", "words")]
    assert "Underlined: the strongest sentences of each text." in marked.id("texts").text
    assert "5 of 18 sentences of A and 5 of 24 sentences of B" in marked.id("making").text
    assert "by keyvec, fedcba9876543210." in marked.id("making").text
    assert "salient" not in {name for one in shown.found for name in one.classes}
    assert "Underlined" not in shown.text


def test_a_salient_sentence_in_a_passage_keeps_its_link_and_its_tint(made: Comparison) -> None:
    passage = made.passages[0]
    place = made.carriers.a.index(passage.a)
    p = [0.0] * len(made.carriers.a)
    p[place] = 0.5
    marked = page(made, salient=weighed(made, p=p))
    (link,) = [one for one in marked.all("a", "salient", within=f"a-{place // 3}") if "p0" in one.classes]
    assert (link.text, link.attributes["href"]) == (passage.a.text, "#t-0")
    assert {"t3", "p0", "salient"} <= link.classes
    assert link.attributes["title"].startswith("Salient sentence, p 0.50: ")


def test_a_salient_sentence_over_two_chunks_is_underlined_in_both(made: Comparison) -> None:
    first, second = made.chunks_a[:2]
    over = stretch(made.a, first.part, first.stop - 9, second.start + 9)
    nothing = Salience((), np.empty(0, np.float32), ())
    salient = SalientTexts(Salience((over,), np.ones(1, np.float32), ()), nothing, CARD)
    marked = page(made, salient=salient)
    for name, text in (("a-0", first.text[-9:]), ("a-1", second.text[:9])):
        pieces = [one.text for one in marked.found if "salient" in one.classes and marked.id(name) in one.around]
        assert "".join(pieces) == text


def test_each_matrix_is_a_table_with_its_names(made: Comparison) -> None:
    files = csv_files(made)
    value = as_json(made)
    for level in ("sections", "chunks"):
        grid = value[level]
        for name, rows, columns in (("across", "a", "b"), ("within_a", "a", "a"), ("within_b", "b", "b")):
            read = list(csv.reader(io.StringIO(files[f"{level}-{name.replace('_', '-')}.csv"], newline="")))
            assert read[0] == ["", *grid[columns]]  # type: ignore[index]
            assert [line[0] for line in read[1:]] == grid[rows]  # type: ignore[index]
            assert [[float(cell) for cell in line[1:]] for line in read[1:]] == grid[name]  # type: ignore[index]
    attention = list(csv.reader(io.StringIO(files["attention-b-to-a.csv"], newline="")))
    assert [[float(cell) for cell in line[1:]] for line in attention[1:]] == made.attention_back.tolist()
    assert len(files) == 8


def test_no_name_is_a_formula_to_a_spreadsheet(made: Comparison) -> None:
    grid = replace(made.sections, a=("=HYPERLINK(1)", "+1", "@x"), b=("-1\n=2", 'say "no"'))
    read = list(csv.reader(io.StringIO(csv_files(replace(made, sections=grid))["sections-across.csv"], newline="")))
    assert [line[0] for line in read] == ["", "'=HYPERLINK(1)", "'+1", "'@x"]
    assert read[0] == ["", "'-1 =2", 'say "no"']


def cells(shown: Page, table: int, within: str) -> list[str]:
    """The numbers in the cells of a table."""
    chosen = shown.all("table", "heat", within=within)[table]
    return numbers(*(one.text for one in shown.all("td") if chosen in one.around))


def rounded(rows: list[list[float]]) -> list[str]:
    return [f"{value:.2f}" for row in rows for value in row]


def test_every_section_number_is_that_of_the_json(made: Comparison, shown: Page) -> None:
    expected = as_json(made)["sections"]
    for table, name in enumerate(("across", "within_a", "within_b")):
        assert cells(shown, table, "sections") == rounded(expected[name])  # type: ignore[index]
    for row, values in enumerate(expected["across"]):  # type: ignore[index]
        for column, value in enumerate(values):
            best = made.carried("section").passage(row, column)
            assert best is not None
            said = shown.id(f"s-{row}-{column}").text
            assert numbers(said) == [f"{value:.2f}", f"{best.score:.2f}"]
            assert best.a.text in said
            assert best.b.text in said


def test_every_chunk_number_is_that_of_the_json(made: Comparison, shown: Page) -> None:
    expected = as_json(made)["chunks"]["across"]  # type: ignore[index]
    assert cells(shown, 0, "chunks") == rounded(expected)
    for row, values in enumerate(expected):
        for column, value in enumerate(values):
            carried = f"{made.carriers.scores[row, column]:.2f}"
            assert numbers(shown.id(f"c-{row}-{column}").text) == [f"{value:.2f}", carried]


def test_a_legend_goes_from_nothing_to_near_or_to_the_highest(made: Comparison, shown: Page) -> None:
    for within, values in (("sections", made.sections.across), ("chunks", made.chunks.across)):
        legend = shown.all("p", "legend", within=within)[0]
        assert numbers(legend.text) == rounded([[0, max(0.75, values.max())]])


def test_what_was_left_out_has_no_number_and_no_link(made: Comparison) -> None:
    shown = page(without_chunk(made, 0))
    ids = {one.attributes.get("id") for one in shown.found}
    assert "c-0-0" not in ids
    assert "at-c-0-0" not in ids
    assert "left out" in shown.all("tr", within="chunks")[1].text
    assert "Left out of the comparison" in shown.id("a-0").text
    assert "Without a colour: left out of the comparison." in shown.id("chunks").text


def test_colours_go_from_nothing_to_near_or_to_the_highest() -> None:
    values = np.asarray([[0.2, 0.3], [0.9, 0.0]])
    scale = ColourScale.of(values, np.asarray([True, True]), np.asarray([True, True]))
    assert (scale.low, scale.high) == (0, 0.9)
    assert scale.steps(values).tolist() == [[1, 2], [STEPS - 1, 0]]
    for rows in (np.asarray([True, False]), np.zeros(2, np.bool_)):
        assert ColourScale.of(values, rows, np.asarray([True, True])) == ColourScale(0, 0.75)


def test_the_colours_are_the_apps_and_numbers_on_them_can_be_read(shown: Page) -> None:
    from engine.exports.maps.palette import SEQUENTIAL

    found = re.findall(r"--([hn])(\d): (#\w+);", shown.all("style")[0].text)
    for ground in (0, 1):
        colours = dict(((kind, int(step)), value) for kind, step, value in found[ground * 2 * STEPS :][: 2 * STEPS])
        assert [colours["h", step] for step in range(STEPS)] == [pair[ground] for pair in SEQUENTIAL]
        assert all(contrast(colours["h", step], colours["n", step]) >= 4.5 for step in range(STEPS))


def contrast(one: str, other: str) -> float:
    """Of two colours, by the Web Content Accessibility Guidelines 2.2."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
    shares = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_passages_and_chunks_name_their_pages(made: Comparison) -> None:
    first = made.passages[0]
    paged = replace(made, passages=(replace(first, a=replace(first.a, page=9)), *made.passages[1:]))
    paged = replace(paged, chunks_b=(replace(made.chunks_b[0], page=4), *made.chunks_b[1:]))
    shown = page(paged)
    assert f"A {first.a.section}, p. 9" in " ".join(shown.id("p-0").text.split())
    assert shown.id("b-0").text.count("· p. 4") == 1
    assert as_json(paged)["passages"][0]["a"]["page"] == 9
    assert "page" not in as_json(paged)["passages"][0]["b"]


def test_a_long_document_gives_a_usable_file() -> None:
    long = (
        f"{SENTENCE[:-1]}, and it opens again whenever somebody else goes on to read another one aloud to the engine."
    )
    a, b = (document(letter, 6, 96, text=long) for letter in "AB")
    assert min(len(one.text.split()) for one in (a, b)) > 50_000
    one = comparison(a, b, passages=MAX_PASSAGES + 5)
    one = replace(one, claims=one.claims * MAX_ELEMENTS)
    source = comparison_html(one)
    assert len(source.encode()) < 4_000_000
    shown = Page(source)
    assert MAX_LINKED < MAX_DRAWN < len(one.chunks.a)
    linked = {one.attributes["id"] for one in shown.all("path", "chosen", within="chunks")}
    opened = {one.attributes["id"] for one in shown.all("p", within="texts") if "id" in one.attributes}
    assert linked == {f"at-{name}" for name in opened if name.startswith("c-")}
    said = shown.id("making").text
    assert f"more than {MAX_LINKED} squares" in said
    assert f"room for {MAX_DRAWN} on a side" in said
    assert f"Of {MAX_PASSAGES + 5} passages the strongest {MAX_PASSAGES}" in said
    assert f"claim elements the first {MAX_ELEMENTS}" in said
    assert len(shown.all("li", within="passages")) == MAX_PASSAGES
    assert len(shown.all("p", "words")) == len(one.chunks_a) + len(one.chunks_b)


def test_a_grid_too_large_for_numbers_is_drawn_as_squares() -> None:
    one = comparison(document("A", 2, MAX_NUMBERED // 2 + 1), document("B", 2, 3))
    shown = page(one)
    titles = [square.text for square in shown.all("title", within="chunks")]
    assert len(titles) == one.chunks.across.size
    assert titles[7] == f"{one.chunks.across[1, 1]:.2f}: Chunk 1 (A) with Chunk 1 (B)"
    assert shown.id("at-c-3-5").classes == {"chosen"}
    assert "no numbers" in shown.id("making").text
    assert "no room for numbers" in shown.id("chunks").text


@pytest.fixture(scope="module")
def found() -> Together:
    encoder, words = StandIn(), Words.shipped()
    return compare_together([ReadDocument.read(one, encoder, words) for one in (KITES, GLIDERS, PATENT)])


@pytest.fixture(scope="module")
def read(found: Together) -> Page:
    return Page(together_html(found, encoder=CARD, made_on=date(2026, 1, 31)))


def test_every_link_of_three_documents_leads_to_a_place_in_the_file(read: Page) -> None:
    ids = [one.attributes["id"] for one in read.found if "id" in one.attributes]
    assert len(ids) == len(set(ids))
    links = [one.attributes["href"] for one in read.all("a")]
    assert links and {link[1:] for link in links} <= set(ids)
    assert {one.name for one in read.found} & {"script", "link", "img", "form"} == set()


def test_every_two_documents_have_their_score_and_their_passages(found: Together, read: Page) -> None:
    for (a, b), compared in found.compared.items():
        assert f"{compared.score:.2f}" in read.id("documents").text
        assert compared.nearness.with_p in read.id("documents").text
        assert f"{'ABC'[a]} and {'ABC'[b]}" in read.id("passages").text
    assert "Within A" in read.id("passages").text
    best = max(
        (one for one in (found.carried("section").passage(row, 5) for row in range(4)) if one is not None),
        key=lambda passage: passage.score,
    )
    assert best.a.document_id == KITES.id


def test_one_scale_stands_under_all_levels(found: Together, read: Page) -> None:
    ends = [one.text.split() for one in read.all("span", "ends")]
    assert len(ends) == 4 and {tuple(one) for one in ends[:3]} == {("0.00", f"{found.highest:.2f}")}


def test_how_it_was_made_is_said_of_three_documents(read: Page) -> None:
    told = read.id("making").text
    assert "0123456789abcdef" in told and "31 January 2026" in told
