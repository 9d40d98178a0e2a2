"""Texts that keywords are looked for in."""

from __future__ import annotations

from engine.documents import Document

TEXTS = {
    "kites": "A kite flies in the wind. The kite has a tail and a line.",
    "reels": "A reel holds the line of a kite; the reel has a drum.",
    "boats": "A boat sails before the wind across the bay.",
    "soups": "Soup of leeks and potatoes, served hot.",
    "breads": "Bread of rye, baked slowly and served cold.",
}


DOCUMENTS = [Document(id_, title=id_.title(), abstract=text) for id_, text in TEXTS.items()]
