"""Transformers loaded and read: every shape that the papers name, our BERT, weights as arrays, processors."""

from __future__ import annotations

import ctypes
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from engine.core.errors import EncoderError
from engine.core.rows import batches
from engine.documents import Document
from engine.encoders import processor, registry
from engine.encoders.bert import Bert, is_plain
from engine.encoders.module_weights import HALF, RUNS, from_bytes, outlined, to_bytes
from engine.encoders.student.encoder import StudentEncoder
from engine.encoders.transformer import Transformer, bare_model, config_of, empty_model, local_folder, without_dropout
from engine.encoders.transformer_mean import TransformerMeanEncoder
from engine.encoders.word_vectors import WordVectors
from tests.contracts.encoder import EMPTY, corpus
from tests.encoders.tiny_transformer import write_tiny_transformer

SHAPES = ("bert", "roberta", "mpnet", "xlnet", "gpt", "gpt2", "xlm")


POSITIONS = 64


"""That a model of each shape has; RoBERTa and MPNet keep two of them for themselves, XLNet knows no limit."""


_MARKS = {
    "bert": ("[PAD]", "[UNK]", "[CLS]", "[SEP]"),
    "roberta": ("<s>", "<pad>", "</s>", "<unk>"),
    "mpnet": ("<s>", "<pad>", "</s>", "<unk>"),
    "xlnet": ("<unk>", "<pad>", "<cls>", "<sep>"),
    "gpt": ("<unk>",),
    "gpt2": ("<unk>",),
    "xlm": ("<s>", "</s>", "<pad>", "<unk>"),
}


_FRAMES = {
    "bert": "[CLS] $A [SEP]",
    "roberta": "<s> $A </s>",
    "mpnet": "<s> $A </s>",
    "xlnet": "$A <sep> <cls>",
    "gpt": "$A",
    "gpt2": "$A",
    "xlm": "<s> $A </s>",
}


def write_shape(folder: Path, shape: str) -> Path:
    """Write a `transformers` folder of a shape that knows the words of the tests' corpus."""
    import torch

    words = sorted({word for document in corpus() for word in document.text.lower().replace(".", "").split()})
    with torch.random.fork_rng():
        torch.manual_seed(5)
        model = _model(shape, len(_MARKS[shape]) + len(words))
        for part in model.parameters():
            torch.nn.init.normal_(part, std=0.2)
    model.save_pretrained(folder)
    _tokenizer(shape, words).save_pretrained(folder)
    return folder


def _model(shape: str, words: int):  # noqa: ANN202  a class of transformers, which has no types
    import transformers as library

    usual: dict[str, Any] = {
        "vocab_size": words,
        "hidden_size": 16,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "intermediate_size": 16,
        "max_position_embeddings": POSITIONS,
    }
    if shape == "xlnet":
        sizes = {"d_model": 16, "n_layer": 2, "n_head": 2, "d_inner": 16}
        return library.XLNetModel(library.XLNetConfig(vocab_size=words, pad_token_id=1, **sizes))
    if shape == "gpt":
        sizes = {"n_embd": 16, "n_layer": 2, "n_head": 2, "n_positions": POSITIONS}
        return library.OpenAIGPTModel(library.OpenAIGPTConfig(vocab_size=words, **sizes))
    if shape == "xlm":
        sizes = {"emb_dim": 16, "n_layers": 2, "n_heads": 2, "n_langs": 1, "max_position_embeddings": POSITIONS}
        return library.XLMModel(library.XLMConfig(vocab_size=words, **sizes))
    if shape == "gpt2":
        sizes = {"n_embd": 16, "n_layer": 2, "n_head": 2, "n_positions": POSITIONS}
        return library.GPT2Model(library.GPT2Config(vocab_size=words, bos_token_id=0, eos_token_id=0, **sizes))
    if shape == "roberta":
        return library.RobertaModel(library.RobertaConfig(pad_token_id=1, **usual))
    if shape == "mpnet":
        return library.MPNetModel(library.MPNetConfig(pad_token_id=1, **usual))
    return library.BertModel(library.BertConfig(**usual))


def _tokenizer(shape: str, words: list[str]):  # noqa: ANN202  a class of transformers, which has no types
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    marks = _MARKS[shape]
    unknown = next(mark for mark in marks if "unk" in mark.lower())
    numbers = {word: number for number, word in enumerate([*marks, *words])}
    whole = Tokenizer(models.WordLevel(numbers, unknown))
    whole.normalizer = normalizers.Lowercase()
    whole.pre_tokenizer = pre_tokenizers.Whitespace()
    framing = [(mark, numbers[mark]) for mark in marks if mark in _FRAMES[shape].split()]
    whole.post_processor = processors.TemplateProcessing(single=_FRAMES[shape], special_tokens=framing)
    padding = {} if shape in ("gpt", "gpt2") else {"pad_token": next(mark for mark in marks if "pad" in mark.lower())}
    side = {"padding_side": "left"} if shape == "xlnet" else {}
    return PreTrainedTokenizerFast(tokenizer_object=whole, unk_token=unknown, **padding, **side)


PROJECT = Path(__file__).resolve().parents[2]


SCRIPT = """
import threading, torch
from engine.encoders.transformer import empty_model

CONFIG = {"model_type": "bert", "vocab_size": 9, "hidden_size": 4, "num_hidden_layers": 1, "num_attention_heads": 1}
begin, problems = threading.Barrier(4), []

def load():
    begin.wait()
    try:
        assert empty_model(CONFIG).config.hidden_size == 4
    except Exception as error:
        problems.append(repr(error))

threads = [threading.Thread(target=load) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(problems)
"""


def test_threads_that_are_the_first_to_load_a_model_all_get_it() -> None:
    # a process of its own, because the library is imported once; without the lock one run in two or three fails
    run = subprocess.run([sys.executable, "-c", SCRIPT], cwd=PROJECT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == "[]"


def test_threads_that_cut_at_other_lengths_get_their_own(tmp_path: Path) -> None:
    model = Transformer.open(write_tiny_transformer(tmp_path), precision="float32")
    text, wrong, begin = "steam valve " * 40, [], threading.Barrier(2)

    def read(length: int) -> None:
        begin.wait()
        wrong.extend(found for _ in range(400) if (found := len(model.tokens([text], length)[0])) != length)

    threads = [threading.Thread(target=read, args=(length,)) for length in (8, 32)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert wrong == []


def test_batches_are_of_like_lengths_and_of_so_many_tokens() -> None:
    lengths = [3, 256, 17, 256, 90, 1, 200]
    found = list(batches(lengths, 512))
    assert sorted(place for batch in found for place in batch) == list(range(7))
    assert found[0] == [1, 3]
    assert all(len(batch) * max(lengths[place] for place in batch) <= 512 for batch in found)
    assert list(batches([900, 2], 512)) == [[0], [1]], "a text that is too long is read alone"
    assert list(batches([], 512)) == []


SMALL = {
    "bert": {"hidden_size": 4, "num_hidden_layers": 1, "num_attention_heads": 1, "intermediate_size": 4},
    "distilbert": {"dim": 4, "n_layers": 1, "n_heads": 1, "hidden_dim": 4},
    "gpt2": {"n_embd": 4, "n_layer": 1, "n_head": 1},
}


@pytest.mark.parametrize("kind", SMALL)
def test_a_model_of_any_kind_drops_nothing_where_it_is_told_so(kind: str) -> None:
    from torch.nn import Dropout

    config = config_of(empty_model({"model_type": kind, "vocab_size": 9, **SMALL[kind]}))

    def shares(settings: dict[str, object]) -> set[float]:
        return {part.p for part in empty_model(settings).modules() if isinstance(part, Dropout)}

    assert shares(config) == {0.1}
    assert shares(without_dropout(config)) == {0.0}
    kept = without_dropout(config, of="att")
    changed = {name for name, value in kept.items() if value != config[name]}
    assert len(changed) == 1 and "att" in changed.pop()
    assert 0.1 in shares(kept)


LONGEST = {**dict.fromkeys(SHAPES, POSITIONS), "roberta": POSITIONS - 2, "mpnet": POSITIONS - 2, "xlnet": None}


LONG = Document("long", abstract="boiler valve " * 400)


@pytest.fixture(scope="module", params=SHAPES)
def shape(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def folder(shape: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_shape(tmp_path_factory.mktemp("shape") / shape, shape)


@pytest.fixture(scope="module")
def encoder(folder: Path) -> TransformerMeanEncoder:
    return TransformerMeanEncoder.open(folder, precision="float32")


def test_a_row_is_the_mean_of_what_the_model_gives_for_the_text_alone(
    folder: Path, encoder: TransformerMeanEncoder
) -> None:
    import torch
    from transformers import AutoModel, AutoTokenizer

    model, tokenizer = AutoModel.from_pretrained(folder).eval(), AutoTokenizer.from_pretrained(folder)
    documents = [Document("one", title="valve"), *corpus()[:4]]  # of many lengths, so that the batch pads
    for document, row in zip(documents, encoder.encode_documents(documents), strict=True):
        ids = tokenizer(document.text, truncation=True, max_length=encoder.card.max_tokens)["input_ids"]
        with torch.inference_mode():
            mean = model(input_ids=torch.tensor([ids])).last_hidden_state[0].mean(dim=0).numpy()
        np.testing.assert_allclose(row, mean / np.linalg.norm(mean), atol=1e-5)


def test_what_a_text_is_encoded_with_does_not_matter(encoder: TransformerMeanEncoder) -> None:
    documents = [*corpus()[:4], EMPTY, LONG, Document("one", title="valve")]
    together = encoder.encode_documents(documents)
    alone = np.concatenate([encoder.encode_documents([document]) for document in documents])
    np.testing.assert_allclose(together, alone, atol=1e-5)
    assert np.isfinite(together).all()
    assert together[[0, 1, 2, 3, 5, 6]].any(axis=1).all()


def test_the_longest_text_is_as_long_as_the_model_has_positions(shape: str, folder: Path) -> None:
    model = Transformer.open(folder, precision="float32")
    assert model.max_tokens == LONGEST[shape]
    if LONGEST[shape] is not None:
        whole = TransformerMeanEncoder(model, max_tokens=LONGEST[shape])
        assert np.isfinite(whole.encode_documents([LONG])).all()
        with pytest.raises(EncoderError, match=f"Expected max_tokens between 1 and {LONGEST[shape]}"):
            TransformerMeanEncoder(model, max_tokens=LONGEST[shape] + 1)


def test_a_saved_encoder_comes_back_the_same(encoder: TransformerMeanEncoder, tmp_path: Path) -> None:
    encoder.save(tmp_path / "kept")
    again = TransformerMeanEncoder.load(tmp_path / "kept")
    assert again.card == encoder.card
    np.testing.assert_array_equal(again.encode_documents(corpus()[:5]), encoder.encode_documents(corpus()[:5]))


def test_operations_count_every_matrix(shape: str, encoder: TransformerMeanEncoder) -> None:
    a_layer = {"xlnet": 5 * 16 * 16 + 2 * 16 * 16}.get(shape, 4 * 16 * 16 + 2 * 16 * 16)
    if shape in ("gpt", "gpt2", "xlm"):
        a_layer = 4 * 16 * 16 + 2 * 16 * 64  # the inner width is four times the outer one
    tokens = len(encoder._tokens([Document("a", title="Boiler valve")])[0])
    least = tokens * (2 * (2 * a_layer) + 2 * 4 * tokens * 16)
    found = encoder.operations([Document("a", title="Boiler valve")])
    assert least <= found < 1.3 * least  # XLNet has a few weights more


def test_a_model_that_no_download_left_here_is_nowhere() -> None:
    for name in ("nobody/nothing", "not a name", "/no/such/folder"):
        assert local_folder(name) is None


LENGTHS = (1, 7, 3, 33, 33)


@pytest.fixture
def theirs(tmp_path: Path) -> Any:  # noqa: ANN401  a class of transformers, which has no types
    from transformers import AutoModel

    model = AutoModel.from_pretrained(write_tiny_transformer(tmp_path)).eval()
    model.pooler = None
    for name, part in model.named_parameters():
        if name.endswith("bias"):
            nn.init.normal_(part, std=0.3)
    return model


def ours_of(theirs: nn.Module) -> Bert:
    ours = Bert(config_of(theirs)).eval()
    ours.load_state_dict(theirs.state_dict(), strict=True)
    return ours


def batch(words: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Token ids of texts of other lengths, padded, and where there is a token: (b, t) both."""
    inside = torch.arange(max(LENGTHS)) < torch.tensor(LENGTHS)[:, None]
    drawn = torch.randint(1, words, inside.shape, generator=torch.Generator().manual_seed(2))
    return drawn * inside, inside


@torch.inference_mode()
def apart(ours: nn.Module, theirs: nn.Module, words: int) -> float:
    """The largest difference of two models' vectors, padding left out."""
    ids, inside = batch(words)
    one, other = (model(input_ids=ids, attention_mask=inside.long()).last_hidden_state for model in (ours, theirs))
    assert float(one[inside].std()) > 0.01
    return float((one - other)[inside].abs().max())


def test_padded_texts_of_other_lengths_get_the_vectors_of_transformers(theirs: nn.Module) -> None:
    assert apart(ours_of(theirs), theirs, 30) <= 1e-5


@pytest.mark.parametrize("name", ["student", "student-large"])
def test_shipped_weights_give_the_vectors_of_transformers(name: str) -> None:
    encoder = registry.load(name)
    assert isinstance(encoder, StudentEncoder)
    config, held = encoder._config, encoder.to_train().state_dict()
    ours, theirs = bare_model(config).eval(), empty_model(config).eval()
    theirs.pooler = None
    for model in (ours, theirs):
        model.load_state_dict(held, strict=True)
    assert isinstance(ours, Bert)
    assert apart(ours, theirs, 30_000) <= 1e-5


@torch.inference_mode()
def test_word_vectors_instead_of_ids_and_no_mask_give_the_vectors_of_transformers(theirs: nn.Module) -> None:
    ids, _ = batch(30)
    ours = ours_of(theirs)
    words = ours.get_input_embeddings()(ids)
    by_words, by_ids = ours(inputs_embeds=words), ours(ids)
    torch.testing.assert_close(by_words.last_hidden_state, by_ids.last_hidden_state)
    torch.testing.assert_close(by_ids.last_hidden_state, theirs(input_ids=ids).last_hidden_state, atol=1e-5, rtol=0)


def test_training_has_the_gradients_of_transformers(theirs: nn.Module) -> None:
    ids, inside = batch(30)
    ours = ours_of(theirs)
    for model in (ours, theirs):
        model.zero_grad()
        model(input_ids=ids, attention_mask=inside.long()).last_hidden_state[inside].square().sum().backward()
    wanted = dict(theirs.named_parameters())
    for name, part in ours.named_parameters():
        torch.testing.assert_close(part.grad, wanted[name].grad, atol=1e-3, rtol=1e-4, msg=name)


def test_only_training_drops_numbers(theirs: nn.Module) -> None:
    ours = Bert({**config_of(theirs), "hidden_dropout_prob": 0.5, "attention_probs_dropout_prob": 0.5})
    ours.load_state_dict(theirs.state_dict(), strict=True)
    ids, _ = batch(30)
    for training in (False, True):
        one, other = (ours.train(training)(ids).last_hidden_state for _ in range(2))
        assert torch.equal(one, other) is not training


def test_a_new_model_waits_for_weights_and_keeps_its_settings(theirs: nn.Module) -> None:
    made, settings = Bert(config_of(theirs)), config_of(theirs)
    assert not any(part.any() for name, part in made.state_dict().items() if "LayerNorm" not in name)
    assert all(part.requires_grad for part in made.parameters())
    assert config_of(made) == settings


def test_models_of_other_arithmetic_are_left_to_transformers(theirs: nn.Module) -> None:
    settings = config_of(theirs)
    assert is_plain(settings)
    for other in ({"model_type": "roberta"}, {"hidden_act": "relu"}, {"is_decoder": True}, {"hidden_size": None}):
        assert not is_plain({**settings, **other})
    relu = bare_model({**settings, "hidden_act": "relu"})
    assert not isinstance(relu, Bert)
    assert relu.pooler is None


@torch.inference_mode()
@pytest.mark.parametrize("precision", [torch.float32, torch.bfloat16])
def test_a_text_without_tokens_gives_numbers(theirs: nn.Module, precision: torch.dtype) -> None:
    ours = Bert(config_of(theirs))
    ours.load_state_dict(theirs.state_dict(), strict=True)
    ids, mask = batch(30)
    mask[1] = 0
    found = ours.eval().to(precision)(ids, mask).last_hidden_state
    assert bool(found.isfinite().all())
    assert ours(ids[:, :0]).last_hidden_state.shape == (*ids[:, :0].shape, found.shape[-1])


@torch.inference_mode()
def test_bfloat16_gives_the_vectors_of_float32_but_for_rounding(theirs: nn.Module) -> None:
    ours = ours_of(theirs)
    ids, inside = batch(30)
    found = [
        one(input_ids=ids, attention_mask=inside.long()).last_hidden_state[inside].float()
        for one in (ours, ours_of(theirs).bfloat16())
    ]
    assert 0 < float((found[0] - found[1]).abs().max()) < 0.1


def test_a_number_is_off_by_half_a_step_at_most() -> None:
    rows = np.random.default_rng(1).normal(size=(50, 20)).astype(np.float32)
    numbers, scales = to_bytes(rows)
    assert (numbers.dtype, scales.dtype) == (np.int8, np.float32)
    assert (np.abs(numbers).max(axis=1) == 127).all()
    assert (np.abs(from_bytes(numbers, scales) - rows) <= 0.5001 * scales[:, None]).all()


def test_a_row_of_zeros_stays_so() -> None:
    rows = np.zeros((2, 3), np.float32)
    np.testing.assert_array_equal(from_bytes(*to_bytes(rows)), rows)


def test_rows_can_be_written_into_an_array() -> None:
    numbers, scales = to_bytes(np.random.default_rng(3).normal(size=(4, 5)).astype(np.float32))
    into = np.empty((4, 5), np.float32)
    assert from_bytes(numbers, scales, into=into) is into
    assert np.array_equal(into, from_bytes(numbers, scales))


def test_the_words_we_ship_keep_their_directions() -> None:
    rows = WordVectors.load(registry.PRETRAINED / "word2vec").vectors.astype(np.float32)
    restored = from_bytes(*to_bytes(rows))
    lengths = np.linalg.norm(rows, axis=1) * np.linalg.norm(restored, axis=1)
    cosines = np.einsum("vd,vd->v", rows, restored)[lengths > 0] / lengths[lengths > 0]
    assert cosines.min() > 0.9998
    assert cosines.mean() > 0.99995


def module() -> nn.Module:
    torch.manual_seed(1)
    return nn.ModuleDict({"big": nn.Linear(256, 256), "small": nn.Linear(256, 255)})


def test_big_matrices_are_bytes_and_all_else_half_precision() -> None:
    arrays = HALF.stored(module())
    assert {name: (array.dtype.name, array.shape) for name, array in arrays.items()} == {
        "big.weight": ("int8", (256, 256)),
        "big.weight:scales": ("float32", (256,)),
        "big.bias": ("float16", (256,)),
        "small.weight": ("float16", (255, 256)),
        "small.bias": ("float16", (255,)),
    }
    assert HALF.expected(module()) == {name: array.ndim for name, array in arrays.items()}


def test_what_is_stored_comes_back_near() -> None:
    made, other = module(), module()
    arrays = HALF.stored(made)
    with torch.no_grad():
        for part in other.parameters():
            part.zero_()
    HALF.fill(other, arrays)
    for name, part in other.state_dict().items():
        torch.testing.assert_close(part, made.state_dict()[name], atol=3e-4, rtol=2e-3, msg=name)


def test_an_outline_is_filled_with_the_same_numbers_in_memory_of_its_own() -> None:
    arrays, usual = RUNS.stored(module()), module()
    with outlined():
        outline = module()
    assert all(part.is_meta for part in outline.parameters())
    assert RUNS.expected(outline) == RUNS.expected(usual)
    RUNS.fill(outline, arrays)
    RUNS.fill(usual, arrays)
    for name, part in outline.state_dict().items():
        assert torch.equal(part, usual.state_dict()[name]), name
    before = arrays["small.bias"].copy()
    with torch.no_grad():
        for part in outline.parameters():
            assert part.requires_grad
            part.zero_()
    assert np.array_equal(arrays["small.bias"], before)
    with outlined(when=False):
        assert not any(part.is_meta for part in module().parameters())


@pytest.mark.parametrize("change", ["missing", "added", "other shape"])
def test_other_arrays_are_refused(change: str) -> None:
    arrays = HALF.stored(module())
    if change == "missing":
        del arrays["big.weight:scales"]
    else:
        arrays["more" if change == "added" else "big.bias"] = np.zeros(3, np.float16)
    told = {
        "missing": r"got 1 too few or too many: big\.weight:scales\. Build the encoder of parts that fit its settings",
        "added": "got 1 too few or too many: more",
        "other shape": r"Expected big\.bias of shape \(256,\), got \(3,\)",
    }
    with pytest.raises(EncoderError, match=told[change]):
        HALF.fill(module(), arrays)


def test_runs_of_a_row_may_have_a_scale_each() -> None:
    layer = nn.Linear(256, 200)
    arrays = RUNS.stored(layer)
    assert {name: array.dtype.name for name, array in arrays.items()} == {
        "weight": "int8",
        "weight:scales": "float32",
        "bias": "float32",
    }
    assert arrays["weight:scales"].shape == (200, 4)
    assert RUNS.stored(nn.Linear(130, 300))["weight:scales"].shape == (300, 1)  # a row is not of whole runs
    again = nn.Linear(256, 200)
    RUNS.fill(again, arrays)
    np.testing.assert_allclose(again.weight.detach(), layer.weight.detach(), atol=1e-3)
    with pytest.raises(EncoderError, match="got 1 too few or too many: more"):
        RUNS.fill(again, {**arrays, "more": arrays["bias"]})
    with pytest.raises(EncoderError, match=r"Expected bias of shape \(200,\), got \(199,\)"):
        RUNS.fill(again, {**arrays, "bias": arrays["bias"][1:]})


@pytest.mark.parametrize("value", [torch.nan, torch.inf, 1e6])
def test_what_is_no_finite_number_on_disk_is_refused(value: float) -> None:
    made = module()
    with torch.no_grad():
        made["small"].bias[0] = value  # type: ignore[index]
    with pytest.raises(EncoderError, match=r"Expected finite numbers in every part, found others in small\.bias\."):
        HALF.stored(made)


@pytest.mark.parametrize("fastest", ["bfloat16", "float32"])
def test_without_a_gpu_the_processor_reads_as_it_is_fastest(monkeypatch: pytest.MonkeyPatch, fastest: str) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(processor, "fastest_precision", lambda: fastest)
    assert processor.reading_device() == torch.device("cpu")
    assert processor.reading_precision() == fastest


@pytest.mark.parametrize(
    ("units", "allowed", "precision"),
    [
        ({"avx512_bf16": True}, "AVX512", "bfloat16"),
        ({"amx_bf16": True}, "AVX512", "bfloat16"),
        ({"avx512_bf16": False}, "AVX512", "float32"),
        ({"avx512_bf16": True}, "AVX2", "float32"),
        ({}, "DEFAULT", "float32"),
    ],
)
def test_bfloat16_is_fastest_where_torch_may_use_the_units_that_multiply_it(
    monkeypatch: pytest.MonkeyPatch, units: dict[str, bool], allowed: str, precision: str
) -> None:
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: units)
    monkeypatch.setattr(torch.backends.cpu, "get_cpu_capability", lambda: allowed)
    assert processor.fastest_precision() == precision


@pytest.mark.parametrize(("multiplies", "precision"), [(True, "bfloat16"), (False, "float32")])
def test_a_gpu_reads_in_bfloat16_where_it_multiplies_it(
    monkeypatch: pytest.MonkeyPatch, *, multiplies: bool, precision: str
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(
        torch.cuda, "is_bf16_supported", lambda including_emulation=True: multiplies or including_emulation
    )
    monkeypatch.setattr(processor, "fastest_precision", lambda: "neither")
    assert processor.reading_device().type == "cuda"
    assert processor.reading_precision() == precision


@pytest.mark.parametrize(("platform", "trimmed"), [("linux", [0, 0]), ("darwin", [])])
def test_freed_memory_goes_back_to_the_system_once_a_turn(
    monkeypatch: pytest.MonkeyPatch, platform: str, trimmed: list[int]
) -> None:
    asked: list[int] = []
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(ctypes, "CDLL", lambda _: SimpleNamespace(malloc_trim=asked.append))
    processor.give_back_memory.cache_clear()
    for turn in (1, 1, 2, 2):
        processor.give_back_memory(turn)
    assert asked == trimmed


def test_a_c_library_that_keeps_its_memory_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda _: SimpleNamespace())
    processor.give_back_memory.cache_clear()
    processor.give_back_memory(1)
    assert processor.give_back_memory.cache_info().misses == 1


def test_what_is_too_much_for_a_gpu_is_read_in_halves() -> None:
    rows, asked = torch.arange(12.0).reshape(6, 2), []

    def read(part: slice) -> torch.Tensor:
        asked.append((part.start, part.stop))
        if part.stop - part.start > 2:
            raise torch.OutOfMemoryError
        return rows[part] + 1

    assert torch.equal(processor.within_memory(read, 6), rows + 1)
    assert asked == [(0, 6), (0, 3), (0, 1), (1, 3), (3, 6), (3, 4), (4, 6)]


def test_one_text_that_is_too_much_for_a_gpu_is_a_named_error() -> None:
    def read(_: slice) -> torch.Tensor:
        raise torch.OutOfMemoryError

    with pytest.raises(EncoderError, match="GPU memory for one text at a time"):
        processor.within_memory(read, 3)
