"""Grading an answer against a reference, with the rubric of the item where it has one (MME-CC), and saying what went wrong (SpatialViz)."""

from __future__ import annotations

from collections.abc import Mapping

from .template import REASON, Field, Template, yes_or_no

_FINAL = """\
- Take the REFERENCE as right, whatever you think yourself; do not solve the QUESTION.
- Only the final answer in ANSWER counts: a later correction beats what it corrects, and the way there does not matter.
- An answer that offers alternatives, hedges between them or contradicts itself has not given any of them.
- Where there is a RUBRIC and it is more specific than these rules, go by the RUBRIC. It says what is right, never what your verdict \
looks like."""

ERROR_CLASSES = {
    "perceptual": "it sees something else than the picture shows: colour, number, place, shape, direction, what touches what",
    "transformation": "it sees the picture rightly, but turns, folds, cuts, moves or projects it wrongly in its mind",
    "memorisation": "its steps are right one by one, but it loses or mixes up what it found before, or leaves things out on the way",
    "instruction": "it misreads or disregards what is asked, or how the answer is to be given",
    "methodological": "it goes about it in a way that cannot or need not lead there: guesses, looks at the wrong features, checks too few options",
    "calculation": "it counts, calculates or concludes wrongly from what it has rightly seen and transformed",
}
"""The paper's six kinds of error; the words are ours."""

TEMPLATES: Mapping[str, Template] = {
    "grade_reference": Template(
        version="1",
        task="Decide whether the ANSWER gives the final answer of the REFERENCE.\n"
        f"{_FINAL}\n"
        "- Equivalent forms are right: other spelling, case, spacing, punctuation, layout or units, numbers as words, mathematically equal "
        "expressions, the same thing in other words or in another language.\n"
        "- Every part of the REFERENCE must be there and right; one that is missing or wrong makes it wrong, and so does an additional "
        "part that the REFERENCE does not have where it changes the answer.\n"
        "- The order of parts matters only where the QUESTION asks for an order or the meaning depends on it.\n"
        '- Where the REFERENCE names alternatives ("X or Y"), one of them is enough.',
        needs=("question", "reference"),
        may_have=("rubric",),
        fields=(REASON, yes_or_no("correct", "the answer is right in all its parts")),
    ),
    "grade_moves": Template(
        version="1",
        task="The QUESTION is a sliding-block puzzle. Compare the solution in ANSWER with that in REFERENCE in two ways: the minimum number of "
        "moves, and which blocks have to move.\n"
        f"{_FINAL}\n"
        "- Number of moves: the one that the ANSWER states; where it states none but lists its moves, how many it lists.\n"
        "- Blocks: compare the two sets. Order, directions, distances and how often a block moves do not matter. A block may be called in "
        'other words that can only mean it ("block A", "A", "the car A").\n'
        "- A part that the ANSWER does not give is wrong.",
        needs=("question", "reference"),
        may_have=("rubric",),
        fields=(
            REASON,
            yes_or_no("steps", "the minimum number of moves is that of the reference"),
            yes_or_no("blocks", "exactly the blocks of the reference move, as a set"),
        ),
    ),
    "error_class": Template(
        version="1",
        task="The ANSWER to the QUESTION, which is about the picture or pictures shown, is wrong: of the OPTIONS, KEY is right. Say what kind "
        "of error led the ANSWER astray. An EXPLANATION of the options, where there is one, is right.\n"
        + "\n".join(f'- "{name}": {meaning}.' for name, meaning in ERROR_CLASSES.items())
        + "\nWhere several apply, report the first one without which the ANSWER would have come out right.",
        needs=("question", "options", "key"),
        may_have=("explanation",),
        pictures="The picture or pictures of the question come after this text.",
        fields=(
            Field("reason", "one or two short sentences: where the answer goes wrong, and how", counts=False),
            Field("kind", "the kind of error", values=tuple(ERROR_CLASSES)),
        ),
        caveat="automatic pre-label, for people to check; the paper's labels were made by people",
    ),
}
