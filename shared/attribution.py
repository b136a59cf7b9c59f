"""Why wrong replies are wrong: a sheet of them for people to label, and how far two annotators agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import isnan

from .benchmark import Benchmark
from .diagnosis import Answered, Section
from .judge.model import ModelJudge
from .judge.prompts import TEMPLATES
from .judge.query import JudgeError, Query
from .report.labelling_page import Item, Labels, Question, Sheet
from .report.labelling_page import Section as Part
from .rng import stream
from .sample import Reply, Sample
from .stats import cohen_kappa, kappa_interval
from .table import percent

TEMPLATE = "error_class"
"""By which a judge suggests a class."""

GUIDE = (
    "Each item is a reply that did not score. Read the question, the key and the reply to its end; then choose the first thing that went"
    " wrong, even if more did.\nLabel alone: two people's labels say how far such labels can be trusted only if neither has seen the"
    " other's."
)

SETTLE = "Two annotators have labelled these replies differently. Both labels stand last on each; choose the one that holds, or a third."


def wrong(run: Answered, count: int | None, seed: int) -> list[str]:
    """Ids of replies that did not score, in the order of the questions; `count` of them drawn at random, None for all."""
    names = [name for name, points in run.measured.items() if points < 1 and run.replies.get(name, Reply(None)).text]
    drawn = set(names if count is None else stream(seed, "errors").sample(names, min(count, len(names))))
    return [name for name in names if name in drawn]


def sheet(
    benchmark: Benchmark, run: Answered, samples: Iterable[Sample], question: Question, judge: ModelJudge | None = None
) -> Sheet:
    """The sheet of these samples (with their pictures) and what the run replied; `judge` adds what it suggests, marked as such."""
    found = list(samples)
    suggested = suggestions(run, found, question, judge) if judge else {}
    items = tuple(replace(item(benchmark, run, sample), suggested=suggested.get(sample.id, {})) for sample in found)
    by = f"{judge.name}: {TEMPLATES[TEMPLATE].caveat}" if judge else ""
    return Sheet("errors", f"{benchmark.title}: why {run.name} is wrong", GUIDE, (question,), items, by)


def suggestions(
    run: Answered, samples: Iterable[Sample], question: Question, judge: ModelJudge
) -> dict[str, dict[str, str]]:
    """Id → question → the class that a model takes the error for; nothing where it gave no verdict."""
    queries = {sample.id: query(sample, run.replies[sample.id].text or "") for sample in samples}
    judge.ask(queries.values())
    found: dict[str, dict[str, str]] = {}
    for name, asked in queries.items():
        try:
            kind = str(judge.verdict(asked).values["kind"])
        except JudgeError:  # counted by the caller: it has no suggestion
            continue
        if kind in question.options:
            found[name] = {question.name: kind}
    return found


def query(sample: Sample, reply: str) -> Query:
    """What a judge is asked about a wrong reply."""
    reference = {
        "question": sample.question,
        "options": "\n".join(f"{letter}. {text}" for letter, text in sample.choices.items()),
        "key": sample.answer,
        "explanation": "\n".join(sample.explanation.values()),
    }
    return Query(TEMPLATE, reply, reference, pictures=sample.images)


def item(benchmark: Benchmark, run: Answered, sample: Sample) -> Item:
    """One reply with its question as the model saw it, the key, and why."""
    messages = benchmark.turn(sample, run.variant, ()) or ()
    asked = tuple(part for message in messages for part in message.parts)
    shown = (
        *(sample.images if not any(part in asked for part in sample.images) else ()),
        *asked,
    )  # people see what a model may not
    why = "\n".join(text for text in (sample.explanation.get(sample.answer), *_others(sample)) if text)
    score = run.scores[sample.id]
    read = score.extraction.value if score.extraction else None
    return Item(
        sample.id,
        (
            Part("Question", shown),
            Part("Key", (f"{_key(sample)}\n{why}".strip(),)),
            Part("Reply", (run.replies[sample.id].text or "",)),
            Part("Read as", (read or score.reason,)),
        ),
    )


def _key(sample: Sample) -> str:
    text = sample.choices.get(sample.answer, "")
    return sample.answer if text in ("", sample.answer) else f"{sample.answer}. {text}"


def _others(sample: Sample) -> list[str]:
    return [text for letter, text in sample.explanation.items() if letter != sample.answer]


def shares(question: Question, annotators: Mapping[str, Labels]) -> Section:
    """How often each class was chosen, by annotator."""
    counts = {name: Counter(chosen(labels, question)) for name, labels in annotators.items()}
    rows = tuple(
        (title, *(f"{count[value]} ({percent(count[value] / max(1, count.total()))})" for count in counts.values()))
        for value, title in question.options.items()
    )
    totals = ("All", *(str(count.total()) for count in counts.values()))
    return Section("Labels (per cent)", ("Class", *counts), (*rows, totals))


def chosen(labels: Labels, question: Question) -> list[str]:
    """All values given."""
    return [own[question.name] for own in labels.values() if question.name in own]


def agreement(question: Question, first: tuple[str, Labels], second: tuple[str, Labels]) -> Section:
    """Cohen's kappa of two annotators on what both have labelled, and each disagreement. Its rows are the disagreements."""
    pairs = {
        name: (own[question.name], second[1][name][question.name])
        for name, own in first[1].items()
        if question.name in own and question.name in second[1].get(name, {})
    }
    apart = tuple((name, *pair) for name, pair in pairs.items() if len(set(pair)) > 1)
    columns = ("Disagreement", first[0], second[0])
    if not pairs:
        return Section("Agreement", columns, (), ("No item was labelled by both.",))
    one, other = zip(*pairs.values(), strict=True)
    interval = kappa_interval(one, other)
    span = f" (95 % {interval.low:.2f} to {interval.high:.2f}, bootstrap)" if interval else ""
    value = cohen_kappa(one, other)
    kappa = "is not defined (both chose one and the same label throughout)" if isnan(value) else f"{value:.2f}{span}"
    same = len(pairs) - len(apart)
    return Section(
        "Agreement",
        columns,
        apart,
        (
            f"Cohen's kappa {kappa} on {len(pairs)} items that both have labelled.",
            f"Same label: {same}, {percent(same / len(pairs))} %.",
        ),
    )


def to_settle(full: Sheet, disagreements: Sequence[Sequence[str]]) -> Sheet:
    """The sheet of those items that two annotators labelled differently, for a third one: both labels stand on each, without names."""
    titles = full.questions[0].options
    said = {name: " / ".join(sorted(titles[value] for value in values)) for name, *values in disagreements}
    items = tuple(
        replace(item, sections=(*item.sections, Part("Labels so far", (said[item.id],))))
        for item in full.items
        if item.id in said
    )
    return replace(full, name="settle", guide=SETTLE, items=items)
