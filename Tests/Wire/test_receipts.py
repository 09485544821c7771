"""Receipts (§5): their exact shape, no-ops, duplicates, the order of checks, `result`."""

import pytest

from harness import INBOX, code_of, error_of, mail, new_id, page_of, without


def test_a_command_that_writes(client):
    """Receipt: id, ok, stream, revision, position, events, outcome, and nothing else."""
    assert client.command(INBOX, "deliver", mail(1), id="first") == {
        "id": "first", "ok": True, "stream": INBOX, "revision": 1, "position": 1, "events": 1,
        "outcome": {"mail": 1}}
    assert client.command(INBOX, "flag", {"mail": 1}, id="second") == {
        "id": "second", "ok": True, "stream": INBOX, "revision": 2, "position": 2, "events": 1,
        "outcome": {}}


def test_a_command_that_changes_nothing(client):
    """A no-op's receipt has no events and the stream's present revision and position."""
    client.deliver()
    client.done(INBOX, "flag", {"mail": 1})
    client.deliver(stream="mailbox/other")
    assert client.command(INBOX, "flag", {"mail": 1}, id="again") == {
        "id": "again", "ok": True, "stream": INBOX, "revision": 2, "position": 2, "events": 0,
        "outcome": {}}
    assert client.head() == 3


def test_a_bulk_command(client):
    """One event per changed id; the outcome lists every id once, in the order given."""
    client.deliver(3)
    client.done(INBOX, "flag", {"mail": 2})
    receipt = client.done(INBOX, "flag", {"mails": [3, 2, 1, 3, 2]}, id="bulk")
    assert receipt == {
        "id": "bulk", "ok": True, "stream": INBOX, "revision": 6, "position": 6, "events": 2,
        "outcome": {"results": [
            {"mail": 3, "changed": True}, {"mail": 2, "changed": False},
            {"mail": 1, "changed": True}]}}
    assert [event["data"] for event in client.events()[4:]] == [{"mail": 3}, {"mail": 1}]


def test_a_bulk_command_lists_a_thousand_ids(client):
    """At most 1,000 ids are listed, then counts."""
    client.deliver(1001)
    client.done(INBOX, "flag", {"mail": 7})
    outcome = client.done(INBOX, "flag", {"mails": list(range(1, 1002))})["outcome"]
    assert outcome["results"] == [
        {"mail": number, "changed": number != 7} for number in range(1, 1001)]
    assert (outcome["count"], outcome["changed"]) == (1001, 1000)


def test_a_command_with_several_events(client):
    """Revision and position are those of the last event."""
    assert client.command(
        "list/todo", "create", {"title": "Things", "template": "todo"}, id="c") == {
            "id": "c", "ok": True, "stream": "list/todo", "revision": 3, "position": 3,
            "events": 3, "outcome": {}}
    assert client.done("list/todo", "add", {"text": "One"})["outcome"] == {"item": 1}
    assert client.done("list/todo", "add", {"text": "One"})["outcome"] == {"item": 2}


def test_a_known_mail_is_not_delivered_again(client):
    """The same messageID gives the old mail and no event; another digest is another mail."""
    first = client.done(INBOX, "deliver", mail(1, messageID="<a@b>", digest="d1"))
    again = client.done(INBOX, "deliver", mail(2, messageID="<a@b>"))
    other = client.done(INBOX, "deliver", mail(3, messageID="<a@b>", digest="d2"))
    assert page_of(again) == {**page_of(first), "events": 0}
    assert other["outcome"] == {"mail": 2}


class TestIdempotency:
    """The same id with the same content answers the first receipt and writes nothing."""

    def test_a_command_sent_again(self, client):
        client.deliver()
        first = client.done(INBOX, "flag", {"mail": 1}, id="f")
        client.done(INBOX, "unflag", {"mail": 1})
        assert client.command(INBOX, "flag", {"mail": 1}, id="f") == {**first, "duplicate": True}
        assert client.head() == 3

    def test_every_kind_of_outcome(self, client):
        """Also an outcome that is long, or a gesture's, comes back whole."""
        client.deliver(3)
        commands = [
            (INBOX, "deliver", mail(4)),
            (INBOX, "mark-read", {"mails": [1, 2, 3]}),
            (INBOX, "swipe", {"mail": 1, "direction": "right-to-left", "extent": 2}),
            ("list/a", "create", {"title": "ä \"quoted\" \\ 🙂", "template": "todo"}),
            ("list/a", "add", {"text": "line\nbreak"})]
        firsts = [
            client.done(stream, command, data, id=f"id-{number}")
            for number, (stream, command, data) in enumerate(commands)]
        head = client.head()
        assert all(first["events"] for first in firsts)
        for number, (stream, command, data) in enumerate(commands):
            assert client.command(stream, command, data, id=f"id-{number}") == {
                **firsts[number], "duplicate": True}
        assert client.head() == head

    def test_across_a_restart(self, service):
        client = service.client()
        client.deliver(2)
        first = client.done(INBOX, "flag", {"mails": [1, 2]}, id="f")
        service.restart()
        client = service.client()
        assert client.command(INBOX, "flag", {"mails": [1, 2]}, id="f") == {
            **first, "duplicate": True}
        assert client.head() == 4

    def test_across_a_crash(self, service):
        client = service.client()
        first = client.done(INBOX, "deliver", mail(1), id="d")
        service.kill()
        client = service.start().client()
        assert client.command(INBOX, "deliver", mail(1), id="d") == {**first, "duplicate": True}
        assert client.head() == 1

    def test_before_the_first_is_answered(self, client):
        """Sent a hundred times in one breath, it writes once; the receipts are the same."""
        client.deliver()
        for _ in range(100):
            client.send_command(INBOX, "flag", {"mail": 1}, id="f")
        receipts = [client.receive() for _ in range(100)]
        assert "duplicate" not in receipts[0]
        assert receipts[1:] == [{**receipts[0], "duplicate": True}] * 99
        assert client.head() == 2

    def test_content_is_compared_decoded(self, client):
        """Spaces, the order of members and defaults spelled out make no other command."""
        client.deliver()
        first = client.done(
            INBOX, "swipe", {"mail": 1, "direction": "left-to-right", "extent": 2.5}, id="s")
        client.socket.send(
            b'{ "id": "s", "data": {"velocity": 0, "extent": 25e-1, "mail": 1,\n'
            b'"direction": "left\\u002dto-right"}, "command": "swipe", "op": "command",'
            b'"stream": "mailbox\\/inbox" }')
        assert client.reply("s") == {**first, "duplicate": True}

    def test_expect_and_meta_are_no_content(self, client):
        client.deliver()
        first = client.done(INBOX, "flag", {"mail": 1}, id="f", expect=1)
        again = client.command(INBOX, "flag", {"mail": 1}, id="f", meta={"by": "me"})
        assert again == {**first, "duplicate": True}

    @pytest.mark.parametrize("command, data", [
        ("flag", {"mail": 2}), ("unflag", {"mail": 1}), ("flag", {"mails": [1]})])
    def test_an_id_with_other_content(self, client, command, data):
        """Other content under a used id is `id-reused`, and writes nothing."""
        client.deliver(2)
        client.done(INBOX, "flag", {"mail": 1}, id="f")
        assert client.rejected(INBOX, command, data, id="f")["code"] == "id-reused"
        assert client.head() == 3

    def test_id_reused_before_the_first_is_answered(self, client):
        client.deliver(2)
        client.send_command(INBOX, "flag", {"mail": 1}, id="f")
        client.send_command(INBOX, "flag", {"mail": 2}, id="f")
        assert client.receive()["events"] == 1
        assert code_of(client.receive()) == "id-reused"

    def test_ids_are_unique_per_stream(self, client):
        client.deliver(stream=INBOX)
        client.deliver(stream="mailbox/other")
        assert client.done(INBOX, "flag", {"mail": 1}, id="f")["position"] == 3
        other = client.done("mailbox/other", "flag", {"mail": 1}, id="f")
        assert (other["position"], other.get("duplicate")) == (4, None)

    def test_a_command_that_wrote_nothing_is_decided_again(self, client):
        """Neither a no-op nor a refusal uses its id up."""
        client.deliver()
        assert client.done(INBOX, "unflag", {"mail": 1}, id="u")["events"] == 0
        assert client.rejected(INBOX, "flag", {"mail": 1}, id="f", expect=7)["code"] == "conflict"
        assert client.done(INBOX, "flag", {"mail": 1}, id="f", expect=1)["events"] == 1
        assert client.done(INBOX, "unflag", {"mail": 1}, id="u")["events"] == 1

    @pytest.mark.parametrize("command_id", ["!", "x" * 64, "a b", "}\"\\", "ID" * 32])
    def test_ids_that_are_allowed(self, client, command_id):
        first = client.command(INBOX, "deliver", mail(1), id=command_id)
        assert first["id"] == command_id and first["ok"]
        again = client.command(INBOX, "deliver", mail(1), id=command_id)
        assert again == {**first, "duplicate": True}


class TestChecks:
    """Checks run in the order duplicate, `expect`, rules."""

    def test_a_duplicate_comes_before_expect(self, client):
        first = client.done(INBOX, "deliver", mail(1), id="d", expect=0)
        assert client.command(INBOX, "deliver", mail(1), id="d", expect=99) == {
            **first, "duplicate": True}

    def test_a_reused_id_comes_before_expect(self, client):
        client.done(INBOX, "deliver", mail(1), id="d")
        error = client.rejected(INBOX, "deliver", mail(2), id="d", expect=99)
        assert error["code"] == "id-reused"

    def test_expect_comes_before_the_rules(self, client):
        client.deliver(3)
        error = client.rejected(INBOX, "flag", {"mail": 77}, expect=2)
        assert error["code"] == "conflict" and error["revision"] == 3
        assert client.rejected(INBOX, "flag", {"mail": 77}, expect=3)["code"] == "not-found"

    def test_expect_on_a_stream_without_events(self, client):
        error = client.rejected(INBOX, "flag", {"mail": 1}, expect=1)
        assert error["code"] == "conflict" and error["revision"] == 0
        assert client.rejected(INBOX, "flag", {"mail": 1}, expect=0)["code"] == "not-found"

    def test_expect_holds_for_a_no_op_too(self, client):
        client.deliver()
        assert client.rejected(INBOX, "unflag", {"mail": 1}, expect=0)["code"] == "conflict"
        assert client.done(INBOX, "unflag", {"mail": 1}, expect=1)["events"] == 0

    def test_expect_is_checked_once_for_a_bulk_command(self, client):
        client.deliver(5)
        receipt = client.done(INBOX, "flag", {"mails": [1, 2, 3, 4, 5]}, expect=5)
        assert (receipt["revision"], receipt["events"]) == (10, 5)

    def test_pipelined_expectations(self, client):
        """Each command sees what the one before it did, though nothing is answered yet."""
        client.send_command(INBOX, "deliver", mail(0), expect=0)
        for revision in range(1, 200):
            client.send_command(INBOX, "deliver", mail(revision), expect=revision)
        client.send_command(INBOX, "deliver", mail(999), expect=7)
        replies = [client.receive() for _ in range(201)]
        assert [reply.get("revision") for reply in replies[:200]] == list(range(1, 201))
        assert error_of(replies[200]) | {"message": ""} == {
            "code": "conflict", "message": "", "revision": 200}


class TestResult:
    """`result` tells what became of a command, so that a client never has to guess."""

    def result(self, client, command_id, stream=INBOX):
        return page_of(client.request("result", stream=stream, command=command_id))

    def test_written(self, client):
        receipt = client.done(INBOX, "deliver", mail(1), id="d")
        assert self.result(client, "d") == {"result": "written", "receipt": page_of(receipt)}

    def test_unknown(self, client):
        client.done(INBOX, "deliver", mail(1), id="d")
        client.rejected(INBOX, "flag", {"mail": 9}, id="refused")
        client.done(INBOX, "unflag", {"mail": 1}, id="no-op")
        assert self.result(client, "d", "mailbox/other") == {"result": "unknown"}
        for command_id in ("never", "refused", "no-op"):
            assert self.result(client, command_id) == {"result": "unknown"}

    def test_a_command_under_way_is_never_unknown(self, client):
        """Asked in one breath with the command it is `pending`, or `written` already."""
        for number in range(200):
            client.send_command(INBOX, "deliver", mail(number), id=f"d{number}")
            client.send({"op": "result", "stream": INBOX, "command": f"d{number}",
                         "id": f"r{number}"})
        found = {client.reply(f"r{number}")["result"] for number in range(200)}
        assert found <= {"pending", "written"}
        for number in range(200):
            assert client.reply(f"d{number}")["ok"]
            assert self.result(client, f"d{number}")["result"] == "written"

    def test_across_a_restart(self, service):
        receipt = service.client().done(INBOX, "deliver", mail(1), id="d")
        client = service.restart().client()
        assert self.result(client, "d") == {"result": "written", "receipt": page_of(receipt)}
        assert self.result(client, "e") == {"result": "unknown"}


def test_the_event_tells_where_it_came_from(client):
    """An event's envelope (§6), with the command's meta in it."""
    client.deliver()
    meta = {"by": "tester", "correlation": "c1", "causation": "c0"}
    client.done(
        INBOX, "swipe", {"mail": 1, "direction": "right-to-left", "extent": 1.2}, id="s",
        meta=meta)
    event = client.events()[-1]
    assert without(event, "time", "meta") == {
        "position": 2, "stream": INBOX, "revision": 2, "type": "mail.trashed", "schema": 1,
        "data": {"mail": 1}}
    assert {key: event["meta"][key] for key in ("command", "via", *meta)} == {
        "command": "s", "via": "swipe", **meta}


def test_times_never_go_back(client):
    """Times are RFC 3339 UTC with microseconds, and along the log they never go backwards."""
    client.deliver(200)
    times = [event["time"] for event in client.events()]
    assert all(len(time) == 27 and time[10] == "T" and time[-1] == "Z" for time in times)
    assert times == sorted(times)


def test_a_mail_without_a_date_has_none(client):
    """An absent date is null in the view, and left out of the event."""
    data = without(mail(1), "date")
    client.done(INBOX, "deliver", data, id=new_id())
    client.done(INBOX, "deliver", {**data, "date": None})
    assert [event["data"].get("date", "absent") for event in client.events()] == ["absent"] * 2
    assert [row["date"] for row in client.view()["rows"]] == [None, None]
