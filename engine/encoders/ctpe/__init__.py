"""CTPE: coupled text pair embedding (Tan, Zhao and Zhang, "Coherence-Based Distributed Document Representation")."""

from typing import TYPE_CHECKING

from engine.core.doors import door

if TYPE_CHECKING:
    from engine.encoders.ctpe.embeddings import EmbeddingModel, SentenceMeans, TransformerTokens, WordEmbeddings
    from engine.encoders.ctpe.encoder import CtpeEncoder, Reduction, summed
    from engine.encoders.ctpe.network import PairNetwork, in_parts, summed_parts
    from engine.encoders.ctpe.settings import WHOLE, CtpeSettings, Position, cut_pair

__getattr__ = door(__name__)
