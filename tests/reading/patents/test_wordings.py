"""What a publication says in several languages."""

from __future__ import annotations

from engine.documents import Translation
from engine.reading.patents.wordings import Wordings, by_language

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
