"""Clustering by venue, on small text of our own."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from engine.core.errors import EvaluationError
from engine.documents import Document
from engine.encoders.tfidf import TfidfEncoder
from engine.research.paper.venues import (
    VenueDraw,
    VenueSettings,
    clustering_scores,
    draw_papers,
    pair_f1,
    score_clusters,
    series,
)
from tests.contracts.encoder import corpus

SETTINGS = VenueSettings(papers=14, venues=4, draws=3)

CLASSES = [0, 0, 0, 1, 1]
CLUSTERS = [5, 5, 6, 6, 6]
"""Same class: 3 + 1 pairs; same cluster: 1 + 3 pairs; both: 1 of the first cluster, 1 of the second."""


def papers() -> list[Document]:
    """The corpus of four subjects, each in a venue of its own; steam has a second year, and one paper has no venue."""
    documents = []
    for number, document in enumerate(corpus()):
        subject = document.id.rstrip("0123456789")
        year = "'19" if subject != "steam" or number % 8 else "'20"
        documents.append(replace(document, venue=f"{subject.title()} {year}"))
    return [*documents, Document(id="none", title="no venue")]


@pytest.mark.parametrize(
    ("venue", "expected"),
    [
        ("CHI '19", "CHI"),
        ("AIRS'08", "AIRS"),
        ("ADCS 2017", "ADCS"),
        ("WWW '15 Companion", "WWW"),
        ("J. Mach. Learn. Res.", "J. Mach. Learn. Res."),
        ("2019", "2019"),
    ],
)
def test_a_year_is_no_part_of_a_series(venue: str, expected: str) -> None:
    assert series(venue) == expected


def test_each_draw_has_the_papers_and_venues_asked_for() -> None:
    venue_of = {document.id: document.venue for document in papers()}
    draws = draw_papers(papers(), SETTINGS)
    assert [draw.seed for draw in draws] == [0, 1, 2]
    for draw in draws:
        assert len(set(draw.ids)) == len(draw.venues) == 14
        assert sorted(Counter(draw.venues.tolist()).values()) == [3, 3, 4, 4]
        named = {(venue_of[name], number) for name, number in zip(draw.ids, draw.venues.tolist(), strict=True)}
        assert len(named) == 4
        assert len({series(venue) for venue, _ in named}) == 4
    assert draws[0].ids != draws[1].ids
    np.testing.assert_array_equal(draw_papers(papers(), SETTINGS)[0].ids, draws[0].ids)


def test_a_second_year_is_drawn_where_there_are_too_few_series() -> None:
    (draw,) = draw_papers(papers(), VenueSettings(papers=10, venues=5, draws=1))
    assert len(set(draw.venues.tolist())) == 5


@pytest.mark.parametrize("encoder", ["sparse", "dense"])
def test_rows_of_one_venue_cluster(encoder: str) -> None:
    documents = {document.id: document for document in papers()}
    (draw,) = draw_papers(papers(), replace(SETTINGS, papers=20, draws=1))
    rows = TfidfEncoder.fit(corpus()).encode_documents([documents[name] for name in draw.ids])
    scores = score_clusters(rows if encoder == "sparse" else rows.toarray(), draw)
    assert set(scores) == {"F1", "V-measure", "ARI"}
    assert all(value > 0.7 for value in scores.values())


def test_rows_without_a_word_are_clustered_too() -> None:
    rows = np.zeros((4, 3), np.float32)
    rows[:2, 0] = 1
    scores = score_clusters(rows, VenueDraw(0, ("a", "b", "c", "d"), np.array([0, 0, 1, 1])))
    assert scores == {"F1": 1.0, "V-measure": 1.0, "ARI": 1.0}


def test_too_few_venues_are_told() -> None:
    with pytest.raises(EvaluationError, match="Expected 9 venues with 2 papers or more, found 5"):
        draw_papers(papers(), VenueSettings(papers=18, venues=9))


def test_pairs_that_share_a_class_are_sought_in_one_cluster() -> None:
    assert pair_f1(CLASSES, CLUSTERS) == pytest.approx(2 * (2 / 4) * (2 / 4) / (2 / 4 + 2 / 4))


def test_v_measure_is_by_entropies() -> None:
    both = math.log(5) - (2 * math.log(2) + 2 * math.log(2)) / 5  # joint entropy of (2, 1, 2) of 5
    one = math.log(5) - (3 * math.log(3) + 2 * math.log(2)) / 5  # entropy of (3, 2) of 5
    assert clustering_scores(CLASSES, CLUSTERS)["V-measure"] == pytest.approx(1 - (both - one) / one)


def test_the_rand_index_is_measured_against_chance() -> None:
    expected = 4 * 4 / 10
    assert clustering_scores(CLASSES, CLUSTERS)["ARI"] == pytest.approx((2 - expected) / ((4 + 4) / 2 - expected))


def test_the_same_partition_under_other_names_is_perfect() -> None:
    assert clustering_scores([0, 0, 1, 1], [7, 7, 3, 3]) == pytest.approx({"F1": 1, "V-measure": 1, "ARI": 1})


def test_no_shared_pair_scores_zero() -> None:
    assert pair_f1([0, 0, 1, 1], [0, 1, 2, 3]) == 0
    assert pair_f1([0, 1], [0, 1]) == 0
