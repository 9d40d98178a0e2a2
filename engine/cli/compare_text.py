"""What `priorscope compare` prints: two documents, their differences, versions, one document within, or three."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from engine.compare import CHANGE_KINDS, LETTERS, Change, Comparison, Difference, Passage, Together, Uncovered, Versions
from engine.documents import Chunk
from engine.documents.text import how_many
from engine.search import said

_WIDTH, _SHOWN, _CELLS = 100, 5, 10
CALLED = {"new": "New", "rewritten": "Rewritten", "moved": "Moved", "dropped": "Dropped"}


def as_text(comparison: Comparison) -> str:
    """The comparison in a page: the score, the nearest sections, the best passages, and the claims."""
    a, b = comparison.a, comparison.b
    lines = [
        *textwrap.wrap(f"A: {a.name} ({a.kind})", _WIDTH),
        *textwrap.wrap(f"B: {b.name} ({b.kind})", _WIDTH),
        said(comparison.nearness),
        f"{comparison.score:.4f}  {comparison.reading.sentence}",
        *([] if comparison.mixed is None else [comparison.mixed.sentence()]),
        comparison.words,
        *_left_out(comparison),
        *_both_cite(comparison),
        "",
        *_cells(comparison),
        "",
        "Matching passages, the best first:" if comparison.passages else "No passages match.",
    ]
    for passage in comparison.passages[:_SHOWN]:
        lines += _passage(passage)
    lines += ["", *_differences(comparison)]
    if comparison.claims:
        lines += ["", *_claims(comparison)]
    return "\n".join(lines)


def _left_out(comparison: Comparison) -> list[str]:
    said = [f"{a} and {b} {reason}" for reason, (a, b) in comparison.left_out.items() if a or b]
    return [f"Sentences left out of A and B: {', '.join(said)}."] if said else []


def _both_cite(comparison: Comparison) -> list[str]:
    """The works that both documents cite, the first few."""
    shared = comparison.shared_references
    names = [f"  {textwrap.shorten(one.name, _WIDTH, placeholder=' ...')}" for one in shared[:_CELLS]]
    more = [f"  and {len(shared) - _CELLS} more"] if len(shared) > _CELLS else []
    return ["", f"Both cite {how_many(len(shared), 'work')}:", *names, *more] if shared else []


def _cells(comparison: Comparison) -> list[str]:
    """The nearest pairs of sections: each section of A with its nearest one of B, the best few."""
    grid = comparison.sections
    best = sorted(((float(row.max()), int(row.argmax()), n) for n, row in enumerate(grid.across)), reverse=True)
    lines = [f"The nearest sections, {min(_CELLS, len(best))} of {len(best)} of A:"]
    return lines + [f"  {score:.4f}  {grid.a[row]} | {grid.b[column]}" for score, column, row in best[:_CELLS]]


def _passage(passage: Passage, letters: Sequence[str] = "AB") -> list[str]:
    lines = [f"  {passage.score:.4f}  {passage.a.place} | {passage.b.place}"]
    for name, chunk in zip(letters, (passage.a, passage.b), strict=True):
        text = textwrap.shorten(chunk.text, 3 * _WIDTH, placeholder=" ...")
        lines += textwrap.wrap(text, _WIDTH, initial_indent=f"    {name}: ", subsequent_indent=" " * 7)
    return lines


def _claims(comparison: Comparison) -> list[str]:
    """The weakest elements first: what the other document does not seem to have."""
    lines = ["Elements of claims, those with the weakest match first:"]
    best = [(element.passages[0].score if element.passages else 0.0, element) for element in comparison.claims]
    for score, element in sorted(best, key=lambda pair: pair[0])[:_SHOWN]:
        text = textwrap.shorten(element.element.text, _WIDTH - 30, placeholder=" ...")
        lines.append(f"  {score:.4f}  {element.side.upper()}, claim {element.claim}: {text}")
    return lines


def as_versions(versions: Versions) -> str:
    """What a second version changes of the first, in its order."""
    shares = ", ".join(
        f"{kind} {versions.share(kind):.0%}".replace("%", " %") for kind in CHANGE_KINDS if versions.of_kind(kind)
    )
    lines = [f"Changed from A to B: {shares} of the words." if shares else "B says what A says, in the same words."]
    for kind in CHANGE_KINDS:
        if found := sorted(versions.of_kind(kind), key=lambda change: -change.words):
            lines += ["", f"{CALLED[kind]}, {_count(len(found))}, the longest first:"]
            for change in found[:_SHOWN]:
                lines += _change(change)
    return "\n".join(lines)


def as_within(comparison: Comparison) -> str:
    """One document against itself: its nearest sections, and passages that repeat each other."""
    grid = comparison.sections
    pairs = sorted(
        ((float(grid.within_a[a, b]), a, b) for a in range(len(grid.a)) for b in range(a + 1, len(grid.a))),
        reverse=True,
    )
    lines = [*textwrap.wrap(f"Within {comparison.a.name} ({comparison.a.kind})", _WIDTH), ""]
    if pairs:
        lines.append(f"The nearest sections, {min(_CELLS, len(pairs))} of {how_many(len(pairs), 'pair')}:")
    else:
        lines.append("It has one section, and nothing to compare that with.")
    lines += [f"  {score:.4f}  {grid.a[a]} | {grid.a[b]}" for score, a, b in pairs[:_CELLS]]
    lines += ["", "Passages that say nearly the same, the best first:" if comparison.passages else "No passages match."]
    for passage in comparison.passages[:_SHOWN]:
        lines += _passage(passage)
    return "\n".join(lines)


def as_together(found: Together) -> str:
    """Three documents: how near every two are, and the best sections and passages of every two."""
    lines = [
        line
        for letter, one in zip(LETTERS, found.documents, strict=False)
        for line in textwrap.wrap(f"{letter}: {one.name} ({one.kind})", _WIDTH)
    ]
    for (a, b), comparison in found.compared.items():
        lines += ["", f"{LETTERS[a]} and {LETTERS[b]}: {comparison.score:.4f}  {said(comparison.nearness)}"]
        lines += _cells(comparison)[1 : 1 + _SHOWN]
        for passage in comparison.passages[:1]:
            lines += _passage(passage, (LETTERS[a], LETTERS[b]))
    return "\n".join(lines)


def _differences(comparison: Comparison) -> list[str]:
    """What nothing in the other document covers: shares of words, and the longest passages."""
    found, lines = comparison.differences, []
    for (letter, other), one in zip((("A", "B"), ("B", "A")), (found.a, found.b), strict=True):
        lines += _uncovered(letter, other, one)
    if found.are_versions:
        share = f"{found.same:.0%}".replace("%", " %")
        lines.append(
            f"These look like two versions of one text: {share} of the shorter one's words are in both. Add --versions "
            "to see what changed."
        )
    return lines


def _uncovered(letter: str, other: str, one: Uncovered) -> list[str]:
    share = f"{one.share:.0%}".replace("%", " %")
    lines = [f"In {letter}, and nothing in {other} covers it: {share} of {one.of_words:,} words."]
    for difference in sorted(one.passages, key=lambda passage: -passage.words)[:_SHOWN]:
        lines += _quoted(f"{letter}", difference.passage)
        lines += _miss(difference, other)
    return lines


def _miss(difference: Difference, other: str) -> list[str]:
    if difference.nearest is None:
        return [f"    {other}: nothing comes near."]
    return _quoted(other, difference.nearest, f"nearest, {difference.score:.2f}, ")


def _change(change: Change) -> list[str]:
    lines: list[str] = []
    for letter, chunk in (("A", change.old), ("B", change.new)):
        if chunk is not None:
            lines += _quoted(letter, chunk)
    if change.nearest is not None:
        lines += _quoted("B" if change.kind == "dropped" else "A", change.nearest, f"nearest, {change.score:.2f}, ")
    return lines


def _quoted(letter: str, chunk: Chunk, before: str = "") -> list[str]:
    text = textwrap.shorten(f"({before}{chunk.place}) {chunk.text}", 2 * _WIDTH, placeholder=" ...")
    return textwrap.wrap(text, _WIDTH, initial_indent=f"  {letter}: ", subsequent_indent=" " * 5)


def _count(passages: int) -> str:
    return f"{passages:,} passage{'' if passages == 1 else 's'}"
