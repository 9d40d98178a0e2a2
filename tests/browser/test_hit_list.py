"""The results as a list: what a screen holds, details, keys and link, hits that are cited, and what to read first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast
from urllib.parse import parse_qs, urlsplit

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from explorer.state.examples import EXAMPLE_PAIRS
from tests import topics
from tests.browser import compare_hand
from tests.browser.app import GROUNDS, Visitor, screen, serving
from tests.browser.conftest import small_library

pytestmark = pytest.mark.browser
ASKED = "?example=rewired-random-walk"

_LAID_OUT = """
const box = (one) => one && one.getBoundingClientRect().toJSON();
const all = (selector) => [...document.querySelectorAll(selector)];
const rows = all('.st-key-hits .ps-hit').map(box);
const details = document.querySelector("[class*='st-key-hit-details']");
return {
  rows,
  seen: rows.filter((row) => row.top >= 0 && row.bottom <= innerHeight).length,
  title: box(document.querySelector('.ps-hit-title')).top,
  list: all('.st-key-hits .ps-list').reduce((sum, one) => sum + box(one).height, 0),
  details: details.checkVisibility() ? box(details) : null,
  scrolled: document.querySelector('.stMain').scrollTop,
  across: document.querySelector('.stMain').scrollWidth - document.querySelector('.stMain').clientWidth,
};
"""

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

FIRST_SECONDS = 120
"""The first hits of a process load the encoders; on a busy machine that takes its time."""

_PAIR = f"compare?a=example:{EXAMPLE_PAIRS[0].first}&b=example:{EXAMPLE_PAIRS[0].second}"
_DECORATION = "return getComputedStyle(document.querySelector('.ps-text mark.ps-salient')).textDecorationLine"


def listed(visitor: Visitor, address: str = ASKED) -> None:
    visitor.open(address)
    visitor.find(".ps-hit-near")
    visitor.rests()


def laid_out(visitor: Visitor) -> dict[str, Any]:
    return cast(dict[str, Any], visitor.driver.execute_script(_LAID_OUT))


def press(visitor: Visitor, *keys: str) -> None:
    ActionChains(visitor.driver).send_keys(*keys).perform()


def shown(visitor: Visitor) -> str:
    """The title of the hit whose details are shown."""
    return visitor.texts("[class*='st-key-hit-details'] .ps-title")[0]


def titles(visitor: Visitor) -> list[str]:
    return visitor.texts(".st-key-hits .ps-hit-title")


def shows_hit(visitor: Visitor, number: int) -> None:
    """Wait until the details are those of a row, counted from 0, and the row says so."""
    wanted = titles(visitor)[number]
    visitor.until(lambda _: shown(visitor) == wanted, f"expected the details of row {number}")
    marked = (
        "return [...document.querySelectorAll('.ps-hit')].map((row) => row.getAttribute('aria-current') === 'true')"
    )
    visitor.until(lambda driver: driver.execute_script(marked).index(True) == number, "expected the row to be marked")


def linked(visitor: Visitor, name: str) -> list[str]:
    return parse_qs(urlsplit(visitor.driver.current_url).query).get(name, [])


def test_a_wide_screen_holds_seven_hits_and_the_details_of_one_beside_them(visitor: Visitor) -> None:
    with screen(visitor, 1400, 900):
        listed(visitor)
        found = laid_out(visitor)
        assert len(found["rows"]) == 10 and found["seen"] >= 7
        assert found["title"] < 330 and found["list"] <= 1500 and found["across"] <= 0
        assert found["details"]["left"] > found["rows"][0]["right"]
        shows_hit(visitor, 0)
        assert linked(visitor, "hit") == []
        visitor.click(".st-key-hits-lower li:nth-child(3) .ps-hit")
        shows_hit(visitor, 3)
        visitor.until(lambda _: len(linked(visitor, "hit")) == 1, "expected the hit in the link")
        listed(visitor, f"?{urlsplit(visitor.driver.current_url).query}")
        shows_hit(visitor, 3)


@pytest.mark.parametrize(("width", "height", "fewest"), [(1024, 768, 4), (420, 900, 3)])
def test_a_narrow_screen_opens_a_hit_below_its_row(visitor: Visitor, width: int, height: int, fewest: int) -> None:
    with screen(visitor, width, height):
        listed(visitor)
        found = laid_out(visitor)
        assert found["seen"] >= fewest and found["list"] <= 1500 and found["across"] <= 0
        assert found["details"] is None
        visitor.click(".st-key-hits-lower li:nth-child(1) .ps-hit")
        visitor.until(lambda _: laid_out(visitor)["details"], "expected the details")
        visitor.until(lambda _: 0 <= laid_out(visitor)["rows"][1]["top"] < height / 2, "expected the row near the top")
        opened = laid_out(visitor)
        assert opened["rows"][1]["bottom"] <= opened["details"]["top"] < opened["rows"][2]["top"]
        visitor.rests()
        visitor.click(".st-key-hits-upper li:last-child .ps-hit")
        visitor.until(lambda _: laid_out(visitor)["details"] is None, "expected the details to be folded away")


def test_the_keys_walk_open_and_keep_but_never_while_one_types(visitor: Visitor) -> None:
    with screen(visitor, 1400, 900):
        listed(visitor)
        press(visitor, "j")
        shows_hit(visitor, 1)
        press(visitor, "j", "j", "j")
        shows_hit(visitor, 4)
        press(visitor, "k")
        shows_hit(visitor, 3)
        visitor.until(
            lambda driver: driver.switch_to.active_element.text.startswith("4"), "expected the focus on the row"
        )
        press(visitor, Keys.ENTER)
        inside = "return document.activeElement.matches(\"[class*='st-key-hit-details']\")"
        visitor.until(lambda driver: driver.execute_script(inside), "expected the focus on the details")
        press(visitor, "?")
        visitor.sees("keep it in a collection")
        press(visitor, "?")
        visitor.until(lambda _: "keep it in a collection" not in visitor.text(), "expected the keys to be folded away")
        press(visitor, "s")
        field = visitor.find("input[aria-label='New collection']")
        field.send_keys("jkcso?")
        assert field.get_attribute("value") == "jkcso?"
        shows_hit(visitor, 3)
        press(visitor, Keys.ESCAPE)
        visitor.until(
            lambda driver: not driver.find_elements(By.CSS_SELECTOR, "input[aria-label='New collection']"),
            "expected the choices to be closed",
        )
        visitor.driver.execute_script("document.activeElement.blur()")
        press(visitor, "o")  # these have no address: the whole text opens
        visitor.find("[class*='st-key-hit-details'] .ps-scroll")
        press(visitor, "c")
        visitor.until(lambda driver: "/compare" in driver.current_url, "expected the Compare page")


def test_ten_more_are_listed_and_the_link_keeps_how_many(visitor: Visitor) -> None:
    listed(visitor)
    first = titles(visitor)
    visitor.press("ten-more")
    visitor.until(lambda _: len(titles(visitor)) == 20, "expected ten more")
    assert titles(visitor)[:10] == first
    visitor.sees("20 of 64 documents")
    visitor.until(lambda _: linked(visitor, "k") == ["20"], "expected the number in the link")


def test_steering_marks_the_hit_and_says_where_the_others_went(visitor: Visitor) -> None:
    with screen(visitor, 1400, 900):
        listed(visitor)
        before = titles(visitor)
        visitor.click(".st-key-hits-lower li:nth-child(6) .ps-hit")
        shows_hit(visitor, 6)
        visitor.rests()
        visitor.driver.execute_script("document.querySelector('.stMain').scrollTop = 200")
        like = visitor.find(".st-key-hit-steering .stButton:first-child button")
        visitor.driver.execute_script("arguments[0].focus()", like)
        press(visitor, Keys.ENTER)
        visitor.until(lambda _: "You asked for more like this" in visitor.text(), "expected the mark")
        visitor.rests()
        assert titles(visitor).index(before[6]) == 6 and shown(visitor) == before[6]
        assert abs(laid_out(visitor)["scrolled"] - 200) < 80
        moves = visitor.texts(".st-key-hits .ps-move")
        assert moves and all(move == "new" or move.split()[0] in {"up", "down"} for move in moves)
        has_the_focus(visitor, ".st-key-hit-steering")
        press(visitor, Keys.ENTER)
        visitor.until(lambda _: titles(visitor) == before, "expected the ranking before")
        visitor.rests()
        has_the_focus(visitor, ".st-key-hit-steering")
        assert "More like this" in visitor.texts(".st-key-hit-steering")[0]
        assert not visitor.texts(".st-key-hits .ps-move")


def test_the_list_of_keys_opens_at_its_button_where_the_page_is_scrolled(visitor: Visitor) -> None:
    boxes = """
    const box = (one) => one?.getBoundingClientRect().toJSON();
    return ['.st-key-hit-help button', '[data-testid=stPopoverBody]'].map((one) => box(document.querySelector(one)));
    """
    with screen(visitor, 1000, 420):
        listed(visitor)
        visitor.driver.execute_script("document.querySelector('.stMain').scrollTo(0, 9999)")
        assert visitor.driver.execute_script(boxes)[0]["bottom"] < 60  # under the bar at the top, or above it
        press(visitor, "?")

        def beside(driver: Any) -> bool:  # noqa: ANN401
            button, keys = driver.execute_script(boxes)
            gaps = keys and (keys["top"] - button["bottom"], button["top"] - keys["bottom"])
            return bool(gaps) and button["top"] >= 56 and any(0 <= gap <= 16 for gap in gaps)

        visitor.until(beside, "expected the list of keys at its button")


def has_the_focus(visitor: Visitor, selector: str) -> None:
    inside = "return document.activeElement.closest(arguments[0]) !== null"
    visitor.until(lambda driver: driver.execute_script(inside, selector), f"expected the focus in {selector}")


@pytest.mark.parametrize("width", [1400, 420])
def test_a_category_of_a_hit_filters_the_list_by_a_key_and_says_what_it_does(visitor: Visitor, width: int) -> None:
    chip = "[class*='st-key-hit-details'] .st-key-hit-category-0 button"
    category = "cs.IR"

    def is_named(does: str) -> None:
        said = f"{category}: {does}"
        visitor.until(lambda _: visitor.find(chip).accessible_name == said, f"expected {said!r}")

    with screen(visitor, width, 900):
        listed(visitor)
        visitor.click(".st-key-hits-lower li:nth-child(3) .ps-hit")
        shows_hit(visitor, 3)
        visitor.rests()
        title = shown(visitor)
        is_named("list only documents of this category")
        assert visitor.find(chip).rect["height"] >= 24 and laid_out(visitor)["across"] <= 0
        visitor.driver.execute_script("arguments[0].focus()", visitor.find(chip))
        press(visitor, Keys.ENTER)
        visitor.until(lambda _: linked(visitor, "category") == [category], "expected the category in the link")
        visitor.sees("16 documents that pass the filters")
        visitor.rests()
        is_named("take this category out of the filters")
        assert shown(visitor) == title
        has_the_focus(visitor, ".st-key-hit-category-0")
        press(visitor, Keys.SPACE)
        visitor.until(lambda _: linked(visitor, "category") == [], "expected the filter to be gone")
        visitor.sees("64 documents")


@pytest.mark.parametrize("width", [1400, 420])
def test_a_shared_term_is_stressed_by_a_key_and_says_so(visitor: Visitor, width: int) -> None:
    chip = "[class*='st-key-hit-details'] .st-key-hit-term-0 button"
    with screen(visitor, width, 900):
        listed(visitor)
        visitor.click(".st-key-hits-lower li:nth-child(3) .ps-hit")
        shows_hit(visitor, 3)
        visitor.rests()
        title, term = shown(visitor), visitor.texts(chip)[0]
        assert visitor.find(chip).rect["height"] >= 24 and laid_out(visitor)["across"] <= 0
        visitor.driver.execute_script("arguments[0].focus()", visitor.find(chip))
        press(visitor, Keys.ENTER)
        visitor.until(lambda _: linked(visitor, "stress") == term.split(), "expected the words in the link")
        visitor.rests()
        said = f"{term}: stop stressing it"
        visitor.until(lambda _: visitor.find(chip).accessible_name == said, f"expected {said!r}")
        assert shown(visitor) == title
        has_the_focus(visitor, ".st-key-hit-term-0")
        assert [move for move in visitor.texts(".st-key-hits .ps-move") if move == "new" or move.startswith("up ")]
        press(visitor, Keys.SPACE)
        visitor.until(lambda _: linked(visitor, "stress") == [], "expected no stressed word")


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


def test_the_query_and_its_hits_say_what_to_read_first_in_either_theme(visitor: Visitor) -> None:
    visitor.open(f"?example={EXAMPLE_PAIRS[0].first}")
    visitor.until(lambda _: visitor.texts(".ps-salient-part"), "expected a hit's part", seconds=FIRST_SECONDS)
    visitor.rests()
    visitor.click_on(".st-key-read-query summary", "Read the query")
    visitor.find(".ps-query-reading")
    assert "the average sentence of this text" not in visitor.text()  # folded away, so that hits stand near
    visitor.click_on(".ps-query-reading summary", "Read this first")
    for theme in GROUNDS:
        visitor.turn(theme)
        visitor.rests()
        visitor.sees("the average sentence of this text has 0.")
        first = visitor.texts(".ps-query-reading .ps-first li > span:last-child > span:first-child")
        assert len(first) == 5
        keywords = visitor.texts(".ps-query-reading .ps-keywords li")
        assert 3 <= len(keywords) <= 10
        visitor.until(lambda _: visitor.texts(".ps-text mark.ps-salient"), "expected marks in the text")
        marked = [" ".join(text.split()) for text in visitor.texts(".ps-text mark.ps-salient")]
        assert [sentence for sentence in marked if sentence in first] == first
        read = " ".join(visitor.texts(".ps-text")).lower()
        assert all(word.partition(" (")[0].lower() in read for word in keywords)  # without the abbreviation in brackets
        assert visitor.driver.execute_script(_DECORATION) == "underline"
        assert "Traceback" not in visitor.text()


def test_compared_texts_are_underlined_until_that_is_switched_off(visitor: Visitor) -> None:
    visitor.open(_PAIR)
    compare_hand.compared(visitor)
    visitor.until(lambda _: all(compare_hand.underlined(visitor)), "expected salient sentences on both sides")
    assert compare_hand.legend(visitor) == "matching passage, salient sentence, not in the other"
    visitor.driver.find_element(By.CSS_SELECTOR, ".st-key-compare-salient input").send_keys(" ")
    visitor.until(lambda _: not any(compare_hand.underlined(visitor)), "expected no underlines")
    visitor.until(lambda driver: "salient=off" in driver.current_url, "expected the choice in the link")
    assert compare_hand.legend(visitor) == "matching passage, not in the other"
    assert visitor.driver.execute_script("return document.title").startswith("Compare")
