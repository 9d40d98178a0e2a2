"""Signs that bytes were read in the wrong encoding, which a text of a few words shows where statistics say nothing.

A capital stands within a word, a sign between two letters, one ideograph among Latin letters, and Cyrillic, Greek or
Korean words hold few of the letters that are common in them. Quotation marks and dashes where they belong speak for an
encoding.
"""

from __future__ import annotations

import re
from itertools import pairwise

_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_IDEOGRAPH = "[\u3040-\u30fa\u3400-\u9fff\uac00-\ud7a3]"
_ODD = (
    re.compile(r"(?<=[^\W\d_])[^\w\s'’\-\u2010-\u2014/.,:;()&+*@\x00-\x7f](?=[^\W\d_])"),
    re.compile("[\uff61-\uff9f\ufffd\ue000-\uf8ff\u2500-\u25a0]"),
    re.compile(rf"(?<![^\x00-\x7f]){_IDEOGRAPH}(?=[a-z])|(?<=[a-z]){_IDEOGRAPH}(?![^\x00-\x7f])"),
)
"""A sign within a word; half-width kana, boxes and private signs; a lone ideograph beside a Latin letter."""
_PROPER = re.compile(r"(?<=[^\W\d_])’(?=[^\W\d_]|\s|$)|(?<!\S)[“„«‘](?=\S)|(?<=\S)[”»](?!\w)|(?<=\s)[–—](?=\s)")
_ALPHABETS = (
    (re.compile("[\u0400-\u04ff]"), re.compile("[оеаинтсрлв]", re.IGNORECASE), 0.55),
    (re.compile("[\u0370-\u03ff]"), re.compile("[αοιετσνρηςάόίέή]", re.IGNORECASE), 0.55),
    (
        re.compile("[\uac00-\ud7a3]"),
        re.compile("[이다의는에을를가하고한은로지기사도인시어대해정수서과와자리나일아스성]"),
        0.2,
    ),
)
"""Letters of an alphabet, the commonest of them, and the share that these make up at least, even in a few words."""


def misreadings(text: str) -> float:
    """How many signs of a wrong encoding a text shows for each character beyond ASCII, less those of a right one."""
    beyond = len(_NOT_ASCII.findall(text))
    odd: float = sum(len(pattern.findall(text)) for pattern in _ODD) - len(_PROPER.findall(text))
    odd += sum(
        one.islower() and other.isupper() for one, other in pairwise(text) if not (one.isascii() and other.isascii())
    )
    for alphabet, common, share in _ALPHABETS:
        odd += max(0.0, share * len(alphabet.findall(text)) - len(common.findall(text)))
    return odd / max(beyond, 1)
