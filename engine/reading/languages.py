"""The language of a text, by its letters or by the small words that a language cannot do without.

An abstract that stands in several languages is cut by them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import islice

from engine.reading.heading_names import languages_of

_HEAD_CHARACTERS = 4_000
_BODY_TEXTS = 50
_PARAGRAPH_CHARACTERS = 40
"""A shorter paragraph's own words do not tell its language."""
_WORD = re.compile(r"[^\W\d_]+(?:['’](?=[^\W\d_]))?")
_WORDS = {
    "en": "the of and in to is that for with we are this by as on from which be were was an our has it not can",
    "de": "der die das und ist wir dass mit den von ein eine einer nicht werden zur auf für sich im wird sind dem des "
    "zu bei als auch aus nach wie oder über welche welcher welches warum gegen durch kann können",
    "fr": "le la les des et est une que nous dans pour sur qui du avec sont par au aux ces cette un en il ne se l' d' "
    "qu' plus ont été entre quel quelle quels quelles comment pourquoi",
    "es": "el la los las de que y en una un por con para se del son como al más este esta lo su sus entre es no fue "
    "cómo qué cuál cuáles",
    "it": "il lo la gli le che di e un una per con sono della del nel dei delle è si non nella questo questa da al dal "
    "l' dell' nell' come più quale quali perché",
    "pt": "o a os as que de e um uma para com em do da dos das são no na nos nas por mais este esta como é se não foi "
    "ao qual quais",
    "nl": "het een van en de is dat niet met voor op zijn wij wordt worden deze uit naar ook bij aan in te "
    "hoe welke wat waarom",
    "pl": "w i na z jest że się do oraz nie przez dla są jak od po które który to ich został",
    "sv": "och att det som en är av för med den på vi inte till har ett från kan",
    "da": "og at det som en er af for med den på vi ikke til har et fra kan der",
    "cs": "a v na je se že pro jsou s z do k byl byla jako které který této ve",
    "hu": "a az és hogy egy nem is van ez meg csak vagy mint volt",
    "ro": "și în de la cu pe care este un o din sunt pentru nu se au",
    "tr": "ve bir bu için ile olarak olan da de çok gibi daha",
    "ca": "el la els les de que i en una un per amb del són com és aquest aquesta",
    "fi": "ja on ei se että oli ovat myös kuin joka tai",
}
LANGUAGE_NAMES = {
    **{"en": "English", "de": "German", "fr": "French", "es": "Spanish", "it": "Italian", "pt": "Portuguese"},
    **{"nl": "Dutch", "pl": "Polish", "sv": "Swedish", "da": "Danish", "cs": "Czech", "hu": "Hungarian"},
    **{"ro": "Romanian", "tr": "Turkish", "ca": "Catalan", "fi": "Finnish", "ja": "Japanese", "ko": "Korean"},
    **{"zh": "Chinese", "uk": "Ukrainian", "ru": "Russian", "el": "Greek", "ar": "Arabic", "he": "Hebrew"},
}
"""What each language that is told is called."""
_OF_WORDS = {language: frozenset(words.split()) for language, words in _WORDS.items()}
_LETTERS = (
    ("ja", re.compile("[\u3041-\u30fa]")),
    ("ko", re.compile("[\uac00-\ud7a3]")),
    ("zh", re.compile("[\u4e00-\u9fff]")),
    ("uk", re.compile("[іїєґІЇЄҐ]")),
    ("ru", re.compile("[\u0400-\u04ff]")),
    ("el", re.compile("[\u0370-\u03ff]")),
    ("ar", re.compile("[\u0600-\u06ff]")),
    ("he", re.compile("[\u0590-\u05ff]")),
)
_LEAST_LETTERS = 0.02
"""A language is told by letters of its own from this share of them on; by the script that it shares, from a half on."""
_SCRIPT = 0.4
_OF_ENGLISH = "en"
_SURE_WORDS, _SURE_SMALL_WORDS, _SURE_SHARE = 5, 3, 0.12
_FEWEST_WORDS = 2
_CLEARLY = 1.2
"""How many times as many small words as the next language has, a language has that a text is in."""


def language_of(text: str) -> str:
    """Return the code of a text's language, by its first few thousand characters; empty where they do not tell."""
    head = text[:_HEAD_CHARACTERS]
    letters = sum(map(str.isalpha, head))
    if not letters:
        return ""
    shares = {language: len(pattern.findall(head)) / letters for language, pattern in _LETTERS}
    if shares["zh"] + shares["ja"] >= _SCRIPT:
        return "ja" if shares["ja"] >= _LEAST_LETTERS else "zh"
    if shares["ru"] >= _SCRIPT:
        return "uk" if shares["uk"] >= _LEAST_LETTERS else "ru"
    own = next((language for language, _ in _LETTERS if shares[language] >= _SCRIPT), "")
    return own or _by_words([word.lower().replace("’", "'") for word in _WORD.findall(head)])


def sure_language(text: str) -> str:
    """Return the code of a text's language where a reader would see it at once; empty for a few words, and in doubt.

    A text of five words or more has at least three small words of its language, and twice as many as of English.
    """
    language = language_of(text)
    if language not in _OF_WORDS:
        return language
    words = [word.lower().replace("’", "'") for word in _WORD.findall(text[:_HEAD_CHARACTERS])]
    own, english = (
        sum(len(word) > 1 and word in _OF_WORDS[which] for word in words) for which in (language, _OF_ENGLISH)
    )
    few = len(words) < _SURE_WORDS or own < _SURE_SMALL_WORDS or own < _SURE_SHARE * len(words)
    return "" if few or (language != _OF_ENGLISH and own < 2 * english) else language


def abstracts_by_language(told: Sequence[tuple[str, str]], body: Iterable[str]) -> tuple[str, dict[str, str]]:
    """Return the document's language, empty unless its abstract stands in several, and its abstract in each of these.

    `told` are the paragraphs of the abstract, each with the heading above it, and `body` the texts of the sections. The
    document has the language of its sections, else of its first abstract. A paragraph whose language is not told
    belongs to the abstract before it.
    """
    found = [(_of_paragraph(text, heading), text) for heading, text in told]
    known = list(dict.fromkeys(language for language, _ in found if language))
    if len(known) < 2:
        return "", {"": "\n\n".join(text for _, text in found)}
    abstracts: dict[str, list[str]] = {}
    last = found[0][0] or known[0]
    for language, text in found:
        last = language or last
        abstracts.setdefault(last, []).append(text)
    own = language_of("\n".join(islice(body, _BODY_TEXTS)))
    return own if own in abstracts else known[0], {one: "\n\n".join(texts) for one, texts in abstracts.items()}


def _of_paragraph(text: str, heading: str) -> str:
    """Tell the language of an abstract's paragraph by its words, else by a heading that one language alone has."""
    named = languages_of(heading) if heading != "Abstract" else frozenset()
    only = next(iter(named)) if len(named) == 1 else ""
    return (language_of(text) if len(text) >= _PARAGRAPH_CHARACTERS else "") or only


def _by_words(words: Sequence[str]) -> str:
    counts = sorted(
        ((sum(word in own for word in words), language) for language, own in _OF_WORDS.items()), reverse=True
    )
    (most, language), (second, _) = counts[:2]
    return language if most >= _FEWEST_WORDS and most >= _CLEARLY * second else ""
