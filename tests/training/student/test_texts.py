"""The texts that a teacher places: titles, sentences and whole documents, without what benchmarks ask."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from engine.documents import Document
from engine.training.student.recipe import StudentDataSettings
from engine.training.student.texts import short_texts, whole_texts
from tests.contracts.encoder import corpus
from tests.evaluation.small import write_table
from tests.training.small import write_data

SETTINGS = StudentDataSettings(shorts=("ours",), wholes=("ours",))


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_data(tmp_path_factory.mktemp("texts"))


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
