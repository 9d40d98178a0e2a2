"""A comparison as it is given: whole, turned round, as JSON; matches in a chain, or given as another's words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.compare.comparing import compare
from engine.compare.model import MOST_BETWEEN, Carriers, Exclusions, Passage, acknowledged, chains
from engine.compare.read_document import ReadDocument
from engine.compare.stretches import Words
from engine.documents import Chunk, Document, Section
from tests.compare.everything import as_text
from tests.compare.texts import KITES, StandIn


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
