"""The article among a page's furniture, as publishers mark it and as blogs leave it unmarked."""

from __future__ import annotations

import pytest

from engine.reading.dispatch import read_bytes
from engine.reading.limits import Budget
from engine.reading.web.main_text import article, is_abstract, is_hidden, is_references
from engine.reading.web.page import page_tree
from engine.reading.web.prose import parts
from tests.reading.web import pages


@pytest.mark.parametrize("name", pages.PUBLISHED)
def test_publishers_pages(name: str) -> None:
    document = read_bytes(pages.PUBLISHED[name].encode(), "a.html").document
    assert (document.title, document.authors) == ("Slow drift", ("Mara Osei",))
    assert document.abstract == pages.PROSE.strip()
    assert [(one.title, one.role) for one in document.sections] == [
        ("Introduction", "body"), ("Methods", "body"), ("References", "references"),
    ]  # fmt: skip
    introduction, methods, references = (one.text for one in document.sections)
    assert introduction == pages.MORE.strip()
    assert methods.startswith(pages.MORE.strip()) and methods.endswith("Map.")
    assert references == "Smith J. Drift of reefs. Nature 2001."


def text_of(body: str) -> str:
    root, layout = article(page_tree(f"<html><body>{body}</body></html>", "a"))
    return "\n".join(part.text for part in parts(root, layout))


@pytest.mark.parametrize(
    "furniture",
    [
        "<nav>gone</nav>",
        "<footer>gone</footer>",
        "<aside>gone</aside>",
        "<div role=navigation>gone</div>",
        "<div class='post-share'>gone</div>",
        "<div class='relatedPosts'>gone</div>",
        "<div id='cookieConsent'>gone</div>",
        "<div class='newsletter-signup'><p>gone</p></div>",
        "<div style='display: none'>gone</div>",
        "<div hidden>gone</div>",
        "<ul><li><a>gone one</a></li><li><a>gone two</a></li></ul>",
        "<div aria-hidden=true>gone</div>",
        "<button>gone</button>",
        "<div class='author-box'><p>gone</p></div>",
        "<script>gone</script>",
        "<style>gone</style>",
        "<iframe>gone</iframe>",
        "<p><a>gone is a long link to another article</a></p>",
        "<div class='sr-only'>gone</div>",
        "<svg><text>gone</text></svg>",
    ],
)
def test_furniture_goes(furniture: str) -> None:
    found = text_of(f"<div><h1>Reefs</h1><p>{pages.PROSE}</p>{furniture}<h2>Buoys</h2><p>{pages.MORE}</p></div>")
    assert found == f"Reefs\n{pages.PROSE.strip()}\nBuoys\n{pages.MORE.strip()}"


@pytest.mark.parametrize(
    "kept",
    [
        "<p>kept <a>link</a></p>",
        "<ul><li>kept</li></ul>",
        "<p>kept <b>bold</b></p>",
        "<blockquote>kept</blockquote>",
        "<div class='highlight'><pre>kept</pre></div>",
        "<dl><dt>kept</dt><dd>kept</dd></dl>",
        "<figcaption>kept</figcaption>",
        "<div class='loading navy socialism'>kept</div>",
        "<p><a href=#>kept</a></p>",
    ],
)
def test_what_is_no_furniture_stays(kept: str) -> None:
    assert "kept" in text_of(f"<div><p>{pages.PROSE}</p>{kept}<p>{pages.MORE}</p></div>")


def test_the_article_among_others_of_its_kind() -> None:
    teaser = "<article><h2>Other</h2><p>A teaser of a few words.</p></article>"
    found = text_of(
        f"<div class=x>{teaser}</div><main><h1>Reefs</h1><p>{pages.PROSE * 5}</p></main><div>{teaser}</div>"
    )
    assert "teaser" not in found and found.startswith("Reefs")


def test_marks_of_notes_go_and_powers_stay() -> None:
    found = text_of(f"<p>x<sup>2</sup> and y.<sup><a href='#r1'>1</a>,<a href='#r2'>2</a></sup> {pages.PROSE}</p>")
    assert found.startswith("x2 and y. Reefs")


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        ("<div class='abstract'>", True),
        ("<section id=abstract>", True),
        ("<div class='graphical-abstract'>", False),
        ("<div class='abstract author-highlights'>", False),
        ("<span class=abstract>", False),
        ("<div class=abstraction>", False),
    ],
)
def test_elements_named_as_an_abstract(tag: str, expected: bool) -> None:
    assert is_abstract(page_tree(tag, "a")[0]) is expected


def test_elements_named_as_references() -> None:
    assert is_references(page_tree("<ol class=references><li>a</ol>", "a")[0])
    assert not is_references(page_tree("<div class=references>a</div>", "a")[0])


def test_the_source_of_a_formula_is_hidden_and_counts() -> None:
    assert not is_hidden(page_tree("<span class='mwe-math-mathml-inline' style='display: none'>", "a")[0])
    assert is_hidden(page_tree("<span style='color:red;display : none'>", "a")[0])


def test_a_page_of_many_elements_looks_at_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    page = page_tree(f"<html><body>{'<div>a</div>' * 1_000}</body></html>", "a")
    looks: list[Budget] = []
    monkeypatch.setattr(Budget, "check", lambda self: looks.append(self))
    article(page)
    assert len(looks) > 1_000
