"""Two documents compared, or one with itself: what holds of each, what is left out, and what the next one reuses."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from engine.compare import as_json, comparing, pairs
from engine.compare.comparing import compare
from engine.compare.document_score import CALIBRATION_FACT, Calibration, Unrelated
from engine.compare.model import Comparison, Exclusions
from engine.compare.read_document import ReadDocument
from engine.compare.stretches import Similarities, Words
from engine.core.errors import FingerprintError
from engine.documents import Document, Section
from tests.compare.everything import EVERYTHING, as_text
from tests.compare.texts import GLIDERS, KITES, StandIn


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
    known = StandIn(facts={CALIBRATION_FACT: calibration.as_facts()})
    found = compare(replace(kites, encoder=known), replace(gliders, encoder=known))
    assert found.percentile == round(100 * found.score, 1)
    assert "500 unrelated pairs of papers" in found.reading.sentence
    assert compare(replace(kites, encoder=known), replace(patent, encoder=known)).percentile is None


def test_sides_of_two_encoders_are_refused(words: Words, kites: ReadDocument) -> None:
    other = ReadDocument.read(KITES, StandIn("another"), words)
    with pytest.raises(FingerprintError, match=r"Expected two documents read by one encoder; got 0123456789abcdef and"):
        compare(kites, other)


CHOICES = [Exclusions(*flags, least) for flags in product((True, False), repeat=2) for least in (0, 16)]


def all_of(found: Comparison) -> str:
    others = found.attention, found.attention_back, found.carriers.scores, found.carriers.pairs
    return json.dumps([as_json(found), dict(found.left_out), [one.tolist() for one in others]])


def test_what_is_kept_changes_no_number(
    encoder: StandIn, words: Words, kites: ReadDocument, patent: ReadDocument
) -> None:
    for a, b in ((kites, patent), (patent, kites), (kites, kites)):
        for exclusions in [*CHOICES, *reversed(CHOICES)]:
            again = [ReadDocument.read(one.document, encoder, words) for one in (a, b)]
            assert all_of(compare(a, b, exclusions=exclusions)) == all_of(compare(*again, exclusions=exclusions))


def test_each_choice_of_sentences_is_read_once(words: Words, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder, asked = StandIn(), []
    sides = [ReadDocument.read(document, encoder, words) for document in (KITES, GLIDERS)]
    levels = encoder.levels
    monkeypatch.setattr(encoder, "levels", lambda long, *, keep=None: asked.append(keep) or levels(long, keep=keep))
    for exclusions in CHOICES:
        compare(*sides, exclusions=exclusions)
    assert len(asked) == 8  # two documents, four ways to leave sentences out
    for exclusions in CHOICES[-4:]:
        compare(*sides, exclusions=exclusions)
    assert len(asked) == 8


def test_comparisons_do_not_change_each_other(kites: ReadDocument, gliders: ReadDocument) -> None:
    found = compare(kites, gliders)
    for matrix in (found.attention, found.sections.across):
        with pytest.raises(ValueError, match="read-only"):
            matrix[0] = 1
    table = comparing.matches(kites.sentences, gliders.sentences)
    table.rows(0, 4)[:] = 0
    assert table.rows(0, 4).any()


def test_long_documents_are_not_kept_and_have_the_same_numbers(
    kites: ReadDocument, gliders: ReadDocument, patent: ReadDocument, monkeypatch: pytest.MonkeyPatch
) -> None:
    sides = [(kites, gliders), (patent, kites), (gliders, gliders)]
    whole = [compare(a, b, exclusions=exclusions) for a, b in sides for exclusions in CHOICES]
    for module, name in (
        (comparing, "_MOST_PAIRS"),
        (comparing, "_MOST_CELLS"),
        (pairs, "WHOLE_PAIRS"),
        (pairs, "BLOCK_PAIRS"),
    ):
        monkeypatch.setattr(module, name, 9)
    for name in ("_matches", "_cached_parts"):
        monkeypatch.setattr(comparing, name, None)
    table = comparing.matches(kites.sentences, gliders.sentences)
    assert isinstance(table, Similarities)
    some = [compare(a, b, exclusions=exclusions) for a, b in sides for exclusions in CHOICES]
    for one, other in zip(whole, some, strict=True):
        assert other.score == pytest.approx(one.score, abs=1e-5) and other.left_out == one.left_out
        assert [(passage.a, passage.b) for passage in other.passages] == [(two.a, two.b) for two in one.passages]
        for ours, theirs in ((one.chunks, other.chunks), (one.sections, other.sections)):
            assert theirs.across == pytest.approx(ours.across, abs=1e-5)
            assert theirs.within_a == pytest.approx(ours.within_a, abs=1e-5)
        assert np.array_equal(other.carriers.pairs, one.carriers.pairs)
        assert other.attention == pytest.approx(one.attention, abs=1e-5)


SAID_AGAIN = KITES.sections[1].text.partition(". ")[0] + "."
REPEATING = replace(KITES, id="repeating", sections=(*KITES.sections, Section("Summary", f"We close. {SAID_AGAIN}")))


def read(words: Words) -> ReadDocument:
    return ReadDocument.read(REPEATING, StandIn(), words)


def test_levels_and_attention_are_those_of_the_document_in_a_comparison(words: Words) -> None:
    one, other = read(words), ReadDocument.read(GLIDERS, StandIn(), words)
    alone, beside = comparing.compare_within(one), compare(one, other)
    np.testing.assert_array_equal(alone.sections.across, beside.sections.within_a)
    np.testing.assert_array_equal(alone.chunks.across, beside.chunks.within_a)
    assert alone.is_within and not beside.is_within
    np.testing.assert_allclose(alone.attention[alone.kept_a].sum(axis=1), 1, atol=0.01)
    np.testing.assert_array_equal(alone.attention, alone.attention_back)


def test_no_sentence_matches_itself_and_no_pair_is_told_twice(words: Words) -> None:
    alone = comparing.compare_within(read(words))
    places = [((one.a.part, one.a.start), (one.b.part, one.b.start)) for one in alone.passages]
    assert places and all(ours != theirs for ours, theirs in places)
    assert not {(theirs, ours) for ours, theirs in places} & set(places)
    assert alone.passages[0].score == 1 and SAID_AGAIN in alone.passages[0].a.text


def test_a_cell_opens_the_same_two_sentences_from_either_side(words: Words) -> None:
    alone = comparing.compare_within(read(words))
    count = len(alone.chunks_a)
    assert count > 2
    for row in range(count):
        for column in range(count):
            ours, theirs = alone.carriers.passage(row, column), alone.carriers.passage(column, row)
            if row != column:
                assert (ours and ours.transposed()) == theirs
            if ours is not None:
                assert (ours.a.part, ours.a.start) != (ours.b.part, ours.b.start)


def test_the_value_holds_each_matrix_once_with_attention(words: Words) -> None:
    value = as_json(comparing.compare_within(read(words)))
    assert list(value) == ["sections", "chunks", "passages"]
    chunks = value["chunks"]
    assert list(chunks) == ["names", "places", "within", "attention"]  # type: ignore[call-overload]
    count = len(chunks["names"])  # type: ignore[index]
    assert [len(row) for row in chunks["attention"]] == [count] * count  # type: ignore[index]


def test_short_matches_are_left_out_as_in_a_comparison(words: Words) -> None:
    one = read(words)
    least = len(SAID_AGAIN.split()) + 1
    assert len(comparing.compare_within(one, exclusions=Exclusions(min_words=least)).passages) < len(
        comparing.compare_within(one).passages
    )


def test_two_documents_of_one_text_are_two(words: Words) -> None:
    one = read(words)
    assert not compare(one, one).is_within
