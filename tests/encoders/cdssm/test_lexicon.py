"""What C-DSSM knows of words, and documents as places of their distinct words."""

from __future__ import annotations

import numpy as np

from engine.encoders.cdssm.network import Bags, Lexicon, distinct


def test_a_word_is_its_known_trigrams_each_as_often_as_it_stands_there() -> None:
    lexicon = Lexicon("trigrams", ["ana", "#an", "xyz"])
    assert lexicon.numbers("anana") == (1, 0, 0)
    assert lexicon.numbers("anab") == (1, 0)  # never seen, and read all the same
    assert lexicon.numbers("bob") == ()
    assert len(lexicon.numbers("ana" * 10_000)) == 34  # of its first hundred letters


def test_with_vectors_a_word_is_its_own_number() -> None:
    lexicon = Lexicon("vectors", ["ana", "#an", "xyz"])
    assert (lexicon.numbers("xyz"), lexicon.numbers("anana")) == ((2,), ())


def test_texts_share_the_bags_of_their_distinct_known_words() -> None:
    texts = Lexicon("vectors", ["a", "b", "c"]).read([["c", "x", "a", "c"], [], ["x"], ["a", "b"]])
    assert (texts.bags.numbers.tolist(), texts.bags.starts.tolist()) == ([2, 0, 1], [0, 1, 2, 3])
    assert (texts.words.tolist(), texts.starts.tolist()) == ([0, 1, 0, 1, 2], [0, 3, 3, 3, 5])
    assert (len(texts), len(texts.bags)) == (4, 3)
    assert len(Lexicon("vectors", ["a"]).read([])) == 0


def test_bags_of_a_vocabulary_are_taken_for_the_words_of_some_texts() -> None:
    bags = Bags.of([(5, 6), (), (7,), (8, 9, 8)])
    taken = bags.taken(np.array([3, 0]))
    assert (taken.numbers.tolist(), taken.starts.tolist()) == ([8, 9, 8, 5, 6], [0, 3, 5])
    words = np.array([3, 1, 3, 1, 0], np.int32)
    texts = distinct(words, np.array([0, 3, 4, 5]), bags)
    assert (texts.bags.numbers.tolist(), texts.bags.starts.tolist()) == ([5, 6, 8, 9, 8], [0, 2, 5])
    assert (texts.words.tolist(), texts.starts.tolist()) == ([1, 1, 0], [0, 2, 2, 3])
