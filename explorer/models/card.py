"""One encoder's card: what it is, its figures, its speed on this machine, and the button that picks it."""

from __future__ import annotations

import json
import time
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.models.training_facts import training_facts
from explorer.shared import encoder_facts, notices
from explorer.shared.counts import table
from explorer.shared.encoder_choice import corpora, vector_size
from explorer.shared.encoder_names import offered, search_names, short, spoken
from explorer.shared.markup import Markup, element, show
from explorer.state import handles, session

if TYPE_CHECKING:
    from engine.encoders.base import EncoderCard

PROJECT = Path(__file__).resolve().parents[2]
REPORTS = PROJECT / "benchmarks" / "reports"
RECIPES = PROJECT / "engine" / "training" / "recipes"
_MEASURES = ("nDCG@10", "MAP@20", "P@20", "R@100")
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
        quality = quality_rows(name)
        if quality:
            show(element("p", "Quality on public benchmarks", class_="ps-label"))
            columns = ("Benchmark", "Queries", *_MEASURES, f"BM25's {_MEASURES[0]}")
            show(table(columns, quality, numbers=range(2, len(columns)), label=f"Quality of {spoken(name)}"))
        if name in search_names():
            with st.container(horizontal=True, vertical_alignment="center"):
                _pick(name, chosen=chosen)
                _speed(name)
            if encoder_facts.uses_codes(name):
                show(element("p", codes_sentence(handles.document_count()), class_="ps-quiet"))
        else:
            show(element("p", "Compares two documents; a library is not searched by it.", class_="ps-quiet"))
        _training(name)


def _facts(card: EncoderCard) -> Markup:
    facts = {
        "Trained on": corpora(card),
        "Vector": vector_size(card),
        "Reads": _reads(card),
        "On disk": _size(card),
        "Licence": card.licence,
        "Fingerprint": card.fingerprint or "given once it has read your library",
    }
    if recipe := recipe_command(card.name):
        facts["Train it anew"] = recipe
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
    is_code = key == "Train it anew" or (key == "Fingerprint" and " " not in value)
    return element("dd", element("code", value) if is_code else value)


def _training(name: str) -> None:
    """How shipped weights were trained, and all that we wrote about them, on demand."""
    if facts := encoder_facts.training_facts(name):
        label, key = "How it was trained", f"training-{name}"
        with st.expander(label, key=key, type="compact", on_change="rerun") as more:
            if more.open:
                training_facts(facts)
    if (notes := encoder_facts.notes_file(name)) is not None:
        label, key = "Model card", f"notes-{name}"
        with st.expander(label, key=key, type="compact", on_change="rerun") as more:
            if more.open:
                st.markdown(lowered(notes.read_text("utf-8")))


def lowered(markdown: str) -> str:
    """The same Markdown with its headings two levels lower, as they stand under the card's own; code stays as it is."""
    lines, is_code = [], False
    for line in markdown.splitlines():
        is_code ^= line.startswith("```")
        lines.append(f"##{line}" if line.startswith("#") and not is_code else line)
    return "\n".join(lines)


def _pick(name: str, *, chosen: bool) -> None:
    label = "In use" if chosen else "Use this one"
    if st.button(label, key=f"use-{name}", disabled=chosen, help=f"Search with {spoken(name)} from now on"):
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
    """What it means that a library of so many documents is searched by binary codes."""
    from engine.index.choice import measured_recall

    size, recall = measured_recall(documents)
    return (
        f"Searches of your {documents:,} documents look near vectors up by binary codes instead of comparing them all: "
        f"they stay quick while the library grows, and find {100 * recall:.1f} % of the ten nearest documents "
        f"(recall@10, measured with ctpe on {size:,})."
    )


def quality_rows(name: str) -> list[tuple[str, ...]]:
    """The encoder's figures in the saved evaluation reports, one row a benchmark and set of queries.

    The last is BM25's: what an encoder is worth shows only beside it. Reports on weights that came before are left out.
    """
    rows: set[tuple[str, ...]] = set()  # some reports repeat another's rows
    present = encoder_facts.encoder_card(name).fingerprint  # none before it has read a library
    for path in sorted(REPORTS.glob("*.json")):
        report = json.loads(path.read_text("utf-8"))
        figures = _figures(report, name)
        is_present = not present or figures.get("fingerprint", present) == present
        if is_present and figures.keys() & set(_MEASURES):  # other reports measure other things than a search
            benchmark = _benchmark(report, path.stem)
            beside = _figure(_figures(report, "bm25").get(_MEASURES[0]))
            rows.add((benchmark, _queries(report), *(_figure(figures.get(key)) for key in _MEASURES), beside))
    return sorted(rows)


def _figures(report: Any, name: str) -> Mapping[str, Any]:  # noqa: ANN401  a report is any JSON
    encoders = report.get("encoders") if isinstance(report, dict) else None
    figures = encoders.get(name) if isinstance(encoders, dict) else None
    return figures if isinstance(figures, dict) else {}


def _benchmark(report: Mapping[str, Any], file: str) -> str:
    """What is asked of what, in words; two reports on one set say what they differ in."""
    name = str(report.get("benchmark", file))
    said = f"{_BENCHMARKS[name]} ({name})" if name in _BENCHMARKS else name
    return f"{said}, {_HIDDEN}" if report.get("queries_own_works_hidden") else said


def _queries(report: Mapping[str, Any]) -> str:
    """Which queries were asked, and how many: "test, 789"."""
    known = (report.get("part"), report.get("queries"))
    return ", ".join(f"{fact:,}" if isinstance(fact, int) else fact for fact in known if isinstance(fact, int | str))


def _figure(value: object) -> str:
    return f"{value:.3f}" if isinstance(value, float) else "–"


def _size(card: EncoderCard) -> str:
    total = encoder_facts.encoder_bytes(card.name)
    joined = encoder_facts.joined_encoders(card.name)
    of = f", with {' and '.join(map(short, joined))}" if joined else ""
    return f"{total / 1e6:.1f} MB{of}" if total else "nothing yet"


def recipe_command(name: str) -> str:
    """The command that trains a shipped encoder anew, as the header of its recipe gives it; else nothing.

    Of several recipes that train it, the one that these weights came from: most of its values stand in their card.
    Weights between two have no recipe of their own, so that no one command makes them.
    """
    folder = encoder_facts.encoder_files(name)
    if folder is None or folder.parent.name != "pretrained":
        return ""
    facts = encoder_facts.training_facts(name)
    if "between" in facts:
        return ""
    used = _leaves(facts.get("recipe", {}))
    commands: list[tuple[int, str]] = []
    for path in sorted(RECIPES.glob("*.toml")):
        text = path.read_text("utf-8")
        place, agreed = f"--out pretrained/{folder.name} ", len(used & _leaves(tomllib.loads(text)))
        headers = [line.strip("# ") for line in text.splitlines() if line.startswith("#")]
        commands += [(agreed, line) for line in headers if place in f"{line} "]
    return max(commands, default=(0, ""), key=lambda found: found[0])[1]


def _leaves(values: Mapping[str, Any], place: str = "") -> set[str]:
    """Every plain value of nested tables under its full name, as text."""
    found: set[str] = set()
    for key, value in values.items():
        name = f"{place}{key}"
        found |= _leaves(value, f"{name}.") if isinstance(value, Mapping) else {f"{name} = {json.dumps(value)}"}
    return found
