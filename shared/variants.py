"""What can be run: a Variant is (subset, view, style, source) of a benchmark, and has one name in each framework (DESIGN 3.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

CAPITALS = {"cot": "CoT", "gt": "GT", "nd": "ND", "wd": "WD"}
"""Words that VLMEvalKit names do not write as Title Case."""


@dataclass(frozen=True, slots=True)
class Variant:
    """One runnable thing. The name parts not equal to the benchmark's defaults appear in its names, in `words` order."""

    benchmark: str
    words: tuple[str, ...] = ()
    """What tells it from the benchmark's main variant, as name parts: ("lite",), ("procedural",), ("gt", "relations")."""
    subset: str = "full"
    view: Literal["images", "collage"] | str = "images"
    style: str = "direct"
    source: Literal["official", "procedural"] = "official"
    size: int = 0
    """Number of samples of a whole run; a summary over fewer is not complete. 0: not published, so the data themselves say."""
    tag: str = ""
    """lmms-eval's name for several tasks at once: it runs all variants that share it."""
    alias: str = ""
    """A second lmms-eval task, for a name under which lmms-eval brings a task of its own: this one is always ours."""
    description: str = ""
    max_new_tokens: int = 4096
    """Token limit asked of the frameworks; too small a limit cuts reasoning models off (bug log U07, U27, U30)."""
    turns: int = 1
    """Replies that a whole dialogue has, at most."""
    tasks: tuple[str, ...] = ()
    """Those of its benchmark's tasks that it asks; (): all."""
    produces: bool = False
    """Whether the reply is to be a picture."""

    @property
    def name(self) -> str:
        """`lego_puzzles_lite`: the lmms-eval task, and the variant's name in every command and result."""
        return "_".join((self.benchmark, *self.words))

    @property
    def packed(self) -> bool:
        """Whether more comes back than one text, several turns or pictures, so that it goes through a framework as a dialogue does."""
        return self.turns > 1 or self.produces

    @property
    def chats(self) -> bool:
        """Whether a model's earlier replies come back to it as real turns of its own, which not every model can take."""
        return self.turns > 1 and self.style == "chat"


def lmms_eval_name(variant: Variant) -> str:
    """The lmms-eval task name.

    >>> lmms_eval_name(Variant("lego_puzzles", ("lite",)))
    'lego_puzzles_lite'
    """
    return variant.name


def vlmeval_name(variant: Variant, prefix: str) -> str:
    """The VLMEvalKit dataset name; `prefix` is the benchmark's own spelling there.

    >>> vlmeval_name(Variant("lego_puzzles", ("next", "k", "step", "cot")), "LEGO_Puzzles")
    'LEGO_Puzzles_Next_K_Step_CoT'
    """
    return "_".join((prefix, *(CAPITALS.get(word, word.capitalize()) for word in variant.words)))


def names(variant: Variant, prefix: str) -> tuple[str, ...]:
    """All that it is called, in either framework.

    >>> names(Variant("mme_cc", alias="cogsight_mme_cc"), "MME_CC")
    ('mme_cc', 'cogsight_mme_cc', 'MME_CC')
    """
    return tuple(filter(None, (variant.name, variant.alias, vlmeval_name(variant, prefix))))
