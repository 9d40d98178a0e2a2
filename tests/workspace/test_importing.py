"""Files and samples into a library: whole, once, with a reason where they fail, and their pages as pictures."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from engine.cli.library import import_text
from engine.core.errors import CancelledError, InputError, LibraryError, StorageError, TruncatedFileError
from engine.core.files import sha256_file
from engine.core.progress import Meter, Progress
from engine.documents import Document, LineBox
from engine.library import Library
from engine.reading import iter_documents, limits, read_bytes
from engine.reading.pdf import worker
from engine.reading.pdf.drawing import Mark, PagePicture
from engine.sources import samples
from engine.workspace import importing, pages
from engine.workspace.importing import ImportSummary, Pace, has_samples, import_paths, import_samples
from engine.workspace.pages import PageReader, given_file, lines_of
from engine.workspace.quotes import found_in
from engine.workspace.workspace import Workspace
from tests.browser.tiny_pdf import tiny_pdf
from tests.conftest import PROJECT
from tests.mixed import FAULTS, FORMATS, account, make
from tests.sources.test_papers import RECORD
from tests.sources.test_samples import keep

DATA = tiny_pdf()
DOCUMENT = read_bytes(DATA, "a.pdf").document
FILE = given_file(DATA, DOCUMENT.file, "a.pdf")


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder of files: two that can be read, one hidden, one that fails, one copy, one link out of the folder."""
    folder = tmp_path / "files"
    (folder / "deep").mkdir(parents=True)
    rows = [
        {"id": f"p{n}", "kind": "paper", "title": f"Paper number {n} on kites", "abstract": "a" * n} for n in range(5)
    ]
    (folder / "papers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "deep" / "note.md").write_text("# Kites and their lines\n\n## Abstract\n\nKites fly in the wind.\n")
    (folder / "deep" / "same.md").write_text((folder / "deep" / "note.md").read_text())
    (folder / "empty.txt").write_text("")
    (folder / ".hidden.txt").write_text("Hidden text.")
    (tmp_path / "outside.txt").write_text("Outside text.")
    (folder / "link.txt").symlink_to(tmp_path / "outside.txt")
    (folder / "deep" / "loop").symlink_to(folder, target_is_directory=True)
    return folder


def test_what_is_left_out_of_a_file_that_comes_in_is_noted(library: Library, tmp_path: Path) -> None:
    (tmp_path / "kites.bib").write_text("@book{a, title = {Kites}}\n@book{b, year = 1999}\n@book{c, year = 2000}")
    (tmp_path / "lines.bib").write_text("@book{a, title = {Lines}}\n@book{b, year = 1999}")
    summary = import_paths(library, [tmp_path / "kites.bib", tmp_path / "lines.bib"])
    assert (summary.files, summary.documents, summary.failures) == (2, 2, ())
    assert [Path(note.name).name for note in summary.notes] == ["kites.bib", "lines.bib"]
    assert summary.told() == [
        "2 entries of kites.bib without title and abstract were left out: the entry of line 2, the entry of line 3.",
        "1 entry of lines.bib without title and abstract was left out: the entry of line 2.",
    ]
    assert [file.notes for file in library.files()] == [(told,) for told in summary.told()]


def test_what_was_left_out_of_a_file_goes_with_it(library: Library, tmp_path: Path) -> None:
    (tmp_path / "kites.bib").write_text(
        "@book{a, title = {Kites}}\n@book{b, title = {Lines}\n@book{c, title = {Tails}}"
    )
    import_paths(library, [tmp_path / "kites.bib"])
    (file,) = library.files()
    (note,) = file.notes
    assert "Expected the entry of line 2 of kites.bib to close" in note
    import_paths(library, [tmp_path / "kites.bib"])  # held already
    assert library.files() == [file]
    library.remove_file(file.key)
    assert library.files() == []


def test_what_a_reader_warns_of_is_noted_once_for_all_its_files(library: Library, tmp_path: Path) -> None:
    for number in range(5):
        (tmp_path / f"{number}.tex").write_text(
            f"\\documentclass{{article}}\\begin{{document}}Kite {number}.\\end{{document}}"
        )
    summary = import_paths(library, [tmp_path / f"{number}.tex" for number in range(5)])
    assert len(summary.notes) == 10
    assert summary.told()[0] == "0.tex, 1.tex, 2.tex and 2 more: No title was found: the source has no \\title."


def test_documents_are_counted_beside_the_files(library: Library, files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "Meter", partial(Meter, interval_seconds=0.0))
    told: list[Progress] = []
    import_paths(library, [files], report=told.append)
    counted = [(one.done, one.note) for one in told if one.stage == "import files"]
    assert (0, "1 document") in counted and (3, "4 documents, 1 failed") in counted
    assert counted[-1] == (4, "6 documents, 1 failed")


def test_a_folder_is_imported_file_by_file(library: Library, files: Path) -> None:
    told: list[Progress] = []
    summary = import_paths(library, [files], report=told.append)
    assert (summary.files, summary.documents, summary.folded, summary.skipped) == (2, 6, 0, 1)
    assert [Path(failure.name).name for failure in summary.failures] == ["empty.txt"]
    assert summary.failures == tuple(library.failures())
    assert (told[-1].done, told[-1].total) == (4, 4)
    assert library.counts().documents == 6


def test_the_documents_of_a_long_file_are_counted(
    library: Library, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "_SECONDS_QUIET", 0.0)
    told: list[Progress] = []
    import_paths(library, [files / "papers.jsonl"], report=told.append)
    assert {one.done for one in told if one.stage == "read papers.jsonl"} == {0, 1, 2, 3, 4, 5}


def test_a_cancelled_file_leaves_nothing_and_those_before_it_stay(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "_SECONDS_QUIET", 0.0)
    (tmp_path / "a.jsonl").write_text('{"title": "Kites"}\n')
    (tmp_path / "b.jsonl").write_text("".join(f'{{"title": "Line {n}"}}\n' for n in range(9)))

    def report(progress: Progress) -> None:
        if progress.stage == "read b.jsonl" and progress.done == 5:
            raise CancelledError("Stopped.")

    with pytest.raises(CancelledError, match="Stopped"):
        import_paths(library, [tmp_path / "a.jsonl", tmp_path / "b.jsonl"], report=report)
    assert len(library) == 1


def test_files_whose_names_are_no_text_come_in(library: Library, tmp_path: Path) -> None:
    folder = tmp_path / "names"
    folder.mkdir()
    for name, content in ((b"\xff\xfe kites.txt", b"Kites fly in the wind."), (b"\xff\n.txt", b"")):
        (folder / os.fsdecode(name)).write_bytes(content)
    summary = import_paths(library, [folder])
    assert (summary.documents, len(summary.failures)) == (1, 1)
    assert library.files()[0].name.endswith("?? kites.txt")
    assert library.failures() == list(summary.failures)
    assert str(summary.failures[0]).isprintable()


def test_what_is_no_file_is_a_failure_with_its_reason(library: Library, files: Path) -> None:
    os.mkfifo(files / "pipe.txt")
    (files / "round.txt").symlink_to(files / "round.txt")
    summary = import_paths(library, [files])
    assert summary.documents == 6
    assert [Path(failure.name).name for failure in summary.failures] == ["pipe.txt", "round.txt", "empty.txt"]
    assert "found a pipe, a socket or a device" in summary.failures[0].reason
    assert sorted(library.failures(), key=str) == sorted(summary.failures, key=str)
    assert import_paths(library, [files / "pipe.txt"]).failures[0].reason == summary.failures[0].reason


def test_a_file_that_is_closed_to_us_is_a_failure_with_its_reason(
    library: Library, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> str:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    monkeypatch.setattr("engine.core.files.sha256_file", refuse)
    (failure,) = import_paths(library, [files / "papers.jsonl"]).failures
    assert failure.reason.startswith("Expected a readable file; [Errno 13] Permission denied")


def test_running_again_adds_nothing(library: Library, files: Path) -> None:
    import_paths(library, [files])
    again = import_paths(library, [files, files / "papers.jsonl"])
    assert (again.files, again.documents, again.skipped, len(again.failures)) == (0, 0, 4, 1)
    (files / "empty.txt").write_text("No longer empty. It speaks of kites.")
    assert import_paths(library, [files]).documents == 1
    assert library.failures() == []


def test_a_file_that_is_held_under_another_name_is_no_failure_any_more(library: Library, tmp_path: Path) -> None:
    file = tmp_path / "kites.txt"
    file.write_text("")
    assert import_paths(library, [file]).failures
    whole = tmp_path / "whole.txt"
    whole.write_text("Kites and their tails. A kite flies by its tail.")
    assert import_paths(library, [whole]).documents == 1
    file.write_bytes(whole.read_bytes())
    assert import_paths(library, [file]).skipped == 1
    assert library.failures() == []


def test_a_broken_line_is_left_out_and_told(library: Library, files: Path) -> None:
    with (files / "papers.jsonl").open("a") as file:
        file.write("{broken\n")
    summary = import_paths(library, [files / "papers.jsonl"])
    assert summary.documents == len(library) > 0 and not summary.failures
    assert summary.notes[0].text.startswith("An entry was left out. Expected JSON in row ")


def test_a_document_beyond_the_limits_is_left_out_and_told(library: Library, files: Path) -> None:
    with (files / "papers.jsonl").open("a") as file:
        file.write(json.dumps({"title": "A book of kites", "sections": ["Kites fly."] * 6_000}) + "\n")
    summary = import_paths(library, [files / "papers.jsonl"])
    assert summary.documents == len(library) > 0 and not summary.failures
    assert summary.notes[0].text.startswith("An entry was left out. Expected at most 5,000 sections in row ")


def test_a_file_that_breaks_off_is_taken_back_whole(
    library: Library, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> Iterator[Document]:
        yield Document("a", title="Kites")
        raise TruncatedFileError("Expected more kites; the file stops before. Fetch it again.")

    monkeypatch.setattr("engine.workspace.remote_work.iter_documents", broken)
    summary = import_paths(library, [files / "papers.jsonl"])
    assert summary.documents == 0 and len(library) == 0 and len(summary.failures) == 1


def test_a_path_that_is_not_there(library: Library, tmp_path: Path) -> None:
    with pytest.raises(LibraryError, match="Expected a file or a folder at"):
        import_paths(library, [tmp_path / "nowhere"])
    with pytest.raises(LibraryError, match=r"why \.\.\.; File name too long\. Check the path"):
        import_paths(library, [Path("why " * 100)])


@pytest.fixture
def one_sample(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A sample library of one collection with two papers, whose archive is kept already."""
    lines = [json.dumps(RECORD), json.dumps(RECORD | {"id": "2", "title": "Another paper on the tails of kites"})]
    sample = keep(samples.PAPERS, tmp_path / "cache", ["\n".join(lines).encode()])
    monkeypatch.setattr(samples, "SAMPLES", (sample,))
    return tmp_path / "cache"


def test_samples_are_imported_once(library: Library, one_sample: Path) -> None:
    assert not has_samples(library)
    told: list[Progress] = []
    summary = import_samples(library, cache=one_sample, report=told.append)
    assert (summary.files, summary.documents, summary.skipped) == (1, 2, 0)
    assert told[-1].stage == "import arXiv records" and told[-1].done == 2
    assert has_samples(library)
    again = import_samples(library)
    assert (again.files, again.documents, again.skipped) == (0, 0, 1)


def test_a_copy_of_each_pdf_is_kept_and_of_nothing_else(library: Library, tmp_path: Path) -> None:
    paper = tmp_path / "a.pdf"
    paper.write_bytes(tiny_pdf())
    (tmp_path / "a.md").write_text("# %PDF-1.4\n\nA text that names the format.\n")
    summary = import_paths(library, [paper, tmp_path / "a.md"])
    assert summary.documents == 2
    key = sha256_file(paper)
    assert library.copies.keys() == [key] and library.copies.read(key) == paper.read_bytes()
    (document,) = library.get(library.documents_with(key))
    assert document.file == key and document.sections[0].boxes


def test_a_pdf_that_is_held_gets_its_copy_and_its_lines_when_it_is_imported_again(
    library: Library, tmp_path: Path
) -> None:
    """As after an import without copies, one that was ended before the copy was written, or by an earlier version."""
    paper = tmp_path / "a.pdf"
    paper.write_bytes(tiny_pdf())
    key = sha256_file(paper)
    (read,) = iter_documents(paper)
    bare = replace(read, file="", placed=(), sections=tuple(replace(one, boxes=()) for one in read.sections))
    library.add_file(key, "a.pdf", [bare])
    assert import_paths(library, [paper]).skipped == 1
    (document,) = library.get([read.id])
    assert library.copies.holds(key)
    assert (document.file, document.placed, document.sections[0].boxes) == (key, read.placed, read.sections[0].boxes)


def test_a_held_text_that_differs_from_what_is_read_now_stays_without_lines(library: Library, tmp_path: Path) -> None:
    paper = tmp_path / "a.pdf"
    paper.write_bytes(tiny_pdf())
    (read,) = iter_documents(paper)
    library.add_file(sha256_file(paper), "a.pdf", [replace(read, abstract="As it was read before.", file="")])
    import_paths(library, [paper])
    assert (library.get([read.id])[0].abstract, library.get([read.id])[0].file) == ("As it was read before.", "")


def test_a_copy_that_cannot_be_written_leaves_the_document_and_says_so(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_key: str, _path: Path) -> bool:
        raise StorageError("Expected to write the copy; the disk is full. Make room.")

    monkeypatch.setattr(library.copies, "keep", full)
    (tmp_path / "a.pdf").write_bytes(tiny_pdf())
    summary = import_paths(library, [tmp_path / "a.pdf"])
    assert (summary.documents, summary.failures) == (1, ())
    assert any("without a copy, so its pages cannot be shown. Expected to write" in note.text for note in summary.notes)


FILES = 84


@pytest.mark.parametrize("seed", [3, 4])
def test_every_file_and_every_good_document_is_accounted_for(library: Library, tmp_path: Path, seed: int) -> None:
    made = make(tmp_path / "files", FILES, seed)
    summary = import_paths(library, [tmp_path / "files"])
    found = account(made, library)
    assert (found.lost, found.missing, found.refused, found.unreasoned) == ((), (), (), ())
    assert summary.files + summary.skipped + len(summary.failures) == len(made)
    assert {one.format for one in made} >= FORMATS.keys() and len({one.fault for one in made} & FAULTS.keys()) > 5
    lines = import_text(summary, len(library)).splitlines()
    assert f"{len(summary.failures)} files failed" in lines[0]
    assert len(lines) == 1 + len(summary.failures) + len(summary.told())


def test_the_same_seed_makes_the_same_files(tmp_path: Path) -> None:
    one, other = (make(tmp_path / name, 30, 5) for name in ("one", "other"))
    for first, second in zip(one, other, strict=True):
        assert (first.path.name, first.titles) == (second.path.name, second.titles)
        assert not first.path.is_file() or first.format == "docx" or first.path.read_bytes() == second.path.read_bytes()


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_an_import_that_is_stopped_leaves_whole_files_and_goes_on_when_run_again(
    tmp_path: Path, sign: signal.Signals
) -> None:
    made = make(tmp_path / "files", FILES, 6)
    last = tmp_path / "files" / "zz last.jsonl"  # of a good length, so that it is stopped in the middle
    rows = (f'{{"id": "z{n}", "title": "Row {n} of a long table", "abstract": "Row {n}."}}\n' for n in range(100_000))
    last.write_text("".join(rows))
    command = [sys.executable, "-m", "engine.cli.main", "--verbose", "import", str(tmp_path / "files")]
    command += ["--library", str(tmp_path / "library"), "--encoder", "tfidf"]
    with subprocess.Popen(command, cwd=PROJECT, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        while "part 6" not in process.stderr.readline():
            assert process.poll() is None
        process.send_signal(sign)
        said = process.communicate()[1]
        assert process.returncode == 130, said
    assert said.splitlines()[-1] == "priorscope: interrupted; what was whole is kept."
    with Library.open(tmp_path / "library") as library:
        held = len(library.files())
        assert len(library) == sum(file.documents for file in library.files())
        assert 0 < held < len(made)
        last.unlink()
        again = import_paths(library, [tmp_path / "files"])
        found = account(made, library)
        assert again.skipped >= held and (found.lost, found.missing) == ((), ())


RATES = {".bib": 1e-6, ".pdf": 4e-6, ".csv": 5e-7}
"""Seconds a byte."""


class _Clock:
    """Seconds as a test says them."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def sparse_files(folder: Path, sizes: Iterable[tuple[str, int]]) -> list[Path]:
    """Files of these names and sizes, sparse."""
    made = []
    for name, size in sizes:
        with (folder / name).open("wb") as file:
            file.truncate(size)
        made.append(folder / name)
    return made


def estimates(paths: list[Path], steps: int = 20) -> list[tuple[float, float]]:
    """Each estimate with the truth, where files take as long as their kind does; tables tell how far they are."""
    clock = _Clock()
    pace = Pace(paths, clock)
    total = sum(path.stat().st_size * RATES[path.suffix] for path in paths)
    found = []
    for path in paths:
        pace.begin(path)
        whole = path.stat().st_size * RATES[path.suffix]
        for step in range(1, steps + 1):
            clock.now += whole / steps
            if path.suffix != ".pdf":
                pace.within(step / steps)
            if step < steps and (left := pace.seconds_left()) is not None:
                found.append((left, total - clock.now))
        pace.end(known=False)
        if (left := pace.seconds_left()) is not None:
            found.append((left, total - clock.now))
    return found


@pytest.mark.parametrize(
    "sizes",
    [
        [("large.bib", 60_000_000), *((f"{n}.bib", 20_000) for n in range(300))],
        [*((f"{n}.bib", 20_000) for n in range(300)), ("large.bib", 60_000_000)],
        [*((f"{n}.pdf", 300_000 + 10_000 * (n % 7)) for n in range(60)), ("large.csv", 90_000_000)],
        [("large.csv", 90_000_000), *((f"{n}.pdf", 300_000 + 10_000 * (n % 7)) for n in range(60))],
        [("one.bib", 90_000_000)],
        [*((f"{n}.pdf", 500_000) for n in range(40))],
    ],
)
def test_an_estimate_is_within_a_third_of_the_truth(tmp_path: Path, sizes: list[tuple[str, int]]) -> None:
    found = estimates(sparse_files(tmp_path, sizes))
    assert len(found) > 10
    wrong = [one for one in found if one[1] > 1 and not 0.67 * one[1] <= one[0] <= 1.34 * one[1]]
    assert wrong == []


def test_nothing_is_said_while_the_largest_may_still_come(tmp_path: Path) -> None:
    sizes = [*((f"{n}.bib", 2_000_000) for n in range(10)), ("book.pdf", 60_000_000)]
    clock = _Clock()
    paths = sparse_files(tmp_path, sizes)
    pace = Pace(paths, clock)
    for path in paths[:-1]:
        pace.begin(path)
        clock.now += 2.0
        pace.end(known=False)
        assert pace.seconds_left() is None


def test_files_that_were_held_already_say_nothing_of_others(tmp_path: Path) -> None:
    clock = _Clock()
    paths = sparse_files(tmp_path, [(f"{n}.pdf", 500_000) for n in range(20)])
    pace = Pace(paths, clock)
    for number, path in enumerate(paths[:16]):
        pace.begin(path)
        clock.now += 2.0 if number % 2 else 0.0
        pace.end(known=number % 2 == 0)
    assert pace.seconds_left() == pytest.approx(8.0)
    for path in paths[16:]:
        pace.begin(path)
        clock.now += 2.0
        pace.end(known=False)
    assert pace.seconds_left() == 0.0


def test_a_file_that_is_gone_has_no_size(tmp_path: Path) -> None:
    assert Pace([tmp_path / "gone.pdf"]).seconds_left() is None


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Sequence[Mark]]:
    """The marks of the pages that the other process was asked for."""
    asked: list[Sequence[Mark]] = []
    draw = worker.draw_page

    def noting(data: bytes, name: str, page: int, *, scale: float, marks: Sequence[Mark]) -> PagePicture:
        asked.append(marks)
        return draw(data, name, page, scale=scale, marks=marks)

    monkeypatch.setattr(worker, "draw_page", noting)
    return asked


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    """A library that holds the PDF."""
    (tmp_path / "a.pdf").write_bytes(DATA)
    with Workspace(tmp_path / "library", create=True) as opened:
        from engine.workspace.importing import import_paths

        import_paths(opened.library, [tmp_path / "a.pdf"])
        yield opened


def test_a_passage_has_the_lines_that_it_stands_on() -> None:
    passage = found_in(DOCUMENT, "salt water and sand. A seal keeps both away from the gear,")
    assert passage is not None and passage.section == "Introduction" and passage.page == 1
    lines = lines_of(DOCUMENT, passage)
    assert [line.page for line in lines] == [1, 1]
    assert lines[0].top > lines[1].top
    assert lines_of(Document("d"), passage) == []


@pytest.mark.parametrize("words", ["", "  ", "words that stand nowhere"])
def test_words_that_a_document_does_not_hold_are_no_passage(words: str) -> None:
    assert found_in(DOCUMENT, words) is None


def test_a_page_is_drawn_once(drawn: list[Sequence[Mark]]) -> None:
    reader = PageReader(lambda: None)
    mark = LineBox(0, 1, 72, 700, 300, 712)
    first = reader.picture(FILE, 1, [mark, mark._replace(page=2)])
    assert reader.picture(FILE, 1, [mark]) is first
    reader.picture(FILE, 1)
    reader.picture(FILE, 1, scale=1.0)
    assert [len(one) for one in drawn] == [1, 0, 0]


def test_pictures_are_kept_up_to_a_size_and_the_one_used_longest_ago_goes_first(
    drawn: list[Sequence[Mark]], monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = PageReader(lambda: None)
    size = len(reader.picture(FILE, 1).png)
    monkeypatch.setattr(pages, "_KEPT_BYTES", int(2.5 * size))
    reader.picture(FILE, 1, scale=2.001)
    reader.picture(FILE, 1)  # used again
    reader.picture(FILE, 1, scale=2.002)
    reader.picture(FILE, 1)
    assert len(drawn) == 3
    reader.picture(FILE, 1, scale=2.001)
    assert len(drawn) == 4


def test_a_page_that_cannot_be_drawn_is_an_error_and_is_not_kept() -> None:
    reader = PageReader(lambda: None)
    with pytest.raises(InputError, match="Expected a page from 1 to 1"):
        reader.picture(FILE, 2)
    assert reader.picture(FILE, 1).pages == 1


def test_the_librarys_copy_is_shown_until_it_is_gone(workspace: Workspace) -> None:
    (held,) = workspace.library.get([DOCUMENT.id])
    file = workspace.pages.file_of(held)
    assert file is not None and workspace.pages.picture(file, 1).width == 595
    workspace.library.copies.drop([held.file])
    assert workspace.pages.file_of(held) is None
    with pytest.raises(StorageError, match="missing or damaged"):
        workspace.pages.picture(file, 1, scale=1.0)


def test_a_document_of_an_earlier_import_is_shown_by_the_one_file_that_it_came_with(workspace: Workspace) -> None:
    older = replace(DOCUMENT, file="")
    file = workspace.pages.file_of(older)
    assert file is not None and file.key == DOCUMENT.file
    assert workspace.pages.file_of(Document("unknown")) is None
    assert PageReader(lambda: None).file_of(DOCUMENT) is None


def test_an_import_says_what_had_been_removed_and_came_back() -> None:
    summary = ImportSummary(1, 4, 0, 0, returned=("p1", "p2", "p3", "p4"))
    assert summary.sentence.splitlines() == [
        "Import finished: 4 new documents.",
        "4 documents of these had been removed and came back: p1, p2, p3 and 1 more.",
    ]
