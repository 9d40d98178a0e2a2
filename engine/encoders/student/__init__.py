"""A small transformer taught by a larger one."""

from typing import TYPE_CHECKING

from engine.core.doors import door

if TYPE_CHECKING:
    from engine.encoders.student.encoder import StudentEncoder
    from engine.encoders.student.settings import NAME, OF_PASSAGES, PASSAGES, StudentSettings

__getattr__ = door(__name__)
