"""The bytes of a web page as text, by the rules of browsers: a mark, then what the page declares, then a guess."""

from __future__ import annotations

import re

from engine.readers.encoding import mark

_DECLARED_WITHIN = 4096
_DECLARED = re.compile(rb"(?:charset|encoding)\s{0,9}=\s{0,9}[\"']?\s{0,9}([A-Za-z0-9_:.+-]{2,40})", re.IGNORECASE)
_SAME = {
    "iso-8859-1": "cp1252",
    "latin1": "cp1252",
    "latin-1": "cp1252",
    "us-ascii": "cp1252",
    "ascii": "cp1252",
    "windows-1252": "cp1252",
    "iso-8859-9": "cp1254",
    "windows-1254": "cp1254",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "gb18030": "gb18030",
    "x-gbk": "gb18030",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "x-sjis": "cp932",
    "sjis": "cp932",
    "windows-31j": "cp932",
    "euc-jp": "euc_jp",
    "x-euc-jp": "euc_jp",
    "iso-2022-jp": "iso2022_jp",
    "euc-kr": "cp949",
    "ks_c_5601-1987": "cp949",
    "windows-949": "cp949",
    "big5": "big5hkscs",
    "big5-hkscs": "big5hkscs",
    "koi8-r": "koi8_r",
    "koi8-u": "koi8_u",
    "macintosh": "mac_roman",
    "tis-620": "cp874",
}
"""The encodings that a page may name, as browsers take them; a page's word never reaches Python's list of codecs."""
_FAMILIES = re.compile(r"(?:windows-(?:125[0-8]|874)|iso-8859-(?:[2-8]|1[0356]))")


def page_text(data: bytes, declared: str = "") -> tuple[str, str]:
    """A page's text, and a sentence on what did not fit its encoding, mostly empty.

    `declared` is what an envelope such as MHTML says of the page.
    """
    named, skip = mark(data)
    if skip:
        return _decoded(data[skip:], named)
    found = _DECLARED.search(data[:_DECLARED_WITHIN])
    named = declared or (found[1].decode("ascii") if found is not None else "")
    try:
        return data.decode("utf-8"), ""  # nothing else of some length passes for it, whatever a page declares
    except UnicodeDecodeError:
        says_utf8 = named.strip().lower() in ("utf-8", "utf8")
        return _decoded(data, "utf-8" if says_utf8 else _codec(named) or "cp1252")


def _codec(declared: str) -> str:
    """The codec of a declared encoding; empty for a name that browsers do not know."""
    name = declared.strip().lower()
    if _FAMILIES.fullmatch(name):
        return name.replace("windows-", "cp").replace("-", "_") if name.startswith("iso") else f"cp{name[8:]}"
    return _SAME.get(name, "")


def _decoded(data: bytes, encoding: str) -> tuple[str, str]:
    text = data.decode(encoding, errors="replace")
    lost = text.count("\ufffd")
    if not lost:
        return text, ""
    what = "character does" if lost == 1 else "characters do"
    return text, f"{lost:,} {what} not fit the page's encoding, {encoding}; the text has a mark there."
