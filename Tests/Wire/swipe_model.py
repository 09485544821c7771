"""How swipes and presses are judged, as the contract has it; for the models of lists and mailboxes."""

from model_run import Refused

DIRECTIONS = ["left-to-right", "right-to-left"]


def side(buttons=(), **more):
    """A side with the defaults of what is not given."""
    expansion = {"button": None, "threshold": 1.3, "fills": False} | more.pop("expansion", {})
    return {
        "buttons": [{"padding": 10, "closes": True, **button} for button in buttons],
        "transition": "border", "openThreshold": 0.5, "keepsOpen": True, "bounces": True,
        "bounceRate": 1, **more, "expansion": expansion}


def random_side(chooser, actions):
    """A side as a client may configure it, complete."""
    chosen = chooser.random
    buttons = [
        {"action": chosen.choice(actions), "color": f"#{chosen.randrange(1 << 24):06X}"}
        for _ in range(chosen.randint(0, 3))]
    expands = buttons and chooser.chance(2)
    return side(
        buttons, keepsOpen=not chooser.chance(4), bounces=not chooser.chance(3),
        expansion={
            "button": chosen.randrange(len(buttons)) if expands else None,
            "threshold": chosen.choice([0.5, 1, 2])})


def random_gesture(chooser):
    return {
        "direction": chooser.random.choice(DIRECTIONS),
        "extent": chooser.random.choice([0, 0.5, 0.6, 1, 1.1, 1.3, 1.5, 2, 2.5]),
        "velocity": chooser.random.choice([0, 0, 100, 101, -100, -101])}


def random_press(chooser):
    return {
        "direction": chooser.random.choice(DIRECTIONS), "button": chooser.random.randint(0, 3)}


def judge(side, extent, velocity):
    """`closed`, `revealed`, or the index of the button that acts."""
    if not side["buttons"]:
        return "closed"
    effective = extent
    if extent > 1:
        effective = 1 + (extent - 1) * side["bounceRate"] if side["bounces"] else 1
    expansion = side["expansion"]
    if expansion["button"] is not None and effective > expansion["threshold"]:
        return expansion["button"]
    if abs(velocity) > 100:
        is_open = velocity > 0
    else:
        is_open = effective > side["openThreshold"]
    return "revealed" if is_open and side["keepsOpen"] else "closed"


def swipe_outcome(settings, data, title, act):
    """The outcome of a swipe; `title` names a button, `act` does what one does and may give a sheet."""
    one_side = settings[data["direction"]]
    verdict = judge(one_side, data["extent"], data["velocity"])
    if verdict == "closed":
        return {"result": "closed"}
    if verdict == "revealed":
        return {"result": "revealed", "direction": data["direction"], "buttons": [
            {"index": index, "action": button["action"], "title": title(button),
             "color": button["color"], "padding": button["padding"]}
            for index, button in enumerate(one_side["buttons"])]}
    return _triggered(one_side, data["direction"], verdict, act)


def press_outcome(settings, data, act):
    one_side = settings[data["direction"]]
    if data["button"] >= len(one_side["buttons"]):
        raise Refused("invalid")
    return _triggered(one_side, data["direction"], data["button"], act)


def _triggered(one_side, direction, index, act):
    button = one_side["buttons"][index]
    sheet = act(button["action"])
    if sheet is not None:
        return {"result": "sheet", "title": "Actions", "actions": [{"title": "Cancel"}, *sheet]}
    return {"result": "triggered", "direction": direction, "button": index,
            "action": button["action"], "closes": button["closes"]}


def choice(title, command, **more):
    """One choice of a sheet."""
    return {"title": title, "command": command, **more}
