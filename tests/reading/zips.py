"""ZIP archives."""

from __future__ import annotations

import io
import zipfile


def zipped(member: str) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr(member, "text")
    return held.getvalue()


PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
