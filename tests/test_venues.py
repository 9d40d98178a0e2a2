r"""Names of venues without TeX."""

from __future__ import annotations

import pytest

from engine.arxiv import venue
from engine.documents import Document
from engine.venues import plain_venue


@pytest.mark.parametrize(
    ("given", "plain"),
    [
        (r"Int.\ J.\ Mod.\ Phys.", "Int. J. Mod. Phys."),
        (r"S\'eminaire Lotharingien de Combinatoire", "Séminaire Lotharingien de Combinatoire"),
        (r"{\"O}fversigt af Societetens F{\"o}rhandlingar", "Öfversigt af Societetens Förhandlingar"),
        (r"Bulletin des Sciences Math\'{e}matiques", "Bulletin des Sciences Mathématiques"),
        (r"Journal de l{\textquoteright}\'Ecole {\textemdash} Math\'ematiques", "Journal de l’École — Mathématiques"),
        (r"Numerical Analysis \& Modeling", "Numerical Analysis & Modeling"),
        (r"RIMS K\^oky\^uroku", "RIMS Kôkyûroku"),
        (r"Phys. Rev. Lett. {\bf", "Phys. Rev. Lett."),
        (r"Fran\c{c}ais de l'\'etat na\"{\i}f, \v Sarov, \L \'od\'z", "Français de l'état naïf, Šarov, Łódź"),
        (r"Proc.~Natl.\ Acad.", "Proc. Natl. Acad."),
        ("Spacetime $ Substance ~ Journal", "Spacetime $ Substance ~ Journal"),
        (r"\\", ""),
    ],
)  # fmt: skip
def test_a_name_with_tex_becomes_plain_text(given: str, plain: str) -> None:
    assert plain_venue(given) == plain
    assert plain_venue(plain) == plain
    assert Document("x", venue=given).venue == plain


def test_a_journal_reference_with_tex_gives_the_whole_name() -> None:
    assert venue(r"Int.\ J.\ Geom.\ Methods Mod.\ Phys. 12 (2015) 1550075") == "Int. J. Geom. Methods Mod. Phys."
    assert venue(r"Phys. Rev. Lett. {\bf 88}, 138702 (2002)") == "Phys. Rev. Lett."
