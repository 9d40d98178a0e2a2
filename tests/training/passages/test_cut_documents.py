"""Papers cut into passages for training, and stretches of these: where they are from, and what is changed in them."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import InputError
from engine.encoders.student import StudentEncoder
from engine.reading import iter_documents
from engine.search import cut_passages, passage_text
from engine.training.passages.cut_documents import CutDocuments, Quoting, Stretches
from engine.training.passages.recipe import QuoteSettings
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


_LENGTH, _COUNT = 40, 6
AS_WRITTEN = QuoteSettings(spans=_COUNT, fewest=4, most=12, changed=0)


def documents(*, parts: tuple[int, ...] = (0, 0, 0, 1, 1, 1)) -> CutDocuments:
    """One document of six passages with 40 tokens each; every token is another, and an odd one goes on with a word."""
    starts = np.arange(0, _LENGTH * (_COUNT + 1), _LENGTH)
    flat = np.arange(_LENGTH * _COUNT, dtype=np.int32)
    return CutDocuments(("a",), ("",), np.array([0, _COUNT]), flat, starts, np.array(parts))


def drawn(settings: QuoteSettings, *, pieces: bool = False, seed: int = 0, **given: tuple[int, ...]) -> Stretches:
    continues = np.arange(_LENGTH * _COUNT) % 2 == 1 if pieces else np.zeros(_LENGTH * _COUNT, np.bool_)
    return Quoting(settings, documents(**given), continues).draw(np.arange(_COUNT), np.random.default_rng(seed))


def test_as_it_is_written_a_stretch_follows_the_text_and_half_of_it_is_in_its_passage() -> None:
    over = 0
    for seed in range(50):
        found = drawn(AS_WRITTEN, seed=seed)
        assert sorted(found.own.tolist()) == list(range(_COUNT))
        for tokens, own, beside in zip(found.tokens, found.own, found.beside, strict=True):
            assert 4 <= len(tokens) <= 12 and (np.diff(tokens) == 1).all()
            passages = tokens // _LENGTH
            assert 2 * (passages == own).sum() >= len(tokens)
            assert set(passages) == ({own} if beside < 0 else {own, beside})
            over += beside >= 0
    assert over > 5


def test_a_stretch_stays_in_its_section() -> None:
    for seed in range(50):
        found = drawn(AS_WRITTEN, seed=seed, parts=tuple(range(_COUNT)))
        assert (found.beside == -1).all()
        assert all(set(tokens // _LENGTH) == {own} for tokens, own in zip(found.tokens, found.own, strict=True))


def test_a_passage_that_is_not_drawn_from_is_beside_none() -> None:
    quoting = Quoting(AS_WRITTEN, documents(), np.zeros(_LENGTH * _COUNT, np.bool_))
    for seed in range(50):
        found = quoting.draw(np.array([0, 4]), np.random.default_rng(seed))
        assert sorted(found.own.tolist()) == [0, 1] and (found.beside == -1).all()


def test_words_are_left_out_in_their_order() -> None:
    settings = replace(AS_WRITTEN, fewest=12, changed=1, dropped=1, replaced=0)
    lengths = []
    for seed in range(30):
        for tokens in drawn(settings, pieces=True, seed=seed).tokens:
            assert (np.diff(tokens) > 0).all()
            assert (tokens[::2] % 2 == 0).all() and (tokens[1::2] == tokens[::2] + 1).all()  # words stay whole
            lengths.append(len(tokens))
    assert min(lengths) < 8 and max(lengths) == 24


def test_a_changed_word_is_another_whole_word_of_the_documents() -> None:
    settings = replace(AS_WRITTEN, fewest=12, changed=1, dropped=0, replaced=1)
    continues = np.zeros(_LENGTH * _COUNT, np.bool_)
    continues[1::4] = True  # 0 1 | 2 | 3 | 4 5 | ...: every third word is of two pieces
    quoting = Quoting(settings, documents(), continues)
    others = 0
    for seed in range(30):
        found = quoting.draw(np.arange(_COUNT), np.random.default_rng(seed))
        for tokens, own in zip(found.tokens, found.own, strict=True):
            assert (~continues[tokens]).sum() == 12
            foreign = ~np.isin(tokens // _LENGTH, (own, own + 1))
            assert (tokens[foreign] % 4 >= 2).all()
            others += foreign.sum()
    assert others > 100


def test_the_same_draw_gives_the_same_stretches() -> None:
    settings = replace(AS_WRITTEN, changed=1)
    one, other = drawn(settings, seed=4), drawn(settings, seed=4)
    assert [tokens.tolist() for tokens in one.tokens] == [tokens.tolist() for tokens in other.tokens]
