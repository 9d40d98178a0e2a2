"""What texts of every form are built from: claims, lines, sections."""

from __future__ import annotations

import pytest

from engine.documents import Translation
from engine.reading.dispatch import read_bytes, read_text
from engine.reading.languages import language_of
from engine.reading.text.outline import is_short, split_claims
from tests.reading.abstracts import (
    ENGLISH,
    ENGLISH_BODY,
    FRENCH,
    FRENCH_BODY,
    GERMAN,
    GERMAN_BODY,
    PORTUGUESE,
    PORTUGUESE_BODY,
    SPANISH,
    SPANISH_BODY,
)


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


@pytest.mark.parametrize(
    ("first", "second", "body", "own", "other"),
    [
        (("Abstract", ENGLISH), ("Resumen", SPANISH), ("Introduction", ENGLISH_BODY), "en", "es"),
        (("Resumen", SPANISH), ("Abstract", ENGLISH), ("Introducción", SPANISH_BODY), "es", "en"),
        (("Abstract", ENGLISH), ("Zusammenfassung", GERMAN), ("1. Einleitung", GERMAN_BODY), "de", "en"),
        (("Résumé", FRENCH), ("Abstract", ENGLISH), ("Introduction", FRENCH_BODY), "fr", "en"),
        (("Resumo", PORTUGUESE), ("Abstract", ENGLISH), ("Introdução", PORTUGUESE_BODY), "pt", "en"),
        (("Abstract", GERMAN), ("Abstract", ENGLISH), ("Introduction", ENGLISH_BODY), "en", "de"),
    ],
)
def test_an_abstract_in_two_languages(
    first: tuple[str, str], second: tuple[str, str], body: tuple[str, str], own: str, other: str
) -> None:
    written = "".join(f"## {heading}\n\n{text}\n\n" for heading, text in (first, second, body))
    texts = {language_of(text): text for _, text in (first, second)}
    for found in (
        read_text(f"# Reefs\n\n{written}").document,
        read_bytes(f"Slow reefs\n\n{written.replace('## ', '')}".encode(), "a.txt").document,
    ):
        assert (found.language, found.abstract) == (own, texts[own])
        assert found.translations == (Translation(other, abstract=texts[other]),)
        assert [section.title for section in found.sections] == [body[0].removeprefix("1. ")]


def test_paragraphs_of_one_abstract_in_two_languages_part() -> None:
    found = read_text(
        f"# Reefs\n\n## Abstract\n\n{ENGLISH}\n\nMap it.\n\n{GERMAN}\n\n## Introduction\n\n{ENGLISH_BODY}"
    )
    assert found.document.abstract == f"{ENGLISH}\n\nMap it."
    assert found.document.translations == (Translation("de", abstract=GERMAN),)


def test_an_abstract_in_one_language_says_none() -> None:
    found = read_text(f"# Reefs\n\n## Abstract\n\n{ENGLISH}\n\n{ENGLISH_BODY}\n\n## Introduction\n\nReefs are still.")
    assert (found.document.language, found.document.translations) == ("", ())
    assert found.document.abstract == f"{ENGLISH}\n\n{ENGLISH_BODY}"


def test_a_line_without_a_sentence_is_short() -> None:
    assert is_short("1 Lid Lab, Town")
    assert not is_short("We boil kettles.")
    assert not is_short("lid " * 20)
