"""What clients ask of a mailbox, and what it does to the model (§3)."""

from mailbox_model import DEFAULT_SWIPE, MAILBOX, set_row, title
from model_run import Refused, outcome, refuse
from swipe_model import (
    expanding, given_sides, press_outcome, random_configuration, random_gesture, random_press, sheet,
    sides, swipe_outcome)
from undo_model import place_between, undo

ACTIONS = [
    "toggle-read", "toggle-flag", "mark-read", "mark-unread", "flag", "unflag", "trash", "more",
    "none"]


def mails(chooser):
    return chooser.targets("mail", "mails")


def new_mail(chooser):
    chooser.grow()
    chosen = chooser.random
    data = {
        "from": f"Sender {chosen.randrange(9)}", "subject": f"Subject {chosen.randrange(9)}",
        "message": "é\n\"quoted\""}
    if not chooser.chance(3):
        data["messageID"] = f"<{chosen.randrange(200)}@x>"
    if chooser.chance(3):
        data["digest"] = f"{chosen.randrange(3)}"
    for key in ("read", "flagged", "trashed"):
        if chooser.chance(5):
            data[key] = True
    return data


@MAILBOX.command("deliver", 6, new_mail)
def _(model, data):
    known = model.known_mail(data.get("messageID"), data.get("digest"))
    return {"mail": known or model.deliver(data)}


def all_mails(chooser):
    """Sometimes all, of a box or not."""
    if not chooser.chance(25):
        return mails(chooser)
    return {"all": True, **chooser.random.choice([{}, {"in": "trash"}, {"in": "inbox"}])}


def change(name, weight, **changes):
    """A command that gives each of its mails one state."""
    # All in the trash would make a dull mailbox.
    @MAILBOX.command(name, weight, mails if name == "trash" else all_mails)
    def _(model, data):
        targets = model.targets(data, trashed=name == "restore")
        [(key, value)] = changes.items()
        changed = [mail for mail in targets if getattr(model.mails[mail], key) != value]
        for mail in changed:
            model.set(mail, **changes)
        return outcome(data, "mail", targets, changed)


change("mark-read", 2, read=True)
change("mark-unread", 2, read=False)
change("flag", 2, flagged=True)
change("unflag", 2, flagged=False)
change("trash", 3, trashed=True)
change("restore", 3, trashed=False)


@MAILBOX.command("purge", 1, mails)
def _(model, data):
    targets = model.targets(data, trashed=True)
    refuse("rejected", [mail for mail in targets if not model.mails[mail].trashed])
    for mail in targets:
        model.purge(mail)
    return outcome(data, "mail", targets, targets)


@MAILBOX.command("reorder", 8, lambda chooser: mails(chooser) | chooser.anchor())
def _(model, data):
    targets = model.targets_in_sight(data)
    anchor = data.get("after", data.get("before"))
    if anchor is not None:
        if anchor > model.last_number or anchor in targets:
            raise Refused("invalid")
        if anchor not in model.mails or model.mails[anchor].trashed:
            raise Refused("anchor-gone")
    inbox = [mail for mail in model.order if not model.mails[mail].trashed]
    rest = [mail for mail in inbox if mail not in targets]
    if "after" in data:
        above = anchor
    elif "before" in data:
        above = (rest[:rest.index(anchor)] or [None])[-1]
    else:
        above = None if "first" in data else (rest or [None])[-1]
    changed = []
    for mail in [mail for mail in inbox if mail in targets]:
        row = [each for each in model.order if not model.mails[each].trashed]
        index = 0 if above is None else row.index(above) + 1
        if row[index:index + 1] != [mail]:
            model.move(mail, above)
            changed.append(mail)
        above = mail
    return outcome(data, "mail", targets, changed)


# Gestures


def act(model, mail):
    """Does what an action does to a mail, and tells what it was; `more` has a sheet's choices."""
    def body(action):
        before = model.mails[mail]
        if action == "more":
            return sheet(
                {"mail": mail}, ("Trash", "trash", {"destructive": True}),
                ("Mark as unread", "mark-unread", {}), ("Mark as read", "mark-read", {}),
                ("Flag", "flag", {}))
        if action == "none":
            return {"changed": False, "removes": False}
        command = {
            "toggle-read": ["mark-read", "mark-unread"][before.read],
            "toggle-flag": ["flag", "unflag"][before.flagged]}.get(action, action)
        model.expect(command, {"mail": mail})
        changed = model.mails[mail] != before
        return {"command": command, "changed": changed, "removes": changed and command == "trash"}
    return body


@MAILBOX.command("swipe", 4, lambda chooser: {"mail": chooser.number(), **random_gesture(chooser)})
def _(model, data):
    [mail] = model.targets_in_sight(data)
    return swipe_outcome(
        model.settings(mail), data, title(model.mails[mail]), act(model, mail))


@MAILBOX.command("press", 6, lambda chooser: {
    "mail": chooser.number(), **random_press(chooser, ACTIONS)})
def _(model, data):
    [mail] = model.targets_in_sight(data)
    return press_outcome(model.settings(mail), data, act(model, mail))


PRESETS = {
    "mail": DEFAULT_SWIPE, "off": sides(),
    "selection": sides(expanding("toggle-read"), expanding("toggle-flag")),
    "destructive": sides(right=expanding("trash", removing=True))}


def configuration(chooser):
    """Of all rows, or of one."""
    row = {} if chooser.chance(3) else {"mail": chooser.number()}
    return row | random_configuration(chooser, ACTIONS, list(PRESETS), rows=row)


@MAILBOX.command("configure-swipe", 3, configuration)
def _(model, data):
    mail = data.get("mail")
    own = PRESETS[data["preset"]] if "preset" in data else given_sides(data)
    if mail is None:
        model.swipe.update(own)
        return {}
    model.targets({"mail": mail})
    set_row(model, mail, {} if "clear" in data else {**model.overrides.get(mail, {}), **own})
    return {}


# Undo


@MAILBOX.command("undo", 8, lambda chooser: {"command": chooser.earlier_command()})
def _(model, data):
    return undo(model, data, "mail", model.mails, {"purged"}, back)


def back(model, step):
    """Leads back from one step, and says whether that changed anything."""
    before = model.copy().facts()
    if step.kind == "marked":
        key, value = step.was
        model.set(step.subject, **{key: value})
    elif step.kind == "delivered":
        model.set(step.subject, trashed=True)
    elif step.kind == "moved":
        model.order.remove(step.subject)
        model.order.insert(place_between(model.order, *step.was), step.subject)
    elif step.kind == "configured":
        model.swipe.update(step.was)
    elif step.kind == "row configured":
        set_row(model, step.subject, step.was)
    return model.facts() != before
