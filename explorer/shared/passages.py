"""The best passage pair: the query's sentence beside the hit's, with the words they share marked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Set
from typing import Literal

from engine.documents import Chunk
from engine.documents.markup import Markup, element, escaped, joined
from engine.documents.text import content_tokens, stems
from explorer.shared.formulas import typeset

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_SHOWN_CHARACTERS = 700

Asked = Literal["document", "question", "seeds"]
"""What a hit is compared with: a document, a text of a few sentences, or documents of the library."""

_ASKED: Mapping[Asked, str] = {
    "document": "In your document",
    "question": "In your text",
    "seeds": "In one that you like",
}


def passage_pair(query: Chunk, document: Chunk, *, asked: Asked = "document") -> Markup:
    """Two passages side by side; below each other where the screen is narrow.

    A question has no section names. A word is marked in the form that each text has; words that any patent or paper
    uses ("said", "described") are not marked.
    """
    shared = shared_stems(query, document)
    return element(
        "div",
        _passage(_ASKED[asked] if asked == "question" else _place(_ASKED[asked], query), query, shared),
        _passage(_place("In this one", document), document, shared),
        class_="ps-pair",
        role="group",
        aria_label="The two most similar passages",
    )


def shared_stems(query: Chunk, document: Chunk) -> Set[str]:
    """The stems of the words that two passages share, without the words of their genre."""
    from engine.search import GENRE_WORDS

    ours, theirs = (_stems({*content_tokens(chunk.text)} - GENRE_WORDS) for chunk in (query, document))
    return ours & theirs


def sentence_with_marks(chunk: Chunk, shared: Set[str]) -> Markup:
    """A passage in a line, the words of the shared stems emphasised."""
    return element("span", marked(with_cuts(" ".join(chunk.text.split())), shared))


def marked(text: str, shared: Set[str]) -> Markup:
    """Text with its formulas, the words of the shared stems emphasised."""
    return typeset(text, lambda words: _marked_words(words, shared))


def _marked_words(text: str, shared: Set[str]) -> Markup:
    pieces: list[str] = []
    position = 0
    for match in _WORD.finditer(text):
        if not shared & _stems(content_tokens(match.group())):
            continue
        pieces += [escaped(text[position : match.start()]), element("mark", match.group())]
        position = match.end()
    return joined([*pieces, escaped(text[position:])])


def _stems(words: Iterable[str]) -> set[str]:
    return set(stems(list(words)))


def with_cuts(text: str) -> str:
    """The passage as it is shown: an ellipsis says where it was cut out of a longer sentence."""
    shown = text[:_SHOWN_CHARACTERS].rstrip()
    opened = f"… {shown}" if shown[:1].islower() else shown
    whole = len(shown) == len(text) and not shown[-1:].isalnum() and not shown.endswith((",", ";"))
    return opened if whole else f"{opened} …"


def _place(whose: str, chunk: Chunk) -> str:
    return f"{whose} · {chunk.place}" if chunk.place else whose


def _passage(heading: str, chunk: Chunk, shared: Set[str]) -> Markup:
    text = with_cuts(chunk.text)
    return element(
        "div", element("p", heading, class_="ps-quiet"), element("p", marked(text, shared)), class_="ps-passage"
    )
