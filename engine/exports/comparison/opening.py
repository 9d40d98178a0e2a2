"""How the report begins and ends: which documents, how near they are, what was left out, how it was made."""

from __future__ import annotations

from datetime import date

from engine.compare.base import RECURRING, REFERENCES, SHORT, Comparison
from engine.documents import Document
from engine.encoders.base import EncoderCard
from engine.exports.comparison.outline import (
    MAX_DRAWN,
    MAX_ELEMENTS,
    MAX_LINKED,
    MAX_NUMBERED,
    MAX_PASSAGES,
    Half,
    Outline,
    number,
)
from engine.exports.page import day
from engine.markup import Markup, element, joined

KIND_NAMES = {"paper": "Paper", "patent": "Patent", "query": "Question"}
_REASONS = {
    REFERENCES: "reference lists",
    RECURRING: "sentences that many documents share",
    SHORT: "matches that are too short",
}


def documents(outline: Outline) -> Markup:
    """Names and metadata of both documents."""
    return element("div", *(_document(half) for half in outline.halves), class_="two")


def _document(half: Half) -> Markup:
    document = half.document
    facts = [
        KIND_NAMES[document.kind],
        str(document.year or ""),
        ", ".join(document.authors),
        document.venue,
        ", ".join(document.categories),
        document.id,
        document.url if document.url != document.id else "",
        _size(document, half),
    ]
    lines = [element("li", fact, dir="auto") for fact in facts if fact]
    heading = element("h2", element("b", half.letter, class_="letter"), " ", element("span", document.name, dir="auto"))
    return element("article", heading, element("ul", *lines, class_="facts"), class_="card")


def _size(document: Document, half: Half) -> str:
    counts = {
        "word": len(document.text.split()),
        "section": len(half.sections),
        "chunk": len(half.chunks),
        "claim": len(document.claims),
    }
    return ", ".join(f"{count:,} {name}{'' if count == 1 else 's'}" for name, count in counts.items() if count)


def score(comparison: Comparison) -> Markup:
    """The document score with its reading, and what it was counted without."""
    value = element("p", number(comparison.score), class_="score")
    reading = element("p", comparison.reading.sentence, class_="reading")
    mixed = element("p", comparison.mixed.sentence(), class_="quiet") if comparison.mixed is not None else ""
    left_out = element("p", _left_out(comparison), class_="quiet")
    return element(
        "section", value, element("div", reading, mixed, left_out), class_="card verdict", aria_label="Score"
    )


def _left_out(comparison: Comparison) -> str:
    """How many sentences of either document were not compared, by reason."""
    counts = [
        f"{_REASONS.get(reason, reason)} ({ours:,} of A, {theirs:,} of B)"
        for reason, (ours, theirs) in comparison.left_out.items()
        if ours or theirs
    ]
    return f"Sentences left out: {'; '.join(counts)}." if counts else "No sentence was left out."


def making(outline: Outline, encoder: EncoderCard | None, made_on: date | None) -> Markup:
    """What someone needs to repeat the comparison, and what the report does not draw."""
    facts = {
        "Encoder": f"{encoder.name}: {encoder.summary}" if encoder else "",
        "Fingerprint": encoder.fingerprint if encoder else "",
        "Made on": day(made_on) if made_on else "",
        "Words": outline.comparison.words,
        "Not compared": _exclusions(outline.comparison),
        "Underlined": _underlined(outline),
        "Not drawn": " ".join(_bounds(outline)),
    }
    rows = joined(joined([element("dt", name), element("dd", fact)]) for name, fact in facts.items() if fact)
    mixed = outline.comparison.mixed is not None
    whole = (
        "The score mixes the encoder's similarity with how many of each document's telling words the other has, and "
        "where a patent is compared, with how near a second encoder finds them: what counts stands beside the score. "
    )
    note = (
        f"{whole if mixed else ''}The {'' if mixed else 'score and the '}numbers of sections are cosines of the "
        "encoder's vectors: 1 is the most alike. The number of two chunks joins such a cosine with how well their best "
        "two sentences match. This file holds all that it shows; it asks the network for nothing and runs nothing."
    )
    body = [element("h2", "How this was made"), element("dl", rows), element("p", note, class_="quiet")]
    return element("section", *body, id="making")


def _underlined(outline: Outline) -> str:
    if (salient := outline.salient) is None:
        return ""
    counts = " and ".join(
        f"{len(one.strongest()):,} of {len(one.sentences):,} sentences of {half.letter}"
        for half, one in zip(outline.halves, (salient.a, salient.b), strict=True)
    )
    chosen = "the likeliest tenth, at least five; of a short text a third"
    return f"{counts} ({chosen}), by {salient.encoder.name}, {salient.encoder.fingerprint}."


def _exclusions(comparison: Comparison) -> str:
    asked = comparison.exclusions
    parts = ["reference lists"] if asked.references else []
    parts += ["sentences that recur across the library"] if asked.recurring else []
    parts += [f"matches of fewer than {asked.min_words} words"] if asked.min_words else []
    return f"{', '.join(parts)}." if parts else "Nothing was left out on request."


def _bounds(outline: Outline) -> list[str]:
    """What is bounded so that the file of two long documents stays usable, where a bound is met."""
    comparison = outline.comparison
    chunks = max(comparison.chunks.across.shape)
    said = []
    if chunks > MAX_LINKED:
        said.append(
            f"The chunk heatmap has more than {MAX_LINKED} squares on a side: no numbers, and links only where a "
            "passage lies."
        )
    elif chunks > MAX_NUMBERED:
        said.append(f"The chunk heatmap has more than {MAX_NUMBERED} squares on a side: no numbers in them.")
    if chunks > MAX_DRAWN:
        said.append(
            f"The picture has room for {MAX_DRAWN} on a side: neighbouring chunks share a square, in the colour of "
            "the most alike."
        )
    if len(comparison.passages) > MAX_PASSAGES:
        said.append(f"Of {len(comparison.passages):,} passages the strongest {MAX_PASSAGES} are listed.")
    if len(comparison.claims) > MAX_ELEMENTS:
        said.append(f"Of {len(comparison.claims):,} claim elements the first {MAX_ELEMENTS} are listed.")
    return [*said, "The chunks of one document against each other are in the CSV files only."]
