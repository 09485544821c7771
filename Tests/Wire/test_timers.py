"""Work that falls due by itself: snoozed mails wake, the trash is emptied, also across restarts."""

import datetime
import time

from harness import INBOX, wait_until


def soon(seconds):
    """A time as the service reads it."""
    now = datetime.datetime.now(datetime.timezone.utc)
    return (now + datetime.timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def visible(client, stream=INBOX):
    return [row["mail"] for row in client.view(stream)["rows"]]


def types(client, mail, stream=INBOX):
    """The types of the events about one mail."""
    return [
        event["type"] for event in client.events()
        if event["stream"] == stream and event["data"].get("mail") == mail]


def agenda(client, stream=INBOX):
    return client.request("query", view="agenda", stream=stream, atLeast=client.head())["rows"]


def woken(client, mail):
    return wait_until(
        lambda: "mail.unsnoozed" in types(client, mail), f"mail {mail} wakes by itself")


def test_snoozed_mail_wakes_by_itself(client):
    """At its time, to the top of the inbox, once; the events say what they come of."""
    client.deliver(3)
    until = soon(0.7)
    asked = client.done(INBOX, "snooze", {"mail": 1, "until": until})
    assert visible(client) == [3, 2]
    assert [(row["mail"], row["work"]) for row in agenda(client)] == [(1, "wake")]
    woken(client, 1)
    assert visible(client) == [1, 3, 2]
    assert agenda(client) == []
    event = next(event for event in client.events() if event["type"] == "mail.unsnoozed")
    assert event["data"] == {"mail": 1, "reason": "time"}
    assert event["time"] >= until
    assert event["meta"]["command"] == f"~wake-{asked['position']}"
    assert event["meta"]["causation"] == str(asked["position"])


def test_unsnoozed_mail_does_not_wake(client):
    """What was taken back, or put off, is not due any more."""
    client.deliver(2)
    client.done(INBOX, "snooze", {"mails": [1, 2], "until": soon(0.6)})
    client.done(INBOX, "unsnooze", {"mail": 1})
    client.done(INBOX, "snooze", {"mail": 2, "until": "2999-01-01T00:00:00Z"})
    client.done(INBOX, "flag", {"mail": 1})
    time.sleep(1)
    assert types(client, 1)[-1] == "mail.flagged"
    assert types(client, 2)[-1] == "mail.snoozed"
    assert [row["due"] for row in agenda(client)] == ["2999-01-01T00:00:00.000000Z"]
    wait_until(
        lambda: client.request("status")["processes"]["next"] == "2999-01-01T00:00:00.000000Z",
        "the status tells what is next")


def test_wakes_after_a_kill(service):
    """Killed before it is due, and due while nothing runs: it wakes with the next start, once."""
    client = service.client()
    client.deliver(2)
    client.done(INBOX, "snooze", {"mail": 1, "until": soon(1)})
    client.done(INBOX, "snooze", {"mail": 2, "until": soon(3)})
    service.kill()
    time.sleep(1.2)
    for _ in range(3):
        service.start()
        client = service.client()
        woken(client, 1)
        service.kill()
    service.start()
    client = service.client()
    woken(client, 2)
    for mail in (1, 2):
        assert types(client, mail).count("mail.unsnoozed") == 1
    assert service.cli("views", "audit").stdout.splitlines()[-1] == "1 streams audited, 0 differ"


def test_trash_is_emptied_in_time(client):
    """Mails that have been in the trash for as long as the mailbox says are purged; others not."""
    client.deliver(4)
    client.done(INBOX, "trash", {"mails": [1, 2]})
    client.done(INBOX, "configure-retention", {"trash": "PT1S"})
    client.done(INBOX, "restore", {"mail": 2})
    assert {row["work"] for row in agenda(client)} <= {"expire"}
    wait_until(lambda: "mail.purged" in types(client, 1), "the mail is purged")
    assert visible(client) == [4, 3, 2]
    client.done(INBOX, "trash", {"mails": [2, 3]})
    wait_until(lambda: "mail.purged" in types(client, 3), "and the others in their time")
    assert visible(client) == [4]
    assert types(client, 2).count("mail.purged") == 1


def test_trash_stays_without_retention(client):
    client.deliver(1)
    client.done(INBOX, "trash", {"mail": 1})
    client.done(INBOX, "configure-retention", {"trash": "P30D"})
    assert [row["work"] for row in agenda(client)] == ["expire"]
    client.done(INBOX, "configure-retention", {"trash": None})
    assert agenda(client) == []


def test_many_at_one_second_leave_room_for_clients(service):
    """Clients are answered while thousands of mails wake; all of them do, each once."""
    client = service.client()
    count = 3000
    client.deliver(count)
    until = soon(1.5)
    client.done(INBOX, "snooze", {"mails": list(range(1, count + 1)), "until": until})
    answered = 0

    def is_done():
        nonlocal answered
        client.done("mailbox/other", "deliver", {
            "from": "f", "subject": "s", "message": f"m{answered}"})
        answered += 1
        return client.request("status")["processes"]["done"] >= count

    wait_until(is_done, "all wake")
    assert answered > 1
    woke = [event["data"]["mail"] for event in client.events()
            if event["type"] == "mail.unsnoozed"]
    assert sorted(woke) == list(range(1, count + 1))
    status = client.request("status")["processes"]
    assert status["lastFailure"] is None and status["postponed"] == 0
    assert set(status) == {"state", "inFlight", "done", "postponed", "next", "lastFailure"}


def test_clients_cannot_send_what_the_service_sends(client):
    client.deliver(1)
    until = "2999-01-01T00:00:00Z"
    client.done(INBOX, "snooze", {"mail": 1, "until": until})
    error = client.rejected(INBOX, "wake", {"mail": 1, "until": until})
    assert error["code"] == "unknown-command"
    error = client.rejected(INBOX, "wake", {"mail": 1, "until": until}, id="~wake-2")
    assert error["code"] == "invalid"
    assert client.rejected(INBOX, "expire", {"mails": [1]})["code"] == "unknown-command"


def test_agenda_can_be_deleted_and_rebuilt(service):
    """It holds nothing that the log does not say."""
    client = service.client()
    client.deliver(2)
    client.done(INBOX, "snooze", {"mail": 1, "until": "2999-01-01T00:00:00Z"})
    client.done(INBOX, "trash", {"mail": 2})
    client.done(INBOX, "configure-retention", {"trash": "P30D"})
    before = agenda(client)
    assert len(before) == 2
    service.cli("rebuild", "agenda")
    assert agenda(client) == before
    service.kill()
    for path in (service.data_directory / "views").glob("agenda*"):
        path.unlink()
    service.start()
    assert agenda(service.client()) == before
    assert "wake" in service.cli("query", "agenda", f"stream={INBOX}").stdout
