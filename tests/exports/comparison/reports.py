"""The report of a comparison made by hand, as a browser reads it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

import numpy as np

from engine.compare import Comparison
from engine.encoders import EncoderCard
from engine.encoders.keyvec import Salience
from engine.exports.comparison.heatmaps import SalientTexts
from engine.exports.comparison.report import comparison_html
from tests.read_page import Page

CARD = EncoderCard("colde", "Compares long documents.", 256, "0123456789abcdef")
MADE_ON = date(2026, 1, 31)


def page(one: Comparison, *, salient: SalientTexts | None = None) -> Page:
    return Page(comparison_html(one, encoder=CARD, made_on=MADE_ON, salient=salient))


def numbers(*texts: str) -> list[str]:
    return [number for text in texts for number in re.findall(r"-?\d+\.\d\d(?!\d)", text)]


def weighed(one: Comparison, *, p: Sequence[float] = (0.9, 0.1, 0.2, 0.3, 0.75)) -> SalientTexts:
    """The comparison's own sentences, weighed by hand; the rest have nothing."""
    own = [(*p, *[0.0] * len(sentences))[: len(sentences)] for sentences in (one.carriers.a, one.carriers.b)]
    a, b = (
        Salience(sentences, np.array(values, np.float32), (("<b>", 0.5),))
        for sentences, values in zip((one.carriers.a, one.carriers.b), own, strict=True)
    )
    return SalientTexts(a, b, EncoderCard("keyvec", "Weighs.", 100, "fedcba9876543210"))
