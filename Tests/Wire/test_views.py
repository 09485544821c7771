"""`query` (§6): the shapes of both views, pages, the trash, and waiting for a position."""

import json

import pytest

from harness import INBOX, MEBIBYTE, mail, page_of

BLUE, ORANGE = "#007AFF", "#FF950D"
DEFAULT_SWIPE = {
    "left-to-right": {
        "buttons": [{"action": "toggle-read", "color": BLUE, "padding": 10, "closes": True}],
        "transition": "rotate-3d", "openThreshold": 0.5, "keepsOpen": True, "bounces": True,
        "bounceRate": 1, "expansion": {"button": 0, "threshold": 2, "fills": False}},
    "right-to-left": {
        "buttons": [
            {"action": "trash", "color": "#FF3B32", "padding": 15, "closes": False},
            {"action": "toggle-flag", "color": ORANGE, "padding": 15, "closes": True},
            {"action": "more", "color": "#C8C8CD", "padding": 15, "closes": False}],
        "transition": "rotate-3d", "openThreshold": 0.5, "keepsOpen": True, "bounces": True,
        "bounceRate": 1, "expansion": {"button": 0, "threshold": 1.1, "fills": True}}}
EMPTY_SIDE = {
    "buttons": [], "transition": "border", "openThreshold": 0.5, "keepsOpen": True,
    "bounces": True, "bounceRate": 1,
    "expansion": {"button": None, "threshold": 1.3, "fills": False}}


def row(number, read=False, flag=False):
    """A mail's row, whole."""
    color = ORANGE if flag else None if read else BLUE
    return {
        "mail": number, "from": f"Sender {number}", "subject": f"Subject {number}",
        "message": f"Text {number}", "date": f"2026-01-01T00:{number:02}:00.000000Z",
        "read": read, "flag": flag, "pinned": False, "muted": False, "labels": [],
        "thread": number, "indicator": {"color": color, "core": BLUE if flag and not read else None},
        "titles": {
            "left-to-right": ["Mark as unread" if read else "Mark as read"],
            "right-to-left": ["Trash", "Unflag" if flag else "Flag", "More"]}}


def test_mailbox(client):
    """The whole view: newest first, all four indicators, titles, swipe settings, counts."""
    client.deliver(4)
    client.done(INBOX, "mark-read", {"mails": [2, 4]})
    client.done(INBOX, "flag", {"mails": [3, 4]})
    assert page_of(client.view()) == {
        "stream": INBOX, "revision": 8, "position": 8,
        "rows": [row(4, True, True), row(3, False, True), row(2, True), row(1)],
        "swipe": DEFAULT_SWIPE,
        "counts": {"total": 4, "unread": 2, "flagged": 2, "trash": 0, "archived": 0,
            "snoozed": 0}, "cursor": None}


def test_trash(client):
    """`in=trash` lists the trash; counts are of both."""
    client.deliver(4)
    client.done(INBOX, "flag", {"mail": 3})
    client.done(INBOX, "trash", {"mails": [2, 3]})
    visible, trash = client.view(), client.view(**{"in": "trash"})
    assert [each["mail"] for each in visible["rows"]] == [4, 1]
    assert sorted(each["mail"] for each in trash["rows"]) == [2, 3]
    counts = {"total": 2, "unread": 2, "flagged": 0, "trash": 2, "archived": 0, "snoozed": 0}
    assert visible["counts"] == trash["counts"] == counts
    client.done(INBOX, "purge", {"mail": 2})
    assert [each["mail"] for each in client.view(**{"in": "trash"})["rows"]] == [3]
    client.done(INBOX, "restore", {"mail": 3})
    view = client.view()
    assert [(each["mail"], each["flag"]) for each in view["rows"]] == [
        (4, False), (3, True), (1, False)]
    assert view["counts"] == {"total": 3, "unread": 3, "flagged": 1, "trash": 0, "archived": 0, "snoozed": 0}


def test_reordered_mailbox(client):
    client.deliver(4)
    client.done(INBOX, "reorder", {"mail": 1, "first": True})
    client.done(INBOX, "reorder", {"mail": 4, "after": 2})
    assert [each["mail"] for each in client.view()["rows"]] == [1, 3, 2, 4]
    client.deliver(first=5)
    assert [each["mail"] for each in client.view()["rows"]] == [5, 1, 3, 2, 4]


def test_configured_swipe(client):
    """A side given replaces the old one whole; titles are computed when asked."""
    client.deliver()
    client.done(INBOX, "configure-swipe", {"left-to-right": {"buttons": [
        {"action": "flag", "titles": {"on": "Starred", "off": "Star"}}, {"action": "none"}]}})
    view = client.view()
    assert view["swipe"]["right-to-left"] == DEFAULT_SWIPE["right-to-left"]
    assert view["swipe"]["left-to-right"] == {**EMPTY_SIDE, "buttons": [
        {"action": "flag", "color": ORANGE, "padding": 10,
         "titles": {"on": "Starred", "off": "Star"}, "closes": True},
        {"action": "none", "color": "#C8C8CD", "padding": 10, "closes": True}]}
    assert view["rows"][0]["titles"]["left-to-right"] == ["Star", ""]
    client.done(INBOX, "flag", {"mail": 1})
    assert client.view()["rows"][0]["titles"]["left-to-right"] == ["Starred", ""]


def test_todo_list(client):
    """Sections in order with their traits and swipe sides, items in order, counts."""
    client.create_list(items=["one", "two", "three"])
    client.done("list/todo", "complete", {"item": 2})
    view = page_of(client.view("list/todo"))
    sections = view.pop("sections")
    assert view == {
        "stream": "list/todo", "revision": 7, "position": 7, "title": "Things",
        "counts": {"open": 2, "completed": 1}, "cursor": None}
    assert [
        {key: section[key] for key in ("section", "header", "footer", "items")}
        for section in sections] == [
        {"section": 1, "header": "To do", "footer": None, "items": [
            {"item": 1, "text": "one", "completed": False},
            {"item": 3, "text": "three", "completed": False}]},
        {"section": 2, "header": "Completed", "footer": None, "items": [
            {"item": 2, "text": "two", "completed": True}]}]
    assert {key: sections[0]["traits"][key] for key in (
        "canAdd", "canComplete", "canDelete", "canReorder", "acceptsMoves")} == dict.fromkeys(
            ("canAdd", "canComplete", "canDelete", "canReorder", "acceptsMoves"), True)
    assert sections[1]["traits"]["canAdd"] is sections[1]["traits"]["canReorder"] is False
    assert [
        [button["action"] for button in section["swipe"]["right-to-left"]["buttons"]]
        for section in sections] == [["delete", "complete"], ["delete", "reopen"]]
    assert sections[0]["swipe"]["left-to-right"] == EMPTY_SIDE


def test_plain_list(client):
    client.create_list("list/cities", "plain", items=["Aarhus", "Bergen", "Cork"])
    client.done("list/cities", "reorder", {"item": 3, "before": 1})
    client.done("list/cities", "edit", {"item": 2, "text": "  Berlin "})
    client.done("list/cities", "complete", {"item": 1})
    section, = client.view("list/cities")["sections"]
    assert section["header"] is section["footer"] is None
    assert section["items"] == [
        {"item": 3, "text": "Cork", "completed": False},
        {"item": 1, "text": "Aarhus", "completed": True},
        {"item": 2, "text": "Berlin", "completed": False}]


def test_text_comes_back_as_it_was_sent(client):
    """Quotes, control characters, NUL, emoji and a preview cut on a character boundary."""
    odd = "\"\\\u0000\u001f\u2028\ufeff é 🙂 \U0010ffff"
    client.done(INBOX, "deliver", {"from": odd, "subject": odd, "message": "🙂" * 129})
    only, = client.view()["rows"]
    assert (only["from"], only["subject"], only["message"]) == (odd, odd, "🙂" * 128)
    client.create_list(items=[odd + "x"])
    assert client.view("list/todo")["sections"][0]["items"][0]["text"] == odd + "x"


def pages(client, op="query", **members):
    """All rows or items, page by page, and the pages' sizes."""
    rows, sizes, cursor = [], [], None
    while True:
        page = client.request(op, **members, **({"cursor": cursor} if cursor else {}))
        new = page.get("rows", [
            item for section in page.get("sections", ()) for item in section["items"]])
        rows += new
        sizes.append(len(new))
        cursor = page["cursor"]
        if cursor is None:
            return rows, sizes


class TestPages:
    def test_mailbox(self, client):
        client.deliver(250)
        everything = list(range(250, 0, -1))
        client.view()
        for limit, sizes in [(100, [100, 100, 50]), (250, [250]), (249, [249, 1]), (1000, [250])]:
            rows, found = pages(client, view="mailbox", stream=INBOX, limit=limit)
            assert ([each["mail"] for each in rows], found) == (everything, sizes)
        assert len(client.view()["rows"]) == 100

    def test_trash(self, client):
        client.deliver(30)
        client.done(INBOX, "trash", {"mails": list(range(1, 26))})
        client.view()
        rows, sizes = pages(client, view="mailbox", stream=INBOX, limit=10, **{"in": "trash"})
        assert sizes == [10, 10, 5]
        assert sorted(each["mail"] for each in rows) == list(range(1, 26))

    def test_list_across_sections(self, client):
        client.create_list(items=[str(number) for number in range(30)])
        client.done("list/todo", "complete", {"items": list(range(1, 30, 2))})
        client.view("list/todo")
        whole, _ = pages(client, view="list", stream="list/todo", limit=1000)
        assert len(whole) == 30
        for limit in (1, 7, 15, 16):
            rows, sizes = pages(client, view="list", stream="list/todo", limit=limit)
            assert rows == whole
            assert max(sizes) == limit

    def test_rows_that_come_meanwhile(self, client):
        """New rows above the cursor neither repeat nor hide what is below it."""
        client.deliver(20)
        first = client.view(limit=10)
        client.deliver(5, first=21)
        client.done(INBOX, "trash", {"mails": [11, 9]})
        second = client.view(limit=100, cursor=first["cursor"])
        assert [each["mail"] for each in first["rows"]] == list(range(20, 10, -1))
        assert [each["mail"] for each in second["rows"]] == [10, 8, 7, 6, 5, 4, 3, 2, 1]

    def test_replies_stay_within_a_frame(self, client):
        """At most 1 MiB goes either way, however long the rows are."""
        client.create_list("list/long", "plain")
        for number in range(40):
            client.done("list/long", "add", {"text": f"{number} " + "x" * 60_000})
        client.view("list/long", limit=1)
        found, cursor = [], None
        while not found or cursor:
            client.send({"op": "query", "id": "q", "view": "list", "stream": "list/long",
                         "limit": 1000, "cursor": cursor})
            frame = client.receive_frames()[-1]
            assert len(frame) <= MEBIBYTE
            page = json.loads(frame)
            found += [item["item"] for item in page["sections"][0]["items"]]
            cursor = page["cursor"]
        assert found == list(range(1, 41))


class TestPositions:
    def test_the_position_that_rows_reflect(self, client):
        """`atLeast` waits for the view; the page says what it reflects."""
        for number in range(1, 200):
            position = client.deliver(first=number)["position"]
            page = client.request(
                "query", view="mailbox", stream=INBOX, atLeast=position, limit=1)
            assert page["position"] >= position
            assert page["rows"][0]["mail"] == number
            assert page["revision"] == number

    def test_other_streams_move_the_position(self, client):
        client.deliver()
        client.deliver(5, stream="mailbox/other")
        view = client.view()
        assert (view["revision"], view["position"]) == (1, 6)

    def test_a_position_to_come(self, client):
        """It waits until the event is there."""
        client.deliver()
        waiting = client.send({
            "op": "query", "view": "mailbox", "stream": INBOX, "atLeast": 3, "timeout": 60_000})
        client.deliver(2, first=2)
        assert client.reply(waiting)["position"] == 3

    def test_timeout(self, client):
        """The code is `timeout`, and the message says where both are."""
        client.deliver()
        error = client.refused(
            "query", view="mailbox", stream=INBOX, atLeast=50, timeout=100)
        assert error["code"] == "timeout"
        assert "50" in error["message"] and " 1" in error["message"]


@pytest.mark.parametrize("members", [
    {"view": "calendar", "stream": INBOX}, {"view": "mailbox", "stream": "mailbox/none"},
    {"view": "list", "stream": "list/none"}])
def test_unknown_view_or_stream(client, members):
    client.deliver()
    assert client.refused("query", **members)["code"] == "not-found"


def test_views_come_back_after_a_restart(service):
    client = service.client()
    client.deliver(20)
    client.create_list(items=["one"])
    client.done(INBOX, "trash", {"mail": 3})
    before = [page_of(client.view(stream)) for stream in (INBOX, "list/todo")]
    client = service.restart().client()
    assert [page_of(client.view(stream)) for stream in (INBOX, "list/todo")] == before


@pytest.mark.parametrize("damage", ["deleted", "scribbled over"])
def test_views_are_disposable(service, damage):
    """§7: deleting or damaging them loses nothing and never stops a start."""
    client = service.client()
    client.deliver(20)
    client.done(INBOX, "mark-read", {"mails": [1, 5]})
    before = page_of(client.view())
    assert service.stop() == 0
    files = [path for path in (service.directory / "data" / "views").rglob("*") if path.is_file()]
    assert files
    for path in files:
        if damage == "deleted":
            path.unlink()
        else:
            path.write_bytes(b"\xa5" * max(4096, path.stat().st_size))
    client = service.start().client()
    assert page_of(client.view()) == before


def test_a_long_mail_keeps_its_fields(client):
    """The optional fields of `deliver` are kept in the event."""
    data = mail(
        1, to=["a@b"], cc=[], messageID="<1@x>", inReplyTo="<0@x>", references=["<0@x>"],
        digest="d", size=12, read=True, flagged=True, answered=True, trashed=True)
    client.done(INBOX, "deliver", data)
    event, = client.events()
    assert event["data"] == {"mail": 1, **data, "date": "2026-01-01T00:01:00.000000Z"}
    view = client.view(**{"in": "trash"})
    assert [(each["read"], each["flag"]) for each in view["rows"]] == [(True, True)]
    assert view["counts"] == {"total": 0, "unread": 0, "flagged": 0, "trash": 1, "archived": 0, "snoozed": 0}
