"""Quotes that ask for their paper: what is quoted, how it is changed, and how finding it is counted."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from engine.documents import Document, Section
from engine.errors import EvaluationError
from engine.research.measures import quotes
from engine.research.measures.quotes import Synonyms
from tests.evaluation.small import write_table

SENTENCE = "We show that the {} of a large mill wears out within years when nobody looks after it."
SUBJECTS = "boiler valve piston crank gauge rivet".split()
FILES = {
    "data.noun": "00000010 03 n 03 show 0 Display 0 public_sight 0 000 | what is seen\n",
    "index.noun": "show n 1 0 1 4 00000010\ndisplay n 1 0 1 0 00000010\n",
    "data.verb": "00000020 29 v 03 show 0 demo 0 exhibit 1 001 @ 00000010 n 0000 01 + 02 00 | make visible\n",
    "index.verb": "show v 1 2 @ + 1 90 00000020\n",
    "data.adj": "00000030 00 a 02 large(ip) 0 big(a) 1 000 | of size\n",
    "index.adj": "large a 1 0 1 7 00000030\n",
    "data.adv": "",
    "index.adv": "",
}


def write_wordnet(folder: Path) -> Path:
    """A few words in WordNet's format, below lines of a licence."""
    folder.mkdir(exist_ok=True)
    for name, text in FILES.items():
        (folder / name).write_text(f"  1 This is a licence.\n  2 It has lines.\n{text}")
    return folder


def papers() -> list[Document]:
    """Six papers of four sentences each, and one whose sentences are too short to quote."""
    found = [
        Document(word, title=f"The {word}", sections=(Section("Trials", " ".join([SENTENCE.format(word)] * 4)),))
        for word in SUBJECTS
    ]
    return [*found, Document("short", title="Short", sections=(Section("Trials", "It works. It does. So it is."),))]


def test_three_sentences_of_a_body_are_quoted() -> None:
    found = quotes.quotes_of(papers(), 10, 1)
    assert set(found) == set(SUBJECTS)
    assert found["crank"] == " ".join([SENTENCE.format("crank")] * 3)
    assert list(quotes.quotes_of(papers(), 2, 1)) == list(found)[:2]
    assert list(quotes.quotes_of(papers(), 6, 2)) != list(found)


def test_a_third_of_the_words_is_dropped() -> None:
    words = [f"w{number}" for number in range(30)]
    left = quotes.dropped(" ".join(words), random.Random(1)).split()
    assert len(left) == 20 and left == [word for word in words if word in left]


def test_words_that_have_synonyms_are_changed(tmp_path: Path) -> None:
    synonyms = Synonyms(write_wordnet(tmp_path))
    told = quotes.changed("Show a large boiler, 3 of them.", random.Random(1), synonyms)
    assert told in ("demo a big boiler, 3 of them.", "exhibit a big boiler, 3 of them.")


def test_a_paper_that_is_not_found_counts() -> None:
    run = {"quote a": ["a", "b"], "quote b": ["a", "b"], "quote c": ["a"], "quote d": []}
    assert quotes.found(run) == {"first": 0.25, "in the first ten": 0.5}


def test_the_command_saves_every_form(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "acl-long").mkdir()
    write_table(tmp_path / "acl-long" / "corpus.parquet", papers())
    saved = tmp_path / "report.json"
    words = ["--data", str(tmp_path), "--rows", "bm25", "--wordnet", str(write_wordnet(tmp_path / "words"))]
    quotes.main([*words, "--save", str(saved)])
    report = json.loads(saved.read_text())
    assert list(report["figures"]) == [quotes.WRITTEN, quotes.DROPPED, quotes.CHANGED]
    assert report["figures"][quotes.WRITTEN]["bm25"] == {"first": 1.0, "in the first ten": 1.0}
    assert report["quotes"] == 6 and report["command"].endswith("--count 200 --wordnet DIR")
    assert "| as written | bm25 | 1.000 | 1.000 |" in capsys.readouterr().out


def test_the_part_that_was_tagged_most_often_decides(tmp_path: Path) -> None:
    synonyms = Synonyms(write_wordnet(tmp_path))
    assert synonyms.of("show") == ("demo", "exhibit")
    assert synonyms.of("display") == ("show",)
    assert synonyms.of("large") == ("big",)
    assert synonyms.of("boiler") == ()


def test_a_folder_without_its_files_is_told(tmp_path: Path) -> None:
    write_wordnet(tmp_path)
    (tmp_path / "data.adv").unlink()
    with pytest.raises(
        EvaluationError, match=r"Expected WordNet's files in .*, data\.adv is missing\. Install wordnet-"
    ):
        Synonyms(tmp_path)
