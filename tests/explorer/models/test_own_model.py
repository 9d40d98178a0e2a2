"""A model of the visitor's own on the Models page: looked at, measured, offered, taken out."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.errors import DownloadError
from engine.encoders import KeptModel, model_folder, registry
from explorer.models import own_model, view
from explorer.state import handles
from tests.encoders.tiny_sentences import write
from tests.explorer.conftest import Start, finished, page_text


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PRIORSCOPE_MODELS", str(tmp_path / "models"))
    folder = write(tmp_path / "tiny")
    (folder / "README.md").write_text("---\nlicense: mit\n---\n![picture](https://example.org/a.png)\n")
    return folder


@pytest.mark.usefixtures("folder")
def test_a_model_is_looked_at_measured_offered_used_and_removed(
    app: Start, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    test = app().switch_page("explorer/models/view.py").run()
    test.text_input(key="own-model-place").set_value(str(tiny))
    test.button(key="own-model-look").click().run()
    assert not test.exception
    assert "<dt>Licence</dt><dd>mit</dd>" in page_text(test)
    assert not KeptModel.read_all()  # nothing is loaded or kept before it is asked for
    test = finished(test.button(key="own-model-measure-found").click().run())
    assert not test.exception
    said = page_text(test)
    assert "The small set that comes with Priorscope: 12 questions over 60 documents" in said
    assert "not offered yet" in said and "Documents a second here" in said
    assert "keywords count 0.75 where tiny counts 1, as beside the sentence encoders that come with" in said
    assert "tiny" not in registry.search_names()
    test.button(key="own-model-offer-tiny").click().run()
    assert not test.exception and "tiny" in registry.search_names()
    test.selectbox(key="models-shown").set_value("tiny").run()
    test.session_state["notes-tiny"] = True
    test.run()
    assert any("https://example.org/a.png" in block.value for block in test.code)  # shown as written, never fetched
    assert not any("example.org" in block.value for block in test.markdown)
    test.button(key="use-tiny").click().run()
    assert test.query_params["encoder"] == "tiny"
    row = next(row for row in view.overview_rows() if row[0] == "tiny")
    assert row[2] == "–" and row[6] == f"{view.own_speed('tiny'):,.0f}" and row[7] == "128"
    test.button(key="own-model-remove-tiny").click().run()
    assert not test.exception and not KeptModel.read_all()


@pytest.mark.usefixtures("folder", "tiny")
def test_a_hub_that_cannot_be_reached_is_told_on_the_page(app: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(name: str) -> None:
        raise DownloadError(f"Expected to reach the Hugging Face hub for {name}; it cannot be reached.")

    monkeypatch.setattr(model_folder, "local_folder", lambda name: None)
    monkeypatch.setattr(model_folder, "facts_on_hub", fails)
    test = app().switch_page("explorer/models/view.py").run()
    test.text_input(key="own-model-place").set_value("owner/model")
    test.button(key="own-model-look").click().run()
    assert "Expected to reach the Hugging Face hub for owner/model; it cannot be reached." in page_text(test)


@pytest.mark.usefixtures("folder")
def test_only_questions_with_answers_are_offered(tiny: Path) -> None:
    assert own_model.offered_questions() == ["small", "subjects"]
    library = handles.library()
    library.judgements.judge(next(iter(library.iter_documents())), "p2", 1)
    assert own_model.offered_questions() == ["small", "judged", "subjects"]
