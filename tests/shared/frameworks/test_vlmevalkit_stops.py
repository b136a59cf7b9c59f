"""Our errors in VLMEvalKit's log and table: short, the way out first, and the whole text once on stderr."""

from __future__ import annotations

import traceback
from types import SimpleNamespace
from typing import Any

import pytest

from cogsight.shared.errors import CogsightError, DataError
from cogsight.shared.frameworks.vlmevalkit.stops import SHOWN, brief

LONG = "/data/LEGO.tsv" + " is not what was released" * 5


@pytest.mark.parametrize(
    ("text", "way_out"),
    [
        (f"{LONG}; --allow-changed accepts it all the same", "--allow-changed accepts it all the same"),
        (
            f"{LONG}; row 3; row 4\n  row 5\nThe way on: load it again; it is free.",
            "The way on: load it again; it is free",
        ),
    ],
)
def test_a_long_message_is_told_once_and_raised_as_its_way_out(
    text: str, way_out: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(DataError) as raised, brief("LEGO_Puzzles"):
        raise CogsightError(text)
    assert str(raised.value) == f"{way_out} (why: see 'cogsight: LEGO_Puzzles' above)"
    assert capsys.readouterr().err == f"cogsight: LEGO_Puzzles: {text}\n"
    assert len("".join(traceback.format_exception(raised.value)).split("Traceback")) == 2, "no chain"


def test_a_short_message_stays_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    text = "x" * SHOWN
    with pytest.raises(DataError, match=f"^{text}$"), brief("LEGO_Puzzles"):
        raise CogsightError(text)
    assert capsys.readouterr().err == ""


def test_faults_that_are_no_errors_of_ours_keep_their_traceback() -> None:
    with pytest.raises(ZeroDivisionError), brief("LEGO_Puzzles"):
        raise ZeroDivisionError


FAILED = "Failed to obtain answer via API. "


def body(text: str) -> Any:
    return SimpleNamespace(text=text)


@pytest.mark.slow  # imports VLMEvalKit
@pytest.mark.parametrize(
    ("result", "nothing"),
    [
        ((0, "", "Succeeded! "), True),
        ((0, " \n", None), True),
        ((0, None, None), True),
        ((0, FAILED, body('{"choices": [{"message": {"content": null}}]}')), True),
        ((0, FAILED, body('{"choices": []}')), False),
        ((0, FAILED, body('{"error": "overloaded"}')), False),
        ((0, FAILED, body("<html>")), False),
        ((0, FAILED, "Length Exceeded. "), False),
        ((0, "A", None), False),
        ((0, {"a": 1}, None), False),
        ((-1, "", ""), False),
        ((500, FAILED, body("")), False),
    ],
)
def test_which_tries_were_answered_with_nothing(result: tuple[Any, Any, Any], nothing: bool) -> None:
    pytest.importorskip("vlmeval", reason="VLMEvalKit (pip install ms-vlmeval) is not installed")
    from cogsight.shared.frameworks.vlmevalkit.patches import answered_nothing

    assert answered_nothing(*result) is nothing
