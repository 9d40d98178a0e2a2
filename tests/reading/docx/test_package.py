"""The archive of a DOCX file: its parts are read within limits, and what is damaged is refused."""

from __future__ import annotations

import io
import struct
import time
import zipfile

import pytest

from engine.core.errors import (
    EncryptedFileError,
    InputTooLargeError,
    MalformedFileError,
    TruncatedFileError,
    UnsafeXmlError,
    UnsupportedFormatError,
)
from engine.documents import Section
from engine.reading.dispatch import read_bytes
from engine.reading.limits import Limits
from tests.reading.docx.papers import ABSTRACT, METHOD, PAPER, TITLE, read
from tests.reading.docx.writer import STYLES, archive, document, docx, paragraph


def test_an_encrypted_docx() -> None:
    wrapped = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600) + "EncryptedPackage".encode("utf-16-le") + bytes(600)
    for data, name in ((wrapped, "a.bin"), (wrapped[:300], "a.docx")):
        with pytest.raises(EncryptedFileError, match=f"Expected a file without a password in {name}; it is encrypted"):
            read_bytes(data, name)


def test_an_encrypted_member() -> None:
    data = bytearray(PAPER)
    at = data.rindex(b"PK\x01\x02", 0, data.rindex(b"word/document.xml"))
    data[at + 8] |= 1
    with pytest.raises(
        EncryptedFileError, match=r"Expected a file without a password in a\.docx; it is encrypted\. Open"
    ):
        read(bytes(data))


@pytest.mark.parametrize("kept", [0.3, 0.6, 0.9])
def test_a_truncated_docx(kept: float) -> None:
    with pytest.raises(TruncatedFileError, match=r"Expected a\.docx to end with its list of members; it stops before"):
        read(PAPER[: int(len(PAPER) * kept)])


def test_a_damaged_docx() -> None:
    data = bytearray(PAPER)
    at = data.index(b"word/document.xml") + len("word/document.xml") + 5
    data[at : at + 40] = bytes(40)
    with pytest.raises(MalformedFileError, match=r"Expected a whole DOCX in a\.docx; it is damaged \("):
        read(bytes(data))


def test_a_damaged_list_of_members() -> None:
    data = bytearray(PAPER)
    at = data.rindex(b"PK\x05\x06")
    struct.pack_into("<L", data, at + 16, 0xFFFFFF)
    with pytest.raises(MalformedFileError, match=r"it is damaged"):
        read(bytes(data))


def test_an_unknown_way_of_packing() -> None:
    data = bytearray(PAPER)
    at = data.rindex(b"PK\x01\x02", 0, data.rindex(b"word/document.xml"))
    struct.pack_into("<H", data, at + 10, 99)
    with pytest.raises(MalformedFileError, match=r"it is damaged \(packed by method 99, which no DOCX uses"):
        read(bytes(data))


def test_a_bomb() -> None:
    data = archive({"word/document.xml": document(paragraph("a" * (64 << 20)))})
    begun = time.perf_counter()
    with pytest.raises(
        InputTooLargeError,
        match=r"Expected word/document\.xml of a\.docx to unpack to at most 200 times its packed size, found 64\.0 MiB",
    ):
        read(data)
    assert time.perf_counter() - begun < 2


def test_all_members_that_are_read_unpack_from_one_budget() -> None:
    text = "".join(chr(97 + (number * number * 7919) % 26) for number in range(400_000))
    data = docx(paragraph(text), parts={"word/styles.xml": f"<styles><!--{text}--></styles>"})
    assert read(data, Limits(max_decoded_bytes=1 << 20)).document.text
    with pytest.raises(InputTooLargeError, match=r"Expected at most 0 MiB once unpacked in a\.docx, it holds more"):
        read(data, Limits(max_decoded_bytes=600_000))


def test_a_member_that_lies_about_its_size() -> None:
    data = bytearray(archive({"word/document.xml": document(paragraph("a" * (8 << 20)))}))
    at = data.rindex(b"PK\x01\x02", 0, data.rindex(b"word/document.xml"))
    struct.pack_into("<L", data, at + 24, 1000)
    with pytest.raises((MalformedFileError, TruncatedFileError)):
        read(bytes(data))


def test_ten_thousand_members() -> None:
    data = archive(
        {"word/document.xml": document(TITLE), **{f"word/media/{number}.png": "" for number in range(10_000)}}
    )
    with pytest.raises(InputTooLargeError, match=r"Expected at most 5,000 members in a\.docx, found 10,002"):
        read(data)


def test_members_with_odd_paths_are_never_touched() -> None:
    data = docx(TITLE, *METHOD, parts={"../../etc/passwd": "x", "/abs": "x", "word/embeddings/a.zip": "x"})
    assert read(data).document.title == "Kettles that do not whistle"


@pytest.mark.parametrize("part", ["word/document.xml", "word/styles.xml", "docProps/core.xml"])
def test_entities_are_refused_in_every_part(part: str) -> None:
    bomb = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'
    with pytest.raises(UnsafeXmlError, match=f"{part} of a.docx"):
        read(docx(*ABSTRACT, *METHOD, parts={part: bomb}))


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"xl/workbook.xml": ""}, r"an Excel file \(XLSX\)\. Save its table as CSV"),
        ({"mimetype": "application/vnd.oasis.opendocument.text"}, r"a ZIP archive\. Unpack it first"),
        ({"word/notes.txt": "a folder of mine"}, r"it is a ZIP archive\. Unpack it first"),
    ],
)
def test_other_archives_say_what_to_do(parts: dict[str, str], said: str) -> None:
    with pytest.raises(UnsupportedFormatError, match=said):
        read_bytes(archive(parts), "a.zip")


def relations(*targets: tuple[str, str]) -> str:
    """A list of relations, each by the end of its type and its target."""
    kinds = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    each = "".join(f'<Relationship Type="{kinds}/{kind}" Target="{target}"/>' for kind, target in targets)
    return f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{each}</Relationships>'


@pytest.mark.parametrize(
    ("target", "styles"), [("word/document2.xml", "styles2.xml"), ("/word/document2.xml", "/word/styles2.xml")]
)
def test_the_main_part_may_have_another_name(target: str, styles: str) -> None:
    parts = {
        "_rels/.rels": relations(("extended-properties", "docProps/app.xml"), ("officeDocument", target)),
        "word/document2.xml": document(TITLE, *ABSTRACT, *METHOD),
        "word/_rels/document2.xml.rels": relations(("styles", styles)),
        "word/styles2.xml": STYLES,
    }
    reading = read(archive(parts))
    assert (reading.format, reading.document.title) == ("docx", "Kettles that do not whistle")
    assert reading.document.sections == (Section("Method", "A lid rests on a seal."),)


@pytest.mark.parametrize("target", ["word/../secret.xml", "../word/a.xml", "secret.xml", "word/none.xml", ""])
def test_a_main_part_is_looked_for_in_its_folder_only(target: str) -> None:
    text = document(TITLE, *METHOD)
    parts = {"_rels/.rels": relations(("officeDocument", target)), "secret.xml": text, "word/../secret.xml": text}
    with pytest.raises(UnsupportedFormatError, match=r"Expected word/document\.xml in a\.docx, as a DOCX has; it is"):
        read(archive(parts))


def test_an_opendocument_text_says_what_to_do() -> None:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as file:
        file.writestr("mimetype", "application/vnd.oasis.opendocument.text")
    with pytest.raises(UnsupportedFormatError, match=r"an OpenDocument file\. Save it as PDF or paste its text"):
        read_bytes(held.getvalue(), "a.odt")
