"""A mailbox as anyone would write it first: an array of mails (§3)."""

import re
from collections import namedtuple

from model_run import Model, Vocabulary, refuse, selected
from swipe_model import DIRECTIONS, given_sides, side
from undo_model import Journal, Step, neighbours

MAILBOX = Vocabulary()
BLUE, ORANGE = "#007AFF", "#FF950D"

DEFAULT_SWIPE = {
    "left-to-right": side(
        [{"action": "toggle-read", "color": BLUE}], transition="rotate-3d",
        expansion={"button": 0, "threshold": 2}),
    "right-to-left": side(
        [{"action": "trash", "color": "#FF3B32", "padding": 15, "closes": False},
         {"action": "toggle-flag", "color": ORANGE, "padding": 15},
         {"action": "more", "color": "#C8C8CD", "padding": 15, "closes": False}],
        transition="rotate-3d", expansion={"button": 0, "threshold": 1.1, "fills": True})}

Mail = namedtuple("Mail", "read flagged trashed archived pinned labels until thread content")
# By what a mail is found to belong to a thread: message ids, its own among them, and the subject.
Link = namedtuple("Link", "ids subject")


def base_subject(subject):
    """A subject without what answers, forwards and lists put around it (RFC 8621 section 3)."""
    text = re.sub(r"\s", "", subject.lower())
    text = re.sub(r"(\(fwd\))+$", "", text)
    return re.sub(r"^((\[[^][]*\])*(re|fwd?):|\[[^][]*\](?=.))*", "", text)


class MailboxModel(Model):
    vocabulary = MAILBOX
    VIEWS = [
        {}, {"in": "trash"}, {"in": "archive"}, {"in": "snoozed"}, {"in": "all"},
        {"in": "all", "label": "Work"}, {"in": "all", "thread": 1}]

    def __init__(self):
        # All mails but purged ones, top first: who is in the trash keeps a place there.
        self.order, self.mails = [], {}
        # What each mail is known by, purged or not, in the order in which they came.
        self.known = []
        self.swipe = dict(DEFAULT_SWIPE)
        # What each mail is linked by, and the thread that it is in, in the order in which they came.
        self.links, self.threads = [], []
        self.muted, self.retention = frozenset(), None
        # The sides that single mails have of their own.
        self.overrides = {}
        self.journal = Journal()

    def copy(self):
        other = MailboxModel.__new__(MailboxModel)
        other.__dict__.update(
            self.__dict__, order=list(self.order), mails=dict(self.mails), known=list(self.known),
            links=list(self.links), threads=list(self.threads), swipe=dict(self.swipe),
            overrides=dict(self.overrides))
        return other

    def facts(self):
        return {**vars(self), "journal": None}

    def box(self, mail):
        """Where the mail is: in exactly one of them."""
        state = self.mails[mail]
        if state.trashed:
            return "trash"
        return "snoozed" if state.until else "archive" if state.archived else "inbox"

    def page(self, view):
        assert sorted(self.order) == sorted(self.mails), "every mail is in exactly one place"
        boxes = {mail: self.box(mail) for mail in self.order}
        inbox = [self.mails[mail] for mail in self.order if boxes[mail] == "inbox"]
        counts = {
            "total": len(inbox), "unread": sum(not mail.read for mail in inbox),
            "flagged": sum(mail.flagged for mail in inbox),
            **{name: sum(box == of for box in boxes.values()) for name, of in [
                ("trash", "trash"), ("archived", "archive"), ("snoozed", "snoozed")]}}
        box = view.get("in", "inbox")
        rows = [
            mail for mail in self.order
            if box in ("all", boxes[mail])
            and view.get("label", "").lower() in ("", *self.mails[mail].labels)
            and view.get("thread", self.mails[mail].thread) == self.mails[mail].thread]
        # Pinned ones first.
        rows.sort(key=lambda mail: not self.mails[mail].pinned)
        shown = [
            self._row(mail) | ({} if box == "inbox" else self._where(mail)) for mail in rows]
        return {"rows": shown, "swipe": self.swipe, "counts": counts}

    def _where(self, mail):
        until = self.mails[mail].until
        return {"in": self.box(mail), **({"until": until} if until else {})}

    def _row(self, number):
        mail = self.mails[number]
        color = ORANGE if mail.flagged else None if mail.read else BLUE
        swipe = self.settings(number)
        own = {"swipe": swipe} if number in self.overrides else {}
        return {
            "mail": number, **own, **mail.content, "read": mail.read, "flag": mail.flagged,
            "pinned": mail.pinned, "muted": mail.thread in self.muted,
            "labels": sorted(mail.labels), "thread": mail.thread,
            "indicator": {"color": color, "core": BLUE if mail.flagged and not mail.read else None},
            "titles": {
                direction: [title(mail)(button) for button in swipe[direction]["buttons"]]
                for direction in DIRECTIONS}}

    # What commands need

    @property
    def last_number(self):
        return len(self.known)

    def known_mail(self, message_id, digest):
        """The oldest mail that has this message id, or this digest where both have only that."""
        for number, (known_id, known_digest) in enumerate(self.known, start=1):
            agrees = None in (digest, known_digest) or digest == known_digest
            if message_id is not None and known_id == message_id and agrees:
                return number
            if message_id is None and known_id is None and digest is not None \
                    and digest == known_digest:
                return number
        return None

    def targets(self, data, boxes=("inbox", "archive", "snoozed")):
        """The distinct mails of a command, which must all be there.

        `boxes` are those that a selection is meant for.
        """
        chosen = selected(data, "mails", [
            mail for mail in self.mails
            if self.box(mail) in ([data["in"]] if "in" in data else boxes)])
        if chosen:
            return chosen
        mails = list(dict.fromkeys(data["mails"])) if "mails" in data else [data["mail"]]
        refuse("not-found", [mail for mail in mails if mail not in self.mails])
        return mails

    def targets_outside_trash(self, data):
        mails = self.targets(data)
        refuse("rejected", [mail for mail in mails if self.mails[mail].trashed])
        return mails

    def thread_for(self, data):
        """The thread that a mail with this content joins; None where it begins its own."""
        link = self.link(data)
        joined = [
            thread for other, thread in zip(self.links, self.threads)
            if other.subject == link.subject and other.ids & link.ids]
        return min(joined, default=None)

    @staticmethod
    def link(data):
        ids = {data.get("messageID"), data.get("inReplyTo"), *data.get("references", [])} - {None}
        return Link(ids, base_subject(data["subject"]))

    def set(self, mail, **changes):
        self.mails[mail] = self.mails[mail]._replace(**changes)

    def move(self, mail, after):
        self.order.remove(mail)
        self.order.insert(0 if after is None else self.order.index(after) + 1, mail)

    def set_label(self, mail, label, is_set):
        labels = self.mails[mail].labels
        self.set(mail, labels=labels | {label} if is_set else labels - {label})

    def set_muted(self, thread, is_muted):
        self.muted = self.muted | {thread} if is_muted else self.muted - {thread}

    def settings(self, mail):
        """How the mail's row is swiped."""
        return {**self.swipe, **self.overrides.get(mail, {})}

    def purge(self, mail):
        self.overrides.pop(mail, None)
        self.order.remove(mail)
        del self.mails[mail]

    def deliver(self, data):
        mail = self.last_number + 1
        self.known.append((data.get("messageID"), data.get("digest")))
        self.links.append(self.link(data))
        self.threads.append(data.get("thread", mail))
        self.order.insert(0, mail)
        content = {key: data[key] for key in ("from", "subject", "message")}
        labels = frozenset(label.lower() for label in data.get("labels", []))
        marks = {
            key: data.get(key, False) for key in ("read", "flagged", "trashed", "archived", "pinned")}
        self.mails[mail] = Mail(
            **marks, labels=labels, until=None, thread=self.threads[-1], content=content)
        return mail


def title(mail):
    """Names a button on the row of this mail."""
    names = {
        "toggle-read": ["Mark as read", "Mark as unread"][mail.read],
        "toggle-flag": ["Flag", "Unflag"][mail.flagged], "mark-read": "Mark as read",
        "mark-unread": "Mark as unread", "flag": "Flag", "unflag": "Unflag", "trash": "Trash",
        "archive": "Archive", "more": "More", "none": ""}
    return lambda button: names[button["action"]]


# Events


@MAILBOX.event("mail.delivered")
def _(model, data):
    mail = model.deliver(data)
    assert mail == data["mail"]
    model.note(Step("delivered", mail, {("trashed", mail)}))


def mark(model, mail, key, value):
    model.note(Step("marked", mail, {(key, mail)}, (key, getattr(model.mails[mail], key))))
    model.set(mail, **{key: value})


for _type, _key, _value in [
        ("mail.read", "read", True), ("mail.unread", "read", False),
        ("mail.flagged", "flagged", True), ("mail.unflagged", "flagged", False),
        ("mail.trashed", "trashed", True), ("mail.restored", "trashed", False),
        ("mail.archived", "archived", True), ("mail.unarchived", "archived", False),
        ("mail.pinned", "pinned", True), ("mail.unpinned", "pinned", False)]:
    MAILBOX.event(_type)(
        lambda model, data, key=_key, value=_value: mark(model, data["mail"], key, value))


@MAILBOX.event("mail.snoozed", "mail.unsnoozed")
def _(model, data):
    mark(model, data["mail"], "until", data.get("until"))


def set_label(model, data, is_set):
    mail, label = data["mail"], data["label"]
    model.note(Step("labeled", mail, {("label", label, mail)}, (label, not is_set)))
    model.set_label(mail, label, is_set)


MAILBOX.event("mail.labeled")(lambda model, data: set_label(model, data, True))
MAILBOX.event("mail.unlabeled")(lambda model, data: set_label(model, data, False))


def mute(model, thread, is_muted):
    model.note(Step("muted", None, {("mute", thread, None)}, (thread, not is_muted)))
    model.set_muted(thread, is_muted)


MAILBOX.event("thread.muted")(lambda model, data: mute(model, data["thread"], True))
MAILBOX.event("thread.unmuted")(lambda model, data: mute(model, data["thread"], False))


@MAILBOX.event("mailbox.retention-configured")
def _(model, data):
    model.note(Step("retention", None, {("retention", None)}, model.retention))
    model.retention = data["trash"]


@MAILBOX.event("mail.purged")
def _(model, data):
    model.purge(data["mail"])
    model.note(Step("purged", data["mail"], {("existence", data["mail"])}))


@MAILBOX.event("mail.reordered")
def _(model, data):
    mail = data["mail"]
    model.note(Step("moved", mail, {("place", mail)}, neighbours(model.order, mail)))
    model.move(mail, data["after"])


@MAILBOX.event("mailbox.swipe-configured")
def configure_swipe(model, data):
    given = given_sides(data)
    model.note(Step(
        "configured", None, {("swipe", direction, None) for direction in given},
        {direction: model.swipe[direction] for direction in given}))
    model.swipe.update(given)


@MAILBOX.event("mail.swipe-configured", "mail.swipe-cleared")
def configure_row(model, data):
    mail = data["mail"]
    model.note(Step(
        "row configured", mail, {("row swipe", mail)}, model.overrides.get(mail)))
    set_row(model, mail, given_sides(data))


def set_row(model, mail, own):
    model.overrides.pop(mail, None)
    if own:
        model.overrides[mail] = own
