"""The blend's settings: what is refused, and which of the two blends a general encoder makes."""

from __future__ import annotations

import pytest

from engine.documents import text
from engine.documents.questions import SHORT_BELOW_TOKENS
from engine.encoders import registry
from engine.encoders.blend_settings import LARGE, NAME, BlendSettings, name_of, summary_of


def test_values_outside_their_ranges_are_refused() -> None:
    for settings, said in (
        ({"weight": 0}, "weight must be above 0, got 0"),
        ({"short_weight": -1}, "short_weight must not be negative, got -1"),
        ({"short_below_tokens": -1}, "short_below_tokens must not be negative, got -1"),
        ({"passage_weight": -1}, "passage_weight must not be negative, got -1"),
        ({"paper_weight": -1}, "paper_weight must not be negative, got -1"),
        ({"coupled": "ctpe", "general": "ctpe"}, "must be two folders, got 'ctpe' twice"),
        ({"stored": "int3"}, "stored must be one of"),
    ):
        with pytest.raises(ValueError, match=said):
            BlendSettings(**settings)
    with pytest.raises(ValueError, match="weight must be above 0, got -2; short_weight must not be negative, got -1"):
        BlendSettings(weight=-2, short_weight=-1)


def test_values_at_the_ends_of_their_ranges_are_taken() -> None:
    edge = BlendSettings(weight=1e-9, short_weight=0, short_below_tokens=0, passage_weight=0, stored="float16")
    assert (edge.passage_weight, BlendSettings().passage_weight) == (0, None)
    assert BlendSettings().short_below_tokens == SHORT_BELOW_TOKENS, "one limit says what a short question is"


@pytest.mark.parametrize(("general", "name"), [("student", NAME), ("student-large", LARGE), ("lsa", NAME)])
def test_the_general_encoder_names_the_blend(general: str, name: str) -> None:
    assert name_of(general) == name


def test_each_blend_is_told_apart_in_two_sentences() -> None:
    assert summary_of(NAME) != summary_of(LARGE)
    assert "six layers" in summary_of(LARGE)
    assert summary_of("another") == summary_of(NAME)
    for name in (NAME, LARGE):
        assert registry.ENTRIES[name].summary == summary_of(name)
        assert len(text.sentences(summary_of(name))) == 2
