"""What of a reply is meant for the reader: reasoning blocks of every common style are hidden, without moving a character.

A block that was closed is simply not the answer. A block that was never closed means that the model did not get to its answer,
so nothing it wrote may be read (bug log U04, U28, C01, C16).
"""

from __future__ import annotations

import re

from .normalise import lower
from .words import entries

TAGS = "|".join(
    entries(
        "think, thinking, thought, thoughts, reason, reasoning, rationale, reflect, reflection, rethink, scratchpad, analysis,"
        "monologue, inner_monologue, internal_monologue, inner_thoughts, chain_of_thought, cot, 思考, 推理"
    )
)
"""`<think>` and its relatives; also with a prefix (`<seed:think>`) and with attributes."""

OPENING = (
    "[think]",
    "◁think▷",
    "<|begin_of_thought|>",
    "<|think|>",
    "<|thinking|>",
    "<|start_thinking|>",
    "<unused94>",
)
CLOSING = (
    "[/think]",
    "◁/think▷",
    "<|end_of_thought|>",
    "<|/think|>",
    "<|/thinking|>",
    "<|end_thinking|>",
    "<unused95>",
    "...done thinking",
)
"""Magistral, Kimi, OpenThinker, Command, Gemma, Ollama."""

DROPPED = "assistantfinal"
"""What is left of gpt-oss's marks before its answer when a server drops the special tokens: "analysisWe need…assistantfinalB"."""

HARMONY = r"<\|channel\|>\s?(?P<channel>analysis|commentary|final)[^<>]{0,80}<\|message\|>"
DETAILS = r"<(?P<details>/?details)(?P<kind> type=[\"']reasoning[\"'][^<>\n]{0,80})?>"
"""Open WebUI; `<details>` of another kind is ordinary text."""

MARKS = re.compile(
    rf"< ?(?P<slash>/?) ?(?P<tag>(?:[a-z]{{1,8}}[_:-])?(?:{TAGS})(?:_process|_block|_steps)?)(?:\s[^<>\n]{{0,80}})?>|{HARMONY}|{DETAILS}|"
    + "|".join(map(re.escape, (*OPENING, *CLOSING, DROPPED)))
)
OPENED_BY_FIRST_WORD = re.compile(r"\s*(?:analysis(?=[A-Z\"'])|Thinking\.\.\.\s)")
HINT = re.compile(rf"[<◁\[]|{DROPPED}|{re.escape(CLOSING[-1])}")
"""Without one of these, or that first word, there is nothing to hide."""


def visible(text: str) -> str | None:
    """The text with its reasoning replaced by as many line ends; None when it ends inside a reasoning block.

    >>> visible("<b>A or B?</think>C").strip()
    'C'
    >>> visible("<think>It might be A") is None
    True
    """
    dropped = OPENED_BY_FIRST_WORD.match(text)
    if not dropped and not HINT.search(text):
        return text
    open_blocks = ["channel"] if dropped else []
    shown: list[tuple[int, int]] = []
    position = 0
    for mark in MARKS.finditer(lower(text)):
        name, closes = _read(mark)
        if name == "details" and closes and name not in open_blocks:
            continue
        if closes:
            if not open_blocks:  # its opening tag was part of the prompt: all before it was reasoning
                shown.clear()
            _close(open_blocks, name)
        elif not open_blocks:
            shown.append((position, mark.start()))
            open_blocks.append(name)
        elif text[position : mark.start()].strip():  # "<think>\n<think>" opens one block
            open_blocks.append(name)
        position = mark.end()
    if open_blocks:
        return None
    shown.append((position, len(text)))
    return _keep(text, shown)


def _read(mark: re.Match[str]) -> tuple[str, bool]:
    """A mark's name, and whether it closes."""
    if mark["tag"]:
        return mark["tag"], bool(mark["slash"])
    if mark["channel"]:
        return "channel", mark["channel"] == "final"
    if mark["details"]:
        return "details", not mark["kind"]
    return ("", False) if mark[0] in OPENING else ("channel" if mark[0] == DROPPED else "", True)


def _close(open_blocks: list[str], name: str) -> None:
    """A closing mark ends its own block and what was left open inside it; one that fits nothing ends the innermost."""
    if name in open_blocks:
        while open_blocks.pop() != name:
            pass
    elif open_blocks:
        open_blocks.pop()


def _keep(text: str, shown: list[tuple[int, int]]) -> str:
    parts, position = [], 0
    for start, end in shown:
        parts += ["\n" * (start - position), text[start:end]]
        position = end
    return "".join(parts)
