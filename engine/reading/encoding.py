"""Bytes to text, whole or line by line: UTF-8, UTF-16, what the text declares, or a guess that a warning tells of.

charset-normalizer (MIT) judges which encoding makes words of the bytes. It is given those alone that hold letters
beyond ASCII, and the encodings that papers and reference lists are found in. Of two that serve alike the more usual one
is taken. What it makes no words of is refused. The name of an encoding that a file gives is looked up in a list of our
own, and never reaches Python's list of codecs.
"""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count, pairwise
from typing import BinaryIO, NamedTuple

from engine.core.errors import BinaryTextError, EmptyInputError, InputError, TextEncodingError
from engine.documents.text import how_many
from engine.reading.limits import LIMITS, Budget, Limits, record_too_large

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
Warn = Callable[[str], None]
"""Gets a sentence on what was guessed, lost or left out."""
_CONTROL_BYTES = bytes([*range(9), *range(0x0E, 0x1B), *range(0x1C, 0x20)])
_CONTROL = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_FEW_CONTROLS, _BEGIN_BYTES = 0.01, 512
"""The share of control characters that a text copied from a PDF may hold; more of them are a picture or a program."""
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\ufffd]")
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
)
_HEAD_BYTES = 16 << 20
"""How much of a file that is read by lines tells its encoding."""
_WIDE_BYTES = 4096
_WIDE_SHARE = 0.3
"""Of text in Latin letters in UTF-16, nearly half of the bytes are zero, all of them on one side."""
_FEWEST_ZEROS, _FEW_ZEROS = 4, 0.005
"""In other letters so are its blanks and line ends; what more than these are zero must be printable throughout."""
_BEYOND_ASCII = re.compile(rb"[\x80-\xff]++")
_AROUND, _SAMPLE_BYTES = 30, 1 << 13
_STRAY = re.compile("[\udc80-\udcff]")
_MOSTLY = 2
"""Text with this many characters in UTF-8 for each byte that is none is UTF-8, with bytes of Windows among it."""
_GUESSES = (
    "cp1252", "cp1251", "gb18030", "cp932", "cp1250", "koi8_r", "euc_jp", "big5hkscs", "cp949", "cp1253", "cp1254",
    "mac_roman", "cp850",
)  # fmt: skip
"""The encodings that are tried, the most usual first."""
_AS_TIDY, _AS_SENSIBLE, _AS_CLEAR = 0.02, 0.02, 0.05
"""By how much two encodings may differ and serve alike: in the mess, the misreadings and the words that they make."""
_STILL_SENSIBLE = 0.1
"""An encoding that makes as many misreadings more than another is out of the question."""
_UNDEFINED = b"\x81\x8d\x8f\x90\x98\x9d"
"""Bytes that stand for nothing in Windows-1252 or in its kin."""
_WORST = 0.25
"""How much of a mess, from 0 to 1, a text may be by charset-normalizer's measure."""
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_IDEOGRAPH = "[\u3040-\u30fa\u3400-\u9fff\uac00-\ud7a3]"
_ODD = (
    re.compile(r"(?<=[^\W\d_])[^\w\s'’\-\u2010-\u2014/.,:;()&+*@\x00-\x7f](?=[^\W\d_])"),
    re.compile("[\uff61-\uff9f\ufffd\ue000-\uf8ff\u2500-\u25a0]"),
    re.compile(rf"(?<![^\x00-\x7f]){_IDEOGRAPH}(?=[a-z])|(?<=[a-z]){_IDEOGRAPH}(?![^\x00-\x7f])"),
)
"""A sign within a word; half-width kana, boxes and private signs; a lone ideograph beside a Latin letter."""
_PROPER = re.compile(r"(?<=[^\W\d_])’(?=[^\W\d_]|\s|$)|(?<!\S)[“„«‘](?=\S)|(?<=\S)[”»](?!\w)|(?<=\s)[–—](?=\s)")
_ALPHABETS = (
    (re.compile("[\u0400-\u04ff]"), re.compile("[оеаинтсрлв]", re.IGNORECASE), 0.55),
    (re.compile("[\u0370-\u03ff]"), re.compile("[αοιετσνρηςάόίέή]", re.IGNORECASE), 0.55),
    (
        re.compile("[\uac00-\ud7a3]"),
        re.compile("[이다의는에을를가하고한은로지기사도인시어대해정수서과와자리나일아스성]"),
        0.2,
    ),
)
"""Letters of an alphabet, the commonest of them, and the share that these make up at least, even in a few words."""


def codec(name: str) -> str:
    """Return Python's name of an encoding that a file names; empty for one that we do not know."""
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
    """Return the codec of the encoding that a text names, in a comment or in LaTeX's preamble; mostly empty."""
    match = _DECLARED.search(data, 0, _DECLARED_WITHIN)
    found = next((one for one in match.groups() if one), b"") if match is not None else b""
    return codec(found.decode("ascii", "replace"))


def spoken_encoding(codec_name: str) -> str:
    """Return an encoding in a sentence."""
    return _SPOKEN.get(codec_name, codec_name)


class Encoding(NamedTuple):
    """The encoding of some bytes, how many of them are its mark, and whether it was guessed.

    `stray` says that bytes may stand in it that are none of its own: they are read as Windows-1252.
    """

    codec: str
    mark: int = 0
    guessed: bool = False
    stray: bool = False


def mark(data: bytes) -> tuple[str, int]:
    """Return the encoding that a byte order mark names and the mark's length; UTF-8 and 0 without one."""
    for bom, encoding in _MARKS:
        if data.startswith(bom):
            return encoding, len(bom)
    return "utf-8", 0


def is_binary(data: bytes) -> bool:
    """Tell whether more than a few of some bytes without a mark, and not in UTF-16, never occur in text."""
    if mark(data)[0] != "utf-8" or not _controls(data) or _wide(data):
        return False
    return any(_controls(part) > _FEW_CONTROLS * len(part) for part in (data[:_BEGIN_BYTES], data))


def decode(data: bytes, name: str, *, cut: bool = False, warn: Warn | None = None) -> str:
    """Decode text; `warn` is told where its encoding was guessed, or characters were lost.

    With `cut` the bytes may end within a character, as the head of a file does. Raises
    EmptyInputError, BinaryTextError or TextEncodingError.
    """
    if is_binary(data):
        raise BinaryTextError(
            f"Expected text in {name}, found binary bytes. Open it in the program that made it, "
            "and save it as PDF or as plain text in UTF-8."
        )
    found = encoding_of(data, name, cut=cut)
    decoder = codecs.getincrementaldecoder(found.codec)("surrogateescape" if found.stray else "replace")
    text = decoder.decode(data[found.mark :], final=not cut)
    text, stray = _mended(text) if found.stray else (text, 0)
    lost = text.count("\ufffd") if found.codec != "utf-8" else 0
    text, controls = _CONTROL.subn(" ", text)
    if warn is not None:
        _tell(found, name, _Doubts(stray, lost, controls), warn)
    if not text.strip():
        raise EmptyInputError(f"Expected text in {name}, found nothing but white space. Choose another file.")
    return text.replace("\r", "\n") if "\r" in text and "\n" not in text else text  # as old Macs end lines


def text_lines(
    file: BinaryIO,
    name: str,
    limits: Limits = LIMITS,
    *,
    warn: Warn | None = None,
    newline: str | None = None,
    omit: Callable[[InputError], None] | None = None,
) -> Iterator[str]:
    """Yield the lines of a text file with their ends, streamed and each bounded; `warn` as in `decode`.

    `newline` is as `open` takes it. A line that is too long is left out and told to `omit`. With plain limits, not a
    file's budget, each line counts as delivered. Raises TextEncodingError, and InputTooLargeError for a long line
    without `omit`, or one that takes too long.
    """
    head = file.read(_HEAD_BYTES)
    found = encoding_of(head, name, cut=len(head) == _HEAD_BYTES)
    file.seek(found.mark)
    errors = "surrogateescape" if found.codec == "utf-8" else "replace"
    text = io.TextIOWrapper(file, encoding=found.codec, errors=errors, newline=newline)
    budget = Budget.within(limits, name)
    doubts = _Doubts()
    most = limits.max_record_bytes
    try:
        for number in count(1):
            line = text.readline(most + 1)
            budget.check()
            if not line:
                break
            if len(line) > most:
                error = record_too_large(f"line {number:,} of {name}", most)
                if omit is None:
                    raise error
                omit(error)
                while not line.endswith(("\n", "\r")) and (line := text.readline(most)):
                    budget.check()
                yield "\n"
                continue
            line, stray = _mended(line) if found.codec == "utf-8" and not line.isascii() else (line, 0)
            lost = line.count("\ufffd") if found.codec != "utf-8" else 0
            line, controls = _CONTROL.subn(" ", line)
            doubts.add(stray, lost, controls)
            yield line
            if budget is not limits:
                budget.delivered()
        if warn is not None:
            _tell(found, name, doubts, warn)
    finally:
        if not text.closed:
            text.detach()  # the file is the caller's to close


def encoding_of(data: bytes, name: str, *, cut: bool = False) -> Encoding:
    """Return how bytes are encoded: by their mark, as UTF-8 if they are that, as the text says, or as it reads best.

    Raises TextEncodingError where no encoding makes words of them.
    """
    marked, skip = mark(data)
    if skip:
        return Encoding(marked, skip)
    if wide := _wide(data):
        return Encoding(wide, guessed=True)
    try:
        codecs.getincrementaldecoder("utf-8")("strict").decode(data, final=not cut)
    except UnicodeDecodeError as error:
        if (said := declared(data)) and said != "utf-8":
            return Encoding(said)
        if _is_mostly_utf8(data):
            return Encoding("utf-8", stray=True)
        if guess := guessed_encoding(data):
            return Encoding(guess, guessed=True)
        raise _not_text(name, error) from None
    return Encoding("utf-8")


def guessed_encoding(data: bytes) -> str:
    """Return the encoding that makes most sense of bytes that are not UTF-8; empty where none does.

    A byte that has no character in an encoding of single bytes does not speak against it, if none is without such.
    """
    sample = _sample(data)
    return _best(sample) or _best(sample.translate(None, _UNDEFINED))


def _best(sample: bytes) -> str:
    from charset_normalizer import from_bytes

    found = from_bytes(sample, cp_isolation=list(_GUESSES), threshold=_WORST, enable_fallback=False)
    named = [(name, one) for one in found for name in one.could_be_from_charset]
    odd = {name: misreadings(sample.decode(name, "replace")) for name, _ in named}
    least = min(odd.values(), default=0.0)
    tidiest = min((one.chaos for name, one in named if odd[name] <= least + _STILL_SENSIBLE), default=0.0)
    tidy = [(name, one) for name, one in named if one.chaos <= tidiest + _AS_TIDY]
    least = min((odd[name] for name, _ in tidy), default=0.0)
    tidy = [(name, one) for name, one in tidy if odd[name] <= least + _AS_SENSIBLE]
    clearest = max((one.coherence for _, one in tidy), default=0.0)
    alike = {name for name, one in tidy if one.coherence >= clearest - _AS_CLEAR}
    return next((name for name in _GUESSES if name in alike), "")


def _sample(data: bytes) -> bytes:
    """Return the bytes beyond ASCII, with what stands around them: they alone tell encodings apart."""
    parts: list[bytes] = []
    stop = size = 0
    for match in _BEYOND_ASCII.finditer(data):
        start = max(stop, match.start() - _AROUND)
        parts.append((b"\n" if start > stop else b"") + data[start : match.end() + _AROUND])
        stop = match.end() + _AROUND
        size += len(parts[-1])
        if size >= _SAMPLE_BYTES:
            break
    return b"".join(parts)


def _wide(data: bytes) -> str:
    """Return the codec of UTF-16 without a mark, which the zeros in it tell; mostly empty."""
    head = data[:_WIDE_BYTES]
    zeros = {"utf-16-le": head[1::2].count(0), "utf-16-be": head[::2].count(0)}
    most = max(zeros, key=lambda name: zeros[name])
    if zeros[most] < max(_FEWEST_ZEROS, _FEW_ZEROS * len(head)):
        return ""
    texts = {name: head[: len(head) // 2 * 2].decode(name, "replace") for name in zeros}
    if zeros[most] > _WIDE_SHARE * len(head) and min(zeros.values()) * 10 <= zeros[most]:
        return most if _CONTROLS.search(texts[most]) is None else ""
    if not _is_no_text(head):
        return ""
    shown = [name for name, text in texts.items() if "".join(text.split()).isprintable() and "\ufffd" not in text[:-1]]
    return max(shown, key=lambda name: zeros[name], default="")


def _controls(data: bytes) -> int:
    """Return how many bytes stand for characters that never occur in text."""
    return len(data) - len(data.translate(None, _CONTROL_BYTES))


def _is_no_text(head: bytes) -> bool:
    """Tell whether the start of a file is not UTF-8, or holds more control characters than a text does."""
    try:
        codecs.getincrementaldecoder("utf-8")("strict").decode(head)
    except UnicodeDecodeError:
        return True
    return _controls(head) > _FEW_CONTROLS * len(head)


def _is_mostly_utf8(data: bytes) -> bool:
    text = data.decode("utf-8", errors="surrogateescape")
    stray = len(_STRAY.findall(text))
    return len(text) - len(text.encode("ascii", "ignore")) - stray >= _MOSTLY * stray


def _mended(text: str) -> tuple[str, int]:
    """Return a text with the bytes that its decoder could not read as characters of Windows-1252, and their number."""
    return _STRAY.subn(lambda match: bytes([ord(match[0]) - 0xDC00]).decode("cp1252", "replace"), text)


@dataclass(slots=True)
class _Doubts:
    """How many bytes of a text were no bytes of its encoding, were lost, or belong to no text."""

    stray: int = 0
    lost: int = 0
    controls: int = 0

    def add(self, stray: int, lost: int, controls: int) -> None:
        self.stray, self.lost, self.controls = self.stray + stray, self.lost + lost, self.controls + controls


def _tell(found: Encoding, name: str, doubts: _Doubts, warn: Warn) -> None:
    if found.guessed:
        warn(
            f"{name} is not in UTF-8 and names no encoding. It was read as {spoken_encoding(found.codec)}; "
            "if letters look wrong, save it as UTF-8."
        )
    if doubts.stray:
        warn(
            f"Of {name}, which is in UTF-8, {how_many(doubts.stray, 'byte')} could only be read as Windows-1252; "
            "if letters look wrong, save it as UTF-8 throughout."
        )
    if doubts.controls:
        warn(f"{how_many(doubts.controls, 'control character')} of {name} belong to no text, and were left out.")
    if doubts.lost:
        what = how_many(doubts.lost, "character")
        warn(f"{what} of {name} could not be read as {spoken_encoding(found.codec)}; the text has a mark there.")


def _not_text(name: str, error: UnicodeDecodeError) -> TextEncodingError:
    """Return the error for bytes that no encoding makes words of."""
    byte = error.object[error.start]
    return TextEncodingError(
        f"Expected text in {name}, found bytes that are words in no encoding that we know, such as 0x{byte:02x}. "
        "Open it in the program that made it, and save it as plain text in UTF-8."
    )


def misreadings(text: str) -> float:
    """Count the signs of a wrong encoding that a text shows for each character beyond ASCII, less those of a right one.

    A text of a few words shows them where statistics say nothing: a capital stands within a word, a sign between two
    letters, one ideograph among Latin letters, and Cyrillic, Greek or Korean words hold few of the letters that are
    common in them. Quotation marks and dashes where they belong speak for an encoding.
    """
    beyond = len(_NOT_ASCII.findall(text))
    odd: float = sum(len(pattern.findall(text)) for pattern in _ODD) - len(_PROPER.findall(text))
    odd += sum(
        one.islower() and other.isupper() for one, other in pairwise(text) if not (one.isascii() and other.isascii())
    )
    for alphabet, common, share in _ALPHABETS:
        odd += max(0.0, share * len(alphabet.findall(text)) - len(common.findall(text)))
    return odd / max(beyond, 1)
