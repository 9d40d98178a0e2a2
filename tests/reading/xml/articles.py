"""Articles of a few words."""

from __future__ import annotations

ARTICLE = (
    "<article><front><article-meta><title-group><article-title>A &amp; B</article-title></title-group>"
    "</article-meta></front></article>"
)
