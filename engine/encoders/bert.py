"""BERT's encoder with the names, the weights and the arithmetic of `transformers`, which is slow to import."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

from torch import Tensor, arange, bfloat16, nn, zeros, zeros_like

from engine.encoders.processor import in_steps

_KEPT: dict[str, Any] = {
    "model_type": "bert",
    "hidden_act": "gelu",
    "position_embedding_type": "absolute",
    "is_decoder": False,
    "is_encoder_decoder": False,
    "add_cross_attention": False,
}
"""What this arithmetic is for, and what a setting that is not named stands for."""

_READ = (
    "vocab_size",
    "hidden_size",
    "num_hidden_layers",
    "num_attention_heads",
    "intermediate_size",
    "max_position_embeddings",
    "type_vocab_size",
    "layer_norm_eps",
    "hidden_dropout_prob",
    "attention_probs_dropout_prob",
    "pad_token_id",
)


class States(NamedTuple):
    """What a model gives, under the name that `transformers` has for it."""

    last_hidden_state: Tensor
    """A vector for each token: (b, t, dim)."""


class Bert(nn.Module):
    """Devlin et al., "BERT", NAACL 2019, section 3, without its pooler: token ids in, one vector a token out."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        """Take the settings of a `transformers` BERT, which `is_plain` must hold for; its weights are zeros."""
        super().__init__()
        self.settings = dict(settings)
        self.config = SimpleNamespace(**{name: value for name, value in settings.items() if name in {*_KEPT, *_READ}})
        self.embeddings = _Embeddings(self.config)
        self.encoder = nn.ModuleDict(
            {"layer": nn.ModuleList(_Layer(self.config) for _ in range(self.config.num_hidden_layers))}
        )

    def get_input_embeddings(self) -> nn.Embedding:
        """Return the word vectors."""
        return cast(nn.Embedding, self.embeddings.word_embeddings)

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
    ) -> States:
        """Read token ids (b, t), or word vectors (b, t, dim); the mask (b, t) is 1 for tokens, by default everywhere.

        Vectors of padding are numbers without meaning.
        """
        words = self.get_input_embeddings()(input_ids) if inputs_embeds is None else inputs_embeds  # (b, t, dim)
        seen = None if attention_mask is None else attention_mask[:, None, None, :].bool()  # (b, 1, 1, t)
        states: Tensor = self.embeddings(words)
        length = states.shape[1]
        if states.dtype is bfloat16 and states.device.type == "cpu" and (spare := in_steps(length) - length):
            seen = states.new_ones(1, 1, 1, length).bool() if seen is None else seen
            states, seen = nn.functional.pad(states, (0, 0, 0, spare)), nn.functional.pad(seen, (0, spare))
        for layer in cast(nn.ModuleList, self.encoder["layer"]):
            states = layer(states, seen)
        return States(states[:, :length])


class _Linear(nn.Linear):
    """A product whose weights are to be filled: to draw them first takes a quarter of a second a model."""

    def reset_parameters(self) -> None:
        """Begin with zeros, which take no memory until they are written."""
        self.weight, self.bias = nn.Parameter(zeros(self.weight.shape)), nn.Parameter(zeros(self.bias.shape))


class _Table(nn.Embedding):
    """Rows by number, likewise to be filled."""

    def reset_parameters(self) -> None:
        """Begin with zeros."""
        self.weight = nn.Parameter(zeros(self.weight.shape))


class _Embeddings(nn.Module):
    """The sum of a token's word, position and segment, normalised; every token is of the first segment."""

    def __init__(self, config: SimpleNamespace) -> None:
        super().__init__()
        self.word_embeddings = _Table(config.vocab_size, config.hidden_size, padding_idx=config.pad_token_id)
        self.position_embeddings = _Table(config.max_position_embeddings, config.hidden_size)
        self.token_type_embeddings = _Table(config.type_vocab_size, config.hidden_size)
        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, words: Tensor) -> Tensor:
        """Return (b, t, dim) from (b, t, dim)."""
        places = arange(words.shape[1], device=words.device)  # (t,)
        segment = self.token_type_embeddings(zeros_like(places))  # (t, dim)
        summed = words + segment + self.position_embeddings(places)
        dropped: Tensor = self.dropout(self.LayerNorm(summed))
        return dropped


class _Layer(nn.Module):
    """Attention, then two products with GELU between them, each added to what came in and normalised."""

    def __init__(self, config: SimpleNamespace) -> None:
        super().__init__()
        wide = config.hidden_size
        self.attention = nn.ModuleDict({"self": _Attention(config), "output": _Added(wide, wide, config)})
        self.intermediate = nn.ModuleDict({"dense": _Linear(wide, config.intermediate_size)})
        self.output = _Added(config.intermediate_size, wide, config)

    def forward(self, states: Tensor, seen: Tensor | None) -> Tensor:
        """Return (b, t, dim) from (b, t, dim); `seen` (b, 1, 1, t) is true for tokens to attend to."""
        met: Tensor = self.attention["output"](self.attention["self"](states, seen), states)
        inner = nn.functional.gelu(self.intermediate["dense"](met))  # (b, t, intermediate)
        found: Tensor = self.output(inner, met)
        return found


class _Attention(nn.Module):
    """What each token takes from the others, by several heads (Vaswani et al., NeurIPS 2017, section 3.2)."""

    def __init__(self, config: SimpleNamespace) -> None:
        super().__init__()
        self.heads, self.dropped = config.num_attention_heads, config.attention_probs_dropout_prob
        self.query, self.key, self.value = (_Linear(config.hidden_size, config.hidden_size) for _ in range(3))

    def forward(self, states: Tensor, seen: Tensor | None) -> Tensor:
        """Return (b, t, dim) from (b, t, dim)."""
        query, key, value = (
            part(states).unflatten(-1, (self.heads, -1)).transpose(1, 2)  # (b, heads, t, dim / heads)
            for part in (self.query, self.key, self.value)
        )
        dropped = self.dropped if self.training else 0.0
        taken = nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=seen, dropout_p=dropped)
        return taken.transpose(1, 2).flatten(2)


class _Added(nn.Module):
    """A product, added to what came in, and normalised."""

    def __init__(self, wide: int, out: int, config: SimpleNamespace) -> None:
        super().__init__()
        self.dense = _Linear(wide, out)
        self.LayerNorm = nn.LayerNorm(out, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, inner: Tensor, before: Tensor) -> Tensor:
        """Return (b, t, out) from (b, t, wide) and (b, t, out)."""
        found: Tensor = self.LayerNorm(self.dropout(self.dense(inner)) + before)
        return found


def is_plain(settings: Mapping[str, Any]) -> bool:
    """Tell whether the settings describe a BERT of this very arithmetic, and complete."""
    same = all(settings.get(name, value) == value for name, value in _KEPT.items())
    return same and all(settings.get(name) is not None for name in _READ)
