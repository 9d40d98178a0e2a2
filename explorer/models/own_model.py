"""A model of the visitor's own on the Models page: look at it, measure it beside the default, then offer it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, get_args

import streamlit as st

from engine import encoders, evaluation
from engine.core.progress import Report
from engine.documents.markup import Markup, element
from engine.documents.text import how_many
from explorer.shared import notices
from explorer.shared.markup import fact_list, name_groups, scroll_region, show, table, three_places
from explorer.state import background, handles, session

_LEAD = (
    "Any sentence-transformers model whose weights are safetensors can be an encoder here. Give its folder on the "
    "machine that runs Priorscope, or its name on the Hugging Face hub. No code of a model is run and no pickle is "
    "loaded. A name that is not on this machine is looked up on the hub, which learns that name and nothing else."
)
_PLACE, _FACTS = "own-model-place", "own-model-facts"
_QUESTIONS: Mapping[str, str] = {
    "small": "the small set that comes with Priorscope, in seconds",
    "judged": "your own judged questions",
    "subjects": "your library’s subjects, some minutes",
}
_WAYS = {"alone": "Alone", "in search": "In a search, with the keywords"}


def own_models() -> None:
    """Draw the part, folded until it is wanted."""
    kept = sorted(encoders.KeptModel.read_all(), key=lambda one: one.offered)  # first what waits to be judged
    waiting = any(not one.offered for one in kept)
    label = f"Your own models ({len(kept)})" if kept else "Try a model of your own"
    with st.expander(label, key="own-models", expanded=waiting or _FACTS in st.session_state):
        show(element("p", _LEAD, class_="ps-quiet"))
        with st.form("own-model-form", border=False):
            with st.container(horizontal=True, vertical_alignment="bottom"):
                st.text_input("Folder or name", key=_PLACE, placeholder="sentence-transformers/all-MiniLM-L6-v2")
                if st.form_submit_button("Look at it", key="own-model-look"):
                    _look(st.session_state[_PLACE].strip())
        if (facts := st.session_state.get(_FACTS)) is not None:
            _looked_at(*facts)
        for number, model in enumerate(kept):
            _kept(model, number)
        groups = {f"own-model-{number}": f"Your model {model.name}" for number, model in enumerate(kept)}
        name_groups("own-models", {"own-model-found": "The model that you look at", **groups})


def _look(place: str) -> None:
    """Read what the model says, and hold it for the next drawing."""
    st.session_state.pop(_FACTS, None)
    if place:
        with st.spinner("Looking"), notices.shown_errors():
            st.session_state[_FACTS] = (place, encoders.ModelFacts.of(place))


def _looked_at(place: str, facts: encoders.ModelFacts) -> None:
    """Draw a model's licence and size, and the button that measures it."""
    with st.container(border=True, key="own-model-found"):
        show(element("div", element("h3", facts.name, class_="ps-title"), _facts(facts), class_="ps-encoder"))
        name = st.text_input("Call it", value=facts.name, key=f"own-model-name-{facts.name}", width=320)
        _measure(name.strip() or facts.name, place, key="found")


def _facts(facts: encoders.ModelFacts) -> Markup:
    return fact_list(facts.spoken(), look="ps-facts", grouped=False)


def _measure(name: str, place: str, *, key: str = "") -> None:
    """Choose the questions, and measure; `place` is the name of a kept model, or where to bring it from."""
    key = key or f"kept-{name}"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        questions = st.selectbox(
            "Questions to measure it on",
            offered_questions(),
            format_func=lambda one: _QUESTIONS[one],
            key=f"own-model-questions-{key}",
            width=420,
        )
        label, args = "Measure beside the default", (place, name, questions)
        st.button(label, key=f"own-model-measure-{key}", type="primary", on_click=_begin, args=args)


def offered_questions() -> Sequence[evaluation.QuestionSource]:
    """Return the sets of questions that have answers here."""
    has = {"small": True, "judged": len(handles.library().judgements) > 0, "subjects": len(handles.library()) > 0}
    return [one for one in get_args(evaluation.QuestionSource) if has[one]]


def _begin(place: str, name: str, questions: evaluation.QuestionSource) -> None:
    """Measure a model in the background, and bring it before, if `place` is not the name of a kept one."""
    workspace = handles.workspace()
    st.session_state.pop(_FACTS, None)

    def work(report: Report) -> str:
        kept = name if place == name else encoders.bring_model(place, name=name).name
        return evaluation.BesideDefault.measure(kept, questions, workspace.library, report=report).sentences()[1]

    background.begin(f"Measuring {name}", work, key=("own-model", name, questions))


def _kept(model: encoders.KeptModel, number: int) -> None:
    """Draw a model that was brought: its figures beside the default's, and what can be done with it."""
    with st.container(border=True, key=f"own-model-{number}"):
        state = "offered wherever an encoder is chosen" if model.offered else "not offered yet"
        mark = element("span", state, class_="ps-kind")
        show(element("div", element("h3", model.name, class_="ps-title"), mark, class_="ps-meta ps-card-head"))
        for questions, figures in model.measured.items():
            show(element("p", questions_line(questions, figures), class_="ps-label"))
            label = f"{model.name} beside the default on {_QUESTIONS.get(questions, questions)}"
            headings = ("nDCG@10 with its 95 % interval", model.name, "Default", "Difference", "")
            body = table(headings, figure_rows(figures), label=label, numbers=(1, 2, 3))
            show(scroll_region(body, label, look="ps-scroll ps-scroll-across"))
            show(element("p", evaluation.BesideDefault(figures).keywords_in_words(), class_="ps-quiet"))
        with st.expander("What it says about itself", key=f"own-model-facts-{model.name}", type="compact"):
            show(_facts(model.facts))
        _measure(model.name, model.name)
        with st.container(horizontal=True):
            if not model.offered:
                why = None if model.measured else "Measure it first"
                label, key, act = "Offer as an encoder", f"own-model-offer-{model.name}", (model.offer,)
                st.button(label, key=key, disabled=bool(why), help=why, on_click=session.attempt, args=act)
            key = f"own-model-remove-{model.name}"
            st.button("Remove", key=key, type="tertiary", on_click=_remove, args=(model.name,))


def questions_line(questions: str, figures: Mapping[str, Any]) -> str:
    """Say which questions were asked, how many, and over how many documents."""
    of = f" of your {figures['of']:,}" if figures["of"] > figures["documents"] else ""
    many = f"{how_many(figures['queries'], 'question')} over {how_many(figures['documents'], 'document')}{of}"
    name = _QUESTIONS.get(questions, questions).partition(",")[0]
    return f"{name[:1].upper()}{name[1:]}: {many}"


def figure_rows(figures: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """Return a row for each way of ranking, then the speed and the width of a row; the last cell is the verdict."""
    model, default = figures["model"], figures["default"]
    made = [
        (
            _WAYS[way],
            _interval(model["scores"][way]),
            _interval(default["scores"][way]),
            f"{one['by']['mean']:+.3f} ({one['by']['low']:+.3f} to {one['by']['high']:+.3f})",
            one["verdict"],
        )
        for way, one in figures["differences"].items()
    ]
    rates = (f"{side['documents_per_second']:,.0f}" for side in (model, default))
    widths = (f"{side['dim']:,}" for side in (model, default))
    return [*made, ("Documents a second here", *rates, "", ""), ("Numbers for each document", *widths, "", "")]


def _interval(one: Mapping[str, float]) -> str:
    return f"{three_places(one['mean'])} ({three_places(one['low'])} to {three_places(one['high'])})"


def _remove(name: str) -> None:
    """Remove a model in the background: it may have to wait for the library."""
    workspace = handles.workspace()

    def work(report: Report) -> str:
        del report
        workspace.remove_model(name)
        return f"{name} is removed."

    background.begin(f"Removing {name}", work, key=("removing", name))
