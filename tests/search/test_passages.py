"""Passages: whole sentences of one section, matched both ways, and found at their place in a paper."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.cli.search import as_text
from engine.core.progress import Meter, silent
from engine.core.rows import DenseRows
from engine.documents import Chunk, Document, PageStart, Section
from engine.documents.questions import Ranking
from engine.documents.text import Span
from engine.documents.text import sentences as sentence_spans
from engine.encoders import registry, storage
from engine.encoders.student import OF_PASSAGES, StudentSettings
from engine.exports import search_as_json
from engine.library import Filters, Library
from engine.reading import ReadFile as Read
from engine.search import boilerplate, ranking, readings
from engine.search.answers import Question
from engine.search.passages import (
    WORDS,
    AskedPassages,
    PassageEncoder,
    PassageMatcher,
    QuestionRows,
    _questions,
    cut_passages,
    cutting_fingerprint,
    passage_text,
)
from engine.search.ranking import Corpus
from engine.search.searcher import Searcher
from engine.vectors import ReadPassages, open_index, open_passage_store
from engine.workspace import fill_store
from engine.workspace.keeping import OwnDocument, OwnDocuments
from tests.encoders.tiny_student import tiny
from tests.search.hashed_words import DIM, HashedWords, opened, paper, read, sentences


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

    fingerprint = "made"

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


def test_of_many_passages_some_are_taken_at_even_steps() -> None:
    passages = cut_passages(paper("d1", body=90))
    asked = AskedPassages(passages, np.arange(len(passages), dtype=np.float32)[:, None])
    some, last = asked.some(3), len(passages) - 1
    assert last > 3 and [int(row) for row in some.rows[:, 0]] == [0, last // 2, last]
    assert list(some.passages) == [passages[0], passages[last // 2], passages[last]] and asked.some(last + 1) is asked


def test_a_question_without_words_asks_nothing(matcher: PassageMatcher) -> None:
    assert matcher.ask(Document("e")) is None


def test_a_question_is_read_once_however_often_it_asks_and_again_when_it_changes(
    matcher: PassageMatcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    encode = Reader.encode
    monkeypatch.setattr(Reader, "encode", lambda self, some: (seen.append(some[0][0].id), encode(self, some))[1])
    question = paper("q", body=0)
    grown = replace(matcher)  # as after an import
    first, again = matcher.ask(question), grown.ask(replace(question))
    assert first is not None and again is not None and seen == ["q"]
    assert first.passages is again.passages and np.array_equal(first.rows, again.rows)
    changed = matcher.ask(replace(question, abstract="Another kite flies."))
    assert changed is not None and changed.passages[0].text == "Another kite flies." and seen == ["q", "q"]


def test_the_rows_of_a_kept_question_outlive_the_app_and_what_is_cut_otherwise_is_read_alone(
    matcher: PassageMatcher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []
    encode = Reader.encode
    monkeypatch.setattr(Reader, "encode", lambda self, some: (seen.append(len(some[0][1])), encode(self, some))[1])
    monkeypatch.setattr("engine.search.passages._FEWEST_KEPT", 3)
    question = paper("q", body=30)
    key = (own := OwnDocuments(tmp_path)).keep(OwnDocument(question, "q.pdf"))
    first = replace(matcher, kept=own).ask(question)
    assert first is not None and len(first.passages) >= 3 and seen == [len(first.passages)]
    _questions.cache_clear()
    restarted = OwnDocuments(tmp_path)
    asked = restarted.get(key).document
    again = replace(matcher, kept=restarted).ask(asked)
    assert again is not None and len(seen) == 1 and np.array_equal(first.rows, again.rows)
    half = replace(first.passages[0], stop=9, text=first.passages[0].text[:9])
    rows = QuestionRows.of(matcher.reader, asked).read([*first.passages, half])
    assert seen == [len(first.passages), 1] and np.array_equal(rows[:-1], first.rows)


def test_a_document_of_the_library_asks_with_the_rows_that_are_kept(
    matcher: PassageMatcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = matcher.ask(paper("d1"))
    monkeypatch.setattr(Reader, "encode", None)  # nothing is read
    _questions.cache_clear()
    held = matcher.ask_with(paper("d1"))
    assert held is not None and plain is not None and list(held.passages) == list(plain.passages)
    assert np.abs(held.rows - plain.rows).max() < 0.01


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


SUBJECTS = "kite sail rudder mast anchor glider turbine propeller piston valve boiler condenser".split()


def said(subject: str, count: int, seed: int) -> str:
    """Sentences of twelve words each, that no other text has."""
    words = np.random.default_rng(seed).integers(100_000, size=(count, 11))
    return " ".join(f"{subject.capitalize()} {' '.join(f'w{one}' for one in each)}." for each in words)


def long_paper(number: int, *, long: bool) -> Document:
    subject, other = SUBJECTS[number % 12], SUBJECTS[(number + 5) % 12]
    text = said(other, 45, number)
    body = (
        Section("Method", said(subject, 45, number + 100)),
        Section("Results", text, pages=(PageStart(0, 4), PageStart(len(text) // 2, 5))),
    )
    return Document(
        f"d{number}",
        title=f"On the {subject}",
        abstract=said(subject, 3, number + 200),
        sections=body if long else (),
        year=2000 + number,
    )


DOCUMENTS = tuple(long_paper(number, long=number % 2 == 0) for number in range(40))


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library.open(tmp_path_factory.mktemp("library"), create=True) as held:
        held.add_file("k", "papers", DOCUMENTS)
        yield held


@pytest.fixture(scope="module")
def paper_matcher(tmp_path_factory: pytest.TempPathFactory) -> PassageMatcher:
    store = open_passage_store(tmp_path_factory.mktemp("passages"), fingerprint="words", dim=HashedWords.dim)
    fill_store(store, DOCUMENTS, HashedWords(), Meter("read", len(DOCUMENTS), silent))
    return PassageMatcher(store.view(), HashedWords())


def searcher(library: Library, folder: Path, matcher: PassageMatcher | None) -> Searcher:
    encoder = registry.load("word2vec-sif")
    index = open_index(folder / "index", fingerprint=encoder.card.fingerprint, dim=encoder.card.dim, kind="embedded")
    heads = [Document(one.id, title=one.title, abstract=one.abstract) for one in DOCUMENTS]
    index.add([one.id for one in DOCUMENTS], np.asarray(encoder.encode_documents(heads)))
    return Searcher(library, encoder, index, passages=matcher)


def quoted(number: int) -> Question:
    """Three sentences from the middle of a paper's results ask, by meaning alone, without their subject."""
    said = DOCUMENTS[number].sections[1].text.split(". ")[14:17]
    return Question(
        Document("text:q", "query", abstract=". ".join(one.split(" ", 1)[1] for one in said) + "."), ranking="encoder"
    )


def test_a_quote_from_the_middle_finds_its_paper_and_its_page(
    library: Library, paper_matcher: PassageMatcher, tmp_path: Path
) -> None:
    without, whole = searcher(library, tmp_path, None), searcher(library, tmp_path, paper_matcher)
    for number in (4, 16, 30):
        assert without.search(quoted(number)).results[0].document.id != f"d{number}"
        first = whole.search(quoted(number)).results[0]
        assert first.document.id == f"d{number}"
        best = first.evidence.passages[0]
        asked = quoted(number).document.abstract.split(". ")[0]
        assert best.document.section == "Results" and best.document.page == 4 and asked in best.document.text
        assert best.score <= 1 and first.scores["passages"] > 0


def test_each_of_many_passages_finds_fewer_and_a_document_that_was_read_ahead_is_not_read_again(
    library: Library, paper_matcher: PassageMatcher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, whole, nearest = list[int](), searcher(library, tmp_path, paper_matcher), PassageMatcher.nearest
    monkeypatch.setattr(PassageMatcher, "nearest", lambda *given: (found.append(given[2]), nearest(*given))[1])
    whole.search(quoted(4))
    long = replace(DOCUMENTS[4], id="long", sections=DOCUMENTS[4].sections * 6)
    whole.read_ahead(long)
    monkeypatch.setattr(HashedWords, "encode", None)  # nothing is read
    assert whole.search(Question(long)).results and found == [200, 64]


@pytest.mark.parametrize("by", ["default", "encoder"])
def test_the_near_ones_of_a_long_text_come_before_its_passages_are_read(
    library: Library, paper_matcher: PassageMatcher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by: Ranking
) -> None:
    whole, without = searcher(library, tmp_path, paper_matcher), searcher(library, tmp_path / "other", None)
    text = replace(DOCUMENTS[4], id=f"first {by}", sections=DOCUMENTS[4].sections * 6)
    asked = Question(text, k=7, ranking=by, muted=("kite",))
    with monkeypatch.context() as changed:
        changed.setattr(HashedWords, "encode", None)  # no passage is read
        first = whole.first_hits(asked)
    assert [one.document.id for one in first] == [one.document.id for one in without.search(asked).results]
    assert all(one.by_meaning and "kite" not in one.terms for one in first) and any(one.terms for one in first)
    assert [one.rank for one in first] == list(range(1, 8))
    whole.search(asked)
    others = [replace(asked, ranking="keywords"), quoted(4), Question(DOCUMENTS[4])]
    assert [whole.first_hits(one) for one in (asked, *others)] == [()] * 4  # read by now, or read in no time
    assert without.first_hits(asked) == ()


def test_first_hits_wait_for_no_passage_that_is_being_read(
    library: Library, paper_matcher: PassageMatcher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go, encode = threading.Event(), threading.Event(), HashedWords.encode

    def slow(self: HashedWords, read: Sequence[tuple[Document, Sequence[Chunk]]]) -> DenseRows:
        begun.set()
        assert go.wait(60)
        return encode(self, read)

    whole = searcher(library, tmp_path, replace(paper_matcher, kept=OwnDocuments(tmp_path / "own")))
    text = replace(DOCUMENTS[4], id="ahead", sections=DOCUMENTS[4].sections * 6)
    monkeypatch.setattr(HashedWords, "encode", slow)
    ahead = threading.Thread(target=whole.read_ahead, args=(text,), daemon=True)
    ahead.start()
    assert begun.wait(60)
    assert len(whole.first_hits(Question(text))) == 10 and ahead.is_alive()
    go.set()
    ahead.join(60)
    assert whole.first_hits(Question(text)) == () and whole.search(Question(text)).results


@pytest.mark.parametrize("share", [1, 10, 50, 99])
def test_documents_whose_passages_are_read_rank_by_them_and_the_others_stay_where_they_were(
    library: Library, paper_matcher: PassageMatcher, tmp_path: Path, share: int
) -> None:
    every = [one.id for one in DOCUMENTS]
    known = set(every[: max(1, min(39, 40 * share // 100))])
    part = replace(paper_matcher, view=paper_matcher.view.only({name: name for name in known}), is_whole=False)
    without, partly, whole = (searcher(library, tmp_path, each) for each in (None, part, paper_matcher))
    asked = replace(quoted(4), k=12)
    before, now, then = (each.search(asked) for each in (without, partly, whole))
    orders = [[one.document.id for one in each.results] for each in (before, now, then)]
    assert [name if name not in known else "" for name in orders[0]] == [
        name if name not in known else "" for name in orders[1]
    ]
    if "d4" in known:
        assert next(name for name in orders[1] if name in known) == "d4" == orders[2][0]
    shown = {one.document.id: bool(one.evidence.passages) for one in now.results}
    assert shown == {name: name in known for name in orders[1]}
    assert f"Read so far: the passages of {100 * len(known) / 40:.0f} % of your library; those of " in now.sentence
    assert "othing" not in now.sentence and "other subjects" not in now.sentence
    assert not then.verdict.read and then.verdict.unread == 0 and now.verdict.unread == 40 - len(known)


class Distinct(HashedWords):
    """Hardly any two words share a number."""

    dim = 4096


TELLING = "Basalt columns cool from their margins and crack into hexagons as they shrink."


def long(name: str, subject: str, *, place: int) -> Document:
    """Five hundred sentences on a subject, and behind some of them the telling one."""
    plain = said(subject, 500, place).split(". ")
    text = ". ".join([*plain[:place], TELLING[:-1], *plain[place:]])
    pages = tuple(PageStart(start, 1 + start // 2_000) for start in range(0, len(text), 2_000))
    sections = (Section("All of it", text, pages=pages),)
    return Document(name, title=f"On the {subject}", abstract=said(subject, 4, place + 1), sections=sections)


@pytest.mark.parametrize(
    "asked", [Document("text:q", "query", abstract=TELLING), long("text:q", "canal", place=390)], ids=["text", "paper"]
)
def test_the_evidence_is_the_very_sentence_however_far_it_stands(asked: Document, tmp_path: Path) -> None:
    held = long("far", "mill", place=430)
    documents = (held, *DOCUMENTS)
    with asking(documents, Distinct(), tmp_path) as whole:
        results = whole.search(Question(asked, k=len(documents))).results
    with Library.open(tmp_path / "library") as library:
        without = searcher(library, tmp_path / "other", None).search(Question(asked, k=len(documents))).results
    found, missed = (next(one.evidence for one in each if one.document.id == "far") for each in (results, without))
    assert found.passage is not None and found.passage.score > 0.9
    assert found.passage.query.text == found.passage.document.text == TELLING
    start = held.sections[0].text.index(TELLING)
    assert (found.passage.document.start, found.passage.document.page) == (start, 1 + start // 2_000)
    assert {"basalt", "hexagons"} <= {term.term for term in found.terms}
    assert missed.passage is None or missed.passage.document.text != TELLING


def test_a_passage_that_says_most_of_a_short_question_is_told(tmp_path: Path) -> None:
    question = Question(Document("text:q", "query", abstract=TELLING), k=41)
    with asking((long("far", "mill", place=430), *DOCUMENTS), Distinct(), tmp_path) as whole:
        answer, other = (
            whole.search(question),
            whole.search(replace(question, document=Document("q", title="Kite sail"))),
        )
    first = next(one for one in answer.results if one.document.id == "far")
    quoted = first.evidence.quoted
    assert first.reading.word == "unrelated" and quoted is not None and quoted.held == quoted.telling >= 5
    assert all(one.evidence.quoted is None for one in (*answer.results, *other.results) if one.document.id != "far")
    assert answer.is_near and "A passage of one says most of your text." in answer.sentence
    assert f"    {quoted.sentence}" in as_text(Read(question.document, "text"), answer, 0.0, question).split("\n")
    hits = json.loads(json.dumps(search_as_json(Read(question.document, "text"), answer, 0.0)))["hits"]
    assert hits[first.rank - 1]["quoted"] == {"words": quoted.held, "of": quoted.telling}
    assert [one["quoted"] for one in hits if one["id"] != "far"] == [None] * (len(hits) - 1)


@contextmanager
def asking(documents: Sequence[Document], reader: HashedWords, folder: Path) -> Iterator[Searcher]:
    """A searcher of some documents whose passages were read."""
    with Library.open(folder / "library", create=True) as held:
        held.add_file("k", "papers", documents)
        store = open_passage_store(folder / "passages", fingerprint="words", dim=reader.dim)
        fill_store(store, documents, reader, Meter("read", len(documents), silent))
        yield searcher(held, folder, PassageMatcher(store.view(), reader))


def test_pairs_of_passages_come_best_first(library: Library, paper_matcher: PassageMatcher, tmp_path: Path) -> None:
    answer = searcher(library, tmp_path, paper_matcher).search(Question(long_paper(2, long=True), k=5))
    for result in answer.results:
        scores = [pair.score for pair in result.evidence.passages]
        assert scores == sorted(scores, reverse=True) and 1 <= len(scores) <= 3
        for pair in result.evidence.passages:
            for document, chunk in ((long_paper(2, long=True), pair.query), (result.document, pair.document)):
                assert document.parts[chunk.part].text[chunk.start : chunk.stop] == chunk.text


def test_passages_have_a_word_where_the_scale_is_of_what_read_them(
    library: Library, paper_matcher: PassageMatcher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(HashedWords, "fingerprint", readings.fitted_on("passage"))
    held = searcher(library, tmp_path, paper_matcher)
    few = quoted(16).document
    passage = DOCUMENTS[16].sections[1].text[:1200]
    first = held.search(Question(replace(few, abstract=passage), k=1, ranking="encoder")).results[0]
    best = first.evidence.passages[0]
    assert best.reading is not None and best.reading.rank <= readings.CLOSE and first.by_passage is best.reading
    assert best.reading.cosine == pytest.approx(best.score, abs=1e-6)
    short = replace(few, abstract=" ".join(passage.split()[:12]))
    shown = held.search(Question(short, k=1, ranking="encoder")).results[0]
    assert shown.evidence.passages and shown.evidence.passages[0].reading is None


def test_filters_and_hidden_documents_hold_for_passages(
    library: Library, paper_matcher: PassageMatcher, tmp_path: Path
) -> None:
    whole = searcher(library, tmp_path, paper_matcher)
    assert not whole.search(Question(quoted(4).document, filters=Filters(kinds=frozenset({"patent"})))).results
    answer = whole.search(Question(DOCUMENTS[4], k=40))
    assert "d4" in answer.query_duplicates and "d4" not in [result.document.id for result in answer.results]


def test_single_passages_are_looked_for_among_what_passes_the_filters(
    library: Library, paper_matcher: PassageMatcher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[set[str]] = []
    plain = PassageMatcher.nearest

    def nearest(
        self: PassageMatcher, passages: AskedPassages, k: int, among: np.ndarray | None = None
    ) -> Sequence[str]:
        found = plain(self, passages, k, among)
        asked.append(set(found))
        return found

    monkeypatch.setattr(PassageMatcher, "nearest", nearest)
    years = Filters(year_from=2030, year_to=2033)
    answer = searcher(library, tmp_path, paper_matcher).search(Question(quoted(4).document, filters=years))
    assert asked == [{"d30", "d31", "d32", "d33"}]
    assert {result.document.id for result in answer.results} <= asked[0]


def test_keywords_alone_read_no_passages(
    library: Library, paper_matcher: PassageMatcher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(HashedWords, "encode")
    answer = searcher(library, tmp_path, paper_matcher).search(Question(quoted(4).document, ranking="keywords"))
    assert answer.results and all("passages" not in result.scores for result in answer.results)


def test_json_has_the_passages_with_their_place(
    library: Library, paper_matcher: PassageMatcher, tmp_path: Path
) -> None:
    question = quoted(16)
    answer = searcher(library, tmp_path, paper_matcher).search(question)
    value = json.loads(json.dumps(search_as_json(Read(question.document, "text"), answer, 0.0)))
    first = value["hits"][0]["passages"][0]
    assert list(first) == ["score", "reading", "query", "document"]
    assert first["reading"] is None  # by another encoder's rows than the scale was fitted to
    assert {"section", "page", "start", "stop", "text"} <= set(first["document"])
    assert first["document"]["section"] == "Results" and first["document"]["page"] == 4


def test_pairs_of_passages_get_the_words_of_hits(monkeypatch: pytest.MonkeyPatch) -> None:
    said = "The winch reels the tether of a kite out under load and back in without any."
    again = "Under load a winch lets the kite's tether out, and it reels it in without load."
    other = "Monks copied herbals by candle light for the abbot of a remote monastery."
    same, near, far = readings.read_passages([(said, said), (said, again), (said, other)]) or ()
    assert (same.word, same.level) == ("says the same", "passage")
    assert same.rank <= near.rank < far.rank and not far.is_near
    asked: list[str] = []
    encoder = readings.passage_encoder()
    monkeypatch.setattr(encoder, "encode_texts", lambda texts: asked.extend(texts))
    assert readings.read_passages([(again, said)]) == [near] and not asked
    monkeypatch.setattr(PassageEncoder, "is_installed", lambda: False)
    assert readings.read_passages([(said, said)]) is None


def test_a_library_whose_passages_are_read_in_part_is_looked_at_once_for_many_questions(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_passage_store(tmp_path / "passages", fingerprint="words", dim=HashedWords.dim)
    fill_store(store, DOCUMENTS[1:], HashedWords(), Meter("read", len(DOCUMENTS), silent))
    looked = list[Corpus]()

    def spied(one: Any, **changes: Any) -> Any:  # noqa: ANN401  what `replace` takes
        looked.extend([one] if isinstance(one, Corpus) else [])
        return replace(one, **changes)

    monkeypatch.setattr(ranking, "replace", spied)
    partly = searcher(library, tmp_path, PassageMatcher(store.view(), HashedWords()))
    answers = [partly.search(quoted(number)) for number in (4, 16, 30)]
    for number, answer in zip((4, 16, 30), answers, strict=True):
        assert f"d{number}" in {hit.document.id for hit in answer.results[:2]}
    assert len(looked) == 1
