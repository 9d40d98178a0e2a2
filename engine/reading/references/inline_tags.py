"""HTML, JATS and MathML as reference files and services carry them in titles and abstracts, into plain text."""

from __future__ import annotations

import html
import re

from engine.documents.text import without_tags

_NAMES = r"/?(?:[a-z]{2,4}:)?(?:i|b|u|p|em|br|sub|sup|inf|scp|span|div|strong|italic|bold|title|sec|math|m[a-z]{1,10})"
_ESCAPED = re.compile(rf"&(?:amp;)?lt;{_NAMES}(?:\s[^<>&]{{0,200}})?/?&(?:amp;)?gt;", re.IGNORECASE)
_TEX = re.compile(
    r"<(?:[a-z]{2,4}:)?(?:tex-math|annotation)\b[^<>]*+>[^<>]*+</(?:[a-z]{2,4}:)?(?:tex-math|annotation)\s*+>",
    re.IGNORECASE,
)
_MATH = re.compile(r"<(?:[a-z]{2,4}:)?math\b", re.IGNORECASE)
_BREAK = re.compile(r"<(?:[a-z]{2,4}:)?br\s*+/?>", re.IGNORECASE)
_HEADING = re.compile(
    r"<(?P<tag>(?:[a-z]{2,4}:)?title|h[1-6])\b[^<>]*+>(?P<text>[^<>]*+)</(?P=tag)\s*+>\s*+", re.IGNORECASE
)
_BLOCK = re.compile(r"</?(?:[a-z]{2,4}:)?(?:p|sec|div|list|list-item|ul|ol|li|abstract|title)\b[^<>]*+>", re.IGNORECASE)
_OF_THE_WHOLE = frozenset("abstract summary zusammenfassung résumé resumen resumo riassunto sommario 摘要".split())
"""Headings of an abstract that say no more than that it is one."""


def title_without_tags(text: str) -> str:
    """A title, name or venue on one line, without tags; `H<sub>2</sub>O` is H2O."""
    return text if "<" not in text and "&" not in text else _without(_BREAK.sub(" ", _opened(text)))


def abstract_without_tags(text: str) -> str:
    """An abstract without tags, in paragraphs where the tags make them; the heading "Abstract" goes."""
    if "<" not in text and "&" not in text:
        return text
    text = _BREAK.sub("\n", _opened(text))
    headed = _HEADING.sub(_heading, text)
    parts = _BLOCK.split(headed)
    if len(parts) == 1 and headed == text:
        return _without(text)
    lines = (" ".join(_without(part).split()) for part in parts)
    return "\n\n".join(line for line in lines if line).replace(":\n\n", ": ")


def _heading(match: re.Match[str]) -> str:
    words = match["text"].strip().rstrip(":.")
    return "<p>" if not words or words.lower() in _OF_THE_WHOLE else f"<p>{words}: "


def _opened(text: str) -> str:
    """Text whose tags stand as tags, and whose formulas stand once."""
    if _ESCAPED.search(text):
        text = html.unescape(text.replace("&amp;lt;", "&lt;").replace("&amp;gt;", "&gt;"))
    return _TEX.sub("", text) if _MATH.search(text) else text


def _without(text: str) -> str:
    """Text without tags, its named characters as they are; some programs escape them twice."""
    text = html.unescape(without_tags(text, gap=""))
    return html.unescape(text) if "&" in text else text
