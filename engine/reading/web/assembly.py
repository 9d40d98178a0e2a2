"""The parts of a page into stretches under headings: what stands in which section."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from engine.documents.text import normalised_title
from engine.reading.text.headings import Marked, Role, find
from engine.reading.text.outline import Stretch
from engine.reading.web.prose import Part

_LABEL = 400  # characters, within which a paragraph of key words stays
_FURNITURE_HEADINGS = re.compile(
    r"(?:about this article|rights and permissions|cite this article|share(?: this)?(?: article)?|(?:similar|"
    r"related) (?:articles|content|posts|stories|papers|works)(?: being viewed by others)?|(?:\d+ )?comments?|"
    r"leave a (?:reply|comment)|navigation(?: menu)?|metrics|download (?:references|pdf|citation)|menu|"
    r"you (?:may|might) also like|cited by|advertisement|search|subscribe|newsletter|publisher.s note|linkout.*|"
    r"grants and funding|actions|on this page|page navigation|cite|access options|article metrics|"
    r"export citation|most read|recommended(?: articles| for you)?|table of contents|contents|quick links|views|"
    r"tools|personal tools|author information|affiliations|similar content.*|mesh terms|resources)",
    re.IGNORECASE,
)


def stretches_of(found: Iterable[Part], title: str) -> Iterator[Stretch]:
    """The stretches of a page; furniture that has a heading of its own is left out with it."""
    assembly = _Assembly(title)
    for part in found:
        for one in _with_keywords(part):
            yield from assembly.add(one)
    yield assembly.current


class _Assembly:
    """The stretch that goes on, and what was seen before it."""

    def __init__(self, title: str) -> None:
        self.current = Stretch("", "body", wrapped=False)
        self._title = normalised_title(title)
        self._marked = Marked()
        self._abstract_level = self._skipped_level = 0
        self._has_abstract = self._wants_keywords = False

    def add(self, part: Part) -> Iterator[Stretch]:
        """The stretches that end with this part."""
        if part.kind == "heading":
            yield from self._heading(part)
        elif self._skipped_level:
            return
        elif part.kind == "keywords" or self._wants_keywords:
            yield self._keywords(part.text)
        elif part.kind == "abstract":
            role: Role = "body" if self._has_abstract else "abstract"
            yield from self._apart(Stretch("Abstract", role, [part.text], wrapped=False))
            self._has_abstract = True
        elif part.kind == "references":
            if not part.text and not self.current.lines:
                part, self.current = replace(part, text=self.current.title), Stretch("")
            yield from self._apart(Stretch(part.text, "references", part.entries, wrapped=False))
        else:
            self._text(part.text)

    def _heading(self, part: Part) -> Iterator[Stretch]:
        if self._skipped_level and part.level > self._skipped_level:
            return
        self._skipped_level = part.level if _FURNITURE_HEADINGS.fullmatch(part.text) else 0
        if self._skipped_level or normalised_title(part.text) == self._title:
            return
        if self.current.role == "abstract" and part.level > self._abstract_level > 0:
            self.current.lines.extend(["", f"{part.text.rstrip(':. ')}: "])
            return
        heading = self._marked.add(part.text, part.level)
        yield self.current
        self.current = Stretch(heading.title, heading.role, wrapped=False)
        self._abstract_level = part.level if heading.role == "abstract" else 0

    def _apart(self, stretch: Stretch) -> Iterator[Stretch]:
        """The stretch before, and one that ends with its element."""
        yield from (self.current, stretch)
        self.current = Stretch("", "body", wrapped=False)

    def _keywords(self, text: str) -> Stretch:
        """Key words; where only their label stands here, the next paragraph is theirs."""
        label = find([text], 0, "front")
        words = text if label is None or self._wants_keywords else label.rest
        self._wants_keywords = not words
        return Stretch("Keywords", "keywords", [words], wrapped=False)

    def _text(self, text: str) -> None:
        lines = self.current.lines
        if self.current.role == "abstract":
            self._has_abstract = True
            if lines and lines[-1].endswith(": "):
                lines[-1] += text
                return
        lines.extend([text] if self.current.role == "references" else ["", text])


def _with_keywords(part: Part) -> Iterator[Part]:
    """A part, its paragraphs that name the key words as parts of their own."""
    texts = part.text.split("\n\n") if part.kind == "abstract" else [part.text] if part.kind == "text" else []
    named = [text for text in texts if _is_keywords(text)]
    if not named:
        yield part
        return
    if part.kind == "abstract":
        yield replace(part, text="\n\n".join(text for text in texts if text not in named))
    yield from (Part("keywords", text) for text in named)


def _is_keywords(text: str) -> bool:
    label = find([text], 0, "front") if len(text) < _LABEL else None
    return label is not None and label.role == "keywords"
