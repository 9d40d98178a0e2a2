"""Fields are taken out of collections: what goes with them, who asks, and what is told."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from engine.core.progress import silent
from engine.documents import Document
from engine.encoders import registry
from engine.research.measures import out_of_library
from engine.research.measures.out_of_library import Library, collections_of, refusals, taken_out
from engine.research.nearness.asked import Collection
from engine.research.nearness.fields import OF_ONE_FIELD, Field

KITES = "The {} turns in the wind over the hill. It lifts a load of stones by ropes. Its crew lands it after an hour."
DRUGS = "Patients took {} daily in a trial. Bleeding and stroke were rare. Mortality fell in hospital within a year."


def documents(text: str, category: str, subjects: str, venue: str = "") -> list[Document]:
    return [
        Document(
            f"{category} {one}", title=f"On the {one}", abstract=text.format(one), categories=(category,), venue=venue
        )
        for one in subjects.split()
    ]


KITE_PAPERS = documents(KITES, "math.AG", "kite glider balloon sail rotor wing", "Wind '11")
DRUG_PAPERS = documents(DRUGS, "cs.CL", "aspirin heparin warfarin statin insulin codeine", "Cures")


def field(name: str, some: list[Document]) -> Field:
    return Field(name, "", some, lambda *_: OF_ONE_FIELD)


FIELDS = [
    field("arxiv-cs", DRUG_PAPERS),
    field("arxiv-exact", KITE_PAPERS),
    field("acm", [*KITE_PAPERS, *DRUG_PAPERS]),
    field("pmc", [*DRUG_PAPERS, *KITE_PAPERS]),
]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fields of three documents are large enough."""
    monkeypatch.setattr(out_of_library, "KINDS", tuple(kind._replace(least=3) for kind in out_of_library.KINDS))


@pytest.mark.usefixtures("small")
def test_a_field_goes_with_all_its_documents() -> None:
    fields = collections_of(FIELDS)
    found = taken_out("arxiv", fields["arxiv"])
    assert {kind: sorted(labels) for kind, labels in found.items()} == {
        "a category": ["cs.CL", "math.AG"],
        "an archive": ["cs", "math"],
        "an area": ["computing", "exact sciences"],
    }
    assert found["a category"]["math.AG"].tolist() == [False] * 6 + [True] * 6
    np.testing.assert_array_equal(found["an area"]["computing"], found["an archive"]["cs"])
    assert list(taken_out("acm-citation", fields["acm-citation"])["a venue"]) == ["cures", "wind"]
    assert list(taken_out("pmc-long", fields["pmc-long"])["a venue"]) == ["Cures", "Wind '11"]


def test_small_fields_stay() -> None:
    assert taken_out("pmc-long", field("pmc", DRUG_PAPERS)) == {"a venue": {}}


def test_questions_of_another_field_are_refused_and_words_are_those_that_stay() -> None:
    encoder = registry.load("student")
    library = Library(Collection(field("both", [*KITE_PAPERS, *DRUG_PAPERS]), encoder, keep=None, report=silent))
    out = np.array([True] * 6 + [False] * 6)
    vocabulary = library.without(out)
    assert vocabulary.documents == 6 and vocabulary.holds("bleeding") and not vocabulary.holds("ropes")
    found = refusals(library, {"math.AG": out}, encoder)["math.AG"]
    assert found["taken out, document"] == 1 and set(found) == {
        f"{who}, {form}" for who in ("taken out", "stays") for form in ("document", "title")
    }
    assert found["stays, document"] < 1


@pytest.mark.usefixtures("small")
def test_the_command_saves_each_field(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(out_of_library, "read_fields", lambda *_, **__: FIELDS)
    saved = tmp_path / "report.json"
    out_of_library.main(["--data", str(tmp_path), "--library", str(tmp_path), "--save", str(saved)])
    report = json.loads(saved.read_text())
    assert set(report["figures"]["arxiv, a category"]) == {"cs.CL", "math.AG"}
    assert report["documents"] == {"arxiv": 12, "acm-citation": 12, "pmc-long": 12}
    assert "| arxiv, a category | 2 |" in capsys.readouterr().out
    assert "## Each field" in saved.with_suffix(".md").read_text() and str(tmp_path) not in saved.read_text()
