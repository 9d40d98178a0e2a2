"""One encoder's card: what it is, its figures, its speed here, how it was trained, and the button for it."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from engine import encoders, vectors
from engine.core.progress import duration
from engine.documents.markup import Markup, element
from engine.documents.text import in_percent
from engine.evaluation import MeasuredQuality, read_quality
from explorer.shared import notices
from explorer.shared.encoder import corpora, vector_size
from explorer.shared.markup import fact_list, scroll_region, show, table, three_places
from explorer.state import handles, session
from explorer.state.handles import choice_label, short

Facts = Mapping[str, Any]
_DRAWN = ("curve", "results", "corpora_sha256")
_AS_FILES = ("recipe", "settings")
_BETWEEN = "between"
_BELOW = "transformer"
_MOST_SAID = 12  # of a list or a table among the facts; a longer one shows its length
_NAMES = {"repeatable": "Repeated", "run": "Run by"}
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


def training_facts(facts: Facts) -> None:
    """Draw all that the card of shipped weights says about their training, or about both for weights between two."""
    if between := facts.get(_BETWEEN):
        training_facts({key: value for key, value in facts.items() if key != _BETWEEN})
        of = f"{in_percent(between['share'])} of the way from one trained transformer to another of the same shape"
        show(element("p", f"These weights lie {of}.", class_="ps-quiet"))
        for name, part in zip(("The first", "The second"), between["of"], strict=True):
            show(element("p", name, class_="ps-label"))
            training_facts(part)
        return
    if curve := facts.get("curve"):
        _curves(curve, facts.get("recipe", {}).get("data", {}).get("metric", "Score"))
    if results := facts.get("results"):
        show(element("p", "Results of these weights", class_="ps-label"))
        show(results_table(results))
    _short_facts(facts)
    for key, value in facts.items():
        if isinstance(value, list) and key not in _DRAWN:
            show(element("p", _name(key), class_="ps-label"))
            show(element("ul", *(element("li", str(item)) for item in value), class_="ps-notes"))
    _what_repeats_it(facts)
    if below := facts.get(_BELOW):
        show(element("p", "Its transformer, which learnt before", class_="ps-label"))
        training_facts(below)


def _what_repeats_it(facts: Facts) -> None:
    """Draw the data by their digests, the recipe and the settings."""
    if digests := facts.get("corpora_sha256"):
        rows = [(name, str(digest)) for name, digest in digests.items()]
        show(table(("Data", "sha256"), rows, label="Training data"))
    for key in _AS_FILES:
        if values := facts.get(key):
            show(element("p", _name(key), class_="ps-label"))
            st.code(as_toml(values), language="toml")


def results_table(results: Sequence[Facts]) -> Markup:
    """Results as a table with the columns that they have, numbers to three places."""
    columns = list(dict.fromkeys(key for row in results for key in row))
    rows = [[_cell(row.get(column)) for column in columns] for row in results]
    headings = [column.replace("ndcg", "nDCG") if "@" in column else _name(column) for column in columns]
    return table(headings, rows, numbers=range(1, len(columns)), label="Results of these weights")


def as_toml(values: Facts, place: str = "") -> str:
    """Nested values as they stand in a recipe's file: plain ones first, then a table for each group."""
    lines = [f"{key} = {json.dumps(value)}" for key, value in values.items() if not isinstance(value, dict)]
    for key, value in values.items():
        if isinstance(value, dict):
            lines += ["", f"[{place}{key}]", as_toml(value, f"{place}{key}.")]
    return "\n".join(lines)


def _curves(curve: Sequence[Facts], metric: str) -> None:
    """Draw one chart for the loss and one for the scores, because their scales differ."""
    scores = {name: [point["scores"][name] for point in curve] for name in curve[0].get("scores", {})}
    left, right = st.columns(2, gap="medium")
    with left:
        _chart("Loss in training", {"Loss": [point["loss"] for point in curve]})
    if scores:
        with right:
            _chart(f"{metric} on the validation queries", scores)


def _chart(title: str, lines: Mapping[str, Sequence[float]]) -> None:
    show(element("p", title, class_="ps-label"))
    epochs = list(range(1, 1 + max(map(len, lines.values()))))
    st.line_chart({"epoch": epochs, **lines}, x="epoch", y=list(lines), x_label="Epoch", y_label="", height=220)
    for name, values in lines.items():
        ends = f"{values[0]:.4g} after the first epoch, {values[-1]:.4g} after the last of {len(values)}"
        show(element("p", f"{name}: {ends}.", class_="ps-quiet"))


def _short_facts(facts: Facts) -> None:
    """Facts of a line each, and the total time of the epochs."""
    plain = {key: value for key, value in facts.items() if not isinstance(value, list) and key not in _AS_FILES}
    lines = {_name(key): _cell(value) for key, value in plain.items() if key not in (*_DRAWN, _BELOW, "seconds")}
    seconds = facts.get("seconds") or sum(point.get("seconds", 0) for point in facts.get("curve", ()))
    if seconds:
        lines["Time"] = duration(seconds)
    show(fact_list(lines, look="ps-facts", grouped=False))


def _name(key: str) -> str:
    plain = key.replace("_", " ")
    return _NAMES.get(key, plain[:1].upper() + plain[1:])


def _cell(value: object) -> str:
    if isinstance(value, dict | list) and len(value) > _MOST_SAID:
        return f"{len(value):,} entries"
    if isinstance(value, list):
        return ", ".join(map(_cell, value))
    if isinstance(value, dict):
        return ", ".join(_entry(key, item) for key, item in value.items())
    if isinstance(value, float):
        return three_places(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return "–" if value is None else str(value)


def _entry(key: str, item: object) -> str:
    said = _cell(item)
    return f"{key} ({said})" if isinstance(item, dict) and len(item) <= _MOST_SAID else f"{key}: {said}"


def encoder_card(name: str, *, chosen: bool) -> None:
    """Draw the card."""
    card = handles.workspace().encoder_card(name)
    with st.container(border=True, key=f"encoder-{name}"):
        mark = [element("span", "Used in this session", class_="ps-kind")] if chosen else []
        heading, code = element("h2", choice_label(name), class_="ps-title"), element("span", name, class_="ps-code")
        title = element("div", heading, code, *mark, class_="ps-meta ps-card-head")
        show(element("div", title, element("p", card.summary), _facts(card), class_="ps-encoder"))
        if name in encoders.search_names():
            with st.container(horizontal=True, vertical_alignment="center"):
                _pick(name, chosen=chosen)
                _speed(name)
            if handles.workspace().uses_codes(name):
                show(element("p", codes_sentence(len(handles.library())), class_="ps-quiet"))
        else:
            show(element("p", "Compares two documents; a library is not searched by it.", class_="ps-quiet"))
        _quality(name)
        _training(name)


def _quality(name: str) -> None:
    """Its figures on public benchmarks, on demand."""
    if not (found := quality_rows(name)):
        return
    with st.expander("Quality on public benchmarks", key=f"quality-{name}", type="compact"):
        columns = ("Benchmark", "Queries", *MeasuredQuality.MEASURES, f"BM25's {MeasuredQuality.MEASURES[0]}")
        label = f"Quality of {encoders.label(name)}"
        body = table(columns, found, numbers=range(2, len(columns)), label=label)
        show(scroll_region(body, label, look="ps-scroll ps-scroll-across"))


def _facts(card: encoders.EncoderCard) -> Markup:
    facts: dict[str, str] = {
        "Trained on": corpora(card),
        "Vector": vector_size(card),
        "Reads": _reads(card),
        "On disk": _size(card),
        "Licence": card.licence,
        "Fingerprint": element("code", card.fingerprint) if card.fingerprint else "given once it has read your library",
    }
    if recipe := read_quality().recipes.get(card.name):
        facts["Train it yourself"] = element("code", recipe)
    return fact_list(facts, look="ps-facts", grouped=False)


def _reads(card: encoders.EncoderCard) -> str:
    """Say how much of a text is read."""
    if not card.max_tokens:
        return "the whole document"
    of_questions = int(shipped_facts(card.name).get("settings", {}).get("query_tokens", 0))
    more = f", of a question {of_questions:,}" if of_questions not in (0, card.max_tokens) else ""
    return f"the first {card.max_tokens:,} tokens{more}"


def _training(name: str) -> None:
    """Show on demand how shipped weights were trained, and their whole card."""
    if facts := shipped_facts(name):
        label, key = "How it was trained", f"training-{name}"
        with st.expander(label, key=key, type="compact", on_change="rerun") as more:
            if more.open:
                training_facts(facts)
    if (notes := notes_file(name)) is not None:
        label, key = "Model card", f"notes-{name}"
        with st.expander(label, key=key, type="compact", on_change="rerun") as more:
            if more.open:
                _notes(notes.read_text("utf-8", errors="replace"), own=encoders.find(name).is_own)


def _notes(markdown: str, *, own: bool) -> None:
    """Draw a model card: ours as a page, another's as it is written, because a page would fetch its pictures."""
    if own:
        st.code(markdown, language=None, wrap_lines=True)
    else:
        st.markdown(lowered(markdown))


def lowered(markdown: str) -> str:
    """Return the same Markdown with its headings two levels lower, below the card's own; code stays as it is."""
    lines, is_code = [], False
    for line in markdown.splitlines():
        is_code ^= line.startswith("```")
        lines.append(f"##{line}" if line.startswith("#") and not is_code else line)
    return "\n".join(lines)


def _pick(name: str, *, chosen: bool) -> None:
    label = "In use" if chosen else "Use this one"
    help_ = (
        f"You search with {encoders.label(name)} now" if chosen else f"Search with {encoders.label(name)} from now on"
    )
    use = {"encoder": name}
    st.button(label, key=f"use-{name}", disabled=chosen, help=help_, on_click=session.update, kwargs=use)


def _speed(name: str) -> None:
    key = f"speed-{name}"
    if st.button(
        "Measure speed here",
        key=f"measure-{name}",
        type="tertiary",
        help=f"Encode some documents with {encoders.label(name)}",
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
    encoder = handles.workspace().encoder(name)
    encoder.encode_documents(documents[:1])
    started = time.perf_counter()
    encoder.encode_documents(documents)
    rate = len(documents) / (time.perf_counter() - started)
    return f"{rate:,.0f} documents a second, measured on {len(documents)} of your library"


def codes_sentence(documents: int) -> str:
    """Explain what binary codes mean for a library of this size."""
    size, recall = vectors.measured_recall(documents)
    return (
        f"Searches of your {documents:,} documents look near vectors up by binary codes instead of comparing them all: "
        f"they stay quick while the library grows, and find {100 * recall:.1f} % of the ten nearest documents "
        f"(recall@10, measured with ctpe on {size:,})."
    )


def quality_rows(name: str) -> list[tuple[str, ...]]:
    """Return the encoder's figures on public benchmarks, one row a benchmark and set of queries.

    The last column is BM25's, to compare with. Figures of other weights than the shipped ones are left out.
    """
    present = encoders.find(name).card.fingerprint
    results = read_quality().results.get(name, ())
    return sorted({_row(result) for result in results if result.fingerprint in ("", present)})


def _row(result: MeasuredQuality) -> tuple[str, ...]:
    figures = (three_places(result.figures.get(measure)) for measure in MeasuredQuality.MEASURES)
    return (_benchmark(result), _queries(result), *figures, three_places(result.bm25))


def _benchmark(result: MeasuredQuality) -> str:
    """Name the task; two results on one set say how they differ."""
    name = result.benchmark
    said = f"{_BENCHMARKS[name]} ({name})" if name in _BENCHMARKS else name
    return f"{said}, {_HIDDEN}" if result.own_works_hidden else said


def _queries(result: MeasuredQuality) -> str:
    """Say which queries were asked, and how many: "test, 789"."""
    return ", ".join(filter(None, (result.part, f"{result.queries:,}" if result.queries else "")))


def _size(card: encoders.EncoderCard) -> str:
    total = handles.workspace().encoder_bytes(card.name)
    joined = encoders.find(card.name).joins
    of = f", with {' and '.join(map(short, joined))}" if joined else ""
    return f"{total / 1e6:.1f} MB{of}" if total else "nothing yet"


def shipped_facts(name: str) -> Mapping[str, Any]:
    """Return what the card of shipped weights says about their training.

    Empty for an encoder that learns from the library, and for a person's own model, whose card does not say it.
    """
    encoder = encoders.find(name)
    return {} if encoder.is_own else encoder.facts


def notes_file(name: str) -> Path | None:
    """Return the model card of shipped weights, in Markdown: their own, or the one that they share with others."""
    folder = encoders.find(name).folder
    found = [path for path in (folder / "README.md", folder.parent / "README.md") if path.is_file()] if folder else []
    return next(iter(found), None)
