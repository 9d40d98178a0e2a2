"""Hostile inputs by format that hold very many of one thing, or one that is very large.

Each maker takes how many; the campaign draws the number, and cuts what is larger than a file may be.
"""

from __future__ import annotations

import base64
import io
import random
import zipfile
from collections.abc import Callable, Iterator
from itertools import pairwise

from tests.reading.docx.writer import docx, paragraph

Maker = Callable[[int], bytes]

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_MOST = 9_000_000
_SIZES = (500, 20_000, 800_000)
_BODY = "A tethered kite lifts the drum. " * 12


def drawn_from(family: str) -> Callable[[random.Random], tuple[str, bytes]]:
    """What draws one input of a family: its name says which and how many."""

    def make(drawn: random.Random) -> tuple[str, bytes]:
        ending, makers = FAMILIES[family]
        what = drawn.choice(list(makers))
        return _made(what, ending, makers[what], drawn.choice(_SIZES))

    return make


def largest(family: str) -> Iterator[tuple[str, bytes]]:
    """The largest input of each maker of a family."""
    ending, makers = FAMILIES[family]
    return (_made(what, ending, maker, _SIZES[-1]) for what, maker in makers.items())


def _made(what: str, ending: str, maker: Maker, times: int) -> tuple[str, bytes]:
    name, _, own = what.replace(" ", "-").partition(".")
    return f"{name}-{times}.{own or ending}", maker(times)


def _repeated(before: str, piece: str, after: str = "", *, close: str = "", most_bytes: int = _MOST) -> Maker:
    """One piece again and again, `{n}` in it numbered; each closed again at the end where it opens something."""

    def make(times: int) -> bytes:
        size = len(piece.encode()) + len(close) + 4 * piece.count("{n}")
        most = min(times, (most_bytes - len(before) - len(after)) // size)
        pieces = piece * most if "{n}" not in piece else "".join(piece.replace("{n}", str(n)) for n in range(most))
        return (before + pieces + close * most + after).encode()

    return make


def _packed(part: str, before: str, piece: str, after: str) -> Maker:
    """A DOCX with a part that holds one piece again and again."""
    inner = _repeated(before, piece, after, most_bytes=_most_bytes(piece))
    return lambda times: _docx(piece, parts={part: inner(times).decode()})


def _body(piece: str, before: str = "", after: str = "", *, close: str = "") -> Maker:
    """A DOCX whose body holds one piece again and again."""
    inner = _repeated(before, piece, after, close=close, most_bytes=_most_bytes(piece))
    return lambda times: _docx(piece, inner(times).decode())


def _most_bytes(piece: str) -> int:
    """Numbered pieces pack to a tenth; others pack to next to nothing, which a reader refuses by their ratio."""
    return 60_000_000 if "{n}" in piece else _MOST


def _docx(piece: str, *blocks: str, parts: dict[str, str] | None = None) -> bytes:
    """A DOCX; packed where its pieces are numbered."""
    data = docx(paragraph("A Kite", "Title"), paragraph(_BODY), *blocks, parts=parts)
    if "{n}" in piece:
        return data
    stored = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as packed, zipfile.ZipFile(stored, "w") as plain:
        for name in packed.namelist():
            plain.writestr(name, packed.read(name))
    return stored.getvalue()


def _members(times: int) -> bytes:
    """A DOCX with a relation to each of many members."""
    relations = "".join(
        f'<Relationship Id="r{n}" Type="http://x/styles" Target="styles{n}.xml"/>' for n in range(min(times, 80_000))
    )
    data = docx(
        paragraph("A Kite", "Title"),
        parts={"word/_rels/document.xml.rels": f"<Relationships>{relations}</Relationships>"},
    )
    file = io.BytesIO(data)
    with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as archive:
        for number in range(min(times, 4_900)):
            archive.writestr(f"word/styles{number}.xml", f"<w:styles {_W}/>")
    return file.getvalue()


_STYLE = '<w:style w:styleId="s{n}"><w:name w:val="s{n}"/><w:basedOn w:val="s{n}0"/></w:style>'
_LEVEL = '<w:abstractNum w:abstractNumId="{n}"><w:lvl w:ilvl="0"><w:pStyle w:val="s{n}"/></w:lvl></w:abstractNum>'
_NUM = '<w:num w:numId="{n}"><w:abstractNumId w:val="1"/></w:num>'
_DOCX: dict[str, Maker] = {
    "elements": _body("<w:p/>"),
    "paragraphs": _body("<w:p><w:r><w:t>a</w:t></w:r></w:p>"),
    "styles": _packed("word/styles.xml", f"<w:styles {_W}>", _STYLE, "</w:styles>"),
    "numbering levels": _packed("word/numbering.xml", f"<w:numbering {_W}>", _LEVEL, "</w:numbering>"),
    "lists": _packed("word/numbering.xml", f"<w:numbering {_W}>", _NUM, "</w:numbering>"),
    "levels of one list": _packed(
        "word/numbering.xml",
        f'<w:numbering {_W}><w:abstractNum w:abstractNumId="1">',
        '<w:lvl w:ilvl="{n}"><w:lvlText w:val="%1%1%1"/></w:lvl>',
        '</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num></w:numbering>',
    ),
    "footnotes": _packed(
        "word/footnotes.xml",
        f"<w:footnotes {_W}>",
        '<w:footnote w:id="{n}"><w:p><w:r><w:t>a</w:t></w:r></w:p></w:footnote>',
        "</w:footnotes>",
    ),
    "footnote marks": _body('<w:r><w:footnoteReference w:id="{n}"/></w:r>', "<w:p>", "</w:p>"),
    "runs": _body("<w:r><w:t>a </w:t></w:r>", "<w:p>", "</w:p>"),
    "bold runs": _body("<w:r><w:rPr><w:b/></w:rPr><w:t>Aa </w:t></w:r>", "<w:p>", "</w:p>"),
    "headings": _body('<w:p><w:pPr><w:pStyle w:val="berschrift1"/></w:pPr><w:r><w:t>Part {n}</w:t></w:r></w:p>'),
    "list items": _body(
        '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="{n}"/></w:numPr></w:pPr><w:r><w:t>a</w:t></w:r></w:p>'
    ),
    "controls": _body("<w:sdt><w:sdtContent>", close="</w:sdtContent></w:sdt>"),
    "controls side by side": _body("<w:sdt><w:sdtContent><w:p/></w:sdtContent></w:sdt>"),
    "tables": _body("<w:tbl><w:tr><w:tc>", close="</w:tc></w:tr></w:tbl>"),
    "cells": _body("<w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc>", "<w:tbl><w:tr>", "</w:tr></w:tbl>"),
    "rows": _body("<w:tr><w:tc><w:p/></w:tc></w:tr>", "<w:tbl>", "</w:tbl>"),
    "boxes": _body("<w:r><w:pict><w:txbxContent><w:p/></w:txbxContent></w:pict></w:r>", "<w:p>", "</w:p>"),
    "attributes": _body(' a{n}=""', "<w:p", "/>"),
    "one long text": _body("kite drum ", "<w:p><w:r><w:t>", "</w:t></w:r></w:p>"),
    "one word": _body("kite", "<w:p><w:r><w:t>", "</w:t></w:r></w:p>"),
    "breaks": _body("<w:br/>", "<w:p><w:r>", "</w:r></w:p>"),
    "members": _members,
}

_PAGE = f"<html><head><title>A Kite</title></head><body><h1>A Kite</h1><p>{_BODY}</p>"


def _mhtml(coding: str, encode: Callable[[bytes], bytes]) -> Maker:
    """A page in an envelope, encoded."""

    def make(times: int) -> bytes:
        page = (_PAGE + f"<p>{_BODY}</p>" * min(times, 20_000)).encode()[: _MOST * 7 // 10]
        head = f"{_ENVELOPE}--b\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: {coding}\r\n\r\n"
        return head.encode() + encode(page) + b"\r\n--b--\r\n"

    return make


_ENVELOPE = 'MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="b"\r\n\r\n'
_PART = "--b\r\nContent-Type: image/png\r\n\r\nx\r\n"
_WEB: dict[str, Maker] = {
    "base64": _mhtml("base64", base64.encodebytes),
    "quoted printable": _mhtml("quoted-printable", lambda page: page.replace(b"=", b"=3D").replace(b" ", b"=20")),
    "soft breaks": _mhtml("quoted-printable", lambda page: b"=\r\n" * 2_000_000 + page[:2_000_000]),
    "parts": _repeated(_ENVELOPE, _PART, f"--b\r\nContent-Type: text/html\r\n\r\n{_PAGE}\r\n--b--\r\n"),
    "parts that name a page": _repeated(_ENVELOPE, "--b\r\nContent-Type: text/plain; a=text/html\r\n\r\nx\r\n"),
    "envelopes": _repeated("MIME-Version: 1.0\r\n", 'Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\n'),
    "headers": _repeated('MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="b"\r\n', "A{n}: b\r\n"),
    "divisions": _repeated(_PAGE, "<div>", close="</div>"),
    "lists of references": _repeated(_PAGE, '<div class="references">', close="</div>"),
    "abstracts": _repeated(_PAGE, '<div class="abstract">', close="</div>"),
    "heads": _repeated(_PAGE, "<header>", close="</header>"),
    "raised links": _repeated(_PAGE, '<sup><a href="#a">1</a>', close="</sup>"),
    "formats": _repeated(_PAGE, "<b><i>a"),
    "attributes": _repeated(_PAGE + "<p", " a{n}=b", ">a</p>"),
    "attributes of many": _repeated(_PAGE, '<p class="a{n}" id="b{n}">a</p>'),
    "one text": _repeated(_PAGE + "<p>", "kite drum ", "</p>"),
    "one word": _repeated(_PAGE + "<p>", "kite", "</p>"),
    "cells": _repeated(_PAGE + "<table><tr>", "<td>a", "</table>"),
    "rows": _repeated(_PAGE + "<table>", "<tr><td>a", "</table>"),
    "tables": _repeated(_PAGE, "<table><tr><td>", close="</table>"),
    "comments": _repeated(_PAGE, "<!-- a -->b"),
    "open comments": _repeated(_PAGE, "<!--"),
    "data url": _repeated(_PAGE + '<img src="data:image/png;base64,', "QUJD", '">'),
    "entities": _repeated(_PAGE + "<p>", "&amp;&#65;&nosuch;", "</p>"),
    "scripts": _repeated(_PAGE, "<script>a</script>"),
    "meta": _repeated("<html><head>", '<meta name="citation_author" content="Moor, A{n}">', f"</head><body>{_BODY}"),
    "linked data": _repeated('<html><head><script type="application/ld+json">', '{"a":', "</script></head>", close="}"),
    "headings": _repeated(_PAGE, "<h2>Part {n}</h2><p>Kites fly.</p>"),
    "lists": _repeated(_PAGE, "<ul><li>", close="</ul>"),
    "links": _repeated(_PAGE, '<a href="b">a</a> '),
    "mathml": _repeated(_PAGE + "<math><mrow>", "<mi>x</mi><mo>+</mo>", "</mrow></math>"),
    "deep mathml": _repeated(_PAGE + "<math>", "<msup><mi>x</mi>", close="</msup>"),
    "formulas": _repeated(_PAGE, "<math><mfrac><mi>x</mi><mn>2</mn></mfrac></math> "),
    "claims": _repeated(
        '<html><body><article itemscope itemtype="http://schema.org/ScholarlyArticle"><section itemprop="claims">',
        '<div class="claim" num="{n}"><div class="claim-text">A kite.</div></div>',
    ),
    "end tags": _repeated(_PAGE, "</div></p>"),
    "open tags": _repeated(_PAGE, "<a"),
    "quotes": _repeated(_PAGE, '<a b="'),
}

_JATS = "<article><front><article-meta><title-group><article-title>A</article-title></title-group>"
_TEI = '<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader/><text><body>'
_ST36 = '<patent-document country="EP" doc-number="1" kind="A1" lang="EN"><bibliographic-data>'
_XML: dict[str, Maker] = {
    "attributes": _repeated("<article", ' a{n}=""', "><body><p>a</p></body></article>"),
    "names": _repeated("<article", ' xmlns:a{n}="b"', "><body><p>a</p></body></article>"),
    "named elements": _repeated("<article><body>", '<a{n}:p xmlns:a{n}="b"/>', "</body></article>"),
    "articles": _repeated(
        "<pmc-articleset>", f"{_JATS}</article-meta></front><body><p>a</p></body></article>", "</pmc-articleset>"
    ),
    "broken articles": _repeated("<pmc-articleset>", "<article><front></article>", "</pmc-articleset>"),
    "characters": _repeated("<article><body><p>", "&alpha;&nosuch;", "</p></body></article>"),
    "one text": _repeated("<article><body><p>", "kite drum ", "</p></body></article>"),
    "one word": _repeated("<article><body><p>", "kite", "</p></body></article>"),
    "data": _repeated("<article><body><p>", "<![CDATA[a]]>", "</p></body></article>"),
    "instructions": _repeated("<article><body><p>", "<?a b?>", "</p></body></article>"),
    "authors": _repeated(
        f"{_JATS}<contrib-group>",
        '<contrib contrib-type="author"><name><surname>A{n}</surname></name></contrib>',
        "</contrib-group></article-meta></front></article>",
    ),
    "affiliations": _repeated(
        f"{_JATS}", '<aff id="a{n}">A</aff><xref ref-type="aff" rid="a{n}"/>', "</article-meta></front></article>"
    ),
    "references": _repeated(
        "<article><back><ref-list>",
        "<ref><mixed-citation>Moor A. Kites {n}. 1999.</mixed-citation></ref>",
        "</ref-list></back></article>",
    ),
    "tables": _repeated(
        "<article><body><table-wrap><table>", "<tr><td>a</td></tr>", "</table></table-wrap></body></article>"
    ),
    "sections": _repeated(
        "<article><body>", "<sec><title>Part {n}</title><p>Kites fly.</p></sec>", "</body></article>"
    ),
    "inline": _repeated("<article><body><p>", "<italic>a</italic> ", "</p></body></article>"),
    "formulas": _repeated("<article><body><p>", "<tex-math>a</tex-math><sup>2</sup>", "</p></body></article>"),
    "tei paragraphs": _repeated(
        _TEI, "<div><head>Part {n}</head><p><s>Kites fly.</s></p></div>", "</body></text></TEI>"
    ),
    "tei works": _repeated(
        "<TEI><teiHeader/><text><back><listBibl>",
        "<biblStruct><analytic><title>A{n}</title></analytic></biblStruct>",
        "</listBibl></back></text></TEI>",
    ),
    "patent parties": _repeated(
        f"{_ST36}<parties><applicants>",
        '<applicant sequence="{n}"><addressbook><name>A</name></addressbook></applicant>',
        "</applicants></parties></bibliographic-data></patent-document>",
    ),
    "patent claims": _repeated(
        f'{_ST36}</bibliographic-data><claims lang="EN">',
        '<claim num="{n}"><claim-text>A kite.</claim-text></claim>',
        "</claims></patent-document>",
    ),
    "patents": _repeated(
        "", "<?xml version='1.0'?>\n<us-patent-grant><us-bibliographic-data-grant/></us-patent-grant>\n"
    ),
    "roots": _repeated("", "<article/>\n"),
    "unclosed": _repeated("<article><body>", "<sec><p>a"),
}

_TABLES: dict[str, Maker] = {
    "deep.json": _repeated('{"title": "A", "a": ', "[", "1", close="]"),
    "keys.json": _repeated('{"title": "A"', ', "key{n}": 1', "}"),
    "long key.json": _repeated('{"', "k", '": 1, "title": "A"}'),
    "authors.json": _repeated('{"title": "A", "authors": [{"name": "A"}', ', {"name": "Ada Moor {n}"}', "]}"),
    "records.json": _repeated('[{"title": "A"}', ', {"title": "A {n}", "abstract": "Kites fly."}', "]"),
    "lines.jsonl": _repeated("", '{"title": "A {n}", "abstract": "Kites fly."}\n'),
    "broken lines.jsonl": _repeated('{"title": "A"}\n', "{\n"),
    "works.jsonl": _repeated('{"title": "A", "references": ["a"', ', "W{n}"', "]}\n"),
    "inverted.jsonl": _repeated('{"title": "A", "abstract_inverted_index": {"a": [0]', ', "k{n}": [{n}]', "}}\n"),
    "far places.jsonl": _repeated(
        '{"title": "A", "abstract_inverted_index": {"a": [0]', ', "k{n}": [99999999]', "}}\n"
    ),
    "columns.csv": _repeated("title", ",a{n}", "\nA\n"),
    "same columns.csv": _repeated("title", ",title", "\nA\n"),
    "commas.csv": _repeated("title,abstract\nA", ",", "\n"),
    "cell.csv": _repeated('title,abstract\nA,"', "kite drum ", '"\n'),
    "open cell.csv": _repeated('title,abstract\nA,"', "kite\n"),
    "rows.csv": _repeated("title,abstract\n", "A {n},Kites fly.\n"),
    "short rows.csv": _repeated("title,abstract\n", "A,b,c,d\n"),
    "authors.csv": _repeated("title,authors\nA,", "Moor A{n}; ", "\n"),
    "tabs.tsv": _repeated("title\tabstract\nA\t", "\t", "\n"),
}

_REFERENCES: dict[str, Maker] = {
    "authors.ris": _repeated("TY  - JOUR\nTI  - A\n", "AU  - Moor, A{n}\n", "ER  - \n"),
    "tags.ris": _repeated("TY  - JOUR\nTI  - A\n", "N1  - a\n", "ER  - \n"),
    "records.ris": _repeated("", "TY  - JOUR\nTI  - A {n}\nER  - \n"),
    "open records.ris": _repeated("", "TY  - JOUR\nTI  - A\n"),
    "continued.ris": _repeated("TY  - JOUR\nTI  - A\nAB  - ", "kite\n", "ER  - \n"),
    "keywords.ris": _repeated("TY  - JOUR\nTI  - A\nKW  - ", "a; ", "\nER  - \n"),
    "authors.nbib": _repeated("PMID- 1\nTI  - A\n", "FAU - Moor, A{n}\nAU  - Moor A\n", "\n"),
    "records.nbib": _repeated("", "PMID- {n}\nTI  - A\n\n"),
    "authors.enw": _repeated("%0 Journal Article\n%T A\n", "%A Moor, A{n}\n"),
    "records.enw": _repeated("", "%0 Journal Article\n%T A {n}\n\n"),
    "authors.ciw": _repeated("FN Clarivate\nVR 1.0\nPT J\nTI A\nAU Moor, A\n", "   Moor, A{n}\n", "ER\nEF\n"),
    "parents.bib": lambda times: "".join(
        f"@inbook{{a{n}, crossref = {{a{n + 1}}}}}\n" for n in range(min(times, 200_000))
    ).encode(),
    "one parent.bib": _repeated("@book{p, title = {A}}\n", "@inbook{a{n}, title = {A}, crossref = {p}}\n"),
    "doubling strings.bib": lambda times: (
        '@string{s0 = "kite"}\n'
        + "".join(f"@string{{s{n} = s{n - 1} # s{n - 1}}}\n" for n in range(1, min(times, 9_000)))
        + "@article{a, title = s60, abstract = s100}\n"
    ).encode(),
    "joined.bib": _repeated('@string{s = "kite drum "}\n@article{a, title = s', " # s", "}\n"),
    "fields.bib": _repeated("@article{a, title = {A}", ", f{n} = {b}", "}\n"),
    "authors.bib": _repeated("@article{a, title = {A}, author = {Ada Moor", " and Ada Moor{n}", "}}\n"),
    "entries.bib": _repeated("", "@article{a{n}, title = {A}}\n"),
    "commands.bib": _repeated("@article{a, title = {", '{\\"a}', "}}\n"),
    "comments.bib": _repeated("", "@comment{a}\n", "@article{a, title = {A}}\n"),
}

_TEX = "\\documentclass{article}\n"
_BEGIN, _END = "\\begin{document}\\title{A}\\maketitle\n", "\\end{document}\n"


def _doubling(times: int) -> bytes:
    """Macros each of which holds the one before twice."""
    named = [f"\\{'x' * (n % 60 + 1)}{chr(97 + n // 60 % 26)}" for n in range(min(times, 1_500))]
    lines = [f"\\newcommand{{{one}}}{{{before}{before}}}" for before, one in pairwise(named)]
    return (
        f"{_TEX}\\newcommand{{{named[0]}}}{{kite}}\n"
        + "\n".join(lines)
        + f"{_BEGIN}{named[-1]} {named[min(40, len(named) - 1)]}{_END}"
    ).encode()


_LATEX: dict[str, Maker] = {
    "doubling macros": _doubling,
    "macros": lambda times: (
        _TEX
        + "".join(
            f"\\def\\m{''.join(chr(97 + int(digit)) for digit in str(n))}{{kite}}" for n in range(min(times, 300_000))
        )
        + _BEGIN
        + _END
    ).encode(),
    "arguments": _repeated(f"{_TEX}\\newcommand{{\\a}}[1]{{#1#1}}{_BEGIN}", "\\a{", "kite" + _END, close="}"),
    "own input": _repeated(f"{_TEX}{_BEGIN}", "\\input{own-input}", _END),
    "groups": _repeated(f"{_TEX}{_BEGIN}", "{", _END, close="}"),
    "environments": _repeated(f"{_TEX}{_BEGIN}", "\\begin{itemize}\\item a", _END, close="\\end{itemize}"),
    "formulas": _repeated(f"{_TEX}{_BEGIN}", "$x^{2}$ ", _END),
    "displays": _repeated(f"{_TEX}{_BEGIN}", "\\[ x \\]\n", _END),
    "cites": _repeated(f"{_TEX}{_BEGIN}", "\\cite{a{n}} ", _END),
    "sections": _repeated(f"{_TEX}{_BEGIN}", "\\section{Part {n}} Kites fly.\n", _END),
    "items": _repeated(
        f"{_TEX}{_BEGIN}\\begin{{thebibliography}}{{9}}", "\\bibitem{a{n}} Moor.\n", "\\end{thebibliography}" + _END
    ),
    "authors": _repeated(f"{_TEX}\\author{{A", " \\and Moor {n}", f"}}{_BEGIN}{_END}"),
    "tables": _repeated(f"{_TEX}{_BEGIN}\\begin{{tabular}}{{l}}", "a & b \\\\\n", "\\end{tabular}" + _END),
    "comments": _repeated(f"{_TEX}{_BEGIN}", "a % b\n", _END),
    "verbatim": _repeated(f"{_TEX}{_BEGIN}", "\\verb|a| ", _END),
    "conditions": _repeated(f"{_TEX}{_BEGIN}", "\\iffalse ", _END, close="\\fi "),
    "one text": _repeated(f"{_TEX}{_BEGIN}", "kite drum ", _END),
    "accents": _repeated(f"{_TEX}{_BEGIN}", "\\'e\\\"{o}", _END),
}

_TEXT: dict[str, Maker] = {
    "quotes.md": _repeated("# A Kite\n\n", "> ", "a\n"),
    "lines of quotes.md": _repeated("# A Kite\n\n", "> > > a\n"),
    "links.md": _repeated("# A Kite\n\n", "[a](b{n}) "),
    "open links.md": _repeated("# A Kite\n\n", "[a]("),
    "references.md": _repeated("# A Kite\n\n", "[a{n}]: b\n"),
    "pictures.md": _repeated("# A Kite\n\n", "![a](b) "),
    "emphasis.md": _repeated("# A Kite\n\n", "**a _b_** "),
    "open emphasis.md": _repeated("# A Kite\n\n", "**a "),
    "code.md": _repeated("# A Kite\n\n", "```\na\n```\n"),
    "tables.md": _repeated("# A Kite\n\n| a | b |\n|---|---|\n", "| a | b |\n"),
    "headings.md": _repeated("# A Kite\n\n", "## Part {n}\n\nKites fly.\n\n"),
    "lists.md": _repeated("# A Kite\n\n", "- a\n"),
    "deep lists.md": lambda times: (
        "# A Kite\n\n" + "".join(" " * n + "- a\n" for n in range(min(times, 4_000)))
    ).encode(),
    "notes.md": _repeated("# A Kite\n\n", "a[^{n}]\n\n[^{n}]: b\n\n"),
    "markup.md": _repeated("# A Kite\n\n", "<b>a</b>"),
    "front.md": _repeated("---\ntitle: A\n", "k{n}: a\n", "---\n# A\n"),
    "deep front.md": lambda times: (
        "---\n" + "".join(" " * n + f"k{n}:\n" for n in range(min(times, 4_000))) + "---\n# A\n"
    ).encode(),
    "aliases.md": lambda times: (
        "---\na0: &a0 [kite, kite]\n"
        + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, min(times, 60)))
        + "title: *a40\n---\n# A\n"
    ).encode(),
    "sections.txt": _repeated("A Kite\n\n", "{n}. Part\n\nKites fly over the lake.\n\n"),
    "claims.txt": _repeated("A Kite\n\nWhat is claimed is:\n\n", "{n}. A kite of claim 1.\n"),
    "sentences.txt": _repeated("A Kite\n\nAbstract\n\n", "The kite {n} lifts a drum. "),
    "lines.txt": _repeated("A Kite\n\n", "kite\n"),
    "hyphens.txt": _repeated("A Kite\n\n", "ki-\nte "),
    "contents.txt": _repeated("A Kite\n\n", "Part {n} ........ {n}\n"),
    "listed.txt": _repeated("A Kite\n\nReferences\n\n", "[{n}] Moor, A. Kites. 1999.\n"),
    "pubmed.txt": _repeated("", "{n}. Kites. 1999;1(1):1-2.\n\nA kite.\n\nMoor A.\n\nKites fly.\n\nPMID: {n}\n\n\n"),
    "bulk.greenbook": _repeated("", "PATN\nWKU  0{n}\nTTL  A\nABST\nPAL  Kites fly.\n"),
    "claims.greenbook": _repeated("PATN\nWKU  039305848\nTTL  A\nCLMS\n", "NUM  {n}.\nPAR  {n}. A kite.\n"),
    "paragraphs.greenbook": _repeated("PATN\nWKU  039305848\nTTL  A\nDETD\n", "PAR  Kites fly.\n     on and on\n"),
}

FAMILIES: dict[str, tuple[str, dict[str, Maker]]] = {
    "many in docx": ("docx", _DOCX),
    "many in pages": ("html", _WEB),
    "many in xml": ("xml", _XML),
    "many in tables": ("", _TABLES),
    "many in references": ("", _REFERENCES),
    "many in latex": ("tex", _LATEX),
    "many in text": ("", _TEXT),
}
"""Each family with the ending of its files, which a maker's name may hold instead, and what makes them."""
