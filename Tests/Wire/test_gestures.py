"""Outcomes of swipe and press over the wire (§3, §5); the rules themselves are unit tested."""

import pytest

from harness import INBOX

TRASH = {"index": 0, "action": "trash", "title": "Trash", "color": "#FF3B32", "padding": 15}
MORE = {"index": 2, "action": "more", "title": "More", "color": "#C8C8CD", "padding": 15}
SHEET = {"result": "sheet", "title": "Actions", "actions": [
    {"title": "Cancel"},
    {"title": "Trash", "command": "trash", "destructive": True},
    {"title": "Mark as unread", "command": "mark-unread"},
    {"title": "Mark as read", "command": "mark-read"},
    {"title": "Flag", "command": "flag"}]}


def flag_button(title):
    return {"index": 1, "action": "toggle-flag", "title": title, "color": "#FF950D", "padding": 15}


@pytest.fixture
def mailbox(client):
    client.deliver(2)
    return client


def swipe(client, direction, extent, mail=1, **more):
    """The outcome, and the types of the events."""
    receipt = client.done(
        INBOX, "swipe", {"mail": mail, "direction": direction, "extent": extent, **more})
    events = client.events()[-receipt["events"]:] if receipt["events"] else []
    return receipt["outcome"], [event["type"] for event in events]


def triggered(direction, button, action, closes):
    return {"result": "triggered", "direction": direction, "button": button, "action": action,
            "closes": closes}


def test_a_long_swipe_to_the_right_toggles_read(mailbox):
    outcome = triggered("left-to-right", 0, "toggle-read", True)
    assert swipe(mailbox, "left-to-right", 2.5) == (outcome, ["mail.read"])
    assert swipe(mailbox, "left-to-right", 2.5) == (outcome, ["mail.unread"])


def test_thresholds_are_strict(mailbox):
    """Exactly at the threshold nothing is triggered: the buttons show."""
    assert swipe(mailbox, "left-to-right", 2) == ({
        "result": "revealed", "direction": "left-to-right", "buttons": [
            {"index": 0, "action": "toggle-read", "title": "Mark as read", "color": "#007AFF",
             "padding": 10}]}, [])
    assert swipe(mailbox, "left-to-right", 2.0001)[1] == ["mail.read"]
    assert swipe(mailbox, "right-to-left", 0.5) == ({"result": "closed"}, [])


def test_a_long_swipe_to_the_left_trashes(mailbox):
    assert swipe(mailbox, "right-to-left", 1.2) == (
        triggered("right-to-left", 0, "trash", False), ["mail.trashed"])


def test_revealed_titles_follow_the_state(mailbox):
    revealed = {"result": "revealed", "direction": "right-to-left"}
    assert swipe(mailbox, "right-to-left", 0.8) == (
        {**revealed, "buttons": [TRASH, flag_button("Flag"), MORE]}, [])
    mailbox.done(INBOX, "flag", {"mail": 1})
    assert swipe(mailbox, "right-to-left", 0.8) == (
        {**revealed, "buttons": [TRASH, flag_button("Unflag"), MORE]}, [])


def test_flings(mailbox):
    """Faster than 100 opens, faster than 100 back closes; exactly 100 is no fling."""
    assert swipe(mailbox, "right-to-left", 0.1, velocity=101)[0]["result"] == "revealed"
    assert swipe(mailbox, "right-to-left", 0.1, velocity=100)[0]["result"] == "closed"
    assert swipe(mailbox, "right-to-left", 0.9, velocity=-100)[0]["result"] == "revealed"
    assert swipe(mailbox, "right-to-left", 0.9, velocity=-101)[0]["result"] == "closed"
    assert swipe(mailbox, "right-to-left", 1.2, velocity=-500)[0]["result"] == "triggered"


def test_press(mailbox):
    data = {"mail": 2, "direction": "right-to-left"}
    receipt = mailbox.done(INBOX, "press", {**data, "button": 1})
    assert receipt["outcome"] == triggered("right-to-left", 1, "toggle-flag", True)
    event = mailbox.events()[-1]
    assert (event["type"], event["data"], event["meta"]["via"]) == (
        "mail.flagged", {"mail": 2}, "press")


def test_more_is_a_sheet(mailbox):
    """It writes nothing; each choice stands for an absolute command."""
    receipt = mailbox.done(
        INBOX, "press", {"mail": 1, "direction": "right-to-left", "button": 2})
    assert (receipt["events"], receipt["outcome"]) == (0, SHEET)


def test_a_side_without_buttons_closes(mailbox):
    mailbox.done(INBOX, "configure-swipe", {"left-to-right": {"buttons": []}})
    assert swipe(mailbox, "left-to-right", 5) == ({"result": "closed"}, [])


def test_a_swipe_sent_again_triggers_once(mailbox):
    """One gesture, one command id, one event."""
    data = {"mail": 1, "direction": "left-to-right", "extent": 3}
    for _ in range(5):
        mailbox.done(INBOX, "swipe", data, id="gesture")
    assert mailbox.head() == 3


def test_a_row_deleted_elsewhere(mailbox):
    """A swipe of a purged mail is `not-found`; its neighbour stays as it is."""
    mailbox.done(INBOX, "trash", {"mail": 1})
    mailbox.done(INBOX, "purge", {"mail": 1})
    error = mailbox.rejected(
        INBOX, "swipe", {"mail": 1, "direction": "right-to-left", "extent": 2})
    assert (error["code"], error["ids"]) == ("not-found", [1])
    assert [row["mail"] for row in mailbox.view()["rows"]] == [2]


def test_list_gestures(client):
    client.create_list(items=["one"])
    stream, data = "list/todo", {"item": 1, "direction": "right-to-left"}
    revealed = client.done(stream, "swipe", {**data, "extent": 1})["outcome"]
    assert [(each["action"], each["title"]) for each in revealed["buttons"]] == [
        ("delete", "Delete"), ("complete", "Complete")]
    pressed = client.done(stream, "press", {**data, "button": 1})
    assert pressed["outcome"] == triggered("right-to-left", 1, "complete", True)
    pressed = client.done(stream, "press", {**data, "button": 1})
    assert pressed["outcome"] == triggered("right-to-left", 1, "reopen", True)
    pressed = client.done(stream, "press", {**data, "button": 0})
    assert pressed["outcome"] == triggered("right-to-left", 0, "delete", False)
    types = [event["type"] for event in client.events()[-3:]]
    assert types == ["item.completed", "item.reopened", "item.deleted"]
