"""Sentences that the evidence is to find in their paper: what is planted, and how finding it is counted."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from engine.documents import Document, Section
from engine.encoders import registry
from engine.evaluation.benchmarks import CORPUS
from engine.library import KeywordIndex
from engine.research.measures import planted_sentences
from engine.search import Vocabulary
from tests.evaluation.small import write_table

SENTENCES = (
    "The {0} of a steam engine lets the hot water of the wide {0} into a narrow cold pipe.",
    "A network of many trained layers learns to tell every single {0} from pictures of it.",
    "The protein binds to an enzyme of the {0} and changes how quickly its genes are read.",
)
SUBJECTS = "boiler valve piston crank gauge rivet".split()


def papers() -> list[Document]:
    """Six papers of three sentences each."""
    texts = {word: " ".join(sentence.format(word) for sentence in SENTENCES) for word in SUBJECTS}
    return [Document(word, title=word, sections=(Section("Trials", text),)) for word, text in texts.items()]


def planted(count: int) -> list[planted_sentences.Planted]:
    return planted_sentences.planted_in(papers(), count, vocabulary())


def vocabulary() -> Vocabulary:
    keywords = KeywordIndex.in_memory(papers())
    return Vocabulary(keywords.frequencies(), keywords.size)


def test_a_sentence_of_each_paper_is_asked_between_two_of_another() -> None:
    found = planted(4)
    assert len(found) == 4 and found == planted(4)
    for one in found:
        own = one.paper.document.sections[0].text
        assert one.sentence in own
        assert not any(sentence in own for sentence in one.beside) and len(set(one.beside)) == 2


def test_two_thirds_of_the_words_go_and_the_others_keep_their_order() -> None:
    left = planted_sentences.most_dropped("one two three four five six", random.Random(1)).split()
    assert len(left) == 2 and [word for word in "one two three four five six".split() if word in left] == left


def test_a_sentence_as_written_is_found_and_one_that_says_nothing_is_not() -> None:
    words = registry.load("word2vec-sif")
    right = planted_sentences.found(planted(5), lambda text, _: text, words, vocabulary())
    wrong = planted_sentences.found(planted(5), lambda *_: "Nothing whatever.", words, vocabulary())
    assert right["right"] == 1 > wrong["right"] and right["milliseconds"] > 0


def test_the_command_prints_a_line_a_form_and_saves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "acl-long").mkdir()
    saved = tmp_path / "planted.json"
    write_table(tmp_path / "acl-long" / CORPUS, papers())
    line = ["--data", str(tmp_path), "--rows", "word2vec-sif", "--count", "4", "--save", str(saved)]
    planted_sentences.main(line)
    assert "| a third of the words dropped | word2vec-sif |" in capsys.readouterr().out
    assert json.loads(saved.read_text())["sentences"] == 4
