"""The two grids of a comparison as pictures, each cell a link to the passages behind it."""

from __future__ import annotations

from collections.abc import Sequence

from engine.compare.base import Matrix
from engine.exports.comparison.heat import Heat, bands
from engine.exports.comparison.outline import MAX_LINKED, MAX_NUMBERED, Half, Outline, number
from engine.exports.comparison.scale import Scale
from engine.exports.comparison.squares import squares
from engine.markup import Markup, element, joined, link


def section_heatmap(outline: Outline) -> Markup:
    """How near each section of A is to each of B, and how near the sections of one document are to each other."""
    grid, (a, b) = outline.comparison.sections, outline.halves
    heat = Heat(
        "s",
        "Sections of A against sections of B",
        grid.across,
        (grid.a, grid.b),
        (a.kept_sections, b.kept_sections),
        (bands(range(len(grid.a)), grid.a), bands(range(len(grid.b)), grid.b)),
        frozenset(outline.section_cells),
        outline.marked_sections,
    )
    within = joined(_within(half, values) for half, values in ((a, grid.within_a), (b, grid.within_b)))
    return element("section", element("h2", "Sections"), _drawn(heat), within, id="sections")


def chunk_heatmap(outline: Outline) -> Markup:
    """How near each chunk of A is to each of B."""
    grid, (a, b) = outline.comparison.chunks, outline.halves
    heat = Heat(
        "c",
        "Chunks of A against chunks of B",
        grid.across,
        (grid.a, grid.b),
        (a.kept, b.kept),
        (bands(a.section_of.tolist(), a.sections), bands(b.section_of.tolist(), b.sections)),
        frozenset(outline.chunk_cells),
        outline.marked_cells,
    )
    lead = "A chunk is a paragraph's length of one section that ends with a sentence; a claim is a chunk of its own."
    return element("section", element("h2", "Chunks"), element("p", lead), _drawn(heat), id="chunks")


def _drawn(heat: Heat) -> Markup:
    """The picture with its legend, and what of it is not drawn."""
    if not heat.values.size:
        return element("p", "There is nothing to draw: one of the documents holds no text.")
    scale = Scale.of(heat.values, *heat.kept)
    drawing = _numbered(heat, scale) if heat.side <= MAX_NUMBERED else squares(heat, scale)
    return joined([element("p", _how_to_read(heat), class_="quiet"), _frame(drawing, heat.label), _legend(heat, scale)])


def _how_to_read(heat: Heat) -> str:
    rows, columns = heat.values.shape
    size = f"{rows} of A (rows) against {columns} of B (columns)."
    if heat.side <= MAX_NUMBERED:
        return f"{size} Choose a number to read the two side by side."
    if heat.side <= MAX_LINKED:
        return f"{size} The squares have no room for numbers: choose one to see its number and read the two."
    return (
        f"{size} With more than {MAX_LINKED} on a side the squares carry no numbers, and only the framed ones, "
        "which hold a passage of the list below, can be chosen."
    )


def _legend(heat: Heat, scale: Scale) -> Markup:
    notes = ["Framed: one of the aligned passages is here."] if heat.marked else []
    if not all(flags.all() for flags in heat.kept):
        notes.append("Without a colour: left out of the comparison.")
    return scale.legend(" ".join(notes))


def _numbered(heat: Heat, scale: Scale) -> Markup:
    """A table with a number in each cell."""
    steps = scale.steps(heat.values).tolist()
    lines = [[_linked(heat, (row, column), step) for column, step in enumerate(line)] for row, line in enumerate(steps)]
    heads = [element("span", f"{place}. {name}", title=name) for place, name in enumerate(heat.names[1], 1)]
    return _table("A ↓ B →", heads, heat.names[0], lines)


def _linked(heat: Heat, cell: tuple[int, int], step: int) -> Markup:
    if cell not in heat.linked:
        return _LEFT_OUT
    place, said = heat.place(cell), heat.said(cell)
    number_link = link(place, heat.shown(cell), aria_label=said, title=said)
    return element("td", number_link, id=f"at-{place}", class_=f"h{step} marked" if cell in heat.marked else f"h{step}")


def _within(half: Half, values: Matrix) -> Markup:
    """The sections of one document against each other, folded; nothing where there are too many for numbers."""
    if not 1 < len(half.sections) <= MAX_NUMBERED:
        return Markup("")
    kept = half.kept_sections
    scale = Scale.of(values, kept, kept)
    lines = [
        [
            element("td", number(value), class_=f"h{step}") if kept[row] and kept[column] else _LEFT_OUT
            for column, (value, step) in enumerate(zip(*line, strict=True))
        ]
        for row, line in enumerate(zip(values.tolist(), scale.steps(values).tolist(), strict=True))
    ]
    title = f"The sections of {half.letter} against each other"
    table = _table(half.letter, [str(place + 1) for place in range(len(half.sections))], half.sections, lines)
    return element("details", element("summary", title), _frame(table, title), scale.legend())


_LEFT_OUT = element("td", element("span", "left out", class_="unseen"), class_="none")


def _table(corner: str, heads: Sequence[str], names: Sequence[str], lines: Sequence[Sequence[Markup]]) -> Markup:
    head = element("tr", element("td", corner, class_="corner"), *(element("th", one, scope="col") for one in heads))
    rows = [
        element("tr", element("th", f"{place}. {name}", scope="row"), *cells)
        for place, (name, cells) in enumerate(zip(names, lines, strict=True), start=1)
    ]
    return element("table", element("thead", head), element("tbody", *rows), class_="heat")


def _frame(drawing: Markup, label: str) -> Markup:
    """What is wider than a small screen scrolls by itself; the keyboard reaches it."""
    return element("div", drawing, class_="wide", role="region", aria_label=label, tabindex=0)
