"""LaTeX source that is read, and how long that takes."""

from __future__ import annotations

import time

from engine.core.errors import InputTooLargeError, MalformedFileError
from engine.reading.base import ReadFile
from engine.reading.dispatch import read_bytes


def read(text: str) -> ReadFile:
    return read_bytes(text.encode(), "a.tex")


def body(text: str) -> str:
    """The text of one section that holds some source."""
    return (
        read(f"\\documentclass{{a}}\\title{{T}}\\begin{{document}}\\section{{S}}\n{text}\n\\end{{document}}")
        .document.sections[0]
        .text
    )


def seconds(text: str) -> float:
    """How long it takes to read or to refuse some source."""
    begun = time.process_time()
    try:
        read(f"\\documentclass{{a}}\\begin{{document}}{text}")
    except (MalformedFileError, InputTooLargeError):
        pass
    return time.process_time() - begun


Expected = dict[str, str | list[str]]
"""What a document holds, by the names that `require` knows."""


def require(source: str, expected: Expected) -> None:
    """Read some source, and hold the document against what is expected of it."""
    document = read(source).document
    text = " ".join(" ".join(section.text for section in document.sections).split())
    titles = [section.title for section in document.sections]
    found: dict[str, str | list[str]] = {
        "title": document.title,
        "authors": list(document.authors),
        "abstract": document.abstract,
        "keywords": list(document.keywords),
        "sections": titles,
        "text": text,
    }
    held = {"abstract_has": document.abstract, "sections_has": titles, "text_has": text}
    for what, wanted in expected.items():
        if what in held:
            assert [one for one in wanted if one not in held[what]] == [], what
        else:
            assert found[what] == wanted, what
