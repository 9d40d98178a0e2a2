"""Entries of a reference list that slipped into a body."""

from __future__ import annotations

import re

import pytest

from engine.compare import read_document
from engine.compare.read_document import entries, is_list
from engine.documents import Section
from engine.documents.text import sentences

ACL = (
    "Peter F. Brown, Vincent J. Pietra, and Robert L. Mercer. 1993. The mathematics of words. Computational "
    "Linguistics, 19(2):263-311. Franz Josef Och. 2003. Minimum error rates. In Proceedings of ACL, pages 160-167."
)
APA = (
    "Smith, J. A., & Doe, B. (2010). The kites of the north. Journal of Wind, 12(3), 4-9. Brown, C. (2011). Winds over "
    "lakes. Springer. Green, D., White, E., & Black, F. (2015). How lakes freeze. Lake Letters, 3(1), 77-80."
)
NUMBERED = (
    '[1] J. Smith and B. Doe, "The kites of the north," IEEE Trans. on Wind, vol. 12, pp. 4-9, 2010.\n[2] C. Brown, "'
    'Winds over lakes," in Proc. Lakes, 2011, pp. 1-4.\n[3] D. Green, E. White, and F. Black, Ice. Springer, 2015.'
)
VANCOUVER = (
    "F Bray, J Ferlay, I Soerjomataram. Global cancer statistics. CA Cancer J Clin. 2018\nB Vogelstein, ER Fearon, SR "
    "Hamilton. Genetic alterations during development. N Engl J Med. 1988\nBray F, Ferlay J, Smith B. Winds. Lancet. "
    "2011;3:4-7."
)
BODY = (
    "Smith et al. (2010) fly kites in the north. We follow J. Smith and fly them in the south, too. In 2012, winds "
    "blew. Our kites follow the winds of the lakes, as Brown (2011) found, and freeze in 2015. Lakes freeze in winter."
)


def flags(text: str) -> list[bool]:
    return entries([text[span.start : span.stop] for span in sentences(text)]).tolist()


@pytest.mark.parametrize("text", [ACL, APA, NUMBERED, VANCOUVER])
def test_entries_of_many_styles_are_seen(text: str) -> None:
    found = flags(text)
    assert sum(found) >= 0.6 * len(found)


@pytest.mark.parametrize(
    "text",
    [
        *(ACL, APA, NUMBERED, VANCOUVER, BODY, "J. of Wind", "PhD thesis, Oslo", "Ph.D. thesis", "Lancet, 2011."),
        *("see pp. 4", "AB, CD, and EF Smith, arXiv", "a, b, doi, 1999,", "Lee AB, Kim C, Wu D, of Conf. on Ice"),
        *("Tech Rep", "Oslo University Press", "\u0662\u0660 (\u0663): \u0664"),
    ],
)
def test_what_is_sought_first_decides_nothing(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pieces = [text, *(text[span.start : span.stop] for span in sentences(text)), *re.split(r"(?<=,) ", text)]
    quick = [read_document._signs(piece) for piece in pieces]
    anything = re.compile("")
    monkeypatch.setattr(read_document, "_DIGIT", anything)
    monkeypatch.setattr(read_document, "_INITIAL", anything)
    monkeypatch.setattr(read_document, "_OF_VENUES", ("",))
    assert quick == [read_document._signs(piece) for piece in pieces]


def test_a_body_that_cites_is_no_list() -> None:
    assert not any(flags(BODY))
    assert not any(flags("One. Two three. Four."))
    assert flags("") == []


def test_entries_within_a_body_leave_the_rest() -> None:
    text = f"{BODY} {BODY} {APA}"
    found = flags(text)
    body = len(sentences(f"{BODY} {BODY}"))
    assert not any(found[:body]) and any(found[body:])


@pytest.mark.parametrize("title", ["References", "7. REFERENCES", "Bibliography", "Literature Cited:"])
def test_a_section_is_told_by_its_title(title: str) -> None:
    assert is_list(Section(title, "Text.")) and is_list(Section("", "Text.", "references"))
    assert not is_list(Section("Reference frames", "Text."))
