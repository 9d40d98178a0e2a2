"""Where a quote comes from, and whether its words stand there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.core.errors import EmptyLibraryError, InputError
from engine.documents import Document, Section
from engine.documents.document import PageStart
from engine.workspace import Workspace, sources_of
from engine.workspace.quotes import found_in, stretches_of

METHODS = (
    "We grind the lens to a tenth of a wavelength. The self-\ncalibrating mount holds it at −40 °C, “as cold as "
    "space”. A second grinding takes off what the first has left. 镜片在低温\n下保持稳定。 Apart from dust, nothing "
    "scatters light."
)
LENS = Document(
    "lens",
    title="Lenses for cold telescopes",
    abstract="A lens that is ground cold keeps its shape in a telescope behind the atmosphere.",
    sections=(
        Section("Methods", METHODS, pages=(PageStart(0, 4), PageStart(METHODS.index("A second"), 5))),
        Section("Results", "The shape of the lens changes by less than a twentieth of a wavelength within a year."),
    ),
)
OTHERS = tuple(
    Document(f"other-{n}", title=f"Notes on {word}", abstract=f"Much is known of {word}, and more is to be found out.")
    for n, word in enumerate(("tides", "bees", "bridges", "valves"))
)


@pytest.mark.parametrize(
    ("quote", "pages"),
    [
        ("grind the lens to a tenth of a wavelength.", [4]),
        ("grind the  lens\nto a tenth", [4]),
        ("self-calibrating mount", [4]),
        ("The self-calibrating mount holds it at -40 °C, 'as cold as space'.".replace("'", '"'), [4]),
        ("the lens to a tenth ... A second grinding", [4, 5]),
        ("We grind the lens […] dust, nothing scatters light", [4, 5]),
        ("镜片在低温下保持稳定", [5]),
        ("sh\u00adape of the \u200blens changes", [None]),
        ("econd grinding takes off what the fir", [5]),
    ],
)
def test_words_that_stand_in_a_document_are_found_with_their_pages(quote: str, pages: list[int | None]) -> None:
    found = stretches_of(LENS, quote)
    assert [one.page for one in found] == pages
    assert all(LENS.parts[one.part].text[one.start : one.stop] == one.text for one in found)


@pytest.mark.parametrize(
    "quote",
    [
        "grind the lens to a tenth of a metre",
        "we grind the lens",
        "A part from dust",
        "nothing scatters light ... grind the lens",
        "rind",
        "holds it at 40 °C",
        "[…]",
    ],
)
def test_words_that_stand_otherwise_are_not(quote: str) -> None:
    assert stretches_of(LENS, quote) == ()


def test_the_first_of_several_passages_is_found() -> None:
    passage = found_in(LENS, "of a wavelength")
    assert passage is not None and (passage.section, passage.page) == ("Methods", 4)


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    with Workspace(tmp_path_factory.mktemp("quotes") / "library", create=True) as opened:
        opened.library.add_file("key", "texts", [*OTHERS, LENS])
        opened.prepare("default")
        yield opened


def test_a_quote_leads_to_its_document(workspace: Workspace) -> None:
    found = sources_of(workspace, "“The self-calibrating mount holds it at -40 °C”").sources
    assert [(one.document.id, one.is_verbatim, one.passages[0].section) for one in found] == [("lens", True, "Methods")]


def test_a_quote_that_is_all_of_a_document_is_found_too(workspace: Workspace) -> None:
    (found,) = sources_of(workspace, LENS.abstract).sources
    assert found.document.id == "lens" and found.is_verbatim and found.passages[0].section == "Abstract"


def test_a_changed_quote_leads_to_what_is_nearest_and_is_not_called_verbatim(workspace: Workspace) -> None:
    found = sources_of(workspace, "We grind every lens to within one tenth of a wavelength in the cold.").sources
    assert found[0].document.id == "lens" and not any(one.is_verbatim for one in found) and found[0].passages


@pytest.mark.parametrize("quote", ["", " “…” ", "word " * 1_001])
def test_what_is_no_quote_is_refused(workspace: Workspace, quote: str) -> None:
    with pytest.raises(InputError, match="Expected a quote of 1 to 5,000 characters, with words; got"):
        sources_of(workspace, quote)


def test_an_empty_library_has_no_quotes(tmp_path: Path) -> None:
    with Workspace(tmp_path / "library", create=True) as empty, pytest.raises(EmptyLibraryError):
        sources_of(empty, "grind the lens")
