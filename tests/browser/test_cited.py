"""A real paper asks a library that holds some of what it cites: hits are marked and filtered, the rest listed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import topics
from tests.browser.app import Visitor, serving
from tests.browser.conftest import small_library

pytestmark = pytest.mark.browser

PAPER = Path("/usr/lib/R/site-library/lme4/doc/lmer.pdf")
CITED = "Random-effects models for longitudinal data"
NOT_CITED = "Fitting crossed random effects with sparse matrices"
WORKS = f"""
@article{{laird, title = {{{CITED}}}, author = {{Laird, Nan M. and Ware, James H.}}, year = 1982,
  abstract = {{Two-stage random-effects models are fitted to longitudinal data by maximum likelihood with the EM
  algorithm. Growth models and repeated measures are special cases of linear mixed models.}}}}
@article{{kenward, title = {{Small sample inference for fixed effects from restricted maximum likelihood}},
  author = {{Kenward, M. G. and Roger, J. H.}}, year = 1997,
  abstract = {{Wald tests of fixed effects in linear mixed models are scaled, and their degrees of freedom are adjusted
  for small samples under restricted maximum likelihood.}}}}
@article{{chen, title = {{Algorithm 887: CHOLMOD, supernodal sparse Cholesky factorization and update/downdate}},
  author = {{Chen, Y. and Davis, T. A. and Hager, W. W. and Rajamanickam, S.}}, year = 2008}}
@article{{own, title = {{{NOT_CITED}}}, author = {{Abara, Ada}}, year = 2011,
  abstract = {{We fit linear mixed-effects models with crossed and nested random effects in R. The profiled deviance and
  the REML criterion are evaluated by a sparse Cholesky factor of the random-effects covariance matrix, and a
  nonlinear optimizer finds the relative covariance parameters of the linear mixed model.}}}}
@article{{second, title = {{Small sample inference for fixed effects from restricted maximum likelihood, part II}},
  author = {{Kenward, M. G. and Roger, J. H.}}, year = 1997}}
"""


DRAFT = f"""# Mixed models with sparse factors

## Abstract

We fit linear mixed-effects models whose random effects are crossed or nested. The profiled deviance and the REML
criterion are evaluated by a sparse Cholesky factor, and a nonlinear optimizer finds the covariance parameters.

## Computational methods

Growth models and repeated measures are special cases of linear mixed models. A fill-reducing permutation keeps the
sparse Cholesky factor of the random-effects covariance matrix small, and maximum likelihood estimates follow from it.

## References

[1] N. M. Laird and J. H. Ware. {CITED}. Biometrics, 1982.
[2] M. G. Kenward and J. H. Roger. Small sample inference for fixed effects from restricted maximum likelihood. 1997.
[3] Y. Chen, T. A. Davis, W. W. Hager and S. Rajamanickam. Algorithm 887: CHOLMOD, supernodal sparse Cholesky
factorization and update/downdate. ACM Transactions on Mathematical Software, 2008.
[4] A. Nobody. Tides and moorings of small boats. Harbour Press, 1990.
"""


@pytest.fixture(scope="module")
def app_with_works(chromium_is_there: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """The app over a library that holds three works of the paper's list, and a folder that holds the draft."""
    folder = tmp_path_factory.mktemp("cited")
    (folder / "draft.md").write_text(DRAFT, "utf-8")
    (folder / "works.bib").write_text(WORKS, "utf-8")
    small_library(folder / "library", topics.write(folder), folder / "works.bib")
    with serving(folder / "library", folder / "app.log") as address:
        yield address, folder


@pytest.fixture(scope="module", params=["a draft of ours", "lmer.pdf"])
def reader(request: pytest.FixtureRequest, browser: Visitor, app_with_works: tuple[str, Path]) -> Visitor:
    """A visitor of that app who asks with the draft, or with the paper itself."""
    address, folder = app_with_works
    paper = folder / "draft.md"
    if request.param == "lmer.pdf":
        paper = PAPER
        if not paper.is_file():
            pytest.skip(f"Expected {PAPER}: install Debian's r-cran-lme4; the draft is asked with in any case")
    visitor = Visitor(browser.driver, address)
    visitor.open()
    visitor.click_on("[role=tab]", "Upload")
    visitor.upload(paper)
    visitor.press("ask")
    visitor.sees("Shared terms")
    visitor.rests()
    return visitor


def marks(visitor: Visitor) -> dict[str, str]:
    """What each hit says of being cited, by its title."""
    shown = visitor.texts(".ps-hit .ps-hit-title, .ps-hit .ps-cited")  # in one step: the page may be drawn again
    return dict(zip(shown[::2], shown[1::2], strict=False))


def choose(visitor: Visitor, name: str) -> None:
    visitor.click_on(".st-key-option-cited button", name)
    visitor.rests()


def test_hits_say_whether_the_paper_cites_them(reader: Visitor) -> None:
    counts = r"You cite (46|4) works\. The library holds 3 of them"
    reader.until(lambda _: re.search(counts, reader.text()), "expected counts")
    said = marks(reader)
    assert said[CITED] == "Cited by you"
    assert said[NOT_CITED] == "Not cited"


def test_the_list_of_what_is_near_and_not_cited_names_the_section_that_it_is_near_to(reader: Visitor) -> None:
    reader.click(".st-key-near-not-cited summary")
    reader.shows(".ps-near-list", NOT_CITED)
    reader.shows(".ps-near-list", "Near to your")
    assert not any(CITED in shown for shown in reader.texts(".ps-near-list"))


def test_the_filter_leaves_only_what_is_cited(reader: Visitor) -> None:
    choose(reader, "Cited by you")
    reader.until(lambda _: set(marks(reader).values()) == {"Cited by you"}, "expected cited works alone")
    assert len(marks(reader)) == 3
    choose(reader, "Not cited")
    reader.until(lambda _: set(marks(reader).values()) == {"Not cited"}, "expected works that are not cited")
    choose(reader, "All")
    reader.until(lambda _: len(set(marks(reader).values())) == 2, "expected both")
