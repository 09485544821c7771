"""`purge` with `erase`: the text goes from every file, and everything else stays."""

import os
import random
import time

from harness import INBOX, page_of, wait_until

SECRET = "Xylophonium"


def secret_mail(number, **more):
    return {
        "from": f"{SECRET} From {number} <a@{SECRET}.example>",
        "subject": f"{SECRET} subject {number}",
        "message": f"{SECRET} text \n\"quoted\" {number}",
        "date": "2026-11-30T10:00:00Z",
        "to": [f"{SECRET}-to@example.com"], "cc": [f"{SECRET}-cc@example.com"],
        "messageID": f"<{SECRET}-{number}@example.com>", "inReplyTo": f"<{SECRET}-0@example.com>",
        "references": [f"<{SECRET}-r@example.com>"], "digest": f"{SECRET}-digest-{number}",
        "size": 4711 + number, **more}


def plain_mail(number):
    return {"from": f"Plain {number}", "subject": "stays", "message": "also stays",
            "messageID": f"<plain-{number}@example.com>"}


def files_with(directory, text):
    """The files under `directory` that hold `text` anywhere."""
    found = []
    for root, _, names in os.walk(directory):
        for name in names:
            path = os.path.join(root, name)
            with open(path, "rb") as file:
                if text.encode() in file.read():
                    found.append(os.path.relpath(path, directory))
    return found


def wait_until_erased(client):
    """Until everything that was asked for by now is erased."""
    head = client.head()

    def is_done():
        erasures = client.request("status")["erasures"]
        assert erasures["error"] is None, erasures
        return erasures["position"] >= head and erasures["pending"] == 0

    wait_until(is_done, "the erasure")


def fill(client, mails=8):
    """Secret and plain mails, and a list with a secret item; gives the secret mails' numbers."""
    secret = []
    for number in range(mails):
        client.done(INBOX, "deliver", plain_mail(number))
        outcome = client.done(
            INBOX, "deliver", secret_mail(number), id=f"deliver-{number}")["outcome"]
        secret.append(outcome["mail"])
    client.create_list(items=["one", f"{SECRET} two", "three"])
    client.done("list/todo", "edit", {"item": 1, "text": f"{SECRET} edited"})
    client.done("list/todo", "edit", {"item": 1, "text": f"{SECRET} edited again"})
    client.done("list/todo", "delete", {"items": [1, 2]})
    client.done(INBOX, "trash", {"mails": secret})
    return secret


def test_nothing_is_left(new_service):
    service = new_service(segment_bytes=65536).start()
    client = service.client()
    secret = fill(client)
    wait_until(lambda: client.view(INBOX)["counts"]["trash"] == len(secret), "the view")
    before = service.replayed()
    assert any(name.startswith("views/") for name in files_with(service.data_directory, SECRET))
    client.done(INBOX, "purge", {"mails": secret, "erase": True})
    client.done("list/todo", "purge", {"item": 1, "erase": True})
    client.done("list/todo", "purge", {"item": 2, "erase": True})
    wait_until_erased(client)
    assert files_with(service.data_directory, SECRET) == []
    check_log(before, service.replayed(), secret)
    check_record(service, secret)
    check_deliver(client, secret)
    service.restart()
    assert files_with(service.data_directory, SECRET) == []
    check_deliver(service.client(), secret)
    assert page_of(service.client().view(INBOX)) == page_of(
        service.client().request("state", stream=INBOX))


def check_log(before, after, secret):
    """Erased events keep their place, and the others every byte."""
    for old, new in zip(before, after):
        data = old["data"]
        is_erased = (
            old["type"] == "mail.delivered" and data["mail"] in secret
            or old["type"] in ("item.added", "item.edited") and data["item"] in (1, 2))
        if not is_erased:
            assert old == new
            continue
        assert {key: old[key] for key in old if key not in ("data", "meta")} == {
            key: new[key] for key in new if key not in ("data", "meta")}
        if old["type"] == "mail.delivered":
            assert new["data"] == {
                "mail": old["data"]["mail"], "from": "", "subject": "", "message": ""}
        else:
            assert new["data"] == old["data"] | {"text": ""}
        assert new["meta"]["hash"] == "0" * 16
        assert new["meta"] | {"hash": old["meta"]["hash"]} == old["meta"]


def check_record(service, secret):
    records = service.replayed("--stream", "system/erasures")
    assert {record["type"] for record in records} == {"erasure.completed"}
    mails = [mail for record in records for mail in record["data"].get("mails", [])]
    items = [item for record in records for item in record["data"].get("items", [])]
    assert sorted(mails) == sorted(secret) and sorted(items) == [1, 2]
    erased = {position for record in records for position in record["data"]["positions"]}
    assert erased == {
        event["position"] for event in service.replayed()
        if event["meta"].get("hash") == "0" * 16}


def check_deliver(client, secret):
    """Erased mail is still known, by its id and by its command."""
    for number, mail in enumerate(secret):
        again = client.done(INBOX, "deliver", secret_mail(number))
        assert (again["outcome"], again["events"]) == ({"mail": mail}, 0)
        duplicate = client.done(INBOX, "deliver", secret_mail(number), id=f"deliver-{number}")
        assert duplicate["duplicate"] is True and duplicate["outcome"] == {"mail": mail}


def test_time_travel_shows_empty_texts(service, client):
    secret = fill(client, mails=2)
    position = client.head()
    client.done(INBOX, "purge", {"mails": secret, "erase": True})
    wait_until_erased(client)
    rows = client.request("state", stream=INBOX, at=position, **{"in": "trash"})["rows"]
    assert [(row["mail"], row["from"], row["subject"], row["message"], row["date"])
            for row in rows] == [(mail, "", "", "", None) for mail in reversed(secret)]


def test_purged_mail_can_be_erased_later(service, client):
    secret = fill(client, mails=2)
    client.done(INBOX, "purge", {"mails": secret})
    assert files_with(service.data_directory, SECRET) != []
    receipt = client.done(INBOX, "purge", {"mails": secret, "erase": True})
    assert receipt["events"] == 2
    client.done("list/todo", "purge", {"items": [1, 2], "erase": True})
    wait_until_erased(client)
    assert files_with(service.data_directory, SECRET) == []
    assert client.done(INBOX, "purge", {"mail": secret[0], "erase": True})["events"] == 0


def test_erasing_thousands(new_service):
    """Rows of several mailboxes side by side, so that SQLite has split pages and moved rows."""
    service = new_service(segment_bytes=1 << 20).start()
    client = service.client()
    streams = [f"mailbox/{number}" for number in range(4)]
    chance = random.Random(7)
    waiting = []
    for number in range(6000):
        data = secret_mail(number) if chance.random() < 0.4 else plain_mail(number)
        data["message"] += data["subject"] * chance.randrange(20)
        waiting.append(client.send_command(chance.choice(streams), "deliver", data))
    for request in waiting:
        assert client.reply(request)["ok"]
    secret = {stream: [] for stream in streams}
    for event in service.replayed():
        if SECRET in event["data"]["subject"]:
            secret[event["stream"]].append(event["data"]["mail"])
    for stream in streams:
        client.done(stream, "trash", {"mails": secret[stream]})
        client.done(stream, "purge", {"mails": secret[stream], "erase": True})
    wait_until_erased(client)
    assert files_with(service.data_directory, SECRET) == []
    assert client.request("rebuild")["ok"]
    assert files_with(service.data_directory, SECRET) == []


def test_kill_in_the_middle(new_service):
    """kill −9 at any moment of an erasure; each start goes on, and in the end all is done."""
    service = new_service(segment_bytes=65536).start()
    client = service.client()
    secret = fill(client, mails=300)
    before = service.replayed()
    client.done("list/todo", "purge", {"items": [1, 2], "erase": True})
    seed = int(os.environ.get("SWIPESTREAM_SEED", random.randrange(1 << 30)))
    print("seed", seed)
    chance = random.Random(seed)
    for part in range(10):
        client.done(INBOX, "purge", {"mails": secret[part::10], "erase": True})
        time.sleep(chance.random() * 0.3)
        service.kill()
        service.start()
        client = service.client()
    wait_until_erased(client)
    assert files_with(service.data_directory, SECRET) == []
    check_log(before, service.replayed(), secret)
    check_record(service, secret)
    check_deliver(client, secret[:20])


def test_an_items_text_leaves_the_snapshot(new_service):
    service = new_service().start()
    client = service.client()
    client.create_list(items=[f"{SECRET} one", "two"])
    for number in range(150):
        client.done("list/todo", "edit", {"item": 2, "text": f"two, {number}"})
    # Who replays so many events leaves a snapshot.
    service.restart()
    client = service.client()
    client.done("list/todo", "delete", {"item": 1})

    def in_snapshots():
        return [name for name in files_with(service.data_directory, SECRET)
                if name.startswith("snapshots/")]

    wait_until(in_snapshots, "the snapshot")
    client.done("list/todo", "purge", {"item": 1, "erase": True})
    wait_until_erased(client)
    assert files_with(service.data_directory, SECRET) == []
    before = page_of(client.view("list/todo"))
    service.restart()
    assert page_of(service.client().view("list/todo")) == before
    service.client().done("list/todo", "add", {"text": "three"})
    assert files_with(service.data_directory, SECRET) == []
