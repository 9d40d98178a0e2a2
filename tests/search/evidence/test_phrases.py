"""The phrases of a document: what may be one, what ends one, and how its forms meet."""

from __future__ import annotations

import pytest

from engine.documents import Document, Section
from engine.search.evidence.phrases import Phrase, PhraseReader, long_forms_in, phrase_key, without_markup


def phrases(text: str, title: str = "") -> dict[str, Phrase]:
    read = PhraseReader().read(Document("x", title=title, sections=(Section("", text),)))
    return {phrase.form: phrase for phrase in read.found.values()}


def test_forms_of_a_phrase_meet_and_the_most_frequent_is_shown() -> None:
    found = phrases(
        "We fit mixed-effects models. A mixed effects model has terms. Mixed effects models are fitted. "
        "Such are mixed effects models."
    )
    phrase = found["mixed effects models"]
    assert phrase.count == 4 and phrase.places == [0, 1, 2, 3]
    assert phrase.forms == {"mixed-effects models": 1, "mixed effects model": 1, "mixed effects models": 2}
    assert phrase_key("mixed-effects models") == phrase_key("Mixed Effects Model") == phrase.key


@pytest.mark.parametrize(
    ("text", "held", "missing"),
    [
        ("The kite of the boy flies.", {"kite", "boy"}, {"kite boy", "kite of the boy"}),
        ("A kite, glass wings and a tail.", {"kite", "glass wings", "tail"}, {"kite glass", "wings tail"}),
        ("We propose kite control quickly.", {"kite control"}, {"propose", "propose kite", "quickly"}),
        ("This is a time series of a method.", {"time series"}, {"time", "series", "method"}),
        ("We fit kites, which may bridge rivers.", {"kites", "rivers"}, {"fit kites", "bridge", "bridge rivers"}),
        ("It shows 42 kites and 7.", {"kites"}, {"42", "42 kites", "7"}),
    ],
)
def test_what_names_a_thing_is_a_phrase_and_what_stands_between_ends_it(
    text: str, held: set[str], missing: set[str]
) -> None:
    found = phrases(text)
    assert held <= found.keys()
    assert missing.isdisjoint(found)


@pytest.mark.parametrize(
    "text",
    [
        r"A mass of $\mathrm{M}_\odot \sim 10$ and a width of $\mu$ in {\rm km}.",
        r"A mass of \(\rm M \sim 3\) and a width \sim 4 of M_{\odot} and a^{\rm sim}.",
        r"A mass \begin{equation} \mu = {\rm sim} \end{equation} and a width of <sub>mu</sub>&nbsp;.",
        "A mass and a width at https://example.org/rm/sim/mu of rm@sim.org [12, 13].",
    ],
)
def test_markup_and_formulas_are_no_phrases(text: str) -> None:
    found = phrases(text)
    assert {"mass", "width"} <= found.keys()
    named = {word for form in found for word in form.lower().split()}
    assert named.isdisjoint({"rm", "sim", "mu", "odot", "mathrm", "nbsp", "https", "sub", "begin", "equation", "12"})


def test_prices_are_no_formulas() -> None:
    assert "kite market" in without_markup("It costs $5 on the kite market and $6 at home.")


def test_boilerplate_and_references_are_passed_over() -> None:
    document = Document(
        "x",
        "patent",
        sections=(
            Section("", "This application claims the benefit of a provisional matter. A kite has a tail."),
            Section("References", "Zeppelin hangars.", "references"),
        ),
    )
    found = PhraseReader().read(document)
    assert {phrase.form for phrase in found.found.values()} == {"kite", "tail"}
    assert len(found.sentences) == 1


def test_an_abbreviation_counts_as_its_long_form() -> None:
    text = "We maximise restricted maximum likelihood (REML). REML is fast, and REML is kind to kites."
    found = phrases(text)
    assert found["restricted maximum likelihood"].also == "REML"
    assert found["restricted maximum likelihood"].count == 4  # three times by its abbreviation, once in brackets
    assert "REML" not in found


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("support vector machines (SVMs) are", [("SVM", "support vector machines")]),
        ("restricted maximum likelihood (REML)", [("REML", "restricted maximum likelihood")]),
        ("a graphical user interface (GUI; see below)", [("GUI", "graphical user interface")]),
        ("a kite (see Figure)", []),
        ("flown by hand (XYZ)", []),
        ("re-estimates the (RE)", []),
    ],
)
def test_long_forms_hold_the_letters_in_order(text: str, pairs: list[tuple[str, str]]) -> None:
    assert list(long_forms_in(text)) == pairs


def test_parts_of_longer_phrases_are_told_from_those_that_stand_alone() -> None:
    found = phrases("A random effects model is large. The random effects model is small. Random effects are few.")
    part, whole = found["random effects"], found["random effects model"]
    assert (part.count, part.alone, part.longer) == (3, 1, 2)
    assert (whole.count, whole.alone, whole.longer) == (2, 2, 0)


def test_titles_and_beginnings_write_capitals_that_names_keep() -> None:
    found = phrases("Cold gases flow. A Cholesky factor and DNA remain.", title="Glass Kites")
    assert {"cold gases", "Cholesky factor", "DNA", "glass kites"} <= found.keys()
    assert found["glass kites"].in_title and not found["cold gases"].in_title


@pytest.mark.parametrize("text", ["", "42 7.", "the of and", "$", "\\", "(" * 2_000, "$x" * 2_000])
def test_a_text_without_names_has_no_phrase(text: str) -> None:
    assert phrases(text) == {} or "x" in "".join(phrases(text))


def test_a_clause_without_spaces_is_no_phrase_but_a_word_of_the_same_script_is() -> None:
    assert set(phrases("该方法比较长文档的段落。 检索方法 wings. " + "ab" * 30)) == {
        "检索方法 wings",
        "检索方法",
        "wings",
    }


@pytest.mark.parametrize("piece", ["a", "\\", "{", "<a ", "&#", "$x", "^{", "a@"])
def test_what_is_written_for_machines_is_read_in_time_that_grows_with_its_length(piece: str) -> None:
    assert without_markup(f"Kites $ {piece * 100_000} fly").startswith("Kites")


def test_indices_and_addresses_leave_a_mark() -> None:
    assert without_markup("The rate x_1 and k^{2} of a@b.org at \\alpha_{i} holds").split() == (
        "The rate | and | of | at | | holds".split()
    )
