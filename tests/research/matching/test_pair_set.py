"""Pairs with their documents: what is read, what is missing, what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import EvaluationError, InputError
from engine.documents import Document, Section, text
from engine.research.matching.command import told
from engine.research.matching.pair_set import Form, load_pair_set
from tests.research.matching.small_pairs import lines, long_corpus, pair_set, write_pairs

LONG = Document(
    "p1",
    title="A title",
    abstract="An abstract.",
    sections=(
        Section("Introduction", "one two, three-four five"),
        Section("Method", "six seven eight"),
        Section("Results", "nine ten"),
        Section("References", "A list.", "references"),
    ),
    claims=("A claim.",),
)


def test_only_the_body_is_compared() -> None:
    body = Form().of(LONG)
    assert [section.title for section in body.sections] == ["Introduction", "Method", "Results"]
    assert (body.title, body.abstract, body.claims) == ("", "", ())
    assert body.id == "p1"


@pytest.mark.parametrize(
    ("most", "kept"),
    [
        (1, ["one"]),
        (3, ["one two,"]),  # what lies between white space stays together, and two tokens would be one too many
        (4, ["one two, three-four"]),
        (5, ["one two, three-four five"]),
        (6, ["one two, three-four five", "six"]),
        (100, ["one two, three-four five", "six seven eight", "nine ten"]),
    ],
)
def test_the_first_tokens_are_kept_up_to_white_space(most: int, kept: list[str]) -> None:
    assert [section.text for section in Form(max_tokens=most).of(LONG).sections] == kept


def test_long_sections_are_cut_to_the_token() -> None:
    words = [f"word{'x' * (number % 3)}" for number in range(1_000)]
    document = Document("long", sections=(Section("", " ".join(words[:500])), Section("", "\n".join(words[500:]))))
    for most in (63, 64, 65, 499, 500, 501, 777):
        assert text.tokens(Form(max_tokens=most).of(document).text) == words[:most]


def test_a_first_word_of_too_many_tokens_leaves_no_text() -> None:
    document = Document("d", sections=(Section("", "one-two-three four"),))
    assert Form(max_tokens=2).of(document).sections == ()


def test_sections_are_shuffled_by_document_and_seed() -> None:
    titles = [str(number) for number in range(12)]
    documents = [Document(name, sections=tuple(Section(title, "text") for title in titles)) for name in ("a", "b")]

    def order(seed: int, document: Document) -> list[str]:
        return [section.title for section in Form(shuffle_sections=seed).of(document).sections]

    assert sorted(order(1, documents[0])) == sorted(titles)
    assert order(1, documents[0]) == order(1, documents[0])
    assert len({tuple(order(seed, document)) for seed in (1, 2) for document in documents}) == 4


def test_the_options_ask_for_the_same_form() -> None:
    assert Form().options == []
    assert Form(shuffle_sections=3, max_tokens=1000).options == ["--shuffle-sections", "3", "--max-tokens", "1000"]


def test_forms_that_leave_nothing_are_refused() -> None:
    with pytest.raises(EvaluationError, match="Expected max-tokens of at least 1, got 0"):
        Form(max_tokens=0)
    with pytest.raises(EvaluationError, match="a seed of 0 or more for the order of sections, got -1"):
        Form(shuffle_sections=-1)


def test_pairs_are_read_with_the_bodies_of_their_documents(tmp_path: Path) -> None:
    table = write_pairs(tmp_path / "small")
    pairs = load_pair_set(table)
    assert pairs.name == "small"
    assert len(pairs.pairs) == 40
    assert len(pairs.documents) == 40
    assert all(document.abstract == "" for document in pairs.corpus)
    assert not any("same works" in document.text for document in pairs.corpus)
    first = pairs.pairs[0]
    assert [pairs.documents[place].id for place in pairs.places[0]] == [first.a, first.b]
    assert pairs.counts["valid"] == {"related": 4, "unrelated": 4, "left_out": 0}
    assert int(pairs.of("test").sum()) == 16
    assert np.array_equal(pairs.related[:2], [True, False])
    assert told(pairs) == []


def test_a_folder_names_the_table_in_it_and_none_keeps_documents_whole(tmp_path: Path) -> None:
    write_pairs(tmp_path / "small")
    pairs = load_pair_set(tmp_path / "small", form=None)
    assert all(document.abstract for document in pairs.corpus)
    assert pairs.form is None


def test_only_documents_that_stand_in_a_pair_are_encoded(tmp_path: Path) -> None:
    pairs = pair_set(tmp_path / "small", lines()[:2])
    assert len(pairs.documents) == 3
    assert len(pairs.corpus) == 40


def test_pairs_without_a_document_are_told(tmp_path: Path) -> None:
    lost = [f"steam0\tlost{number}\t1\ttest" for number in range(7)]
    pairs = pair_set(tmp_path / "small", [*lines(), *lost, "lost1\tlost2\t0\tvalid"])
    assert len(pairs.pairs) == 40
    assert {split: counts["left_out"] for split, counts in pairs.counts.items()} == {"train": 0, "valid": 1, "test": 7}
    assert told(pairs) == [
        "8 pairs (valid 1, test 7) for want of 7 documents: lost0, lost1, lost2, lost3, lost4 and 2 more"
    ]


def test_documents_without_text_are_told(tmp_path: Path) -> None:
    documents = [document for document in long_corpus() if document.id != "steam0"]
    empty = next(document for document in long_corpus() if document.id == "steam0")
    pairs = pair_set(tmp_path / "small", documents=[*documents, type(empty)("steam0", title="Only a title")])
    assert pairs.empty == ["steam0"]
    assert told(pairs) == ["no pair, but 1 documents have no text to compare: steam0"]


@pytest.mark.parametrize("kept", ["1\tvalid", "0\tvalid", "1\ttrain"])
def test_a_split_of_one_class_or_none_is_refused(kept: str, tmp_path: Path) -> None:
    rows = [row for row in lines() if not row.endswith("valid") or row.endswith(kept)]
    with pytest.raises(
        EvaluationError, match=r"related and unrelated pairs of small in the split valid, got \d and \d,"
    ):
        pair_set(tmp_path / "small", rows).require_both("valid")


def test_a_split_whose_documents_are_missing_says_so(tmp_path: Path) -> None:
    rows = [row.replace("steam", "lost") for row in lines() if "steam" in row]
    with pytest.raises(EvaluationError, match="split test, got 0 and 0, with 6 left out for want of a document"):
        pair_set(tmp_path / "small", rows).require_both("test")


def test_a_table_without_its_corpus_is_refused(tmp_path: Path) -> None:
    table = write_pairs(tmp_path / "small")
    (tmp_path / "small" / "corpus.parquet").unlink()
    with pytest.raises(EvaluationError, match=r"Expected corpus\.parquet beside pairs\.tsv in .*small; there is none"):
        load_pair_set(table)


def test_another_table_is_refused(tmp_path: Path) -> None:
    table = write_pairs(tmp_path / "small")
    table.write_text("a\tb\n1\t2\n")
    with pytest.raises(InputError, match="Expected the columns id-a"):
        load_pair_set(table)
    with pytest.raises(InputError, match=r"Expected a table of pairs at .*none\.tsv; there is none"):
        load_pair_set(tmp_path / "none.tsv")


def test_the_form_changes_what_is_compared(tmp_path: Path) -> None:
    table = write_pairs(tmp_path / "small")
    short = load_pair_set(table, form=Form(max_tokens=3))
    assert all(len(document.text.split()) == 3 for document in short.corpus)


def test_what_figures_are_of_leaves_the_train_pairs_out_and_keeps_the_corpus(tmp_path: Path) -> None:
    pairs = pair_set(tmp_path / "small")
    judged = pairs.judged
    assert {pair.split for pair in judged.pairs} == {"valid", "test"}
    assert len(judged.pairs) == len(pairs.pairs) - pairs.of("train").sum() == 24
    assert len(judged.documents) < len(pairs.documents)
    assert judged.corpus == pairs.corpus
    assert [judged.documents[place].id for place in judged.places[0]] == [judged.pairs[0].a, judged.pairs[0].b]
