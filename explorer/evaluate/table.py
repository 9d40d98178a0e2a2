"""Each ranking's result: a bar with its interval, and in words whether it differs from the one compared with."""

from __future__ import annotations

from collections.abc import Sequence

from engine.documents.markup import Markup, element
from engine.documents.text import how_many
from explorer.evaluate.figures import Line
from explorer.evaluate.rows import short_row, spoken_row

_FEW_QUERIES = 25


def verdict(lines: Sequence[Line], metric: str, against: str, queries: int) -> Markup:
    """The table in two sentences."""
    pieces = [_leader(lines, metric)]
    better = [line for line in lines if line.is_different and line.difference and line.difference.mean > 0]
    worse = [line for line in lines if line.is_different and line.difference and line.difference.mean < 0]
    unclear = [line for line in lines if line.difference is not None and not line.is_different]
    if better:
        pieces.append(f"Better than {short_row(against)} by more than chance: {_names(better)}. ")
    if worse:
        pieces.append(f"Worse than {short_row(against)} by more than chance: {_names(worse)}. ")
    if unclear:
        pieces.append(f"Too close to {short_row(against)} to tell on {how_many(queries, 'query')}: {_names(unclear)}.")
    if queries < _FEW_QUERIES:
        pieces.append(" With so few queries only large differences can show.")
    return element("p", *pieces, class_="ps-verdict")


def _leader(lines: Sequence[Line], metric: str) -> Markup:
    """Which ranking has the best figure, or that several are level; whether that is more than chance follows."""
    best = number(lines[0].score.mean)
    level = [line for line in lines if number(line.score.mean) == best]
    if len(level) > 1:
        return element("span", element("strong", _names(level)), f" are level here, with {metric} {best}. ")
    return element("span", element("strong", spoken_row(level[0].row)), f" has the best {metric} here, {best}. ")


def score_table(lines: Sequence[Line], metric: str, against: str) -> Markup:
    """One row a ranking, the best first."""
    is_compared = any(line.difference is not None for line in lines)
    head = [
        element("th", "Ranking", scope="col"),
        element("th", metric, scope="colgroup", colspan="2"),  # over the bar and over its number
        element("th", "95 % between", scope="col", class_="ps-number ps-wide-only"),
        *([element("th", f"Against {short_row(against)}", scope="col")] if is_compared else []),
    ]
    top = max((line.score.high for line in lines), default=0.0) or 1.0
    body = [element("tr", *_cells(line, top, against, compared=is_compared)) for line in lines]
    parts = element("thead", element("tr", *head)), element("tbody", *body)
    table = element("table", *parts, class_="ps-table ps-scores", aria_label=f"Rankings by {metric}")
    return element("div", table, class_="ps-scores-frame")


def _cells(line: Line, top: float, against: str, *, compared: bool) -> list[Markup]:
    score = line.score
    cells = [
        element("th", spoken_row(line.row), scope="row", class_="ps-row-name"),
        element("td", _bar(line, top, is_other=line.row == against), class_="ps-bar-cell"),
        element("td", element("strong", number(score.mean)), class_="ps-number"),
        element("td", f"{number(score.low)} – {number(score.high)}", class_="ps-number ps-wide-only ps-pale"),
    ]
    return [*cells, element("td", _compared(line))] if compared else cells


def _bar(line: Line, top: float, *, is_other: bool) -> Markup:
    """The score as a bar from 0 to the longest, and over its end the interval."""
    score = line.score
    look = "ps-fill ps-fill-other" if is_other else "ps-fill"
    fill = element("span", class_=look, style=f"width:{score.mean / top:.2%}")
    width = max(0.0, score.high - score.low) / top
    place = f"left:{score.low / top:.2%};width:{width:.2%}"
    whisker = [element("span", class_="ps-whisker", style=place)] if width else []
    return element("div", fill, *whisker, class_="ps-bar", aria_hidden="true")


def _compared(line: Line) -> Markup:
    if line.difference is None or line.p is None:
        return element("span", "what the others are compared with", class_="ps-pale")
    gain = element("span", signed(line.difference.mean), class_="ps-gain")
    if not line.is_different:
        word = element("span", "too close to tell", class_="ps-pale")
    elif line.difference.mean > 0:
        word = element("span", "better", class_="ps-better")
    else:
        word = element("span", "worse", class_="ps-worse")
    return element("span", gain, word, element("span", p_in_words(line.p), class_="ps-pale"), class_="ps-against")


def number(value: float) -> str:
    """A score with three decimals, without the zero before the point."""
    text = f"{value:.3f}"
    return text[1:] if text.startswith("0.") else text


def signed(value: float) -> str:
    """A difference with its sign."""
    return f"{'−' if value < 0 else '+'}{number(abs(value))}"


def p_in_words(p: float) -> str:
    """The p of a test as it is written."""
    return "p < .001" if p < 0.001 else f"p = {number(p)}" if p < 1 else "p = 1"


def _names(lines: Sequence[Line]) -> str:
    names = [short_row(line.row) for line in lines]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
