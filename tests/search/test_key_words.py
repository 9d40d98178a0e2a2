"""What a document is about: its key words, the phrases they come from, and the sentences to read first."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from engine.core.rows import DenseRows
from engine.documents import Chunk, Document, Section
from engine.documents.text import sentences
from engine.encoders.keyvec import Salience
from engine.search.evidence.key_words import (
    FEATURES,
    KeyWordReader,
    Weighed,
    choose_phrases,
    length_of,
    phrase_weights,
)
from engine.search.evidence.phrases import Phrase, PhraseReader, long_forms_in, phrase_key, without_markup
from engine.search.evidence.salience import (
    FEATURES as SALIENCE_FEATURES,
)
from engine.search.evidence.salience import (
    Regression,
    centrality,
    kind_of,
    reread,
    sentence_features,
    sentence_weights,
    without_stock,
)
from engine.search.vocabulary import Vocabulary

NOTHING = Salience((), np.empty(0, np.float32), ())


WORDS = Vocabulary({"kite": 20, "wing": 30, "result": 900, "valve": 5, "string": 400}, 1_000)


class Places:
    """An encoder that puts every text with a word into one place, and all others into another."""

    def __init__(self, word: str) -> None:
        self._word = word

    def encode_documents(self, documents: Sequence[Document]) -> DenseRows:
        return np.array([[1, 0] if self._word in one.text.lower() else [0, 1] for one in documents], np.float32)

    encode_queries = encode_documents


def words_of(
    document: Document, *, said: Salience = NOTHING, encoder: Places | None = None, most: int = 10
) -> list[str]:
    (found,) = KeyWordReader(WORDS, encoder).read([document], [said], most)
    assert [p for _, p in found] == sorted((p for _, p in found), reverse=True)
    assert all(0 < p < 1 for _, p in found)
    return [word for word, _ in found]


def paper(text: str, title: str = "") -> Document:
    return Document("x", title=title, abstract=text)


def test_an_abstract_names_its_phrases_and_not_the_words_of_the_genre() -> None:
    text = (
        "We propose an approach to box kites. A box kite has a bridle line. Results show that the bridle line of a box "
        "kite is important. This application claims the benefit of a provisional filing."
    )
    found = words_of(paper(text, "The bridle line of box kites"))
    assert {"box kites", "bridle line"} == set(found[:2])
    assert not {"approach", "results", "application", "benefit", "provisional filing"} & set(found)


def test_an_abbreviation_is_shown_with_its_long_form_once() -> None:
    found = words_of(paper("Kites use restricted maximum likelihood (REML). We fit by REML, and REML is quick."))
    assert "restricted maximum likelihood (REML)" in found
    assert not any(word in ("REML", "restricted maximum likelihood") for word in found)


def test_a_long_document_is_read_whole() -> None:
    body = " ".join(f"The box kite has a bridle line of {n} feet and a tail of silk." for n in range(120))
    late = "The tail ring of silk was lost. " * 30
    document = Document("x", title="Kites", sections=(Section("One", body), Section("Two", late)))
    assert length_of(PhraseReader().read(document)) == "long"
    assert {"box kite", "bridle line", "tail ring"} <= set(words_of(document))


def test_nearness_in_meaning_decides_among_equals() -> None:
    document = paper("An alpha kite and a gamma kite.")
    for near, far in (("alpha", "gamma"), ("gamma", "alpha")):
        found = words_of(document, encoder=Places(near))
        assert found.index(f"{near} kite") < found.index(f"{far} kite")


def test_what_keyvec_predicts_counts() -> None:
    document = paper("An alpha kite and a gamma kite.")
    reader = KeyWordReader(WORDS, None)
    said = Salience((), np.empty(0, np.float32), (("gamma", 0.5), ("steam", 0.01)))
    (plain,), (told,) = reader.weigh([document], [NOTHING]), reader.weigh([document], [said])
    place = FEATURES.index("predicted by KeyVec")
    assert not plain.rows[:, place].any()
    by_form = {phrase.form: row for phrase, row in zip(told.phrases, told.rows[:, place], strict=True)}
    assert by_form["gamma kite"] > 0 == by_form["alpha kite"]


def test_rare_words_of_a_library_are_rarer() -> None:
    (weighed,) = KeyWordReader(WORDS, None).weigh([paper("A valve, a wing and a zeppelin.")], [NOTHING])
    place = FEATURES.index("mean rareness")
    rare = {phrase.form: row for phrase, row in zip(weighed.phrases, weighed.rows[:, place], strict=True)}
    assert 0 < rare["wing"] < rare["valve"] < rare["zeppelin"] <= 1


def chosen_of(text: str, order: Sequence[str], most: int = 9) -> list[str]:
    phrases = tuple(PhraseReader().read(Document("x", sections=(Section("", text),))).found.values())
    weighed = Weighed(phrases, np.zeros((len(phrases), len(FEATURES))), Regression(np.zeros(len(FEATURES)), 0.0))
    scores = np.array([len(order) - order.index(one.form) if one.form in order else -9.0 for one in phrases])
    return [phrase.form for phrase, score in choose_phrases(weighed, scores, most) if score > 0]


def test_a_word_that_stands_only_in_longer_phrases_is_no_key_word_beside_one() -> None:
    text = "An electronic kite is here. An electronic tail is here. The electronic line is here. Electronic is odd."
    assert chosen_of(text, ("electronic kite", "electronic")) == ["electronic kite"]
    assert chosen_of(f"{text} It is electronic. It is electronic.", ("electronic kite", "electronic"))[1:] == [
        "electronic"
    ]


NESTED = ("silk kite tail", "silk kite")


def test_a_part_that_seldom_stands_elsewhere_is_left_out_and_one_that_does_is_kept() -> None:
    owned = "A silk kite tail is long. The silk kite tail is short. "
    assert chosen_of(owned, NESTED) == ["silk kite tail"]
    own = "The silk kite flies. This silk kite fell. A silk kite rose. "
    assert chosen_of(owned + own, NESTED) == list(NESTED)
    assert chosen_of(owned + own, NESTED, most=1) == ["silk kite tail"]


def test_a_longer_phrase_around_a_chosen_one_stays_only_if_it_is_frequent() -> None:
    rare = "A silk kite tail is long. " + "The silk kite flies. " * 9
    assert chosen_of(rare, NESTED[::-1]) == ["silk kite"]
    assert chosen_of(rare + "A silk kite tail is long. " * 9, NESTED[::-1]) == ["silk kite", "silk kite tail"]


def test_a_phrase_is_named_with_its_abbreviation() -> None:
    (phrase,) = [one for one in PhraseReader().read(paper("A box kite (BK).")).found.values() if one.also]
    assert phrase.name == "box kite (BK)"


@pytest.mark.parametrize("text", ["", "42", "the of and"])
def test_a_text_without_phrases_has_no_key_words(text: str) -> None:
    assert words_of(paper(text), encoder=Places("kite")) == []


def test_the_shipped_weights_name_every_feature() -> None:
    for length in ("short", "long"):
        assert phrase_weights(length).of.shape == (len(FEATURES),)


def phrases(text: str, title: str = "") -> dict[str, Phrase]:
    read = PhraseReader().read(Document("x", title=title, sections=(Section("", text),)))
    return {phrase.form: phrase for phrase in read.found.values()}


def test_forms_of_a_phrase_meet_and_the_most_frequent_is_shown() -> None:
    found = phrases(
        "We fit mixed-effects models. A mixed effects model has terms. Mixed effects models are fitted. "
        "Such are mixed effects models."
    )
    phrase = found["mixed effects models"]
    assert phrase.count == 4 and phrase.places == [0, 1, 2, 3]
    assert phrase.forms == {"mixed-effects models": 1, "mixed effects model": 1, "mixed effects models": 2}
    assert phrase_key("mixed-effects models") == phrase_key("Mixed Effects Model") == phrase.key


@pytest.mark.parametrize(
    ("text", "held", "missing"),
    [
        ("The kite of the boy flies.", {"kite", "boy"}, {"kite boy", "kite of the boy"}),
        ("A kite, glass wings and a tail.", {"kite", "glass wings", "tail"}, {"kite glass", "wings tail"}),
        ("We propose kite control quickly.", {"kite control"}, {"propose", "propose kite", "quickly"}),
        ("This is a time series of a method.", {"time series"}, {"time", "series", "method"}),
        ("We fit kites, which may bridge rivers.", {"kites", "rivers"}, {"fit kites", "bridge", "bridge rivers"}),
        ("It shows 42 kites and 7.", {"kites"}, {"42", "42 kites", "7"}),
    ],
)
def test_what_names_a_thing_is_a_phrase_and_what_stands_between_ends_it(
    text: str, held: set[str], missing: set[str]
) -> None:
    found = phrases(text)
    assert held <= found.keys()
    assert missing.isdisjoint(found)


@pytest.mark.parametrize(
    "text",
    [
        r"A mass of $\mathrm{M}_\odot \sim 10$ and a width of $\mu$ in {\rm km}.",
        r"A mass of \(\rm M \sim 3\) and a width \sim 4 of M_{\odot} and a^{\rm sim}.",
        r"A mass \begin{equation} \mu = {\rm sim} \end{equation} and a width of <sub>mu</sub>&nbsp;.",
        "A mass and a width at https://example.org/rm/sim/mu of rm@sim.org [12, 13].",
    ],
)
def test_markup_and_formulas_are_no_phrases(text: str) -> None:
    found = phrases(text)
    assert {"mass", "width"} <= found.keys()
    named = {word for form in found for word in form.lower().split()}
    assert named.isdisjoint({"rm", "sim", "mu", "odot", "mathrm", "nbsp", "https", "sub", "begin", "equation", "12"})


def test_prices_are_no_formulas() -> None:
    assert "kite market" in without_markup("It costs $5 on the kite market and $6 at home.")


def test_boilerplate_and_references_are_passed_over() -> None:
    document = Document(
        "x",
        "patent",
        sections=(
            Section("", "This application claims the benefit of a provisional matter. A kite has a tail."),
            Section("References", "Zeppelin hangars.", "references"),
        ),
    )
    found = PhraseReader().read(document)
    assert {phrase.form for phrase in found.found.values()} == {"kite", "tail"}
    assert len(found.sentences) == 1


def test_an_abbreviation_counts_as_its_long_form() -> None:
    text = "We maximise restricted maximum likelihood (REML). REML is fast, and REML is kind to kites."
    found = phrases(text)
    assert found["restricted maximum likelihood"].also == "REML"
    assert found["restricted maximum likelihood"].count == 4  # three times by its abbreviation, once in brackets
    assert "REML" not in found


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("support vector machines (SVMs) are", [("SVM", "support vector machines")]),
        ("restricted maximum likelihood (REML)", [("REML", "restricted maximum likelihood")]),
        ("a graphical user interface (GUI; see below)", [("GUI", "graphical user interface")]),
        ("a kite (see Figure)", []),
        ("flown by hand (XYZ)", []),
        ("re-estimates the (RE)", []),
    ],
)
def test_long_forms_hold_the_letters_in_order(text: str, pairs: list[tuple[str, str]]) -> None:
    assert list(long_forms_in(text)) == pairs


def test_parts_of_longer_phrases_are_told_from_those_that_stand_alone() -> None:
    found = phrases("A random effects model is large. The random effects model is small. Random effects are few.")
    part, whole = found["random effects"], found["random effects model"]
    assert (part.count, part.alone, part.longer) == (3, 1, 2)
    assert (whole.count, whole.alone, whole.longer) == (2, 2, 0)


def test_titles_and_beginnings_write_capitals_that_names_keep() -> None:
    found = phrases("Cold gases flow. A Cholesky factor and DNA remain.", title="Glass Kites")
    assert {"cold gases", "Cholesky factor", "DNA", "glass kites"} <= found.keys()
    assert found["glass kites"].in_title and not found["cold gases"].in_title


@pytest.mark.parametrize("text", ["", "42 7.", "the of and", "$", "\\", "(" * 2_000, "$x" * 2_000])
def test_a_text_without_names_has_no_phrase(text: str) -> None:
    assert phrases(text) == {} or "x" in "".join(phrases(text))


def test_a_clause_without_spaces_is_no_phrase_but_a_word_of_the_same_script_is() -> None:
    assert set(phrases("该方法比较长文档的段落。 检索方法 wings. " + "ab" * 30)) == {
        "检索方法 wings",
        "检索方法",
        "wings",
    }


@pytest.mark.parametrize("piece", ["a", "\\", "{", "<a ", "&#", "$x", "^{", "a@"])
def test_what_is_written_for_machines_is_read_in_time_that_grows_with_its_length(piece: str) -> None:
    assert without_markup(f"Kites $ {piece * 100_000} fly").startswith("Kites")


def test_indices_and_addresses_leave_a_mark() -> None:
    assert without_markup("The rate x_1 and k^{2} of a@b.org at \\alpha_{i} holds").split() == (
        "The rate | and | of | at | | holds".split()
    )


def test_weights_are_read_by_the_names_of_features_and_give_probabilities(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    path.write_text(json.dumps({"long": {"weights": {"b": 2.0, "a": 1.0}, "intercept": -1.0}}))
    found = Regression.shipped(path, "long", ("a", "b"))
    rows = np.array([[1.0, 0.0], [0.0, 1.0]])
    assert found.log_odds(rows).tolist() == [0.0, 1.0]
    assert found.p(rows).tolist() == pytest.approx([0.5, 1 / (1 + np.exp(-1))])


WEATHER_WORDS = Vocabulary({"kite": 400, "wind": 300, "bridle": 40, "tail": 60, "weather": 200}, 1_000)


TEXT = (
    "The weather was mild that year. A kite needs a bridle and a tail in the wind. We show that the bridle of a kite "
    "turns it into the wind. Coal arrived by rail in June 1893."
)


def said_of(text: str, p: float | list[float] = 0.2, *, kind: str = "paper", role: str = "body") -> tuple:
    document = Document("x", kind, sections=(Section("", text),)) if role == "body" else Document("x", abstract=text)
    chunks = tuple(document.parts[0].chunk("x", 0, one.start, one.stop) for one in sentences(text))
    return document, Salience(chunks, np.full(len(chunks), p, np.float32) if isinstance(p, float) else np.array(p), ())


def weights(**of: float) -> Regression:
    return Regression(np.array([of.get(name, 0.0) for name in SALIENCE_FEATURES]), 0.0)


def test_a_sentence_that_shares_rare_words_with_the_others_is_central() -> None:
    _, said = said_of(TEXT)
    central = centrality([one.text for one in said.sentences], WEATHER_WORDS)
    assert set(np.argsort(-central)[:2]) == {1, 2}
    assert ((central >= 0) & (central <= 1 + 1e-9)).all()


def test_features_are_told_within_their_document() -> None:
    _, said = said_of(TEXT, [0.1, 0.2, 0.4, 0.1])
    rows = sentence_features(said, WEATHER_WORDS)
    assert rows.shape == (4, len(SALIENCE_FEATURES))
    assert np.allclose(rows.mean(axis=0), 0)
    column = dict(zip(SALIENCE_FEATURES, rows.T, strict=True))
    assert column["KeyVec"].argmax() == 2 and column["we"].argmax() == 2 and column["a result"].argmax() == 2
    assert column["position"].argmax() == 0 and column["digits"].argmax() == 3
    alone = said_of("A kite flies.")[1]
    assert not sentence_features(alone, WEATHER_WORDS).any()  # nothing to tell it from


def test_the_mix_decides_what_is_read_first() -> None:
    document, said = said_of(TEXT, [0.9, 0.2, 0.3, 0.1])
    by = {
        name: reread([document], [said], WEATHER_WORDS, weights(**{name: 1.0}))[0].p.argmax()
        for name in SALIENCE_FEATURES[:3]
    }
    assert by["KeyVec"] == by["position"] == 0 and by["centrality"] in (1, 2)
    told = reread([document], [said], WEATHER_WORDS)[0]
    assert ((told.p > 0) & (told.p < 1)).all() and told.p.dtype == np.float32
    assert told.p.argmax() in (0, 2), "what KeyVec and the others speak for"
    assert told.keywords == said.keywords


STOCK = (
    "This application claims the benefit of a provisional application on kites.",
    "This work was supported by the society of kites.",
    "To all whom it may concern: be it known that I have made a kite.",
    "Fig. 2 is a side view of the kite.",
)


@pytest.mark.parametrize("stock", STOCK)
@pytest.mark.parametrize("kind", ["paper", "patent"])
def test_boilerplate_is_never_among_the_sentences_however_strong(stock: str, kind: str) -> None:
    document, said = said_of(f"{stock} {TEXT}", [0.99, 0.1, 0.2, 0.3, 0.1], kind=kind)
    (told,) = reread([document], [said], WEATHER_WORDS)
    assert stock not in {one.text for one in told.sentences}
    assert len(told.sentences) == 4 == len(told.p)
    assert [one.text for one in told.sentences] == [one.text for one in said.sentences[1:]]


def test_nothing_but_boilerplate_leaves_nothing() -> None:
    document, said = said_of(STOCK[0])
    assert without_stock(said).sentences == ()
    assert reread([document], [said], WEATHER_WORDS)[0].sentences == ()


def test_patents_abstracts_and_papers_have_weights_of_their_own() -> None:
    kinds = [kind_of(*said_of(TEXT)), kind_of(*said_of(TEXT, kind="patent")), kind_of(*said_of(TEXT, role="abstract"))]
    assert kinds == ["paper", "patent", "abstract"]
    assert len({sentence_weights(kind).of.tobytes() for kind in kinds}) == 3
    chunk = Chunk("x", 0, "", 0, 1, "x")
    assert (
        kind_of(Document("x", "patent", abstract="A kite."), Salience((chunk,), np.ones(1, np.float32), ())) == "patent"
    )
