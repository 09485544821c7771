"""Error codes (§5): bad input is refused with its code and the request's id, and costs nobody
anything: the connection goes on."""

import json

import pytest

from harness import INBOX, MEBIBYTE, code_of, error_of, mail


@pytest.fixture(scope="module")
def filled(shared_service):
    """A mailbox and a list to refuse commands to; the tests here write nothing more."""
    client = shared_service.client()
    client.deliver(3)
    client.done(INBOX, "trash", {"mail": 3})
    client.create_list(items=["one", "two"])
    client.done("list/todo", "delete", {"item": 2})
    return shared_service


@pytest.fixture
def client(filled):
    client = filled.client()
    head = client.head()
    yield client
    assert client.head() == head, "a refused request has written"
    client.close()


MALFORMED = {
    "nothing": [b""],
    "no JSON": [b"hello"],
    "cut off": [b'{"op":"ping","id":"x"'],
    "two documents": [b'{"op":"ping","id":"x"}{"op":"ping","id":"y"}'],
    "an array": [b"[]"],
    "a string": [b'"ping"'],
    "a number": [b"5"],
    "null": [b"null"],
    "not UTF-8": [b'{"op":"ping","id":"\xff\xfe"}'],
    "a lone surrogate": [b'{"op":"ping","id":"\\ud800"}'],
    "an unfinished sequence": [b'{"op":"ping","id":"\xe2\x82"}'],
    "a control character": [b'{"op":"ping","id":"a\x01b"}'],
    "single quotes": [b"{'op':'ping','id':'x'}"],
    "nested too deeply": [b'{"op":"ping","id":"x","a":' + b"[" * 100_000 + b"]" * 100_000 + b"}"],
    "open brackets": [b"[" * 1_000_000],
    "open braces": [b'{"a":' * 200_000],
    "an integer beyond 64 bits": [b'{"op":"ping","id":"x","n":1180591620717411303424}'],
    "a huge number": [b'{"op":"ping","id":"x","n":' + b"9" * 100_000 + b"}"],
    "two frames": [b'{"op":"ping","id":"x"}', b'{"op":"ping","id":"y"}'],
    "a delimiter and two frames": [b"", b'{"op":"ping","id":"x"}', b""],
    "a thousand frames": [b'{"op":"ping","id":"x"}'] * 1000,
    "empty frames": [b""] * 10,
}


@pytest.mark.parametrize("frames", MALFORMED.values(), ids=MALFORMED.keys())
def test_malformed(client, frames):
    """What is no request is `malformed`, with the id null as it cannot be read."""
    client.send_frames(*frames)
    reply = client.receive()
    assert (reply["id"], code_of(reply)) == (None, "malformed")
    assert client.request("ping")["ok"]


@pytest.mark.parametrize("text, request_id, code", [
    ('{"id":"x"}', "x", "malformed"),
    ('{"id":"x","op":5}', "x", "malformed"),
    ('{"op":"ping"}', None, "invalid"),
    ('{"op":"ping","id":5}', None, "invalid"),
    ('{"op":"ping","id":null}', None, "invalid"),
    ('{"op":"ping","id":""}', "", "invalid"),
    ('{"op":"ping","id":"%s"}' % ("x" * 257), "x" * 257, "invalid"),
    ('{"op":"dance","id":"x"}', "x", "unknown-op"),
    ('{"op":"","id":"x"}', "x", "unknown-op"),
    ('{"op":"PING","id":"x"}', "x", "unknown-op"),
], ids=lambda value: str(value)[:40])
def test_a_request_without_op_or_id(client, text, request_id, code):
    """The id comes back wherever it could be read."""
    client.socket.send(text.encode())
    reply = client.receive()
    assert (reply["id"], code_of(reply)) == (request_id, code)


@pytest.mark.parametrize("change", [
    {"id": "x" * 65}, {"id": "~mine"}, {"id": "ü"}, {"id": "a\tb"}, {"id": "a\nb"},
    {"stream": None}, {"stream": 5}, {"stream": ""}, {"stream": "inbox"}, {"stream": "mailbox/"},
    {"stream": "mailbox"}, {"stream": "post/inbox"}, {"stream": "mailbox/a b"},
    {"stream": "mailbox/ä"}, {"stream": "mailbox//a"}, {"stream": "mailbox/a/"},
    {"stream": "mailbox/../a"}, {"stream": "mailbox/."}, {"stream": "mailbox/a\u0000"},
    {"stream": "mailbox/" + "x" * 201}, {"stream": "Mailbox/inbox"},
    {"command": None}, {"command": 5}, {"data": None}, {"data": []}, {"data": "mail=1"},
    {"expect": -1}, {"expect": 1.5}, {"expect": "3"}, {"meta": []}, {"meta": {"by": 5}},
    {"meta": {"by": "x" * 300}},
], ids=lambda change: json.dumps(change)[:40])
def test_invalid_command_members(client, change):
    """A member that is missing, of the wrong type or out of bounds is `invalid`, and is named."""
    request = {"id": "x", "stream": INBOX, "command": "flag", "data": {"mail": 1}, **change}
    reply = client.ask("command", **request)
    assert reply["id"] == request["id"]
    error = error_of(reply)
    assert error["code"] == "invalid"
    assert f"'{next(iter(change))}'" in error["message"] or "'by'" in error["message"]


@pytest.mark.parametrize("stream", [
    "mailbox/" + "x" * 200, "mailbox/a.b_c-d@e/f+g", "mailbox/..a", "mailbox/A1"])
def test_stream_names_that_are_allowed(client, stream):
    assert client.rejected(stream, "flag", {"mail": 1})["code"] == "not-found"


@pytest.mark.parametrize("command, data", [
    ("flag", {}), ("flag", {"mail": 0}), ("flag", {"mail": -1}), ("flag", {"mail": "1"}),
    ("flag", {"mail": 1.5}), ("flag", {"mail": None}), ("flag", {"mails": []}),
    ("flag", {"mails": 1}), ("flag", {"mails": ["1"]}), ("flag", {"mail": 1, "mails": [1]}),
    ("flag", {"mail": 1, "colour": "red"}),
    ("deliver", {}), ("deliver", {"from": "a", "subject": "b"}), ("deliver", mail(1, subject=5)),
    ("deliver", mail(1, date="yesterday")), ("deliver", mail(1, date=5)),
    ("deliver", mail(1, subject="x" * 999)), ("deliver", mail(1, read="yes")),
    ("deliver", mail(1, to="someone")), ("deliver", mail(1, size=-1)),
    ("reorder", {"mail": 1}), ("reorder", {"mail": 1, "first": True, "last": True}),
    ("reorder", {"mail": 1, "first": False}), ("reorder", {"mail": 1, "after": 1}),
    ("reorder", {"mail": 1, "after": 99}),
    ("swipe", {"mail": 1, "direction": "up", "extent": 1}),
    ("swipe", {"mail": 1, "direction": "left-to-right"}),
    ("swipe", {"mail": 1, "direction": "left-to-right", "extent": -1}),
    ("swipe", {"mail": 1, "direction": "left-to-right", "extent": 1001}),
    ("press", {"mail": 1, "direction": "left-to-right", "button": 1}),
    ("press", {"mail": 1, "direction": "left-to-right", "button": -1}),
    ("configure-swipe", {"left-to-right": {"buttons": [{"action": "complete"}]}}),
    ("configure-swipe", {"left-to-right": {"buttons": [], "expansion": {"button": 0}}}),
], ids=lambda value: json.dumps(value)[:50])
def test_invalid_mailbox_data(client, command, data):
    assert client.rejected(INBOX, command, data)["code"] == "invalid"


@pytest.mark.parametrize("command, data", [
    ("add", {}), ("add", {"text": ""}), ("add", {"text": " \n\t "}), ("add", {"text": 5}),
    ("add", {"text": "x" * (64 * 1024 + 1)}), ("complete", {"items": []}),
    ("create", {"title": "x"}), ("create", {"title": "x", "template": "kanban"}),
    ("reorder", {"item": 1, "after": 99}), ("edit", {"item": 1}),
], ids=lambda value: json.dumps(value)[:50])
def test_invalid_list_data(client, command, data):
    assert client.rejected("list/todo", command, data)["code"] == "invalid"


def test_unknown_command(client):
    for stream, command in [
            (INBOX, "dance"), (INBOX, "Flag"), (INBOX, ""), (INBOX, "add"), ("list/todo", "flag"),
            ("mailbox/nothing-here", "dance")]:
        assert client.rejected(stream, command, {"mail": 1})["code"] == "unknown-command"


def test_not_found(client):
    """Unknown ids fail the whole command, and are listed; a stream without events has none."""
    error = client.rejected(INBOX, "flag", {"mails": [1, 99, 2, 98]})
    assert (error["code"], error["ids"]) == ("not-found", [99, 98])
    error = client.rejected("list/todo", "complete", {"item": 42})
    assert (error["code"], error["ids"]) == ("not-found", [42])
    for stream, data in [("mailbox/empty", {"mail": 1}), ("list/empty", {"item": 1})]:
        command = "flag" if "mail" in data else "complete"
        assert client.rejected(stream, command, data)["code"] == "not-found"


def test_conflict_tells_the_revision(client):
    error = client.rejected(INBOX, "flag", {"mail": 1}, expect=3)
    assert error == {
        "code": "conflict", "message": "mailbox/inbox is at revision 4, not 3", "revision": 4}


def test_rejected_by_the_rules(client):
    for stream, command, data in [
            (INBOX, "purge", {"mail": 1}),
            (INBOX, "reorder", {"mail": 3, "first": True}),
            (INBOX, "swipe", {"mail": 3, "direction": "left-to-right", "extent": 1}),
            (INBOX, "press", {"mail": 3, "direction": "left-to-right", "button": 0}),
            ("list/todo", "create", {"title": "Again", "template": "todo"}),
            ("list/todo", "add", {"text": "into completed", "section": 2})]:
        assert client.rejected(stream, command, data)["code"] == "rejected", command


def test_anchor_gone(client):
    assert client.rejected(INBOX, "reorder", {"mail": 1, "after": 3})["code"] == "anchor-gone"
    error = client.rejected("list/todo", "reorder", {"item": 1, "before": 2})
    assert error["code"] == "anchor-gone"


def test_system_streams_are_forbidden(client):
    """Clients may read the service's own records, never command them."""
    for command in ("deliver", "create", "flag", "anything"):
        assert client.rejected("system/erasures", command, {"mail": 1})["code"] == "forbidden"
    assert client.request("read", stream="system/")["events"] == []


def test_errors_quote_no_text(client):
    """No mail or list text in a message."""
    secret = "hunter2"
    for data in (mail(1, date=secret), mail(1, subject=secret * 200), mail(1, to=secret)):
        assert secret not in client.rejected(INBOX, "deliver", data)["message"]


@pytest.mark.parametrize("op, members", [
    ("read", {"from": -1}), ("read", {"from": "end"}), ("read", {"from": "middle"}),
    ("read", {"from": 1.5}), ("read", {"limit": 0}), ("read", {"limit": 1001}),
    ("read", {"types": "mail.read"}), ("read", {"types": [5]}), ("read", {"stream": 5}),
    ("read", {"direction": "sideways"}),
    ("subscribe", {}), ("subscribe", {"from": "middle"}), ("subscribe", {"from": 0, "credit": 0}),
    ("subscribe", {"from": 0, "credit": 10_001}), ("subscribe", {"from": 0, "credit": "many"}),
    ("credit", {"sub": 5, "add": 1}), ("credit", {"sub": "s1"}), ("unsubscribe", {}),
    ("query", {}), ("query", {"view": "mailbox"}), ("query", {"view": "mailbox", "stream": "x"}),
    ("query", {"view": "mailbox", "stream": "list/todo"}),
    ("query", {"view": "mailbox", "stream": INBOX, "limit": 0}),
    ("query", {"view": "mailbox", "stream": INBOX, "limit": 1001}),
    ("query", {"view": "mailbox", "stream": INBOX, "cursor": "nonsense"}),
    ("query", {"view": "mailbox", "stream": INBOX, "cursor": 5}),
    ("query", {"view": "mailbox", "stream": INBOX, "in": "attic"}),
    ("query", {"view": "mailbox", "stream": INBOX, "atLeast": -1}),
    ("query", {"view": "mailbox", "stream": INBOX, "timeout": -1}),
    ("state", {}), ("state", {"stream": INBOX, "at": "yesterday"}),
    ("state", {"stream": INBOX, "at": -1}), ("state", {"stream": INBOX, "at": {}}),
    ("result", {"stream": INBOX}), ("result", {"stream": INBOX, "command": ""}),
    ("result", {"stream": "x", "command": "y"}), ("rebuild", {"view": 5}),
], ids=lambda value: value if isinstance(value, str) else json.dumps(value)[:50])
def test_invalid_members_of_other_requests(client, op, members):
    assert client.refused(op, **members)["code"] == "invalid"


def test_a_subscription_belongs_to_its_client(filled, client):
    """Nobody else grants it credit or ends it."""
    owner = filled.client()
    subscription = owner.request("subscribe", **{"from": "end"})["sub"]
    assert client.refused("unsubscribe", sub=subscription)["code"] == "not-found"
    assert client.refused("credit", sub=subscription, add=1)["code"] == "not-found"
    assert owner.request("unsubscribe", sub=subscription)["ok"]
    assert owner.refused("unsubscribe", sub=subscription)["code"] == "not-found"


class TestSizes:
    """A frame has at most 1 MiB; up to 4 MiB it is answered, beyond it ends its connection."""

    def padded(self, size, request_id="big"):
        """A `ping` of exactly `size` bytes."""
        start, end = b'{"op":"ping","id":"%s","pad":"' % request_id.encode(), b'"}'
        return start + b"x" * (size - len(start) - len(end)) + end

    def test_the_largest_request(self, client):
        client.socket.send(self.padded(MEBIBYTE))
        assert client.reply("big")["ok"]

    @pytest.mark.parametrize("size", [MEBIBYTE + 1, 2 * MEBIBYTE, 4 * MEBIBYTE])
    def test_too_large(self, client, size):
        lost = client.disconnections()
        client.socket.send(self.padded(size))
        reply = client.receive()
        assert (reply["id"], code_of(reply)) == (None, "too-large")
        assert client.request("ping")["ok"]
        assert lost() == 0

    def test_beyond_four_mebibytes(self, filled, client):
        """The one thing that closes a connection, and it closes that one only."""
        other = filled.client()
        others_lost = other.disconnections()
        subscription = other.request("subscribe", **{"from": "end"})["sub"]
        lost = client.disconnections()
        client.socket.send(self.padded(5 * MEBIBYTE))
        while not lost():
            other.request("ping")
        assert client.request("ping")["ok"], "the client could not connect again"
        assert other.request("unsubscribe", sub=subscription)["ok"]
        assert others_lost() == 0
