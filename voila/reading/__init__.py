"""Reading what models say in free text, step by step: what they see (`descriptions`), what changes (`relations`), what comes (`answers`).

A reply is cut into phrases by one table (`lexicon`, from the words of `vocabulary` and `wording`) into tokens (`tokens`). `scenes` makes of them
a number, a subject and an action, `assignments` finds what is said property by property. What is read is a claim (`claims`), which is
right, wrong, or not for rules to tell.
"""
