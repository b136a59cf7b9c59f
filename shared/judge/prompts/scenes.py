"""VOILA: number, subject and action, each graded by itself, at each of its four steps.

What is lenient and what is not follows the benchmark's public scorer (step 1: near synonyms count, another age or
gender does not; step 3: "any" only matches "any"); the words are ours.
"""

from __future__ import annotations

from collections.abc import Mapping

from .template import REASON, Template, yes_or_no

PROPERTIES = ("number", "subject", "action")

_SAME = """\
What counts as the same:
- number: a word, a digit, or what amounts to it (a pair, a lone, both). "Several", "a group" or a range is no number.
- subject: near synonyms (mice for hamsters, a boy for a male child, an elderly lady for a senior woman), singular or plural (man, men). \
Of people, both gender and age (child, adult, senior) must be right: a woman is not a senior woman, a boy not a man, and "a person" or \
"a child" leaves the gender open. Of animals, the kind must be right, their sex and age do not matter.
- action: near synonyms (jogging for running) and the same thing said more exactly (carrying a box for carrying something).
Each property stands by itself: an error in one takes nothing from another. What the ANSWER does not say, or says in two ways that \
exclude each other, is 0."""

TEMPLATES: Mapping[str, Template] = {
    "voila_describe": Template(
        version="1",
        task="The ANSWER describes three images. TRUTH tells what they show. Grade the number of subjects, the kind of subject and the "
        "action of each image.\n"
        f"{_SAME}\n"
        "Match descriptions to images by the numbers or names that the ANSWER gives them, else by their order. Other details, such as "
        "clothes or places, do not matter.",
        needs=("truth",),
        fields=(
            REASON,
            *(
                yes_or_no(f"{name}_{image}", f"the answer has the {name} of image {image} right")
                for image in (1, 2, 3)
                for name in PROPERTIES
            ),
        ),
    ),
    "voila_relate": Template(
        version="1",
        task="The ANSWER tells which properties change from image 1 to image 2 and which do not. TRUTH tells what is right. Grade the "
        "number of subjects, the kind of subject and the action.\n"
        f"{_SAME}\n"
        "- A property that changes: the ANSWER must say that it does, and every value that it names must be the true one, in the true "
        "direction. Of the number it must also say whether it increases or decreases, or both values.\n"
        "- A property that remains constant: the ANSWER must say that it does, and a value that it names must be the true one.\n"
        "- An ANSWER that names some changes and says that all else is the same speaks of all properties.\n"
        "- What the ANSWER says of a third image does not matter.",
        needs=("truth",),
        fields=(REASON, *(yes_or_no(name, f"what the answer says of the {name} is right") for name in PROPERTIES)),
    ),
    "voila_apply": Template(
        version="1",
        task="The ANSWER predicts the number of subjects, the kind of subject and the action of a fourth image. TRUTH tells what is right. "
        "Grade each of the three.\n"
        f"{_SAME}\n"
        '- Where TRUTH says "any", only an ANSWER is right that says "any", or in other words that it may be anything. Where TRUTH has a '
        'value, "any" is wrong.\n'
        "- Only the final prediction counts, not what the ANSWER says of the other images. Without names of properties, it goes by the "
        "order number, subject, action.",
        needs=("truth",),
        fields=(REASON, *(yes_or_no(name, f"the predicted {name} is right") for name in PROPERTIES)),
    ),
}
