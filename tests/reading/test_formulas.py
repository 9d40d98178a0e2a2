"""TeX's formulas within a text as people read them: as characters and as MathML."""
# ruff: noqa: RUF001  signs that look like letters are what is tested

from __future__ import annotations

import time

import pytest

from engine.reading.formulas import Formula, as_text, formula_html, formula_pieces, readable
from engine.reading.latex.tex import plain
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


# ruff: noqa: RUF001  formulas hold signs that look like letters


def of(formula: str) -> str:
    """What the body of a formula's MathML is."""
    return formula_html(f"${formula}$").removeprefix('<math display="inline"><mrow>').removesuffix("</mrow></math>")


@pytest.mark.parametrize(
    ("formula", "mathml"),
    [
        (r"\alpha", "<mi>α</mi>"),
        ("R^n", "<msup><mi>R</mi><mi>n</mi></msup>"),
        ("_3", "<msub><mi></mi><mn>3</mn></msub>"),
        (r"\frac{a}{2}", "<mfrac><mrow><mi>a</mi></mrow><mrow><mn>2</mn></mrow></mfrac>"),
        (r"\mathbb{R}", "<mi>ℝ</mi>"),
        (r"\mathcal{H}", "<mi>ℋ</mi>"),
        (r"\mathfrak{g}", "<mi>𝔤</mi>"),
        (r"\mathbf{x}", "<mi>𝐱</mi>"),
        (r"\R", "<mi>R</mi>"),  # a command of the authors' own
    ],
)
def test_formulas_become_mathml(formula: str, mathml: str) -> None:
    assert of(formula) == mathml


@pytest.mark.parametrize("written", ["$x$", r"\(x\)", "$ x $", "$% x$"])
def test_a_formula_may_be_written_in_several_ways(written: str) -> None:
    assert formula_html(f"the {written} of") == 'the <math display="inline"><mrow><mi>x</mi></mrow></math> of'


@pytest.mark.parametrize("written", ["$$x$$", r"\[x\]"])
def test_a_formula_on_a_line_of_its_own_is_a_block(written: str) -> None:
    assert formula_html(written) == '<math display="block"><mrow><mi>x</mi></mrow></math>'


@pytest.mark.parametrize(
    "text",
    [
        "It costs $5 and the other $6.",
        "paid $5, not $6",
        "from $5-$10 a head",
        "a price of $ 12 million and of $ 15 million",
        "costs $5",
        "a set {1, 2} and x_1, or www.x.edu/~miller",
        "",
    ],
)
def test_what_is_no_tex_stays_as_it_is(text: str) -> None:
    assert formula_html(text) == as_text(text) == text


@pytest.mark.parametrize(
    ("source", "shown", "text"),
    [
        (r"Schr\"odinger and L{\'e}vy, Ho\v{r}ava", "Schrödinger and Lévy, Hořava", "Schrödinger and Lévy, Hořava"),
        (r"by \emph{per se} or {\it et al.}, {\bf 97}", "by per se or et al., 97", "by per se or et al., 97"),
        (r"as shown \cite{a,b}, see \cite[p. 4]{c}.", "as shown, see.", "as shown, see."),
        ("a ``critical'' value", "a “critical” value", "a “critical” value"),
        (r"CuO_{4}, E_{iso}", "CuO<sub>4</sub>, E<sub>iso</sub>", "CuO_4, E_iso"),
        (r"\gamma rays of 5\%", "γ rays of 5%", "γ rays of 5%"),
        (r"at z~2.3 of Fig.~3 in L\'evy", "at z~2.3 of Fig. 3 in Lévy", "at z~2.3 of Fig. 3 in Lévy"),
        (r"$\alpha$-particles of $10^{4}$ K", None, "α-particles of 10^4 K"),
        (
            "1 < 2 & $a<b$",
            '1 &lt; 2 &amp; <math display="inline"><mrow><mi>a</mi><mo>&lt;</mo><mi>b</mi></mrow></math>',
            None,
        ),
    ],
)
def test_tex_between_formulas_is_read(source: str, shown: str | None, text: str | None) -> None:
    if shown is not None:
        assert formula_html(source) == shown
    if text is not None:
        assert as_text(source) == text


@pytest.mark.parametrize(
    "source",
    [
        "<script>alert(1)</script> $x$",
        "$<img src=x onerror=alert(1)>$",
        r"$\href{javascript:alert(1)}{x}$",
        r'$\style{" onload="alert(1)}{x}$',
        r"$\text{<script>alert(1)</script>}$",
        r"$\class{a}{\mathrm{<b>}}$",
        r"CuO_{<b>x</b>}",
    ],
)
def test_no_text_becomes_markup(source: str) -> None:
    shown = formula_html(source)
    for bad in ("<script", "<img", "<b>", "href", "onload=", "onerror=alert(1)>"):
        assert bad not in shown
    assert "<a" not in shown


@pytest.mark.parametrize(
    "source",
    [r"$\frac{a$", r"$a^b^c$", r"$\left( x$ and {unclosed \emph{x", "$" + "{" * 399 + "$", r"$\def$", r"$\skew 1 }$"],
)
def test_broken_tex_stays_readable(source: str) -> None:
    assert formula_html(source)


@pytest.mark.parametrize("piece", [r"\cite[", "$", "$a ", r"\(", "{", "^{", "[1]"])
def test_a_long_text_of_signs_keeps_its_words(piece: str) -> None:
    assert "end of it" in formula_html(f"\\alpha {piece * 20_000} end of it")


def test_blanks_before_a_citation_go_with_it() -> None:
    assert formula_html(f"\\alpha, {' ' * 100_000} so \\cite[p. 3][]{{a}} and  \\cite{{b}}.").endswith(" so and.")


def test_a_text_comes_in_pieces_that_keep_their_order() -> None:
    first, formula, last = formula_pieces("a $x^2$ b")
    assert (first, last) == ("a ", " b")
    assert isinstance(formula, Formula)
    assert (formula.tex, formula.text) == ("x^2", "x^2")
