"""An encoder whose queries have other rows than its documents, all the way: map, agreement, trust, search, feedback."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from engine.documents import Document
from engine.encoders import Encoder
from engine.library import Filters, Library
from engine.maps import LibraryMap, fit, measure_agreement
from engine.maps.placement import extend
from engine.maps.trust import trustworthiness
from engine.search import Question, Searcher
from engine.search.queries import query_row
from engine.vectors import VectorIndex, open_index
from tests.contracts.encoder import EncoderContract, corpus
from tests.halves import GivenRows, HalvesEncoder, swapped

HALF, EACH, GROUPS = 8, 20, 3
SWAPS = GivenRows(swaps=True)


class TestContract(EncoderContract):
    @pytest.fixture
    def encoder(self) -> Encoder:
        return HalvesEncoder.fit(corpus())


def coupled_rows(each: int = EACH, *, seed: int = 4) -> np.ndarray:
    """Document rows [b, f] of three groups; half of a group has halves (x, y), the other (y, x).

    So every document's nearest are the other half of its group, whose row looks nothing like its own.
    """
    random = np.random.default_rng(seed)
    rows = []
    for group in range(GROUPS):
        for number in range(each):
            sides = [np.eye(HALF)[2 * group + (side + number) % 2] for side in (0, 1)]
            halves = [side + 0.2 * random.normal(size=HALF) for side in sides]
            rows.append(np.concatenate([half / np.linalg.norm(half) for half in halves]) / np.sqrt(2))
    return np.array(rows, np.float32)


def order_by_hand(rows: np.ndarray, own: int) -> list[int]:
    """All other documents, the nearest first."""
    scores = rows @ swapped(rows)[own]
    return [other for other in np.argsort(-scores, kind="stable").tolist() if other != own]


def index_of(folder: Path, rows: np.ndarray) -> VectorIndex:
    index = open_index(folder, fingerprint="print", dim=rows.shape[1], kind="embedded")
    index.add([f"d{number}" for number in range(len(rows))], rows)
    return index


class Texts:
    """A library as the map sees one."""

    def iter_documents(self, *, batch: int = 500) -> Iterator[Document]:
        for number in range(GROUPS * EACH):
            yield Document(f"d{number}", title=("engines", "proteins", "galaxies")[number // EACH])


@pytest.fixture(scope="module")
def rows() -> np.ndarray:
    return coupled_rows()


@pytest.fixture(scope="module")
def library_map(rows: np.ndarray, tmp_path_factory: pytest.TempPathFactory) -> LibraryMap:
    return fit(index_of(tmp_path_factory.mktemp("map"), rows), Texts(), encoder=SWAPS)


def test_the_rows_are_such_that_a_document_is_not_its_own_nearest(rows: np.ndarray) -> None:
    own = (rows * swapped(rows)).sum(axis=1)
    assert (own < (swapped(rows) @ rows.T).max(axis=1) - 0.3).all()


def test_the_map_s_neighbours_are_sought_with_query_rows(rows: np.ndarray, library_map: LibraryMap) -> None:
    for own in range(len(rows)):
        assert library_map.neighbours[own].tolist() == order_by_hand(rows, own)[:15]
    first = library_map.neighbours[:, :9]
    assert ((first - np.arange(len(rows))[:, None]) % 2 == 1).mean() > 0.9  # the other half of the group


def test_the_map_s_figures_are_of_these_neighbours(rows: np.ndarray, library_map: LibraryMap) -> None:
    expected = trustworthiness(rows, library_map.positions, as_queries=swapped)
    assert library_map.trustworthiness == pytest.approx(expected)
    assert library_map.trustworthiness > trustworthiness(rows, library_map.positions) + 0.01
    assert library_map.kept > 0.3


def test_both_halves_of_a_group_lie_together_on_the_map(library_map: LibraryMap) -> None:
    middles = [library_map.positions[first : first + EACH].mean(axis=0) for first in range(0, GROUPS * EACH, EACH)]
    nearest = np.linalg.norm(library_map.positions[:, None, :] - np.stack(middles), axis=2).argmin(axis=1)
    assert (nearest == np.repeat(range(GROUPS), EACH)).mean() > 0.95


def test_a_handful_of_documents_lie_beside_those_that_they_couple_with(tmp_path: Path) -> None:
    rows = coupled_rows(4)
    positions = fit(index_of(tmp_path, rows), Texts(), encoder=SWAPS).positions
    distances = np.linalg.norm(positions[:, None] - positions, axis=2)
    group = np.arange(len(rows)) // 4
    same = group[:, None] == group
    assert distances[same].max() < distances[~same].min()


def test_a_later_document_is_placed_among_those_that_it_couples_with(
    rows: np.ndarray, library_map: LibraryMap, tmp_path: Path
) -> None:
    index = index_of(tmp_path, rows)
    late = coupled_rows(1, seed=9)[:1]
    index.add(["late"], late)
    longer = extend(library_map, index, ["late"], encoder=SWAPS)
    expected = np.argsort(-(rows @ swapped(late)[0]), kind="stable")[:15]
    assert longer.neighbours[-1].tolist() == expected.tolist()


def test_trustworthiness_by_hand_with_queries(rows: np.ndarray) -> None:
    positions = np.random.default_rng(2).normal(size=(len(rows), 2)).astype(np.float32)
    size, k, penalty = len(rows), 5, 0
    for own in range(size):
        ranks = {other: rank for rank, other in enumerate(order_by_hand(rows, own), start=1)}
        distances = np.linalg.norm(positions - positions[own], axis=1)
        shown = [other for other in np.argsort(distances).tolist() if other != own][:k]
        penalty += sum(max(0, ranks[other] - k) for other in shown)
    expected = 1 - 2 * penalty / (size * k * (2 * size - 3 * k - 1))
    assert trustworthiness(rows, positions, as_queries=swapped, k=k) == pytest.approx(expected)


def test_agreement_asks_each_encoder_in_its_own_way(rows: np.ndarray, tmp_path: Path) -> None:
    """Rows whose plain products are the coupled ones: the eigenvectors of the table of similarities, made positive."""
    table = (swapped(rows) @ rows.T).astype(np.float64)
    values, vectors = np.linalg.eigh(table + 10 * np.eye(len(table)))  # the diagonal does not change the neighbours
    same = np.asarray(vectors * np.sqrt(values), np.float32)
    coupled, plain = index_of(tmp_path / "a", rows), index_of(tmp_path / "b", same)
    assert measure_agreement(coupled, plain, encoders=(SWAPS, GivenRows())).shared == pytest.approx(1.0)
    assert measure_agreement(plain, coupled, encoders=(GivenRows(), SWAPS)).shared == pytest.approx(1.0)
    assert measure_agreement(coupled, plain, encoders=(GivenRows(), GivenRows())).shared < 0.6


DOCUMENTS = (
    Document("kites", title="Kites", abstract="Turbines spin in tidal water all day.", year=2001),
    Document("turbines", title="Turbines", abstract="Kites fly in steady wind on long lines.", year=2002),
    Document("more-kites", title="Kites", abstract="Kites and kites, wind for kites on lines.", year=2003),
    Document("violins", title="Violins", abstract="Good varnish makes wood sing for years.", year=2004),
    Document("varnish", title="Varnish", abstract="Old violins keep their sound for centuries.", year=2005),
)
QUERY = Document("query", title="Kites", abstract="Turbines harvest a tidal current near the shore.")


@pytest.fixture(scope="module")
def encoder() -> HalvesEncoder:
    return HalvesEncoder.fit(DOCUMENTS)


@pytest.fixture(scope="module")
def searcher(encoder: HalvesEncoder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    folder, card = tmp_path_factory.mktemp("library"), encoder.card
    with Library.open(folder, create=True) as library:
        library.add_file("key", "texts", DOCUMENTS)
        index = open_index(folder / "v", fingerprint=card.fingerprint, dim=card.dim, kind="embedded")
        index.add([document.id for document in DOCUMENTS], encoder.encode_documents(DOCUMENTS))
        yield Searcher(library, encoder, index)


def test_a_search_finds_what_the_query_couples_with(searcher: Searcher) -> None:
    answer = searcher.search(Question(QUERY, ranking="encoder"))
    assert answer.results[0].document.id == "turbines"  # its title is in our abstract, our title in its abstract


def test_the_encoder_s_score_is_of_query_against_documents(searcher: Searcher, encoder: HalvesEncoder) -> None:
    result = searcher.search(Question(QUERY, ranking="encoder")).results[0]
    scores = (encoder.encode_queries([QUERY]) @ encoder.encode_documents(DOCUMENTS).T)[0]
    assert result.scores["encoder"] == pytest.approx(scores.max(), abs=1e-6)


def test_a_liked_document_asks_with_its_query_row(searcher: Searcher, encoder: HalvesEncoder) -> None:
    liked = searcher.search(Question(Document("q"), ranking="encoder", liked=("violins",)))
    assert liked.results[0].document.id == "varnish"
    row = query_row(encoder, None, liked=[DOCUMENTS[3]])
    np.testing.assert_allclose(row, encoder.encode_queries([DOCUMENTS[3]]), atol=1e-6)
    assert not np.allclose(row, encoder.encode_documents([DOCUMENTS[3]]), atol=0.1)


def test_a_disliked_document_pushes_down_what_it_couples_with(searcher: Searcher) -> None:
    def scores(*disliked: str) -> dict[str, float]:
        answer = searcher.search(Question(QUERY, ranking="encoder", disliked=disliked))
        return {result.document.id: result.scores["encoder"] for result in answer.results}

    before, after = scores(), scores("violins")
    assert after["varnish"] < before["varnish"] - 0.1
    assert after["turbines"] > after["varnish"]


def test_all_that_a_question_names_is_encoded_in_one_call(encoder: HalvesEncoder) -> None:
    encoder.encoded.clear()
    query_row(encoder, QUERY, liked=DOCUMENTS[:2], disliked=DOCUMENTS[3:])
    assert encoder.encoded == [5]


def test_a_search_reads_the_question_once_and_its_hits_once(searcher: Searcher, encoder: HalvesEncoder) -> None:
    """What a search costs with a slow encoder: its own row, and one call for which part met which."""
    searcher.search(Question(Document("before", title="another question")))
    encoder.encoded.clear()
    encoder.coupled.clear()
    answer = searcher.search(Question(QUERY, k=3))
    assert encoder.encoded == [1]
    searcher.search(Question(QUERY, k=3, filters=Filters(year_from=1000)))
    assert encoder.encoded == [1]  # with other filters it is not read again
    del encoder.coupled[1:]
    assert encoder.coupled == [("query", [result.document.id for result in answer.results])]
    assert all(len(result.evidence.couplings) == 2 for result in answer.results)


def test_without_a_question_the_passage_is_with_the_nearest_seed(searcher: Searcher) -> None:
    answer = searcher.search(Question(Document("q"), ranking="encoder", liked=("violins", "kites")))
    coupled = {result.document.id: result.evidence for result in answer.results}
    for name, seed in (("varnish", "violins"), ("turbines", "kites")):
        passage = coupled[name].passage
        assert passage is not None and passage.query.document_id == seed
        assert coupled[name].couplings == ()  # parts are told of a question alone


def test_many_queries_at_once_rank_as_one(searcher: Searcher) -> None:
    (hits,) = searcher.rank([QUERY], 1, "encoder")
    assert hits[0].id == "turbines"
