r"""Numbers and units of siunitx and its like as people read them: `\SI{5}{\metre\per\second}` becomes 5 m/s.

The packages SIunits, units, numprint, nicefrac, mhchem, eurosym and nth, and units without a command around them, are
read, too; behind a number also those that a paper takes from a file we do not have: 5\,\MHz. Within a formula a number
stays TeX: `5\,\mathrm{m/s}`. A command without its arguments stays as it is.
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
_LEADS = {**_PREFIXES, "sqrt": "√"}
_UNITS = {
    **_ALONE,
    **_table("mole mol second s gray Gy henry H bel B bit bit byte B knot kn day d hour h minute min degree ° deg °"),
    **_table("molar M year yr barn b atomicmassunit u clight c planckbar ħ kms km/s ifb fb^-1 invfb fb^-1"),
}
_BEFORE = _table("square 2 squaren 2 cubic 3 fourth 4 rp -1 reciprocal -1 rpsquare -2 rpcubic -3 rpfourth -4")
_AFTER = _table("squared 2 cubed 3 rpsquared -2 rpcubed -3")
"""With those of SIunits: rp is reciprocal."""
_SHORT = frozenset(
    "pg ug mg kg nm um mm cm dm km as fs ps ns us ms pmol nmol umol mmol mol kmol pA nA uA mA kA ul ml uL mL mHz Hz "
    "kHz MHz GHz THz mN kN MN Pa hPa kPa MPa GPa kohm Mohm pV nV uV mV kV uW mW kW MW GW uJ mJ kJ MJ eV meV keV MeV "
    "GeV TeV kWh fF pF nF uF mF uH mH dB kpc Mpc pc ppm ppb kms ng fb "
    "pb ifb invfb m s g A V W J N K".split()
)
"""Units by their signs; they mean nothing else behind a number."""
_NO_UNIT = frozenset("si SI unit qty text textrm textup mathrm mbox ensuremath rm usk cancel highlight".split())
_VALUES = {
    **dict.fromkeys("num tablenum complexnum numlist numproduct".split(), 1),
    **dict.fromkeys("SI qty complexqty SIlist qtylist qtyproduct".split(), 1),
    **dict.fromkeys("numrange SIrange qtyrange".split(), 2),
    **dict.fromkeys("si unit unitfrac numprint np".split(), 0),
}
"""How many numbers each command takes."""
_OF_FORMULAS = frozenset({"frac", "tfrac", "dfrac"})
_FRACTIONS = frozenset({"nicefrac", "sfrac", "xfrac", "textfrac", "vulgarfrac", "slantfrac", "flatfrac", *_OF_FORMULAS})
_ORDINALS = frozenset({"nth", "engordnumber", "engord", "ordinalnum"})
"""Of the packages nth, engord and fmtcount."""
_MONEY = {
    **{code: code for code in "USD GBP CHF JPY CNY INR AUD CAD SEK NOK DKK PLN CZK HUF BRL KRW RUB ZAR MXN".split()},
    **{"EUR": "€", "EURO": "€"},
}
"""What stands for an amount's currency: eurosym's `\\EUR{5}`, and others of its form."""
_BETWEEN = frozenset("pm mp times cdot div sim approx pH".split())
"""Signs that stand behind a number even where no formula is begun."""
_CHEMISTRY = frozenset({"ce", "ch", "isotope", "nuclide"})
_ARROWS = _table("<=> ⇌ <-> ↔ -> → <- ←")
_ARROW = re.compile("|".join(_ARROWS))
_DECLARED = re.compile(r"\\DeclareSIUnit\s*+(?:\[[^\[\]]{0,300}\]\s*+)?\{?+\s*+\\([A-Za-z]++)\s*+\}?+(?=\s*+\{)")
_WORDS = "|".join(sorted({*_UNITS, *_PREFIXES, *_BEFORE, *_AFTER, "per"}, key=len, reverse=True))
_LONG = re.compile(rf"(?:(?:{_WORDS})(?!imet))++(?:np)?+")
"""One name for many: SIunits' `\\kilogrampercubicmetre`."""
_WORD = re.compile(rf"(?:{_WORDS})(?!imet)")
_RUN = re.compile(
    rf"(?:\\(?:(?:tothe|raiseto|of)\s*+\{{[^{{}}]*+\}}|(?:{_LONG.pattern}|usk|{'|'.join(_SHORT)})(?![A-Za-z@]))"
    r"[ \t]*+)++"
)
_STEP = re.compile(
    rf"(?P<bare>\\(?:(?:{'|'.join((*_ALONE, *_PREFIXES))})(?![A-Za-z@])|degree(?![A-Za-z@]|[ \t]*+\{{[^}}])))"
    rf"|\\(?P<name>{'|'.join((*_VALUES, *_FRACTIONS, *_CHEMISTRY, *_ORDINALS, *_MONEY, 'ang', 'power', 'tothe'))})"
    r"(?![A-Za-z@])(?P<options>(?:[ \t]*+\[(?:[^\[\]{}]|\{[^{}]*+\}){0,300}\])*+)"
    r"|(?P<in>\\[(\[])|(?P<out>\\[)\]])|\\(?:(?P<other>[A-Za-z]++)|.)|(?P<dollar>\$\$?)|(?P<blank>\n[ \t]*+\n)",
    re.DOTALL,
)
_BEHIND_NUMBER = re.compile(r"\d[)}]?\$?(?:\s|~|\\[,;: ])*\Z")
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
_GAPS = re.compile(r"\\[,;:! ]|(?:(?<!\d)\.|\.(?!\d)|[~\s])+|\\(?:cdot|times)(?![A-Za-z])")
_EXPONENT = re.compile(r"(?<![A-Za-z])[eEdD]([-+]?\d+)$")
_ABBREVIATED = re.compile(r"u(?=(?:m|s|g|A|V|L|l|mol|W|J|F|H|T|N|K|C|Pa)$)")
_CLOSE = frozenset({"°", "′", "″", r"\%", "‰", ""})
"""Units that follow their number without a space."""
_POWER = re.compile(r"\^(?:\(([^()]*)\)|(-?\d+(?:\.\d+)?|[A-Za-z]))")
_WHOLE = re.compile(r"[-+]?\d{1,3}")
_RAISED = re.compile(r"\^\{([^{}]*)\}")
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
            if match["name"] is None and match["bare"] is None and not self._is_unit(match):
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
        if not name:
            return self._bare(match)
        if name == "tothe":
            return self._power(_exponent(power)) if (power := self._taken()) else None
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
        if name in _MONEY:  # with the amount, or a sign alone, as marvosym has it
            return self._set(number_text(self._taken() or ""), _MONEY[name])
        if name == "power":  # as SIunits has it
            unit, exponent = self._taken(), self._taken()
            return self._set("", f"{unit_text(unit, self._own)}^{_exponent(exponent)}") if unit and exponent else None
        return self._quantity(name, options[0] if options and "=" not in options[0] else "")

    def _power(self, exponent: str) -> str:
        return _POWER.sub(_braced, f"^{exponent}") if self._formula else f"^{exponent}"

    def _is_unit(self, match: re.Match[str]) -> bool:
        """Tell whether another command is a unit's: a part of one, or a unit behind a number; a formula shows it."""
        name = match["other"] or ""
        if self._formula or name == "deg":
            return False
        if name in _AFTER or name == "per":
            return True
        known = (
            name in _BEFORE or name == "raiseto" or name in {*_SHORT, *_BETWEEN, *self._own} or _LONG.fullmatch(name)
        )
        return bool(known) and self._is_behind_number(match.start())

    def _is_behind_number(self, start: int) -> bool:
        return _BEHIND_NUMBER.search(self._source, max(start - 8, 0), start) is not None

    def _bare(self, match: re.Match[str]) -> str | None:
        """Return units that stand without a command around them."""
        if match["other"] in _BETWEEN:
            return f" {SIGNS.get(match['other'], match['other'])} "
        name, run = match["other"], _RUN.match(self._source, match.start())
        units = match[0] if run is None or name in self._own or name in _AFTER else run[0]
        self._at = match.start() + len(units)
        over = name == "per" and not self._is_behind_number(match.start())
        text = f"^{_AFTER[name]}" if name in _AFTER else unit_text(units.removeprefix("\\per" * over), self._own)
        if not text and not over:
            return None
        whole = re.findall(r"[A-Za-z]+", units)[-1] not in {*_PREFIXES, "degree"}
        runs_on = whole and units[-1].isspace() and self._source[self._at : self._at + 1].isalnum() and bool(text)
        return "/" * over + self._set("", text) + " " * runs_on

    def _quantity(self, name: str, option: str) -> str | None:
        values = [self._taken() for _ in range(_VALUES[name])]
        units = [] if name.endswith(("num", "list", "range", "product")) and "num" in name else [self._taken(unit=True)]
        if name in ("numprint", "np"):
            values, units = units, [option]
        elif name == "unit" and _has_digit(units[0]) and self._source[self._at : self._at + 1] == "{":
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
        value = re.sub(" (to|and) ", r"\\text{ \1 }", _POWER.sub(_braced, value))
        value = value.replace("×", r"\times").replace("±", r"\pm")
        unit = _POWER.sub(_braced, unit).replace(" ", r"\,")
        return value + r"\," * apart + (rf"\mathrm{{{unit}}}" if unit else "")


def _braced(power: re.Match[str]) -> str:
    return f"^{{{power[1] or power[2]}}}"


def _is_number(text: str | None) -> bool:
    return _has_digit(text) and not re.search(r"[A-Za-z]{2}", text or "")


def _has_digit(text: str | None) -> bool:
    return any(map(str.isdecimal, _RAISED.sub("", text or "")))


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
    text = re.sub(r"\\tothe(?![A-Za-z])", "^", text)
    if re.search(r"\\[A-Za-z]", text):
        return f"{{{_Writer(source.strip(), {}).text()}}}"  # other TeX
    if re.search(r"\d[\s~]+[A-Za-z]{2}", text):
        return " ".join(re.sub(r"[~{}$]|\\,", " ", text).split())  # such as 5 to 10
    text = re.sub(r"[\s~{}$]|\\,", "", text).replace("+-", "±")
    return " × ".join(map(_factor, re.split(r"(?<=[\d)])[x×](?=[-+\d.])", text)))


def _factor(text: str) -> str:
    power = _EXPONENT.search(text)
    text = re.sub(r"(?<!\d)\.(?=\d)", "0.", text[: power.start()] if power is not None else text)
    text = re.sub(r"(?<=[\d)i])±(?=[\d.])", " ± ", text)
    if power is None:
        return text
    many = f"({text}) × " if " " in text else f"{text} × " if text.strip("+-") else text
    return f"{many}10^{power[1].lstrip('+')}"


def unit_text(source: str, own: Mapping[str, str]) -> str:  # noqa: C901  a table of the packages' commands
    """Return a unit: macros as m/s or J kg^-1 K^-1, what is spelt by hand without its marks."""
    source = _NAME.sub(lambda match: _NAMES.get(match[1]) or _parted(match, own), source)
    if not _MACRO.search(source) or "(" in source:
        source = _RAISED.sub(lambda match: f"^{_exponent(match[1])}", source)
        return " ".join(_STYLE.sub("", _GAPS.sub(" ", source)).replace("^°", "°").split())
    factors = list[tuple[str, str]]()
    prefix, power, sign, below = "", "1", "1", False
    for part in _PART.finditer(source):
        name, exponent = part["name"] or part["given"] or "", part["power"] or part["one"] or part["of"] or "1"
        symbol = part["text"] or ""
        if name == "per" or part["over"]:
            sign, below = "-1", True
        elif name == "usk":  # SIunits prints a stroke and then all that stands below it
            sign = "-1" if below else "1"
        elif name in _BEFORE or name == "raiseto":
            power = _BEFORE.get(name) or exponent
        elif name in _LEADS and name not in own:
            prefix += _LEADS[name]
        elif factors and (name in _AFTER or name in ("tothe", "of") or (exponent != "1" and not name)):
            last, raised = factors[-1]
            factors[-1] = (
                (f"{last}_{exponent}", raised) if name == "of" else (last, _times(raised, _AFTER.get(name) or exponent))
            )
        elif name and name not in _NO_UNIT:
            symbol = own.get(name) or _UNITS.get(name) or _ABBREVIATED.sub("μ", name).replace("ohm", "Ω")
        if symbol:
            factors.append((f"{prefix}{symbol}", _times(power, sign)))
            prefix, power, sign = "", "1", "1"
    if power != "1" and factors and not prefix:
        factors[-1] = (factors[-1][0], _times(factors[-1][1], power))
    return _product([*factors, (prefix, "1")] if prefix else factors)


def _parted(match: re.Match[str], own: Mapping[str, str]) -> str:
    """Return the names that a name such as kilogrampercubicmetre is made of; all behind "per" stand below."""
    name = match[1]
    if name in own or _WORD.fullmatch(name) or not _LONG.fullmatch(name):
        return match[0]
    pieces, below, begun = list[str](), False, False
    for word in _WORD.findall(name):
        below = below or word == "per"
        if word != "per":
            pieces.append("\\per" * (below and not begun and word not in _AFTER) + f"\\{word}")
        begun = word in _PREFIXES or word in _BEFORE
    return "".join(pieces) + " "


def _exponent(text: str) -> str:
    """Return an exponent; what is more than a number or a letter stands in brackets, as in m^(1/2)."""
    text = text.strip().removeprefix("+")
    return text if _POWER.fullmatch(f"^{text}") else f"({text})"


def _times(one: str, other: str) -> str:
    """Return the product of two exponents; one of them is a whole number in most units."""
    if "1" in (one, other):
        return other if one == "1" else one
    if _WHOLE.fullmatch(one) and _WHOLE.fullmatch(other):
        return str(int(one) * int(other))
    if "-1" in (one, other):
        text = one if other == "-1" else other
        return text[1:] if text.startswith("-") else f"-({text})" if re.search("[-+]", text) else f"-{text}"
    return f"{_exponent(one)}·{_exponent(other)}"


def _product(factors: list[tuple[str, str]]) -> str:
    """Return m/s where one factor stands below others, else m s^-1."""
    below = [(symbol, _times(power, "-1")) for symbol, power in factors if power.startswith("-")]
    above = [(symbol, power) for symbol, power in factors if not power.startswith("-")]
    groups = [above, below] if len(below) == 1 and above else [factors]
    texts = (
        " ".join(symbol if power == "1" else f"{symbol}^{_exponent(power)}" for symbol, power in group)
        for group in groups
    )
    return re.sub(r"(?<!\\)%", r"\\%", "/".join(texts))
