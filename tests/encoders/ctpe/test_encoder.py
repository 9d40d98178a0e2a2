"""CTPE's encoder: the contract, equation 2 by hand, bad input, storage."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch

from engine.core.errors import StorageError
from engine.documents import Document, Section, text
from engine.encoders import registry
from engine.encoders.base import Encoder
from engine.encoders.ctpe import encoder as module
from engine.encoders.ctpe.embeddings import SentenceMeans, WordEmbeddings
from engine.encoders.ctpe.encoder import CtpeEncoder, Reduction
from engine.encoders.ctpe.network import WIDTHS, PairNetwork
from engine.encoders.ctpe.settings import CtpeSettings
from engine.encoders.module_weights import from_bytes, to_bytes
from engine.encoders.word_vectors import WordVectors
from tests.contracts.encoder import EMPTY, FOREIGN, EncoderContract, corpus
from tests.encoders.ctpe import tiny


@pytest.fixture(autouse=True)
def float32(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whole precision, so that numbers can be compared to 1e-6 on every processor."""
    monkeypatch.setattr(module, "reading_precision", lambda: "float32")
    yield


class TestContract(EncoderContract):
    @pytest.fixture
    def encoder(self) -> Encoder:
        return tiny.encoder()


class TestContractOfSentences(EncoderContract):
    @pytest.fixture
    def encoder(self) -> Encoder:
        return tiny.encoder(SentenceMeans(tiny.words()), CtpeSettings(whole_below_tokens=10))


class TestContractInParts(EncoderContract):
    @pytest.fixture
    def encoder(self) -> Encoder:
        return tiny.encoder(settings=CtpeSettings(part_tokens=4))


class TestContractReduced(EncoderContract):
    @pytest.fixture
    def encoder(self) -> Encoder:
        return reduced(tiny.encoder(), dim=12)


def reduced(encoder: CtpeEncoder, *, dim: int, centred: bool = True) -> CtpeEncoder:
    return encoder.with_reduction(Reduction.fit(*encoder.encode_halves(corpus()), dim=dim, centred=centred))


OURS = [
    Document(
        "a", title="A kettle that whistles", abstract="Steam drives a small whistle. It stops when the lid opens."
    ),
    Document("b", title="Boilers", abstract="We measure the pressure of steam in boilers of copper and of iron."),
    Document("c", title="Learning to rank papers", abstract="A neural network scores pairs of a query and a document."),
    Document("d", title="Convolutional networks for patents", abstract="Documents are read as sequences of words."),
    Document(
        "e",
        "patent",
        title="Pressure valve",
        abstract="A valve opens when the pressure of the steam is high.",
        claims=("A valve that has a spring and a seat of brass.", "The valve of claim one."),
    ),
]


def rows_by_hand(document: Document, vectors: dict[str, np.ndarray], network: PairNetwork) -> list[np.ndarray]:
    """The two halves' vectors, window by window: each (4 n_f,)."""
    halves = (document.abstract, document.claims[0]) if document.claims else (document.title, document.abstract)
    found = []
    for half in halves:
        words = [vectors[token] for token in text.tokens(half) if token in vectors]
        row: list[float] = []
        for width, weight, bias in zip(WIDTHS, network.weights, network.biases, strict=True):
            padded = words + [np.zeros(100)] * (width - len(words))
            for channel in range(network.channels):
                filters = weight[channel].detach().numpy().astype(np.float16).reshape(width, 100)
                best = max(
                    sum(float(filters[place] @ padded[start + place]) for place in range(width))
                    for start in range(len(padded) - width + 1)
                )
                row.append(max(0.0, best + bias[channel].item()))
        found.append(np.array(row))
    return found


def test_an_inner_product_is_half_of_equation_2() -> None:
    shipped = WordVectors.load(registry.PRETRAINED / "word2vec")
    network = tiny.network(100, channels=3)
    encoder = CtpeEncoder.of(WordEmbeddings.of(shipped), network)
    stored = from_bytes(*to_bytes(shipped.vectors.astype(np.float32)))
    said = {token for document in OURS for token in text.tokens(document.text)}
    vectors = {word: row for word, row in zip(shipped.words, stored, strict=True) if word in said}
    assert len(vectors) > 40
    halves = [rows_by_hand(document, vectors, network) for document in OURS]
    found = encoder.encode_queries(OURS) @ encoder.encode_documents(OURS).T
    for i, (f_i, b_i) in enumerate(halves):
        for j, (f_j, b_j) in enumerate(halves):
            similarity = tiny.cosine(f_i, b_j) + tiny.cosine(f_j, b_i)
            assert found[i, j] == pytest.approx(similarity / 2, abs=1e-5)
    assert np.abs(2 * found.diagonal() - 2).max() > 0.01  # sim(i, i) need not be 2


def test_the_couplings_are_the_two_terms_the_nearer_first_and_their_mean_is_the_score() -> None:
    encoder = tiny.encoder()
    documents = [*corpus()[1:6], Document("p", "patent", "", "boiler valve", claims=("a piston", "a crank"))]
    query = corpus()[0]
    scores = (encoder.encode_queries([query]) @ encoder.encode_documents(documents).T)[0]
    f_q, b_q = (half[0] for half in encoder.encode_halves([query]))
    former, latter = encoder.encode_halves(documents)
    met = encoder.couplings(query, documents, encoder.encode_documents(documents))
    for couplings, score, f_d, b_d in zip(met, scores, former, latter, strict=True):
        assert [coupling.similarity for coupling in couplings] == pytest.approx(sorted([f_q @ b_d, b_q @ f_d])[::-1])
        assert np.mean([coupling.similarity for coupling in couplings]) == pytest.approx(score, abs=1e-6)
    names = {(coupling.query_part, coupling.document_part) for coupling in met[0]}
    assert names == {("title", "abstract"), ("abstract", "title")}
    names = {(coupling.query_part, coupling.document_part) for coupling in met[-1]}
    assert names == {("title", "first claim"), ("abstract", "abstract")}
    by_part = {coupling.query_part: coupling.similarity for coupling in met[-1]}
    assert by_part["title"] == pytest.approx(f_q @ latter[-1])
    assert encoder.couplings(query, [], encoder.encode_documents([])) == []


def test_couplings_encode_the_query_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    encoder, read = tiny.encoder(), list[Document]()
    rows, halves = encoder.encode_documents(corpus()[1:6]), encoder.encode_halves
    monkeypatch.setattr(encoder, "encode_halves", lambda documents: read.extend(documents) or halves(documents))
    assert len(encoder.couplings(corpus()[0], corpus()[1:6], rows)) == 5
    assert read == [corpus()[0]]


@pytest.mark.parametrize("centred", [True, False])
def test_a_reduced_encoder_ranks_as_the_whole_one(centred: bool) -> None:
    whole = tiny.encoder()
    small = reduced(whole, dim=10, centred=centred)
    assert (small.card.dim, whole.card.dim) == (20, 128)
    first, second = (one.encode_queries(corpus()) @ one.encode_documents(corpus()).T for one in (whole, small))
    agreement = [
        len(set(ours.tolist()) & set(theirs.tolist())) / 10
        for ours, theirs in zip((-first).argsort()[:, :10], (-second).argsort()[:, :10], strict=True)
    ]
    assert np.mean(agreement) > (0.6 if centred else 0.8)
    couplings = small.couplings(corpus()[0], corpus()[1:2], small.encode_documents(corpus()[1:2]))[0]
    assert np.mean([coupling.similarity for coupling in couplings]) == pytest.approx(second[0, 1], abs=1e-5)
    assert small.with_reduction(None).card == whole.card
    np.testing.assert_array_equal(small.encode_halves(OURS, reduced=False), whole.encode_halves(OURS))


BAD = {
    "one word": Document("1", title="boiler"),
    "one unknown word": Document("2", title="zyzzyva"),
    "no title": Document("3", abstract="boiler valve steam pressure"),
    "no abstract": Document("4", title="boiler valve"),
    "half unknown": Document("5", title="zyzzyva", abstract="boiler valve steam"),
    "unknown words only": Document("6", title="foo bar", abstract="baz qux quux"),
    "50,000 words": Document("7", title="boiler", sections=(Section("", "boiler valve gene " * 17_000),)),
    "50,000 unknown words": Document("8", abstract="lorem ipsum " * 25_000),
    "one long word": Document("9", title="boiler" * 9_000),
    "other scripts": Document("10", title="ボイラーの圧力", abstract="давление пара в котле. ضغط البخار"),
    "only numbers": Document("11", title="3.14159", abstract="42 + 17 = 59, 1e9"),
    "signs": Document("12", title="\x00\ud7ff\u202e", abstract="<<<>>> &&& ;;; \\"),
    "no text": Document("13"),
    "patent without a description": Document("14", "patent", "boiler", "valve"),
    "empty claim": Document("15", "patent", "boiler", "valve", claims=("",)),
}


@pytest.mark.parametrize("settings", [CtpeSettings(), CtpeSettings(position="80%"), CtpeSettings(whole_below_tokens=9)])
@pytest.mark.parametrize("small", [True, False])
def test_bad_input_gives_finite_rows(settings: CtpeSettings, small: bool) -> None:
    encoder = tiny.encoder(settings=settings)
    if small:
        encoder = reduced(encoder, dim=8)
    documents = list(BAD.values())
    with np.errstate(all="raise"):
        rows = encoder.encode_documents(documents)
        former, latter = encoder.encode_halves(documents)
        couplings = encoder.couplings(corpus()[0], documents, rows)
    assert np.isfinite(rows).all()
    for half in (former, latter):
        lengths = np.linalg.norm(half, axis=1)
        assert (np.isclose(lengths, 1, atol=1e-5) | (lengths == 0)).all()
    assert rows[0].any()
    assert not rows[list(BAD).index("only numbers")].any()
    assert not rows[list(BAD).index("unknown words only")].any()
    assert all(np.isfinite(coupling.similarity) for couple in couplings for coupling in couple)


def test_a_half_unknown_leaves_the_other() -> None:
    former, latter = tiny.encoder().encode_halves([BAD["half unknown"]])
    assert not former.any()
    assert latter.any()


def test_a_short_question_can_be_both_halves() -> None:
    question = Document("q", "query", abstract="boiler valve gene protein")
    former, latter = tiny.encoder(settings=CtpeSettings(whole_below_tokens=5)).encode_halves([question])
    np.testing.assert_array_equal(former, latter)
    former, latter = tiny.encoder().encode_halves([question])
    assert np.abs(former - latter).max() > 0.1


def test_documents_are_read_in_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    together = tiny.encoder().encode_documents([*corpus(), EMPTY, FOREIGN])
    monkeypatch.setattr(module, "_DOCUMENTS_AT_ONCE", 5)
    monkeypatch.setattr(WordEmbeddings, "halves_at_once", 3)
    np.testing.assert_allclose(tiny.encoder().encode_documents([*corpus(), EMPTY, FOREIGN]), together, atol=1e-6)


def test_bfloat16_holds_rows_to_a_hundredth_in_any_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = tiny.encoder().encode_documents(corpus())
    monkeypatch.setattr(module, "reading_precision", lambda: "bfloat16")
    encoder = tiny.encoder()
    together = encoder.encode_documents(corpus())
    alone = np.concatenate([encoder.encode_documents([document]) for document in corpus()])
    assert not np.array_equal(together, whole)
    np.testing.assert_allclose(together, whole, atol=1e-2)
    np.testing.assert_allclose(alone, together, atol=1e-2)


def test_the_network_reads_where_transformers_do(monkeypatch: pytest.MonkeyPatch) -> None:
    on_the_processor = tiny.encoder()
    monkeypatch.setattr(module, "reading_device", lambda: torch.device("meta"))
    elsewhere = tiny.encoder()
    assert (on_the_processor._model.network.device.type, elsewhere._model.network.device.type) == ("cpu", "meta")
    assert elsewhere.card.fingerprint == on_the_processor.card.fingerprint


def test_training_further_does_not_change_an_encoder() -> None:
    embedding, network = tiny.words(), tiny.network(12)
    encoder = CtpeEncoder.of(embedding, network)
    before = encoder.encode_documents(corpus())
    with torch.no_grad():
        for parameter in (*network.parameters(), embedding.table):
            parameter.mul_(-3)
    np.testing.assert_array_equal(encoder.encode_documents(corpus()), before)
    assert all(parameter.requires_grad for parameter in network.parameters())


def test_what_changes_a_vector_changes_the_fingerprint() -> None:
    base = tiny.encoder()
    wider = CtpeEncoder.of(tiny.words(), tiny.network(12, channels=17))
    kinds = [
        base,
        tiny.encoder(settings=CtpeSettings(position="30%")),
        tiny.encoder(settings=CtpeSettings(max_tokens=199)),
        tiny.encoder(settings=CtpeSettings(whole_below_tokens=5)),
        tiny.encoder(settings=CtpeSettings(similarity="whole")),
        tiny.averaging(),
        tiny.encoder(tiny.weighted_words()),
        tiny.encoder(SentenceMeans(tiny.words())),
        CtpeEncoder.of(tiny.words(), tiny.network(12, seed=1)),
        wider,
        reduced(base, dim=5),
        reduced(base, dim=6),
        reduced(base, dim=5, centred=False),
    ]
    assert len({kind.card.fingerprint for kind in kinds}) == len(kinds)
    assert tiny.encoder(facts={"note": 1}, trained_on=("x",)).card.fingerprint == base.card.fingerprint


def test_the_card_tells_what_is_read_and_how_it_is_kept() -> None:
    card = tiny.encoder(settings=CtpeSettings(max_tokens=7, stored="int8"), trained_on=("ours",)).card
    assert (card.name, card.max_tokens, card.stored, card.trained_on) == ("ctpe", 14, "int8", ("ours",))
    assert len(text.sentences(card.summary)) == 2


def test_facts_and_settings_come_back(tmp_path: Path) -> None:
    facts = {"recipe": {"epochs": 2}, "hardware": "a machine", "loss_curve": [1.5, 0.5]}
    settings = CtpeSettings(position="40%", max_tokens=50, whole_below_tokens=3, stored="float16")
    encoder = tiny.encoder(settings=settings, facts=facts, trained_on=("ours",))
    encoder.save(tmp_path / "saved")
    again = CtpeEncoder.load(tmp_path / "saved")
    assert (again.settings, again.facts, again.card) == (settings, facts, encoder.card)
    assert {path.name for path in (tmp_path / "saved").iterdir()} == {
        "card.json",
        "vocabulary.txt",
        "weights.safetensors",
    }
    assert registry.load("ctpe", folder=tmp_path / "saved").card == encoder.card
    assert registry.load_folder(tmp_path / "saved").card == encoder.card


def test_word_vectors_are_no_ctpe_encoder() -> None:
    with pytest.raises(StorageError, match=r"Expected an encoder of ctpe/1 in .*, found one of word-vectors/1"):
        CtpeEncoder.load(registry.PRETRAINED / "word2vec")


def test_operations_are_those_of_every_half_and_its_reduction() -> None:
    whole = tiny.encoder(settings=CtpeSettings("50%"))
    document = Document("a", abstract="boiler valve piston boiler")  # two known words a half
    halves = 2 * tiny.network(tiny.words().dim).operations(2)
    assert whole.operations([document, EMPTY]) == halves
    assert reduced(whole, dim=5).operations([document]) == halves + 2 * (2 * 64 * 5)


def test_a_long_half_is_read_in_parts_whose_vectors_are_summed(tmp_path: Path) -> None:
    made = tiny.encoder(settings=CtpeSettings(part_tokens=4))
    words = made._model.embedding.words
    document = Document("a", title=" ".join(words[:3]), abstract=" ".join(words[:6]))
    former, latter = made.encode_halves([document])
    whole = tiny.encoder()
    parts = [Document("a", title=" ".join(words[:3]), abstract=" ".join(words[i : i + 3])) for i in (0, 3)]
    plain_former, plain_latter = whole.encode_halves(parts)
    np.testing.assert_allclose(former, plain_former[:1], atol=1e-6)
    expected = plain_latter.sum(axis=0) / np.linalg.norm(plain_latter.sum(axis=0))
    np.testing.assert_allclose(latter[0], expected, atol=1e-6)
    made.save(tmp_path / "kept")
    loaded = CtpeEncoder.load(tmp_path / "kept")
    assert loaded.card.fingerprint == made.card.fingerprint != whole.card.fingerprint
    np.testing.assert_array_equal(loaded.encode_halves([document])[1], latter)
