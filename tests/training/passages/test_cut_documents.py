"""Papers cut into passages for training: which are read, and where each passage lies."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import InputError
from engine.encoders.student import StudentEncoder
from engine.reading import iter_documents
from engine.search import cut_passages, passage_text
from engine.training.passages.cut_documents import CutDocuments
from engine.training.related import pairs_in
from tests.encoders.student.tiny import tiny
from tests.evaluation.small import write_table
from tests.training.passages.small import SETTINGS, recipe, write_passage_data


@pytest.fixture(scope="module")
def encoder() -> StudentEncoder:
    return tiny(SETTINGS)


def test_the_documents_of_train_pairs_are_read(data: Path, encoder: StudentEncoder) -> None:
    found = CutDocuments.of(recipe(data).data, encoder, data)
    paired = {name for corpus in ("ours", "more") for pair in pairs_in(data / corpus / "pairs.tsv") for name in pair}
    assert set(found.names) == paired
    every = {one.id for corpus in ("ours", "more") for one in iter_documents(data / corpus / "corpus.parquet")}
    assert paired < every


def test_passages_stand_end_to_end_as_the_encoder_reads_them(data: Path, encoder: StudentEncoder) -> None:
    found = CutDocuments.of(recipe(data).data, encoder, data)
    held = {one.id: one for corpus in ("ours", "more") for one in iter_documents(data / corpus / "corpus.parquet")}
    owners = found.owners()
    for number, name in enumerate(found.names):
        passages = cut_passages(held[name], 5)
        places = found.passages(number)
        assert len(places) == len(passages) > 1
        read = encoder.tokens([passage_text(held[name], one) for one in passages])
        assert [found.tokens(place).tolist() for place in places] == [ids[1:-1] for ids in read]
        assert (owners[places] == number).all()
        section = [one.part for one in passages]
        goes_on = [one == other for one, other in itertools.pairwise(section)]
        assert found.runs_on()[places].tolist() == [*goes_on, False]


def test_a_benchmark_s_query_is_left_out(tmp_path: Path, encoder: StudentEncoder) -> None:
    data = write_passage_data(tmp_path)
    before = CutDocuments.of(recipe(data).data, encoder, data)
    query = next(one for one in iter_documents(data / "ours" / "corpus.parquet") if one.id == before.names[0])
    (data / "set").mkdir()
    write_table(data / "set" / "queries.parquet", [query])
    after = CutDocuments.of(recipe(data).data, encoder, data)
    assert set(before.names) - set(after.names) == {query.id}
    assert len(after.flat) == after.starts[-1] < before.starts[-1] and np.all(np.diff(after.starts) > 0)


def test_a_table_that_is_missing_is_named(data: Path, encoder: StudentEncoder) -> None:
    with pytest.raises(InputError, match=r"none\.tsv"):
        CutDocuments.of(recipe(data, "data.files=[{corpus='ours', pairs='none.tsv'}]").data, encoder, data)
