"""What readings of all formats keep to: warnings, limits, and names of parts in every language that readers know."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.core.errors import CancelledError, InputTooLargeError, MalformedFileError
from engine.core.progress import Progress
from engine.documents import Document, Section
from engine.reading import dispatch, heading_names, limits
from engine.reading import heading_names as names
from engine.reading.base import (
    BodyPart,
    Omissions,
    cut,
    left_out_about_authors,
    left_out_of_text,
    with_notes,
    worded,
)
from engine.reading.dispatch import iter_documents, read_bytes
from engine.reading.formats import NAMED
from engine.reading.limits import LIMITS, Budget, Limits, record_too_large
from tests.reading import texts
from tests.reading.pdf import papers

WRITTEN = {
    "uspto-grant": texts.GRANT.encode(),
    "uspto-application": texts.APPLICATION.encode(),
    "greenbook": texts.GREENBOOK.encode(),
    "jats": texts.JATS.encode(),
    "tei": texts.TEI.encode(),
    "text": texts.PASTED.encode(),
    "pdf": papers.one_column().data(),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_a_reading_says_its_format_by_the_name_that_detection_gave_it(name: str) -> None:
    reading = read_bytes(WRITTEN[name], "upload")
    assert reading.format == name
    assert name in NAMED
    assert (reading.pages is not None) == (name == "pdf"), "only a PDF has pages"


@pytest.mark.parametrize("name", WRITTEN)
def test_a_warning_is_a_sentence(name: str) -> None:
    for warning in read_bytes(WRITTEN[name], "upload").warnings:
        assert re.fullmatch(r"[A-Z].*[.]", warning, re.DOTALL)


def test_parts_without_a_title_have_the_same_names_in_every_format() -> None:
    references = "<ref-list><ref><mixed-citation>Watt, Steam.</mixed-citation></ref></ref-list>"
    jats = f"<article><body><p>Steam rises.</p></body><back>{references}</back></article>"
    references = "<div><biblStruct><note type='raw_reference'>Watt, Steam.</note></biblStruct></div>"
    tei = (
        "<TEI xmlns='http://www.tei-c.org/ns/1.0'><text><body><div><p>Steam rises.</p></div></body>"
        f"<back>{references}</back></text></TEI>"
    )
    for written in (jats, tei):
        sections = read_bytes(written.encode(), "a.xml").document.sections
        assert [section.title for section in sections] == ["Text", "References"]
        assert sections[1].role == "references"
    patent = read_bytes(texts.GRANT.encode(), "a.xml").document
    assert patent.sections[0].title == "Description"


def test_a_body_is_cut_at_its_groups_and_headings() -> None:
    parts: list[BodyPart] = [
        ("text", "a"),
        ("text", ""),
        ("group", "Summary"),
        ("text", "b"),
        ("heading", "Lids"),
        ("heading", "Spouts"),
        ("text", "c"),
        ("group", "Drawings"),
    ]
    assert list(cut(parts, "Description")) == [
        Section("Description", "a"),
        Section("Summary", "b"),
        Section("Lids", ""),
        Section("Spouts", "c"),
    ]
    assert list(cut([], "Description")) == []


def broken() -> Iterator[Document]:
    yield Document("a")
    raise MalformedFileError("Expected a title in line 3, found none. Write one.")


def test_an_entry_that_fails_is_left_out_and_told_with_its_reason() -> None:
    told: list[str] = []
    omissions = Omissions(told.append)
    assert omissions.documents([Document("b")], "line 1") == [Document("b")]
    assert omissions.documents(broken(), "line 2") == [Document("a")]
    omissions.finish()
    assert told == ["An entry was left out. Expected a title in line 3, found none. Write one."]


def test_a_file_without_any_entry_that_can_be_read_is_refused_with_the_first_reason() -> None:
    omissions = Omissions(lambda _: None)
    omissions.entry(MalformedFileError("The first."))
    omissions.entry(MalformedFileError("The second."))
    with pytest.raises(MalformedFileError, match=r"The first\."):
        omissions.finish()


def test_a_value_that_is_left_out_is_told() -> None:
    told: list[str] = []
    Omissions(told.append).value(MalformedFileError("Expected a year."))
    assert told == ["A value was left out. Expected a year."]


SECTIONS = [{"title": f"Part {number}", "text": "Tea."} for number in range(40)]
ARTICLE = (
    "<article><front><article-meta><title-group><article-title>{0}</article-title></title-group></article-meta>"
    "</front><body>{1}</body></article>"
)
PARTS = "".join(f"<sec><title>Part {number}</title><p>Tea.</p></sec>" for number in range(40))
PATENT = (
    "<us-patent-grant><us-bibliographic-data-grant><publication-reference><document-id><country>US</country>"
    "<doc-number>{0}</doc-number><kind>B2</kind></document-id></publication-reference><invention-title>{0}"
    "</invention-title></us-bibliographic-data-grant><description>{1}</description></us-patent-grant>\n"
)
EUROPEAN = (
    '<patent-document country="EP" doc-number="{0}" kind="A1"><bibliographic-data><technical-data>'
    '<invention-title lang="EN">{0}</invention-title></technical-data></bibliographic-data>'
    '<description lang="EN">{1}</description></patent-document>\n'
)
HEADED = "".join(f"<heading>Part {number}</heading><p>Tea.</p>" for number in range(40))
LONG = "tea " * 600
TEXT = {"1": "Tea.", "2": LONG, "3": "Tea.", "4": "Tea."}


def table(form: str) -> str:
    """Four works as rows of a table; the second has too many sections, or a text that is too long."""
    many = {"2": {"sections": SECTIONS}}
    rows = [{"title": number, "abstract": "Tea.", **many.get(number, {})} for number in TEXT]
    if form == "csv":
        cells = (f'"{json.dumps(one.get("sections", [])).replace(chr(34), 2 * chr(34))}"' for one in rows)
        return "title,sections\n" + "".join(f"{row['title']},{cell}\n" for row, cell in zip(rows, cells, strict=True))
    if form == "answer":
        return json.dumps({"total": 4, "results": rows})
    return json.dumps(rows) if form == "list" else "\n".join(map(json.dumps, rows))


def _set(root: str, member: str, parts: str) -> str:
    return f"<{root}>{''.join(member.format(n, parts if n == '2' else '') for n in TEXT)}</{root}>"


FAMILIES = {
    "a.csv": table("csv"),
    "a.jsonl": table("lines"),
    "list.json": table("list"),
    "answer.json": table("answer"),
    "a.ris": "".join(f"TY  - JOUR\nTI  - {n}\nAB  - {text}\nER  - \n\n" for n, text in TEXT.items()),
    "a.nbib": "".join(f"PMID- {n}\nTI  - {n}\nAB  - {text}\n\n" for n, text in TEXT.items()),
    "a.enw": "".join(f"%0 Journal Article\n%T {n}\n%X {text}\n\n" for n, text in TEXT.items()),
    "a.ciw": "FN X\nVR 1.0\n" + "".join(f"PT J\nTI {n}\nAB {text}\nER\n\n" for n, text in TEXT.items()) + "EF\n",
    "rw.txt": "".join(
        f"RT Journal Article\nSR Electronic\nID {n}\nA1 Osei, M.\nT1 {n}\nAB {text}\n\n" for n, text in TEXT.items()
    ),
    "a.bib": "".join(f"@article{{k{n}, title={{{n}}},\n abstract={{{text}}}}}\n" for n, text in TEXT.items()),
    "pubmed.txt": "".join(
        f"{n}. Tea. 2020 Jan;1(1):1.\n\n{n}.\n\nOsei M, Lund P.\n\n{text}\n\nPMID: {n}\n\n\n"
        for n, text in TEXT.items()
    ),
    "green.txt": "".join(
        f"PATN\nWKU  03999999{n}\nTTL  {n}\nISD  19761228\nABST\nPAL  {text}\n" for n, text in TEXT.items()
    ),
    "pmc.xml": _set("pmc-articleset", ARTICLE, PARTS),
    "uspto.xml": "".join('<?xml version="1.0"?>\n' + PATENT.format(n, HEADED if n == "2" else "") for n in TEXT),
    "st36.xml": _set("patent-documents", EUROPEAN, HEADED),
    "a.atom": "<feed>"
    + "".join(
        f"<entry><id>http://arxiv.org/abs/2101.0000{n}</id><title>{n}</title><summary>{text}</summary></entry>"
        for n, text in TEXT.items()
    )
    + "</feed>",
}
"""Four works of each family of files; the second is beyond the limits."""


@pytest.mark.parametrize("name", FAMILIES)
def test_a_document_beyond_the_limits_costs_no_other(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(FAMILIES[name])
    told: list[str] = []
    limits = Limits(max_sections=5, max_characters=2_000)
    found = [one.title.rstrip(".") for one in iter_documents(tmp_path / name, limits, warn=told.append)]
    assert found == ["1", "3", "4"]
    [said] = told
    assert re.match(
        r"An entry was left out\. Expected at most (5 sections|2,000 characters of text) in .*(row|line) \d", said
    )


@pytest.mark.parametrize("name", sorted(FAMILIES.keys() - {"list.json", "answer.json"}))  # a list of JSON is one record
def test_a_record_of_more_bytes_than_any_costs_no_other(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(FAMILIES[name])
    told: list[str] = []
    limits = Limits(max_record_bytes=800, max_file_bytes=800)
    found = [one.title.rstrip(".") for one in iter_documents(tmp_path / name, limits, warn=told.append)]
    assert [one for one in found if one != "2"] == ["1", "3", "4"]  # a long line costs its own value alone
    assert re.match(r"An? (entry|value) was left out\. Expected at most 0 MiB in .*(row|line) \d", told[0])


@pytest.mark.parametrize("name", ["uspto.xml", "st36.xml"])
def test_patents_without_a_number_are_told_apart_by_their_text(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(re.sub(r"<doc-number>.*?</doc-number>|doc-number=\"\d\"", "", FAMILIES[name]))
    found = list(iter_documents(tmp_path / name))
    assert [one.id[:5] for one in found] == ["text:"] * 4
    assert len({one.id for one in found}) == 4
    assert not any(one.url for one in found)


def test_control_characters_cost_no_record(tmp_path: Path) -> None:
    (tmp_path / "a.ris").write_text(FAMILIES["a.ris"].replace("AB  - Tea", "AB  - A\x02Tea\x00"))
    told: list[str] = []
    found = list(iter_documents(tmp_path / "a.ris", warn=told.append))
    assert found[0].abstract == "A Tea ."
    assert told == ["6 control characters of a.ris belong to no text, and were left out."]


@pytest.mark.parametrize(
    "bad",
    [
        '{"title": "2", "notes": ' + "[" * 40 + "]" * 40 + "}",
        '{"title": "2", "year": ' + "9" * 5_000 + "}",
        "[1]",
        "null",
        '{"title": "2", x}',
    ],
)
@pytest.mark.parametrize("form", ["list", "answer", "lines"])
@pytest.mark.parametrize("first", [True, False])
def test_a_value_that_is_no_work_costs_no_other(bad: str, form: str, first: bool, tmp_path: Path) -> None:
    good = [f'{{"title": "{number}"}}' for number in "134"]
    rows = [bad, *good] if first and bad[0] == "{" else [good[0], bad, *good[1:]]
    text = "\n".join(rows) if form == "lines" else f"[{','.join(rows)}]"
    (tmp_path / "a.json").write_text(f'{{"total": 4, "results": {text}}}' if form == "answer" else text)
    told: list[str] = []
    assert [one.title for one in iter_documents(tmp_path / "a.json", warn=told.append)] == ["1", "3", "4"]
    assert len(told) == 1


CITING = ["Lind, Lids (Oxford 1999) 12.", "Ibid., 14.", "So they say."]
LISTED = Section("References", "Ek, 1999.", "references")


def test_notes_stand_behind_the_text() -> None:
    document = Document("a", sections=(Section("Tea", "Hot."), LISTED))
    assert with_notes(document, []) == document
    assert [one.title for one in with_notes(document, ["Not all."]).sections] == ["Tea", "Notes", "References"]


def test_notes_that_cite_are_a_reference_list_where_there_is_no_other() -> None:
    cited = with_notes(Document("a", sections=(Section("Tea", "Hot."),)), CITING)
    assert [one.role for one in cited.sections] == ["body", "references"]
    beside = with_notes(Document("a", sections=(Section("Tea", "Hot."), LISTED)), CITING)
    assert [one.role for one in beside.sections] == ["body", "body", "references"]


def test_notes_of_a_few_words_and_of_publishers_are_left_out() -> None:
    long = "This note says more about kettles than the text does."
    assert list(worded([f"{long}\n", long, "See https://a.example/b.", "*", ""])) == [long]
    assert list(worded(["Publisher's Note The publisher takes no side in any question of borders."])) == []
    assert list(worded(["水壶在海上慢慢漂移。"])) == ["水壶在海上慢慢漂移。"]


def test_what_is_left_out_is_counted() -> None:
    assert list(left_out_of_text({"table": 0})) == []
    assert list(left_out_of_text({"table": 2, "program": 1, "to-do note": 3}, "a.tex")) == [
        "Left out of the text of a.tex: 2 tables, 1 program and 3 to-do notes. Captions are read."
    ]
    assert list(left_out_of_text({"program": 1})) == ["Left out of the text: 1 program."]


def test_lines_about_authors_that_are_left_out_are_said_by_the_first() -> None:
    said = left_out_about_authors(["Ada Lind", "x" * 70, "Town", "Never said"])
    assert said == f"Lines about authors were left out of the text: Ada Lind; {'x' * 60}; Town."


def test_a_record_that_is_too_large_is_named() -> None:
    said = str(record_too_large("the record of line 7 of a.ris", 2 << 20))
    assert said == (
        "Expected at most 2 MiB in the record of line 7 of a.ris; it is larger. Take it out, or cut it into "
        "smaller ones."
    )


def test_a_limit_of_nothing() -> None:
    with pytest.raises(ValueError, match=r"max_pages must be at least 1, got 0"):
        Limits(max_pages=0)


def test_limits_stand_in_one_place() -> None:
    assert dispatch.LIMITS is LIMITS
    assert LIMITS.max_file_bytes == 64 << 20


class Clock:
    """A clock that a test turns on by hand."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now, self.works = 100.0, True
        monkeypatch.setattr(limits.time, "monotonic", lambda: self.now)
        monkeypatch.setattr(limits.time, "process_time", lambda: self.now if self.works else 0.0)


def test_a_document_spends_from_one_budget_whatever_reads_it() -> None:
    budget = Budget.of_file(Limits(max_elements=10), "a.docx")
    assert Budget.within(budget, "word/document.xml of a.docx") is budget
    budget.spend("elements", 6)
    Budget.within(budget, "word/notes.xml of a.docx").spend("elements", 4)
    with pytest.raises(InputTooLargeError, match=r"Expected at most 10 elements in a\.docx, found 11\. Split it, or"):
        budget.spend("elements")


def test_a_reader_that_is_called_alone_opens_its_own_budget() -> None:
    plain = Limits(max_elements=10)
    Budget.within(plain, "a.xml").spend("elements", 10)
    Budget.within(plain, "b.xml").spend("elements", 10)


def test_what_is_unpacked_is_told_in_mebibytes() -> None:
    said = r"Expected at most 2 MiB once unpacked in a\.docx, it holds more\. Split it, or paste a part\."
    with pytest.raises(InputTooLargeError, match=said):
        Budget.of_file(Limits(max_decoded_bytes=2 << 20), "a.docx").spend("decoded bytes", 3 << 20)


def test_each_record_has_the_whole_budget() -> None:
    budget = Budget.of_file(Limits(max_elements=10), "week.xml")
    for _ in range(3):
        budget.spend("elements", 10)
        budget.renew()
    budget.spend("elements", 10)
    budget.forget_entry()
    budget.spend("elements", 10)


def test_a_file_ends_that_delivers_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    budget = Budget.of_file(Limits(max_seconds=12), "a.xml")
    clock.now += 11
    budget.forget_entry()  # an entry left out does not count as delivered
    clock.now += 2
    said = r"Expected a page or a document from a\.xml within 12 seconds; it takes longer than a paper or a patent does"
    with pytest.raises(InputTooLargeError, match=said):
        budget.spend("elements")
    with pytest.raises(InputTooLargeError, match=said):
        budget.forget_entry()
    with pytest.raises(InputTooLargeError, match=said):
        budget.delivered()


def test_the_time_of_a_busy_machine_is_not_the_file_s(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    clock.works = False  # this process waits for its turn
    budget = Budget.of_file(Limits(max_seconds=12), "a.xml")
    clock.now += 100
    budget.check()
    clock.now += 30  # but what waits for ever ends
    with pytest.raises(InputTooLargeError, match=r"a\.xml within 12 seconds"):
        budget.check()


def test_another_process_has_a_clock_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    budget = Budget.of_file(Limits(max_seconds=12), "a.pdf")
    with budget.by(lambda: 0.0):
        clock.now += 100
        budget.check()
    clock.now += 11
    budget.check()
    clock.now += 2
    with pytest.raises(InputTooLargeError, match=r"a\.pdf within 12 seconds"):
        budget.check()


def test_a_file_goes_on_while_it_delivers(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    budget = Budget.of_file(Limits(max_seconds=12), "a.pdf")
    for _ in range(1_000):
        clock.now += 0.24
        budget.delivered()
    for _ in range(3):  # recognised pages take long
        clock.now += 11
        budget.delivered(free_seconds=10.9)
    clock.now += 11  # of which all but a quarter is spent
    budget.renew()
    clock.now += 60  # while the library writes
    budget.resume()
    clock.now += 2
    with pytest.raises(InputTooLargeError, match=r"a\.pdf within 12 seconds"):
        budget.check()


def test_each_step_of_work_on_a_page_has_free_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    budget = Budget.of_file(Limits(max_seconds=12), "a.pdf")
    seconds = [0.24] * 1_000 + [14.0, 0.0]
    worked = []
    with pytest.raises(InputTooLargeError, match=r"a\.pdf within 12 seconds"):
        for one in budget.passing(seconds):
            clock.now += one
            worked.append(one)
    assert worked == seconds[:-1]


def test_cancel_works_while_the_budget_is_spent(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    heard: list[int] = []

    def report(progress: Progress) -> None:
        heard.append(progress.done)
        if clock.now > 103:
            raise CancelledError("Stopped.")

    monkeypatch.setattr("engine.core.progress.time.monotonic", lambda: clock.now)
    budget = Budget.of_file(Limits(), "a.pdf", report)
    budget.check()
    clock.now += 2
    budget.delivered(7)
    assert heard == [7]
    clock.now += 2
    with pytest.raises(CancelledError, match="Stopped"):
        budget.spend("elements")


@pytest.mark.parametrize(
    ("pattern", "heading"),
    [
        (names.KNOWN, "Materials and Methods"),
        (names.KNOWN, "CONCLUSIONS AND FUTURE WORK"),
        (names.KNOWN, "Einleitung:"),
        (names.CONTENTS, "List of Figures"),
        (names.CONTENTS, "Inhaltsverzeichnis"),
        (names.CONTENTS, "目 录"),
        (names.CLAIMS, "Patentansprüche"),
        (names.CLAIMS, "Revendications"),
        (names.CLAIMS, "权利要求书"),
        (names.CLAIMS, "【特許請求の範囲】"),
        *((names.ABSTRACT, one) for one in ("Abstract \N{EM DASH}", "Zusammenfassung.", "RÉSUMÉ", "RESUME", "Abrégé")),
        *((names.ABSTRACT, one) for one in ("Resumen", "Riassunto", "Sommario", "Resumo", "Аннотация", "Реферат")),
        *(
            (names.ABSTRACT, one)
            for one in ("摘要", "摘　要", "【摘要】", "中文摘要", "要旨", "概要", "抄録", "[摘要]")
        ),
        *((names.KEYWORDS, one) for one in ("Key words", "Schlüsselwörter", "Schlagworte", "Mots-clés", "Mots clefs")),
        *((names.KEYWORDS, one) for one in ("Palabras clave", "Parole chiave", "Palavras-chave", "Ключевые слова:")),
        *((names.KEYWORDS, one) for one in ("关键词", "關 鍵 詞", "キーワード")),
        *((names.OPENING, one) for one in ("Introducción", "INTRODUCCION", "Introduzione", "Introdução", "Введение")),
        *((names.OPENING, one) for one in ("引言", "引 言", "绪论", "はじめに", "序論", "緒言", "Einführung")),
        *(
            (names.REFERENCES, one)
            for one in ("Literature Cited", "Literaturverzeichnis", "Références bibliographiques")
        ),
        *((names.REFERENCES, one) for one in ("Bibliografía", "Riferimenti bibliografici", "Referências", "文献")),
        *((names.REFERENCES, one) for one in ("Список литературы", "Литература", "参考文献", "参 考 文 献")),
        *(
            (names.BODY, one)
            for one in ("Ergebnisse und Diskussion", "Matériels et méthodes", "Conclusiones", "Metodi")
        ),
        *(
            (names.BODY, one)
            for one in ("Considerações finais", "Заключение", "结论", "おわりに", "結果と考察", "致谢")
        ),
    ],
)
def test_a_heading_is_known_by_its_name(pattern: re.Pattern[str], heading: str) -> None:
    assert pattern.match(heading)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (names.KNOWN, "Methods of tide pools"),
        (names.REFERENCES, "References to pools"),
        (names.ABSTRACT, "Abstract algebra"),
        (names.ABSTRACT, "摘要的写法"),
        (names.CONTENTS, "Contents of a pool"),
        (names.KEYWORDS, "Keywords of the tide"),
    ],
)
def test_a_name_within_a_longer_line_is_none(pattern: re.Pattern[str], text: str) -> None:
    assert not pattern.match(text)


@pytest.mark.parametrize(
    "text",
    [
        "Abstract: We map reefs.",
        "Abstract. We map reefs.",
        "Abstract\N{EM DASH}We map reefs.",
        "Abstract \N{EN DASH} We map reefs.",
        "Résumé. \N{EM DASH} We map reefs.",
        "Zusammenfassung: We map reefs.",
        "摘要\N{FULLWIDTH COLON}We map reefs.",
        "摘 要 We map reefs.",
        "【摘要】We map reefs.",
        "[摘 要] We map reefs.",
        "Аннотация. We map reefs.",
    ],
)
def test_a_text_may_follow_on_the_line_of_its_heading(text: str) -> None:
    found = names.run_in_abstract(text)
    assert found is not None
    assert found.rest == "We map reefs."


@pytest.mark.parametrize("text", ["Abstract", "Abstract:", "Abstract-level maps", "Abstract algebra: a book", "摘要"])
def test_what_is_no_abstract_on_a_line(text: str) -> None:
    assert names.run_in_abstract(text) is None


def test_key_words_on_the_line_of_their_name() -> None:
    found = names.run_in_keywords("Mots-clés : récifs, cartes")
    assert found == ("Mots-clés", "récifs, cartes")
    assert names.KEYWORDS_LABEL.sub("", "关键词 礁石;地图") == "礁石;地图"
    assert names.KEYWORDS_LABEL.sub("", "Keywords reefs, maps") == "reefs, maps"
    assert names.run_in_keywords("Keywording: a task") is None


def test_a_name_that_may_end_a_paper_is_told_from_one_that_cannot() -> None:
    assert all(names.LATE.match(one) for one in ("Summary", "Zusammenfassung", "Résumé", "概要"))
    assert not any(names.LATE.match(one) for one in ("Abstract", "Kurzfassung", "摘要", "Аннотация"))


def test_a_name_tells_its_languages() -> None:
    assert names.languages_of("Einleitung") == {"de"}
    assert names.languages_of("Introduction") == {"en", "fr"}
    assert names.languages_of("参考文献") == {"zh", "ja"}
    assert names.languages_of("Of reefs") == frozenset()


@pytest.mark.parametrize("piece", ["a", " ", "摘 ", "摘要", "[", ":", "-", "key ", "список ", "\u3000"])
def test_long_runs_cost_no_more_than_their_length(piece: str) -> None:
    text = piece * (100_000 // len(piece))
    begun = time.process_time()
    for start in ("", "Abstract", "摘要", "Keywords"):
        names.run_in_abstract(start + text)
        names.run_in_keywords(start + text)
        names.KEYWORDS_LABEL.match(start + text)
        names.languages_of(start + text)
        names.KNOWN.match(start + text)
    assert time.process_time() - begun < 2


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Figure 3: Tide pools of the north", "3"),
        ("Fig. 2a | A pool", "2a"),
        ("Extended Data Table 1. Counts", "1"),
        ("Abbildung 4", "4"),
        ("TABLE A.2", "A.2"),
    ],
)
def test_a_caption_names_its_number(text: str, number: str) -> None:
    found = heading_names.CAPTION.match(text)
    assert found is not None
    assert found["number"] == number


def test_a_sentence_that_begins_with_a_figure_bears_no_mark() -> None:
    found = heading_names.CAPTION.match("Figure 3 shows the pools")
    assert found is not None
    assert found["mark"] is None
    assert heading_names.CAPTION.match("Figures of speech") is None


@pytest.mark.parametrize(
    ("pattern", "heading"),
    [
        (heading_names.APPENDIX, "Appendix B Proofs"),
        (heading_names.APPENDIX, "Anhang IV"),
        (heading_names.BACK_MATTER, "Authors' addresses"),
        (heading_names.BACK_MATTER, "Corresponding author:"),
    ],
)
def test_addresses_and_appendices_are_known_by_their_names(pattern: re.Pattern[str], heading: str) -> None:
    assert pattern.match(heading)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (heading_names.APPENDIX, "Appendix A.1.2"),
        (heading_names.BACK_MATTER, "Address of a word"),
    ],
)
def test_a_caption_within_a_longer_line_is_none(pattern: re.Pattern[str], text: str) -> None:
    assert not pattern.match(text)
