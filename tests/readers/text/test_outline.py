"""What texts of every form are built from: claims, lines, sections."""

from __future__ import annotations

import pytest

from engine.readers import read_text
from engine.readers.text.outline import split_claims


@pytest.mark.parametrize(
    "opening",
    [
        "What is claimed is:",
        "I claim:",
        "We claim",
        "What is claimed as new and desired to be protected by Letters Patent is:",
        "CLAIMS",
        "Claims:",
    ],
)
def test_ways_to_open_claims(opening: str) -> None:
    document = read_text(f"A Lid\n\nSUMMARY\nA lid.\n\n{opening}\n\n1. A lid.\n2. The lid of claim 1.\n").document
    assert document.kind == "patent"
    assert document.claims == ("A lid.", "The lid of claim 1.")


def test_claims_on_one_line() -> None:
    document = read_text("A Lid\n\nWhat is claimed is: 1. A lid, of 2 cm. 2. The lid of claim 1. 3. A kettle.").document
    assert document.claims == ("A lid, of 2 cm.", "The lid of claim 1.", "A kettle.")


@pytest.mark.parametrize(
    "claims",
    [
        "Claims\n1.-3. (canceled)\n4. A lid of steel.\n5. The lid of claim 4.",
        "What is claimed is:\n\n1-3. (canceled)\n\n4. A lid of\nsteel.\n\n5. The lid of claim 4.",
        "CLAIMS\n1. (canceled)\n2-3. (canceled)\n4. A lid of steel.\n5. The lid of claim 4.\n6. (canceled)",
        "What is claimed is: 1-3. (canceled) 4. A lid of steel. 5. The lid of claim 4.",
        "Claims 1-3 (canceled)\n4. A lid of steel.\n5. The lid of claim 4.",
    ],
)
def test_claims_after_cancelled_ones_keep_their_numbers(claims: str) -> None:
    document = read_text(f"A Lid\n\nAbstract\nA lid that is quiet.\n\n{claims}\n").document
    assert (document.kind, document.title, document.abstract) == ("patent", "A Lid", "A lid that is quiet.")
    assert document.claims == ("", "", "", "A lid of steel.", "The lid of claim 4.")
    assert document.parts[-1].title == "Claim 5"


def test_a_sentence_about_cancelled_claims_opens_none() -> None:
    text = "A Lid\n\nIntroduction\nText.\n\nClaims 1-20 of the older patent were canceled\n\nMore text.\n"
    assert read_text(text).document.claims == ()


def test_a_number_before_a_small_letter_begins_no_claim() -> None:
    assert split_claims(
        ["1. A lid with a rim and", "2 seals that hold.", "2. The lid of claim 1.", "Claim 3: A pot."]
    ) == [
        "A lid with a rim and 2 seals that hold.",
        "The lid of claim 1.",
        "A pot.",
    ]


def test_claims_without_numbers_in_order_stay_with_the_claim_before() -> None:
    assert split_claims(["1. A lid of", "7. parts.", "2. A pot."]) == ["A lid of 7. parts.", "A pot."]
    assert split_claims(["No number here."]) == []


def test_a_word_claims_alone_opens_nothing() -> None:
    document = read_text("A Title\n\nIntroduction\nText.\n\nClaims\nThese are statements only.\n").document
    assert document.claims == ()


def test_a_word_of_several_hyphens_keeps_them_over_a_line_end() -> None:
    text = "A Title\n\nAbstract\nState-of-\nthe-art, end-to-\nend, non-para-\nmetric tests; parametric ones."
    assert read_text(text).document.abstract == "State-of-the-art, end-to-end, non-parametric tests; parametric ones."


def test_a_blank_line_after_each_line_does_not_cut_sentences() -> None:
    text = "A Title\n\nAbstract\n\nWe study the many kettles\n\nthat boil in kitchens.\n\nThey whistle.\n"
    assert read_text(text).document.abstract == "We study the many kettles that boil in kitchens.\n\nThey whistle."


def test_a_number_before_many_spaces_is_no_claim() -> None:
    assert split_claims(["1. A thing.", f"2{' ' * 100_000}"]) == ["A thing. 2"]
