"""Passages as a library keeps and shows them, and what is known of any two of them."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from engine.core.rows import DenseRows
from engine.documents import Document
from engine.documents.text import sentences
from engine.evaluation.benchmarks import CORPUS, read_documents
from engine.research.nearness.asked import Shown
from engine.research.nearness.fields import APART, RELATED, SAME_WORK, SEED, Known, known_pairs
from engine.research.nearness.other_words import Synonyms, changed, dropped
from engine.search import Pair, PassageReader, TellingWords, pair_of

SETS = {"acl-long": "acl", "pmc-long": "pmc", "patents-long": "patents"}
_DOCUMENTS, _FEWEST_WORDS = 90, 800
_OF_EACH_KIND = 4  # of documents that are related, of the same set, and of each other one
_ONE_FIELD, _FIELD_OR_FURTHER = frozenset({2}), frozenset({2, 3})


class _Read:
    """The passages of a document: their texts, their rows (n, dim) and their telling words."""

    def __init__(self, texts: Sequence[str], rows: DenseRows) -> None:
        self.texts, self.rows = texts, rows
        self.words = [TellingWords.of(text) for text in texts]

    def best(self, asking: _Read) -> Pair:
        """The pair of one of the asking passages and one of these whose rows are nearest, as a hit shows it."""
        cosines = asking.rows @ self.rows.T
        ours, theirs = np.unravel_index(int(cosines.argmax()), cosines.shape)
        return pair_of(asking.words[int(ours)], self.words[int(theirs)], float(cosines[ours, theirs]))


def passage_pairs(data: Path, reader: PassageReader, synonyms: Synonyms | None) -> tuple[list[Shown], list[str]]:
    """The best pairs of passages that a hit would show: of a passage or a whole document with other documents.

    A quote from a passage, and a passage in other words, ask their own document, too. The second list names each pair's
    set; a question is a number of a document that asks.
    """
    related = {name: known_pairs(data / folder / "pairs.tsv") for folder, name in SETS.items()}
    held = {
        name: {one.id: _read(reader, one) for one in _drawn(read_documents(data / folder / CORPUS), related[name])}
        for folder, name in SETS.items()
    }
    shown: list[Shown] = []
    sets: list[str] = []
    for name, documents in held.items():
        for id_, whole in documents.items():
            number, draw = len(shown), random.Random(f"{SEED} {id_}")
            one = draw.randrange(len(whole.texts))
            single = _Read([whole.texts[one]], whole.rows[[one]])
            forms = [quote(single.texts[0], draw), dropped(single.texts[0], draw)]
            forms += [changed(single.texts[0], draw, synonyms)] if synonyms else []
            known = [(single, whole, SAME_WORK) for single in _each(reader, forms)]
            for other, of_pair in _others(name, id_, held, related, draw):
                known += [(asking, other, of_pair) for asking in (single, whole)]
            shown += [Shown(number, there.best(asking), of_pair, False) for asking, there, of_pair in known]
            sets += [name] * len(known)
    return shown, sets


def quote(text: str, draw: random.Random) -> str:
    """Half of the sentences of a passage, one after another."""
    spans = sentences(text)
    count = max(1, len(spans) // 2)
    first = draw.randrange(len(spans) - count + 1)
    return text[spans[first].start : spans[first + count - 1].stop]


def _drawn(corpus: Sequence[Document], related: frozenset[frozenset[str]]) -> list[Document]:
    """Documents of many passages, in pairs of related ones, drawn by the seed."""
    held = {one.id: one for one in corpus if len(one.text.split()) > _FEWEST_WORDS}
    order = sorted(sorted(tuple(sorted(each)) for each in related if len(each) == 2))
    random.Random(SEED).shuffle(order)
    found = dict.fromkeys(id_ for each in order if all(one in held for one in each) for id_ in each)
    return [held[id_] for id_ in list(found)[:_DOCUMENTS]]


def _others(
    name: str,
    id_: str,
    held: Mapping[str, Mapping[str, _Read]],
    related: Mapping[str, frozenset[frozenset[str]]],
    draw: random.Random,
) -> list[tuple[_Read, Known]]:
    """Documents that are asked: the related ones, some of the same set, and some of each other one."""
    same = [one for one in held[name] if one != id_]
    close = [one for one in same if frozenset({one, id_}) in related[name]]
    rest = _strangers(held[name], id_, [one for one in same if one not in close], draw)
    found = [(held[name][one], RELATED) for one in close[:_OF_EACH_KIND]]
    found += [(held[name][one], _ONE_FIELD if name == "acl" else _FIELD_OR_FURTHER) for one in rest]
    for other in held:
        if other != name and {name, other} != {"acl", "patents"}:  # both of these are of computing
            found += [(held[other][one], APART) for one in draw.sample(sorted(held[other]), _OF_EACH_KIND)]
    return found


def _strangers(held: Mapping[str, _Read], id_: str, others: Sequence[str], draw: random.Random) -> list[str]:
    """Documents that are not related: half of them the nearest, as a search shows, half drawn."""
    nearest = sorted(others, key=lambda one: -held[one].best(held[id_]).cosine)[: _OF_EACH_KIND // 2]
    return nearest + draw.sample([one for one in others if one not in nearest], _OF_EACH_KIND - len(nearest))


def _read(reader: PassageReader, document: Document) -> _Read:
    passages = reader.cut(document)
    return _Read([one.text for one in passages], reader.encode([(document, passages)]))


def _each(reader: PassageReader, texts: Sequence[str]) -> list[_Read]:
    """Each text as a question of one passage."""
    found = []
    for number, text in enumerate(texts):
        document = Document(f"passage {number}", "query", abstract=text)
        passages = reader.cut(document)[:1]
        found.append(_Read([text], reader.encode([(document, passages)])))
    return found
