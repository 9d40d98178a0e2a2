"""Documents written for the comparing benchmark."""

from __future__ import annotations

import random

from engine.documents import Document, Section
from engine.training.long_corpus import LabelledPair
from tests.contracts.encoder import SUBJECTS

SYLLABLES = "ba ce di fo gu ha ke li mo nu pa re si to vu wa ze".split()


def written(name: str, subject: str, *, sentences: int = 12) -> Document:
    """A document whose sentences of twelve words have six made up, among two hundred of its own, and one subject's."""
    drawn = random.Random(name)
    known = ["".join(drawn.choices(SYLLABLES, k=4)) for _ in range(200)]
    subjects = SUBJECTS[subject].split()

    def text(count: int) -> str:
        said = (drawn.sample(known, 6) for _ in range(count))
        return " ".join(
            f"The {a} {b} of our {c} {d} moves {drawn.choice(subjects)} near {e} {f}." for a, b, c, d, e, f in said
        )

    titles = ("1 Introduction", "2 Method", "3 Results", "Acknowledgements")
    sections = (*(Section(title, text(sentences)) for title in titles), Section("References", text(3), "references"))
    return Document(name, title=name, abstract=text(2), sections=sections, claims=("A claim of a thing.",))


DOCUMENTS = {f"{subject}{n}": written(f"{subject}{n}", subject) for subject in SUBJECTS for n in range(2)}
PAIRS = [
    *(
        LabelledPair(f"{a}0", f"{b}1", False, "test")
        for a, b in (("steam", "neural"), ("protein", "graph"), ("graph", "steam"))
    ),
    *(LabelledPair(f"{a}0", f"{a}1", True, "test") for a in SUBJECTS),
]
