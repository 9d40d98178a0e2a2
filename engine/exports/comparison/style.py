"""The style sheet of a comparison's report."""

from __future__ import annotations

from pathlib import Path

from engine.exports.comparison.outline import Half, Outline
from engine.exports.page import base_sheet

_SHEET = Path(__file__).with_name("report.css")


def style_sheet(outline: Outline) -> str:
    """The colours and shapes of all reports, then this one's rules for what a chosen place shows."""
    return base_sheet() + _SHEET.read_text("utf-8") + _rules(outline)


def _rules(outline: Outline) -> str:
    """While a pair is the target of the address, only its two parts are in view, with the sentences that match framed.

    A pair and the parts and sentences that it is about share a class each, so that this needs no script.
    """
    parts = [name for half in outline.halves for name in _part_classes(half)]
    framed = zip(outline.halves, outline.framed, strict=True)
    stretches = [f"{half.key}u{place}" for half, places in framed for place in sorted(places)]
    stretches += [f"p{place}" for place in range(len(outline.passage_cells))]
    shown = [f".pairs:has(>.{name}:target)~.texts>.text>.{name}" for name in parts]
    framing = [f".pairs:has(>.{name}:target)~.texts .{name}" for name in stretches]
    hidden = [".pairs:has(>:target)~.texts>.text>.chunk"]
    hidden += [".pairs:has(>:target)~.texts h4"]
    named = [".pairs:has(>:target)~.texts .label"]
    rules = ((hidden, "display:none"), ([*shown, *named], "display:block"), (framing, "outline:2px solid var(--ochre)"))
    return "@media screen{" + "".join(f"{','.join(names)}{{{what}}}" for names, what in rules if names) + "}\n"


def _part_classes(half: Half) -> list[str]:
    chunks = [f"{half.key}{place}" for place in range(len(half.chunks))]
    return chunks + [f"{half.key}s{place}" for place in range(len(half.sections))]
