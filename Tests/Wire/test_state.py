"""`state` (§6): a stream's view as it was at a position or a time."""

import pytest

from harness import INBOX, page_of, without


@pytest.fixture
def client(service):
    """A mailbox and a list with some history; positions 1–16."""
    client = service.client()
    client.deliver(5)
    client.done(INBOX, "flag", {"mail": 2})
    client.create_list(items=["one", "two"])
    client.done(INBOX, "trash", {"mails": [1, 3]})
    client.done("list/todo", "complete", {"item": 1})
    client.done(INBOX, "reorder", {"mail": 2, "first": True})
    client.done("list/todo", "reorder", {"item": 2, "first": True})
    client.done(INBOX, "configure-swipe", {"left-to-right": {"buttons": []}})
    return client


def state(client, stream=INBOX, **members):
    return page_of(client.request("state", stream=stream, **members))


@pytest.mark.parametrize("stream", [INBOX, "list/todo"])
def test_at_the_head_it_is_the_view(client, stream):
    """`state` equals `query` at the head, with and without `at`; the trash too."""
    head = client.head()
    view = page_of(client.view(stream))
    assert state(client, stream) == state(client, stream, at=head) == view
    if stream == INBOX:
        assert state(client, **{"in": "trash"}) == page_of(client.view(**{"in": "trash"}))


def test_every_position_equals_the_view_then(service):
    """Each state that a view showed can be asked for later."""
    client = service.client()
    seen = {}
    steps = [
        ("deliver", {"from": "a", "subject": "b", "message": "c"}),
        ("deliver", {"from": "d", "subject": "e", "message": "f"}),
        ("flag", {"mail": 1}), ("mark-read", {"mails": [1, 2]}),
        ("reorder", {"mail": 1, "first": True}), ("trash", {"mail": 1}), ("purge", {"mail": 1})]
    for command, data in steps:
        position = client.done(INBOX, command, data)["position"]
        seen[position] = page_of(client.view())
    for position, view in seen.items():
        assert without(state(client, at=position), "cursor") == without(view, "cursor")


def test_between_a_streams_events(client):
    """A position counts all streams' events, and is given back."""
    then = state(client, at=8)
    assert (then["revision"], then["position"]) == (6, 8)
    assert [row["mail"] for row in then["rows"]] == [5, 4, 3, 2, 1]


def test_at_a_time(client):
    """A time is inclusive: it covers every event up to and including it."""
    events = client.events()
    for event in events:
        if event["stream"] != INBOX:
            continue
        covered = max(each["position"] for each in events if each["time"] <= event["time"])
        assert state(client, at=event["time"]) == state(client, at=covered)


def test_at_a_time_in_another_form(client):
    """An offset from UTC, or coarser digits, name the same instant."""
    last = client.events()[-1]["time"]
    year = int(last[:4])
    assert state(client, at=f"{year + 1}-01-01T00:00:00+01:00") == state(client)
    assert state(client, at=last) == state(client, at=last.replace("Z", "+00:00"))


def test_before_the_stream_was_there(client):
    for at in (0, "2000-01-01T00:00:00Z"):
        assert client.refused("state", stream=INBOX, at=at)["code"] == "not-found"
    assert client.refused("state", stream="list/todo", at=5)["code"] == "not-found"
    assert client.refused("state", stream="mailbox/none")["code"] == "not-found"


def test_beyond_the_head(client):
    """What is still to come cannot be known."""
    assert client.refused("state", stream=INBOX, at=client.head() + 1)["code"] == "invalid"


def test_pages(client):
    client.deliver(20, first=6)
    whole = state(client)["rows"]
    rows, cursor = [], None
    while not rows or cursor:
        page = state(client, limit=7, **({"cursor": cursor} if cursor else {}))
        rows += page["rows"]
        cursor = page["cursor"]
    assert rows == whole and len(rows) == 23
