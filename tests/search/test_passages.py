"""Passages: whole sentences of one section, read by a transformer of their own, and matched both ways."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from engine.documents import Chunk, Document, PageStart, Section
from engine.documents.text import Span
from engine.documents.text import sentences as sentence_spans
from engine.encoders import registry, storage
from engine.encoders.student import OF_PASSAGES, StudentSettings
from engine.search import boilerplate
from engine.search.passages import (
    WORDS,
    PassageEncoder,
    PassageMatcher,
    cut_passages,
    cutting_fingerprint,
    passage_text,
)
from engine.vectors import ReadPassages
from tests.encoders.student.tiny import tiny
from tests.search.hashed_words import DIM, opened, paper, read, sentences


def test_a_passage_is_a_stretch_of_its_section_and_ends_with_a_sentence() -> None:
    document = paper("a", body=120)
    found = cut_passages(document)
    for one in found:
        part = document.parts[one.part]
        assert part.text[one.start : one.stop] == one.text and part.title == one.section
        spans = sentence_spans(part.text)
        assert Span(one.start, one.stop).start in {span.start for span in spans}
        assert one.stop in {span.stop for span in spans}
    assert {one.section for one in found} == {"Abstract", "Method", "Results"}
    assert all(len(one.text.split()) <= 1.5 * WORDS for one in found)


def test_passages_hold_every_sentence_once() -> None:
    document = paper("a", body=150)
    said = " ".join(one.text for one in cut_passages(document))
    assert said == " ".join(part.text for part in document.parts if part.role != "title")


@pytest.mark.parametrize(
    "title",
    [
        "References",
        "6. Acknowledgments",
        "ACKNOWLEDGEMENTS",
        "Funding information",
        "Author contributions",
        "Conflict of interest",
        "Data availability statement",
        "BRIEF DESCRIPTION OF THE DRAWINGS",
        "Cross-reference to related applications",
    ],
)
def test_sections_that_say_nothing_on_the_subject_are_left_out(title: str) -> None:
    document = Document("a", abstract=sentences(5), sections=(Section(title, sentences(30, word="grant")),))
    assert [one.section for one in cut_passages(document)] == ["Abstract"]


@pytest.mark.parametrize("title", ["Reference frames in robotics", "Related work", "Funding of early kites", "Method"])
def test_sections_whose_title_only_begins_like_that_are_read(title: str) -> None:
    document = Document("a", abstract=sentences(5), sections=(Section(title, sentences(30)),))
    assert {one.section for one in cut_passages(document)} == {"Abstract", title}


def test_a_reference_list_is_left_out_whatever_its_title() -> None:
    document = Document("a", sections=(Section("Method", sentences(9)), Section("Other", sentences(9), "references")))
    assert [one.section for one in cut_passages(document)] == ["Method"]


def test_the_inventory_of_a_computer_is_left_out() -> None:
    stock = (
        "The memory may be a RAM, a ROM, a flash memory, a hard disk or an optical disk. The processor may be a CPU, a "
        "GPU, a microprocessor or a controller coupled to the bus. The input interface includes a keyboard, a mouse "
        "and a touch screen, and the output interface a display, a printer and a speaker. "
    )
    document = Document("p", "patent", abstract=sentences(5), sections=(Section("Description", stock * 4),))
    assert [one.section for one in cut_passages(document)] == ["Abstract"]


def test_claims_are_passages_of_their_own_with_their_number() -> None:
    claims = (sentences(3), "The kite of claim 1.", sentences(4))
    document = Document("p", "patent", title="Kite", claims=claims)
    assert [(one.section, one.text) for one in cut_passages(document)] == [
        ("Claim 1", claims[0]),
        ("Claim 3", claims[2]),
    ]


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (Document("t", title="A kite"), ["A kite"]),
        (Document("s", title="A kite", abstract="It flies."), ["It flies."]),
        (Document("r", sections=(Section("References", "Wright 1903.", "references"),)), []),
        (Document("e"), []),
    ],
    ids=lambda one: one.id if isinstance(one, Document) else "",
)
def test_a_document_with_words_has_a_passage(document: Document, expected: list[str]) -> None:
    assert [one.text for one in cut_passages(document)] == expected


def test_a_table_without_full_stops_is_cut() -> None:
    document = Document("a", sections=(Section("Table", "12 " * 2_000),))
    found = cut_passages(document)
    assert len(found) >= 6 and max(len(one.text.split()) for one in found) <= 600


def test_a_passage_knows_its_page() -> None:
    text = sentences(60)
    section = Section("Method", text, pages=(PageStart(0, 3), PageStart(len(text) // 2, 4)))
    assert [one.page for one in cut_passages(Document("a", sections=(section,)), 200)] == [3, 3, 4]


def test_an_abstract_is_read_with_its_title() -> None:
    document = paper("a")
    first, second, *_ = cut_passages(document)
    assert (
        passage_text(document, first).startswith("On a\n\nThe kite") and passage_text(document, second) == second.text
    )


def test_kept_passages_are_cut_by_the_boilerplate_that_is_known_now() -> None:
    known = "25cf3bafd9036e92"
    assert boilerplate.FINGERPRINT == known, "passages are cut otherwise now: raise the number in cutting_fingerprint"
    assert cutting_fingerprint() == "passages 1: 130 words, 300 at most, 20 at least"


@pytest.fixture
def encoder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PassageEncoder:
    tiny(StudentSettings(max_tokens=16, reads="passages")).save(tmp_path / OF_PASSAGES)
    monkeypatch.setattr(registry, "PRETRAINED", tmp_path)
    return PassageEncoder()


def test_rows_are_of_unit_length_and_do_not_depend_on_the_batch(encoder: PassageEncoder) -> None:
    one, other = paper("a"), paper("b", body=120)
    both = encoder.encode([(one, cut_passages(one)), (other, cut_passages(other))])
    np.testing.assert_allclose(np.linalg.norm(both, axis=1), 1, atol=1e-5)
    np.testing.assert_allclose(both[: len(cut_passages(one))], encoder.encode([(one, cut_passages(one))]), atol=1e-2)
    assert both.shape == (len(cut_passages(one)) + len(cut_passages(other)), encoder.dim)


def test_the_fingerprint_is_known_without_the_weights(encoder: PassageEncoder) -> None:
    assert encoder.fingerprint == PassageEncoder.shipped_fingerprint()


def test_without_the_weights_nothing_reads_passages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert PassageEncoder.is_installed()
    monkeypatch.setattr(registry, "PRETRAINED", tmp_path)
    assert not PassageEncoder.is_installed()


def test_what_is_shipped_reads_a_passage_to_its_end() -> None:
    card, facts = storage.read_head(registry.PRETRAINED / OF_PASSAGES)
    assert card.name == OF_PASSAGES and card.max_tokens >= 1.5 * WORDS  # of English with formulas and names
    assert facts["facts"]["settings"]["reads"] == "passages"


NAMES = [f"d{number}" for number in range(40)]


class Reader:
    """Gives a made paper's passages the rows that they are kept with."""

    def cut(self, document: Document) -> Sequence[Chunk]:
        return cut_passages(document)

    def encode(self, asked: Sequence[tuple[Document, Sequence[Chunk]]]) -> np.ndarray:
        return np.concatenate(
            [read(one.id, body=len(one.sections) * 30).rows[: len(passages)] for one, passages in asked]
        )


@pytest.fixture
def matcher(tmp_path: Path) -> PassageMatcher:
    store = opened(tmp_path)
    store.add([read(name, body=60 if number % 2 else 0) for number, name in enumerate(NAMES)])
    return PassageMatcher(store.view(), Reader())


def test_a_document_is_nearest_to_itself(matcher: PassageMatcher) -> None:
    for name in ("d1", "d7", "d39"):
        asked = matcher.ask(paper(name))
        assert asked is not None
        scores = matcher.scores(asked, NAMES)
        assert max(scores, key=lambda one: scores[one]) == name
        assert matcher.nearest(asked, 3)[0] == name


def test_a_score_depends_on_the_pair_and_the_library_alone(matcher: PassageMatcher) -> None:
    asked = matcher.ask(paper("d1"))
    assert asked is not None
    whole, alone = matcher.scores(asked, NAMES), matcher.scores(asked, ["d3", "unknown"])
    assert alone == pytest.approx({"d3": whole["d3"]}, abs=1e-4)
    assert matcher.scores(asked, ["unknown"]) == {}


def test_the_answer_is_limited_to_some_documents(matcher: PassageMatcher) -> None:
    asked = matcher.ask(paper("d1"))
    assert asked is not None
    assert set(matcher.nearest(asked, 50, matcher.view.among(["d2", "d3"]))) == {"d2", "d3"}


def test_matches_are_the_best_pairs_each_passage_once(matcher: PassageMatcher) -> None:
    document = paper("d1")
    asked = matcher.ask(document)
    assert asked is not None
    found = matcher.matches(asked, "d1", 3)
    for one in found:
        assert (one.query.part, one.query.start, one.query.stop) == tuple(one.document)
        assert one.score == pytest.approx(1, abs=0.02)
    assert len({one.document for one in found}) == 3
    assert len(matcher.matches(asked, "d0", 9)) == 1  # an abstract has one passage
    assert matcher.matches(asked, "unknown", 3) == []


def test_a_question_without_words_asks_nothing(matcher: PassageMatcher) -> None:
    assert matcher.ask(Document("e")) is None


def test_what_a_long_document_says_beside_the_question_counts_against_it(tmp_path: Path) -> None:
    asked = read("d1").rows
    others = np.concatenate([read(f"other{number}").rows for number in range(4)])
    held = {"half": asked[:2], "half and more": np.concatenate([asked[:2], others]), "all": asked, "none": others[:3]}
    store = opened(tmp_path)
    store.add([ReadPassages(name, [read("x").passages[0]] * len(rows), rows) for name, rows in held.items()])
    matcher = PassageMatcher(store.view(), Reader())
    question = matcher.ask(paper("d1"))
    assert question is not None
    scores = matcher.scores(question, held)
    assert sorted(scores, key=lambda name: -scores[name]) == ["all", "half", "half and more", "none"]


def test_where_all_documents_are_alike_none_is_above_another(tmp_path: Path) -> None:
    store = opened(tmp_path)
    rows = np.eye(1, DIM, dtype=np.float32)
    store.add([ReadPassages(name, [read("x").passages[0]], rows) for name in NAMES])
    asked = PassageMatcher(store.view(), Reader()).ask(paper("d1"))
    assert asked is not None
    scores = PassageMatcher(store.view(), Reader()).scores(asked, NAMES)
    assert np.ptp(list(scores.values())) == 0 and np.isfinite(list(scores.values())).all()


def test_a_document_without_words_counts_for_nothing(tmp_path: Path) -> None:
    store = opened(tmp_path)
    empty = [ReadPassages(f"empty {number}", [], np.zeros((0, DIM), np.float32)) for number in range(3)]
    store.add([empty[0], read("d1"), empty[1], read("d2"), empty[2]])
    found = PassageMatcher(store.view(), Reader())
    asked = found.ask(paper("d1"))
    assert asked is not None and "empty 0" in store
    scores = found.scores(asked, ["empty 0", "d1", "empty 1", "d2", "empty 2"])
    assert set(scores) == {"d1", "d2"} and scores["d1"] > scores["d2"]
    assert found.matches(asked, "empty 1", 3) == [] and store.view().nearest_in("empty 2", asked.rows, 2) == []
