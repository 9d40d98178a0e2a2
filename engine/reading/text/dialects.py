"""What Markdown's dialects add to CommonMark: pandoc, Quarto, MyST, Obsidian, and what converters of PDF leave.

Their marks go, and the words that they mark stay.
"""

from __future__ import annotations

import re

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_LEFT_OUT = re.compile(
    r"\([\w:.-]{1,100}\)=\s*"  # MyST: the name of the heading below
    r"|:{3}.*"  # pandoc, Quarto, MyST: a division begins or ends
    r"|\+{3}(?:\s.*)?"  # MyST: a cell ends
    r"|\{\d{1,5}\}-{10,}+\s*+"  # marker: a page ends
    r"|\{\{[<%].*[%>]\}\}\s*"  # Quarto, Hugo: a program is to write here
    r"|\[(?:TOC|\[_TOC_\])\]\s*|\\(?:newpage|pagebreak|tableofcontents|maketitle)\s*",
)
_OF_LATEX = (
    (re.compile(r"^\\title\{\s*+([^{}]{1,400})\}", re.MULTILINE), r"# \1"),
    (re.compile(r"^\\author\{\s*+([^{}]{1,2000})\}", re.MULTILINE), r"\1"),
    (re.compile(r"^\\section\*?\{([^{}\n]{1,300})\}", re.MULTILINE), r"\n## \1\n"),
    (re.compile(r"^\\subsection\*?\{([^{}\n]{1,300})\}", re.MULTILINE), r"\n### \1\n"),
    (re.compile(r"^\\subsubsection\*?\{([^{}\n]{1,300})\}", re.MULTILINE), r"\n#### \1\n"),
    (re.compile(r"^\\begin\{abstract\}", re.MULTILINE), "\n## Abstract\n"),
    (re.compile(r"^\\end\{abstract\}", re.MULTILINE), "\n"),
)
"""Mathpix and Nougat write LaTeX's title and headings among Markdown's."""
_COMMENT = "%%"
_ATTRIBUTES = re.compile(r"\{([^{}\n]{1,200})\}")
_ATTRIBUTE = re.compile(r"[#.][A-Za-z][\w:.-]*|-|[A-Za-z][\w-]*=\S*|:?[A-Za-z][\w-]*:")
_SPAN = re.compile(r"\[([^\[\]\n]{1,300})\](\{[^{}\n]{1,200}\})")
_LINK = re.compile(r"(!?)\[\[([^\[\]|\n]{1,300})(?:\|([^\[\]\n]{1,300}))?\]\]")
_NOTED = re.compile(r"\[\^[^\[\]\n]{1,60}\](?!:)")
"""Where a footnote is named in the text."""
_HIGHLIGHT = re.compile(r"==(?=\S)([^=\n]{1,300})==")
_BLOCK_NAME = re.compile(r"(?<=\S) \^[A-Za-z0-9-]{1,60}$")
_CALLOUT = re.compile(r"\[!\w{1,30}\][+-]? ?")


def without_latex(text: str) -> str:
    """A text with Markdown's headings for those of LaTeX."""
    if "\\" not in text:
        return text
    for pattern, written in _OF_LATEX:
        text = pattern.sub(written, text)
    return text


def common(lines: list[str]) -> list[str]:
    """The lines without those that a dialect alone understands; what stands in programs is kept."""
    kept: list[str] = []
    fence = ""
    comment = False
    for line in lines:
        found = _FENCE.match(line)
        if fence:
            fence = "" if found is not None and found[1].startswith(fence) else fence
        elif found is not None:
            fence = found[1]
        elif line.strip().startswith(_COMMENT) or comment:
            comment = comment != (line.count(_COMMENT) % 2 == 1)  # Obsidian: a comment may take several lines
            continue
        elif _LEFT_OUT.fullmatch(line.strip()):
            line = ""
        kept.append(line)
    return kept if not comment else lines


def plain(text: str) -> str:
    """A text without attributes of its spans, its links between pages by the words that they show."""
    text = _BLOCK_NAME.sub("", text)
    if "==" in text:
        text = _HIGHLIGHT.sub(r"\1", text)
    if "[" not in text and "{" not in text:
        return text
    text = _NOTED.sub("", _LINK.sub(_linked, text))
    text = _SPAN.sub(lambda match: match[1] if _is_attributes(match[2]) else match[0], text)
    return _CALLOUT.sub("", text) if text.startswith("[!") else text


def without_attributes(heading: str) -> str:
    """A heading without the attributes at its end, such as `{#sec:lids .unnumbered}` or `{-}`."""
    start = heading.rfind("{")
    if start > 0 and heading.endswith("}") and _is_attributes(heading[start:]):
        return heading[:start].rstrip()
    return heading


def after_link(text: str) -> str:
    """What follows a link or a picture without the attributes that belong to it."""
    match = _ATTRIBUTES.match(text)
    return text[match.end() :] if match is not None and _is_attributes(match[0]) else text


def _is_attributes(braced: str) -> bool:
    match = _ATTRIBUTES.fullmatch(braced)
    words = re.sub(r'"[^"]*"', "x", match[1]).split() if match is not None else []
    return bool(words) and all(_ATTRIBUTE.fullmatch(word) for word in words)


def _linked(match: re.Match[str]) -> str:
    if match[1]:
        return ""
    return match[3] or match[2].partition("#")[0] or match[2].lstrip("#")
