"""The report of three documents: one scale, every framed cell opens its sentences, and nothing from anywhere else."""

from __future__ import annotations

from datetime import date

import pytest

from engine.compare import ReadDocument, Together, Words, compare_together
from engine.exports.comparison.together_report import together_html
from tests.compare.texts import GLIDERS, KITES, PATENT, StandIn
from tests.exports.comparison.reports import CARD
from tests.read_page import Page


@pytest.fixture(scope="module")
def found() -> Together:
    encoder, words = StandIn(), Words.shipped()
    return compare_together([ReadDocument.read(one, encoder, words) for one in (KITES, GLIDERS, PATENT)])


@pytest.fixture(scope="module")
def read(found: Together) -> Page:
    return Page(together_html(found, encoder=CARD, made_on=date(2026, 1, 31)))


def test_every_link_leads_to_a_place_in_the_file(read: Page) -> None:
    ids = [one.attributes["id"] for one in read.found if "id" in one.attributes]
    assert len(ids) == len(set(ids))
    links = [one.attributes["href"] for one in read.all("a")]
    assert links and {link[1:] for link in links} <= set(ids)
    assert {one.name for one in read.found} & {"script", "link", "img", "form"} == set()


def test_every_two_documents_have_their_score_and_their_passages(found: Together, read: Page) -> None:
    for (a, b), comparison in found.compared.items():
        assert f"{comparison.score:.2f}" in read.id("documents").text
        assert f"{'ABC'[a]} and {'ABC'[b]}" in read.id("passages").text
    assert "Within A" in read.id("passages").text
    best = max(
        (one for one in (found.carried("section").passage(row, 5) for row in range(4)) if one is not None),
        key=lambda passage: passage.score,
    )
    assert best.a.document_id == KITES.id


def test_one_scale_stands_under_all_levels(found: Together, read: Page) -> None:
    ends = [one.text.split() for one in read.all("span", "ends")]
    assert len(ends) == 4 and {tuple(one) for one in ends[:3]} == {("0.00", f"{found.highest:.2f}")}


def test_how_it_was_made_is_said(read: Page) -> None:
    told = read.id("making").text
    assert "0123456789abcdef" in told and "31 January 2026" in told
