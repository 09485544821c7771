"""`read` (§6): a page of the log from a position on, forward or backward, filtered or not."""

import json

import pytest

from harness import INBOX, MEBIBYTE, mail, new_id, positions


@pytest.fixture
def client(service):
    """A log of twelve events: 1–5 mails, 6–8 a list, 9–10 items, 11 flagged, 12 another mailbox."""
    client = service.client()
    client.deliver(5)
    client.create_list(items=["one", "two"])
    client.done(INBOX, "flag", {"mail": 1})
    client.deliver(stream="mailbox/other")
    return client


def read(client, **members):
    """Positions of the events, `next` and `head`."""
    page = client.request("read", **members)
    assert set(page) == {"id", "ok", "events", "next", "head"}
    return positions(page["events"]), page["next"], page["head"]


def test_from_the_start(client):
    everything = (list(range(1, 13)), 12, 12)
    assert read(client) == everything
    assert read(client, **{"from": 0}) == everything
    assert read(client, **{"from": "start"}) == everything


def test_from_is_exclusive(client):
    assert read(client, **{"from": 10}) == ([11, 12], 12, 12)
    assert read(client, **{"from": 12}) == ([], 12, 12)


def test_limit_and_next(client):
    """`next` is where the following page begins."""
    pages, position = [], 0
    while not pages or pages[-1]:
        events, position, _ = read(client, **{"from": position, "limit": 5})
        pages.append(events)
    assert pages == [[1, 2, 3, 4, 5], [6, 7, 8, 9, 10], [11, 12], []]


def test_default_and_largest_limit(client):
    client.deliver(1100, first=10)
    assert len(read(client)[0]) == 100
    assert len(read(client, limit=1000)[0]) == 1000


@pytest.mark.parametrize("members, expected", [
    ({"stream": "list/"}, [6, 7, 8, 9, 10]),
    ({"stream": INBOX}, [1, 2, 3, 4, 5, 11]),
    ({"stream": "mailbox/"}, [1, 2, 3, 4, 5, 11, 12]),
    ({"stream": "mailbox/o"}, [12]),
    ({"stream": "nothing"}, []),
    ({"stream": ""}, list(range(1, 13))),
    ({"types": ["mail.flagged"]}, [11]),
    ({"types": ["item.added", "list.created"]}, [6, 9, 10]),
    ({"types": ["no.such"]}, []),
    ({"types": ["mail.delivered"], "stream": "mailbox/other"}, [12]),
    ({"types": ["item.added"], "stream": "mailbox/"}, []),
])
def test_filters(client, members, expected):
    """Whatever a filter leaves out, `next` comes as far as was looked."""
    assert read(client, **members) == (expected, 12, 12)
    assert read(client, direction="backward", **members)[0] == expected[::-1]


def test_filtered_page_by_page(client):
    found, position = [], 0
    for _ in range(10):
        events, position, head = read(
            client, **{"from": position, "limit": 2, "stream": "mailbox/"})
        assert len(events) <= 2
        found += events
        if position == head:
            break
    assert found == [1, 2, 3, 4, 5, 11, 12]


def test_backward(client):
    backward = {"direction": "backward"}
    everything = list(range(12, 0, -1))
    assert read(client, **backward)[0] == everything
    assert read(client, **backward, **{"from": "end"})[0] == everything
    assert read(client, **backward, **{"from": "end", "limit": 3}) == ([12, 11, 10], 10, 12)
    assert read(client, **backward, **{"from": 10, "limit": 3}) == ([9, 8, 7], 7, 12)
    assert read(client, **backward, **{"from": 3}) == ([2, 1], 1, 12)
    assert read(client, **backward, **{"from": 1})[0] == []


def test_an_empty_log(service):
    client = service.client()
    assert read(client) == ([], 0, 0)
    assert read(client, direction="backward")[0] == []


def test_events_are_the_same_whichever_way_they_are_read(client):
    forward = client.request("read")["events"]
    backward = client.request("read", direction="backward")["events"]
    assert forward == backward[::-1]
    assert "prev" not in forward[0]


def test_replies_stay_within_a_frame(client):
    """At most 1 MiB goes either way, however large the events are."""
    sizes = [100, 200_000, 200_000, 100_000, 900_000, 10, 900_000, 900_000, 500_000, 500_000, 50]
    for number, size in enumerate(sizes):
        addresses = ["x" * 900] * (size // 903)
        client.done("mailbox/big", "deliver", mail(number, to=addresses), id=new_id())
    for direction in ("forward", "backward"):
        position, found = ("start", []) if direction == "forward" else ("end", [])
        while len(found) < 12 + len(sizes):
            client.send({"op": "read", "from": position, "direction": direction, "limit": 1000,
                         "id": "r"})
            frame = client.receive_frames()[-1]
            assert len(frame) <= MEBIBYTE
            page = json.loads(frame)
            found += positions(page["events"])
            position = page["next"]
        assert sorted(found) == list(range(1, 13 + len(sizes)))
