"""Broad subjects of fine category codes: few enough for ten colours and a legend that can be read."""

from __future__ import annotations

import re

_ARXIV = {
    "astro-ph": "Astrophysics",
    "cond-mat": "Condensed matter",
    "cs": "Computing",
    "econ": "Economics",
    "eess": "Electrical engineering",
    "gr-qc": "Gravity",
    "hep-ex": "High energy: experiment",
    "hep-lat": "High energy: lattice",
    "hep-ph": "High energy: phenomena",
    "hep-th": "High energy: theory",
    "math": "Mathematics",
    "math-ph": "Mathematical physics",
    "nlin": "Nonlinear science",
    "nucl-ex": "Nuclear: experiment",
    "nucl-th": "Nuclear: theory",
    "physics": "Physics, other",
    "q-bio": "Biology",
    "q-fin": "Finance",
    "quant-ph": "Quantum physics",
    "stat": "Statistics",
}
_PATENT_SECTIONS = {
    "A": "Patents A: human needs",
    "B": "Patents B: transport, tools",
    "C": "Patents C: chemistry",
    "D": "Patents D: textiles, paper",
    "E": "Patents E: building",
    "F": "Patents F: engines, heating",
    "G": "Patents G: instruments",
    "H": "Patents H: electricity",
    "Y": "Patents Y: new technology",
}
_PATENT_CODE = re.compile(r"[A-HY]\d{2}(?:[A-Z]|$)")


def subject(category: str) -> str:
    """The broad subject of an arXiv category or a CPC or IPC code; any other category is its own subject."""
    archive = category.partition(".")[0]
    if archive in _ARXIV:
        return _ARXIV[archive]
    if _PATENT_CODE.match(category):
        return _PATENT_SECTIONS[category[0]]
    return category
