"""Choosing an encoder on Search and Map: names for people, a card, what it costs, and which half met which."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from engine.encoders import registry
from engine.encoders.base import Coupling
from engine.errors import StorageError
from engine.progress import Report, silent
from explorer.models.training_facts import as_toml, results_table
from explorer.search.couplings import coupling_list, meaning, sentence
from explorer.shared import encoder_facts
from explorer.state import handles, jobs
from explorer.state.encoder_names import encoder_name, encoder_names, offered, search_names, short, spoken
from tests.encoders.colde import tiny
from tests.encoders.tiny_transformer import write_tiny_transformer
from tests.explorer.conftest import Start, finished, page_html, page_text

HALVES = [Coupling("abstract", "title", 0.71), Coupling("title", "abstract", -0.2)]


FACTS = {
    "recipe": {"seed": 1, "data": {"metric": "MAP@20"}, "network": {"channels": 16}},
    "corpora_sha256": {"arxiv-subject": "0" * 64},
    "hardware": "a machine of a test",
    "left_out": {"a benchmark's query": 3},
    "curve": [
        {"epoch": 1, "loss": 0.0912, "scores": {"arxiv-subject": 0.101, "npl": 0.2}, "seconds": 100.0},
        {"epoch": 2, "loss": 0.0534, "scores": {"arxiv-subject": 0.127, "npl": 0.2}, "seconds": 80.0},
    ],
    "results": [{"benchmark": "arxiv-subject", "ndcg@10": 0.154, "P@20": 0.131}],
    "overlaps": ["No query stands in the training text."],
}


@pytest.fixture
def ctpe(folder: Path) -> None:
    """A library that the shipped CTPE has read."""
    handles.prepare("ctpe")


@pytest.mark.usefixtures("folder")
def test_encoders_have_names_for_people_and_the_default_is_marked(app: Start) -> None:
    test = app()
    options = test.selectbox(key="option-encoder").options
    assert options == [offered(name) for name in search_names()]
    assert [option for option in options if option.endswith("(default)")] == [options[0]]
    assert spoken("tfidf") == "TF-IDF"
    assert spoken("a new one") == "a new one"
    assert short("ctpe") == "CTPE"


@pytest.mark.usefixtures("folder")
def test_an_encoder_for_two_documents_is_no_choice_to_search_by(
    app: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = tmp_path / "pretrained"
    shipped.mkdir()
    for path in registry.PRETRAINED.iterdir():
        if path.name != "colde":
            (shipped / path.name).symlink_to(path)
    monkeypatch.setattr(registry, "PRETRAINED", shipped)
    tiny.encoder(write_tiny_transformer(tmp_path / "model")).save(shipped / "colde")
    assert "colde" in encoder_names()
    assert encoder_name("colde") == registry.DEFAULT
    test = app()
    assert spoken("colde") not in " ".join(test.selectbox(key="option-encoder").options)
    test.switch_page("explorer/models/view.py").run()
    assert not test.exception
    said = page_text(test)
    assert spoken("colde") in said
    assert registry.card("colde").summary in said
    assert "Compares two documents; a library is not searched by it." in said
    assert {button.key for button in test.button} & {"use-colde", "measure-colde"} == set()
    assert {button.key for button in test.button} >= {f"use-{name}" for name in search_names()}


@pytest.mark.usefixtures("folder")
def test_an_encoder_that_is_chosen_stands_in_the_link_with_its_card(app: Start) -> None:
    test = app()
    assert registry.card("tfidf").summary in page_text(test)
    test.selectbox(key="option-encoder").select("word2vec-mean").run()
    assert not test.exception
    assert test.query_params["encoder"] == "word2vec-mean"
    said = page_text(app(encoder="word2vec-mean"))
    assert registry.card("word2vec-mean").summary in said
    assert "<dt>Vector</dt><dd>100 numbers, 4 bytes each</dd>" in said
    assert "<dt>Trained on</dt><dd>arXiv abstracts, ACM papers, patent abstracts, patents</dd>" in said
    assert "<dt>Licence</dt><dd>Apache-2.0</dd>" in said
    assert "<dt>Your library</dt><dd>not encoded yet</dd>" in said


@pytest.mark.usefixtures("folder")
def test_the_card_of_an_encoder_that_learnt_from_the_library_says_so(app: Start) -> None:
    said = page_text(app())
    assert "<dt>Trained on</dt><dd>your library</dd>" in said
    assert "<dt>Vector</dt><dd>a number for each of" in said
    assert "<dt>Your library</dt><dd>encoded, " in said


def test_a_damaged_card_is_that_of_an_encoder_yet_to_learn(folder: Path) -> None:
    (folder / "encoders" / "tfidf" / "card.json").write_text("{}")
    assert encoder_facts.encoder_card("tfidf").dim == 0
    with pytest.raises(StorageError, match="Expected an encoder of format"):
        registry.load("tfidf", folder=folder / "encoders" / "tfidf")


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("seconds", "said"),
    [(None, "how long is being measured"), (2.1, "about 5 s"), (42.0, "about 40 s"), (300.0, "about 5 min")],
)
def test_an_encoder_that_has_not_read_the_library_says_what_that_costs(
    app: Start, monkeypatch: pytest.MonkeyPatch, seconds: float | None, said: str
) -> None:
    monkeypatch.setattr(handles, "reading_seconds", lambda name: seconds)
    test = app(encoder="lsa")
    assert not test.exception
    assert f"The encoder needs to read 6 documents once ({said}" in page_text(test)
    assert "Every page can be used meanwhile." in page_text(test)


@pytest.mark.usefixtures("folder")
def test_the_library_is_encoded_from_the_first_page(app: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handles, "reading_seconds", lambda name: 0.0)
    test = app(encoder="lsa")
    assert "The encoder needs to read 6 documents once. Every page" in page_text(test)
    test = finished(test.button(key="prepare").click().run())
    assert not test.exception
    assert "Your library is encoded with LSA." in page_text(test)
    assert "has not read your library yet" not in page_text(test)
    assert "<dt>Your library</dt><dd>encoded, " in page_text(test)


@pytest.mark.usefixtures("folder")
def test_a_job_that_ends_while_the_page_is_drawn_changes_all_of_the_page(
    app: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    going, running, prepare = threading.Event(), jobs.running, handles.prepare

    def held(name: str, report: Report = silent) -> None:
        assert going.wait(60)
        prepare(name, report)

    def ended() -> jobs.Job | None:
        job = jobs.last()
        assert job is not None
        going.set()
        assert job.finished.wait(60)
        return running()

    monkeypatch.setattr(handles, "reading_seconds", lambda name: 0.0)
    monkeypatch.setattr(handles, "prepare", held)
    test = app(encoder="lsa").button(key="prepare").click().run()
    assert "<dt>Your library</dt><dd>not encoded yet</dd>" in page_text(test)
    monkeypatch.setattr(jobs, "running", ended)  # the side has been drawn when the page asks
    test.run()
    assert "Your library is encoded with LSA." in page_text(test)
    assert "<dt>Your library</dt><dd>encoded, " in page_text(test)


@pytest.mark.usefixtures("folder")
def test_keywords_need_no_encoder(app: Start) -> None:
    test = app(encoder="lsa")
    test.button(key="use-keywords").click().run()
    assert test.query_params["rank"] == "keywords"
    assert "has not read your library yet" not in page_text(test)


@pytest.mark.usefixtures("ctpe")
def test_a_hit_says_which_half_met_which(app: Start) -> None:
    test = app(example="rewired-random-walk", encoder="ctpe")
    assert not test.exception
    hits = [block.body for block in test.html if 'class="ps-hit"' in block.body]
    assert len(hits) == 6
    assert all("met your abstract</span>" in hit and "met your title</span>" in hit for hit in hits)
    assert all(hit.index("Which half met which") < hit.index("Closest passages") for hit in hits)
    assert page_html(test).count(f"Which half met which: {meaning('ctpe')}") == 1


def test_what_halves_are_is_said_of_the_encoder_that_reads_them() -> None:
    assert meaning("ctpe").startswith("This encoder reads every document as two halves.")
    assert meaning("blend").startswith("CTPE, a part of this encoder, reads every document as two halves.")


@pytest.mark.usefixtures("ctpe")
def test_a_question_that_is_too_short_to_cut_says_nothing_of_halves(app: Start) -> None:
    test = app(text="how long does a lazy random walk on a graph need to visit it all", encoder="ctpe")
    results = test.session_state["answer"][1].results
    assert results and not any(result.evidence.couplings for result in results)
    assert "Which half met which" not in page_text(test)


@pytest.mark.usefixtures("folder")
def test_an_encoder_of_whole_documents_says_nothing_of_halves(app: Start) -> None:
    assert "Which half met which" not in page_text(app(example="rewired-random-walk"))


def test_a_line_has_its_words_a_bar_and_a_number() -> None:
    html = coupling_list(HALVES)
    assert html.count("<li>") == 2
    assert "<span>Their title met your abstract</span>" in html
    assert 'aria-hidden="true"><span class="ps-fill" style="width:71.0%">' in html
    assert 'style="width:0.0%"' in html
    assert "<strong>0.71</strong>" in html and "<strong>-0.20</strong>" in html
    assert 'class="ps-couplings" aria-label="Which half met which"' in html
    assert 'class="ps-couplings ps-couplings-many"' in coupling_list([*HALVES, *HALVES])
    long = Coupling("first claim", "opening of the description", 0.1)
    assert 'class="ps-couplings" aria-label' in coupling_list([*HALVES, long])


@pytest.mark.parametrize(
    ("ours", "theirs", "said"),
    [
        ("title", "first claim", "Their first claim met your title"),
        (
            "title and abstract",
            "opening of the description",
            "The opening of their description met your title and abstr",
        ),
        ("rest", "first 30 %", "The first 30\N{NO-BREAK SPACE}% of their text met the rest of your text"),
        ("whole text", "abstract", "Their abstract met your whole text"),
        ("<b>", "title", "Their title met your <b>"),
    ],
)
def test_parts_read_well_whatever_they_are_called(ours: str, theirs: str, said: str) -> None:
    assert sentence(Coupling(ours, theirs, 0.5)).startswith(said)
    assert "<b>" not in coupling_list([Coupling(ours, theirs, 0.5)])


@pytest.mark.usefixtures("folder")
def test_the_models_page_tells_how_shipped_weights_were_trained(app: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoder_facts, "training_facts", lambda name: FACTS if name == "ctpe" else {})
    test = app().switch_page("explorer/models/view.py").run()
    assert not test.exception
    assert spoken("ctpe") in page_text(test)
    test.session_state["training-ctpe"] = True
    test.run()
    assert not test.exception
    assert len(test.get("vega_lite_chart")) == 2
    said = page_text(test)
    assert "Loss: 0.0912 after the first epoch, 0.0534 after the last of 2." in said
    assert "arxiv-subject: 0.101 after the first epoch, 0.127 after the last of 2." in said
    assert "MAP@20 on the validation queries" in said
    assert '<td class="ps-number">0.154</td>' in said
    assert "<dt>Left out</dt><dd>a benchmark's query: 3</dd>" in said
    assert "<dt>Time</dt><dd>3 min</dd>" in said
    assert "No query stands in the training text." in said
    assert "channels = 16" in "".join(block.value for block in test.code)


@pytest.mark.usefixtures("folder")
def test_long_tables_among_the_facts_are_told_by_their_length(app: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    words = {f"word{number}": 0.2 for number in range(1_234)}
    mix = {"shares": {"paper, paper": {"words": 0.6}}, "common": words, "sets": ["acl-long", "pmc-long"]}
    facts = {**FACTS, "mix": mix}
    monkeypatch.setattr(encoder_facts, "training_facts", lambda name: facts if name == "ctpe" else {})
    test = app().switch_page("explorer/models/view.py").run()
    test.session_state["training-ctpe"] = True
    test.run()
    assert not test.exception
    said = page_text(test)
    shares = "shares (paper, paper (words: 0.600))"
    assert f"<dt>Mix</dt><dd>{shares}, common: 1,234 entries, sets: acl-long, pmc-long</dd>" in said
    assert "word7" not in said


@pytest.mark.usefixtures("folder")
def test_of_weights_between_two_both_trainings_are_told(app: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    both = {"commit": "0123abc", "between": {"share": 0.3, "of": [FACTS, {**FACTS, "documents": 77}]}}
    monkeypatch.setattr(encoder_facts, "training_facts", lambda name: both if name == "ctpe" else {})
    test = app().switch_page("explorer/models/view.py").run()
    test.session_state["training-ctpe"] = True
    test.run()
    assert not test.exception
    assert len(test.get("vega_lite_chart")) == 4
    said = page_text(test)
    assert "These weights lie 30% of the way from one trained transformer to another of the same shape." in said
    assert said.count("<dd>0123abc</dd>") == 1 and said.count("<dd>77</dd>") == 1
    assert "<dt>Between</dt>" not in said


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", [name for name in encoder_names() if registry.shipped_folder(name)])
def test_what_really_shipped_tells_how_it_was_trained(app: Start, name: str) -> None:
    test = app().switch_page("explorer/models/view.py").run()
    test.session_state[f"training-{name}"] = True
    test.run()
    assert not test.exception
    assert "<dt>Hardware</dt>" in page_text(test)


@pytest.mark.usefixtures("folder")
def test_the_model_card_of_shipped_weights_can_be_read(app: Start) -> None:
    test = app().switch_page("explorer/models/view.py").run()
    test.session_state["notes-word2vec-mean"] = True
    test.run()
    assert not test.exception
    assert any("model card" in block.value for block in test.markdown)
    shipped = [name for name in encoder_names() if registry.shipped_folder(name)]
    assert [block.label for block in test.expander].count("Model card") == len(shipped)


def test_a_result_without_a_measure_has_a_dash() -> None:
    results = [
        {"benchmark": "arxiv-subject", "ndcg@10": 0.154},
        {"benchmark": "cacm", "ndcg@10": None, "queries": 1000},
    ]
    html = results_table(results)
    assert ">nDCG@10</th>" in html
    assert '<th scope="row">cacm</th><td class="ps-number">–</td><td class="ps-number">1,000' in html


def test_a_recipe_is_written_as_in_its_file() -> None:
    assert as_toml({"data": {"corpora": ["a"]}, "seed": 1}) == 'seed = 1\n\n[data]\ncorpora = ["a"]'
