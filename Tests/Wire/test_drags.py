"""Drags of items over the wire (§4): sessions, leases and previews; the rules are unit tested."""

import time

import pytest

from harness import Subscription, page_of

LIST = "list/todo"


@pytest.fixture
def items(client):
    """A client, and a list of four items."""
    client.create_list(items=["one", "two", "three", "four"])
    return client


def order(client, section=0):
    return [each["item"] for each in client.view(LIST)["sections"][section]["items"]]


def begin(client, item, session="d", **more):
    return client.done(LIST, "drag-begin", {"item": item, "session": session}, **more)


def over(client, session="d", **place):
    return client.done(LIST, "drag-over", {"session": session, **place})["outcome"]


def watch(service, **more):
    """A subscription with previews from now on."""
    subscription = Subscription(
        service.client(), **{"from": "end", "previews": True, "stream": "list/", **more})
    subscription.until_live()
    return subscription


def next_preview(subscription):
    """The next preview; what else comes meanwhile is passed over."""
    while "preview" not in (message := subscription.next()):
        assert "ended" not in message, message
    return message["preview"]


def test_hovering_writes_nothing_and_a_drop_one_event(items):
    head = items.head()
    outcome = begin(items, 4)["outcome"]
    assert outcome == {"session": "d", "item": 4, "section": 1, "after": 3, "lease": 10}
    for after in (1, 2, 1):
        assert over(items, section=1, after=after) == {
            "session": "d", "item": 4, "section": 1, "after": after, "allowed": True,
            "redirected": False}
    assert items.head() == head and order(items) == [1, 2, 3, 4]
    receipt = items.done(LIST, "drop", {"session": "d"}, id="the-drop")
    assert (receipt["events"], receipt["outcome"]) == (1, {
        "session": "d", "item": 4, "section": 1, "after": 1, "moved": True, "allowed": True,
        "redirected": False})
    event = items.events()[-1]
    assert (event["type"], event["data"], event["meta"]["via"]) == (
        "item.moved", {"item": 4, "section": 1, "after": 1}, "drag")
    assert order(items) == [1, 4, 2, 3]
    again = items.done(LIST, "drop", {"session": "d"}, id="the-drop")
    assert again["duplicate"] and items.head() == head + 1
    # What was dragged can be taken back as any command.
    items.done(LIST, "undo", {"command": "the-drop"})
    assert order(items) == [1, 2, 3, 4]


def test_a_drop_on_the_same_place_writes_nothing(items):
    head = items.head()
    begin(items, 2)
    over(items, last=True)
    over(items, after=1)
    receipt = items.done(LIST, "drop", {"session": "d"})
    assert (receipt["events"], receipt["outcome"]["moved"]) == (0, False)
    assert items.head() == head


def test_cancel_restores_the_order(items):
    head = items.head()
    begin(items, 1)
    over(items, last=True)
    items.done(LIST, "drag-cancel", {"session": "d"})
    assert items.head() == head and order(items) == [1, 2, 3, 4]
    error = items.rejected(LIST, "drop", {"session": "d"})
    assert (error["code"], error["message"]) == (
        "not-found", "the drag 'd' has ended: it was cancelled")


def test_a_target_that_takes_nothing_redirects(items):
    items.done(LIST, "complete", {"item": 4})
    begin(items, 1)
    assert over(items, section=2, first=True) == {
        "session": "d", "item": 1, "section": 1, "after": 3, "allowed": True, "redirected": True}
    items.done(LIST, "drop", {"session": "d"})
    assert (order(items), order(items, 1)) == ([2, 3, 1], [4])


def test_two_sessions(items, service):
    """Two dragging clients keep both their intents."""
    other = service.client()
    begin(items, 1, "one")
    begin(other, 4, "two")
    over(items, "one", after=3)
    over(other, "two", first=True)
    items.done(LIST, "drop", {"session": "one"})
    other.done(LIST, "drop", {"session": "two"})
    assert order(items) == [4, 2, 3, 1]


def test_a_row_that_vanishes_in_mid_drag(items, service):
    watcher = watch(service)
    begin(items, 2)
    over(items, last=True)
    service.client().done(LIST, "delete", {"item": 2})
    for _ in range(2):
        assert "ended" not in next_preview(watcher)
    assert next_preview(watcher) == {"stream": LIST, "session": "d", "item": 2, "ended": "gone"}
    error = items.rejected(LIST, "drop", {"session": "d"})
    assert (error["code"], error["message"]) == (
        "not-found", "the drag 'd' has ended: item 2 was deleted")
    assert order(items) == [1, 3, 4]


def test_previews_on_the_feed_and_on_subscriptions(items, service):
    """Topic `~drag <stream>`; a subscription gets those of its streams, without using credit."""
    listener = service.listener(b"~drag list/todo", b"~head")
    listener.wait_for_beat()
    watcher = watch(service, credit=1)
    silent = Subscription(service.client(), **{"from": "end"})
    elsewhere = watch(service, stream="list/other")
    silent.until_live()
    begin(items, 1, meta={"by": "ada"})
    over(items, after=3)
    items.done(LIST, "drop", {"session": "d"})
    held = {"stream": LIST, "session": "d", "item": 1, "section": 1, "by": "ada"}
    expected = [
        {**held, "after": None}, {**held, "after": 3},
        {**held, "after": 3, "ended": "dropped", "moved": True}]
    assert [next_preview(watcher) for _ in expected] == expected
    heard = [listener.receive_event() for _ in expected]
    assert heard == [("~drag list/todo", preview) for preview in expected]
    # The event comes as it does without previews; the one credit was still there for it.
    assert [event["type"] for event in silent.events_until(items.head())] == ["item.moved"]
    assert [event["type"] for event in watcher.events_until(items.head())] == ["item.moved"]
    items.create_list("list/other", "plain", items=["x"])
    items.done("list/other", "drag-begin", {"item": 1, "session": "there"})
    assert next_preview(elsewhere)["session"] == "there"


def test_a_lease_ends_by_itself_and_is_renewed_from_any_connection(items, service):
    """Nobody sends anything at the end: the service notices alone."""
    watcher = watch(service)
    head = items.head()
    begin(items, 1)
    other = service.client()
    started = time.monotonic()
    # Longer than the lease, in steps that are shorter.
    while time.monotonic() - started < 12:
        time.sleep(2)
        assert over(other, after=3)["after"] == 3
    while "ended" not in (preview := next_preview(watcher)):
        assert preview["item"] == 1
    assert preview == {"stream": LIST, "session": "d", "item": 1, "ended": "expired"}
    error = items.rejected(LIST, "drag-over", {"session": "d", "first": True})
    assert (error["code"], error["message"]) == (
        "not-found", "the drag 'd' has ended: there was no message of it for 10 seconds")
    assert items.head() == head and order(items) == [1, 2, 3, 4]


def test_a_restart_ends_drags_cleanly(items, service):
    begin(items, 1)
    over(items, last=True)
    before = page_of(items.view(LIST))
    service.restart()
    client = service.client()
    error = client.rejected(LIST, "drop", {"session": "d"})
    assert error["code"] == "not-found" and "restarted" in error["message"]
    assert page_of(client.view(LIST)) == before
    begin(client, 1)
    assert client.done(LIST, "drop", {"session": "d", "last": True})["events"] == 1


def test_refusals(items):
    for command, data, code in [
            ("drag-begin", {"item": 9}, "not-found"), ("drag-begin", {"item": 0}, "invalid"),
            ("drag-over", {"session": "none", "first": True}, "not-found"),
            ("drop", {"session": "none"}, "not-found"), ("drag-cancel", {}, "invalid")]:
        assert items.rejected(LIST, command, data)["code"] == code
    assert items.rejected("mailbox/inbox", "drag-begin", {"item": 1})["code"] == "unknown-command"
    begin(items, 1)
    assert items.rejected(
        LIST, "drag-over", {"session": "d", "after": 9})["code"] == "invalid"
    for number in range(63):
        begin(items, 2, f"d{number}")
    assert items.rejected(LIST, "drag-begin", {"item": 3})["code"] == "overloaded"


def test_tail_shows_previews(items, service):
    tail = service.cli_process("tail", "--previews", "--from", "start", "--stream", "list/")
    assert '"type":"item.added"' in tail.lines.take(items.head())[-1]
    begin(items, 1)
    assert tail.lines.next() == (
        '{"preview":{"stream":"list/todo","session":"d","item":1,"section":1,"after":null}}')
    items.done(LIST, "drop", {"session": "d", "last": True})
    lines = sorted(tail.lines.take(2))
    assert '"type":"item.moved"' in lines[0] and '"ended":"dropped"' in lines[1]
