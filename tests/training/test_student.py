"""Small transformers taught by a larger one: the texts that they learn, what they begin with, keep and refuse."""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from scipy.sparse import csr_array

from engine.cli.main import build_parser
from engine.core.config import from_mapping, with_settings
from engine.core.errors import ConfigError, InputError, TrainingError
from engine.documents import Document, Section
from engine.encoders import Transformer, TransformerMeanEncoder
from engine.encoders.student import StudentEncoder
from engine.training import teacher as teacher_module
from engine.training.loop import Processes
from engine.training.related import RelatedDocuments, RelatedPairs
from engine.training.run_folder import Folders
from engine.training.settings import RelatedSettings
from engine.training.student import trainer
from engine.training.student.recipe import RelatedTextSettings, StudentDataSettings, StudentRecipe
from engine.training.student.texts import (
    HeldTexts,
    RelatedTexts,
    passages_citing,
    read_texts,
    short_texts,
    whole_texts,
    words_of,
    worth_of_words,
)
from engine.training.student.trainer import PlacedTexts, StudentTask
from engine.training.teacher import read_teacher_rows
from tests.contracts.encoder import corpus
from tests.encoders.tiny_transformer import write_tiny_transformer
from tests.evaluation.small import write_table
from tests.training.small import write_data


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_data(tmp_path_factory.mktemp("student"))


@pytest.fixture(scope="module")
def teacher(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_transformer(tmp_path_factory.mktemp("teacher"))


def recipe(data: Path, teacher: Path, *settings: str) -> StudentRecipe:
    values: dict[str, Any] = {
        "method": "student",
        "device": "cpu",
        "layers": [1],
        "data": {"shorts": ["ours"], "wholes": ["ours"]},
        "teacher": {"source": str(teacher), "max_tokens": 64},
        "reading": {"max_tokens": 64},
        "objective": {"steps": 5, "wholes_share": 0.5},
        "optimizer": {"learning_rate": 0.003, "batch": 16},
        "schedule": {"epochs": 2},
    }
    return from_mapping(with_settings(values, settings), StudentRecipe, origin="ours.toml")


RELATED = (
    "related={weight = 2.0, batch = 3, temperature = 0.1, subjects = ['ours'], files = [{corpus = 'ours'}], "
    "titles = ['ours']}"
)


def settings(*given: str) -> RelatedTextSettings:
    return from_mapping(with_settings({}, given), RelatedTextSettings, origin="ours.toml")


SETTINGS = StudentDataSettings(shorts=("ours",), wholes=("ours",))


def test_texts_are_titles_sentences_and_whole_documents(data: Path) -> None:
    short = short_texts(SETTINGS, data, seed=1)
    documents = corpus()
    titles = {document.title for document in documents}
    sentences = set(short) - titles
    assert titles <= set(short)
    assert sentences and all(any(one in document.abstract for document in documents) for one in sentences)
    assert len(short) < 2 * len(documents)  # not every abstract gives one
    assert short == short_texts(SETTINGS, data, seed=1) != short_texts(SETTINGS, data, seed=2)
    assert whole_texts(SETTINGS, data) == [document.text for document in documents]


def test_queries_of_benchmarks_and_their_copies_teach_nothing(data: Path, tmp_path: Path) -> None:
    shutil.copytree(data, tmp_path / "data")
    (tmp_path / "data" / "asked").mkdir()
    asked = corpus()[0]
    copied = Document("held", title="What drives the governor of an engine")
    write_table(tmp_path / "data" / "asked" / "queries.parquet", [asked, replace(copied, id="asks")])
    write_table(tmp_path / "data" / "ours" / "corpus.parquet", [*corpus(), copied])
    assert whole_texts(SETTINGS, tmp_path / "data") == [one.text for one in corpus()[1:]]
    titles = {one.title for one in corpus()[1:]}
    assert asked.title in titles or asked.title not in short_texts(SETTINGS, tmp_path / "data", seed=1)


VALVES = Document(id="valves", title="Safety valves for boilers", abstract="A valve opens under steam.", year=1998)


WORTH = {"valve": 1.0, "valves": 1.0, "boilers": 2.0, "steam": 0.5, "safety": 3.0}


def citing_paper(*texts: str) -> Document:
    return Document(id="later", title="Engines", sections=tuple(Section("One", text) for text in texts), year=2004)


def found(*texts: str, most: int = 9) -> list[str]:
    return passages_citing(citing_paper(*texts), VALVES, WORTH, most=most)


@pytest.mark.parametrize(
    "mark",
    [
        "(Watt, 1998)",
        "Watt (1998)",
        "Watt and Boulton (1998)",
        "(Watt and Boulton, 1998)",
        "Watt et al. (1998)",
        "(Watt et al., 1998a)",
        "(Hook, 1996; Watt, 1998)",
        "(Çelik, 1998)",
        "O’Neil (1998)",
    ],
)
def test_a_name_with_the_year_is_a_mark(mark: str) -> None:
    text = f"Valves are known {mark} for that."
    assert found(text) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "Valves are known (Watt, 1999) for that.",
        "Valves of 1998 are known for that.",
        "Valves are known [3] for that.",
        "Valves are numbered Watt 19981 in that.",
        "Wheels are known (Watt, 1998) for that.",  # no word of worth in common
    ],
)
def test_nothing_else_is_one(text: str) -> None:
    assert found(text) == []


def test_a_passage_is_the_sentence_with_those_beside_it() -> None:
    text = "First comes this. Then comes that. Valves hold (Watt, 1998) well. After it comes this. Last comes that."
    assert found(text) == ["Then comes that. Valves hold (Watt, 1998) well. After it comes this."]


def test_at_the_ends_of_a_section_there_is_nothing_beside_it() -> None:
    assert found("Valves hold (Watt, 1998) well. Then comes that.", "Nothing of it is said here.") == [
        "Valves hold (Watt, 1998) well. Then comes that."
    ]


def test_the_likeliest_come_first_and_only_so_many() -> None:
    texts = ["Steam is hot (Watt, 1998).", "Safety matters (Watt, 1998).", "Boilers and valves (Watt, 1998)."]
    assert found(*texts) == [texts[1], texts[2], texts[0]]
    assert found(*texts, most=2) == [texts[1], texts[2]]


def test_of_equal_ones_the_first_comes_first_and_none_twice() -> None:
    texts = ["A valve is one (Watt, 1998).", "One is a valve (Watt, 1998).", "A valve is one (Watt, 1998)."]
    assert found(*texts) == texts[:2]


def test_without_a_year_nothing_is_found() -> None:
    undated = Document(id="undated", title="Safety valves")
    assert passages_citing(citing_paper("Valves are known (Watt, 1998)."), undated, WORTH, most=9) == []


def test_a_rare_word_is_worth_more() -> None:
    titles = ["steam valve", "steam engine", "steam wheel", "the steam valve"]
    worth = worth_of_words(Document(id=title, title=title) for title in titles)
    assert worth == {
        "steam": 0.0,
        "valve": pytest.approx(math.log(2)),
        "engine": pytest.approx(math.log(4)),
        "wheel": pytest.approx(math.log(4)),
    }


def test_words_are_of_title_and_abstract_without_function_words() -> None:
    document = Document(id="d", title="The valve", abstract="It opens.", sections=(Section("Method", "A wheel."),))
    assert words_of(document) == {"valve", "opens"}


KEYS = [(1, epoch, step) for epoch in range(2) for step in range(150)]


EVERY_SOURCE = ["subjects=['ours']", "files=[{corpus = 'ours'}]", "titles=['theirs']"]


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Transformer:
    return Transformer.open(write_tiny_transformer(tmp_path_factory.mktemp("tokenizer")))


def paper(name: str, *categories: str, title: str | None = None, family: str = "") -> Document:
    """A document whose title, abstract and section say which it is."""
    return Document(
        id=name,
        title=f"Steam {name}" if title is None else title,
        abstract=f"The boiler of {name}.",
        sections=(Section("Method", f"The valve of {name}."),),
        categories=categories,
        family=family,
    )


def write(folder: Path, name: str, documents: Sequence[Document], *pairs: tuple[str, str]) -> Path:
    """Write a corpus, with a table of pairs where there are any; gives the folder of corpora."""
    (folder / name).mkdir()
    write_table(folder / name / "corpus.parquet", documents)
    if pairs:
        rows = [f"{one}\t{other}" for one, other in pairs]
        (folder / name / "train-pairs.tsv").write_text("\n".join(["id-a\tid-b", *rows]))
    return folder


def read(data: Path, *given: str, most_characters: int = 1_000) -> HeldTexts:
    return read_texts(settings(*given), data, most_characters=most_characters)


def rest_of(document: Document) -> str:
    return "\n\n".join([document.abstract, document.sections[0].text])


def several(folder: Path) -> Path:
    """Four subjects of five documents and four pairs in "ours", six documents of no subject in "theirs"."""
    ours = [paper(f"{name}{number}", name) for name in "abcd" for number in range(5)]
    write(folder, "ours", ours, ("a0", "b0"), ("b1", "c1"), ("c2", "d2"), ("d3", "a3"))
    return write(folder, "theirs", [paper(f"t{number}") for number in range(6)])


def drawn_from(data: Path, tokenizer: Transformer, *given: str, batch: int = 3) -> RelatedTexts:
    made = RelatedTexts.of(settings("weight=0.5", f"batch={batch}", *given), tokenizer, data, max_tokens=32)
    assert made is not None
    return made


def test_whole_documents_have_their_subject_and_titles_what_they_head(tmp_path: Path) -> None:
    one, other = paper("one", "B", "A", "B", family="f"), paper("other")
    held = read(write(tmp_path, "ours", [one, other]), "subjects=['ours']", "titles=['ours']")
    assert held.texts == [one.text, "Steam one", rest_of(one), "Steam other", rest_of(other)]
    assert held.names == ["one", "one\ttitle", "one\trest", "other\ttitle", "other\trest"]
    assert held.subjects == ["ours\tA\tB", "", "", "", ""]
    assert held.families == ["f", "f", "f", "", ""]
    assert held.headed == [(1, 2), (3, 4)]


def test_a_corpus_gives_only_what_it_is_named_for(tmp_path: Path) -> None:
    write(tmp_path, "ours", [paper("one", "A")])
    write(tmp_path, "theirs", [paper("two", "A")])
    held = read(tmp_path, "subjects=['ours']", "titles=['theirs']")
    assert held.names == ["one", "two\ttitle", "two\trest"]
    assert held.subjects == ["ours\tA", "", ""]


def test_a_title_that_heads_nothing_and_a_text_without_a_title_are_no_pair(tmp_path: Path) -> None:
    documents = [Document(id="bare", title="Steam"), paper("headless", title=""), paper("blank", title="  ")]
    held = read(write(tmp_path, "ours", documents), "titles=['ours']")
    assert (held.texts, held.headed) == ([], [])


def test_no_query_of_a_benchmark_nor_a_copy_or_one_of_its_family_is_among_the_texts(tmp_path: Path) -> None:
    documents = [paper("query", "A"), paper("later", "A", family="f"), paper("free", "A", family="g")]
    copied = paper("copy", "A", title="What drives the governor of an engine")
    documents.append(copied)
    write(tmp_path, "ours", documents, ("query", "free"), ("later", "free"))
    (tmp_path / "bench").mkdir()
    write_table(tmp_path / "bench" / "queries.parquet", [paper("query", family="f"), replace(copied, id="asks")])
    held = read(tmp_path, "subjects=['ours']", "files=[{corpus = 'ours'}]", "titles=['ours']")
    assert held.names == ["free", "free\ttitle", "free\trest"]


def test_an_id_that_was_seen_before_is_taken_once(tmp_path: Path) -> None:
    write(tmp_path, "ours", [paper("one", "A", title="First"), paper("one", "A", title="Second")])
    write(tmp_path, "theirs", [paper("one", "A", title="Third"), paper("two", "A")])
    held = read(tmp_path, "subjects=['ours', 'theirs']", "titles=['ours', 'theirs']")
    assert held.names == ["one", "one\ttitle", "one\trest", "two", "two\ttitle", "two\trest"]
    assert held.texts[1] == "First"


def test_related_documents_of_some_corpora_are_read_to_the_end_of_their_abstract(tmp_path: Path) -> None:
    one, two = paper("one", "A"), paper("two", "A")
    write(tmp_path, "ours", [one])
    write(tmp_path, "theirs", [two])
    held = read(tmp_path, "subjects=['ours', 'theirs']", "abstracts=['theirs']", "titles=['theirs']")
    assert held.texts == [one.text, f"{two.title}\n\n{two.abstract}", two.title, rest_of(two)]


def test_paired_documents_are_held_without_categories_in_their_own_corpus(tmp_path: Path) -> None:
    write(tmp_path, "ours", [paper(name) for name in ("a", "b", "c")], ("a", "b"), ("b", "d"))
    write(tmp_path, "theirs", [paper("d"), paper("e")], ("e", "c"))
    held = read(tmp_path, "files=[{corpus = 'ours'}, {corpus = 'theirs'}]")
    assert (held.names, held.subjects, held.headed) == (["a", "b", "e"], ["", "", ""], [])


def test_categories_count_only_in_a_corpus_of_subjects(tmp_path: Path) -> None:
    write(tmp_path, "ours", [paper("a", "A"), paper("b", "A"), paper("c", "A")], ("a", "b"))
    held = read(tmp_path, "files=[{corpus = 'ours'}]")
    assert (held.names, held.subjects) == (["a", "b"], ["", ""])


def test_no_text_is_longer_than_it_may_be(tmp_path: Path) -> None:
    write(tmp_path, "ours", [Document(id="one", title="Steam engine", abstract="x" * 50, categories=("A",))])
    held = read(tmp_path, "subjects=['ours']", "titles=['ours']", most_characters=20)
    assert held.texts == ["Steam engine\n\nxxxxxx", "Steam engine", "x" * 20]


def test_no_title_is_longer_than_a_text_may_be(tmp_path: Path) -> None:
    write(tmp_path, "ours", [paper("one", title="x" * 50)])
    assert [len(text) for text in read(tmp_path, "titles=['ours']", most_characters=20).texts] == [20, 20]


def test_without_weight_nothing_is_read(tokenizer: Transformer, tmp_path: Path) -> None:
    assert RelatedTexts.of(settings(*EVERY_SOURCE), tokenizer, tmp_path / "none", max_tokens=32) is None


def test_texts_are_the_first_tokens_that_a_student_reads(tokenizer: Transformer, tmp_path: Path) -> None:
    abstract = " ".join(["boiler", "valve"] * 40)
    write(tmp_path, "ours", [Document(id=name, title="Steam", abstract=abstract) for name in ("one", "two")])
    made = RelatedTexts.of(settings("weight=1", "batch=2", "titles=['ours']"), tokenizer, tmp_path, max_tokens=9)
    assert made is not None
    assert list(made.tokens) == tokenizer.tokens(["Steam", abstract] * 2, 9)
    assert [len(ids) for ids in made.tokens] == [3, 9] * 2


def test_a_step_draws_from_one_source_by_its_share(tokenizer: Transformer, tmp_path: Path) -> None:
    given = (*EVERY_SOURCE, "title_share=0.4", "subject_share=0.75")
    data = several(tmp_path)
    made, held = drawn_from(data, tokenizer, *given), read(data, *given)
    assert made.pairs.counts == {"subjects": 4, "related_pairs": 4 + 6}
    np.testing.assert_allclose(made.pairs.chances, [0.6 * 0.75, 0.6 * 0.25, 0.4])
    seen: list[str] = []
    for key in KEYS:
        pairs = made.draw(key).pairs
        assert pairs.shape == (3, 2)
        kinds = {_kind(held, one, other) for one, other in pairs.tolist()}
        assert len(kinds) == 1
        seen += kinds
    shares = [seen.count(kind) / len(KEYS) for kind in ("subject", "file", "title")]
    np.testing.assert_allclose(shares, made.pairs.chances, atol=0.08)


def test_titles_alone_are_drawn_in_every_step(tokenizer: Transformer, tmp_path: Path) -> None:
    made = drawn_from(several(tmp_path), tokenizer, "titles=['theirs']", "title_share=0.1")
    assert made.pairs.chances.tolist() == [1.0]
    assert made.pairs.counts == {"subjects": 0, "related_pairs": 6}
    drawn = [tuple(pair) for key in KEYS[:50] for pair in made.draw(key).pairs.tolist()]
    assert {(min(pair), max(pair)) for pair in drawn} == {(place, place + 1) for place in range(0, 12, 2)}
    assert {(0, 1), (1, 0)} <= set(drawn)  # either may ask


def test_subjects_and_files_are_drawn_without_titles(tokenizer: Transformer, tmp_path: Path) -> None:
    made = drawn_from(several(tmp_path), tokenizer, *EVERY_SOURCE[:2], "title_share=0.4", "subject_share=0.75")
    assert made.pairs.chances.tolist() == [0.75, 0.25]


def test_titles_are_strangers_unless_their_documents_are_of_one_family(tokenizer: Transformer, tmp_path: Path) -> None:
    documents = [paper("one", "A", family="f"), paper("two", "A", family="f"), paper("three", "A")]
    made = drawn_from(write(tmp_path, "ours", documents), tokenizer, "titles=['ours']")
    titles, rests = np.array([0, 2, 4]), np.array([1, 3, 5])
    expected = [[True, True, False], [True, True, False], [False, False, False]]
    assert made.pairs.same_label(titles, rests).tolist() == expected


def test_too_few_to_fill_a_batch_are_told(tokenizer: Transformer, tmp_path: Path) -> None:
    data = several(tmp_path)
    for source, batch, told in (
        ("subjects=['ours']", 5, "at least 5 sets of categories with 4 documents in ours for a batch, got 4"),
        ("files=[{corpus = 'ours'}]", 5, r"at least 5 related pairs in ours/train-pairs\.tsv for a batch, got 4"),
    ):
        drawn_from(data, tokenizer, source, batch=batch - 1)
        with pytest.raises(InputError, match=told):
            drawn_from(data, tokenizer, source, batch=batch)


def test_too_few_titles_to_fill_a_batch_are_told(tokenizer: Transformer, tmp_path: Path) -> None:
    data = several(tmp_path)
    assert len(drawn_from(data, tokenizer, "titles=['theirs']", batch=6).draw(KEYS[0]).pairs) == 6
    with pytest.raises(InputError, match="at least 7 titles with what they head in theirs for a batch, got 6"):
        drawn_from(data, tokenizer, "titles=['theirs']", batch=7)


PASSAGES = "passages=[{corpus = 'ours'}]"


def citing(name: str, year: int, *texts: str) -> Document:
    """A paper with a section a text, and an abstract that names it."""
    sections = tuple(Section("Method", text) for text in texts)
    return Document(id=name, title=f"On {name}", abstract=f"A {name} is shown.", sections=sections, year=year)


def citations(folder: Path) -> Path:
    """A paper of 2004 that cites one of 1998 twice and one of 2001 once; one of 2004 is paired with it alone."""
    later = citing(
        "wheel",
        2004,
        "A valve is old (Watt, 1998).",
        "No valve is a boiler (Watt, 1998; Hook, 2001).",
        "By Hook, 2001.",
    )
    earlier = (citing("valve", 1998, "A wheel comes later (Otto, 2004)."), citing("boiler", 2001), citing("pump", 2004))
    pairs = (("wheel", "valve"), ("boiler", "wheel"), ("wheel", "pump"))
    return write(folder, "ours", [later, *earlier], *pairs)


def test_passages_that_cite_are_paired_with_the_cited_work(tmp_path: Path) -> None:
    held = read(citations(tmp_path), PASSAGES, "abstracts=['ours']")
    assert held.names[:4] == ["wheel", "valve", "boiler", "pump"]
    assert held.texts[1] == "On valve\n\nA valve is shown."
    assert [(held.names[one], held.texts[one], held.names[other]) for one, other in held.citing] == [
        ("wheel\tvalve\t0", "On wheel\n\nA valve is old (Watt, 1998).", "valve"),
        ("wheel\tvalve\t1", "No valve is a boiler (Watt, 1998; Hook, 2001).", "valve"),
        ("wheel\tboiler\t0", "On wheel\n\nNo valve is a boiler (Watt, 1998; Hook, 2001).", "boiler"),
    ]
    assert set(held.known) == {(passage, place) for passage in (4, 5, 6) for place in (1, 2, 3)}
    assert len(read(tmp_path, PASSAGES, "passages_most=1").citing) == 2


def test_a_passage_is_no_stranger_to_what_its_paper_is_paired_with(tokenizer: Transformer, tmp_path: Path) -> None:
    made = drawn_from(citations(tmp_path), tokenizer, PASSAGES)
    assert made.pairs.chances.tolist() == [1.0]
    passages, papers = np.array([4, 5, 6]), np.array([0, 1, 2, 3])
    assert made.pairs.same_label(passages, papers).tolist() == [[False, True, True, True]] * 3
    drawn = {frozenset(pair) for key in KEYS[:20] for pair in made.draw(key).pairs.tolist()}
    assert drawn == {frozenset(pair) for pair in ((4, 1), (5, 1), (6, 2))}


def test_passages_take_their_share_of_the_steps(tokenizer: Transformer, tmp_path: Path) -> None:
    given = ("files=[{corpus = 'ours'}]", PASSAGES, "titles=['ours']", "passage_share=0.2", "title_share=0.5")
    made = drawn_from(citations(tmp_path), tokenizer, *given)
    np.testing.assert_allclose(made.pairs.chances, [0.5 * 0.8, 0.5 * 0.2, 0.5])


def test_too_few_passages_to_fill_a_batch_are_told(tokenizer: Transformer, tmp_path: Path) -> None:
    told = r"at least 4 passages that cite in ours/train-pairs\.tsv for a batch, got 3"
    with pytest.raises(InputError, match=told):
        drawn_from(citations(tmp_path), tokenizer, PASSAGES, batch=4)


def test_no_passage_is_longer_than_a_text_may_be(tmp_path: Path) -> None:
    held = read(citations(tmp_path), PASSAGES, most_characters=12)
    assert [len(held.texts[place]) for place, _ in held.citing] == [12] * 3


def test_a_copy_of_which_nothing_was_taken_does_not_stand_in_the_way(tmp_path: Path) -> None:
    write(tmp_path, "ours", [paper("p0"), paper("p1")])
    write(tmp_path, "theirs", [paper("p0"), paper("p1")], ("p0", "p1"))
    held = read(tmp_path, "subjects=['ours']", "files=[{corpus = 'theirs'}]")
    assert held.names == ["p0", "p1"]


def test_documents_without_text_are_not_held(tmp_path: Path) -> None:
    write(tmp_path, "ours", [Document("empty", categories=("a",)), paper("full", "a")])
    assert read(tmp_path, "subjects=['ours']").names == ["full"]


def _kind(held: HeldTexts, one: int, other: int) -> str:
    """Which source two texts must come from."""
    if (min(one, other), max(one, other)) in held.headed:
        return "title"
    return "subject" if held.subjects[one] and held.subjects[one] == held.subjects[other] else "file"


def test_the_teacher_is_asked_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = TransformerMeanEncoder.open(write_tiny_transformer(tmp_path / "teacher"), max_tokens=64)
    texts = [f"boiler {word}" for word in ("valve", "gene", "graph", "loss", "tree")]
    monkeypatch.setattr(teacher_module, "_SHARD", 2)
    rows = read_teacher_rows(texts, encoder, cache=tmp_path / "cache")
    direct = encoder.encode_documents([Document("a", title=one) for one in texts])
    np.testing.assert_allclose(rows, direct, atol=1e-2)
    monkeypatch.setattr(TransformerMeanEncoder, "encode_documents", None)
    np.testing.assert_array_equal(read_teacher_rows(texts, encoder, cache=tmp_path / "cache"), rows)
    assert read_teacher_rows([], encoder, cache=tmp_path / "cache").shape == (0, encoder.card.dim)


def test_every_text_comes_once_before_one_comes_again(data: Path, teacher: Path) -> None:
    given = recipe(data, teacher, "optimizer.batch=4", "objective.steps=3")
    texts = PlacedTexts([[2, *range(5, 5 + number), 3] for number in range(10)], np.ones((10, 32), np.float16))
    task = StudentTask(given, trainer.begin_model(Transformer.open(teacher), given), texts)
    seen = [place for epoch in range(5) for batch in task.batches(epoch) for place in batch.places.tolist()]
    assert len(seen) == 60 and all(seen.count(place) == 6 for place in range(10))
    again = [batch.places.tolist() for batch in task.batches(1)]
    assert again == [batch.places.tolist() for batch in task.batches(1)]
    assert all(batch == sorted(batch) for batch in again)  # lengths rise with the number here


def test_what_belongs_together_is_learnt_beside_the_teacher_s_places(data: Path, teacher: Path) -> None:
    given, transformer = recipe(data, teacher, RELATED, "seed=3"), Transformer.open(teacher)
    model = trainer.begin_model(transformer, given)
    texts = PlacedTexts([[2, *range(5, 5 + number), 3] for number in range(6)], np.ones((6, 32), np.float16))
    related = RelatedTexts.of(given.related, transformer, data, max_tokens=64)
    assert related is not None
    alone, both = StudentTask(given, model, texts), StudentTask(given, model, texts, related=related)
    for batch in both.batches(0):
        one, other = related.draw(batch.key).pairs.T
        rows = [_placed(model, [related.tokens[place] for place in side]) for side in (one, other)]
        logits = rows[0] @ rows[1].T / 0.1
        logits[related.pairs.same_label(one, other) & ~np.eye(3, dtype=bool)] = -np.inf
        shares = [logits - np.log(np.exp(logits).sum(axis, keepdims=True)) for axis in (0, 1)]
        by_hand = -np.mean([np.diag(share) for share in shares])
        added = float(both.loss(batch).detach()) - float(alone.loss(batch).detach())
        assert added == pytest.approx(2 * by_hand, rel=1e-3, abs=1e-3)


def test_related_texts_of_one_subject_or_family_are_no_negatives(data: Path, teacher: Path) -> None:
    given = recipe(data, teacher, "related={weight = 2.0, batch = 5, temperature = 0.1, titles = ['ours']}")
    transformer = Transformer.open(teacher)
    model = trainer.begin_model(transformer, given)
    texts = PlacedTexts([[2, *range(5, 5 + number), 3] for number in range(6)], np.ones((6, 32), np.float16))
    related = RelatedTexts(transformer.tokens([one.text for one in corpus()[:10]], 64), _five_pairs())
    alone, both = StudentTask(given, model, texts), StudentTask(given, model, texts, related=related)
    for batch in both.batches(0):
        one, other = related.draw(batch.key).pairs.T
        rows = [_placed(model, [related.tokens[place] for place in side]) for side in (one, other)]
        drawn = (one // 2).tolist()  # which of the five pairs
        counted = [[{this, that} not in ({0, 2}, {3, 4}) for that in drawn] for this in drawn]
        scores = np.exp(rows[0] @ rows[1].T / 0.1)
        sums = [(scores * counted).sum(axis) for axis in (0, 1)]
        by_hand = np.mean([np.log(total / scores.diagonal()) for total in sums])
        added = float(both.loss(batch).detach()) - float(alone.loss(batch).detach())
        assert added == pytest.approx(2 * by_hand, rel=1e-4, abs=1e-4)


def _five_pairs() -> RelatedPairs:
    """Of ten texts each with the next; the first and third pair are of one subject, the last two of one family."""
    every = RelatedSettings(share=1.0, batch=5, subjects=("ours",), subject_share=0.0)
    source = RelatedDocuments(every, [], np.arange(10).reshape(-1, 2))
    subjects, families = np.array([0, 0, -1, -1, 0, 0, -1, -1, -1, -1]), np.array([-1] * 6 + [0] * 4)
    return RelatedPairs([source], np.ones(1), csr_array((10, 10), dtype=bool), subjects, families)


def _placed(model: Any, texts: list[Any]) -> Any:  # noqa: ANN401  a module without types, arrays
    rows = []
    for ids in texts:
        with torch.no_grad():
            row = model(input_ids=torch.tensor([list(ids)])).last_hidden_state[0].sum(0).numpy()
        rows.append(row / np.linalg.norm(row))
    return np.array(rows, np.float64)


def train(data: Path, teacher: Path, run: Path, *settings: str, resume: bool = False) -> StudentEncoder:
    return trainer.train(recipe(data, teacher, *settings), Folders(data, run, data / "cache"), resume=resume)


def test_a_student_of_all_layers_places_texts_as_its_teacher_at_once(data: Path, teacher: Path, tmp_path: Path) -> None:
    encoder = train(data, teacher, tmp_path / "run", "layers=[0, 1]", "schedule.epochs=0")
    placed = TransformerMeanEncoder.open(teacher, max_tokens=64).encode_documents(corpus())
    np.testing.assert_allclose(encoder.encode_documents(corpus()), placed, atol=3e-2)


def test_a_student_of_fewer_layers_comes_nearer_to_its_teacher(data: Path, teacher: Path, tmp_path: Path) -> None:
    placed = TransformerMeanEncoder.open(teacher, max_tokens=64).encode_documents(corpus())
    first = train(data, teacher, tmp_path / "none", "schedule.epochs=0")
    taught = train(data, teacher, tmp_path / "run", "schedule.epochs=6")
    near = [float((one.encode_documents(corpus()) * placed).sum(1).mean()) for one in (first, taught)]
    assert near[1] > near[0]
    losses = [one["loss"] for one in taught.facts["curve"]]
    assert losses[-1] < 0.8 * losses[0]
    assert taught.card.trained_on == ("ours",)
    assert taught.facts["documents"] > 40 and taught.facts["device"] == "cpu"
    assert {"commit", "hardware", "seed", "recipe", "corpora_sha256"} <= taught.facts.keys()


def test_word_vectors_stay_unless_the_recipe_trains_them(data: Path, teacher: Path) -> None:
    model = Transformer.open(teacher)
    frozen, learnt = (
        trainer.begin_model(model, recipe(data, teacher, f"train_words={value}")) for value in ("false", "true")
    )
    words = "embeddings.word_embeddings.weight"
    assert not dict(frozen.named_parameters())[words].requires_grad
    assert dict(learnt.named_parameters())[words].requires_grad


def test_a_run_that_was_broken_off_gives_the_same_weights(data: Path, teacher: Path, tmp_path: Path) -> None:
    whole = train(data, teacher, tmp_path / "whole")
    train(data, teacher, tmp_path / "broken", "schedule.epochs=1")
    resumed = train(data, teacher, tmp_path / "broken", resume=True)
    assert resumed.card.fingerprint == whole.card.fingerprint


def test_a_run_with_related_texts_says_so_and_goes_on_where_it_stood(data: Path, teacher: Path, tmp_path: Path) -> None:
    whole = train(data, teacher, tmp_path / "whole", RELATED, "data.shorts=[]")
    assert whole.facts["subjects"] > 2 and whole.facts["related_pairs"] > 3
    assert "ours/train-pairs.tsv" in whole.facts["corpora_sha256"]
    train(data, teacher, tmp_path / "broken", RELATED, "data.shorts=[]", "schedule.epochs=1")
    resumed = train(data, teacher, tmp_path / "broken", RELATED, "data.shorts=[]", resume=True)
    assert resumed.card.fingerprint == whole.card.fingerprint
    unlike = train(data, teacher, tmp_path / "unlike", "data.shorts=[]")
    assert unlike.card.fingerprint != whole.card.fingerprint


def test_of_short_texts_only_so_many_are_placed(data: Path, teacher: Path, tmp_path: Path) -> None:
    given = ("data.wholes=[]", "schedule.epochs=0")
    every, some = (
        train(data, teacher, tmp_path / "a", *given),
        train(data, teacher, tmp_path / "b", *given, "objective.shorts_most=7"),
    )
    assert every.facts["documents"] > 7 and some.facts["documents"] == 7


def test_corpora_of_related_texts_are_trained_on_too(teacher: Path, tmp_path: Path) -> None:
    data = write_data(tmp_path / "data")
    (data / "theirs").mkdir()
    write_table(data / "theirs" / "corpus.parquet", [replace(one, id=f"their {one.id}") for one in corpus()[:8]])
    related = "related={weight = 1.0, batch = 3, subjects = ['ours'], titles = ['theirs']}"
    encoder = train(data, teacher, tmp_path / "run", related, "data.shorts=[]", "schedule.epochs=0")
    assert encoder.card.trained_on == ("ours", "theirs")
    assert encoder.facts["corpora_sha256"].keys() == {"ours", "theirs"}
    assert (encoder.facts["subjects"], encoder.facts["related_pairs"]) == (4, 8)
    without = train(data, teacher, tmp_path / "without", "data.shorts=[]", "schedule.epochs=0")
    assert without.card.trained_on == ("ours",)
    assert not {"subjects", "related_pairs"} & without.facts.keys()


def test_layers_that_the_teacher_lacks_are_refused(data: Path, teacher: Path, tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match="Expected a teacher like BERT with the layers 0, 7, got one of 2"):
        train(data, teacher, tmp_path / "run", "layers=[0, 7]")


def test_several_processes_are_refused(
    data: Path, teacher: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from contextlib import nullcontext

    two = nullcontext((Processes(0, 2), torch.device("cpu")))
    monkeypatch.setattr("engine.training.loop.joined", lambda device: two)
    with pytest.raises(TrainingError, match="Expected one process, got 2"):
        train(data, teacher, tmp_path / "run")


def test_every_wrong_key_is_named(data: Path, teacher: Path) -> None:
    for setting, said in (
        ("objective.temperature=0", "temperature must be above 0, got 0"),
        ("objective.places=-1", "places must be 0 or more, got -1"),
        ("objective.steps=0", "steps must be at least 1, got 0"),
        ("objective.shorts_most=-1", "shorts_most must be 0 or more, got -1"),
        ("objective.wholes_share=2", "wholes_share must be from 0 to 1, got 2"),
        ("data.sentence_share=2", "data: sentence_share must be from 0 to 1, got 2"),
        ("teacher.max_tokens=0", "teacher: max_tokens must be at least 1, got 0"),
        ("reading.max_tokens=0", "reading: max_tokens must be at least 1, got 0"),
        ("reading.stored=int3", "reading: stored must be one of .*, got 'int3'"),
        ("layers=[]", "layers must name at least one, from 0"),
        ("seed=-1", "seed must be 0 or more, got -1"),
    ):
        with pytest.raises(ConfigError, match=said):
            recipe(data, teacher, setting)
    with pytest.raises(ConfigError, match="shorts or wholes must name at least one corpus"):
        recipe(data, teacher, "data.shorts=[]", "data.wholes=[]")


def test_the_command_trains_by_a_recipe_file(
    data: Path, teacher: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "ours.toml"
    path.write_text(
        f'method = "student"\ndevice = "cpu"\nlayers = [0]\n[data]\nshorts = ["ours"]\nvalid = ["small"]\n'
        f'[teacher]\nsource = "{teacher}"\nmax_tokens = 64\n[reading]\nmax_tokens = 64\n[objective]\nsteps = 2\n'
        "[optimizer]\nbatch = 8\n[schedule]\nepochs = 1\n"
    )
    parser = build_parser("train")
    arguments = parser.parse_args(["train", str(path), "--data", str(data), "--out", str(tmp_path / "out"), "--json"])
    arguments.run(arguments)
    said = json.loads(capsys.readouterr().out)
    assert said["best_epoch"] == 1 and "small" in said["curve"][0]["scores"]
    assert StudentEncoder.load(tmp_path / "out").card.max_tokens == 64
