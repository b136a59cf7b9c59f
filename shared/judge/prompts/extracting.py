"""Reading an answer that no rule reads: what does it declare? The judge does not see the key."""

from __future__ import annotations

from collections.abc import Mapping

from .template import REASON, Field, Template

_RULES = """\
Do not solve the QUESTION and do not ask whether the ANSWER is right: only report what it declares.
- A later correction beats what it corrects; a conclusion at the end beats what led there.
- What is only considered, supposed, quoted, repeated from the QUESTION or ruled out is not declared.
- Report "none" if nothing is declared, if several things are that exclude each other, if the ANSWER declines, or if it ends before \
its conclusion. Never fill in what you think is right or likely."""

TEMPLATES: Mapping[str, Template] = {
    "extract_option": Template(
        version="1",
        task="Report which one of the OPTIONS the ANSWER declares as its final answer.\n"
        f"{_RULES}\n"
        "- An option is declared by its letter, by its text, or by a description that fits only this one. Where letter and text "
        'contradict each other, report "none".',
        needs=("question", "options"),
        fields=(REASON, Field("answer", 'the letter of the declared option, or "none"', letters="one")),
    ),
    "extract_sequence": Template(
        version="1",
        task="Report which order of all the OPTIONS the ANSWER declares as its final answer.\n"
        f"{_RULES}\n"
        "- The order may be given by letters or by the options' texts, as one word, with arrows, as a list or in sentences. Report it "
        "from first to last, also where the ANSWER tells it the other way round and says so.\n"
        '- An order that lacks an option or has one twice is "none".',
        needs=("question", "options"),
        fields=(REASON, Field("answer", 'all letters in the declared order, or "none"', letters="all")),
    ),
}
