"""Sentences that may be evidence: which are read, and where they are cut."""

from __future__ import annotations

import pytest

from engine.documents import Document, Section
from tests.evidence.explained import PATENT, explain, holds
from tests.search.library import QUERY


def test_references_are_no_evidence() -> None:
    cited = Section(
        "References", "Rask. Message passing between atoms of a crystal predicts energies. 2021.", "references"
    )
    document = Document("d", abstract="A slide valve admits steam to the cylinder of an engine.", sections=(cited,))
    evidence = explain(QUERY, document)
    assert evidence.terms == ()
    assert evidence.passage is not None and evidence.passage.document.section == "Abstract"


def test_a_title_alone_is_used_where_there_is_nothing_else() -> None:
    passage = explain(Document("q", title="Slide valves for engines"), PATENT).passage
    assert passage is not None
    assert passage.query.section == "Title"
    assert "valve" in passage.document.text


@pytest.mark.parametrize(
    "stock",
    [
        "Be it known that I, John Smith, of Valve Seat, in the county of Steam, have invented a slide valve.",
        "This application claims priority to a provisional application on a slide valve for a steam engine.",
        "FIG. 2 is a side view of the slide valve of the steam engine.",
        "SLIDE VALVE FOR THE CYLINDER OF A STEAM ENGINE WITH A PORT",
        "Each block of the flowchart closes the port of the cylinder of the steam engine early.",
        "Primary Examiner John Smith read of the slide valve of a steam engine, its port and its cylinder.",
        "R> close(slide_valve, steam, engine, port, cylinder, early)",
        "The authors of the slide valve declare no conflict of interest in the port of the cylinder.",
    ],
)
def test_stock_phrases_and_headings_are_no_passages(stock: str) -> None:
    plain = "A plate slides along the seat and shuts off the steam early in each stroke."
    query = Document("q", abstract="The slide valve of a steam engine closes the port of the cylinder early.")
    passage = explain(query, Document("d", kind="patent", sections=(Section("Text", f"{stock}\n\n{plain}"),))).passage
    assert passage is not None
    assert passage.document.text == plain


def test_a_long_claim_is_cut_into_readable_pieces() -> None:
    claim = "A pump comprising: " + " ; ".join(f"part number {n} with a rotor and a stator of steel" for n in range(30))
    document = Document("d", kind="patent", claims=(claim,))
    passage = explain(
        Document("q", abstract="A rotor and a stator of steel make up the pump of ours."), document
    ).passage
    assert passage is not None
    assert holds(document, passage.document)
    assert len(passage.document.text.split()) <= 60


def test_claims_are_reached_beyond_a_very_long_description() -> None:
    filler = " ".join(f"Sentence number {n} speaks of grain, of flour, and of mills." for n in range(2000))
    claims = ("A rotor of steel with eight blades that turn in a stator.",)
    document = Document("d", kind="patent", sections=(Section("Description", filler),), claims=claims)
    passage = explain(Document("q", abstract="Eight blades of steel turn in a stator as one rotor."), document).passage
    assert passage is not None
    assert passage.document.section == "Claim 1"
