"""Documents read from references that a test writes."""

from __future__ import annotations

import io

from engine.documents import Document
from engine.reading.limits import Limits
from engine.reading.references import tagged
from engine.reading.references.bibtex import read_bibtex

RIS = (
    "TY  - JOUR\r\nT1  - On incompleteness\r\nAU  - Gödel, Kurt\r\nAU  - Lind, Ada\r\n"
    "Y1  - 1931/05/01/\r\nJO  - Math.\r\n"
    "KW  - logic\r\nKW  - proof\r\nDO  - 10.1007/bf01700692\r\nN2  - We show it.\r\nAnd more.\r\nER  - \r\n\r\n"
)


def ris(text: str, *, limits: Limits | None = None, said: list[str] | None = None) -> list[Document]:
    warn = (said if said is not None else []).append
    return list(tagged.RIS.read(io.BytesIO(text.encode()), "a.ris", limits or Limits(), warn))


SIZE = 100_000


def bib(text: str, *, limits: Limits | None = None, said: list[str] | None = None) -> list[Document]:
    warn = (said if said is not None else []).append
    return list(read_bibtex(io.BytesIO(text.encode()), "a.bib", limits or Limits(), warn))


ARTICLE = r"""@article{godel1931,
  author    = {Kurt G{\"o}del and L{\'o}pez-Ib{\'a}{\~n}ez, Manuel and {Bell and Sons} and others},
  title     = "On the {I}ncompleteness of $\omega$-consistent {\em Systems} --- a ``note''",
  journal   = jmath # " (old series)",
  year      = 1931,
  pages     = {173--198},
  keywords  = {logic; arithmetic, proof},
  doi       = {https://doi.org/10.1007/bf01700692},
  abstract  = {We show 100\% of it.

               And more.},
}
"""
