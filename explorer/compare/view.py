"""The compare page: two documents come in, three levels of similarity out, and the passages behind every number."""

from __future__ import annotations

import dataclasses

import streamlit as st

from engine import compare
from engine.core.errors import EngineError
from engine.documents import Document
from engine.documents.markup import element, joined
from engine.documents.text import how_many
from explorer import ASSETS
from explorer.compare import coverage, side_by_side, three
from explorer.compare.comparison import (
    are_read,
    compare_documents,
    comparison_downloads,
    comparison_view,
    exclusions_of,
    score_panel,
    together_downloads,
    within_panel,
)
from explorer.shared import bring, notices, recents
from explorer.shared.bring import Desk, PickAction
from explorer.shared.document import head, kind_badge, outline
from explorer.shared.document_form import document_form
from explorer.shared.markup import name_groups, show
from explorer.shared.progress import at_the_top
from explorer.shared.recents import recent_list
from explorer.shared.widgets import bind, place_of
from explorer.state import compared, drafts, handles, session
from explorer.state.drafts import Draft
from explorer.state.examples import EXAMPLE_PAIRS, ExamplePair, every_example
from explorer.state.links import MAX_WORDS
from explorer.state.visit import PLACES, ChosenPair, MatrixName, Place

_ASKED = "asks_for_a_third"
_PASTE = "Paste an abstract, a draft, or a patent's text with its claims."
_WAYS = ("Upload a file", "Paste a text", "Pick from the library")
_MATRIX_NAMES: dict[MatrixName, str] = {
    "across": "Between both",
    "within_a": "Within the first",
    "within_b": "Within the second",
    "attention": "Attention of the first",
    "attention_back": "Attention of the second",
}
_ALONE_NAMES: dict[MatrixName, str] = {"across": "Similarity", "attention": "Attention"}
_MATRIX_HELP = (
    "Between both: each part of the first against each of the second. Within: a document against itself. Attention: "
    "how much each chunk of one document looks at those of the other when the encoder weighs them."
)
_ALONE_HELP = "Attention: how much each chunk (down) looks at each other (across) when the encoder weighs them."
_LACKS_HELP = (
    "A dotted line under the sentences of each text that nothing in the other comes close to: no sentence there says "
    "the same, in the same words or others, or is closely related"
)
_REFERENCES_HELP = "Reference lists, and entries of them that ended up in the text"
_RECURRING_HELP = (
    "Boilerplate, and sentences that several other documents of your library hold: they make any two documents alike"
)
_SALIENT_HELP = (
    "Underlines the sentences of each text that most likely carry what its abstract would say: the strongest tenth, at "
    "least five, of a short text a third. Their number, from 0 to 1, stands where you point at them."
)
_BOTH = 2
_STEPS, _SIDE_STEPS = ("begin", "one", "two", "three", "library"), ("ways", "form", "document")
_LEFT_OUT = ("references", "recurring")
_REASONS = {"references": "as references", "recurring": "as recurring text", "short": "as too short"}
_LEAD = (
    "Give it two papers or patents: it shows how near they are as a whole, by section and by passage. Give it one: "
    "it is compared within itself or, if you ask, with your whole library."
)


def draw() -> None:
    """Draw the page for what this visitor has chosen so far."""
    st.html(ASSETS / "compare.css")
    pair = session.current().pair
    if pair.a.origin and (pair.b.origin or session.current().coverage.on):
        st.title("Compare", anchor=False)
    else:
        notices.page_title("Compare two documents", _LEAD)
    notices.show_told()
    drafts = {place: _held(place) for place in PLACES}
    first, second = drafts["a"], drafts["b"]
    waits = any(compared.form(place).held() for place in PLACES)
    if waits and first is not None and second is not None:
        notices.note("The comparison waits until you use or discard the corrections.")
    _sides(drafts)
    asks_for_a_third = bool(st.session_state.get(_ASKED) or session.current().pair.c.origin)
    third = _third() if first is not None and second is not None and asks_for_a_third else None
    if first is None and second is None:
        with place_of("begin", _STEPS):
            example_pairs()
            recent_list()
    elif not waits or (second is None and session.current().coverage.on):
        _outcome(first, second, third)
    _note(first, second, third)
    session.write_link()
    if first is None or second is None:
        handles.workspace().warm_comparison()


def _outcome(first: Draft | None, second: Draft | None, third: Draft | None) -> None:
    """Draw what is compared: two documents or three, one with the library, or one within itself."""
    chosen = [draft.document for draft in (first, second, third) if draft is not None]
    if first is not None and second is None and session.current().coverage.on:
        with place_of("library", _STEPS), notices.shown_errors():
            coverage.coverage_view(first.document)
        return
    exclusions(session.current().pair, documents=len(chosen))
    with place_of(("one", "two", "three")[len(chosen) - 1], _STEPS), notices.shown_errors():
        if len(chosen) == 1:
            _within(chosen[0])
        elif len(chosen) == _BOTH:
            _compared(*chosen)
        else:
            _together(*chosen)


def _note(first: Draft | None, *others: Draft | None) -> None:
    """Remember what is compared, for the list of recent comparisons."""
    shown = [draft.document for draft in (first, *others) if draft is not None]
    if len(shown) > 1 or (first is not None and session.current().coverage.on):
        recents.note_comparison(shown)


def _held(place: Place) -> Draft | None:
    """Return the document in one place; if its link names a document that is gone, say so and leave the place free."""
    try:
        return compared.get_draft(place)
    except EngineError as error:
        notices.problem(str(error))
        return None


def _sides(drafts: dict[Place, Draft | None]) -> None:
    """Draw the two documents, or the ways to bring them."""
    has_library = _has_library()
    for column, place in zip(st.columns(2, gap="medium"), PLACES, strict=True):
        with column:
            if place == "b" and drafts["a"] and not drafts["b"] and has_library and session.current().coverage.on:
                coverage.panel()
                continue
            side(place, drafts[place], has_library=has_library)
            if place == "b" and has_library:
                coverage.offer_coverage(drafts["a"], drafts["b"])


def _third() -> Draft | None:
    """Draw the third document, or the ways to bring one."""
    draft = _held("c")
    side("c", draft, has_library=_has_library())
    return None if compared.form("c").held() else draft


def _has_library() -> bool:
    """Tell whether there is a library to choose from; the page works without one."""
    try:
        return len(handles.library()) > 0
    except EngineError as error:
        notices.problem(str(error))
        return False


def _compared(a: Document, b: Document) -> None:
    if not are_read(a, b):
        return
    pair = session.current().pair
    comparison = compare_documents(a, b, pair)
    if comparison is None:
        at_the_top("The documents are being compared.")
        return
    if pair.matrix in ("within_a", "within_b"):
        _within(a if pair.matrix == "within_a" else b)
        return
    show_left_out(comparison)
    with st.sidebar:
        st.button(
            "Add a third document",
            icon=":material/add:",
            key="add-third",
            on_click=st.session_state.update,
            args=({_ASKED: True},),
            help="One question and two candidates: every two of three documents, on one scale of colours",
        )
    with st.container(horizontal=True, vertical_alignment="center", key="compare-head"):
        show(score_panel(comparison))
        help_ = "Swap the two documents"
        st.button("Swap", icon=":material/swap_horiz:", key="swap", on_click=compared.swap, help=help_)
        versions = handles.workspace().comparer().versions(a, b, exclusions_of(pair)) if pair.versions else None
        comparison_downloads(comparison, versions)
    side_by_side.offer_versions(comparison)
    comparison_view(comparison, versions)


def _together(*documents: Document) -> None:
    """Three documents on one scale."""
    if not are_read(*documents):
        return
    found = handles.workspace().comparer().together(documents, exclusions_of(session.current().pair))
    with st.container(horizontal=True, vertical_alignment="center", key="compare-head"):
        show(three.three_panel(found))
        together_downloads(found)
    three.three_view(found)


def _within(document: Document) -> None:
    """Draw one document against itself."""
    if not are_read(document, least_words=0):
        return
    comparison = handles.workspace().comparer().within(document, exclusions_of(session.current().pair))
    show_left_out(comparison)
    with st.container(horizontal=True, vertical_alignment="center", key="compare-head"):
        show(within_panel(comparison))
        comparison_downloads(comparison)
    comparison_view(comparison)


def exclusions(pair: ChosenPair, documents: int = 2) -> None:
    """Draw the choices in the sidebar; each change goes into the link, and the numbers follow at once."""
    with st.sidebar:
        names, help_ = (_MATRIX_NAMES, _MATRIX_HELP) if documents == _BOTH else (_ALONE_NAMES, _ALONE_HELP)
        bind(
            st.selectbox,
            "Heatmaps show",
            list(names),
            key="compare-matrix",
            value=pair.matrix if pair.matrix in names else "across",
            change=lambda matrix: session.change("pair", matrix=matrix, cell=None),
            format_func=names.__getitem__,
            help=help_,
        )
        if documents <= _BOTH and handles.workspace().salience.is_there():
            _switch("Mark salient sentences", "salient", on=pair.salient, note=_SALIENT_HELP)
        if documents == _BOTH:
            _switch("Mark what the other lacks", "alone", on=pair.alone, note=_LACKS_HELP)
        st.header("Leave out", anchor=False)
        _switch("References", "references", on=pair.references, note=_REFERENCES_HELP)
        _switch("Recurring text", "recurring", on=pair.recurring, note=_RECURRING_HELP)
        bind(
            st.slider,
            "Matches under … words",
            0,
            MAX_WORDS,
            key="leave-short",
            value=pair.min_words,
            change=lambda words: session.change("pair", min_words=words),
            help="Matching passages with fewer words than this on either side. 0 leaves none out.",
        )


def show_left_out(comparison: compare.Comparison) -> None:
    """Say in the sidebar how many sentences were left out, and why."""
    names = ("this document",) if comparison.is_within else ("the first document", "the second document")
    lines = []
    for place, name in enumerate(names):
        counts = [(reason, both[place]) for reason, both in comparison.left_out.items() if both[place]]
        said = [f"{how_many(count, 'sentence')} {_REASONS.get(reason, reason)}" for reason, count in counts]
        lines.append(f"Left out of {name}: {', '.join(said) or 'nothing'}.")
    with st.sidebar:
        show(element("div", *(element("p", line, class_="ps-quiet") for line in lines), role="status"))


def _switch(label: str, field: str, *, on: bool, note: str) -> None:
    key = f"leave-{field}" if field in _LEFT_OUT else f"compare-{field}"
    bind(
        st.checkbox, label, key=key, value=on, change=lambda is_on: session.change("pair", **{field: is_on}), help=note
    )


def side(place: Place, draft: Draft | None, *, has_library: bool) -> None:
    """Draw one place: the chosen document, or the ways to choose one."""
    with st.container(border=True, key=f"side-{place}", gap="small"):
        corrected = None if draft is None else compared.form(place).held()
        with place_of("ways" if draft is None else "form" if corrected is not None else "document", _SIDE_STEPS):
            if draft is None:
                show(element("h2", side_by_side.NAMES[place], class_="ps-title"))
                _ways(place, has_library=has_library)
            elif corrected is not None:
                _form(place, corrected)
            else:
                _chosen(place, draft)
    name_groups(f"side-{place}", {f"side-{place}": side_by_side.NAMES[place]})


def example_pairs() -> None:
    """Pairs of ours, which need no library."""
    st.header("Or try an example pair", anchor=False)
    for column, pair in zip(st.columns(len(EXAMPLE_PAIRS), gap="medium"), EXAMPLE_PAIRS, strict=True):
        key = f"examples-{pair.first}"
        with column, st.container(border=True, height="stretch", vertical_alignment="distribute", key=key):
            _example_pair(pair)
    name_groups("pairs", {f"examples-{pair.first}": f"Example pair: {pair.lead}" for pair in EXAMPLE_PAIRS})


def _example_pair(pair: ExamplePair) -> None:
    first, second = (every_example()[name] for name in (pair.first, pair.second))
    lines = [element("h3", example.title, class_="ps-title") for example in (first, second)]
    lead = element("p", pair.lead, class_="ps-quiet")
    show(element("div", kind_badge(first.kind), *lines, lead, class_="ps-example"))

    def choose() -> None:
        compared.choose_both(drafts.from_example(pair.first), drafts.from_example(pair.second))

    st.button("Compare these", key=f"pair-{pair.first}", on_click=session.attempt, args=(choose,), help=pair.lead)


def _chosen(place: Place, draft: Draft) -> None:
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        show(element("p", side_by_side.NAMES[place], class_="ps-label"))
        with st.container(horizontal=True, width="content"):
            st.button(
                "Correct",
                key=f"correct-{place}",
                icon=":material/edit:",
                type="tertiary",
                on_click=compared.form(place).keep,
                args=(draft,),
                help=f"Correct what was read of the {side_by_side.NAMES[place].lower()}: title, abstract and sections",
            )
            st.button(
                "Change",
                key=f"change-{place}",
                icon=":material/file_open:",
                type="tertiary",
                on_click=compared.drop,
                args=(place,),
                help=f"Choose another {side_by_side.NAMES[place].lower()}",
            )
    show(head(draft.document, note=outline(draft.document, pages=draft.pages)))
    if len(draft.warnings) > notices.MOST_BOXES:
        notices.notes(draft.warnings)
    else:
        show(joined([element("p", warning, class_="ps-quiet", role="note") for warning in draft.warnings]))
    read = draft.document
    if not (read.title and read.abstract) or read.sections or read.claims:
        return
    show(element("p", "Only its abstract is here, so only that is compared.", class_="ps-quiet", role="note"))
    with st.expander("Add its PDF", key=f"whole-{place}", type="compact"):
        bring.upload(Desk(lambda draft: compared.choose(place, compared.titled(draft)), f"{place}-whole"))


def _form(place: Place, draft: Draft) -> None:
    """Draw the read document, open for correction."""
    show(element("h2", f"{side_by_side.NAMES[place]}: check what was read", class_="ps-title"))
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Use it",
            key=f"use-{place}",
            icon=":material/check:",
            type="primary",
            on_click=session.attempt,
            args=(lambda: compared.use(place),),
            help="Compare the text as it stands here",
        )
        st.button(
            "Discard",
            key=f"leave-{place}",
            on_click=compared.form(place).drop,
            help="Keep what was read, without these corrections",
        )
    with st.container(key=f"correct-form-{place}"):
        document_form(draft, change=compared.form(place).change, key=f"correct-{place}")


def _ways(place: Place, *, has_library: bool) -> None:
    ways = st.tabs(_WAYS if has_library else _WAYS[:2], key=f"ways-{place}")
    desk = Desk(lambda draft: compared.choose(place, draft), place)
    with ways[0]:
        bring.upload(dataclasses.replace(desk, take=lambda draft: compared.choose(place, compared.titled(draft))))
    with ways[1]:
        bring.paste(desk, label=f"Text of the {side_by_side.NAMES[place].lower()}", placeholder=_PASTE, height=140)
    if has_library:
        with ways[2]:
            how = PickAction(
                lambda id_: compared.choose(place, drafts.from_library(id_)),
                "Choose",
                lambda number: f"Compare match {number}",
                level=3,
                beside=False,
            )
            bring.pick(desk, how)


if __name__ == "__main__":
    draw()
