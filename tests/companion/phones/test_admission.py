"""Who is let in: only the whole token, only our own page, only so much."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import MalformedError
from companion.phones.admission import (
    BURST,
    MOST_BYTES,
    Allowance,
    Answered,
    Done,
    Named,
    Role,
    is_own_host,
    is_own_origin,
    parse_hello,
    parse_wish,
    role_of,
    roles_of,
)

TOKENS = tuple((f"token-{number}", role) for number, role in enumerate(roles_of(("red", "blue"))))


def test_each_token_opens_its_role() -> None:
    """Everybody, two seats, the overlay."""
    assert [role for _, role in TOKENS] == [role_of(token, TOKENS) for token, _ in TOKENS]
    assert 4 == len({role for _, role in TOKENS})


@given(st.text())
def test_nothing_else_opens_anything(token: str) -> None:
    """Parts of a token, other cases, other texts."""
    expected = dict(TOKENS).get(token)

    assert expected == role_of(token, TOKENS)
    assert role_of("token-", TOKENS) is None
    assert role_of("TOKEN-0", TOKENS) is None


@pytest.mark.parametrize(
    "host", [None, "", "localhost:80", "10.0.0.1", "10.0.0.1:81", "evil.example:80", "10.0.0.1:80:80"]
)
def test_other_hosts_are_refused(host: str | None) -> None:
    """Only the address and port that we listen on."""
    assert not is_own_host(host, "10.0.0.1", 80)
    assert is_own_host("10.0.0.1:80", "10.0.0.1", 80)


@pytest.mark.parametrize(
    "origin", [None, "null", "http://evil.example", "https://10.0.0.1:80", "http://10.0.0.1"]
)
def test_other_origins_are_refused(origin: str | None) -> None:
    """Only our own page, over the scheme that it came by."""
    assert not is_own_origin(origin, "10.0.0.1", 80)
    assert is_own_origin("http://10.0.0.1:80", "10.0.0.1", 80)


@given(st.text() | st.binary())
def test_messages_are_read_strictly(message: str | bytes) -> None:
    """Whatever comes is read or refused, never anything else."""
    for parse in (parse_hello, parse_wish):
        try:
            parse(message)
        except MalformedError:
            continue
        assert isinstance(message, str)


def test_a_greeting_is_whole() -> None:
    """A token and a device, nothing less or more, and not too long."""
    good = {"token": "x", "device": "0" * 32}

    assert "x" == parse_hello(json.dumps(good)).token
    bad = (
        {"token": "x"},
        {**good, "more": 1},
        {**good, "device": "z" * 32},
        {**good, "token": "x" * MOST_BYTES},
    )
    for each in bad:
        with pytest.raises(MalformedError):
            parse_hello(json.dumps(each))


def test_a_wish_is_one_of_three() -> None:
    """A prompt that is done, an action with its cards, or an answer; nothing of two, nothing beside them."""
    assert Done(prompt="a/1/1") == parse_wish('{"done": "a/1/1"}')
    assert Named(action=3, cards=("flit-2",)) == parse_wish('{"action": 3, "cards": ["flit-2"]}')
    assert Answered(question=2, choice=0) == parse_wish('{"question": 2, "choice": 0}')
    for bad in (
        "{}",
        '{"question": 2}',
        '{"question": 2, "choice": -1}',
        '{"question": 0, "choice": 0}',
        '{"question": 2, "choice": "0"}',
        '{"question": 2, "choice": 0, "done": "a"}',
        '{"action": 3}',
        '{"done": "a", "cards": []}',
        '{"action": 0, "cards": []}',
        '{"action": 3, "cards": [1]}',
        json.dumps({"action": 3, "cards": ["flit-2"] * 13}),
    ):
        with pytest.raises(MalformedError):
            parse_wish(bad)


def test_a_flood_is_stopped_and_patience_pays() -> None:
    """So many at once; more after a while."""
    allowance = Allowance(0.0)

    assert [True] * BURST + [False] == [allowance.spend(0.0) for _ in range(BURST + 1)]
    assert allowance.spend(1.0)
    assert Role(kind="seat", player="red") != Role(kind="seat", player="blue")
