"""What clients ask of a list's items, and what it does to the model (§4)."""

import datetime

from list_model import LIST, Item, set_row, settings
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
    return {"all": True, **({"in": chooser.random.randint(1, 5)} if chooser.chance(2) else {})}


def named_section(chooser):
    return {"section": chooser.random.randint(1, 5)} if chooser.chance(3) else {}


def some_text(chooser):
    return f"item {chooser.random.randrange(50)}"


def some_settings(chooser):
    """Due long from now, so that what comes next does not hang on the time of the completion."""
    dates = {
        "repeat": chooser.random.choice(["daily", "weekly", "monthly"]),
        "due": f"2090-0{chooser.random.randint(1, 9)}-1{chooser.random.randint(0, 9)}"
               "T08:00:00.000000Z"}
    return chooser.random.choice([
        {"movable": False}, {"movable": True}, dates, {"repeat": None, "due": None}])


def new_item(chooser):
    chooser.grow()
    place = chooser.anchor() if chooser.chance(2) else {}
    more = some_settings(chooser) if chooser.chance(4) else {}
    return {"text": some_text(chooser), **named_section(chooser), **place, **more}


def add_item(model, text, given):
    model.last_number += 1
    model.items[model.last_number] = Item(text, **given)
    return model.last_number


@LIST.command("add", 4, new_item)
def _(model, data):
    section = data.get("section")
    if section is None:
        able = [each for each in model.order if model.sections[each].traits["canAdd"]]
        if not able:
            raise Refused("rejected")
        section = able[0]
    elif not model.section(section).traits["canAdd"]:
        raise Refused("rejected")
    model.check_anchor(data, section)
    item = add_item(model, data["text"], settings(data))
    model.insert([item], section, data)
    return {"item": item}


@LIST.command("edit", 4, lambda chooser: {
    "item": chooser.number(),
    **({"text": some_text(chooser)} if chooser.chance(2) else some_settings(chooser))})
def _(model, data):
    [item] = model.present_targets(data)
    given = settings(data) | ({"text": data["text"]} if "text" in data else {})
    model.items[item] = model.items[item]._replace(**given)
    return {}


@LIST.command("replace", 2, lambda chooser: {
    "section": chooser.random.randint(1, 5),
    "texts": [some_text(chooser) for _ in range(chooser.random.randint(8, 25))]})
def _(model, data):
    section = model.section(data["section"])
    waiting = list(section.row)
    wanted = []
    for text in data["texts"]:
        same = next((item for item in waiting if model.items[item].text == text), None)
        wanted.append(same)
        if same:
            waiting.remove(same)
    if not section.traits["canDelete"]:
        refuse("rejected", waiting)
    if None in wanted and not section.traits["canAdd"]:
        raise Refused("rejected")
    staying = [item for item in wanted if item]
    present = [item for item in section.row if item in staying]
    fixed = [item for item in staying if not model.items[item].movable]
    refuse("rejected", [below for above, below in zip(fixed, fixed[1:])
                        if present.index(above) > present.index(below)])
    if staying != present and not section.traits["canReorder"]:
        # Which of them would have to move is left open.
        raise Refused("rejected", None)
    for item in waiting:
        model.deletions[item] = model.take_out(item)
    section.row[:] = [
        item or add_item(model, text, {}) for item, text in zip(wanted, data["texts"])]
    return {"items": list(section.row)}


@LIST.command("complete", 3, items)
def complete(model, data):
    targets = model.present_targets(data)
    changed = [item for item in targets if not model.items[item].completed]
    refuse("rejected", [item for item in changed if not model.traits(item, "canComplete")])
    following = {}
    for item in changed:
        model.items[item] = model.items[item]._replace(completed=True)
        home = model.home(item)
        row = model.sections[home].row
        index = row.index(item)
        if model.completed_section not in (None, home):
            model.completions[item] = model.take_out(item)
            model.sections[model.completed_section].row.append(item)
        if model.items[item].repeat:
            # The next one takes its place.
            due = next_due(model.items[item])
            done = model.items[item]
            new = add_item(model, done.text, {
                "movable": done.movable, "repeat": done.repeat, "due": due})
            row.insert(index, new)
            following[item] = {"next": {"item": new, "due": due}}
    told = outcome(data, "item", targets, changed)
    for entry in told.get("results", ()):
        entry.update(following.get(entry["item"], {}))
    return told or next(iter(following.values()), {})


def next_due(item):
    """A period behind the due time, which is still to come."""
    due = datetime.datetime.fromisoformat(item.due[:19])
    if item.repeat == "monthly":
        month = due.month % 12 + 1
        due = due.replace(month=month, year=due.year + (month == 1))
    else:
        due += datetime.timedelta(days=1 if item.repeat == "daily" else 7)
    return due.isoformat() + ".000000Z"


def last_gone_first(model, departures, targets):
    """Those of the items that left, and where from: so a batch finds its neighbours."""
    gone = [(item, departures[item]) for item in targets if item in departures]
    gone.sort(key=lambda each: -each[1].number)
    refuse("rejected", [item for item, left in gone if model.section_to_return_to(left) is None])
    for item, _ in gone:
        del departures[item]
    return gone


@LIST.command("reopen", 3, all_items)
def reopen(model, data):
    targets = model.present_targets(data)
    changed = [item for item in targets if model.items[item].completed]
    gone = last_gone_first(model, model.completions, changed)
    for item in changed:
        model.items[item] = model.items[item]._replace(completed=False)
    for item, left in gone:
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
    gone = last_gone_first(model, model.deletions, targets)
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
    refuse("rejected", [item for item in targets if not model.items[item].movable])
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
        completed, spot, last = model.items[item].completed, model.spot(item), model.last_number
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
            if above is not None and above > last:
                # The next one came directly above, where nothing else has changed.
                above = spot[1][0]
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
    row = {"item": chooser.number()} if is_row else {"section": chooser.random.randint(1, 5)}
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
    if step.kind in LIST.ways_back:
        LIST.ways_back[step.kind](model, step.was)
        return True
    if step.kind == "configured":
        number, before = step.was
        section_that_is_there(model, number).swipe.update(before)
        return True
    if step.kind in ("row configured", "configured item", "edited"):
        return set_back(model, item, step)
    if step.kind in ("added", "restored"):
        if item in model.deletions:
            return False
        LIST.events["item.deleted"](model, {"item": item})
        return True
    number, (above, below) = step.was
    row = [each for each in section_that_is_there(model, number).row if each != item]
    index = place_between(row, above, below)
    after = row[index - 1] if index else None
    is_there = model.home(item) == number and model.spot(item)[1][0] == after
    if step.kind == "moved" and is_there:
        return False
    kind = {"moved": "item.moved", "deleted": "item.restored", "completed": "item.reopened",
            "reopened": "item.completed"}[step.kind]
    LIST.events[kind](model, {"item": item, "section": number, "after": after})
    return True


def set_back(model, item, step):
    """What an item has of its own becomes what it was."""
    before = model.overrides.get(item), model.items[item]
    if step.kind == "row configured":
        set_row(model, item, step.was)
    else:
        was = {"text": step.was} if step.kind == "edited" else step.was
        model.items[item] = model.items[item]._replace(**was)
    return (model.overrides.get(item), model.items[item]) != before


def section_that_is_there(model, number):
    """Nothing is led back to a section that was removed."""
    if number not in model.sections:
        raise Refused("rejected")
    return model.sections[number]
