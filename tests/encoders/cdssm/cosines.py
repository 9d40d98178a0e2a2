"""C-DSSM of two towers and of one."""

from __future__ import annotations

from engine.encoders.cdssm.settings import CdssmSettings

TWO = CdssmSettings(towers="two", channels=64, dim=24)
