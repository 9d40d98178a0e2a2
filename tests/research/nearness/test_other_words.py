"""A text in other words: without some, and with synonyms."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from engine.core.errors import EvaluationError
from engine.research.nearness.other_words import Synonyms, changed, dropped

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


def test_a_third_of_the_words_is_dropped() -> None:
    words = [f"w{number}" for number in range(30)]
    left = dropped(" ".join(words), random.Random(1)).split()
    assert len(left) == 20 and left == [word for word in words if word in left]


def test_words_that_have_synonyms_are_changed(tmp_path: Path) -> None:
    synonyms = Synonyms(write_wordnet(tmp_path))
    told = changed("Show a large boiler, 3 of them.", random.Random(1), synonyms)
    assert told in ("demo a big boiler, 3 of them.", "exhibit a big boiler, 3 of them.")


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
