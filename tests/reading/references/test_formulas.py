"""TeX's formulas as characters."""

# ruff: noqa: RUF001  signs that look like letters are what is tested

from __future__ import annotations

import time

import pytest

from engine.reading.latex.tex import plain
from engine.reading.references.formulas import readable
from tests.reading.references.written import SIZE


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (r"z {\ensuremath{\sim}} 2, z$\sim$2, z\raisebox{-0.5ex}\textasciitilde2", "z ∼ 2, z∼2, z~2"),
        (r"f$_{esc}$ and f$_{\rm esc}$ in CO$_{2}$ and H$_2$O", "f_esc and f_esc in CO2 and H2O"),
        (r"10$^{4}$ K, $10^{-3}$, n$^{th}$, Ca$^{2+}$, $^{13}$C, 90$^\circ$", "10^4 K, 10^-3, nth, Ca2+, 13C, 90°"),
        (r"\(O(n \log n)\), \(\ell_1\), \(\textsf{NP}\), $\mathcal{O}(n)$", "O(n log n), ℓ1, NP, O(n)"),
        (r"a 2\({}^{\mbox{k}}\) lid, O(n\({}^{\mbox{2}}\)), \(\Sigma\)\(\Delta\)", "a 2^k lid, O(n^2), ΣΔ"),
        (r"$p\bar{p}$ and $\hat x$", "p\u0304p and x\u0302".replace("p\u0304p", "pp\u0304")),
        (r"$e^{-x^{2}}$, $x \leq y$, $\{a\}$", "e^-x^2, x ≤ y, {a}"),
        (r"3{\ensuremath{\times}}10$^{5}$ M$_{\odot}$, \Lambda CDM", "3×10^5 M⊙, ΛCDM"),
        (r"$\frac{a}{b}$ and \(\sqrt{s}=13\)", r"$\frac{a}{b}$ and $\sqrt{s}=13$"),
        (r"from \$5 to $6 and $7", "from $5 to $6 and $7"),
        (r"\$x\_1\$ as it is", "$x_1$ as it is"),
    ],
)
def test_formulas(written: str, read: str) -> None:
    assert plain(readable(written), "a") == read


@pytest.mark.parametrize("piece", ["$", "\\(", "\\[", "{", "}", "_", "^", "\\", "\\hat{", "$x", "_{", "&", "\\alpha"])
@pytest.mark.parametrize("around", ["%s", "$%s$", "\\(%s\\)"])
def test_hostile_formulas_cost_no_more_than_their_length(piece: str, around: str) -> None:
    begun = time.process_time()
    readable(around % (piece * (SIZE // len(piece))))
    assert time.process_time() - begun < 5
