"""One encoder's card: what it is, its figures, its speed on this machine, and the button that picks it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import streamlit as st

from engine.documents.markup import Markup, element
from engine.evaluation import MEASURES, MeasuredQuality, read_quality
from explorer.models.training_facts import training_facts
from explorer.shared import encoder_facts, notices
from explorer.shared.counts import table
from explorer.shared.encoder_choice import corpora, vector_size
from explorer.shared.markup import show
from explorer.state import handles, session
from explorer.state.encoder_names import offered, search_names, short, spoken

if TYPE_CHECKING:
    from engine.encoders import EncoderCard

_RECIPE = "Train it yourself"
_TIMED_DOCUMENTS = 200
_BENCHMARKS = {
    "arxiv-subject": "arXiv papers of the same subject",
    "patents-citation": "Patents linked by citations",
    "acm-citation": "ACM papers that a passage cites",
    "cranfield": "Cranfield: questions on aerodynamics",
    "cacm": "CACM: questions on computing",
    "npl": "NPL: questions on electronics",
}
_HIDDEN = "the citing paper itself left out"


def encoder_card(name: str, *, chosen: bool) -> None:
    """Draw the card."""
    card = encoder_facts.encoder_card(name)
    with st.container(border=True, key=f"encoder-{name}"):
        mark = [element("span", "Used in this session", class_="ps-kind")] if chosen else []
        heading, code = element("h2", offered(name), class_="ps-title"), element("span", name, class_="ps-code")
        title = element("div", heading, code, *mark, class_="ps-meta ps-card-head")
        show(element("div", title, element("p", card.summary), _facts(card), class_="ps-encoder"))
        if name in search_names():
            with st.container(horizontal=True, vertical_alignment="center"):
                _pick(name, chosen=chosen)
                _speed(name)
            if encoder_facts.uses_codes(name):
                show(element("p", codes_sentence(handles.document_count()), class_="ps-quiet"))
        else:
            show(element("p", "Compares two documents; a library is not searched by it.", class_="ps-quiet"))
        _quality(name)
        _training(name)


def _quality(name: str) -> None:
    """Its figures on public benchmarks, on demand."""
    if not (found := quality_rows(name)):
        return
    with st.expander("Quality on public benchmarks", key=f"quality-{name}", type="compact"):
        columns = ("Benchmark", "Queries", *MEASURES, f"BM25's {MEASURES[0]}")
        label = f"Quality of {spoken(name)}"
        body = table(columns, found, numbers=range(2, len(columns)), label=label)
        show(element("div", body, class_="ps-scroll ps-scroll-across", role="region", aria_label=label, tabindex="0"))


def _facts(card: EncoderCard) -> Markup:
    facts = {
        "Trained on": corpora(card),
        "Vector": vector_size(card),
        "Reads": _reads(card),
        "On disk": _size(card),
        "Licence": card.licence,
        "Fingerprint": card.fingerprint or "given once it has read your library",
    }
    if recipe := read_quality().recipes.get(card.name):
        facts[_RECIPE] = recipe
    cells = [cell for key, value in facts.items() for cell in (element("dt", key), _value(key, value))]
    return element("dl", *cells, class_="ps-facts")


def _reads(card: EncoderCard) -> str:
    """How much of a text is read."""
    if not card.max_tokens:
        return "the whole document"
    of_questions = encoder_facts.question_tokens(card.name)
    more = f", of a question {of_questions:,}" if of_questions not in (0, card.max_tokens) else ""
    return f"the first {card.max_tokens:,} tokens{more}"


def _value(key: str, value: str) -> Markup:
    is_code = key == _RECIPE or (key == "Fingerprint" and " " not in value)
    return element("dd", element("code", value) if is_code else value)


def _training(name: str) -> None:
    """How shipped weights were trained, and their whole card, on demand."""
    if facts := encoder_facts.training_facts(name):
        label, key = "How it was trained", f"training-{name}"
        with st.expander(label, key=key, type="compact", on_change="rerun") as more:
            if more.open:
                training_facts(facts)
    if (notes := encoder_facts.notes_file(name)) is not None:
        label, key = "Model card", f"notes-{name}"
        with st.expander(label, key=key, type="compact", on_change="rerun") as more:
            if more.open:
                _notes(notes.read_text("utf-8", errors="replace"), own=encoder_facts.is_own(name))


def _notes(markdown: str, *, own: bool) -> None:
    """A model card: ours as a page, another's as it is written, because a page would fetch its pictures."""
    if own:
        st.code(markdown, language=None, wrap_lines=True)
    else:
        st.markdown(lowered(markdown))


def lowered(markdown: str) -> str:
    """The same Markdown with its headings two levels lower, below the card's own; code stays as it is."""
    lines, is_code = [], False
    for line in markdown.splitlines():
        is_code ^= line.startswith("```")
        lines.append(f"##{line}" if line.startswith("#") and not is_code else line)
    return "\n".join(lines)


def _pick(name: str, *, chosen: bool) -> None:
    label = "In use" if chosen else "Use this one"
    help_ = f"You search with {spoken(name)} now" if chosen else f"Search with {spoken(name)} from now on"
    if st.button(label, key=f"use-{name}", disabled=chosen, help=help_):
        session.update(encoder=name)
        st.rerun()


def _speed(name: str) -> None:
    key = f"speed-{name}"
    if st.button(
        "Measure speed here", key=f"measure-{name}", type="tertiary", help=f"Encode some documents with {spoken(name)}"
    ):
        with st.spinner("Measuring"), notices.shown_errors():
            st.session_state[key] = measured_speed(name)
    if key in st.session_state:
        show(element("p", st.session_state[key], class_="ps-quiet", role="status"))


def measured_speed(name: str) -> str:
    """Encode up to 200 documents of the library, and say how fast that was."""
    documents = [
        document for document, _ in zip(handles.library().iter_documents(), range(_TIMED_DOCUMENTS), strict=False)
    ]
    if not documents:
        return "The library is empty, so there is nothing to measure with."
    encoder = handles.encoder(name)
    encoder.encode_documents(documents[:1])
    started = time.perf_counter()
    encoder.encode_documents(documents)
    rate = len(documents) / (time.perf_counter() - started)
    return f"{rate:,.0f} documents a second, measured on {len(documents)} of your library"


def codes_sentence(documents: int) -> str:
    """What binary codes mean for a library of this size."""
    from engine.vectors import measured_recall

    size, recall = measured_recall(documents)
    return (
        f"Searches of your {documents:,} documents look near vectors up by binary codes instead of comparing them all: "
        f"they stay quick while the library grows, and find {100 * recall:.1f} % of the ten nearest documents "
        f"(recall@10, measured with ctpe on {size:,})."
    )


def quality_rows(name: str) -> list[tuple[str, ...]]:
    """The encoder's figures on public benchmarks, one row a benchmark and set of queries.

    The last column is BM25's, to compare with. Figures of other weights than the shipped ones are left out.
    """
    from engine import encoders

    present = encoders.card(name).fingerprint
    results = read_quality().results.get(name, ())
    return sorted({_row(result) for result in results if result.fingerprint in ("", present)})


def _row(result: MeasuredQuality) -> tuple[str, ...]:
    figures = (_figure(result.figures.get(measure)) for measure in MEASURES)
    return (_benchmark(result), _queries(result), *figures, _figure(result.bm25))


def _benchmark(result: MeasuredQuality) -> str:
    """The task in words; two results on one set say how they differ."""
    name = result.benchmark
    said = f"{_BENCHMARKS[name]} ({name})" if name in _BENCHMARKS else name
    return f"{said}, {_HIDDEN}" if result.own_works_hidden else said


def _queries(result: MeasuredQuality) -> str:
    """Which queries were asked, and how many: "test, 789"."""
    return ", ".join(filter(None, (result.part, f"{result.queries:,}" if result.queries else "")))


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _size(card: EncoderCard) -> str:
    total = encoder_facts.encoder_bytes(card.name)
    joined = encoder_facts.joined_encoders(card.name)
    of = f", with {' and '.join(map(short, joined))}" if joined else ""
    return f"{total / 1e6:.1f} MB{of}" if total else "nothing yet"
