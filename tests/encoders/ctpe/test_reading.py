"""Reading no more of a text than is asked for: the tokens are those of the whole text."""

from __future__ import annotations

import numpy as np
import pytest

from engine import text as texts
from engine.encoders.ctpe import reading
from engine.encoders.ctpe.reading import first_tokens, share_end, stretches

HOSTILE = [
    "plain words, one after the other; state-of-the-art.",
    "a < b and c > d, then <a href='x y z'> linked </a> words &amp; more &lt;b&gt; words",
    "an open < bracket with no end " + "and many words " * 50,
    "<p class='a b c'><i title='d e'>nested tags</i></p> " * 40,
    "one<" + "long tag " * 60 + ">two three",
    "Ὀδυσσεύς ΟΔΥΣΣΕΥΣ ΣΑΣ λόγος " * 20,
    "漢字だけの文章です。" * 60,
    "123 456 7.89 -- !!",
    "",
    "   \n\n  ",
    "word" * 500,
    "&nbsp;&#8212;x&thinsp;y &amp;nbsp z " * 30,
]


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("characters", [1, 7, 64, 2000])
def test_the_tokens_of_the_stretches_are_those_of_the_text(text: str, characters: int) -> None:
    pieces = list(stretches(text, characters))
    assert "".join(pieces) == text
    assert [token for piece in pieces for token in texts.tokens(piece)] == texts.tokens(text)


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("count", [1, 3, 1000])
def test_the_first_tokens_are_the_texts_first(text: str, count: int) -> None:
    assert first_tokens(text, count) == texts.tokens(text)[:count]


def test_what_stands_behind_the_first_tokens_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []

    def watched(text: str) -> list[str]:
        read.append(len(text))
        return text.split()

    monkeypatch.setattr(reading.texts, "tokens", watched)
    assert len(first_tokens("word " * 50_000, 200)) == 200
    assert sum(read) < 5_000


@pytest.mark.parametrize("percent", [1, 20, 30, 50, 80, 99])
def test_a_share_of_plain_words_ends_at_that_word(percent: int) -> None:
    text = " ".join(f"word{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(500))
    end = share_end(text, percent)
    assert len(texts.tokens(text[:end])) == 5 * percent
    assert texts.tokens(text[:end]) + texts.tokens(text[end:]) == texts.tokens(text)


@pytest.mark.parametrize("text", [text for text in HOSTILE if len(texts.tokens(text)) > 1])
@pytest.mark.parametrize("percent", [1, 30, 99])
def test_both_sides_of_a_share_hold_tokens_and_none_is_lost(text: str, percent: int) -> None:
    end = share_end(text, percent)
    if end is None:
        assert not any(texts.tokens(text[:n]) and texts.tokens(text[n:]) for n, sign in enumerate(text) if sign == " ")
        return
    before, after = texts.tokens(text[:end]), texts.tokens(text[end:])
    assert before
    assert after
    assert before + after == texts.tokens(text)


def test_a_word_of_several_tokens_stays_whole() -> None:
    assert share_end("state-of-the-art", 50) is None
    text = "one state-of-the-art"
    assert text[: share_end(text, 50)] == "one"
    text = "state-of-the-art one"
    assert text[: share_end(text, 30)] == "state-of-the-art"


@pytest.mark.parametrize("text", ["", "one", "42 + 17", "   "])
def test_fewer_than_two_tokens_cannot_be_cut(text: str) -> None:
    assert share_end(text, 30) is None


def test_random_texts_of_brackets_and_words_lose_no_token() -> None:
    generator = np.random.default_rng(7)
    signs = np.array(list("ab <>&; \n-"))
    for _ in range(300):
        text = "".join(generator.choice(signs, 60))
        pieces = stretches(text, int(generator.integers(1, 20)))
        assert [token for piece in pieces for token in texts.tokens(piece)] == texts.tokens(text)
