"""KeyVec: its settings, the contract, the sentences that it reads, and its network by its formulas."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from itertools import chain
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor

from engine.core import files
from engine.core.errors import EncoderError, StorageError
from engine.core.progress import Progress
from engine.documents import Chunk, Document, Section
from engine.encoders import registry
from engine.encoders.base import Encoder, groups
from engine.encoders.ctpe.embeddings import WordEmbeddings, end_to_end, padded
from engine.encoders.keyvec import encoder as module
from engine.encoders.keyvec.encoder import KeyvecEncoder, KeyvecShape
from engine.encoders.keyvec.network import (
    KeyvecNetwork,
    ReadSentences,
    SentenceCnn,
    SentenceWords,
    batches,
    by_document,
    read_documents,
    sentence_vectors,
    up_to,
)
from engine.encoders.keyvec.settings import METHOD, KeyvecSettings, Salience, explained
from tests.contracts.encoder import EMPTY, FOREIGN, EncoderContract, corpus
from tests.encoders.keyvec import tiny
from tests.encoders.keyvec.tiny import tiny_keyvec


@pytest.fixture(scope="module")
def keyvec() -> KeyvecEncoder:
    return tiny.tiny_keyvec()


@pytest.fixture
def network() -> KeyvecNetwork:
    return tiny.network().eval().requires_grad_(False)


def test_sentences_are_the_abstracts_where_the_body_is_short(keyvec: KeyvecEncoder) -> None:
    short = tiny.paper(sentences=4)
    alone = replace(short, abstract="")
    title = Document("title", title="Steam in the boiler", claims=("A valve and a piston.",))
    found = keyvec.salience([short, alone, title, EMPTY])
    assert [[one.section for one in salience.sentences] for salience in found] == [
        ["Abstract"] * 2,
        ["Method", "Method", "Results", "Results"],
        [],
        [],
    ]
    assert found[2].keywords and not found[3].keywords
    assert len(found[3].p) == 0


def test_headings_and_lines_of_code_are_not_read_first() -> None:
    texts = ("Field of the invention.", "The valve opens as the steam rises.", "The piston moves down the bore.")
    chunks = tuple(Chunk("own", 1, "Method", 0, len(text), text) for text in texts)
    found = Salience(chunks, np.array([0.9, 0.1, 0.4], np.float32), ())
    assert [one.text for one, _ in found.first(1)] == [texts[2]]
    assert [one.text for one, _ in found.first(3)] == list(texts)


def test_a_sentence_is_read_in_its_first_words(keyvec: KeyvecEncoder) -> None:
    opening = "steam valve piston crank " * 25
    one, other = (Document("a", abstract=opening + tail) for tail in ("", "gene protein cell " * 50))
    np.testing.assert_array_equal(keyvec.encode_documents([one]), keyvec.encode_documents([other]))


def test_three_thousand_sentences_are_read_and_no_more() -> None:
    keyvec = tiny.tiny_keyvec(channels=2, hidden=3, dim=4)
    many = [tiny.paper(sentences=count) for count in (2_996, 3_010)]
    rows, found = keyvec.encode_documents(many), keyvec.salience(many)
    assert np.isfinite(rows).all()
    assert [len(one.sentences) for one in found] == [2_996, 2_997]  # title and abstract take three
    few = tiny.tiny_keyvec(max_sentences=4)
    assert [len(one.sentences) for one in few.salience([tiny.paper(sentences=20)])] == [2]  # the abstract's


def test_parts_that_do_not_fit_are_refused() -> None:
    with pytest.raises(EncoderError, match="Expected a network for words of 3 numbers, got one for 12"):
        KeyvecEncoder.of(WordEmbeddings(["a"], np.ones((1, 3), np.float32)), tiny.network(), tiny.KEYWORDS)
    with pytest.raises(EncoderError, match="Expected 20 different key words, one a row of U, got 2 with 1"):
        KeyvecEncoder.of(tiny.words(), tiny.network(), ("a", "a"))
    rows = np.full((1, 12), np.nan, np.float32)
    with pytest.raises(EncoderError, match="Expected word vectors of finite numbers"):
        KeyvecEncoder.of(WordEmbeddings(["a"], rows), tiny.network(), tiny.KEYWORDS)
    broken = tiny.network()
    with torch.no_grad():
        broken.out.bias[0] = torch.nan
    with pytest.raises(EncoderError, match=r"found others in out\.bias"):
        KeyvecEncoder.of(tiny.words(), broken, tiny.KEYWORDS)


def test_a_folder_of_other_shapes_is_refused(keyvec: KeyvecEncoder, tmp_path: Path) -> None:
    def changed(**settings: object) -> None:
        keyvec.save(tmp_path / "saved")
        card = files.read_json(tmp_path / "saved" / "card.json")
        card["facts"]["settings"] |= settings
        files.write_json(tmp_path / "saved" / "card.json", card)

    changed(keywords=0)
    with pytest.raises(StorageError, match="word_dim and keywords must be at least 1, got 12 and 0"):
        KeyvecEncoder.load(tmp_path / "saved")
    changed(unknown=1)
    with pytest.raises(StorageError, match="unknown"):
        KeyvecEncoder.load(tmp_path / "saved")
    changed(word_dim=13)
    with pytest.raises(StorageError, match="found other weights"):
        KeyvecEncoder.load(tmp_path / "saved")


def test_arrays_that_the_settings_do_not_fit_are_refused(keyvec: KeyvecEncoder) -> None:
    stored, shape = keyvec._weights, KeyvecShape(keyvec.settings, word_dim=12, keywords=21)
    with pytest.raises(EncoderError, match=r"Expected 21 key words and words of 12 numbers .* got 20 key words"):
        KeyvecEncoder(shape, stored.arrays, stored.words)


def test_facts_come_back_and_words_are_kept_as_bytes(tmp_path: Path) -> None:
    made = KeyvecEncoder.of(tiny.words(), tiny.network(), ("novel", *tiny.KEYWORDS[1:]), facts={"seed": 1})
    made.save(tmp_path / "saved")
    again = KeyvecEncoder.load(tmp_path / "saved")
    assert again.facts == {"seed": 1}
    assert again.settings == made.settings
    assert "novel" in dict(again.salience([tiny.paper()], keywords=20)[0].keywords)
    assert (tmp_path / "saved" / "vocabulary.txt").read_text().splitlines()[-1] == "novel"


def test_key_words_are_the_softmax_of_the_vector(keyvec: KeyvecEncoder) -> None:
    document = tiny.paper()
    (found,) = keyvec.salience([document], keywords=len(tiny.KEYWORDS))
    network = tiny.network().eval()
    words = tiny.words()
    ids = [words.ids(text, 100) for text in _sentences(document)]
    with torch.no_grad():
        rows = module.sentence_vectors(network, words.table, ids)
        vectors, _ = module.read_documents(network, rows, [len(ids)])
        logits = (network.keywords.weight @ vectors[0]).tolist()
    shares = np.exp(logits) / np.exp(logits).sum()
    assert dict(found.keywords) == pytest.approx(dict(zip(tiny.KEYWORDS, shares, strict=True)), abs=1e-3)
    assert [p for _, p in found.keywords] == sorted((p for _, p in found.keywords), reverse=True)
    assert len(keyvec.salience([document], keywords=3)[0].keywords) == 3


def _sentences(document: Document) -> list[str]:
    parts = [part for part in document.parts if part.role != "references"]
    return [f"{one}." for part in parts for one in part.text.split(".") if one.strip()]


def test_other_documents_change_no_probability(keyvec: KeyvecEncoder) -> None:
    documents = [tiny.paper(sentences=count) for count in (8, 40, 6)] + corpus()[:4]
    together = keyvec.salience(documents)
    for document, found in zip(documents, together, strict=True):
        (alone,) = keyvec.salience([document])
        assert alone.sentences == found.sentences
        np.testing.assert_allclose(alone.p, found.p, atol=1e-5)
        assert dict(alone.keywords) == pytest.approx(dict(found.keywords), abs=1e-5)


def test_documents_are_read_in_groups_that_are_bounded(keyvec: KeyvecEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    documents = [tiny.paper(sentences=count) for count in (8, 40, 6, 12)]
    rows, found = keyvec.encode_documents(documents), keyvec.salience(documents)
    monkeypatch.setattr(module, "_CHARACTERS_AT_ONCE", 900)
    monkeypatch.setattr(module, "_DOCUMENTS_AT_ONCE", 2)
    assert groups(documents, 900, 2) == [slice(0, 1), slice(1, 2), slice(2, 4)]
    np.testing.assert_allclose(keyvec.encode_documents(documents), rows, atol=1e-6)
    for one, other in zip(keyvec.salience(documents), found, strict=True):
        np.testing.assert_allclose(one.p, other.p, atol=1e-5)


@pytest.mark.parametrize(
    "document",
    [
        EMPTY,
        FOREIGN,
        Document("word", title="steam"),
        Document("numbers", title="12 34", abstract="3.14 2.72! 100 % of 7.", sections=(Section("1", "1 2 3. 4 5."),)),
        Document("script", abstract="蒸汽机的锅炉。 Паровая машина. المحرك البخاري؟ \ud83d"),
        Document("cited", sections=(Section("References", "Steam and boiler.", "references"),)),
        Document("long", abstract="boiler " * 5_000),
        Document("spaces", title=" \n\t", abstract="\x00\x0b", sections=(Section("", ""),)),
    ],
    ids=lambda document: document.id,
)
def test_a_poor_document_gives_a_result_without_nan(keyvec: KeyvecEncoder, document: Document) -> None:
    rows = keyvec.encode_documents([document])
    assert np.isfinite(rows).all()
    (found,) = keyvec.salience([document])
    assert np.isfinite(found.p).all()
    assert all(np.isfinite(p) for _, p in found.keywords)
    has_words = document.id in {"word", "long"}
    assert rows.any() == has_words and bool(found.keywords) == has_words


def test_the_registry_reads_its_folder_by_the_method(keyvec: KeyvecEncoder, tmp_path: Path) -> None:
    keyvec.save(tmp_path / "saved")
    assert registry.load_folder(tmp_path / "saved").card == keyvec.card
    assert files.read_json(tmp_path / "saved" / "card.json")["method"] == METHOD


def test_many_sentences_are_weighed_in_steps_that_are_told(
    keyvec: KeyvecEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Progress] = []
    (at_once,) = keyvec.salience([tiny.paper(sentences=40)])
    monkeypatch.setattr(module, "_SENTENCES_AT_ONCE", 7)
    (in_steps,) = keyvec.salience([tiny.paper(sentences=40)], report=told.append)
    np.testing.assert_allclose(in_steps.p, at_once.p, atol=1e-5)
    assert (told[-1].stage, told[-1].done, told[-1].total) == ("weigh sentences", 43, 43)


class TestContract(EncoderContract):
    @pytest.fixture
    def encoder(self) -> Encoder:
        return tiny_keyvec()


DIM, CHANNELS, WIDTHS = 6, 4, (1, 3, 5)


@pytest.fixture
def cnn() -> SentenceCnn:
    with torch.random.fork_rng():
        torch.manual_seed(2)
        return SentenceCnn(DIM, CHANNELS, WIDTHS)


@pytest.fixture
def table() -> Tensor:
    return torch.randn(20, DIM, generator=torch.Generator().manual_seed(1))


def batch(*sentences: list[int]) -> SentenceWords:
    return padded(*end_to_end([np.array(sentence, np.int32) for sentence in sentences]))


def by_hand(cnn: SentenceCnn, table: Tensor, sentence: list[int]) -> list[float]:
    """Every filter at every window, number by number."""
    found = []
    for width, weights, biases in zip(cnn.widths, cnn.weights, cnn.biases, strict=True):
        words = [table[word].tolist() for word in sentence]
        words += [[0.0] * DIM] * (width - len(words))
        for weight, bias in zip(weights.tolist(), biases.tolist(), strict=True):
            answers = [
                sum(one * other for one, other in zip(chain(*words[start : start + width]), weight, strict=True))
                for start in range(len(words) - width + 1)
            ]
            found.append(max(0.0, max(answers) + bias))
    return found


SENTENCES = [[3, 1, 4, 1, 5, 9, 2], [7], [8, 2, 8], [1, 8, 2, 8, 4]]


def test_every_filter_gives_its_largest_answer(cnn: SentenceCnn, table: Tensor) -> None:
    rows = cnn(table, [batch(*SENTENCES)])
    expected = [by_hand(cnn, table, sentence) for sentence in SENTENCES]
    np.testing.assert_allclose(rows.detach().numpy(), expected, atol=1e-5)


def test_padding_and_other_sentences_change_nothing(cnn: SentenceCnn, table: Tensor) -> None:
    together = cnn(table, [batch(*SENTENCES, list(range(20)))])[:-1]
    alone = cnn(table, [batch(sentence) for sentence in SENTENCES])
    torch.testing.assert_close(together, alone, atol=1e-6, rtol=0)
    numbers, lengths = batch(*SENTENCES)
    moved = numbers.masked_fill(~up_to(lengths, numbers.shape[1]), 11)
    torch.testing.assert_close(cnn(table, [(moved, lengths)]), alone, atol=1e-6, rtol=0)


def test_gradients_are_those_of_plain_convolutions(cnn: SentenceCnn, table: Tensor) -> None:
    ours, theirs = table.clone().requires_grad_(), table.clone().requires_grad_()
    weights = torch.randn(len(SENTENCES), cnn.out_dim, generator=torch.Generator().manual_seed(4))
    (cnn(ours, [batch(*SENTENCES[:2]), batch(*SENTENCES[2:])]) * weights).sum().backward()
    gradients = [parameter.grad.clone() for parameter in cnn.parameters()]
    cnn.zero_grad()
    rows = []
    for sentence in SENTENCES:
        words = torch.nn.functional.pad(theirs[sentence], (0, 0, 0, max(0, max(WIDTHS) - len(sentence))))
        parts = []
        for width, weight, bias in zip(cnn.widths, cnn.weights, cnn.biases, strict=True):
            own = words[: max(width, len(sentence))].unfold(0, width, 1).transpose(1, 2).flatten(1)  # (windows, w dim)
            parts.append(torch.relu((own @ weight.t()).amax(dim=0) + bias))
        rows.append(torch.cat(parts))
    (torch.stack(rows) * weights).sum().backward()
    torch.testing.assert_close(ours.grad, theirs.grad, atol=1e-5, rtol=1e-4)
    for gradient, parameter in zip(gradients, cnn.parameters(), strict=True):
        torch.testing.assert_close(gradient, parameter.grad, atol=1e-5, rtol=1e-4)


COUNTS = [3, 1, 7, 0, 2]


@pytest.fixture
def sentences(network: KeyvecNetwork) -> Tensor:
    return torch.rand(sum(COUNTS), network.sentences.out_dim, generator=torch.Generator().manual_seed(3))


def test_the_vector_pools_states_by_their_probabilities(network: KeyvecNetwork, sentences: Tensor) -> None:
    read = network.read(sentences[:3], torch.tensor([3]))
    states, weight, bias = read.states[0].tolist(), network.salient.weight[0].tolist(), float(network.salient.bias)
    logits = [sum(one * other for one, other in zip(state, weight, strict=True)) + bias for state in states]
    np.testing.assert_allclose(read.logits[0], logits, atol=1e-5)
    p = [1 / (1 + np.exp(-logit)) for logit in logits]
    pooled = [sum(p[i] * states[i][j] for i in range(3)) / sum(p) for j in range(len(states[0]))]
    out = zip(network.out.weight.tolist(), network.out.bias.tolist(), strict=True)
    expected = [np.tanh(sum(w * h for w, h in zip(row, pooled, strict=True)) + b) for row, b in out]
    np.testing.assert_allclose(network.vectors(read)[0], expected, atol=1e-5)


def test_states_are_those_of_a_network_that_reads_both_ways(network: KeyvecNetwork, sentences: Tensor) -> None:
    both = torch.nn.LSTM(network.sentences.out_dim, network.settings.hidden, batch_first=True, bidirectional=True)
    with torch.no_grad():
        for name, part in both.named_parameters():
            own = network.back if name.endswith("_reverse") else network.ahead
            part.copy_(getattr(own, name.removesuffix("_reverse")))
    states = network.read(sentences[4:11], torch.tensor([7])).states
    torch.testing.assert_close(states, both(sentences[None, 4:11])[0].detach(), atol=1e-5, rtol=0)


def test_other_documents_and_padding_change_nothing(network: KeyvecNetwork, sentences: Tensor) -> None:
    rows, logits = read_documents(network, sentences, COUNTS)
    starts = np.cumsum([0, *COUNTS])
    for place, count in enumerate(COUNTS):
        alone = read_documents(network, sentences[starts[place] : starts[place + 1]], [count])
        torch.testing.assert_close(alone[0][0], rows[place], atol=1e-5, rtol=0)
        torch.testing.assert_close(alone[1], logits[starts[place] : starts[place + 1]], atol=1e-5, rtol=0)
    assert not rows[3].any()


def test_shares_hold_where_every_probability_is_next_to_nothing(network: KeyvecNetwork) -> None:
    states = torch.rand(1, 3, 2 * network.settings.hidden)
    inside = torch.tensor([[True, True, False]])
    logits = torch.tensor([[-300.0, -300.0, 50.0]])
    found = network.vectors(ReadSentences(states, logits, inside))
    even = network.vectors(ReadSentences(states, torch.zeros(1, 3), inside))
    torch.testing.assert_close(found, even)


def test_sentences_come_back_in_the_order_given(network: KeyvecNetwork) -> None:
    table = tiny.words().table
    ids = [np.arange(length, dtype=np.int32) for length in (9, 2, 30, 1, 2)]
    together = sentence_vectors(network, table, ids)
    alone = torch.cat([sentence_vectors(network, table, [one]) for one in ids])
    torch.testing.assert_close(together, alone, atol=1e-5, rtol=0)
    assert sentence_vectors(network, table, []).shape == (0, network.sentences.out_dim)


def test_batches_are_bounded_with_their_padding() -> None:
    found = [places.tolist() for places in batches([4, 1, 0, 9, 2, 2], 8)]
    assert found == [[1, 4, 5], [0], [3]]


def test_what_is_before_a_length_is_true() -> None:
    assert up_to(torch.tensor([0, 1, 5]), 2).tolist() == [[False, False], [True, False], [True, True]]


def test_rows_are_put_with_their_documents() -> None:
    rows = torch.tensor([[1.0], [2.0], [3.0]], requires_grad=True)
    documents, inside = by_document(rows, torch.tensor([2, 1]))
    assert documents.tolist() == [[[1.0], [2.0]], [[3.0], [0.0]]]
    assert inside.tolist() == [[True, True], [True, False]]
    (documents * torch.tensor([[[1.0], [10.0]], [[100.0], [7.0]]])).sum().backward()
    assert rows.grad is not None
    assert rows.grad.tolist() == [[1.0], [10.0], [100.0]], "training goes through it"


@pytest.mark.parametrize(("p", "said"), [(0.734, "0.73"), (0, "0.00"), (0.996, "1.00"), (1, "1.00")])
def test_a_p_is_told_to_a_hundredth_with_its_range(p: float, said: str) -> None:
    assert explained(p) == f"p {said}: how likely it is to carry what an abstract would say, from 0 to 1"


def test_reports_explain_it_without_a_network() -> None:
    command = "import sys, engine.encoders.keyvec.settings; print({'torch', 'numpy'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", command], capture_output=True, text=True).stdout == "set()\n"


@pytest.mark.parametrize("name", ["max_sentences", "max_words", "channels", "hidden", "dim"])
def test_settings_out_of_their_ranges_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match=f"{name} must be at least 1, got 0"):
        KeyvecSettings(**{name: 0})


def test_widths_must_be_numbers_from_one_on() -> None:
    for widths in ((), (3, 0)):
        with pytest.raises(ValueError, match="widths must be one or more numbers from 1 on"):
            KeyvecSettings(widths=widths)


def test_salient_sentences_stand_where_their_offsets_say(keyvec: KeyvecEncoder) -> None:
    document = tiny.paper()
    (found,) = keyvec.salience([document])
    assert [one.section for one in found.sentences] == ["Method"] * 4 + ["Results"] * 4
    assert all(document.parts[one.part].text[one.start : one.stop] == one.text for one in found.sentences)
    assert found.p.shape == (8,) and found.p.dtype == np.float32
    assert ((found.p > 0) & (found.p < 1)).all()


def test_the_strongest_sentences_come_in_reading_order(keyvec: KeyvecEncoder) -> None:
    (found,) = keyvec.salience([tiny.paper()])
    strongest = sorted(np.argsort(-found.p, kind="stable")[:3])
    assert found.first(3) == tuple((found.sentences[place], float(found.p[place])) for place in strongest)
    assert len(found.first(99)) == 8 and found.first(0) == ()


def test_the_words_of_citations_are_no_key_words() -> None:
    made = KeyvecEncoder.of(tiny.words(), tiny.network(), ("et", "al", *tiny.KEYWORDS[2:]))
    everything = made.salience([tiny.paper()], keywords=len(tiny.KEYWORDS))[0].keywords
    assert {word for word, _ in everything} == set(tiny.KEYWORDS[2:])
    assert [made.salience([tiny.paper()], keywords=count)[0].keywords for count in (0, 3)] == [(), everything[:3]]
