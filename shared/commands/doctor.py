"""`cogsight doctor`: every check's findings as lines, each fault with the way to mend it; exit code 1 when there is a fault."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import typer

from ..errors import CogsightError
from . import checks
from .checks import Finding, Level, bad_setting
from .judge_checks import judge, judge_answers

CHECKS = (*checks.CHECKS, judge)

MARKS = {
    Level.OK: ("ok", typer.colors.GREEN),
    Level.NOTE: ("note", typer.colors.YELLOW),
    Level.FAULT: ("FAULT", typer.colors.RED),
}


def run(probe_judge: bool = False) -> int:
    """Print findings as they come. `probe_judge`: also ask the judge one question, which may cost a little."""
    chosen = [judge_answers if check is judge and probe_judge else check for check in CHECKS]
    faults = sum(_print(finding) for check in chosen for finding in findings(check))
    typer.echo(f"\n{faults} fault{'s' * (faults != 1)} found" if faults else "\nall is well")
    return 1 if faults else 0


def findings(check: Callable[[], Iterator[Finding]]) -> Iterator[Finding]:
    """What a check finds; when it breaks down, that is a finding too, and the other checks go on."""
    try:
        yield from check()
    except CogsightError as error:
        known = str(error) == bad_setting()  # a fault of its own already: one cause, one fault
        yield Finding(Level.NOTE if known else Level.FAULT, check.__name__, f"not checked: {error}")
    except Exception as error:  # noqa: BLE001 - broken installations break in ways nobody foresees; here they are the subject
        text = f"the check failed: {type(error).__name__}: {' '.join(str(error).split())}"
        yield Finding(Level.FAULT, check.__name__, text, "pip install --force-reinstall cogsight")


def _print(finding: Finding) -> bool:
    typer.echo("\n".join(lines(finding)))
    return finding.level is Level.FAULT


def lines(finding: Finding) -> Iterable[str]:
    """The finding, and below it how to mend it."""
    mark, colour = MARKS[finding.level]
    yield f"{typer.style(f'{mark:5}', fg=colour, bold=True)}  {finding.topic:14}  {finding.text}"
    if finding.mend:
        yield f"{'':7}{'':14}  → {finding.mend}"
