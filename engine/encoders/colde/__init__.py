"""CoLDE: long documents as chunks, sections and one vector, each with its similarities."""

from typing import TYPE_CHECKING

from engine.core.doors import door

if TYPE_CHECKING:
    from engine.encoders.colde.encoder import ColdeEncoder, ColdeModel, begin_modules
    from engine.encoders.colde.long_documents import CutDocument, Cutter, Levels, LongRows
    from engine.encoders.colde.network import (
        Backbone,
        ColdeHead,
        Numbered,
        as_tensors,
        numbered,
        read_chunks,
        stretch_of,
    )
    from engine.encoders.colde.settings import NAME, ColdeSettings

__getattr__ = door(__name__)
