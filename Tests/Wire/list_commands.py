"""What clients ask of a list, and what it does to the model (§4)."""

from list_model import LIST, Item, set_row
from model_run import Refused, outcome, refuse
from swipe_model import (
    expanding, given_sides, press_outcome, random_configuration, random_gesture,
    random_press, sheet, side, sides, swipe_outcome)
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
    """Does what an action does to an item, and tells what it was; `more` has a sheet's choices."""
    def body(action):
        completed, spot = model.items[item].completed, model.spot(item)
        if action == "more":
            return sheet({"item": item}, *choices(model, item))
        if action == "none":
            return {"changed": False, "removes": False}
        model.expect(action, {"item": item})
        removes = item in model.deletions
        changed = removes or model.items[item].completed != completed
        effect = {"command": action, "changed": changed, "removes": removes}
        if not removes:
            home, (above, _) = model.spot(item)
            if (home, above) != (spot[0], spot[1][0]):
                effect |= {"section": home, "after": above}
        return effect
    return body


def choices(model, item):
    """Only what the item's section lets it do."""
    if model.traits(item, "canDelete"):
        yield "Delete", "delete", {"destructive": True}
    if model.items[item].completed:
        yield "Reopen", "reopen", {}
    elif model.traits(item, "canComplete"):
        yield "Complete", "complete", {}


def title(model, item):
    names = {"complete": "Complete", "reopen": "Reopen", "delete": "Delete", "more": "More",
             "none": ""}
    return lambda button: names[button["action"]]


@LIST.command("swipe", 3, lambda chooser: {"item": chooser.number(), **random_gesture(chooser)})
def _(model, data):
    [item] = model.present_targets(data)
    return swipe_outcome(model.settings(item), data, title(model, item), act(model, item))


@LIST.command("press", 5, lambda chooser: {
    "item": chooser.number(), **random_press(chooser, ACTIONS)})
def _(model, data):
    [item] = model.present_targets(data)
    return press_outcome(model.settings(item), data, act(model, item))


def preset(name, completed):
    """A preset's sides; among completed items, or for one, some are others."""
    toggle = "reopen" if completed else "complete"
    todo = side([{"action": "delete", "color": "#FF3B30", "closes": False},
                 {"action": toggle, "color": "#007AFF" if completed else "#4CD964"}])
    return {
        "todo": sides(right=todo), "off": sides(), "selection": sides(expanding(toggle)),
        "destructive": sides(right=expanding("delete", removing=True))}[name]


def configuration(chooser):
    """Of a section's rows, or of one."""
    is_row = not chooser.chance(3)
    row = {"item": chooser.number()} if is_row else {"section": chooser.random.randint(1, 3)}
    names = ["todo", "off", "selection", "destructive"]
    return row | random_configuration(chooser, ACTIONS, names, is_row)


@LIST.command("configure-swipe", 3, configuration)
def _(model, data):
    if "section" in data:
        rows, completed = model.section(data["section"]), model.section(data["section"]).completes
    else:
        [item] = model.targets(data)
        completed = model.items[item].completed
    own = preset(data["preset"], completed) if "preset" in data else given_sides(data)
    if "section" in data:
        rows.swipe.update(own)
    else:
        set_row(model, item, {} if "clear" in data else {**model.overrides.get(item, {}), **own})
    return {}


# Undo


@LIST.command("undo", 8, lambda chooser: {"command": chooser.earlier_command()})
def _(model, data):
    return undo(model, data, "item", model.items, {"created", "purged"}, back)


def back(model, step):
    """Leads back from one step by the event that does, and says whether that changed anything."""
    item = step.subject
    if step.kind == "configured":
        number, before = step.was
        model.sections[number].swipe.update(before)
        return True
    if step.kind == "row configured":
        is_other = model.overrides.get(item) != step.was
        set_row(model, item, step.was)
        return is_other
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
