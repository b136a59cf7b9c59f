"""Where a reply declares a free answer, and which: the engine that all forms share.

Declarations are tried from the last to the first. What follows "the answer is", or stands in a container, is one wherever it stands;
what follows the form's own words ("the winning move is") only in the last paragraph, or in the first. A reply, or its end or
beginning, that is nothing but an answer needs no words. What is taken back, refused, or left open with "or" is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ...sample import Extraction, Outcome, Reply
from ..containers import OPEN, last_container
from ..normalise import lower, plain
from ..page import Verdict
from ..phrases import RETRACTION, refuses
from ..reply import read_reply
from .form import Contradiction, Form, Mention

ANSWER = re.compile(
    r"\b(?:answers?|solution|conclusion)\b(?: (?:to|for) (?:the|this) (?:question|puzzle|problem))?[^\S\n]{0,5}"
    r"(?:(?:is|are|was|becomes|(?:would|will|must|should) be)\b|[:=])[^\S\n]?:?"
    r"|^\W{0,9}(?:the |my )?(?:final |correct )?answers?[^\S\n]{0,5}:?$"
    r"|\b(?:therefore|thus|hence)\s?:"
    r"|(?:答案|答え|정답)\s?(?:是|为|は|은)?\s?:?|(?:ответ|respuesta|réponse|antwort|resposta)\s?(?:is|es|est|ist|é)?\s?:",
    re.MULTILINE,
)
"""Announces an answer of any form, in lower case."""
GAP = re.compile(r"\n[^\S\n]*\n")
"""Between paragraphs."""
SENTENCE_END = re.compile(r"[.!?](?=\s|$)|\n|。")
LEAD = re.compile(
    r"(?:\W|\b(?:the|a|an|at|on|in|to|point|move|step|is|are|that|as|follows|digits?|numbers?|order|towards?|due|it|be|called|then|therefore"
    r"|thus|so)\b)*"
)
"""What may stand between an announcement and the answer that it announces."""
REJECTED = re.compile(
    r"(?:\b(?:not|never|nor|neither|without|unlike|except|excluding|rather than|instead of)|n't)"
    r"(?: (?:at|on|to|the|a|an|in|be|by|with|point|move|step|called|facing|towards?|really|simply))*\W*$"
)
"""What rejects the answer after it."""
NEGATED = re.compile(r"(?:\b(?:not|never|cannot)|n't)\s$")
"""What makes an announcement none: "should not play"."""
SECOND_THOUGHTS = re.compile(
    r"\b(?:wait|actually|correction|hold on|scratch that|on second thought|let me re)|不对|等等"
)
CONCLUDING = re.compile(
    r"\b(?:so|therefore|thus|hence|final|finally|total|altogether|overall|now|but|then|answer|correct|best|winning|second|wait|actually|correction)\b|=|所以|因此|最终"
)
BREAKS_OFF = re.compile(r"[^.!?\n]*[^\W\d_]+\W+\w+[^.!?)|\n]*")
HEDGE = r"(?:maybe|possibly|perhaps|even|else|at|to|the|point|step|rather|either)"
AROUND = 60
"""Characters before a mention that are looked at."""
REACH = 6000
"""Characters behind an announcement, or at the end of a paragraph, in which an answer stands."""
MOST_PLACES = 8
"""Announcements looked at, last first."""
FIRM = ("answer", "contained", "leading")
"""Rules whose answer holds when the reply was cut off after it."""


class Place(NamedTuple):
    """Where an answer is announced."""

    rule: str
    start: int
    end: int | None = None
    """Where a container closes."""


class Line(NamedTuple):
    """A line, and what it says when it is nothing but an answer."""

    start: int
    end: int
    text: str
    parts: tuple[str, ...] | None

    @property
    def blank(self) -> bool:
        """Whether nothing stands in it."""
        return not self.text.strip()


@lru_cache(maxsize=64)
def _patterns(form: Form) -> tuple[re.Pattern[str], ...]:
    """Announcements of its own, what declares and what denies from behind, two answers with "or" between, clauses about something else."""
    unit = form.unit
    return (
        re.compile(form.announce),
        re.compile(rf"[\s)*]*(?:{form.after})"),
        re.compile(rf"[\s)]*(?:{form.denied})"),
        re.compile(
            rf"(?:{unit})[\s)]{{0,3}}(?:,\s)?\s?(?:\bor\b|或者?|还是|\boder\b|\bou\b)(?:\s{HEDGE}){{0,3}}[\s(]{{0,3}}(?:{unit})"
        ),
        re.compile(rf"(?:{form.ignore})[^.;!?\n]*$"),
    )


def read(reply: str | Reply, form: Form) -> Extraction:
    """The answer of this form that a reply declares, as canonical text."""
    return read_reply(reply, lambda text: _Page(text, form).verdict(), FIRM)


class _Page:
    """A reply as a form sees it."""

    def __init__(self, text: str, form: Form) -> None:
        self.text, self.form = text, form
        self.plain = plain(text)
        self.small = lower(self.plain)
        self.announce, self.after, self.denied, self.alternative, self.ignore = _patterns(form)
        self.lines = list(self._lines(0, len(text)))

    def verdict(self) -> Verdict:
        """The first rule that says anything decides."""
        if not self.text:
            return Verdict(Outcome.EMPTY, "")
        for verdict in self._verdicts():
            if verdict is not None:
                return verdict
        return Verdict(Outcome.UNPARSED, "")

    def _verdicts(self) -> Iterator[Verdict | None]:
        yield (
            self._run(self.lines, "bare") if all(line.parts is not None or line.blank for line in self.lines) else None
        )
        strong = self._last(self._strong())
        closing = self._run(self._closing(), "closing")
        if strong and closing and closing.start > strong.end and self._thought_again(strong.end):
            yield closing
        yield strong and self._stands(strong)
        yield closing
        yield self._finished(self._stands(self._announced(self._last_paragraph())))
        yield self._finished(self._asserted())
        yield self._run(self._leading(), "leading")
        yield self._finished(self._announced(self._first_paragraph()))
        yield Verdict(Outcome.REFUSED, "refused") if refuses(self.small) else None
        yield Verdict(Outcome.AMBIGUOUS, "") if self.alternative.search(self.small, self._last_paragraph()[0]) else None
        yield self._finished(self._only()) if self.form.only else None

    # --- where

    def _lines(self, start: int, end: int) -> Iterator[Line]:
        for row in self.plain[start:end].split("\n"):
            found = self.form.line(row) if row.strip() else None
            yield Line(start, start + len(row), row, None if found is None else tuple(found))
            start += len(row) + 1

    def _strong(self) -> list[Place]:
        """Announcements of the answer, and the last container."""
        found = [Place("answer", match.end()) for match in ANSWER.finditer(self.small)]
        container = last_container(self.text)
        if container:
            found.append(Place("contained", self._first_of_line(container.start), container.end))
        return sorted(found, key=lambda place: place.start)

    def _first_of_line(self, start: int) -> int:
        """Where the first container of the same line opens: "A-\\boxed{2}, B-\\boxed{3}" is one answer."""
        line = self.text.rfind("\n", 0, start) + 1
        opened = list(OPEN.finditer(lower(self.text[line:start])))
        return start if len(opened) < 2 or not self.form.many else line

    def _weak(self, stretch: tuple[int, int]) -> list[Place]:
        """Announcements by the form's own words that are not about something else."""
        found = [
            Place("announced", match.end())
            for match in self.announce.finditer(self.small, *stretch)
            if not NEGATED.search(self.small, max(0, match.start() - AROUND), match.start())
        ]
        return [place for place in found if not self._about_something_else(place.start)]

    def _about_something_else(self, start: int) -> bool:
        return bool(self.ignore.search(self.small, max(0, start - 3 * AROUND), start))

    def _last_paragraph(self) -> tuple[int, int]:
        *_, start = (0, *(gap.end() for gap in GAP.finditer(self.plain)))
        return start, len(self.plain)

    def _first_paragraph(self) -> tuple[int, int]:
        gap = GAP.search(self.plain)
        return 0, gap.start() if gap else len(self.plain)

    def _closing(self) -> list[Line]:
        """The lines at the end that are nothing but an answer."""
        count = next((n for n, line in enumerate(reversed(self.lines)) if line.parts is None and not line.blank), 0)
        return self.lines[len(self.lines) - count :] if count else []

    def _leading(self) -> list[Line]:
        """Those at the beginning."""
        count = next((n for n, line in enumerate(self.lines) if line.parts is None and not line.blank), 0)
        return self.lines[:count]

    # --- what

    def _run(self, lines: list[Line], rule: str) -> Verdict | None:
        """What lines say together that are nothing but an answer."""
        said = [line for line in lines if line.parts]
        if not said:
            return None
        start, end = said[0].start, said[-1].end
        if self.alternative.search(self.small, start, end):
            return Verdict(Outcome.AMBIGUOUS, rule, None, start, end)
        return self._joined([part for line in said for part in line.parts or ()], rule, start, end)

    def _joined(self, parts: list[str], rule: str, start: int, end: int) -> Verdict | None:
        try:
            value = self.form.value(parts)
        except Contradiction:
            return Verdict(Outcome.AMBIGUOUS, rule, None, start, end)
        return None if value is None else Verdict(Outcome.PARSED, rule, value, start, end)

    def _last(self, places: list[Place]) -> Verdict | None:
        """What the last of these places says that says anything."""
        for place in reversed(places[-MOST_PLACES:]):
            if verdict := self._many(place) if self.form.many else self._one(place):
                return verdict
        return None

    def _announced(self, stretch: tuple[int, int]) -> Verdict | None:
        """What the form's own words declare in this stretch, when the last of it concludes, or nothing there differs."""
        places = self._weak(stretch)
        last = self._last(places)
        if last is None or self.form.many or self._concludes(stretch[0], last.start):
            return last
        others = [self._one(place) for place in places[-MOST_PLACES:]]
        if any(other and other.value not in (None, last.value) for other in others):
            return Verdict(Outcome.AMBIGUOUS, last.rule, None, last.start, last.end)
        return last

    def _concludes(self, start: int, end: int) -> bool:
        """Whether the sentence that leads up to here draws a conclusion."""
        sentence = max(start, *(self.small.rfind(mark, start, end) for mark in (". ", "\n", "; ")))
        return bool(CONCLUDING.search(self.small, sentence, end))

    def _one(self, place: Place) -> Verdict | None:
        """The one thing that a sentence declares."""
        start = place.start
        if place.end is None and not re.search(r"\w", self.plain[start : self._end_of_line(start)]):
            start = next(
                (line.start for line in self.lines if line.start > start and re.search(r"\w", line.text)), start
            )
        end = self._sentence_end(start) if place.end is None else place.end
        row = self.plain[start:end]
        if parts := list(self.form.line(row) or ()):
            for line in self.lines if place.end is None else ():
                if line.start == end + 1 and line.parts:  # it goes on, a line for each
                    parts += line.parts
                    end = line.end
            return self._said(parts, place.rule, start, end)
        named = self._named(start, end)
        if not named:
            return None
        if LEAD.fullmatch(self.small, start, named[0].start):
            if self.alternative.search(self.small, named[0].start, end):
                return Verdict(Outcome.AMBIGUOUS, place.rule, None, start, end)
            return self._joined([named[0].part], place.rule, named[0].start, named[0].end)
        return self._said([mention.part for mention in named], place.rule, named[0].start, named[-1].end)

    def _said(self, parts: list[str], rule: str, start: int, end: int) -> Verdict | None:
        if self.alternative.search(self.small, start, end):
            return Verdict(Outcome.AMBIGUOUS, rule, None, start, end)
        return self._joined(parts, rule, start, end)

    def _many(self, place: Place) -> Verdict | None:
        """The parts from an announcement on: lines that are nothing but answer, or the sentences up to the paragraph's end."""
        lines = list(self._lines(place.start, place.start + REACH if place.end is None else place.end))
        parts: list[str] = []
        pure, end = False, place.start
        for line in lines:
            if line.blank:
                if parts and not pure:
                    break
                continue
            if line.parts is not None:
                parts += line.parts
                pure |= bool(line.parts)
            elif pure:
                break
            else:
                parts += [mention.part for mention in self._named(line.start, line.end)]
                if not parts and end > place.start:
                    break
            end = line.end
        return self._said(parts, place.rule, place.start, end) if parts else None

    def _named(self, start: int, end: int) -> list[Mention]:
        """What is named there, without what is rejected. Offsets are those of the page."""
        found = []
        for mention in self.form.prose(self.plain[start:end]):
            at, to = mention.start + start, mention.end + start
            before = self.small[max(start, at - AROUND) : at]
            if not REJECTED.search(before) and not self.denied.match(self.small, to):
                found.append(Mention(at, to, mention.part))
        return found

    def _asserted(self) -> Verdict | None:
        """ "H8 is the winning move"."""
        for start, end in (self._last_paragraph(), self._first_paragraph()):
            for mention in reversed(self._named(max(start, end - REACH), end)):
                if self.after.match(self.small, mention.end) and not self._about_something_else(mention.start):
                    sentence = max(self.small.rfind(mark, start, mention.start) for mark in (". ", "\n")) + 1
                    return self._said([mention.part], "asserted", max(start, sentence), mention.end)
        return None

    def _only(self) -> Verdict | None:
        """What is named, where nothing else of its kind is."""
        if len(self.plain) > REACH:
            return None
        named = [
            mention for mention in self._named(0, len(self.plain)) if not self._about_something_else(mention.start)
        ]
        if not named or (len({mention.part for mention in named}) > 1 and not self.form.many):
            return None
        return self._joined([mention.part for mention in named], "only", named[0].start, named[-1].end)

    # --- what speaks against it

    def _stands(self, verdict: Verdict | None) -> Verdict | None:
        """The verdict, unless what follows takes it back; then what is declared in its place."""
        if verdict is None or not self._thought_again(verdict.end):
            return verdict
        return self._announced((verdict.end, len(self.plain))) or Verdict(Outcome.UNPARSED, "retracted")

    def _finished(self, verdict: Verdict | None) -> Verdict | None:
        """The verdict, unless it stands in a sentence that breaks off, in a reply that ends others with a full stop."""
        if verdict is None or not BREAKS_OFF.fullmatch(self.plain, verdict.end):
            return verdict
        return verdict if not SENTENCE_END.search(self.plain, 0, verdict.start) else None

    def _thought_again(self, end: int) -> bool:
        """Whether an answer that ends here is taken back, or second thoughts follow."""
        return bool(RETRACTION.match(self.small, end) or SECOND_THOUGHTS.search(self.small, end))

    def _end_of_line(self, start: int) -> int:
        end = self.plain.find("\n", start)
        return end if end >= 0 else len(self.plain)

    def _sentence_end(self, start: int) -> int:
        found = SENTENCE_END.search(self.small, start, start + REACH)
        return found.start() if found else min(len(self.small), start + REACH)
