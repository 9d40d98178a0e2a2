"""LaTeX source that is read, and how long that takes."""

from __future__ import annotations

import time

from engine.errors import InputTooLargeError, MalformedFileError
from engine.readers import Reading, read_bytes


def read(text: str) -> Reading:
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
