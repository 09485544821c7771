"""The XPUB feed (§6): best effort, for a plain SUB with a prefix."""

import zmq

from harness import INBOX, assert_chained, positions, without


def test_topics_and_events(service, client):
    """Two frames: `<stream> <type>`, and the event with the stream's previous event's position."""
    listener = service.listener(b"")
    listener.wait_for_beat()
    client.deliver(2)
    client.deliver(stream="mailbox/other")
    client.done(INBOX, "flag", {"mail": 1}, meta={"by": "me"})
    heard = [listener.receive_event() for _ in range(4)]
    assert [topic for topic, _ in heard] == [
        "mailbox/inbox mail.delivered", "mailbox/inbox mail.delivered",
        "mailbox/other mail.delivered", "mailbox/inbox mail.flagged"]
    assert [event["prev"] for _, event in heard] == [0, 1, 0, 2]
    assert [without(event, "prev") for _, event in heard] == client.events()


def test_prefixes(service, client):
    """A prefix that ends with a space matches one stream only."""
    one = service.listener(b"mailbox/in ", b"~head")
    prefix = service.listener(b"mailbox/in", b"~head")
    lists = service.listener(b"list/", b"~head")
    for listener in (one, prefix, lists):
        listener.wait_for_beat()
    for stream in ("mailbox/inbox", "mailbox/in", "mailbox/out"):
        client.deliver(stream=stream)
    client.create_list("list/a", "plain")
    assert one.receive_event()[1]["position"] == 2
    assert [prefix.receive_event()[1]["position"] for _ in range(2)] == [1, 2]
    assert [lists.receive_event()[0] for _ in range(2)] == [
        "list/a list.created", "list/a section.added"]
    for listener in (one, prefix, lists):
        assert listener.wait_for_beat() == {"head": 5}, "something else came"


def test_the_beat_carries_the_head(service, client):
    """`~head` beats, so that a SUB notices loss."""
    listener = service.listener(b"~head")
    assert listener.wait_for_beat() == {"head": 0}
    client.deliver(3)
    while (beat := listener.wait_for_beat()) != {"head": 3}:
        assert beat == {"head": 0}


def test_prev_of_a_stream_that_was_there_before(service, client):
    """Also where nobody listened when the stream's last event came, and after a restart."""
    client.deliver(2)
    client.deliver(3, stream="mailbox/other")
    client.done(INBOX, "flag", {"mail": 1})
    service.restart()
    client = service.client()
    listener = service.listener(b"")
    listener.wait_for_beat()
    client.done("mailbox/other", "flag", {"mail": 1})
    client.done(INBOX, "flag", {"mail": 2})
    assert [listener.receive_event()[1]["prev"] for _ in range(2)] == [5, 6]


def test_slow_joiner(service, client):
    """Subscribe, then read, then discard what was seen: no sleeps, and no event is missed."""
    client.deliver(100)
    listener = service.listener(b"mailbox/inbox ", b"~head")
    listener.wait_for_beat()
    client.deliver(100, first=101)
    known = client.events()
    client.deliver(100, first=201)
    events = known[:]
    while len(events) < 300:
        _, event = listener.receive_event()
        if event["position"] > events[-1]["position"]:
            events.append(without(event, "prev"))
    assert positions(events) == list(range(1, 301))


def test_one_stream_under_load_is_chained(service, client):
    """With nothing lost, each event's `prev` is the one before it."""
    listener = service.listener(b"mailbox/inbox ", b"~head")
    listener.wait_for_beat()
    for number in range(200):
        client.deliver(first=number)
        client.deliver(stream="mailbox/other", first=number)
    events = [listener.receive_event()[1] for _ in range(200)]
    assert [event["revision"] for event in events] == list(range(1, 201))
    assert_chained(events, 0)


def test_a_listener_that_goes_leaves_the_others(service, client):
    gone, stays = service.listener(b""), service.listener(b"")
    gone.wait_for_beat()
    stays.wait_for_beat()
    gone.close()
    client.deliver(10)
    assert [stays.receive_event()[1]["position"] for _ in range(10)] == list(range(1, 11))


def test_what_a_listener_sends_is_ignored(service, client):
    """Odd subscriptions and messages change nothing for others."""
    listener = service.listener(b"")
    listener.wait_for_beat()
    odd = service.context.socket(zmq.XSUB)
    odd.linger = 0
    odd.connect(service.events)
    for message in (b"", b"\x00never", b"\x01" + b"x" * 500, b"\x02odd", b"\xff" * 100):
        odd.send(message)
    client.deliver(3)
    assert [listener.receive_event()[1]["position"] for _ in range(3)] == [1, 2, 3]
    odd.close()
