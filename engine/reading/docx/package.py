"""The parts of a DOCX file: named members of its archive, each bounded, never unpacked to disk."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from pathlib import PurePosixPath
from xml.etree.ElementTree import Element

from engine.core.errors import (
    EncryptedFileError,
    InputTooLargeError,
    MalformedFileError,
    TruncatedFileError,
    UnsupportedFormatError,
)
from engine.reading.limits import LIMITS, Budget, Limits
from engine.reading.signatures import format_in_archive
from engine.reading.xml.tree import children, parse

PROPERTIES = "docProps/core.xml"
_DOCUMENT = "word/document.xml"
_BESIDE_IT = ("styles", "numbering", "footnotes", "endnotes")
_RELATIONS = "_rels/.rels"
_IN_WORD = re.compile(r"/?(word/[\w.-]+\.xml)")
_BESIDE = re.compile(r"(?:/?word/)?([\w.-]+\.xml)")
_CENTRAL_ENTRY = b"PK\x01\x02"
_ENCRYPTED = 0x1
_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_SMALL = 1 << 20  # a member this small may have any ratio


class DocxFile:
    """An open DOCX; `part` gives one of its members as XML.

    `document` names its main part and `beside` what belongs to that: its styles, lists and notes. These are Word's
    names, or if the main part has another name, those in the file's relations (ECMA-376 part 2, section 9.3). Only
    names within the folder "word" are followed.
    """

    def __init__(self, data: bytes, name: str, limits: Limits = LIMITS) -> None:
        """Open the archive; refuse one that is cut short, too large, or not a DOCX."""
        self._name, self._budget = name, Budget.within(limits, name)
        _require_few(data, name, limits)
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(data))
        except zipfile.BadZipFile as error:
            raise (_damaged(name, error) if b"PK\x05\x06" in data else _cut_short(name)) from None
        except (NotImplementedError, ValueError, OSError) as error:
            raise _damaged(name, error) from None
        self.document = _DOCUMENT
        self.beside = {name: f"word/{name}.xml" for name in _BESIDE_IT}
        if _DOCUMENT not in self._archive.NameToInfo:
            self._follow_relations()
        if self.document not in self._archive.NameToInfo:
            found = format_in_archive(self._archive.NameToInfo)
            raise UnsupportedFormatError(
                f"Expected {_DOCUMENT} in {name}, as a DOCX has; it is {found.name}. {found.advice}"
            )

    def part(self, member: str) -> Element | None:
        """Return the root of a member's XML; None if the file lacks it."""
        info = self._archive.NameToInfo.get(member)
        if info is None:
            return None
        self._require_modest(info)
        try:
            with self._archive.open(info) as file:
                data = file.read(info.file_size + 1)
        except EOFError:
            raise _cut_short(self._name) from None
        except (zipfile.BadZipFile, zlib.error, NotImplementedError, OSError, ValueError) as error:
            raise _damaged(self._name, error) from None
        return parse(data, f"{member} of {self._name}", self._budget)

    def _follow_relations(self) -> None:
        """Take the names of the main part and of what belongs to it from the file's relations."""
        main = _IN_WORD.fullmatch(self._target(_RELATIONS, "officeDocument"))
        if main is None:
            return
        self.document = main[1]
        relations = f"word/_rels/{PurePosixPath(main[1]).name}.rels"
        for name in _BESIDE_IT:
            if found := _BESIDE.fullmatch(self._target(relations, name)):
                self.beside[name] = f"word/{found[1]}"

    def _target(self, member: str, kind: str) -> str:
        """Return what the first relation of a kind in a member leads to; empty without one."""
        relations = children(self.part(member), "Relationship")
        return next((one.get("Target", "") for one in relations if one.get("Type", "").endswith(f"/{kind}")), "")

    def _require_modest(self, info: zipfile.ZipInfo) -> None:
        """Refuse a member that needs a password, or would unpack to more than any paper."""
        if info.flag_bits & _ENCRYPTED:
            raise EncryptedFileError(
                f"Expected a file without a password in {self._name}; it is encrypted. "
                "Open it in Word, and save it as DOCX without a password."
            )
        if info.compress_type not in _PACKED:
            raise _damaged(self._name, f"packed by method {info.compress_type}, which no DOCX uses")
        self._budget.spend("decoded bytes", info.file_size)
        ratio = self._budget.max_member_ratio
        if info.file_size > max(_SMALL, ratio * info.compress_size):
            raise InputTooLargeError(
                f"Expected {info.filename} of {self._name} to unpack to at most {ratio} times its packed size, "
                f"found {info.file_size / (1 << 20):,.1f} MiB from {info.compress_size:,} bytes. "
                "Paste the part that matters."
            )


def _require_few(data: bytes, name: str, limits: Limits) -> None:
    """Refuse an archive with too many members before listing them."""
    members = data.count(_CENTRAL_ENTRY)
    if members > limits.max_archive_members:
        raise InputTooLargeError(
            f"Expected at most {limits.max_archive_members:,} members in {name}, found {members:,}. "
            "No DOCX needs that: save it again, or paste its text."
        )


def _cut_short(name: str) -> TruncatedFileError:
    return TruncatedFileError(
        f"Expected {name} to end with its list of members; it stops before. Fetch the file again."
    )


def _damaged(name: str, found: object) -> MalformedFileError:
    return MalformedFileError(
        f"Expected a whole DOCX in {name}; it is damaged ({str(found)[:100]}). Save or fetch it again."
    )
