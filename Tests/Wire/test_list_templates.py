"""Lists that begin with another list's sections and items."""

from harness import code_of


def texts(client, stream):
    return [
        [item["text"] for item in section["items"]]
        for section in client.view(stream)["sections"]]


def create(client, stream, template, **more):
    return client.command(stream, "create", {"title": "T", "template": template}, **more)


def test_a_list_begins_with_another_lists_items(client):
    client.create_list("list/packing", "todo", ["socks", "shirt", "map"])
    client.done("list/packing", "complete", {"item": 2})
    receipt = create(client, "list/trip", "list/packing")
    assert receipt["ok"] and receipt["events"] == 6
    assert texts(client, "list/trip") == [["socks", "shirt", "map"], []]
    assert texts(client, "list/packing") == [["socks", "map"], ["shirt"]]
    created = client.events()[-6]
    assert created["data"] == {"title": "T", "template": "list/packing"}


def test_the_same_command_again_is_the_first_receipt_whatever_the_template_has_become(client):
    client.create_list("list/packing", "plain", ["socks"])
    first = create(client, "list/trip", "list/packing", id="make")
    client.done("list/packing", "add", {"text": "more"})
    assert create(client, "list/trip", "list/packing", id="make") == {**first, "duplicate": True}


def test_what_comes_behind_waits_for_it(client):
    client.create_list("list/packing", "plain", [f"item {n}" for n in range(200)])
    for number in range(20):
        stream = f"list/trip-{number}"
        client.send_command(
            stream, "create", {"title": "T", "template": "list/packing"}, id=f"c-{number}")
        for more in range(3):
            client.send_command(stream, "add", {"text": "mine"}, id=f"a-{number}-{more}")
    for number in range(20):
        assert client.reply(f"c-{number}")["events"] == 202
        assert [client.reply(f"a-{number}-{more}")["outcome"]["item"] for more in range(3)] == [
            201, 202, 203]


def test_no_list_of_none(client):
    assert code_of(create(client, "list/trip", "list/nowhere")) == "not-found"
    assert code_of(create(client, "list/trip", "mailbox/inbox")) == "invalid"
    assert code_of(create(client, "list/trip", "list/trip")) == "not-found"
    # The list is not stuck: what follows is decided.
    assert create(client, "list/trip", "plain")["ok"]
    assert code_of(create(client, "list/trip", "list/trip")) == "rejected"


def test_a_template_that_was_not_in_memory(service):
    client = service.client()
    client.create_list("list/packing", "todo", ["socks"])
    service.restart()
    client = service.client()
    assert create(client, "list/trip", "list/packing")["ok"]
    assert texts(client, "list/trip") == [["socks"], []]
