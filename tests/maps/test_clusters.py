"""Groups of points that lie densely together, and their names from the words of their documents."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from scipy.sparse import csr_array

from engine.library import Summaries
from engine.maps import labels
from engine.maps.clusters import FEWEST_POINTS, LEVELS, Titles, Years, find_levels, in_order, list_clusters
from engine.maps.labels import ClusterLabel, LabelWords, class_tfidf, label_levels, names_a_subject, singular_for_label
from engine.maps.model import LibraryMap
from tests.explorer.maps import DOCUMENTS, TOPIC_NAMES, small_map


def blobs(sizes: list[int], spread: float = 0.3, seed: int = 3) -> np.ndarray:
    random = np.random.default_rng(seed)
    centres = [(10.0 * number, 4.0 * (number % 2)) for number in range(len(sizes))]
    points = [random.normal(centre, spread, size=(size, 2)) for centre, size in zip(centres, sizes, strict=True)]
    return np.concatenate(points).astype(np.float32)


def test_blobs_are_found_and_numbered_by_size() -> None:
    sizes = [40, 90, 60]
    coarse = find_levels(blobs(sizes))[0]
    assert coarse.shape == (190,)
    found = [np.bincount(part[part >= 0]).argmax() for part in np.split(coarse, np.cumsum(sizes)[:-1])]
    assert found == [2, 0, 1]
    assert (coarse >= 0).mean() > 0.85


def test_finer_levels_have_at_least_as_many_groups() -> None:
    counts = [int(groups.max()) + 1 for groups in find_levels(blobs([120] * 20))]
    assert counts == sorted(counts)
    assert counts[0] >= 10


def test_the_same_points_give_the_same_groups() -> None:
    points = blobs([50, 50, 50])
    assert np.array_equal(find_levels(points), find_levels(points))


@pytest.mark.parametrize("size", [0, 1, FEWEST_POINTS - 1])
def test_few_points_have_no_groups(size: int) -> None:
    assert find_levels(np.zeros((size, 2), np.float32)).tolist() == [[-1] * size] * len(LEVELS)


def test_points_on_one_spot_have_no_groups() -> None:
    assert find_levels(np.ones((100, 2), np.float32)).max() == -1


def test_points_on_one_line_and_doubles_do_not_stop_the_search() -> None:
    line = blobs([60, 60])
    line[:, 1] = 0
    assert find_levels(line)[0].max() == 1
    doubled = np.repeat(blobs([30, 30]), 3, axis=0)
    assert find_levels(doubled)[0].max() >= 1


EACH = DOCUMENTS // len(TOPIC_NAMES)


@pytest.fixture
def summaries() -> Summaries:
    ids = [f"d{number}" for number in range(DOCUMENTS)]
    titles = [f"Title {number}" for number in range(DOCUMENTS)]
    years = [0 if number < EACH else 1900 - number for number in range(DOCUMENTS)]
    return Summaries(ids, titles, years, ["paper"] * DOCUMENTS, [""] * DOCUMENTS, titles)


def pointing(ids: list[str], hearts: list[int]) -> LibraryMap:
    """A map whose documents all count the heart of their cluster among their neighbours, and one of another."""
    neighbours = np.full((DOCUMENTS, 15), -1, np.int32)
    group = np.arange(DOCUMENTS) // EACH
    neighbours[:, 0] = np.array(hearts)[group]
    neighbours[:, 1] = np.array(hearts)[(group + 1) % len(hearts)] + 1  # from outside, which does not count
    return dataclasses.replace(small_map(ids, "f"), neighbours=neighbours)


def test_the_most_central_are_those_that_their_own_cluster_points_at(summaries: Summaries) -> None:
    hearts = [3, EACH + 5, 2 * EACH, DOCUMENTS - 2]
    found = list_clusters(pointing(summaries.ids, hearts), summaries)
    assert [one.central[0] for one in found] == [(f"d{heart}", f"Title {heart}") for heart in hearts]
    assert all(len(set(one.central)) == 3 for one in found)


def test_a_level_that_repeats_the_one_above_is_left_out(summaries: Summaries) -> None:
    assert [one.label.name for one in list_clusters(small_map(summaries.ids, "f"), summaries)] == list(TOPIC_NAMES)


def test_years_are_those_of_the_members_and_unknown_ones_come_last(summaries: Summaries) -> None:
    found = list_clusters(small_map(summaries.ids, "f"), summaries)
    assert found[0].years == Years(0, 0, 0, EACH)
    assert (found[1].years.first, found[1].years.last) == (1900 - 2 * EACH + 1, 1900 - EACH)
    assert [one.label.cluster for one in in_order(found, "years")] == [3, 2, 1, 0]
    names = [one.label.name for one in in_order(found, "label")]
    assert names == sorted(TOPIC_NAMES)


def test_a_document_that_the_library_lacks_is_not_central(summaries: Summaries) -> None:
    drawn = pointing(["gone", *summaries.ids[1:]], [0, EACH, 2 * EACH, 3 * EACH])
    assert all(id_ != "gone" for one in list_clusters(drawn, summaries) for id_, _ in one.central)


TITLES = (
    *("Neutrino oscillations in matter", "Sterile neutrino mass", "A neutrino detector"),
    *("Random graphs", "Coloring of graphs", "Planar graphs and trees"),
    *("Relay for telegraphs", "A relay", "Improved relay switch"),
)


NAMES = ("first", "second", "third")


YEARS = [2001, 2003, 2009, 1990, 1990, 0, 1880, 1881, 1882]


@pytest.fixture
def titles() -> Titles:
    count = len(TITLES)
    ids = [f"d{number}" for number in range(count)]
    group = np.repeat(np.arange(3, dtype=np.int32), 3)
    drawn = LibraryMap(
        ids=(*reversed(ids), "gone"),
        positions=np.zeros((count + 1, 2), np.float32),
        levels=np.tile(np.append(group[::-1], -1).astype(np.int32), (3, 1)),
        labels=tuple(
            ClusterLabel(0, number, name, 0, 0, 3) for number, name in enumerate(("first", "second", "third"))
        ),
        neighbours=np.zeros((count + 1, 15), np.int32),
        kept_per_point=np.zeros(count + 1, np.float32),
        placed=np.zeros(count + 1, bool),
        trustworthiness=1,
        kept=1,
        spacing=1,
        fingerprint="f",
        encoder="e",
    )
    kinds = ["patent" if number > 5 else "paper" for number in range(count)]
    summaries = Summaries([*ids, "unmapped"], [*TITLES, "Other"], [*YEARS, 0], [*kinds, "paper"], [""] * 10, [""] * 10)
    return Titles.read(drawn, summaries)


def test_terms_set_a_selection_apart_from_the_rest(titles: Titles) -> None:
    assert titles.summary(["d0", "d1", "d2"]).terms[0] == "neutrino"
    assert titles.summary(["d6", "d7", "d8"]).terms[0] == "relay"


def test_a_selection_across_clusters_is_counted_by_kind_and_cluster(titles: Titles) -> None:
    found = titles.summary(["d0", "d3", "d4", "d8", "unmapped", "stranger"])
    assert found.count == 5
    assert found.kinds == {"paper": 4, "patent": 1}
    assert found.clusters == {"second": 2, "first": 1, "third": 1}
    assert found.years == Years(1882, 1990, 2001, 1)


def test_nothing_selected_has_no_terms_and_no_years(titles: Titles) -> None:
    found = titles.summary([])
    assert (found.count, found.terms, found.years) == (0, (), Years(0, 0, 0, 0))


def read(texts: list[str]) -> LabelWords:
    vocabulary = LabelWords()
    for text in texts:
        vocabulary.add(text)
    return vocabulary


def test_weights_are_those_of_the_formula() -> None:
    frequencies, weights = zip(*class_tfidf(csr_array([[3.0, 1.0], [0.0, 4.0]])), strict=True)
    assert np.array(frequencies).tolist() == [[3, 1], [0, 4]]
    mean_length, overall = 4.0, np.array([3.0, 5.0])
    idf = np.log(1 + mean_length / overall)
    assert np.array(weights) == pytest.approx(np.array([[0.75, 0.25], [0.0, 1.0]]) * idf)


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


FOREIGN = {
    "von der, und, die": "Verfahren zur Herstellung von {} und Geräte für das {} mit einer Pumpe, wobei der Druck",
    "les, des, dans": "Étude de {} dans les systèmes avec la pompe, des méthodes pour le {} et une mesure qui est",
    "los, para, con": "Estudio de {} para los sistemas con una bomba, del método que se usa en el {} y por la medida",
    "della, che, nel": "Studio di {} per il sistema con una pompa, che nella misura del {} e gli altri dell'acqua",
    "для, при, что": "Исследование {} для систем при работе насоса, что также является методом и который {} был",
}


@pytest.mark.parametrize("text", FOREIGN.values(), ids=FOREIGN)
def test_no_label_has_function_words_of_another_language(text: str) -> None:
    own = [text.format(*(["Kavitation", "Turbine"] if n % 2 else ["Turbine", "Kavitation"])) for n in range(12)]
    english = [f"A study of solar cells and their films, number {n}, made of glass" for n in range(12)]
    label = named([*own, *english], [0] * 12 + [1] * 12)[0]
    said = set(label.replace(",", "").split())
    assert said and said != {"unnamed"}
    assert not said & set("von der und zur für das mit wobei einer les des dans avec pour une est qui los para".split())
    assert not said & set("con que una del por per il che nella gli altri для при что также который был".split())


def test_a_word_that_english_has_too_is_left_out_in_its_own_language_alone() -> None:
    german = [f"Die Wirkung war bei der Pumpe und die Messung{n} war gut" for n in range(9)]
    english = [f"Die casting before the war, part{n}" for n in range(9)]
    words = read([*german, *english]).words
    assert "wirkung" in words and {"die", "war"} <= set(words)
    assert not {"die", "war"} & set(read(german).words)
