"""The sample data and what the README shows on it (§8)."""

import json

import pytest

from harness import page_of, wait_until, without

INBOX = "mailbox/inbox"
SENDERS = [
    "Vincent", "Mr Glass", "Marsellus", "Ringo", "Sullivan", "Mr Wolf", "Butch Coolidge", "Marvin",
    "Captain Koons", "Jules", "Jimmie Dimmick"]
SUBJECTS = [
    "You think water moves fast?", "They called me Mr Glass", "The path of the righteous man",
    "Do you see any Teletubbies in here?", "Now that we know who you are",
    "My money's in that office, right?", "Now we took an oath", "That show's called a pilot",
    "I know who I am. I'm not a mistake", "It all makes sense!",
    "The selfish and the tyranny of evil men"]
MESSAGES = [
    "You should see ice. It moves like it has a mind.",
    "And I will strike down upon thee with great vengeance and furious anger.",
    "Look, just because I don't be givin' no man a foot massage don't make it right.",
    "No? Well, that's what you see at a toy store.",
    "In a comic, you know how you can tell who the arch-villain's going to be?"]


@pytest.fixture
def demo(service):
    """A service with the sample data."""
    service.cli("demo")
    return service


def send(service, *arguments, status=0):
    return service.cli_json("send", *arguments, status=status)


def test_demo_twice(service):
    """Loaded twice, it is there once: eleven mails, three lists, one event each but `create`."""
    service.cli("demo")
    client = service.client()
    head = client.head()
    # 11 mails; a to-do list with its two sections and 5 items; ten cities and 30 teams, each in
    # one section.
    assert head == 11 + (3 + 5) + (2 + 10) + (2 + 30)
    events = client.events()
    service.cli("demo")
    assert client.events() == events
    streams = list(dict.fromkeys(event["stream"] for event in events))
    assert streams == [INBOX, "list/todo", "list/cities", "list/teams"]


def test_demo_undoes_nothing(demo):
    """Loaded again, what was done since stays done."""
    send(demo, INBOX, "trash", "mail=4")
    send(demo, "list/todo", "delete", "item=1")
    before = demo.cli("show", INBOX, "--json").stdout
    demo.cli("demo")
    assert demo.cli("show", INBOX, "--json").stdout == before


def test_the_sample_mailbox(demo):
    """Eleven mails, newest first: mail 1 at 11:33, mail 11 at 11:43."""
    view = demo.cli_json("show", INBOX, "--json")
    rows = view["rows"]
    assert [row["mail"] for row in rows] == list(range(11, 0, -1))
    assert [row["from"] for row in rows] == SENDERS
    assert [row["subject"] for row in rows] == SUBJECTS
    assert [row["message"] for row in rows[:5]] == MESSAGES
    assert all(row["message"] for row in rows)
    assert [row["date"][11:16] for row in rows] == [f"11:{minute}" for minute in range(43, 32, -1)]
    assert view["counts"] == {"total": 11, "unread": 11, "flagged": 0, "trash": 0,
        "archived": 0, "snoozed": 0}


def test_the_sample_lists(demo):
    todo, cities, teams = (
        demo.cli_json("show", f"list/{name}", "--json") for name in ("todo", "cities", "teams"))
    assert [len(section["items"]) for section in todo["sections"]] == [5, 0]
    assert [len(view["sections"]) for view in (cities, teams)] == [1, 1]
    assert [view["counts"]["open"] for view in (todo, cities, teams)] == [5, 10, 30]
    names = [item["text"] for item in teams["sections"][0]["items"]]
    assert len(set(names)) == 30 and "Chicago Bulls" in names


def test_show_for_people(demo):
    """A line per mail, newest first, with its number, sender and subject."""
    lines = demo.cli("show", INBOX).stdout.splitlines()
    assert lines[0].startswith("mailbox/inbox")
    assert "11 mails" in lines[0] and "11 unread" in lines[0]
    assert len(lines) == 12
    for line, number, sender, subject in zip(lines[1:], range(11, 0, -1), SENDERS, SUBJECTS):
        assert line.startswith("●")
        assert f" {number} " in line and sender in line and line.endswith(subject)
    assert "\x1b" not in "".join(lines)


def test_swipes(demo):
    """To the right past 2: read. To the right at 2: the button shows. To the left past 1.1:
    trash."""
    toggled = send(
        demo, INBOX, "swipe", "mail=1", "direction=left-to-right", "extent=2.5")
    assert toggled["events"] == 1
    assert (toggled["outcome"]["result"], toggled["outcome"]["action"]) == (
        "triggered", "toggle-read")
    revealed = send(demo, INBOX, "swipe", "mail=2", "direction=left-to-right", "extent=2")
    assert revealed["events"] == 0
    assert [button["title"] for button in revealed["outcome"]["buttons"]] == ["Mark as read"]
    trashed = send(demo, INBOX, "swipe", "mail=3", "direction=right-to-left", "extent=1.2")
    assert (trashed["events"], trashed["outcome"]["action"]) == (1, "trash")
    view = demo.cli_json("show", INBOX, "--json")
    assert view["counts"] == {"total": 10, "unread": 9, "flagged": 0, "trash": 1,
        "archived": 0, "snoozed": 0}
    trash = demo.cli_json("show", INBOX, "--trash", "--json")
    assert [row["mail"] for row in trash["rows"]] == [3]


def test_flag_twice_with_one_id(demo):
    """The second answers the first's receipt and writes nothing."""
    first = send(demo, INBOX, "flag", "mail=3", "--id", "f1")
    again = send(demo, INBOX, "flag", "mail=3", "--id", "f1")
    assert again == {**first, "duplicate": True}
    assert demo.client().head() == first["position"]


def test_reorder_cities(demo):
    before = demo.cli_json("show", "list/cities", "--json")["sections"][0]["items"]
    receipt = send(demo, "list/cities", "reorder", "item=10", "after=1")
    assert receipt["events"] == 1
    after = demo.cli_json("show", "list/cities", "--json")["sections"][0]["items"]
    assert after == [before[0], before[9], *before[1:9]]
    assert send(demo, "list/cities", "reorder", "item=10", "after=1")["events"] == 0
    lines = demo.cli("show", "list/cities").stdout.splitlines()
    assert [line.split("  ")[-1] for line in lines[1:4]] == [
        item["text"] for item in after[:3]]


def test_show_at_a_position(demo):
    """As it was: after eleven events the mailbox is new, whatever was done since."""
    send(demo, INBOX, "trash", "mail=11")
    send(demo, INBOX, "flag", "mail=1")
    then = demo.cli_json("show", INBOX, "--at", 11, "--json")
    assert (then["revision"], then["position"]) == (11, 11)
    assert [row["mail"] for row in then["rows"]] == list(range(11, 0, -1))
    assert not any(row["flag"] for row in then["rows"])
    assert len(demo.cli("show", INBOX, "--at", "5").stdout.splitlines()) == 6
    time = demo.client().events()[10]["time"]
    assert demo.cli_json("show", INBOX, "--at", time, "--json")["counts"]["total"] == 11
    assert demo.cli("show", INBOX, "--at", "3000", status=1).stdout == ""


def test_tail_from_the_start(demo):
    """History first, only the streams asked for; then what comes live."""
    tail = demo.cli_process("tail", "--from", "start", "--stream", "list/")
    history = [json.loads(line) for line in tail.lines.take(52)]
    assert all(event["stream"].startswith("list/") for event in history)
    assert [event["position"] for event in history] == list(range(12, 64))
    send(demo, INBOX, "flag", "mail=1")
    added = send(demo, "list/todo", "add", "text=Sweep")
    event = json.loads(tail.lines.next())
    assert (event["position"], event["type"]) == (added["position"], "item.added")
    assert event["data"]["text"] == "Sweep"


def test_tail_only_new_events(demo):
    """Without `--from` it begins at the head."""
    tail = demo.cli_process("tail", "--type", "mail.flagged", "--type", "mail.read")
    client = demo.client()
    wait_until(lambda: client.request("status")["subscriptions"] == 1, "the tail subscribes")
    for command in ("trash", "flag", "mark-read"):
        send(demo, INBOX, command, "mail=2")
    types = [json.loads(line)["type"] for line in tail.lines.take(2)]
    assert types == ["mail.flagged", "mail.read"]


def test_tail_as_cloudevents(demo):
    """CloudEvents 1.0: the four required attributes, and the event's own."""
    tail = demo.cli_process("tail", "--from", "10", "--cloudevents")
    cloud = json.loads(tail.lines.next())
    event = demo.client().events()[10]
    assert cloud["specversion"] == "1.0"
    assert cloud["id"] == "11" and cloud["source"]
    assert (cloud["type"], cloud["subject"], cloud["time"], cloud["data"]) == (
        event["type"], INBOX, event["time"], event["data"])


def test_tail_goes_on_after_a_restart(demo):
    """While the service is away it waits, and goes on where it was."""
    tail = demo.cli_process("tail", "--from", "62")
    assert json.loads(tail.lines.next())["position"] == 63
    assert demo.stop() == 0
    demo.again().client().deliver(3, first=100)
    assert [json.loads(line)["position"] for line in tail.lines.take(3)] == [64, 65, 66]


def test_replay(demo):
    """Every event once, oldest first, and then it ends: as many lines as the head says."""
    client = demo.client()
    assert demo.replayed() == client.events()
    assert len(demo.replayed()) == client.head() == 63
    assert [event["position"] for event in demo.replayed("--from", 60)] == [61, 62, 63]
    assert len(demo.replayed("--to", 11)) == 11
    assert len(demo.replayed("--from", 5, "--to", 11)) == 6
    assert demo.replayed("--to", 0) == []
    assert len(demo.replayed("--stream", "list/cities")) == 12
    assert len(demo.replayed("--type", "list.created", "--type", "mail.delivered")) == 14
    event = client.events()[20]
    covered = [each for each in client.events() if each["time"] <= event["time"]]
    assert demo.replayed("--to", event["time"]) == covered


def test_query(demo):
    page = demo.cli_json("query", "mailbox", f"stream={INBOX}", "limit=3", "--json")
    assert [row["mail"] for row in page["rows"]] == [11, 10, 9]
    more = demo.cli_json(
        "query", "mailbox", f"stream={INBOX}", f"cursor={page['cursor']}", "--json")
    assert [row["mail"] for row in more["rows"]] == list(range(8, 0, -1))
    waited = demo.cli_json("query", "list", "stream=list/todo", "--at-least", 63, "--json")
    assert waited == page_of(demo.client().view("list/todo"))


def test_show_is_query(demo):
    view = page_of(demo.client().view())
    assert demo.cli_json("show", INBOX, "--json") == view
    assert without(demo.cli_json("show", INBOX, "--at", 63, "--json"), "cursor") == without(
        view, "cursor")


def test_show_more_than_one_page(service):
    """`show` puts all pages together."""
    client = service.client()
    client.deliver(2300)
    client.create_list(items=[str(number) for number in range(5)])
    view = service.cli_json("show", INBOX, "--json")
    assert [row["mail"] for row in view["rows"]] == list(range(2300, 0, -1))
    limited = service.cli_json("show", INBOX, "--limit", 1500, "--json")
    assert len(limited["rows"]) == 1500


def test_rebuild(demo):
    before = demo.cli("show", INBOX, "--json").stdout
    for arguments in ([], ["mailbox"], ["list"]):
        demo.cli("rebuild", *arguments)
    assert demo.cli("show", INBOX, "--json").stdout == before
    assert "there are mailbox, list" in demo.cli("rebuild", "calendar", status=1).stderr


def test_views(demo):
    """`list` has a line per view; `audit` compares all streams with a replay."""
    demo.client().view()
    lines = demo.cli("views", "list").stdout.splitlines()
    assert {line.split()[0] for line in lines} >= {"mailbox", "list"}
    assert all("position 63" in line and "live" in line for line in lines)
    assert demo.cli("views", "audit").stdout.splitlines() == ["4 streams audited, 0 differ"]
    assert demo.cli("views", "audit", INBOX).stdout.splitlines() == ["1 streams audited, 0 differ"]
    demo.cli("views", "retry")


def test_status_and_read(demo):
    assert demo.cli_json("status", "--json")["head"] == 63
    assert "63" in demo.cli("status").stdout
    text = demo.cli("read", INBOX, 11).stdout
    for part in ("Vincent", SUBJECTS[0], MESSAGES[0]):
        assert part in text
    assert demo.cli("read", INBOX, 99, status=1).stdout == ""
