"""Rows by name, by folder, and as mixes."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.errors import EvaluationError
from engine.research.matching.rows import Row, names, parse_rows


def test_rows_by_name_are_words_encoders_and_minilm() -> None:
    assert names()[:3] == ("tfidf", "lsa", "bm25")
    assert {"word2vec-sif", "ctpe", "minilm", "minilm-chunks"} <= set(names())
    assert len(set(names())) == len(names())


def test_a_list_is_read_in_order_and_once(tmp_path: Path) -> None:
    given = f"tfidf, lsa,tfidf,own={tmp_path}, mix(own, tfidf)"
    assert parse_rows(given) == [
        Row("tfidf"),
        Row("lsa"),
        Row("own", tmp_path),
        Row("mix(own,tfidf)", parts=("own", "tfidf")),
    ]
    assert parse_rows("earlier,mix(earlier,bm25,lsa)", kept=("earlier",))[1].parts == ("earlier", "bm25", "lsa")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("tfidf,bert", r"among tfidf, .*, NAME=FOLDER, or mix\(NAME,NAME\); got bert\. Separate"),
        (",", "got none"),
        ("mix()", r"Expected mix\(\) to mix rows that are known, got ''"),
        ("a=nowhere", "Expected an encoder's folder, got nowhere; there is none"),
        ("tfidf,tfidf=.", "a name of its own for each row, got 'tfidf' more than once"),
        ("=.", "a name of its own for each row, got '' more than once or empty"),
        ("mix(tfidf,own)", r"Expected mix\(tfidf,own\) to mix rows that are known, got 'own'"),
        ("mix(tfidf,own=.)", "got 'own=.'. Give a folder its name in a row of its own"),
        ("mix(tfidf)", r"a mix of two rows or more, got mix\(tfidf\)"),
        ("mix(tfidf,tfidf)", "a mix of two rows or more"),
    ],
)
def test_other_rows_are_refused(given: str, told: str) -> None:
    with pytest.raises(EvaluationError, match=told):
        parse_rows(given)
