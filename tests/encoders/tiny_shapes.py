"""Transformers of other shapes, made from a configuration: two small layers with drawn weights each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.contracts.encoder import corpus

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
