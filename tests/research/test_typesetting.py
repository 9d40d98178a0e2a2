"""Papers whose parts are known: how they are set and misprinted, and how well they are read again."""

from __future__ import annotations

import difflib
import json
import random
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from engine.core.errors import EvaluationError
from engine.documents import Document, Section
from engine.reading import read_bytes, read_text
from engine.reading.pdf.rapidocr import RapidOcr
from engine.reading.pdf.recognition import ENGINES
from engine.reading.pdf.tesseract import Tesseract
from engine.research.measures import cited, layouts, recognition
from engine.research.measures.cited import Found, as_markdown, main, near_miss, printed, web_page
from engine.research.measures.layouts import (
    OTHER_READERS,
    OtherReader,
    headings_f1,
    in_order,
    marks_of,
    recall,
    words_of,
)
from engine.research.typesetting import latex_classes, word_styles
from engine.research.typesetting.known_papers import Author, KnownPaper, KnownSection, Piece, known_papers
from engine.research.typesetting.latex_classes import CLASSES, set_by_latex
from engine.research.typesetting.misprints import (
    NOISES,
    Mistakes,
    dropped,
    misprinted,
    misread,
    mistyped,
    noisy,
    noisy_document,
)
from engine.research.typesetting.misprints import STYLES as REFERENCE_STYLES
from engine.research.typesetting.word_styles import STYLES, set_by_libreoffice
from engine.search.citations.entries import parse_entry
from engine.search.citations.matching import agreement, may_cite
from tests.reading.pdf.papers import one_column

TEXT = "\n\n".join(
    f"Pools number {place} were looked at for a whole year. " + "They are wet. " * 40 for place in range(5)
)


def document(**changes: object) -> Document:
    fields: dict[str, object] = {
        "title": "Tides in \u03b1 small pools.",
        "abstract": "We looked at pools. " * 20,
        "sections": tuple(Section(name, TEXT) for name in ("Aims", "Methods", "Results:", "Discussion")),
        **changes,
    }
    return Document(id="pmc:1", kind="paper", **fields)  # type: ignore[arg-type]


def test_a_document_is_completed_the_same_way_each_time() -> None:
    (paper,) = known_papers([document()], seed=3)
    assert [paper] == list(known_papers([document()], seed=3)) != list(known_papers([document()], seed=4))
    assert paper.name == "pmc-1" and paper.title == "Tides in small pools"
    assert [one.heading for one in paper.sections] == ["Aims", "Methods", "Results", "Discussion"]
    assert 2 <= len(paper.authors) <= 5 and all(one.place < len(paper.places) for one in paper.authors)
    assert {piece.kind for one in paper.sections for piece in one.pieces} > {"paragraph", "subheading"}
    assert paper.body.count("Pools number 4") == 4 and paper.body.startswith("We looked")
    assert not any(piece.text in paper.body for one in paper.sections for piece in one.pieces if piece.kind == "figure")


def test_a_short_text_is_no_paper() -> None:
    short = document(sections=(Section("Aims", "Few words."),) * 4)
    unnamed = document(sections=(Section("", TEXT), *document().sections))
    assert not list(known_papers([short, unnamed, document(abstract="Short."), document(title="Pools")], seed=1))


PAPER = KnownPaper(
    "one",
    "Tides in small pools",
    (Author("Ada Moor", 0, "moor@example.org"), Author("Ben Strand", 0, "strand@example.org")),
    ("Marine Station, Porto, Portugal",),
    "We looked at pools. They were small.",
    ("pools",),
    (
        KnownSection("Introduction", (Piece("paragraph", "Pools are wet."), Piece("figure", "A pool."))),
        KnownSection("Methods", (Piece("subheading", "Sites"), Piece("paragraph", "We went there twice."))),
    ),
    ("A. Moor: Pools. 1999",),
)


def laid_out(**changes: object) -> Document:
    fields: dict[str, object] = {
        "title": PAPER.title,
        "abstract": PAPER.abstract,
        "authors": ("Ada Moor", "Ben Strand"),
        "sections": (
            Section("Introduction", "Pools are wet."),
            Section("Methods", "We went there twice."),
            Section("References", "A. Moor: Pools. 1999", "references"),
        ),
        **changes,
    }
    return Document(id="x", kind="paper", **fields)  # type: ignore[arg-type]


def test_a_paper_read_right_has_full_marks() -> None:
    marks = marks_of(PAPER, laid_out())
    assert (marks.words, marks.purity, marks.title, marks.abstract, marks.headings, marks.authors) == (1,) * 6


def test_marks_tell_what_is_wrong() -> None:
    marks = marks_of(
        PAPER,
        laid_out(
            title="Tides",
            abstract="",
            authors=("Ada Moor",),
            sections=(Section("", "Pools are wet."), Section("Methods", "Sites. twice there We went")),
        ),
    )
    assert marks.title == marks.abstract == marks.authors == 0
    assert marks.words == pytest.approx(5 / 14)
    assert marks.purity == pytest.approx(5 / 8)
    assert marks.headings == pytest.approx(2 / 3)


def test_words_have_no_marks_and_no_ligatures() -> None:
    assert words_of("The \ufb01rst, na\u00efve_way: 3.5 %") == ["the", "first", "na\u00efve", "way", "3", "5"]


def test_words_in_order_are_a_longest_common_subsequence() -> None:
    draw = random.Random(1)
    for _ in range(50):
        one, other = ([draw.choice("abcd") for _ in range(draw.randint(0, 80))] for _ in range(2))
        table = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
        for i, a in enumerate(one):
            for j, b in enumerate(other):
                table[i + 1][j + 1] = table[i][j] + 1 if a == b else max(table[i][j + 1], table[i + 1][j])
        assert in_order(one, other) == table[-1][-1]
        blocks = difflib.SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks()
        assert in_order(one, other) >= sum(block.size for block in blocks)
    assert recall("we went there", "First there, then we all went there") == 1
    assert recall("", "word") == 0


def test_headings_count_as_often_as_they_stand() -> None:
    assert headings_f1(["Results", "Results"], ["RESULTS"]) == pytest.approx(2 / 3)
    assert headings_f1(["1 Aims"], ["1. Aims", ""]) == 1
    assert headings_f1(["Aims"], []) == 0


def test_words_that_a_lines_end_cuts_are_whole() -> None:
    reader = OtherReader(lambda data: data.decode(), program="no such program")
    assert reader.text(b"infor-\n mation and well-\nKnown") == "information and well-\nKnown"
    assert not reader.is_installed and not OtherReader(bytes.decode, module="no_such_module").is_installed


@pytest.mark.parametrize("name", OTHER_READERS)
def test_each_reads_a_paper(name: str) -> None:
    if not OTHER_READERS[name].is_installed:
        pytest.skip(f"{name} is not installed: only the report on layouts compares with it, and leaves it out, too")
    assert "Introduction" in OTHER_READERS[name].text(one_column().data())


def set_papers(papers: Sequence[KnownPaper], layout: str, folder: Path) -> list[Path]:
    made = folder / f"{layout}.pdf"
    made.write_bytes(one_column().data())
    return [made for _ in papers]


def test_the_command_measures_prints_and_saves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    others = {"same": OtherReader(lambda data: PAPER.body, module="json"), "absent": OtherReader(repr, module="absent")}
    monkeypatch.setattr(layouts, "OTHER_READERS", others)
    monkeypatch.setattr(layouts, "set_papers", set_papers)
    monkeypatch.setattr(layouts, "_papers", lambda folder, count: iter([PAPER] * count))
    monkeypatch.setattr(layouts.shutil, "which", lambda name: name)
    saved = tmp_path / "layouts.json"
    layouts.main(["--data", str(tmp_path), "--papers", "12", "--save", str(saved)])
    report = json.loads(saved.read_text())
    assert set(report["figures"]) == set(layouts.LAYOUTS) and report["missing"] == ["absent"]
    assert all(of["same"]["words"] == 1 and of["priorscope"]["title"] == 0 for of in report["figures"].values())
    printed = capsys.readouterr().out
    assert "2 of each layout" in printed and "left out, as they are not installed: absent" in printed
    assert printed.count("(held out)") == 2 * len(report["held out"]) == 4


def test_what_is_missing_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(EvaluationError, match=r"Expected layouts among ieee-conference, .*; got cuneiform\."):
        layouts.main(["--data", str(tmp_path), "--layouts", "cuneiform"])
    monkeypatch.setattr(layouts.shutil, "which", lambda name: None)
    with pytest.raises(EvaluationError, match=r"Expected soffice to set the papers, found none\. Install libreoffice"):
        layouts.main(["--data", str(tmp_path), "--layouts", "two-columns"])
    monkeypatch.setattr(layouts.shutil, "which", lambda name: name)
    with pytest.raises(EvaluationError, match=r"Expected corpus\.parquet in .*pmc-long, found none\. Give the folder"):
        layouts.main(["--data", str(tmp_path)])


@pytest.mark.parametrize("name", STYLES)
def test_a_file_holds_all_parts(name: str) -> None:
    document = read_bytes(STYLES[name](PAPER), "paper.docx").document
    text = " ".join([document.title, document.abstract, *(f"{one.title} {one.text}" for one in document.sections)])
    assert all(part in text for part in ("Pools are wet.", "Methods", "We went there twice.", PAPER.abstract))


def test_an_error_of_libreoffice_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failed = subprocess.CompletedProcess([], 1, b"", b"no display")
    monkeypatch.setattr(word_styles.subprocess, "run", lambda *_, **__: failed)
    with pytest.raises(EvaluationError, match=r"Expected soffice to set one\.pdf, it said: no display\. Install"):
        set_by_libreoffice([PAPER], STYLES["two-columns"], tmp_path)


@pytest.mark.parametrize("name", CLASSES)
def test_a_source_holds_all_parts(name: str) -> None:
    source = CLASSES[name](PAPER)
    document = read_text(source).document
    assert document.title == PAPER.title and PAPER.abstract in document.abstract
    assert [one.title for one in document.sections][:2] == ["Introduction", "Sites"]  # "Methods" has no text of its own
    assert all(author.name in source for author in PAPER.authors)


def test_signs_are_written_so_that_latex_prints_them() -> None:
    assert latex_classes._tex("5 % of a_b & \u201cc\u201d \u2013 <d>") == (
        r"5 \% of a\_b \& ``c'' -- \ensuremath{<}d\ensuremath{>}"
    )


def test_an_error_of_latex_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failed = subprocess.CompletedProcess([], 1, b"This is pdfTeX\n! LaTeX Error: File `llncs.cls' not found.\n", b"")
    monkeypatch.setattr(latex_classes.subprocess, "run", lambda *_, **__: failed)
    with pytest.raises(EvaluationError, match=r"Expected pdflatex to set one\.tex, it said: ! LaTeX Error: File"):
        set_by_latex([PAPER], CLASSES["lecture-notes"], tmp_path)


PRINTED = "The governor (1788) keeps an engine's speed steady, whatever the load on its shaft; a valve turns. " * 5


def changed(before: str, after: str) -> int:
    return sum(one != other for one, other in zip(before.split(), after.split(), strict=True))


def test_a_dropped_word_is_gone() -> None:
    assert dropped("boiler", random.Random(1)) == ""
    assert noisy("boiler valve", 1.0, "dropped", "s") == " "


def test_a_mistyped_word_is_one_step_away() -> None:
    kinds = set()
    for seed in range(60):
        word = mistyped("valve", random.Random(seed))
        assert word != "valve"
        assert len(word) in (4, 5)
        kinds.add((len(word), sorted(word) == sorted("valve")))
    assert kinds == {(4, False), (5, True), (5, False)}
    assert {len(mistyped("oo", random.Random(seed))) for seed in range(9)} == {1, 2}


@pytest.mark.parametrize(
    ("word", "possible"),
    [
        ("turns", {"tums", "tiirns"}),
        ("all", {"a1l", "al1"}),
        ("xem", {"xcm", "xern"}),
    ],
)
def test_a_misread_word_has_letters_that_scans_confuse(word: str, possible: set[str]) -> None:
    assert {misread(word, random.Random(seed)) for seed in range(60)} == possible


def test_a_word_that_no_scan_confuses_is_mistyped() -> None:
    assert misread("gypsy", random.Random(1)) != "gypsy"


@pytest.mark.parametrize("noise", ["mistyped", "misread"])
@pytest.mark.parametrize("share", [0.05, 0.1, 0.2, 1.0])
def test_so_many_words_are_noisy(noise: str, share: float) -> None:
    words = 15 * 200  # of two letters or more in TEXT, with "engine" but not its "s"
    deviation = (words * share * (1 - share)) ** 0.5
    assert changed(PRINTED * 40, noisy(PRINTED * 40, share, noise, "seed")) == pytest.approx(
        share * words, abs=4 * deviation
    )


def test_what_stands_between_words_stays() -> None:
    after = noisy(PRINTED, 1.0, "mistyped", "seed")
    assert after.count("(1788)") == 5
    assert after.count("'s ") == 5
    assert after.count(";") == 5


@pytest.mark.parametrize("noise", NOISES)
def test_noise_is_the_same_again_and_grows_with_the_share(noise: str) -> None:
    assert noisy(PRINTED, 0.1, noise, "seed") == noisy(PRINTED, 0.1, noise, "seed")
    assert noisy(PRINTED, 0.1, noise, "seed") != noisy(PRINTED, 0.1, noise, "other")
    assert noisy(PRINTED, 0.0, noise, "seed") == PRINTED
    assert noisy("", 0.2, noise, "seed") == ""


def test_a_larger_share_keeps_the_noise_of_a_smaller() -> None:
    words = [
        text.split()
        for text in (
            PRINTED,
            noisy(PRINTED, 0.1, "misread", "s"),
            noisy(PRINTED, 0.2, "misread", "s"),
        )
    ]
    for clean, less, more in zip(*words, strict=True):
        assert less in (clean, more)


def test_a_document_is_noisy_in_all_its_text_and_the_same_else() -> None:
    document = Document(
        id="d",
        title="A steady engine",
        abstract=PRINTED,
        sections=(Section("Use", PRINTED),),
        claims=(PRINTED,),
        year=1890,
    )
    after = noisy_document(document, 0.2, "misread")
    assert (after.id, after.year, after.sections[0].title) == ("d", 1890, "Use")
    for one, other in zip(document.parts, after.parts, strict=True):
        assert one.text != other.text
    assert after.abstract != after.sections[0].text
    assert noisy_document(document, 0.2, "misread", seed=2) != after


@pytest.mark.parametrize("share", [-0.1, 1.1])
def test_a_share_outside_its_range_is_refused(share: float) -> None:
    with pytest.raises(EvaluationError, match=f"Expected a share of words from 0 to 1, got {share}"):
        noisy(PRINTED, share, "misread", "s")


def test_an_unknown_noise_is_refused() -> None:
    with pytest.raises(EvaluationError, match="Expected a noise among dropped, mistyped, misread, got 'loud'"):
        noisy(PRINTED, 0.1, "loud", "s")


WORK = Document(
    "w",
    title="Sparse matrices: direct methods for large-scale systems",
    year=2006,
    authors=("Davis, Tim A.", "Duff, Iain"),
    venue="Journal of Numbers",
)
NONE = Mistakes(0, 0, 0, 0, 0, 0, 0)


@pytest.mark.parametrize("style", REFERENCE_STYLES)
def test_an_entry_without_mistakes_is_read_again(style: str) -> None:
    assert misprinted(WORK, NONE, random.Random(1)) == WORK
    found = parse_entry(REFERENCE_STYLES[style](WORK, random.Random(1)))
    assert (found.title, found.year) == (WORK.title, WORK.year)
    assert "Davis" in found.authors[0]


@pytest.mark.parametrize(
    ("mistakes", "changed"),
    [
        (Mistakes(1, 0, 0, 0, 0, 0, 0), "title"),
        (Mistakes(0, 1, 0, 0, 0, 0, 0), "title"),
        (Mistakes(0, 0, 0, 1, 0, 0, 0), "year"),
        (Mistakes(0, 0, 0, 0, 1, 0, 0), "title"),
        (Mistakes(0, 0, 0, 0, 0, 1, 0), "title"),
        (Mistakes(0, 0, 0, 0, 0, 0, 1), "venue"),
    ],
)
def test_each_mistake_changes_its_part(mistakes: Mistakes, changed: str) -> None:
    found = misprinted(WORK, mistakes, random.Random(2))
    parts = {name: getattr(found, name) for name in ("title", "year", "venue", "authors")}
    assert {name for name, value in parts.items() if value != getattr(WORK, name)} == {changed}


def test_of_many_authors_the_first_are_named() -> None:
    many = Document(
        "m", title="A title", year=2000, authors=tuple(f"Name{letter}, A" for letter in "abcdefg"), venue="V"
    )
    assert all(
        "et al" in style(many, random.Random(1)) and "Nameg" not in style(many, random.Random(1))
        for style in REFERENCE_STYLES.values()
    )


def test_a_page_is_read_with_its_list() -> None:
    paper = replace(PAPER, references=("Davis T. Direct <methods>. SIAM 2006.", "Duff I. Sparse matrices. 1986."))
    document = read_bytes(web_page(paper, numbered=True, columns=2).encode(), "paper.html").document
    (listed,) = (one.text for one in document.sections if one.role == "references")
    assert document.title == PAPER.title
    assert "[1] Davis T. Direct <methods>." in listed and "[2] Duff" in listed


def test_a_missing_chromium_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cited.shutil, "which", lambda _: None)
    with pytest.raises(EvaluationError, match="Expected Chromium to print papers, found none"):
        printed(["<p>"], tmp_path)


def test_an_error_of_chromium_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failed = subprocess.CompletedProcess([], 1, b"", b"no display")
    monkeypatch.setattr(cited.shutil, "which", lambda name: name)
    monkeypatch.setattr(cited.subprocess, "run", lambda *_, **__: failed)
    with pytest.raises(EvaluationError, match=r"print page-0\.html, it said: no display"):
        printed(["<p>"], tmp_path)


CITED_WORK = Document("w", title="Direct methods for sparse linear systems", year=2006, authors=("Davis, Tim",))


def test_a_near_miss_is_another_work_by_the_same_authors() -> None:
    for seed in range(20):
        miss = near_miss(CITED_WORK, random.Random(seed))
        assert miss.authors == CITED_WORK.authors and (miss.title, miss.year) != (CITED_WORK.title, CITED_WORK.year)
        entry = parse_entry("Davis T (2006). Direct methods for sparse linear systems. SIAM.")
        found = may_cite(entry, miss.title, miss.year)
        assert found is None or agreement(entry, miss, found) is None


def test_figures_are_over_all_citations() -> None:
    lines = as_markdown([Found("one", "PDF", right=3, wrong=1, missed=0), Found("two", "HTML", right=5, missed=1)])
    assert lines[0].startswith("Precision 0.889, recall 0.889 over 9 citations")
    assert any("two" in line and "HTML" in line for line in lines)


def test_real_papers_with_their_lists_are_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cited, "_drawn", lambda given, folder: ([], [Document("o", title="Another work", year=1999)]))
    papers = tmp_path / "papers"
    papers.mkdir()
    for name in ("a", "b"):
        listed = "".join(
            f"[{n}] T. Davis. {word} methods for {name} linear systems of equations. SIAM, 200{n}.\n"
            for n, word in enumerate(("Direct", "Indirect", "Iterative", "Random"), start=1)
        )
        entries = "".join(
            f"@book{{{name}{n}, title={{{word} methods for {name} linear systems of equations}}, author={{Davis, T}}, "
            f"year=200{n}}}\n"
            for n, word in enumerate(("Direct", "Indirect", "Iterative", "Random"), start=1)
        )
        (papers / f"{name}.md").write_text(f"# On {name}\n\n## Body\n\nText.\n\n## References\n\n{listed}")
        (papers / f"{name}.bib").write_text(entries)
    saved = tmp_path / "cited.json"
    main(["--data", str(tmp_path), "--papers", str(papers), "--save", str(saved)])
    report = json.loads(saved.read_text())
    assert report["figures"]["precision"] == report["figures"]["recall"] == 1.0
    assert [one["name"] for one in report["documents"]] == ["b.md"]
    assert report["circumstances"]["command"].startswith("python -m engine.research cited --data")
    assert saved.with_suffix(".md").is_file()


def test_a_missing_benchmark_is_told(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match=r"Expected corpus\.parquet in .*acm-citation"):
        main(["--data", str(tmp_path)])


WORDS = "reefs move slowly and nobody has looked at them for long enough to say how far they go in a year of calm"


@pytest.mark.parametrize("columns", [1, 2])
def test_a_page_holds_what_it_says(columns: int) -> None:
    page = recognition.drawn(" ".join([WORDS] * 200), columns=columns)
    assert page.picture.size == (2480, 3508)
    assert 400 < len(page.words) < 22 * 200  # a page of a long text
    assert page.words[:3] == ["reefs", "move", "slowly"]
    worn = recognition.worn(page)
    assert worn.words == page.words and worn.picture.size == page.picture.size
    assert worn.picture.tobytes() != page.picture.tobytes()


def test_a_drawn_page_is_read() -> None:
    page = recognition.drawn(WORDS, columns=2)
    for name, engine in ENGINES.items():
        if engine.is_installed():
            read = recognition.read_here(name, [page])
            assert recognition.right_words(page.words, recognition._tokens(read)) > 0.9


def test_words_count_in_their_order() -> None:
    assert recognition.right_words(["a", "b", "c", "d"], ["a", "x", "c", "d"]) == 0.75
    assert recognition.right_words(["a", "b"], ["b", "a"]) == 0.5
    assert recognition.right_words([], ["b"]) == 0


def test_the_command_measures_prints_and_saves_recognition(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(recognition, "_texts", lambda folder, count: iter([WORDS] * count))
    monkeypatch.setattr(
        recognition, "read_here", lambda engine, pages: " ".join(word for page in pages for word in page.words)
    )
    monkeypatch.setattr(RapidOcr, "is_installed", lambda: True)
    monkeypatch.setattr(Tesseract, "is_installed", lambda: False)
    recognition.main(["--data", str(tmp_path), "--pages", "1", "--save", str(tmp_path / "scans.json")])
    report = json.loads((tmp_path / "scans.json").read_text())
    assert set(report["figures"]) == {
        f"{how}, {many}" for how in ("clean", "skewed and noisy") for many in ("one column", "two columns")
    }
    assert all(one["priorscope, rapidocr"]["words right"] == 1 for one in report["figures"].values())
    assert "words right" in capsys.readouterr().out


def test_a_folder_without_papers_is_told(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match=r"Expected corpus\.parquet in .*pmc-long, found none\. Give the folder"):
        recognition.main(["--data", str(tmp_path)])
