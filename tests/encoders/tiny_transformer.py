"""A transformer of our own: two small layers with drawn weights, and a tokenizer of whole words."""

from __future__ import annotations

from pathlib import Path

from tests.contracts.encoder import corpus

MARKS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def write_tiny_transformer(folder: Path, *, max_positions: int = 64, safe: bool = True) -> Path:
    """Write a `transformers` folder that knows the words of the tests' corpus."""
    import torch
    from transformers import BertConfig, BertModel

    words = sorted({word for document in corpus() for word in document.text.lower().replace(".", "").split()})
    config = BertConfig(
        vocab_size=len(MARKS) + len(words),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=max_positions,
        initializer_range=0.1,
    )
    with torch.random.fork_rng():
        torch.manual_seed(5)
        model = BertModel(config)
        torch.nn.init.normal_(model.embeddings.word_embeddings.weight)
        torch.nn.init.normal_(model.embeddings.LayerNorm.bias, std=0.1)
    model.save_pretrained(folder)
    if not safe:
        torch.save(model.state_dict(), folder / "pytorch_model.bin")
        (folder / "model.safetensors").unlink()
    _tokenizer(words).save_pretrained(folder)
    return folder


def _tokenizer(words: list[str]):  # noqa: ANN202  a class of transformers, which has no types
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    whole = Tokenizer(models.WordLevel({word: number for number, word in enumerate([*MARKS, *words])}, "[UNK]"))
    whole.normalizer = normalizers.Lowercase()
    whole.pre_tokenizer = pre_tokenizers.Whitespace()
    whole.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=whole, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]"
    )
