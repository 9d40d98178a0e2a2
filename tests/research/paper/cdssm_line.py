"""Small data for C-DSSM's tables."""

from __future__ import annotations

NAME = "ours"
