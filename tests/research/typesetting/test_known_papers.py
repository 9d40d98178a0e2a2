"""Papers whose parts are known."""

from __future__ import annotations

from engine.documents import Document, Section
from engine.research.typesetting.known_papers import known_papers

TEXT = "\n\n".join(
    f"Pools number {place} were looked at for a whole year. " + "They are wet. " * 40 for place in range(5)
)


def document(**changes: object) -> Document:
    fields: dict[str, object] = {
        "title": "Tides in \u03b1 small pools.",
        "abstract": "We looked at pools. " * 20,
        "sections": tuple(Section(name, TEXT) for name in ("Aims", "Methods", "Results:", "Discussion")),
        **changes,
    }
    return Document(id="pmc:1", kind="paper", **fields)  # type: ignore[arg-type]


def test_a_document_is_completed_the_same_way_each_time() -> None:
    (paper,) = known_papers([document()], seed=3)
    assert [paper] == list(known_papers([document()], seed=3)) != list(known_papers([document()], seed=4))
    assert paper.name == "pmc-1" and paper.title == "Tides in small pools"
    assert [one.heading for one in paper.sections] == ["Aims", "Methods", "Results", "Discussion"]
    assert 2 <= len(paper.authors) <= 5 and all(one.place < len(paper.places) for one in paper.authors)
    assert {piece.kind for one in paper.sections for piece in one.pieces} > {"paragraph", "subheading"}
    assert paper.body.count("Pools number 4") == 4 and paper.body.startswith("We looked")
    assert not any(piece.text in paper.body for one in paper.sections for piece in one.pieces if piece.kind == "figure")


def test_a_short_text_is_no_paper() -> None:
    short = document(sections=(Section("Aims", "Few words."),) * 4)
    unnamed = document(sections=(Section("", TEXT), *document().sections))
    assert not list(known_papers([short, unnamed, document(abstract="Short."), document(title="Pools")], seed=1))
