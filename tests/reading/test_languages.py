"""The language of a question, told only where a reader would see it at once."""

from __future__ import annotations

import pytest

from engine.reading import sure_language


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Wie wird die Batterie eines Autos gekühlt?"),
        ("fr", "Comment refroidir la batterie d'une voiture électrique ?"),
        ("es", "¿Cómo se enfría la batería de un coche eléctrico?"),
        ("it", "Come si raffredda la batteria di un'auto elettrica?"),
        ("pt", "Como se arrefece a bateria de um carro elétrico?"),
        ("nl", "Hoe wordt de accu van een auto gekoeld?"),
        ("en", "How is the battery of a car cooled when it is driven fast?"),
        ("ru", "Как охлаждают батарею автомобиля?"),
        ("ja", "電池はどのように冷却されるか"),
    ],
)
def test_a_sentence_tells_its_language(language: str, text: str) -> None:
    assert sure_language(text) == language


@pytest.mark.parametrize(
    "text",
    ["", "Batterie", "van der Waals forces", "de novo synthesis in E. coli", "A note on the van der Waals equation"],
)
def test_a_few_words_tell_none(text: str) -> None:
    assert sure_language(text) == ""


def test_an_english_text_with_foreign_names_is_english() -> None:
    assert sure_language("La Niña and El Niño in the Pacific are driven by the trade winds.") == "en"
    assert sure_language("We study the van der Waals and the de Broglie length of a gas in a die.") == "en"
