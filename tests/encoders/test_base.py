"""Encoders in general: what each promises, how one is found by name, its card and its fingerprint."""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any, Self

import numpy as np
import pytest

from engine.core import files
from engine.core.errors import ConfigError, EncoderError, NotFittedError, StorageError, UnknownEncoderError
from engine.core.rows import DenseRows
from engine.documents import Document
from engine.encoders import registry, storage
from engine.encoders.base import Coupling, Encoder, EncoderCard, FittedEncoder
from engine.encoders.kept_models import MODELS_VARIABLE, KeptModel
from engine.encoders.registry import USUAL_KEYWORD_WEIGHT as USUAL
from engine.encoders.registry import bring_model, keyword_weights
from engine.encoders.storage import WEIGHTS
from engine.encoders.word_vectors import Word2vecMeanEncoder, WordVectors
from tests.contracts.encoder import corpus
from tests.encoders.test_sentence_transformer import write_words
from tests.encoders.test_word_vectors import by_subject, vectors_of
from tests.encoders.tiny_sentences import write


class LengthEncoder(Encoder):
    """One number a document: how long its text is."""

    @property
    def card(self) -> EncoderCard:
        return EncoderCard("length", "Counts characters.", 1, "f")

    def encode_documents(self, documents: Sequence[Document]) -> DenseRows:
        return np.array([[len(document.text)] for document in documents], np.float32).reshape(-1, 1)

    def save(self, folder: Path) -> None:
        raise NotImplementedError

    @classmethod
    def load(cls, folder: Path) -> Self:
        raise NotImplementedError


def test_queries_are_documents_unless_an_encoder_says_otherwise() -> None:
    encoder, documents = LengthEncoder(), corpus()[:3]
    rows = encoder.encode_documents(documents)
    np.testing.assert_array_equal(encoder.encode_queries(documents), rows)
    assert encoder.as_queries(rows) is rows
    assert LengthEncoder.reads_sentences


def test_an_encoder_of_whole_documents_has_an_empty_entry_for_each_document() -> None:
    query, *documents = corpus()[:4]
    encoder = LengthEncoder()
    assert encoder.couplings(query, documents, encoder.encode_documents(documents)) == [(), (), ()]
    assert encoder.couplings(query, [], encoder.encode_documents([])) == []


def test_an_encoder_that_learns_from_a_corpus_must_say_how() -> None:
    class Unfinished(LengthEncoder, FittedEncoder):
        pass

    with pytest.raises(TypeError, match=r"abstract method '?fit"):
        Unfinished()  # type: ignore[abstract]


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ("title", "your title"),
        ("whole text", "your whole text"),
        ("opening of the description", "the opening of your description"),
        ("first 30 %", "the first 30 % of your text"),
        ("rest", "the rest of your text"),
    ],
)
def test_a_part_is_named_with_its_owner(part: str, words: str) -> None:
    theirs = words.replace("your", "their")
    assert Coupling(part, part, 0.5).parts == (theirs, words)


def test_every_name_has_a_card_and_a_kind() -> None:
    assert {"tfidf", "lsa", "word2vec-mean"} <= set(registry.encoder_names())
    assert registry.DEFAULT in registry.encoder_names()
    for name in registry.encoder_names():
        card = registry.find(name).card
        assert card.summary
        assert card.name == name
        assert bool(card.fingerprint) != registry.find(name).learns


def test_what_to_choose_comes_first() -> None:
    names = registry.encoder_names()
    assert names[0] == registry.DEFAULT
    assert names[1] == "blend-large" and names.index("student") < names.index("tfidf") < names.index("word2vec-mean")


@pytest.mark.parametrize("name", [name for name in registry.encoder_names() if registry.find(name).learns])
def test_a_fitted_encoder_is_loaded_from_its_folder(name: str, tmp_path: Path) -> None:
    encoder = registry.fit(name, corpus())
    encoder.save(tmp_path / name)
    assert registry.load(name, folder=tmp_path / name).card == encoder.card
    assert registry.find(name).card.sparse == encoder.card.sparse


@pytest.mark.parametrize("name", [name for name in registry.encoder_names() if not registry.find(name).learns])
def test_a_trained_encoder_ships(name: str) -> None:
    encoder = registry.load(name)
    assert encoder.card == registry.find(name).card
    assert encoder.encode_queries(corpus()[:2]).any(axis=1).all()


def test_a_folder_is_read_by_the_method_in_its_card(tmp_path: Path) -> None:
    for name in ("tfidf", "lsa"):
        encoder = registry.fit(name, corpus())
        encoder.save(tmp_path / name)
        assert registry.load_folder(tmp_path / name).card == encoder.card
    assert registry.load_folder(registry.PRETRAINED / "word2vec").card.name == "word2vec-mean"


def test_a_shipped_card_is_told_in_words_of_today(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    value = files.read_json(registry.PRETRAINED / "keyvec" / "card.json")
    value["card"] |= {"name": "old", "summary": "As it was."}
    files.write_json(tmp_path / "keyvec" / "card.json", value)
    today = registry.find("keyvec").card
    monkeypatch.setattr(registry, "PRETRAINED", tmp_path)
    assert registry.find("keyvec").card == today


def test_every_entry_names_the_class_that_reads_its_folder() -> None:
    for name, entry in registry.ENTRIES.items():
        assert entry.name == name and entry.label and entry.summary, name
        module, _, kind = entry.loader.rpartition(".")
        assert issubclass(getattr(import_module(module), kind), registry.Encoder), name


def test_people_have_names_for_encoders() -> None:
    assert registry.label("lsa") == "LSA" and registry.label("own") == "own"


def test_keywords_count_as_the_entry_says_and_beside_others_as_usual() -> None:
    assert keyword_weights("blend")[:2] == (0.75, 1.5)
    assert keyword_weights("lsa")[:2] == keyword_weights("own")[:2] == (USUAL, None)


def test_keywords_count_beside_a_model_of_sentences_as_beside_those_that_come_with_us(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(MODELS_VARIABLE, str(tmp_path / "models"))
    sentences, words = (
        bring_model(str(write(tmp_path / "ours"))).name,
        bring_model(str(write_words(tmp_path / "words"))).name,
    )
    assert keyword_weights("student")[:2] == (0.75, None)
    assert keyword_weights(sentences) == (0.75, None, "as beside the sentence encoders that come with Priorscope")
    assert keyword_weights(words) == (USUAL, None, "the usual weight beside an encoder for which none was chosen")
    (KeptModel.read(sentences).folder / "card.json").write_text("{}")
    assert keyword_weights(sentences)[:2] == (USUAL, None)


def test_a_folder_of_another_method_or_of_none_is_refused(tmp_path: Path) -> None:
    registry.fit("tfidf", corpus()).save(tmp_path / "other")
    card = files.read_json(tmp_path / "other" / "card.json")
    files.write_json(tmp_path / "other" / "card.json", {**card, "method": "other/9"})
    with pytest.raises(StorageError, match=r"Expected an encoder of blend/1, .*, found one of other/9"):
        registry.load_folder(tmp_path / "other")
    with pytest.raises(StorageError, match=r"Expected the file card\.json"):
        registry.load_folder(tmp_path)


def test_default_names_the_default_encoder() -> None:
    assert registry.load("default").card.name == registry.DEFAULT


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(UnknownEncoderError, match=r"Expected an encoder among blend, .*, got 'bert'"):
        registry.load("bert")


def test_a_fitted_encoder_without_its_folder_is_refused() -> None:
    with pytest.raises(NotFittedError, match="Expected the folder of a fitted tfidf, got none"):
        registry.load("tfidf")


def test_a_trained_encoder_is_not_fitted() -> None:
    with pytest.raises(NotFittedError, match="got word2vec-mean, which is trained"):
        registry.fit("word2vec-mean", corpus())


def test_what_an_encoder_is_made_of_ships_with_it() -> None:
    assert registry.find("lsa").joins == ()
    blends = [name for name in registry.encoder_names() if registry.find(name).joins]
    assert "blend" in blends
    for name in blends:
        parts = [registry.find(part).card for part in registry.find(name).joins]
        assert registry.find(name).card.dim == sum(part.dim for part in parts) + 1


def saved(folder: Path, **changed: object) -> Path:
    """An encoder's folder with some fields of its card changed; None takes a field away."""
    by_subject().save(folder)
    value: dict[str, Any] = files.read_json(folder / "card.json")
    fields = {**value["card"], **changed}
    value["card"] = {name: field for name, field in fields.items() if field is not None}
    files.write_json(folder / "card.json", value)
    return folder


def test_a_card_without_a_way_of_storing_rows_means_whole_ones(tmp_path: Path) -> None:
    assert storage.read_card(saved(tmp_path / "old", stored=None)) == by_subject().card
    assert by_subject().card.stored == "float32"


def test_a_card_names_how_rows_are_stored(tmp_path: Path) -> None:
    assert storage.read_card(saved(tmp_path / "small", stored="int8")).stored == "int8"


def test_an_unknown_way_of_storing_rows_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="stored must be one of float32, float16, int8, got 'int4'"):
        storage.read_head(saved(tmp_path / "strange", stored="int4"))


def small_files(monkeypatch: pytest.MonkeyPatch, folder: Path) -> list[str]:
    """Save an encoder in files too small for all of its weights, and give their names."""
    monkeypatch.setattr(storage, "_FILE_BYTES", 500)
    by_subject().save(folder)
    return sorted(path.name for path in folder.glob("*.safetensors"))


def test_big_weights_are_spread_over_several_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = small_files(monkeypatch, tmp_path / "spread")
    assert names == ["weights-00001.safetensors", "weights-00002.safetensors"]
    assert len(files.read_json(tmp_path / "spread" / "card.json")["weights_sha256"]) == 2
    back = WordVectors.load(tmp_path / "spread")
    np.testing.assert_array_equal(back.vectors, by_subject().vectors)
    np.testing.assert_array_equal(back.counts, by_subject().counts)


def test_other_facts_leave_settings_and_files_as_they_are(tmp_path: Path) -> None:
    arrays = {"a": np.ones(3, np.float32)}
    facts = {"settings": {"width": 3}, "seed": 1}
    storage.write(tmp_path / "own", method="own/1", card=by_subject().card, arrays=arrays, words=["a"], facts=facts)
    before = (tmp_path / "own" / "weights.safetensors").read_bytes(), storage.read_head(tmp_path / "own")[1]
    storage.replace_facts(tmp_path / "own", {"found": 2})
    after = storage.read_head(tmp_path / "own")[1]
    assert after == {**before[1], "facts": {"settings": {"width": 3}, "found": 2}}
    assert (tmp_path / "own" / "weights.safetensors").read_bytes() == before[0]
    with pytest.raises(StorageError, match=r"card\.json"):
        storage.replace_facts(tmp_path / "none", {})


def test_what_is_opened_is_read_by_its_settings_and_told_where_they_are_wrong(tmp_path: Path) -> None:
    card, arrays = by_subject().card, {"a": np.ones(3, np.float32)}
    named = storage.fingerprint_of("own/1", arrays, ["w"], settings={"width": 3})
    facts = {"settings": {"width": 3}, "seed": 1}
    kept = {"method": "own/1", "card": replace(card, fingerprint=named), "arrays": arrays, "words": ["w"]}
    storage.write(tmp_path / "own", **kept, facts=facts)
    with storage.opening(tmp_path / "own", "an encoder of ours", "other/1", "own/1") as opened:
        stored = opened.read({"a": opened.settings["width"] - 2})
    assert (opened.method, stored.settings, stored.facts, stored.words) == ("own/1", {"width": 3}, {"seed": 1}, ["w"])
    with pytest.raises(StorageError, match=r"Expected an encoder of other/1 in .*, found one of own/1"):
        storage.opening(tmp_path / "own", "an encoder of ours", "other/1").__enter__()
    for error in (ConfigError, EncoderError, ValueError):
        with (
            pytest.raises(StorageError, match=r"Expected an encoder of ours in .*own: It is wide\. Build"),
            storage.opening(tmp_path / "own", "an encoder of ours", "own/1"),
        ):
            raise error("It is wide.")


def test_arrays_in_another_order_give_the_same_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "_FILE_BYTES", 500)
    arrays = {name: np.full(size, size, np.float32) for name, size in (("b", 100), ("a", 20), ("c", 90))}
    card = by_subject().card
    for folder, names in (("one", "bac"), ("other", "cab")):
        written = {name: arrays[name] for name in names}
        storage.write(tmp_path / folder, method="own/1", card=card, arrays=written, words=["a"])
    digests = [files.read_json(tmp_path / folder / "card.json")["weights_sha256"] for folder in ("one", "other")]
    assert digests[0] == digests[1] and len(digests[0]) > 1


def test_weights_that_fit_in_one_file_are_written_as_they_always_were(tmp_path: Path) -> None:
    shipped = registry.PRETRAINED / "word2vec"
    WordVectors.load(shipped).save(tmp_path / "again")
    assert sorted(path.name for path in (tmp_path / "again").iterdir()) == ["card.json", "vocabulary.txt", WEIGHTS]
    for name in ("vocabulary.txt", WEIGHTS):
        assert files.sha256_file(tmp_path / "again" / name) == files.sha256_file(shipped / name)


@pytest.mark.parametrize("number", [1, 2])
def test_a_file_of_several_that_is_missing_or_damaged_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    path = tmp_path / "spread" / small_files(monkeypatch, tmp_path / "spread")[number - 1]
    data = path.read_bytes()
    path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    with pytest.raises(StorageError, match=f"Expected .*weights-0000{number}.safetensors to have sha256"):
        WordVectors.load(tmp_path / "spread")
    path.unlink()
    with pytest.raises(StorageError, match=f"Expected the file weights-0000{number}.safetensors"):
        WordVectors.load(tmp_path / "spread")


FINGERPRINTS = {
    "blend": "e50fee298a645479",
    "blend-large": "b9b2f591d9ff8fb4",
    "cdssm": "4cc19882871bb092",
    "colde": "f15e9460df0b7a92",
    "ctpe": "8f548e0f4c8f0eda",
    "keyvec": "bd07a335ff57153f",
    "student": "e947faff63f8d964",
    "student-large": "c70daea5923c3847",
    "student-passages": "ab278f2d1789565a",
    "word2vec": "073d4da71e46162c",
}


"""By folder; that of word vectors' plain mean follows from theirs."""


def test_pins_every_folder_of_shipped_weights() -> None:
    assert {path.parent.name for path in registry.PRETRAINED.glob("*/card.json")} == {*FINGERPRINTS, "judge"}


def test_the_judge_keeps_its_fingerprint() -> None:
    assert storage.read_card(registry.PRETRAINED / "judge").fingerprint == "802222a5729f103f"


@pytest.mark.parametrize("name", FINGERPRINTS)
def test_shipped_weights_keep_their_fingerprint(name: str) -> None:
    assert registry.load_folder(registry.PRETRAINED / name).card.fingerprint == FINGERPRINTS[name]


def test_a_shipped_folder_says_of_its_encoder_what_the_list_says() -> None:
    for name, entry in registry.ENTRIES.items():
        if entry.shipped == name:
            stored = files.read_json(registry.PRETRAINED / name / "card.json")["card"]["summary"]
            assert stored == entry.summary, name


# Leaving memory ---------------------------------------------------------------------------------


def _lent(tmp_path: Path) -> Encoder:
    """An encoder as the registry gives it, from a folder of its own."""
    by_subject().save(tmp_path / "own")
    return registry.load_folder(tmp_path / "own")


def _weights(encoder: Encoder) -> weakref.ref[object]:
    """What an encoder holds while it is in memory."""
    return weakref.ref(encoder.encode_documents.__self__)  # type: ignore[attr-defined]


def test_an_encoder_leaves_memory_once_unused_and_comes_back_at_its_next_use(tmp_path: Path) -> None:
    encoder, documents = _lent(tmp_path), corpus()[:3]
    before = encoder.encode_documents(documents)
    used = time.monotonic()
    held = _weights(encoder)
    registry.let_go_unused(used - 600)
    assert held() is not None, "it was used within the last ten minutes"
    registry.let_go_unused(used + 600)
    assert held() is None
    assert encoder.card.name == "word2vec-mean"
    assert isinstance(encoder, Word2vecMeanEncoder)
    assert held() is None, "neither its card nor its class needs the weights"
    np.testing.assert_array_equal(encoder.encode_documents(documents), before)
    assert registry.load_folder(tmp_path / "own") is encoder


def test_who_is_in_the_middle_of_a_call_keeps_the_encoder(tmp_path: Path) -> None:
    encoder, documents = _lent(tmp_path), corpus()[:3]
    call, before = encoder.encode_documents, encoder.encode_documents(documents)
    registry.let_go_unused(time.monotonic() + 600)
    np.testing.assert_array_equal(call(documents), before)


def test_many_who_ask_at_once_bring_an_encoder_back_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder, load, loaded = _lent(tmp_path), Word2vecMeanEncoder.load, list[Path]()
    registry.let_go_unused(time.monotonic() + 600)
    monkeypatch.setattr(Word2vecMeanEncoder, "load", lambda folder: (loaded.append(folder), load(folder))[1])
    asking = threading.Barrier(8)
    with ThreadPoolExecutor(8) as threads:
        held = list(threads.map(lambda _: (asking.wait(), _weights(encoder)())[1], range(8)))
    assert len(loaded) == 1 and len({id(one) for one in held}) == 1


def test_the_parts_of_a_blend_leave_and_come_back() -> None:
    parts = registry.find("blend").joins
    encoder, documents = registry.load("blend"), corpus()[:2]
    before = encoder.encode_queries(documents)
    held = [_weights(registry.load(name)) for name in parts]
    registry.let_go_unused(time.monotonic() + 600)
    assert [one() for one in held] == [None, None]
    np.testing.assert_array_equal(encoder.encode_queries(documents), before)


def test_another_encoder_in_the_folder_is_never_taken_for_the_one_that_left(tmp_path: Path) -> None:
    encoder = _lent(tmp_path)
    registry.let_go_unused(time.monotonic() + 600)
    vectors_of({"graph": np.ones(12)}).save(tmp_path / "own")
    with pytest.raises(StorageError, match="as it was loaded, found another encoder"):
        encoder.encode_documents(corpus()[:1])
