"""What judging would take: calls, tokens, money. An unknown price is unknown and never nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from cogsight.shared.errors import DataError
from cogsight.shared.judge.cost import (
    ENOUGH,
    Estimate,
    Line,
    Price,
    estimate,
    picture_tokens,
    price_of,
    prices,
    prompt_tokens,
    survey,
    text_tokens,
)
from cogsight.shared.judge.cost_table import shown
from cogsight.shared.judge.endpoint import Endpoint
from cogsight.shared.judge.model import ModelJudge
from cogsight.shared.judge.query import Judge, JudgeError, Query
from cogsight.shared.judge.store import FILE, Store, Vote
from cogsight.shared.sample import Picture, Score
from cogsight.shared.settings import JudgeSettings

GPT = "gpt-4o-2024-08-06"
OPENAI = "https://api.openai.com/v1"
TEXTS = {"question": "Which brick is larger?", "options": "A. the red one\nB. the blue one"}


def query(text: str, template: str = "extract_option") -> Query:
    return Query(template, text, TEXTS, letters=("A", "B"))


def judge(folder: Path, model: str = GPT, url: str = OPENAI, votes: int = 1, rejudge: bool = False) -> ModelJudge:
    endpoint = Endpoint(model, url, "no-key-set", JudgeSettings(votes=votes))
    return ModelJudge(endpoint, store=folder / FILE, read_only=True, rejudge=rejudge)


def keep(folder: Path, texts: list[str], tokens: tuple[int, int] = (0, 0), model: str = GPT) -> None:
    """Have verdicts in the store."""
    store = Store(folder / FILE)
    for text in texts:
        store.add(model, query(text), 0, Vote({"reason": "r", "answer": "A"}, model, *tokens))
    store.close()


@pytest.fixture(autouse=True)
def no_own_prices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COGSIGHT_PRICES", raising=False)


def test_calls_and_cached_for_each_template(tmp_path: Path) -> None:
    keep(tmp_path, ["one", "two"])
    asked = [*map(query, ("one", "two", "three")), query("four", "extract_sequence")]
    found = estimate(asked, judge(tmp_path, votes=3), prices())
    counts = [(line.template, line.calls, line.cached) for line in found.lines]
    assert counts == [("extract_option", 7, 2), ("extract_sequence", 3, 0)]
    assert (found.total.calls, found.total.cached) == (10, 2)
    assert estimate(asked, judge(tmp_path, rejudge=True), prices()).total.calls == 4


def test_a_survey_asks_nothing_writes_nothing_and_counts_a_query_once(tmp_path: Path) -> None:
    def scorer(judge: Judge | None) -> Score:
        assert judge is not None
        with pytest.raises(JudgeError):
            judge.verdict(query("one"))
        return Score("id", 0, None, "not_judged")

    found = survey([scorer, scorer], judge(tmp_path / "nowhere"))
    assert found.total.calls == 1
    assert not (tmp_path / "nowhere").exists()


def test_looking_into_a_store_leaves_it_as_it_is(tmp_path: Path) -> None:
    keep(tmp_path, ["one"])
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert estimate([query("one")], judge(tmp_path), prices()).total.cached == 1
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_tokens_that_earlier_verdicts_took_win(tmp_path: Path) -> None:
    keep(tmp_path, [f"old {n}" for n in range(ENOUGH - 1)], (800, 40))
    assert estimate([query("new")], judge(tmp_path), prices()).lines[0].measured == 0
    keep(tmp_path, ["another"], (800, 40))
    line = estimate([query("new"), query("newer")], judge(tmp_path), prices()).lines[0]
    assert (line.prompt_tokens, line.completion_tokens, line.measured) == (1600, 80, ENOUGH)
    other = estimate([query("new")], judge(tmp_path, model="gpt-4o"), prices()).lines[0]
    assert other.measured == 0, "another model counts otherwise"


def test_prices_live_and_in_a_batch() -> None:
    line = Line("t", 1, 0, prompt_tokens=2_000_000, completion_tokens=1_000_000)
    endpoint = Endpoint(GPT, OPENAI, "k")
    found = Estimate(endpoint, [line], price_of(endpoint, prices()))
    assert found.dollars(line) == pytest.approx(2 * 2.5 + 10.0)
    assert found.dollars(line, batch=True) == pytest.approx(7.5)


def test_without_batches_there_is_no_price_of_one() -> None:
    endpoint = Endpoint("deepseek-chat", "https://api.deepseek.com/v1", "k")
    found = Estimate(endpoint, [Line("t", 1, 0, 10**6, 0)], price_of(endpoint, prices()))
    assert found.dollars(found.total) is not None
    assert found.dollars(found.total, batch=True) is None
    assert shown(found).splitlines()[3].split()[-1] == "-"


@pytest.mark.parametrize(
    ("model", "url"), [("my-model", OPENAI), (GPT, "http://127.0.0.1:8000/v1"), (f"openai/{GPT}", OPENAI)]
)
def test_an_unknown_price_is_unknown_and_never_nothing(tmp_path: Path, model: str, url: str) -> None:
    found = estimate([query("one")], judge(tmp_path, model, url), prices())
    assert found.price is None and found.dollars(found.total) is None and found.dollars(found.total, True) is None
    text = shown(found)
    assert "unknown" in text and "COGSIGHT_PRICES" in text and "prices.json" in text and "$" not in text
    assert found.total.prompt_tokens > 100


def test_the_users_prices_win(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = tmp_path / "own.json"
    own.write_text(
        json.dumps({"models": {GPT: {"prompt": 1, "completion": 2}, "mine": {"prompt": 0, "completion": 0}}})
    )
    monkeypatch.setenv("COGSIGHT_PRICES", str(own))
    known = prices()
    assert known[GPT] == Price(1, 2)
    assert "gpt-4o-mini" in known
    free = estimate([query("one")], judge(tmp_path, "mine", "http://127.0.0.1:1/v1"), known)
    assert free.dollars(free.total) == 0.0, "a price of nothing is one, where it is said"
    assert "$0.00" in shown(free)


@pytest.mark.parametrize(
    "content",
    [
        "{",
        "[]",
        "{}",
        '{"models": []}',
        '{"models": {"m": {"prompt": 1}}}',
        '{"models": {"m": {"prompt": "1", "completion": 2}}}',
        '{"models": {"m": {"prompt": -1, "completion": 2}}}',
        '{"models": {"m": {"prompt": NaN, "completion": 2}}}',
        '{"models": {"m": {"prompt": true, "completion": 2}}}',
        '{"models": {"m": {"prompt": 1, "completion": 2, "discount": 3}}}',
        '{"models": {"m": {"prompt": 1, "completion": 2, "picture": [1]}}}',
        '{"models": {"m": {"prompt": 1, "completion": 2, "picture": 85}}}',
        '{"models": {"m": 5}}',
        b"\xff\xfe",
    ],
)
def test_a_file_that_holds_no_prices_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str | bytes
) -> None:
    own = tmp_path / "own.json"
    own.write_bytes(content if isinstance(content, bytes) else content.encode())
    monkeypatch.setenv("COGSIGHT_PRICES", str(own))
    with pytest.raises(DataError, match=r"own\.json \(COGSIGHT_PRICES\).*expected"):
        prices()


def test_a_file_that_is_not_there_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COGSIGHT_PRICES", str(tmp_path / "none.json"))
    with pytest.raises(DataError, match=r"none\.json"):
        prices()


def test_every_price_of_ours_says_whence_when_and_where() -> None:
    for price in prices().values():
        assert price.source.startswith("https://") and price.date >= "2025" and price.host
        assert 0 < price.prompt < price.completion


@pytest.mark.parametrize(
    ("size", "tokens"),
    [
        ((512, 512), 255),
        ((768, 768), 765),
        ((1024, 1024), 765),
        ((2048, 4096), 1105),
        ((100, 100), 255),
        ((4096, 64), 765),
    ],
)
def test_tokens_of_a_picture(size: tuple[int, int], tokens: int) -> None:
    """1024 x 1024 and 2048 x 4096 are the examples that OpenAI works out."""
    assert picture_tokens(Picture.from_image(Image.new("RGB", size))) == tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        (
            "Report which one of the options the answer declares as its final answer. A later correction beats it all.",
            22,
        ),
        ("题目：下面哪块积木更大？请只回答选项的字母，不要解释。", 23),
        ('{"type": "object", "properties": {"answer": {"type": "string", "enum": ["A", "B", "none"]}}}', 32),
        ("Step 1: 3 cats are running. Step 2: 4 dogs are jumping. So the fourth image shows 5 cats that run.", 31),
    ],
)
def test_tokens_of_short_texts_are_in_the_range_of_a_tokenizer(text: str, tokens: int) -> None:
    """By o200k_base. Words alone have more characters to a token than the rule says, JSON and numbers fewer."""
    assert text_tokens(text) == pytest.approx(tokens, rel=0.36)


def test_tokens_of_a_request_are_near_those_of_a_tokenizer() -> None:
    """o200k_base has 493 tokens in this one's texts, and 55 in its schema."""
    reply = "I think the answer must be B, since the red one is smaller."
    found = prompt_tokens(Query("extract_option", reply, TEXTS, letters=("A", "B")))
    assert found == pytest.approx(493 + 55, rel=0.15)


def test_the_table_reads_well(tmp_path: Path) -> None:
    keep(tmp_path, [f"old {n}" for n in range(30)], (1000, 50))
    asked = [query(f"new {n}") for n in range(2000)] + [query("x", "extract_sequence")]
    text = shown(estimate([*asked, query("old 1")], judge(tmp_path), prices()))
    lines = text.splitlines()
    assert "an estimate" in lines[0]
    assert lines[3].split() == ["extract_option", "2,000", "1", "2,000,000", "100,000", "$6.00", "$3.00"]
    assert lines[5].split()[:3] == ["all", "2,001", "1"]
    assert len({len(line) for line in lines[2:6]}) == 1, "columns are aligned"
    assert "as 30 earlier verdicts took" in text and "3.8 characters" in text
    assert "as of 2025-08, and may have changed" in text
