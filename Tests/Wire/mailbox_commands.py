"""What clients ask of a mailbox, and what it does to the model (§3)."""

from mailbox_model import DEFAULT_SWIPE, MAILBOX, set_row, title
from model_run import Refused, outcome, refuse
from swipe_model import (
    expanding, given_sides, press_outcome, random_configuration, random_gesture, random_press, sheet,
    sides, swipe_outcome)
from undo_model import place_between, undo

ACTIONS = [
    "toggle-read", "toggle-flag", "mark-read", "mark-unread", "flag", "unflag", "trash", "archive",
    "more", "none"]
LABELS = ["Work", "home", "$todo"]
PREFIXES = ["", "", "Re: ", "Fwd: re: ", "[team] ", "[team] Re: "]


def mails(chooser):
    return chooser.targets("mail", "mails")


def new_mail(chooser):
    chooser.grow()
    chosen = chooser.random
    data = {
        "from": f"Sender {chosen.randrange(9)}",
        "subject": chosen.choice(PREFIXES) + f"Subject {chosen.randrange(4)}",
        "message": "é\n\"quoted\""}
    if not chooser.chance(3):
        data["messageID"] = f"<{chosen.randrange(200)}@x>"
    if chooser.chance(3):
        data["digest"] = f"{chosen.randrange(3)}"
    if chooser.chance(3):
        data["inReplyTo"] = f"<{chosen.randrange(200)}@x>"
    if chooser.chance(4):
        data["references"] = [f"<{chosen.randrange(200)}@x>" for _ in range(3)]
    if chooser.chance(5):
        data["labels"] = chosen.sample(LABELS, 2)
    for key in ("read", "flagged", "trashed", "archived", "pinned"):
        if chooser.chance(6):
            data[key] = True
    return data


@MAILBOX.command("deliver", 6, new_mail)
def _(model, data):
    known = model.known_mail(data.get("messageID"), data.get("digest"))
    if known:
        return {"mail": known}
    thread = model.thread_for(data)
    if thread is not None:
        data = {**data, "thread": thread}
        if thread in model.muted:
            data["archived"] = True
        elif not data.get("trashed") and not data.get("archived"):
            wake_thread(model, thread)
    return {"mail": model.deliver(data)}


def wake_thread(model, thread):
    """A reply brings those of its thread that sleep to the top of the inbox."""
    for mail in sorted(model.mails):
        state = model.mails[mail]
        if state.thread == thread and state.until and not state.trashed:
            model.set(mail, until=None, archived=False)
            model.move(mail, None)


def all_mails(chooser):
    """Sometimes all, of a box or not."""
    if not chooser.chance(25):
        return mails(chooser)
    return {"all": True, **chooser.random.choice([{}, {"in": "trash"}, {"in": "inbox"}, {"in": "archive"}])}


def change(name, weight, **changes):
    """A command that gives each of its mails one state."""
    # All in the trash would make a dull mailbox.
    @MAILBOX.command(name, weight, mails if name == "trash" else all_mails)
    def _(model, data):
        targets = model.targets(data, **({"boxes": ["trash"]} if name == "restore" else {}))
        changed = [
            mail for mail in targets
            if any(getattr(model.mails[mail], key) != value for key, value in changes.items())]
        for mail in changed:
            model.set(mail, **changes)
        return outcome(data, "mail", targets, changed)


change("mark-read", 2, read=True)
change("mark-unread", 2, read=False)
change("flag", 2, flagged=True)
change("unflag", 2, flagged=False)
change("trash", 3, trashed=True)
change("restore", 3, trashed=False)
# What is put away need not be woken any more.
change("archive", 2, archived=True, until=None)
change("unarchive", 3, archived=False)
change("pin", 2, pinned=True)
change("unpin", 1, pinned=False)
change("unsnooze", 2, until=None)


@MAILBOX.command("snooze", 3, lambda chooser: {
    **mails(chooser), "until": f"20{chooser.random.randint(90, 92)}-01-01T00:00:00.000000Z"})
def _(model, data):
    targets = model.targets_outside_trash(data)
    changed = [mail for mail in targets if model.mails[mail].until != data["until"]]
    for mail in changed:
        model.set(mail, until=data["until"])
    return outcome(data, "mail", targets, changed)


def labeling(name, weight, is_set):
    @MAILBOX.command(name, weight, lambda chooser: {
        **mails(chooser), "label": chooser.random.choice(LABELS)})
    def _(model, data):
        label = data["label"].lower()
        targets = model.targets(data)
        changed = [mail for mail in targets if (label in model.mails[mail].labels) != is_set]
        for mail in changed:
            model.set_label(mail, label, is_set)
        return outcome(data, "mail", targets, changed)


labeling("label", 3, True)
labeling("unlabel", 2, False)


def muting(name, weight, is_muted):
    @MAILBOX.command(name, weight, lambda chooser: {
        chooser.random.choice(["mail", "thread"]): chooser.number()})
    def _(model, data):
        if "mail" in data:
            [mail] = model.targets(data)
            thread = model.mails[mail].thread
        else:
            thread = data["thread"]
            is_there = thread <= model.last_number and model.threads[thread - 1] == thread
            refuse("not-found", [] if is_there else [thread])
        model.set_muted(thread, is_muted)
        return {}


muting("mute", 2, True)
muting("unmute", 2, False)


@MAILBOX.command("configure-retention", 1, lambda chooser: {
    "trash": chooser.random.choice([None, "P30D", "P60D"])})
def _(model, data):
    model.retention = data["trash"]
    return {}


@MAILBOX.command("purge", 1, mails)
def _(model, data):
    targets = model.targets(data, boxes=["trash"])
    refuse("rejected", [mail for mail in targets if not model.mails[mail].trashed])
    for mail in targets:
        model.purge(mail)
    return outcome(data, "mail", targets, targets)


@MAILBOX.command("reorder", 8, lambda chooser: mails(chooser) | chooser.anchor())
def _(model, data):
    targets = model.targets(data, boxes=["inbox"])
    refuse("rejected", [mail for mail in targets if model.box(mail) != "inbox"])
    inbox = [mail for mail in model.order if model.box(mail) == "inbox"]
    anchor = data.get("after", data.get("before"))
    if anchor is not None:
        if anchor > model.last_number or anchor in targets:
            raise Refused("invalid")
        if anchor not in inbox:
            raise Refused("anchor-gone")
    rest = [mail for mail in inbox if mail not in targets]
    if "after" in data:
        above = anchor
    elif "before" in data:
        above = (rest[:rest.index(anchor)] or [None])[-1]
    else:
        above = None if "first" in data else (rest or [None])[-1]
    changed = []
    for mail in [mail for mail in inbox if mail in targets]:
        row = [each for each in model.order if each in inbox]
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
        removes = changed and command in ("trash", "archive")
        return {"command": command, "changed": changed, "removes": removes}
    return body


@MAILBOX.command("swipe", 4, lambda chooser: {"mail": chooser.number(), **random_gesture(chooser)})
def _(model, data):
    [mail] = model.targets_outside_trash(data)
    return swipe_outcome(
        model.settings(mail), data, title(model.mails[mail]), act(model, mail))


@MAILBOX.command("press", 6, lambda chooser: {
    "mail": chooser.number(), **random_press(chooser, ACTIONS)})
def _(model, data):
    [mail] = model.targets_outside_trash(data)
    return press_outcome(model.settings(mail), data, act(model, mail))


PRESETS = {
    "mail": DEFAULT_SWIPE, "off": sides(),
    "read-archive": sides(expanding("toggle-read"), expanding("archive", removing=True)),
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
    elif step.kind == "labeled":
        model.set_label(step.subject, *step.was)
    elif step.kind == "muted":
        model.set_muted(*step.was)
    elif step.kind == "retention":
        model.retention = step.was
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
