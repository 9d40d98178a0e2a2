"""Hostile inputs by kind: made from a seed, each well under 10 MB, and readable files damaged at random."""

from __future__ import annotations

import io
import json
import random
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tests.hostile import many
from tests.reading.docx.writer import docx, paragraph
from tests.reading.pdf import papers
from tests.reading.pdf.writer import PdfWriter, whole_file

_MOST_BYTES = 9_500_000
_WORDS = "kite winch tether drum generator battery lift drag wind wing".split()


@dataclass(frozen=True)
class Input:
    """A file to read: what kind it is, its name and its bytes."""

    kind: str
    name: str
    data: bytes


Make = Callable[[random.Random], tuple[str, bytes]]


def inputs(count: int, seed: int) -> Iterator[Input]:
    """Inputs of each kind in turn, the same for the same seed."""
    drawn = random.Random(seed)
    kinds = list(KINDS.items())
    for number in range(count):
        kind, make = kinds[number % len(kinds)]
        name, data = make(drawn)
        yield Input(kind, f"{number}-{name}", data[:_MOST_BYTES])


def largest(kind: str) -> Iterator[Input]:
    """The largest input of each maker of a family of `many`, each a kind of its own."""
    return (Input(name, name, data[:_MOST_BYTES]) for name, data in many.largest(kind))


def _text(drawn: random.Random, words: int) -> str:
    return " ".join(drawn.choice(_WORDS) for _ in range(words))


def _samples(drawn: random.Random) -> list[tuple[str, bytes]]:
    """A readable file of each format."""
    body = _text(drawn, 60).capitalize() + "."
    return [
        ("a.pdf", papers.one_column().data()),
        ("a.docx", docx(paragraph("A Kite", "Title"), paragraph(body))),
        (
            "a.xml",
            f"<article><front><article-title>A</article-title></front><body><p>{body}</p></body></article>".encode(),
        ),
        (
            "a.xml",
            f"<TEI><teiHeader/><text><body><div><head>One</head><p>{body}</p></div></body></text></TEI>".encode(),
        ),
        ("a.tex", f"\\documentclass{{article}}\\begin{{document}}\\section{{One}} {body}\\end{{document}}".encode()),
        (
            "a.bib",
            f"@article{{a, title = {{A Kite}}, author = {{Ada Moor and Ben Strand}}, abstract = {{{body}}}}}".encode(),
        ),
        ("a.ris", f"TY  - JOUR\nTI  - A Kite\nAU  - Moor, Ada\nAB  - {body}\nER  - \n".encode()),
        ("a.jsonl", (json.dumps({"title": "A Kite", "abstract": body}) + "\n").encode()),
        ("a.csv", f"title,abstract\nA Kite,{body}\n".encode()),
        ("a.md", f"# A Kite\n\n## Abstract\n\n{body}\n".encode()),
        ("a.txt", f"A Kite\n\nAbstract\n\n{body}\n\n1. Introduction\n\n{body}\n".encode()),
        (
            "a.greenbook",
            f"PATN\nWKU  039305848\nTTL  A kite\nABST\nPAL  {body}\nCLMS\nNUM  1.\nPAR  1. A kite.\n".encode(),
        ),
        (
            "a.html",
            f"<html><head><title>A Kite</title></head><body><h1>A Kite</h1><p>{body}</p></body></html>".encode(),
        ),
        ("a.parquet", _parquet([{"title": "A Kite", "abstract": body}])),
    ]


def _parquet(rows: list[dict[str, str]], **options: object) -> bytes:
    import pyarrow
    import pyarrow.parquet

    file = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), file, **options)
    return file.getvalue()


def _mutated(drawn: random.Random) -> tuple[str, bytes]:
    """A readable file with bytes changed, put in, taken out or doubled."""
    name, data = drawn.choice(_samples(drawn))
    changed = bytearray(data)
    for _ in range(drawn.randint(1, 12)):
        at = drawn.randrange(len(changed) + 1)
        how, length = drawn.randrange(4), drawn.randint(1, 40)
        if how == 0:
            changed[at : at + length] = drawn.randbytes(length)
        elif how == 1:
            changed[at:at] = (
                drawn.choice([b"\x00", b"<", b"{", b"\\", b'"', b"9" * 5000, b"\xff\xfe", b"]]>", b"&"]) * length
            )
        elif how == 2:
            del changed[at : at + length]
        else:
            changed[at:at] = changed[at : at + length * 50]
    return name, bytes(changed)


def _truncated(drawn: random.Random) -> tuple[str, bytes]:
    name, data = drawn.choice(_samples(drawn))
    return name, data[: drawn.randrange(len(data))]


def _misnamed(drawn: random.Random) -> tuple[str, bytes]:
    (_, data), (name, _) = drawn.sample(_samples(drawn), 2)
    return name, data


def _mixed(drawn: random.Random) -> tuple[str, bytes]:
    """One file's start and another's end."""
    (name, head), (_, tail) = drawn.sample(_samples(drawn), 2)
    return name, head[: drawn.randrange(len(head))] + tail[drawn.randrange(len(tail)) :]


def _encoded(drawn: random.Random) -> tuple[str, bytes]:
    name, data = drawn.choice(_samples(drawn)[2:13])
    coding = drawn.choice(["utf-16", "utf-16-le", "utf-32", "latin-1", "cp037", "utf-7"])
    mark = drawn.choice([b"", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"])
    return name, mark + (data.decode() + "äöü\u202e\u0000").encode(coding, "replace")


_OPENERS: dict[str, tuple[tuple[bytes, bytes, bytes, bytes], ...]] = {
    "a.xml": (
        (b"<article><body>", b"<sec>", b"</sec>", b"</body></article>"),
        (b"<TEI><text>", b"<div>", b"</div>", b"</text></TEI>"),
        (b"<article><body>", b"<p/>", b"", b"</body></article>"),
        (b"<article>", b"<!--", b"", b"</article>"),
        (b"<article><p>", b"&amp;", b"", b"</p></article>"),
        (b"<!DOCTYPE article [", b"<!ENTITY a 'a'>", b"", b"]><article/>"),
        (b"<pmc-articleset>", b"<article><front/></article>", b"", b"</pmc-articleset>"),
        (b"<?xml version='1.0'?><us-patent-grant>", b"<claim/>", b"", b"</us-patent-grant>"),
    ),
    "a.json": ((b"[", b"[", b"]", b"]"), (b"", b'{"a":', b"}", b"1"), (b'{"title": ', b"9", b"", b"}")),
    "a.jsonl": ((b"", b'{"title":"A"}\n', b"", b""), (b"", b"{}\n", b"", b""), (b'{"title":"', b"a ", b"", b'"}')),
    "a.tex": (
        (b"\\documentclass{article}\\begin{document}", b"{", b"}", b"\\end{document}"),
        (b"\\documentclass{article}\\begin{document}", b"\\section{A}", b"", b"\\end{document}"),
        (b"\\documentclass{article}", b"\\newcommand{\\a}{\\a\\a}", b"", b"\\begin{document}\\a\\end{document}"),
        (b"\\documentclass{article}\\begin{document}", b"\\begin{a}", b"", b"\\end{document}"),
        (b"\\documentclass{article}\\begin{document}", b"$", b"", b"\\end{document}"),
        (b"\\documentclass{article}\\begin{document}", b"%\n", b"", b"\\end{document}"),
    ),
    "a.bib": (
        (b"@article{a, title = ", b"{", b"}", b"}"),
        (b"", b"@article{a,\n", b"", b""),
        (b"", b'@string{a = "b"}\n', b"", b""),
    ),
    "a.ris": (
        (b"TY  - JOUR\n", b"AU  - A\n", b"", b"ER  - \n"),
        (b"", b"TY  - JOUR\n", b"", b""),
        (b"TY  - JOUR\nTI  - ", b". ", b"", b""),
    ),
    "a.csv": (
        (b"title,abstract\n", b"A,B\n", b"", b""),
        (b"title\n", b'"', b"", b""),
        (b"title", b",a", b"", b"\nA\n"),
    ),
    "a.md": (
        (b"# A\n\n", b"> ", b"", b"a"),
        (b"# A\n\n", b"[", b"]", b"(a)"),
        (b"# A\n\n", b"*a ", b"", b""),
        (b"# A\n\n", b"- ", b"", b"a"),
        (b"", b"# A\n\n", b"", b""),
        (b"---\ntitle: ", b"a: ", b"", b"\n---\n# A\n"),
        (b"# A\n\n", b"`", b"", b"a"),
        (b"# A\n\n", b"<a ", b"", b""),
        (b"# A\n\n", b"|a", b"", b"|\n"),
    ),
    "a.txt": (
        (b"A Kite\n\nAbstract\n\n", b"a. ", b"", b""),
        (b"A Kite\n\n", b"1. Introduction\n\nText.\n\n", b"", b""),
        (b"", b"What is claimed is:\n\n1. A kite.\n", b"", b""),
        (b"", b"A", b"", b""),
        (b"", b" ", b"", b"a"),
        (b"", b"\n", b"", b"a"),
        (b"", b"Ada Moor, ", b"", b""),
    ),
    "a.greenbook": (
        (b"PATN\nWKU  039305848\nTTL  A\n", b"INVT\nNAM  A; B\n", b"", b""),
        (b"PATN\nWKU  039305848\nSRC  ", b"9", b"", b"\nTTL  A\n"),
        (b"", b"PATN\nWKU  039305848\nTTL  A\n", b"", b""),
    ),
    "a.html": (
        (b"<html><body>", b"<div>", b"</div>", b"</body></html>"),
        (b"<html><body>", b"<p>a", b"", b""),
        (b"<html>", b"<a ", b"", b""),
    ),
}


def _nested(drawn: random.Random) -> tuple[str, bytes]:
    """One piece of a format, again and again: deep where it has an end, long where it has none."""
    name = drawn.choice(list(_OPENERS))
    before, opened, closed, after = drawn.choice(_OPENERS[name])
    times = min(drawn.choice([150, 1_000, 20_000, 300_000, 2_000_000]), 9_000_000 // (len(opened) + len(closed)))
    return name, before + opened * times + closed * times + after


def _long_run(drawn: random.Random) -> tuple[str, bytes]:
    """A readable file with a long run of one or two characters in it."""
    name, data = drawn.choice(_samples(drawn)[2:13])
    run = "".join(drawn.choices("aA1 .,;:-_()[]{}\\\"'$%*#@=\n\tЖ中é–•", k=drawn.randint(1, 3)))
    at = drawn.choice([data.find(b"Kite"), data.find(b"kite"), len(data) // 2, len(data)])
    return name, data[:at] + run.encode() * drawn.choice([10_000, 100_000, 1_000_000]) + data[at:]


def _number(drawn: random.Random) -> tuple[str, bytes]:
    """A number that no document needs."""
    digits = drawn.choice(["9" * 4_301, "9" * 500_000, "1e999", "-1", "NaN", "99999999999999999999", "٣" * 9, "²²²²"])
    makers = [
        ("a.jsonl", f'{{"title": "A", "year": {digits}}}'),
        ("a.csv", f"title,year\nA,{digits}\n"),
        ("a.bib", f"@article{{a, title = {{A}}, year = {digits}}}"),
        ("a.ris", f"TY  - JOUR\nTI  - A\nPY  - {digits}\nER  - \n"),
        ("a.greenbook", f"PATN\nWKU  {digits}\nSRC  {digits}\nAPN  {digits}\nISD  {digits}\nTTL  A\n"),
        ("a.xml", f"<article><front><pub-date><year>{digits}</year></pub-date></front><body><p>A</p></body></article>"),
        ("a.txt", f"A\n\n{digits}. Introduction\n\nText.\n\n1.-{digits}. (canceled)\n"),
        (
            "a.tex",
            f"\\documentclass{{article}}\\begin{{document}}\\def\\a#{digits}{{A}}\\vspace{{{digits}}}\\end{{document}}",
        ),
    ]
    name, text = drawn.choice(makers)
    return name, text.encode()


def _pdf(content: bytes, *, filters: int = 1, resources: str = "", more: tuple[str, ...] = ()) -> bytes:
    for _ in range(filters):
        content = zlib.compress(content, 9)
    listed = " ".join(["/FlateDecode"] * filters)
    font = "/Font << /F1 5 0 R >>"
    return whole_file(
        [
            "<< /Type /Catalog /Pages 2 0 R >>",
            "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << {font} {resources} >> >>",
            f"<< /Length {len(content)} /Filter [{listed}] >>\nstream\n{content.decode('latin-1')}\nendstream",
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            *more,
        ],
        "",
    )


def _hostile_pdf(drawn: random.Random) -> tuple[str, bytes]:
    """Bombs: unpacked, nested, called, drawn, listed."""
    which = drawn.randrange(5)
    if which == 0:
        return "a.pdf", _pdf(b" " * drawn.choice([30_000_000, 200_000_000]), filters=drawn.choice([1, 2, 3]))
    if which == 1:
        pieces = drawn.choice([50_000, 400_000, 3_000_000])
        return "a.pdf", _pdf(b"BT /F1 9 Tf 9 700 Td " + b"(a) Tj 1 0 Td " * pieces + b"ET")
    if which == 2:
        depth, times = drawn.choice([(1, 2), (8, 4), (12, 10)])
        forms = []
        for place in range(depth):
            called = 6 + (place + 1 if place + 1 < depth else drawn.choice([0, place]))
            body = "/X Do " * times + "BT /F1 9 Tf 9 9 Td (word) Tj ET"
            head = f"/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << /XObject << /X {called} 0 R >> >>"
            forms.append(f"<< {head} /Length {len(body)} >>\nstream\n{body}\nendstream")
        return "a.pdf", _pdf(b"/X Do", resources="/XObject << /X 6 0 R >>", more=tuple(forms))
    writer = PdfWriter()
    for _ in range(drawn.choice([1, 5, 40])):
        writer.page()
        lines = drawn.choice([200, 5_000, 20_000]) // (1 if which == 3 else 10)
        writer.pages[-1] += [
            f"BT /regular 8 Tf 1 0 0 1 {drawn.randint(0, 500)} {drawn.random() * 800:.2f} Tm (a word) Tj ET"
            for _ in range(lines)
        ]
    return "a.pdf", writer.data()


def _hostile_docx(drawn: random.Random) -> tuple[str, bytes]:
    """Many paragraphs, styles, tables or members, and members that unpack to much."""
    which = drawn.randrange(4)
    times = drawn.choice([1_000, 50_000, 250_000])
    if which == 0:
        return "a.docx", docx(*[paragraph("a")] * times)
    if which == 1:
        styles = "".join(
            f'<w:style w:styleId="s{n}"><w:name w:val="s{n}"/><w:basedOn w:val="s{n + 1}"/></w:style>'
            for n in range(times)
        )
        space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
        return "a.docx", docx(paragraph("a", "s1"), parts={"word/styles.xml": f"<w:styles {space}>{styles}</w:styles>"})
    if which == 2:
        return "a.docx", docx(paragraph(" " * drawn.choice([1_000_000, 100_000_000])))
    file = io.BytesIO(docx(paragraph("a")))
    with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as archive:
        for number in range(min(times, 50_000)):
            archive.writestr(f"word/media/{number}.bin", b"")
    return "a.docx", file.getvalue()


def _hostile_parquet(drawn: random.Random) -> tuple[str, bytes]:
    """Many rows of one value, and long cells, which pack to nothing."""
    rows, length = drawn.choice([(2_000_000, 1), (200, 1_000_000), (50_000, 2_000)])
    import pyarrow
    import pyarrow.parquet

    cells = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0] * rows, pyarrow.int32()), ["a" * length])
    file = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table({"title": cells}), file, compression=drawn.choice(["zstd", "snappy"]))
    return "a.parquet", file.getvalue()


KINDS: dict[str, Make] = {
    "mutated": _mutated,
    "truncated": _truncated,
    "wrong name": _misnamed,
    "mixed": _mixed,
    "encoding": _encoded,
    "nested or repeated": _nested,
    "long run": _long_run,
    "number": _number,
    "pdf": _hostile_pdf,
    "docx": _hostile_docx,
    "parquet": _hostile_parquet,
    **{family: many.drawn_from(family) for family in many.FAMILIES},
}
