"""Encoders: one file a method, each turning documents into vectors ranked by their inner product."""

from typing import TYPE_CHECKING

from engine.core.doors import door

if TYPE_CHECKING:
    from engine.encoders.base import TOKENS_EACH, Coupling, Encoder, EncoderCard
    from engine.encoders.bring import bring_model, look_at_model, spoken_facts
    from engine.encoders.kept_models import (
        KeptModel,
        add_measured,
        kept_folder,
        list_kept,
        offer_kept,
        read_kept,
        remove_kept,
    )
    from engine.encoders.minilm import MINILM, minilm_folder
    from engine.encoders.model_folder import ModelFacts
    from engine.encoders.module_weights import drawn_by
    from engine.encoders.nearest_rows import Products, mutual, nearest_others
    from engine.encoders.processor import fastest_precision
    from engine.encoders.registry import (
        DEFAULT,
        PRETRAINED,
        USUAL_KEYWORD_WEIGHT,
        card,
        encoder_names,
        fit,
        is_fitted_kind,
        is_own,
        joined_names,
        keyword_reason,
        keyword_weights,
        label,
        load,
        load_folder,
        search_names,
        shipped_folder,
    )
    from engine.encoders.sentence_mean import SentenceMeanEncoder
    from engine.encoders.storage import CARD, SETTINGS, read_card
    from engine.encoders.transformer import Transformer, bare_model, batches, local_folder
    from engine.encoders.transformer_mean import TransformerMeanEncoder
    from engine.encoders.word_vectors import Word2vecMeanEncoder, WordVectors

__all__ = [
    "CARD",
    "DEFAULT",
    "MINILM",
    "PRETRAINED",
    "SETTINGS",
    "TOKENS_EACH",
    "USUAL_KEYWORD_WEIGHT",
    "Coupling",
    "Encoder",
    "EncoderCard",
    "KeptModel",
    "ModelFacts",
    "Products",
    "SentenceMeanEncoder",
    "Transformer",
    "TransformerMeanEncoder",
    "Word2vecMeanEncoder",
    "WordVectors",
    "add_measured",
    "bare_model",
    "batches",
    "bring_model",
    "card",
    "drawn_by",
    "encoder_names",
    "fastest_precision",
    "fit",
    "is_fitted_kind",
    "is_own",
    "joined_names",
    "kept_folder",
    "keyword_reason",
    "keyword_weights",
    "label",
    "list_kept",
    "load",
    "load_folder",
    "local_folder",
    "look_at_model",
    "minilm_folder",
    "mutual",
    "nearest_others",
    "offer_kept",
    "read_card",
    "read_kept",
    "remove_kept",
    "search_names",
    "shipped_folder",
    "spoken_facts",
]

__getattr__ = door(__name__)
