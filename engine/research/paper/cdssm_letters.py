"""C-DSSM's table 1: how many trigrams the words of a vocabulary have, and how many words they cannot tell apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from engine.core.errors import EngineError
from engine.documents import text
from engine.documents.text import most_frequent, trigrams
from engine.research.paper.published import cdssm as published
from engine.research.paper.tables import Line, Panel, Skipped, Table, by_column
from engine.research.paper.work import Work
from engine.training import corpora

NAME = "cdssm-1"
COLUMNS = ("trigrams", "collisions")
PROTOCOL = (
    "The most frequent words of all texts at hand, each read as its letter trigrams with how often each stands there "
    "(section II.A). A collision is a word with the same trigrams as a more frequent one. The paper repeats the "
    "figures of DSSM, whose words come from web queries."
)


def table(work: Work) -> Table:
    """Vocabularies of the paper's sizes, as far as the texts have words enough, and all words."""
    return Table(NAME, "C-DSSM, table 1: words that share all their trigrams", PROTOCOL, [_panel(work)])


def collisions(words: Sequence[str]) -> dict[str, int]:
    """How many trigrams different words have, and how many of the words have those of an earlier one."""
    known = {one for word in words for one in trigrams(word)}
    read = {tuple(sorted(trigrams(word))) for word in words}
    return {"trigrams": len(known), "collisions": len(words) - len(read)}


def _panel(work: Work) -> Panel:
    names, sizes = work.settings.cdssm.texts, tuple(published.COLLISIONS)
    try:
        digests = corpora.digests(names, work.data)
    except EngineError as error:
        return Panel("texts", published.WORDS, COLUMNS, [], skipped=[Skipped("texts", str(error))])
    measured = work.cells.find(NAME, {"sha256": digests, "sizes": sizes}, lambda: _measure(work, names, sizes))
    count = measured["words"]
    lines = [
        Line(f"{size:,} words", measured["of"][str(size)], published.COLLISIONS[size])
        for size in sizes
        if size <= count
    ]
    skipped = [
        Skipped(f"{size:,} words", f"Expected {size:,} different words in {', '.join(names)}, found {count:,}.")
        for size in sizes
        if size > count
    ]
    return Panel(
        "texts",
        published.WORDS,
        COLUMNS,
        [*lines, Line(f"all {count:,} words", measured["of"]["all"])],
        orders=by_column(lines, COLUMNS) if len(lines) > 1 else (),
        skipped=skipped,
        facts={"sha256": digests},
    )


def _measure(work: Work, names: Sequence[str], sizes: Sequence[int]) -> Mapping[str, Any]:
    counts: Counter[str] = Counter()
    for _, document in corpora.documents_of(names, work.data, work.report):
        counts.update(text.tokens(document.text))
    words = most_frequent(counts, len(counts))
    parts = {str(size): words[:size] for size in sizes if size <= len(words)}
    return {"words": len(words), "of": {name: collisions(part) for name, part in {**parts, "all": words}.items()}}
