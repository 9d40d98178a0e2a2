"""Writes small PDFs for tests: lines and justified paragraphs at given places, in four standard fonts."""

from __future__ import annotations

from dataclasses import dataclass, field

WIDTH, HEIGHT = 595, 842
FONTS = {
    "regular": "Times-Roman",
    "bold": "Times-Bold",
    "italic": "Times-Italic",
    "mono": "Courier",
    "sans": "Helvetica",
}
_TIMES = """
250 333 408 500 500 833 778 180 333 333 500 564 250 333 250 278 500 500 500 500 500 500 500 500 500 500
278 278 564 564 564 444 921 722 667 667 722 611 556 722 722 333 389 722 611 889 722 722 556 722 667 556
611 722 722 944 722 722 611 333 278 333 469 500 333 444 500 444 500 444 333 500 500 278 278 500 278 778
500 500 500 500 333 389 278 500 500 722 500 500 444 480 200 480 541
"""
WIDTHS = {chr(32 + place): int(width) / 1000 for place, width in enumerate(_TIMES.split())}

_LIGATURES = {"\ufb01": b"\x81", "\ufb02": b"\x8d"}


def text_width(text: str, size: float) -> float:
    return sum(WIDTHS.get(letter, 0.5) for letter in text) * size


@dataclass
class PdfWriter:
    """Pages are content streams; `y` runs from the top of the page down, as the reader's does."""

    pages: list[list[str]] = field(default_factory=list)
    title: str = ""
    author: str = ""
    bookmarks: list[str] = field(default_factory=list)
    levels: list[int] = field(default_factory=list)
    encrypt: bool = False

    def page(self) -> PdfWriter:
        self.pages.append([])
        return self

    def line(self, x: float, y: float, text: str, size: float = 10, font: str = "regular", spread: float = 0) -> None:
        code = b"".join(_LIGATURES.get(letter) or letter.encode("cp1252") for letter in text)
        self.pages[-1].append(
            f"BT /{font} {size} Tf {spread:.4f} Tw 1 0 0 1 {x:.2f} {HEIGHT - y:.2f} Tm <{code.hex()}> Tj ET"
        )

    def centred(self, y: float, text: str, size: float = 10, font: str = "regular") -> None:
        self.line((WIDTH - text_width(text, size)) / 2, y, text, size, font)

    def paragraph(self, x: float, y: float, width: float, text: str, *, size: float = 10, indent: float = 0) -> float:
        """Set a justified paragraph with 1.2 leading; returns the y of the line below it."""
        words, first = text.split(), True
        while words:
            start = indent if first else 0
            taken = [words.pop(0)]
            while words and text_width(" ".join([*taken, words[0]]), size) <= width - start:
                taken.append(words.pop(0))
            line = " ".join(taken)
            free = width - start - text_width(line, size)
            self.line(x + start, y, line, size, spread=free / line.count(" ") if words and " " in line else 0)
            y, first = y + 1.2 * size, False
        return y

    def picture(self) -> None:
        self.pages[-1].append(f"q {WIDTH} 0 0 {HEIGHT} 0 0 cm BI /W 2 /H 2 /CS /G /BPC 8 ID \x10\x80\x80\x10 EI Q")

    def turned(self, x: float, y: float, text: str, size: float = 10) -> None:
        """A line that reads upwards, as the stamp in a preprint's margin does."""
        self.pages[-1].append(f"BT /regular {size} Tf 0 1 -1 0 {x} {HEIGHT - y} Tm ({text}) Tj ET")

    def data(self) -> bytes:
        fonts = " ".join(f"/{name} {4 + place} 0 R" for place, name in enumerate(FONTS))
        first = 4 + len(FONTS)
        kids = " ".join(f"{first + 2 * place} 0 R" for place in range(len(self.pages)))
        after = first + 2 * len(self.pages)
        outlines = f" /Outlines {after} 0 R" if self.bookmarks else ""
        objects = [
            f"<< /Type /Catalog /Pages 2 0 R{outlines} >>",
            f"<< /Type /Pages /Kids [{kids}] /Count {len(self.pages)} >>",
            f"<< /Title ({self.title}) /Author ({self.author}) >>",
        ]
        for base in FONTS.values():
            encoding = "<< /BaseEncoding /WinAnsiEncoding /Differences [129 /fi 141 /fl] >>"
            objects.append(f"<< /Type /Font /Subtype /Type1 /BaseFont /{base} /Encoding {encoding} >>")
        for place, page in enumerate(self.pages):
            content = "\n".join(page)
            objects.append(
                f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {WIDTH} {HEIGHT}] "
                f"/Resources << /Font << {fonts} >> >> /Contents {first + 2 * place + 1} 0 R >>"
            )
            objects.append(f"<< /Length {len(content)} >>\nstream\n{content}\nendstream")
        if self.bookmarks:
            objects += self._outline(after, first)
        encrypt = f" /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <{'ab' * 32}> /U <{'cd' * 32}> >>"
        return whole_file(objects, f"/Info 3 0 R /ID [<00> <00>]{encrypt if self.encrypt else ''}")

    def _outline(self, root: int, page: int) -> list[str]:
        """Write the bookmarks; `levels` tells how deep each stands, 0 for all where it is empty."""
        levels = self.levels or [0] * len(self.bookmarks)
        places = range(len(levels))
        up = [max((one for one in places[:place] if levels[one] < levels[place]), default=-1) for place in places]

        def links(parent: int) -> str:
            under = [root + 1 + place for place in places if up[place] == parent]
            return f" /First {under[0]} 0 R /Last {under[-1]} 0 R /Count {len(under)}" if under else ""

        items = [f"<< /Type /Outlines{links(-1)} >>"]
        for place, title in enumerate(self.bookmarks):
            after = next((one for one in places[place + 1 :] if up[one] == up[place]), None)
            following = f" /Next {root + after + 1} 0 R" if after else ""
            parent = f"/Parent {root + up[place] + 1} 0 R"
            items.append(f"<< /Title ({title}) {parent} /Dest [{page} 0 R /Fit]{following}{links(place)} >>")
        return items


def whole_file(objects: list[str], trailer: str) -> bytes:
    """Objects as a whole file with its cross-reference table."""
    parts = ["%PDF-1.4\n"]
    offsets, position = [], len(parts[0])
    for number, value in enumerate(objects, start=1):
        text = f"{number} 0 obj\n{value}\nendobj\n"
        offsets.append(position)
        position += len(text)
        parts.append(text)
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    size = len(objects) + 1
    parts.append(f"xref\n0 {size}\n0000000000 65535 f \n{table}")
    parts.append(f"trailer\n<< /Size {size} /Root 1 0 R {trailer} >>\nstartxref\n{position}\n%%EOF\n")
    return "".join(parts).encode("latin-1")


def nested_drawings(depth: int) -> bytes:
    """A page that draws a form, which draws the next one ten times, and so on."""
    page = "/Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /XObject << /X 5 0 R >> >>"
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page {page} >>",
        "<< /Length 5 >>\nstream\n/X Do\nendstream",
    ]
    for place in range(depth):
        body = "/X Do " * 10 if place + 1 < depth else "0 0 m 9 9 l S"
        resources = f"<< /XObject << /X {6 + place} 0 R >> >>"
        form = f"/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources {resources}"
        objects.append(f"<< {form} /Length {len(body)} >>\nstream\n{body}\nendstream")
    return whole_file(objects, "")
