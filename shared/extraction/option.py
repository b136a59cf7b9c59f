"""Reading a choice: which one option does the reply settle on?"""

from __future__ import annotations

import re

from ..sample import Outcome
from .containers import CONTAINERS
from .glosses import contradicted
from .lexicon import Lexicon, Mention
from .page import Rule, Verdict, first_verdict
from .phrases import RETRACTION, refuses
from .standing import DECLARING, LAST_LINE, RETRACTED, Standing
from .survey import COMMON_END, NOUN, Judged, OptionPage

BARE = re.compile(rf"[^\w✗]*(?:{NOUN}[^\w✗]*)?(?P<letter>[a-z])[^\w✗]*")
BRACKETED = re.compile(r"\W*(?P<text>\w[^()\n]{0,80}?) {0,4}\((?:option |choice )?(?P<letter>[a-j])\)\W*")
"""A text and its own letter: "10 (C)"."""
LETTER_LINES = re.compile(r"[^\w]*[a-j](?:[^\w\n✓✗]*\n[^\w✓✗]*[a-j])+[^\w✓✗]*")
LABEL_END = re.compile(r"\s*(?:[.,()/:;!?\n]|-(?![->\d])|$|because|since|as |given|due )")
"""What follows a letter that begins a reply as its answer."""
MUSING = re.compile(r"\?|\.\.|,\.")
"""After a letter with others to follow: "A? B?", "A... B..."."""
SPEAKER = re.compile(r" ?: ?\(?")
"""In "A: B" the first letter may mean "answer"."""
TEXT_END = re.compile(r"\s*(?:[.,;:!?)\n]|$)")
ONE_SENTENCE = re.compile(r"[^.!?\n]*(?:\.\d[^.!?\n]*)*[.!?\s]*")
ANNOUNCED = re.compile(r"\b(?:answer|choice)\b(?! choices)\s*(?:is|:)\s*\w|答案(?:是|:|为)\s*\w")
COUNTED = re.compile(
    r"[^\w]*(?:(?:so|thus|therefore|hence),? )?(?:"
    r"(?:the )?(?:(?:correct |final |total )?(?:answer|total|number|count)(?: of \w+)?|(?:max|min)(?:imum)? number of \w+)"
    r"(?: (?:required|needed|possible))? is "
    r"|(?:in total,? )?there (?:are|is) |(?:i|we|you) (?:can )?(?:count|see|need) |it(?:'s| is| has| needs| takes) |total:? )?(?:exactly |about )?"
)
"""What may stand before an option that is a number, when nothing was declared: "There are 5 cubes"."""
ALTERNATIVE_REACH = 16
"""Characters behind a declared option within which a hint at another makes it doubtful."""
OR_ELSE = re.compile(r" ?,? ?\(?or\b[^.\n]*$| for [^.\n]*\band $")
DIRECTLY = re.compile(r"(?: ?[(>=:,*+] ?| then |, then | to | through ){1,2}")
LINE_END = re.compile(r"(?<!\w)([a-j])[^\w\n]*\n[^\w]*$")
WHERE = re.compile(r"\b(?:to|on|at|in) the $")
THAN = re.compile(r"\bthan\b(?! (?:any other|(?:all )?(?:the )?(?:others|rest))\b)")
DIGIT = re.compile(r"\d")


def read(text: str, lexicon: Lexicon) -> Verdict:
    """The option that the reply settles on, or why there is none."""
    return first_verdict(RULES, OptionPage(text, lexicon))


def bare(page: OptionPage) -> Verdict | None:
    """Nothing but a letter, perhaps behind its own text, or nothing but letters in lines."""
    found = BARE.fullmatch(page.small) or BRACKETED.fullmatch(page.small)
    if found and (found.re is BARE or page.is_text(found["text"], found["letter"])):
        return _value(page, "bare", Mention(*found.span("letter"), found["letter"].upper()))
    if LETTER_LINES.fullmatch(page.small):
        letters = "".join(dict.fromkeys(re.findall("[a-j]", page.small))).upper()
        return _value(page, "bare", Mention(0, len(page.small), letters))
    return None


def declared(page: OptionPage) -> Verdict | None:
    """The last answer that is announced, or stands alone in the last line."""
    if not page.judged or page.judged[-1].standing is not Standing.DECLARED:
        return None
    *later, (mention, _, rule) = page.judged
    if RETRACTION.match(page.small, mention.named_end):
        return _agreed(page, later, Standing.POSSIBLE, "corrected") or Verdict(Outcome.UNPARSED, RETRACTED)
    if rule == LAST_LINE.rule and _says_another_before(page, mention):
        return Verdict(Outcome.AMBIGUOUS, rule)
    if later and _is_alternative(page, mention, later[-1]):
        return Verdict(Outcome.AMBIGUOUS, rule)
    if any(other.standing is Standing.ASSERTED and other.mention.letters != mention.letters for other in later):
        return Verdict(Outcome.AMBIGUOUS, rule)
    return _value(page, rule, mention)


def contained(page: OptionPage) -> Verdict | None:
    """What stands in `<answer>`, `\\boxed{}` and the like."""
    verdict = page.contents(read)
    if verdict is None or verdict.value is None:
        return verdict
    by_text = page.plain[verdict.start : verdict.end].upper() != verdict.value
    mention = Mention(verdict.start, verdict.end, verdict.value, by_text)
    return _value(page, verdict.rule, mention._replace(own=page.own_text(mention)))


def leading(page: OptionPage) -> Verdict | None:
    """The reply begins with the option: "B. The arrow …"."""
    if not page.judged:
        return None
    *later, (mention, standing, _) = page.judged
    if standing < Standing.MENTIONED or mention.by_text or not page.leads(mention.start):
        return None
    if not (mention.own or LABEL_END.match(page.small, mention.end)):
        return None
    if mention.own and any(other.mention.own for other in later):
        return None  # the options are listed
    if later and MUSING.match(page.small, mention.end):
        return None
    if RETRACTION.match(page.small, mention.named_end):
        return Verdict(Outcome.UNPARSED, RETRACTED)
    spoken = later and SPEAKER.fullmatch(page.small, mention.end, later[-1].mention.start)
    if spoken or {other.mention.letters for other in later if other.standing >= Standing.HINTED} - {mention.letters}:
        return Verdict(Outcome.AMBIGUOUS, "leading")
    return _value(page, "leading", mention)


def asserted(page: OptionPage) -> Verdict | None:
    """ "B is correct", and no other option is."""
    return _agreed(page, page.judged, Standing.ASSERTED, "asserted")


def hinted(page: OptionPage) -> Verdict | None:
    """ "It looks like B", and no other option does."""
    if any(rule == "alternative" for _, _, rule in page.judged):
        return _agreed(page, page.judged, Standing.MENTIONED, "hinted")
    hints = [mention for mention, standing, _ in page.judged if standing is Standing.HINTED]
    if any(_beside_another(page, hint) for hint in hints):
        return None
    return _agreed(page, page.judged, Standing.HINTED, "hinted")


def refused(page: OptionPage) -> Verdict | None:
    """The model says that it cannot answer, and no option says the same."""
    named = [mention for mention, _, _ in page.judged if mention.by_text]
    if not refuses(page.small) or any(refuses(page.small[text.start : text.end]) for text in named):
        return None
    return Verdict(Outcome.REFUSED, "refused")


def possible(page: OptionPage) -> Verdict | None:
    """Only one letter is named, and where an answer may stand: "Considering all faces, B."."""
    named = [other for other in page.judged if other.standing >= Standing.MENTIONED and not other.mention.by_text]
    if not any(other.standing is Standing.POSSIBLE for other in named):
        return None
    mention = named[0].mention
    if any(
        other.mention.letters != mention.letters and _opens(page, other.mention)
        for other in page.judged
        if other.mention.by_text
    ):
        return None  # "Yes, B", where B is "No"
    asked = page.small.startswith("?", mention.end)
    rivals = page.judged if asked else named
    if len({other.mention.letters for other in rivals}) > 1 or ANNOUNCED.search(page.small, mention.end):
        return None
    return _value(page, "possible", mention)


def text(page: OptionPage) -> Verdict | None:
    """Only one option's text is named, not in relation to something else, and no letter: "There is a blue arrow"."""
    named = [
        other.mention
        for other in page.judged
        if other.standing >= Standing.MENTIONED and not _is_word(page, other.mention)
    ]
    if named and named[-1].by_text and not page.locates(named[-1]) and contradicted(page, named[-1]):
        return Verdict(Outcome.AMBIGUOUS, "text")
    if len({mention.letters for mention in named}) != 1 or not all(mention.by_text for mention in named):
        return None
    if THAN.search(page.small, named[0].end):
        return None  # "the red one is taller than the blue one": which of the two was asked for?
    free = [mention for mention in named if not page.locates(mention)]
    if not free or ANNOUNCED.search(page.small, free[0].end):
        return None
    whole = free[0].letters not in page.lexicon.nested and ONE_SENTENCE.fullmatch(page.small)
    if not whole and not any(TEXT_END.match(page.small, mention.end) for mention in free):
        return None
    if free[0].letters in page.lexicon.common and not (_opens(page, free[-1]) or _is_place(page, free[-1])):
        return None
    return _value(page, "text", free[0])


RULES = (
    Rule("bare", bare),
    Rule("declared", declared, ways=DECLARING),
    Rule("contained", contained, ways=CONTAINERS),
    Rule("leading", leading),
    Rule("asserted", asserted),
    Rule("hinted", hinted, firm=False),
    Rule("refused", refused),
    Rule("possible", possible, firm=False),
    Rule("text", text, firm=False),
)
"""Declared before asserted before hinted at."""


def _value(page: OptionPage, rule: str, mention: Mention) -> Verdict:
    """The one option that a mention names, when it is an option and its own text does not say another."""
    if not set(mention.letters) <= set(page.lexicon.letters):
        return Verdict(Outcome.UNPARSED, rule)
    own = mention.own
    if len(mention.letters) > 1 or (own and own.letters != mention.letters and TEXT_END.match(page.small, own.end)):
        return Verdict(Outcome.AMBIGUOUS, rule)
    if contradicted(page, mention):
        return Verdict(Outcome.AMBIGUOUS, rule)
    return Verdict(Outcome.PARSED, rule, mention.letters, mention.start, mention.end)


def _agreed(page: OptionPage, judged: list[Judged], standing: Standing, rule: str) -> Verdict | None:
    """The one option that stands at least so well."""
    named = [mention for mention, other, _ in judged if other >= standing]
    if not named:
        return None
    if len({mention.letters for mention in named}) > 1:
        return Verdict(Outcome.AMBIGUOUS, rule)
    return _value(page, rule, named[0])


def _is_alternative(page: OptionPage, mention: Mention, later: Judged) -> bool:
    """Whether another option is offered right behind: "A. Or B?", "A, maybe B", "A (B)"."""
    if later.mention.letters == mention.letters or later.standing is Standing.REJECTED:
        return False
    between = page.small[mention.end : later.mention.start]
    alone = len(later.mention.letters) == 1 and TEXT_END.match(page.small, later.mention.end)
    if later.rule == "alternative" or OR_ELSE.match(between) or (alone and DIRECTLY.fullmatch(between)):
        return True
    return later.standing is Standing.HINTED and len(between) <= ALTERNATIVE_REACH and "." not in between


def _beside_another(page: OptionPage, hint: Mention) -> bool:
    """Whether its sentence names another option before it: "This is A and that is B"."""
    start = max(page.plain.rfind(stop, 0, hint.start) for stop in ".!?\n;")
    named = (mention for mention, standing, _ in page.judged if standing is Standing.MENTIONED)
    return any(start < mention.start < hint.start and hint.letters not in mention.letters for mention in named)


def _says_another_before(page: OptionPage, mention: Mention) -> bool:
    """Whether another letter ends the line before the last."""
    found = LINE_END.search(page.small[max(0, mention.start - 20) : mention.start])
    return found is not None and found[1].upper() != mention.letters


def _is_place(page: OptionPage, mention: Mention) -> bool:
    """ "It turns to the right.", where "right" is an option."""
    before = page.small[max(0, mention.start - 12) : mention.start]
    named = mention.letters in page.lexicon.places and WHERE.search(before) and TEXT_END.match(page.small, mention.end)
    return bool(named and ONE_SENTENCE.fullmatch(page.small))


def _is_word(page: OptionPage, mention: Mention) -> bool:
    """Whether it is the word in a sentence and not the option "No": "No other brick lies between them"."""
    return page.is_word(mention) and not COMMON_END.match(page.small, mention.end)


def _opens(page: OptionPage, mention: Mention) -> bool:
    """Whether the reply begins with an option's text that is an ordinary word or number: "No, it …", "There are 5 cubes."."""
    if page.small[mention.start].isdigit():
        return bool(COUNTED.fullmatch(page.small, 0, mention.start)) and not DIGIT.search(page.small, mention.end)
    begins = page.leads(mention.start) and COMMON_END.match(page.small, mention.end)
    return bool(begins) and not RETRACTION.match(page.small, mention.end)
