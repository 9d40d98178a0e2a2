"""Models by name: found on this machine, described by the hub, or told that it cannot be reached."""

from __future__ import annotations

import shutil
from pathlib import Path
from types import SimpleNamespace

import huggingface_hub
import pytest
from huggingface_hub.errors import HTTPError, RepositoryNotFoundError

from engine.core.errors import DownloadError, EncoderError
from engine.encoders import bring
from tests.encoders.tiny_sentences import write

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
    facts = bring.facts_on_hub(NAME)
    assert (facts.place, facts.name, facts.licence, facts.dim) == (NAME, "small-model", "mit", 32)
    assert facts.weight_bytes > 10_000 and facts.parameters is None
    assert served[1]["allow_patterns"] == ["*.json", "README.md"] and served[1]["revision"] == "abc"


def test_only_settings_words_and_safetensors_are_fetched(served: list[dict[str, object]]) -> None:
    assert (bring.fetch(NAME) / "model.safetensors").is_file()
    assert set(served[0]["allow_patterns"]) == {"*.json", "README.md", "*.txt", "*.model", "*.safetensors"}  # type: ignore[call-overload]


@pytest.mark.parametrize("fetches", [bring.facts_on_hub, bring.fetch])
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
        bring.facts_on_hub(NAME)


@pytest.mark.parametrize("place", ["/etc/passwd", "../x", "a/b/c", "a b", "", "x\0y", "https://huggingface.co/a/b"])
def test_the_hub_is_never_asked_for_what_is_no_name(place: str, served: list[dict[str, object]]) -> None:
    with pytest.raises(EncoderError, match="is neither"):
        bring.facts_on_hub(place)
    assert bring.on_this_machine(place) is None and not served


def test_a_folder_and_an_earlier_download_are_found_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write(tmp_path / "model")
    assert bring.on_this_machine(str(folder)) == folder
    monkeypatch.setattr(bring, "local_folder", lambda name: folder if name == NAME else None)
    assert bring.on_this_machine(NAME) == folder
    assert bring.on_this_machine("owner/other") is None
    (folder / "model.safetensors").unlink()  # a download that was stopped is fetched again
    assert bring.on_this_machine(NAME) is None
