"""A document as the pages show it: head, text, markup, passages and their pages, and what to read first."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from engine.documents import Chunk, Document, PageStart, Reference, Section
from engine.documents.markup import element, escaped, joined
from engine.encoders import registry
from engine.encoders.keyvec import Salience
from engine.library import Library, Listed
from engine.search import Reading
from engine.search.readings import WORDS, ReadingLevel
from explorer.library.documents import row_lines
from explorer.shared import markup
from explorer.shared.document import full_text, head, heading, itself_here, outline
from explorer.shared.evidence import both_cite, mark_words, passage_pair, reading_line, ruler, with_cuts
from explorer.shared.markup import show, table, typeset
from explorer.shared.page_view import describe_page
from explorer.shared.salient import UNDERLINED, card_part, query_reading, reading_panel
from explorer.state import handles
from tests.browser.tiny_pdf import TITLE, tiny_pdf
from tests.documents.test_markup import HOSTILE
from tests.encoders.keyvec.tiny import paper, tiny_keyvec
from tests.explorer.conftest import HOSTILE as HOSTILE_TITLE
from tests.explorer.conftest import Start, page_html, page_text, without_keyvec
from tests.explorer.pages import EXAMPLE, chunk

TURBINES = "A rotor with adjustable blades turns a generator in tidal water behind a seal against sand"


def said_of(document: Document, p: Sequence[float], *, keywords: int = 3) -> Salience:
    """A salience made by hand: a sentence of each section for each p."""
    chunks = []
    for number, part in enumerate(document.parts):
        start = 0
        while part.role == "body" and (stop := part.text.find(".", start) + 1):
            chunks.append(Chunk(document.id, number, part.title, start, stop, part.text[start:stop]))
            start = stop + 1
    words = tuple((f"word{n}", 0.5 / (n + 1)) for n in range(keywords))
    return Salience(tuple(chunks[: len(p)]), np.array(p, np.float32), words)


SAID = said_of(paper(), [0.1, 0.9, 0.2, 0.8, 0.3, 0.7, 0.4, 0.6])


@pytest.mark.parametrize(
    ("document", "shown"),
    [
        (Document("text:1", "query", abstract="How does it\nwork?"), "How does it work?"),
        (Document("file:1", "paper", abstract="walk " * 50), " ".join(["walk"] * 32) + " …"),
        (Document("file:1", "paper"), "Untitled"),
        (Document("US1", "patent", abstract="A relay."), "Untitled patent US1"),
        (Document("text:1", "query", "A title", "A text."), "A title"),
    ],
)
def test_a_persons_own_text_goes_by_how_it_begins(document: Document, shown: str) -> None:
    assert heading(document) == shown


@pytest.mark.parametrize(("ids", "named"), [(("file:1",), ""), (("US1A", "text:2", "doi:3"), " (US1A, doi:3)")])
def test_a_document_that_is_here_goes_by_no_digest(ids: tuple[str, ...], named: str) -> None:
    assert itself_here(ids) == f"Your document is itself in the library{named}, so it is not listed."


@pytest.mark.parametrize(("id_", "shown"), [("file:1", False), ("US1A", True)])
def test_a_listed_patent_shows_its_number_and_no_digest(id_: str, shown: bool) -> None:
    assert (id_ in row_lines(Listed(id_, "patent", "A relay", 1890, ""))) == shown


def test_a_title_stands_where_it_belongs_among_the_headings() -> None:
    document = Document("d", "paper", "A title")
    assert "<h2" in head(document) and "<h4" in head(document, level=4)


def test_a_document_without_anything_still_has_a_head() -> None:
    assert "Untitled" in head(Document("x"))
    assert "only the title" in full_text(Document("x", title="t"))
    assert outline(Document("x", title="two words")) == "2 words"


def test_the_outline_counts_sections_and_claims() -> None:
    document = Document("x", title="a b", sections=(Section("One", "c d"),), claims=("e", "f"))
    assert outline(document) == "6 words, 1 section, 2 claims"


def test_cancelled_claims_are_not_shown_and_the_others_keep_their_numbers() -> None:
    document = Document("x", "patent", claims=("", "", "A hook.", ""))
    assert outline(document) == "2 words, 1 claim"
    html = full_text(document)
    assert "Claim 3" in html and "A hook." in html
    assert "Claim 1" not in html and "Claim 4" not in html


def test_salient_sentences_are_marked_in_the_text_with_their_p() -> None:
    marked = full_text(paper(), salient=SAID.strongest())
    for said, p in SAID.strongest():
        after = marked.split(f'<mark class="ps-salient">{said.text}</mark>', 1)[1]
        assert after.startswith(f'<sup class="ps-p" title="p {p:.2f}: how likely')
    assert marked.count("<mark") == 3
    without = full_text(paper())
    assert "<mark" not in without
    assert _bare(marked).removeprefix(f"{UNDERLINED} ") == _bare(without)


def _bare(text: str) -> str:
    """Words without tags and numbers, as one reads them."""
    return " ".join(re.sub(r"<[^>]*>", " ", re.sub(r"<sup.*?</sup>", "", text)).split())


def test_a_sentence_over_two_paragraphs_is_marked_in_both() -> None:
    document = Document("x", sections=(Section("S", "One two.\n\nThree four."),))
    chunk = Chunk("x", 0, "S", 4, 15, document.sections[0].text[4:15])
    marked = full_text(document, salient=[(chunk, 0.5)])
    assert '<p>One <mark class="ps-salient">two.</mark></p>' in marked
    assert '<mark class="ps-salient">Three</mark><sup' in marked


def of(document: Document, text: str, part: int = 0) -> Chunk:
    """The place of a text in a part."""
    start = document.parts[part].text.index(text)
    return document.parts[part].chunk(document.id, part, start, start + len(text))


def test_what_was_found_is_marked_and_pages_are_named() -> None:
    text = "One two three.\n\nFour five. Six seven."
    pages = (PageStart(0, 3), PageStart(text.index("five"), 4))
    document = Document("x", sections=(Section("S", text, pages=pages), Section("T", "No page.")))
    found = of(document, "Four five.")
    marked = full_text(document, found=found)
    assert '<p><span class="ps-page">p. 3</span> One two three.</p>' in marked
    page, mark = '<span class="ps-page">p. {}</span> ', '<mark class="ps-found">{}</mark>'
    assert page.format(3) + mark.format("Four ") + page.format(4) + mark.format("five.") + " Six" in marked
    assert marked.count("ps-page") == 3
    assert full_text(document).count("ps-page") == 2 and "ps-found" not in full_text(document)


def test_a_page_that_begins_between_paragraphs_is_named_at_the_next_one() -> None:
    text = "One two.\n\nThree four."
    for start in (text.index("\n"), text.index("Three")):
        document = Document("x", sections=(Section("S", text, pages=(PageStart(0, 1), PageStart(start, 2))),))
        assert '<p><span class="ps-page">p. 2</span> Three four.</p>' in full_text(document)


def test_what_was_found_far_down_a_long_section_is_shown_with_what_surrounds_it() -> None:
    text = " ".join(f"Sentence number {n} is about kites." for n in range(2_000))
    document = Document("x", sections=(Section("S", text, pages=(PageStart(0, 1), PageStart(30_000, 8))),))
    found = of(document, "Sentence number 1500 is about kites.")
    shown = full_text(document, found=found)
    assert f'<mark class="ps-found">{found.text}</mark>' in shown and "p. 8" in shown and "p. 1<" not in shown
    assert "number 1440 is" in shown and "number 1560 is" in shown and len(shown) < 8_000
    assert "This section begins further up." in shown and "This section goes on." in shown
    assert full_text(document).count("This section") == 1
    end = full_text(document, found=of(document, "Sentence number 1999 is about kites."))
    assert "number 1999" in end and "goes on" not in end


@pytest.mark.parametrize(("number", "earlier", "further"), [(5, 0, 140), (100, 70, 70), (199, 140, 0)])
def test_what_was_found_in_a_late_section_is_shown(number: int, earlier: int, further: int) -> None:
    document = Document("x", sections=tuple(Section(f"S{n}", f"Text {n}.") for n in range(200)))
    shown = full_text(document, found=of(document, f"Text {number}.", number))
    assert f'<mark class="ps-found">Text {number}.</mark>' in shown
    assert (f"{earlier:,} earlier sections are not shown." in shown) is (earlier > 0)
    assert (f"{further:,} further sections are not shown." in shown) is (further > 0)
    assert shown.count("<h3>") == 60


def test_a_found_sentence_may_be_salient_too() -> None:
    document = Document("x", sections=(Section("S", "One two. Three four. Five six."),))
    sentence = of(document, "Three four.")
    marked = full_text(document, salient=[(sentence, 0.5)], found=sentence)
    assert '<mark class="ps-found"><mark class="ps-salient">Three four.</mark><sup' in marked


def test_a_plain_string_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Any] = []
    monkeypatch.setattr(st, "html", shown.append)
    with pytest.raises(TypeError, match="Expected Markup from element"):
        show("<b>x</b>")  # type: ignore[arg-type]
    show(joined(["a", element("b", "c")]))
    assert shown == ["a<b>c</b>"]


def test_a_formula_waits_in_an_attribute_for_its_place() -> None:
    shown = typeset("the $a<b$ of")
    mathml = "&lt;math display=&#34;inline&#34;&gt;&lt;mrow&gt;"
    assert shown.startswith(f'the <span class="ps-tex" data-math="{mathml}')
    assert shown.endswith('">a&lt;b</span> of')


def test_words_between_formulas_may_be_marked() -> None:
    shown = typeset("x & $a$ y", lambda words: element("mark", words))
    first, _, last = shown.partition("<span")
    assert (first, last.rpartition("</span>")[2]) == ("<mark>x &amp; </mark>", "<mark> y</mark>")


def test_a_text_without_tex_is_escaped() -> None:
    assert typeset("1 < 2") == escaped("1 < 2")


def test_the_scripts_of_a_folder_follow_what_keeps_a_view(tmp_path: Path) -> None:
    (tmp_path / "one.js").write_text("const one = 1", "utf-8")
    (tmp_path / "two.js").write_text("const two = '→'", "utf-8")
    joined = markup.joined_scripts(tmp_path, ["two.js", "one.js"])
    assert joined.endswith("\nconst two = '→'\nconst one = 1")
    assert joined.startswith("// The view of a widget between Streamlit's calls.")
    shared = markup.joined_scripts(tmp_path, ["one.js"], shared=["ahead.js"])
    assert shared.index("keepView") < shared.index("class Ahead") < shared.index("const one")


def test_a_script_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"three\.js"):
        markup.joined_scripts(tmp_path, ["three.js"])


def test_every_cell_of_a_table_has_a_heading_of_its_column_and_of_its_row() -> None:
    html = table(("File", "Documents"), [("a.pdf", "3")], label="Files", numbers=(1,))
    assert html.startswith('<table class="ps-table" aria-label="Files">')
    assert '<th scope="col">File</th>' in html
    assert '<tr><th scope="row">a.pdf</th><td class="ps-number">3</td></tr>' in html


def test_a_sentence_has_a_symbol_and_a_role_and_stays_text() -> None:
    def page() -> None:
        from explorer.shared import notices

        for kind in ("problem", "note", "done"):
            getattr(notices, kind)("A file called <b>.")

    html = page_html(AppTest.from_function(page).run())
    for kind, role, symbol in (("problem", "alert", "!"), ("note", "note", "i"), ("done", "status", "✓")):
        assert f'class="ps-notice ps-{kind}" role="{role}"' in html
        assert f'aria-hidden="true">{symbol}</span><p>A file called &lt;b&gt;.</p>' in html


def test_many_notes_stand_in_one_box_and_few_in_their_own() -> None:
    def page(count: int) -> None:
        from explorer.shared import notices

        notices.notes([f"Line {number} of <b> was left out." for number in range(count)])

    few, many = (page_html(AppTest.from_function(page, args=(count,)).run()) for count in (4, 1_200))
    assert few.count('class="ps-notice ps-note"') == 4 and "<li>" not in few
    assert many.count('class="ps-notice ps-note"') == 1 and many.count("<li>Line ") == 1_200
    assert "<p>1,200 notes on how this was read:</p>" in many and "<li>Line 7 of &lt;b&gt; was left out.</li>" in many


def test_an_engine_error_is_its_sentence_and_the_page_lives_on() -> None:
    def page() -> None:
        import streamlit as st

        from engine.core.errors import InputError
        from explorer.shared import notices

        with notices.shown_errors():
            raise InputError("Expected text; got none.")
        st.write("after it")

    test = AppTest.from_function(page).run()
    assert not test.exception
    assert "ps-problem" in page_html(test) and "Expected text; got none." in page_html(test)
    assert test.markdown[0].value == "after it"


def test_our_own_defects_are_not_hidden() -> None:
    from explorer.shared import notices

    with pytest.raises(ZeroDivisionError), notices.shown_errors():
        _ = 1 // 0


def test_an_empty_place_and_a_page_have_a_heading_and_a_sentence() -> None:
    def page() -> None:
        from explorer.shared import notices

        notices.page_title("Library", "What you search through.")
        notices.empty_state("Nothing yet", "Import a file.")

    test = AppTest.from_function(page).run()
    assert [title.value for title in test.title] == ["Library"]
    assert "What you search through." in page_html(test)
    assert '<div class="ps-empty"><h2>Nothing yet</h2><p>Import a file.</p></div>' in page_html(test)


def test_shared_works_are_counted_and_listed_as_text() -> None:
    shown = both_cite([Reference(HOSTILE), Reference("", title="Kites")])
    assert "Both cite 2 works" in shown and "Kites" in shown
    assert "<script" not in shown


def test_without_shared_works_nothing_is_drawn() -> None:
    assert both_cite([]) == ""


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("A whole sentence.", "A whole sentence."),
        ("A rod passing through the ear, having a head", "A rod passing through the ear, having a head …"),
        ("and a stop on the rod;", "… and a stop on the rod; …"),
        ("A " + "x" * 800 + ".", "A " + "x" * 698 + " …"),
    ],
)
def test_a_passage_that_was_cut_says_so(text: str, shown: str) -> None:
    assert with_cuts(text) == shown


def test_words_that_both_passages_use_are_marked() -> None:
    assert mark_words("The walk mixes; a Walk!", {"walk"}) == "The <mark>walk</mark> mixes; a <mark>Walk</mark>!"


def test_words_are_marked_in_other_forms_and_spellings_alone() -> None:
    pair = passage_pair(chunk("Galvanizing iron wire for coloured fibres"), chunk("Galvanic wires, colored fiber"))
    for word in ("wire", "coloured", "fibres", "wires", "colored", "fiber"):
        assert f"<mark>{word}</mark>" in pair
    assert "<mark>Galvani" not in pair


def test_function_words_are_not_marked() -> None:
    pair = passage_pair(chunk("the graph and the walk"), chunk("and the tree"))
    assert "<mark>" not in pair


def test_a_word_is_marked_in_the_form_that_each_passage_has() -> None:
    pair = passage_pair(
        chunk("Recommending citations, as described"), chunk("A citation was recommended; it describes.")
    )
    for form in ("Recommending", "citations", "citation", "recommended"):
        assert f"<mark>{form}</mark>" in pair
    assert "described</mark>" not in pair and "describes</mark>" not in pair


def test_a_passage_names_its_page() -> None:
    paged = Chunk("d", 2, "Methods", 0, 8, "We walk.", page=7)
    pair = passage_pair(paged, Chunk("e", 0, "", 0, 3, "We."))
    assert "In your document · Methods, p. 7" in pair
    assert ">In this one<" in pair


def test_the_ruler_marks_the_usual_pairs_and_this_one() -> None:
    html = ruler(Reading("same field", 0.6, 0.5))
    assert all(f"<span>{name}</span>" in html for name in ("unrelated", "same field", "cited", "duplicate"))
    assert 'class="ps-mark" style="left:50.0%"' in html and 'aria-hidden="true"' in html
    median = Reading.usual("passage")["cited"]
    assert f"left:{100 * median:.1f}%" in ruler(Reading("same field", 0.6, 0.5, "passage"))


def test_a_mark_stays_on_the_ruler() -> None:
    assert "left:0.0%" in ruler(Reading("unrelated", 0.9, -0.2)) and "left:100.0%" in ruler(
        Reading("says the same", 1, 1.2)
    )


@pytest.mark.parametrize("level", get_args(ReadingLevel))
def test_no_tick_is_nearer_to_a_mark_than_its_words_own(level: ReadingLevel) -> None:
    usual = Reading.usual(level)
    kinds = ["duplicate", "cited", "same field", "unrelated", "unrelated"]
    for word, kind in zip(WORDS, kinds, strict=True):
        for cosine in np.linspace(-0.2, 1.2, 57).tolist():
            html = ruler(Reading(word, 0.6, cosine, level))
            place = float(html.split('class="ps-mark" style="left:')[1].split("%")[0]) / 100
            if kind in usual:
                assert abs(place - usual[kind]) <= min(abs(place - one) for one in usual.values()) + 2e-3
            else:
                assert usual["unrelated"] - 1e-3 <= place <= usual["cited"] + 1e-3
        if kind in usual:
            assert f"left:{100 * usual[kind]:.1f}%" in ruler(Reading(word, 0.6, usual[kind], level)).split("ps-mark")[1]


def test_the_line_says_the_word_the_probability_and_the_number() -> None:
    html = reading_line(Reading("closely related", 0.83, 0.57))
    assert "<strong>closely related</strong>" in html and " (83\xa0%), nearness 0.57" in html
    assert "cite one another" in html  # what the word means, on hover


def test_a_bare_topic_and_another_language_have_no_ruler() -> None:
    topic, other = (
        reading_line(Reading("on this topic", 0.9, 0.4)),
        reading_line(Reading("in another language", 1, 0.1)),
    )
    assert "<strong>on this topic</strong>" in topic and " (90\xa0%), nearness 0.40" in topic
    assert "<strong>in another language</strong>" in other and "%" not in other and "nearness" not in other
    assert "ps-ruler" not in topic + other and "ps-ruler" in reading_line(Reading("unrelated", 0.9, 0.1))


@pytest.fixture
def with_pdf(folder: Path, tmp_path: Path) -> Path:
    """The library with a PDF among its documents."""
    from engine.workspace.importing import import_paths
    from engine.workspace.indexing import encoder_for, index_library

    (tmp_path / "turbines.pdf").write_bytes(tiny_pdf())
    with Library.open(folder) as library:
        import_paths(library, [tmp_path / "turbines.pdf"])
        index_library(library, encoder_for(library, "tfidf"))
    return folder


def page_buttons(test: AppTest) -> list[str]:
    return [one.label for one in test.button if (one.key or "").startswith("page-")]


def pressed(test: AppTest) -> AppTest:
    return next(one for one in test.button if (one.key or "").startswith("page-")).click().run()


@pytest.mark.usefixtures("with_pdf")
def test_only_a_hit_with_a_pdf_has_the_button_which_opens_its_page(app: Start) -> None:
    test = app(text=TURBINES)
    assert page_buttons(test) == ["Show the page (p. 1)"]
    test = pressed(test)
    assert not test.exception
    assert "Page 1 of 1" in page_text(test) and TITLE in page_text(test)
    assert (test.button(key="page-before").disabled, test.button(key="page-after").disabled) == (True, True)
    zoom = next(one for one in test.button_group if one.key == "page-view-zoom")
    assert list(zoom.options) == ["Fit width", "100 %", "150 %", "200 %"]


@pytest.mark.usefixtures("with_pdf")
def test_the_zoom_of_one_page_is_kept_for_the_next(app: Start) -> None:
    test = pressed(app(text=TURBINES))
    zoom = next(one for one in test.button_group if one.key == "page-view-zoom")
    assert zoom.value == "Fit width"
    test = zoom.set_value("150 %").run()
    test = pressed(test.run())  # the dialog was closed in between
    assert next(one for one in test.button_group if one.key == "page-view-zoom").value == "150 %"


@pytest.mark.usefixtures("with_pdf")
def test_without_its_copy_a_hit_has_no_button(app: Start) -> None:
    handles.library().copies.drop(handles.library().copies.keys())
    test = app(text=TURBINES)
    assert TITLE in page_text(test)
    assert page_buttons(test) == []


@pytest.mark.usefixtures("with_pdf")
def test_a_damaged_copy_is_told_in_the_dialog_and_the_page_lives_on(app: Start) -> None:
    test = app(text=TURBINES)
    copies = handles.library().copies
    (copies.folder / f"{copies.keys()[0]}.pdf").write_bytes(b"%PDF-1.4 damaged")
    test = pressed(test)
    assert not test.exception
    assert "missing or damaged" in page_text(test)


def test_the_picture_is_described_by_document_page_and_passage() -> None:
    document = Document("p", "paper", "Tidal\nturbines")
    assert describe_page(document, 7, 12, boxed="A seal\nkeeps") == (
        "Page 7 of 12 of “Tidal\nturbines”, with this passage boxed: A seal keeps"
    )
    assert describe_page(document, 8, 12, boxed="").endswith("turbines”")
    assert HOSTILE_TITLE in describe_page(
        Document("p", "paper", HOSTILE_TITLE), 1, 1, boxed=""
    )  # an attribute's text in the script


@pytest.fixture
def missing(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The library, and no encoder of sentences."""
    monkeypatch.setattr(registry, "PRETRAINED", without_keyvec(tmp_path / "none"))
    return folder


@pytest.mark.usefixtures("installed")
def test_the_query_and_the_chosen_hit_say_what_to_read_first(app: Start) -> None:
    test = app(example=EXAMPLE)
    assert 'class="ps-query-reading"' not in page_html(test)  # folded away with the query's text
    test.session_state["read-query"] = True
    test.run()
    assert not test.exception
    panels = [block.body for block in test.html if 'class="ps-query-reading"' in block.body]
    assert len(panels) == 1
    assert "<details><summary>Read this first</summary>" in panels[0]
    assert panels[0].count("<li><span") == 5
    assert "how likely it is to carry what an abstract would say" in panels[0]
    assert 'aria-label="Key words, the likeliest first"' in panels[0]
    parts = [block.body for block in test.html if 'class="ps-salient-part"' in block.body]
    assert len(parts) == 1 and "Read this first" in parts[0]


@pytest.mark.usefixtures("installed")
def test_a_question_of_a_few_words_has_nothing_to_read_first_but_its_hits_do(app: Start) -> None:
    test = app(text="how long does a lazy random walk on a graph need to visit it all")
    assert not test.exception
    html = page_html(test)
    assert 'class="ps-query-reading"' not in html
    assert 'class="ps-salient-part"' in html


def test_key_words_come_in_the_order_given_with_what_their_number_means() -> None:
    words = (("polarized relay", 0.5), ("restricted maximum likelihood (REML)", 0.3), ("armature", 0.1))
    for part in (card_part(replace(SAID, keywords=words)), reading_panel(replace(SAID, keywords=words))):
        assert re.findall(r'title="([^"]*)">([^<]+)</li>', part) == [
            ("50\xa0%: the chance that its author would name it", "polarized relay"),
            ("30\xa0%: the chance that its author would name it", "restricted maximum likelihood (REML)"),
            ("10\xa0%: the chance that its author would name it", "armature"),
        ]
    many = replace(SAID, keywords=tuple((f"word{n}", 0.1) for n in range(15)))
    assert [len(re.findall(r">word\d+<", page)) for page in (card_part(many), query_reading(many))] == [6, 7]


@pytest.mark.usefixtures("missing")
def test_without_the_encoder_nothing_of_it_is_on_the_pages(app: Start) -> None:
    test = app(example=EXAMPLE)
    assert not test.exception
    assert 'class="ps-hit"' in page_html(test)
    assert "Read this first" not in page_text(test)
    assert "ps-notice ps-problem" not in page_html(test)
    test.button(key="correct").click().run()
    assert not [expander for expander in test.expander if expander.label == "Key sentences and key words"]


@pytest.mark.usefixtures("installed")
def test_texts_that_are_read_on_the_page_are_marked(app: Start) -> None:
    test = app(example=EXAMPLE)
    test.session_state["read-query"] = True
    test.run()
    assert not test.exception
    assert 'mark class="ps-salient"' in page_html(test)


@pytest.mark.usefixtures("installed")
def test_a_document_open_for_correction_says_it_on_demand(app: Start) -> None:
    test = app(example=EXAMPLE)
    test.button(key="correct").click().run()
    assert [expander for expander in test.expander if expander.label == "Key sentences and key words"]
    assert 'class="ps-reading"' not in page_html(test)
    test.session_state["draft-read-first"] = True
    test.run()
    assert 'class="ps-reading"' in page_html(test)


def test_the_strongest_sentences_stand_in_reading_order() -> None:
    panel = reading_panel(SAID)
    shown = [row.split("<")[0] for row in panel.split('class="ps-weight"')[1:]]
    assert len(shown) == 3  # of eight, a third
    numbers = [panel.index(f">{p:.2f}<") for p in (0.9, 0.8, 0.7)]
    assert numbers == sorted(numbers)
    assert "0.60" not in panel
    assert "width:100%" in panel  # the strongest sentence has the longest bar
    assert "how likely it is to carry what an abstract would say, from 0 to 1; the average" in panel
    assert "sentence of this text has 0.50." in panel
    assert panel.count("Method") == 2  # sections are named where they differ
    assert card_part(SAID).count('class="ps-weight"') == 2


def test_a_tenth_of_a_long_text_is_marked() -> None:
    long = paper(sentences=80)
    found = said_of(long, list(np.linspace(0.1, 0.9, 80)))
    assert len(found.strongest()) == 8
    assert len(SAID.strongest()) == 3
    assert Salience((), np.empty(0, np.float32), ()).strongest() == ()


def test_hostile_text_stays_text() -> None:
    document = Document(HOSTILE, sections=(Section(HOSTILE, HOSTILE), Section("Other", "A walk.")))
    chunks = (
        Chunk(HOSTILE, 0, HOSTILE, 0, len(HOSTILE), HOSTILE),
        Chunk(HOSTILE, 1, "Other", 0, 7, "A walk."),
    )
    found = Salience(chunks * 2, np.full(4, 0.5, np.float32), ((HOSTILE, 0.5),))
    shown = (
        reading_panel(found) + query_reading(found) + card_part(found) + full_text(document, salient=[(chunks[0], 0.5)])
    )
    assert "<script" not in shown
    assert "<img" not in shown
    assert HOSTILE in html.unescape(shown)


def test_a_very_long_sentence_is_cut() -> None:
    text = "steam " * 400
    found = Salience((Chunk("x", 0, "", 0, len(text), text),), np.full(1, 0.5, np.float32), ())
    assert "steam …" in card_part(found)
    assert len(card_part(found)) < 1_200


def test_nothing_to_say_is_said() -> None:
    nothing = Salience((), np.empty(0, np.float32), ())
    assert "holds a word that the encoder knows" in reading_panel(nothing)
    assert "holds a word that the encoder knows" in query_reading(nothing)
    assert card_part(nothing) == '<div class="ps-salient-part"></div>'
    words_alone = replace(nothing, keywords=(("walk", 0.5),))
    assert "Read this first" not in reading_panel(words_alone)
    assert "<details" not in query_reading(words_alone) and "walk" in query_reading(words_alone)


def test_results_stand_where_the_encoder_is_damaged_and_the_page_says_so_once(
    installed: Path, tmp_path: Path, app: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    tiny_keyvec().save(without_keyvec(tmp_path / "damaged") / "keyvec")
    (tmp_path / "damaged" / "keyvec" / "weights.safetensors").write_bytes(b"no weights")
    monkeypatch.setattr(registry, "PRETRAINED", tmp_path / "damaged")
    test = app(example=EXAMPLE)
    assert not test.exception
    assert 'class="ps-hit"' in page_html(test)
    assert page_text(test).count("it is damaged") == 1
