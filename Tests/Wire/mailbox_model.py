"""A mailbox as anyone would write it first: an array of mails (§3)."""

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

Mail = namedtuple("Mail", "read flagged trashed content")


class MailboxModel(Model):
    vocabulary = MAILBOX
    # The pages of the view, by their parameters, in the order of `views`.
    VIEWS = [{}, {"in": "trash"}]

    def __init__(self):
        # All mails but purged ones, top first: who is in the trash keeps a place there.
        self.order, self.mails = [], {}
        # What each mail is known by, purged or not, in the order in which they came.
        self.known = []
        self.swipe = dict(DEFAULT_SWIPE)
        # The sides that single mails have of their own.
        self.overrides = {}
        self.journal = Journal()

    def copy(self):
        other = MailboxModel.__new__(MailboxModel)
        other.__dict__.update(
            order=list(self.order), mails=dict(self.mails), known=list(self.known),
            swipe=dict(self.swipe), overrides=dict(self.overrides), journal=self.journal)
        return other

    def facts(self):
        return {**vars(self), "journal": None}

    def views(self):
        inbox = [mail for mail in self.order if not self.mails[mail].trashed]
        trash = [mail for mail in self.order if self.mails[mail].trashed]
        assert sorted(self.order) == sorted(self.mails), "every mail is in exactly one place"
        counts = {
            "total": len(inbox), "trash": len(trash),
            "unread": sum(not self.mails[mail].read for mail in inbox),
            "flagged": sum(self.mails[mail].flagged for mail in inbox)}
        return [
            {"rows": [self._row(mail) for mail in page], "swipe": self.swipe, "counts": counts}
            for page in (inbox, trash)]

    def _row(self, number):
        mail = self.mails[number]
        color = ORANGE if mail.flagged else None if mail.read else BLUE
        swipe = self.settings(number)
        own = {"swipe": swipe} if number in self.overrides else {}
        return {
            "mail": number, **own, **mail.content, "read": mail.read, "flag": mail.flagged,
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

    def targets(self, data, trashed=False):
        """The distinct mails of a command, which must all be there.

        `trashed` says which a selection is meant for: those in the trash, or those that are not.
        """
        box = {"inbox": False, "trash": True}.get(data.get("in"), trashed)
        chosen = selected(
            data, "mails", [mail for mail in self.mails if self.mails[mail].trashed == box])
        if chosen:
            return chosen
        mails = list(dict.fromkeys(data["mails"])) if "mails" in data else [data["mail"]]
        refuse("not-found", [mail for mail in mails if mail not in self.mails])
        return mails

    def targets_in_sight(self, data):
        mails = self.targets(data)
        refuse("rejected", [mail for mail in mails if self.mails[mail].trashed])
        return mails

    def set(self, mail, **changes):
        self.mails[mail] = self.mails[mail]._replace(**changes)

    def move(self, mail, after):
        self.order.remove(mail)
        self.order.insert(0 if after is None else self.order.index(after) + 1, mail)

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
        self.order.insert(0, mail)
        content = {key: data[key] for key in ("from", "subject", "message")}
        self.mails[mail] = Mail(
            data.get("read", False), data.get("flagged", False), data.get("trashed", False), content)
        return mail


def title(mail):
    """Names a button on the row of this mail."""
    names = {
        "toggle-read": ["Mark as read", "Mark as unread"][mail.read],
        "toggle-flag": ["Flag", "Unflag"][mail.flagged], "mark-read": "Mark as read",
        "mark-unread": "Mark as unread", "flag": "Flag", "unflag": "Unflag", "trash": "Trash",
        "more": "More", "none": ""}
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
        ("mail.trashed", "trashed", True), ("mail.restored", "trashed", False)]:
    MAILBOX.event(_type)(
        lambda model, data, key=_key, value=_value: mark(model, data["mail"], key, value))


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
