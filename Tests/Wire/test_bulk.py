"""Bulk commands by selection: fixed when decided, one batch, one receipt."""

import pytest

from harness import INBOX, Service, code_of, mail, positions

MANY = 100_000


def deliver_many(client, count):
    """In windows, so that nothing is refused as too much at once."""
    for first in range(1, count + 1, 20_000):
        client.deliver(min(20_000, count + 1 - first), first=first)


@pytest.fixture(params=[65_536, 8 << 20], ids=["small segments", "usual segments"])
def large(request):
    service = Service(segment_bytes=request.param).start()
    deliver_many(service.client(), MANY + 1)
    yield service
    service.close()


def test_a_hundred_thousand_in_one_batch_and_back(large):
    client = large.client()
    before = client.head()
    too_many = client.command(INBOX, "flag", {"all": True})
    assert code_of(too_many) == "too-large" and client.head() == before
    receipt = client.done(INBOX, "flag", {"mails": "2-"}, id="bulk")
    assert receipt["events"] == MANY and receipt["position"] == before + MANY
    outcome = receipt["outcome"]
    assert len(outcome["results"]) == 1000
    assert (outcome["count"], outcome["changed"]) == (MANY, MANY)
    assert client.view(limit=1, timeout=60_000)["counts"]["flagged"] == MANY
    undone = client.done(INBOX, "undo", {"command": "bulk"})
    assert undone["events"] == MANY
    assert client.view(limit=1, timeout=60_000)["counts"]["flagged"] == 0
    large.restart()
    client = large.client()
    assert client.command(INBOX, "flag", {"mails": "2-"}, id="bulk") == {
        **receipt, "duplicate": True}
    assert client.view(limit=1, timeout=60_000)["counts"] == {
        "total": MANY + 1, "unread": MANY + 1, "flagged": 0, "trash": 0, "archived": 0,
        "snoozed": 0}


def test_the_ids_are_those_of_the_decision(client):
    client.deliver(3)
    first = client.send_command(INBOX, "flag", {"all": True}, id="all")
    client.send_command(INBOX, "deliver", mail(4), id="late")
    assert len(client.reply(first)["outcome"]["results"]) == 3
    assert client.reply("late")["ok"]
    # Sent again it is the same command, whatever came in between.
    again = client.command(INBOX, "flag", {"all": True}, id="all")
    assert again["duplicate"] and len(again["outcome"]["results"]) == 3
    assert positions(client.events()) == list(range(1, client.head() + 1))


def test_a_thread(client):
    client.done(INBOX, "deliver", mail(1, subject="Plan", messageID="<1@x>"))
    client.done(INBOX, "deliver", mail(2, subject="Other", messageID="<2@x>"))
    client.done(INBOX, "deliver", mail(
        3, subject="Re: plan", messageID="<3@x>", references=["<1@x>"]))
    receipt = client.done(INBOX, "archive", {"thread": 3})
    assert [entry["mail"] for entry in receipt["outcome"]["results"]] == [1, 3]
    assert [row["mail"] for row in client.view()["rows"]] == [2]


def test_ranges_and_sections_of_a_list(client):
    client.create_list("list/a", "todo", ["a", "b", "c", "d"])
    client.done("list/a", "complete", {"items": "2-3,90-"})
    receipt = client.done("list/a", "delete", {"all": True, "in": 2})
    assert [entry["item"] for entry in receipt["outcome"]["results"]] == [2, 3]
    assert client.done("list/a", "purge", {"items": "7-"})["outcome"] == {"results": []}
    assert code_of(client.command("list/a", "delete", {"all": True, "in": 7})) == "not-found"
