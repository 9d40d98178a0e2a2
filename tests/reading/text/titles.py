"""Titles of the sections that are read."""

from __future__ import annotations

from engine.reading.dispatch import read_text


def titles(text: str) -> list[str]:
    return [section.title for section in read_text(text).document.sections]
