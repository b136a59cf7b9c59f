"""The paper's tables, as we keep them, against the paper's text, themselves, and their notes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from cogsight.voila.published import published

DATA = published()
TABLES = DATA["tables"]
NOTES = " ".join(DATA["notes"])
PAPERS = Path(__file__).parents[2] / ".." / "shared" / "papers"
PROPERTIES = ("number", "subject", "action")


def row(table: str, **keys: object) -> dict[str, Any]:
    [found] = [row for row in TABLES[table]["rows"] if keys.items() <= row.items()]
    return dict(found)


def test_all_tables_are_there() -> None:
    assert list(TABLES) == [*(f"table_{n}" for n in range(2, 20)), "section_6"]
    sizes = [8, 3, 2, 19, 7, 3, 5, 5, 15, 14, 4, 4, 4, 4, 2, 2, 2, 3, 4]
    assert [len(table["rows"]) for table in TABLES.values()] == sizes


@pytest.mark.parametrize(
    ("found", "known"),
    [
        (row("table_2", model="Human (AMTurks)")["wd"]["apply"], 71.36),
        (row("table_2", model="GPT-4o", input="images")["nd"], {"describe": 78.53, "identify": 38.60, "apply": 29.03}),
        (row("table_2", model="LLaMa 3.2")["wd"]["apply"], 13.16),
        (row("table_3", model="GPT-4o (3I)")["nd"], {"l2m": 29.03, "direct": 16.94}),
        (row("table_4", model="QWEN-VL2 (L2M)")["nd"], {"collage": 3.77, "images": 6.8}),
        (row("table_8", model="GPT-4o")["wd"], 0.9),
        (row("table_9", model="GPT-4o", input="images", prompting="direct")["nd"], 11.3),
        (row("table_10", model="LLaVa (L2M)")["apply"], {"number": 31.2, "subject": 30.0, "action": 32.9}),
        (row("table_11", model="GPT-4o(3I)(L2M)")["generate"], {"number": 24.3, "subject": 27.2, "action": 26.1}),
        (row("table_15", attribute="question")["agreement"], 90),
        (row("table_16", input="Image Collage")["total"], 53),
        (row("table_17", approach="Three Sub-prompts")["total"], 42.3),
        (row("table_18", approach="CoT")["total"], 5.96),
        (row("table_19", model="GPT-4o", approach="Direct Answering")["total"], 6.8),
        (row("section_6", given="text descriptions")["accuracy"], 49),
    ],
)
def test_known_values(found: object, known: object) -> None:
    assert found == known


def numbers(value: object) -> list[float | None]:
    """All numbers and dashes below a value, in order."""
    if isinstance(value, dict):
        return [number for part in value.values() for number in numbers(part)]
    return [] if isinstance(value, str) else [value]  # type: ignore[list-item]


@pytest.fixture(scope="module")
def paper() -> str:
    found = sorted(PAPERS.glob("001_*.txt"))
    if not found:
        pytest.skip("the paper's text is not beside this checkout")
    return found[0].read_text(encoding="utf-8")


@pytest.mark.parametrize("table", [f"table_{n}" for n in range(2, 20) if n != 7])
def test_every_row_is_in_the_papers_text(table: str, paper: str) -> None:
    """Its numbers, in their order, after the caption of its table; dashes and names aside."""
    start = paper.index(f"Table {table[6:]}: ")
    text = paper[start : start + 4_000]
    for kept in TABLES[table]["rows"]:
        printed = [number for number in numbers(kept) if number is not None]
        pattern = r"[^\d\n]+?".join(re.escape(f"{number:g}") + r"0*(?:\.0+)?%?" for number in printed)
        assert re.search(rf"(?<![\d.]){pattern}(?![\d.])", text), kept


def test_table_7(paper: str) -> None:
    for line in ("Action\t156\t156\t-\t22308", "Number of Subjects\t12\t-\t16\t24", "Subject Type\t182\t182\t-\t30576"):
        assert line in paper
    assert [numbers(row) for row in TABLES["table_7"]["rows"]] == [
        [156, 156, None, 22308],
        [12, None, 16, 24],
        [182, 182, None, 30576],
    ]


def test_per_cents_and_counts() -> None:
    for name in ("table_2", "table_3", "table_4", "table_8", "table_9", "table_10", "table_11"):
        assert all(0 <= number <= 100 for number in numbers(TABLES[name]["rows"][0]) if number is not None)
    for n, questions in ((12, 150), (13, 50), (14, 50), (15, 30)):
        for found in TABLES[f"table_{n}"]["rows"]:
            total = found["false_positive"] + found["false_negative"] + found["agree"]
            assert total == (48 if (n, found["attribute"]) == (13, "number") else questions)
            assert round(100 * found["agree"] / questions) == found["agreement"]


def test_a_question_is_never_easier_than_its_properties() -> None:
    """Steps 2 to 4 of the rows that Tables 2 and 9 share with Tables 10 and 11."""
    for subset, table, name in (("wd", "table_10", "GPT-4o (3I)(L2M)"), ("nd", "table_11", "GPT-4o(3I)(L2M)")):
        by_property = row(table, model=name)
        whole = row("table_2", model="GPT-4o", input="images")[subset]
        drawn = row("table_9", model="GPT-4o", input="images", prompting="l2m")[subset]
        for step, score in (("identify", whole["identify"]), ("apply", whole["apply"]), ("generate", drawn)):
            assert score <= min(by_property[step].values())


def test_the_notes_hold() -> None:
    described = row("table_10", model="GPT-4o (3I)(L2M)")["describe"]
    product = described["number"] * described["subject"] * described["action"] / 1e4
    stated = {
        f"= {product:.1f} %": 78.9,
        f"{row('table_2', model='Qwen-VL2-Chat', input='images')['nd']['apply']:.2f} in Table 2": 5.2,
        f"{row('table_4', model='QWEN-VL2 (L2M)')['nd']['images']} in Table 4": 6.8,
        f"about {100 * (product / 100) ** 3:.0f} %": 49,
        "4 + 5 + 39 = 48": 48,
    }
    assert [phrase for phrase in stated if phrase not in NOTES] == []
    smallest = min(row["agreement"] for n in (12, 13, 14, 15) for row in TABLES[f"table_{n}"]["rows"])
    assert f"no attribute is below {smallest:.0f} %" in NOTES
    assert "LLaVa (L2M)" in [row["model"] for row in TABLES["table_10"]["rows"]]
    assert "LLaVa" not in " ".join(row["model"] for n in (2, 11) for row in TABLES[f"table_{n}"]["rows"])
