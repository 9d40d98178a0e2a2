"""Pages that stand before a text."""

from __future__ import annotations

import pytest

from engine.core.errors import EmptyInputError
from engine.reading.dispatch import read_bytes
from tests.reading.web import pages


@pytest.mark.parametrize(
    ("title", "body", "told"),
    [
        ("Just a moment...", "<noscript>Enable JavaScript and cookies</noscript>", "only checks for robots"),
        ("ScienceDirect", "<h1>Are you a robot?</h1><p>Complete the captcha.</p>", "only checks for robots"),
        ("Login", "<h1>Sign in</h1><form><input type=password></form>", "only asks to log in or to buy"),
        ("Reefs", "<p>Get access to the full version of this article.</p>", "only asks to log in or to buy"),
        ("Reefs", "<noscript>You need to enable JavaScript to run this.</noscript>", "only asks for JavaScript"),
        ("Privacy", "<p>We use cookies. Accept all to go on.</p>", "only asks about cookies"),
        ("404", "<h1>Page not found</h1>", "only says that nothing was found"),
    ],
)
def test_walls_are_named(title: str, body: str, told: str) -> None:
    page = f"<html><title>{title}</title><body>{body}</body></html>"
    with pytest.raises(
        EmptyInputError, match=rf"paper\.html, found a page that {told}\. Open the article in your browser"
    ):
        read_bytes(page.encode(), "paper.html")


def test_a_page_that_a_script_fills() -> None:
    with pytest.raises(
        EmptyInputError, match=r"a\.html, found a page with hardly any text\. It may come by a script: save"
    ):
        read_bytes(
            b"<html><title>Reefs</title><body><div id=app></div><script src=app.js></script></body></html>", "a.html"
        )


@pytest.mark.parametrize("words", ["Sign in", "We use cookies", "Are you a robot?", "404"])
def test_an_article_that_has_such_words_is_no_wall(words: str) -> None:
    text = f"<h1>Reefs</h1><p>{words}</p><p>{pages.PROSE * 3}</p><p>{pages.MORE}</p>"
    page = f"<html><body><article>{text}</article></body></html>"
    assert read_bytes(page.encode(), "a.html").document.title == "Reefs"
