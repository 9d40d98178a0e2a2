"""C-DSSM: a convolution over the letters of words in windows (Shen et al., CIKM 2014, and its tweaks)."""

from typing import TYPE_CHECKING

from engine.core.doors import door

if TYPE_CHECKING:
    from engine.encoders.cdssm.encoder import CdssmEncoder
    from engine.encoders.cdssm.lexicon import Bags, Lexicon, Texts, distinct
    from engine.encoders.cdssm.network import CdssmNetwork
    from engine.encoders.cdssm.parts import begun
    from engine.encoders.cdssm.settings import TRIGRAMS, TWO, VECTORS, CdssmSettings

__all__ = [
    "TRIGRAMS",
    "TWO",
    "VECTORS",
    "Bags",
    "CdssmEncoder",
    "CdssmNetwork",
    "CdssmSettings",
    "Lexicon",
    "Texts",
    "begun",
    "distinct",
]

__getattr__ = door(__name__)
