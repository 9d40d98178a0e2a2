r"""Numbers and units of siunitx and its like as people read them: `\SI{5}{\metre\per\second}` becomes 5 m/s.

The packages SIunits, units, numprint, nicefrac, mhchem, eurosym and nth, and units without a command around them, are
read, too. Within a formula a number stays TeX: `5\,\mathrm{m/s}`. A command without its arguments stays as it is.
"""
# ruff: noqa: RUF001  the tables hold signs that look like letters

from __future__ import annotations

import re
from collections.abc import Mapping

from engine.reading.latex.commands import CAPITALS, SIGNS, SYMBOLS
from engine.reading.latex.macros import Pairs, braced


def _table(text: str) -> dict[str, str]:
    return dict(zip(text.split()[::2], text.split()[1::2], strict=True))


_PREFIXES = _table(
    "quecto q ronto r yocto y zepto z atto a femto f pico p nano n micro μ milli m centi c deci d deca da deka da "
    "hecto h kilo k mega M giga G tera T peta P exa E zetta Z yotta Y ronna R quetta Q kibi Ki mebi Mi gibi Gi tebi Ti"
)
_ALONE = _table(
    "metre m meter m gram g kilogram kg ampere A kelvin K candela cd becquerel Bq coulomb C farad F hertz Hz joule J "
    "katal kat lumen lm lux lx newton N ohm Ω pascal Pa radian rad siemens S sievert Sv steradian sr tesla T volt V "
    "watt W weber Wb electronvolt eV dalton Da hectare ha litre L liter L tonne t angstrom Å celsius °C degC °C "
    "degreeCelsius °C degreecelsius °C percent % permille ‰ perthousand ‰ arcminute ′ arcsecond ″ astronomicalunit au "
    "decibel dB neper Np nauticalmile M parsec pc lightyear ly mmHg mmHg"
)
"""Units that mean nothing else, so that they may stand without a command around them."""
_UNITS = {
    **_ALONE,
    **_table("mole mol second s gray Gy henry H bel B bit bit byte B knot kn day d hour h minute min degree ° deg °"),
    **_table("molar M year yr barn b atomicmassunit u clight c planckbar ħ"),
}
_BEFORE, _AFTER = {"square": 2, "cubic": 3}, {"squared": 2, "cubed": 3}
_NO_UNIT = frozenset("si SI unit qty text textrm textup mathrm mbox ensuremath rm usk cancel highlight".split())
_VALUES = {
    **dict.fromkeys("num tablenum complexnum numlist numproduct".split(), 1),
    **dict.fromkeys("SI qty complexqty SIlist qtylist qtyproduct".split(), 1),
    **dict.fromkeys("numrange SIrange qtyrange".split(), 2),
    **dict.fromkeys("si unit unitfrac numprint np".split(), 0),
}
"""How many numbers each command takes."""
_OF_FORMULAS = frozenset({"frac", "tfrac", "dfrac"})
_FRACTIONS = frozenset({"nicefrac", "sfrac", "xfrac", "textfrac", "vulgarfrac", "flatfrac", *_OF_FORMULAS})
_ORDINALS = frozenset({"nth", "engordnumber", "engord", "ordinalnum"})
"""Of the packages nth, engord and fmtcount."""
_CHEMISTRY = frozenset({"ce", "ch", "isotope", "nuclide"})
_ARROWS = _table("<=> ⇌ <-> ↔ -> → <- ←")
_ARROW = re.compile("|".join(_ARROWS))
_DECLARED = re.compile(r"\\DeclareSIUnit\s*+(?:\[[^\[\]]{0,300}\]\s*+)?\{?+\s*+\\([A-Za-z]++)\s*+\}?+(?=\s*+\{)")
_STEP = re.compile(
    rf"(?P<bare>\\(?:{'|'.join((*_ALONE, *_PREFIXES))}|degree(?![ \t]*+\{{[^}}]))(?![A-Za-z@])[ \t]*+"
    rf"(?:\\(?:{'|'.join((*_UNITS, *_PREFIXES, *_BEFORE, *_AFTER, 'per', 'usk'))})(?![A-Za-z@])[ \t]*+)*+)"
    rf"|\\(?P<name>{'|'.join((*_VALUES, *_FRACTIONS, *_CHEMISTRY, *_ORDINALS, 'ang', 'EUR', 'power'))})(?![A-Za-z@])"
    r"(?P<options>(?:[ \t]*+\[(?:[^\[\]{}]|\{[^{}]*+\}){0,300}\])*+)"
    r"|(?P<in>\\[(\[])|(?P<out>\\[)\]])|\\.|(?P<dollar>\$\$?)|(?P<blank>\n[ \t]*+\n)",
    re.DOTALL,
)
_OPTION = re.compile(r"\[((?:[^\[\]{}]|\{[^{}]*+\}){0,300})\]")
_DIGIT = re.compile(r"\s*+(\d)")
_TOKEN = re.compile(r"\s?\\[A-Za-z]+")
_PART = re.compile(
    r"\\(?P<given>tothe|raiseto|of)\s*\{(?P<of>[^{}]*)\}|\\(?P<name>[A-Za-z]+)"
    r"|\^\s*(?:\{(?P<power>[^{}]*)\}|(?P<one>[-+]?\w))|(?P<over>/)|(?P<text>(?:\\[%$#&_]|[^\\^/.~{}\s])+)"
)
_NAME = re.compile(r"\\([A-Za-z]{2,})(?![A-Za-z])\s*")
_NAMES = {**{name: sign for name, sign in SYMBOLS.items() if len(name) > 1}, **CAPITALS, "circ": "°"}
_STYLE = re.compile(r"\\(?:text\w*|math\w*|mbox|ensuremath)(?![A-Za-z])|(?<!\\)[{}$]")
_MACRO = re.compile(r"\\(?!(?:cdot|times|text\w*|math\w*|mbox|ensuremath)(?![A-Za-z]))[A-Za-z]")
_GAPS = re.compile(r"\\[,;:! ]|[.~\s]+|\\(?:cdot|times)(?![A-Za-z])")
_EXPONENT = re.compile(r"(?<![A-Za-z])[eEdD]([-+]?\d+)$")
_ABBREVIATED = re.compile(r"u(?=(?:m|s|g|A|V|L|l|mol|W|J|F|H|T|N|K|C|Pa)$)")
_CLOSE = frozenset({"°", "′", "″", r"\%", "‰", ""})
"""Units that follow their number without a space."""
_POWER = re.compile(r"\^(-?\d+)")
_DEEPEST, _LONGEST_UNIT = 4, 60


def with_quantities(source: str) -> str:
    """Return source with its numbers, units and small fractions written out."""
    own, pairs = dict[str, str](), Pairs(source)
    for match in _DECLARED.finditer(source):
        if (unit := braced(source, match.end(), pairs)) is not None:
            own[match[1]] = unit_text(unit[0], own)[:_LONGEST_UNIT]
    return _Writer(source, own).text()


class _Writer:
    """Goes through source from left to right; `own` holds the units that it declares."""

    def __init__(self, source: str, own: Mapping[str, str], depth: int = 0) -> None:
        self._source, self._own, self._depth = source, own, depth
        self._pairs, self._at, self._lead, self._formula = Pairs(source), 0, "", False

    def text(self) -> str:
        """Return the source with what its commands print."""
        pieces, done = list[str](), 0
        for match in _STEP.finditer(self._source) if self._depth <= _DEEPEST else ():
            if match.start() < done:
                continue
            if match["name"] is None and match["bare"] is None:
                if not match[0].startswith("\\") or match["in"] or match["out"]:
                    self._formula = bool(match["in"]) or (bool(match["dollar"]) and not self._formula)
                continue
            self._at, self._lead = match.end(), ""
            if (written := self._written(match)) is not None:
                pieces.extend((self._source[done : match.start()], written))
                done = self._at
        return "".join((*pieces, self._source[done:])) if done else self._source

    def _written(self, match: re.Match[str]) -> str | None:
        """Return what a command prints; None where an argument is not there, or the formula around it shows it."""
        name, options = match["name"] or "", _OPTION.findall(match["options"] or "")
        if match["bare"]:
            whole = re.findall(r"[A-Za-z]+", match["bare"])[-1] not in {*_PREFIXES, "degree"}
            runs_on = whole and match["bare"][-1].isspace() and self._source[self._at : self._at + 1].isalnum()
            return self._set("", unit_text(match["bare"], self._own)) + " " * runs_on
        if name in _FRACTIONS:
            return self._fraction(match.start()) if name not in _OF_FORMULAS or not self._formula else None
        if name in _CHEMISTRY:
            text = self._taken() if not self._formula else None
            numbers = options if name in ("isotope", "nuclide") else []
            before = "^{}_{}".format(*numbers) if len(numbers) > 1 else "".join(numbers)
            return before + _ARROW.sub(lambda arrow: _ARROWS[arrow[0]], text) if text else None
        if name == "ang":
            parts = zip((self._taken() or "").split(";"), "°′″", strict=False)
            return self._set("".join(f"{number_text(part)}{mark}" for part, mark in parts if part.strip()), "") or None
        if name in _ORDINALS:
            return f"{number}{_ending(number)}" if (number := (self._token() or "").strip()).isdecimal() else None
        if name == "EUR":  # eurosym's, which takes the amount, or marvosym's sign
            return self._set(number_text(self._taken() or ""), "€")
        if name == "power":  # as SIunits has it
            unit, exponent = self._taken(), self._taken()
            return self._set("", f"{unit_text(unit, self._own)}^{exponent}") if unit and exponent else None
        return self._quantity(name, options[0] if options and "=" not in options[0] else "")

    def _quantity(self, name: str, option: str) -> str | None:
        values = [self._taken() for _ in range(_VALUES[name])]
        units = [] if name.endswith(("num", "list", "range", "product")) and "num" in name else [self._taken(unit=True)]
        if name in ("numprint", "np"):
            values, units = units, [option]
        elif name == "unit" and _is_number(units[0]) and self._source[self._at : self._at + 1] == "{":
            values, units = units, [self._taken()]  # as SIunits has it
        elif name in ("unit", "unitfrac") and _is_number(option):
            values = [option]  # as units has it
        if name == "unitfrac":
            units.append(self._taken())
        if None in values or None in units:
            return None
        value = self._lead + " to ".join(number_text(one or "") for one in values)
        return self._set(value, "/".join(unit_text(one or "", self._own) for one in units))

    def _taken(self, *, unit: bool = False) -> str | None:
        """Return the next argument; a unit may be one command without braces, or follow what is printed before it."""
        if unit and (before := _OPTION.match(self._source, self._at)) is not None:
            self._at, self._lead = before.end(), before[1]
        found = braced(self._source, self._at, self._pairs)
        if found is None and unit and (token := _TOKEN.match(self._source, self._at)) is not None:
            found = token[0], token.end()
        self._at = found[1] if found is not None else self._at
        return found[0] if found is not None else None

    def _token(self) -> str | None:
        """Return the next argument, which may be one digit without braces."""
        if (found := self._taken()) is None and (digit := _DIGIT.match(self._source, self._at)) is not None:
            found, self._at = digit[1], digit.end()
        return found

    def _fraction(self, start: int) -> str | None:
        top, bottom = self._token(), self._token()
        if top is None or bottom is None:
            return None
        if self._formula:
            return f"{{{top}}}/{{{bottom}}}"
        both = (_Writer(one, self._own, self._depth + 1).text() for one in (top, bottom))
        text = "/".join(f"({one})" if re.search(r"\S[-+ /]", one) else one for one in both)
        return f" {text}" if self._source[max(start - 1, 0) : start].isdecimal() else text

    def _set(self, value: str, unit: str) -> str:
        """Return a number and its unit as text, or as TeX within a formula."""
        apart = bool(value) and unit not in _CLOSE
        if not self._formula:
            return f"{value} {unit}" if apart else f"{value}{unit}"
        value = re.sub(" (to|and) ", r"\\text{ \1 }", _POWER.sub(r"^{\1}", value))
        value = value.replace("×", r"\times").replace("±", r"\pm")
        unit = _POWER.sub(r"^{\1}", unit).replace(" ", r"\,")
        return value + r"\," * apart + (rf"\mathrm{{{unit}}}" if unit else "")


def _is_number(text: str | None) -> bool:
    return text is not None and any(map(str.isdecimal, text)) and not re.search(r"[A-Za-z]{2}", text)


def _ending(number: str) -> str:
    """Return what makes an English ordinal of a number: 1st, 12th."""
    teen = number[-2:-1] == "1"
    return "th" if teen else {"1": "st", "2": "nd", "3": "rd"}.get(number[-1:], "th")


def number_text(source: str) -> str:
    """Return a number, a list or a product as siunitx reads it: 1.5e-3 is 1.5 × 10^-3."""
    parts = [_one_number(part) for part in source.split(";") if part.strip()]
    return " and ".join((", ".join(parts[:-1]), parts[-1])) if len(parts) > 1 else "".join(parts)


def _one_number(source: str) -> str:
    text = re.sub(r"\\([a-z]+)\s*", lambda match: SIGNS.get(match[1], match[0]), source)
    if re.search(r"\\[A-Za-z]", text):
        return f"{{{source.strip()}}}"  # other TeX
    text = re.sub(r"[\s~{}]|\\,", "", text).replace("+-", "±")
    return " × ".join(map(_factor, re.split(r"(?<=[\d)])[x×](?=[-+\d.])", text)))


def _factor(text: str) -> str:
    power = _EXPONENT.search(text)
    text = re.sub(r"(?<!\d)\.(?=\d)", "0.", text[: power.start()] if power is not None else text)
    text = re.sub(r"(?<=[\d)i])±(?=[\d.])", " ± ", text)
    if power is None:
        return text
    many = f"({text}) × " if " " in text else f"{text} × " if text.strip("+-") else text
    return f"{many}10^{power[1].lstrip('+')}"


def unit_text(source: str, own: Mapping[str, str]) -> str:
    """Return a unit: macros as m/s or J kg^-1 K^-1, what is spelt by hand without its marks."""
    source = _NAME.sub(lambda match: _NAMES.get(match[1], match[0]), source)
    if not _MACRO.search(source) or "(" in source:
        return " ".join(_STYLE.sub("", _GAPS.sub(" ", source)).replace("^°", "°").split())
    factors = list[tuple[str, int]]()
    prefix, power, sign = "", 1, 1
    for part in _PART.finditer(source):
        name, exponent = part["name"] or part["given"] or "", part["power"] or part["one"] or part["of"]
        symbol = part["text"] or ""
        if name == "per" or part["over"]:
            sign = -1
        elif name in _BEFORE or name == "raiseto":
            power = _BEFORE.get(name) or _whole(exponent)
        elif name in _PREFIXES and name not in own:
            prefix += _PREFIXES[name]
        elif factors and (name in _AFTER or name in ("tothe", "of") or (exponent and not name)):
            last, raised = factors[-1]
            times = _AFTER.get(name) or _whole(exponent)
            factors[-1] = (f"{last}_{exponent}", raised) if name == "of" else (last, raised * times)
        elif name and name not in _NO_UNIT:
            symbol = own.get(name) or _UNITS.get(name) or _ABBREVIATED.sub("μ", name).replace("ohm", "Ω")
        if symbol:
            factors.append((f"{prefix}{symbol}", sign * power))
            prefix, power, sign = "", 1, 1
    return _product([*factors, (prefix, 1)] if prefix else factors)


def _whole(text: str | None) -> int:
    return int(text) if text and re.fullmatch(r"[-+]?\d{1,3}", text) else 1


def _product(factors: list[tuple[str, int]]) -> str:
    """Return m/s where one factor stands below others, else m s^-1."""
    below = [(symbol, -power) for symbol, power in factors if power < 0]
    above = [(symbol, power) for symbol, power in factors if power >= 0]
    groups = [above, below] if len(below) == 1 and above else [factors]
    texts = (" ".join(symbol if power == 1 else f"{symbol}^{power}" for symbol, power in group) for group in groups)
    return re.sub(r"(?<!\\)%", r"\\%", "/".join(texts))
