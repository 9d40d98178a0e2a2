"""Documents whose text has changed are told of, so that they are encoded again."""

from __future__ import annotations

from dataclasses import replace

from engine.library.store import Library
from tests.library.copies import PAPER, REFERENCE, WHOLE


def test_a_changed_text_is_told_of_once(library: Library) -> None:
    library.add_file("k1", "refs.bib", [REFERENCE, replace(PAPER, id="other", title="Box kites and their many uses")])
    assert (library.revision(), library.revised_since(0)) == (0, [])
    library.add_file("k2", "paper.pdf", [WHOLE])
    assert (library.revision(), library.revised_since(0)) == (1, ["gale2015"])
    assert library.revised_since(1) == []
    library.add_file("k3", "again.pdf", [replace(WHOLE, id="file:2", abstract="We fly kites again.")])
    assert library.revision() == 1
