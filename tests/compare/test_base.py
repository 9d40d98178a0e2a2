"""A comparison as it is given: whole, turned round, as JSON."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.compare.base import Exclusions
from engine.compare.comparing import compare
from engine.compare.read_document import ReadDocument
from engine.compare.words import Words
from engine.documents import Section
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
        cells = [found.chunk_evidence(row, column) for row in range(rows) for column in range(columns)]
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
