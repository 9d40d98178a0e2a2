"""What a model says before it is loaded, in a folder or on the hub, and which folders are refused."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import huggingface_hub
import pytest
from huggingface_hub.errors import HTTPError, RepositoryNotFoundError

from engine.core.errors import DownloadError, EncoderError, StorageError
from engine.encoders import model_folder
from engine.encoders.model_folder import ModelFacts, facts_of, name_from
from tests.encoders.tiny_sentences import write
from tests.encoders.tiny_transformer import write_tiny_transformer


def test_a_folder_says_its_licence_size_and_how_rows_are_made(tmp_path: Path) -> None:
    whole = {"prompts": {"query": "query: ", "passage": "passage: "}}
    pooling = {"pooling_mode_cls_token": True, "pooling_mode_max_tokens": True}
    folder = write(tmp_path / "small-model", pooling=pooling, whole=whole)
    (folder / "README.md").write_text("---\nlanguage: en\nlicense: mit\ndatasets:\n- one\n- two/three\n---\n# Model\n")
    facts = facts_of(folder)
    assert (facts.name, facts.licence, facts.trained_on) == ("small-model", "mit", ("one", "two/three"))
    assert facts.weight_bytes == (folder / "model.safetensors").stat().st_size
    assert facts.parameters is not None and facts.weight_bytes // 4 - 2_000 < facts.parameters < facts.weight_bytes // 4
    assert (facts.dim, facts.max_tokens, facts.pools) == (64, 40, ("cls_token", "max_tokens"))
    assert (facts.query_prompt, facts.document_prompt) == ("query: ", "passage: ")


@pytest.mark.parametrize(
    ("front", "licence"),
    [
        ("license: apache-2.0", "apache-2.0"),
        ("license: 'cc-by-nc-4.0'", "cc-by-nc-4.0"),
        ("license:\n  - mit\n  - apache-2.0", "mit, apache-2.0"),
        ("license: [mit]", "mit"),
        ("license: other\nlicense_name: gemma", "gemma"),
        ("language: en", ""),
    ],
)
def test_the_licence_is_read_as_the_hub_writes_it(front: str, licence: str, tmp_path: Path) -> None:
    folder = write(tmp_path / "model")
    for end in ("\n", "\r\n"):
        (folder / "README.md").write_bytes(f"---\n{front}\n---\ntext".replace("\n", end).encode())
        assert facts_of(folder).licence == licence


def test_a_folder_without_modules_is_read_as_the_mean_up_to_its_positions(tmp_path: Path) -> None:
    facts = facts_of(write_tiny_transformer(tmp_path / "plain"))
    assert (facts.pools, facts.unit_length, facts.max_tokens, facts.licence) == (("mean_tokens",), True, 64, "")


def _pickled(folder: Path) -> None:
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")


def _no_weights(folder: Path) -> None:
    (folder / "model.safetensors").unlink()


def _linked_out(folder: Path) -> None:
    (folder.parent / "secret.json").write_text("{}")
    (folder / "config.json").unlink()
    (folder / "config.json").symlink_to(folder.parent / "secret.json")


def _pooling_linked_out(folder: Path) -> None:
    (folder / "1_Pooling").rename(folder.parent / "elsewhere")
    (folder / "1_Pooling").symlink_to(folder.parent / "elsewhere")


def _cut(folder: Path) -> None:
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-4])


def _long_header(folder: Path) -> None:
    (folder / "model.safetensors").write_bytes((1 << 40).to_bytes(8, "little") + b"{}")


def _foreign(folder: Path) -> None:
    (folder / "model.safetensors").write_bytes(b"PK\x03\x04 a pickle of torch under another name")


def _own_code(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(
        json.dumps({**config, "model_type": "their_own", "auto_map": {"AutoModel": "modeling.Theirs"}})
    )


def _part_missing(folder: Path) -> None:
    (folder / "model.safetensors").rename(folder / "model-00001-of-00002.safetensors")
    parts = {"a": "model-00001-of-00002.safetensors", "b": "model-00002-of-00002.safetensors"}
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": parts}))


def _part_outside(folder: Path) -> None:
    (folder / "model.safetensors").rename(folder.parent / "model.safetensors")
    index = {"weight_map": {"a": "../model.safetensors"}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))


def _other_module(folder: Path) -> None:
    modules = json.loads((folder / "modules.json").read_text())
    modules[2]["type"] = "custom.Reranking"
    (folder / "modules.json").write_text(json.dumps(modules))


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (_pickled, "only pickled weights, which can run code and are never loaded"),
        (_no_weights, "found none"),
        (_linked_out, "config.json leads out of it"),
        (_pooling_linked_out, "leads out of it"),
        (_cut, "is damaged or another kind"),
        (_long_header, "is damaged or another kind"),
        (_foreign, "is damaged or another kind"),
        (_own_code, "needs code of its own, and a model's code is never run"),
        (_part_missing, "some are missing"),
        (_part_outside, "some are missing"),
        (_other_module, "Name a model that is made of these"),
    ],
)
def test_what_cannot_be_trusted_or_read_is_refused_before_it_is_loaded(
    harm: Callable[[Path], None], said: str, tmp_path: Path
) -> None:
    folder = write(tmp_path / "model")
    harm(folder)
    with pytest.raises(EncoderError, match=said):
        facts_of(folder)


def test_weights_in_several_files_count_together(tmp_path: Path) -> None:
    folder = write(tmp_path / "model")
    whole = facts_of(folder)
    (folder / "model.safetensors").rename(folder / "model-00001-of-00001.safetensors")
    index = {"weight_map": {"any": "model-00001-of-00001.safetensors"}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    assert facts_of(folder) == whole


def test_files_of_a_download_are_links_within_its_cache(tmp_path: Path) -> None:
    cache = tmp_path / "models--owner--small"
    snapshot = write(cache / "snapshots" / "abc")
    (cache / "blobs").mkdir()
    (snapshot / "model.safetensors").rename(cache / "blobs" / "1234")
    (snapshot / "model.safetensors").symlink_to("../../blobs/1234")
    assert facts_of(snapshot).parameters
    (snapshot / "model.safetensors").unlink()
    (cache / "blobs" / "1234").rename(tmp_path / "1234")
    (snapshot / "model.safetensors").symlink_to("../../../1234")
    with pytest.raises(EncoderError, match="leads out of it"):
        facts_of(snapshot)


def test_what_is_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write(tmp_path / "model")
    monkeypatch.setattr(model_folder, "MOST_WEIGHT_BYTES", 1 << 10)
    with pytest.raises(EncoderError, match="Choose a smaller model"):
        facts_of(folder)
    monkeypatch.setattr(model_folder, "_MOST_FILE_BYTES", 100)
    with pytest.raises(EncoderError, match=r"Expected config\.json of at most"):
        facts_of(folder)


def test_a_folder_that_is_none_and_a_missing_one_are_told_alike(tmp_path: Path) -> None:
    with pytest.raises(EncoderError) as there:
        facts_of(tmp_path, place="x")
    with pytest.raises(EncoderError) as missing:
        facts_of(tmp_path / "missing", place="x")
    assert str(there.value) == str(missing.value)


def test_damaged_settings_are_named(tmp_path: Path) -> None:
    folder = write(tmp_path / "model")
    (folder / "config.json").write_text("[1]")
    with pytest.raises(EncoderError, match="Expected settings by name"):
        facts_of(folder)
    (folder / "config.json").write_text("{")
    with pytest.raises(StorageError):
        facts_of(folder)


def test_sizes_stand_in_for_weights_that_are_not_here(tmp_path: Path) -> None:
    folder = write(tmp_path / "model")
    (folder / "model.safetensors").unlink()
    facts = facts_of(folder, sizes={"model.safetensors": 123, "onnx/model.safetensors": 9, "pytorch_model.bin": 5})
    assert (facts.weight_bytes, facts.parameters, facts.dim) == (123, None, 32)
    with pytest.raises(EncoderError, match="only pickled weights"):
        facts_of(folder, sizes={"pytorch_model.bin": 5})


def test_any_text_becomes_a_name() -> None:
    assert [name_from(text) for text in ("all-MiniLM-L6-v2", "a b/c", "../x", "..")] == [
        "all-MiniLM-L6-v2",
        "a-b-c",
        "x",
        "model",
    ]
    assert name_from("NUL") == "_NUL" == name_from("_NUL")
    assert len(name_from("x" * 300)) == 80 and name_from("modèle") == "mod-le"


NAME = "owner/small-model"


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, object]]:
    """A hub that has one model; the list holds what was asked of it."""
    folder = write(tmp_path / "served")
    (folder / "README.md").write_text("---\nlicense: mit\n---\n")
    asked: list[dict[str, object]] = []

    def model_info(_: object, name: str, **how: object) -> SimpleNamespace:
        asked.append({"name": name, **how})
        files = [path for path in folder.rglob("*") if path.is_file()]
        listed = [SimpleNamespace(rfilename=str(one.relative_to(folder)), size=one.stat().st_size) for one in files]
        return SimpleNamespace(siblings=listed, sha="abc")

    def snapshot_download(name: str, *, local_dir: str = "", **how: object) -> str:
        asked.append({"name": name, **how})
        if not local_dir:
            return str(folder)
        shutil.copytree(folder, local_dir, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.safetensors"))
        return local_dir

    monkeypatch.setattr(huggingface_hub.HfApi, "model_info", model_info)
    monkeypatch.setattr(huggingface_hub, "snapshot_download", snapshot_download)
    return asked


def test_the_hub_describes_a_model_without_its_weights(served: list[dict[str, object]]) -> None:
    facts = model_folder.facts_on_hub(NAME)
    assert (facts.place, facts.name, facts.licence, facts.dim) == (NAME, "small-model", "mit", 32)
    assert facts.weight_bytes > 10_000 and facts.parameters is None
    assert served[1]["allow_patterns"] == ["*.json", "README.md"] and served[1]["revision"] == "abc"


def test_only_settings_words_and_safetensors_are_fetched(served: list[dict[str, object]]) -> None:
    assert (model_folder.fetch(NAME) / "model.safetensors").is_file()
    assert set(served[0]["allow_patterns"]) == {"*.json", "README.md", "*.txt", "*.model", "*.safetensors"}  # type: ignore[call-overload]


@pytest.mark.parametrize("fetches", [model_folder.facts_on_hub, model_folder.fetch])
@pytest.mark.parametrize("error", [HTTPError("[Errno -2] Name or service not known"), OSError("no route")])
def test_a_hub_that_cannot_be_reached_is_told_plainly(
    fetches: object, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(huggingface_hub.HfApi, "model_info", fails)
    monkeypatch.setattr(huggingface_hub, "snapshot_download", fails)
    with pytest.raises(DownloadError, match=r"cannot be reached .* or download the model elsewhere"):
        fetches(NAME)  # type: ignore[operator]


def test_a_model_that_the_hub_lacks_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise RepositoryNotFoundError("401", response=SimpleNamespace(headers={}, request=None))  # type: ignore[arg-type]

    monkeypatch.setattr(huggingface_hub.HfApi, "model_info", fails)
    with pytest.raises(EncoderError, match="is not there or needs a login"):
        model_folder.facts_on_hub(NAME)


@pytest.mark.parametrize("place", ["/etc/passwd", "../x", "a/b/c", "a b", "", "x\0y", "https://huggingface.co/a/b"])
def test_the_hub_is_never_asked_for_what_is_no_name(place: str, served: list[dict[str, object]]) -> None:
    with pytest.raises(EncoderError, match="is neither"):
        model_folder.facts_on_hub(place)
    assert model_folder.on_this_machine(place) is None and not served


def test_a_folder_and_an_earlier_download_are_found_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write(tmp_path / "model")
    assert model_folder.on_this_machine(str(folder)) == folder
    monkeypatch.setattr(model_folder, "local_folder", lambda name: folder if name == NAME else None)
    assert model_folder.on_this_machine(NAME) == folder
    assert model_folder.on_this_machine("owner/other") is None
    (folder / "model.safetensors").unlink()  # a download that was stopped is fetched again
    assert model_folder.on_this_machine(NAME) is None


def test_what_a_folder_is_called_is_its_readmes_title_where_that_is_a_name(tmp_path: Path) -> None:
    folder = write(tmp_path / "model")
    (folder / "README.md").write_text("# owner/small-model\n")
    assert ModelFacts.of(str(folder)).name == "small-model"
    (folder / "README.md").write_text("# A model for all\n")
    assert ModelFacts.of(str(folder)).name == "model"


def test_a_download_is_called_by_its_name_on_the_hub(tmp_path: Path) -> None:
    snapshot = write(tmp_path / "models--owner--small" / "snapshots" / "0123abc")
    assert ModelFacts.of(str(snapshot)).place == "owner/small"


def test_facts_are_told_in_plain_words(tmp_path: Path) -> None:
    prompts = {"prompts": {"query": "ask: "}}
    folder = write(tmp_path / "tiny", whole=prompts, pooling={"pooling_mode_cls_token": True})
    told = ModelFacts.of(str(folder)).spoken()
    assert told["Licence"] == "its README names none: ask its author before you use it"
    assert told["A row is"] == "the vector of the first token, at unit length"
    assert told["Prompts"] == "“ask:” before questions"
    assert told["Reads"] == "the first 40 tokens" and told["Vector"] == "32 numbers"


def test_a_long_list_of_data_sets_is_cut(tmp_path: Path) -> None:
    folder = write(tmp_path / "tiny")
    (folder / "README.md").write_text(f"---\ndatasets: [{', '.join('abcdefg')}]\n---\n")
    assert ModelFacts.of(str(folder)).spoken()["Trained on"] == "a, b, c, d, 3 more"
