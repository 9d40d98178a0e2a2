"""Articles of PLOS in full text: JATS as the publisher gives it out.

Only what its own licence statement frees is read: Creative Commons Attribution, or the public domain. Corrections and
retractions are left out, which say nothing about a subject.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from engine.documents import Document
from engine.reading import read_bytes

_KIND = re.compile(rb'<article\b[^>]*\barticle-type="([^"]*)"')
_LICENCE = re.compile(rb"<license\b.*?</license>", re.DOTALL)
_FREE = re.compile(
    rb"Creative Commons Attribution License|creativecommons\.org/licenses/by/|creativecommons\.org/publicdomain/|"
    rb"free of all copyright|Creative Commons Public Domain",
)
_NOTICES = (b"correction", b"retraction")


def parse(files: Iterable[bytes]) -> Iterator[Document]:
    """Yield every free article of the files, each of one article. Raises what `read_bytes` raises."""
    for data in files:
        kind = _KIND.search(data)
        licence = _LICENCE.search(data)
        if (kind is None or kind[1] not in _NOTICES) and licence and _FREE.search(b" ".join(licence[0].split())):
            yield read_bytes(data, "article.xml").document
