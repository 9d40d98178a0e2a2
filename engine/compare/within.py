"""One document against itself at CoLDE's section and chunk levels, as the paper draws them (section 4.3, figure 4).

It is a comparison whose two documents are the same one, so that screen and report draw it with what they have for two.
Of the matches, what a sentence has with itself does not count.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine.compare import passages
from engine.compare.base import Comparison, Exclusions, numbers, place
from engine.compare.cache import matches, trimmed
from engine.compare.comparing import carriers_of, compare, side_of
from engine.compare.pairs import Cells, Scores, Table, match
from engine.compare.read_document import ReadDocument
from engine.core.progress import Meter, Report, silent


class Above:
    """The matches of a document's sentences with those after them: (s, s), 0 elsewhere."""

    def __init__(self, table: Table) -> None:
        """Of the matches of all with all."""
        self._table = table

    @property
    def shape(self) -> tuple[int, int]:
        """(s, s)."""
        return self._table.shape

    def rows(self, start: int, stop: int) -> Scores:
        """The rows from `start` to before `stop`: (stop - start, s)."""
        return np.triu(self._table.rows(start, stop), start + 1)


def compare_within(
    document: ReadDocument, *, exclusions: Exclusions | None = None, report: Report = silent
) -> Comparison:
    """A document's sections and chunks against each other, with attention, and its passages that repeat each other.

    `across`, `within_a` and `within_b` are the same matrices; `attention` (c, c) is how much each chunk attends to each
    of them, and `attention_back` the same matrix. Raises what `compare` does.
    """
    chosen = exclusions or Exclusions()
    whole = compare(document, document, exclusions=chosen, report=report)
    one, sentences = trimmed(document, chosen), document.sentences
    meter = Meter("compare sentences", len(sentences) * (2 if chosen.min_words > 0 else 1), report)
    found = match(Above(matches(sentences, sentences)), side_of(one), side_of(one), chosen.min_words, meter.add)
    meter.finish()
    both = (document.document, sentences.chunks)
    return replace(
        whole,
        carriers=carriers_of(document, document, _mirrored(found.cells)),
        passages=passages.passages(found, both, both),
        claims=(),
        is_within=True,
    )


def within_as_json(comparison: Comparison) -> dict[str, object]:
    """What is within one document, as one JSON value."""
    sections, chunks = comparison.sections, comparison.chunks
    attention = {"attention": numbers(comparison.attention)}
    return {
        "sections": {"names": list(sections.a), "within": numbers(sections.within_a)},
        "chunks": {
            "names": list(chunks.a),
            "places": [place(chunk) for chunk in comparison.chunks_a],
            "within": numbers(chunks.within_a),
            **attention,
        },
        "passages": [passage.as_json() for passage in comparison.passages],
    }


def _mirrored(cells: Cells) -> Cells:
    """The best pairs of sentences of all cells, from those of one half."""
    back: NDArray[np.int32] = cells.pairs.transpose(1, 0, 2)[..., ::-1]
    better = cells.scores.T > cells.scores
    return Cells(np.maximum(cells.scores, cells.scores.T), np.where(better[..., None], back, cells.pairs))
