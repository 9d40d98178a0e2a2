"""How near two texts are, words for hits, and the verdict on a list."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.documents import Document
from engine.encoders import registry
from engine.search import readings
from engine.search.nearness import (
    HitReader,
    PairReader,
    Quoted,
    TellingWords,
    common_field,
    document_pair,
    is_gibberish,
    pair_of,
    quoted,
    sentence_words,
    shipped_vocabulary,
    telling_words,
    unknown_terms,
)
from engine.search.vocabulary import Vocabulary
from engine.vectors import open_index
from tests.search.library import DOCUMENTS, QUERY, fill

ONE = Document("a", title="Crystal energies", abstract="Graph networks read a crystal as a graph of atoms.")
OTHER = Document("b", title="Molecular energies", abstract="Graph networks read a molecule as a graph of atoms.")
FAR = Document("c", title="Aspirin after stroke", abstract="Patients took aspirin daily; bleeding was rare.")


def test_the_same_text_shares_all_and_another_subject_nothing() -> None:
    words, far = TellingWords.of(ONE.text), TellingWords.of(FAR.text)
    same = pair_of(words, words, 1.0)
    assert same.keywords == pytest.approx(1) and same.contained == pytest.approx(1) and same.words == 12
    other = pair_of(words, far, 0.1)
    assert (other.keywords, other.contained) == (0, 0)
    empty = pair_of(words, TellingWords.of(""), 0.0)
    assert (empty.keywords, empty.contained, empty.words) == (0, 0, 0)


def test_a_pair_is_the_same_either_way_round() -> None:
    one, other = TellingWords.of(ONE.text), TellingWords.of(OTHER.text)
    assert pair_of(one, other, 0.5) == pair_of(other, one, 0.5)
    assert document_pair(ONE, OTHER) == document_pair(OTHER, ONE)


def test_a_short_text_is_contained_in_a_long_one() -> None:
    title = TellingWords.of("graph networks of a crystal")
    assert pair_of(title, TellingWords.of(ONE.text), 0.5).contained == pytest.approx(1)


def test_only_the_beginning_of_a_long_text_counts() -> None:
    long = TellingWords.of(ONE.text + " kite" * 4_000)
    assert long.tokens == 400


def test_rows_are_read_from_an_index_of_student_and_made_for_other_encoders(tmp_path: Path) -> None:
    student, documents = registry.load("student"), [OTHER, FAR]
    card = student.card
    index = open_index(tmp_path / "v", fingerprint=card.fingerprint, dim=card.dim, kind="embedded", precision="int8")
    index.add([one.id for one in documents], student.encode_documents(documents))
    kept = PairReader(student, index)
    made = PairReader(registry.fit("tfidf", documents))
    found = []
    for reader in (kept, made):
        pairs = reader.pairs(ONE, reader.question_row(ONE), documents)
        assert pairs[0].cosine > pairs[1].cosine + 0.3
        found.append([one.cosine for one in pairs])
    assert np.allclose(found[0], found[1], atol=0.02)
    assert made.kept_rows(["b"]) is None and kept.kept_rows([]) is None
    assert kept.pairs(ONE, kept.question_row(ONE), []) == []


def test_student_large_is_another_scale() -> None:
    rows = np.ones((1, registry.find("student-large").card.dim), np.float32)
    assert registry.load("student-large").sentence_rows(rows, readings.fitted_on("document")) is None
    assert registry.fit("tfidf", [ONE, FAR]).sentence_rows(rows, readings.fitted_on("document")) is None


def test_the_default_holds_the_rows_of_student() -> None:
    blend, student = registry.load("blend"), registry.load("student")
    rows = student.encode_documents([ONE, FAR])
    inside = blend.sentence_rows(blend.encode_documents([ONE, FAR]), readings.fitted_on("document"))
    assert inside is not None and np.allclose((inside * rows).sum(axis=1), 1, atol=1e-2)
    asked = blend.sentence_rows(blend.encode_queries([ONE]), readings.fitted_on("document"))
    assert asked is not None and np.allclose(asked @ student.encode_queries([ONE]).T, 1, atol=1e-2)


def test_a_text_is_quoted_by_a_passage_that_holds_three_quarters_of_its_telling_words() -> None:
    asked = TellingWords.of("Basalt columns cool from margins and crack into hexagons; divers drew joints.")
    words = list(asked.weights)
    most, fewer = " ".join(words[: -(-3 * len(words) // 4)]), " ".join(words[: -(-3 * len(words) // 4) - 1])
    found = quoted(asked, [fewer, f"In between {most} and more.", ""])
    assert found == Quoted(-(-3 * len(words) // 4), len(words)) and str(found.held) in found.sentence
    assert quoted(asked, [fewer]) is None and quoted(asked, []) is None
    assert quoted(asked, [" ".join(words[:4]), " ".join(words[4:])]) is None  # neither half holds enough
    assert quoted(TellingWords.of("Basalt columns crack."), ["Basalt columns crack."]) is None


def test_the_shipped_words_are_read_once_for_sentences_and_for_rarity(monkeypatch: pytest.MonkeyPatch) -> None:
    words = sentence_words()
    monkeypatch.setattr(registry, "load", lambda _: pytest.fail("they are loaded"))
    shipped_vocabulary.cache_clear()
    assert shipped_vocabulary().documents == words.vectors.facts["documents"]
    assert sentence_words() is words


LIBRARY = Vocabulary({"kite": 4, "winds": 2, "the": 9}, 9)


def test_telling_words_are_neither_grammar_nor_genre() -> None:
    assert telling_words("The kite's method, and results of GPT-4 kites") == {"kite": 1, "gpt": 1, "kites": 1}


def test_unknown_terms_are_those_that_no_document_holds_in_any_number() -> None:
    lacking, telling = unknown_terms("Kites in wind: zeppelin, crispr, zeppelin", LIBRARY)
    assert lacking == ["zeppelin", "crispr"] and telling == 4


def test_only_a_text_of_no_words_is_gibberish() -> None:
    assert is_gibberish("asdfgh qwerty", LIBRARY)
    assert not is_gibberish("asdfgh kite", LIBRARY)  # the library holds one
    assert not is_gibberish("automobile", LIBRARY)  # a word, though this library lacks it
    assert not is_gibberish("of the", LIBRARY) and not is_gibberish("", LIBRARY)


def test_most_documents_share_a_category_or_a_venue_or_nothing() -> None:
    documents = [Document(f"d{n}", categories=("cs.CL",) if n < 6 else ("cs.DS",)) for n in range(10)]
    assert common_field(documents) == "category cs.CL"
    assert common_field(documents[5:]) == "category cs.DS" and common_field(documents[4:8]) == ""
    assert common_field([Document("a", venue="Kites"), Document("b", venue="Kites")]) == "venue Kites"
    assert common_field([]) == ""


def test_hits_are_read_against_the_question_or_the_nearest_liked_document(tmp_path: Path) -> None:
    library, encoder, index = fill(tmp_path / "library")
    with library:
        keywords = library.keywords
        reader = HitReader(library, PairReader(encoder, index), Vocabulary(keywords.frequencies(), keywords.size))
        crystals, valve = DOCUMENTS[1], DOCUMENTS[5]
        asking = reader.asking(QUERY, [], None)
        near, far = reader.read(asking, [crystals, valve])
        assert near.rank < far.rank and asking.is_question
        liked = reader.asking(None, [crystals, valve], None)
        assert not liked.is_question
        assert [one.word for one in reader.read(liked, [valve, crystals])] == ["says the same"] * 2
        found = reader.verdict(liked, [one.id for one in DOCUMENTS], [valve])
        assert found.near and found.unknown_terms == ()
        assert reader.gibberish(QUERY) is None and reader.gibberish(Document("q", abstract="asdfgh")) is not None
