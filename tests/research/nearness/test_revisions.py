"""A second version of a document: what is new, moved, rewritten and dropped stands where it says."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from engine.core.errors import EvaluationError
from engine.documents import Document, Section
from engine.research.nearness.revisions import Revision, Stretch, Synonyms, changed, dropped, label_of, revision

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


REWORD = {"a third dropped": dropped}
_SUBJECTS = (
    "boiler valve piston crank gauge rivet".split(),
    "enzyme protein genome membrane ribosome plasmid".split(),
    "corpus parser lexicon grammar treebank tagger".split(),
    "antenna carrier modulation spectrum relay beacon".split(),
)
_VERBS = "carries turns holds moves feeds closes opens joins lifts meets".split()
_PLACES = "shaft basin tower cellar garden harbour island meadow orchard quarry river station".split()


def long_document(id_: str, subject: int, *, sections: int = 3, sentences: int = 40) -> Document:
    """A document of sentences of one subject, no two alike."""
    draw = random.Random(id_)
    words = _SUBJECTS[subject]

    def sentence(number: int) -> str:
        one, other, third = draw.sample(words, 3)
        verb, (place, beside) = draw.choice(_VERBS), draw.sample(_PLACES, 2)
        return f"The {one} number {number} of the {place} {verb} every {other} while the {third} waits near a {beside}."

    held = tuple(
        Section(f"Part {n}", " ".join(sentence(100 * n + m) for m in range(sentences))) for n in range(sections)
    )
    return Document(id_, "paper", f"On the {words[0]}", "", held)


def made() -> Revision:
    found = revision(long_document("a", 0), long_document("b", 1), random.Random(1), REWORD)
    assert found is not None
    return found


def texts(document: Document, stretches: Sequence[Stretch], kind: str) -> list[str]:
    return [document.parts[part].text[start:stop].strip() for part, start, stop, name in stretches if name == kind]


def test_every_way_of_changing_is_used_and_stands_where_it_says() -> None:
    one = made()
    assert {kind for *_, kind in one.of_new} == {"new", "moved", "rewritten"}
    assert {kind for *_, kind in one.of_old} == {"moved", "rewritten", "dropped"}
    assert sorted(texts(one.old, one.of_old, "moved")) == sorted(texts(one.new, one.of_new, "moved"))
    new = one.new.text
    assert not any(text in new for text in texts(one.old, one.of_old, "dropped"))
    assert all("enzyme" in text or "protein" in text for text in texts(one.new, one.of_new, "new"))


def test_what_is_rewritten_keeps_its_sentences_and_loses_a_third_of_its_words() -> None:
    one = made()
    for before, after in zip(
        texts(one.old, one.of_old, "rewritten"), texts(one.new, one.of_new, "rewritten"), strict=True
    ):
        assert before.count(".") == after.count(".")
        assert 0.55 * len(before.split()) < len(after.split()) < 0.75 * len(before.split())


def test_the_rest_is_the_document_and_the_same_seed_makes_the_same() -> None:
    one = made()
    assert one == made()
    changed = sum(len(text) for kind in ("moved", "rewritten", "dropped") for text in texts(one.old, one.of_old, kind))
    assert changed < 0.5 * len(one.old.text)
    sentence = one.old.parts[1].chunk("a", 1, 0, one.old.parts[1].text.index(".") + 1)
    assert label_of(sentence, one.of_old) in {"unchanged", "moved", "rewritten", "dropped"}
    assert label_of(sentence, [(1, 0, 5_000, "moved")]) == "moved" and label_of(sentence, []) == "unchanged"


def test_a_short_document_has_no_second_version() -> None:
    short = long_document("short", 2, sections=1, sentences=3)
    assert revision(short, long_document("b", 1), random.Random(1), REWORD) is None
    assert revision(long_document("a", 0), short, random.Random(1), REWORD) is None
