"""Descriptions and claims whose headings and numbers stand in the text alone."""

from __future__ import annotations

from xml.etree.ElementTree import fromstring

import pytest

from engine.reading.patents.fulltext import numbered_claims, paragraphs, parts


def test_marked_headings_are_the_only_ones() -> None:
    text = "<description><heading>Field</heading><p>NETS</p><p>[0001] Knots</p><p/></description>"
    assert list(parts(fromstring(text), "")) == [
        ("heading", "Field"),
        ("text", "NETS"),
        ("text", "Knots"),
        ("text", ""),
    ]


def test_headings_by_their_words_or_capitals() -> None:
    lines = ["A NET OF KNOTS", "Background of the invention", "Nets have knots.", "SUMMARY", "Nets without", "OK."]
    text = "".join(f'<p num="p{place}">{one}</p>' for place, one in enumerate(lines))
    assert list(parts(fromstring(f"<description>{text}</description>"), "A net of knots")) == [
        ("heading", "Background of the invention"),
        ("text", "Nets have knots."),
        ("heading", "SUMMARY"),
        ("text", "Nets without"),
        ("text", "OK."),
    ]


def test_a_short_line_among_numbered_ones_is_a_heading() -> None:
    text = "<p>Technisches Gebiet</p><p>[0001] Netze.</p><p>(0002) Knoten</p><p>Und so weiter.</p>"
    assert list(parts(fromstring(f"<description>{text}</description>"), "")) == [
        ("heading", "Technisches Gebiet"),
        ("text", "Netze."),
        ("text", "Knoten"),
        ("text", "Und so weiter."),
    ]


def test_no_description() -> None:
    assert list(parts(None, "")) == []


@pytest.mark.parametrize(
    ("inside", "claims"),
    [
        ("<claim><claim-text>1. A net.</claim-text></claim><claim><claim-text>2. Of silk.</claim-text></claim>", 2),
        ("<claim><claim-text>1. A net.</claim-text><claim-text>2. Of silk.</claim-text></claim>", 2),
        ("<claim><claim-text>1. A net:\na knot.\n2. Of silk,\n3 metres long.\n3. Two.</claim-text></claim>", 3),
        ("<claim>1. A net. 2. Of silk.</claim>", 1),
        ("<claim><claim-text/><claim-text>AMENDED CLAIMS</claim-text><claim-text>1. A net.</claim-text></claim>", 1),
        ("<claim><claim-text>A net of<claim-text>a) knots, b) ropes.</claim-text></claim-text></claim>", 1),
        ("<claim/>", 0),
        ("", 0),
    ],
)
def test_claims_that_one_element_holds(inside: str, claims: int) -> None:
    found = numbered_claims(fromstring(f"<claims>{inside}</claims>"))
    assert len(found) == claims
    assert not any(one.startswith(("1.", "AMENDED")) for one in found)


def test_steps_of_a_single_claim_stay_together() -> None:
    text = (
        "<claims><claim><claim-text>A net of<claim-text>a) knots,</claim-text>and ropes.</claim-text></claim></claims>"
    )
    assert numbered_claims(fromstring(text)) == ("A net of a) knots, and ropes.",)


def test_paragraphs_of_an_abstract() -> None:
    assert (
        paragraphs(fromstring("<abstract><heading>Abstract</heading><p>A.</p><s><p>B.</p></s></abstract>"))
        == "A.\n\nB."
    )
    assert paragraphs(fromstring("<abstract>Bare.</abstract>")) == "Bare."
