r"""Word's equations in a line of text, as its linear format has them, and the signs of its font Symbol.

(a+b)/c, √x, x_i^2: ECMA-376 part 1, section 22.1; a sign: section 17.3.3.30. Older files write them as fields,
EQ \f(a+b,c), which keep no text of what they print.
"""
# ruff: noqa: RUF001  the table holds signs that look like letters

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.etree.ElementTree import Element

_EDGE = "\x1f"
"""Stands around a fraction until it is told apart from a number before it."""
_SIMPLE = re.compile(
    r"[-+\N{MINUS SIGN}]?\d+(?:[.,]\d+)?|[^\W\d_]+[\u0300-\u036f\u20d7]*|[*\N{PRIME}\u2020]+|\([^()]*\)"
)
_BUILT = re.compile("[/√∛∜]")
"""In what must stay whole below a script."""
_ROOTS = {"": "√", "2": "√", "3": "∛", "4": "∜"}
_FIELD = re.compile(r"\s*+(?:(EQ)\b|SYMBOL\s++(\d{1,5})(?=\s|\Z))", re.IGNORECASE)
_FORMAT = re.compile(r"\\\*\s*+\w*+")
_FONT = re.compile(r"\\f\s*+\"?([A-Za-z]++)")
_SWITCH = re.compile(
    r"\\([abdfilorsx])(?![A-Za-z])((?:\s*+\\(?:[blrfv]c\s*+(?:\\.|[^\s\\])|(?![blrfv]c)[a-z]{2}\s*+\d*+)){0,6}+)\s*+\(",
    re.IGNORECASE,
)
_BRACKET = re.compile(r"\\([blr])c\s*+\\?(.)", re.IGNORECASE)
_CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">"}
_DEEPEST = 20
_SKIPPED = frozenset({"del", "moveFrom", "instrText"})
_OFF = ("0", "false", "off")
_SYMBOL = {
    **dict(zip(range(0x61, 0x7B), "αβχδεφγηιϕκλμνοπθρστυϖωξψζ", strict=True)),
    **dict(zip(range(0x41, 0x5B), "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ", strict=True)),
    **dict(zip(range(0xA2, 0xBC), "′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈", strict=True)),
    **dict(zip((0x2D, 0x40, 0x5E, 0x7E, 0xC5, 0xCE, 0xD1, 0xD6, 0xD7, 0xE5, 0xF2), "−≅⊥∼⊕∈∇√⋅∑∫", strict=True)),
}
"""The characters of Adobe's font Symbol that are others in Unicode."""


def symbol(element: Element) -> str:
    """Return the character that a sign of a font is; empty for a picture of another font."""
    code = int(element.get("char", "0"), 16) if re.fullmatch("[0-9A-Fa-f]{1,4}", element.get("char", "0")) else 0
    own = code - 0xF000 if 0xF000 <= code < 0xF100 else code
    if element.get("font", "").startswith("Symbol"):
        return _SYMBOL.get(own, chr(own) if 0x20 <= own < 0x7F else "")
    return chr(code) if 0x20 <= code == own else ""


def of_field(code: str) -> str:
    """Return what a field prints that is a formula (EQ) or a sign (SYMBOL) by its code; nothing for another."""
    kind = _FIELD.match(code)
    if kind is None:
        return ""
    if kind[1]:
        return "".join(_arguments(_FORMAT.sub("", code[kind.end() :]), 0, 0)[0]).strip(" ")
    font = _FONT.search(code)
    return symbol(Element("sym", font=font[1] if font is not None else "", char=f"{int(kind[2]) % 0x10000:X}"))


def _arguments(code: str, at: int, depth: int) -> tuple[list[str], int]:
    """Return what the parts of a field's formula print, up to the bracket that closes them, and the place behind it.

    They are parted by commas, or by semicolons where a comma stands within a number.
    """
    pieces, level = [("", "")], 0
    while at < len(code):
        switch, sign = _SWITCH.match(code, at), code[at]
        if switch is not None and depth < _DEEPEST:
            parts, at = _arguments(code, switch.end(), depth + 1)
            pieces.append(("", _printed(switch[1].lower(), switch[2], parts)))
            continue
        if sign == ")" and not level and depth:
            at += 1
            break
        if sign == "\\":
            at += 1
        level += (sign == "(") - (sign == ")" and level > 0)
        parted = sign in ",;" and depth > 0 and not level
        pieces.append((sign * parted, code[at : at + 1]))
        at += 1
    between = ";" if any(mark == ";" for mark, _ in pieces) else ","
    parts = [""]
    for mark, text in pieces:
        if mark == between:
            parts.append("")
        else:
            parts[-1] += text
    return [one.strip(" ") for one in parts] if depth else parts, at


def _printed(name: str, options: str, parts: list[str]) -> str:
    """Return what one command of a field's formula prints, with its parts."""
    first, last, options = parts[0], parts[-1] if len(parts) > 1 else "", options.lower()
    match name:
        case "f":
            return f"{_EDGE}{_group(first)}/{_group(last)}{_EDGE}"
        case "r":
            degree, held = (first, last) if len(parts) > 1 else ("", first)
            return f"{_ROOTS[degree]}{_group(held)}" if degree in _ROOTS else f"{_group(held)}^(1/{degree})"
        case "s":
            above, below = ("", first) if "do" in options and not last else (first, last)
            return f"^{_group(above)}" * bool(above) + f"_{_group(below)}" * bool(below)
        case "i" if len(parts) > 2:
            sign = "∑" if "su" in options else "∏" if "pr" in options else "∫"
            return f"{sign}_{_group(first)}^{_group(parts[1])} {last}"
        case "b":
            given = {key.lower(): sign for key, sign in _BRACKET.findall(options)}
            both = given.get("b", "" if given else "(")
            return f"{given.get('l', both)}{', '.join(parts)}{given.get('r', _CLOSING.get(both, both))}"
        case "a":
            return "; ".join(parts)
    return "".join(parts) if name == "o" else ", ".join(parts)


def equation(element: Element) -> str:  # noqa: C901  a table of the format's elements
    """Return an element of an equation in a line; one that we do not know as its parts."""
    tag, texts = element.tag, [(child.tag, equation(child)) for child in element]
    parts = {name: _group(text) for name, text in texts}
    inner = [text for name, text in texts if name in ("e", "mr")]
    held = _joined((name, text) for name, text in texts if name in ("e", "mr"))
    above, below = parts.get("sup", ""), parts.get("sub", "")
    scripts = "_" * bool(below) + below + "^" * bool(above) + above
    match tag:
        case "t":
            return element.text or ""
        case "br" | "tab":
            return " "
        case "f":
            between = " over " if _property(element, "type") == "noBar" else "/"
            return f"{parts.get('num', '')}{between}{parts.get('den', '')}"
        case "rad":
            degree = parts.get("deg", "")
            return f"{_ROOTS[degree]}{_group(held)}" if degree in _ROOTS else f"{_group(held)}^(1/{degree})"
        case "sSub" | "sSup" | "sSubSup":
            return f"{_group(held) if _BUILT.search(held) else held}{scripts}"
        case "sPre":
            return f"^{above}_{below}{held}"
        case "nary":
            return f"{_property(element, 'chr', '∫')}{scripts} {held}"
        case "limLow" | "limUpp":
            return f"{held}{'_' if tag == 'limLow' else '^'}{parts.get('lim', '')}"
        case "func":
            return f"{dict(texts).get('fName', '')}{'' if held.startswith('(') else ' '}{held}"
        case "d":
            between = _property(element, "sepChr", "|")
            return f"{_property(element, 'begChr', '(')}{between.join(inner)}{_property(element, 'endChr', ')')}"
        case "acc":
            return f"{held}{_property(element, 'chr', chr(0x302))}"
        case "bar":
            return f"{held}{chr(0x305 if _property(element, 'pos') == 'top' else 0x332)}"
        case "mr":
            return ", ".join(inner)
        case "m" | "eqArr":
            return "; ".join(inner).replace("#", " ")  # before an equation's number
        case "phant" if _property(element, "show", "1") in _OFF:
            return ""
    return "" if tag.endswith("Pr") or tag in _SKIPPED else _joined(texts)


def _joined(texts: Iterable[tuple[str, str]]) -> str:
    """Join the parts of a formula, each with its element's name; a number or a fraction stands apart: 5 1/2 m."""
    whole, last = "", "r"
    for tag, text in texts:
        before, begun = whole[-1:], text[:1]
        digits = before.isdecimal() and begun.isdecimal() and (tag, last) != ("r", "r")
        beside = before.isalnum() and begun.isalnum() and ("f" in (tag, last) or tag == "func")
        if digits or beside or (tag == "sPre" and before.strip()):
            whole += " "
        whole, last = whole + text, tag if text else last
    return whole


def _property(element: Element, name: str, default: str = "") -> str:
    """Return what an element's properties say; a character may be empty there."""
    found = element.find(f"{element.tag}Pr/{name}")
    return found.get("val", default) if found is not None else default


def _group(text: str) -> str:
    """Return a part of a formula that stays whole beside other marks."""
    text = text.strip()
    return text if not text or _SIMPLE.fullmatch(text) else f"({text})"
