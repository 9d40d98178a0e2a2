"""How near two texts are, in five words."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.documents import Document
from engine.encoders import registry
from engine.search import vocabulary
from engine.search.passages import PassageEncoder
from engine.search.readings import (
    WORDS,
    Pair,
    PairReader,
    Quoted,
    Reading,
    ReadingScale,
    TellingWords,
    find_quoted,
    fitted_on,
    read_two,
    scales,
)
from engine.search.vocabulary import Vocabulary, sentence_words
from engine.vectors import open_index

COPY = Pair(0.97, 0.95, 1.0, 150)
FAR = Pair(0.05, 0.0, 0.0, 150)
ONE_FIELD = Pair(0.5, 0.06, 0.1, 150)
CITED = Pair(0.68, 0.3, 0.35, 150)
ONE = Document("a", title="Crystal energies", abstract="Graph networks read a crystal as a graph of atoms.")
ALIKE = Document("b", title="Molecular energies", abstract="Graph networks read a molecule as a graph of atoms.")
ELSEWHERE = Document("c", title="Aspirin after stroke", abstract="Patients took aspirin daily; bleeding was rare.")


def test_five_words_go_from_near_to_far() -> None:
    assert tuple(Reading.meanings) == WORDS
    found = [pair.read().word for pair in (COPY, CITED, ONE_FIELD, FAR)]
    assert found == ["says the same", "closely related", "same field", "unrelated"]
    assert [pair.read().rank for pair in (COPY, FAR)] == [0, 4]
    assert Pair(0.12, 0.15, 0.1, 150).read().word == "shares vocabulary only"
    assert COPY.read("passage").word == "says the same" and FAR.read("passage").word == "unrelated"


def test_a_title_says_the_same_as_its_paper() -> None:
    assert Pair(0.8, 0.5, 1.0, 9).read().word == "says the same"


def test_probabilities_add_up_to_one_and_the_word_has_the_largest() -> None:
    for scale in scales().values():
        for pair in (COPY, FAR, ONE_FIELD):
            p = scale.probabilities(pair)
            assert sum(p) == pytest.approx(1) and scale.read(pair).p == max(p)
        rise = [scale.probabilities(Pair(cosine, 0.1, 0.1, 150))[3] for cosine in (0.1, 0.3, 0.5, 0.7)]
        assert rise == sorted(rise, reverse=True)  # a nearer pair is less often of another field


def test_a_word_stands_with_its_probability_and_its_number() -> None:
    reading = Reading("closely related", 0.834, 0.571)
    assert reading.in_words == "closely related (83 %), nearness 0.57"
    assert reading.as_json() == {"word": "closely related", "p": 0.83}


def test_the_vocabulary_s_share_parts_the_last_two_words() -> None:
    scale = ReadingScale(((0.0,) * 6, (0.0,) * 6, (0.0,) * 6, (1.0, *(0.0,) * 5)), 0.1, {}, "f")
    assert scale.read(Pair(0.2, 0.1, 0, 100)).word == "shares vocabulary only"
    assert scale.read(Pair(0.2, 0.09, 0, 100)).word == "unrelated"


def test_the_ruler_rises_from_unrelated_to_duplicate() -> None:
    levels = scales()
    assert list(levels["document"].ruler) == ["unrelated", "same field", "cited", "duplicate"]
    assert list(levels["passage"].ruler) == ["unrelated", "cited", "duplicate"]  # a field is told from neither
    for scale in levels.values():
        assert list(scale.ruler.values()) == sorted(scale.ruler.values())


def test_the_fitted_numbers_are_for_the_shipped_encoder() -> None:
    levels = scales()
    assert levels["document"].fingerprint == registry.find("student").card.fingerprint
    assert levels["passage"].fingerprint == PassageEncoder.shipped_fingerprint()


def test_the_same_text_shares_all_and_another_subject_nothing() -> None:
    words, far = TellingWords.of(ONE.text), TellingWords.of(ELSEWHERE.text)
    same = words.pair(words, 1.0)
    assert same.keywords == pytest.approx(1) and same.contained == pytest.approx(1) and same.words == 12
    other = words.pair(far, 0.1)
    assert (other.keywords, other.contained) == (0, 0)
    empty = words.pair(TellingWords.of(""), 0.0)
    assert (empty.keywords, empty.contained, empty.words) == (0, 0, 0)


def test_a_pair_is_the_same_either_way_round() -> None:
    one, other = TellingWords.of(ONE.text), TellingWords.of(ALIKE.text)
    assert one.pair(other, 0.5) == other.pair(one, 0.5)
    assert read_two(ONE, ALIKE) == read_two(ALIKE, ONE)


def test_a_short_text_is_contained_in_a_long_one() -> None:
    title = TellingWords.of("graph networks of a crystal")
    assert title.pair(TellingWords.of(ONE.text), 0.5).contained == pytest.approx(1)


def test_only_the_beginning_of_a_long_text_counts() -> None:
    long = TellingWords.of(ONE.text + " kite" * 4_000)
    assert long.tokens == 400


def test_rows_are_read_from_an_index_of_student_and_made_for_other_encoders(tmp_path: Path) -> None:
    student, documents = registry.load("student"), [ALIKE, ELSEWHERE]
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
    assert registry.load("student-large").sentence_rows(rows, fitted_on("document")) is None
    assert registry.fit("tfidf", [ONE, ELSEWHERE]).sentence_rows(rows, fitted_on("document")) is None


def test_the_default_holds_the_rows_of_student() -> None:
    blend, student = registry.load("blend"), registry.load("student")
    rows = student.encode_documents([ONE, ELSEWHERE])
    inside = blend.sentence_rows(blend.encode_documents([ONE, ELSEWHERE]), fitted_on("document"))
    assert inside is not None and np.allclose((inside * rows).sum(axis=1), 1, atol=1e-2)
    asked = blend.sentence_rows(blend.encode_queries([ONE]), fitted_on("document"))
    assert asked is not None and np.allclose(asked @ student.encode_queries([ONE]).T, 1, atol=1e-2)


def test_a_text_is_quoted_by_a_passage_that_holds_three_quarters_of_its_telling_words() -> None:
    asked = TellingWords.of("Basalt columns cool from margins and crack into hexagons; divers drew joints.")
    words = list(asked.weights)
    most, fewer = " ".join(words[: -(-3 * len(words) // 4)]), " ".join(words[: -(-3 * len(words) // 4) - 1])
    found = find_quoted(asked, [fewer, f"In between {most} and more.", ""])
    assert found == Quoted(-(-3 * len(words) // 4), len(words)) and str(found.held) in found.sentence
    assert find_quoted(asked, [fewer]) is None and find_quoted(asked, []) is None
    assert find_quoted(asked, [" ".join(words[:4]), " ".join(words[4:])]) is None  # neither half holds enough
    assert find_quoted(TellingWords.of("Basalt columns crack."), ["Basalt columns crack."]) is None


def test_the_shipped_words_are_read_once_for_sentences_and_for_rarity(monkeypatch: pytest.MonkeyPatch) -> None:
    words = sentence_words()
    monkeypatch.setattr(registry, "load", lambda _: pytest.fail("they are loaded"))
    vocabulary._shipped.cache_clear()
    assert Vocabulary.shipped().documents == words.vectors.facts["documents"]
    assert sentence_words() is words
