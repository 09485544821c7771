"""Archive, pins, labels, threads, mute, snooze and retention, as a client sees them."""

import datetime

import pytest

from harness import INBOX, mail, page_of

LATER = "2999-01-01T00:00:00.000000Z"
BOXES = ("inbox", "archive", "snoozed", "trash")


def mails(view):
    return [row["mail"] for row in view["rows"]]


def box(client, name, **more):
    return mails(client.view(**{"in": name}, **more))


def counts(total, unread=None, flagged=0, trash=0, archived=0, snoozed=0):
    return {
        "total": total, "unread": total if unread is None else unread, "flagged": flagged,
        "trash": trash, "archived": archived, "snoozed": snoozed}


def reply(number, to, **more):
    return mail(number, subject="Re: Tea", messageID=f"<m{number}>", inReplyTo=f"<m{to}>", **more)


def thread(client, *numbers):
    """Delivers a mail and replies to it, and other mail between."""
    for number in range(1, max(numbers) + 1):
        if number == numbers[0]:
            data = mail(number, subject="Tea", messageID=f"<m{number}>")
        elif number in numbers:
            data = reply(number, numbers[0])
        else:
            data = mail(number)
        client.done(INBOX, "deliver", data)


def test_each_mail_is_in_one_box(client):
    client.deliver(5)
    client.done(INBOX, "archive", {"mails": [1, 2]})
    client.done(INBOX, "snooze", {"mails": [2, 3], "until": LATER})
    client.done(INBOX, "trash", {"mail": 4})
    expected = {"inbox": [5], "archive": [1], "snoozed": [3, 2], "trash": [4]}
    for name in BOXES:
        view = client.view(**{"in": name})
        assert mails(view) == expected[name]
        assert view["counts"] == counts(1, trash=1, archived=1, snoozed=2)
    assert box(client, "all") == [5, 4, 3, 2, 1]
    assert mails(client.view()) == [5]
    rows = client.view(**{"in": "all"})["rows"]
    assert [row["in"] for row in rows] == ["inbox", "trash", "snoozed", "snoozed", "archive"]
    assert [row.get("until") for row in rows] == [None, None, LATER, LATER, None]


def test_pinned_mails_come_first(client):
    client.deliver(6)
    client.done(INBOX, "pin", {"mails": [2, 4]})
    assert mails(client.view()) == [4, 2, 6, 5, 3, 1]
    client.done(INBOX, "reorder", {"mail": 2, "first": True})
    assert mails(client.view()) == [2, 4, 6, 5, 3, 1]
    seen, cursor = [], None
    while True:
        more = {"cursor": cursor} if cursor else {}
        page = client.view(limit=1, **more)
        seen += mails(page)
        cursor = page["cursor"]
        if cursor is None:
            break
    assert seen == [2, 4, 6, 5, 3, 1]
    client.done(INBOX, "unpin", {"mails": [2, 4]})
    assert mails(client.view()) == [2, 6, 5, 4, 3, 1]


def test_labels_are_found_in_whatever_box(client):
    client.deliver(4)
    client.done(INBOX, "label", {"mails": [1, 2, 4], "label": "Work"})
    client.done(INBOX, "label", {"mail": 4, "label": "$Forwarded"})
    client.done(INBOX, "archive", {"mail": 2})
    assert mails(client.view(label="WORK")) == [4, 1]
    assert box(client, "all", label="work") == [4, 2, 1]
    assert client.view()["rows"][0]["labels"] == ["$forwarded", "work"]
    client.done(INBOX, "unlabel", {"mails": [4, 3], "label": "work"})
    assert box(client, "all", label="work") == [2, 1]
    assert client.rejected(INBOX, "label", {"mail": 1, "label": "$seen"})["code"] == "invalid"
    assert client.refused("query", view="mailbox", stream=INBOX, label="a b")["code"] == "invalid"


def test_replies_join_the_thread(client):
    thread(client, 1, 3, 4)
    assert [row["thread"] for row in client.view()["rows"]] == [1, 1, 2, 1]
    assert mails(client.view(thread=1)) == [4, 3, 1]
    assert mails(client.view(thread=3)) == []
    client.done(INBOX, "archive", {"thread": 3})
    assert mails(client.view()) == [2]
    assert box(client, "archive", thread=1) == [4, 3, 1]


def test_a_muted_thread_arrives_archived(client):
    thread(client, 1, 2)
    client.done(INBOX, "mute", {"mail": 2})
    assert [row["muted"] for row in client.view()["rows"]] == [True, True]
    client.done(INBOX, "deliver", reply(3, 2))
    assert mails(client.view()) == [2, 1]
    assert box(client, "archive") == [3]
    client.done(INBOX, "unmute", {"thread": 1})
    client.done(INBOX, "deliver", reply(4, 3))
    assert mails(client.view()) == [4, 2, 1]


def test_a_reply_wakes_its_thread(client):
    thread(client, 1, 2)
    client.done(INBOX, "snooze", {"thread": 1, "until": LATER})
    client.done(INBOX, "deliver", mail(3))
    assert mails(client.view()) == [3]
    receipt = client.done(INBOX, "deliver", reply(4, 1))
    assert receipt["events"] == 5
    assert mails(client.view()) == [4, 2, 1, 3]


def test_unsnoozed_it_is_back_at_its_place(client):
    client.deliver(3)
    client.done(INBOX, "snooze", {"mail": 2, "until": LATER})
    client.done(INBOX, "unsnooze", {"mail": 2})
    assert mails(client.view()) == [3, 2, 1]
    past = (datetime.datetime.now(datetime.UTC) - datetime.timedelta(hours=1)).isoformat()
    assert client.rejected(INBOX, "snooze", {"mail": 2, "until": past})["code"] == "invalid"


@pytest.mark.parametrize("command, data", [
    ("wake", {"mail": 1, "until": LATER}), ("expire", {"mails": [1]})])
def test_the_services_commands_are_none_to_a_client(client, command, data):
    client.deliver(1)
    assert client.rejected(INBOX, command, data)["code"] == "unknown-command"


def test_retention_is_off_until_it_is_set(client):
    client.deliver(1)
    assert client.done(INBOX, "configure-retention", {"trash": None})["events"] == 0
    client.done(INBOX, "configure-retention", {"trash": "P4W"})
    assert client.events()[-1]["data"] == {"trash": "P28D"}
    for wrong in ("P1M", "30", 30, "P0D"):
        error = client.rejected(INBOX, "configure-retention", {"trash": wrong})
        assert error["code"] == "invalid"


def test_states_and_views_agree_in_every_box(client):
    """Also as things were, and by filter."""
    thread(client, 1, 3, 5)
    client.done(INBOX, "label", {"mails": [1, 2], "label": "work"})
    client.done(INBOX, "pin", {"mail": 1})
    client.done(INBOX, "archive", {"mail": 2})
    client.done(INBOX, "snooze", {"mail": 3, "until": LATER})
    client.done(INBOX, "mute", {"thread": 1})
    filters = [{"in": name} for name in BOXES + ("all",)]
    filters += [{"in": "all", "label": "work"}, {"in": "all", "thread": 1}, {"thread": 1}]
    for each in filters:
        view = page_of(client.view(**each))
        state = client.request("state", stream=INBOX, at=view["position"], **each)
        assert page_of(state) == view, each


def test_from_the_command_line(service, client):
    thread(client, 1, 2)
    service.cli("send", INBOX, "archive", "mail=1")
    service.cli("send", INBOX, "label", "mails=[1,2]", "label=work")
    service.cli("send", INBOX, "pin", "mail=2")
    text = service.cli("show", INBOX).stdout
    assert "1 mail, 1 unread, 0 flagged, 1 archived, 0 in the trash" in text
    assert "▲" in text and "#work" in text
    assert "(archived)" in service.cli("show", INBOX, "--in", "all", "--label", "work").stdout
    page = service.cli_json(
        "query", "mailbox", f"stream={INBOX}", "in=archive", "label=work", "thread=1", "--json")
    assert mails(page) == [1]
    assert "archived" in service.cli("read", INBOX, "1").stdout
    service.cli("show", INBOX, "--in", "attic", status=1)
    service.cli("show", "list/none", "--in", "all", status=2)
