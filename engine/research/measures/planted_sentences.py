"""A sentence of a document, said otherwise, is found there: `python -m engine.research planted_sentences --data DIR`.

DIR of --data holds a set of whole papers. Each of --count papers is asked about with one sentence of its body between
two of another paper's: with a third of its words dropped, with two thirds dropped, and with words changed for WordNet's
synonyms of the same part of speech (--wordnet, the folder of its files). The table says how often the evidence's pair
of passages shows that very sentence of the paper, by what reads the sentences beside their words, and for how long.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from engine import encoders
from engine.cli.terminal import Parser
from engine.core import files
from engine.documents import Document
from engine.documents.text import tokens
from engine.encoders import Encoder
from engine.evaluation.benchmarks import CORPUS, read_documents
from engine.library import KeywordIndex
from engine.research import measurement
from engine.research.measures.quotes import CHANGED, DROPPED, SET
from engine.research.nearness.revisions import Synonyms, changed, dropped
from engine.search import Vocabulary
from engine.search.evidence.sentences import PreparedText, best_pairs, prepare

ROWS = ("student", "student-large", "word2vec-sif")
COUNT, SEED = 300, 1
MOST_DROPPED = "two thirds of the words dropped"
_WORDS = (12, 40)

Form = Callable[[str, random.Random], str]


@dataclass(frozen=True, slots=True)
class Planted:
    """A paper, one sentence of it, and two sentences of another paper."""

    paper: PreparedText
    sentence: str
    beside: tuple[str, str]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure every row on every form, print the table and save it."""
    given = measurement.read_options(_parser(), arguments)
    forms: dict[str, Form] = {DROPPED: dropped, MOST_DROPPED: most_dropped}
    if given.wordnet is not None:
        synonyms = Synonyms(given.wordnet)
        forms[CHANGED] = lambda text, draw: changed(text, draw, synonyms)
    path = given.data / given.set / CORPUS
    corpus = read_documents(path)
    keywords = KeywordIndex.in_memory(corpus)
    vocabulary = Vocabulary.of(keywords)
    planted = planted_in(corpus, given.count, vocabulary)
    figures = {
        row: {form: found(planted, told, encoders.load(row), vocabulary) for form, told in forms.items()}
        for row in given.rows
    }
    words = ["--data", "DIR", "--set", given.set, "--rows", *given.rows, "--count", str(given.count)]
    words += ["--wordnet", "DIR"] if given.wordnet is not None else []
    facts = {"sentences": len(planted), "sha256": files.sha256_file(path)}
    facts |= measurement.circumstances("planted_sentences", words)
    title = "# Sentences that the evidence finds in their paper"
    text = "\n".join([title, "", *as_markdown(figures), *measurement.as_list(facts), ""])
    print(text)
    measurement.save(given.save, {**facts, "figures": figures}, text)


def planted_in(corpus: Sequence[Document], count: int, vocabulary: Vocabulary) -> list[Planted]:
    """Return a sentence of each of `count` documents, and two of the next document's, drawn by the seed."""
    order = sorted(corpus, key=lambda document: random.Random(f"{SEED} {document.id}").random())
    held: list[tuple[PreparedText, list[str]]] = []
    for document in order:
        prepared = prepare(document, vocabulary)
        usual = [one.text for one in prepared.sentences if _WORDS[0] <= len(tokens(one.text)) <= _WORDS[1]]
        if len(usual) > 2:
            held.append((prepared, usual))
        if len(held) > count:
            break
    chosen = []
    for (paper, own), (_, others) in pairwise(held):
        draw = random.Random(f"{SEED} {paper.document.id}")
        first, last = draw.sample(others, 2)
        chosen.append(Planted(paper, draw.choice(own), (first, last)))
    return chosen


def most_dropped(text: str, draw: random.Random) -> str:
    """Return a text without two thirds of its words."""
    words = text.split()
    kept = sorted(draw.sample(range(len(words)), max(1, len(words) // 3)))
    return " ".join(words[place] for place in kept)


def found(planted: Sequence[Planted], told: Form, encoder: Encoder, vocabulary: Vocabulary) -> dict[str, float]:
    """Return the share of sentences that the pair of passages shows, and the milliseconds that a paper takes."""
    right, seconds = 0, 0.0
    for one in planted:
        said = told(one.sentence, random.Random(f"{SEED} {one.sentence}"))
        text = f"{one.beside[0]} {said.rstrip('.')}. {one.beside[1]}"
        question = prepare(Document("question", "query", abstract=text), vocabulary)
        started = time.thread_time()
        (best,) = best_pairs([question], [one.paper], encoder=encoder, vocabulary=vocabulary)
        seconds += time.thread_time() - started
        right += best.pair is not None and best.pair.document.text == one.sentence
    return {"right": right / len(planted), "milliseconds": 1000 * seconds / len(planted)}


def as_markdown(figures: Mapping[str, Mapping[str, Mapping[str, float]]]) -> list[str]:
    """Return a line a form and row."""
    lines = [
        [form, row, f"{one['right']:.3f}", f"{one['milliseconds']:.1f}"]
        for row, forms in figures.items()
        for form, one in forms.items()
    ]
    return measurement.table(("the sentence", "read by", "found", "ms a paper"), sorted(lines))


def _parser() -> Parser:
    parser = measurement.make_parser("planted_sentences", __doc__)
    parser.add_argument("--set", default=SET, metavar="SET", help=f"of whole papers (default: {SET})")
    parser.add_argument("--rows", nargs="+", default=ROWS, metavar="ROW", help=f"default: {' '.join(ROWS)}")
    parser.add_argument("--count", type=int, default=COUNT, metavar="N", help=f"of sentences (default: {COUNT})")
    parser.add_argument("--wordnet", type=Path, metavar="DIR", help="WordNet's files; without, no words are changed")
    return parser
