"""`move`: from one mailbox to another, whatever happens on the way."""

import random
import time

import pytest

from harness import INBOX, mail, wait_until

ARCHIVE = "mailbox/archive"


def result(client, command, stream=INBOX):
    return client.request("result", stream=stream, command=command)


def moved(client, receipt, stream=INBOX):
    """What became of a move, once nothing of it is under way."""
    wait_until(
        lambda: result(client, receipt["id"], stream)["underWay"] == 0, "the move is over")
    return result(client, receipt["id"], stream)


def rows(client, stream):
    reply = client.ask(
        "query", view="mailbox", stream=stream, atLeast=client.head(), limit=1000, **{"in": "all"})
    return reply["rows"] if reply["ok"] else []


def subjects(client, stream):
    return sorted(row["subject"] for row in rows(client, stream))


def test_move(service):
    """The mail is in the other mailbox, as it was, under a new number that `result` tells."""
    client = service.client()
    client.deliver(1, ARCHIVE, first=100)
    client.deliver(3)
    client.done(INBOX, "flag", {"mail": 2})
    client.done(INBOX, "label", {"mail": 2, "label": "work"})
    receipt = client.done(INBOX, "move", {"mail": 2, "to": ARCHIVE})
    assert receipt["outcome"] == {"to": ARCHIVE} and receipt["events"] == 1
    answer = moved(client, receipt)
    assert answer["result"] == "written" and answer["receipt"]["events"] == 1
    assert answer["moved"] == [{"mail": 2, "to": ARCHIVE, "as": 2}]
    assert subjects(client, INBOX) == ["Subject 1", "Subject 3"]
    there = {row["mail"]: row for row in rows(client, ARCHIVE)}
    assert there[2]["subject"] == "Subject 2" and there[2]["flag"] is True
    assert there[2]["labels"] == ["work"] and there[2]["date"].startswith("2026-01-01T00:02")
    assert client.rejected(INBOX, "flag", {"mail": 2})["code"] == "not-found"
    # Also after a restart, and however often it is asked.
    service.restart()
    client = service.client()
    assert result(client, receipt["id"])["moved"] == answer["moved"]
    assert client.done(INBOX, "move", {"mail": 2, "to": ARCHIVE}, id=receipt["id"])["duplicate"]
    assert service.cli("views", "audit").stdout.splitlines()[-1] == "2 streams audited, 0 differ"


def test_moved_mail_stays_known(client):
    """Delivered again, it does not come back; and the other mailbox knows it too."""
    client.done(INBOX, "deliver", mail(1, messageID="<1@x>"))
    moved(client, client.done(INBOX, "move", {"mail": 1, "to": ARCHIVE}))
    for stream in (INBOX, ARCHIVE):
        again = client.done(stream, "deliver", mail(1, messageID="<1@x>"))
        assert again["events"] == 0 and again["outcome"] == {"mail": 1}


def test_moves_there_and_back(client):
    """Always as a new mail, though the mailbox knows the message."""
    client.done(INBOX, "deliver", mail(1, messageID="<1@x>"))
    assert moved(client, client.done(INBOX, "move", {"mail": 1, "to": ARCHIVE}))["moved"] == [
        {"mail": 1, "to": ARCHIVE, "as": 1}]
    back = moved(client, client.done(ARCHIVE, "move", {"mail": 1, "to": INBOX}), ARCHIVE)
    assert back["moved"] == [{"mail": 1, "to": INBOX, "as": 2}]
    assert [row["mail"] for row in rows(client, INBOX)] == [2]


@pytest.mark.parametrize("data, code", [
    ({"mail": 1, "to": INBOX}, "invalid"), ({"mail": 1, "to": "list/todo"}, "invalid"),
    ({"mail": 1, "to": "elsewhere"}, "invalid"), ({"mail": 1}, "invalid"),
    ({"mail": 9, "to": ARCHIVE}, "not-found"), ({"mail": 2, "to": ARCHIVE}, "rejected")],
    ids=["itself", "list", "no stream", "nowhere", "no mail", "trash"])
def test_refusals(client, data, code):
    client.deliver(2)
    client.done(INBOX, "trash", {"mail": 2})
    assert client.rejected(INBOX, "move", data)["code"] == code


def test_bulk(client):
    """Many at once, and only the first thousand are told one by one."""
    client.deliver(1200)
    answer = moved(client, client.done(INBOX, "move", {"all": True, "to": ARCHIVE}))
    assert len(answer["moved"]) == 1000 and answer["movedCount"] == 1200
    assert client.view()["counts"]["total"] == 0
    assert client.view(ARCHIVE)["counts"]["total"] == 1200
    # As in the order in which they were delivered there.
    assert [row["mail"] for row in client.view(ARCHIVE, limit=2)["rows"]] == [1200, 1199]


def test_two_mailboxes_move_to_each_other(client):
    client.deliver(50)
    client.deliver(50, ARCHIVE, first=1001)
    one = client.send_command(INBOX, "move", {"all": True, "to": ARCHIVE})
    other = client.send_command(ARCHIVE, "move", {"all": True, "to": INBOX})
    replies = [(client.reply(one), INBOX), (client.reply(other), ARCHIVE)]
    for receipt, stream in replies:
        assert receipt["ok"]
        moved(client, receipt, stream)
    there = subjects(client, INBOX) + subjects(client, ARCHIVE)
    expected = [f"Subject {number}" for number in [*range(1, 51), *range(1001, 1051)]]
    assert sorted(there) == sorted(expected)
    assert "Subject 1001" in subjects(client, INBOX)


def test_snoozed_mail_sleeps_on(client):
    """It comes snoozed, and wakes there."""
    client.deliver(1)
    client.done(INBOX, "snooze", {"mail": 1, "until": "2999-01-01T00:00:00Z"})
    moved(client, client.done(INBOX, "move", {"mail": 1, "to": ARCHIVE}))
    agenda = client.request("query", view="agenda", stream=ARCHIVE, atLeast=client.head())
    assert [(row["mail"], row["work"]) for row in agenda["rows"]] == [(1, "wake")]


MAILBOXES = ["mailbox/one", "mailbox/two", "mailbox/three"]


def test_killed_at_random_moments(service):
    """Every mail is in exactly one mailbox in the end, and none is there twice."""
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")
    dice = random.Random(seed)
    count = 60
    client = service.client()
    client.deliver(count, MAILBOXES[0])
    for _ in range(8):
        client = service.client()
        for stream in MAILBOXES:
            here = [row["mail"] for row in rows(client, stream)]
            if not here:
                continue
            target = dice.choice([each for each in MAILBOXES if each != stream])
            # Some of them are on their way already; that refuses the whole command.
            for chosen in dice.sample(here, min(len(here), 15)):
                client.send_command(stream, "move", {"mail": chosen, "to": target})
        time.sleep(dice.uniform(0, 0.3))
        service.kill()
        if dice.random() < 0.3:
            for path in (service.data_directory / "views").glob("agenda*"):
                path.unlink()
        service.start()
    client = service.client()
    wait_until(
        lambda: not any(agenda_rows(client, stream) for stream in MAILBOXES),
        "no move is under way")
    everywhere = [subject for stream in MAILBOXES for subject in subjects(client, stream)]
    assert sorted(everywhere) == sorted(f"Subject {number}" for number in range(1, count + 1))
    origins = [
        (event["data"]["origin"]["stream"], event["data"]["origin"]["mail"])
        for event in client.events() if "origin" in event["data"]]
    assert len(origins) == len(set(origins)), "no mail arrived twice"
    assert "0 differ" in service.cli("views", "audit").stdout


def agenda_rows(client, stream):
    reply = client.ask("query", view="agenda", stream=stream, atLeast=client.head())
    return reply["rows"] if reply["ok"] else []
