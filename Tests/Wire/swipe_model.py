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


def default_color(action):
    if action in ("toggle-read", "mark-read", "mark-unread", "reopen"):
        return "#007AFF"
    colors = {"trash": "#FF3B32", "delete": "#FF3B30", "complete": "#4CD964"}
    return colors.get(action, "#FF950D" if "flag" in action else "#C8C8CD")


def expanding(action, removing=False):
    """A side with one button that a long swipe sets off too."""
    return side(
        [{"action": action, "color": default_color(action), "closes": not removing}],
        expansion={"button": 0, "fills": removing})


def sides(left=None, right=None):
    return {"left-to-right": left or side(), "right-to-left": right or side()}


def random_configuration(chooser, actions, presets, rows):
    """What `configure-swipe` sets, for all rows or, with `rows`, for one."""
    which = chooser.random.randrange(4)
    if which == 0:
        return {"preset": chooser.random.choice(presets)}
    if which == 1 and rows:
        return {"clear": True}
    return {chooser.random.choice(DIRECTIONS): random_side(chooser, actions)}


def given_sides(data):
    return {direction: data[direction] for direction in DIRECTIONS if direction in data}


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


def random_press(chooser, actions):
    """Sometimes with what the button was when somebody saw it."""
    press = {
        "direction": chooser.random.choice(DIRECTIONS), "button": chooser.random.randint(0, 3)}
    return press | ({"action": chooser.random.choice(actions)} if chooser.chance(4) else {})


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
    """The outcome of a swipe.

    `title` names a button, and `act` does what one does: it tells the effect, or a sheet's choices.
    """
    one_side = settings[data["direction"]]
    verdict = judge(one_side, data["extent"], data["velocity"])
    if verdict == "closed":
        return {"result": "closed"}
    if verdict == "revealed":
        shown = [
            {"index": index, "action": button["action"], "title": title(button),
             "color": button["color"], "padding": button["padding"], "closes": button["closes"]}
            for index, button in enumerate(one_side["buttons"])]
        return {"result": "revealed", "direction": data["direction"], **one_side, "buttons": shown}
    return _triggered(one_side, data["direction"], verdict, act)


def press_outcome(settings, data, act):
    one_side = settings[data["direction"]]
    index, buttons = data["button"], one_side["buttons"]
    is_there = index < len(buttons)
    if "action" in data and not (is_there and buttons[index]["action"] == data["action"]):
        raise Refused("rejected")
    if not is_there:
        raise Refused("invalid")
    return _triggered(one_side, data["direction"], index, act)


def _triggered(one_side, direction, index, act):
    button = one_side["buttons"][index]
    effect = act(button["action"])
    if "actions" in effect:
        return {"result": "sheet", "title": "Actions", **effect}
    return {"result": "triggered", "direction": direction, "button": index,
            "action": button["action"], "closes": button["closes"], **effect}


def sheet(data, *choices):
    """A sheet's choices, each an absolute command about the row."""
    return {"actions": [{"title": "Cancel"}, *(
        {"title": title, "command": command, "data": data, **more}
        for title, command, more in choices)]}
