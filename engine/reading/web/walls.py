"""Pages that stand before a text in place of it: a log-in, cookies, a check for robots, a page that scripts fill."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

from engine.core.errors import EmptyInputError

_SHORT = 800
"""Characters of text, below which a page may be a wall; articles are longer."""
_MOST, _FEW = 5_000, 40

_CHALLENGE = re.compile(
    r"just a moment|attention required|checking your browser|verif(?:y|ying)(?: that)? you are (?:a )?human|"
    r"are you a robot|robot check|security check|ddos.guard|unusual traffic|captcha|access denied|"
    r"request blocked|pardon our interruption|performing security verification|"
    r"enable javascript and cookies to continue|cf-browser-verification|403 forbidden|"
    r"access to this page has been denied",
    re.IGNORECASE,
)
_LOG_IN = re.compile(
    r"\b(?:log|sign) ?in\b|institutional (?:access|login)|single sign.on|shibboleth|openathens|"
    r"forgot(?:ten)? (?:your )?password|create an account|anmelden|se connecter|iniciar sesi[oó]n|"
    r"purchase (?:access|pdf|this article)|get (?:full )?access|subscribe to (?:read|continue)|"
    r"buy (?:this )?article|rent this article|登录|ログイン",
    re.IGNORECASE,
)
_COOKIES = re.compile(r"\bcookies?\b", re.IGNORECASE)
_SCRIPTS = re.compile(
    r"(?:enable|requires?|turn on|without) java ?script|java ?script (?:is )?(?:required|disabled)", re.IGNORECASE
)
_NOT_FOUND = re.compile(r"\b(?:404|page not found|not found|page does not exist|no longer available)\b", re.IGNORECASE)

_WALLS = (
    (_CHALLENGE, "only checks for robots"),
    (_LOG_IN, "only asks to log in or to buy"),
    (_SCRIPTS, "only asks for JavaScript"),
    (_COOKIES, "only asks about cookies"),
    (_NOT_FOUND, "only says that nothing was found"),
)


def require_text(page: Element, title: str, text: str, abstract: str, name: str) -> None:
    """Refuse a page that stands before a text; raises EmptyInputError.

    `text` is what was read of the article, `abstract` what its page or its head gives.
    """
    if len(text) + len(abstract) >= _SHORT:
        return
    whole = f"{title}\n{_visible(page)}"
    told = next((told for pattern, told in _WALLS if pattern.search(whole)), "") if len(whole) < _MOST else ""
    if told and not abstract:
        raise EmptyInputError(
            f"Expected a paper or a patent in {name}, found a page that {told}. "
            "Open the article in your browser, and save that page, or paste its text."
        )
    if len(text) + len(abstract) < _FEW:
        raise EmptyInputError(
            f"Expected a paper or a patent in {name}, found a page with hardly any text. It may come by a script: "
            "save the page from your browser once it is shown, print it to PDF, or paste its text."
        )


def _visible(page: Element) -> str:
    """The words of a page, without its programs and styles, those in `noscript` among them; the first of many."""
    pieces: list[str] = []
    length = 0
    for one in page.iter():
        texts = (one.text if one.tag not in ("script", "style") else "", one.tail)
        for text in texts:
            if text and (words := text.strip()):
                pieces.append(words)
                length += len(words)
        if length > 2 * _MOST:
            break
    return " ".join(pieces)
