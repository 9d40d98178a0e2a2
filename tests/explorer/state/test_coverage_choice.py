"""What a link says of one document against the library."""

from __future__ import annotations

import pytest

from explorer.state.coverage_choice import CoverageChoice, coverage_from_link, coverage_to_link
from explorer.state.links import from_link, is_whole, to_link

CHOICES = (
    CoverageChoice(),
    CoverageChoice(on=True),
    CoverageChoice(True, "claims", "coverage", "year", "My prior art", 12, "US123:A"),
)


@pytest.mark.parametrize("choice", CHOICES)
def test_a_link_restores_the_choice(choice: CoverageChoice) -> None:
    link = {key: values for key, values in coverage_to_link(choice).items() if values}
    assert coverage_from_link(link) == choice
    assert from_link(link).coverage == choice and to_link(from_link(link)) == link


def test_what_is_off_leaves_nothing_in_the_link() -> None:
    off = CoverageChoice(False, "claims", "coverage", "year", "My prior art", 12, "US1")
    assert not any(coverage_to_link(off).values())


@pytest.mark.parametrize(
    "link", [{"library": ["lines"]}, {"library": ["claims"], "at": ["x:US1"]}, {"library": ["claims"], "at": ["3:"]}]
)
def test_what_is_unknown_is_dropped_and_told(link: dict[str, list[str]]) -> None:
    restored = from_link(link)
    assert restored.coverage.document == "" and not is_whole(link, restored)
