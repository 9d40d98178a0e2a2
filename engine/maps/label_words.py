"""The words of many documents as numbers, as far as they can name a subject."""

from __future__ import annotations

import re
from array import array
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.text import STOP_WORDS, tokens

_BOILERPLATE_TEXT = """
ability able abstract according accordingly achieve achieved acting adapted additional additionally address adjacent
advantage advantages allow allows along amount analyse analysis analyze analyzed apparatus appear appended applicable
application applications applied apply approach approaches appropriate arranged arrangement article aspect aspects
assign assigned assignor associated author authors available background based basis become behavior behaviour best
better briefly broad called capable case cases certain characterized citizen citizens claim claimed claims class
combination common commonly compare compared comparison complete composed comprise comprised comprises comprising
computed concept conclude conclusion condition conditions configured connected connection consider considered
consist consisting consists constant construct constructed construction contain contained containing contains
context contrast convenient corresponding county current currently dated day define defined demonstrate
demonstrated denoted depend dependent depends describe described describes description desired detail detailed
details determine determined determining develop developed device devices different difficult direct directly
disclosed disclosure discuss discussed drawing drawings effect effective effects efficient eight either eleven
embodiment embodiments employ employed enable enables end ends engage engaging essentially establish established et
evaluate evaluated evidence exact exactly examine example examples exemplary exhibit existing experiment
experimental experiments explain explicit explicitly extend extended extending extensive fact feature features fig
figs figure figures final finally find finding findings finds five fixed focus follow followed following follows form
formed forms former forth found four full fully function functions furthermore future general generally generate
generated generating give given gives giving good great greater half hand herein hereby hereinafter high higher highly
id identify illustrated illustrates implementation implemented important improve improved improvement improvements
improving include included includes including increase increased independent indicate indicated information
introduce introduced introduces invented invention inventions investigate investigated involving issue issues item
items key kind kinds known lack large larger last lastly latter lead leads left length letter letters level
levels like limited line lines little local located long low lower main major manner march means measure measured
member method methods model models modified near necessary need needed new next nine novel novelty number numbers
numerous object objective objects observe observed obtain obtained obtaining open operation order ordinary original
outer outperform outperforms overall overview paper papers part particular particularly parts patent patented patents
people perform performance performed person pertains place placed plan plurality point points portion portions
position positioned possible potential practical precisely prefer preferable preferably preferred present presented
presents previous previously principle prior problem problems procedure process processes produce produced product
properties property propose proposed proposes prove proved proven provide provided provides providing purpose
purposes question questions range real really receive received recent recently reduce reduced refer reference related
relates relative relatively relevant report reported represent represented require required requires research
residing respect respective respectively result resulting results reveal right said schematic second secondly section
secured see seen selected sense serial serve set sets seven several show showed showing shown shows side sides
significant significantly similar simple simply simulation simulations single situated six size small smaller solution
solutions solve solved special specific specifically specification specified standard state states step steps strong
structure studied studies study studying subject subsequent substantially successfully sufficient suggest suggested
suitable support system systems take taken takes task tasks technique techniques term terms test tested theoretical
theory thereof thereto thing third thirdly three time times top total two type types typical typically understand
understanding united unknown upper usable use useful user users usually utilize utilized value values variety
various verify version vertical view views way ways well wherefore whether wide widely within witness witnesses work
works world year years zero arbitrary call calls calculate calculated calculation calculations cdot computer computing
contribution data disposed first frac hard individual individuals infty insight insights leq let log mathbb mathbf
mathcal mathfrak mathrm numerical numerically overline provider receiving request scheme schemes science sqrt
textbf textit widetilde begin delta epsilon omega piece published subset sum
"""

BOILERPLATE = frozenset(_BOILERPLATE_TEXT.split())
"""Words that papers and patents on every subject share; they name none."""

_FRAGMENTS_TEXT = """
ably ally ance ances ant ants ated ating ation ations ble bly cal cally cation com con dis ence ences ent ents
eral ers ess est ful ial ially ible ical ies ified ing ings int ion ions ish ism ist ities ity ive ized izing less
ling ment mental ments mon mul ness nite non nal nary ous pre pro ried ries sion sions sub sup ted tely ter tial
tially tic tical tics ting tion tional tions tive tively tor tors tween ture tures uct ure ures ving
"""

FRAGMENTS = frozenset(_FRAGMENTS_TEXT.split())
"""What is left of a word that a page broke at a hyphen."""

_FEWEST_LETTERS = 3
_MOST_LETTERS = 24
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_VOWEL = re.compile(r"[aeiouyäöüáéíóúàèìòùâêîôûåæøœ]")
_UNLIKELY = re.compile(r"(.)\1\1|[bcdfghjklmnpqrstvwxz]{6,}")
_LATIN = re.compile(r"[a-z]")


class Vocabulary:
    """Numbers for words, and the documents read so far as one row of numbers each.

    A word that cannot name a subject (a function word, boilerplate, a number, what looks like an
    error of character recognition) is kept as -1: it still parts its neighbours, so that two words
    count as a phrase only where they stand side by side.
    """

    def __init__(self) -> None:
        """Start with no word and no document."""
        self._numbers: dict[str, int] = {}
        self._seen = _Numbers(self._numbers)
        self._sequence = array("i")
        self._stops = array("q", [0])

    @property
    def words(self) -> list[str]:
        """Every word by its number."""
        return list(self._numbers)

    @property
    def sequence(self) -> NDArray[np.int32]:
        """The numbers (t,) of all documents' words in reading order, -1 for a word left out."""
        return np.array(self._sequence, np.int32)

    @property
    def owners(self) -> NDArray[np.int64]:
        """The document (t,) that each word of `sequence` stands in, by the order added."""
        stops = np.array(self._stops, np.int64)
        return np.repeat(np.arange(len(stops) - 1), stops[1:] - stops[:-1])

    def add(self, *texts: str) -> None:
        """Read one document's texts."""
        for text in texts:
            self._sequence.fromlist(list(map(self._seen.__getitem__, tokens(text))))
            self._sequence.append(-1)
        self._stops.append(len(self._sequence))


class _Numbers(dict[str, int]):
    """A number for every token asked for, worked out once: -1, or the next one, kept in `numbers`, for a word."""

    def __init__(self, numbers: dict[str, int]) -> None:
        self._numbers = numbers

    def __missing__(self, token: str) -> int:
        self[token] = self._numbers.setdefault(token, len(self._numbers)) if names_a_subject(token) else -1
        return self[token]


def names_a_subject(token: str) -> bool:
    """Whether a lower-case token could stand in a label."""
    if not _FEWEST_LETTERS <= len(token) <= _MOST_LETTERS or not _WORD.fullmatch(token):
        return False
    if token in STOP_WORDS or token in BOILERPLATE or token in FRAGMENTS:
        return False
    latin = _LATIN.search(token) is not None
    return not (latin and (_VOWEL.search(token) is None or _UNLIKELY.search(token)))


@lru_cache(maxsize=1 << 16)
def singular(word: str) -> str:
    """The singular that an English plural most likely has; other words stay as they are."""
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("yses"):
        return word[:-2] + "is"
    if word.endswith(("sses", "xes", "ches", "shes", "zzes")):
        return word[:-2]
    return word[:-1]
