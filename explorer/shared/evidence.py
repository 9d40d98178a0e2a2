"""Why two texts are near, on screen: the ruler, the best pair of passages, the works that both cite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Literal

from engine import search
from engine.documents import Chunk, Reference
from engine.documents.markup import Markup, element, escaped, joined
from engine.documents.text import how_many
from engine.search import Reading, in_pieces
from explorer.shared.markup import typeset

_TICKS = ("duplicate", "cited", "same field", "unrelated")
"""The ruler's kinds of pairs by the rank of the word for them."""
_SHOWN_CHARACTERS = 700
QuestionForm = Literal["document", "question", "seeds"]
"""What a hit is compared with: a document, a text of a few sentences, or documents of the library."""
_ASKED: Mapping[QuestionForm, str] = {
    "document": "In your document",
    "question": "In your text",
    "seeds": "In one that you like",
}


def ruler(reading: Reading) -> Markup:
    """Return a line with the medians of the kinds of pairs, and a mark at the reading's cosine, near its word's tick.

    A word follows from shared words and the length of the texts, too. Where the cosine alone says another word, the
    mark stands at the nearest place that says the reading's own: no other tick is nearer.
    """
    ticks = [
        element("span", element("span", name), class_="ps-tick", style=_at(median))
        for name, median in reading.ruler.items()
    ]
    mark = element("span", class_="ps-mark", style=_at(_mark(reading)))
    return element("div", *ticks, mark, class_="ps-ruler", aria_hidden="true")


def reading_line(reading: Reading) -> Markup:
    """Return the word with its probability, the number, and the ruler that says what the number means.

    A bare topic has no ruler, whose marks come from whole texts.
    """
    word, rest = element("strong", reading.word), element("span", reading.in_words.removeprefix(reading.word))
    text = element("span", word, rest, class_="ps-reading-word", title=reading.meaning)
    if reading.is_of_topic or not reading.is_compared:
        return element("div", text, class_="ps-score")
    return element("div", ruler(reading), text, class_="ps-score")


def _mark(reading: Reading) -> float:
    """Return where on its ruler a reading stands: its cosine, but no nearer to another tick than to its word's.

    Where the ruler has no tick for the word, it stands between the two beside it.
    """
    medians, rank = reading.ruler, min(reading.rank, len(_TICKS) - 1)
    own = medians.get(_TICKS[rank])
    further = max((medians[name] for name in _TICKS[rank + 1 :] if name in medians), default=-1.0)
    nearer = min((medians[name] for name in _TICKS[:rank] if name in medians), default=2.0)
    lowest, highest = (end if own is None else (own + end) / 2 for end in (further, nearer))
    return min(highest if nearer <= 1 else 1.0, max(lowest if further >= 0 else 0.0, reading.cosine))


def _at(cosine: float) -> str:
    return f"left:{100 * min(1.0, max(0.0, cosine)):.1f}%"


def passage_pair(query: Chunk, document: Chunk, *, asked: QuestionForm = "document") -> Markup:
    """Return two passages side by side; below each other where the screen is narrow.

    A question has no section names. A word is marked in the form that each text has; words that any patent or paper
    uses ("said", "described") are not marked.
    """
    shared = shared_words(query, document)
    return element(
        "div",
        _passage(_ASKED[asked] if asked == "question" else _place(_ASKED[asked], query), query, shared),
        _passage(_place("In this one", document), document, shared),
        class_="ps-pair",
        role="group",
        aria_label="The two most similar passages",
    )


def shared_words(query: Chunk, document: Chunk) -> Set[str]:
    """Return the words of two passages that both have, in any form or spelling, without the words of their genre."""
    return search.shared_words(query.text, document.text)


def sentence_with_marks(chunk: Chunk, shared: Set[str]) -> Markup:
    """Return a passage in a line, the shared words emphasised."""
    return element("span", mark_words(with_cuts(" ".join(chunk.text.split())), shared))


def mark_words(text: str, shared: Set[str]) -> Markup:
    """Text with its formulas, the shared words emphasised."""
    return typeset(text, lambda words: _marked_words(words, shared))


def _marked_words(text: str, shared: Set[str]) -> Markup:
    return joined(element("mark", piece) if marked else escaped(piece) for piece, marked in in_pieces(text, shared))


def with_cuts(text: str) -> str:
    """Return a passage as it is shown: an ellipsis says where it was cut out of a longer sentence."""
    shown = text[:_SHOWN_CHARACTERS].rstrip()
    opened = f"… {shown}" if shown[:1].islower() else shown
    whole = len(shown) == len(text) and not shown[-1:].isalnum() and not shown.endswith((",", ";"))
    return opened if whole else f"{opened} …"


def _place(whose: str, chunk: Chunk) -> str:
    return f"{whose} · {chunk.place}" if chunk.place else whose


def _passage(heading: str, chunk: Chunk, shared: Set[str]) -> Markup:
    text = with_cuts(chunk.text)
    return element(
        "div", element("p", heading, class_="ps-quiet"), element("p", mark_words(text, shared)), class_="ps-passage"
    )


def both_cite(shared: Sequence[Reference]) -> Markup:
    """Return the entries of one document's list whose works the other cites, too; empty without any."""
    if not shared:
        return Markup("")
    entries = (element("li", one.text or one.title) for one in shared)
    label = element("summary", f"Both cite {how_many(len(shared), 'work')}")
    return element("details", label, element("ol", *entries), class_="ps-both-cite")
