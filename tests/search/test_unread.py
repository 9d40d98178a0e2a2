"""A library that is read in part: words order what is not read, and no verdict says that nothing is near."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.documents import Document, Kind
from engine.documents.questions import Ranking
from engine.documents.selections import Selection, ids_by_kind
from engine.encoders import Encoder, EncoderCard, registry
from engine.library import Filters, KeywordIndex, Library
from engine.search.answers import Answer, Question
from engine.search.ranking import Corpus
from engine.search.readings import Reading
from engine.search.searcher import Searcher
from engine.search.verdicts import Among, ReadHit, headline, verdict
from engine.vectors import VectorIndex, open_index
from tests.search.test_answers import FAR_PAIR

FIELDS = (
    "superfluid helium and its rotons at low temperature",
    "galaxies, their halos and dark matter in clusters",
    "graph neural networks that pass messages between atoms",
    "translation of sentences by attention over words",
    "random walks and cover times on finite graphs",
)
SHARES = (1, 10, 50, 99)
PAPERS = tuple(
    Document(
        f"p{n}",
        title=f"Report {n} on {FIELDS[n % 5]}",
        abstract=f"We measure {FIELDS[n % 5]}. Sample {n} was taken {n % 7} times and compared: {FIELDS[n // 5 % 5]}.",
        year=1800 + n,
    )
    for n in range(180)
)
PATENTS = tuple(
    Document(
        f"US{n}",
        "patent",
        title="Elevated railway" if n % 2 else "Car brake",
        abstract="An elevated railway has columns, girders and a track above the street, on which cars run."
        if n % 2
        else f"A brake for railway cars has a shoe and lever number {n}.",
        claims=(f"A railway with columns and girders number {n}, as described.",),
        year=1980 + n,
    )
    for n in range(20)
)
EVERY = (*PAPERS, *PATENTS)
RAILWAY = Document(
    "q", "patent", title="Elevated railway", abstract="Columns and girders carry the track of cars above the street."
)
FAR = Document("q", abstract="Aspirin after ischaemic stroke: mortality and bleeding of elderly patients.")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library.open(tmp_path_factory.mktemp("library"), create=True) as held:
        held.add_file("k", "all", EVERY)
        yield held


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return registry.load("word2vec-sif")


def read(encoder: Encoder, folder: Path, documents: tuple[Document, ...]) -> VectorIndex:
    """The rows of some documents."""
    card = encoder.card
    index = open_index(folder / f"v{len(documents)}", fingerprint=card.fingerprint, dim=card.dim, kind="embedded")
    if documents:
        index.add([one.id for one in documents], encoder.encode_documents(documents))
    return index


def ids(answer: Answer) -> list[str]:
    return [result.document.id for result in answer.results]


def only(names: list[str], some: set[str]) -> list[str]:
    return [name for name in names if name in some]


@pytest.mark.parametrize("ranking", ["default", "encoder"])
@pytest.mark.parametrize("share", SHARES)
def test_what_is_not_read_stands_where_words_put_it_and_what_is_read_in_its_usual_order(
    library: Library, encoder: Encoder, tmp_path: Path, share: int, ranking: Ranking
) -> None:
    some = EVERY[: 2 * share]
    known = {one.id for one in some}
    partly = Searcher(library, encoder, read(encoder, tmp_path, some))
    for asked in (RAILWAY, PAPERS[3]):
        by_words = ids(partly.search(Question(asked, k=12, ranking="keywords")))
        found = ids(partly.search(Question(asked, k=12, ranking=ranking)))
        assert [name not in known and name for name in found[: len(by_words)]] == [
            name not in known and name for name in by_words
        ]
        within = Filters(year_to=some[-1].year)  # they are read in the order of their years
        alone = ids(partly.search(Question(asked, k=12, ranking=ranking, filters=within)))
        shown = only(found, known)
        assert shown == alone[: len(shown)]


@pytest.mark.parametrize("share", SHARES)
def test_a_patent_that_is_not_read_is_found_among_papers_that_are(
    library: Library, encoder: Encoder, tmp_path: Path, share: int
) -> None:
    partly = Searcher(library, encoder, read(encoder, tmp_path, EVERY[: 2 * share]))
    answer = partly.search(Question(RAILWAY, k=5))
    assert all(result.document.title == "Elevated railway" for result in answer.results)


@pytest.mark.parametrize("share", [0, *SHARES])
@pytest.mark.parametrize("ranking", ["default", "encoder", "keywords"])
def test_no_verdict_says_that_nothing_is_near_before_all_is_read(
    library: Library, encoder: Encoder, tmp_path: Path, share: int, ranking: Ranking
) -> None:
    partly = Searcher(library, encoder, read(encoder, tmp_path, EVERY[: 2 * share]))
    for asked in (FAR, RAILWAY):
        answer = partly.search(Question(asked, ranking=ranking))
        assert (
            f"Read so far: {share} % of your library; {200 - 2 * share} documents are not read yet" in answer.sentence
        )
        assert answer.verdict.unread == 200 - 2 * share
        for sentence in (answer.sentence, answer.headline.sentence):
            assert "othing" not in sentence and "other subjects" not in sentence
    assert "Nearer documents may still come as more is read." in partly.search(Question(FAR, ranking=ranking)).sentence


def test_five_new_documents_stand_by_their_words_and_change_no_order_of_the_others(
    library: Library, encoder: Encoder, tmp_path: Path
) -> None:
    """All but five are read: they are searched as in a library without the five."""
    five = {one.id for one in PATENTS[-5:]}
    partly = Searcher(library, encoder, read(encoder, tmp_path, EVERY[:-5]))
    whole = Searcher(library, encoder, read(encoder, tmp_path, EVERY))
    for asked in (RAILWAY, PAPERS[3]):
        question = Question(asked, k=12)
        found, usual = ids(partly.search(question)), ids(whole.search(question))
        assert only(found, set(usual) - five)[:15] == only(usual, set(found) - five)[:15]
        by_words = ids(partly.search(Question(asked, k=12, ranking="keywords")))
        assert {name: found.index(name) for name in only(found, five)} == {
            name: by_words.index(name) for name in only(by_words, five)
        }
    told = partly.search(Question(RAILWAY)).sentence
    assert told.endswith(
        " Read so far: 98 % of your library; 5 documents are not read yet and rank by their words alone."
    )


def test_what_filters_let_through_is_judged_once_that_is_read(
    library: Library, encoder: Encoder, tmp_path: Path
) -> None:
    partly = Searcher(library, encoder, read(encoder, tmp_path, PAPERS))
    papers, patents = (Filters(kinds=frozenset({kind})) for kind in ("paper", "patent"))  # type: ignore[arg-type]
    answer = partly.search(Question(FAR, filters=papers))
    assert answer.verdict.unread == 0 and answer.sentence.startswith("None of the documents that pass the filters is")
    answer = partly.search(Question(FAR, filters=patents))
    assert "Read so far: 0 % of the documents that pass the filters; 20 documents are not" in answer.sentence


class Fixed:
    """Gives questions the rows that were made for them."""

    def __init__(self, card: EncoderCard, rows: dict[str, np.ndarray]) -> None:
        self.card, self._rows = card, rows

    def encode_queries(self, documents: Sequence[Document]) -> np.ndarray:
        return np.stack([self._rows[one.id] for one in documents])

    def as_queries(self, rows: np.ndarray) -> np.ndarray:
        return rows


def test_five_new_documents_among_26_277_leave_the_others_as_they_were(tmp_path: Path) -> None:
    drawn = np.random.default_rng(5)
    words = [f"word{n}" for n in range(3_000)]
    many = [
        Document(f"d{n}", "patent" if n % 5 == 0 else "paper", " ".join(drawn.choice(words, 6))) for n in range(26_277)
    ]
    asked = Document("q", title=" ".join(words[:8]))
    many[-5:] = [replace(one, title=" ".join(words[: 4 + n])) for n, one in enumerate(many[-5:])]
    drawn_rows = drawn.normal(size=(len(many) + 1, 8)).astype(np.float32)
    rows = drawn_rows / np.linalg.norm(drawn_rows, axis=1, keepdims=True)
    card = EncoderCard("blend", "Drawn by chance.", 8, "drawn")
    encoder, keywords, kinds = Fixed(card, {"q": rows[-1]}), KeywordIndex.in_memory(many), ids_by_kind(many)
    index = open_index(tmp_path / "v", fingerprint="drawn", dim=8, kind="embedded")
    index.add([one.id for one in many[:-5]], rows[:-6])
    five = Selection(one.id for one in many[-5:])
    old: dict[Kind, frozenset[str]] = {kind: Selection(ids - five) for kind, ids in kinds.items()}
    found, usual, by_words = (
        [hit.id for hit in Corpus(encoder, index, keywords, *of).rank([asked], 200, ranking=ranking)[0]]  # type: ignore[arg-type]
        for *of, ranking in (
            (kinds, None, five, "default"),
            (old, None, "default"),
            (kinds, None, "keywords"),
        )
    )
    assert [by_words.index(name) for name in five] == [found.index(name) for name in five]
    assert {by_words.index(name) for name in five} == set(range(5))
    rest = [name for name in found if name not in five]
    assert len(set(rest[:20]) & set(usual[:20])) >= 19  # of the usual list only the five were taken out


@pytest.mark.parametrize(
    ("among", "said"),
    [
        (Among(26_277, unread=26_277), "Read so far: 0 % of your library; 26,277 documents are not read yet and rank"),
        (Among(26_277, unread=26_200), "Read so far: less than 1 % of your library; 26,200 documents are not"),
        (Among(26_277, unread=10_021), "Read so far: 62 % of your library; 10,021 documents are not read yet"),
        (
            Among(26_277, unread=5),
            "Read so far: more than 99 % of your library; 5 documents are not read yet and rank",
        ),
        (Among(26_277, unread=1), "1 document is not read yet and ranks by its words alone."),
        (Among(100, unmatched=40), "Read so far: the passages of 60 % of your library; those of 40 documents are not"),
        (Among(100, unread=1, unmatched=40), "Read so far: 99 % of your library; 1 document is not"),
    ],
)
def test_a_verdict_says_how_much_is_read(among: Among, said: str) -> None:
    found = verdict([FAR_PAIR] * 10, among, unknown=["crispr"], telling=4)
    assert said in found.read and found.lacks == "No document holds: crispr."
    for quoted in (False, True):
        told = headline(found, [ReadHit("paper", Reading("unrelated", 0.9, 0.1), is_quoted=quoted)])
        assert "othing" not in told.sentence and "other subjects" not in told.sentence
        assert told.near is quoted
