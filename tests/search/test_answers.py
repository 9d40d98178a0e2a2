"""What a question may ask, whatever the library, and what an empty answer says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine.core.errors import SearchError
from engine.documents import Chunk, Document, Kind, Reference, Section
from engine.documents.questions import RANKINGS
from engine.library import Filters, Library
from engine.search.answers import Answer, AuthorWorks, Question, Result, count_hits, spell_count
from engine.search.citations.cited import Citations
from engine.search.evidence.explain import Evidence
from engine.search.evidence.sentences import PassagePair
from engine.search.readings import WORDS, Reading
from engine.search.verdicts import Verdict
from tests.made_readings import NEAR
from tests.search.library import DOCUMENTS, QUERY, fill

ASKED = Question(QUERY, liked=("US1", "US2"), disliked=("US3",), stressed=("Kite reel",), muted=("drum",))


@pytest.mark.parametrize("ranking", RANKINGS)
def test_a_question_that_can_be_answered_passes(ranking: str) -> None:
    replace(ASKED, ranking=ranking, k=1).check()  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"k": 0}, r"at least 1 result; got k = 0\. Ask for more"),
        ({"k": -3}, "at least 1 result; got k = -3"),
        ({"ranking": "best"}, "a ranking of default, encoder, keywords; got 'best'"),
        ({"ranking": ""}, "a ranking of default, encoder, keywords; got ''"),
        ({"disliked": ("US2", "US1")}, "liked or disliked, not both; US1 is both"),
        ({"muted": ("kite",)}, "stressed or left out, not both; 'kite' is both"),
        ({"muted": ("a REEL-drum",)}, "stressed or left out, not both; 'reel' is both"),
    ],
)
def test_a_question_that_no_library_answers_is_named(changed: dict[str, object], message: str) -> None:
    with pytest.raises(SearchError, match=message):
        replace(ASKED, **changed).check()  # type: ignore[arg-type]


def test_an_empty_answer_blames_the_filters_only_where_some_are_set() -> None:
    assert Question(QUERY).unanswered == "Nothing was found."
    assert Question(QUERY, muted=("kite",)).unanswered == "Nothing was found."
    for filters in (Filters(year_from=2150), Filters(kinds=frozenset({"patent"}))):
        assert Question(QUERY, filters=filters).unanswered == "Nothing was found that passes the filters."
    assert Question(QUERY, cited=True).unanswered == "Nothing that you cite was found."


def test_a_hit_has_a_word_by_passage_where_that_stands_in_its_body() -> None:
    document = Document("d", "paper", "Kites", "They fly.", (Section("Trials", "A kite flew."),))
    reading, chunk = Reading("closely related", 0.8, 0.6), Chunk("q", 0, "", 0, 4, "Kite")
    places = {"title": 0, "abstract": 1, "body": 2}
    assert [part.role for part in document.parts] == list(places)

    def by_passage(place: int, found: Reading | None) -> Reading | None:
        pair = PassagePair(chunk, document.parts[place].chunk("d", place, 0, 4), 0.6, found)
        return Result(1, document, reading, {}, Evidence(passages=(pair,))).by_passage

    assert by_passage(2, reading) is reading
    assert by_passage(1, reading) is by_passage(0, reading) is by_passage(2, None) is None
    assert Result(1, document, reading, {}, Evidence()).by_passage is None


def hit(rank: int, word: str, *, cited: bool | None) -> Result:
    read = Reading(word, 0.4, 0.5)
    return Result(rank, Document(f"d{rank}"), read, {}, Evidence(), cited=cited)


def test_what_is_near_and_not_cited_is_numbered_again() -> None:
    held = {"d1": Reference("one"), "far": Reference("two")}
    results = (
        hit(1, "says the same", cited=True),
        hit(2, "closely related", cited=False),
        hit(3, "same field", cited=False),
        hit(4, "says the same", cited=False),
    )
    references = tuple(held.values())
    answer = Answer(results, "blend", {}, NEAR, citations=Citations(references, held))
    assert [(one.rank, one.document.id) for one in answer.near_and_not_cited().results] == [(1, "d2"), (2, "d4")]
    assert answer.cited_elsewhere == 1
    assert answer.cites == "You cite 2 works. The library holds 2 of them, 1 not among these results."


FAR = Verdict(False, 0.1, "Nothing in this library is near: the nearest documents are on other subjects.")


def by_a_passage(rank: int) -> Result:
    body = Document(f"d{rank}", title="T", sections=(Section("Body", "text"),))
    ours, theirs = Chunk("q", 3, "Methods", 0, 4, "mine", 7), Chunk(body.id, 1, "Body", 0, 4, "text")
    pair = PassagePair(ours, theirs, 0.9, Reading("closely related", 0.8, 0.8))
    return Result(rank, body, Reading("unrelated", 0.9, 0.1), {}, Evidence(passages=(pair,)), cited=False)


def test_a_list_of_what_is_near_never_says_that_nothing_is() -> None:
    assert Answer((hit(1, "unrelated", cited=False),), "blend", {}, FAR).sentence == FAR.sentence
    assert not Answer((hit(1, "same field", cited=False),), "blend", {}, FAR).is_near
    answer = Answer((hit(1, "unrelated", cited=False), hit(2, "closely related", cited=False)), "blend", {}, FAR)
    for shown in (answer, answer.near_and_not_cited()):
        assert "closely related" in shown.sentence and "Nothing" not in shown.sentence
        assert shown.verdict_as_json()["near"] is True
    one = Answer((hit(1, "unrelated", cited=True), by_a_passage(2)), "blend", {}, FAR)
    passage = "These documents are on other subjects, but one holds a passage that is closely related to yours."
    assert one.sentence == one.near_and_not_cited().sentence == passage
    two = Answer((by_a_passage(1), by_a_passage(2)), "blend", {}, replace(FAR, lacks="No document holds: zyx."))
    assert "but two hold a passage" in two.sentence and two.sentence.endswith("No document holds: zyx.")


def test_a_near_passage_makes_a_hit_near_and_says_to_what() -> None:
    body = Document("d", title="T", sections=(Section("Body", "text"),))
    ours, theirs = Chunk("q", 3, "Methods", 0, 4, "mine", 7), Chunk("d", 1, "Body", 0, 4, "text")
    pair = PassagePair(ours, theirs, 0.9, Reading("closely related", 0.8, 0.8))
    far = Reading("same field", 0.9, 0.3)
    result = Result(1, body, far, {}, Evidence(passages=(pair,)), cited=False)
    assert result.is_closely_related and result.near_to == ours and ours.place == "Methods, p. 7"
    assert not replace(result, evidence=Evidence()).is_closely_related
    assert replace(result, evidence=Evidence()).near_to is None


def listed(*ids: str, word: str = "same field") -> Answer:
    results = (
        Result(n, Document(id_, "paper"), Reading(word, 0.6, 0.5), {}, Evidence()) for n, id_ in enumerate(ids, 1)
    )
    return Answer(tuple(results), "student", {}, NEAR)


def test_results_say_how_far_they_moved_and_what_is_gone_does_not_count() -> None:
    before, now = listed("a", "b", "c", "d"), listed("c", "a", "e", "d")
    assert now.moves_since(before, gone={"b"}) == {"c": 1, "a": -1, "e": None, "d": -1}
    assert before.moves_since(before) == dict.fromkeys("abcd", 0)


def test_the_sentence_counts_the_results_and_tells_what_the_library_lacks() -> None:
    lacking = replace(NEAR, sentence=f"{NEAR.sentence} No document holds: kite.", lacks="No document holds: kite.")
    found = replace(listed("a", "b"), verdict=lacking)
    assert found.sentence == "Two papers are in the same field. No document holds: kite."
    assert found.verdict_as_json()["sentence"] == found.sentence and found.verdict_as_json()["near"] is True


def test_the_sentence_is_the_verdict_on_the_library_where_no_result_is_near() -> None:
    far = listed("a", "b", word="unrelated")
    assert far.sentence == NEAR.sentence
    nothing = replace(NEAR, near=False, sentence="Nothing in this library is near.")
    assert replace(listed("a"), verdict=nothing).sentence == nothing.sentence


SAME, CLOSE, FIELD, SHARES, UNRELATED = range(5)


def _hits(*read: tuple[Kind, int]) -> list[tuple[Kind, Reading]]:
    return [(kind, Reading(WORDS[rank], 0.7, 0.5)) for kind, rank in read]


@pytest.mark.parametrize(
    ("read", "said"),
    [
        (
            [("paper", SAME)] * 2 + [("paper", FIELD)] * 8,
            "Two papers say much the same; eight are in the same field.",
        ),
        ([("patent", CLOSE)], "One patent is closely related."),
        (
            [("paper", CLOSE), ("patent", SAME), ("paper", SAME), ("patent", UNRELATED)],
            "One paper and one patent say much the same; one paper is closely related; one patent is unrelated.",
        ),
        (
            [("paper", FIELD), ("paper", SHARES), ("paper", SHARES)],
            "One paper is in the same field; two only share vocabulary.",
        ),
        ([("paper", CLOSE)] * 13, "13 papers are closely related."),
        ([("paper", SHARES), ("paper", UNRELATED)], ""),
        ([], ""),
    ],
)
def test_hits_are_counted_by_their_words_and_kinds(read: list[tuple[Kind, int]], said: str) -> None:
    assert count_hits(_hits(*read)) == said


def test_a_passage_that_says_the_question_is_told_of() -> None:
    assert count_hits(_hits(("paper", FIELD)), quoted=1).endswith("field. A passage of one says most of your text.")


def test_numbers_are_words_up_to_twelve() -> None:
    assert [spell_count(count) for count in (0, 1, 12, 13, 1200)] == ["no", "one", "twelve", "13", "1,200"]


def test_the_sentence_speaks_of_what_passes_where_filters_are_on() -> None:
    scope = Question(Document("q"), filters=Filters(year_from=2010)).scope
    found = replace(listed("a", "b"), verdict=replace(NEAR, scope=scope, lacks="No document holds: kite."))
    assert found.sentence == (
        "Among the documents that pass the filters, two papers are in the same field. No document holds: kite."
    )
    passage = Answer((hit(1, "unrelated", cited=True), by_a_passage(2)), "blend", {}, replace(FAR, scope=scope))
    assert passage.sentence.startswith("Among the documents that pass the filters, the nearest are on other")


@pytest.mark.parametrize(
    ("cited", "filters", "scope"),
    [
        (None, Filters(), ""),
        (True, Filters(), "the documents that you cite"),
        (False, Filters(lines=("pump",)), "the documents that you do not cite and that pass the filters"),
    ],
)
def test_a_question_says_which_documents_may_answer(cited: bool | None, filters: Filters, scope: str) -> None:
    assert Question(Document("q"), cited=cited, filters=filters).scope == scope


# Before any encoder is loaded -------------------------------------------------------------------

HELD = (
    Document("thumbs", title="Thumbs up", authors=("Bo Pang", "Lillian Lee"), year=2002),
    Document("stars", title="Seeing stars", authors=("Lee, L.", "Pang, B."), year=2005),
    Document("fields", title="Brown fields", abstract="Brown soil and brown water.", authors=("Ada Brown",)),
    Document("soil", title="Brown soil"),
)


@pytest.fixture
def held(tmp_path: Path) -> Library:
    with Library.open(tmp_path, create=True) as library:
        library.add_file("k", "people", HELD)
    return Library.open(tmp_path)


def question(text: str) -> Document:
    return Document("q", "query", abstract=text)


def test_a_name_finds_its_documents_and_says_so(held: Library) -> None:
    with held:
        works = AuthorWorks.find(question("Pang, B."), held)
        assert works is not None
        assert works.ids == ("stars", "thumbs")
        assert works.sentence == "Two documents of your library are by “Pang, B.”."
        assert works.byline(HELD[0]) == ("Bo Pang", "Lillian Lee")
        assert works.byline(HELD[1]) == ("Pang, B.", "Lee, L.")
        assert works.byline(HELD[3]) == ("Pang, B.", "")
        one = AuthorWorks.find(question("Pang, B."), held, Filters(year_to=2003))
        assert one is not None
        assert one.sentence == "One document of your library that passes the filters is by “Pang, B.”."


def test_a_surname_alone_is_a_name_unless_it_is_a_common_word(held: Library) -> None:
    with held:
        assert AuthorWorks.find(question("Pang"), held) is not None
        assert AuthorWorks.find(question("pang"), held) is None
        assert (
            AuthorWorks.find(question("Brown"), held) is None
        )  # two texts hold it, and one person of that name wrote one
        assert AuthorWorks.find(question("Ada Brown"), held) is not None


def test_other_questions_are_none(held: Library) -> None:
    with held:
        assert AuthorWorks.find(question("How do stars shine?"), held) is None
        assert AuthorWorks.find(question("Grace Hopper"), held) is None
        assert AuthorWorks.find(Document("p", title="Bo Pang"), held) is None


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    library, _, _ = fill(tmp_path_factory.mktemp("library"))
    with library:
        yield library


def _ids(library: Library, question: Question) -> list[str]:
    return [hit.document.id for hit in question.find_word_hits(library)]


def test_documents_that_share_words_come_in_the_order_of_keywords(library: Library) -> None:
    hits = Question(QUERY, k=3).find_word_hits(library)
    assert {hit.document.id for hit in hits[:2]} == {"p-crystals", "p-molecules"}
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    for hit in hits:
        assert hit.terms and all(term in QUERY.text.lower() for term in hit.terms)


def test_filters_muted_words_and_k_hold(library: Library) -> None:
    (first, *_) = everything = _ids(library, Question(QUERY, k=50))
    assert _ids(library, Question(QUERY, k=1)) == [first]
    patents = _ids(library, Question(QUERY, k=50, filters=Filters(kinds=frozenset({"patent"}))))
    assert patents == [id_ for id_ in everything if library.get([id_])[0].kind == "patent"]
    terms = Question(QUERY, k=50).find_word_hits(library)[0].terms
    muted = Question(QUERY, k=50, muted=terms).find_word_hits(library)
    assert muted[0].document.id != first
    assert not {term for hit in muted for term in hit.terms} & set(terms)


def test_the_question_itself_is_left_out(library: Library) -> None:
    itself = DOCUMENTS[0]
    assert itself.id not in _ids(library, Question(replace(itself, id="mine"), k=50))


def test_nothing_is_found_without_words_or_documents(library: Library, tmp_path: Path) -> None:
    assert Question(Document("q", "query")).find_word_hits(library) == ()
    assert Question(Document("q", "query", abstract="zzzz")).find_word_hits(library) == ()
    with Library.open(tmp_path / "empty", create=True) as empty:
        assert Question(QUERY).find_word_hits(empty) == ()
