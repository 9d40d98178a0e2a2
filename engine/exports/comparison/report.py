"""Writes a comparison as one HTML file that stands by itself, and its matrices as CSV files.

The two texts stand side by side, with matches tinted, and the parts that a chosen pair leaves in view.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby, pairwise
from pathlib import Path

from engine import compare
from engine.documents import KIND_NAMES, Chunk, Document
from engine.documents.text import in_percent
from engine.encoders import EncoderCard
from engine.encoders.keyvec import MEANING, explained
from engine.exports.comparison import heatmaps
from engine.exports.comparison.heatmaps import (
    MAX_DRAWN,
    MAX_ELEMENTS,
    MAX_LINKED,
    MAX_NUMBERED,
    MAX_PASSAGES,
    Half,
    HeatPicture,
    Outline,
    SalientTexts,
    number,
)
from engine.exports.page import day, render
from engine.exports.records import csv_text
from engine.search import in_pieces, shared_words

_SHEET = Path(__file__).with_name("report.css")
_REASONS = {
    "references": "reference lists",
    "recurring": "sentences that many documents share",
    "short": "matches that are too short",
}
_MIXED = (
    "The score of the whole texts mixes the encoder's similarity with how many of each document's telling words the "
    "other has, and where a patent is compared, with how near a second encoder finds them: what counts stands beside "
    "the score. The similarity goes by the best match of each chunk; the BiLSTM and attention do not touch it. "
)
_SCALES = (
    "numbers of sections are cosines of the encoder's vectors: 1 is the most alike. The number of two chunks joins "
    "such a cosine with how well their best two sentences match."
)


def comparison_html(
    comparison: compare.Comparison,
    *,
    encoder: EncoderCard | None = None,
    made_on: date | None = None,
    salient: SalientTexts | None = None,
    versions: compare.Versions | None = None,
) -> str:
    """Return one file for people: nothing in it is fetched or runs, and no text of a document becomes markup.

    Every number is the comparison's own, to two decimals; the strongest sentences of `salient` are underlined, each
    with its p. `encoder` and `made_on` are named at the end where given. With `versions`, what the second document
    changes of the first stands in place of what nothing covers. A comparison of a document with itself
    (`engine.compare.comparing`) is told as that of one document.
    """
    outline = Outline(comparison, salient)
    alone = comparison.is_within
    a, b = outline.halves
    return render(
        "comparison/report.html",
        title=f"Within {comparison.a.name}" if alone else f"{comparison.a.name} compared with {comparison.b.name}",
        heading="Within one document" if alone else f"Two {'documents' if versions is None else 'versions'} compared",
        sheet=_SHEET.read_text("utf-8") + style_rules(outline),
        making=_making(outline, encoder, made_on),
        note=f"{'' if comparison.mixed is None else _MIXED}The {_SCALES}",
        outline=outline,
        comparison=comparison,
        a=a,
        b=b,
        left_out=_left_out(comparison),
        sections=heatmaps.section_heat(outline),
        heats_within=[] if alone else heatmaps.heats_within(outline),
        attention=heatmaps.attention_heats(outline),
        within=alone,
        differences=_differences(outline),
        comparison_versions=versions,
        versions=[(kind, kind.capitalize(), found) for kind, found in versions.longest_by_kind().items()]
        if versions
        else [],
        most_listed=compare.MOST_LISTED,
        chunks=heatmaps.chunk_heat(outline),
        charts=_charts(outline),
        salience_meaning=MEANING if salient else "",
        texts=texts(outline),
        facts_of=_facts,
        **HELPERS,
    )


def _differences(outline: Outline) -> list[tuple[str, str, compare.Uncovered]]:
    """Return of each document what nothing in the other comes close to, then what is close, with letters and titles."""
    found, (a, b) = outline.comparison.differences, (half.letter for half in outline.halves)
    return [
        (ours + theirs, told, kind)
        for ours, theirs, one in ((a, b, found.a), (b, a, found.b))
        for told, kind in (
            (f"In {ours}, and nothing in {theirs} comes close", one.alone),
            (f"In {ours}, close to a sentence of {theirs}: read both", one.close),
        )
    ]


def _facts(half: Half) -> tuple[str, ...]:
    """Return a document's metadata; what is not known is empty."""
    document = half.document
    return (
        KIND_NAMES[document.kind],
        str(document.year or ""),
        ", ".join(document.authors),
        document.venue,
        ", ".join(document.categories),
        document.id,
        document.url if document.url != document.id else "",
        _size(document, half),
    )


def _size(document: Document, half: Half) -> str:
    counts = {
        "word": len(document.text.split()),
        "section": len(half.sections),
        "chunk": len(half.chunks),
        "claim": len(document.claims),
    }
    return ", ".join(f"{count:,} {name}{'' if count == 1 else 's'}" for name, count in counts.items() if count)


def _left_out(comparison: compare.Comparison) -> str:
    """Return how many sentences of either document were not compared, by reason."""
    counts = [
        f"{_REASONS.get(reason, reason)} ({ours:,} of A, {theirs:,} of B)"
        for reason, (ours, theirs) in comparison.left_out.items()
        if ours or theirs
    ]
    return f"Sentences left out: {'; '.join(counts)}." if counts else "No sentence was left out."


HELPERS: Mapping[str, Callable[..., object]] = {
    "number": number,
    "percent": in_percent,
    "drawn": HeatPicture,
    "shared_words": lambda passage: shared_words(passage.a.text, passage.b.text),
    "emphasised": in_pieces,
    "changed_words": compare.changed_words,
}
"""What the templates of comparisons call."""


def _charts(outline: Outline) -> list[tuple[Half, Half, list[list[compare.ClaimElement]]]]:
    """Return for either document that claims: itself, the other one, and the elements of each of its claims."""
    charts = []
    for side, found in groupby(outline.comparison.claims[:MAX_ELEMENTS], key=lambda one: one.side):
        ours, theirs = outline.halves if side == "a" else outline.halves[::-1]
        charts.append((ours, theirs, [list(elements) for _, elements in groupby(found, key=lambda one: one.claim)]))
    return charts


def _making(outline: Outline, encoder: EncoderCard | None, made_on: date | None) -> dict[str, str]:
    """Return what someone needs to repeat the comparison, and what the report does not draw."""
    return {
        "Encoder": f"{encoder.name}: {encoder.summary}" if encoder else "",
        "Fingerprint": encoder.fingerprint if encoder else "",
        "Made on": day(made_on) if made_on else "",
        "Words": outline.comparison.words,
        "Not compared": _exclusions(outline.comparison),
        "Underlined": _underlined(outline),
        "Not drawn": _bounds(outline),
    }


def _underlined(outline: Outline) -> str:
    if (salient := outline.salient) is None:
        return ""
    counts = " and ".join(
        f"{len(one.strongest()):,} of {len(one.sentences):,} sentences of {half.letter}"
        for half, one in zip(outline.halves, (salient.a, salient.b), strict=True)
    )
    chosen = "the likeliest tenth, at least five; of a short text a third"
    return f"{counts} ({chosen}), by {salient.encoder.name}, {salient.encoder.fingerprint}."


def _exclusions(comparison: compare.Comparison) -> str:
    asked = comparison.exclusions
    parts = ["reference lists"] if asked.references else []
    parts += ["sentences that recur across the library"] if asked.recurring else []
    parts += [f"matches of fewer than {asked.min_words} words"] if asked.min_words else []
    return f"{', '.join(parts)}." if parts else "Nothing was left out on request."


def _bounds(outline: Outline) -> str:
    """Return the bounds that were met; they keep the file of two long documents usable."""
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
    if not comparison.is_within:
        said.append("The chunks of one document against each other are in the CSV files only.")
    return " ".join(said)


TINTS = 4
_SALIENT, _ALONE = "salient", "alone"


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a text, with the classes of all that it belongs to; `to` is the pair that it opens."""

    text: str
    classes: str = ""
    title: str = ""
    to: str = ""


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Characters [start, stop) of a part: of a match, of what nothing covers, or of a sentence that is shown.

    `p` is a salient sentence's p.
    """

    start: int
    stop: int
    name: str
    passage: int | None = None
    tint: int = 0
    p: float | None = None

    def covers(self, place: int) -> bool:
        """Return whether the character at a place belongs to it."""
        return self.start <= place < self.stop


def texts(outline: Outline) -> list[tuple[Half, list[list[Piece]]]]:
    """Return everything that was compared, by document: its chunks in pieces."""
    stretches = zip(outline.halves, _stretches(outline), strict=True)
    return [(half, [_pieces(chunk, found[chunk.part]) for chunk in half.chunks]) for half, found in stretches]


def style_rules(outline: Outline) -> str:
    """Return rules by which only the two parts of a chosen pair are in view, with the sentences that match framed.

    A pair is chosen while it is the target of the address. It and the parts and sentences that it is about share a
    class each, so that this needs no script.
    """
    parts: list[str] = []
    for half in outline.halves:
        parts += [f"{half.key}{place}" for place in range(len(half.chunks))]
        parts += [f"{half.key}s{place}" for place in range(len(half.sections))]
    framed = zip(outline.halves, outline.framed, strict=True)
    stretches = [f"{half.key}u{place}" for half, places in framed for place in sorted(places)]
    stretches += [f"p{place}" for place in range(outline.listed)]
    shown = [f".pairs:has(>.{name}:target)~.texts>.text>.{name}" for name in parts]
    framing = [f".pairs:has(>.{name}:target)~.texts .{name}" for name in stretches]
    hidden = [".pairs:has(>:target)~.texts>.text>.chunk", ".pairs:has(>:target)~.texts h4"]
    named = [".pairs:has(>:target)~.texts .label"]
    rules = ((hidden, "display:none"), ([*shown, *named], "display:block"), (framing, "outline:2px solid var(--ochre)"))
    return "@media screen{" + "".join(f"{','.join(names)}{{{what}}}" for names, what in rules if names) + "}\n"


def _stretches(outline: Outline) -> tuple[dict[int, list[_Stretch]], dict[int, list[_Stretch]]]:
    """Return for A and for B, by part of the document, the stretches that are tinted or may be framed."""
    a: dict[int, list[_Stretch]] = defaultdict(list)
    b: dict[int, list[_Stretch]] = defaultdict(list)
    salient = outline.salient
    strongest = (salient.a.strongest(), salient.b.strongest()) if salient else ((), ())
    for found, half, framed, underlined in zip((a, b), outline.halves, outline.framed, strongest, strict=True):
        for place in framed:
            sentence = half.sentences[place]
            found[sentence.part].append(_Stretch(sentence.start, sentence.stop, f"{half.key}u{place}"))
        for chunk, p in underlined:
            found[chunk.part].append(_Stretch(chunk.start, chunk.stop, _SALIENT, p=p))
    differences = outline.comparison.differences
    for found, alone in ((a, differences.a.alone), (b, differences.b.alone)):
        for one in alone.passages:
            found[one.passage.part].append(_Stretch(one.passage.start, one.passage.stop, _ALONE))
    passages = outline.comparison.passages[: outline.listed]
    tints = _tints([passage.score for passage in passages])
    for place, (passage, tint) in enumerate(zip(passages, tints, strict=True)):
        for found, chunk in ((a, passage.a), (b, passage.b)):
            found[chunk.part].append(_Stretch(chunk.start, chunk.stop, f"p{place}", place, tint))
    return a, b


def _tints(scores: Sequence[float]) -> list[int]:
    """Return even steps from the weakest passage to the strongest."""
    lowest, highest = (min(scores), max(scores)) if scores else (0.0, 0.0)
    shares = [(score - lowest) / (highest - lowest) if highest > lowest else 1.0 for score in scores]
    return [min(int(share * TINTS), TINTS - 1) for share in shares]


def _pieces(chunk: Chunk, stretches: list[_Stretch]) -> list[Piece]:
    """Return the chunk's text cut wherever a stretch begins or ends; each piece knows what it belongs to."""
    here = [one for one in stretches if one.start < chunk.stop and chunk.start < one.stop]
    edges = {chunk.start, chunk.stop}
    edges.update(edge for one in here for edge in (one.start, one.stop) if chunk.start < edge < chunk.stop)
    return [
        _piece(chunk.text[start - chunk.start : stop - chunk.start], [one for one in here if one.covers(start)])
        for start, stop in pairwise(sorted(edges))
    ]


def _piece(text: str, covering: list[_Stretch]) -> Piece:
    classes = " ".join(one.name for one in covering)
    passage = next((one for one in covering if one.passage is not None), None)
    title = next((f"Salient sentence, {explained(one.p)}" for one in covering if one.p is not None), "")
    if passage is None:
        return Piece(text, classes, title)
    to = f"t-{passage.passage}" if text.strip() else ""  # a link of white space would have no name
    return Piece(text, f"t{passage.tint} {classes}", title, to)


def csv_files(comparison: compare.Comparison) -> dict[str, str]:
    """Return each file's text by its name: sections and chunks, across and within, then the chunks' attention.

    The first column names the rows, the first line the columns; lines end in CR LF, as RFC 4180 asks, and no name is
    a formula to a spreadsheet.
    """
    chunks = comparison.chunks
    return {
        **_grid("sections", comparison.sections),
        **_grid("chunks", chunks),
        "attention-a-to-b.csv": _table(comparison.attention, chunks.a, chunks.b),
        "attention-b-to-a.csv": _table(comparison.attention_back, chunks.b, chunks.a),
    }


def _grid(name: str, grid: compare.Grid) -> dict[str, str]:
    return {
        f"{name}-across.csv": _table(grid.across, grid.a, grid.b),
        f"{name}-within-a.csv": _table(grid.within_a, grid.a, grid.a),
        f"{name}-within-b.csv": _table(grid.within_b, grid.b, grid.b),
    }


def _table(values: compare.Matrix, rows: Sequence[str], columns: Sequence[str]) -> str:
    return csv_text([["", *columns], *([name, *row] for name, row in zip(rows, compare.numbers(values), strict=True))])
