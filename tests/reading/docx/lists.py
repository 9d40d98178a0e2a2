"""Word's lists for the tests: their definitions, and paragraphs that count in them."""

from __future__ import annotations

from tests.reading.docx.writer import paragraph

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def level(at: int, form: str, text: str, style: str = "", start: int = 1) -> str:
    """One level of a definition; `style` is the one that it stands for."""
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    marks = f'<w:start w:val="{start}"/><w:numFmt w:val="{form}"/>{named}<w:lvlText w:val="{text}"/>'
    return f'<w:lvl w:ilvl="{at}">{marks}</w:lvl>'


def definition(number: int, *levels: str) -> str:
    return f'<w:abstractNum w:abstractNumId="{number}">{"".join(levels)}</w:abstractNum>'


def use(number: int, of: int, start: int | None = None) -> str:
    """A list that counts by a definition; with `start` it begins again there."""
    again = f'<w:lvlOverride w:ilvl="0"><w:startOverride w:val="{start}"/></w:lvlOverride>' if start else ""
    return f'<w:num w:numId="{number}"><w:abstractNumId w:val="{of}"/>{again}</w:num>'


def numbering(*parts: str) -> str:
    """The file's part of lists."""
    return f"<w:numbering {_W}>{''.join(parts)}</w:numbering>"


def counted(text: str, number: int, at: int = 0) -> str:
    """A paragraph of a list."""
    return paragraph(text, properties=f'<w:numPr><w:ilvl w:val="{at}"/><w:numId w:val="{number}"/></w:numPr>')
