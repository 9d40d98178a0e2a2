"""Writes a comparison as one HTML file that stands by itself."""

from __future__ import annotations

from datetime import date

from engine.compare.base import Comparison
from engine.encoders.base import EncoderCard
from engine.exports.comparison.heatmaps import chunk_heatmap, section_heatmap
from engine.exports.comparison.opening import documents, making, score
from engine.exports.comparison.outline import Outline, SalientTexts
from engine.exports.comparison.passages import claim_chart, passages
from engine.exports.comparison.style import style_sheet
from engine.exports.comparison.texts import texts
from engine.exports.page import page
from engine.markup import Markup, element, link


def html_report(
    comparison: Comparison,
    *,
    encoder: EncoderCard | None = None,
    made_on: date | None = None,
    salient: SalientTexts | None = None,
) -> str:
    """One file for people: nothing in it is fetched or runs, and no text of a document becomes markup.

    Every number is the comparison's own, to two decimals; the strongest sentences of `salient` are underlined, each
    with its p. `encoder` and `made_on` are named at the end where given.
    """
    outline = Outline(comparison, salient)
    title = f"{comparison.a.name} compared with {comparison.b.name}"
    return page(title, style_sheet(outline), _body(outline, encoder, made_on))


def _body(outline: Outline, encoder: EncoderCard | None, made_on: date | None) -> Markup:
    parts = {
        "Sections": section_heatmap(outline),
        "Chunks": chunk_heatmap(outline),
        "Aligned passages": passages(outline),
        "Claim chart": claim_chart(outline),
        "The two texts": texts(outline),
        "How this was made": making(outline, encoder, made_on),
    }
    ids = ("sections", "chunks", "passages", "claims", "texts", "making")
    contents = [link(id_, name) for id_, (name, part) in zip(ids, parts.items(), strict=True) if part]
    navigation = element("nav", *contents, aria_label="Contents")
    return element(
        "body",
        element("header", element("p", "Priorscope", class_="mark"), element("h1", "Two documents compared")),
        element(
            "main",
            documents(outline),
            score(outline.comparison),
            navigation,
            *parts.values(),
        ),
    )
