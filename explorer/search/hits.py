"""The list of hits: one compact row each, and the keys and presses that choose one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import streamlit as st

from engine import search
from engine.documents import Chunk, Document
from engine.documents.markup import Markup, element, joined
from engine.documents.text import in_percent
from engine.search import Reading
from explorer.search.cited_works import citation_mark
from explorer.shared.document import heading, kind_badge
from explorer.shared.evidence import sentence_with_marks, shared_words
from explorer.shared.markup import component, cut_at_word, show, typeset
from explorer.state import session
from explorer.state.links import MAX_HITS

_SHOWN_TERMS, _VENUE_CHARACTERS = 8, 48
KEYS = (
    ("j, k", "next, previous result"),
    ("Enter", "go to its details"),
    ("o", "open the source, or the whole text"),
    ("c", "compare it with your document"),
    ("s", "keep it in a collection"),
    ("?", "this list"),
)

Steered = Literal["", "like", "unlike"]
_ASKED_FOR: Mapping[Steered, str] = {
    "like": "You asked for more like this",
    "unlike": "You asked for less like this",
}


@dataclass(frozen=True, slots=True)
class HitEntry:
    """One row: a result, or, where the visitor has just steered by it, one of the ranking before, in its old place.

    `move` says where a result went since the ranking before: "up 4", "down 2", "new", or nothing.
    """

    result: search.Result
    steered: Steered = ""
    move: str = ""

    @property
    def document(self) -> Document:
        """The document of the row."""
        return self.result.document

    @property
    def asked_for(self) -> str:
        """What the visitor asked for by this row; empty for a result."""
        return _ASKED_FOR.get(self.steered, "")

    @property
    def spoken(self) -> str:
        """What a screen reader calls it."""
        return f"{self.asked_for or f'Result {self.result.rank}'}: {self.document.name}"


def hit_entries(
    results: Sequence[search.Result], moves: Mapping[str, int | None], steered: Sequence[tuple[search.Result, Steered]]
) -> list[HitEntry]:
    """Return the rows of an answer, among them those that steered it, where they stood before."""
    found = [HitEntry(result, move=_moved(result.document.id, moves)) for result in results]
    for result, how in sorted(steered, key=lambda pair: pair[0].rank):
        found.insert(result.rank - 1, HitEntry(result, how))
    return found


def hit_rows(shown: Sequence[HitEntry], selected: str, kept: Mapping[str, str]) -> Markup:
    """Some rows as a list; `kept` names the collections that a document is in, by its id."""
    return _list([(entry.document, _row(entry, entry.document.id == selected, kept)) for entry in shown])


def compact_reading(reading: Reading) -> Markup:
    """Return the word and its probability, set by how near it is."""
    word, p = element("strong", reading.word), element("span", in_percent(reading.p))
    if not reading.is_compared:
        p = Markup("")
    return element("span", word, " ", p, class_=f"ps-near-{reading.rank} ps-hit-near", title=reading.meaning)


def hit_keys(
    ids: Sequence[str],
    selected: str,
    *,
    is_chosen: bool,
    on_choose: Callable[[str], object],
    on_touch: Callable[[], object] | None = None,
) -> None:
    """Let presses on rows and the keys of `KEYS` choose and use a hit; an empty id folds its details away.

    `on_touch` is called when the visitor's hand comes to the list, with the pointer, a finger or a key.
    """
    key = "names-hit-keys"

    def chosen() -> None:
        id_ = st.session_state[key].get("chosen")
        if isinstance(id_, str) and (not id_ or id_ in ids):
            on_choose(id_)

    data = {"selected": selected, "chosen": is_chosen, "watch": on_touch is not None}
    keys = component("hit_keys", Path(__file__).parent / "hit_keys_script", "keys.js")
    keys(key=key, data=data, on_chosen_change=chosen, on_touched_change=on_touch or (lambda: None))


def row_list(
    ids: Sequence[str],
    rows_of: Callable[[slice, str], Markup],
    details: Callable[[int], object],
    *,
    below: Callable[[], object] | None = None,
    on_choose: Callable[[str], object] | None = None,
    on_touch: Callable[[], object] | None = None,
) -> int:
    """Rows with the details of the chosen one, the first without a choice: beside them, or below it on a narrow screen.

    `rows_of` gives some of the rows, and which is chosen; `details` draws those of the document at a place, which
    is given back. `below` draws what stands under the last row.
    """
    selected = session.current().selected
    is_chosen = selected in ids
    at = ids.index(selected) if is_chosen else 0
    with st.container(key="hits", gap=None):
        with st.container(key="hits-upper"):
            show(rows_of(slice(at + 1), ids[at]))
        with st.container(key="hit-details" if is_chosen else "hit-details-first", gap="small"):
            details(at)
        with st.container(key="hits-lower", gap="small"):
            show(rows_of(slice(at + 1, None), ids[at]))
            if below is not None:
                below()
    hit_keys(ids, ids[at], is_chosen=is_chosen, on_choose=on_choose or choose_hit, on_touch=on_touch)
    return at


def choose_hit(id_: str) -> None:
    """Show another hit's details, and name it in the link."""
    session.update(selected=id_)
    session.write_link()


def key_list() -> Markup:
    """Return the keys and what they do."""
    pairs = (element("div", element("dt", element("kbd", key)), element("dd", does)) for key, does in KEYS)
    return element("dl", *pairs, class_="ps-keys")


def keys_button() -> None:
    """Draw the button that opens the list of keys."""
    with st.popover("Keys", icon=":material/keyboard:", key="hit-help", type="tertiary"):
        show(key_list())


def more_button(shown: int, total: int) -> None:
    """Draw the button that lists ten more documents than are shown, where there are more."""
    if shown < min(total, MAX_HITS):
        icon, more = ":material/expand_more:", {"k": min(MAX_HITS, shown + 10)}
        st.button("Show ten more", key="ten-more", icon=icon, on_click=session.update, kwargs=more)


def first_hit_rows(shown: Sequence[search.FirstHit], selected: str) -> Markup:
    """Some first hits as a list: what they are, and the words that they share with the question."""
    return _list([(hit.document, _word_row(hit, hit.document.id == selected)) for hit in shown])


def author_rows(shown: Sequence[Document], works: search.AuthorWorks, first: int, selected: str) -> Markup:
    """Some documents of a person as a list that begins at place `first`: what they are, and who wrote them."""
    rows_ = []
    for rank, document in enumerate(shown, start=first + 1):
        own, others = works.byline(document)
        why = [element("span", "By", class_="ps-hit-place"), element("mark", own)]
        why += [element("span", f", {others}")] if others else []
        row = _pressed(document, str(rank), (_what(document), joined(why)), document.id == selected)
        rows_.append((document, row))
    return _list(rows_)


def _list(rows_: Sequence[tuple[Document, Markup]]) -> Markup:
    """Return rows as a list, which is named after the first one's document; nothing without any."""
    if not rows_:
        return Markup("")
    items = (element("li", row) for _, row in rows_)
    return element("ol", *items, class_="ps-list", aria_label=f"Results from {rows_[0][0].name}"[:120])


def _word_row(hit: search.FirstHit, is_selected: bool) -> Markup:
    why = [element("span", "Shared", class_="ps-hit-place"), element("span", ", ".join(hit.terms))]
    if not hit.terms:
        why = [element("span", "Near in meaning" if hit.by_meaning else "Shares other forms of your words")]
    return _pressed(hit.document, str(hit.rank), (_what(hit.document), joined(why)), is_selected)


def _row(entry: HitEntry, is_selected: bool, kept: Mapping[str, str]) -> Markup:
    rank = str(entry.result.rank) if not entry.steered else {"like": "+", "unlike": "−"}[entry.steered]
    return _pressed(entry.document, rank, (_facts(entry, kept), _reason(entry)), is_selected)


def _pressed(document: Document, rank: str, said: tuple[Sequence[Markup], Markup], is_selected: bool) -> Markup:
    """Return a row that can be pressed; `said` are its facts and why it is there."""
    facts, why = said
    body = element(
        "span",
        element("span", typeset(heading(document)), class_="ps-hit-title"),
        element("span", *facts, class_="ps-hit-facts"),
        element("span", why, class_="ps-hit-why"),
        class_="ps-hit-body",
    )
    return element(
        "button",
        element("span", rank, class_="ps-rank"),
        body,
        type="button",
        class_="ps-hit",
        data_id=document.id,
        aria_current="true" if is_selected else "false",
    )


def _what(document: Document) -> list[Markup]:
    """Kind, year and venue."""
    facts = [kind_badge(document.kind)]
    if document.year is not None:
        facts.append(element("span", str(document.year)))
    if document.venue:
        venue = element("span", typeset(cut_at_word(document.venue, _VENUE_CHARACTERS)))
        facts.append(element("em", venue, class_="ps-hit-venue"))
    return facts


def _facts(entry: HitEntry, kept: Mapping[str, str]) -> list[Markup]:
    document, result = entry.document, entry.result
    facts = _what(document)
    if not entry.steered:
        facts.append(citation_mark(result))
    if names := kept.get(document.id):
        facts.append(element("span", "Kept", class_="ps-kept", title=f"Kept in {names}"))
    if entry.move:
        facts.append(element("span", entry.move, class_=f"ps-move ps-move-{entry.move.split()[0]}"))
    if not entry.steered:
        facts.append(compact_reading(result.reading))
    return [fact for fact in facts if fact]


def _reason(entry: HitEntry) -> Markup:
    """Say why a hit is there: words asked for, else the nearest sentence with its place, else the shared terms."""
    result, evidence = entry.result, entry.result.evidence
    if entry.steered:
        return element("strong", entry.asked_for)
    pieces: list[Markup] = []
    for words, label in ((result.stressed, "Says"), (result.muted, "Says, though left out")):
        if words:
            pieces.append(element("span", f"{label}: {', '.join(words)}", class_="ps-hit-place"))
    passage = evidence.passage
    if passage is not None and passage.document.text.strip() != entry.document.title:
        if _is_in_body(passage.document, entry.document):
            pieces.append(element("span", passage.document.place, class_="ps-hit-place"))
        pieces.append(sentence_with_marks(passage.document, shared_words(passage.query, passage.document)))
    elif evidence.terms:
        pieces.append(element("span", "Shared", class_="ps-hit-place"))
        pieces.append(element("span", ", ".join(term.term for term in evidence.terms[:_SHOWN_TERMS])))
    if not pieces:
        pieces.append(element("span", "No shared words: near by the meaning of other words"))
    return joined(pieces)


def _is_in_body(chunk: Chunk, document: Document) -> bool:
    """Tell whether a passage stands in a section: most lines of a list would say "Abstract"."""
    return bool(chunk.place) and document.parts[chunk.part].role not in {"title", "abstract"}


def _moved(id_: str, moves: Mapping[str, int | None]) -> str:
    """Say where a result went, in a word and a number; nothing if it stayed."""
    if id_ not in moves:
        return ""
    places = moves[id_]
    if places is None:
        return "new"
    return f"up {places}" if places > 0 else f"down {-places}" if places else ""
