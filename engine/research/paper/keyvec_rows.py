"""Rows of KeyVec's tables: those that `priorscope evaluate` has, and its ablations, trained where nobody gave them."""

from __future__ import annotations

from engine.research.paper import training
from engine.research.paper.work import Work

ABLATIONS = ("keyvec-read-only", "keyvec-enc-only")
"""Each by the recipe of its name; without L_enc a document's vector is what the reader's states happen to give."""


def keyvec_row(work: Work, name: str) -> str:
    """The row of a name, with its folder where it is trained. Raises EngineError where it cannot be had or trained."""
    if name in ABLATIONS:
        return f"{name}={training.trained(work, name, name, work.settings.keyvec.settings)}"
    return work.row_of(name)
