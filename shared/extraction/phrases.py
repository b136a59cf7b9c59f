"""Whole phrases that decide a reply by themselves: refusals, and taking back what was just said. All in plain lower case."""

from __future__ import annotations

import re

CAREFULLY = r"(?:accurately |reliably |definitively |really |fully |clearly |confidently |directly |actually |be )*"
CANNOT = r"(?:cannot|can't|can not|could not|couldn't|am not able to|am unable to|unable to|not able to)"
ABLE = (
    r"(?:determin\w*|tell|answer|see|assist|help|provide|identif\w*|view|access|process|say|decid\w*|infer\w*|conclud\w*|analy[sz]e\w*|judge"
    r"|make out|comply|fulfil\w*|recogni[sz]e|discern|confirm|find the answer|choose)"
)
REFUSAL = re.compile(
    rf"\b(?:i'm sorry|i am sorry|sorry,? (?:but )?(?:i|there|we)|i apologi[sz]e|as an ai\b|as a (?:large )?language model|{CANNOT} {CAREFULLY}{ABLE}\b(?! the answer\b.{{0,20}}:)"
    r"|(?:don't|do not) (?:actually )?(?:have|see) (?:any |the |an? |enough |access)|(?:insufficient|not enough|lack of|no sufficient) (?:\w+ )?(?:information|detail|context|data)"
    r"|no (?:image|picture|photo)s? (?:was|were|is|are|has|have|provided|attached)|(?:impossible|not possible) to (?:tell|determine|say|answer|know))"
    r"|无法|不能确定|不能判断|抱歉|对不起|看不到|無法|申し訳|できません|わかりません|分かりません|죄송|수 없|모르겠|не могу|невозможно|lo siento|no puedo|no es posible"
    r"|je ne peux pas|désolé|impossible de|es tut mir leid|kann (?:ich )?(?:\w+ )?nicht|não posso|não é possível|non posso|لا أستطيع|لا يمكن|आप क्षमा|không thể|tidak dapat"
)
"""The model says that it cannot answer."""
ENDS = 1000
"""Characters at the beginning and at the end of a reply where a refusal stands."""

RETRACTION = re.compile(
    r"[\s.,;:!?)✗-]*(?:(?:hmm+|oh|but|and|or|so|oops|ah|wait|actually|sorry)[\s,.]+)*"
    r"(?:(?:no|nope)(?=\s*(?:[,.;:!?-]|$))|wait[\s,.!-]*$"
    r"|(?:no[\s,.]+)?(?:that|this)(?:'s| is| was| can't be| cannot be| seems| looks) (?:wrong|incorrect|not right|not correct|a mistake|not it)(?=\s*(?:[.,;!?]|$))"
    r"|scratch that|i was wrong|i made (?:a mistake|an error)|my mistake|let me (?:re-?think|reconsider|start over|try again)|不对|不對|错了)"
)
"""What takes back the answer right before it."""


def refuses(small: str) -> bool:
    """Whether a reply begins or ends with a refusal."""
    return bool(REFUSAL.search(small, 0, ENDS) or REFUSAL.search(small, max(ENDS, len(small) - ENDS)))
