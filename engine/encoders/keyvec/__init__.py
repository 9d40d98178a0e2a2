"""KeyVec: document vectors that keep key sentences and key words (Bi, Ravi and colleagues, "KeyVec")."""

from typing import TYPE_CHECKING

from engine.core.doors import door

if TYPE_CHECKING:
    from engine.encoders.keyvec.encoder import MIN_BODY, KeyvecEncoder, read_sentences
    from engine.encoders.keyvec.network import KeyvecNetwork, read_documents, sentence_vectors
    from engine.encoders.keyvec.settings import CHOSEN, MEANING, KeyvecSettings, Salience, explained

__getattr__ = door(__name__)
