"""Outside sources of documents: one file a source."""

from typing import TYPE_CHECKING

from engine.core.doors import door

if TYPE_CHECKING:
    from engine.sources.samples import SAMPLES, read_all

__getattr__ = door(__name__)
