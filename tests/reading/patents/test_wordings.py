"""What a publication says in several languages, and the spellings of its parties."""

from __future__ import annotations

from xml.etree.ElementTree import Element, fromstring

import pytest

from engine.documents import Translation
from engine.reading.patents.wordings import (
    Wordings,
    by_language,
    companies,
    numbered_claims,
    paragraphs,
    parties,
    parts,
)

NONE: dict[str, str] = {}


def test_the_first_text_of_each_language_is_taken() -> None:
    assert by_language([("DE", ""), ("de", "a"), ("DE", "b"), ("xx", "c")]) == {"de": "a", "": "c"}


def test_the_language_is_the_one_said_if_a_text_is_in_it() -> None:
    titles = {"de": "Deckel", "en": "Lid"}
    assert Wordings(("FR", "DE"), titles, NONE, {}, NONE).language == "de"
    assert Wordings(("FR",), titles, NONE, {}, NONE).language == "en"
    assert Wordings(("FR",), titles, NONE, {"de": ("Deckel.",), "en": ("Lid.",)}, {"de": "Text"}).language == "de"


def test_what_is_said_in_other_languages_are_translations() -> None:
    found = Wordings(("de",), {"de": "Deckel", "en": "Lid"}, {"en": "A lid."}, {"fr": ("Couvercle.",)}, NONE)
    assert found.own(found.titles, "") == "Deckel"
    assert found.own(found.abstracts, "") == "A lid."
    assert list(found.translations()) == [
        Translation("en", "Lid", "A lid."),
        Translation("fr", claims=("Couvercle.",)),
    ]


def front(*given: tuple[str, str], role: str = "inventor") -> Element:
    people = "".join(f'<{role} format="{spelling}"><name>{name}</name></{role}>' for spelling, name in given)
    return fromstring(f"<a>{people}</a>")


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("SCHELLER, HANS-ULRICH, DR.", "Hans-Ulrich Scheller"),
        ("Müller, Prof. Dr.-Ing., Eva", "Eva Müller"),
        ("NADERHOFF, Thorsten, ", "Thorsten Naderhoff"),
        ("O'BRIEN, PAT, JR.", "Pat O'Brien JR."),
        ("KING, CHARLES, III", "Charles King III"),
        ("HERRALA SAMI [FI]", "Sami Herrala"),
        ("Ada Lovelace", "Ada Lovelace"),
        ("van den Berg, Jan", "Jan van den Berg"),
        ("The designation of the inventor has not yet been filed", ""),
    ],
)
def test_a_person_in_the_order_of_speech(written: str, spoken: str) -> None:
    assert parties(front(("original", written)), "inventor") == ((spoken,) if spoken else ())


def test_the_best_spelling_that_names_most() -> None:
    given = (("epo", "HOPPER GRACE"), ("epo", "LOVELACE ADA"), ("intermediate", "HOPPER, GRACE"))
    assert parties(front(*given, ("intermediate", "LOVELACE, ADA")), "inventor") == ("Grace Hopper", "Ada Lovelace")
    assert parties(front(*given, ("original", "Hopper, Grace M.")), "inventor") == ("Grace Hopper", "Ada Lovelace")


def test_a_party_that_is_written_twice_counts_once() -> None:
    given = (("epodoc", "KYLMAENEN JARI"), ("original", "KYLMAENEN, JARI"), ("original", "KYLMÄNEN, JARI"))
    assert parties(front(*given), "inventor") == ("Jari Kylmaenen",)


def test_companies_stay_as_they_are_written() -> None:
    given = (("original", "NETS OY, "), ("original", "Nets Oy"), ("original", "Kettle, Lid &amp; Co."))
    assert parties(front(*given, role="applicant"), "applicant") == ("Nets Oy", "Kettle, Lid & Co.")


def test_applicants_who_are_inventors_are_no_companies() -> None:
    assert companies(["HOPPER GRACE", "Nets Oy"], ["Grace Hopper"]) == ("Nets Oy",)


def test_nobody_is_named() -> None:
    assert parties(Element("a"), "inventor") == ()


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
