"""What CTPE reads: its settings, a document's two halves, and texts as vectors of words, sentences and tokens."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from engine.core.errors import EncoderError
from engine.documents import Document, Section
from engine.documents.text import tokens as tokens_of
from engine.encoders import registry
from engine.encoders.base import Encoder
from engine.encoders.ctpe.embeddings import (
    RememberedVectors,
    SentenceMeans,
    TransformerTokens,
    WordEmbeddings,
    end_to_end,
    remembered,
    remembering,
)
from engine.encoders.ctpe.settings import CtpeSettings, Position, TextPair, cut_pair, share_end
from engine.encoders.transformer import Transformer
from engine.encoders.word_vectors import WordVectors
from tests.contracts.encoder import EncoderContract, corpus
from tests.documents.test_text import HOSTILE
from tests.encoders.ctpe import tiny
from tests.encoders.test_word_vectors import vectors_of
from tests.encoders.tiny_transformer import write_tiny_transformer

MEANINGFUL = Position()


BODY = (Section("Background", "Kettles boil water."), Section("References", "Watt 1769.", "references"))


def test_a_paper_is_cut_between_title_and_abstract() -> None:
    paper = Document("p", title="On kettles", abstract="We boil water.", sections=BODY)
    assert cut_pair(paper, MEANINGFUL) == TextPair("On kettles", "We boil water.", "title", "abstract")


def test_a_patent_is_cut_between_abstract_and_first_claim() -> None:
    patent = Document("p", "patent", "Kettle", "A kettle that whistles.", BODY, claims=("A kettle.", "Its lid."))
    assert cut_pair(patent, MEANINGFUL) == TextPair("A kettle that whistles.", "A kettle.", "abstract", "first claim")


def test_a_cancelled_claim_is_passed_over() -> None:
    patent = Document("p", "patent", "Kettle", "A kettle that whistles.", BODY, claims=("", "A kettle.", "Its lid."))
    pair = cut_pair(patent, MEANINGFUL)
    assert (pair.former, pair.latter) == ("A kettle that whistles.", "A kettle.")


def test_a_patent_without_claims_is_cut_before_its_description() -> None:
    patent = Document("p", "patent", "Kettle", "A kettle that whistles.", BODY)
    pair = cut_pair(patent, MEANINGFUL)
    assert (pair.former_name, pair.latter_name) == ("title and abstract", "opening of the description")
    assert tokens_of(pair.former) == tokens_of("Kettle. A kettle that whistles.")
    assert pair.latter == "Kettles boil water."


def test_a_question_of_two_parts_is_cut_as_a_paper() -> None:
    question = Document("q", "query", title="Kettles", abstract="Which kettles whistle?")
    assert cut_pair(question, MEANINGFUL).former_name == "title"


@pytest.mark.parametrize(
    "document",
    [
        Document("q", "query", abstract="alpha beta gamma delta epsilon zeta eta theta iota kappa"),
        Document("p", title="alpha beta gamma", sections=(Section("", "delta epsilon zeta eta theta iota kappa"),)),
        Document("p", title="17:42", abstract="alpha beta gamma delta epsilon zeta eta theta iota kappa"),
        Document("p", "patent", "alpha beta gamma delta epsilon zeta eta theta iota", claims=("kappa",)),
    ],
)
def test_where_a_half_would_be_empty_three_tokens_in_ten_come_first(document: Document) -> None:
    pair = cut_pair(document, MEANINGFUL)
    assert tokens_of(pair.former) == ["alpha", "beta", "gamma"]
    assert tokens_of(pair.latter) == "delta epsilon zeta eta theta iota kappa".split()
    assert (pair.former_name, pair.latter_name) == ("first 30 %", "rest")


def test_a_share_is_taken_of_the_whole_text_but_the_reference_list() -> None:
    paper = Document("p", title="a b", abstract="c d e f", sections=(Section("", "g h i j"), *BODY[1:]))
    pair = cut_pair(paper, Position(40))
    assert (tokens_of(pair.former), tokens_of(pair.latter)) == (list("abcd"), list("efghij"))
    assert pair.former_name == "first 40 %"


@pytest.mark.parametrize("position", [MEANINGFUL, Position(80)])
def test_one_word_is_both_halves(position: Position) -> None:
    pair = cut_pair(Document("p", title="Kettle"), position)
    assert pair == TextPair("Kettle", "Kettle", "whole text", "whole text")


@pytest.mark.parametrize("position", [MEANINGFUL, Position(80)])
def test_no_text_is_two_empty_halves(position: Position) -> None:
    pair = cut_pair(Document("p"), position)
    assert (pair.former, pair.latter) == ("", "")


def test_a_short_text_is_both_halves_where_that_is_asked_for() -> None:
    question = Document("q", "query", title="Which kettles", abstract="whistle and why")
    assert cut_pair(question, MEANINGFUL, whole_below_tokens=5).former_name == "title"
    pair = cut_pair(question, MEANINGFUL, whole_below_tokens=6)
    assert pair.former == pair.latter == question.text
    assert cut_pair(Document("p"), MEANINGFUL, whole_below_tokens=6).former == ""


@pytest.mark.parametrize("text", ["meaningful", "1%", "30%", "99%"])
def test_a_position_reads_what_it_writes(text: str) -> None:
    assert str(Position.parse(text)) == text
    assert str(Position.parse(text.replace("%", " %"))) == text


@pytest.mark.parametrize("text", ["", "30", "0.3", "100%", "-5%", "middle", "\uff13\uff10%"])
def test_another_position_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r'position must be "meaningful" or a share of the tokens such as "30%", got'):
        Position.parse(text)


@pytest.mark.parametrize("percent", [0, 100])
def test_a_share_that_leaves_a_half_empty_is_refused(percent: int) -> None:
    with pytest.raises(ValueError, match=f"position must leave both halves some text, 1% to 99%, got {percent}%"):
        Position(percent)


@pytest.mark.parametrize("percent", [1, 20, 30, 50, 80, 99])
def test_a_share_of_plain_words_ends_at_that_word(percent: int) -> None:
    text = " ".join(f"word{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(500))
    end = share_end(text, percent)
    assert len(tokens_of(text[:end])) == 5 * percent
    assert tokens_of(text[:end]) + tokens_of(text[end:]) == tokens_of(text)


@pytest.mark.parametrize("text", [text for text in HOSTILE if len(tokens_of(text)) > 1])
@pytest.mark.parametrize("percent", [1, 30, 99])
def test_both_sides_of_a_share_hold_tokens_and_none_is_lost(text: str, percent: int) -> None:
    end = share_end(text, percent)
    if end is None:
        assert not any(tokens_of(text[:n]) and tokens_of(text[n:]) for n, sign in enumerate(text) if sign == " ")
        return
    before, after = tokens_of(text[:end]), tokens_of(text[end:])
    assert before
    assert after
    assert before + after == tokens_of(text)


def test_a_word_of_several_tokens_stays_whole() -> None:
    assert share_end("state-of-the-art", 50) is None
    text = "one state-of-the-art"
    assert text[: share_end(text, 50)] == "one"
    text = "state-of-the-art one"
    assert text[: share_end(text, 30)] == "state-of-the-art"


@pytest.mark.parametrize("text", ["", "one", "42 + 17", "   "])
def test_fewer_than_two_tokens_cannot_be_cut(text: str) -> None:
    assert share_end(text, 30) is None


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"position": "0%"}, "position must leave both halves some text"),
        ({"position": "front"}, "position must be"),
        ({"max_tokens": 0}, "max_tokens must be at least 1, got 0"),
        ({"whole_below_tokens": -1}, "whole_below_tokens must be 0 or more, got -1"),
        ({"similarity": "both"}, "similarity must be one of coupled, whole, got 'both'"),
        ({"stored": "int4"}, "stored must be one of float32, float16, int8, got 'int4'"),
    ],
)
def test_a_value_outside_its_range_is_refused(wrong: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        CtpeSettings(**wrong)


def test_the_card_of_a_shipped_encoder_is_read_without_torch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = tiny.encoder(trained_on=("ours",))
    monkeypatch.setattr(registry, "PRETRAINED", tmp_path)
    assert "ctpe" not in registry.encoder_names()
    encoder.save(tmp_path / "ctpe")
    assert "ctpe" in registry.encoder_names()
    assert registry.find("ctpe").card == encoder.card
    assert registry.load("ctpe").card == encoder.card
    script = (
        "import sys; from pathlib import Path; from engine.encoders import registry\n"
        f"registry.PRETRAINED = Path({str(tmp_path)!r})\n"
        "assert 'ctpe' in registry.encoder_names() and registry.find('ctpe').card.dim == 128\n"
        "assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], cwd=Path(__file__).resolve().parents[3], check=True)


VECTORS = {"boiler": [1.0, 0.0], "valve": [0.0, 1.0], "steam": [0.5, 0.5], "gene": [-1.0, 0.0]}


@pytest.fixture
def words() -> WordEmbeddings:
    return WordEmbeddings.of(vectors_of(VECTORS))


def test_tokens_become_numbers_and_unknown_ones_are_passed_over(words: WordEmbeddings) -> None:
    found = words.ids("The BOILER, its <b>valve</b> & the boiler.", 200)
    assert found.dtype == np.int32
    assert found.tolist() == [0, 1, 0]


def test_the_first_known_words_are_read_and_no_more(words: WordEmbeddings) -> None:
    assert words.ids("what is a boiler valve gene steam", 3).tolist() == [0, 1, 3]
    assert len(words.ids("boiler valve " * 50_000, 200)) == 200


@pytest.mark.parametrize("text", ["", "unknown words only", "12 34", "漢字", "<b></b>"])
def test_nothing_known_is_no_number(words: WordEmbeddings, text: str) -> None:
    assert words.ids(text, 200).shape == (0,)
    assert words.ids(text, 200).dtype == np.int32


def test_texts_become_padded_vectors_and_lengths(words: WordEmbeddings) -> None:
    tokens, lengths = words.encode(["valve boiler gene", "", "steam"], 200)
    assert lengths.tolist() == [3, 0, 1]
    assert tokens.shape == (3, 3, 2)
    assert tokens.dtype == torch.float32
    assert tokens[0].tolist() == [[0, 1], [1, 0], [-1, 0]]
    assert tokens[2, 0].tolist() == [0.5, 0.5]


def test_no_text_and_only_empty_texts_give_no_vector(words: WordEmbeddings) -> None:
    for texts in ([], ["", ""]):
        tokens, lengths = words.encode(texts, 200)
        assert tokens.shape == (len(texts), 0, 2)
        assert lengths.tolist() == [0] * len(texts)


def test_numbers_stand_end_to_end() -> None:
    flat, offsets = end_to_end([np.array([5, 6], np.int32), np.empty(0, np.int32), np.array([7], np.int32)])
    assert (flat.tolist(), offsets.tolist(), flat.dtype) == ([5, 6, 7], [0, 2, 2, 3], np.int32)
    assert [len(part) for part in end_to_end([])] == [0, 1]


def test_a_table_is_frozen_until_it_is_trained(words: WordEmbeddings) -> None:
    ids = end_to_end([words.ids("boiler valve", 9)])
    assert not words.encode_ids(*ids)[0].requires_grad
    words.requires_grad_(True)
    words.encode_ids(*ids)[0].sum().backward()
    assert words.table.grad.tolist() == [[1, 1], [1, 1], [0, 0], [0, 0]]


def test_what_is_stored_comes_back_and_does_not_follow_later_training(words: WordEmbeddings) -> None:
    stored = words.as_stored()
    again = WordEmbeddings.build(stored.arrays, stored.words, stored.config)
    assert again.fingerprint == stored.fingerprint == words.fingerprint
    torch.testing.assert_close(again.table, stored.table, rtol=0, atol=0)
    torch.testing.assert_close(stored.table, words.table, rtol=0, atol=0.01)
    with torch.no_grad():
        words.table.mul_(-1)
    assert words.fingerprint != stored.fingerprint
    assert stored.table[0, 0] > 0 > words.as_stored().table[0, 0]


@pytest.mark.parametrize("rows", [np.zeros((0, 2)), np.zeros((3, 2)), np.zeros(2)])
def test_words_without_their_vectors_are_refused(rows: np.ndarray) -> None:
    with pytest.raises(EncoderError, match=r"Expected words and one vector each, got [02] words and vectors of shape"):
        WordEmbeddings(["a", "b"][: 2 * len(rows)], rows.astype(np.float32))


def test_a_sentence_is_the_mean_of_its_words_and_sentences_come_before_tokens(words: WordEmbeddings) -> None:
    means = SentenceMeans(words)
    tokens, lengths = means.encode(["The boiler has a valve. Nothing known. Gene et al. saw steam!", "", "Valve."], 200)
    assert lengths.tolist() == [2, 0, 1]
    assert tokens.shape == (3, 2, 2)
    torch.testing.assert_close(tokens[0], torch.tensor([[0.5, 0.5], [-0.25, 0.25]]))
    torch.testing.assert_close(tokens[2], torch.tensor([[0.0, 1.0], [0.0, 0.0]]))


def test_sentences_are_counted_not_words(words: WordEmbeddings) -> None:
    means = SentenceMeans(words)
    assert means.encode(["Boiler valve steam. Gene valve. Steam. Boiler."], 2)[1].tolist() == [2]
    assert means.encode(["Boiler valve. " * 20_000], 200)[1].tolist() == [200]


def test_the_words_of_sentences_can_be_trained(words: WordEmbeddings) -> None:
    words.requires_grad_(True)
    SentenceMeans(words).encode(["Boiler valve. Gene."], 9)[0].sum().backward()
    assert words.table.grad.tolist() == [[0.5, 0.5], [0.5, 0.5], [0, 0], [1, 1]]


def test_sentences_and_words_of_one_table_have_two_fingerprints(words: WordEmbeddings) -> None:
    means = SentenceMeans(words)
    assert means.fingerprint != words.fingerprint
    assert SentenceMeans.build(means.arrays, means.words, means.config).fingerprint == means.fingerprint
    assert means.as_stored().word_embeddings is not words


def weighted() -> WordEmbeddings:
    """The four words, seen 1000, 10, 0 and 90 times in a text of 2000."""
    vectors = vectors_of(VECTORS)
    counts = np.array([1000, 10, 0, 90])
    return WordEmbeddings.of(WordVectors(vectors.words, vectors.vectors, counts, 2000), weighted=True)


def test_weights_start_at_smooth_inverse_frequency_and_stand_where_the_vectors_do() -> None:
    words = weighted()
    ids = end_to_end([words.ids(text, 9) for text in ("steam boiler valve", "", "gene")])
    found = words.token_weights(*ids)
    assert found.shape == words.encode_ids(*ids)[0].shape[:2] == (3, 3)
    wanted = [1e-3 / (1e-3 + count / 2000) for count in (0, 1000, 10)]
    np.testing.assert_allclose(found[0].numpy(), wanted, rtol=1e-5)
    assert found[2, 0].item() == pytest.approx(1e-3 / (1e-3 + 90 / 2000), rel=1e-5)
    assert words.token_weights(*end_to_end([])).shape == (0, 0)


def test_words_without_weights_and_sentences_count_once(words: WordEmbeddings) -> None:
    ids = end_to_end([words.ids("steam boiler", 9)])
    assert words.token_weights(*ids) is None
    assert SentenceMeans(weighted()).token_weights(*ids) is None


def test_the_mean_occurrence_counts_every_word_of_the_text(words: WordEmbeddings) -> None:
    seen = ["boiler"] * 1000 + ["valve"] * 10 + ["gene"] * 90
    weights = {word: 1e-3 / (1e-3 + seen.count(word) / 2000) for word in VECTORS}
    wanted = np.mean([weights[word] * np.array(VECTORS[word]) for word in seen], axis=0)
    np.testing.assert_allclose(weighted().mean_occurrence(), wanted, rtol=1e-5)
    np.testing.assert_allclose(words.mean_occurrence(), np.mean(list(VECTORS.values()), axis=0), rtol=1e-6)


def test_words_that_know_no_counts_have_no_mean_occurrence(words: WordEmbeddings) -> None:
    with pytest.raises(EncoderError, match=r"Expected words with counts, got some without"):
        words.as_stored().mean_occurrence()


def test_weights_are_frozen_until_they_are_trained() -> None:
    words = weighted()
    ids = end_to_end([words.ids("boiler valve boiler", 9), words.ids("gene", 9)])
    assert not words.token_weights(*ids).requires_grad
    words.requires_grad_(True)
    tokens, lengths = words.encode_ids(*ids)
    weights = words.token_weights(*ids)
    (weights[0] @ tokens[0, :, 0] + weights[1, 0] * tokens[1, 0, 0]).backward()
    boiler, valve, _, gene = words.log_weights.detach().exp().tolist()
    assert lengths.tolist() == [3, 1]
    assert words.log_weights.grad.tolist() == pytest.approx([2 * boiler, 0, 0, -gene])
    assert words.table.grad[:, 0].tolist() == pytest.approx([2 * boiler, valve, 0, gene])


def test_weights_are_stored_in_half_precision_and_change_the_fingerprint(words: WordEmbeddings) -> None:
    ours = weighted()
    stored = ours.as_stored()
    assert {name: array.dtype.name for name, array in stored.arrays.items()} == {
        "numbers": "int8",
        "scales": "float32",
        "log_weights": "float16",
    }
    assert {name: array.ndim for name, array in ours.arrays.items()} == WordEmbeddings.expected(ours.config)
    again = WordEmbeddings.build(stored.arrays, stored.words, stored.config)
    torch.testing.assert_close(again.log_weights, stored.log_weights, rtol=0, atol=0)
    torch.testing.assert_close(stored.log_weights, ours.log_weights, rtol=1e-3, atol=0)
    with torch.no_grad():
        ours.log_weights[0] = -1
    assert len({words.fingerprint, stored.fingerprint, ours.fingerprint}) == 3
    assert again.fingerprint == stored.fingerprint
    means = SentenceMeans(stored)
    assert {name: array.ndim for name, array in means.arrays.items()} == SentenceMeans.expected(means.config)
    assert SentenceMeans.build(means.arrays, means.words, means.config).fingerprint == means.fingerprint


def test_a_weight_too_few_is_refused() -> None:
    with pytest.raises(EncoderError, match=r"Expected one weight for each of 2 words, got shape \(1,\)"):
        WordEmbeddings(["a", "b"], np.ones((2, 3), np.float32), log_weights=np.zeros(1, np.float32))


class Reader:
    """Reads a token as its number, twice; knows the texts that it was asked for."""

    def __init__(self, precision: torch.dtype = torch.float32) -> None:
        self.precision = precision
        self.asked: list[list[int]] = []

    def __call__(self, texts: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
        self.asked += [list(ids) for ids in texts]
        vectors = torch.full((len(texts), max(map(len, texts), default=0), 2), 99, dtype=self.precision)
        for place, ids in enumerate(texts):
            vectors[place, : len(ids)] = torch.tensor(ids, dtype=self.precision)[:, None]
        return vectors, torch.tensor([len(ids) for ids in texts])


def ids(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int32)


def test_only_new_texts_are_read_and_all_come_back_in_their_order() -> None:
    held, read = RememberedVectors(1_000), Reader()
    held.vectors("a", [ids(1, 2)], read)
    vectors, lengths = held.vectors("a", [ids(5), ids(1, 2), ids(), ids(5)], read)
    assert read.asked == [[1, 2], [5], []], "a text that stands twice is read once"
    assert lengths.tolist() == [1, 2, 0, 1]
    assert vectors[..., 0].tolist() == [[5, 0], [1, 2], [0, 0], [5, 0]], "zeros beyond each length"
    assert vectors.dtype == torch.float32


def test_texts_of_no_token_have_one_place_of_zeros() -> None:
    vectors, lengths = RememberedVectors(1_000).vectors("a", [ids(), ids()], Reader())
    assert (vectors.tolist(), lengths.tolist()) == ([[[0, 0]], [[0, 0]]], [0, 0])


def test_another_model_reads_for_itself() -> None:
    held, read = RememberedVectors(1_000), Reader()
    for model in ("a", "b", "a"):
        held.vectors(model, [ids(7)], read)
    assert read.asked == [[7], [7]]


def test_the_oldest_make_room() -> None:
    """Two numbers of two bytes a token: there is room for four tokens."""
    held, read = RememberedVectors(16), Reader()
    for one in (ids(1, 2), ids(3), ids(4)):
        held.vectors("a", [one], read)
    held.vectors("a", [ids(3), ids(4), ids(1, 2)], read)
    assert read.asked == [[1, 2], [3], [4]]
    held.vectors("a", [ids(5)], read)
    held.vectors("a", [ids(3), ids(4), ids(5)], read)
    assert read.asked[3:] == [[5]], "only the first had to go"
    held.vectors("a", [ids(1, 2)], read)
    assert read.asked[4:] == [[1, 2]]


@pytest.mark.parametrize("precision", [torch.float32, torch.bfloat16])
def test_vectors_come_back_in_the_precision_that_they_were_read_in(precision: torch.dtype) -> None:
    held, read = RememberedVectors(1_000), Reader(precision)
    for _ in range(2):
        assert held.vectors("a", [ids(3)], read)[0].dtype == precision
    assert read.asked == [[3]]


def test_what_is_kept_is_a_copy() -> None:
    held, read = RememberedVectors(1_000), Reader()
    vectors, _ = held.vectors("a", [ids(3)], read)
    vectors.zero_()
    assert held.vectors("a", [ids(3)], read)[0].tolist() == [[[3, 3]]]


def test_vectors_are_remembered_within_only() -> None:
    assert remembered() is None
    with remembering():
        outer = remembered()
        assert outer is not None
        with remembering(0):
            assert remembered() is not outer
        assert remembered() is outer
    with pytest.raises(KeyboardInterrupt), remembering():
        raise KeyboardInterrupt
    assert remembered() is None


def counted(tokens: TransformerTokens, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many texts each call of the transformer reads, from now on."""
    calls: list[int] = []
    plain = tokens.transformer.token_vectors

    def read(given: Sequence[Sequence[int]]) -> tuple[torch.Tensor, torch.Tensor]:
        calls.append(len(given))
        return plain(given)

    monkeypatch.setattr(tokens.transformer, "token_vectors", read)
    return calls


def test_a_text_is_read_once_while_vectors_are_remembered(
    tokens: TransformerTokens, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = ["boiler valve", "", "gene pathway of the cell", "boiler valve"]
    wanted, wanted_lengths = tokens.encode(texts, 20)
    calls = counted(tokens, monkeypatch)
    with remembering():
        for _ in range(2):
            found, lengths = tokens.encode(texts, 20)
            assert lengths.tolist() == wanted_lengths.tolist()
            for row, plain, length in zip(found, wanted, lengths.tolist(), strict=True):
                torch.testing.assert_close(row[:length], plain[:length], atol=2e-3, rtol=0)
        tokens.encode(["steam", "gene pathway of the cell"], 20)
        tokens.encode(["gene pathway of the cell"], 3)  # other tokens: cut earlier
    assert calls == [3, 1, 1]
    tokens.encode(texts, 20)
    assert calls == [3, 1, 1, 4]


def test_what_has_no_room_is_read_again(tokens: TransformerTokens, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = counted(tokens, monkeypatch)
    texts = ["boiler valve", "gene pathway of the cell"]
    with remembering(most_bytes=0):
        found, lengths = tokens.encode(texts, 20)
        tokens.encode(texts, 20)
    assert calls == [2, 2] and found.isfinite().all() and min(lengths) > 2


def test_a_network_learns_on_vectors_that_were_remembered_while_it_only_read(tokens: TransformerTokens) -> None:
    network = tiny.network(tokens.dim)
    with remembering():
        with torch.inference_mode():
            tokens.encode(["boiler valve"], 20)
        network(*tokens.encode(["boiler valve", "gene"], 20)).sum().backward()
    assert all(np.isfinite(parameter.grad.numpy()).all() for parameter in network.parameters())


def test_two_models_do_not_share_what_is_remembered(tokens: TransformerTokens, tmp_path: Path) -> None:
    folder = write_tiny_transformer(tmp_path / "other", max_positions=40)
    other = TransformerTokens(Transformer.open(folder, precision="float32"))
    with remembering():
        one, another = (each.encode(["boiler valve"], 20)[0] for each in (tokens, other))
    assert not torch.allclose(one, another)


class TestContract(EncoderContract):
    @pytest.fixture
    def encoder(self, tokens: TransformerTokens, monkeypatch: pytest.MonkeyPatch) -> Encoder:
        monkeypatch.setattr("engine.encoders.ctpe.encoder.reading_precision", lambda: "float32")
        return tiny.encoder(tokens, CtpeSettings(whole_below_tokens=1_000))


def test_vectors_are_the_models_own(tokens: TransformerTokens, folder: Path) -> None:
    from transformers import AutoModel, AutoTokenizer

    texts = [corpus()[0].abstract, "", corpus()[1].title]
    found, lengths = tokens.encode(texts, 9)
    model, tokenizer = AutoModel.from_pretrained(folder).eval(), AutoTokenizer.from_pretrained(folder)
    for text, vectors, length in zip(texts, found, lengths.tolist(), strict=True):
        given = tokenizer(text, truncation=True, max_length=9, return_tensors="pt")
        assert length == (given["input_ids"].shape[1] if text else 0)
        with torch.inference_mode():
            torch.testing.assert_close(vectors[:length], model(**given).last_hidden_state[0, :length])


@pytest.mark.parametrize("text", ["", "  ", "42 + 17", "<b></b>"])
def test_a_text_without_a_word_has_no_token(tokens: TransformerTokens, text: str) -> None:
    assert tokens.ids(text, 20).shape == (0,)


def test_no_more_is_read_than_the_model_has_places_for(tokens: TransformerTokens) -> None:
    assert len(tokens.ids("boiler valve " * 25_000, 200)) == 64
    assert len(tokens.ids("boiler valve " * 25_000, 10)) == 10


def test_a_network_learns_on_frozen_vectors(tokens: TransformerTokens) -> None:
    network = tiny.network(tokens.dim)
    network(*tokens.encode(["boiler valve", "", "gene"], 20)).sum().backward()
    assert all(np.isfinite(parameter.grad.numpy()).all() for parameter in network.parameters())


def test_the_saved_folder_needs_no_other(tokens: TransformerTokens, tmp_path: Path) -> None:
    encoder = tiny.encoder(tokens)
    encoder.save(tmp_path / "saved")
    assert {path.name for path in (tmp_path / "saved").iterdir()} == {
        "card.json",
        "vocabulary.txt",
        "weights.safetensors",
    }
    assert str(tmp_path.parent) not in (tmp_path / "saved" / "card.json").read_text()
