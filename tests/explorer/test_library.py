"""The Library page: files and documents come and leave; the list of documents is ordered, filtered and opened."""

from __future__ import annotations

import re
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from engine.core.files import sha256_bytes
from engine.core.progress import Progress, Report
from engine.documents import Document
from engine.library import Library
from engine.workspace import Job, Workspace
from engine.workspace.jobs import Hold
from explorer.state import background, handles
from tests.explorer.conftest import APP, HOSTILE, Start, finished, page_html, page_text
from tests.explorer.pages import opened, part

PDF = b"%PDF-1.4 " + b"x" * 2_000_000
GOOD = b"# Walks on graphs\n\n## Abstract\n\nA walk on a graph, and how it mixes.\n"


def open_page(app: Start, name: str) -> AppTest:
    return app().switch_page(f"explorer/{name}/view.py").run()


def test_an_empty_library_offers_the_samples_first(empty_folder: Path, app: Start) -> None:
    test = open_page(app, "library")
    assert not test.exception
    assert "Nothing here yet" in page_text(test)
    assert test.button(key="samples").label == "Get the sample library"


@pytest.mark.usefixtures("folder")
def test_counts_files_and_failures_are_shown(app: Start) -> None:
    test = open_page(app, "library")
    assert not test.exception
    html = page_html(test)
    assert "<dt>Documents</dt><dd>6</dd>" in html
    assert "1885–2015" in html
    assert "own.jsonl" in html
    assert "scan &lt;b&gt;.pdf" in html
    assert "Run it through OCR first." in html


@pytest.mark.usefixtures("folder")
def test_uploads_are_imported_whole_and_once(app: Start, folder: Path) -> None:
    test = open_page(app, "library")
    files = [("walks.md", GOOD, "text/markdown"), ("bad.pdf", b"%PDF-1.4 and no more", "application/pdf")]
    test.file_uploader[0].set_value(files).run()
    finished(test.button(key="import-files").click().run())
    assert not test.exception
    assert "1 new document" in page_text(test)
    assert '<th scope="row">bad.pdf</th>' in page_html(test)
    assert '<th scope="row">walks.md</th>' in page_html(test)
    with Library.open(folder) as library:
        assert library.counts().documents == 7
    test.file_uploader[0].set_value(files[:1]).run()
    finished(test.button(key="import-files").click().run())
    assert "0 new documents" in page_text(test)


def test_a_reference_that_a_paper_completes_is_told(app: Start, folder: Path) -> None:
    paper = b"---\nauthor: Ada Lovelace\n---\n\n# The walks of many graphs and how they mix\n\n## Method\n\nWe walk.\n"
    entry = b"@article{w, title={The walks of many graphs and how they mix}, author={Lovelace, Ada}, year={2020}}"
    test = open_page(app, "library")
    for name, content in (("refs.bib", entry), ("walks.md", paper)):
        test.file_uploader[0].set_value([(name, content, "text/plain")]).run()
        test = finished(test.button(key="import-files").click().run())
    assert "1 folded as duplicates, 1 document here got text or facts that it had lacked." in page_text(test)
    with Library.open(folder) as library:
        (held,) = [document for document in library.iter_documents() if document.year == 2020]
    assert [section.text for section in held.sections] == ["We walk."]


@pytest.mark.usefixtures("folder")
def test_entries_left_out_of_a_reference_file_are_counted(app: Start) -> None:
    test = open_page(app, "library")
    entries = b"@book{a, title = {Kites}}\n@book{b, year = 1999}\n@book{c, year = 2000}"
    test.file_uploader[0].set_value([("kites.bib", entries, "application/x-bibtex")]).run()
    finished(test.button(key="import-files").click().run())
    assert "1 new document." in page_text(test)
    left_out = (
        "2 entries of kites.bib without title and abstract were left out: the entry of line 2, the entry of line 3."
    )
    assert f"{left_out}</li>" in page_html(test) and f"<div>{left_out}</div>" in page_html(test)  # told, and kept


@pytest.mark.usefixtures("folder")
def test_a_folder_is_imported_and_a_wrong_path_is_said(app: Start, tmp_path: Path) -> None:
    papers = tmp_path / "papers"
    papers.mkdir()
    (papers / "walks.md").write_bytes(GOOD)
    test = open_page(app, "library")
    test.text_input(key="import-path").set_value(f' "{papers}"').run()
    finished(test.button(key="import-folder").click().run())
    assert not test.exception
    assert "1 new document" in page_text(test)
    test.text_input(key="import-path").set_value(str(tmp_path / "nowhere")).run()
    finished(test.button(key="import-folder").click().run())
    assert not test.exception
    assert "nowhere" in page_text(test)
    test.text_input(key="import-path").set_value("~nobody-of-that-name/papers").run()
    finished(test.button(key="import-folder").click().run())
    assert not test.exception
    assert "at ~nobody-of-that-name/papers; there is none" in page_text(test)


@pytest.mark.usefixtures("folder")
def test_a_search_that_is_opened_leaves_the_library_free(monkeypatch: pytest.MonkeyPatch) -> None:
    for expected in (0, 6):
        with monkeypatch.context() as patched:
            patched.setattr(Hold, "idle", None)  # it is not asked for
            assert len(handles.workspace().searcher("word2vec-sif")._index) == expected
        handles.workspace().prepare("word2vec-sif")


@pytest.mark.usefixtures("folder")
def test_every_encoder_says_that_a_text_has_changed(app: Start) -> None:
    authors = ("Ada Lovelace",)
    entry = Document("w", title="The walks of many graphs and how they mix", year=2020, authors=authors)
    handles.library().add_file("refs", "refs.bib", [entry])
    for name in ("word2vec-sif", "word2vec-mean"):
        handles.workspace().prepare(name)
    paper = f"---\nauthor: {authors[0]}\n---\n\n# {entry.title}\n\n## Method\n\nWe walk.\n"
    test = app(encoder="word2vec-sif").switch_page("explorer/library/view.py").run()
    test.file_uploader[0].set_value([("walks.md", paper.encode(), "text/markdown")]).run()
    finished(test.button(key="import-files").click().run())
    assert (handles.workspace().vector_count("word2vec-sif") >= len(handles.library())) and not (
        handles.workspace().vector_count("word2vec-mean") >= len(handles.library())
    )
    assert handles.workspace().vector_count("word2vec-mean") == 6


@pytest.mark.usefixtures("folder")
def test_a_running_job_is_shown_and_the_next_waits_for_it(app: Start) -> None:
    go_on = threading.Event()

    def work(report: Report) -> str:
        report(Progress("import <b>", 3, 10, 2.0))
        assert go_on.wait(60)
        return "All in."

    handles.workspace().jobs.start("Importing <i>", work)
    try:
        test = open_page(app, "library")
        assert "Importing &lt;i&gt;" in page_html(test)
        assert "Import <b>: 3 of 10 · 2 a second · about 5 s left" in page_text(test)
        handles.workspace().jobs.start("Another <u>", lambda report: "Also in.")
        test.run()
        assert "Waits for “Importing <i>”." in page_text(test) and "Another &lt;u&gt;" in page_html(test)
    finally:
        go_on.set()
    told = page_text(finished(test))
    assert "All in." in told and "Also in." in told
    assert "All in." not in page_text(test.run())


@pytest.fixture
def passages(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Passages that are read one a look until the event is set; what was read before a pause counts."""
    through, read = threading.Event(), list[int]()

    def read_passages(self: Workspace, *, report: Report) -> None:
        with self.working():
            before = len(read)
            while not through.wait(0.01):
                read.append(1)
                report(Progress("read passages", len(read) - before, 1_000 - before, 2.0, uneven=True))

    monkeypatch.setattr(Workspace, "read_passages", read_passages)
    monkeypatch.setattr(Workspace, "has_passages_left", lambda self, *, begun=True: not through.is_set())
    yield through
    through.set()


def reading() -> Job:
    """The job that reads passages, once it has read some."""
    (job,) = background.read_on("word2vec-sif")[-1:]
    while not job.stages:
        assert not job.finished.wait(0.01)
    return job


@pytest.mark.usefixtures("folder")
def test_an_import_ends_with_its_summary_while_passages_are_read(app: Start, passages: threading.Event) -> None:
    handles.workspace().prepare("word2vec-sif")
    job = reading()
    test = app(encoder="word2vec-sif").switch_page("explorer/library/view.py").run()
    entries = b"@book{a, title = {Kites}}\n@book{b, title = {Lines}\n@book{c, title = {The tails of kites}}"
    test.file_uploader[0].set_value([("kites.bib", entries, "application/x-bibtex")]).run()
    test.button(key="import-files").click().run()
    while (
        len(handles.library()) < 8 or handles.workspace().unread_count("word2vec-sif") or len(background.in_line()) > 1
    ):
        assert not job.finished.wait(0.01)  # neither the import nor its vectors wait for the passages
    told = page_text(test) + page_text(test.run())  # the import may be over as the page is drawn after the click
    assert "Import finished: 2 new documents." in told and "Expected the entry of line 2 of kites.bib to close" in told
    assert "Reading passages" in told and "is encoded" not in told
    passages.set()
    assert job.finished.wait(60)


@pytest.mark.usefixtures("folder")
def test_reading_passages_is_paused_and_goes_on(app: Start, passages: threading.Event) -> None:
    handles.workspace().prepare("word2vec-sif")
    job = reading()
    key = f"job-{job.number}-pause"
    test = open_page(app, "library")
    assert "1 running" in {one.proto.popover.label for one in test.get("popover")}
    test.button(key=key).click().run()
    while handles.workspace().jobs.running() is not None:
        assert not job.finished.wait(0.01)
    said = page_text(test.run())
    assert re.search(r"Reading passages</strong> <span [^>]*>Paused\. Read passages: \d+ of 1,000\.<", said)
    assert not background.reads_passages() and test.button(key=key).label == "Go on"
    assert background.read_on("word2vec-sif")[-1] is job and job.paused
    test.button(key=key).click().run()
    assert background.reads_passages() and test.button(key=key).label == "Pause"
    passages.set()
    assert "The passages of your library are read." in page_text(finished(test))


@pytest.mark.usefixtures("empty_folder")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_job_that_breaks_says_so(app: Start) -> None:
    go_on = threading.Event()

    def work(report: Report) -> str:
        assert go_on.wait(60)
        return str(1 / 0)

    handles.workspace().jobs.start("Breaking", work)
    try:
        test = open_page(app, "library")
    finally:
        go_on.set()
    assert "it stopped unexpectedly" in page_text(finished(test))
    assert "it stopped unexpectedly" not in page_text(open_page(app, "library"))  # a visitor who never saw it run


@pytest.fixture
def kept(folder: Path, tmp_path: Path) -> Path:
    """The library with one copy of two megabytes."""
    (tmp_path / "x.pdf").write_bytes(PDF)
    with Library.open(folder) as library:
        library.copies.keep(sha256_bytes(PDF), tmp_path / "x.pdf")
    return folder


def test_the_number_and_size_of_copies_are_told(app: Start, kept: Path) -> None:
    assert "1 PDF kept to show passages on their pages, 2.0 MB." in page_text(open_page(app, "library"))


@pytest.mark.usefixtures("folder")
def test_a_library_without_copies_says_so(app: Start) -> None:
    assert "No PDF is kept yet." in page_text(open_page(app, "library"))


def test_copies_are_switched_off_and_on_again(app: Start, kept: Path) -> None:
    test = open_page(app, "library").toggle(key="keep-copies").set_value(False).run()
    with Library.open(kept) as library:
        assert not library.copies.are_wanted
    test = test.toggle(key="keep-copies").set_value(True).run()
    assert not test.exception
    with Library.open(kept) as library:
        assert library.copies.are_wanted and library.copies.total().files == 1


def test_copies_are_removed_and_the_documents_stay(app: Start, kept: Path) -> None:
    test = opened(open_page(app, "library"), "remove-copies").button(key="remove-copies-now").click().run()
    assert not test.exception
    assert "No PDF is kept yet." in page_text(test)
    with Library.open(kept) as library:
        assert (len(library), library.copies.total().files) == (6, 0)


@pytest.mark.usefixtures("folder")
def test_the_part_that_was_open_is_open_again(app: Start) -> None:
    test = part(app, "Documents")
    assert ">6 documents<" in page_text(test)
    test = test.switch_page("explorer/models/view.py").run().switch_page("explorer/library/view.py").run()
    assert ">6 documents<" in page_text(test)


@pytest.fixture
def removal(app: Start, folder: Path) -> AppTest:
    """The library page with its section for removing open."""
    assert folder.is_dir()
    return opened(app(like="p2", encoder="tfidf").switch_page("explorer/library/view.py").run(), "removal")


def test_a_file_goes_with_its_documents(removal: AppTest, folder: Path) -> None:
    test = removal.selectbox(key="gone").select("own").run()
    assert "6 documents came with this file and with no other." in page_text(test)
    test = finished(opened(test, "remove-file").button(key="remove-file-now").click().run())
    assert not test.exception
    assert "6 documents removed." in page_text(test) and "Nothing here yet" in page_text(test)
    with Library.open(folder) as library:
        assert (len(library), library.files()) == (0, [])


def test_a_document_goes_and_the_search_goes_on_without_it(removal: AppTest, folder: Path) -> None:
    assert handles.workspace().vector_count("tfidf") == 6
    test = removal.text_input(key="gone-words").set_value("mixing").run()
    test = finished(opened(test, "remove-1").button(key="remove-1-now").click().run())
    assert not test.exception
    assert "1 document removed." in page_text(test)
    assert "<dt>Documents</dt><dd>5</dd>" in page_text(test)
    assert handles.workspace().vector_count("tfidf") == 5
    assert "like" not in test.query_params  # it was a seed of this visitor's search
    with Library.open(folder) as library:
        assert "p2" not in library.ids()


def test_a_document_is_found_by_its_id(removal: AppTest) -> None:
    test = removal.text_input(key="gone-words").set_value("US2").run()
    assert "Car coupling" in page_text(test) and "Telegraph relay" not in page_text(test)


def test_no_title_is_said(removal: AppTest) -> None:
    test = removal.text_input(key="gone-words").set_value("zeppelin").run()
    assert "No title holds all of these words, and no author, id or number is zeppelin." in page_text(test)


def test_a_file_of_before_says_what_to_do(removal: AppTest, folder: Path) -> None:
    with sqlite3.connect(folder / "library.sqlite3") as connection:
        connection.execute("DELETE FROM origins")  # as a library of version 1 comes in
    test = removal.selectbox(key="gone").select("own").run()
    assert "Remove its documents one by one." in page_text(test)


def test_a_file_whose_documents_came_with_others_leaves_only_its_name(removal: AppTest, folder: Path) -> None:
    with Library.open(folder) as library:
        library.add_file("copy", "copy.jsonl", library.get(["p1"]))
    test = removal.run()
    test = opened(test.selectbox(key="gone").select("copy").run(), "remove-file")
    assert "only the file's name leaves this list" in page_text(test)
    test = finished(test.button(key="remove-file-now").click().run())
    assert "0 documents removed." in page_text(test) and len(handles.library()) == 6


def test_a_removal_waits_while_other_work_runs(removal: AppTest) -> None:
    going = threading.Event()
    handles.workspace().jobs.start("Importing kites", lambda report: str(going.wait(60)))
    test = opened(removal.selectbox(key="gone").select("own").run(), "remove-file")
    test = test.button(key="remove-file-now").click().run()
    assert "Waits for “Importing kites”." in page_text(test) and len(handles.library()) == 6
    going.set()
    assert "6 documents removed." in page_text(finished(test)) and not len(handles.library())


def test_notes_on_what_was_removed_wait_until_they_are_forgotten(removal: AppTest, folder: Path) -> None:
    with Library.open(folder) as library:
        library.annotations.note(["p2"], "Lazy.")
        library.remove(["p2"])
    test = removal.run()
    assert "Your notes, tags and decisions on 1 removed document wait in case they come back." in page_text(test)
    test = test.button(key="forget-removed").click().run()
    assert "in case they come back" not in page_text(test)
    with Library.open(folder) as library:
        assert library.annotations.of_removed() == 0


def titles(test: AppTest) -> list[str]:
    return re.findall(r'class="ps-row-title">(.*?)</h2>', page_html(test))


def beginnings(test: AppTest) -> list[str]:
    return [title.split()[0] for title in titles(test) if "script" not in title]


@pytest.mark.usefixtures("folder")
def test_the_last_document_comes_first_and_every_order_can_be_turned(app: Start) -> None:
    test = part(app, "Documents")
    assert not test.exception
    assert beginnings(test) == ["Car", "Telegraph", "Rotons", "Mixing", "Cover"]
    assert ">6 documents<" in page_text(test)
    assert "from own.jsonl" in page_text(test)
    test = test.button(key="list-turn").click().run()
    assert beginnings(test) == ["Cover", "Mixing", "Rotons", "Telegraph", "Car"]
    assert test.query_params["turned"] == "yes" and "sort" not in test.query_params
    test = test.segmented_control(key="list-order").set_value("title").run()
    assert beginnings(test) == ["Car", "Cover", "Mixing", "Rotons", "Telegraph"]
    test = test.segmented_control(key="list-order").set_value("year").run()
    assert beginnings(test) == ["Mixing", "Cover", "Rotons", "Car", "Telegraph"]
    assert test.query_params["sort"] == "year" and "turned" not in test.query_params


@pytest.mark.usefixtures("folder")
def test_a_link_opens_the_list_in_its_order(app: Start) -> None:
    test = part(app, "Documents", sort="title", turned="yes")
    assert not test.exception
    assert beginnings(test) == ["Telegraph", "Rotons", "Mixing", "Cover", "Car"]
    assert test.segmented_control(key="list-order").value == "title"
    test = test.button(key="list-turn").click().run()
    assert beginnings(test)[0] == "Car" and "turned" not in test.query_params


@pytest.mark.usefixtures("folder")
def test_a_hostile_title_stays_text(app: Start) -> None:
    test = part(app, "Documents")
    assert "<script>" not in page_html(test) and HOSTILE.split()[0] in page_text(test)


@pytest.mark.usefixtures("folder")
def test_lines_limit_the_list_and_search_and_map_with_it(app: Start) -> None:
    test = part(app, "Documents")
    assert not [button for button in test.button if button.key == "list-search"]
    test = test.text_area(key="list-lines").set_value("kind:patent year:-1887").run()
    assert beginnings(test) == ["Telegraph"]
    assert "1 document that passes the filters" in page_text(test)
    assert test.query_params["line"] == "kind:patent year:-1887"
    test = test.button(key="list-search").click().run()
    assert not test.exception and "kind:patent year:-1887" in page_text(test)


@pytest.mark.usefixtures("folder")
def test_nothing_that_passes_is_said(app: Start) -> None:
    test = part(app, "Documents", line="zeppelin")
    assert "No document passes the filters." in page_text(test)
    test = test.button(key="list-clear").click().run()
    assert len(titles(test)) == 6


def test_a_row_names_the_files_without_their_folders(app: Start, folder: Path) -> None:
    with Library.open(folder) as library:
        for key, name in (("k2", "/home/ada/first.ris"), ("k3", "C:\\papers\\second.bib")):
            library.add_file(key, name, [Document("k1", "paper", "Kites in gusts", "They flew.", year=2015)])
    test = part(app, "Documents", line="kites")
    assert "from first.ris, second.bib, 20" in page_text(test) and "Brought by /home/ada/first.ris, C:" in page_text(
        test
    )


def test_one_import_is_listed_alone(app: Start, folder: Path) -> None:
    with Library.open(folder) as library:
        library.add_file("k2", "more.ris", [Document("k1", "paper", "Kites in gusts", "They flew.", year=2015)])
    test = opened(part(app, "Documents"), "list-filters")
    test = test.multiselect(key="option-files").select("more.ris").run()
    assert titles(test) == ["Kites in gusts"]
    assert test.query_params["file"] == "more.ris"


@pytest.fixture
def many(folder: Path) -> Path:
    with Library.open(folder) as library:
        library.add_file("k2", "many.csv", [Document(f"d{n}", "paper", f"Kite {n:03}") for n in range(60)])
    return folder


@pytest.mark.usefixtures("many")
def test_only_one_page_is_read_and_another_order_begins_at_the_first(app: Start) -> None:
    test = part(app, "Documents")
    assert len(titles(test)) == 25 and titles(test)[0] == "Kite 059"
    key = f"list-page-{test.session_state['list-turns']}"
    test.session_state[key] = 3
    test = test.run()
    assert "51 to 66 of 66 documents" in page_text(test) and len(titles(test)) == 16
    test = test.segmented_control(key="list-order").set_value("title").run()
    assert "1 to 25 of 66 documents" in page_text(test)


def test_a_page_that_is_gone_leads_to_the_first(app: Start, many: Path) -> None:
    test = part(app, "Documents")
    test.session_state[f"list-page-{test.session_state['list-turns']}"] = 3
    test.run()
    with Library.open(many) as library:
        library.remove([f"d{n}" for n in range(60)])
    test = test.run()
    assert not test.exception and ">6 documents<" in page_text(test)


def test_an_opened_document_shows_its_text_and_takes_notes(app: Start, folder: Path) -> None:
    with Library.open(folder) as library:
        library.reviews.make("Walks")
    test = part(app, "Documents", line="walks spectral")
    test = test.button(key="open-document-0").click().run()
    assert "We bound the cover time by the spectral gap" in page_text(test)
    assert "Ada Lovelace, Grace Hopper" in page_text(test)
    test = test.text_area(key="note-document-p1").set_value("=SUM(1)\nSee <b>page 2</b>").run()
    test = test.checkbox(key="read-document-p1").check().run()
    test = test.text_input(key="reason-document-p1").set_value("Wrong graph").run()
    test = test.button(key="exclude-document").click().run()
    assert not test.exception
    text = page_text(test)
    assert "✓ Read" in text and "Excluded: Wrong graph" in text and "See <b>page 2</b>" not in page_html(test)
    with Library.open(folder) as library:
        (row,) = library.listing.of(["p1"])
    assert (row.annotation.note, row.annotation.is_read) == ("=SUM(1)\nSee <b>page 2</b>", True)
    test = test.button(key="open-document-0").click().run()
    assert "We bound the cover time" not in page_text(test)


@pytest.mark.usefixtures("folder")
def test_an_opened_document_becomes_the_query(app: Start) -> None:
    test = part(app, "Documents", line="title:rotons")
    test = test.button(key="open-document-0").click().run()
    test = test.button(key="near-document").click().run()
    assert not test.exception and test.query_params["doc"] == "p3"


@pytest.mark.usefixtures("folder")
def test_a_press_leads_on_though_the_drawing_that_it_began_is_cut_short(
    app: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    test = part(app, "Documents", line="title:rotons").button(key="open-document-0").click().run()
    with monkeypatch.context() as cut:
        cut.setattr("streamlit.switch_page", lambda _, **__: None)
        test = test.button(key="near-document").click().run()
        assert "Library" in [title.value for title in test.title]
    test = test.run()  # a page that redraws itself knows of no press
    assert "Library" not in [title.value for title in test.title] and test.query_params["doc"] == "p3"


def test_a_press_leads_to_another_page_in_one_way_that_outlives_such_a_cut() -> None:
    pages = APP.parent / "explorer"
    switching = [path for path in pages.rglob("*.py") if "switch_page" in path.read_text("utf-8")]
    assert switching == [pages / "state" / "session.py"]


@pytest.mark.usefixtures("folder")
def test_what_is_listed_comes_as_a_file(app: Start) -> None:
    test = opened(part(app, "Documents", line="kind:patent"), "list-download")
    labels = [button.label for button in test.get("download_button")]
    assert labels == ["CSV", "JSON", "BibTeX", "RIS"]
