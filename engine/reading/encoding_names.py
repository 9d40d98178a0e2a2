"""The encodings that files name, and what Python calls them; a file's word never reaches Python's list of codecs."""

from __future__ import annotations

import re

_DECLARED_WITHIN = 1 << 16
_DECLARED = re.compile(
    rb"^[^%\n]{0,200}\\(?:usepackage[ \t]*\[([\w-]{1,20})\][ \t]*\{inputenc\}|inputencoding[ \t]*\{([\w-]{1,20})\})"
    rb"|^(?:%|@comment[ \t]{0,9}\{)[^\n]{0,80}?coding[ \t]{0,9}[:=][ \t]{0,9}([\w.-]{2,30})",
    re.MULTILINE | re.IGNORECASE,
)
"""In LaTeX's preamble, or in a comment for JabRef, KBibTeX or an editor."""
_FAMILY = re.compile(r"(?:windows-?|cp-?|iso-?8859-|8859-)(\d{1,4})")
_WINDOWS = frozenset({*map(str, range(1250, 1259)), "874"})
_OF_DOS = frozenset("437 850 852 855 858 865 866".split())
_ISO = frozenset({*map(str, range(2, 9)), "10", "13", "14", "15", "16"})
_OTHERS = {
    **dict.fromkeys("utf-8 utf8 utf8x u8".split(), "utf-8"),
    **dict.fromkeys("us-ascii ascii latin1 latin-1 l1 ansi ansinew iso8859-1 iso-8859-1 cp-1252".split(), "cp1252"),
    **{f"latin{number}": f"iso8859-{number}" for number in (2, 3, 4)},
    **{"latin5": "cp1254", "latin9": "iso8859-15", "latin10": "iso8859-16"},
    **dict.fromkeys("applemac macintosh macroman mac-roman x-mac-roman".split(), "mac_roman"),
    **{"maccyr": "mac_cyrillic", "macce": "mac_latin2", "tis-620": "cp874"},
    **dict.fromkeys("koi8-r koi8r".split(), "koi8_r"),
    **dict.fromkeys("koi8-u koi8u".split(), "koi8_u"),
    **dict.fromkeys("gb2312 gbk x-gbk gb18030 cp936 euc-cn".split(), "gb18030"),
    **dict.fromkeys("shift-jis x-sjis sjis windows-31j ms932 cp932".split(), "cp932"),
    **dict.fromkeys("euc-jp x-euc-jp eucjp".split(), "euc_jp"),
    **dict.fromkeys("euc-kr ks-c-5601-1987 windows-949 cp949 ms949 uhc".split(), "cp949"),
    **dict.fromkeys("big5 big5-hkscs big-5".split(), "big5hkscs"),
    "iso-2022-jp": "iso2022_jp",
}
"""As browsers take them: a name of Latin-1 or of ASCII stands for the larger set of Windows."""
_SPOKEN = {
    "cp1252": "Windows-1252 (Western European)",
    "cp1250": "Windows-1250 (Central European)",
    "cp1251": "Windows-1251 (Cyrillic)",
    "koi8_r": "KOI8-R (Russian)",
    "cp1253": "Windows-1253 (Greek)",
    "cp1254": "Windows-1254 (Turkish)",
    "mac_roman": "Mac Roman",
    "cp850": "code page 850 (DOS)",
    "gb18030": "GB 18030 (Chinese)",
    "big5hkscs": "Big5 (Chinese)",
    "cp932": "Shift JIS (Japanese)",
    "euc_jp": "EUC-JP (Japanese)",
    "cp949": "EUC-KR (Korean)",
}


def codec(name: str) -> str:
    """Python's name of an encoding that a file names; empty for one that is not known."""
    plain = name.strip().lower().replace("_", "-")
    if plain in _OTHERS:
        return _OTHERS[plain]
    family = _FAMILY.fullmatch(plain)
    if family is None:
        return ""
    number = family[1]
    if "8859" in plain[: -len(number)]:
        return {"1": "cp1252", "9": "cp1254"}.get(number, f"iso8859-{number}" if number in _ISO else "")
    return f"cp{number}" if number in _WINDOWS or number in _OF_DOS else ""


def declared(data: bytes) -> str:
    """The codec of the encoding that a text names, in a comment or in LaTeX's preamble; mostly empty."""
    match = _DECLARED.search(data, 0, _DECLARED_WITHIN)
    found = next((one for one in match.groups() if one), b"") if match is not None else b""
    return codec(found.decode("ascii", "replace"))


def spoken_encoding(codec_name: str) -> str:
    """An encoding in a sentence."""
    return _SPOKEN.get(codec_name, codec_name)
