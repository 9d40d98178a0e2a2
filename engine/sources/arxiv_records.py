"""Papers from arXiv's metadata records: one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Iterator

from engine import reading
from engine.core.errors import MalformedFileError
from engine.documents import Document


def parse(data: bytes) -> Iterator[Document]:
    """Yield every record of a JSON Lines file as a paper.

    Raises MalformedFileError at the first line that is not one.
    """
    for number, line in enumerate(data.splitlines(), start=1):
        try:
            values = reading.arxiv_columns(json.loads(line))
            categories, authors = tuple(values.pop("categories")), tuple(values.pop("authors"))
            yield Document(kind="paper", categories=categories, authors=authors, **values)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise MalformedFileError(
                f"Expected an arXiv record in line {number}; it is none ({type(error).__name__}: {error})."
            ) from None
