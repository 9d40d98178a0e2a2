"""Encoders: one file a method, each turning documents into vectors ranked by their inner product."""

from typing import TYPE_CHECKING

from engine.core.doors import door

if TYPE_CHECKING:
    from engine.encoders.base import Coupling, Encoder, EncoderCard, Unit
    from engine.encoders.judge import Judge
    from engine.encoders.kept_models import KeptModel
    from engine.encoders.minilm import source_folder
    from engine.encoders.model_folder import ModelFacts
    from engine.encoders.module_weights import drawn_by
    from engine.encoders.nearest_rows import QuickProducts, nearest_others
    from engine.encoders.processor import fastest_precision
    from engine.encoders.registry import (
        DEFAULT,
        PRETRAINED,
        bring_model,
        encoder_names,
        find,
        fit,
        keyword_weights,
        label,
        load,
        load_folder,
        search_names,
        shipped_folders,
        watch_memory,
    )
    from engine.encoders.sentence_mean import SentenceMeanEncoder
    from engine.encoders.storage import CARD, check_stored, read_card
    from engine.encoders.transformer import Transformer, bare_model, local_folder
    from engine.encoders.transformer_mean import TransformerMeanEncoder
    from engine.encoders.word_vectors import Word2vecMeanEncoder, WordVectors

__getattr__ = door(__name__)
