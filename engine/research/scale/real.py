"""The real documents that a large library begins with, and that its made ones are drawn from.

They lie in a library of their own, read by the shipped encoders as any library is, so that a stopped reading goes on
where it was. A part of them is held out to ask: no library of made documents holds these.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from engine import encoders
from engine.core.errors import EvaluationError
from engine.core.progress import Report, silent
from engine.documents import Document
from engine.library import Library
from engine.research.bench.retrieving import read_sets
from engine.search import PassageEncoder
from engine.vectors import PassageView, VectorIndex, kept_passage_store
from engine.workspace.indexing import current_index, index_library
from engine.workspace.passages import index_passages

ABSTRACTS = ("arxiv-abstracts", "acm-citation", "arxiv-subject", "patents-citation", "patents-abstracts")
WHOLE = ("acl-long", "pmc-long", "patents-long")
HELD_OUT = 120
"""Real documents that are questions."""
_SEED = 0


@dataclass(frozen=True, slots=True, eq=False)
class RealTexts:
    """Real documents' library with their rows and passages: `ids` in the order of use, and those `held_out`."""

    library: Library
    index: VectorIndex
    passages: PassageView | None
    ids: Sequence[str]
    held_out: Sequence[str]

    def asking(self) -> list[Document]:
        """Return the documents that are held out as questions."""
        return self.library.get(self.held_out)


def read_real(data: Path, folder: Path, count: int, whole: float, *, report: Report = silent) -> int:
    """Read real documents, the share `whole` of them of many pages, as far as they were not; return how many.

    The same data and numbers give the same. Raises EvaluationError where there are fewer than twice as many as ask.
    """
    with Library.open(folder, create=True) as library:
        if not len(library):
            library.add_file("real", "real texts", _drawn(data, count, whole))
        if len(library) < 2 * HELD_OUT:
            raise EvaluationError(
                f"Expected at least {2 * HELD_OUT} real documents, got {len(library)}. Ask for more with --real."
            )
        index_library(library, encoders.load(encoders.DEFAULT), choice="embedded", report=report)
        if whole:
            index_passages(library, PassageEncoder(), report=report)
        return len(library)


def open_real(folder: Path) -> RealTexts:
    """Open what `read_real` has read. Raises LibraryError where it has not."""
    library, card = Library.open(folder), encoders.find(encoders.DEFAULT).card
    index = current_index(library, card, "embedded")
    store = kept_passage_store(library.passages_folder / PassageEncoder.shipped_fingerprint())
    view = None if store is None else store.view()
    ids = [id_ for id_ in library.ids() if view is None or id_ in view.number_of]
    random.Random(_SEED).shuffle(ids)
    return RealTexts(library, index, view, ids[HELD_OUT:], ids[:HELD_OUT])


def _drawn(data: Path, count: int, whole: float) -> list[Document]:
    """Return documents of the sets at random; where too few of one length are at hand, all of these."""
    chance = random.Random(_SEED)
    found: list[Document] = []
    for names, share in ((WHOLE, whole), (ABSTRACTS, 1 - whole)):
        held = read_sets(data, names) if share else []
        found += chance.sample(held, min(len(held), round(share * count)))
    return found
