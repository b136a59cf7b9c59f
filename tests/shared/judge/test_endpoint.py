"""Which judge is asked, where, and with whose key. No key goes where it does not belong, none is shown."""

from __future__ import annotations

import base64
from collections.abc import Iterator

import pytest

from cogsight.shared.errors import CogsightError
from cogsight.shared.judge.endpoint import NO_KEY, OPENAI, Endpoint, endpoint
from cogsight.shared.settings import JudgeSettings

LOCAL = "http://127.0.0.1:8000/v1"
SECRET = "sk-judge-4f9a8c7e"
VARIABLES = (
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
    *(f"COGSIGHT_JUDGE_{name}" for name in ("MODEL", "BASE_URL", "API_KEY")),
)


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    yield


def set_(monkeypatch: pytest.MonkeyPatch, **values: str) -> None:
    """`model="m"` sets COGSIGHT_JUDGE_MODEL, `openai_api_key="k"` sets OPENAI_API_KEY."""
    for name, value in values.items():
        monkeypatch.setenv(name.upper() if name.startswith("openai") else f"COGSIGHT_JUDGE_{name.upper()}", value)


def there(found: Endpoint | None) -> tuple[str, str, str]:
    assert found is not None
    return found.model, found.base_url, found.api_key


def test_nothing_named_is_no_judge() -> None:
    assert endpoint() is None


@pytest.mark.parametrize(
    "values", [{"openai_api_key": "k"}, {"openai_base_url": LOCAL}, {"model": ""}, {"base_url": ""}]
)
def test_what_is_there_for_the_measured_model_asks_no_judge(
    monkeypatch: pytest.MonkeyPatch, values: dict[str, str]
) -> None:
    """A judge costs money and reads the replies: somebody must want it."""
    set_(monkeypatch, **values)
    assert endpoint(default_model="gpt-4o") is None


@pytest.mark.parametrize("off", ["none", "None", " NONE ", "exact_matching", ""])
def test_a_name_that_means_none_beats_all_else(monkeypatch: pytest.MonkeyPatch, off: str) -> None:
    set_(monkeypatch, model="m", base_url=LOCAL, api_key="k")
    assert endpoint(off) is None


def test_none_in_the_environment_is_overruled_by_an_option(monkeypatch: pytest.MonkeyPatch) -> None:
    set_(monkeypatch, model="none", base_url=LOCAL)
    assert endpoint() is None
    assert there(endpoint("m")) == ("m", LOCAL, NO_KEY)


@pytest.mark.parametrize("given", range(8))
def test_options_win_over_our_variables_and_they_over_openais(monkeypatch: pytest.MonkeyPatch, given: int) -> None:
    """Each of the three by itself."""
    set_(monkeypatch, openai_base_url="https://theirs/v1", openai_api_key="their key")
    set_(monkeypatch, model="our model", base_url="https://ours/v1", api_key="our key")
    options = [
        value if given >> bit & 1 else None for bit, value in enumerate(("a model", "https://option/v1", "a key"))
    ]
    expected = [
        option or ours for option, ours in zip(options, ("our model", "https://ours/v1", "our key"), strict=True)
    ]
    assert there(endpoint(*options)) == tuple(expected)


def test_openais_variables_serve_where_nothing_else_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    set_(monkeypatch, openai_base_url="https://theirs/v1", openai_api_key="their key", model="m")
    assert there(endpoint()) == ("m", "https://theirs/v1", "their key")
    monkeypatch.delenv("OPENAI_BASE_URL")
    assert there(endpoint()) == ("m", OPENAI, "their key")


@pytest.mark.parametrize(
    ("home", "address", "sent"),
    [
        ("", "http://127.0.0.1:8000/v1", False),
        ("", "https://judge.example/v1", False),
        ("", "http://api.openai.com/v1", False),
        ("", "https://api.openai.com.evil.example/v1", False),
        ("", "https://api.openai.com@evil.example/v1", False),
        ("", "https://api.openai.com:8443/v1", False),
        ("", "https://api.openai.com/v1/chat/completions", True),
        ("", "https://API.openai.com:443/v1/", True),
        ("https://theirs/v1", "https://api.openai.com/v1", False),
        ("https://theirs/v1", "https://theirs/other/v1", True),
        ("http://127.0.0.1:8000/v1", "http://127.0.0.1:8001/v1", False),
    ],
)
def test_openais_key_goes_to_its_own_server_only(
    monkeypatch: pytest.MonkeyPatch, home: str, address: str, sent: bool
) -> None:
    set_(monkeypatch, openai_api_key=SECRET, openai_base_url=home, model="m", base_url=address)
    try:
        found = endpoint()
    except CogsightError as error:
        assert not sent and "no key" in str(error) and "api.openai.com/v1" in address
        return
    assert found is not None and (SECRET in str(found.connection)) == sent


def test_a_local_server_needs_no_key() -> None:
    assert there(endpoint("m", LOCAL)) == ("m", LOCAL, NO_KEY)


def test_openai_needs_one() -> None:
    with pytest.raises(CogsightError, match="no key; set COGSIGHT_JUDGE_API_KEY or OPENAI_API_KEY"):
        endpoint("gpt-4o")


@pytest.mark.parametrize("values", [{"base_url": LOCAL}, {"api_key": "k"}])
def test_an_address_or_a_key_of_its_own_asks_the_benchmarks_judge(
    monkeypatch: pytest.MonkeyPatch, values: dict[str, str]
) -> None:
    set_(monkeypatch, **values)
    found = endpoint(default_model="gpt-4o")
    assert found is not None and found.model == "gpt-4o"
    with pytest.raises(CogsightError, match="no model; name it with --judge MODEL or COGSIGHT_JUDGE_MODEL"):
        endpoint()


@pytest.mark.parametrize(
    ("given", "base_url", "host"),
    [
        (LOCAL, LOCAL, "127.0.0.1:8000"),
        ("http://127.0.0.1:8000", LOCAL, "127.0.0.1:8000"),
        (" http://127.0.0.1:8000/ \n", LOCAL, "127.0.0.1:8000"),
        ("http://127.0.0.1:8000/v1/", LOCAL, "127.0.0.1:8000"),
        ("http://127.0.0.1:8000/v1/chat/completions", LOCAL, "127.0.0.1:8000"),
        ("http://127.0.0.1:8000/v1/chat/completions/", LOCAL, "127.0.0.1:8000"),
        ("HTTPS://Api.DeepSeek.com", "https://api.deepseek.com/v1", "api.deepseek.com"),
        ("https://host/v1beta/openai", "https://host/v1beta/openai", "host"),
        ("http://[::1]:8080/v1", "http://[::1]:8080/v1", "[::1]:8080"),
    ],
)
def test_addresses_come_in_many_forms(given: str, base_url: str, host: str) -> None:
    found = endpoint("m", given)
    assert found is not None and (found.base_url, found.host) == (base_url, host)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1:8000",
        "localhost",
        "ftp://host/v1",
        "http://",
        "http://host:port/v1",
        "http://host:99999/v1",
        "http://[::1/v1",
        "file:///v1",
    ],
)
def test_what_is_no_address_is_said_so(address: str) -> None:
    with pytest.raises(CogsightError, match=r"the judge's address '.*' is none; expected http://… or https://…"):
        endpoint("m", address)


@pytest.mark.parametrize("address", ["https://host/v1?api-version=1", "https://host/v1#x"])
def test_an_address_with_a_query_is_refused(address: str) -> None:
    with pytest.raises(CogsightError, match="has a query or a fragment"):
        endpoint("m", address)


@pytest.mark.parametrize("password", ["p@ssword", "pass/word"])
def test_an_address_that_is_none_shows_no_password(password: str) -> None:
    with pytest.raises(CogsightError, match="is none") as caught:
        endpoint("m", f"http://ann:{password}@host:port/v1")
    assert "'host:port/v1'" in str(caught.value)


@pytest.mark.parametrize("model", ["m\x1b[31m", "m\udcff", "m\nn"])
def test_a_model_that_no_file_can_name_is_refused(model: str) -> None:
    with pytest.raises(CogsightError, match="holds a character that no name has"):
        endpoint(model, LOCAL)


def test_a_key_that_was_taken_for_the_address_is_not_shown() -> None:
    with pytest.raises(CogsightError) as caught:
        endpoint("m", SECRET)
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    ("key", "sent"),
    [
        ("sk-x", "sk-x"),
        ("x", "x"),
        ("no sk at all", "no sk at all"),
        ("'\"{}%/=:", "'\"{}%/=:"),
        (" k\r\n", "k"),
        ("\tk", "k"),
    ],
)
def test_a_key_may_have_any_shape(monkeypatch: pytest.MonkeyPatch, key: str, sent: str) -> None:
    assert there(endpoint("m", LOCAL, key))[2] == sent
    set_(monkeypatch, model="m", base_url=LOCAL, api_key=key)
    assert there(endpoint())[2] == sent


@pytest.mark.parametrize("key", ["sk-ключ-4f9a8c7e", "sk-a\nb", "sk-a\x00b", "“sk-4f9a8c7e”"])
def test_a_key_that_no_request_can_carry_is_refused_unseen(key: str) -> None:
    with pytest.raises(CogsightError, match="holds a character that no request can carry") as caught:
        endpoint("m", LOCAL, key)
    assert key not in str(caught.value)


@pytest.mark.parametrize("blank", ["", "  ", "\n"])
def test_a_blank_key_is_none(blank: str) -> None:
    assert there(endpoint("m", LOCAL, blank))[2] == NO_KEY


def test_user_and_password_are_sent_and_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    set_(monkeypatch, model="m", base_url="http://ann:pass%40word@127.0.0.1:8000", openai_api_key=SECRET)
    found = endpoint()
    assert there(found) == ("m", LOCAL, NO_KEY)
    assert found is not None
    scheme, _, encoded = found.connection["default_headers"]["Authorization"].partition(" ")
    assert (scheme, base64.b64decode(encoded)) == ("Basic", b"ann:pass@word")
    for shown in (repr(found), str(found), found.host, found.says("got ann:pass@word, pass@word")):
        assert "pass" not in shown and encoded not in shown


def test_a_login_and_a_key_are_one_too_many() -> None:
    with pytest.raises(CogsightError, match="only one can be sent") as caught:
        endpoint("m", "http://ann:password@host/v1", SECRET)
    assert SECRET not in str(caught.value) and "password@" not in str(caught.value)


def test_the_key_is_nowhere_to_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    set_(monkeypatch, model="m", base_url=LOCAL, api_key=SECRET)
    found = endpoint()
    assert found is not None and found.connection["api_key"] == SECRET
    for shown in (repr(found), str(found), repr(found.options), found.says(f"does not like {SECRET}")):
        assert SECRET not in shown
    assert "m at 127.0.0.1:8000" in found.says("x")


def test_the_client_library_takes_it() -> None:
    openai = pytest.importorskip("openai")
    found = endpoint("m", "http://ann:password@127.0.0.1:8000")
    assert found is not None
    client = openai.OpenAI(**found.connection)
    assert str(client.base_url) == f"{LOCAL}/"
    assert client.default_headers["Authorization"].startswith("Basic ")


OPTIONS = ("CONCURRENCY", "VOTES", "TIMEOUT", "MAX_TOKENS")


def test_how_it_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in OPTIONS:
        monkeypatch.delenv(f"COGSIGHT_JUDGE_{name}", raising=False)
    found = endpoint("m", LOCAL)
    assert found is not None
    assert found.options == JudgeSettings(concurrency=16, votes=1, timeout=120.0, max_tokens=4096)
    set_(monkeypatch, concurrency="2", votes="3", timeout="5", max_tokens="100")
    found = endpoint("m", LOCAL)
    assert found is not None
    assert found.options == JudgeSettings(concurrency=2, votes=3, timeout=5.0, max_tokens=100)


@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize("value", ["0", "-1", "1.5", "many", "1e3", "٣", "9" * 400])
def test_a_setting_that_cannot_be_names_its_variable(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(f"COGSIGHT_JUDGE_{name}", value)
    with pytest.raises(CogsightError, match=f"COGSIGHT_JUDGE_{name}={value}: expected a whole number, 1 or greater"):
        endpoint("m", LOCAL)


def test_an_even_number_of_votes_has_no_majority(monkeypatch: pytest.MonkeyPatch) -> None:
    set_(monkeypatch, votes="2")
    with pytest.raises(CogsightError, match="COGSIGHT_JUDGE_VOTES=2: expected an odd number"):
        endpoint("m", LOCAL)
