"""Receipts of one client's commands to one stream come in the order they were sent (§5), whatever
becomes of each: written, no-op, duplicate or refused."""

import random

from harness import INBOX, mail, new_id


def kinds(number, seed):
    """A command's members beside op, id and stream, with its code where it must be refused."""
    return {
        "write": ("deliver", mail(number), {}, None),
        "toggle": (("flag", "unflag")[number % 2], {"mail": 1}, {}, None),
        "no-op": ("restore", {"mail": 1}, {}, None),
        "duplicate": ("deliver", mail(0), {"id": f"first-{seed}"}, None),
        "reused": ("deliver", mail(1), {"id": f"first-{seed}"}, "id-reused"),
        "not-found": ("flag", {"mail": 10_000_000}, {}, "not-found"),
        "rejected": ("purge", {"mail": 1}, {}, "rejected"),
        "conflict": ("flag", {"mail": 1}, {"expect": 1_000_000}, "conflict"),
        "invalid data": ("flag", {"mail": "one"}, {}, "invalid"),
        "no data": ("flag", None, {}, "invalid"),
        "invalid expect": ("flag", {"mail": 1}, {"expect": "one"}, "invalid"),
        "invalid meta": ("flag", {"mail": 1}, {"meta": 5}, "invalid"),
        "unknown-command": ("juggle", {"mail": 1}, {}, "unknown-command"),
    }


def send_mix(client, streams, count, seed):
    """Sends commands of all kinds in one breath; gives what must come back for each stream."""
    chooser = random.Random(seed)
    expected = {stream: [] for stream in streams}
    for stream in streams:
        request_id = client.send_command(stream, "deliver", mail(0), id=f"first-{seed}")
        expected[stream].append((request_id, None))
    for number in range(count):
        stream = chooser.choice(streams)
        command, data, more, code = chooser.choice(list(kinds(number, seed).values()))
        request_id = client.send_command(stream, command, data, **{"id": new_id("mix"), **more})
        expected[stream].append((request_id, code))
    return expected


def received(client, expected):
    """The answers, by stream; a refusal names none, so its stream is the one it was sent to."""
    stream_of = {}
    for stream, entries in expected.items():
        for request_id, _ in entries:
            stream_of.setdefault(request_id, stream)
    answers = {stream: [] for stream in expected}
    for _ in range(sum(map(len, expected.values()))):
        reply = client.receive()
        stream = reply.get("stream") or stream_of[reply["id"]]
        answers[stream].append((reply["id"], None if reply["ok"] else reply["error"]["code"]))
    return answers


def test_a_pipelined_mix_on_a_new_stream(client):
    """Also while the aggregate is being loaded for its first command."""
    for seed in range(5):
        stream = f"mailbox/{seed}"
        expected = send_mix(client, [stream], 300, seed)
        assert received(client, expected) == expected


def test_a_pipelined_mix_after_a_restart(service):
    client = service.client()
    expected = send_mix(client, [INBOX], 300, seed=1)
    assert received(client, expected) == expected
    client = service.restart().client()
    expected = send_mix(client, [INBOX], 300, seed=2)
    assert received(client, expected) == expected


def test_several_streams_at_once(client):
    """Each stream's order holds; an id names its stream, so refusals can be told apart."""
    streams = [f"mailbox/{name}" for name in "abcd"]
    expected = {}
    for stream in streams:
        # One seed per stream, so that no two streams share a command id.
        expected |= send_mix(client, [stream], 200, seed=streams.index(stream))
    assert received(client, expected) == expected


def test_a_receipt_comes_after_its_events_are_readable(service):
    """Whatever a receipt rests on is durable: another client reads it at once."""
    writer, reader = service.client(), service.client()
    for number in range(1, 101):
        position = writer.deliver(first=number)["position"]
        page = reader.request("read", **{"from": position - 1})
        assert [event["position"] for event in page["events"]] == [number]
        assert page["head"] == position
