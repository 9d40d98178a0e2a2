"""How an encoder's weights came about: the loss curve, the results, the recipe, the data and the machine."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from explorer.widgets.counts import table
from explorer.widgets.markup import Markup, element, show
from explorer.widgets.progress import duration

Facts = Mapping[str, Any]
_DRAWN = ("loss_curve", "results", "corpora_sha256")
_NAMES = {"seconds": "Time", "repeatable": "Repeated", "run": "Run by"}
_CURVES = {"loss": "Loss in training", "valid": "Score on the validation queries"}


def training_facts(facts: Facts) -> None:
    """Everything that the card of shipped weights says of their training."""
    if curve := facts.get("loss_curve"):
        _curves(curve)
    if results := facts.get("results"):
        show(element("p", "Results of these weights", class_="ps-label"))
        show(results_table(results))
    _scalars({key: value for key, value in facts.items() if not isinstance(value, list | dict)})
    for key, value in facts.items():
        if isinstance(value, list) and key not in _DRAWN:
            show(element("p", _name(key), class_="ps-label"))
            show(element("ul", *(element("li", str(item)) for item in value), class_="ps-notes"))
    if digests := facts.get("corpora_sha256"):
        show(table(("Data", "sha256"), [(name, str(digest)) for name, digest in digests.items()]))
    for key, value in facts.items():
        if isinstance(value, dict) and key not in _DRAWN:
            show(element("p", _name(key), class_="ps-label"))
            st.code(as_toml(value), language="toml")


def results_table(results: Sequence[Facts]) -> Markup:
    """Results as a table with the columns that they have, numbers to three places."""
    columns = list(dict.fromkeys(key for row in results for key in row))
    rows = [[_cell(row.get(column)) for column in columns] for row in results]
    headings = [column.replace("ndcg", "nDCG") if "@" in column else _name(column) for column in columns]
    return table(headings, rows, numbers=range(1, len(columns)))


def curve_sentence(curve: Sequence[Facts], key: str) -> str:
    """Where a curve begins and ends, for those who read rather than look."""
    first, last = curve[0], curve[-1]
    begins, ends = (f"{point[key]:.4g} after epoch {point['epoch']}" for point in (first, last))
    return f"{_CURVES[key]}: {begins}, {ends}."


def as_toml(recipe: Facts) -> str:
    """A recipe as it stands in its file: plain values first, then a table for each group."""
    lines = [f"{key} = {json.dumps(value)}" for key, value in recipe.items() if not isinstance(value, dict)]
    for key, value in recipe.items():
        if isinstance(value, dict):
            lines += ["", f"[{key}]", as_toml(value)]
    return "\n".join(lines)


def _curves(curve: Sequence[Facts]) -> None:
    """One chart for the loss and one for the score, because their scales have nothing in common."""
    shown = [key for key in _CURVES if all(isinstance(point.get(key), int | float) for point in curve)]
    for key, column in zip(shown, st.columns(len(_CURVES), gap="medium"), strict=False):
        with column:
            show(element("p", _CURVES[key], class_="ps-label"))
            st.line_chart(
                {"epoch": [point["epoch"] for point in curve], key: [point[key] for point in curve]},
                x="epoch",
                y=key,
                x_label="Epoch",
                y_label="",
                height=220,
            )
            show(element("p", curve_sentence(curve, key), class_="ps-quiet"))


def _scalars(facts: Facts) -> None:
    cells = [
        cell
        for key, value in facts.items()
        for cell in (element("dt", _name(key)), element("dd", duration(value) if key == "seconds" else _cell(value)))
    ]
    if cells:
        show(element("dl", *cells, class_="ps-facts"))


def _name(key: str) -> str:
    plain = key.replace("_", " ")
    return _NAMES.get(key, plain[:1].upper() + plain[1:])


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.3f}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return "–" if value is None else str(value)
