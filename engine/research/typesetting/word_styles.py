"""Sets a known paper by LibreOffice from DOCX files in two styles of a manuscript's and of a journal's."""

from __future__ import annotations

import io
import subprocess
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

from engine.core.errors import EvaluationError
from engine.research.typesetting.known_papers import KnownPaper, Piece

_SECONDS = 600
_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_KINDS = "application/vnd.openxmlformats-officedocument.wordprocessingml"
_PARTS = ("header", "footer", "footnotes")
_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    f'<Override PartName="/word/document.xml" ContentType="{_KINDS}.document.main+xml"/>'
    + "".join(f'<Override PartName="/word/{part}.xml" ContentType="{_KINDS}.{part}+xml"/>' for part in _PARTS)
    + "</Types>"
)
_ROOT = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    f'<Relationship Id="r1" Type="{_R}/officeDocument" Target="word/document.xml"/></Relationships>'
)
_LINKS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    + "".join(f'<Relationship Id="{part}" Type="{_R}/{part}" Target="{part}.xml"/>' for part in _PARTS)
    + "</Relationships>"
)
_RAISED = '<w:rPr><w:vertAlign w:val="superscript"/></w:rPr>'
_SERIF = "Liberation Serif"
_TABLE = (("Site", "Count", "Mean"), ("North", "120", "4.2"), ("South", "96", "3.9"), ("River valley", "151", "4.8"))


class _Style:
    """Writes paragraphs in one font and size; keeps the footnotes that they name."""

    def __init__(self, font: str, half_points: int, *, justified: bool, indent: int) -> None:
        self._font, self._size, self._indent = font, half_points, indent
        self._justified = "both" if justified else "left"
        self.notes: list[str] = []

    def run(self, text: str, *, size: int = 0, bold: bool = False, italic: bool = False) -> str:
        look = "<w:b/>" * bold + "<w:i/>" * italic
        return (
            f'<w:r><w:rPr><w:rFonts w:ascii="{self._font}" w:hAnsi="{self._font}" w:cs="{self._font}"/>{look}'
            f'<w:sz w:val="{size or self._size}"/></w:rPr><w:t xml:space="preserve">{escape(text)}</w:t></w:r>'
        )

    def paragraph(
        self, *runs: str, align: str = "", before: int = 0, after: int = 0, indent: int | None = None, more: str = ""
    ) -> str:
        first = self._indent if indent is None else indent
        return (
            f'<w:p><w:pPr>{more}<w:spacing w:before="{before}" w:after="{after}"/><w:ind w:firstLine="{first}"/>'
            f'<w:jc w:val="{align or self._justified}"/></w:pPr>{"".join(runs)}</w:p>'
        )

    def note(self, text: str) -> str:
        """Return a raised number, whose note is kept."""
        self.notes.append(text)
        return f'<w:r>{_RAISED}<w:footnoteReference w:id="{len(self.notes)}"/></w:r>'

    def footnotes(self) -> str:
        listed = "".join(
            f'<w:footnote w:id="{number}"><w:p><w:r>{_RAISED}<w:footnoteRef/></w:r>'
            f"{self.run(' ' + text, size=16)}</w:p></w:footnote>"
            for number, text in enumerate(self.notes, start=1)
        )
        marks = '<w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>'
        return f'<w:footnotes xmlns:w="{_W}">{marks}{listed}</w:footnotes>'

    def pieces(self, pieces: Sequence[Piece], subheading: Callable[[str], str]) -> Iterator[str]:
        """Give a section's paragraphs; a note's number ends the paragraph before it."""
        for place, piece in enumerate(pieces):
            following = pieces[place + 1] if place + 1 < len(pieces) else None
            if piece.kind == "paragraph":
                noted = [self.note(following.text)] if following and following.kind == "footnote" else []
                yield self.paragraph(self.run(piece.text), *noted)
            elif piece.kind == "subheading":
                yield subheading(piece.text)
            elif piece.kind == "equation":
                yield self.paragraph(self.run("y = a + b x + e", italic=True), align="center", before=120, after=120)
            elif piece.kind == "table":
                yield self._caption(f"Table {place + 1}. ", piece.text) + _table(self) + self.paragraph(indent=0)
            elif piece.kind == "figure":
                yield self.paragraph(self.run("[drawing]", size=14), align="center", before=200) + self._caption(
                    f"Figure {place + 1}. ", piece.text
                )

    def _caption(self, label: str, text: str) -> str:
        small = self._size - 4
        return self.paragraph(
            self.run(label, size=small, bold=True), self.run(text, size=small), indent=0, before=120, after=120
        )


def _table(style: _Style) -> str:
    rows = "".join(
        "<w:tr>"
        + "".join(f"<w:tc>{style.paragraph(style.run(cell, size=16), indent=0)}</w:tc>" for cell in row)
        + "</w:tr>"
        for row in _TABLE
    )
    return f'<w:tbl><w:tblPr><w:tblW w:w="4200" w:type="dxa"/></w:tblPr>{rows}</w:tbl>'


def two_columns(paper: KnownPaper) -> bytes:
    """Set a manuscript in two columns with numbered lines, whose headings are bold and no larger than the text."""
    style = _Style(_SERIF, 20, justified=True, indent=240)
    front = [
        style.paragraph(style.run(paper.title, size=30, bold=True), align="center", indent=0, after=160),
        style.paragraph(style.run(", ".join(one.name for one in paper.authors)), align="center", indent=0),
        *(style.paragraph(style.run(place, size=18, italic=True), align="center", indent=0) for place in paper.places),
        style.paragraph(style.run(paper.authors[0].email, size=18), align="center", indent=0, after=200),
        style.paragraph(style.run("Abstract", bold=True), indent=0),
        style.paragraph(style.run(paper.abstract), indent=0, after=120),
        style.paragraph(style.run("Keywords: ", bold=True), style.run(", ".join(paper.keywords)), indent=0, after=200),
    ]
    front[-1] = front[-1].replace("</w:pPr>", f"{_section(1, numbered=True)}</w:pPr>", 1)

    def heading(text: str, *, italic: bool = False) -> str:
        return style.paragraph(style.run(text, bold=True, italic=italic), indent=0, before=160, after=60)

    body = [
        part
        for one in paper.sections
        for part in (heading(one.heading), *style.pieces(one.pieces, lambda text: heading(text, italic=True)))
    ]
    body += [heading("References"), *_references(style, paper)]
    head = style.paragraph(style.run(paper.short_title, size=16, italic=True), align="right", indent=0)
    return _package(style, [*front, *body], _section(2, numbered=True), head)


def side_column(paper: KnownPaper) -> bytes:
    """Set a journal's page in one column, with a wide margin that holds dates, address and rights on the first page."""
    style = _Style(_SERIF, 21, justified=True, indent=0)
    frame = '<w:framePr w:w="2600" w:wrap="around" w:vAnchor="page" w:hAnchor="page" w:x="700" w:y="3400"/>'
    said = [
        ("ARTICLE INFO", True), ("Received 4 May 2017", False), ("Accepted 19 October 2017", False),
        ("Correspondence", True), (paper.authors[0].email, False), (paper.places[0], False), ("Copyright", True),
        ("The authors keep their rights. Open access under the terms of the Creative Commons licence.", False),
    ]  # fmt: skip
    aside = [
        style.paragraph(style.run(text, size=15, bold=bold), align="left", more=frame, after=80 if not bold else 0)
        for text, bold in said
    ]
    front = [
        style.paragraph(style.run("Research article", size=18), align="left", after=80),
        style.paragraph(style.run(paper.title, size=36, bold=True), align="left", after=160),
        style.paragraph(style.run(_listed(paper), size=22), align="left", after=160),
        *aside,
        style.paragraph(style.run("Abstract", size=24, bold=True), align="left", after=60),
        style.paragraph(style.run(paper.abstract, size=19), after=160),
        style.paragraph(
            style.run("Keywords ", size=19, bold=True), style.run("; ".join(paper.keywords), size=19), after=200
        ),
    ]
    body: list[str] = []
    for number, one in enumerate(paper.sections, start=1):
        counted = iter(range(1, 99))

        def subheading(text: str, number: int = number, counted: Iterator[int] = counted) -> str:
            return style.paragraph(style.run(f"{number}.{next(counted)} {text}", bold=True), before=160, after=60)

        body.append(style.paragraph(style.run(f"{number}. {one.heading}", size=26, bold=True), before=240, after=80))
        body += [part.replace('w:after="0"', 'w:after="120"', 1) for part in style.pieces(one.pieces, subheading)]
    body += [
        style.paragraph(style.run("References", size=26, bold=True), before=240, after=80),
        *_references(style, paper),
    ]
    head = style.paragraph(style.run(f"{_listed(paper)[:40]} / {paper.short_title}", size=16), align="left")
    return _package(style, [*front, *body], _section(1, left=3600), head)


STYLES: Mapping[str, Callable[[KnownPaper], bytes]] = {"two-columns": two_columns, "side-column": side_column}
"""The layouts that LibreOffice sets, by their names."""


def set_by_libreoffice(papers: Sequence[KnownPaper], style: Callable[[KnownPaper], bytes], folder: Path) -> list[Path]:
    """Set the papers as PDFs in a folder. Raises EvaluationError where LibreOffice fails."""
    written = []
    for paper in papers:
        written.append(folder / f"{paper.name}.docx")
        written[-1].write_bytes(style(paper))
    profile = f"-env:UserInstallation=file://{folder / 'profile'}"
    command = ["soffice", profile, "--headless", "--convert-to", "pdf", "--outdir", str(folder), *map(str, written)]
    done = subprocess.run(command, capture_output=True, timeout=_SECONDS, check=False)
    made = [path.with_suffix(".pdf") for path in written]
    lacking = [path.name for path in made if not path.is_file()]
    if lacking:
        said = done.stderr.decode("utf-8", "replace").strip()[:200] or "nothing"
        raise EvaluationError(
            f"Expected soffice to set {lacking[0]}, it said: {said}. Install libreoffice-writer-nogui."
        )
    return made


def _listed(paper: KnownPaper) -> str:
    return ", ".join(one.name for one in paper.authors)


def _references(style: _Style, paper: KnownPaper) -> list[str]:
    return [
        style.paragraph(style.run(f"{number}. {entry}", size=17), align="left", indent=0, after=40)
        for number, entry in enumerate(paper.references, start=1)
    ]


def _section(columns: int, *, numbered: bool = False, left: int = 1300) -> str:
    """Return a section's settings; lengths in twentieths of a point."""
    kind = '<w:type w:val="continuous"/>' if numbered else ""
    numbers = '<w:lnNumType w:countBy="1" w:restart="newPage"/>' if numbered else ""
    edges = '<w:headerReference w:type="default" r:id="header"/><w:footerReference w:type="default" r:id="footer"/>'
    return (
        f'<w:sectPr>{edges}{kind}<w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1500" w:right="1300" w:bottom="1400" '
        f'w:left="{left}" w:header="700" w:footer="600"/>{numbers}<w:cols w:num="{columns}" w:space="480"/></w:sectPr>'
    )


def _package(style: _Style, paragraphs: Sequence[str], section: str, head: str) -> bytes:
    number = '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>PAGE</w:instrText></w:r>'
    number += '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    names = f'xmlns:w="{_W}" xmlns:r="{_R}"'
    parts = {
        "[Content_Types].xml": _TYPES,
        "_rels/.rels": _ROOT,
        "word/_rels/document.xml.rels": _LINKS,
        "word/document.xml": f"<w:document {names}><w:body>{''.join(paragraphs)}{section}</w:body></w:document>",
        "word/header.xml": f"<w:hdr {names}>{head}</w:hdr>",
        "word/footer.xml": f"<w:ftr {names}>{style.paragraph(number, align='center', indent=0)}</w:ftr>",
        "word/footnotes.xml": style.footnotes(),
    }
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as package:
        for name, text in parts.items():
            package.writestr(name, f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>{text}')
    return held.getvalue()
