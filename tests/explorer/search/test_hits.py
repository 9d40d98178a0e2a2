"""A hit as it is drawn and as it is spoken."""

from __future__ import annotations

from dataclasses import replace

from engine.documents import Chunk, Document, Section
from engine.search import Result, Term, WordHit
from engine.search.evidence.explain import Evidence
from engine.search.evidence.sentences import PassagePair
from explorer.search.chosen_hit import why
from explorer.search.hits import HitEntry, hit_entries, hit_rows, key_list, word_hit_rows
from explorer.shared.document import full_text, head, source_link
from explorer.shared.markup import table
from tests.documents.test_markup import HOSTILE
from tests.explorer.shared.made import chunk
from tests.made_readings import READ


def result(rank: int, id_: str = "") -> Result:
    return Result(rank, Document(id_ or f"d{rank}", "paper", f"Title {rank}", year=1990), READ, {}, Evidence())


def test_a_row_has_its_rank_facts_and_reading_and_the_chosen_one_says_so() -> None:
    html = hit_rows([HitEntry(result(1)), HitEntry(result(2))], "d2", {"d1": "To read"})
    first, second = html.split("</li>")[:2]
    assert 'data-id="d1" aria-current="false"' in first and 'data-id="d2" aria-current="true"' in second
    assert ">1</span>" in first and "<span>1990</span>" in first and 'title="Kept in To read"' in first
    assert "Kept" not in second
    assert "<strong>closely related</strong> <span>83 %</span>" in first
    assert hit_rows([], "", {}) == ""


def test_a_venue_in_tex_is_read_in_letters() -> None:
    document = Document("d", "paper", "Walks", venue="Ann. Inst. H. Poincar\\'e \\& <b>")
    shown = [hit_rows([HitEntry(replace(result(1), document=document))], "", {}), head(document)]
    assert all("Ann. Inst. H. Poincaré &amp; &lt;b&gt;</em>" in html for html in shown)


def test_a_row_says_why_in_its_nearest_sentence_with_its_place_else_in_shared_terms() -> None:
    body = Document("d", "paper", "Kites", "An abstract.", (Section("Wind tunnels", "The kite <b>dives</b> in wind."),))
    there = Chunk("d", 2, "Wind tunnels", 0, 30, "The kite <b>dives</b> in wind.", 7)
    pair = PassagePair(chunk("A kite dives."), there, 0.5)
    one = Result(1, body, READ, {}, Evidence((Term("kite", 1.0),), pair))
    html = hit_rows([HitEntry(one)], "", {})
    assert "Wind tunnels, p. 7</span>" in html and "<mark>kite</mark>" in html
    assert "<b>" not in html and "&lt;b&gt;" in html
    html = hit_rows([HitEntry(replace(one, evidence=Evidence((Term("kite", 1.0), Term("tail", 1.0)))))], "", {})
    assert "Shared</span><span>kite, tail</span>" in html
    assert "near by the meaning of other words" in hit_rows([HitEntry(replace(one, evidence=Evidence()))], "", {})


def test_a_step_of_steering_leaves_its_hit_in_its_place_and_says_where_the_others_went() -> None:
    now = [result(1, "c"), result(2, "a"), result(3, "new"), result(4, "d")]
    listed = hit_entries(now, {"c": 2, "a": -1, "new": None, "d": 0}, [(result(2, "b"), "like")])
    assert [entry.document.id for entry in listed] == ["c", "b", "a", "new", "d"]
    assert [entry.move for entry in listed] == ["up 2", "", "down 1", "new", ""]
    html = hit_rows(listed, "", {})
    assert html.count("You asked for more like this") == 1 and '<span class="ps-rank">+</span>' in html
    assert '<span class="ps-move ps-move-up">up 2</span>' in html
    assert "You asked for less like this" in hit_rows(hit_entries([], {}, [(result(1), "unlike")]), "", {})


def test_the_details_are_named_by_their_result() -> None:
    assert HitEntry(result(3)).spoken == "Result 3: Title 3"
    assert HitEntry(result(3), "like").spoken == "You asked for more like this: Title 3"


def test_the_keys_are_listed() -> None:
    assert key_list().count("<kbd>") == 6 and "keep it in a collection" in key_list()


def test_hostile_text_stays_text_in_every_widget() -> None:
    evidence = Evidence((Term(HOSTILE, 1.0),), PassagePair(chunk(HOSTILE), chunk(HOSTILE), 0.5))
    document = Document(
        HOSTILE,
        "patent",
        HOSTILE,
        HOSTILE,
        (Section(HOSTILE, HOSTILE),),
        categories=(HOSTILE,),
        venue=HOSTILE,
        authors=(HOSTILE,),
        url="javascript:alert(1)",
        claims=(HOSTILE,),
    )
    found = Result(1, document, READ, {"encoder": 0.5}, evidence, (HOSTILE,))
    html = (
        head(document)
        + full_text(document)
        + why(found)
        + hit_rows([HitEntry(found)], HOSTILE, {HOSTILE: HOSTILE})
        + source_link(document)
        + table(("a",), [(HOSTILE,)], label=HOSTILE)
    )
    assert "<script" not in html
    assert "<img" not in html
    assert "href" not in html
    assert html.count("&lt;script&gt;") >= 10


def test_a_first_hit_that_shares_only_other_forms_says_so() -> None:
    document = Document("p", title="Harrow")
    shown = [WordHit(1, document, ("pump", "seal")), WordHit(2, replace(document, id="q"), ())]
    html = str(word_hit_rows(shown, "p"))
    assert ">Shared</span><span>pump, seal<" in html
    assert html.count("Shared") == 1 and "Shares other forms of your words" in html
