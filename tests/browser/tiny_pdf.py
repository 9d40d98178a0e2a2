"""A small PDF written by hand: a title, an abstract, two numbered sections; or what a test puts on its pages."""

from __future__ import annotations

TITLE = "Tidal turbines with adjustable blades"
LINES: tuple[tuple[int, str], ...] = (
    (20, TITLE),
    (11, "Ada Example, Ben Example"),
    (0, ""),
    (14, "Abstract"),
    (11, "A rotor with adjustable blades is mounted on a shaft in flowing water. The pitch of each"),
    (11, "blade follows the speed of the current, so that the generator turns evenly."),
    (0, ""),
    (14, "1 Introduction"),
    (11, "Turbines driven by the tide stand in salt water and sand. A seal keeps both away from the"),
    (11, "gear, and the housing is anchored to the sea bed by its own weight."),
    (0, ""),
    (14, "2 Control of the blades"),
    (11, "A gate controls the flow within the channel. We measure the speed of the current and turn"),
    (11, "each blade so that the rotor keeps its speed when the tide changes."),
)


def tiny_pdf(*pages: tuple[tuple[int, str], ...]) -> bytes:
    """A PDF with a page for each of some (font size, text) lines, or with the usual one; headings stand in bold."""
    return _file(_objects([_content(lines).encode("latin-1") for lines in pages or (LINES,)]))


def _content(lines: tuple[tuple[int, str], ...]) -> str:
    drawn, height = [], 780
    for size, text in lines:
        height -= max(size, 8) + 7
        font = "F2" if size > 12 else "F1"
        escaped = text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
        if size:
            drawn.append(f"BT /{font} {size} Tf 72 {height} Td ({escaped}) Tj ET")
    return "\n".join(drawn)


def _objects(contents: list[bytes]) -> list[bytes]:
    fonts = [b"<< /Type /Font /Subtype /Type1 /BaseFont /%s >>" % name for name in (b"Helvetica", b"Helvetica-Bold")]
    first = 5  # behind the catalogue, the list of pages and two fonts
    kids = b" ".join(b"%d 0 R" % (first + 2 * n) for n in range(len(contents)))
    pages = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, len(contents))
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", pages, *fonts]
    for n, content in enumerate(contents):
        page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R " % (first + 2 * n + 1)
        page += b"/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>"
        objects += [page, b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content)]
    return objects


def _file(objects: list[bytes]) -> bytes:
    data, offsets = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(data)
    data += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    data += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    return bytes(data + b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start))
