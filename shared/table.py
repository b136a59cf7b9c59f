"""A Summary as a table for people: rich on a terminal, plain ASCII everywhere else, both from the same columns.

Scores are per cent with one decimal. Nothing is told by colour alone, and a run that is not complete says so in the title.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

from .rating.marks import SCALES, TOP
from .stats import Interval
from .summary import OUTCOMES, UNJUDGED, Mark, Row, Summary

if TYPE_CHECKING:
    from rich.table import Table

NONE = "-"

INDENT = {"overall": "", "category": "", "task": "  "}
STYLE = {"overall": "bold", "category": "bold", "task": ""}


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its header (a line break where it may wrap) and how it shows a row."""

    header: str
    cell: Callable[[Row], str]
    left: bool = False


def percent(value: float | None) -> str:
    """A fraction as per cent with one decimal.

    >>> percent(0.5772), percent(None)
    ('57.7', '-')
    """
    return NONE if value is None else f"{100 * value:.1f}"


def _span(row: Row) -> str:
    return _ends(row.interval) if row.interval else NONE


def _ends(interval: Interval) -> str:
    return f"{percent(interval.low)}-{percent(interval.high)}"


def _questions(row: Row) -> str:
    return str(row.n) if row.n == row.expected else f"{row.n}/{row.expected}"


def _verdict(row: Row) -> str:
    if row.accuracy is None or row.chance is None:
        return NONE
    return "above" if row.above_chance else "not above"


def _failed(row: Row) -> float:
    return 1 - row.outcomes["parsed"]


def _rate(outcome: str) -> Column:
    return Column(outcome, lambda row: percent(row.outcomes[outcome]) if row.attempts else NONE)


NAMES = (
    Column("Task", lambda row: INDENT[row.scope] + row.title, left=True),
    Column("n", _questions),
)
SCORE = Column("Score", lambda row: percent(row.accuracy))
SCORE_OF_MEASURED = Column("Score of\nmeasured", SCORE.cell)
"""Where something was lost, so that nobody takes it for the number that the framework prints."""
RESULTS = (
    Column("95 %\ninterval", _span),
    Column("Chance", lambda row: percent(row.chance)),
    Column("Above\nchance\nfrom", lambda row: percent(row.critical)),
    Column("Against\nchance", _verdict, left=True),
)
FAILURES = tuple(_rate(outcome) for outcome in OUTCOMES if outcome != "parsed")
USUAL_FAILURES = tuple(column for column in FAILURES if column.header != UNJUDGED)
"""Shown also where they did not happen."""
ALL_FAILURES = Column("no\nanswer", lambda row: percent(_failed(row)) if row.attempts else NONE)
"""Where there is no room for more."""

MEANS = {
    "questions": "overall and categories are means over all their questions",
    "tasks": "overall and categories are means of their tasks",
    "categories": "overall is the mean of the categories, a category the mean of its tasks",
}
OTHERWISE = {
    "questions": "over all questions alike",
    "tasks": "of the tasks",
    "categories": "of the categories' means",
}
"""What the other means are means of."""
VIEWS = {
    "collage": "all pictures of a question as one labelled picture",
    "listed": "all pictures of a question first, then its text",
}
"""What the caption says of a view, where it has more to say than its name."""
ASK_AGAIN = {
    "lmms": "run lmms-eval again with the same --use_cache DIR as before: it asks again for what was lost, and has the rest there"
    " (a run without a cache starts anew)",
    "vlmeval": "run VLMEvalKit again with --reuse and without --keep-failed: it asks again for what was lost, and keeps the rest",
}
"""How to get lost replies, by a part of the framework's name."""
SCORE_AGAIN = "cogsight score LOG{judge} --out DIR"
LOGS = {
    "lmms": " (LOG: what lmms-eval writes with --log_samples --output_path)",
    "vlmeval": " (LOG: VLMEvalKit's result table)",
}
"""What LOG is, by a part of the framework's name."""
RATE = "people do that, with cogsight rate make LOG, then cogsight rate read, then cogsight score LOG --ratings DIR --out DIR"
MAKE = (
    "the framework has a model's text alone, and no judge can help. A model that makes pictures can be asked by lmms-eval, or by"
    " cogsight draw {variant} --model MODEL --out DIR"
)
NAME_A_JUDGE = {
    "lmms": "set COGSIGHT_JUDGE_MODEL before a run",
    "vlmeval": "give run.py --judge MODEL",
}
MANY_CUT = 0.05
"""Share of replies cut off above which a score says more about the token limit than is fit for a ranking (bug log U30)."""
NO_JUDGE = "none"
"""What the version "judge" says of a summary by rules alone."""
METHODS = {
    "wilson": "Wilson",
    "wilson combined": "Wilson of each task, combined,",
    "bootstrap": "bootstrap over groups of questions",
    "wilson on groups": "Wilson over groups of questions, which are all alike",
}


def title(summary: Summary) -> str:
    """Name, and the score; or, of a run that is not complete, why it has none."""
    judge = f"judge {_judge(summary)}" if _judge(summary) else ""
    raters = f"rated by {summary.versions['raters']}" if "raters" in summary.versions else ""
    about = ", ".join(filter(None, (summary.variant, summary.versions.get("release"), judge, raters)))
    name = f"{summary.title} ({about})"
    if summary.headline is not None:
        return f"{name}: {percent(summary.headline)} %"
    return f"{name}: INCOMPLETE, no score. {'; '.join(shortfalls(summary))}"


def shortfalls(summary: Summary) -> list[str]:
    """What keeps a run from being complete, each as a phrase; none for a complete one."""
    overall = summary.overall
    short = max(0, overall.expected * summary.repeats - overall.attempts)
    surplus = [row.title for row in summary.tasks.values() if row.n > row.expected]
    absent = [summary.tasks[name].title for name in summary.missing_tasks]
    found = {
        f"{short} of {overall.expected * summary.repeats} answers missing": short,
        f"nothing of {', '.join(absent)}": absent and overall.n,
        f"more questions than expected of {', '.join(surplus)}": surplus,
        f"{overall.lost} lost, by no fault of the model": overall.lost,
        f"not judged: {overall.unsaid}": overall.unsaid,
        f"not rated: {overall.unrated} pictures": overall.unrated,
        f"no picture handed on: {overall.withheld}": overall.withheld,
    }
    return [phrase for phrase, holds in found.items() if holds]


def caption(summary: Summary) -> list[str]:
    """Lines for under the table: bounds, how numbers were made, versions."""
    overall = summary.overall
    versions = ", ".join(f"{name} {version}" for name, version in summary.versions.items())
    methods = _methods(summary)
    cut = overall.outcomes["truncated"]
    pictures = bool(overall.n) and overall.chance is None
    lines = {
        f"INCOMPLETE. On the questions asked: {_bounds(overall)}.": overall.n and not summary.complete,
        f"Lost replies: {_by_framework(ASK_AGAIN, summary)}.": overall.lost and _by_framework(ASK_AGAIN, summary),
        f"Not judged: {_judge_again(summary)}.": overall.unsaid,
        f"Not rated: {RATE}. A judge in their place: {_judge_again(summary)}.": overall.unrated,
        f"No picture handed on: {MAKE.format(variant=summary.variant)}.": overall.withheld,
        f"Not to be ranked: {percent(cut)} % of the replies were cut off at the token limit. Raise it before comparing.": cut
        > MANY_CUT,
        f"View: {summary.view}{_explained(summary.view)}.": summary.view not in ("", "images"),
        f"Score: per cent, over what was measured; {MEANS[summary.average]}.": True,
        f"Averaged in another way, overall would be {_otherwise(summary)}.": _otherwise(summary),
        f"Intervals: {methods}.": methods,
        "Above chance from: the smallest score that blind guessing reaches with probability below 5 % (exact, one-sided).": not pictures,
        '"-" there: too few questions, no score would be above chance.': any(
            r.chance is not None and r.critical is None for r in summary.rows
        ),
        "No chance is given of pictures: they are marked, and nobody can guess one.": pictures,
        f"{summary.repeats} attempts at each question, which counts with their mean.": summary.repeats > 1,
        "Last columns: per cent of the replies, by why they hold no answer.": True,
        f"{percent(overall.judged)} % of the replies were decided by the judge, the others by rules.": overall.judged,
        f"Each reply got {summary.versions.get('votes')} votes of the judge, which are unanimous on {percent(overall.unanimous)} %"
        " of those that it decided.": overall.unanimous is not None,
        f"Decided by rules alone. {_unread(summary)}": _unread(summary),
        f"Versions: {versions}.": versions,
    }
    return [line for line, holds in lines.items() if holds]


def _otherwise(summary: Summary) -> str:
    """The other means, where they differ from the one that is overall."""
    own = percent(summary.averages[summary.average])
    others = {OTHERWISE[name]: percent(value) for name, value in summary.averages.items() if percent(value) != own}
    wrong = f" (with what is {unmeasured(summary.overall)} counted wrong)" * bool(summary.overall.unmeasured)
    return " and ".join(f"{value} (mean {name})" for name, value in others.items()) + wrong if others else ""


def _missing(row: Row) -> tuple[tuple[str, int], ...]:
    return (
        ("lost", row.lost),
        ("not judged", row.unsaid),
        ("not rated", row.unrated),
        ("not handed on", row.withheld),
    )


def unmeasured(row: Row) -> str:
    """What could not be measured, in words: "lost", "not judged", "not rated", "not handed on", several, or nothing."""
    return " and ".join(name for name, count in _missing(row) if count)


def _bounds(row: Row) -> str:
    what = unmeasured(row)
    if not what:
        return percent(row.low)
    return f"{percent(row.low)} ({what} counted wrong: what the frameworks print) to {percent(row.high)} ({what} counted right)"


def _judge(summary: Summary) -> str:
    """The judge's name; "" where there was none."""
    name = summary.versions.get("judge", NO_JUDGE)
    return "" if name == NO_JUDGE else name


def _judge_again(summary: Summary) -> str:
    judge = " --judge MODEL" * (not _judge(summary))
    again = SCORE_AGAIN.format(judge=judge)
    return f"{again} asks for the missing verdicts alone, and the model for nothing{_by_framework(LOGS, summary)}"


def _unread(summary: Summary) -> str:
    """How many replies a judge could have read, and how to name one; "" when there are none, or there was a judge."""
    overall = summary.overall
    count = round((overall.outcomes["unparsed"] + overall.outcomes["ambiguous"]) * overall.attempts)
    if not count or _judge(summary):
        return ""
    later = "".join(f" {way}, or" for way in filter(None, [_by_framework(NAME_A_JUDGE, summary)]))
    return (
        f"{count} {'reply stays' if count == 1 else 'replies stay'} unread: no judge is named (OPENAI_API_KEY alone names none)."
        f" To name one,{later} run {SCORE_AGAIN.format(judge=' --judge MODEL')}, which asks the model for nothing"
        f"{_by_framework(LOGS, summary)}."
    )


def _by_framework(texts: Mapping[str, str], summary: Summary) -> str:
    framework = summary.versions.get("framework", "").lower()
    return next((text for part, text in texts.items() if part in framework), "")


def _explained(view: str) -> str:
    return f", {VIEWS[view]}" if view in VIEWS else ""


def _methods(summary: Summary) -> str:
    """The most frequent method, after the others with the rows that they stand in; "" when there are no intervals."""
    rows: dict[str, list[str]] = {}
    for row in summary.rows:
        if row.interval:
            rows.setdefault(row.interval.method, []).append(row.title)
    if not rows:
        return ""
    *rare, usual = sorted(rows, key=lambda method: len(rows[method]))
    return "; ".join(
        [
            *(f"{METHODS[method]} for {', '.join(rows[method])}" for method in rare),
            "elsewhere " * bool(rare) + METHODS[usual],
        ]
    )


def marks_table(summary: Summary) -> list[str]:
    """What pictures that a model made got on each scale, as the paper gives it: by task and overall, 0 to 3; none where nothing is marked."""
    rows = [row for row in (*summary.tasks.values(), summary.overall) if row.n]
    if not any(row.marks for row in rows):
        return []
    scales = [head for title in SCALES.values() for head in (title, "95 % interval")]
    failures = ("No picture", "Unreadable", "Not rated", "Not judged", "Not handed on", "Lost")
    cells = [("Marks, 0 to 3", "n", *scales, *failures), *map(_marks_of, rows)]
    return _lines(cells)


def _marks_of(row: Row) -> tuple[str, ...]:
    marks = [row.marks.get(name) for name in SCALES]
    n = next((str(mark.n) for mark in marks if mark), NONE)
    shown = [cell for mark in marks for cell in _mark(mark)]
    failed = (row.no_image, row.broken_image, row.unrated, row.unsaid, row.withheld, row.lost)
    return row.title, n, *shown, *(str(number or "") for number in failed)


def _mark(mark: Mark | None) -> tuple[str, str]:
    if mark is None:
        return NONE, NONE
    return _of_top(mark.mean), f"{_of_top(mark.interval.low)}-{_of_top(mark.interval.high)}"


def _of_top(share: float) -> str:
    """As marks are given, 0 to 3. What is 0.875 but for the rounding of shares is shown as that is."""
    return f"{round(TOP * share, 9):.2f}"


def parts_table(summary: Summary) -> list[str]:
    """The partial scores as lines in fixed columns; none where there are none."""
    if not summary.parts:
        return []
    whole = [(p.title, str(p.n), percent(p.mean), _ends(p.interval), str(p.missing or "")) for p in summary.parts]
    return _lines([("Part", "n", "Score", "95 % interval", "Missing"), *whole])


def _below(summary: Summary) -> list[str]:
    """The small tables under the large one, an empty line after each."""
    return [line for lines in (marks_table(summary), parts_table(summary)) if lines for line in (*lines, "")]


def _lines(cells: Sequence[Sequence[str]]) -> list[str]:
    """Rows below their header, in fixed columns; a column that is empty but for its head is left out."""
    kept = [column for column in zip(*cells, strict=True) if any(column[1:])]
    widths = [max(map(len, column)) for column in kept]
    lines = ["  ".join(_justified(row, widths)).rstrip() for row in zip(*kept, strict=True)]
    rule = "  ".join("-" * width for width in widths)
    return [lines[0], rule, *lines[1:]]


def _justified(cells: Sequence[str], widths: Sequence[int]) -> list[str]:
    """The first to the left, the others, which are numbers, to the right."""
    name, *numbers = zip(cells, widths, strict=True)
    return [name[0].ljust(name[1]), *(text.rjust(width) for text, width in numbers)]


def columns(summary: Summary, width: int | None = None) -> tuple[Column, ...]:
    """The first layout that fits into `width` characters: each failure, those that happened, or their sum; None: each."""
    happened = tuple(column for column in FAILURES if any(row.outcomes[column.header] for row in summary.rows))
    usual = tuple(column for column in FAILURES if column in USUAL_FAILURES or column in happened)
    results = (*NAMES, SCORE_OF_MEASURED if summary.overall.unmeasured else SCORE, *RESULTS)
    layouts = [(*results, *failures) for failures in (usual, happened, (ALL_FAILURES,))]
    fitting = (layout for layout in layouts if width is None or _width(summary, layout) <= width)
    return next(fitting, min(layouts, key=lambda layout: _width(summary, layout)))


def rich_table(summary: Summary, width: int | None = None) -> Table:
    """For a console of `width` characters, as far as the columns can be made to fit."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    shown = columns(summary, width)
    hidden = [column.header for column in USUAL_FAILURES if column not in shown and ALL_FAILURES not in shown]
    notes = caption(summary) + ([f"No reply was {' or '.join(hidden)}."] if hidden else [])
    table = Table(
        title=Text(title(summary)),
        caption=Text("\n".join(["", *_below(summary), *notes])),
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        show_edge=False,
        padding=0,
    )
    for column in shown:
        table.add_column(column.header, justify="left" if column.left else "right", no_wrap=True, vertical="bottom")
    for row in summary.rows:
        table.add_row(*(Text(column.cell(row)) for column in shown), style=STYLE[row.scope])
    return table


def plain(summary: Summary) -> str:
    """Fixed columns in ASCII, for logs and files."""
    shown = columns(summary)
    headers = [column.header.split("\n") for column in shown]
    depth = max(map(len, headers))
    lines = [[("" if depth - n > len(header) else header[n - depth]) for header in headers] for n in range(depth)]
    body = [[column.cell(row) for column in shown] for row in summary.rows]
    widths = [max(map(len, cells)) for cells in zip(*lines, *body, strict=True)]
    rule = ["-" * width for width in widths]
    table = [_line(cells, widths, shown) for cells in (*lines, rule, *body)]
    return "\n".join([title(summary), "", *table, "", *_below(summary), *caption(summary)])


def show(summary: Summary, file: TextIO | None = None) -> None:
    """Print it: with rich on a terminal, plain elsewhere."""
    stream = file or sys.stdout
    if not stream.isatty():
        print(plain(summary), file=stream)
        return
    from rich.console import Console

    width = Console(file=stream).width
    needed = _width(summary, columns(summary, width))
    # On a terminal that is too narrow, lines that wrap are still right; rich would cut numbers short.
    Console(file=stream, width=max(width, needed)).print(rich_table(summary, width))


def _line(cells: Sequence[str], widths: Sequence[int], shown: Sequence[Column]) -> str:
    padded = (
        cell.ljust(width) if column.left else cell.rjust(width)
        for cell, width, column in zip(cells, widths, shown, strict=True)
    )
    return "  ".join(padded).rstrip()


def _width(summary: Summary, shown: Sequence[Column]) -> int:
    """Characters that rich needs for these columns, with one between them."""
    texts = ([*column.header.split("\n"), *map(column.cell, summary.rows)] for column in shown)
    return sum(max(map(len, cells)) + 1 for cells in texts) - 1
