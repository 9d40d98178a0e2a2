"""Libraries that earlier code wrote, kept as it wrote them: everything in them comes through, and new work goes on.

All of that code called itself version 0.1.0. `schema-1-documents` is by the first that had a library (2dddc518),
`schema-1-collections` by the first with collections (32cf5c73), `schema-4-notes` by the first with notes, tags and
screening (30f06c83). Each was given the same three documents in two files, one of them twice, and a file that failed.
"""

from __future__ import annotations

import gzip
import tomllib
from pathlib import Path

import pytest

from engine.documents import Document, Section
from engine.library import Library, inspect_database
from engine.library.filters import Filters
from tests.conftest import PROJECT

EARLIER = Path(__file__).parent / "earlier"
TURBINE = Document(
    "10.1/turbine",
    title="Blade cooling by film holes",
    abstract="Rows of film holes cool a turbine blade.",
    sections=(
        Section("Method", "We drill two rows of holes and measure the wall."),
        Section("References", "[1] Łukasiewicz, J. Films. 1951.", "references"),
    ),
    year=1998,
    categories=("physics.flu-dyn",),
    keywords=("cooling",),
    venue="Journal of Turbines",
    authors=("Łukasiewicz, Jan", "Eva Müller"),
)
POEM = Document("poem", title="Über Wärme", abstract="Eine kurze Notiz über Wärme in Räumen.", year=2003)
RELAY = Document(
    "US413A",
    "patent",
    title="Polarized relay",
    abstract="A relay with a polarized armature.",
    sections=(Section("Description", "The armature swings between two poles of a magnet."),),
    claims=("A relay with an armature.", "The relay of claim 1 with two poles."),
    year=1889,
    categories=("H01H 51/22",),
    authors=("T. Edison",),
    family="family-7",
)


def written(name: str, folder: Path) -> Path:
    """A copy of a library as it was written, in a folder of its own."""
    folder.mkdir(exist_ok=True)
    (folder / "library.sqlite3").write_bytes(gzip.decompress((EARLIER / f"{name}.sqlite3.gz").read_bytes()))
    return folder


SCHEMA_OF = {"0.1": 9, "1.0": 9}
"""The schema that a library has once a release has opened it: the same for 1.0.0 and 1.0.1. A release adds a line."""


def test_only_a_new_minor_version_raises_the_schema(tmp_path: Path) -> None:
    version = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    Library.open(tmp_path, create=True).close()
    assert SCHEMA_OF[version.rpartition(".")[0]] == inspect_database(tmp_path / "library.sqlite3").schema
    assert list(SCHEMA_OF.values()) == sorted(SCHEMA_OF.values())


@pytest.mark.parametrize("name", ["schema-1-documents", "schema-1-collections", "schema-4-notes"])
def test_documents_files_and_failures_come_through(tmp_path: Path, name: str) -> None:
    with Library.open(written(name, tmp_path)) as library:
        assert list(library.iter_documents()) == [TURBINE, POEM, RELAY]
        held = [(file.key, file.name, file.documents, file.folded) for file in library.files()]
        assert held == [("a" * 64, "turbines.jsonl", 2, 0), ("b" * 64, "relay.xml", 1, 1)]
        assert [(one.name, one.reason) for one in library.failures()] == [
            ("scan.pdf", "Expected text, found pictures.")
        ]
        assert library.by_person("Lukasiewicz") == [TURBINE.id]
        library.index_again()
        assert library.ids(Filters(lines=("warme",))) == [POEM.id]
        library.add_file("c" * 64, "more.jsonl", [Document("later", title="A later paper on films")])
        assert set(library.title_matches("films")) == {"later"}
    with Library.open(tmp_path) as again:
        assert len(again) == 4


@pytest.mark.parametrize("name", ["schema-1-collections", "schema-4-notes"])
def test_collections_and_judgements_come_through(tmp_path: Path, name: str) -> None:
    with Library.open(written(name, tmp_path)) as library:
        assert library.collections.counts() == {"Cooling": 2, "empty": 0}
        assert library.collections.ids("cooling") == [TURBINE.id, POEM.id]
        (judged,) = library.judgements.queries()
        assert (judged.query.abstract, dict(judged.grades)) == ("how are blades cooled", {TURBINE.id: 1})


def test_notes_tags_and_a_review_come_through(tmp_path: Path) -> None:
    with Library.open(written("schema-4-notes", tmp_path)) as library:
        turbine, poem, relay = library.annotations.of([TURBINE.id, POEM.id, RELAY.id])
        assert (turbine.note, turbine.tags, turbine.is_read) == ("Compare with Łukasiewicz 1951", ("To read",), False)
        assert (poem.note, poem.tags, poem.is_read) == ("", (), True)
        assert (relay.note, relay.tags, relay.is_read) == ("", ("To read",), False)
        assert library.ids(Filters(lines=("note:lukasiewicz",))) == [TURBINE.id]
        (review,) = library.reviews.counts()
        included, undecided, excluded = library.screening.in_review(review).of([TURBINE.id, POEM.id, RELAY.id])
        assert included is not None and excluded is not None and undecided is None
        assert (included.decision, excluded.decision, excluded.reason) == ("included", "excluded", "not about heat")
