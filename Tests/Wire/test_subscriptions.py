"""`subscribe` (§6): history, then live, without a seam; filters; the end of a subscription."""

import threading
import uuid

import pytest

from harness import (
    INBOX, Subscription, Toggler, assert_chained, positions, wait_until)


def test_the_reply(client):
    """`sub`, `head` and the log's id; then `live` once."""
    client.deliver(3)
    reply = client.request("subscribe", id="s", **{"from": "start"})
    assert set(reply) == {"id", "ok", "sub", "head", "log"}
    assert reply["head"] == 3
    assert str(uuid.UUID(reply["log"])).lower() == reply["log"].lower()
    events = client.message()
    assert set(events) == {"sub", "events"} and events["sub"] == reply["sub"]
    assert positions(events["events"]) == [1, 2, 3]
    assert client.message() == {"sub": reply["sub"], "live": True, "position": 3}


def test_subscribed_events_are_those_of_read(client):
    """A subscription's event is the event and `prev`."""
    client.deliver(2)
    client.done(INBOX, "flag", {"mail": 1}, meta={"by": "somebody"})
    subscription = Subscription(client, **{"from": 0})
    events = subscription.until_live()[0]["events"]
    previous = [event.pop("prev") for event in events]
    assert previous == [0, 1, 2]
    assert events == client.events()


@pytest.mark.parametrize("start, expected", [("start", [1, 2, 3, 4]), (0, [1, 2, 3, 4]),
                                             (2, [3, 4]), (3, [4]), ("end", [4])])
def test_where_it_begins(client, start, expected):
    """`from` is exclusive, and `prev` of the first event is where the subscription began."""
    client.deliver(3)
    subscription = Subscription(client, **{"from": start})
    client.deliver(first=4)
    events = subscription.events_until(4)
    assert positions(events) == expected
    assert_chained(events, {"start": 0, "end": 3}.get(start, start))


def test_an_empty_log(client):
    subscription = Subscription(client, **{"from": "start"})
    assert subscription.next() == {"sub": subscription.id, "live": True, "position": 0}
    client.deliver()
    assert positions(subscription.next()["events"]) == [1]


def test_beyond_the_head(client):
    """A position that the log has not come to belongs to another log."""
    client.deliver()
    assert client.refused("subscribe", **{"from": 2})["code"] == "conflict"


def test_another_log(client):
    """A client that names the log it knows is told when it is another one."""
    log = client.request("status")["log"]
    other = str(uuid.uuid4())
    assert client.refused("subscribe", log=other, **{"from": 0})["code"] == "conflict"
    assert client.request("subscribe", log=log, **{"from": 0})["log"] == log


def test_the_log_id_survives_a_restart(service):
    log = service.client().request("status")["log"]
    assert service.restart().client().request("status")["log"] == log


def test_no_seam_under_writers(service):
    """Subscriptions begun while four writers write: the log, contiguous, in order, each event
    once, and `live` announced once (promise 2)."""
    writers = [Toggler(service, f"mailbox/{name}") for name in "abcd"]
    for writer in writers:
        writer.start()
    subscriptions = []
    for _ in range(8):
        count = sum(len(writer.receipts) for writer in writers)
        wait_until(
            lambda: sum(len(writer.receipts) for writer in writers) > count + 200, "writes go on")
        subscriptions.append(Subscription(service.client(), credit=10_000, **{"from": "start"}))
    for writer in writers:
        writer.finish()
    head = service.client().head()
    for subscription in subscriptions:
        events, lives, seen = [], [], 0
        while seen < head or not lives:
            message = subscription.next()
            if "live" in message:
                lives.append(message["position"])
                assert message["position"] == seen
            for event in message.get("events", ()):
                events.append(event)
                seen = event["position"]
            if "events" in message:
                subscription.grant(len(message["events"]))
        assert positions(events) == list(range(1, head + 1))
        assert_chained(events, 0)
        assert len(lives) == 1
    assert subscriptions[-1].client.is_silent(300)


def test_events_of_one_stream_have_contiguous_revisions(service):
    writers = [Toggler(service, f"mailbox/{name}", count=300) for name in "ab"]
    for writer in writers:
        writer.start()
        writer.join()
    subscription = Subscription(service.client(), **{"from": 0, "stream": "mailbox/b"})
    events = subscription.until_live()
    revisions = [event["revision"] for message in events for event in message.get("events", ())]
    assert revisions == list(range(1, 302))


@pytest.mark.parametrize("members, expected", [
    ({"stream": "list/"}, [4, 5, 6, 7, 9, 10, 11]),
    ({"stream": "list/todo"}, [4, 5, 6, 7, 9, 10, 11]),
    ({"types": ["mail.flagged", "item.added"]}, [7, 8, 9]),
    ({"stream": "mailbox/", "types": ["mail.flagged"]}, [8]),
    ({"stream": "mailbox/inbox"}, [3, 8]),
    ({"stream": "mailbox/none"}, []),
], ids=str)
def test_filters(client, members, expected):
    """What is left out shows in no `prev`: the chain is that of the events sent."""
    client.deliver(3)
    client.create_list(items=["one"])
    events = []

    def take(message):
        events.extend(message.get("events", ()))
        return "live" in message

    subscription = Subscription(client, **{"from": 2}, **members)
    while not take(subscription.next()):
        pass
    client.done(INBOX, "flag", {"mail": 1})
    client.done("list/todo", "add", {"text": "two"})
    client.done("list/todo", "delete", {"item": 1})
    client.done("list/todo", "restore", {"item": 1})
    while len(events) < len(expected):
        take(subscription.next())
    assert client.is_silent(200)
    assert positions(events) == expected
    assert_chained(events, 2)


def test_several_subscriptions_of_one_client(client):
    """Each has its own id, filter, credit and chain."""
    client.deliver(3)
    subscriptions = {
        client.request("subscribe", **{"from": start})["sub"]: start for start in (0, 1, 2)}
    assert len(subscriptions) == 3
    client.deliver(3, first=4)
    events = {name: [] for name in subscriptions}
    while sum(map(len, events.values())) < 6 + 5 + 4:
        message = client.message()
        events[message["sub"]] += message.get("events", [])
    for name, start in subscriptions.items():
        assert positions(events[name]) == list(range(start + 1, 7))
        assert_chained(events[name], start)


def test_heartbeat(client):
    """An idle subscription is told the head every five seconds; a filtered one the log's head."""
    client.deliver(2)
    subscription = Subscription(client, **{"from": "end", "stream": "list/"})
    assert "live" in subscription.next()
    client.deliver(first=3)
    assert subscription.next() == {"sub": subscription.id, "heartbeat": True, "head": 3}


def test_unsubscribe(client):
    """Nothing comes after the answer to `unsubscribe`."""
    subscription = Subscription(client, **{"from": "start"})
    client.deliver()
    subscription.events_until(1)
    client.request("unsubscribe", sub=subscription.id)
    client.deliver(100, first=2)
    client.request("ping")
    assert client.is_silent(300)
    assert client.request("status")["subscriptions"] == 0
    assert client.refused("credit", sub=subscription.id, add=1)["code"] == "not-found"


def test_unsubscribe_in_the_middle_of_history(service):
    writer = service.client()
    writer.fill(20_000)
    client = service.client()
    for _ in range(20):
        reply = client.request("subscribe", **{"from": 0, "credit": 10_000})
        done = client.send({"op": "unsubscribe", "sub": reply["sub"]})
        client.reply(done)
    client.request("ping")
    client.forget_messages()
    assert client.is_silent(300)


def test_a_subscriber_that_vanishes_is_dropped(service):
    """Its subscription ends, and costs nobody anything."""
    client = service.client()
    vanishing = service.client()
    Subscription(vanishing, **{"from": "start"})
    Subscription(vanishing, **{"from": "start"})
    assert client.request("status")["subscriptions"] == 2
    vanishing.close()

    def is_dropped():
        client.done(INBOX, "deliver", {"from": "a", "subject": "b", "message": "c"})
        return client.request("status")["subscriptions"] == 0

    wait_until(is_dropped, "the subscriptions end")


def test_a_hundred_reconnections(service):
    """Resuming behind its last event each time, a client has every event once and in order
    (promise 3)."""
    writer = Toggler(service, INBOX, window=20)
    writer.start()
    seen, log = [0], None
    for number in range(100):
        client = service.client()
        members = {"from": seen[-1], "credit": 50, **({"log": log} if log else {})}
        subscription = Subscription(client, **members)
        log = subscription.reply["log"]
        target = seen[-1] + 1 + number % 40
        events = subscription.events_until(target, grants=False)
        assert_chained(events, seen[-1])
        seen += positions(events)
        client.close()
    writer.finish()
    head = service.client().head()
    if seen[-1] < head:
        seen += positions(Subscription(service.client(), **{"from": seen[-1]}).events_until(head))
    assert seen == list(range(head + 1))


def test_resuming_after_a_restart(service):
    """The service goes down and comes back; a subscriber goes on where it was."""
    client = service.client()
    client.deliver(5)
    events = Subscription(client, **{"from": 0}).until_live()[0]["events"]
    service.restart()
    client = service.client()
    client.deliver(5, first=6)
    subscription = Subscription(client, **{"from": 5})
    events += subscription.events_until(10)
    assert positions(events) == list(range(1, 11))
    assert_chained(events, 0)


def test_many_subscribers(service):
    """Fifty subscribers see one writer's events, all of them, in order."""
    subscriptions = [Subscription(service.client(), **{"from": "end"}) for _ in range(50)]
    service.client().deliver(200)
    failures = []

    def follow(subscription):
        try:
            events = subscription.events_until(200)
            assert positions(events) == list(range(1, 201))
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=follow, args=(one,)) for one in subscriptions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
