"""Reading a choice: which one option does the reply settle on?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..sample import Outcome
from .containers import CONTAINERS
from .context import LEFT, RIGHT, judge
from .lexicon import Mention
from .mentions import letters_from_the_end, texts
from .page import Page, Rule, Verdict, first_verdict
from .phrases import RETRACTION, refuses
from .standing import DECLARING, LAST_LINE, RETRACTED, Standing

NOUN = (
    r"(?:(?:the |my )?(?:correct |final |best |most likely )?(?:option|choice|letter|image|picture|figure|answer|ans)s?(?: is)?"
    r"|letra|alternativa|opci[oó]n|opção|lettre|réponse|respuesta|resposta|risposta|opzione|antwort|вариант|ответ|odpowiedź|đáp án|chọn|pilihan|jawaban|seçenek"
    r"|选项|選項|选择|选擇|选|答案|图|圖|図|그림|選択肢|보기|정답|답)"
)
LEAD = re.compile(rf"[^\w]*(?:{NOUN}[^\w]*)?")
"""What may stand before an option that begins a reply or a line."""
BARE = re.compile(rf"[^\w✗]*(?:{NOUN}[^\w✗]*)?([a-z])[^\w✗]*")
LETTER_LINES = re.compile(r"[^\w]*[a-j](?:[^\w\n✓✗]*\n[^\w✓✗]*[a-j])+[^\w✓✗]*")
LETTER_LINE = re.compile(r"(?:^|\n)[^\w\n]*[a-j][^\w\n]*\n$")
LABEL_END = re.compile(r"\s*(?:[.,()/:;!?\n]|-(?![->])|$|because|since|as |given|due )")
"""What follows a letter that begins a reply as its answer."""
ANNOTATION = re.compile(r" {0,9}\)?[ .:(,-]{0,9}(?:the |an? )?")
"""What stands between a letter and its own text: "B: the blue arrow"."""
IN_BRACKETS = re.compile(r" ?,? ?\((?:option |choice )?")
"""Between a text and its own letter: "the blue arrow (B)"."""
ONE_SENTENCE = re.compile(r"[^.!?\n]*(?:\.\d[^.!?\n]*)*[.!?\s]*")
TEXT_END = re.compile(r"\s*(?:[.,;:!?)\n]|$)")
COMMON_END = re.compile(r"\s*(?:[.,;:!?)\n(]|$|one\b|because|since|as |cubes|blocks|bricks|pieces|studs|degrees)")
"""What follows an option's text that is an ordinary word or number, when it is meant as the option."""
RELATION = re.compile(
    r"\b(?:(?:of|to|than|from|near|behind|beside|above|below|under|over|with|next|between|like|at|on|in|into|for|whether)\s+(?:(?:the|an?)\s+)?"
    r"|by\s+(?:the|an?)\s+)$"
)
"""Before an option's text that only locates something else: "to the left of the blue arrow"."""
ANNOUNCED = re.compile(r"\b(?:answer|choice)\b(?! choices)\s*(?:is|:)\s*\w|答案(?:是|:|为)\s*\w")
COUNTED = re.compile(
    r"[^\w]*(?:(?:the )?(?:correct |final |total )?(?:answer|total|number|count)(?: of \w+)? is |(?:in total,? )?there (?:are|is) "
    r"|i (?:can )?(?:count|see) |it(?:'s| is| has) |total:? )?(?:exactly |about )?"
)
"""What may stand before an option that is a number, when nothing was declared: "There are 5 cubes"."""
DIGIT = re.compile(r"\d")
SPEAKER = re.compile(r" ?: ?\(?")
"""In "A: B" the first letter may mean "answer"."""
NEXT_CLAUSE = re.compile(
    r"\s*(?:is|was|has|shows|does|looks|points|can|would|seems|isn't|doesn't|can't|cannot|are (?:not|wrong|incorrect|all wrong|both wrong|mirror))\b"
)
"""After "B, A" it says that A begins a clause of its own: "The answer is B, A is mirrored"."""
UNTRUSTED = frozenset(("concluded", "corrected", "hinted", "alternative", "asserted", ""))
"""Words that do not make an ordinary word or a number the answer: "Wait, no."."""


NEAR = 16
"""Characters behind a mention in which the judgement on it stands."""


class Judged(NamedTuple):
    """A mention with its standing, and the words that gave it."""

    mention: Mention
    standing: Standing
    rule: str


def read(page: Page) -> Verdict:
    """The option that the reply settles on, or why there is none."""
    return first_verdict(RULES, page)


def bare(page: Page) -> Verdict | None:
    """Nothing but a letter, or nothing but letters in lines."""
    if found := BARE.fullmatch(page.small):
        return _value(page, "bare", Mention(*found.span(1), found[1].upper()))
    if LETTER_LINES.fullmatch(page.small):
        letters = "".join(dict.fromkeys(re.findall("[a-j]", page.small))).upper()
        return _value(page, "bare", Mention(0, len(page.small), letters))
    return None


def declared(page: Page) -> Verdict | None:
    """The last answer that is announced, or stands alone in the last line."""
    judged = survey(page)
    if not judged or judged[-1].standing is not Standing.DECLARED:
        return None
    mention, _, rule = judged[-1]
    later = [other for other in judged[:-1] if other.standing >= Standing.HINTED]
    if RETRACTION.match(page.small, _named_until(page, mention)):
        return _agreed(page, judged[:-1], Standing.POSSIBLE, "corrected") or Verdict(Outcome.UNPARSED, RETRACTED)
    if any(other.standing is Standing.ASSERTED and other.mention.letters != mention.letters for other in later):
        return Verdict(Outcome.AMBIGUOUS, rule)
    return _value(page, rule, mention)


def contained(page: Page) -> Verdict | None:
    """What stands in `<answer>`, `\\boxed{}` and the like."""
    return page.contents(read)


def leading(page: Page) -> Verdict | None:
    """The reply begins with the option: "B. The arrow …"."""
    judged = survey(page)
    if not judged:
        return None
    mention, standing, _ = judged[-1]
    if standing < Standing.MENTIONED or mention.by_text or not LEAD.fullmatch(page.small, 0, mention.start):
        return None
    own = annotation(page, mention)
    if not (own or LABEL_END.match(page.small, mention.end)):
        return None
    if own and sum(annotation(page, other.mention) is not None for other in judged) > 1:
        return None  # the options are listed
    if RETRACTION.match(page.small, _named_until(page, mention)):
        return Verdict(Outcome.UNPARSED, RETRACTED)
    if len(judged) > 1 and SPEAKER.fullmatch(page.small, mention.end, judged[-2].mention.start):
        return Verdict(Outcome.AMBIGUOUS, "leading")  # "A: B"
    if {other.mention.letters for other in judged if other.standing >= Standing.HINTED} - {mention.letters}:
        return Verdict(Outcome.AMBIGUOUS, "leading")
    return _value(page, "leading", mention)


def asserted(page: Page) -> Verdict | None:
    """ "B is correct", and no other option is."""
    return _agreed(page, survey(page), Standing.ASSERTED, "asserted")


def hinted(page: Page) -> Verdict | None:
    """ "It looks like B", and no other option does."""
    alternatives = any(rule == "alternative" for _, _, rule in survey(page))
    return _agreed(page, survey(page), Standing.MENTIONED if alternatives else Standing.HINTED, "hinted")


def refused(page: Page) -> Verdict | None:
    """The model says that it cannot answer, and no option says the same."""
    named = [mention for mention, _, _ in survey(page) if mention.by_text]
    if not refuses(page.small) or any(refuses(page.small[text.start : text.end]) for text in named):
        return None
    return Verdict(Outcome.REFUSED, "refused")


def possible(page: Page) -> Verdict | None:
    """Only one letter is named, and where an answer may stand: "Considering all faces, B."."""
    named = [other for other in survey(page) if other.standing >= Standing.MENTIONED and not other.mention.by_text]
    if not any(other.standing is Standing.POSSIBLE for other in named):
        return None
    if len({other.mention.letters for other in named}) > 1 or ANNOUNCED.search(page.small, named[0].mention.end):
        return None
    return _value(page, "possible", named[0].mention)


def text(page: Page) -> Verdict | None:
    """Only one option's text is named, not in relation to something else, and no letter: "There is a blue arrow"."""
    named = [other.mention for other in survey(page) if other.standing >= Standing.MENTIONED]
    if len({mention.letters for mention in named}) != 1 or not all(mention.by_text for mention in named):
        return None
    free = [mention for mention in named if not RELATION.search(page.small[max(0, mention.start - 30) : mention.start])]
    if not free or ANNOUNCED.search(page.small, free[0].end):
        return None
    if not (ONE_SENTENCE.fullmatch(page.small) or any(TEXT_END.match(page.small, mention.end) for mention in free)):
        return None
    if free[0].letters in page.lexicon.common and not _opens(page, free[-1]):
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


def survey(page: Page) -> list[Judged]:
    """Mentions from the end back to the last declared one (or to the container), each with its standing."""
    if page.judged is None:
        page.judged = []
        stop = page.container.end if page.container else 0
        for mention in _mentions(page):
            if mention.end <= stop:
                break
            page.judged.append(_judged(page, mention))
            if page.judged[-1].standing is Standing.DECLARED:
                break
    return page.judged


def annotation(page: Page, mention: Mention) -> Mention | None:
    """The option text right after a letter: "B: the blue arrow"."""
    if page.lexicon.texts is None or mention.by_text:
        return None
    gap = ANNOTATION.match(page.small, mention.end)
    found = page.lexicon.texts.match(page.small, gap.end() if gap else mention.end)
    return page.lexicon.mention(found) if found else None


def _mentions(page: Page) -> Iterator[Mention]:
    """By letter and by text, last first; a letter and its own text beside it are one mention."""
    named = texts(page.small, page.lexicon)
    for letter in letters_from_the_end(page.plain, page.small):
        behind = []
        while named and named[-1].start >= letter.end:
            behind.append(named.pop())
        own = annotation(page, letter) if behind and len(letter.letters) == 1 else None
        yield from (text for text in behind if own is None or text.start != own.start)
        if named and letter.end <= named[-1].end:
            continue  # a letter inside an option's text
        if (
            named
            and letter.letters == named[-1].letters
            and IN_BRACKETS.fullmatch(page.small, named[-1].end, letter.start)
        ):
            continue
        article = own and letter.letters == "A" != own.letters and not page.small[letter.end : own.start].strip()
        yield own if own and article else letter  # "A Blue Arrow"
    yield from reversed(named)


def _judged(page: Page, mention: Mention) -> Judged:
    listed, own = mention.start in page.listed, annotation(page, mention)
    left, right = (
        page.plain[max(0, mention.start - LEFT) : mention.start],
        page.plain[mention.end : mention.end + RIGHT],
    )
    if own or listed:
        right = ":" + page.plain[own.end if own else mention.end + 1 :][:RIGHT]
    standing, rule = judge(left, right)
    if mention.by_text and mention.letters in page.lexicon.common and standing > Standing.MENTIONED:
        return (
            Judged(mention, standing, rule)
            if rule not in UNTRUSTED and COMMON_END.match(right)
            else Judged(mention, Standing.MENTIONED, "")
        )
    if standing is Standing.ASSERTED and _says_another(page, mention):
        return Judged(mention, Standing.MENTIONED, "")
    if listed:
        return Judged(
            mention, standing if standing in (Standing.REJECTED, Standing.ASSERTED) else Standing.IGNORED, rule
        )
    if len(mention.letters) > 1 and right.startswith("?"):
        return Judged(mention, Standing.IGNORED, "")
    if standing > Standing.REJECTED and _closes(page, mention):
        return Judged(mention, *LAST_LINE)
    if len(mention.letters) > 1 and standing is not Standing.ASSERTED and NEXT_CLAUSE.match(right):
        head = mention._replace(letters=mention.letters[0], end=mention.first_end)
        alone = judge(left, ",")
        if page.plain[head.end] in ", " and alone.standing is Standing.DECLARED:
            return Judged(head, *alone)
    return Judged(mention, standing, rule)


def _says_another(page: Page, mention: Mention) -> bool:
    """Whether "A is right" may mean another option whose text is "right"."""
    if page.lexicon.texts is None:
        return False
    found = page.lexicon.texts.search(page.small, mention.end, mention.end + NEAR)
    return found is not None and page.lexicon.mention(found).letters not in mention.letters


def _closes(page: Page, mention: Mention) -> bool:
    """Whether the mention is the whole last line, and no letter stands alone in the line before."""
    if mention.by_text or len(mention.letters) > 1 or mention.end < page.last_word_end:
        return False
    line = page.plain.rfind("\n", 0, mention.start)
    return (
        line >= 0
        and bool(LEAD.fullmatch(page.small, line, mention.start))
        and not LETTER_LINE.search(page.small, max(0, line - 20), line + 1)
    )


def _value(page: Page, rule: str, mention: Mention) -> Verdict:
    """The one option that a mention names, when it is an option and its own text does not say another."""
    if not set(mention.letters) <= set(page.lexicon.letters):
        return Verdict(Outcome.UNPARSED, rule)
    own = annotation(page, mention)
    if len(mention.letters) > 1 or (own and own.letters != mention.letters and TEXT_END.match(page.small, own.end)):
        return Verdict(Outcome.AMBIGUOUS, rule)
    return Verdict(Outcome.PARSED, rule, mention.letters, mention.start, mention.end)


def _agreed(page: Page, judged: list[Judged], standing: Standing, rule: str) -> Verdict | None:
    """The one option that stands at least so well."""
    named = [mention for mention, other, _ in judged if other >= standing]
    if not named:
        return None
    if len({mention.letters for mention in named}) > 1:
        return Verdict(Outcome.AMBIGUOUS, rule)
    return _value(page, rule, named[0])


def _named_until(page: Page, mention: Mention) -> int:
    """Where a mention ends, with its own text."""
    own = annotation(page, mention)
    return own.end if own else mention.end


def _opens(page: Page, mention: Mention) -> bool:
    """Whether the reply begins with an option's text that is an ordinary word or number: "No, it …", "There are 5 cubes."."""
    if page.small[mention.start].isdigit():
        return bool(COUNTED.fullmatch(page.small, 0, mention.start)) and not DIGIT.search(page.small, mention.end)
    begins = LEAD.fullmatch(page.small, 0, mention.start) and COMMON_END.match(page.small, mention.end)
    return bool(begins) and not RETRACTION.match(page.small, mention.end)
