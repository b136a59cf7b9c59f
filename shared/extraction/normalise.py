"""One way of writing for everything that means the same, character for character, so that offsets into the reply stay true.

`plain` blanks markup (markdown, LaTeX, HTML, quotes), turns full-width, circled and bold letters into ASCII, and arrows, dashes and
punctuation of other scripts into their ASCII likeness. Brackets stay, as parentheses: "B (A is wrong)" is not "B A is wrong".
"""

from __future__ import annotations

import re
import unicodedata

LIKENESS = {
    " ": '*_`~#"$“”„‟«»‹›「」『』《》〈〉{}\t\r\v\f\\\u00a0\u00ad\u1680\u180e\u202f\u205f\u3000\ufeff\ufe0e\ufe0f·•●▪■◆★'
    + "".join(map(chr, [*range(0x2000, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070)])),
    "\n": "\x85\u2028\u2029",
    "'": "‘’‚‛ʼ´",
    "(": "[【〔〖",
    ")": "]】〕〗",
    ">": "→⇒➔➜➝➞➡⟶⟹⇾➤►▶➙➛»→",
    "-": "–—―‒−‐‑⸺─━",
    ":": "：﹕︰",
    ".": "。｡．।…\u20e3",
    ",": "，、､،",
    ";": "；؛",
    "?": "？؟",
    "!": "！",
    "/": "／",
    "✓": "✅✔☑🗸",
    "✗": "❌✘✖✕❎🗙",
    "I": "İ",  # the only character whose lower case is two
}
SQUARED = (0x1F110, 0x1F130, 0x1F150, 0x1F170, 0x1F1E6)
"""First of the letters A–Z in brackets, squares, dark circles, dark squares (🅰) and flags."""


def _table() -> dict[int, str]:
    table = {ord(char): plain for plain, chars in LIKENESS.items() for char in chars}
    for code in (
        *range(0xFF01, 0xFF5F),
        *range(0x24B6, 0x24EA),
        *range(0x1D400, 0x1D6A4),
    ):  # full-width, circled, bold…
        likeness = unicodedata.normalize("NFKC", chr(code))
        if likeness.isascii() and likeness.isprintable():
            table[code] = table.get(ord(likeness), likeness)
    table |= {first + n: chr(65 + n) for first in SQUARED for n in range(26)}
    table |= {0x249C + n: chr(97 + n) for n in range(26)}  # ⒜
    return table


TABLE = _table()
ASCII_TABLE = {code: char for code, char in TABLE.items() if code < 128}
LATEX_ARROW = re.compile(r"\\(?:long)?(?:right|Right)arrow\b|\\to\b|\\implies\b")
LATEX_DEGREE = re.compile(r"\^?\{?\\circ\}?")
LATEX = re.compile(r"(?:\\n(?=[A-Z\s\\]|$)|\\[A-Za-z]+|\\[^A-Za-z\n]){1,500}")
TAG = re.compile(
    r"</?(?:[a-z]|[A-Za-z][A-Za-z0-9_:-]{1,40})(?:\s[^<>\n]{0,80})?/?>|<\|[\w/ ]{1,40}\|>|\[/?INST\]|&(?:nbsp|gt|lt|amp|quot);"
)
IMAGE_TAG = re.compile(r"<image[\s_]?\d+>", re.IGNORECASE)
"""A placeholder loses only its angle brackets."""
CHECKBOX = re.compile(r"\[[\sxX✓✔]\](?=\s?\(?[A-Z]\b)")
QUOTE = re.compile(r"(?<![^\W\d_])'|'(?![^\W\d_])")
"""An apostrophe that stands between letters ("isn't", "C'est") is part of a word; the others are quotes."""


HOMOGLYPH = re.compile(r"(?<![^\W_])[АВСЕΑΒΕ](?![^\W_]| [а-яё])")
"""A Cyrillic or Greek letter that stands alone and looks like A, B, C or E; not the preposition in "В ответе"."""
LATIN = dict(zip("АВСЕΑΒΕ", "ABCEABE", strict=True))


def _blank(match: re.Match[str]) -> str:
    tag = match[0]
    return f" {tag[1:-1]} " if tag[1:2] in "iI" and IMAGE_TAG.fullmatch(tag) else " " * len(tag)


def _arrow(match: re.Match[str]) -> str:
    return ">".ljust(len(match[0]))


def plain(text: str) -> str:
    """The text in plain writing, of the same length.

    >>> plain("**答案**：Ｂ")
    '  答案  :B'
    >>> plain(r"\\boxed{\\text{B}} → (C)")
    '             B   > (C)'
    """
    if "<" in text or "&" in text or "[" in text:
        text = TAG.sub(_blank, text)
    if "\\" in text:
        text = LATEX_DEGREE.sub(lambda match: "°".ljust(len(match[0])), LATEX_ARROW.sub(_arrow, text))
        text = LATEX.sub(_blank, text)
    if "[" in text:
        text = CHECKBOX.sub(lambda match: " ✓ " if match[0][1].strip() else " ✗ ", text)
    text = text.translate(ASCII_TABLE if text.isascii() else TABLE)
    if not text.isascii():
        text = HOMOGLYPH.sub(lambda match: LATIN[match[0]], text)
    return QUOTE.sub(" ", text) if "'" in text else text


def lower(text: str) -> str:
    """Lower case, of the same length."""
    small = text.lower()
    return small if len(small) == len(text) else text.replace("İ", "I").lower()
