"""Files and texts into documents: one module a format, detected by content."""

from engine.readers.base import Reading
from engine.readers.detect import HEAD_BYTES, detect
from engine.readers.dispatch import iter_documents, read_bytes, read_file, read_text
from engine.readers.limits import LIMITS, Limits

__all__ = [
    "HEAD_BYTES",
    "LIMITS",
    "Limits",
    "Reading",
    "detect",
    "iter_documents",
    "read_bytes",
    "read_file",
    "read_text",
]
