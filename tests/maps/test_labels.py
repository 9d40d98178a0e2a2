"""Names of groups, from the words of their documents.

Words that may name a group.
"""

from __future__ import annotations

import numpy as np
import pytest

from engine.maps import labels
from engine.maps.labels import LabelWords, class_tfidf, label_levels, names_a_subject, singular_for_label
from tests.maps.blobs import blobs


def read(texts: list[str]) -> LabelWords:
    vocabulary = LabelWords()
    for text in texts:
        vocabulary.add(text)
    return vocabulary


def test_weights_are_those_of_the_formula() -> None:
    weights = class_tfidf(np.array([[3.0, 1.0], [0.0, 4.0]]))
    mean_length, overall = 4.0, np.array([3.0, 5.0])
    idf = np.log(1 + mean_length / overall)
    assert weights == pytest.approx(np.array([[0.75, 0.25], [0.0, 1.0]]) * idf)


TOPICS = (
    "neural networks learn the weights of images with convolution",
    "the enzyme binds a protein in the cells of yeast",
    "galaxies and dark matter halos seen by a telescope",
)


def named(texts: list[str], groups: list[int]) -> list[str]:
    levels = np.array([groups], np.int32)
    positions = np.arange(2 * len(texts), dtype=np.float32).reshape(-1, 2)
    return [label.text for label in label_levels(levels, positions, read(texts))]


def test_labels_name_their_own_group() -> None:
    texts = [f"{TOPICS[number % 3]} number{number}" for number in range(30)]
    first, second, third = named(texts, [number % 3 for number in range(30)])
    assert "neural networks" in first
    assert {"enzyme", "protein", "cells", "yeast"} & set(second.replace(",", "").split())
    assert "dark matter" in third or "galaxies" in third
    assert "the" not in " ".join([first, second, third]).split()


def test_a_plural_and_its_singular_stand_once_as_most_often_written() -> None:
    texts = ["a laser"] * 4 + ["two lasers"] * 6 + ["bacteria on a leaf"] * 10
    first, _ = named(texts, [0] * 10 + [1] * 10)
    assert "lasers" in first.split(", ")
    assert "laser" not in first.split(", ")


def test_a_phrase_is_written_as_it_is_most_often() -> None:
    texts = ["laser cavity"] * 5 + ["lasers shine"] * 6 + ["bacteria on a leaf"] * 10
    first, _ = named(texts, [0] * 11 + [1] * 10)
    assert first.split(", ")[0] in {"laser cavity", "lasers shine"}
    assert "lasers cavity" not in first


def test_one_long_garbled_document_does_not_name_its_group() -> None:
    texts = ["quxle " * 500, *["solar cell"] * 9, *["sparse matrix"] * 10]
    assert named(texts, [0] * 10 + [1] * 10)[0] == "solar cell"


def test_two_groups_never_bear_the_same_name() -> None:
    texts = ["plasma tokamak"] * 5 + ["plasma tokamak physics heating"] * 5 + ["plasma tokamak"] * 5
    names = named(texts, [0] * 5 + [1] * 5 + [2] * 5)
    assert names[0] != names[1]


def test_a_group_without_a_telling_word_is_named_so() -> None:
    assert named(["the and of"] * 6, [0] * 6) == ["unnamed"]


def test_a_label_stands_on_a_member_of_its_group() -> None:
    points = blobs([40, 40])
    levels = np.array([[0] * 40 + [1] * 40], np.int32)
    labels = label_levels(levels, points, read(["solar cell"] * 40 + ["gene therapy"] * 40))
    assert [label.size for label in labels] == [40, 40]
    for label, members in zip(labels, (points[:40], points[40:]), strict=True):
        assert [label.x, label.y] in members.tolist()


def test_documents_in_no_group_name_nothing() -> None:
    assert label_levels(np.full((3, 4), -1, np.int32), np.zeros((4, 2), np.float32), read(["word"] * 4)) == ()


def test_a_group_is_named_by_its_own_words_alone() -> None:
    vocabulary = LabelWords()
    subjects = ("kite tether winch", "boiler valve piston", "tenor soprano cello")
    order = np.random.default_rng(1).integers(-1, 3, 90).astype(np.int32)
    for group in order:
        vocabulary.add(subjects[group] if group >= 0 else "kite kite boiler boiler", "")
    found = label_levels(order[None], np.zeros((90, 2), np.float32), vocabulary)
    for one in found:
        assert set(one.text.replace(",", "").split()) <= set(subjects[one.cluster].split())
    assert [one.size for one in found] == np.bincount(order[order >= 0]).tolist()


def test_numbers_are_named_once_as_by_numpy() -> None:
    for size in (0, 1, 2, 500):
        numbers = np.random.default_rng(size).integers(0, 40, size)
        assert np.array_equal(labels._once(numbers), np.unique(numbers))


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("lasers", "laser"),
        ("galaxies", "galaxy"),
        ("boxes", "box"),
        ("analyses", "analysis"),
        ("glass", "glass"),
        ("basis", "basis"),
        ("virus", "virus"),
        ("gas", "gas"),
    ],
)
def test_singular(word: str, expected: str) -> None:
    assert singular_for_label(word) == expected


@pytest.mark.parametrize("token", ["the", "of", "figure", "said", "tion", "ab", "x9", "llll", "bcdfgh", "xkcdwz", "ﬁ"])
def test_words_that_name_nothing(token: str) -> None:
    assert not names_a_subject(token)


@pytest.mark.parametrize("token", ["laser", "schrödinger", "rhythm", "квант", "量子力"])
def test_words_that_name_a_subject(token: str) -> None:
    assert names_a_subject(token)
