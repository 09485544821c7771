"""What clients ask of a mailbox, and what it does to the model (§3)."""

from mailbox_model import MAILBOX, configure_swipe, title
from model_run import Refused, outcome, refuse
from swipe_model import (
    DIRECTIONS, choice, press_outcome, random_gesture, random_press, random_side, swipe_outcome)
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
    """Does what an action does to a mail; a sheet's choices instead for `more`."""
    toggles = {
        "toggle-read": ["mark-read", "mark-unread"][model.mails[mail].read],
        "toggle-flag": ["flag", "unflag"][model.mails[mail].flagged]}

    def body(action):
        if action == "more":
            return [
                choice("Trash", "trash", destructive=True),
                choice("Mark as unread", "mark-unread"), choice("Mark as read", "mark-read"),
                choice("Flag", "flag")]
        if action != "none":
            model.expect(toggles.get(action, action), {"mail": mail})
        return None
    return body


@MAILBOX.command("swipe", 4, lambda chooser: {"mail": chooser.number(), **random_gesture(chooser)})
def _(model, data):
    [mail] = model.targets_in_sight(data)
    return swipe_outcome(model.swipe, data, title(model.mails[mail]), act(model, mail))


@MAILBOX.command("press", 4, lambda chooser: {"mail": chooser.number(), **random_press(chooser)})
def _(model, data):
    [mail] = model.targets_in_sight(data)
    return press_outcome(model.swipe, data, act(model, mail))


@MAILBOX.command("configure-swipe", 1, lambda chooser: {
    chooser.random.choice(DIRECTIONS): random_side(chooser, ACTIONS)})
def _(model, data):
    configure_swipe(model, data)
    return {}


# Undo


@MAILBOX.command("undo", 8, lambda chooser: {"command": chooser.earlier_command()})
def _(model, data):
    return undo(model, data, "mail", model.mails, {"purged"}, back)


def back(model, step):
    """Leads back from one step, and says whether that changed anything."""
    before = model.facts()
    before = {**before, "order": list(model.order), "mails": dict(model.mails)}
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
    return model.facts() != before
