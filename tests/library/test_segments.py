"""Words in segments: whatever was added, changed and removed, a plain dense reference gives the same scores."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.documents import Document, text
from engine.library import Library, keywords, postings, segments
from engine.library.keywords import KeywordIndex
from engine.library.postings import K1, K3, QUESTION_TERMS, B, term_counts
from engine.library.segments import MOST_COUNT, TermCounts, TermSegment

ROOTS = [f"{first}{second}ct" for first in ("ba", "fo", "mu", "ki", "zu") for second in ("nda", "pfo", "rbu", "xki")]
FORMS = [root + ending for root in ROOTS for ending in ("", "s", "ed", "ing")]
WORDS = [*FORMS, *(f"{one}{two}x" for one in ROOTS for two in ROOTS)]


def drawn(draw: random.Random, count: int) -> str:
    """Some words, the first of the list more often than the last."""
    return " ".join(WORDS[int(len(WORDS) * draw.random() ** 3)] for _ in range(count))


def documents(seed: int, count: int, name: str = "d") -> list[Document]:
    draw = random.Random(seed)
    found = [Document(f"{name}{n}", title=drawn(draw, 3), abstract=drawn(draw, 2 * n % 70)) for n in range(count)]
    return [*found, Document(f"{name}same", abstract=found[0].text), Document(f"{name}two", title="non-linear banda")]


def by_term(counts: Mapping[str, int], *, stemmed: bool) -> Counter[str]:
    """Return the counts of tokens as those of stems, or as they are."""
    found: Counter[str] = Counter()
    for term, count in zip(text.stems(list(counts)) if stemmed else counts, counts.values(), strict=True):
        found[term] += count
    return found


def dense(counted: Sequence[Mapping[str, int]], question: Mapping[str, int], *, stemmed: bool) -> NDArray[np.float64]:
    """Return the scores (n,) of documents by the counts of their tokens, with a matrix of all in float64."""
    counts, asked = [by_term(each, stemmed=stemmed) for each in counted], by_term(question, stemmed=stemmed)
    known = [term for term in asked if any(term in each for each in counts)]
    tf = np.array([[each[term] for term in known] for each in counts], np.float64)  # (n, terms)
    lengths = np.array([sum(count for term, count in each.items() if "-" not in term) for each in counts], np.float64)
    found = (tf > 0).sum(axis=0)
    idf = np.maximum(np.log((len(counts) - found + 0.5) / (found + 0.5)), 1e-6)
    times = np.array([asked[term] * (K3 + 1) / (asked[term] + K3) for term in known])
    telling = np.argsort(-(times * idf).astype(np.float32), kind="stable")[:QUESTION_TERMS]
    length = 1 - B + B * lengths[:, None] / max(lengths.mean(), 1)
    scores: NDArray[np.float64] = (tf * (K1 + 1) / (tf + K1 * length) * idf * times)[:, telling].sum(axis=1)
    return scores


def check(index: KeywordIndex, held: Sequence[Document], seed: int) -> None:
    """Compare all that an index answers with the dense reference, and with a fresh index of the same documents."""
    draw, fresh, ids = random.Random(seed), KeywordIndex.in_memory(held), [document.id for document in held]
    counted = [term_counts(document) for document in held]
    some = draw.sample(ids, len(ids) // 2)
    for asked, stemmed in product((3, 60, 1_000), (False, True)):
        question = term_counts(Document("q", abstract=drawn(draw, asked)))
        hits, scores = index.search(question, len(held), stemmed=stemmed), dense(counted, question, stemmed=stemmed)
        places = [ids.index(hit.id) for hit in hits]
        np.testing.assert_allclose([hit.score for hit in hits], scores[places], rtol=1e-5)
        assert sorted(places) == np.flatnonzero(scores).tolist()
        ranked = [(-hit.score, place) for hit, place in zip(hits, places, strict=True)]
        assert ranked == sorted(ranked)  # ties as imported
        assert hits == fresh.search(question, len(held), stemmed=stemmed)
        among = [each.search(question, 9, within=some, stemmed=stemmed) for each in (index, fresh)]
        assert among[0] == among[1]
        assert index.spread(question, stemmed=stemmed) == pytest.approx(scores.std(), rel=1e-4)
        assert index.weights(question) == fresh.weights(question)
    words = [*draw.sample(WORDS, 30), "nonlinear", "non-linear"]
    assert index.holders(words) == fresh.holders(words)
    assert [index.holds(word) for word in words] == [bool(ids) for ids in index.holders(words)]
    pairs = [draw.sample(WORDS[:40], 2) for _ in range(30)]
    for above in (0, 3):
        assert index.holding(pairs, above=above) == fresh.holding(pairs, above=above)
    frequencies = index.frequencies()
    assert [frequencies.get(word, 0) for word in WORDS] == [sum(word in each for each in counted) for word in WORDS]
    assert index.lengths() == fresh.lengths() and index.size == len(held) == frequencies.documents
    assert (index.holds_long, index.long_ids) == (fresh.holds_long, fresh.long_ids)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let segments be full after a few documents, and let one query read fewer."""
    monkeypatch.setattr(segments, "FULL", 2_000)
    monkeypatch.setattr(keywords, "FULL", 2_000)
    monkeypatch.setattr(keywords, "_PAGE", 7)


@pytest.fixture(params=[False, True], ids=["arrays", "machine code"])
def large(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let libraries be asked as small ones are, and as those that are large enough for machine code."""
    monkeypatch.setattr(postings, "_MANY_COUNTS", -1 if request.param else 2**62)


@pytest.mark.usefixtures("large")
@pytest.mark.parametrize("seed", range(3))
def test_scores_are_those_of_a_dense_reference(seed: int) -> None:
    held = documents(seed, 60)
    check(KeywordIndex.in_memory(held), held, seed)


@pytest.mark.usefixtures("small", "large")
@pytest.mark.parametrize("seed", range(2))
def test_a_library_answers_alike_after_every_import_change_and_removal(tmp_path: Path, seed: int) -> None:
    draw = random.Random(seed)
    with Library.open(tmp_path, create=True) as library, Library.open(tmp_path) as other:
        assert (library.keywords.search("banda", 5), library.keywords.lengths()) == ([], {})
        for step in range(12):
            new = documents(100 * seed + step, draw.choice([1, 3, 30]), f"d{step}-")
            library.add_file(f"k{step}", f"n{step}", new)
            if step % 3 == 2:
                library.remove(draw.sample(library.ids(), draw.choice([1, 5])))
            if step % 4 == 3:
                bare = Document(f"bare{step}", title=f"Stable flight of {step} kites", year=2015, authors=("Ada Gale",))
                library.add_file(f"b{step}", "b", [bare])
                assert library.keywords.search("gusts kites", 99)[-1].id == bare.id
                library.add_file(f"f{step}", "f", [replace(bare, id="full", abstract="We fly them in gusts.")])
            if step % 2:
                held = library.get(library.summaries().ids)
                check(library.keywords, held, step)
                check(other.keywords, held, step)
        library.remove(library.ids()[: 2 * len(library) // 3])
        check(library.keywords, library.get(library.summaries().ids), seed)
        library.add_file("last", "last", documents(999, 2, "last"))
        assert library.keywords._postings().holes == 0  # most were gone, so all was read again
        check(library.keywords, library.get(library.summaries().ids), seed)


def test_a_segment_holds_a_document_in_five_bytes_or_six() -> None:
    counts = TermCounts(np.array([0, 2, 3]), np.array([0, 1, 1], np.uint32), np.array([1, 255, 1], np.uint16))
    few = TermSegment.of(counts, 0, 2)
    assert (few.starts.dtype, few.rows.dtype, few.counts.dtype) == (np.int32, np.int32, np.uint8)
    later = replace(counts, numbers=np.array([1, 3, 3], np.uint32), counts=np.array([1, 256, 1], np.uint16))
    more = TermSegment.of(later, 2, 5)
    assert (more.first, more.documents, more.numbers.tolist(), more.found.tolist()) == (2, 2, [1, 3], [1, 2])
    both = few.joined(more)
    assert (both.rows.dtype, both.counts.dtype, both.first, both.documents) == (np.int32, np.uint16, 0, 4)
    assert [each.tolist() for each in (both.numbers, both.starts, both.rows, both.counts)] == [
        [0, 1, 3],
        [0, 1, 4, 6],
        [0, 0, 1, 2, 2, 3],
        [1, 255, 1, 1, 256, 1],
    ]
    most = np.array([60_000, 60_000, 1], np.uint16)  # of two tokens that are one term
    counts = TermCounts(np.array([0, 2, 3]), np.array([1, 1, 0], np.uint32), most)
    assert TermSegment.of(counts, 0, 2).counts.tolist() == [1, MOST_COUNT]


def test_what_is_added_is_read_alone_and_segments_stay_few(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counted, of = list[int](), TermSegment.of

    def spied(counts: TermCounts, first: int, width: int) -> TermSegment:
        counted.append(len(counts.starts) - 1)
        return of(counts, first, width)

    monkeypatch.setattr(TermSegment, "of", spied)
    with Library.open(tmp_path, create=True) as library:
        library.add_file("many", "many", documents(1, 300))
        assert library.keywords.size == 302
        for step in range(64):
            library.add_file(f"k{step}", f"n{step}", [Document(f"one{step}", title=f"banda {step}")])
            assert len(library.keywords.search("banda", 999)) > step
        library.remove(["one3"])
        assert library.keywords.size == 365
        assert counted == [302, *[1] * 64]
        assert len(library.keywords._postings().segments) <= 8


@pytest.mark.usefixtures("small")
def test_a_state_stays_as_it_is_while_documents_come_and_go(tmp_path: Path) -> None:
    with Library.open(tmp_path, create=True) as library:
        library.add_file("k", "n", documents(1, 40))
        before, held = KeywordIndex(library.keywords._postings()), library.get(library.summaries().ids)
        library.add_file("k2", "n2", documents(2, 40, "later"))
        library.add_file("k3", "n3", [Document("new", title="unheard bandaing colour")])
        library.remove(["d0", "d7"])
        assert library.keywords.holders(["unheard", "color"]) == [frozenset({"new"})] * 2
        check(before, held, 5)  # asks for the first time what later states know more of
        assert before.holders(["unheard", "colour"]) == [frozenset()] * 2
        assert "unheard" not in before.frequencies() and len(before.frequencies()) == len([*before.frequencies()])
        assert before.holding([("unheard",)]) == [0] and before.search("unheard", 3, stemmed=True) == []


def test_questions_during_imports_each_see_one_state(tmp_path: Path) -> None:
    with Library.open(tmp_path, create=True) as library, ThreadPoolExecutor(3) as threads:
        done = False

        def ask() -> set[tuple[int, int]]:
            seen = set()
            while not done:
                found = library.keywords.search("banda", 999, stemmed=True)
                seen.add((len(found) % 5, len(library.keywords.holders(["banda"])[0]) % 5))
            return seen

        asking = [threads.submit(ask) for _ in range(3)]
        try:
            for step in range(30):
                new = [Document(f"{step}-{n}", title=f"bandas {step} new{step}{n}") for n in range(5)]
                library.add_file(f"k{step}", f"n{step}", new)
        finally:
            done = True
        assert set().union(*(each.result() for each in asking)) == {(0, 0)}
        assert len(library.keywords.search("banda", 999, stemmed=True)) == 150


def test_a_segment_without_words_and_one_with_large_counts_are_summed_in_machine_code(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(postings, "_MANY_COUNTS", -1)
    many = [Document("long", abstract="banda bandaed " * 300), Document("other", abstract="banda fondact")]
    index = KeywordIndex.in_memory([Document("empty"), *many])
    index.weigh(False, True)
    check(index, [Document("empty"), *many], 1)
    bare = KeywordIndex.in_memory([Document("empty")])
    assert bare.search("banda", 3, stemmed=True) == [] == bare.search("banda", 3)


def test_weights_are_kept_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postings, "_WEIGHED", 100)
    held = documents(3, 60)
    index = KeywordIndex.in_memory(held)
    check(index, held, 3)
    for weights in (index._postings()._by_token, index._postings()._by_stem):
        assert 0 < sum(len(rows) for rows, _ in weights._kept.values()) == 100 - weights._room <= 100
