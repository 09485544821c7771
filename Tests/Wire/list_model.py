"""A list as anyone would write it first: an array of ids per section (§4)."""

from collections import namedtuple

from model_run import Model, Refused, Vocabulary, refuse, selected
from swipe_model import DIRECTIONS, given_sides, side
from undo_model import Journal, Step, neighbours

LIST = Vocabulary()

Item = namedtuple("Item", "text completed movable repeat due", defaults=[False, True, None, None])
# Where an item was when it left, and how many had left before.
Departure = namedtuple("Departure", "section above below number")


class Section:
    def __init__(self, data):
        traits = dict(data["traits"])
        self.header, self.footer = data["header"], data["footer"]
        self.swipe = {direction: traits.pop(direction, side()) for direction in DIRECTIONS}
        self.traits, self.completes = traits, data["completedRole"]
        self.style = data.get("style", {})
        self.row = []

    def copy(self):
        other = Section.__new__(Section)
        other.__dict__.update(self.__dict__, row=list(self.row), swipe=dict(self.swipe))
        return other

    def configure(self, traits, style):
        """Other traits and another style; what is None in a style goes."""
        self.traits = self.traits | traits
        style = self.style | style
        self.style = {key: value for key, value in style.items() if value is not None}


class ListModel(Model):
    vocabulary = LIST
    VIEWS = [{}]

    def __init__(self):
        self.title = None
        # `removed` are those that an undo may bring back.
        self.order, self.sections, self.removed = [], {}, {}
        # All but purged ones.
        self.items = {}
        self.completions, self.deletions = {}, {}
        # The sides that single items have of their own.
        self.overrides = {}
        self.last_number = self.departure_count = 0
        self.journal = Journal()

    def copy(self):
        other = ListModel.__new__(ListModel)
        other.__dict__.update(
            self.__dict__, order=list(self.order), items=dict(self.items),
            sections={number: section.copy() for number, section in self.sections.items()},
            removed=dict(self.removed), overrides=dict(self.overrides),
            completions=dict(self.completions), deletions=dict(self.deletions))
        return other

    def facts(self):
        return (
            self.title, self.order, self.items, self.last_number, self.overrides,
            {number: vars(section) for number, section in self.sections.items()},
            {number: vars(section) for number, section in self.removed.items()},
            self._by_number(self.completions), self._by_number(self.deletions))

    @staticmethod
    def _by_number(departures):
        by_number = sorted(departures.items(), key=lambda each: each[1].number)
        return [(item, *departure[:3]) for item, departure in by_number]

    def page(self, _):
        placed = [item for number in self.order for item in self.sections[number].row]
        # Every item is in exactly one place, and nowhere if it is deleted.
        assert sorted(placed) == sorted(self.items.keys() - self.deletions.keys())
        completed = sum(self.items[item].completed for item in placed)
        return {
            "title": self.title,
            "counts": {"open": len(placed) - completed, "completed": completed},
            "sections": [self._shown(number) for number in self.order]}

    def _shown(self, number):
        section = self.sections[number]
        return {
            "section": number, "header": section.header, "footer": section.footer,
            "traits": section.traits, "swipe": section.swipe,
            **({"style": section.style} if section.style else {}),
            "items": [self._shown_item(item) for item in section.row]}

    def _shown_item(self, number):
        item = self.items[number]
        return {
            "item": number, "text": item.text, "completed": item.completed,
            **({} if item.movable else {"movable": False}),
            **({"repeat": item.repeat} if item.repeat else {}),
            **({"due": item.due} if item.due else {}),
            **({"swipe": self.settings(number)} if number in self.overrides else {})}

    def settings(self, item):
        """How the item's row is swiped."""
        return {**self.sections[self.home(item)].swipe, **self.overrides.get(item, {})}

    # Places

    def home(self, item):
        """The number of the section that holds the item, None for a deleted one."""
        return next((each for each in self.order if item in self.sections[each].row), None)

    def traits(self, item, trait):
        """What the item's section lets it do; a deleted one is in none."""
        home = self.home(item)
        return home is None or self.sections[home].traits[trait]

    @property
    def completed_section(self):
        return next((each for each in self.order if self.sections[each].completes), None)

    def put(self, item, section, after):
        row = self.sections[section].row
        row.insert(0 if after is None else row.index(after) + 1, item)

    def take_out(self, item):
        """Takes the item out of its section, and tells where it was."""
        home = self.home(item)
        row = self.sections[home].row
        index = row.index(item)
        above, below = row[:index][-1:], row[index + 1:][:1]
        row.remove(item)
        self.departure_count += 1
        return Departure(home, *(above or [None]), *(below or [None]), self.departure_count)

    def section_to_return_to(self, left):
        """The old one, or else the first that is not for completed items; None where there is none."""
        others = (each for each in self.order if not self.sections[each].completes)
        return left.section if left.section in self.sections else next(others, None)

    def put_back(self, item, left):
        section = self.section_to_return_to(left)
        row = self.sections[section].row
        if section == left.section and left.above in row:
            index = row.index(left.above) + 1
        elif section == left.section and left.below in row:
            index = row.index(left.below)
        else:
            index = len(row)
        row.insert(index, item)

    def insert(self, items, section, data):
        """Puts items where a command's anchor says."""
        row = self.sections[section].row
        if "after" in data:
            index = row.index(data["after"]) + 1
        elif "before" in data:
            index = row.index(data["before"])
        else:
            index = 0 if "first" in data else len(row)
        row[index:index] = items

    # What commands need

    def targets(self, data, deleted=False):
        """The distinct items of a command, which must all be there.

        `deleted` says which a selection is meant for: deleted items, or those that are not.
        """
        if "in" in data:
            covered = self.section(data["in"]).row
        else:
            covered = [item for item in self.items if (item in self.deletions) == deleted]
        chosen = selected(data, "items", covered)
        if chosen:
            return chosen
        items = list(dict.fromkeys(data["items"])) if "items" in data else [data["item"]]
        refuse("not-found", [item for item in items if item not in self.items])
        return items

    def present_targets(self, data):
        items = self.targets(data)
        refuse("rejected", [item for item in items if item in self.deletions])
        return items

    def spot(self, item):
        """Where an item is: its section, and its neighbours there."""
        home = self.home(item)
        return home, neighbours(self.sections[home].row, item)

    def note_item(self, kind, item, *fields, was=None):
        self.note(Step(kind, item, {(field, item) for field in fields}, was))

    def section(self, number):
        if number not in self.sections:
            raise Refused("not-found", [number])
        return self.sections[number]

    def check_anchor(self, data, section, moved=()):
        anchor = data.get("after", data.get("before"))
        if anchor is None:
            return
        if anchor > self.last_number or anchor in moved:
            raise Refused("invalid")
        if anchor not in self.sections[section].row:
            raise Refused("anchor-gone")
        if self.items[anchor].completed and not self.sections[section].completes:
            raise Refused("anchor-gone")


# Events


@LIST.event("list.created")
def _(model, data):
    model.title = data["title"]
    model.note(Step("created", None, {("existence", None)}))


@LIST.event("item.added")
def _(model, data):
    model.last_number += 1
    assert data["item"] == model.last_number
    model.note_item("added", data["item"], "deletion", "completion")
    model.items[data["item"]] = Item(data["text"], **settings(data))
    model.put(data["item"], data["section"], data["after"])


def settings(data):
    """What an item has besides its text, as far as it is given."""
    return {key: data[key] for key in ("movable", "repeat", "due") if key in data}


@LIST.event("item.configured")
def _(model, data):
    item, given = data["item"], settings(data)
    fields = {"movable" if key == "movable" else "dates" for key in given}
    before = {key: getattr(model.items[item], key) for key in given}
    model.note_item("configured item", item, *fields, was=before)
    model.items[item] = model.items[item]._replace(**given)


@LIST.event("item.edited")
def _(model, data):
    item = data["item"]
    model.note_item("edited", item, "text", was=model.items[item].text)
    model.items[item] = model.items[item]._replace(text=data["text"])


@LIST.event("item.moved")
def _(model, data):
    model.note_item("moved", data["item"], "place", was=model.spot(data["item"]))
    model.take_out(data["item"])
    model.put(data["item"], data["section"], data["after"])


@LIST.event("item.completed")
def _(model, data):
    item, home = data["item"], model.home(data["item"])
    model.note_item("completed", item, "completion", "place", was=model.spot(item))
    left = model.take_out(item)
    if home != data["section"]:
        model.completions[item] = left
    model.items[item] = model.items[item]._replace(completed=True)
    model.put(item, data["section"], data["after"])


@LIST.event("item.reopened")
def _(model, data):
    item = data["item"]
    model.note_item("reopened", item, "completion", "place", was=model.spot(item))
    model.take_out(item)
    model.completions.pop(item, None)
    model.items[item] = model.items[item]._replace(completed=False)
    model.put(item, data["section"], data["after"])


@LIST.event("item.deleted")
def _(model, data):
    model.note_item("deleted", data["item"], "deletion", "place", was=model.spot(data["item"]))
    model.deletions[data["item"]] = model.take_out(data["item"])


@LIST.event("item.restored")
def _(model, data):
    model.note_item("restored", data["item"], "deletion", "place")
    del model.deletions[data["item"]]
    model.put(data["item"], data["section"], data["after"])


@LIST.event("item.purged")
def _(model, data):
    model.note_item("purged", data["item"], "existence")
    for kept in (model.items, model.completions, model.deletions, model.overrides):
        kept.pop(data["item"], None)


@LIST.event("list.swipe-configured")
def _(model, data):
    number, swipe = data["section"], model.sections[data["section"]].swipe
    given = given_sides(data)
    model.note(Step(
        "configured", None, {("swipe", direction, number, None) for direction in given},
        (number, {direction: swipe[direction] for direction in given})))
    swipe.update(given)


@LIST.event("item.swipe-configured", "item.swipe-cleared")
def _(model, data):
    item = data["item"]
    model.note_item("row configured", item, "row swipe", was=model.overrides.get(item))
    set_row(model, item, given_sides(data))


def set_row(model, item, own):
    model.overrides.pop(item, None)
    if own:
        model.overrides[item] = own
