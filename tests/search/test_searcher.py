"""The question's path to ranked documents: its words and their weights, and what is found with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import EmptyLibraryError, SearchError, UnknownDocumentError
from engine.core.rows import Rows
from engine.documents import Document, Hit, Section
from engine.documents.questions import RANKINGS, Ranking
from engine.encoders import Encoder, registry
from engine.library import Filters, KeywordIndex, Library, keyword_fingerprint, question_terms
from engine.search.answers import Answer, Question
from engine.search.queries import (
    add_telling,
    asked_terms,
    asks_by_stems,
    leading_words,
    leave_out,
    most_telling,
    move_blindly,
    query_row,
    stem_set,
    token_set,
    words_fingerprint,
)
from engine.search.searcher import Searcher
from engine.search.settings import SHIPPED, Blind, RankingSettings
from engine.search.vocabulary import Vocabulary
from engine.vectors import open_index
from tests.search.library import DOCUMENTS, QUERY, fill, weigh
from tests.search.library import QUERY as CRYSTALS


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    library, _, _ = fill(tmp_path_factory.mktemp("library"))
    with library:
        yield library


@pytest.fixture(scope="module")
def searcher(library: Library) -> Searcher:
    return over_documents(library)


def over_documents(library: Library) -> Searcher:
    encoder = registry.fit("tfidf", DOCUMENTS)
    card = encoder.card
    index = open_index(library.folder / "v", fingerprint=card.fingerprint, dim=card.dim, kind="sparse")
    index.add([document.id for document in DOCUMENTS], encoder.encode_documents(DOCUMENTS))
    return Searcher(library, encoder, index)


def ids(answer: Answer) -> list[str]:
    return [result.document.id for result in answer.results]


@pytest.mark.parametrize("ranking", RANKINGS)
def test_the_nearest_documents_come_first(searcher: Searcher, ranking: str) -> None:
    answer = searcher.search(Question(QUERY, k=3, ranking=ranking))  # type: ignore[arg-type]
    assert set(ids(answer)[:2]) == {"p-crystals", "p-molecules"}
    assert [result.rank for result in answer.results] == [1, 2, 3][: len(answer.results)]
    assert all(0 <= result.score <= 1 for result in answer.results)
    assert answer.encoder == "tfidf"
    assert set(answer.seconds) == {"encode", "search", "evidence"}


def test_a_passage_that_cites_goes_by_its_words_and_the_answer_says_so(
    searcher: Searcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    passage = replace(QUERY, kind="query", abstract=f"{QUERY.text} [3]")
    assert not searcher.search(Question(passage)).goes_by_words  # no weight was measured beside this encoder
    weigh(monkeypatch, passage_weight=1e9)
    answer = searcher.search(Question(passage))
    words = searcher.search(Question(passage, ranking="keywords"))
    assert answer.goes_by_words and not words.goes_by_words
    assert ids(answer)[:3] == ids(words)[:3]
    assert not searcher.search(Question(QUERY)).goes_by_words


def test_papers_and_patents_stand_in_one_list(searcher: Searcher) -> None:
    kinds = {result.document.kind for result in searcher.search(Question(QUERY)).results}
    assert kinds == {"paper", "patent"}


def test_the_score_is_what_the_reading_reads_whatever_ranks(searcher: Searcher) -> None:
    found = {}
    for ranking in RANKINGS:
        results = searcher.search(Question(QUERY, ranking=ranking)).results
        found[ranking] = {result.document.id: (result.reading, result.score) for result in results}
        assert all(score == pytest.approx(max(0.0, reading.cosine)) for reading, score in found[ranking].values())
    for name, (reading, score) in found["keywords"].items():
        assert found["default"].get(name, (reading, score))[0].word == reading.word
        assert found["default"].get(name, (reading, score))[1] == pytest.approx(score, abs=2e-2)  # bfloat16
    assert set(searcher.search(Question(QUERY, k=1)).results[0].scores) == {"encoder", "keywords"}


def test_each_hit_carries_evidence(searcher: Searcher) -> None:
    best = searcher.search(Question(QUERY, k=1)).results[0]
    assert "message passing" in {term.term for term in best.evidence.terms} or len(best.evidence.terms) > 2
    assert best.evidence.passage is not None
    assert "atoms" in best.evidence.passage.document.text


def test_versions_of_one_work_are_folded_under_the_best(searcher: Searcher) -> None:
    results = searcher.search(Question(QUERY)).results
    folded = {result.document.id: result.folded for result in results}
    assert folded["p-crystals"] == ("p-crystals-preprint",)
    steam = searcher.search(Question(Document("q", abstract="A slide valve closes the steam port early."))).results
    assert {steam[0].document.id, *steam[0].folded} == {"US1", "US2"}


def test_the_query_itself_is_no_hit(searcher: Searcher) -> None:
    copy = replace(DOCUMENTS[0], id="file:copy", year=None)
    answer = searcher.search(Question(copy))
    assert "p-molecules" not in ids(answer)
    assert answer.query_duplicates == ("p-molecules",)


def test_another_version_of_the_query_is_no_hit(searcher: Searcher) -> None:
    answer = searcher.search(Question(DOCUMENTS[1]))
    assert set(answer.query_duplicates) == {"p-crystals", "p-crystals-preprint"}
    assert not set(answer.query_duplicates) & set(ids(answer))


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(kinds=frozenset({"patent"})), {"US1", "US2", "US3"}),
        (Filters(year_from=2020), {"p-crystals", "p-crystals-preprint"}),
        (Filters(year_to=1891), {"US1"}),
        (Filters(categories=frozenset({"cs.CV"})), {"p-images"}),
        (Filters(venues=frozenset({"Journal of Learned Chemistry"})), {"p-molecules"}),
    ],
)
@pytest.mark.parametrize("ranking", RANKINGS)
def test_filters_limit_every_ranking(searcher: Searcher, filters: Filters, expected: set[str], ranking: str) -> None:
    question = Question(
        Document("q", abstract="Neural networks, molecules, images, atoms, a steam engine with a valve and a boiler."),
        filters=filters,
        ranking=ranking,  # type: ignore[arg-type]
    )
    found = {name for result in searcher.search(question).results for name in (result.document.id, *result.folded)}
    assert found and found <= expected
    if ranking == "default":
        assert found == expected


def test_a_question_is_read_once_whatever_its_filters(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = [Filters(), Filters(year_from=2020), Filters(kinds=frozenset({"patent"})), Filters()]
    asked = [Question(QUERY, filters=one) for one in chosen]
    expected = [over_documents(library).search(one) for one in asked]
    used = over_documents(library)
    kind, read = type(used._encoder), list[str]()
    encode = kind.encode_queries

    def encoded(self: Encoder, documents: Sequence[Document]) -> Rows:
        read.extend(one.id for one in documents)
        return encode(self, documents)

    monkeypatch.setattr(kind, "encode_queries", encoded)
    found = [used.search(one) for one in asked]
    assert read.count(QUERY.id) == 1
    assert [replace(one, seconds={}) for one in found] == [replace(one, seconds={}) for one in expected]
    used.search(Question(replace(QUERY, abstract=f"{QUERY.abstract} Valves.")))
    assert read.count(QUERY.id) == 2


def test_what_passes_is_looked_up_once_for_first_hits_and_answers_until_it_changes(tmp_path: Path) -> None:
    held, encoder, index = fill(tmp_path)
    with held:
        asking, asked = Searcher(held, encoder, index), list[str]()
        with held._database.read() as connection:
            connection.set_trace_callback(asked.append)
        question = Question(QUERY, filters=Filters(lines=("tag:near",)))

        def found() -> tuple[set[str], set[str], int]:
            asked.clear()
            words = {hit.document.id for hit in question.find_word_hits(held)}
            answers = [asking.search(question) for _ in range(2)]
            assert ids(answers[0]) == ids(answers[1])
            query = "SELECT group_concat(position) FROM documents WHERE (position IN"
            return words, set(ids(answers[0])), sum(one.startswith(query) for one in asked)

        assert found() == (set(), set(), 1)
        held.annotations.tag(["p-molecules"], "near")
        assert found() == ({"p-molecules"}, {"p-molecules"}, 1)


def test_filters_that_nothing_passes_give_no_results(searcher: Searcher) -> None:
    answer = searcher.search(Question(QUERY, filters=Filters(year_from=2150)))
    assert answer.results == ()


def test_more_like_these_needs_no_query(searcher: Searcher) -> None:
    answer = searcher.search(Question(Document("q"), k=2, liked=("US1",)))
    assert ids(answer)[0] == "US3"
    passage = answer.results[0].evidence.passage
    assert passage is not None
    assert passage.query.document_id == "US1"


def lead(answer: Answer, first: str, second: str) -> float:
    """By how much one document is ahead of another."""
    scores = {result.document.id: result.scores for result in answer.results}
    name = "encoder" if "keywords" not in scores[first] else "keywords"
    return scores[first][name] - scores[second][name]


@pytest.mark.parametrize("ranking", RANKINGS)
def test_liked_documents_draw_their_neighbours_up(searcher: Searcher, ranking: str) -> None:
    torn = Document("q", abstract="A boiler with water. Few labelled images of land.")
    question = Question(torn, ranking=ranking)  # type: ignore[arg-type]
    before, after = searcher.search(question), searcher.search(replace(question, liked=("US1",)))
    assert lead(after, "US3", "p-images") > lead(before, "US3", "p-images")


def test_a_liked_document_turns_the_encoders_order(searcher: Searcher) -> None:
    question = Question(Document("q", abstract="A boiler with water. Few labelled images of land."), ranking="encoder")
    assert ids(searcher.search(question))[:2] == ["p-images", "US3"]
    assert ids(searcher.search(replace(question, liked=("US1",))))[:2] == ["US3", "p-images"]


@pytest.mark.parametrize("ranking", RANKINGS)
def test_disliked_documents_push_their_neighbours_down(searcher: Searcher, ranking: str) -> None:
    torn = Document("q", abstract="Messages between atoms of molecules. Convolutional networks for satellite images.")
    question = Question(torn, ranking=ranking)  # type: ignore[arg-type]
    before, after = searcher.search(question), searcher.search(replace(question, disliked=("p-crystals",)))
    assert lead(after, "p-molecules", "p-images") < lead(before, "p-molecules", "p-images")


def test_a_stressed_word_draws_near_documents_up_and_no_others(searcher: Searcher) -> None:
    plain = ids(searcher.search(Question(QUERY)))
    stressed = searcher.search(Question(QUERY, stressed=("satellite", "molecule")))
    assert plain[0] == "p-crystals" and ids(stressed)[:2] == ["p-molecules", "p-crystals"]
    assert ids(stressed).index("p-images") >= plain.index("p-images")  # says satellite, on another subject
    assert stressed.holders == {"satellite": 1, "molecule": 1}
    held = {result.document.id: result.stressed for result in stressed.results}
    assert held["p-images"] == ("satellite",) and held["p-molecules"] == ("molecule",)


def test_a_word_that_a_hit_holds_though_it_is_left_out_is_named(searcher: Searcher) -> None:
    answer = searcher.search(Question(QUERY, muted=("graphs",)))
    assert answer.holders == {"graphs": 3}
    assert {result.document.id for result in answer.results if result.muted} <= {"p-molecules", "p-crystals"} | {
        "p-crystals-preprint"
    }


MODELS = (
    ("m1", "Linear mixed models for repeated measures", "Mixed models with random effects fit repeated measures."),
    ("m2", "Random effects in mixed models", "Longitudinal data are fit by mixed models with random effects."),
    ("m3", "Mixed models for growth", "Random effects of mixed models fit growth curves of longitudinal cohorts."),
    ("m4", "Variance of random effects", "Mixed models estimate the variance of random effects by likelihood."),
    ("r1", "Elevated railway", "Longitudinal girders, longitudinal beams and longitudinal stringers hold the railway."),
    ("r2", "Longitudinal sleeper", "A longitudinal sleeper of a longitudinal railway, laid on longitudinal beams."),
    *((f"x{n}", f"Kite {n}", f"A kite on line {n} flies in the wind over field number{n}.") for n in range(8)),
)


GRAPHS = (
    ("g1", "Graph networks of molecules", "Graph neural networks pass messages between atoms of molecules."),
    ("g2", "Message passing", "Graph neural networks pass messages on graphs and predict energies."),
    ("g3", "Graph networks of polymer chains", "Graph neural networks pass messages between atoms of a polymer."),
    ("p1", "Polymer melts", "A polymer melt of a linear polymer flows; polymer viscosity rises with polymer length."),
    ("p2", "Polymer coating", "A polymer coating of a cured polymer on steel; the polymer swells."),
    *((f"x{n}", f"Kite {n}", f"A kite on line {n} flies in the wind over field number{n}.") for n in range(8)),
)


def over(folder: Path, texts: tuple[tuple[str, str, str], ...]) -> tuple[Searcher, Library]:
    library, encoder, index = fill(folder, tuple(Document(*text[:1], "paper", *text[1:]) for text in texts))
    return Searcher(library, encoder, index), library


def test_a_stressed_word_brings_up_no_other_subject(tmp_path: Path) -> None:
    asked = Document("q", "query", abstract="Mixed models with random effects for repeated measures of growth.")
    searcher, library = over(tmp_path / "models", MODELS)
    with library:
        for ranking in ("default", "keywords"):
            answer = searcher.search(Question(asked, k=4, ranking=ranking, stressed=("longitudinal",)))  # type: ignore[arg-type]
            assert set(ids(answer)) == {"m1", "m2", "m3", "m4"} and set(ids(answer)[:2]) == {"m2", "m3"}
            assert answer.holders == {"longitudinal": 4}
            assert [result.stressed for result in answer.results[:3]] == [("longitudinal",), ("longitudinal",), ()]


def test_a_stressed_word_keeps_the_subject_of_the_question(tmp_path: Path) -> None:
    asked = Document("q", "query", abstract="Graph neural networks pass messages between atoms and predict energies.")
    searcher, library = over(tmp_path / "graphs", GRAPHS)
    with library:
        answer = searcher.search(Question(asked, k=3, stressed=("polymer",)))
        assert ids(answer)[0] == "g3" and set(ids(answer)) == {"g1", "g2", "g3"}


def test_two_stressed_words_both_count(tmp_path: Path) -> None:
    asked = Document("q", "query", abstract="Mixed models with random effects for repeated measures.")
    searcher, library = over(tmp_path / "models", MODELS)
    with library:
        answer = searcher.search(Question(asked, k=4, stressed=("longitudinal", "cohort")))
        assert ids(answer)[0] == "m3" and answer.results[0].stressed == ("longitudinal", "cohort")
        assert answer.holders == {"longitudinal": 4, "cohort": 1}


def test_gibberish_gets_no_list_and_its_words_are_named(searcher: Searcher) -> None:
    answer = searcher.search(Question(Document("q", "query", abstract="asdfgh qwertz")))
    assert answer.results == () and not answer.verdict.near
    assert answer.sentence == "No document holds any of these words: asdfgh, qwertz."
    known = Document("q", "query", abstract="automobile")  # a word, though no document holds it
    assert searcher.search(Question(known, ranking="encoder")).verdict.unknown_terms == ("automobile",)


def test_a_question_of_another_field_is_told_that_nothing_is_near(searcher: Searcher) -> None:
    far = Document(
        "q",
        "query",
        abstract="Randomised trial of aspirin after ischaemic stroke: mortality and bleeding in elderly patients.",
    )
    answer = searcher.search(Question(far))
    assert not answer.verdict.near and "aspirin" in answer.verdict.unknown_terms
    assert {result.reading.word for result in answer.results} <= {"unrelated", "shares vocabulary only"}
    own = searcher.search(Question(QUERY))
    assert own.is_near and own.sentence.startswith("One paper says much the same; one")


GERMAN = Document(
    "q",
    "query",
    abstract="Neuronale Netze lesen einen Kristall als einen Graphen von Atomen und sagen die Energie der Bildung mit "
    "einer Genauigkeit voraus, die für die Chemie genügt. Sie werden mit wenigen Daten gelernt.",
)


def test_another_language_is_told_and_nothing_is_judged(searcher: Searcher) -> None:
    answer = searcher.search(Question(GERMAN))
    assert answer.sentence == (
        "Your text is German, the library English: how near they are cannot be judged across languages. Translate "
        "your text to search this library."
    )
    assert not answer.is_near and answer.results and answer.verdict.unknown_terms == ()
    assert {result.reading.in_words for result in answer.results} == {"in another language"}
    assert answer.results[0].reading.as_json() == {"word": "in another language", "p": 1.0}


def test_a_library_that_holds_the_language_too_is_judged_as_usual(tmp_path: Path) -> None:
    own = replace(GERMAN, id="d", kind="paper", title="Kristalle als Graphen", abstract=GERMAN.abstract[:140])
    loan = Document("en", title="On a Kristall", abstract="The word Kristall is of the Greek, and we ask how it came.")
    library, encoder, index = fill(tmp_path / "both", (*DOCUMENTS, own, loan))
    with library:
        answer = Searcher(library, encoder, index).search(Question(GERMAN))
    words = {result.document.id: result.reading for result in answer.results}
    assert words["d"].is_compared and not words["en"].is_compared
    assert answer.is_near and answer.sentence.startswith("One paper") and "in another language" in answer.sentence


def test_a_word_that_the_library_holds_in_another_form_is_not_missing(searcher: Searcher) -> None:
    asked = "Graph networks predicted a crystal's energy; classified by neighbors, and exhausting the zeppelin's steam."
    answer = searcher.search(Question(Document("q", "query", abstract=asked)))
    assert answer.verdict.unknown_terms == ("zeppelin",)


def test_the_verdict_within_filters_is_on_what_passes_them(searcher: Searcher) -> None:
    """The same question is near to the library, and to none of its patents."""
    every, one_kind = Filters(), Filters(kinds=frozenset({"patent"}))
    whole, patents = (searcher.search(Question(QUERY, filters=filters)) for filters in (every, one_kind))
    assert whole.is_near and not whole.verdict.scope
    assert not patents.is_near and patents.results
    assert patents.sentence.startswith("None of the documents that pass the filters is near: the nearest documents")
    assert patents.verdict.p < whole.verdict.p


def test_a_word_left_out_finds_nothing_and_is_no_evidence(searcher: Searcher) -> None:
    asked = Document("q", "query", abstract="steam crystals")
    assert set(ids(searcher.search(Question(asked, ranking="keywords")))) > {"US2"}
    left = searcher.search(Question(asked, ranking="keywords", muted=("Steam",)))
    assert "US2" not in ids(left)
    assert not any("steam" in term.term for result in left.results for term in result.evidence.terms)
    assert ids(searcher.search(Question(asked, ranking="keywords", muted=("steam crystals",)))) == []


def test_a_short_question_finds_other_forms_of_its_words(searcher: Searcher) -> None:
    asked = Document("q", abstract="classified images", kind="query")
    found = searcher.search(Question(asked, ranking="keywords"))
    assert ids(found) == ["p-images"] and found.results[0].scores["keywords"] > 0
    assert ids(searcher.search(Question(asked, ranking="keywords", muted=("image", "classifying")))) == []
    liked = searcher.search(Question(asked, ranking="keywords", liked=("US1",)))
    assert {"p-images", "US3"} <= set(ids(liked))


def test_words_change_nothing_where_meaning_alone_ranks(searcher: Searcher) -> None:
    plain = searcher.search(Question(QUERY, ranking="encoder"))
    assert ids(searcher.search(Question(QUERY, ranking="encoder", stressed=("satellite",)))) == ids(plain)


def test_seeds_and_their_other_versions_are_no_hits(searcher: Searcher) -> None:
    answer = searcher.search(Question(QUERY, liked=("US1",), disliked=("p-crystals",)))
    assert not {"US1", "US2", "p-crystals", "p-crystals-preprint"} & set(ids(answer))
    assert answer.query_duplicates == ()


def test_bulk_ranking_folds_nothing_and_the_default_answers_no_document_by_itself(searcher: Searcher) -> None:
    asked = [DOCUMENTS[0], DOCUMENTS[4]]
    for ranking, first in (("encoder", ["p-molecules", "US1"]), ("default", ["p-crystals", "US2"])):
        rankings = searcher.rank(asked, 3, ranking)  # type: ignore[arg-type]
        assert [hits[0].id for hits in rankings] == first
        assert all(len(hits) == 3 for hits in rankings)
    assert searcher.rank([], 3) == []


def test_bulk_ranking_agrees_with_single_questions(searcher: Searcher) -> None:
    for ranking in RANKINGS:
        bulk = [hit.id for hit in searcher.rank([QUERY], 10, ranking)[0]]
        answer = searcher.search(Question(QUERY, ranking=ranking))
        assert [name for name in bulk if name in ids(answer)] == ids(answer)


def test_searches_from_several_threads_agree(searcher: Searcher) -> None:
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: ids(searcher.search(Question(QUERY))), range(12)))
    assert all(one == found[0] for one in found)


def test_an_empty_library_is_named(tmp_path: Path) -> None:
    encoder = registry.fit("tfidf", DOCUMENTS)
    index = open_index(tmp_path / "v", fingerprint=encoder.card.fingerprint, dim=encoder.card.dim, kind="sparse")
    with Library.open(tmp_path, create=True) as library:
        with pytest.raises(EmptyLibraryError, match=r"it holds none\. Get the sample library or import files"):
            Searcher(library, encoder, index).search(Question(QUERY))


@pytest.mark.parametrize(
    ("question", "message"),
    [
        (Question(Document("q")), "a question with words, or a liked document; got neither"),
        (Question(Document("q", abstract="12 + 30 = 42 ...")), "a question with words"),
        (Question(Document("q"), disliked=("US1",)), "a question with words"),
        (Question(QUERY, k=0), "at least 1 result; got k = 0"),
    ],
)
def test_a_question_that_cannot_be_answered_is_named(searcher: Searcher, question: Question, message: str) -> None:
    with pytest.raises(SearchError, match=message.replace("+", r"\+")):
        searcher.search(question)


def test_an_unknown_seed_is_named(searcher: Searcher) -> None:
    with pytest.raises(UnknownDocumentError, match="nowhere"):
        searcher.search(Question(QUERY, liked=("nowhere",)))


@pytest.mark.parametrize("ranking", RANKINGS)
def test_hundreds_of_versions_of_one_work_leave_no_other_out(tmp_path: Path, ranking: Ranking) -> None:
    text = "A car coupling with a hook and a drawbar that holds two railway cars together on the rails."
    family = [Document(f"US{n}", "patent", f"Coupling {n}", text, family="F") for n in range(230)]
    others = [
        Document(f"o{n}", "patent", f"Railway brake {n}", f"A brake of {n} shoes for railway cars.") for n in range(9)
    ]
    library, encoder, index = fill(tmp_path, (*family, *others))
    found = Searcher(library, encoder, index).search(Question(Document("q", "query", abstract=text), 8, ranking))
    assert len(found.results) == 8 and len(found.results[0].folded) > 200
    library.close()


CITING = replace(
    QUERY,
    id="file:citing",
    sections=(
        Section(
            "References",
            "Rask B (2021). Crystal energies from graph networks. J. C.\n\nNobody N (1999). On nothing at all. J. N.",
            "references",
        ),
    ),
)


def test_hits_say_whether_the_question_cites_them(searcher: Searcher) -> None:
    answer = searcher.search(Question(CITING, k=9))
    said = {result.document.id: result.cited for result in answer.results}
    assert said["p-crystals"] is True and said["p-molecules"] is False
    assert answer.cites == "You cite 2 works. The library holds 1 of them."
    plain = searcher.search(Question(QUERY, k=9))
    assert {result.cited for result in plain.results} == {None} and plain.cites == ""


@pytest.mark.parametrize("ranking", RANKINGS)
def test_an_answer_is_limited_to_what_is_cited_or_not(searcher: Searcher, ranking: Ranking) -> None:
    cited = searcher.search(Question(CITING, k=9, ranking=ranking, cited=True))
    assert ids(cited) == ["p-crystals"]
    others = searcher.search(Question(CITING, k=9, ranking=ranking, cited=False))
    assert "p-molecules" in ids(others) and not {"p-crystals", "p-crystals-preprint"} & set(ids(others))
    assert others.cited_elsewhere == 1
    both = searcher.search(Question(CITING, k=9, ranking=ranking, cited=True, filters=Filters(year_to=2015)))
    assert ids(both) == []


def test_cited_works_that_the_library_lacks_leave_an_empty_answer(searcher: Searcher) -> None:
    lacking = replace(CITING, sections=(Section("References", "Nobody N (1999). On nothing at all. J.", "references"),))
    answer = searcher.search(Question(lacking, cited=True))
    assert answer.results == () and answer.cites == "You cite 1 work. The library holds none of them."


def test_only_a_document_with_a_reference_list_can_be_asked_so(searcher: Searcher) -> None:
    with pytest.raises(SearchError, match="Expected a document with a reference list"):
        searcher.search(Question(QUERY, cited=False))


def test_what_both_cite_is_named(tmp_path: Path) -> None:
    entry = "Davis T (2006). Direct Methods for Sparse Linear Systems. SIAM."
    listed = (Section("References", f"[1] {entry}\n[2] Nobody N (1999). On nothing at all. J. N.", "references"),)
    library, encoder, index = fill(tmp_path, tuple(replace(one, sections=listed) for one in DOCUMENTS[:2]))
    with library:
        asking = replace(QUERY, sections=(Section("References", entry, "references"),))
        found = Searcher(library, encoder, index).search(Question(asking)).results
        assert [[one.title for one in result.shared] for result in found] == [
            ["Direct Methods for Sparse Linear Systems"]
        ] * 2
        assert [result.cited for result in found] == [False, False]


CORPUS = [
    Document(f"d{number}", title="The wind", abstract=f"A kite in the wind number{number}.") for number in range(9)
]


KITES = Document(
    "q",
    title="Kites",
    abstract="The roton and the wind.",
    sections=(Section("Method", "A kite. A reel. The zeppelin."),),
)


def vocabulary() -> Vocabulary:
    keywords = KeywordIndex.in_memory(DOCUMENTS)
    return Vocabulary(keywords.frequencies(), keywords.size)


def test_words_count_more_in_the_sentences_of_a_passage_that_cite() -> None:
    text = "A kite flies. The reel holds a line [3]. The drum turns."
    asked = Document("q", "query", abstract=text)
    n = SHIPPED.citing_times
    expected = {
        "a": 1 + n,
        "kite": 1,
        "flies": 1,
        "the": n + 1,
        "reel": n,
        "holds": n,
        "line": n,
        "drum": 1,
        "turns": 1,
    }
    assert asked_terms(asked) == expected
    assert asked_terms(asked, RankingSettings(citing_times=1))["reel"] == 1


def test_words_of_other_questions_and_of_documents_count_once() -> None:
    plain = "A kite flies. The reel holds a line."
    assert asked_terms(Document("q", "query", abstract=plain))["reel"] == 1
    assert asked_terms(Document("d", "paper", abstract=f"{plain[:-1]} [3]."))["reel"] == 1


@pytest.mark.parametrize(
    ("asked", "by_stems"),
    [
        (Document("q", abstract="filters", kind="query"), True),
        (Document("q", title="Filters"), True),  # a record of a paper, of which only the title is known
        (Document("q", abstract="word " * 39, kind="query"), True),
        (Document("q", abstract="word " * 40, kind="query"), False),
        (Document("q", abstract="word " * 40 + "as in [3]", kind="query"), True),
        (Document("q", abstract="word " * 40 + "as in [3]"), False),  # a paper with marks is not one
    ],
)
def test_short_questions_and_passages_ask_for_every_form(asked: Document, by_stems: bool) -> None:
    assert asks_by_stems(asked) is by_stems
    assert [asks_by_stems(asked, RankingSettings(stemmed=stemmed)) for stemmed in (True, False)] == [True, False]


def test_telling_words_are_the_documents_own() -> None:
    words = most_telling([DOCUMENTS[4]], vocabulary())
    assert {"eccentric", "exhaust"} <= set(words)
    assert not {"the", "of", "claim"} & set(words)
    assert len(words) <= 20
    assert "eccentric" not in most_telling([DOCUMENTS[4]], vocabulary(), without={"eccentric"})
    assert "valve" in words
    assert "valve" not in most_telling([DOCUMENTS[4]], vocabulary(), without={"valves"})  # in any form


def test_the_keyword_query_is_the_querys_terms_and_the_liked_documents_words() -> None:
    own = add_telling(asked_terms(CRYSTALS), [], vocabulary())
    assert own == question_terms(CRYSTALS)
    terms = add_telling(own, [DOCUMENTS[4]], vocabulary())
    assert own <= terms and terms["eccentric"] == own["eccentric"] + KeywordIndex.HEAD
    assert "eccentric" in add_telling(Counter(), [DOCUMENTS[4]], vocabulary())


def test_words_are_tokens() -> None:
    assert token_set(["Mixed-effects", " ", "Kite"]) == {"mixed", "effects", "kite"}


def test_a_stem_stands_for_every_form() -> None:
    assert stem_set(["Filters", "filtering", "Mixed-effects"]) == {"filter", "mix", "effect"}


def test_a_word_is_dropped_in_all_its_forms() -> None:
    terms = Counter({"kite": 2, "kites": 1, "winds": 1})
    assert leave_out(terms, stem_set(["Kites"])) == {"winds": 1}


def test_nothing_is_dropped_without_a_word() -> None:
    terms = Counter({"kite": 2, "wind": 1, "the": 9})
    assert leave_out(terms, {"the"}) == {"kite": 2, "wind": 1}
    assert leave_out(terms, ()) == terms


def test_the_rarest_words_lead_and_unknown_ones_do_not_count() -> None:
    keywords = KeywordIndex.in_memory([*CORPUS, Document("r", abstract="A roton on a reel.")])
    found = leading_words(KITES, keywords, 9)
    assert found[:2] == ["roton", "reel"]  # the abstract counts more than the body
    assert "zeppelin" not in found and "the" not in found  # held by none; by nearly all
    assert leading_words(KITES, keywords, 1) == ["roton"]
    assert leading_words(Document("e"), keywords, 9) == []


def test_of_a_words_forms_the_one_said_most_is_offered() -> None:
    held = ["A roton.", "Rotons.", "Rotons.", "A maxon."]
    corpus = [*CORPUS, *(Document(f"r{number}", abstract=text) for number, text in enumerate(held))]
    keywords = KeywordIndex.in_memory(corpus)
    assert leading_words(Document("q", abstract="Rotons, a roton and rotons; a maxon."), keywords, 2) == [
        "rotons",
        "maxon",
    ]
    assert leading_words(Document("q", abstract="A roton of rotons; a maxon."), keywords, 2) == ["maxon", "roton"]
    assert leading_words(Document("q", abstract="Kites."), keywords, 9) == []  # which no document says


def test_the_keywords_are_named_by_every_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    assert keyword_fingerprint() == "bm25 k1=1.2 b=0.75 k3=8.0 terms=96 head=5 long=1000 apart=20/0.1/10"
    assert keyword_fingerprint(stemmed=True) == f"{keyword_fingerprint()} words=snowball english"
    assert words_fingerprint() not in (keyword_fingerprint(), keyword_fingerprint(stemmed=True))
    for name in ("K1", "B", "K3", "QUESTION_TERMS", "HEAD"):
        before = keyword_fingerprint()
        monkeypatch.setattr(f"engine.library.postings.{name}", 77)
        assert keyword_fingerprint() != before
    changed = [RankingSettings(citing_times=2), RankingSettings(stemmed=True), RankingSettings(stemmed=False)]
    assert len({words_fingerprint(), *map(words_fingerprint, changed)}) == 4


TFIDF = registry.fit("tfidf", DOCUMENTS)


LSA = registry.fit("lsa", DOCUMENTS)


@pytest.mark.parametrize("encoder", [TFIDF, LSA], ids=["sparse", "dense"])
def test_the_row_follows_rocchio(encoder: Encoder) -> None:
    def dense(documents: list[Document]) -> np.ndarray:
        rows = encoder.encode_queries(documents)
        return rows if isinstance(rows, np.ndarray) else rows.toarray()

    liked, disliked = list(DOCUMENTS[:2]), [DOCUMENTS[3]]
    expected = dense([QUERY])[0] + 0.75 * dense(liked).mean(axis=0) - 0.5 * dense(disliked)[0]
    row = query_row(encoder, QUERY, liked=liked, disliked=disliked)
    found = row if isinstance(row, np.ndarray) else row.toarray()
    assert found.shape == (1, encoder.card.dim)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found[0], expected / np.linalg.norm(expected), atol=1e-6)


def test_liked_documents_stand_for_a_missing_query() -> None:
    row = query_row(LSA, None, liked=[DOCUMENTS[4]])
    np.testing.assert_allclose(row, LSA.encode_queries([DOCUMENTS[4]]), atol=1e-6)


def test_a_row_needs_a_query_or_a_liked_document() -> None:
    with pytest.raises(ValueError, match="needs a query or a liked document"):
        query_row(TFIDF, None)


@pytest.mark.parametrize("encoder", [TFIDF, LSA], ids=["sparse", "dense"])
def test_rows_move_towards_the_mean_of_what_they_found(encoder: Encoder, tmp_path: Path) -> None:
    def dense(rows: Rows) -> np.ndarray:
        return rows if isinstance(rows, np.ndarray) else rows.toarray()

    kind = "sparse" if encoder.card.sparse else "embedded"
    index = open_index(tmp_path / "v", fingerprint=encoder.card.fingerprint, dim=encoder.card.dim, kind=kind)
    held = encoder.encode_documents(DOCUMENTS)
    index.add([document.id for document in DOCUMENTS], held)
    asked = encoder.encode_queries([QUERY, DOCUMENTS[4], DOCUMENTS[5]])
    found = [
        [Hit(name, 1.0) for name in names] for names in (("p-molecules", "gone", "p-crystals", "US3"), ("US2",), ())
    ]
    moved = move_blindly(asked, found, encoder=encoder, index=index, blind=Blind(documents=2, beta=0.5))
    first = dense(asked)[0] + 0.5 * (dense(held)[0] + dense(held)[1]) / 2  # neither what is not held, nor the third
    expected = np.stack([first, dense(asked)[1] + 0.5 * dense(held)[5], dense(asked)[2]])
    np.testing.assert_allclose(dense(moved), expected, atol=1e-6)
    assert type(moved) is type(asked)
    assert moved.dtype == np.float32


def test_rows_that_found_nothing_stay(tmp_path: Path) -> None:
    index = open_index(tmp_path / "v", fingerprint=LSA.card.fingerprint, dim=LSA.card.dim, kind="embedded")
    asked = LSA.encode_queries([QUERY])
    assert move_blindly(asked, [[]], encoder=LSA, index=index, blind=Blind()) is asked
