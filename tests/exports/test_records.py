"""Exports read back by the rules of their formats.

The numbers of a review's flow as rows, JSON and CSV.
"""

from __future__ import annotations

import csv
import io
import itertools
import json
import re
from dataclasses import dataclass, field

import pytest

from engine.documents import Chunk, Document
from engine.encoders import Coupling
from engine.exports.records import RECORD_FORMATS, flow_as_json, flow_csv, flow_rows, to_bibtex, to_csv, to_json, to_ris
from engine.library import Annotation, Flow, Kept, Listed, Screened
from engine.search import PassagePair, Reading
from engine.search.evidence.explain import Evidence
from engine.search.readings import OTHER_LANGUAGE

PAPER = Document(
    "doi:10.1000/xyz_1",
    title="Costs & benefits of 100% {braces} in $x_1$ \\ y",
    abstract="First line.\nSecond line;\x00 with a NUL and a TY  - tag.",
    year=2019,
    categories=("cs.LG", "stat.ML"),
    keywords=("graphs", "C#"),
    venue="Journal of Tests & Trials",
    authors=("José Álvarez", "Lind, Ada", "Research and Development Group"),
    url="https://example.org/a_b?x={1}&y=~2",
)
PREPRINT = Document("arXiv:2101.00001v2", title="Costs and graphs", authors=("Ada Lind",), year=2021)
PATENT = Document(
    "US8930553B2", kind="patent", title="Slide valve", authors=("John Smith",), year=1890, categories=("F01L1/00",)
)
BARE = Document("file:0123456789abcdef")
ALL = [PAPER, PREPRINT, PATENT, BARE]


@dataclass(frozen=True)
class Shown:
    rank: int
    document: Document
    score: float
    evidence: Evidence = field(default_factory=Evidence)
    reading: Reading = field(default_factory=lambda: Reading("closely related", 0.834, 0.6))
    cited: bool | None = None

    @property
    def record(self) -> Document:
        return self.document


RANKED = [Shown(rank, document, 1 / rank) for rank, document in enumerate(ALL, start=1)]


def read_bibtex(text: str) -> list[tuple[str, str, dict[str, str]]]:
    """A reader of the little that we write: entries of braced fields, one a line."""
    entries = []
    for kind, key, body in re.findall(r"@(\w+)\{([^,]*),\n(.*?)^\}\n", text, re.DOTALL | re.MULTILINE):
        fields = dict(re.findall(r"^  (\w+) = \{(.*)\},$", body, re.MULTILINE))
        assert len(fields) == len(body.splitlines())
        entries.append((kind, key, fields))
    return entries


def unescape(text: str) -> str:
    for written, meant in (
        ("\\textasciitilde{}", "~"),
        ("\\textasciicircum{}", "^"),
        ("\\textbackslash{}", "\0"),
        ("{\\textbraceleft}", "{"),
        ("{\\textbraceright}", "}"),
    ):
        text = text.replace(written, meant)
    return re.sub(r"\\([&%$#_])", r"\1", text).replace("\0", "\\")


def read_ris(text: str) -> list[list[tuple[str, str]]]:
    records: list[list[tuple[str, str]]] = []
    for line in text.split("\r\n"):
        if not line:
            continue
        match = re.fullmatch(r"([A-Z][A-Z0-9])  - (.*)", line)
        assert match, line
        if match.group(1) == "TY":
            records.append([])
        records[-1].append((match.group(1), match.group(2)))
    return records


def test_csv_reads_back() -> None:
    rows = list(csv.DictReader(io.StringIO(to_csv(ALL), newline="")))
    assert [row["id"] for row in rows] == [document.id for document in ALL]
    assert rows[0]["title"] == PAPER.title
    assert rows[0]["authors"] == "José Álvarez; Lind, Ada; Research and Development Group"
    assert rows[0]["abstract"] == "First line. Second line; with a NUL and a TY - tag."
    assert rows[3]["year"] == ""
    assert "rank" not in rows[0]
    assert to_csv(ALL).count("\r\n") == to_csv(ALL).count("\n") == 5


def test_ranked_results_carry_rank_and_score() -> None:
    rows = list(csv.DictReader(io.StringIO(to_csv(RANKED))))
    assert [(row["rank"], row["score"]) for row in rows][:3] == [("1", "1.0"), ("2", "0.5"), ("3", "0.3333")]
    assert [record["rank"] for record in json.loads(to_json(RANKED))] == [1, 2, 3, 4]


def test_results_carry_their_word_with_its_probability_and_both_passages() -> None:
    ours, theirs = Chunk("q", 0, "", 0, 5, "Ours."), Chunk("d", 0, "", 0, 7, "Theirs.")
    found = Shown(1, PAPER, 0.9, Evidence(passage=PassagePair(ours, theirs, 0.8)))
    other = Shown(2, PATENT, 0.8, reading=Reading(OTHER_LANGUAGE, 0.9, 0.1))
    first, second = csv.DictReader(io.StringIO(to_csv([found, other])))
    assert (first["word"], first["probability"]) == ("closely related", "0.83")
    assert (first["query_passage"], first["passage"]) == ("Ours.", "Theirs.")
    assert (second["word"], second["probability"], second["passage"]) == (OTHER_LANGUAGE, "", "")
    assert json.loads(to_json([found]))[0]["passage"] == "Theirs."


def test_results_carry_which_part_met_which() -> None:
    met = (Coupling("abstract", "title", 0.71234), Coupling("title", "abstract", -0.05))
    shown = [Shown(1, PAPER, 0.9, Evidence(couplings=met)), Shown(2, PATENT, 0.8)]
    rows = list(csv.DictReader(io.StringIO(to_csv(shown))))
    assert [row["couplings"] for row in rows] == ["abstract / title: 0.71; title / abstract: -0.05", ""]
    records = json.loads(to_json(shown))
    assert records[0]["couplings"][0] == {"query_part": "abstract", "document_part": "title", "similarity": 0.7123}
    assert records[1]["couplings"] == []
    assert "couplings" not in json.loads(to_json(ALL))[0]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t=", "\r="])
def test_a_formula_is_defused(start: str) -> None:
    attack = f'{start}HYPERLINK("http://evil.example";"click")'
    rows = list(csv.DictReader(io.StringIO(to_csv([Document("a", title=attack, authors=(attack, "B"))]))))
    assert rows[0]["title"].startswith("'")
    assert rows[0]["authors"].startswith("'")


def test_json_reads_back() -> None:
    records = json.loads(to_json(ALL))
    assert records[0]["title"] == PAPER.title
    assert records[0]["abstract"] == PAPER.abstract
    assert records[0]["authors"] == list(PAPER.authors)
    assert records[3]["year"] is None


def test_bibtex_reads_back() -> None:
    entries = read_bibtex(to_bibtex(ALL))
    assert [kind for kind, _, _ in entries] == ["article", "misc", "patent", "misc"]
    fields = entries[0][2]
    assert unescape(fields["title"].removeprefix("{").removesuffix("}")) == PAPER.title
    assert unescape(fields["journal"]) == PAPER.venue
    assert fields["year"] == "2019"
    assert fields["author"] == "José Álvarez and Lind, Ada and {Research and Development Group}"
    assert fields["doi"] == "10.1000/xyz_1"
    assert "note" not in fields
    assert "{1}" not in fields["url"]
    assert (entries[1][2]["eprint"], entries[1][2]["archiveprefix"]) == ("2101.00001", "arXiv")
    assert entries[2][2]["number"] == "US8930553B2"


@pytest.mark.parametrize("title", ["} @misc{evil, x = {", "Solving {x | x > 0", "Intervals [0, 1} and }0, 1]", "\\{"])
def test_bibtex_braces_balance_whatever_a_title_holds(title: str) -> None:
    text = to_bibtex([Document("a", title=title, authors=("} and {",), venue="{"), Document("b", title="Kites")])
    assert len(read_bibtex(text)) == 2
    depths = list(itertools.accumulate((mark == "{") - (mark == "}") for mark in text))  # a backslash escapes none
    assert min(depths) == depths[-1] == 0
    assert depths[text.index("@misc{kites")] == 0


def test_bibtex_keys_are_unique_and_plain() -> None:
    same = [Document(f"d{n}", title="Of Graphs", authors=("Ada Lind",), year=2020) for n in range(30)]
    keys = [key for _, key, _ in read_bibtex(to_bibtex([*same, *ALL]))]
    assert keys[:3] == ["lind2020graphs", "lind2020graphsb", "lind2020graphsc"]
    assert len(set(keys)) == len(keys)
    assert all(re.fullmatch(r"[a-z0-9-]+", key) for key in keys)
    assert "alvarez2019costs" in keys


def test_ris_reads_back() -> None:
    records = read_ris(to_ris(ALL))
    assert [record[0] for record in records] == [("TY", "JOUR"), ("TY", "GEN"), ("TY", "PAT"), ("TY", "GEN")]
    assert all(record[-1] == ("ER", "") for record in records)
    paper = records[0]
    assert ("TI", PAPER.title) in paper
    assert [value for tag, value in paper if tag == "AU"] == list(PAPER.authors)
    assert [value for tag, value in paper if tag == "KW"] == ["graphs", "C#", "cs.LG", "stat.ML"]
    assert ("DO", "10.1000/xyz_1") in paper
    assert ("SN", "US8930553B2") in records[2]
    assert ("AB", "First line. Second line; with a NUL and a TY - tag.") in paper


@pytest.mark.parametrize("name", RECORD_FORMATS)
def test_nothing_exports_as_nothing(name: str) -> None:
    text = RECORD_FORMATS[name]([])
    columns = "id,kind,title,authors,year,venue,categories,keywords,url,family,abstract,doi,arxiv_id,pmid,preprint"
    assert text.strip() in {"", "[]", columns}


@pytest.mark.parametrize("name", RECORD_FORMATS)
def test_documents_and_results_export_alike(name: str) -> None:
    assert PATENT.title in RECORD_FORMATS[name](ALL)
    assert PATENT.title in RECORD_FORMATS[name](RANKED)


KEPT = Kept(
    Document("p1", "paper", "Kites", "They flew.", keywords=("kite",), venue="Wind"),
    Listed(
        *("p1", "paper", "Kites", None, "Wind"),
        files=("=first.ris", "second.ris"),
        added="2026-01-02T03:04:05+00:00",
        annotation=Annotation(("@wind", "to read"), "-1 of 3\nSee figure 2.", True),
        screened=Screened("excluded", "=1+1", "2026-01-03"),
        review="=Beach",
    ),
)


def test_notes_and_decisions_are_columns_and_never_formulas() -> None:
    (row,) = csv.DictReader(io.StringIO(to_csv([KEPT])))
    own = {name: row[name] for name in ("files", "added", "tags", "note", "read", "review", "decision", "reason")}
    assert own == {
        "files": "'=first.ris; second.ris",
        "added": "2026-01-02T03:04:05+00:00",
        "tags": "'@wind; to read",
        "note": "'-1 of 3 See figure 2.",
        "read": "True",
        "review": "'=Beach",
        "decision": "excluded",
        "reason": "'=1+1",
    }
    assert "rank" not in row


def test_notes_and_decisions_reach_reference_managers() -> None:
    lines = to_ris([KEPT]).splitlines()
    assert lines[-7:-1] == [
        "KW  - @wind",
        "KW  - to read",
        "N1  - -1 of 3 See figure 2.",
        "N1  - Read",
        "N1  - Screening (=Beach): excluded: =1+1",
        "ER  - ",
    ]
    entry = to_bibtex([KEPT])
    assert "keywords = {kite, @wind, to read}" in entry and "annote = {-1 of 3 See figure 2.}" in entry


def test_what_nobody_wrote_about_is_undecided_and_adds_no_lines() -> None:
    bare = Kept(KEPT.document, Listed("p1", "paper", "Kites", None, "Wind"))
    (record,) = json.loads(to_json([bare]))
    assert (record["decision"], record["tags"], record["note"], record["read"]) == ("undecided", [], "", False)
    assert to_ris([bare]) == to_ris([KEPT.document])


def test_a_hit_says_whether_it_is_cited_where_the_format_has_a_place_for_it() -> None:
    shown = [Shown(1, PAPER, 0.9, cited=True), Shown(2, PATENT, 0.8, cited=False), Shown(3, BARE, 0.7)]
    rows = list(csv.DictReader(io.StringIO(to_csv(shown))))
    assert [row["cited"] for row in rows] == ["yes", "no", ""]
    assert [record["cited"] for record in json.loads(to_json(shown))] == [True, False, None]
    said = ["Cited by you", "Not cited", None]
    assert [fields.get("annote") for _, _, fields in read_bibtex(to_bibtex(shown))] == said
    assert [dict(record).get("N1") for record in read_ris(to_ris(shown))] == said
    assert "cited" not in to_csv(ALL).splitlines()[0] and "N1" not in to_ris(ALL)


COUNTS = {"identified": 12, "duplicates": 2, "undecided": 3, "included": 2, "excluded": 5}
FLOW = Flow(review="=Beach", **COUNTS, reasons={"@wind": 3, "": 2})


def test_the_rows_stand_in_the_order_of_the_diagram() -> None:
    assert flow_rows(FLOW) == [
        ("Records identified", 12),
        ("Duplicates removed", 2),
        ("Records to screen", 10),
        ("Records screened", 7),
        ("Records excluded", 5),
        ("Excluded: @wind", 3),
        ("Excluded: No reason given", 2),
        ("Records included", 2),
        ("Undecided", 3),
    ]


def test_json_says_the_same_and_null_where_no_reason_was_given() -> None:
    found = flow_as_json(FLOW)
    assert found["review"] == "=Beach"
    assert found["reasons"] == [{"reason": "@wind", "documents": 3}, {"reason": None, "documents": 2}]
    assert [value for value in found.values() if isinstance(value, int)] == [12, 2, 10, 7, 5, 2, 3]


def test_csv_has_a_row_for_each_number_that_names_the_review() -> None:
    (head, *rows) = csv.reader(io.StringIO(flow_csv(FLOW)))
    assert head == ["review", "counted", "documents"]
    assert [(name, int(number)) for _, name, number in rows] == flow_rows(FLOW)
    assert {review for review, _, _ in rows} == {"'=Beach"}  # no formula for a spreadsheet
