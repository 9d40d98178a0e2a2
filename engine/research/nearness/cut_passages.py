"""Passages of whole documents, and what is known of any two of them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from engine.documents import Document
from engine.encoders.base import Encoder
from engine.evaluation.benchmarks import CORPUS, read_documents
from engine.evidence.nearness import TellingWords, pair
from engine.readings import Pair
from engine.research.nearness.asked import Shown
from engine.research.nearness.fields import APART, RELATED, SAME_WORK, SEED, Known, known_pairs
from engine.research.nearness.other_words import Synonyms, changed, dropped
from engine.rows import DenseRows
from engine.text import sentences

SETS = {"acl-long": "acl", "pmc-long": "pmc", "patents-long": "patents"}
_DOCUMENTS, _PASSAGES, _WORDS = 90, 4, 180
_NOT_RELATED_SAME_SET = frozenset({2, 3})


def passages_of(document: Document) -> list[str]:
    """The text of a document's body in passages of whole sentences, of about 180 words."""
    found: list[str] = []
    for part in document.parts:
        if part.role != "body":
            continue
        held: list[str] = []
        for span in sentences(part.text):
            held += part.text[span.start : span.stop].split()
            if len(held) >= _WORDS:
                found.append(" ".join(held[: 2 * _WORDS]))
                held = []
    return found


def passage_pairs(data: Path, encoder: Encoder, synonyms: Synonyms | None) -> tuple[list[Shown], list[str]]:
    """Pairs of a passage with the nearest passage of another document, and with itself in other words.

    The second list names each pair's set. A question is a number of a passage that asks.
    """
    texts: dict[str, dict[str, list[str]]] = {}
    related: dict[str, frozenset[frozenset[str]]] = {}
    for folder, name in SETS.items():
        related[name] = known_pairs(data / folder / "pairs.tsv")
        texts[name] = _drawn(read_documents(data / folder / CORPUS), related[name])
    rows = {name: {one: _rows(encoder, held) for one, held in documents.items()} for name, documents in texts.items()}
    shown: list[Shown] = []
    sets: list[str] = []
    for name, documents in texts.items():
        for id_, held in documents.items():
            number, draw = len(shown), random.Random(f"{SEED} {id_}")
            asking, row = held[0], rows[name][id_][0]
            for other, known in _others(name, id_, texts, related, draw):
                of, there = other
                shown.append(Shown(number, _nearest(asking, row, texts[of][there], rows[of][there]), known, False))
                sets.append(name)
            forms = [dropped(asking, draw), *([changed(asking, draw, synonyms)] if synonyms else [])]
            for form, form_row in zip(forms, _rows(encoder, forms), strict=True):
                shown.append(Shown(number, _nearest(form, form_row, held, rows[name][id_]), SAME_WORK, False))
                sets.append(name)
    return shown, sets


def _drawn(corpus: Sequence[Document], related: frozenset[frozenset[str]]) -> dict[str, list[str]]:
    """The passages of some documents by their ids: pairs of related ones, drawn by the seed."""
    held = {one.id: one for one in corpus}
    order = sorted(sorted(tuple(sorted(each)) for each in related if len(each) == 2))
    random.Random(SEED).shuffle(order)
    found: dict[str, list[str]] = {}
    for each in order:
        if len(found) >= _DOCUMENTS:
            break
        cut = {id_: passages_of(held[id_]) for id_ in each if id_ in held}
        if len(cut) == 2 and all(len(one) >= _PASSAGES for one in cut.values()):
            for id_, one in cut.items():
                found.setdefault(id_, random.Random(f"{SEED} {id_}").sample(one, _PASSAGES))
    return found


def _others(
    name: str,
    id_: str,
    texts: dict[str, dict[str, list[str]]],
    related: dict[str, frozenset[frozenset[str]]],
    draw: random.Random,
) -> list[tuple[tuple[str, str], Known]]:
    """Documents to look for the nearest passage in: the related, some of the same set, some of each other one."""
    same = [one for one in texts[name] if one != id_]
    close = [one for one in same if frozenset({one, id_}) in related[name]]
    rest = draw.sample([one for one in same if one not in close], 4)
    found = [((name, one), RELATED) for one in close[:4]]
    found += [((name, one), frozenset({2}) if name == "acl" else _NOT_RELATED_SAME_SET) for one in rest]
    for other in texts:
        far = {name, other} != {"acl", "patents"}
        if other != name and far:
            found += [((other, one), APART) for one in draw.sample(sorted(texts[other]), 4)]
    return found


def _nearest(asking: str, row: DenseRows, texts: Sequence[str], rows: DenseRows) -> Pair:
    cosines = rows @ row
    best = int(cosines.argmax())
    return pair(TellingWords.of(asking), TellingWords.of(texts[best]), float(cosines[best]))


def _rows(encoder: Encoder, texts: Sequence[str]) -> DenseRows:
    """The rows (n, dim) of passages, which are read as questions are: whole."""
    documents = [Document(f"passage {number}", "query", abstract=text) for number, text in enumerate(texts)]
    return np.asarray(encoder.encode_queries(documents), np.float32)
