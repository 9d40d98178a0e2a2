"""An encoder's card on disk: cards written before a field was known still read, and a wrong value is told."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.core import files
from engine.core.errors import ConfigError, EncoderError, StorageError
from engine.encoders import registry, storage
from engine.encoders.storage import WEIGHTS
from engine.encoders.word_vectors import WordVectors
from tests.encoders.test_word_vectors import by_subject


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
