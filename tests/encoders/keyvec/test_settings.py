"""What a KeyVec encoder can be set to, a sentence's p in words, and the sentences that are marked."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from engine.encoders.keyvec.encoder import KeyvecEncoder
from engine.encoders.keyvec.settings import KeyvecSettings, explained
from tests.encoders.keyvec import tiny


@pytest.mark.parametrize(("p", "said"), [(0.734, "0.73"), (0, "0.00"), (0.996, "1.00"), (1, "1.00")])
def test_a_p_is_told_to_a_hundredth_with_its_range(p: float, said: str) -> None:
    assert explained(p) == f"p {said}: how likely it is to carry what an abstract would say, from 0 to 1"


def test_reports_explain_it_without_a_network() -> None:
    command = "import sys, engine.encoders.keyvec.settings; print({'torch', 'numpy'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", command], capture_output=True, text=True).stdout == "set()\n"


@pytest.mark.parametrize("name", ["max_sentences", "max_words", "channels", "hidden", "dim"])
def test_settings_out_of_their_ranges_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match=f"{name} must be at least 1, got 0"):
        KeyvecSettings(**{name: 0})


def test_widths_must_be_numbers_from_one_on() -> None:
    for widths in ((), (3, 0)):
        with pytest.raises(ValueError, match="widths must be one or more numbers from 1 on"):
            KeyvecSettings(widths=widths)


def test_salient_sentences_stand_where_their_offsets_say(keyvec: KeyvecEncoder) -> None:
    document = tiny.paper()
    (found,) = keyvec.salience([document])
    assert [one.section for one in found.sentences] == ["Method"] * 4 + ["Results"] * 4
    assert all(document.parts[one.part].text[one.start : one.stop] == one.text for one in found.sentences)
    assert found.p.shape == (8,) and found.p.dtype == np.float32
    assert ((found.p > 0) & (found.p < 1)).all()


def test_the_strongest_sentences_come_in_reading_order(keyvec: KeyvecEncoder) -> None:
    (found,) = keyvec.salience([tiny.paper()])
    strongest = sorted(np.argsort(-found.p, kind="stable")[:3])
    assert found.first(3) == tuple((found.sentences[place], float(found.p[place])) for place in strongest)
    assert len(found.first(99)) == 8 and found.first(0) == ()


def test_the_words_of_citations_are_no_key_words() -> None:
    made = KeyvecEncoder.of(tiny.words(), tiny.network(), ("et", "al", *tiny.KEYWORDS[2:]))
    everything = made.salience([tiny.paper()], keywords=len(tiny.KEYWORDS))[0].keywords
    assert {word for word, _ in everything} == set(tiny.KEYWORDS[2:])
    assert [made.salience([tiny.paper()], keywords=count)[0].keywords for count in (0, 3)] == [(), everything[:3]]
