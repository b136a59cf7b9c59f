"""Every mention of an option in a reply to a choice, last first, with its standing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from .context import LEFT, RIGHT, judge
from .lexicon import Mention
from .mentions import letters_from_the_end, texts
from .page import ENDURANCE, PATIENCE, WORD, Page
from .standing import ASSERTED, CHOSEN, DECLARED, IGNORED, LAST_LINE, MENTIONED, Judgement, Standing

NOUN = (
    r"(?:(?:the |my )?(?:correct |final |best |most likely )?(?:option|choice|letter|image|picture|figure|grid|net|view|shape|path"
    r"|state|stack|pattern|(?:cross-)?section|answer|ans)s?(?: is)?"
    r"|letra|alternativa|opci[oó]n|opção|lettre|réponse|respuesta|resposta|risposta|opzione|antwort|вариант|ответ"
    r"|odpowiedź|đáp án|chọn|pilihan|jawaban|seçenek|选项|選項|选择|选擇|选|答案|图|圖|図|그림|選択肢|보기|정답|답)"
)
LEAD = re.compile(rf"[^\w]*(?:{NOUN}[^\w]*)?")
"""What may stand before an option that begins a reply or a line."""
LETTER_LINE = re.compile(r"(?:^|\n)[^\w\n]*[a-j][^\w\n]*\n$")
ANNOTATION = re.compile(r" {0,9}\)?[ .:(,-]{0,9}(?:the |an? )?")
"""What stands between a letter and its own text: "B: the blue arrow"."""
IN_BRACKETS = re.compile(r" ?,? ?\((?:option |choice )?")
"""Between a text and its own letter: "the blue arrow (B)"."""
COMMON_END = re.compile(r"\s*(?:[.,;:!?)\n(-]|$|one\b|because|since|as |cubes|blocks|bricks|pieces|studs|degrees)")
"""What follows an option's text that is an ordinary word or number, when it is meant as the option."""
RELATION = re.compile(
    r"\b(?:(?:of|to|than|from|near|behind|beside|above|below|under|over|with|next|between|like|at|on|in|into|for|whether)"
    r"\s+(?:(?:the|an?)\s+)?|by\s+(?:the|an?)\s+)$"
)
"""Before an option's text that only locates something else: "to the left of the blue arrow"."""
UNTRUSTED = frozenset(("concluded", "corrected", "hinted", "alternative", "asserted", ""))
"""Words that do not make an ordinary word or a number the answer: "Wait, no."."""
NEXT_CLAUSE = re.compile(
    r"\s*(?:is|was|has|shows|does|looks|points|can|would|seems|isn't|doesn't|can't|cannot"
    r"|are (?:not|wrong|incorrect|all wrong|both wrong|mirror))\b"
)
"""After "B, A" it says that A begins a clause of its own: "The answer is B, A is mirrored"."""
UNJOINED = re.compile(r"[,;-]* [ ,-]*\(?[A-Za-j](?![a-z])")
"""Between the first letter and the second stands no word."""
VERDICT_REACH = 16
"""Characters behind a mention in which the judgement on it stands."""


class Judged(NamedTuple):
    """A mention with its standing, and the words that gave it."""

    mention: Mention
    standing: Standing
    rule: str


class OptionPage(Page):
    """A reply to a choice."""

    @cached_property
    def judged(self) -> list[Judged]:
        """Mentions from the end back to the last declared one (or to the container), each with its standing."""
        found: list[Judged] = []
        for mention in self._mentions():
            if mention.end <= self.behind or len(found) >= ENDURANCE:
                break
            if len(found) > PATIENCE and not self.announced(mention.start):
                continue
            found.append(self.judge(mention))
            if found[-1].standing is Standing.DECLARED:
                break
        return found

    @cached_property
    def texts(self) -> list[Mention]:
        """Every place where an option's text stands."""
        return texts(self.small, self.lexicon)

    def leads(self, start: int) -> bool:
        """Whether the reply begins with what starts here."""
        return bool(LEAD.fullmatch(self.small, 0, start))

    def is_text(self, small: str, letter: str) -> bool:
        """Whether a text in small letters is that option's own."""
        found = self.lexicon.texts.fullmatch(small) if self.lexicon.texts else None
        return found is not None and self.lexicon.mention(found).letters == letter.upper()

    def is_word(self, mention: Mention) -> bool:
        """Whether it is an option's text that is also an ordinary word: "no", "right"."""
        return mention.by_text and mention.letters in self.lexicon.common and self.small[mention.start].isalpha()

    def locates(self, mention: Mention) -> bool:
        """Whether an option's text only says where something else is; options that are places themselves stand behind such words."""
        if not self.small[mention.start].isalpha() or mention.letters in self.lexicon.places:
            return False
        return bool(RELATION.search(self.small[max(0, mention.start - 30) : mention.start]))

    def own_text(self, mention: Mention) -> Mention | None:
        """The option text right after a letter: "B: the blue arrow"."""
        if self.lexicon.texts is None or mention.by_text:
            return None
        gap = ANNOTATION.match(self.small, mention.end)
        starts = range(mention.end, (gap.end() if gap else mention.end) + 1)  # a text may itself begin with a bracket
        found = next(filter(None, (self.lexicon.texts.match(self.small, start) for start in starts)), None)
        return self.lexicon.mention(found) if found else None

    def _mentions(self) -> Iterator[Mention]:
        """By letter and by text, last first; a letter and its own text beside it are one mention."""
        named = self.texts.copy()
        for letter in letters_from_the_end(self.plain, PATIENCE, self.announced):
            behind = []
            while named and named[-1].start >= letter.end:
                behind.append(named.pop())
            own = self.own_text(letter) if behind and len(letter.letters) == 1 else None
            yield from (text for text in behind if own is None or text.start != own.start)
            before = named[-1] if named else None
            if before and letter.end <= before.end:
                continue  # a letter inside an option's text
            if before and self._repeats(before, letter) and before.letters not in self.lexicon.common:
                continue
            if own and letter.letters == "A" != own.letters and not self.small[letter.end : own.start].strip():
                yield own  # an article with a capital: "A Blue Arrow"
            else:
                yield letter._replace(own=own) if own else letter
        yield from reversed(named)

    def _repeats(self, text: Mention, letter: Mention) -> bool:
        """Whether the letter stands in brackets behind its own text."""
        return text.letters == letter.letters and bool(IN_BRACKETS.fullmatch(self.small, text.end, letter.start))

    def judge(self, mention: Mention) -> Judged:
        """A mention with its standing."""
        left = self.plain[max(0, mention.start - LEFT) : mention.start]
        right = self.plain[mention.end : mention.end + RIGHT]
        listed = mention.start in self.listed
        if mention.own or listed:
            right = ":" + self.plain[mention.own.end if mention.own else mention.end + 1 :][:RIGHT]
        found = judge(left, right)
        if len(mention.letters) > 1:
            return self._judge_several(mention, found, left, right)
        if mention.letters in self.lexicon.common and mention.by_text:
            trusted = found.rule not in UNTRUSTED and COMMON_END.match(right)
            return Judged(mention, *(found if trusted else min(found, MENTIONED)))
        if found.standing is Standing.ASSERTED and self._says_another(mention):
            found = MENTIONED
        if right.startswith("?") and WORD.search(right) and found.standing < Standing.DECLARED:
            found = IGNORED
        if listed:
            return Judged(mention, *(found if found.standing in (Standing.REJECTED, Standing.ASSERTED) else IGNORED))
        if found.standing > Standing.REJECTED and self._closes(mention):
            found = LAST_LINE
        return Judged(mention, *found)

    def _judge_several(self, mention: Mention, found: Judgement, left: str, right: str) -> Judged:
        """ "A or B"; but in "The answer is B, A is mirrored" only B is declared."""
        if right.startswith("?"):
            return Judged(mention, *IGNORED)
        if found is not ASSERTED and NEXT_CLAUSE.match(right) and UNJOINED.match(self.plain, mention.first_end):
            alone = judge(left, ",")
            if alone in (DECLARED, CHOSEN):
                return Judged(mention._replace(letters=mention.letters[0], end=mention.first_end), *alone)
        return Judged(mention, *found)

    def _says_another(self, mention: Mention) -> bool:
        """Whether "A is right" may mean another option whose text is "right"."""
        if self.lexicon.texts is None:
            return False
        found = self.lexicon.texts.search(self.small, mention.end, mention.end + VERDICT_REACH)
        return found is not None and self.lexicon.mention(found).letters not in mention.letters

    def _closes(self, mention: Mention) -> bool:
        """Whether the mention is the whole last line, and no letter stands alone in the line before."""
        if mention.by_text or mention.end < self.last_word_end:
            return False
        line = self.plain.rfind("\n", 0, mention.start)
        if line < 0 or not LEAD.fullmatch(self.small, line, mention.start):
            return False
        return not LETTER_LINE.search(self.small, max(0, line - 20), line + 1)
