"""How an encoder's weights were trained: curves, results, data, machine and recipe."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from engine.core.progress import duration
from engine.documents.markup import Markup, element
from explorer.shared.counts import table
from explorer.shared.markup import show

Facts = Mapping[str, Any]
_DRAWN = ("curve", "results", "corpora_sha256")
_AS_FILES = ("recipe", "settings")
_BETWEEN = "between"
_BELOW = "transformer"
_MOST_SAID = 12  # of a list or a table among the facts; a longer one shows its length
_NAMES = {"repeatable": "Repeated", "run": "Run by"}


def training_facts(facts: Facts) -> None:
    """Everything that the card of shipped weights says about their training, or about both for weights between two."""
    if between := facts.get(_BETWEEN):
        training_facts({key: value for key, value in facts.items() if key != _BETWEEN})
        show(element("p", between_sentence(between["share"]), class_="ps-quiet"))
        for name, part in zip(("The first", "The second"), between["of"], strict=True):
            show(element("p", name, class_="ps-label"))
            training_facts(part)
        return
    if curve := facts.get("curve"):
        _curves(curve, facts.get("recipe", {}).get("data", {}).get("metric", "Score"))
    if results := facts.get("results"):
        show(element("p", "Results of these weights", class_="ps-label"))
        show(results_table(results))
    _short_facts(facts)
    for key, value in facts.items():
        if isinstance(value, list) and key not in _DRAWN:
            show(element("p", _name(key), class_="ps-label"))
            show(element("ul", *(element("li", str(item)) for item in value), class_="ps-notes"))
    _what_repeats_it(facts)
    if below := facts.get(_BELOW):
        show(element("p", "Its transformer, which learnt before", class_="ps-label"))
        training_facts(below)


def _what_repeats_it(facts: Facts) -> None:
    """The data by their digests, the recipe and the settings."""
    if digests := facts.get("corpora_sha256"):
        rows = [(name, str(digest)) for name, digest in digests.items()]
        show(table(("Data", "sha256"), rows, label="Training data"))
    for key in _AS_FILES:
        if values := facts.get(key):
            show(element("p", _name(key), class_="ps-label"))
            st.code(as_toml(values), language="toml")


def between_sentence(share: float) -> str:
    """Where weights between two models lie."""
    return f"These weights lie {share:.0%} of the way from one trained transformer to another of the same shape."


def results_table(results: Sequence[Facts]) -> Markup:
    """Results as a table with the columns that they have, numbers to three places."""
    columns = list(dict.fromkeys(key for row in results for key in row))
    rows = [[_cell(row.get(column)) for column in columns] for row in results]
    headings = [column.replace("ndcg", "nDCG") if "@" in column else _name(column) for column in columns]
    return table(headings, rows, numbers=range(1, len(columns)), label="Results of these weights")


def curve_sentence(name: str, values: Sequence[float]) -> str:
    """Where a curve starts and ends, for those who prefer reading."""
    return f"{name}: {values[0]:.4g} after the first epoch, {values[-1]:.4g} after the last of {len(values)}."


def as_toml(values: Facts, place: str = "") -> str:
    """Nested values as they stand in a recipe's file: plain ones first, then a table for each group."""
    lines = [f"{key} = {json.dumps(value)}" for key, value in values.items() if not isinstance(value, dict)]
    for key, value in values.items():
        if isinstance(value, dict):
            lines += ["", f"[{place}{key}]", as_toml(value, f"{place}{key}.")]
    return "\n".join(lines)


def _curves(curve: Sequence[Facts], metric: str) -> None:
    """One chart for the loss and one for the scores, because their scales differ."""
    scores = {name: [point["scores"][name] for point in curve] for name in curve[0].get("scores", {})}
    left, right = st.columns(2, gap="medium")
    with left:
        _chart("Loss in training", {"Loss": [point["loss"] for point in curve]})
    if scores:
        with right:
            _chart(f"{metric} on the validation queries", scores)


def _chart(title: str, lines: Mapping[str, Sequence[float]]) -> None:
    show(element("p", title, class_="ps-label"))
    epochs = list(range(1, 1 + max(map(len, lines.values()))))
    st.line_chart({"epoch": epochs, **lines}, x="epoch", y=list(lines), x_label="Epoch", y_label="", height=220)
    for name, values in lines.items():
        show(element("p", curve_sentence(name, values), class_="ps-quiet"))


def _short_facts(facts: Facts) -> None:
    """Facts of a line each, and the total time of the epochs."""
    plain = {key: value for key, value in facts.items() if not isinstance(value, list) and key not in _AS_FILES}
    lines = {_name(key): _cell(value) for key, value in plain.items() if key not in (*_DRAWN, _BELOW, "seconds")}
    seconds = facts.get("seconds") or sum(point.get("seconds", 0) for point in facts.get("curve", ()))
    if seconds:
        lines["Time"] = duration(seconds)
    cells = [cell for name, value in lines.items() for cell in (element("dt", name), element("dd", value))]
    show(element("dl", *cells, class_="ps-facts"))


def _name(key: str) -> str:
    plain = key.replace("_", " ")
    return _NAMES.get(key, plain[:1].upper() + plain[1:])


def _cell(value: object) -> str:
    if isinstance(value, dict | list) and len(value) > _MOST_SAID:
        return f"{len(value):,} entries"
    if isinstance(value, list):
        return ", ".join(map(_cell, value))
    if isinstance(value, dict):
        return ", ".join(_entry(key, item) for key, item in value.items())
    if isinstance(value, float):
        return f"{value:.3f}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return "–" if value is None else str(value)


def _entry(key: str, item: object) -> str:
    said = _cell(item)
    return f"{key} ({said})" if isinstance(item, dict) and len(item) <= _MOST_SAID else f"{key}: {said}"
