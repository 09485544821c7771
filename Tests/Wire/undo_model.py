"""Undo, as the contract has it: the journal of a stream's last 100 commands that wrote."""

from collections import namedtuple

from model_run import Refused, refuse

LAST = 100

# What one event changed: `fields` it touched, and `was`, all that is needed to lead back. `subject` is
# the mail or item, None for what is about the whole stream; `kind` names the way back.
Step = namedtuple("Step", "kind subject fields was", defaults=[None])
Entry = namedtuple("Entry", "command undoes steps")


class Journal:
    """Which command touched what. It is a value: each change makes a new list of entries."""

    def __init__(self, entries=()):
        self.entries = tuple(entries)

    def begin(self, meta):
        """The journal with the command of an event begun, if it is not under way already."""
        if self.entries and self.entries[-1].command == meta["command"]:
            return self
        return Journal((*self.entries, Entry(meta["command"], meta.get("undoes"), ()))[-LAST:])

    def noting(self, step):
        if not self.entries:
            return self
        last = self.entries[-1]
        return Journal((*self.entries[:-1], last._replace(steps=(*last.steps, step))))

    def steps_to_undo(self, command, final):
        """A command's steps, last first; `final` are the kinds of those that cannot be taken back."""
        entries = self.entries
        index = next((i for i, entry in enumerate(entries) if entry.command == command), None)
        if index is None:
            raise Refused("not-found")
        steps = entries[index].steps
        if any(entry.undoes == command for entry in entries) or \
                any(step.kind in final for step in steps):
            raise Refused("rejected")
        touched = set().union(*(step.fields for step in steps))
        later = [step for entry in self._in_effect_since(index) for step in entry.steps]
        if any(step.fields & touched for step in later):
            # A field ends with the mail or item whose it is; None for what is of a section or all.
            changed = {field[-1] for step in later for field in step.fields & touched}
            raise Refused("rejected", sorted(changed - {None}))
        return steps[::-1]

    def _in_effect_since(self, index):
        """The later commands, less each that was taken back since together with what did that."""
        later = self.entries[index + 1:]
        among = {entry.command for entry in later}
        cancelled = set()
        for entry in reversed(later):
            if entry.command in cancelled:
                continue
            if entry.undoes in among:
                cancelled.add(entry.undoes)
            else:
                yield entry


def undo(model, data, one, present, final, back):
    """Takes a command back; `back` carries out one step's way back, and says whether it did anything.

    `present` are the subjects that are not gone for good.
    """
    steps = model.journal.steps_to_undo(data["command"], final)
    # Told in the order of the command, as its own receipt did.
    subjects = list(dict.fromkeys(
        step.subject for step in reversed(steps) if step.subject is not None))
    refuse("rejected", sorted(each for each in subjects if each not in present))
    changed = {step.subject for step in steps if back(model, step)}
    return {"undone": data["command"],
            "results": [{one: each, "changed": each in changed} for each in subjects]}


def neighbours(row, subject):
    """What is above and below in a row."""
    index = row.index(subject)
    return (row[index - 1] if index else None), (row[index + 1:] or [None])[0]


def place_between(row, above, below):
    """The index of what returns to where it was: by its neighbours of that time, or to its end."""
    if above is not None and above in row:
        return row.index(above) + 1
    if below is not None and below in row:
        return row.index(below)
    return 0 if above is None else len(row)
