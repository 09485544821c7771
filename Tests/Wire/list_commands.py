"""What clients ask of a list, and what it does to the model (§4)."""

from list_model import LIST, Item
from model_run import Refused, outcome, refuse
from swipe_model import (
    DIRECTIONS, choice, press_outcome, random_gesture, random_press, random_side, swipe_outcome)
from undo_model import place_between, undo

ACTIONS = ["complete", "reopen", "delete", "more", "none"]


def items(chooser):
    return chooser.targets("item", "items")


def all_items(chooser):
    """Sometimes all, of a section or not."""
    if not chooser.chance(25):
        return items(chooser)
    return {"all": True, **({"in": chooser.random.randint(1, 3)} if chooser.chance(2) else {})}


def named_section(chooser):
    return {"section": chooser.random.randint(1, 3)} if chooser.chance(3) else {}


def new_item(chooser):
    chooser.grow()
    place = chooser.anchor() if chooser.chance(2) else {}
    return {"text": f"item {chooser.random.randrange(50)}", **named_section(chooser), **place}


@LIST.command("add", 4, new_item)
def _(model, data):
    section = data.get("section")
    if section is None:
        section = next(each for each in model.order if model.sections[each].traits["canAdd"])
    elif not model.section(section).traits["canAdd"]:
        raise Refused("rejected")
    model.check_anchor(data, section)
    model.last_number += 1
    model.items[model.last_number] = Item(data["text"], False)
    model.insert([model.last_number], section, data)
    return {"item": model.last_number}


@LIST.command("edit", 2, lambda chooser: {
    "item": chooser.number(), "text": f"item {chooser.random.randrange(50)}"})
def _(model, data):
    [item] = model.present_targets(data)
    model.items[item] = model.items[item]._replace(text=data["text"])
    return {}


@LIST.command("complete", 3, items)
def complete(model, data):
    targets = model.present_targets(data)
    changed = [item for item in targets if not model.items[item].completed]
    refuse("rejected", [item for item in changed if not model.traits(item, "canComplete")])
    for item in changed:
        model.items[item] = model.items[item]._replace(completed=True)
        if model.completed_section is not None:
            model.completions[item] = model.take_out(item)
            model.sections[model.completed_section].row.append(item)
    return outcome(data, "item", targets, changed)


def last_gone_first(departures, targets):
    """Those of the items that left, and where from: so a batch finds its neighbours."""
    gone = [(item, departures.pop(item)) for item in targets if item in departures]
    return sorted(gone, key=lambda each: -each[1].number)


@LIST.command("reopen", 3, all_items)
def reopen(model, data):
    targets = model.present_targets(data)
    changed = [item for item in targets if model.items[item].completed]
    for item in changed:
        model.items[item] = model.items[item]._replace(completed=False)
    for item, left in last_gone_first(model.completions, changed):
        model.take_out(item)
        model.put_back(item, left)
    return outcome(data, "item", targets, changed)


@LIST.command("delete", 2, items)
def delete(model, data):
    targets = model.targets(data)
    changed = [item for item in targets if item not in model.deletions]
    refuse("rejected", [item for item in changed if not model.traits(item, "canDelete")])
    for item in changed:
        model.deletions[item] = model.take_out(item)
    return outcome(data, "item", targets, changed)


@LIST.command("restore", 4, all_items)
def _(model, data):
    targets = model.targets(data, deleted=True)
    gone = last_gone_first(model.deletions, targets)
    for item, left in gone:
        model.put_back(item, left)
    return outcome(data, "item", targets, [item for item, _ in gone])


@LIST.command("purge", 1, items)
def _(model, data):
    targets = model.targets(data, deleted=True)
    refuse("rejected", [item for item in targets if item not in model.deletions])
    for item in targets:
        LIST.events["item.purged"](model, {"item": item})
    return outcome(data, "item", targets, targets)


@LIST.command("reorder", 10, lambda chooser: items(chooser) | named_section(chooser) | chooser.anchor())
def _(model, data):
    targets = model.targets(data)
    if "section" in data:
        model.section(data["section"])
    targets = model.present_targets(data)
    homes = {item: model.home(item) for item in targets}
    if "section" not in data and len(set(homes.values())) > 1:
        raise Refused("invalid")
    into = data.get("section", homes[targets[0]])
    crossing = [item for item in targets if homes[item] != into]
    completed = model.completed_section
    refuse("rejected", [item for item in crossing if completed in (into, homes[item])
                        and completed is not None])
    if not model.sections[into].traits["acceptsMoves"]:
        refuse("rejected", crossing)
    refuse("rejected", [item for item in targets if not model.traits(item, "canReorder")])
    model.check_anchor(data, into, targets)
    before = {number: list(model.sections[number].row) for number in model.order}
    moved = [item for number in model.order for item in before[number] if item in targets]
    for item in moved:
        model.sections[homes[item]].row.remove(item)
    model.insert(moved, into, data)
    return outcome(data, "item", targets, changed_by_moves(moved, before[into], data, crossing))


def changed_by_moves(moved, row, data, crossing):
    """Who has to move: all but those that follow one another behind the anchor already."""
    rest = [item for item in row if item not in moved]
    if "after" in data:
        above = data["after"]
    elif "before" in data:
        above = (rest[:rest.index(data["before"])] or [None])[-1]
    else:
        above = None if "first" in data else (rest or [None])[-1]
    row = list(row)
    changed = []
    for item in moved:
        index = 0 if above is None else row.index(above) + 1
        if item in crossing or row[index:index + 1] != [item]:
            changed.append(item)
            if item in row:
                row.remove(item)
            row.insert(0 if above is None else row.index(above) + 1, item)
        above = item
    return changed


# Gestures


def act(model, item):
    """Does what an action does to an item; a sheet's choices instead for `more`."""
    def body(action):
        if action == "more":
            completed = model.items[item].completed
            can_complete = model.traits(item, "canComplete")
            return [
                *([choice("Delete", "delete", destructive=True)]
                  if model.traits(item, "canDelete") else []),
                *([choice("Reopen", "reopen")] if completed else
                  [choice("Complete", "complete")] if can_complete else [])]
        if action != "none":
            model.expect(action, {"item": item})
        return None
    return body


def title(model, item):
    names = {"complete": "Complete", "reopen": "Reopen", "delete": "Delete", "more": "More",
             "none": ""}
    return lambda button: names[button["action"]]


@LIST.command("swipe", 3, lambda chooser: {"item": chooser.number(), **random_gesture(chooser)})
def _(model, data):
    [item] = model.present_targets(data)
    settings = model.sections[model.home(item)].swipe
    return swipe_outcome(settings, data, title(model, item), act(model, item))


@LIST.command("press", 3, lambda chooser: {"item": chooser.number(), **random_press(chooser)})
def _(model, data):
    [item] = model.present_targets(data)
    return press_outcome(model.sections[model.home(item)].swipe, data, act(model, item))


@LIST.command("configure-swipe", 1, lambda chooser: {
    "section": chooser.random.randint(1, 3),
    chooser.random.choice(DIRECTIONS): random_side(chooser, ACTIONS)})
def _(model, data):
    model.section(data["section"])
    LIST.events["list.swipe-configured"](model, data)
    return {}


# Undo


@LIST.command("undo", 8, lambda chooser: {"command": chooser.earlier_command()})
def _(model, data):
    return undo(model, data, "item", model.items, {"created", "purged"}, back)


def back(model, step):
    """Leads back from one step by the event that does, and says whether that changed anything."""
    item = step.subject
    if step.kind == "configured":
        number, sides = step.was
        model.sections[number].swipe.update(sides)
        return True
    if step.kind in ("added", "restored"):
        if item in model.deletions:
            return False
        LIST.events["item.deleted"](model, {"item": item})
        return True
    if step.kind == "edited":
        is_other = model.items[item].text != step.was
        model.items[item] = model.items[item]._replace(text=step.was)
        return is_other
    number, (above, below) = step.was
    row = [each for each in model.section(number).row if each != item]
    index = place_between(row, above, below)
    after = row[index - 1] if index else None
    is_there = model.home(item) == number and model.spot(item)[1][0] == after
    if step.kind == "moved" and is_there:
        return False
    kind = {"moved": "item.moved", "deleted": "item.restored", "completed": "item.reopened",
            "reopened": "item.completed"}[step.kind]
    LIST.events[kind](model, {"item": item, "section": number, "after": after})
    return True
