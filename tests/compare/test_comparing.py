"""Two documents compared, three on one scale, and what a comparison holds when it is written and read."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from engine.compare import as_json, comparing, pairs
from engine.compare.comparing import compare, compare_within
from engine.compare.document_score import CALIBRATION_FACT, Calibration, Unrelated
from engine.compare.model import MOST_BETWEEN, Carriers, Comparison, Exclusions, Passage, acknowledged, chains
from engine.compare.read_document import ReadDocument
from engine.compare.stretches import Similarities, Words
from engine.compare.together import Together, compare_together
from engine.core.errors import FingerprintError, InputError
from engine.documents import Chunk, Document, Section
from tests.compare.texts import EVERYTHING, GLIDERS, KITES, PATENT, StandIn, as_text


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


def test_a_comparison_is_the_other_way_round_transposed(
    kites: ReadDocument, gliders: ReadDocument, patent: ReadDocument
) -> None:
    for a, b in ((kites, gliders), (kites, patent), (gliders, patent)):
        one, other = compare(a, b), compare(b, a)
        assert as_text(one) == as_text(other.transposed())
        assert as_text(one.transposed()) == as_text(other)
        assert np.array_equal(one.chunks.across, other.chunks.across.T)
        assert np.array_equal(one.sections.within_a, other.sections.within_b)
        assert np.array_equal(one.attention, other.attention_back)
        assert np.array_equal(one.carriers.pairs, other.carriers.pairs.transpose(1, 0, 2)[..., ::-1])
        assert one.left_out == {reason: counts[::-1] for reason, counts in other.left_out.items()}
        assert (one.a, one.kept_a.tolist()) == (other.b, other.kept_b.tolist())


def test_every_passage_and_cell_names_its_place_in_both_documents(
    kites: ReadDocument, gliders: ReadDocument, patent: ReadDocument
) -> None:
    for a, b in ((kites, gliders), (patent, kites)):
        found = compare(a, b)
        shown = [*found.passages, *(one for element in found.claims for one in element.passages)]
        rows, columns = found.chunks.across.shape
        cells = [found.carriers.passage(row, column) for row in range(rows) for column in range(columns)]
        shown += [one for one in cells if one is not None]
        assert len(shown) > 5
        for passage in shown:
            for document, chunk in ((found.a, passage.a), (found.b, passage.b)):
                assert chunk.document_id == document.id
                assert document.parts[chunk.part].text[chunk.start : chunk.stop] == chunk.text
                assert document.parts[chunk.part].title == chunk.section


def test_every_sentence_that_went_is_counted_under_its_reason(
    encoder: StandIn, words: Words, gliders: ReadDocument
) -> None:
    stock = "Figure 1 shows the winch. Figure 2 shows the winch again. Figure 3 shows the winch from above."
    held = replace(KITES, sections=(KITES.sections[1], Section("Notes", f"{stock} Silk wings pull.")))
    side = ReadDocument.read(held, encoder, words)
    kept, found = side.kept(Exclusions()), compare(side, gliders)
    assert found.left_out["recurring"][0] == kept.left_out["recurring"] == 1 + 3 + 1  # the last goes with its chunk
    assert sum(kept.left_out.values()) == (~kept.sentences).sum()


def test_the_best_chunk_cell_carries_the_cell_of_its_sections() -> None:
    sentences = tuple(Chunk("x", 0, "", n, n + 1, str(n)) for n in range(6))
    pairs = np.stack(np.meshgrid(range(4), range(3), indexing="ij"), axis=-1)
    pairs[3] = -1
    scores = np.array([[0.1, 0.5, 0.2], [0.7, 0.7, 0.3], [0.2, 0.9, 0.4], [0.0, 0.0, 0.0]])
    rows, columns = np.array([0, 2, 0, 3]), np.array([0, 0, 2])  # in no order; the sections 1 hold nothing
    found = Carriers(sentences, sentences, pairs, scores).of_sections(rows, columns, (4, 3))
    assert found.scores.tolist() == [[0.9, 0, 0.4], [0, 0, 0], [0.7, 0, 0.3], [0, 0, 0]]
    assert found.pairs[0].tolist() == [[2, 1], [-1, -1], [2, 2]]
    assert found.pairs[2].tolist() == [[1, 0], [-1, -1], [1, 2]]  # of two equal ones, the first
    assert (found.pairs[[1, 3]] == -1).all() and found.passage(3, 0) is None
    assert found.passage(2, 0) == Passage(0.7, sentences[1], sentences[0])


SAID = "The rotor follows the current of the tide"


def at(first: int, second: int, length: int = 10) -> tuple[tuple[int, int], tuple[int, int]]:
    return (first, first + length), (second, second + length)


def test_matches_in_the_same_order_form_a_chain_in_reading_order() -> None:
    places = [at(200, 250), at(0, 40), at(100, 90)]
    assert chains(places, [0.9, 0.5, 0.7]) == ((1, 2, 0),)


def test_a_match_that_goes_back_or_overlaps_in_one_text_is_left_out() -> None:
    assert chains([at(0, 100), at(50, 0)], [0.5, 0.5]) == ()
    assert chains([at(0, 0), at(50, 5)], [0.5, 0.5]) == ()


def test_a_gap_ends_a_chain_in_either_text() -> None:
    assert chains([at(0, 0), at(10 + MOST_BETWEEN, 20)], [0.5, 0.5]) == ((0, 1),)
    assert chains([at(0, 0), at(11 + MOST_BETWEEN, 20)], [0.5, 0.5]) == ()
    assert chains([at(0, 0), at(20, 11 + MOST_BETWEEN)], [0.5, 0.5]) == ()


def test_the_heaviest_chain_comes_first_and_a_match_stands_in_one() -> None:
    light, heavy = [at(0, 5_000), at(50, 5_050)], [at(20, 0), at(70, 50), at(120, 100)]
    found = chains([*light, *heavy], [0.6, 0.6, 0.5, 0.5, 0.5])
    assert found == ((2, 3, 4), (0, 1))
    assert sorted(number for chain in found for number in chain) == [0, 1, 2, 3, 4]


def test_no_matches_and_single_ones_form_none() -> None:
    assert chains([], []) == ()
    assert chains([at(0, 0)], [1.0]) == ()


def how(text: str, stretch: str) -> str:
    document = Document("d", abstract=text)
    start = document.parts[0].text.index(stretch)
    return acknowledged(document, document.parts[0].chunk("d", 0, start, start + len(stretch)))


@pytest.mark.parametrize("opening, closing", ["“”", "«»", '""', "„“", ("``", "''")])
def test_what_stands_between_quotation_marks_is_quoted(opening: str, closing: str) -> None:
    assert how(f"They write: {opening}{SAID}, as it must.{closing} We do not.", SAID) == "quoted"
    assert how(f"They write: {opening}The seal is tight at any speed.{closing} {SAID}.", SAID) == ""


@pytest.mark.parametrize("mark", ["[12]", "(Smith and Jones, 2010)", "as Brown (2011) says"])
def test_a_stretch_with_a_citation_is_cited(mark: str) -> None:
    assert how(f"{SAID} {mark}. We measure it.", f"{SAID} {mark}") == "cited"
    assert how(f"{SAID}. We measure it {mark}.", SAID) == ""


def test_a_word_in_quotation_marks_quotes_no_passage() -> None:
    assert (
        how(
            f"{SAID}, in a “wheel with a seal of rubber”, and turns a generator that is as large as a house.",
            f"{SAID}, in a “wheel with a seal of rubber”, and turns a generator that is as large as a house",
        )
        == ""
    )


READ = (KITES, GLIDERS, PATENT)


@pytest.fixture(scope="module")
def three(words: Words) -> list[ReadDocument]:
    encoder = StandIn()
    return [ReadDocument.read(one, encoder, words) for one in READ]


@pytest.fixture(scope="module")
def found(three: list[ReadDocument]) -> Together:
    return compare_together(three)


def test_a_sentence_says_which_candidate_is_nearer(found: Together) -> None:
    near = {b: one.nearness.cosine for (a, b), one in found.compared.items() if a == 0}
    best, other = ("B", "C") if near[1] > near[2] else ("C", "B")
    high, low = f"{max(near.values()):.2f}", f"{min(near.values()):.2f}"
    assert high != low
    assert found.nearer == f"{best} is nearer to A than {other} is: nearness {high} and {low}."
    same = {**found.compared, (0, 2): found.compared[0, 1]}
    assert replace(found, compared=same).nearer == f"B and C are equally near to A: nearness {near[1]:.2f}."
    assert replace(found, compared={(0, 1): found.compared[0, 1]}).nearer == ""


def test_blocks_are_those_of_two_and_of_one(found: Together, three: list[ReadDocument]) -> None:
    pair, alone = compare(three[0], three[2]), compare_within(three[1])
    owners = np.array(found.chunks.owners)
    np.testing.assert_array_equal(found.chunks.values[np.ix_(owners == 0, owners == 2)], pair.chunks.across)
    np.testing.assert_array_equal(found.chunks.values[np.ix_(owners == 1, owners == 1)], alone.chunks.across)
    np.testing.assert_allclose(found.attention[np.ix_(owners == 2, owners == 0)], pair.attention_back, atol=1e-4)
    assert found.scores[0, 2] == found.scores[2, 0] == pair.score and found.scores[1, 1] == 1


def test_every_kept_chunk_attends_to_each_document_in_full(found: Together) -> None:
    owners = np.array(found.chunks.owners)
    for owner in range(3):
        sums = found.attention[:, owners == owner].sum(axis=1)
        np.testing.assert_allclose(sums[found.kept_chunks], 1, atol=0.01)


def test_one_scale_covers_all_levels(found: Together) -> None:
    assert found.highest >= max(found.sections.values.max(), found.chunks.values.max())


@pytest.mark.parametrize("level", ["section", "chunk"])
def test_a_cell_opens_sentences_of_its_own_two_documents(found: Together, level: str) -> None:
    grid = found.sections if level == "section" else found.chunks
    opened = 0
    for row in range(len(grid.names)):
        for column in range(len(grid.names)):
            passage = found.carried(level).passage(row, column)
            if passage is not None:
                ids = [found.documents[grid.owners[place]].id for place in (row, column)]
                assert [passage.a.document_id, passage.b.document_id] == ids
                opened += grid.owners[row] != grid.owners[column]
    assert opened


@pytest.mark.parametrize("level", ["section", "chunk"])
def test_what_carries_a_cell_is_what_the_two_documents_say(found: Together, level: str) -> None:
    grid, carried = found.sections if level == "section" else found.chunks, found.carried(level)
    firsts = [grid.owners.index(owner) for owner in range(3)]
    for row, ours in enumerate(grid.owners):
        for column, theirs in enumerate(grid.owners):
            own = row - firsts[ours], column - firsts[theirs]
            if ours > theirs:
                wanted = found.compared[theirs, ours].transposed().carried(level).passage(*own)
            else:
                of = found.alone[ours] if ours == theirs else found.compared[ours, theirs]
                wanted = of.carried(level).passage(*own)
            assert carried.passage(row, column) == wanted


def test_parts_are_those_of_their_documents(found: Together) -> None:
    assert found.chunk(len(found.chunks.names) - 1).document_id == PATENT.id
    assert {chunk.document_id for chunk in found.chunks_of(0)} == {KITES.id}
    assert [name[0] for name in found.sections.names] == ["ABC"[owner] for owner in found.sections.owners]


def test_the_value_names_documents_by_letters(found: Together) -> None:
    value = as_json(found)
    assert [one["letter"] for one in value["documents"]] == ["A", "B", "C"]  # type: ignore[attr-defined]
    assert list(value["readings"]) == list(value["passages"]) == ["A B", "A C", "B C"]  # type: ignore[call-overload]


@pytest.mark.parametrize("count", [0, 1, 4])
def test_another_number_of_documents_is_refused(three: list[ReadDocument], count: int) -> None:
    with pytest.raises(InputError, match=f"Expected two or three documents to compare, got {count}. Leave some out."):
        compare_together((three * 2)[:count])
