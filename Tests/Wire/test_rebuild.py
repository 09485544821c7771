"""Views rebuilt while serving (§8, promise 7): the old version answers until the swap."""

from harness import INBOX, Toggler, page_of, wait_until, without


def views(client):
    return {view["name"]: view for view in client.request("status")["views"]}


def test_the_same_before_and_after(service, client):
    """A rebuilt view is the view, and nothing is written to the log."""
    client.deliver(300)
    client.done(INBOX, "trash", {"mails": list(range(1, 50))})
    client.done(INBOX, "reorder", {"mail": 60, "first": True})
    client.create_list(items=["one", "two"])
    before = {stream: page_of(client.view(stream, limit=1000)) for stream in (INBOX, "list/todo")}
    head = client.head()
    for members in ({"view": "mailbox"}, {"view": "list"}, {}):
        client.request("rebuild", **members)
        for stream, view in before.items():
            assert page_of(client.view(stream, limit=1000)) == view
    assert client.head() == head
    assert all(
        (view["state"], view["position"]) == ("live", head) for view in views(client).values())


def test_queries_are_answered_meanwhile(service):
    """Queries and commands go on during a rebuild, and what is written then is in the new view."""
    client = service.client()
    client.fill(40_000)
    client.view()
    other = service.client()
    rebuilding = client.send({"op": "rebuild"})
    answers = 0
    while client.is_silent(0):
        position = other.deliver(first=answers)["position"]
        page = other.request("query", view="mailbox", stream=INBOX, atLeast=position, limit=1)
        assert page["rows"][0]["subject"] == f"Subject {answers}"
        answers += 1
    assert client.reply(rebuilding)["ok"]
    assert answers > 0
    assert client.view(limit=1)["counts"]["total"] == 1000 + answers
    view, state = client.view(limit=1000), client.request("state", stream=INBOX, limit=1000)
    assert without(view, "id", "cursor") == without(state, "id", "cursor")


def test_rebuilds_under_load(service):
    """Rebuilding again and again while writers write ends with views that equal a replay."""
    writers = [Toggler(service, f"mailbox/{name}", window=20, bulk=5) for name in "ab"]
    for writer in writers:
        writer.start()
    client = service.client()
    for _ in range(5):
        client.request("rebuild")
    for writer in writers:
        writer.finish()
    for writer in writers:
        view = page_of(client.view(writer.stream))
        assert view == page_of(client.request("state", stream=writer.stream))
    assert service.cli("views", "audit").stdout.splitlines()[-1] == "2 streams audited, 0 differ"


def test_an_unknown_view(client):
    assert client.refused("rebuild", view="calendar")["code"] == "not-found"


def test_only_one_version_stays(service, client):
    """Files of replaced versions go away."""
    client.deliver(10)
    folder = service.directory / "data" / "views"
    client.view()
    def count():
        return len([path for path in folder.rglob("*") if path.suffix in ("", ".sqlite", ".db")
                    and path.is_file()])
    before = count()
    for _ in range(3):
        client.request("rebuild")
    wait_until(lambda: count() <= before, "old versions are removed")
