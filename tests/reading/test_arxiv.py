"""The parts of arXiv's metadata records."""

from __future__ import annotations

import pytest

from engine.reading import arxiv


@pytest.mark.parametrize(
    ("reference", "venue"),
    [
        ("Phys.Rev. D76:013009,2007", "Phys. Rev. D"),
        ("Physics Letters B 815 (2021) 136159", "Physics Letters B"),
        ("Acta Materialia, Volume 60, Issue 11, June 2012", "Acta Materialia"),
        ("Physica A vol. 305, pp. 427-436 (2002)", "Physica A"),
        ("Proceedings of the 12th Meeting", ""),
        ("2007", ""),
    ],
)
def test_the_journal_is_the_head_of_its_reference(reference: str, venue: str) -> None:
    assert arxiv.venue(reference) == venue
