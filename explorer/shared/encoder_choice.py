"""A short card beside the choice of an encoder: when to choose it, what it learnt from, what it costs here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.documents.markup import Markup, element
from explorer.shared import encoder_facts
from explorer.state.encoder_names import spoken

if TYPE_CHECKING:
    from engine.encoders import EncoderCard

_BYTES = {"float32": "4 bytes", "float16": "2 bytes", "int8": "one byte"}
_CORPORA = {
    "arxiv-abstracts": "arXiv abstracts",
    "arxiv-subject": "arXiv papers",
    "acm-citation": "ACM papers",
    "patents-abstracts": "patent abstracts",
    "patents-citation": "patents",
    "acl-long": "whole ACL papers",
    "pmc-long": "whole biomedical articles",
    "patents-long": "whole patents",
}


def choice_card(name: str, *, folded: bool = False) -> Markup:
    """What to know about an encoder before choosing it: two sentences and four facts, to open where `folded`."""
    card = encoder_facts.encoder_card(name)
    facts = {
        "Vector": vector_size(card),
        "Trained on": corpora(card),
        "Licence": card.licence,
        "Your library": _state(name),
    }
    rows = [element("div", element("dt", key), element("dd", value)) for key, value in facts.items()]
    summary = element("p", card.summary)
    label = f"About the encoder {spoken(name)}"
    told = [summary, element("dl", *rows)]
    if folded:
        told = [element("details", element("summary", "About this encoder"), *told)]
    return element("div", *told, class_="ps-choice", role="group", aria_label=label)


def vector_size(card: EncoderCard) -> str:
    """How many numbers a document becomes, and how much space each takes."""
    if not card.dim:
        return "known once it has read your library"
    if card.sparse:
        return f"a number for each of {card.dim:,} words"
    return f"{card.dim:,} numbers, {_BYTES[card.stored]} each"


def corpora(card: EncoderCard) -> str:
    """What an encoder learnt from, in words."""
    return ", ".join(_CORPORA.get(name, name) for name in card.trained_on) or "nothing"


def _state(name: str) -> str:
    size = encoder_facts.vector_bytes(name)
    return f"encoded, {size / 1000:.1f} KB a document" if size else "not encoded yet"
