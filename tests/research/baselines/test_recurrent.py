"""Skip-thoughts and ELMo: the contract, the authors' steps one number after another, and a user's weights."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.core import files
from engine.core.errors import EncoderError, InputError, StorageError
from engine.documents import Document, text
from engine.encoders import Encoder
from engine.evaluation import load_benchmark, systems
from engine.research.baselines.elmo import ElmoEncoder, ElmoNetwork, ElmoSettings
from engine.research.baselines.rows import ROWS
from engine.research.baselines.skip_thoughts import END, UNKNOWN, SkipThoughtsEncoder, tokens
from engine.research.bring import main
from tests.contracts.encoder import EncoderContract, corpus
from tests.evaluation.small import write_benchmark

WORDS = [*sorted({word for document in corpus() for word in text.tokens(document.text)}), UNKNOWN, END]
"""The words of the tests' corpus, in small letters."""
Arrays = dict[str, NDArray[Any]]


def skip_thoughts(models: Sequence[str] = ("uni", "bi"), *, e: int = 5) -> Arrays:
    """Uni-skip of six numbers, bi-skip of four in each direction."""
    drawn = np.random.default_rng(3)
    arrays: Arrays = {}
    for model in models:
        h = {"uni": 6, "bi": 4}[model]
        arrays[f"{model}/table"] = drawn.normal(size=(len(WORDS), e)).astype(np.float32)
        for network in {"uni": ["encoder"], "bi": ["encoder", "encoder_r"]}[model]:
            shapes = {"W": (e, 2 * h), "Wx": (e, h), "U": (h, 2 * h), "Ux": (h, h), "b": (2 * h,), "bx": (h,)}
            for part, shape in shapes.items():
                arrays[f"{model}/{network}_{part}"] = drawn.normal(size=shape).astype(np.float32)
    return arrays


def elmo(*, letters: int = 3, d: int = 4, cells: int = 7) -> Arrays:
    """Filters over one and two characters, one highway, and two layers a direction."""
    drawn = np.random.default_rng(4)
    filters = {"0": (1, 2), "1": (2, 3)}
    wide = sum(count for _, count in filters.values())
    shapes: dict[str, tuple[int, ...]] = {"char_embed": (261, letters)}
    for name, (width, count) in filters.items():
        shapes |= {f"CNN/W_cnn_{name}": (1, width, letters, count), f"CNN/b_cnn_{name}": (count,)}
    for gate in ("carry", "transform"):
        shapes |= {f"CNN_high_0/W_{gate}": (wide, wide), f"CNN_high_0/b_{gate}": (wide,)}
    shapes |= {"CNN_proj/W_proj": (wide, d), "CNN_proj/b_proj": (d,)}
    for direction in range(2):
        for layer in range(2):
            cell = f"RNN_{direction}/RNN/MultiRNNCell/Cell{layer}/LSTMCell"
            shapes |= {f"{cell}/W_0": (2 * d, 4 * cells), f"{cell}/B": (4 * cells,), f"{cell}/W_P_0": (cells, d)}
    return {name: drawn.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}


class TestContract(EncoderContract):
    @pytest.fixture
    def encoder(self) -> Encoder:
        return SkipThoughtsEncoder(WORDS, skip_thoughts())

    def test_the_inner_product_puts_the_same_subject_first(self, encoder: Encoder) -> None:
        """Drawn weights read the order of words and nothing of what they mean."""
        rows = np.asarray(encoder.encode_documents(corpus()))
        assert len(np.unique(rows.round(4), axis=0)) == len(rows)


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def read(arrays: Arrays, network: str, vectors: np.ndarray) -> np.ndarray:
    """The last state, by Kiros et al., equations 3 to 6."""
    W, Wx, U, Ux, b, bx = (arrays[f"{network}_{part}"].astype(float) for part in ("W", "Wx", "U", "Ux", "b", "bx"))
    state = np.zeros(len(Ux))
    for x in vectors:
        reset, update = np.split(sigmoid(x @ W + b + state @ U), 2)
        new = np.tanh(x @ Wx + bx + reset * (state @ Ux))
        state = update * state + (1 - update) * new
    return state


def by_hand(arrays: Arrays, words: list[str]) -> np.ndarray:
    places = [WORDS.index(word) for word in words]
    uni = read(arrays, "uni/encoder", arrays["uni/table"][places])
    vectors = arrays["bi/table"][places]
    bi = np.concatenate([read(arrays, "bi/encoder", vectors), read(arrays, "bi/encoder_r", vectors[::-1])])
    return np.concatenate([one / np.linalg.norm(one) for one in (uni, bi)]) / np.sqrt(2)


def test_a_row_is_the_last_state_of_each_network_with_the_end_read() -> None:
    arrays = skip_thoughts()
    texts = ["boiler valve", "gene unheard expression cell protein"]
    rows = SkipThoughtsEncoder(WORDS, arrays).encode_documents([Document(one, abstract=one) for one in texts])
    np.testing.assert_allclose(rows[0], by_hand(arrays, ["boiler", "valve", "<eos>"]), atol=1e-5)
    wanted = by_hand(arrays, ["gene", "UNK", "expression", "cell", "protein", "<eos>"])
    np.testing.assert_allclose(rows[1], wanted, atol=1e-5)


@pytest.mark.parametrize(("models", "dim"), [(("uni",), 6), (("bi",), 8), (("uni", "bi"), 14)])
def test_either_model_may_stand_alone_and_comes_back_from_its_folder(
    models: tuple[str, ...], dim: int, tmp_path: Path
) -> None:
    made = SkipThoughtsEncoder(WORDS, skip_thoughts(models))
    assert made.card.dim == dim
    made.save(tmp_path / "saved")
    again = ROWS.trained_encoder(f"skip-thoughts={tmp_path / 'saved'}")
    np.testing.assert_array_equal(again.encode_documents(corpus()[:4]), made.encode_documents(corpus()[:4]))


def test_a_folder_is_read_by_its_sentences(tmp_path: Path) -> None:
    made = SkipThoughtsEncoder(WORDS, skip_thoughts())
    made.save(tmp_path / "saved")
    mean = systems.load_given(f"{tmp_path / 'saved'}:sentences", ROWS.loaders)
    parts = made.encode_documents([Document("a", abstract=one) for one in ("A boiler valve.", "The gene cell.")]).sum(
        axis=0
    )
    row = mean.encode_documents([Document("a", abstract="A boiler valve. The gene cell.")])[0]
    np.testing.assert_allclose(row, parts / np.linalg.norm(parts), atol=1e-6)


def test_marks_are_tokens_and_letters_keep_their_size() -> None:
    assert tokens("The boiler's valve, 2.") == ["The", "boiler", "'", "s", "valve", ",", "2", "."]


def test_weights_that_do_not_fit_are_told() -> None:
    arrays = skip_thoughts()
    del arrays["bi/encoder_r_U"]
    with pytest.raises(EncoderError, match=r"got too few or too many: bi/encoder_r_U\. Convert the weights again"):
        SkipThoughtsEncoder(WORDS, arrays)
    with pytest.raises(EncoderError, match="got too few or too many: <eos>"):
        SkipThoughtsEncoder(WORDS[:-1], skip_thoughts())
    with pytest.raises(EncoderError, match="got too few or too many: none"):
        SkipThoughtsEncoder(WORDS, {})
    with pytest.raises(EncoderError, match=r"uni/encoder, got .* vectors and other shapes of U\. Convert"):
        SkipThoughtsEncoder(WORDS, {**skip_thoughts(), "uni/encoder_U": np.zeros((6, 11), np.float32)})
    with pytest.raises(EncoderError, match="Expected 3 vectors and weights"):
        SkipThoughtsEncoder(["a", "UNK", "<eos>"], skip_thoughts())


def test_another_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StorageError):
        SkipThoughtsEncoder.load(tmp_path)


SMALL = ElmoSettings(max_characters=12, cell_clip=0.8, proj_clip=0.6)


class TestElmoContract(EncoderContract):
    @pytest.fixture
    def encoder(self) -> Encoder:
        return ElmoEncoder(elmo(), SMALL)

    def test_the_inner_product_puts_the_same_subject_first(self, encoder: Encoder) -> None:
        """Drawn weights read letters and nothing of what words mean."""
        rows = np.asarray(encoder.encode_documents(corpus()))
        assert len(np.unique(rows.round(4), axis=0)) == len(rows)


def word(arrays: Arrays, inner: list[int]) -> np.ndarray:
    """What the characters of a word give: filters, their largest, the highway, the projection."""
    inner = inner[:10]
    letters = arrays["char_embed"][[258, *inner, 259, *[260] * (10 - len(inner))]].astype(float)
    found = []
    for number in (0, 1):
        filters, bias = arrays[f"CNN/W_cnn_{number}"][0], arrays[f"CNN/b_cnn_{number}"]
        width = len(filters)
        windows = [letters[start : start + width] for start in range(len(letters) - width + 1)]
        met = [[(window * filters[:, :, one]).sum() + bias[one] for one in range(len(bias))] for window in windows]
        found.append(np.maximum(np.max(met, axis=0), 0))
    x = np.concatenate(found)
    carry = sigmoid(x @ arrays["CNN_high_0/W_carry"] + arrays["CNN_high_0/b_carry"])
    turned = np.maximum(x @ arrays["CNN_high_0/W_transform"] + arrays["CNN_high_0/b_transform"], 0)
    return (carry * turned + (1 - carry) * x) @ arrays["CNN_proj/W_proj"] + arrays["CNN_proj/b_proj"]


def layer(arrays: Arrays, name: str, inputs: list[np.ndarray]) -> list[np.ndarray]:
    W, B, P = (arrays[f"{name}/{part}"].astype(float) for part in ("W_0", "B", "W_P_0"))
    cell, state, found = np.zeros(len(P)), np.zeros(P.shape[1]), []
    for x in inputs:
        i, j, f, o = np.split(np.concatenate([x, state]) @ W + B, 4)
        cell = np.clip(sigmoid(f + 1) * cell + sigmoid(i) * np.tanh(j), -0.8, 0.8)
        state = np.clip((sigmoid(o) * np.tanh(cell)) @ P, -0.6, 0.6)
        found.append(state)
    return found


def elmo_by_hand(arrays: Arrays, words: list[str]) -> np.ndarray:
    """The mean over three layers of each token's vectors: (t, 2 d)."""
    lowest = [word(arrays, inner) for inner in ([256], *(list(one.encode()) for one in words), [257])]
    both = []
    for direction in (0, 1):
        below = lowest[::-1] if direction else lowest
        names = [f"RNN_{direction}/RNN/MultiRNNCell/Cell{number}/LSTMCell" for number in (0, 1)]
        first = layer(arrays, names[0], below)
        second = [made + under for made, under in zip(layer(arrays, names[1], first), first, strict=True)]
        mean = [sum(parts) / 3 for parts in zip(below, first, second, strict=True)]
        both.append(mean[::-1] if direction else mean)
    return np.concatenate(both, axis=1)[1:-1]


def test_tokens_get_the_mean_of_all_layers_of_both_directions() -> None:
    arrays, sentences = elmo(), [["Boilers", "gauge"], ["a", "valve", "über", "incomprehensibly"]]
    found = ElmoNetwork(arrays, SMALL)(sentences)
    for vectors, words in zip(found, sentences, strict=True):
        np.testing.assert_allclose(vectors, elmo_by_hand(arrays, words), atol=1e-5)


def test_a_row_is_the_mean_over_the_tokens_of_sentences_read_alone() -> None:
    arrays = elmo()
    row = ElmoEncoder(arrays, SMALL).encode_documents([Document("a", abstract="The valve leaks. It is old.")])[0]
    parts = [elmo_by_hand(arrays, words) for words in (["The", "valve", "leaks", "."], ["It", "is", "old", "."])]
    wanted = np.concatenate(parts).sum(axis=0)
    np.testing.assert_allclose(row, wanted / np.linalg.norm(wanted), atol=1e-5)


def test_no_more_tokens_are_read_than_the_settings_say(tmp_path: Path) -> None:
    few = ElmoEncoder(elmo(), ElmoSettings(max_tokens=3))
    texts = [Document("a", abstract="The valve leaks."), Document("b", abstract="The valve leaks a lot. It is old.")]
    rows = few.encode_documents(texts)
    assert few.card.max_tokens == 3
    longer = ElmoEncoder(elmo(), ElmoSettings(max_tokens=300)).encode_documents(texts)
    np.testing.assert_allclose(rows[0], rows[1], atol=1e-6)
    assert not np.allclose(longer[0], longer[1], atol=1e-3)
    few.save(tmp_path / "saved")
    again = ROWS.trained_encoder(f"elmo={tmp_path / 'saved'}")
    assert again.card == few.card
    np.testing.assert_array_equal(again.encode_documents(texts), rows)


@pytest.mark.parametrize("lost", ["CNN_proj/b_proj", "RNN_1/RNN/MultiRNNCell/Cell1/LSTMCell/W_P_0", "char_embed"])
def test_an_array_too_few_is_told(lost: str) -> None:
    arrays = elmo()
    del arrays[lost]
    with pytest.raises(EncoderError, match=f"Expected the arrays of ELMo's own file, got others: .*{lost}"):
        ElmoEncoder(arrays)


def test_other_arrays_are_told() -> None:
    for name in ("softmax/W", "lstm.weight", ""):
        with pytest.raises(EncoderError, match=rf"got others: {re.escape(name)}\. Convert"):
            ElmoEncoder({**elmo(), name: np.zeros((2, 2), np.float32)})
    with pytest.raises(EncoderError, match=r"got others: .*shape"):
        ElmoEncoder({**elmo(), "CNN_proj/W_proj": np.zeros((2, 4), np.float32)})


def test_settings_outside_their_ranges_are_refused() -> None:
    with pytest.raises(ValueError, match="clips above 0"):
        ElmoSettings(cell_clip=0)


def test_skip_thoughts_become_a_row_of_sentences(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files.write_arrays(tmp_path / "weights.safetensors", skip_thoughts())
    (tmp_path / "dictionary.txt").write_text("\n".join(WORDS) + "\n", "utf-8")
    given = ["--weights", str(tmp_path / "weights.safetensors"), "--words", str(tmp_path / "dictionary.txt")]
    main(["skip-thoughts", *given, "--out", str(tmp_path / "out")])
    assert "skip-thoughts of 14 numbers" in capsys.readouterr().out
    benchmark = load_benchmark(write_benchmark(tmp_path / "small"))
    measured = ROWS.measure(benchmark, f"skip-thoughts={tmp_path / 'out'}:sentences")
    assert measured.metrics["R@20"] > 0


def test_elmo_takes_its_options(tmp_path: Path) -> None:
    files.write_arrays(tmp_path / "weights.safetensors", elmo())
    options = {"lstm": {"cell_clip": 0.5, "proj_clip": 2, "dim": 7}, "char_cnn": {"max_characters_per_token": 9}}
    (tmp_path / "options.json").write_text(json.dumps(options), "utf-8")
    given = ["--weights", str(tmp_path / "weights.safetensors"), "--options", str(tmp_path / "options.json")]
    main(["elmo", *given, "--out", str(tmp_path / "out")])
    wanted = ElmoEncoder(elmo(), ElmoSettings(max_characters=9, cell_clip=0.5, proj_clip=2.0))
    found = ROWS.trained_encoder(f"elmo={tmp_path / 'out'}")
    assert found.card == wanted.card
    np.testing.assert_array_equal(found.encode_documents(corpus()[:2]), wanted.encode_documents(corpus()[:2]))
    del options["lstm"]["cell_clip"]
    (tmp_path / "options.json").write_text(json.dumps(options), "utf-8")
    with pytest.raises(InputError, match=r"Expected lstm\.cell_clip, .* in options\.json; got others: 'cell_clip'"):
        main(["elmo", *given, "--out", str(tmp_path / "out")])


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    files.write_arrays(tmp_path / "weights.safetensors", elmo())
    given = ["--weights", str(tmp_path / "weights.safetensors"), "--out", str(tmp_path / "out")]
    with pytest.raises(InputError, match="Expected the file of weights and --words FILE for skip-thoughts, got one"):
        main(["skip-thoughts", *given])
    with pytest.raises(InputError, match=r"--options FILE for elmo, got .*nowhere\.json"):
        main(["elmo", *given, "--options", str(tmp_path / "nowhere.json")])
