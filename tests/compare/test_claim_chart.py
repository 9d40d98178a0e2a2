"""Claims cut into their elements."""

from __future__ import annotations

import pytest

from engine.compare.claim_chart import elements
from engine.documents import Document, Section


def cut(claim: str) -> list[str]:
    document = Document(
        "US1", "patent", title="Winch", sections=(Section("Description", "Text."),), claims=("First.", claim)
    )
    found = [chunk for number, chunk in elements(document) if number == 2]
    for chunk in found:
        assert document.parts[chunk.part].text[chunk.start : chunk.stop] == chunk.text
        assert chunk.section == "Claim 2"
    return [chunk.text for chunk in found]


@pytest.mark.parametrize(
    ("claim", "wanted"),
    [
        (
            "A winch comprising: a drum of steel; a clutch on the drum; and a generator joined to it.",
            ["A winch comprising", "a drum of steel", "a clutch on the drum", "a generator joined to it."],
        ),
        (
            "The winch of claim 1, wherein the drum is made of steel and wherein the clutch is magnetic.",
            ["The winch of claim 1", "wherein the drum is made of steel", "wherein the clutch is magnetic."],
        ),
        (
            "A method of reeling comprising the steps of\n(a) opening the clutch of the winch;\n(b) closing it again.",
            [
                "A method of reeling comprising the steps of",
                "(a) opening the clutch of the winch",
                "(b) closing it again.",
            ],
        ),
        ("A kite.", ["A kite."]),
        (
            "A kite of silk; or silk; and wool; with a tail of paper.",
            ["A kite of silk", "silk; and wool", "with a tail of paper."],
        ),
        (
            "The combination of a drum and a tether, substantially as set forth.",
            ["The combination of a drum and a tether, substantially as set forth."],
        ),
    ],
)
def test_a_claim_is_cut_where_an_element_begins(claim: str, wanted: list[str]) -> None:
    assert cut(claim) == wanted


def test_nothing_of_a_claim_is_lost() -> None:
    claim = "A device, comprising: a sensor; a memory, wherein the memory is fast;\n and a\nscreen that shows it all."
    joined = "".join(cut(claim))
    assert [letter for letter in claim if letter.isalnum()][:10] == [letter for letter in joined if letter.isalnum()][
        :10
    ]
    assert set("".join(claim.split())) - set("".join(joined.split())) <= set(";,:")


def test_a_paper_and_an_empty_claim_have_no_elements() -> None:
    assert elements(Document("p", sections=(Section("Text", "A kite; a winch."),))) == []
    assert elements(Document("US1", "patent", claims=(" ",))) == []


def test_a_cancelled_claim_has_no_elements_and_the_others_keep_their_numbers() -> None:
    patent = Document("US1", "patent", title="Winch", claims=("", "", "A winch; and a drum of steel.", "", "A kite."))
    found = elements(patent)
    assert [(number, chunk.section, chunk.text) for number, chunk in found] == [
        (3, "Claim 3", "A winch; and a drum of steel."),
        (5, "Claim 5", "A kite."),
    ]
    assert all(patent.parts[chunk.part].title == chunk.section for _, chunk in found)
