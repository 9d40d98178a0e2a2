"""Formulas, superscripts and fractions of marked-up text keep their numbers, in XML, pages and tagged strings."""
# ruff: noqa: RUF001  formulas hold signs that look like letters

from __future__ import annotations

from xml.etree.ElementTree import fromstring

import pytest

from engine.reading import read_bytes
from engine.reading.mathml import settle
from engine.reading.references.entries import abstract_without_tags, title_without_tags
from engine.reading.web.page import page_tree
from engine.reading.web.prose import text_line
from engine.reading.xml.tree import line

TEN = "<msup><mn>10</mn><mn>5</mn></msup>"
HALF = "<mfrac><mn>1</mn><mn>2</mn></mfrac>"


def settled(inner: str) -> str:
    root = fromstring(f"<p>{inner}</p>")
    settle(root)
    return line(root)


@pytest.mark.parametrize(
    ("mathml", "expected"),
    [
        (TEN, "$10^5$"),
        ("<msup><mn>10</mn><mrow><mo>−</mo><mn>12</mn></mrow></msup>", "$10^{-12}$"),
        (f"<mn>2</mn>{TEN}", r"$2\,10^5$"),
        (f"<mn>2</mn><mo>×</mo>{TEN}", r"$2\times10^5$"),
        (HALF, r"$\frac{1}{2}$"),
        (f"<mn>5</mn>{HALF}", r"$5\frac{1}{2}$"),
        ("<mfrac linethickness='0pt'><mi>n</mi><mn>2</mn></mfrac>", r"$\binom{n}{2}$"),
        ("<msqrt><mn>25</mn></msqrt><mroot><mn>8</mn><mn>3</mn></mroot>", r"$\sqrt{25}\sqrt[3]{8}$"),
        ("<msub><mn>101</mn><mn>2</mn></msub>", "$101_2$"),
        ("<msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup>", "$x_1^2$"),
        ("<mover accent='true'><mi>x</mi><mo>\u0302</mo></mover>", r"$\hat{x}$"),
        ("<mover><mi>x</mi><mo>¯</mo></mover><mover><mi>v</mi><mo>→</mo></mover>", r"$\bar{x}\vec{v}$"),
        ("<munder><mi>x</mi><mo>_</mo></munder>", r"$\underline{x}$"),
        (
            "<mmultiscripts><mi>C</mi><mprescripts/><mn>6</mn><mn>14</mn></mmultiscripts>",
            "${}_6^{14}C$",
        ),
        ("<mmultiscripts><mi>R</mi><mi>a</mi><none/></mmultiscripts>", "$R_a$"),
        (
            "<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr></mtable>",
            r"$\begin{matrix} 1 & 2 \end{matrix}$",
        ),
        ("<mfenced open='[' close=']'><mn>1</mn><mn>2</mn></mfenced>", "$[1, 2]$"),
        (f"<semantics><mrow>{TEN}</mrow><annotation>10^5 or so</annotation></semantics>", "$10^5$"),
        (f"<semantics>{TEN}<annotation encoding='application/x-tex'>10^{{5}}</annotation></semantics>", "$10^{5}$"),
        (f"<mn>5</mn><mspace width='0.2em'/>{HALF}<mphantom><mn>7</mn></mphantom>", r"$5\,\frac{1}{2}$"),
        (f"<mn>50</mn><mo>%</mo>{HALF}", r"$50\%\frac{1}{2}$"),
        ("<mi>p</mi><mo>&lt;</mo><mn>0.05</mn>", "p<0.05"),
        ("<semantics><mi>q</mi><annotation encoding='application/x-tex'>q</annotation></semantics>", "q"),
        ("<mn>5</mn><mspace width='1em'/><mi>km</mi><mtext>if</mtext><mi>x</mi>", "5 km if x"),
        ("<mi>sin</mi><mi>x</mi><mo>−</mo><mn>1</mn>", "sin x−1"),
    ],
)
def test_mathml_in_xml(mathml: str, expected: str) -> None:
    assert settled(f"a <math>{mathml}</math>, b") == f"a {expected}, b"


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("<inline-formula><tex-math>$10^{5}$</tex-math></inline-formula>", "$10^{5}$"),
        (
            r"<disp-formula><label>(1)</label><tex-math>\documentclass[12pt]{minimal} \usepackage{a} \begin{document}"
            r"$$\frac{1}{2}$$\end{document}</tex-math></disp-formula>",
            r"(1)$\frac{1}{2}$",
        ),
        (
            f"<inline-formula><alternatives><tex-math>$$10^5$$</tex-math><math>{TEN}</math></alternatives>"
            "</inline-formula>",
            "$10^5$",
        ),
        ("<inline-formula>10<sup>5</sup><tex-math>10^5</tex-math></inline-formula>", "10^5"),
        ("<alternatives><graphic/><tex-math>x^2</tex-math></alternatives>", "$x^2$"),
        ("<alternatives><math/><tex-math>x^2</tex-math></alternatives>", "$x^2$"),
        (r"<formula notation='TeX'>\frac{1}{2}</formula>", r"$\frac{1}{2}$"),
        ("<formula>a = b</formula>", "a = b"),
    ],
)
def test_a_formulas_source_counts_once(formula: str, expected: str) -> None:
    assert settled(f"a {formula}, b") == f"a {expected}, b"


SCRIPTS = [
    ("10<sup>5</sup> to <i>10</i><sup><b>6</b></sup> at 3 s<sup>-1</sup>", "10^5 to 10^6 at 3 s^-1"),
    ("the 1<sup>st</sup> Ca<sup>2+</sup> of CO<sub>2</sub>", "the 1st Ca2+ of CO2"),
    ("101<sub>2</sub> is 5", "101_2 is 5"),
    ("5<sup>1</sup>/<sub>2</sub> in or <sup>3</sup>⁄<sub>4</sub>, 10<sup>5</sup>/m", "5 1/2 in or 3/4, 10^5/m"),
]


@pytest.mark.parametrize(("text", "expected"), SCRIPTS)
def test_scripts_behind_a_number(text: str, expected: str) -> None:
    assert settled(text) == expected
    assert text_line(page_tree(f"<p>{text}</p>", "a")) == expected
    assert title_without_tags(text) == abstract_without_tags(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "10<SP>5</SP> on <SB>2</SB>",
        "10<superscript>5</superscript> on <subscript>2</subscript>",
        "10<hi rend='superscript'>5</hi> on <hi rend='sub'>2</hi>",
        "10<Sup>5</Sup> on <inf>2</inf>",
    ],
)
def test_scripts_of_every_dialect(text: str) -> None:
    assert settled(text) == "10^5 on 2"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            f"<mml:math xmlns:mml='m' x:href='a'>{TEN.replace('<', '<mml:').replace('<mml:/', '</mml:')}</mml:math>",
            "$10^5$",
        ),
        ("<jats:tex-math>$10^{5}$</jats:tex-math>", "$10^{5}$"),
        ("<math><mi>&alpha;</mi><mo>&lt;</mo><mn>5</mn></math>", "α<5"),
        ("<math><mn>5</math>", "5"),
    ],
)
def test_formulas_of_tagged_strings(text: str, expected: str) -> None:
    assert title_without_tags(f"a {text}, b") == abstract_without_tags(f"a {text}, b") == f"a {expected}, b"


def test_records_keep_their_numbers() -> None:
    mathml = f"<m:math xmlns:m='a'>{TEN.replace('<', '<m:').replace('<m:/', '</m:')}</m:math>"
    words = f"We {mathml} and 10<sup>6</sup>"
    pubmed = (
        f"<PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ArticleTitle>A {mathml}</ArticleTitle><Abstract>"
        f"<AbstractText>{words}</AbstractText></Abstract></Article></MedlineCitation></PubmedArticle>"
    )
    jats = f"<article><front><article-meta><abstract><p>{words}</p></abstract></article-meta></front></article>"
    tei = (
        "<TEI><teiHeader><profileDesc><abstract>"
        f"<p>{words.replace('<sup>', '<hi rend=`sup`>').replace('`', chr(34)).replace('</sup>', '</hi>')}</p>"
        "</abstract></profileDesc></teiHeader></TEI>"
    )
    for record in (pubmed, jats, tei):
        assert read_bytes(record.encode(), "a.xml").document.abstract == "We $10^5$ and 10^6"


def test_the_only_element_of_a_patents_claims_keeps_its_powers() -> None:
    patent = (
        "<patent-document country='EP' doc-number='1' kind='A1' lang='EN'><claims lang='EN'><claim><claim-text>"
        "1. A lid of 10<sup>5</sup> Pa.\n2. A pot of <math>" + HALF + "</math> bar.</claim-text></claim></claims>"
        "</patent-document>"
    )
    claims = read_bytes(patent.encode(), "a.xml").document.claims
    assert claims == ("A lid of 10^5 Pa.", r"A pot of $\frac{1}{2}$ bar.")
