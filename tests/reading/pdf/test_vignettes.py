"""Real papers: the vignettes of Debian's R packages, read from their PDFs; title, abstract, sections by eye.

`r-cran-lme4`, `r-cran-zoo` and `r-cran-sandwich` bring the first table. The second names papers of other
packages that may be there: journals' layouts, bitmap fonts, two columns.

Where it does not come out right:

* Formulas: their parts are read line by line, so displayed ones are garbled, and a hat or bar is lost.
* sandwich-CL, lmer: a float at the top of a page stands in the section that runs on below it.
* zoo-quickref, zoo-read: code output between two sentences stays in the text, as printed.
* MVT_Rnews: the authors' addresses after the reference list are taken as its last entries.
* Rcpp-introduction: sections and their subsections are printed alike, so all count as sections.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from engine.documents import Document
from engine.reading.pdf.reader import read_pdf

FOLDER = Path("/usr/lib/R/site-library")


class Paper(NamedTuple):
    path: str
    title: str
    abstract: str
    sections: tuple[str, ...]


CERTAIN = [
    Paper(
        "lme4/doc/lmer.pdf",
        "Fitting Linear Mixed-Effects Models Using lme4",
        "Maximum likelihood or restricted maximum likelihood (REML) estimates of the parameters in linear "
        "mixed-effects models can be determined using the lmer function in the lme4 package for R.",
        (
            "Introduction",
            "Formula module",
            "Objective function module",
            "Nonlinear optimization module",
            "Output module",
            "Conclusion",
            "Acknowledgments",
            "References",
            "Modularization examples",
        ),
    ),
    Paper(
        "lme4/doc/Theory.pdf",
        "Computational methods for mixed models",
        "The lme4 package provides R functions to fit and analyze several different types of mixed-effects models,",
        (
            "Introduction",
            "Formulation of mixed models",
            "Methods for linear mixed models",
            "Generalizing the discrepancy function",
            "Details of the implementation",
            "References",
            "Notation",
            "Integrating a quadratic deviance expression",
        ),
    ),
    Paper(
        "lme4/doc/PLSvGLS.pdf",
        "Penalized least squares versus generalized least squares representations of linear mixed models",
        "The methods in the lme4 package for R for fitting linear mixed models are based on sparse matrix methods, "
        "especially the Cholesky decomposition of sparse positive-semidefinite matrices,",
        (
            "Definition of the model",
            "The penalized least squares approach to linear mixed models",
            "The generalized least squares approach to linear mixed models",
            "Trace of the “hat” matrix",
        ),
    ),
    Paper(
        "zoo/doc/zoo.pdf",
        "zoo: An S3 Class and Methods for Indexed Totally Ordered Observations",
        "A previous version to this introduction to the R package zoo has been published as Zeileis and Grothendieck",
        (
            "Introduction",
            'The class "zoo" and its methods',
            "Combining zoo with other packages",
            "Summary and outlook",
            "Computational details",
            "References",
            "Reference card",
        ),
    ),
    Paper(
        "zoo/doc/zoo-quickref.pdf",
        "zoo Quick Reference",
        "This vignette gives a brief overview of (some of) the functionality contained in zoo including several nifty",
        (
            "Read a series from a text file",
            "Query dates",
            "Convert back into a plain matrix",
            "Union and intersection",
            "Visualization",
            "Select (a few) observations",
            "Handle missing data",
            "Prices and returns",
            "Query Yahoo! Finance",
            "Query Oanda",
            "Summaries",
            "References",
        ),
    ),
    Paper(
        "zoo/doc/zoo-design.pdf",
        "zoo Design",
        "This is a set of design principles that – albeit not having been explicitly set out initially – have guided",
        ("", "References"),
    ),
    Paper(
        "zoo/doc/zoo-faq.pdf",
        "zoo FAQ",
        "This is a collection of frequently asked questions (FAQ) about the zoo package together with their answers.",
        (
            "I know that duplicate times are not allowed but my data has them. What do I do?",
            "When I try to specify a log axis to plot.zoo a warning is issued. What is wrong?",
            "How do I create right and a left vertical axes in plot.zoo?",
            'I have data frame with both numeric and factor columns. How do I convert that to a "zoo" object?',
            'Why does lag give slightly different results on a "zoo" and a "zooreg" series which are otherwise '
            "the same?",
            'How do I subtract the mean of each month from a "zoo" series?',
            "How do I create a monthly series but still keep track of the dates?",
            "How are axes added to a plot created using plot.zoo?",
            "Why is nothing plotted except axes when I plot an object with many NAs?",
            "Does zoo work with Rmetrics?",
            "What other packages use zoo?",
            "Why does ifelse not work as I expect?",
            "In a series which is regular except for a few missing times or for which we wish to align to a grid how "
            "is it filled or aligned?",
            "What is the difference between as.Date in zoo and as.Date in the core of R?",
            "How can I speed up zoo?",
        ),
    ),
    Paper(
        "zoo/doc/zoo-read.pdf",
        "Reading Data in zoo",
        "This vignette gives examples of how to read data in various formats in the zoo package using the read.zoo() "
        "function.",
        (*(f"Example {number}" for number in range(1, 16)), "Further comments"),
    ),
    Paper(
        "sandwich/doc/sandwich.pdf",
        "Econometric Computing with HC and HAC Covariance Matrix Estimators",
        "This introduction to the R package sandwich is a (slightly) modified version of Zeileis (2004),",
        (
            "Introduction",
            "The linear regression model",
            "Estimating the covariance matrix Ψ",
            "Applications and illustrations",
            "Summary",
            "Acknowledgments",
            "References",
            "R code",
        ),
    ),
    Paper(
        "sandwich/doc/sandwich-CL.pdf",
        "Various Versatile Variances: An Object-Oriented Implementation of Clustered Covariances in R",
        "This introduction to the object-oriented implementation of clustered covariances in the R package sandwich",
        (
            "Introduction",
            "Overview",
            "Methods",
            "Software",
            "Illustrations",
            "Simulation",
            "Summary",
            "Computational details",
            "Acknowledgments",
            "References",
            "Simulation results for panel data with AR(1) correlations",
        ),
    ),
    Paper(
        "sandwich/doc/sandwich-OOP.pdf",
        "Object-Oriented Computation of Sandwich Estimators",
        "This introduction to the object-orientation features of the R package sandwich is a (slightly) modified",
        (
            "Introduction",
            "Model frame",
            "Existing R infrastructure",
            "Covariance matrix estimators",
            "Illustrations",
            "Discussion",
            "Acknowledgments",
            "References",
        ),
    ),
]

POSSIBLE = [
    Paper(
        "Rcpp/doc/Rcpp-jss-2011.pdf",
        "Rcpp: Seamless R and C++ Integration",
        "The Rcpp package simplifies integrating C++ code with R.",
        (
            "Introduction",
            "The Rcpp API",
            "R and C++ data interchange",
            "Function calls",
            "Using code ‘inline’",
            "Using Standard Template Library algorithms",
            "Error handling",
            "Performance comparison",
            "On-going development",
            "Summary",
            "Acknowledgments",
            "References",
        ),
    ),
    Paper(
        "Rcpp/doc/Rcpp-introduction.pdf",
        "Extending R with C++: A Brief Introduction to Rcpp",
        "R has always provided an application programming interface (API) for extensions.",
        (
            "Introduction",
            "First Steps with Rcpp",
            "A first C++ function using Rcpp",
            "Extending R via its C API",
            "Extending R via the C++ API of Rcpp",
            "Data Driven Performance Decisions with Rcpp",
            "Random Numbers within Rcpp: An Example of Rcpp Sugar",
            "Translating Code from R into Rcpp: Bootstrap Example",
            "Using Rcpp as an Interface to External Libraries: Exploring Linear Algebra Extensions",
            "Rcpp in Packages",
            "Conclusion",
            "References",
        ),
    ),
    Paper(
        "mvtnorm/doc/MVT_Rnews.pdf",
        "ON MULTIVARIATE t AND GAUSS PROBABILITIES IN R",
        "",
        ("Introduction", "A Simple Example", "Details", "Applications", "References"),
    ),
    Paper(
        "spacetime/doc/jss816.pdf",
        "spacetime: Spatio-Temporal Data in R",
        "This document describes classes and methods designed to deal with different types of spatio-temporal data",
        (
            "Introduction",
            "How spatio-temporal data are recorded in tables",
            "Space-time layouts",
            "Classes and methods for spatio-temporal data",
            "Graphs of spatio-temporal data",
            "Spatial footprint or support, time intervals, moving objects",
            "Worked examples",
            "Further material",
            "Discussion",
            "Acknowledgements",
            "References",
        ),
    ),
    Paper(
        "sp/doc/csdacm.pdf",
        "Customising spatial data classes and methods",
        "",
        (
            "",
            "Programming with classes and methods",
            "Animal track data in package trip",
            "Multi-point data: SpatialMultiPoints",
            "Spatio-temporal grids",
            "Analysing spatial Monte Carlo simulations",
            "Processing massive grids",
            "References",
        ),
    ),
    Paper(
        "vegan/doc/decision-vegan.pdf",
        "Design decisions and implementation details in vegan",
        "This document describes design decisions, and discusses implementation and algorithmic details in some vegan",
        (
            "Parallel processing",
            "Nestedness and Null models",
            "Scaling in redundancy analysis",
            "Weighted average and linear combination scores",
            "References",
        ),
    ),
    Paper(
        "lmtest/doc/lmtest-intro.pdf",
        "Diagnostic Checking in Regression Relationships",
        "",
        ("Introduction", "U.S. macroeconomic data", "The mandible data", "Conclusions", "References"),
    ),
    Paper(
        "kernlab/doc/kernlab.pdf",
        "kernlab – An S4 Package for Kernel Methods in R",
        "kernlab is an extensible package for kernel-based machine learning methods in R.",
        ("Introduction", "kernlab", "Kernel methods", "Conclusions", "References"),
    ),
    Paper(
        "AER/doc/AER.pdf",
        "Applied Econometrics with R: Package Vignette and Errata",
        "“Applied Econometrics with R” (Kleiber and Zeileis 2008, Springer-Verlag, ISBN 978-0-387-77316-2",
        ("Package overview", "Errata and comments", "References"),
    ),
]


def read(path: str) -> Document:
    file = FOLDER / path
    if not file.is_file():
        package = f"r-cran-{path.split('/')[0].lower()}"
        pytest.skip(f"{path} is not there: it comes with Debian's package {package}")
    return read_pdf(file.read_bytes(), file.name).document


@pytest.mark.parametrize("paper", [*CERTAIN, *POSSIBLE], ids=lambda paper: paper.path.split("/")[-1])
def test_title_abstract_and_sections_of_a_real_paper(paper: Paper) -> None:
    document = read(paper.path)
    assert document.title == paper.title
    assert document.abstract[: len(paper.abstract)] == paper.abstract
    assert bool(document.abstract) == bool(paper.abstract)
    assert tuple(section.title for section in document.sections) == paper.sections


def test_hyphens_at_line_ends_are_joined_or_kept() -> None:
    text = read("lme4/doc/lmer.pdf").text
    assert "a user interface for fitting models with structure in the residuals (various forms of" in text
    assert "active area of research with many open problems" in text
    assert "“Henderson’s mixed-model equations”" in text


def test_running_heads_of_a_journal_are_gone() -> None:
    text = read("lme4/doc/lmer.pdf").text
    assert "Linear Mixed Models with lme4" not in text
    assert "Douglas Bates, Martin Mächler, Ben Bolker, Steve Walker" not in text


def test_references_are_entries_of_their_own() -> None:
    references = read("sandwich/doc/sandwich-OOP.pdf").sections[-1]
    assert references.role == "references"
    entries = references.text.split("\n\n")
    assert entries[0].startswith("Andrews DWK (1991). “Heteroskedasticity and Autocorrelation Consistent")
    assert entries[11].endswith("Springer-Verlag, New York. doi: 10.1007/978-0-387-77318-6.")
    assert entries[-1].startswith("Zeileis A, Kleiber C, Jackman S (2008).")
    assert len(entries) == 27


def test_two_columns_of_a_real_paper_are_read_in_order() -> None:
    document = read("Rcpp/doc/Rcpp-introduction.pdf")
    assert "two final chapters on interfaces.\n\nChambers (2016, p. 4) builds and expands" in document.text


def test_letters_of_bitmap_fonts_are_read() -> None:
    document = read("lme4/doc/PLSvGLS.pdf")
    assert not any("\u2701" <= letter <= "\u27be" for letter in document.text)
    assert document.sections[0].text.startswith("We consider linear mixed models in which the random effects are")
