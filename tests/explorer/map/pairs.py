"""A query with its neighbours on a map, made by hand."""

from __future__ import annotations

import re

from engine.documents import Document
from engine.exports import Query
from explorer.map.query import Near, PlacedQuery
from tests.made_readings import READ


def halves(said: str) -> list[tuple[str, str]]:
    """Each half of the page: its encoder's name, and the beginning of its trust figure."""
    return re.findall(r"<h2>([^<]*)</h2>.*?(This picture keeps \d+%)", said)


def placed(ids: list[str], *, first_row: int = 0) -> PlacedQuery:
    near = tuple(Near(rank, Document(id_, "paper", id_), READ, True) for rank, id_ in enumerate(ids, start=1))
    return PlacedQuery(Document("q"), Query(0.0, 0.0, "q", tuple(range(first_row, first_row + len(ids)))), near)
