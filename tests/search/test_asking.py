"""Which words of a question count how often."""

from __future__ import annotations

from engine.documents import Document
from engine.search.asking import CITING_TIMES, asked_terms


def test_words_count_more_in_the_sentences_of_a_passage_that_cite() -> None:
    text = "A kite flies. The reel holds a line [3]. The drum turns."
    asked = Document("q", "query", abstract=text)
    n = CITING_TIMES
    expected = {
        "a": 1 + n,
        "kite": 1,
        "flies": 1,
        "the": n + 1,
        "reel": n,
        "holds": n,
        "line": n,
        "drum": 1,
        "turns": 1,
    }
    assert asked_terms(asked) == expected
    assert asked_terms(asked, citing_times=1)["reel"] == 1


def test_words_of_other_questions_and_of_documents_count_once() -> None:
    plain = "A kite flies. The reel holds a line."
    assert asked_terms(Document("q", "query", abstract=plain))["reel"] == 1
    assert asked_terms(Document("d", "paper", abstract=f"{plain[:-1]} [3]."))["reel"] == 1
