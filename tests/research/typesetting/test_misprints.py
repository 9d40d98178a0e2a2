"""Texts with mistakes: words mistyped and misread, and bibliographies misprinted."""

from __future__ import annotations

import random

import pytest

from engine.core.errors import EvaluationError
from engine.documents import Document, Section
from engine.research.typesetting.misprints import (
    NOISES,
    STYLES,
    Mistakes,
    dropped,
    misprinted,
    misread,
    mistyped,
    noisy,
    noisy_document,
)
from engine.search.citations.entries import parse_entry

TEXT = "The governor (1788) keeps an engine's speed steady, whatever the load on its shaft; a valve turns. " * 5


def changed(before: str, after: str) -> int:
    return sum(one != other for one, other in zip(before.split(), after.split(), strict=True))


def test_a_dropped_word_is_gone() -> None:
    assert dropped("boiler", random.Random(1)) == ""
    assert noisy("boiler valve", 1.0, "dropped", "s") == " "


def test_a_mistyped_word_is_one_step_away() -> None:
    kinds = set()
    for seed in range(60):
        word = mistyped("valve", random.Random(seed))
        assert word != "valve"
        assert len(word) in (4, 5)
        kinds.add((len(word), sorted(word) == sorted("valve")))
    assert kinds == {(4, False), (5, True), (5, False)}
    assert {len(mistyped("oo", random.Random(seed))) for seed in range(9)} == {1, 2}


@pytest.mark.parametrize(
    ("word", "possible"),
    [
        ("turns", {"tums", "tiirns"}),
        ("all", {"a1l", "al1"}),
        ("xem", {"xcm", "xern"}),
    ],
)
def test_a_misread_word_has_letters_that_scans_confuse(word: str, possible: set[str]) -> None:
    assert {misread(word, random.Random(seed)) for seed in range(60)} == possible


def test_a_word_that_no_scan_confuses_is_mistyped() -> None:
    assert misread("gypsy", random.Random(1)) != "gypsy"


@pytest.mark.parametrize("noise", ["mistyped", "misread"])
@pytest.mark.parametrize("share", [0.05, 0.1, 0.2, 1.0])
def test_so_many_words_are_noisy(noise: str, share: float) -> None:
    words = 15 * 200  # of two letters or more in TEXT, with "engine" but not its "s"
    deviation = (words * share * (1 - share)) ** 0.5
    assert changed(TEXT * 40, noisy(TEXT * 40, share, noise, "seed")) == pytest.approx(share * words, abs=4 * deviation)


def test_what_stands_between_words_stays() -> None:
    after = noisy(TEXT, 1.0, "mistyped", "seed")
    assert after.count("(1788)") == 5
    assert after.count("'s ") == 5
    assert after.count(";") == 5


@pytest.mark.parametrize("noise", NOISES)
def test_noise_is_the_same_again_and_grows_with_the_share(noise: str) -> None:
    assert noisy(TEXT, 0.1, noise, "seed") == noisy(TEXT, 0.1, noise, "seed")
    assert noisy(TEXT, 0.1, noise, "seed") != noisy(TEXT, 0.1, noise, "other")
    assert noisy(TEXT, 0.0, noise, "seed") == TEXT
    assert noisy("", 0.2, noise, "seed") == ""


def test_a_larger_share_keeps_the_noise_of_a_smaller() -> None:
    words = [text.split() for text in (TEXT, noisy(TEXT, 0.1, "misread", "s"), noisy(TEXT, 0.2, "misread", "s"))]
    for clean, less, more in zip(*words, strict=True):
        assert less in (clean, more)


def test_a_document_is_noisy_in_all_its_text_and_the_same_else() -> None:
    document = Document(
        id="d", title="A steady engine", abstract=TEXT, sections=(Section("Use", TEXT),), claims=(TEXT,), year=1890
    )
    after = noisy_document(document, 0.2, "misread")
    assert (after.id, after.year, after.sections[0].title) == ("d", 1890, "Use")
    for one, other in zip(document.parts, after.parts, strict=True):
        assert one.text != other.text
    assert after.abstract != after.sections[0].text
    assert noisy_document(document, 0.2, "misread", seed=2) != after


@pytest.mark.parametrize("share", [-0.1, 1.1])
def test_a_share_outside_its_range_is_refused(share: float) -> None:
    with pytest.raises(EvaluationError, match=f"Expected a share of words from 0 to 1, got {share}"):
        noisy(TEXT, share, "misread", "s")


def test_an_unknown_noise_is_refused() -> None:
    with pytest.raises(EvaluationError, match="Expected a noise among dropped, mistyped, misread, got 'loud'"):
        noisy(TEXT, 0.1, "loud", "s")


WORK = Document(
    "w",
    title="Sparse matrices: direct methods for large-scale systems",
    year=2006,
    authors=("Davis, Tim A.", "Duff, Iain"),
    venue="Journal of Numbers",
)
NONE = Mistakes(0, 0, 0, 0, 0, 0, 0)


@pytest.mark.parametrize("style", STYLES)
def test_an_entry_without_mistakes_is_read_again(style: str) -> None:
    assert misprinted(WORK, NONE, random.Random(1)) == WORK
    found = parse_entry(STYLES[style](WORK, random.Random(1)))
    assert (found.title, found.year) == (WORK.title, WORK.year)
    assert "Davis" in found.authors[0]


@pytest.mark.parametrize(
    ("mistakes", "changed"),
    [
        (Mistakes(1, 0, 0, 0, 0, 0, 0), "title"),
        (Mistakes(0, 1, 0, 0, 0, 0, 0), "title"),
        (Mistakes(0, 0, 0, 1, 0, 0, 0), "year"),
        (Mistakes(0, 0, 0, 0, 1, 0, 0), "title"),
        (Mistakes(0, 0, 0, 0, 0, 1, 0), "title"),
        (Mistakes(0, 0, 0, 0, 0, 0, 1), "venue"),
    ],
)
def test_each_mistake_changes_its_part(mistakes: Mistakes, changed: str) -> None:
    found = misprinted(WORK, mistakes, random.Random(2))
    parts = {name: getattr(found, name) for name in ("title", "year", "venue", "authors")}
    assert {name for name, value in parts.items() if value != getattr(WORK, name)} == {changed}


def test_of_many_authors_the_first_are_named() -> None:
    many = Document(
        "m", title="A title", year=2000, authors=tuple(f"Name{letter}, A" for letter in "abcdefg"), venue="V"
    )
    assert all(
        "et al" in style(many, random.Random(1)) and "Nameg" not in style(many, random.Random(1))
        for style in STYLES.values()
    )
