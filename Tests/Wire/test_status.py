"""`status` and `ping` (§6)."""

import uuid

from harness import INBOX, wait_until


def test_ping(client):
    assert client.request("ping", id="p") == {"id": "p", "ok": True}


def test_fields(service, client):
    """At least head, log, readOnly, views with position and state, segments, bytes, clients,
    dropped."""
    client.deliver(7)
    client.view()
    status = client.request("status")
    assert status["head"] == 7
    uuid.UUID(status["log"])
    assert status["readOnly"] is False
    views = {view["name"]: view for view in status["views"]}
    assert set(views) >= {"mailbox", "list"}
    for view in views.values():
        assert view["state"] == "live" and view["parked"] == 0
    assert views["mailbox"]["position"] == 7
    assert status["segments"] == 1
    assert status["bytes"] > 7 * 100
    assert status["clients"] == 1
    assert status["dropped"] == {"unroutable": 0, "refused": 0}
    assert status["pending"] == 0
    assert status["version"] == service.cli("version").stdout.split()[1]


def test_clients_are_counted(service, client):
    others = [service.client() for _ in range(5)] + [service.listener(b"") for _ in range(3)]
    wait_until(lambda: client.request("status")["clients"] == 9, "nine clients")
    for other in others:
        other.close()
    wait_until(lambda: client.request("status")["clients"] == 1, "one client")


def test_answers_to_clients_that_are_gone_are_counted(service, client):
    """Replies that nobody takes any more are dropped, and `dropped` says so."""
    client.deliver()

    def leave():
        gone = service.client()
        gone.request("ping")
        for _ in range(500):
            gone.send_command(INBOX, "restore", {"mail": 1})
        gone.send({"op": "query", "view": "mailbox", "stream": INBOX, "atLeast": 1000,
                   "timeout": 300})
        # Until the service has taken the query in, the client stays.
        gone.request("ping")
        gone.close()

    leave()
    wait_until(lambda: client.request("status")["dropped"]["unroutable"] > 0, "a dropped answer")


def test_segments_grow(new_service):
    """A log of several segments is one log."""
    service = new_service(segment_bytes=65536).start()
    client = service.client()
    for number in range(20):
        # One group of commands is one batch, which is never split.
        client.deliver(50, first=50 * number)
    assert client.request("status")["segments"] > 3
    assert len(client.events()) == 1000
    client = service.restart().client()
    assert [event["position"] for event in client.events()] == list(range(1, 1001))
    assert client.request("status")["segments"] > 3
