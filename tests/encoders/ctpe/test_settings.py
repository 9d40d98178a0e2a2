"""A CTPE encoder's settings, a document's two halves, and a card that is read without torch."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.documents import Document, Section
from engine.documents import text as texts
from engine.encoders import registry
from engine.encoders.ctpe.settings import CtpeSettings, Position, TextPair, cut_pair, share_end
from tests.documents.test_text import HOSTILE
from tests.encoders.ctpe import tiny

MEANINGFUL = Position()
BODY = (Section("Background", "Kettles boil water."), Section("References", "Watt 1769.", "references"))


def test_a_paper_is_cut_between_title_and_abstract() -> None:
    paper = Document("p", title="On kettles", abstract="We boil water.", sections=BODY)
    assert cut_pair(paper, MEANINGFUL) == TextPair("On kettles", "We boil water.", "title", "abstract")


def test_a_patent_is_cut_between_abstract_and_first_claim() -> None:
    patent = Document("p", "patent", "Kettle", "A kettle that whistles.", BODY, claims=("A kettle.", "Its lid."))
    assert cut_pair(patent, MEANINGFUL) == TextPair("A kettle that whistles.", "A kettle.", "abstract", "first claim")


def test_a_cancelled_claim_is_passed_over() -> None:
    patent = Document("p", "patent", "Kettle", "A kettle that whistles.", BODY, claims=("", "A kettle.", "Its lid."))
    pair = cut_pair(patent, MEANINGFUL)
    assert (pair.former, pair.latter) == ("A kettle that whistles.", "A kettle.")


def test_a_patent_without_claims_is_cut_before_its_description() -> None:
    patent = Document("p", "patent", "Kettle", "A kettle that whistles.", BODY)
    pair = cut_pair(patent, MEANINGFUL)
    assert (pair.former_name, pair.latter_name) == ("title and abstract", "opening of the description")
    assert texts.tokens(pair.former) == texts.tokens("Kettle. A kettle that whistles.")
    assert pair.latter == "Kettles boil water."


def test_a_question_of_two_parts_is_cut_as_a_paper() -> None:
    question = Document("q", "query", title="Kettles", abstract="Which kettles whistle?")
    assert cut_pair(question, MEANINGFUL).former_name == "title"


@pytest.mark.parametrize(
    "document",
    [
        Document("q", "query", abstract="alpha beta gamma delta epsilon zeta eta theta iota kappa"),
        Document("p", title="alpha beta gamma", sections=(Section("", "delta epsilon zeta eta theta iota kappa"),)),
        Document("p", title="17:42", abstract="alpha beta gamma delta epsilon zeta eta theta iota kappa"),
        Document("p", "patent", "alpha beta gamma delta epsilon zeta eta theta iota", claims=("kappa",)),
    ],
)
def test_where_a_half_would_be_empty_three_tokens_in_ten_come_first(document: Document) -> None:
    pair = cut_pair(document, MEANINGFUL)
    assert texts.tokens(pair.former) == ["alpha", "beta", "gamma"]
    assert texts.tokens(pair.latter) == "delta epsilon zeta eta theta iota kappa".split()
    assert (pair.former_name, pair.latter_name) == ("first 30 %", "rest")


def test_a_share_is_taken_of_the_whole_text_but_the_reference_list() -> None:
    paper = Document("p", title="a b", abstract="c d e f", sections=(Section("", "g h i j"), *BODY[1:]))
    pair = cut_pair(paper, Position(40))
    assert (texts.tokens(pair.former), texts.tokens(pair.latter)) == (list("abcd"), list("efghij"))
    assert pair.former_name == "first 40 %"


@pytest.mark.parametrize("position", [MEANINGFUL, Position(80)])
def test_one_word_is_both_halves(position: Position) -> None:
    pair = cut_pair(Document("p", title="Kettle"), position)
    assert pair == TextPair("Kettle", "Kettle", "whole text", "whole text")


@pytest.mark.parametrize("position", [MEANINGFUL, Position(80)])
def test_no_text_is_two_empty_halves(position: Position) -> None:
    pair = cut_pair(Document("p"), position)
    assert (pair.former, pair.latter) == ("", "")


def test_a_short_text_is_both_halves_where_that_is_asked_for() -> None:
    question = Document("q", "query", title="Which kettles", abstract="whistle and why")
    assert cut_pair(question, MEANINGFUL, whole_below_tokens=5).former_name == "title"
    pair = cut_pair(question, MEANINGFUL, whole_below_tokens=6)
    assert pair.former == pair.latter == question.text
    assert cut_pair(Document("p"), MEANINGFUL, whole_below_tokens=6).former == ""


@pytest.mark.parametrize("text", ["meaningful", "1%", "30%", "99%"])
def test_a_position_reads_what_it_writes(text: str) -> None:
    assert str(Position.parse(text)) == text
    assert str(Position.parse(text.replace("%", " %"))) == text


@pytest.mark.parametrize("text", ["", "30", "0.3", "100%", "-5%", "middle", "\uff13\uff10%"])
def test_another_position_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r'position must be "meaningful" or a share of the tokens such as "30%", got'):
        Position.parse(text)


@pytest.mark.parametrize("percent", [0, 100])
def test_a_share_that_leaves_a_half_empty_is_refused(percent: int) -> None:
    with pytest.raises(ValueError, match=f"position must leave both halves some text, 1% to 99%, got {percent}%"):
        Position(percent)


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


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"position": "0%"}, "position must leave both halves some text"),
        ({"position": "front"}, "position must be"),
        ({"max_tokens": 0}, "max_tokens must be at least 1, got 0"),
        ({"whole_below_tokens": -1}, "whole_below_tokens must be 0 or more, got -1"),
        ({"similarity": "both"}, "similarity must be one of coupled, whole, got 'both'"),
        ({"stored": "int4"}, "stored must be one of float32, float16, int8, got 'int4'"),
    ],
)
def test_a_value_outside_its_range_is_refused(wrong: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        CtpeSettings(**wrong)


def test_the_card_of_a_shipped_encoder_is_read_without_torch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = tiny.encoder(trained_on=("ours",))
    monkeypatch.setattr(registry, "PRETRAINED", tmp_path)
    assert "ctpe" not in registry.encoder_names()
    encoder.save(tmp_path / "ctpe")
    assert "ctpe" in registry.encoder_names()
    assert registry.find("ctpe").card == encoder.card
    assert registry.load("ctpe").card == encoder.card
    script = (
        "import sys; from pathlib import Path; from engine.encoders import registry\n"
        f"registry.PRETRAINED = Path({str(tmp_path)!r})\n"
        "assert 'ctpe' in registry.encoder_names() and registry.find('ctpe').card.dim == 128\n"
        "assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], cwd=Path(__file__).resolve().parents[3], check=True)
