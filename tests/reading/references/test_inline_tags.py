"""Tags of HTML, JATS and MathML in titles and abstracts."""

# ruff: noqa: RUF001  signs that look like letters are what is tested

from __future__ import annotations

import time

import pytest

from engine.reading.references.inline_tags import abstract_without_tags, title_without_tags
from tests.reading.references.written import SIZE


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("H<sub>2</sub>O &amp; oil", "H2O & oil"),
        ("&lt;i&gt;In vivo&lt;/i&gt; lids", "In vivo lids"),
        ("&amp;lt;i&amp;gt;A&amp;lt;/i&amp;gt;", "A"),
        ("Lids &amp;amp; pots", "Lids & pots"),
        ("p < .05 and n > 30", "p < .05 and n > 30"),
        ("p &lt; .05", "p < .05"),
        ("One<br/>two", "One two"),
        (
            'A <mml:math xmlns:mml="x"><mml:mi>α</mml:mi></mml:math><jats:tex-math>$\\alpha$</jats:tex-math>-lid',
            "A α-lid",
        ),
    ],
)
def test_titles(written: str, read: str) -> None:
    assert title_without_tags(written) == read


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("<jats:title>Abstract</jats:title>\n <jats:p>We\n  lift.</jats:p>", "We lift."),
        (
            "<jats:sec><jats:title>Aim</jats:title><jats:p>Lids.</jats:p></jats:sec><jats:sec><jats:title>Results:"
            "</jats:title><jats:p>They <jats:italic>fall</jats:italic>.</jats:p></jats:sec>",
            "Aim: Lids.\n\nResults: They fall.",
        ),
        ("&lt;jats:p&gt;We lift.&lt;/jats:p&gt;", "We lift."),
        ("<p>p &lt; .05.</p>", "p < .05."),
        ("<b>Aim</b> Lids\nfall.", "Aim Lids\nfall."),
        ("No tags.\n\nAt all.", "No tags.\n\nAt all."),
    ],
)
def test_abstracts(written: str, read: str) -> None:
    assert abstract_without_tags(written) == read


@pytest.mark.parametrize("piece", ["<", "&lt;", "<p>", "<jats:title>", "<tex-math>", "&amp;", "<math>", "<p ", "<br"])
def test_hostile_tags_cost_no_more_than_their_length(piece: str) -> None:
    begun = time.process_time()
    title_without_tags(piece * (SIZE // len(piece)))
    abstract_without_tags(piece * (SIZE // len(piece)))
    assert time.process_time() - begun < 5
