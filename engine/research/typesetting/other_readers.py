"""A PDF's whole text as other programs give it, to compare with what our reader gives."""

from __future__ import annotations

import importlib
import importlib.util
import io
import logging
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from typing import NamedTuple

_BROKEN = re.compile(r"(?<=[a-z])-[ \t]*\n\s*(?=[a-z])")
"""A word that a line's end cuts; none of the others joins all of those."""


class OtherReader(NamedTuple):
    """A reader of PDFs: how it reads, and what must be installed for it."""

    read: Callable[[bytes], str]
    program: str = ""
    module: str = ""

    @property
    def is_installed(self) -> bool:
        """Whether this machine has it."""
        return bool(shutil.which(self.program)) if self.program else importlib.util.find_spec(self.module) is not None

    def text(self, data: bytes) -> str:
        """The text of all pages, with words that a line's end cuts made whole."""
        return _BROKEN.sub("", self.read(data))


def _pdftotext(data: bytes, *options: str) -> str:
    command = ["pdftotext", "-enc", "UTF-8", *options, "-", "-"]
    return subprocess.run(command, input=data, capture_output=True, check=True).stdout.decode("utf-8", "replace")


def _pypdf(data: bytes) -> str:
    logging.getLogger("pypdf").setLevel(logging.ERROR)
    reader = importlib.import_module("pypdf").PdfReader(io.BytesIO(data))
    return "\n".join(page.extract_text() for page in reader.pages)


def _pdfminer(data: bytes) -> str:
    logging.getLogger("pdfminer").setLevel(logging.ERROR)
    text: str = importlib.import_module("pdfminer.high_level").extract_text(io.BytesIO(data))
    return text


def _docling_parse(data: bytes) -> str:
    """Its lines of text, in the order in which it gives them (version 2, whose dependencies ours allow)."""
    parser = importlib.import_module("docling_parse.docling_parse").pdf_parser_v2("fatal")
    parser.load_document_from_bytesio("paper", io.BytesIO(data))
    lines: list[str] = []
    for number in range(parser.number_of_pages("paper")):
        for page in parser.parse_pdf_from_key_on_page("paper", number)["pages"]:
            cells = page["sanitized"]["cells"]
            text = cells["header"].index("text")
            lines += (cell[text] for cell in cells["data"])
    return "\n".join(lines)


OTHER_READERS: Mapping[str, OtherReader] = {
    "pdftotext": OtherReader(_pdftotext, program="pdftotext"),
    "pdftotext -layout": OtherReader(lambda data: _pdftotext(data, "-layout"), program="pdftotext"),
    "pypdf": OtherReader(_pypdf, module="pypdf"),
    "pdfminer.six": OtherReader(_pdfminer, module="pdfminer"),
    "docling-parse": OtherReader(_docling_parse, module="docling_parse"),
}
"""The readers that ours is compared with, by their names."""
