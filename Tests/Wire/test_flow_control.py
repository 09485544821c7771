"""Credit, and subscribers that do not read (§6): memory is bounded, and nothing is lost."""

import pytest

from harness import MEBIBYTE, Subscription, assert_chained, positions, wait_until

# Far above what the service needs, far below what keeping everything for the slow would take.
GROWTH_LIMIT = 160 * MEBIBYTE


@pytest.fixture
def filled(service):
    """A service with 5,000 events."""
    service.client().fill(5000)
    return service


def events_so_far(subscription, milliseconds=300):
    """All events that come until it is silent."""
    events = []
    while not subscription.client.is_silent(milliseconds):
        events += subscription.next().get("events", [])
    return events


@pytest.mark.parametrize("credit", [1, 7, 1000])
def test_credit_is_never_exceeded(filled, credit):
    """No more events than granted; then what is granted on top, exactly."""
    subscription = Subscription(filled.client(), **{"from": 0, "credit": credit})
    events = events_so_far(subscription)
    assert len(events) == credit
    for grant in (1, 5, 300):
        subscription.grant(grant)
        events += events_so_far(subscription)
        assert len(events) == subscription.granted
    assert positions(events) == list(range(1, subscription.granted + 1))
    assert_chained(events, 0)


def test_credit_counts_events_that_pass_the_filter(filled):
    client = filled.client()
    client.deliver(50, stream="mailbox/other")
    subscription = Subscription(client, **{"from": 0, "credit": 20, "stream": "mailbox/other"})
    assert positions(events_so_far(subscription)) == list(range(5001, 5021))


def test_live_events_need_credit_too(service):
    client = service.client()
    subscription = Subscription(client, **{"from": "end", "credit": 2})
    assert "live" in subscription.next()
    client.deliver(5)
    assert positions(events_so_far(subscription)) == [1, 2]
    subscription.grant(10)
    assert positions(events_so_far(subscription)) == [3, 4, 5]


def test_a_subscription_without_credit_still_beats(filled):
    """So that its client can tell silence from the service's end."""
    subscription = Subscription(filled.client(), **{"from": 0, "credit": 1})
    messages = [subscription.next(), subscription.next()]
    assert [event["position"] for event in messages[0]["events"]] == [1]
    assert messages[1] == {"sub": subscription.id, "heartbeat": True, "head": 5000}


def test_a_subscriber_that_does_not_read(service):
    """While 50,000 events are written it reads nothing; then it gets all of them once and in
    order, and the service has not grown for it (promise 3)."""
    writer = service.client()
    writer.deliver()
    # A short queue on its own side, so that what it does not read stays with the service.
    slow = Subscription(service.client(receive_queue=10), **{"from": 1, "credit": 10_000})
    before = service.resident_bytes()
    head = writer.fill(50_000, stream="mailbox/other")
    assert head >= 50_000
    assert service.resident_bytes() - before < GROWTH_LIMIT
    events = slow.events_until(head)
    assert positions(events) == list(range(2, head + 1))
    assert_chained(events, 1)
    assert service.resident_bytes() - before < GROWTH_LIMIT


def test_many_subscriptions_that_are_not_read(service):
    """One client with two hundred subscriptions to a long history, none of which it reads: what
    waits for it is bounded, and others are served."""
    writer = service.client()
    head = writer.fill(20_000)
    before = service.resident_bytes()
    slow = service.client(receive_queue=10)
    subscriptions = [
        slow.send({"op": "subscribe", "from": 0, "credit": 10_000}) for _ in range(200)]
    wait_until(
        lambda: writer.request("status")["subscriptions"] == len(subscriptions), "subscriptions")
    quick = Subscription(service.client(), **{"from": 0})
    assert positions(quick.events_until(head)) == list(range(1, head + 1))
    peak = before
    for _ in range(100):
        writer.request("ping")
        writer.view(limit=1)
        peak = max(peak, service.resident_bytes())
    assert peak - before < 2 * GROWTH_LIMIT


def test_a_listener_that_does_not_read(service):
    """A SUB that never reads loses messages (the feed is best effort), and bounds memory."""
    writer = service.client()
    writer.deliver()
    listener = service.listener(b"")
    listener.wait_for_beat()
    before = service.resident_bytes()
    writer.fill(60_000, stream="mailbox/other")
    assert service.resident_bytes() - before < GROWTH_LIMIT


def test_replies_that_are_not_read(service):
    """One client asks for page after page and reads none: what waits for it is bounded, what goes
    beyond is refused and counted, and others are served (promise 9)."""
    writer = service.client()
    writer.fill(5000)
    before = service.resident_bytes()
    slow = service.client(receive_queue=10)
    for _ in range(200):
        for _ in range(20):
            slow.send({"op": "read", "from": 2, "limit": 1000})
        writer.request("ping")
    assert service.resident_bytes() - before < GROWTH_LIMIT
    assert len(writer.view(limit=1)["rows"]) == 1


def test_a_peer_has_so_many_slow_requests_under_way(service):
    """Beyond that it is told so at once; the ones under way are answered."""
    client = service.client()
    client.deliver(3)
    asked = [
        client.send({
            "op": "query", "view": "mailbox", "stream": "mailbox/inbox", "atLeast": 1000,
            "timeout": 2000})
        for _ in range(40)]
    codes = [client.reply(request)["error"]["code"] for request in asked]
    assert codes.count("overloaded") == 8
    assert codes.count("timeout") == 32
    other = service.client()
    assert other.request("ping")["ok"] is True
