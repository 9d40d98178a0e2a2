"""Two documents compared: what holds of every comparison, and what is left out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.compare import as_json, comparing
from engine.compare.comparing import compare
from engine.compare.document_score import Calibration, Unrelated
from engine.compare.model import Exclusions
from engine.compare.read_document import ReadDocument
from engine.compare.stretches import Words
from engine.core.errors import FingerprintError
from engine.documents import Document, Section
from tests.compare.everything import EVERYTHING, as_text
from tests.compare.texts import KITES, StandIn


def test_a_document_against_itself_tops_every_row_of_both_heatmaps(
    kites: ReadDocument, gliders: ReadDocument, patent: ReadDocument
) -> None:
    for side in (kites, gliders, patent):
        found = compare(side, side, exclusions=EVERYTHING)
        assert found.score == 1.0
        for grid in (found.sections, found.chunks):
            for matrix in (grid.across, grid.within_a, grid.within_b):
                assert np.array_equal(np.diag(matrix), matrix.max(axis=1))
                assert np.array_equal(np.diag(matrix), np.ones(len(matrix)))
        first = found.passages[0]
        assert (first.score, first.a) == (1.0, first.b)


def test_a_document_against_itself_matches_in_whole_parts(kites: ReadDocument) -> None:
    found = compare(kites, kites)
    assert KITES.sections[1].text[: -len(" Figure 2 shows the winch.")] in {
        passage.a.text for passage in found.passages
    }


def test_the_sentence_that_both_have_carries_its_cell_and_leads_the_passages(
    kites: ReadDocument, gliders: ReadDocument
) -> None:
    found = compare(kites, gliders)
    copied = "A winch on the shore reeled the tether out under load and back in without it."
    first = found.passages[0]
    assert (first.score, first.a.text, first.b.text) == (1.0, copied, copied)
    row, column = divmod(int(found.chunks.across.argmax()), found.chunks.across.shape[1])
    assert found.carriers.passage(row, column) == first
    assert copied in found.chunks_a[row].text and copied in found.chunks_b[column].text
    sections = int(found.section_of_a[row]), int(found.section_of_b[column])
    assert found.carried("section").passage(*sections) == first
    assert (found.sections.a[sections[0]], found.sections.b[sections[1]]) == ("Method", "Measurements")


def test_a_cell_mixes_the_chunks_cosine_with_its_best_pair(kites: ReadDocument, gliders: ReadDocument) -> None:
    found = compare(kites, gliders)
    cosines = kites.encoder.levels(kites.long, keep=found.kept_a).chunks @ (
        gliders.encoder.levels(gliders.long, keep=found.kept_b).chunks.T
    )
    share = comparing.PASSAGE_SHARE
    wanted = (1 - share) * cosines + share * found.carriers.scores
    assert found.chunks.across == pytest.approx(wanted, abs=2e-4)


def test_chunks_are_named_by_their_sections(kites: ReadDocument, gliders: ReadDocument) -> None:
    grid = compare(kites, gliders).chunks
    assert grid.a[:3] == ("Abstract", "Introduction", "Method 1/2")
    assert len(set(grid.a)) == len(grid.a)


def test_attention_sums_to_one_for_chunks_that_are_kept(kites: ReadDocument, gliders: ReadDocument) -> None:
    found = compare(kites, gliders)
    assert found.attention.shape == found.attention_back.T.shape == found.chunks.across.shape
    assert found.attention.sum(axis=1) == pytest.approx(found.kept_a.astype(float), abs=2e-3)
    assert found.attention_back.sum(axis=1) == pytest.approx(found.kept_b.astype(float), abs=2e-3)


def test_a_chunk_that_is_mostly_left_out_is_left_out_whole(
    encoder: StandIn, words: Words, gliders: ReadDocument
) -> None:
    slipped = (
        "Smith, J. A., & Doe, B. (2010). The kites of the north. Journal of Wind, 12(3), 4-9. Brown, C. (2011). Winds "
        "over lakes. Springer. Green, D., White, E., & Black, F. (2015). Ice on lakes. Lake Letters, 3(1), 77-80."
    )
    side = ReadDocument.read(replace(KITES, sections=(KITES.sections[1], Section("Notes", slipped))), encoder, words)
    found, whole = compare(side, gliders), compare(side, gliders, exclusions=EVERYTHING)
    place = found.sections.a.index("Notes")
    chunks = found.section_of_a == place
    assert not found.kept_a[chunks].any() and found.kept_a[~chunks].all() and whole.kept_a.all()
    for matrix in (found.sections.across[place], found.chunks.across[chunks], found.attention[chunks]):
        assert not matrix.any()
    assert found.chunks.within_a[~chunks].any(axis=1).all()
    assert whole.sections.across[place].any()
    assert found.score != whole.score


def test_a_match_that_is_long_as_a_whole_leaves_no_sentence_out(encoder: StandIn, words: Words) -> None:
    colours, metals = "red green blue brown".split(), "zinc copper iron silver".split()
    text = " ".join(f"The {a} winch turns the {b} drum slowly." for a, b in zip(colours, metals, strict=True))
    a, b = (ReadDocument.read(Document(name, sections=(Section("Text", text),)), encoder, words) for name in "ab")
    found = compare(a, b, exclusions=Exclusions(min_words=20))
    assert found.passages[0].score == 1.0
    assert found.left_out["short"] == (0, 0)
    assert compare(a, b, exclusions=Exclusions(min_words=60)).left_out["short"] == (4, 4)


def test_matches_of_few_words_are_left_out(kites: ReadDocument, gliders: ReadDocument) -> None:
    found = compare(kites, gliders, exclusions=Exclusions(min_words=16))
    assert found.left_out["short"] == (0, 0)
    assert found.passages[0].score == 1.0  # the copied sentence has 16 words
    without = compare(kites, gliders, exclusions=Exclusions(min_words=17))
    assert without.left_out["short"] == (1, 1)
    assert all(passage.score < 1 for passage in without.passages)
    assert without.chunks.across.max() < found.chunks.across.max()
    assert without.score == found.score  # vectors know nothing of matches


def test_a_long_match_of_short_sentences_stays(encoder: StandIn, words: Words) -> None:
    text = (
        "Silk wings pull hard tethers today. Copper drums carry long ropes well. Warm batteries store gusty power now."
    )
    a, b = (
        ReadDocument.read(Document(name, sections=(Section("Text", f"{other} {text}"),)), encoder, words)
        for name, other in (
            ("a", "Penguins march over cold Antarctic ice."),
            ("b", "Violins need rosin before every concert."),
        )
    )
    for least, left in ((6, True), (18, True), (19, False)):
        found = compare(a, b, exclusions=Exclusions(min_words=least))
        assert any(passage.a.text == text for passage in found.passages) is left


def test_nothing_left_is_said_and_gives_zeros(encoder: StandIn, words: Words, kites: ReadDocument) -> None:
    only = Document("stock", sections=(Section("Text", "All rights reserved. The copyright of this is ours."),))
    found = compare(ReadDocument.read(only, encoder, words), kites)
    assert (found.score, found.percentile, found.passages) == (0.0, None, ())
    assert found.reading.sentence == "Nothing of 'Untitled paper stock' is left to compare: all of it is left out."
    assert not found.chunks.across.any() and not found.attention.any() and found.carriers.passage(0, 0) is None
    assert found.carried("section").passage(0, 0) is None
    assert "NaN" not in as_text(found)


def test_a_claim_chart_names_the_best_passage_of_each_element(kites: ReadDocument, patent: ReadDocument) -> None:
    found = compare(patent, kites)
    assert [(one.side, one.claim) for one in found.claims] == [("a", 1)] * 4 + [("a", 2)] * 2
    by_text = {one.element.text: one for one in found.claims}
    feeds = by_text["wherein the generator feeds a battery on the shore."]
    assert feeds.passages[0].b.text == "The generator of the winch fed a battery."
    assert feeds.passages[0].a == feeds.element
    assert [one.score for one in feeds.passages] == sorted((one.score for one in feeds.passages), reverse=True)
    other = compare(kites, patent)
    assert [one.side for one in other.claims] == ["b"] * 6
    assert as_json(other)["claims"][5]["passages"][0]["text"] == feeds.passages[0].b.text  # type: ignore[index]
    assert compare(patent, patent).claims[0].passages[0].score > 0.5


def test_the_reading_is_of_the_pairs_kinds(kites: ReadDocument, gliders: ReadDocument, patent: ReadDocument) -> None:
    calibration = Calibration({"paper, paper": Unrelated(500, (0.0, 1.0))})
    found = compare(kites, gliders, calibration=calibration)
    assert found.percentile == round(100 * found.score, 1)
    assert "500 unrelated pairs of papers" in found.reading.sentence
    assert compare(kites, patent, calibration=calibration).percentile is None


def test_sides_of_two_encoders_are_refused(words: Words, kites: ReadDocument) -> None:
    other = ReadDocument.read(KITES, StandIn("another"), words)
    with pytest.raises(FingerprintError, match=r"Expected two documents read by one encoder; got 0123456789abcdef and"):
        compare(kites, other)
