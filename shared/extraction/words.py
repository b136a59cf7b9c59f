"""What words do beside an option, and small tables of words; the large ones are in `words_before` and `words_after`.

Entries are words or phrases in lower case and plain writing (`normalise.plain`), separated by commas. `tokens.py` cuts a text into the
same units: words with blanks around them where a script has blanks, the longest known entry where it has none ("答案是B。").
"""

from __future__ import annotations

GLUE = "0-9A-Za-zª-ɏ\u0300-\u036fͰ-ԯḀ-ỿ"
"""Characters that make one word with a Latin letter beside them. Chinese, Japanese, Korean, Arabic … do not."""


class Role:
    """What a word or phrase does beside an option, as bits: many do several things. Plain numbers, since they are read very often."""

    NONE = 0
    ANSWER = 1 << 0
    """Announces an answer when a copula or a colon follows."""
    ORDER = 1 << 1
    """Announces a sequence."""
    CHOOSE = 1 << 2
    """A verb whose object is the answer."""
    CONCLUDE = 1 << 3
    """Announces a conclusion: the answer, when the clause ends with the option."""
    CORRECT = 1 << 4
    """Takes back and puts another in its place: "B... wait, no, C"."""
    HINT = 1 << 5
    """Names an option as the likely answer, without saying that it is the answer."""
    OR = 1 << 6
    """Names an option beside another."""
    COPULA = 1 << 7
    """Joins an announcement with its option."""
    LINK = 1 << 8
    """May stand between an announcement and its option."""
    NEGATE = 1 << 9
    """Rejects the option after it."""
    EXAMPLE = 1 << 10
    """The option after it only illustrates."""
    GUARD = 1 << 11
    """What follows in the same clause is a hypothesis, or a thought given up."""
    BLOCK = 1 << 12
    """Between announcement and option it breaks their bond: "the answer depends on whether …"."""
    VERB = 1 << 13
    """After an option: a judgement may follow."""
    FILL = 1 << 14
    """May stand between an option and the judgement on it."""
    RIGHT = 1 << 15
    """The judgement that makes the option before it the answer, at the end of a clause."""
    TITLE = 1 << 16
    """The same as a noun: "is the best *match* for …"."""
    THING = 1 << 17
    """A noun that does so only after praise: "is the *correct* image"."""
    FITS = 1 << 18
    """A verb that makes it the answer when only that option is its subject: "Only B *matches*"."""
    WRONG = 1 << 19
    """The judgement that rejects the option before it."""
    DENY = 1 << 20
    """A verb that rejects the option before it."""
    END = 1 << 21
    """Closes a clause after an option."""
    ON = 1 << 22
    """Goes on after a judgement: "B is correct *and* …"."""


def entries(table: str) -> list[str]:
    """The words and phrases of a table."""
    return [entry for line in table.split("\n") for entry in map(str.strip, line.split(",")) if entry]


ASIDES = """
which, with, where, whose, who, that, having, being, and, while, although, though, even, like, unlike, on, in, at, from, for,
if, when, is, was, also, as, we, it, the
"""
"""After an option and a comma they speak on about the option or of something else, and do not close an answer."""

PLACING = "in, on, by, with, from, for, at, among, above, as, to"
"""Between a conclusion and an option they make it a place: "So in A, …"."""

JOINS = """
or, and, and/or, as well as, along with, together with, vs, versus, plus, nor, oder, und, ou, et, o, y, e, hay, или, и, lub, of, en, och, eller, og, ve, veya,
atau, dan, hoặc, và
或, 或者, 还是, 還是, 和, 与, 與, 及, 以及, または, もしくは, と, か, 또는, 혹은, 과, 와, أو, و, या, और, หรือ, และ
"""
"""What joins options to a list: "A or B" is no answer."""

LEADS = """
i, i'd, i'll, would, will, the, my, our, your, final, correct, so, thus, therefore, hence, best, and, step, then, finally,
overall, now, here, ist, also, richtige, die, c'est, la, bonne, le, el, il, a, o, правильный, верный, सही, doğru, prawidłowa,
poprawna, správná, oikea, het, juiste, 最终, 正确, 故, 因此, 所以, 最終, 我的
"""
"""What may stand before a noun that begins its clause: "So my final answer B"."""

PLACES = """
definitely, clearly, obviously, certainly, probably, surely, likely, maybe, perhaps, just, simply, only, yes, ok, okay, sure,
option, choice, letter, answer, be, both, either, 是, 选项
"""
"""What may stand between the beginning of a clause and an option that answers without a word: "Definitely B."."""

NAMES = """
option, choice, image, letter, answer, label, result, output, prediction, selected, response, chosen, pick, final, assistant,
ok, okay, yes, sure, 选项, 選項
"""
"""What may stand before a colon for the option after it to be an answer; not "Grade: A"."""

SUBJECTS = """
i, we, i'd, i'll, i'm, i've, we'd, we'll, let's, let, me, us, my, so, thus, therefore, hence, then, and, or, must, should, finally
"""
"""What stands before "choose", over `HELPERS`, when the model itself does; nothing at all does too."""
HELPERS = """
would, will, have, has, had, am, are, is, going, want, like, decide, decided, forced, need, to, rather, also, just, simply, finally,
therefore, thus, still, now, definitely, probably, choose, say, be, go, can, could, must, should, only, it, that, 'd, randomly, best
"""

KINDS = "option, choice, image, letter, answer, 选项, 選項, 项, 項, 번, 図"
"""What may stand right behind an option's letter: "C选项"."""

ASKING = "is, are, was, could, would, should, can, might, may, does, do, what, which, how"
"""How a question begins."""

TURNS = "first, firstly, second, secondly, third, next, then, now, lastly, step"
"""Before a comma they tell that the option after it is only looked at next."""

SAID = "correct, incorrect, wrong, true, false, ✓, ✗, 正确, 错误"
"""Judgements that may follow "B." as a sentence of their own."""

MAKERS = "make, makes, making, made, consider, considers, find, finds, deem, believe, judge, call, mark"
"""Before an option they join it with a judgement: "makes B the answer"."""

MODALS = "could, might, may"
"""After an option they leave it open."""
