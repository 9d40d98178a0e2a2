"""Tells lines of names, places and addresses below a title from prose."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.text import one_line

AUTHORS = re.compile(
    r"@|https?:|\b(?:university|universität|université|institute|department|laborator(?:y|ies)|college|school of|inc\.|"
    r"corp(?:oration|\.)|ltd|gmbh|arxiv:|doi:|received|accepted)\b",
    re.IGNORECASE,
)
"""Signs of names, places and addresses."""
_NAME = r"[A-Z][\w'’.-]*+(?:\s++(?:(?:van|von|de|der|den|la|le|di|da)\s++)*+[A-Z][\w'’.-]*+){1,4}+"
_BETWEEN_NAMES = r"[\d*†‡\s]*+(?:[,;&]|and\s)[\d*†‡,\s]*+(?:(?:&|and\s)\s*+)?"
_NAMES = re.compile(rf"(?:(?:by\s++)?{_NAME}(?:{_BETWEEN_NAMES}{_NAME})++|by\s++{_NAME})[\d*†‡,\s]*+")


def is_about_authors(block: str) -> bool:
    """Whether a short block is names, places and addresses, not prose."""
    text = one_line(block)
    sentences = len(re.findall(r"[a-z]{3}[.!?](?:\s|$)", text))
    if len(text.split()) > 60 or sentences > 1:
        return False
    return is_names(text) or (bool(AUTHORS.search(text)) and sentences == 0)


def is_names(text: str) -> bool:
    """Whether a text is a list of names and nothing else."""
    return len(text) < 600 and _NAMES.fullmatch(text) is not None


def left_out(lines: Sequence[str]) -> str:
    """The warning about such lines."""
    return f"Lines about authors were left out of the text: {'; '.join(text[:60] for text in lines[:3])}."
