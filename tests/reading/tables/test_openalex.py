"""OpenAlex's works and arXiv's records among JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.core.errors import MalformedFileError
from engine.documents import Document
from engine.reading.dispatch import iter_documents
from tests.sources.test_arxiv_records import RECORD

WORK: dict[str, Any] = {
    "id": "https://openalex.org/W42",
    "doi": "https://doi.org/10.1000/Kites.7",
    "title": "Kites in <i>gusts</i> &amp; gales",
    "display_name": "Kites in gusts",
    "publication_year": 2019,
    "primary_location": {"source": {"display_name": "Journal of Wind"}},
    "authorships": [
        {"author": {"display_name": "Ada Gale"}},
        {"author": {}, "raw_author_name": "B. Breeze"},
    ],
    "keywords": [{"id": "https://openalex.org/keywords/kite", "display_name": "Kite", "score": 0.6}],
    "topics": [
        {"display_name": "Wind energy", "subfield": {"display_name": "Aerospace Engineering"}},
        {"display_name": "Airborne wind", "subfield": {"display_name": "Aerospace Engineering"}},
        {"display_name": "Control", "subfield": {"display_name": "Control and Systems"}},
    ],
    "abstract_inverted_index": {"<jats:p>We": [0], "fly": [1, 4], "kites": [2], "and": [3], "again.</jats:p>": [5]},
}


def read(tmp_path: Path, *values: object, name: str = "works.jsonl") -> list[Document]:
    path = tmp_path / name
    path.write_text("\n".join(json.dumps(value) for value in values))
    return list(iter_documents(path))


def test_a_work_is_a_paper_with_its_abstract_in_order(tmp_path: Path) -> None:
    (paper,) = read(tmp_path, WORK)
    assert (paper.id, paper.kind, paper.year) == ("doi:10.1000/Kites.7", "paper", 2019)
    assert paper.abstract == "We fly kites and fly again."
    assert paper.title == "Kites in gusts & gales"
    assert (paper.venue, paper.url) == ("Journal of Wind", "https://doi.org/10.1000/Kites.7")
    assert paper.authors == ("Ada Gale", "B. Breeze")
    assert paper.categories == ("Aerospace Engineering", "Control and Systems")
    assert paper.keywords == ("Kite",)


@pytest.mark.parametrize("name", ["answer.json", "answer.jsonl"])
@pytest.mark.parametrize("indent", [None, 2])
def test_an_answer_of_the_api_is_a_list_of_works(tmp_path: Path, name: str, indent: int | None) -> None:
    path = tmp_path / name
    answer = {"meta": {"count": 2}, "results": [WORK, {**WORK, "doi": None}], "group_by": []}
    path.write_text(json.dumps(answer, indent=indent))
    assert [one.id for one in iter_documents(path)] == ["doi:10.1000/Kites.7", "OpenAlex:W42"]


def test_what_a_work_lacks_is_left_out(tmp_path: Path) -> None:
    bare = {"id": "https://openalex.org/W7", "display_name": "Kites", "authorships": None, "primary_location": None}
    (paper,) = read(tmp_path, bare)
    assert paper == Document("OpenAlex:W7", title="Kites", url="https://openalex.org/W7")


def test_a_preprint_is_known_by_its_number(tmp_path: Path) -> None:
    preprint = {**WORK, "doi": "https://doi.org/10.48550/arxiv.1501.00001"}
    (paper,) = read(tmp_path, preprint)
    assert paper.id == "arXiv:1501.00001"


def test_older_works_have_concepts_and_programs_write_the_abstract_out(tmp_path: Path) -> None:
    concepts = [{"display_name": "Physics", "level": 0}, {"display_name": "Kite", "level": 3}]
    older = {name: part for name, part in WORK.items() if name not in ("topics", "abstract_inverted_index")}
    (paper,) = read(tmp_path, older | {"concepts": concepts, "abstract": "We fly.", "host_venue": None})
    assert (paper.categories, paper.abstract) == (("Physics",), "We fly.")


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ({"abstract_inverted_index": ["We"]}, "words with their places in the column 'abstract_inverted_index'"),
        ({"abstract_inverted_index": {"We": ["0"]}}, "words with their places"),
        ({"authorships": "Ada"}, "a list of objects in the column 'authorships' of row 2 of works.jsonl"),
        ({"topics": ["Wind"]}, "a list of objects in the column 'topics'"),
        ({"doi": 7}, "text in the column 'doi'"),
    ],
)
def test_a_damaged_work_names_its_row_and_part(tmp_path: Path, part: dict[str, Any], said: str) -> None:
    with pytest.raises(MalformedFileError, match=said.replace("row 2", "row 1")):
        read(tmp_path, WORK | part)


def test_a_table_with_links_to_openalex_is_a_table(tmp_path: Path) -> None:
    (paper,) = read(tmp_path, {"id": "https://openalex.org/W42", "title": "Kites", "text": "We fly kites."})
    assert (paper.id, paper.sections[0].text) == ("https://openalex.org/W42", "We fly kites.")


def test_a_record_of_arxiv_is_read_as_the_sample_library_reads_it(tmp_path: Path) -> None:
    (paper,) = read(tmp_path, RECORD, name="arxiv-metadata.json")
    assert (paper.id, paper.year, paper.categories) == ("arXiv:1501.00001", 2015, ("cs.RO", "physics.flu-dyn"))
    assert paper.abstract == "We study kites in the wind.\n\nA second paragraph."
    assert (paper.authors[1], paper.venue) == ("Bo Breeze Jr", "J. Wind")


@pytest.mark.parametrize(("number", "year"), [("0704.0001", 2007), ("hep-th/9901001", 1999), ("math.GT/0309136", 2003)])
def test_a_copy_of_the_records_without_versions(tmp_path: Path, number: str, year: int) -> None:
    kept = {name: part for name, part in RECORD.items() if name not in ("versions", "authors_parsed")}
    authors = {"authors": "Ada Gale (1), Bo\n  Breeze and C. Calm ((1) Wind Lab)"}
    (paper,) = read(tmp_path, kept | authors | {"id": number, "update_date": "2020-01-01"})
    assert (paper.id, paper.year) == (f"arXiv:{number}", year)
    assert paper.authors == ("Ada Gale", "Bo Breeze", "C. Calm")


@pytest.mark.parametrize("part", [{"title": None}, {"versions": [{}]}, {"authors_parsed": [None]}])
def test_a_damaged_record_of_arxiv_names_its_row(tmp_path: Path, part: dict[str, Any]) -> None:
    with pytest.raises(MalformedFileError, match="a whole record of arXiv's in row 1 of works"):
        read(tmp_path, RECORD | part)


def test_a_table_with_arxiv_numbers_is_a_table(tmp_path: Path) -> None:
    (paper,) = read(tmp_path, {"id": "1501.00001", "title": "Kites", "categories": "kites; wind"})
    assert (paper.id, paper.categories) == ("1501.00001", ("kites", "wind"))
