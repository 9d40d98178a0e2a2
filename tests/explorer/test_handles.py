"""The library as the pages hold it, encoders by their people's names, and jobs in the background."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from engine import encoders
from engine.core.errors import LibraryError
from engine.core.progress import Report, silent
from engine.documents import Document
from engine.encoders import registry
from engine.library import Library
from engine.search import Question
from engine.workspace import Workspace
from explorer.models.card import codes_sentence
from explorer.state import background, handles
from explorer.state.handles import choice_label, encoder_name, short
from tests.encoders.colde import tiny
from tests.encoders.tiny_transformer import write_tiny_transformer
from tests.explorer.conftest import Start, finished, open_card, page_html, page_text
from tests.explorer.pages import rows, titles
from tests.few_codes import codes_for_few
from tests.library.records import left_to_index


def test_a_library_that_cannot_be_opened_is_said(empty_folder: Path, app: Start) -> None:
    empty_folder.mkdir()
    (empty_folder / "library.sqlite3").write_bytes(b"not a database, whatever the name" * 100)
    test = app(example="rewired-random-walk")
    assert not test.exception
    assert "ps-notice ps-problem" in page_html(test)
    assert "Your library is empty" not in page_text(test)


def test_a_library_deleted_while_the_app_runs_is_empty(folder: Path, app: Start) -> None:
    test = app(example="rewired-random-walk")
    assert titles(test)
    shutil.rmtree(folder)
    test.run()
    assert not test.exception
    assert "Your library is empty" in page_text(test)
    assert (folder / "library.sqlite3").is_file()


NAME = "word2vec-sif"


QUERY = Document("q", title="Random walks on a graph", abstract="How long a random walk takes to visit a graph.")


@pytest.fixture
def coded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The library, its six documents more than are compared all."""
    codes_for_few(monkeypatch, above=5)
    handles.workspace().prepare(NAME)
    return folder


@pytest.mark.usefixtures("coded")
def test_searches_use_codes_and_the_map_compares_all() -> None:
    assert handles.workspace().uses_codes(NAME) and (handles.workspace().vector_count(NAME) >= len(handles.library()))
    assert not handles.workspace().searcher(NAME)._index.is_exact
    exact = handles.workspace().exact_index(NAME)
    assert exact.is_exact and exact is handles.workspace().exact_index(NAME)
    assert handles.workspace().index(NAME).ids == exact.ids
    row = handles.workspace().encoder(NAME).encode_queries([QUERY])
    by_codes, by_all = (index.search(row, 4)[0] for index in (handles.workspace().index(NAME), exact))
    assert [hit.id for hit in by_codes] == [hit.id for hit in by_all]  # whose last bits may differ
    found = handles.workspace().searcher(NAME).search(Question(QUERY, k=3, liked=("p2",)))
    assert len(found.results) == 3 and "p2" not in [one.document.id for one in found.results]
    assert handles.workspace().agreement(NAME, NAME).shared == 1.0


@pytest.mark.usefixtures("folder")
def test_a_library_that_was_read_before_codes_were_due_gets_them_at_its_first_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    handles.workspace().prepare(NAME)
    codes_for_few(monkeypatch, above=5)
    with handles.workspace().working():  # another window encodes
        assert handles.workspace().searcher(NAME)._index.is_exact and not handles.workspace().uses_codes(NAME)
    handles.workspace().forget()
    assert not handles.workspace().searcher(NAME)._index.is_exact and handles.workspace().uses_codes(NAME)


@pytest.mark.usefixtures("folder")
def test_a_small_library_is_searched_and_drawn_by_one_index() -> None:
    handles.workspace().prepare(NAME)
    assert not handles.workspace().uses_codes(NAME)
    assert handles.workspace().exact_index(NAME) is handles.workspace().index(NAME)


@pytest.mark.usefixtures("coded")
def test_a_map_is_drawn_of_a_library_that_has_codes() -> None:
    handles.workspace().draw_map(NAME)
    assert len(handles.workspace().library_map(NAME)) == 6
    assert handles.workspace().uses_codes(NAME)


def test_the_card_of_an_encoder_says_it_where_codes_are_in_use(coded: Path, app: Start) -> None:
    test = open_card(app, NAME)
    assert not test.exception
    said = codes_sentence(6)
    assert "6 documents" in said and "measured with ctpe on 20,000" in said
    assert page_text(test).count(said) == 1  # the other encoders have not read the library, or have sparse rows
    next((coded / "vectors" / NAME).glob("*/codes.safetensors")).unlink()
    assert "binary codes" not in page_text(open_card(app, NAME))


@pytest.mark.usefixtures("coded")
def test_the_search_page_shows_the_same_documents(app: Start) -> None:
    by_codes = _hits(app(encoder=NAME, example="rewired-random-walk"))
    handles.workspace().forget()
    for path in handles.library().vectors_folder(NAME).glob("*/codes.safetensors"):
        path.unlink()
    assert _hits(app(encoder=NAME, example="rewired-random-walk")) == by_codes != []


def _hits(test: AppTest) -> list[str]:
    assert not test.exception
    return rows(test)


@pytest.mark.usefixtures("folder")
def test_encoders_have_names_for_people_and_the_default_is_marked(app: Start) -> None:
    test = app()
    options = test.selectbox(key="option-encoder").options
    assert options == [choice_label(name) for name in encoders.search_names()]
    assert [option for option in options if option.endswith("(default)")] == [options[0]]
    assert encoders.label("tfidf") == "TF-IDF"
    assert encoders.label("a new one") == "a new one"
    assert short("ctpe") == "CTPE"


@pytest.mark.usefixtures("folder")
def test_an_encoder_for_two_documents_is_no_choice_to_search_by(
    app: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = tmp_path / "pretrained"
    shipped.mkdir()
    for path in registry.PRETRAINED.iterdir():
        if path.name != "colde":
            (shipped / path.name).symlink_to(path)
    monkeypatch.setattr(registry, "PRETRAINED", shipped)
    tiny.encoder(write_tiny_transformer(tmp_path / "model")).save(shipped / "colde")
    assert "colde" in encoders.encoder_names()
    assert encoder_name("colde") == registry.DEFAULT
    test = app()
    assert encoders.label("colde") not in " ".join(test.selectbox(key="option-encoder").options)
    test = open_card(app, "colde")
    assert not test.exception
    said = page_text(test)
    assert encoders.label("colde") in said
    assert registry.find("colde").card.summary in said
    assert "Compares two documents; a library is not searched by it." in said
    assert {button.key for button in test.button} & {"use-colde", "measure-colde"} == set()
    assert "use-tfidf" in {button.key for button in open_card(app, "tfidf").button}


@pytest.mark.usefixtures("folder")
def test_a_job_that_ends_while_the_page_is_drawn_changes_all_of_the_page(
    app: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    going, encodes, prepare = threading.Event(), background.encodes, Workspace.prepare

    def held(self: Workspace, name: str, report: Report = silent) -> None:
        assert going.wait(60)
        prepare(self, name, report=report)

    def ended(name: str) -> bool:
        job = handles.workspace().jobs.last()
        assert job is not None
        going.set()
        assert job.finished.wait(60)
        return encodes(name)

    monkeypatch.setattr(Workspace, "reading_seconds", lambda self, name: 0.0)
    monkeypatch.setattr(Workspace, "prepare", held)
    test = app(encoder="lsa").button(key="prepare").click().run()
    assert "<dt>Your library</dt><dd>not encoded yet</dd>" in page_text(test)
    monkeypatch.setattr(background, "encodes", ended)  # the side has been drawn when the page asks
    test.run()
    assert "Your library is encoded with LSA." in page_text(test)
    assert "<dt>Your library</dt><dd>encoded, " in page_text(test)


def test_a_job_that_ends_between_two_looks_is_told_at_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    state: dict[str, object] = {background.WATCHED: (7,)}
    ended: list[bool] = []
    monkeypatch.setattr(background.st, "session_state", state)
    monkeypatch.setattr(background, "in_line", lambda: [] if ended else [SimpleNamespace(number=7)])
    monkeypatch.setattr(background, "_over", lambda: ended.append(True) or [])
    assert background.news() == [] and state[background.WATCHED] == (7,)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The encoders under which a map was asked for."""
    asked: list[str] = []

    def draw_map(self: Workspace, name: str, report: Report) -> None:
        del self, report
        asked.append(name)

    monkeypatch.setattr(Workspace, "draw_map", draw_map)
    monkeypatch.setenv(background.READ_AT_START, "1")
    return asked


@pytest.mark.usefixtures("folder")
def test_a_library_that_was_never_read_is_read_once(app: Start, drawn: list[str]) -> None:
    test = finished(app())
    assert drawn == [registry.DEFAULT]
    assert "Your library is read, and its map is drawn." in page_text(test)
    assert not test.run().exception and not app().exception
    assert drawn == [registry.DEFAULT]


@pytest.mark.usefixtures("folder")
def test_what_cannot_be_read_says_why(app: Start, monkeypatch: pytest.MonkeyPatch, drawn: list[str]) -> None:
    def held(self: Workspace, name: str, report: Report) -> None:
        raise LibraryError(f"Expected {name} to be free.")

    monkeypatch.setattr(Workspace, "draw_map", held)
    assert f"Expected {registry.DEFAULT} to be free." in page_text(finished(app()))
    assert drawn == []


@pytest.mark.usefixtures("folder")
def test_it_is_not_begun_where_nobody_asked(app: Start, monkeypatch: pytest.MonkeyPatch, drawn: list[str]) -> None:
    monkeypatch.delenv(background.READ_AT_START)
    assert not app().exception
    assert drawn == [] and handles.workspace().jobs.last() is None


def test_a_library_that_was_drawn_before_is_left_as_it_is(app: Start, folder: Path, drawn: list[str]) -> None:
    from engine.workspace.indexing import encoder_for, index_library

    with Library.open(folder) as library:
        library.map_folder(registry.DEFAULT).mkdir(parents=True)
        index_library(library, encoder_for(library, registry.DEFAULT))
    assert not app().exception
    assert drawn == [] and handles.workspace().jobs.last() is None


@pytest.mark.usefixtures("folder")
def test_documents_that_an_import_left_unread_are_read_beside_the_map(
    app: Start, folder: Path, drawn: list[str]
) -> None:
    with Library.open(folder) as library:
        library.map_folder(registry.DEFAULT).mkdir(parents=True)
    finished(app())
    assert drawn == [] and handles.workspace().unread_count(registry.DEFAULT) == 0


def test_a_reading_that_was_broken_off_goes_on(app: Start, folder: Path, drawn: list[str]) -> None:
    from engine.workspace.indexing import encoder_for, index_library

    with Library.open(folder) as library:
        index_library(library, encoder_for(library, registry.DEFAULT))
    finished(app())
    assert drawn == [registry.DEFAULT]


def test_words_of_an_earlier_version_are_indexed_again(app: Start, folder: Path, drawn: list[str]) -> None:
    from engine.workspace.indexing import encoder_for, index_library

    with Library.open(folder) as library:
        library.map_folder(registry.DEFAULT).mkdir(parents=True)
        index_library(library, encoder_for(library, registry.DEFAULT))
    left_to_index(folder)
    assert handles.library().count_left_to_index() == len(handles.library())
    assert "The words of your library are indexed again." in page_text(finished(app()))
    assert drawn == [] and handles.library().count_left_to_index() == 0


def test_passages_that_were_broken_off_are_read_on(
    app: Start, folder: Path, monkeypatch: pytest.MonkeyPatch, drawn: list[str]
) -> None:
    from engine.search import PassageEncoder
    from engine.vectors import open_passage_store
    from engine.workspace.indexing import encoder_for, index_library

    read: list[bool] = []
    monkeypatch.setattr(Workspace, "read_passages", lambda self, report: read.append(True))
    with Library.open(folder) as library:
        library.map_folder(registry.DEFAULT).mkdir(parents=True)
        index_library(library, encoder_for(library, registry.DEFAULT))
        name = PassageEncoder.shipped_fingerprint()
        open_passage_store(library.passages_folder / name, fingerprint=name, dim=384).keep()
    test = finished(app())
    assert drawn == [] and read == [True]
    assert "The passages of your library are read." in page_text(test)


@pytest.mark.usefixtures("empty_folder")
def test_an_empty_library_is_not_read(app: Start, drawn: list[str]) -> None:
    assert "Your library is empty" in page_text(app())
    assert drawn == [] and handles.workspace().jobs.last() is None
