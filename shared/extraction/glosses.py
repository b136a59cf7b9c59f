"""An option named twice in one breath, by its text and by a letter: "9 (option D)", "D, which is 9". Do the two agree?"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from enum import IntEnum

from .lexicon import Mention
from .mentions import LETTER
from .standing import Standing
from .survey import OptionPage
from .words import ASIDES, entries

REACH = 100
"""Characters between the two within which one may gloss the other."""

UNITS = "one|cubes?|blocks?|bricks?|pieces?|studs?|faces?|squares?|layers?|parts?|units?|steps?|moves?|degrees?|个|個|块|塊|개"
UNIT = rf"(?:[ -]?(?:[a-z]{{1,12}} )?(?:{UNITS})(?![a-z]))?(?: (?:in total|in all|altogether)\b)?"
"""What may stand right behind an option's text: "9 small cubes"."""
PREDICATE = r"(?: is (?:the )?(?:(?:correct|right|best|final) ?)?(?:answer|choice|option|one)?)?"
KIND = (
    r"(?:the |an? )?(?:(?:answer|multiple[ -]choice|given|listed|correct) )?(?:option|choice|letter|answer|alternative|label|item|image"
    r"|picture|figure|opción|opção|lettre|réponse|respuesta|resposta|risposta|opzione|lettera|antwort|buchstabe|вариант|ответ"
    r"|选项|選項|选择|選擇|选|選|項|项|選択肢|보기|선택지)(?: (?:is|number))? ?:? ?"
)
"""What may stand before the letter of a gloss: "which is *option* B"."""
THIS = "(?:and )?(?:which|that|this|it|these|they) ?"
AS = "(?: as| in| by| at| under| with)?"
MARKED = "(?:labell?ed|marked|listed|given|shown|found|denoted|represented|depicted)"
SAME = (
    rf"(?:(?:is|are|can be) {MARKED}{AS}|'s|is|are|was|would be|must be|means|gives(?: us)?|equals|matche?s|makes(?: it)?|refers to"
    r"|represents|states|says|reads|agrees with|corresponds? (?:to|with))"
)
SAID_AGAIN = (
    rf"(?:i\.? ?e\.?|that is|that's|namely|meaning|making (?:it|this)|in other words|aka|corresponding (?:to|with)|matching|equivalent to|{MARKED}{AS}"
    r"|d\. ?h\.|das ist|c'est-à-dire|es decir|o sea|ou seja|cioè|то есть|т\. ?е\.|即|也就是|对应的?|對應的?|つまり|즉)"
)
HENCE = "(?:(?:and|so|hence|thus|therefore|also|daher|donc|所以|因此|故),? ?)?"
ANSWER = "(?:(?:the |my )?(?:correct |final |best )?(?:answer|choice|option)(?: is| ?:) ?)?"
LABELLED = re.compile(
    rf"{UNIT}{PREDICATE} ?(?:\( ?(?:(?:{SAID_AGAIN}|see|{THIS}{SAME}),? ?)?"
    rf"|[,;.]? ?-? ?(?:{THIS}(?:also )?{SAME}|{SAID_AGAIN})[,:]? ?\(? ?)(?:{KIND})?(?:\( ?)?"
)
"""Between the two when the second tells, in so many words or in brackets, what the first is: ", which is option"."""
RENAMED = re.compile(
    r" ?(?:\( ?(?:(?:i\.e\.|that is),? )?(?:option|choice|letter)?|,? ?(?:which is|that is|i\.e\.|namely),?(?: (?:option|choice|letter))?) ?\(?"
)
"""Between two letters of which the second tells what the first is: "A (option B)"."""
BESIDE = re.compile(rf"{UNIT}{PREDICATE} ?(?:[,;:/|-]|\.{{2,4}}|[-=]* ?>|=)? ?{HENCE}{ANSWER}(?:{KIND})?(?:\( ?)?")
"""Between the two when they stand side by side: ", option", " - (", ", so the answer is"."""
NEXT = re.compile(rf"{UNIT}{PREDICATE}\. ?{HENCE}(?:{KIND}\(? ?|\( ?)")
"""Between the two when the letter is a sentence of its own: ". Option"."""
FIELD = re.compile(
    rf"{UNIT}\s?,\s{{0,9}}(?:(?:correct|final|selected|chosen) )?(?:option|choice|letter|answer|label|text|value|content)"
    r"(?: (?:letter|text|label|id|value|content))?\s?:\s?"
)
"""Between the two when they are fields of a record: `{"answer": "9", "option": "A"}`."""
APART = re.compile(r"[\s.]{0,20}(?:(?:option|choice) )?\(? ?")
"""Between an answer that the reply sets apart and a letter in the next line."""
CLOSED = re.compile(
    rf" ?(?:[.!?;\n]|$|,(?! ?(?:\(?[a-j]|{'|'.join(entries(ASIDES))})(?![a-z]|\.e\.))|(?:because|since|given|due|as)(?![a-z]))"
)
"""What follows a letter that is no subject of a clause: "9, A is mirrored" says nothing of 9."""
CLOSED_BRACKET = re.compile(r" ?\)")
"""A letter in brackets is closed whatever follows: "9 (option A) is …"."""
ALONE = re.compile(r"[ .!)]*(?:\n|$)")
"""A sentence of its own is over at once: "9. Option A. ", but not "9. Option A: 7"."""
TEXT_CLOSED = re.compile(rf"\s*(?:[.,;:!?)\n]|$)|{UNIT}\s*(?:[.!?)\n]|$)")
"""With a unit it may go on: "D (8 cubes, and 1 hidden)"."""
OPTION = re.compile("option|choice|letter|选项|選項")
"""Makes a label of the letter behind a text that is also a word."""
ARTICLE = re.compile(r"(?:the|an?) $")
BLANKS = re.compile(" {2,}")
LABEL = re.compile(
    r"(?:images?|pictures?|figures?|fig\.?|views?|panels?|steps?|state|options?|rows?|columns?|no\.|图片?|圖片?|図|그림)[ -]?$"
)
"""Before a number that is the name of a thing and not an option's text: "image 5"."""
PRAISE = frozenset(["right", "true"])
"""Option texts that also judge: "A, which is right"."""


class Bond(IntEnum):
    """How closely the second of two mentions belongs to the first."""

    NONE = 0
    BESIDE = 1
    """Side by side: it is the same answer when the first is one."""
    LABELLED = 2
    """It says what the first is, wherever that stands."""


def contradicted(page: OptionPage, answer: Mention) -> bool:
    """Whether what stands beside an answer says again which it is, and names another option.

    Where it agrees on one side, the other side belongs to something else: "(C) 10 (D) 9".
    """
    if answer.own and answer.own.letters == answer.letters:
        return False
    glosses = [pair for pair in _pairs(page, answer) if _says_again(page, *pair, known=pair[0] is answer)]
    return bool(glosses) and all(first.letters != second.letters for first, second in glosses)


def _pairs(page: OptionPage, answer: Mention) -> Iterator[tuple[Mention, Mention]]:
    """The answer with the nearest letters and texts, in the order in which they stand; never two texts."""
    letters = _letters_around(page, answer)
    for around in (letters,) if answer.by_text else (letters, page.texts):
        after = bisect_left(around, answer.end, key=lambda other: other.start)
        before = bisect_right(around, answer.start, key=lambda other: other.end)
        if before and answer.start - around[before - 1].end <= REACH:
            yield around[before - 1], answer
        if after < len(around) and around[after].start - answer.end <= REACH:
            yield answer, around[after]


def _is_label(page: OptionPage, text: Mention) -> bool:
    """Whether a number names a thing, and no option: "image 5"."""
    return (
        text.by_text
        and page.small[text.start].isdigit()
        and bool(LABEL.search(page.small[max(0, text.start - 12) : text.start]))
    )


def _letters_around(page: OptionPage, answer: Mention) -> list[Mention]:
    """Single letters before and behind."""
    found = LETTER.finditer(page.plain, max(0, answer.start - REACH), answer.end + REACH)
    return [Mention(*letter.span(), letter[0].upper()) for letter in found if len(letter[0]) == 1]


def _says_again(page: OptionPage, first: Mention, second: Mention, *, known: bool) -> bool:
    """Whether the second mention glosses the first, and the first is an answer; `known`: that it is one is known."""
    if _is_label(page, first if first.by_text else second):
        return False
    bond = _bond(page, first, second)
    if bond is Bond.NONE or known or _is_set_apart(page, first, second):
        return bond is not Bond.NONE
    plain = not page.is_word(first) or page.leads(first.start) or _is_labelled_place(page, first, second)
    needed = Standing.MENTIONED if plain and bond is Bond.LABELLED else Standing.DECLARED
    judged = page.judge(first if first.by_text else first._replace(own=second))
    return judged.standing >= needed and not (first.by_text and page.locates(first))


def _is_set_apart(page: OptionPage, first: Mention, second: Mention) -> bool:
    """Whether only the first stands in the reply's last container."""
    return page.container is not None and page.container.start <= first.start < page.container.end <= second.start


def _is_labelled_place(page: OptionPage, text: Mention, letter: Mention) -> bool:
    """ "It turns right (option B)", but not "That's right (B)"."""
    return text.letters in page.lexicon.places and bool(OPTION.search(page.small, text.end, letter.start))


def _bond(page: OptionPage, first: Mention, second: Mention) -> Bond:
    gap = BLANKS.sub(" ", page.small[first.end : second.start])
    tail = BLANKS.sub(" ", page.small[second.end : second.end + REACH])
    if _is_set_apart(page, first, second) and APART.fullmatch(gap) and ALONE.match(tail):
        return Bond.BESIDE
    if second.by_text:
        return _bond_with_text(page, gap, tail, second)
    if not first.by_text and not RENAMED.fullmatch(gap):
        return Bond.NONE
    return _bond_with_letter(gap, tail)


def _bond_with_text(page: OptionPage, gap: str, tail: str, text: Mention) -> Bond:
    gap = ARTICLE.sub("", gap)
    if not gap.strip() or page.small[text.start : text.end] in PRAISE or not TEXT_CLOSED.match(tail):
        return Bond.NONE
    if LABELLED.fullmatch(gap) or FIELD.fullmatch(gap):
        return Bond.LABELLED
    return Bond.BESIDE if BESIDE.fullmatch(gap.removeprefix(")")) else Bond.NONE


def _bond_with_letter(gap: str, tail: str) -> Bond:
    closed = CLOSED_BRACKET.match(tail)
    if LABELLED.fullmatch(gap) and ((closed and "(" in gap) or CLOSED.match(tail)):
        return Bond.BESIDE if "answer" in gap else Bond.LABELLED  # "We see 8. This means the answer is D."
    beside = (BESIDE.fullmatch(gap) or FIELD.fullmatch(gap)) and CLOSED.match(tail, closed.end() if closed else 0)
    return Bond.BESIDE if beside or (NEXT.fullmatch(gap) and ALONE.match(tail)) else Bond.NONE
