"""C-DSSM: a convolution over the letters of words in windows (Shen et al., CIKM 2014, and its tweaks)."""

from typing import TYPE_CHECKING

from engine.core.doors import door

if TYPE_CHECKING:
    from engine.encoders.cdssm.encoder import CdssmEncoder
    from engine.encoders.cdssm.network import Bags, CdssmNetwork, Lexicon, NumberedTexts, begin_network, distinct
    from engine.encoders.cdssm.settings import TRIGRAMS, TWO, VECTORS, CdssmSettings

__getattr__ = door(__name__)
