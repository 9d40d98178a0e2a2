"""Numbers and units of siunitx and its like, in text and in formulas."""
# ruff: noqa: RUF001  primes of angles

from __future__ import annotations

import pytest

from engine.reading.dispatch import read_bytes
from engine.reading.latex.quantities import with_quantities
from tests.reading.latex.sources import body, read, seconds


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (r"\SI{5}{\metre} and \qty{5}{\m}", "5 m and 5 m"),
        (r"\SI[per-mode=symbol]{5}{\kilo\metre\per\hour}", "5 km/h"),
        (r"\qty{2}{\metre\per\second\squared}", "2 m/s^2"),
        (r"\qty{2}{\joule\per\kilo\gram\per\kelvin}", "2 J kg^-1 K^-1"),
        (r"\unit{\per\square\metre}, \si{\cubic\centi\metre}, \si{\metre\tothe{4}}", "m^-2, cm^3, m^4"),
        (r"\SI{3}{\percent}, \SI{3}\percent, \ang{45}, \SI{45}{\degree}", "3%, 3%, 45°, 45°"),
        (r"\SI{20}{\degreeCelsius}, \SI{20}{\celsius}, \SI{20}{^\circ C}", "20 °C, 20 °C, 20 °C"),
        (r"\ang{12;30;15} \ang{;;1}", "12°30′15″ 1″"),
        (r"\num{1.5e-3}, \num{e5}, \num{3.0E+8}, \num{.5}", "1.5 × 10^-3, 10^5, 3.0 × 10^8, 0.5"),
        (r"\num{1.23(4)} \num{1.5 +- 0.2} \num{1.5 \pm 0.2 e-3}", "1.23(4) 1.5 ± 0.2 (1.5 ± 0.2) × 10^-3"),
        (r"\num{12 345.67}, \num{38,666}, \num{<5}, \num{\approx 5}", "12345.67, 38,666, <5, ≈5"),
        (
            r"\complexnum{1+2i}, \num{1.2 x 3}, \numproduct{2 x 3}, \qtyproduct{2 x 3}{\m}",
            "1+2i, 1.2 × 3, 2 × 3, 2 × 3 m",
        ),
        (
            r"\numrange{3}{9} \SIrange{100}{200}{\milli\second} \qtyrange{-5}{3}{\percent}",
            "3 to 9 100 to 200 ms -5 to 3%",
        ),
        (r"\numlist{1;2;3}; \SIlist{1;2}{\kilo\gram}; \qtylist{1;2;3}{\s}", "1, 2 and 3; 1 and 2 kg; 1, 2 and 3 s"),
        (r"\SI{1.2}{kg.m^{-3}} \SI{5}{m/s} \SI{5}{J/(mol~K)}", "1.2 kg m^-3 5 m/s 5 J/(mol K)"),
        (r"\SI{3}{\textmu m} \SI{4}{\Omega} \SI{2}{\AA} \SI{9}{\euro\per\kg}", "3 μm 4 Ω 2 Å 9 €/kg"),
        (r"\SI{3}{\mu m} \SI{3}{\micro g} \qty{5}{\um} \qty{2.5}{\ug\per\mL}", "3 μm 3 μg 5 μm 2.5 μg/mL"),
        (r"\SI{2}[\$]{\per\kilo\gram} \SI{7}{\kilo\gram\of{oil}\per\mole} \SI{4}{}", "$2 kg^-1 7 kg_oil/mol 4"),
        (
            r"\DeclareSIUnit\molar{M}\DeclareSIUnit{\kmh}{\kilo\metre\per\hour}\SI{4}{\milli\molar} \SI{5}{\kmh}",
            "4 mM 5 km/h",
        ),
        (r"\SI{4}{\furlong} \SI{\pi}{\radian}", "4 furlong π rad"),
        (
            r"\unit[3]{kg} \unitfrac[3]{m}{s} \unit{5}{\metre\per\second} \numprint[m]{12345}",
            "3 kg 3 m/s 5 m/s 12345 m",
        ),
        (
            r"5\,\kilo\metre\per\hour\ fast, 5\micro m, 20\celsius, 20\degree C, 5\ohm thick",
            "5 km/h fast, 5μm, 20°C, 20°C, 5Ω thick",
        ),
        (r"\nicefrac{1}{2} or 2\nicefrac{1}{2}, \frac{a + b}{c}", "1/2 or 2 1/2, (a + b)/c"),
        (r"\ce{2 H2 + O2 -> 2 H2O}, \ch{CO2}, \isotope[14]{C}", "2 H2 + O2 → 2 H2O, CO2, 14C"),
        (
            r"\newcommand{\ms}[1]{\SI{#1}{\milli\second}}\newcommand{\kms}{\si{\km\per\s}\xspace}\ms{5} at 9~\kms now",
            "5 ms at 9 km/s now",
        ),
        (r"$\SI{5}{\metre\per\second\squared}$ \(\num{1.5e-3}\)", r"$5\,\mathrm{m/s^{2}}$ \(1.5 \times 10^{-3}\)"),
        (
            r"$\qtyrange{80}{87}{\percent}$ $\nicefrac{3}{4} \frac{1}{2}$",
            r"$80\text{ to }87\mathrm{\%}$ ${3}/{4} \frac{1}{2}$",
        ),
        (r"\qty{3} and \SI is kept", "3 and is kept"),
        (r"\EUR{5,50} or \EUR 5, 5~\EUR{} or \EURdig 5, 5\permil, \yen5", "5,50 € or € 5, 5 € or €5, 5‰, ¥5"),
        (r"the \nth{3}, \nth 2, \engordnumber{12} and \ordinalnum{21}, \nth{n}", "the 3rd, 2nd, 12th and 21st, n"),
        (r"5\nicefrac12, \sfrac12, \frac12 and \vulgarfrac{1}{2}", "5 1/2, 1/2, 1/2 and 1/2"),
        (r"\isotope[14][6]{C}, \power{\metre}{2}, 101\textsubscript{2}", "^14_6C, m^2, 101_2"),
        (r"le 1\ier{} mai", "le 1er mai"),
        (r"\unit{5}{\metre\tothe{3}}, 5\,m\tothe{3}, 10\tothe{-3} and $5\tothe{3}$", "5 m^3, 5 m^3, 10^-3 and $5^{3}$"),
        (r"\USD{5}, \USD 5, 5~\CHF{} and \EURO{5}", "5 USD, USD 5, 5 CHF and 5 €"),
        (
            r"5\,\MHz{} or 5~\kPa, 30\,\second\ and 5\,\kms, 5 \pm 3\,\ng/mL, 7\,\fb",
            "5 MHz or 5 kPa, 30 s and 5 km/s, 5 ± 3 ng/mL, 7 fb",
        ),
        (r"5\,\cubic\metre{}, 5\,\square\metre, 5\,\per\metre, 5\,\raiseto{3}\metre", "5 m^3, 5 m^2, 5 m^-1, 5 m^3"),
        (r"5\,m\squared, 5 km\per h, 5\,m\cubed\ of", "5 m^2, 5 km/h, 5 m^3 of"),
        (r"5\,\kilometre, \qty{5}{\millilitre}, \unit{5}{\squaremetre}", "5 km, 5 mL, 5 m^2"),
        (r"\unit{5}{\kilogrampercubicmetre}, \unit{5}{\joulepermolekelvin}", "5 kg/m^3, 5 J mol^-1 K^-1"),
        (r"\unit{5}{\joule\per\kilogram\usk\kelvin}, \unit{5}{\metre\rpcubed}", "5 J kg^-1 K^-1, 5 m^-3"),
        (r"\unit{5}{\rpsquare\second\usk\metre}, \unit{5}{\fourth\metre}", "5 m/s^2, 5 m^4"),
        (r"\unit{$\sim$5}{\metre}, \unit{5 to 10}{\metre}, \unit{m}{} long", "∼5 m, 5 to 10 m, m long"),
        (r"\qty{5}{\hertz\tothe{0.5}}, \qty{5}{m^{0.5}}, \si{m^{1/2}}", "5 Hz^0.5, 5 m^0.5, m^(1/2)"),
        (
            r"\qty{5}{\volt\per\sqrt{\hertz}}, \si{\metre\tothe{n}}, \si{\per\metre\tothe{1/2}}",
            "5 V/√Hz, m^n, m^(-1/2)",
        ),
        (r"\SI{\frac{1}{2}}{\metre} and \num{\frac12}, \SI{10\tothe{3}}{\metre}", "1/2 m and 1/2, 10^3 m"),
        (r"\nprounddigits{2}\numprint{3.14}, \slantfrac{1}{2}, 5\half, \dollar5", "3.14, 1/2, 5½, $5"),
        (r"\DeclareSIUnit\kmh{km/h}5\,\kmh", "5 km/h"),
    ],
)
def test_numbers_and_units_are_written_out(written: str, expected: str) -> None:
    assert body(written) == expected


def test_a_quantity_in_a_title_and_in_a_heading() -> None:
    source = (
        r"\documentclass{a}\title{Drift by \SI{5}{\metre}}\begin{document}\section{At \qty{3}{\percent}}x\end{document}"
    )
    document = read(source).document
    assert document.title == "Drift by 5 m" and document.sections[0].title == "At 3%"


def test_a_command_of_the_paper_itself_stands_for_its_own_text() -> None:
    assert (
        body(r"\newcommand{\SI}{Supporting Information}\def\unit#1{[#1]}see \SI, \unit{a}")
        == "see Supporting Information, [a]"
    )


def test_a_quantity_in_a_bibtex_title() -> None:
    data = rb"@article{a, title = {Drift of \SI{5}{\milli\metre\per\second} at \num{1e-3}}, year = 2001}"
    assert read_bytes(data, "a.bib").document.title == "Drift of 5 mm/s at 1 × 10^-3"


def test_source_without_a_quantity_stays_itself() -> None:
    source = r"Reefs \emph{drift} by $x^2$ \nothing."
    assert with_quantities(source) is source


@pytest.mark.parametrize(
    "piece", [r"\SI{", r"\SI{5}{\per", r"\nicefrac{", r"\num[", r"\kilo", r"\ang{1;", r"$\qty{1}{\m}"]
)
def test_hostile_quantities_cost_no_more_than_their_length(piece: str) -> None:
    assert seconds(piece * 20_000) < 20
