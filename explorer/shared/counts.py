"""What a library holds: numbers, files, and failures with their reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from engine.documents.markup import Markup, element
from engine.library import Counts, Failure, ImportedFile
from explorer.shared.markup import show

_SHOWN_ROWS = 200


def count_tiles(counts: Counts) -> None:
    """The library in six numbers."""
    years = f"{counts.year_min}–{counts.year_max}" if counts.year_min is not None else "unknown"
    tiles = (
        ("Documents", f"{counts.documents:,}"),
        ("Papers", f"{counts.papers:,}"),
        ("Patents", f"{counts.patents:,}"),
        ("Years", years),
        ("Duplicates folded", f"{counts.folded:,}"),
        ("Files", f"{counts.files:,}"),
    )
    show(number_list(dict(tiles)))


def number_list(tiles: Mapping[str, str | int]) -> Markup:
    """Numbers in a row, each under its name."""
    said = {name: value if isinstance(value, str) else f"{value:,}" for name, value in tiles.items()}
    return element("dl", *(_tile(name, value) for name, value in said.items()), class_="ps-numbers")


def file_table(files: Sequence[ImportedFile]) -> None:
    """Every imported file, the newest first."""
    if not files:
        return
    with st.expander(f"Imported files ({len(files):,})", key="files"):
        rows = [
            (file.name, f"{file.documents:,}", f"{file.folded:,}", file.when[:16].replace("T", " "))
            for file in reversed(files[-_SHOWN_ROWS:])
        ]
        headings = ("File", "Documents", "Duplicates folded", "When (UTC)")
        show(table(headings, rows, label="Imported files", numbers=(1, 2)))
        _more(len(files), "The newest")


def failure_table(failures: Sequence[Failure]) -> None:
    """Every file that could not be imported, and why; nothing of it is in the library."""
    if not failures:
        return
    st.header(f"Not imported ({len(failures):,})", anchor=False)
    rows = [(failure.name, failure.reason) for failure in failures[:_SHOWN_ROWS]]
    show(table(("File", "Reason"), rows, label="Files that were not imported"))
    _more(len(failures), "The first")


def _more(count: int, which: str) -> None:
    """Say so where a table is cut."""
    if count > _SHOWN_ROWS:
        show(element("p", f"{which} {_SHOWN_ROWS:,} of {count:,}.", class_="ps-quiet"))


def table(headings: Sequence[str], rows: Sequence[Sequence[str]], *, label: str, numbers: Sequence[int] = ()) -> Markup:
    """A plain table named `label`; a row's first cell is its heading, the columns in `numbers` are set to the right."""
    head = [
        element("th", name, scope="col", class_=_cell_class(at, numbers)) if name else element("td")
        for at, name in enumerate(headings)
    ]
    body = [
        element(
            "tr",
            element("th", row[0], scope="row", class_=_cell_class(0, numbers)),
            *(element("td", value, class_=_cell_class(at, numbers)) for at, value in enumerate(row[1:], start=1)),
        )
        for row in rows
    ]
    parts = element("thead", element("tr", *head)), element("tbody", *body)
    return element("table", *parts, class_="ps-table", aria_label=label)


def _cell_class(column: int, numbers: Sequence[int]) -> str:
    return "ps-number" if column in numbers else ""


def _tile(name: str, value: str) -> Markup:
    return element("div", element("dt", name), element("dd", value))
