"""Claims that are pasted without their usual heading, and texts that only look like claims."""

from __future__ import annotations

import time

import pytest

from engine.reading.dispatch import read_text

FIRST = "A method for cooling a chip, comprising placing a heat pipe on the chip."
SECOND = "The method of claim 1, wherein the heat pipe holds water."
THIRD = "The method of claim 2, wherein the water is cold."


def claims_of(text: str) -> tuple[str, ...]:
    document = read_text(text).document
    assert (document.kind == "patent") == bool(document.claims)
    return document.claims


@pytest.mark.parametrize(
    "form", ["{}. ", "{}) ", "({}) ", "[{}] ", "{} - ", "Claim {}. ", "Claim {}: ", "{}.\n", "{} . "]
)
@pytest.mark.parametrize("parted", ["\n", "\n\n", "\n\n   "])
def test_numbered_claims_without_a_heading(form: str, parted: str) -> None:
    text = parted.join(form.format(number) + one for number, one in enumerate((FIRST, SECOND, THIRD), start=1))
    assert claims_of(text) == (FIRST, SECOND, THIRD)


@pytest.mark.parametrize(
    "opening", ["Claims:", "CLAIMS", "What we claim", "I claim:", "We claim -", "What I claim is:"]
)
@pytest.mark.parametrize("number", ["{}. ", "{}) ", ""])
def test_claims_below_a_short_opening(opening: str, number: str) -> None:
    lines = [number.format(place) + one for place, one in enumerate((FIRST, SECOND), start=1)]
    assert claims_of("\n".join([opening, *lines])) == (FIRST, SECOND)


def test_claims_in_one_paragraph() -> None:
    assert claims_of(f"1. {FIRST} 2. {SECOND} 3. {THIRD}") == (FIRST, SECOND, THIRD)
    assert claims_of(f"Claims: 1) {FIRST} 2) {SECOND}") == (FIRST, SECOND)


@pytest.mark.parametrize(
    "text",
    [
        FIRST,
        f"1. {FIRST}",
        "A kettle comprising:\na body;\na lid; and\na handle on the body.",
        "In a car-coupling, the combination of the draw-head A and the link B, substantially as described.",
        "The ornamental design for a chair, as shown and described.",
        "1. A compound of the formula R-X, or a pharmaceutically acceptable salt of it.",
    ],
)
def test_one_claim_alone(text: str) -> None:
    assert claims_of(text) == (" ".join(text.removeprefix("1. ").split()),)


def test_claims_that_begin_in_the_middle_keep_their_numbers() -> None:
    text = "3. The lid of claim 2, which is red.\n4. The lid of claim 3.\n5. A pot with the lid of claim 4."
    found = ("The lid of claim 2, which is red.", "The lid of claim 3.", "A pot with the lid of claim 4.")
    assert claims_of(text) == ("", "", *found)
    assert claims_of(f"Claims:\n{text}") == ("", "", *found)
    assert claims_of(f"wherein the rim is\nsteel.\n{text}") == ("", "wherein the rim is steel.", *found)


def test_steps_within_a_claim_begin_none() -> None:
    for step in ("({})", "{})"):
        steps = f"{step.format(1)} heating the oven;\n{step.format(2)} Cooling the oven."
        assert len(claims_of(f"1. A method comprising:\n{steps}\n2. The method of claim 1.")) == 2


@pytest.mark.parametrize(
    "text",
    [
        "1. Verfahren zum Kühlen, dadurch gekennzeichnet, dass ein Rohr dient.\n2. Verfahren nach Anspruch 1.",
        "1. Verfahren zum Kühlen.\n2. Verfahren nach einem der Ansprüche 1, wobei Wasser dient.",
        "1. Procédé de refroidissement.\n2. Procédé selon l'une quelconque des revendications précédentes.",
        "1. Un método para enfriar.\n2. El método de la reivindicación 1.",
        "1. Metodo per raffreddare.\n2. Metodo secondo la rivendicazione 1.",
        "1. Método para resfriar.\n2. Método, de acordo com a reivindicação 1.",
        "1. Способ охлаждения.\n2. Способ по п. 1, отличающийся тем, что жидкость - вода.",
        "1. 一种冷却方法，其特征在于，包括热管。2. 根据权利要求1所述的方法，其特征在于，液体是水。",
        "1、一种冷却方法。\n2、如权利要求1所述的方法。",
        "【特許請求の範囲】\n【請求項１】\n冷却する方法。\n【請求項２】\n請求項１に記載の方法。",  # noqa: RUF001
    ],
)
def test_claims_of_other_languages(text: str) -> None:
    assert len(claims_of(text)) == 2


def test_a_title_and_an_abstract_above_claims() -> None:
    document = read_text(f"Cooling of a chip\n\nA heat pipe cools a chip.\n\n1. {FIRST}\n2. {SECOND}").document
    assert (document.title, document.abstract) == ("Cooling of a chip", "A heat pipe cools a chip.")
    assert document.claims == (FIRST, SECOND)


@pytest.mark.parametrize(
    "text",
    [
        "1. Buy milk and eggs.\n2. Call the dentist about Tuesday.",
        "1. Mix flour, consisting of wheat, and water.\n2. Bake it for an hour.",
        "1. We show a network comprising two parts.\n2. We prove a bound.",
        "1. By Claim 1 we have x = y.\n2. The proof of Claim 2 follows.",
        "1. Kipf T, Welling M. Networks comprising graphs. ICLR 2017.\n2. Roe A. Lids. 2001.",
        "heat exchangers comprising tubes and fins",
        "Which patents describe a heat exchanger comprising tubes; fins; and a valve?",
        "methods as in claim 1 of the patent on lids",
        "The spectrum of an operator is determined by its exponent, as shown by Ishii, Kotani and Pastur.",
        "1. A",
    ],
)
def test_what_is_no_claim(text: str) -> None:
    assert claims_of(text) == ()


@pytest.mark.parametrize(
    "piece", ["1. A lid comprising ", "1.\n", "2) ", "claims: ", ". 2. A", "said ;\n", ".\n ", "A. "]
)
def test_long_runs_cost_no_more_than_their_length(piece: str) -> None:
    begun = time.process_time()
    read_text(f"1. A lid\n{piece * (100_000 // len(piece))}")
    assert time.process_time() - begun < 4
