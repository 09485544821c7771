"""What a plain loop would write to SQLite for the events of a log, as `bare-loop rows` reads it: one
statement for each event that changes a row, and for each transaction one for each mailbox or list that
it changed, and the checkpoint.

The events are those that `bench fill` makes. All thinking is done here, before the clock starts: the
loop only binds and steps."""

import json
from dataclasses import dataclass, field
from typing import Callable

from steps import Steps

# As many events as a rebuild takes into one transaction (Projector.batchSize).
EVENTS_PER_TRANSACTION = 20_000
# Between two rows where there is free choice, as the views do.
KEY_GAP = 1 << 20
# The group of rows of mails that are in the inbox and not pinned.
IN_INBOX = 1

CHECKPOINT = [
    "INSERT INTO checkpoint (id, log, position, checksum) VALUES (0, ?1, ?2, ?3)",
    "UPDATE checkpoint SET log = ?1, position = ?2, checksum = ?3"]


@dataclass
class Shape:
    """How a view's rows are written."""

    statements: list
    new_stream: Callable
    apply: Callable
    #: the parameters of the last statement, which saves a stream's head
    head: Callable


@dataclass
class Stream:
    """What is known of a mailbox or a list while its rows are made."""

    number: int
    name: str
    revision: int = 0
    last: int = 0
    top: int = 0
    flagged: set = field(default_factory=set)
    keys: dict = field(default_factory=dict)

    def row(self, number):
        """The row id of a mail, an item or a section."""
        return self.number << 40 | number


def write_steps(lines, tables, shape, path):
    """Turns events as NDJSON into steps."""
    streams = {}
    changed = {}
    head_statement = len(CHECKPOINT) + len(shape.statements) - 1
    with open(path, "wb") as file:
        steps = Steps(file, tables, CHECKPOINT + shape.statements)
        steps.add(0, "0123456789abcdef", 0, 0)
        for number, line in enumerate(lines, 1):
            event = json.loads(line)
            name = event["stream"]
            stream = streams.get(name)
            if stream is None:
                stream = streams[name] = Stream(len(streams) + 1, name)
                steps.add(len(CHECKPOINT), *shape.new_stream(stream))
            stream.revision = event["revision"]
            shape.apply(steps, stream, event["type"], event["data"])
            changed[name] = stream
            if number % EVENTS_PER_TRANSACTION == 0:
                for stream in changed.values():
                    steps.add(head_statement, *shape.head(stream))
                changed = {}
                steps.add(1, "0123456789abcdef", number, number)
                steps.commit()
        for stream in changed.values():
            steps.add(head_statement, *shape.head(stream))


# Mailboxes. Statement numbers count the checkpoint's two.


def apply_mail(steps, mailbox, kind, data):
    row = mailbox.row(data["mail"])
    if kind == "mail.delivered":
        mailbox.last = data["mail"]
        mailbox.top -= KEY_GAP
        steps.add(
            3, row, mailbox.number, IN_INBOX, mailbox.top, 0, 0, data.get("date"), data["from"],
            data["subject"], data["message"])
    elif kind == "mail.flagged":
        mailbox.flagged.add(row)
        steps.add(4, row, 1)
    elif kind == "mail.unflagged":
        mailbox.flagged.discard(row)
        steps.add(4, row, 0)
    else:
        raise ValueError(f"no row is known for {kind}")


MAILBOX = Shape(
    statements=[
        "INSERT INTO mailboxes (number, stream, revision, last_mail, top, total, unread, flagged, trash,"
        " archived, snoozed) VALUES (?1, ?2, 0, 0, 0, 0, 0, 0, 0, 0, 0)",
        "INSERT INTO mails (id, mailbox, grouping, key, read, flag, trashed, archived, pinned, moved,"
        " date, sender, subject, message)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, 0, 0, 0, ?7, ?8, ?9, ?10)",
        "UPDATE mails SET flag = ?2 WHERE id = ?1",
        "UPDATE mailboxes SET revision = ?2, last_mail = ?3, top = ?4, total = ?5, unread = ?6,"
        " flagged = ?7, trash = ?8 WHERE number = ?1"],
    new_stream=lambda mailbox: (mailbox.number, mailbox.name),
    apply=apply_mail,
    head=lambda mailbox: (
        mailbox.number, mailbox.revision, mailbox.last, mailbox.top, mailbox.last, mailbox.last,
        len(mailbox.flagged), 0))


# Lists.


def apply_item(steps, items, kind, data):
    if kind == "item.added":
        items.last = data["item"]
        items.keys[data["item"]] = key = key_below(items, data)
        steps.add(4, items.row(data["item"]), items.row(data["section"]), key, data["text"])
    elif kind == "item.moved":
        items.keys[data["item"]] = key = key_below(items, data)
        steps.add(
            5, items.row(data["item"]), items.row(data["section"]), key, 0, items.revision)
    elif kind == "item.edited":
        steps.add(6, items.row(data["item"]), data["text"])
    elif kind == "section.added":
        steps.add(3, items.row(data["section"]), items.number, 0, 31, "{}")
    elif kind != "list.created":
        raise ValueError(f"no row is known for {kind}")


def key_below(items, data):
    """A key behind the anchor's; how far it is from the next one's, a plain loop would not look."""
    anchor = data["after"]
    if anchor is None:
        return 0
    return items.keys[anchor] + (KEY_GAP if data["item"] not in items.keys else 1 + data["item"])


LIST = Shape(
    statements=[
        "INSERT INTO lists (number, stream, revision, last_section, last_item, open, completed)"
        " VALUES (?1, ?2, 0, 0, 0, 0, 0)",
        "INSERT INTO sections (id, list, key, header, footer, traits, swipe, moved)"
        " VALUES (?1, ?2, ?3, NULL, NULL, ?4, ?5, 0)",
        "INSERT INTO items (id, section, key, completed, moved, text) VALUES (?1, ?2, ?3, 0, 0, ?4)",
        "UPDATE items SET section = ?2, key = ?3, completed = ?4, moved = ?5 WHERE id = ?1",
        "UPDATE items SET text = ?2 WHERE id = ?1",
        "UPDATE lists SET revision = ?2, last_section = ?3, last_item = ?4, open = ?5, completed = ?6,"
        " title = ?7 WHERE number = ?1"],
    new_stream=lambda items: (items.number, items.name),
    apply=apply_item,
    head=lambda items: (items.number, items.revision, 1, items.last, items.last, 0, "Benchmark"))
