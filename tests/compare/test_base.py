"""A comparison as it is given: whole, turned round, as JSON."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.compare.comparing import compare
from engine.compare.model import Carriers, Exclusions, Passage
from engine.compare.read_document import ReadDocument
from engine.compare.stretches import Words
from engine.documents import Chunk, Section
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
