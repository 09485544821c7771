"""A list's sections: what clients ask of them, and what events make of them (§4)."""

from list_model import LIST, Section
from model_run import Refused, refuse
from swipe_model import DIRECTIONS, random_side
from undo_model import Step, neighbours, place_between

TRAITS = ["canAdd", "canComplete", "canDelete", "canReorder", "acceptsMoves"]
ITEM_ACTIONS = ["complete", "reopen", "delete", "more", "none"]


def note(model, kind, field, number, was=None):
    model.note(Step(kind, None, {(f"section {field}", number, None)}, (number, was)))


def place(model, number, after):
    model.order.insert(0 if after is None else model.order.index(after) + 1, number)


# Events


@LIST.event("list.retitled")
def _(model, data):
    model.note(Step("list retitled", None, {("title", None)}, model.title))
    model.title = data["title"]


@LIST.event("section.added")
def _(model, data):
    number = data["section"]
    note(model, "section added", "existence", number)
    model.sections[number] = Section(data)
    place(model, number, data["after"])


@LIST.event("section.retitled")
def _(model, data):
    section = model.sections[data["section"]]
    note(model, "section retitled", "titles", data["section"], (section.header, section.footer))
    section.header, section.footer = data["header"], data["footer"]


@LIST.event("section.moved")
def _(model, data):
    number = data["section"]
    note(model, "section moved", "place", number, neighbours(model.order, number))
    model.order.remove(number)
    place(model, number, data["after"])


@LIST.event("section.removed")
def remove(model, data):
    number = data["section"]
    note(model, "section removed", "existence", number, neighbours(model.order, number))
    assert not model.sections[number].row
    model.order.remove(number)
    model.removed[number] = model.sections.pop(number)


@LIST.event("section.restored")
def restore(model, data):
    number = data["section"]
    note(model, "section restored", "existence", number)
    model.sections[number] = model.removed.pop(number)
    place(model, number, data["after"])


@LIST.event("section.traits-configured")
def _(model, data):
    section = model.sections[data["section"]]
    note(model, "traits", "traits", data["section"], section.traits)
    section.traits = data["traits"]


@LIST.event("section.styled")
def _(model, data):
    section = model.sections[data["section"]]
    note(model, "styled", "style", data["section"], section.style)
    section.style = data["style"]


# Commands


def number(chooser):
    return chooser.random.randint(1, 6)


def anchor(chooser):
    key = chooser.random.choice(["after", "before", "first", "last"])
    return {key: number(chooser) if key in ("after", "before") else True}


def titles(chooser):
    return {key: chooser.random.choice([None, f"{key} {chooser.random.randrange(5)}"])
            for key in chooser.random.sample(["header", "footer"], chooser.random.randint(1, 2))}


def some_traits(chooser):
    """Mostly they allow what they are about."""
    return {trait: not chooser.chance(3) for trait in chooser.random.sample(TRAITS, 2)}


def some_style(chooser):
    return {"weight": chooser.random.choice([None, 400, 700]), "size": chooser.random.choice([12, 17.5])}


def new_section(chooser):
    return {
        **titles(chooser), **(anchor(chooser) if chooser.chance(2) else {}),
        **({"traits": some_traits(chooser)} if chooser.chance(2) else {}),
        **({"style": {"alignment": "center"}} if chooser.chance(3) else {}),
        **({DIRECTIONS[0]: random_side(chooser, ITEM_ACTIONS)} if chooser.chance(3) else {}),
        **({"completedRole": True} if chooser.chance(4) else {})}


def index_of(model, data, moved=None):
    """Where a section goes among the others."""
    others = [each for each in model.order if each != moved]
    anchor = data.get("after", data.get("before"))
    if anchor is None:
        return 0 if "first" in data else len(others)
    if anchor not in model.sections and anchor not in model.removed or anchor == moved:
        raise Refused("invalid")
    if anchor in model.removed:
        raise Refused("anchor-gone")
    return others.index(anchor) + ("after" in data)


@LIST.command("retitle", 1, lambda chooser: {"title": f"List {chooser.random.randrange(3)}"})
def _(model, data):
    model.title = data["title"]
    return {}


@LIST.command("add-section", 2, new_section)
def _(model, data):
    if data.get("completedRole") and model.completed_section is not None:
        raise Refused("rejected")
    index = index_of(model, data)
    new = len(model.sections) + len(model.removed) + 1
    traits = {trait: True for trait in TRAITS} | data.get("traits", {})
    sides = {direction: data[direction] for direction in DIRECTIONS if direction in data}
    model.sections[new] = Section({
        "header": None, "footer": None, "completedRole": False, **data,
        "traits": traits | sides})
    model.order.insert(index, new)
    return {"section": new}


@LIST.command("retitle-section", 2, lambda chooser: {"section": number(chooser), **titles(chooser)})
def _(model, data):
    section = model.section(data["section"])
    section.header = data.get("header", section.header)
    section.footer = data.get("footer", section.footer)
    return {}


@LIST.command("move-section", 2, lambda chooser: {"section": number(chooser), **anchor(chooser)})
def _(model, data):
    model.section(data["section"])
    index = index_of(model, data, moved=data["section"])
    model.order.remove(data["section"])
    model.order.insert(index, data["section"])
    return {}


@LIST.command("remove-section", 1, lambda chooser: {
    "section": number(chooser), **chooser.random.choice([
        {}, {"items": "delete"}, {"items": "move", "to": number(chooser)}])})
def _(model, data):
    section = model.section(data["section"])
    row = list(section.row)
    fate = data.get("items")
    if fate is None:
        refuse("rejected", [data["section"]] if row else [])
    elif fate == "delete":
        refuse("rejected", [] if section.traits["canDelete"] else row)
        for item in row:
            model.deletions[item] = model.take_out(item)
    else:
        if data["to"] == data["section"]:
            raise Refused("invalid")
        target = model.section(data["to"])
        if target.completes or not target.traits["acceptsMoves"]:
            refuse("rejected", row)
        section.row.clear()
        target.row.extend(row)
    remove(model, data)
    return {}


@LIST.command("configure-section", 2, lambda chooser: {
    "section": number(chooser), **chooser.random.choice([
        {"traits": some_traits(chooser)}, {"style": some_style(chooser)}])})
def _(model, data):
    model.section(data["section"]).configure(data.get("traits", {}), data.get("style", {}))
    return {}


# Undo


def way_back(kind):
    def add(body):
        LIST.ways_back[kind] = body
        return body
    return add


def present(model, number):
    if number not in model.sections:
        raise Refused("rejected")
    return model.sections[number]


@way_back("list retitled")
def _(model, was):
    model.title = was


@way_back("section added")
@way_back("section restored")
def _(model, was):
    if present(model, was[0]).row:
        raise Refused("rejected")
    remove(model, {"section": was[0]})


@way_back("section removed")
def _(model, was):
    number, (above, below) = was
    if model.removed[number].completes and model.completed_section is not None:
        raise Refused("rejected")
    index = place_between(model.order, above, below)
    restore(model, {"section": number, "after": model.order[index - 1] if index else None})


@way_back("section moved")
def _(model, was):
    number, (above, below) = was
    present(model, number)
    model.order.remove(number)
    model.order.insert(place_between(model.order, above, below), number)


@way_back("section retitled")
def _(model, was):
    section = present(model, was[0])
    section.header, section.footer = was[1]


@way_back("traits")
def _(model, was):
    present(model, was[0]).traits = was[1]


@way_back("styled")
def _(model, was):
    present(model, was[0]).style = was[1]
