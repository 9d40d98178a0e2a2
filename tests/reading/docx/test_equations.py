"""Word's equations and signs in a line of text."""

from __future__ import annotations

import time
from xml.etree.ElementTree import fromstring
from xml.sax.saxutils import quoteattr

import pytest

from engine.reading.docx.equations import equation, of_field, symbol
from tests.reading.docx.writer import METHOD, TITLE, docx, read

_M = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'


def run(text: str) -> str:
    return f"<r><t>{text}</t></r>"


def part(tag: str, text: str) -> str:
    return f"<{tag}>{run(text)}</{tag}>"


def formula(inner: str) -> str:
    """An equation in a paragraph, its elements in their namespace."""
    return f"<m:oMath {_M}>{inner.replace('</', '</m:').replace('<', '<m:').replace('<m:/m:', '</m:')}</m:oMath>"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (f"<f>{part('num', 'a+b')}{part('den', 'c')}</f>", "(a+b)/c"),
        (f"<f>{part('num', '1')}{part('den', '2c')}</f>", "1/(2c)"),
        (f'<f><fPr><type val="noBar"/></fPr>{part("num", "n")}{part("den", "k")}</f>', "n over k"),
        (f"<rad><deg/>{part('e', 'x')}</rad><rad>{part('deg', '3')}{part('e', 'x+1')}</rad>", "√x∛(x+1)"),
        (f"<rad>{part('deg', 'n')}{part('e', 'x')}</rad>", "x^(1/n)"),
        (f"<sSup>{part('e', '10')}{part('sup', '-3')}</sSup>", "10^-3"),
        (
            f"<sSup><e><f>{part('num', 'x-c')}{part('den', 'v')}</f></e>{part('sup', '2')}</sSup>",
            "((x-c)/v)^2",
        ),
        (f"{run('5')}<f>{part('num', '1')}{part('den', '2')}</f>{run('m')}", "5 1/2 m"),
        (f"{run('5')}<e><f>{part('num', '1')}{part('den', '2')}</f>{run('5')}</e>", "5 1/2 5"),
        (f"{run('1')}{run('0')}<rad><deg/>{part('e', '2')}</rad>", "10√2"),
        (f"{run('2')}<rad>{part('deg', '5')}{part('e', '32')}</rad>", "2 32^(1/5)"),
        (f"{run('2')}<sSup>{part('e', '10')}{part('sup', '5')}</sSup>{run('3')}", "2 10^5 3"),
        (f"<d><e>{run('2')}<sSub>{part('e', '10')}{part('sub', '2')}</sSub></e></d>", "(2 10_2)"),
        (f"{run('5')}<sPre>{part('sub', '6')}{part('sup', '14')}{part('e', 'C')}</sPre>", "5 ^14_6C"),
        (f"{run('2')}<func>{part('fName', 'log')}{part('e', '10')}</func>{run('5')}", "2 log 10 5"),
        (f"{run('5')}<nary>{part('sub', '1')}{part('sup', '2')}{part('e', '3')}</nary>", "5∫_1^2 3"),
        (f"<sSub>{part('e', 'x')}{part('sub', 'max')}</sSub>", "x_max"),
        (f"<sSubSup>{part('e', 'x')}{part('sub', 'i+1')}{part('sup', '2')}</sSubSup>", "x_(i+1)^2"),
        (f"<sPre>{part('sub', '6')}{part('sup', '14')}{part('e', 'C')}</sPre>", "^14_6C"),
        (
            f'<nary><naryPr><chr val="∑"/></naryPr>{part("sub", "i=1")}{part("sup", "n")}{part("e", "x")}</nary>',
            "∑_(i=1)^n x",
        ),
        (f"<nary><sub/><sup/>{part('e', 'f dx')}</nary>", "∫ f dx"),
        (f"<limLow>{part('e', 'lim')}{part('lim', 'x→0')}</limLow>", "lim_(x→0)"),
        (f"<func>{part('fName', 'sin')}{part('e', 'x')}</func>", "sin x"),
        (f"<func>{part('fName', 'sin')}<e><d>{part('e', 'x')}</d></e></func>", "sin(x)"),
        (f'<d><dPr><begChr val="|"/><endChr val="|"/></dPr>{part("e", "x")}</d>', "|x|"),
        (
            '<d><dPr><begChr val="{"/><endChr val=""/></dPr><e><eqArr>'
            + part("e", "a")
            + part("e", "b")
            + "</eqArr></e></d>",
            "{a; b",
        ),
        (
            f"<d><e><m><mr>{part('e', 'a')}{part('e', 'b')}</mr><mr>{part('e', 'c')}{part('e', 'd')}</mr></m></e></d>",
            "(a, b; c, d)",
        ),
        (f"<acc>{part('e', 'x')}</acc>", "x\u0302"),
        (f'<acc><accPr><chr val="\u0303"/></accPr>{part("e", "x")}</acc>', "x\u0303"),
        (f'<bar><barPr><pos val="top"/></barPr>{part("e", "x")}</bar>', "x\u0305"),
        (f"<bar>{part('e', 'x')}</bar>", "x\u0332"),
        (f'<phant><phantPr><show val="0"/></phantPr>{part("e", "x")}</phant>y', ""),
        (f"<eqArr>{part('e', 'E=m#(1)')}</eqArr>", "E=m (1)"),
        (f"<box>{part('e', 'k')}</box><del>{run('gone')}</del><r><t>a</t><br/><t>b</t></r>", "ka b"),
    ],
)
def test_the_elements_of_an_equation(written: str, expected: str) -> None:
    assert equation(fromstring(f"<oMath>{written}</oMath>")) == expected


def test_deep_equations_take_no_longer_than_they_are() -> None:
    text = "x"
    for _ in range(60):
        text = f"<d><e><r><t>a</t></r>{text}</e></d>"
    assert equation(fromstring(f"<oMath>{text}</oMath>")).count("(a") == 60


def test_equations_among_text_and_side_by_side() -> None:
    half = formula(f"<f>{part('num', '1')}{part('den', '2')}</f>")
    mark = '<w:bookmarkStart w:id="1" w:name="x"/>'
    one, two = formula(run("a=b")), formula(run("c=d"))
    text = f"<w:p><w:r><w:t>for</w:t></w:r><m:oMathPara {_M}>{one}{two}</m:oMathPara><w:r><w:t>holds.</w:t></w:r></w:p>"
    data = docx(
        TITLE,
        *METHOD,
        f'<w:p><w:r><w:t xml:space="preserve">About </w:t></w:r>{half}<w:r><w:t>, or</w:t></w:r></w:p>',
        f"<w:p>{one}{mark}{two}{one}</w:p>",
        text,
    )
    assert read(data).document.sections[-1].text.split("\n\n")[1:] == [
        "About 1/2, or",
        "a=b c=d a=b",
        "for a=b c=d holds.",
    ]


def test_a_superscript_behind_a_number() -> None:
    def raised(text: str) -> str:
        return f'<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>{text}</w:t></w:r>'

    low = '<w:r><w:rPr><w:vertAlign w:val="subscript"/></w:rPr><w:t>2</w:t></w:r>'
    runs = [
        f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'
        for text in ("10", " at 3 s", ", the 1", " of CO", " by Lind")
    ]
    ups = [raised("5"), raised("−1"), raised("st"), low, raised("3")]
    data = docx(TITLE, *METHOD, f"<w:p>{''.join(f'{run}{up}' for run, up in zip(runs, ups, strict=True))}</w:p>")
    assert read(data).document.sections[-1].text.endswith("10^5 at 3 s^−1, the 1st of CO2 by Lind3")


def line(inner: str) -> str:
    """What is read of a paragraph of runs."""
    return read(docx(TITLE, *METHOD, f"<w:p>{inner}</w:p>")).document.sections[-1].text.split("\n")[-1]


def set_as(text: str, given: str = "") -> str:
    """A run with a property."""
    name, _, told = given.partition(" ")
    properties = f"<w:{name} w:val={quoteattr(told)}/>" if name else ""
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


UP, DOWN = "vertAlign superscript", "vertAlign subscript"
SLASH = "\N{FRACTION SLASH}"
HALF = f"{set_as('1', UP)}{set_as('/')}{set_as('2', DOWN)}"


@pytest.mark.parametrize(
    ("runs", "expected"),
    [
        (set_as("5 1/2, 5½ and ½ m"), "5 1/2, 5½ and ½ m"),
        (f"{set_as('5')}{HALF}{set_as(' m')}", "5 1/2 m"),
        (f"{set_as('5 ')}{HALF}{set_as('3 m')}", "5 1/2 3 m"),
        (f"{set_as('5')}{set_as('1', UP)}{set_as(SLASH)}{set_as('2', DOWN)}", "5 1/2"),
        (f"{set_as('5')}{set_as('1/', UP)}{set_as('2', DOWN)}", "5 1/2"),
        (f"{set_as('5')}{set_as('1', UP)}{set_as('/2', DOWN)}", "5 1/2"),
        (f"{set_as('x')}{set_as('2', UP)}{set_as('1', DOWN)}", "x2_1"),
        (f"{set_as('10')}{set_as('-', UP)}{set_as('3', UP)}", "10^-3"),
        (f"{set_as('10')}<w:ins>{set_as('3', UP)}</w:ins><w:hyperlink>{set_as('0', UP)}</w:hyperlink>", "10^30"),
        (f"{set_as('10')}{set_as('5', 'position 8')}", "10^5"),
        (f"{set_as('10')}{set_as('2', 'position -6')}", "10_2"),
        (f"{set_as('10')}{set_as('5', 'position 1')}", "105"),
        (f"{set_as('10')}{set_as('5', 'rStyle Upper')}{set_as('5', 'rStyle No')}", "10^55"),
    ],
)
def test_typed_fractions_and_scripts_change_no_number(runs: str, expected: str) -> None:
    assert line(runs) == expected


def field(code: str, result: str = "") -> str:
    """A field, its code cut in two runs."""
    marks = [f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>' for kind in ("begin", "separate", "end")]
    codes = "".join(f"<w:r><w:instrText>{part}</w:instrText></w:r>" for part in (code[:4], code[4:]))
    return f"{marks[0]}{codes}{f'{marks[1]}{set_as(result)}' if result else ''}{marks[2]}"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (r"EQ \f(1,2)", "take 5 1/2 m"),
        (r" eq \f(1;2) \* MERGEFORMAT", "take 5 1/2 m"),
        (r" EQ \f(1,5;2x)", "take 5 1,5/(2x) m"),
        (r" EQ +x\s\up5(2)y\s\do4(i)", "take 5+x^2y_i m"),
        (r" EQ +x\s(2,i) \r(3,x)\r(a+b)\r(n,x)", "take 5+x^2_i ∛x√(a+b)x^(1/n) m"),
        (r" EQ ·\b(\f(a,b))·\b\bc\[(x)·\b\lc\{\rc\ (x)", "take 5·(a/b)·[x]·{x m"),
        (r" EQ +\i\su(1,n,x)+\i(0,1,x)+\i\pr(1,n,x)", "take 5+∑_1^n x+∫_0^1 x+∏_1^n x m"),
        (r" EQ +\a\al\co2(a,b) \o(a,^) \x(\l(1,2)) f(a,b)\,", "take 5+a; b a^ 1, 2 f(a,b), m"),
        (r' SYMBOL 176 \f "Symbol" \s 12', "take 5° m"),
        ("SYMBOL 181", "take 5µ m"),
        ('XE "kettle"', "take 5 m"),
        (f"EQ {chr(92)}f(" * 50, "take 5"),
    ],
)
def test_fields_that_print_a_formula(code: str, expected: str) -> None:
    assert line(f"{set_as('take 5')}{field(code)}{set_as(' m')}").startswith(expected)
    simple = f"<w:fldSimple w:instr={quoteattr(code)}/>"
    assert line(f"{set_as('take 5')}{simple}{set_as(' m')}").startswith(expected)


def test_a_field_prints_its_stored_result() -> None:
    assert line(set_as("take ") + field(r"EQ \f(1,2)", "a half") + set_as(" m")) == "take a half m"


def test_a_hostile_field_costs_no_more_than_its_length() -> None:
    begun = time.process_time()
    for piece in (r"\f(", r"\b\bc", "(", r"\s\up", ",", r"\f(1,2"):
        of_field("EQ " + piece * 20_000)
    assert time.process_time() - begun < 10


@pytest.mark.parametrize(
    ("font", "char", "expected"),
    [
        ("Symbol", "F06D", "μ"),
        ("Symbol", "F0B0", "°"),
        ("Symbol", "F0B1", "±"),
        ("Symbol", "00B4", "×"),
        ("Symbol", "F02B", "+"),
        ("Arial", "2022", "•"),
        ("Wingdings", "F0FC", ""),
        ("Symbol", "FFFF", ""),
        ("Symbol", "none", ""),
    ],
)
def test_signs_of_a_font(font: str, char: str, expected: str) -> None:
    assert symbol(fromstring(f'<sym font="{font}" char="{char}"/>')) == expected


def test_a_fraction_stands_apart_from_the_number_before_it() -> None:
    half = formula(f"<f>{part('num', '1')}{part('den', '2')}</f>")
    paragraph = f"<w:p><w:r><w:t>Of 5</w:t></w:r>{half}<w:r><w:t> m, x</w:t></w:r>{formula(run('2'))}</w:p>"
    assert read(docx(TITLE, *METHOD, paragraph)).document.sections[-1].text.endswith("Of 5 1/2 m, x2")


def test_a_sign_within_a_text() -> None:
    sign = '<w:r><w:sym w:font="Symbol" w:char="F06D"/></w:r>'
    data = docx(
        TITLE, *METHOD, f'<w:p><w:r><w:t xml:space="preserve">5 </w:t></w:r>{sign}<w:r><w:t>m</w:t></w:r></w:p>'
    )
    assert read(data).document.sections[-1].text.endswith("5 μm")
