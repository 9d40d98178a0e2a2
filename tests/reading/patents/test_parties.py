"""Inventors, applicants and owners, of whom the EPO gives several spellings."""

from __future__ import annotations

from xml.etree.ElementTree import Element, fromstring

import pytest

from engine.reading.patents.parties import companies, parties


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
