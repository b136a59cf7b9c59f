"""What raters are asked. The paper names the two scales and their ends (section 4.3); what each step means is put in our own words."""

from __future__ import annotations

from ..report.labelling_page import Question
from .marks import APPEARANCE, INSTRUCTION, SCALES

SCALE = ("0", "1", "2", "3")

APP = Question(
    SCALES[APPEARANCE],
    "App: is it still the same object?",
    {"0": "0 · no", "1": "1 · a resemblance", "2": "2 · mostly", "3": "3 · the same"},
    {
        "0": "Something else, or nothing to make out.",
        "1": "Some colours or shapes are alike.",
        "2": "A few parts changed, missing or added.",
        "3": "Parts, shapes, colours: one must search.",
    },
)
IF = Question(
    SCALES[INSTRUCTION],
    "IF: does it show what was asked for?",
    {"0": "0 · not done", "1": "1 · attempted", "2": "2 · nearly", "3": "3 · done"},
    {
        "0": "Nothing of it, or a given picture repeated.",
        "1": "One sees the attempt; wrong in the main.",
        "2": "A bit off: some degrees, a stud, a part.",
        "3": "Exactly the turn, view, part or place.",
    },
)
QUESTIONS = (APP, IF)

GUIDE = """A model got the instruction and the pictures given, and made the picture to be rated. Give two marks, each for itself: App for how well \
it keeps the object's appearance, whether or not the instruction was followed; IF for how well it does what the instruction asks, whether or not the object \
has changed. Do not guess who made it. Where you waver between two marks, give the lower one."""

TRUE_PICTURE = "true picture"
"""The page's switch: what a right answer looks like, where that is known."""
