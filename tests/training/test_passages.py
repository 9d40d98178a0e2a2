"""Encoders of passages: their recipes, papers cut into passages, and a small transformer taught to find them."""

from __future__ import annotations

import itertools
import json
from contextlib import nullcontext
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch.nn.functional import normalize

from engine.core.config import from_mapping, with_settings
from engine.core.errors import ConfigError, InputError, StorageError, TrainingError
from engine.encoders import registry, storage, transformer
from engine.encoders.student import OF_PASSAGES, StudentEncoder, StudentSettings
from engine.reading import iter_documents
from engine.search import cut_passages, passage_text
from engine.training.loop import Processes
from engine.training.losses import contrastive, late_interaction, posterior_loss
from engine.training.related import RelatedPairs, pairs_in
from engine.training.run_folder import Folders
from engine.training.runs import SHIPPED
from engine.training.student import passages as trainer
from engine.training.student.passages import CutDocuments, PassageBatch, PassageTask, PassageTexts, Quotes, Quoting
from engine.training.student.recipe import PassagesRecipe, QuoteSettings, StudentRecipe
from tests.encoders.tiny_student import tiny
from tests.evaluation.small import write_table
from tests.training.long import write_long_corpora
from tests.training.test_student import settings

SETTINGS = StudentSettings(max_tokens=24, reads="passages")


def write_passage_data(folder: Path) -> Path:
    """The corpora of `write_long_corpora`, and a transformer in "tiny"."""
    tiny().save(folder / "tiny")
    return write_long_corpora(folder)


def recipe(data: Path, *settings: str) -> PassagesRecipe:
    """A recipe for the small corpora: passages of some five words, two epochs."""
    values: dict[str, Any] = {
        "method": "passages",
        "device": "cpu",
        "source": str(data / "tiny"),
        "data": {
            "files": [{"corpus": "ours", "pairs": "pairs.tsv"}, {"corpus": "more", "pairs": "pairs.tsv"}],
            "words": 5,
            "each": 3,
        },
        "reading": {"max_tokens": 24, "reads": "passages"},
        "objective": {"steps": 5, "quotes": {"spans": 8, "fewest": 2, "most": 6}},
        "optimizer": {"learning_rate": 0.003, "batch": 3},
        "schedule": {"epochs": 2},
    }
    return from_mapping(with_settings(values, settings), PassagesRecipe, origin="ours.toml")


def test_every_corpus_of_a_recipe_is_named_once() -> None:
    given = settings("subjects=['a', 'b']", "files=[{corpus = 'b'}, {corpus = 'c'}]", "titles=['d', 'a']")
    assert given.corpora == ("a", "b", "c", "d")


def test_every_wrong_key_is_named() -> None:
    for setting, said in (
        ("weight=-1", "weight must be 0 or more, got -1"),
        ("temperature=0", "temperature must be above 0, got 0"),
        ("batch=1", "batch must be at least 2, got 1"),
        ("subject_share=2", "subject_share must be from 0 to 1, got 2"),
        ("subject_share=-0.1", "subject_share must be from 0 to 1, got -0.1"),
        ("title_share=2", "title_share must be from 0 to 1, got 2"),
        ("title_share=-0.1", "title_share must be from 0 to 1, got -0.1"),
        ("passage_share=2", "passage_share must be from 0 to 1, got 2"),
        ("passages_most=0", "passages_most must be at least 1, got 0"),
        ("weight=1", "weight needs subjects, files, passages or titles to draw from"),
    ):
        with pytest.raises(ConfigError, match=said):
            settings(setting)


@pytest.mark.parametrize(
    "name, layers", [("student-cpu", (0, 5)), ("student-gpu", (0, 3, 5)), ("student-large-cpu", tuple(range(6)))]
)
def test_the_shipped_recipes_are_read(name: str, layers: tuple[int, ...]) -> None:
    shipped = SHIPPED.load(name)
    assert isinstance(shipped, StudentRecipe)
    assert shipped.layers == layers


def test_every_wrong_key_of_passages_is_named(tmp_path: Path) -> None:
    for setting, said in (
        ("seed=-1", "seed must be 0 or more, got -1"),
        ("data.files=[]", "data: files must name at least one table of pairs"),
        ("data.words=0", "data: words must be at least 1, got 0"),
        ("data.each=0", "data: each must be at least 1, got 0"),
        ("reading.reads=pages", "reading: reads must be documents or passages, got 'pages'"),
        ("objective.places=-1", "objective: places must be 0 or more, got -1"),
        ("objective.steps=0", "objective: steps must be at least 1, got 0"),
        ("objective.quotes.weight=-1", "quotes: weight must be 0 or more, got -1"),
        ("objective.quotes.temperature=0", "quotes: temperature must be above 0, got 0"),
        ("objective.quotes.spans=0", "quotes: spans must be at least 1, got 0"),
        ("objective.quotes.fewest=0", "quotes: fewest must be from 1 to 6, got 0"),
        ("objective.quotes.fewest=7", "quotes: fewest must be from 1 to 6, got 7"),
        ("objective.quotes.changed=2", "quotes: changed must be from 0 to 1, got 2"),
        ("objective.quotes.dropped=-1", "quotes: dropped must be from 0 to 1, got -1"),
        ("objective.quotes.replaced=2", "quotes: replaced must be from 0 to 1, got 2"),
        ("objective.matches.weight=-1", "matches: weight must be 0 or more, got -1"),
        ("objective.matches.temperature=0", "matches: temperature must be above 0, got 0"),
    ):
        with pytest.raises(ConfigError, match=said):
            recipe(tmp_path, setting)


def test_every_corpus_is_named_once(tmp_path: Path) -> None:
    files = "[{corpus = 'b'}, {corpus = 'a'}, {corpus = 'b', pairs = 'other.tsv'}]"
    assert recipe(tmp_path, f"data.files={files}").data.corpora == ("b", "a")


def test_the_shipped_encoder_was_made_by_the_shipped_recipe() -> None:
    shipped = SHIPPED.load(OF_PASSAGES)
    assert isinstance(shipped, PassagesRecipe)
    made = storage.read_head(registry.PRETRAINED / OF_PASSAGES)[1]["facts"]["recipe"]
    ours = json.loads(json.dumps(asdict(shipped)))
    assert ours["data"].pop("words") == 200  # as long as they were before this could be chosen
    assert made == ours


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_passage_data(tmp_path_factory.mktemp("passages") / "data")


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


def stretches(settings: QuoteSettings, *, pieces: bool = False, seed: int = 0, **given: tuple[int, ...]) -> Quotes:
    continues = np.arange(_LENGTH * _COUNT) % 2 == 1 if pieces else np.zeros(_LENGTH * _COUNT, np.bool_)
    return Quoting(settings, documents(**given), continues).draw(np.arange(_COUNT), np.random.default_rng(seed))


def test_as_it_is_written_a_stretch_follows_the_text_and_half_of_it_is_in_its_passage() -> None:
    over = 0
    for seed in range(50):
        found = stretches(AS_WRITTEN, seed=seed)
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
        found = stretches(AS_WRITTEN, seed=seed, parts=tuple(range(_COUNT)))
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
        for tokens in stretches(settings, pieces=True, seed=seed).tokens:
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
    one, other = stretches(settings, seed=4), stretches(settings, seed=4)
    assert [tokens.tolist() for tokens in one.tokens] == [tokens.tolist() for tokens in other.tokens]


def task(data: Path, *settings: str) -> tuple[PassageTask, PassageTexts, StudentEncoder]:
    given, encoder = recipe(data, *settings), tiny(SETTINGS)
    documents = CutDocuments.of(given.data, encoder, data)
    pairs = RelatedPairs.of(given.data, documents, data, batch=3)
    words = len(json.loads(encoder.tokenizer)["model"]["vocab"])
    quoting = Quoting(given.objective.quotes, documents, np.zeros(words, np.bool_))
    texts = PassageTexts(documents, pairs, quoting, (2, 3))
    return PassageTask(given, encoder.to_train(), texts), texts, encoder


def alone(name: str) -> list[str]:
    """Settings under which only one part of the loss counts."""
    weights = {"places": "objective.places", "quotes": "objective.quotes.weight", "matches": "objective.matches.weight"}
    return [f"{key}={1 if one == name else 0}" for one, key in weights.items()]


def rows(encoder: StudentEncoder, tokens: list[list[int]]) -> torch.Tensor:
    return torch.from_numpy(encoder._means([[2, *ids, 3] for ids in tokens]))


def drawn(made: PassageTask, batch: PassageBatch) -> list[list[int]]:
    return [part.tolist() for part in made._passages(batch)]


def test_a_batch_holds_the_documents_of_related_pairs_once(data: Path) -> None:
    made, texts, _ = task(data)
    assert len(made.batches(0)) == made.steps() == 5
    for batch in made.batches(1):
        assert len(set(batch.documents.tolist())) == len(batch.documents) >= 4
        same = texts.pairs.same_label(batch.documents, batch.documents)
        assert (same.sum(1) >= 2).all()  # each beside one that is related to it
        for document, passages in zip(batch.documents.tolist(), drawn(made, batch), strict=True):
            assert 1 <= len(passages) <= 3 and set(passages) <= set(texts.documents.passages(document).tolist())
    assert [one.documents.tolist() for one in made.batches(1)] == [one.documents.tolist() for one in made.batches(1)]


def test_in_the_beginning_nothing_has_moved(data: Path) -> None:
    made, _, _ = task(data, *alone("places"))
    assert float(made.loss(made.batches(0)[0]).detach()) == pytest.approx(0, abs=1e-6)
    with torch.no_grad():
        for part in made.model.parameters():
            part.add_(0.1 * torch.randn(part.shape, generator=torch.Generator().manual_seed(1)))
    assert float(made.loss(made.batches(0)[0]).detach()) > 0.01


def test_related_documents_match_both_ways(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transformer, "reading_precision", lambda: "float32")  # as a step reads, on any processor
    made, texts, encoder = task(data, *alone("matches"))
    batch = made.batches(0)[0]
    held = [rows(encoder, [texts.documents.tokens(one).tolist() for one in part]) for part in drawn(made, batch)]
    same = torch.from_numpy(texts.pairs.same_label(batch.documents, batch.documents))
    wanted = contrastive(late_interaction(held), same, temperature=0.05)
    assert float(made.loss(batch).detach()) == pytest.approx(float(wanted), rel=1e-5)


def test_a_stretch_finds_its_passage_among_all_of_the_step(data: Path) -> None:
    made, texts, encoder = task(data, *alone("quotes"), "objective.quotes.changed=0")
    batch = made.batches(0)[0]
    passages = np.concatenate(drawn(made, batch))
    told = texts.quoting.draw(passages, np.random.default_rng([*batch.key, 4]))
    strangers = torch.ones(len(told.own), len(passages), dtype=torch.bool)
    for row, beside in enumerate(told.beside.tolist()):
        if beside >= 0:
            strangers[row, beside] = False
    asked = rows(encoder, [ids.tolist() for ids in told.tokens])
    answers = rows(encoder, [texts.documents.tokens(one).tolist() for one in passages.tolist()])
    wanted = posterior_loss(asked, answers, torch.from_numpy(told.own), gamma=20, strangers=strangers)
    assert float(made.loss(batch).detach()) == pytest.approx(float(wanted), rel=1e-3)
    assert not torch.allclose(normalize(asked), normalize(answers[: len(asked)]))


def test_without_any_part_nothing_is_learnt(data: Path) -> None:
    made, _, _ = task(data, *alone("none"))
    assert float(made.loss(made.batches(0)[0]).detach()) == 0


def train(data: Path, run: Path, *settings: str, resume: bool = False) -> StudentEncoder:
    return trainer.train(recipe(data, *settings), Folders(data, run, data / "cache"), resume=resume)


def test_quotes_find_their_passages_more_often(data: Path, tmp_path: Path) -> None:
    encoder = train(data, tmp_path / "run", "schedule.epochs=12", "objective.steps=10")
    losses = [one["loss"] for one in encoder.facts["curve"]]
    assert losses[-1] < 0.8 * losses[0]
    assert encoder.card.name == "student-passages" and "taught passages" in encoder.card.summary
    assert encoder.card.trained_on == ("ours", "more")
    assert encoder.facts["documents"] > 20 and encoder.facts["passages"] >= 2 * encoder.facts["documents"]
    assert encoder.facts["related_pairs"] > 10 and encoder.facts["device"] == "cpu"
    assert encoder.facts["source_fingerprint"] != encoder.card.fingerprint
    assert {"commit", "hardware", "seed", "recipe", "sources"} <= encoder.facts.keys()
    assert encoder.facts["corpora_sha256"].keys() == {"ours", "more", "ours/pairs.tsv", "more/pairs.tsv"}


def test_without_a_step_it_stays_what_it_began_as(data: Path, tmp_path: Path) -> None:
    began = StudentEncoder.load(data / "tiny")
    same = train(data, tmp_path / "run", "schedule.epochs=0")
    assert same.facts["source_fingerprint"] == same.card.fingerprint != began.card.fingerprint  # it reads otherwise


def test_a_run_that_was_broken_off_gives_the_same_weights(data: Path, tmp_path: Path) -> None:
    whole = train(data, tmp_path / "whole")
    train(data, tmp_path / "broken", "schedule.epochs=1")
    resumed = train(data, tmp_path / "broken", resume=True)
    assert resumed.card.fingerprint == whole.card.fingerprint
    resumed.save(tmp_path / "saved")
    assert StudentEncoder.load(tmp_path / "saved").card == resumed.card


def test_an_encoder_that_is_missing_is_named(data: Path, tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="none"):
        train(data, tmp_path / "run", f"source={tmp_path / 'none'}")


def test_several_processes_are_refused(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    two = nullcontext((Processes(0, 2), torch.device("cpu")))
    monkeypatch.setattr("engine.training.loop.joined", lambda device: two)
    with pytest.raises(TrainingError, match="Expected one process, got 2: an encoder of passages is small"):
        train(data, tmp_path / "run")


def test_pieces_of_words_are_told_by_their_mark() -> None:
    ids = {"[CLS]": 4, "[SEP]": 5, "boil": 0, "##er": 1, "valve": 2}
    kind = {"type": "WordPiece", "vocab": ids, "continuing_subword_prefix": "##"}
    continues, ends = trainer._words(json.dumps({"model": kind}))
    assert continues.tolist() == [False, True, False, False, False, False] and ends == (4, 5)


@pytest.mark.parametrize("model", [{"type": "Unigram", "vocab": {}}, {"type": "WordPiece", "vocab": {"[CLS]": 0}}])
def test_a_tokenizer_of_another_kind_is_refused(model: dict[str, object]) -> None:
    with pytest.raises(TrainingError, match="Expected an encoder whose tokenizer is of words or word pieces"):
        trainer._words(json.dumps({"model": model}))
