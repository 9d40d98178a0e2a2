"""Small DOCX files for the tests, written part by part, and a paper as Word writes it."""

from __future__ import annotations

import io
import zipfile
from xml.sax.saxutils import escape

from engine.reading.base import ReadFile
from engine.reading.dispatch import read_bytes
from engine.reading.limits import Limits

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_TYPES = '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'

STYLES = (
    f'<?xml version="1.0" encoding="UTF-8"?><w:styles {_W}>'
    '<w:style w:styleId="Normal"><w:name w:val="Normal"/></w:style>'
    '<w:style w:styleId="Title"><w:name w:val="Title"/></w:style>'
    '<w:style w:styleId="berschrift1"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>'
    '<w:style w:styleId="berschrift2"><w:name w:val="heading 2"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>'
    '<w:style w:styleId="Mine"><w:name w:val="My own"/><w:basedOn w:val="berschrift2"/></w:style>'
    '<w:style w:styleId="Loop"><w:name w:val="Loop"/><w:basedOn w:val="Loop"/></w:style>'
    '<w:style w:styleId="Titre1"><w:name w:val="Titre 1"/></w:style>'
    '<w:style w:styleId="TOC1"><w:name w:val="toc 1"/></w:style>'
    '<w:style w:styleId="Abs"><w:name w:val="Abstract"/></w:style>'
    '<w:style w:styleId="Bib"><w:name w:val="Bibliography"/></w:style>'
    '<w:style w:styleId="Up"><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style>'
    '<w:style w:styleId="Upper"><w:basedOn w:val="Up"/></w:style>'
    "</w:styles>"
)


def paragraph(text: str, style: str = "", properties: str = "") -> str:
    """A paragraph of one run."""
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    return f"<w:p><w:pPr>{named}{properties}</w:pPr><w:r><w:t>{escape(text)}</w:t></w:r></w:p>"


def item(text: str) -> str:
    """An item of a list."""
    return paragraph(text, properties='<w:numPr><w:ilvl w:val="0"/></w:numPr>')


def table(*rows: tuple[str, ...]) -> str:
    """A table of paragraphs that are written already."""
    cells = ("".join(f"<w:tc>{cell}</w:tc>" for cell in row) for row in rows)
    return f"<w:tbl>{''.join(f'<w:tr>{one}</w:tr>' for one in cells)}</w:tbl>"


def document(*blocks: str) -> str:
    """The main part."""
    return f'<?xml version="1.0" encoding="UTF-8"?><w:document {_W}><w:body>{"".join(blocks)}</w:body></w:document>'


def core(title: str) -> str:
    """The properties with a title."""
    return (
        '<cp:coreProperties xmlns:cp="c" xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<dc:title>{escape(title)}</dc:title></cp:coreProperties>"
    )


def docx(*blocks: str, parts: dict[str, str] | None = None) -> bytes:
    """A whole file: blocks of the main part, and further parts by their names."""
    return archive({"word/document.xml": document(*blocks), "word/styles.xml": STYLES, **(parts or {})})


def archive(parts: dict[str, str]) -> bytes:
    """A ZIP archive of the parts, after the list of types that each has."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("[Content_Types].xml", _TYPES)
        for name, text in parts.items():
            file.writestr(name, text)
    return held.getvalue()


TITLE = paragraph("Kettles that do not whistle", "Title")


ABSTRACT = (paragraph("Abstract", "berschrift1"), paragraph("We make kettles quiet."))


METHOD = (paragraph("1. Method", "berschrift1"), paragraph("A lid rests on a seal."))


PAPER = docx(
    TITLE,
    *ABSTRACT,
    *METHOD,
    item("cats"),
    item("dogs"),
    paragraph("Measures", "Mine"),
    table((paragraph("lid"), paragraph("3 dB")), (paragraph("none"), paragraph("80 dB"))),
    paragraph("References", "berschrift1"),
    paragraph("Lind, A. Quiet lids. 1999."),
    paragraph("Lovelace, A. Notes. 1843."),
)


def read(data: bytes, limits: Limits | None = None) -> ReadFile:
    return read_bytes(data, "a.docx") if limits is None else read_bytes(data, "a.docx", limits)
