"""Outcomes of swipe and press over the wire (§3, §5); the rules themselves are unit tested."""

import pytest

from harness import INBOX

TRASH = {"index": 0, "action": "trash", "title": "Trash", "color": "#FF3B32", "padding": 15,
         "closes": False}
MORE = {"index": 2, "action": "more", "title": "More", "color": "#C8C8CD", "padding": 15,
        "closes": False}
SETTINGS = {"transition": "rotate-3d", "openThreshold": 0.5, "keepsOpen": True, "bounces": True,
            "bounceRate": 1}
SHEET = {"result": "sheet", "title": "Actions", "actions": [
    {"title": "Cancel"},
    {"title": "Trash", "command": "trash", "data": {"mail": 1}, "destructive": True},
    {"title": "Mark as unread", "command": "mark-unread", "data": {"mail": 1}},
    {"title": "Mark as read", "command": "mark-read", "data": {"mail": 1}},
    {"title": "Flag", "command": "flag", "data": {"mail": 1}}]}


def flag_button(title):
    return {"index": 1, "action": "toggle-flag", "title": title, "color": "#FF950D", "padding": 15,
            "closes": True}


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


def triggered(direction, button, action, closes, command=None, **more):
    """Of a button that changed something; without `command` the action is its name."""
    return {"result": "triggered", "direction": direction, "button": button, "action": action,
            "closes": closes, "command": command or action, "changed": True, "removes": False,
            **more}


def test_a_long_swipe_to_the_right_toggles_read(mailbox):
    button = ("left-to-right", 0, "toggle-read", True)
    for command, event in [("mark-read", "mail.read"), ("mark-unread", "mail.unread")]:
        assert swipe(mailbox, "left-to-right", 2.5) == (triggered(*button, command), [event])


def test_thresholds_are_strict(mailbox):
    """Exactly at the threshold nothing is triggered: the buttons show."""
    assert swipe(mailbox, "left-to-right", 2) == ({
        "result": "revealed", "direction": "left-to-right", "buttons": [
            {"index": 0, "action": "toggle-read", "title": "Mark as read", "color": "#007AFF",
             "padding": 10, "closes": True}], **SETTINGS,
        "expansion": {"button": 0, "threshold": 2, "fills": False}}, [])
    assert swipe(mailbox, "left-to-right", 2.0001)[1] == ["mail.read"]
    assert swipe(mailbox, "right-to-left", 0.5) == ({"result": "closed"}, [])


def test_a_long_swipe_to_the_left_trashes(mailbox):
    assert swipe(mailbox, "right-to-left", 1.2) == (
        triggered("right-to-left", 0, "trash", False, removes=True), ["mail.trashed"])


def test_revealed_titles_follow_the_state(mailbox):
    revealed = {"result": "revealed", "direction": "right-to-left", **SETTINGS,
                "expansion": {"button": 0, "threshold": 1.1, "fills": True}}
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
    assert receipt["outcome"] == triggered("right-to-left", 1, "toggle-flag", True, "flag")
    event = mailbox.events()[-1]
    assert (event["type"], event["data"], event["meta"]["via"]) == (
        "mail.flagged", {"mail": 2}, "press")


def test_more_is_a_sheet(mailbox):
    """It writes nothing; each choice stands for an absolute command."""
    receipt = mailbox.done(
        INBOX, "press", {"mail": 1, "direction": "right-to-left", "button": 2})
    assert (receipt["events"], receipt["outcome"]) == (0, SHEET)
    for action in SHEET["actions"][1:]:
        mailbox.done(INBOX, action["command"], action["data"])
    types = [event["type"] for event in mailbox.events()[2:]]
    assert types == ["mail.trashed", "mail.read", "mail.flagged"]


def test_a_press_may_name_the_action_that_it_means(mailbox):
    data = {"mail": 1, "direction": "right-to-left", "button": 1}
    mailbox.done(INBOX, "configure-swipe", {"right-to-left": {"buttons": [{"action": "more"}, {
        "action": "trash"}]}})
    error = mailbox.rejected(INBOX, "press", {**data, "action": "toggle-flag"})
    assert (error["code"], error["message"]) == (
        "rejected", "button 1 of 'right-to-left' is not 'toggle-flag' now: its buttons are "
        "0 'more', 1 'trash'")
    assert mailbox.done(INBOX, "press", {**data, "action": "trash"})["events"] == 1


@pytest.mark.parametrize("preset", ["mail", "read-archive", "selection", "destructive", "off"])
def test_presets(mailbox, preset):
    """The event, and so the view, has the sides in full; whoever follows needs no presets."""
    if preset == "mail":
        mailbox.done(INBOX, "configure-swipe", {"preset": "off"})
    mailbox.done(INBOX, "configure-swipe", {"preset": preset})
    event = mailbox.events()[-1]
    assert (event["type"], event["data"]) == ("mailbox.swipe-configured", mailbox.view()["swipe"])
    error = mailbox.rejected(INBOX, "configure-swipe", {"preset": "todo"})
    assert (error["code"], error["message"]) == (
        "invalid", "'preset' must be one of those for mails: 'mail', 'read-archive', "
        "'selection', 'destructive', 'off'")


def test_a_mail_of_its_own(mailbox):
    """One mail's settings override the mailbox's, in swipes and in the view."""
    mailbox.done(INBOX, "configure-swipe", {"mail": 1, "right-to-left": {
        "buttons": [{"action": "flag"}], "expansion": {"button": 0}}})
    usual, own = mailbox.view()["swipe"], mailbox.view()["rows"][1]["swipe"]
    assert own["left-to-right"] == usual["left-to-right"]
    assert [each["action"] for each in own["right-to-left"]["buttons"]] == ["flag"]
    assert mailbox.view()["rows"][1]["titles"]["right-to-left"] == ["Flag"]
    assert "swipe" not in mailbox.view()["rows"][0]
    assert swipe(mailbox, "right-to-left", 2)[1] == ["mail.flagged"]
    mailbox.done(INBOX, "configure-swipe", {"mail": 1, "preset": "off"})
    assert swipe(mailbox, "right-to-left", 2) == ({"result": "closed"}, [])
    mailbox.done(INBOX, "configure-swipe", {"mail": 1, "clear": True})
    assert mailbox.view()["rows"][1]["titles"]["right-to-left"] == ["Trash", "Unflag", "More"]
    assert swipe(mailbox, "right-to-left", 2)[1] == ["mail.trashed"]
    types = [event["type"] for event in mailbox.events()]
    assert types.count("mail.swipe-configured") == 2 and types.count("mail.swipe-cleared") == 1


def test_an_item_of_its_own(client):
    client.create_list(items=["one", "two"])
    client.done("list/todo", "configure-swipe", {"item": 1, "preset": "destructive"})
    client.done("list/todo", "complete", {"item": 1})
    row = client.view("list/todo")["sections"][1]["items"][0]
    assert [each["action"] for each in row["swipe"]["right-to-left"]["buttons"]] == ["delete"]
    swiped = client.done("list/todo", "swipe", {
        "item": 1, "direction": "right-to-left", "extent": 1.31})
    assert swiped["outcome"] == triggered("right-to-left", 0, "delete", False, removes=True)


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
    assert pressed["outcome"] == triggered("right-to-left", 1, "complete", True, section=2, after=None)
    pressed = client.done(stream, "press", {**data, "button": 1})
    assert pressed["outcome"] == triggered("right-to-left", 1, "reopen", True, section=1, after=None)
    pressed = client.done(stream, "press", {**data, "button": 0})
    assert pressed["outcome"] == triggered("right-to-left", 0, "delete", False, removes=True)
    types = [event["type"] for event in client.events()[-3:]]
    assert types == ["item.completed", "item.reopened", "item.deleted"]
