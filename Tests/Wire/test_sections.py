"""Sections that change, items that repeat, and whole sections replaced, from the wire to the view."""

from harness import page_of

LIST = "list/home"


def sections(client):
    """Each section's number, header and items, as the view shows them."""
    return [
        (section["section"], section["header"], [item["item"] for item in section["items"]])
        for section in client.view(LIST)["sections"]]


def same_as_state(client):
    assert page_of(client.view(LIST)) == page_of(client.request("state", stream=LIST))


def test_sections_from_add_to_undo(client):
    client.create_list(LIST, template="plain", items=["a", "b"])
    added = client.done(LIST, "add-section", {
        "header": "Later", "style": {"weight": "bold", "headerHeight": 30}, "first": True})
    assert added["outcome"] == {"section": 2}
    client.done(LIST, "add", {"text": "c", "section": 2})
    assert sections(client) == [(2, "Later", [3]), (1, None, [1, 2])]
    client.done(LIST, "move-section", {"section": 2, "last": True})
    client.done(LIST, "retitle-section", {"section": 2, "header": None, "footer": "end"})
    client.done(LIST, "configure-section", {
        "section": 2, "traits": {"canAdd": False}, "style": {"weight": None, "size": 12.5}})
    client.done(LIST, "retitle", {"title": "House"})
    view = client.view(LIST)
    assert view["title"] == "House"
    later = view["sections"][1]
    assert later["style"] == {"size": 12.5, "headerHeight": 30} and later["footer"] == "end"
    assert "style" not in view["sections"][0]
    refused = client.rejected(LIST, "add", {"text": "d", "section": 2})
    assert (refused["code"], refused["message"]) == (
        "rejected", "section 2 takes no new items: 'canAdd' is false")
    refused = client.rejected(LIST, "remove-section", {"section": 2})
    assert refused["code"] == "rejected" and "'items'" in refused["message"]
    same_as_state(client)

    removed = client.done(
        LIST, "remove-section", {"section": 2, "items": "move", "to": 1}, id="remove")
    assert removed["events"] == 2
    assert sections(client) == [(1, None, [1, 2, 3])]
    same_as_state(client)
    client.done(LIST, "undo", {"command": "remove"})
    assert sections(client) == [(1, None, [1, 2]), (2, None, [3])]
    assert client.view(LIST)["sections"][1]["style"] == {"size": 12.5, "headerHeight": 30}
    same_as_state(client)


def test_a_page_goes_on_only_where_its_section_stays(client):
    client.create_list(LIST, template="plain", items=["a", "b", "c"])
    client.done(LIST, "add-section", {"header": "Later"})
    client.done(LIST, "add", {"text": "d", "section": 2})
    page = client.view(LIST, limit=2)
    client.done(LIST, "retitle-section", {"section": 1, "header": "Now"})
    rest = client.view(LIST, limit=2, cursor=page["cursor"])
    assert [section["section"] for section in rest["sections"]] == [1, 2]
    client.done(LIST, "move-section", {"section": 1, "last": True})
    head = client.head()
    refused = client.refused(
        "query", view="list", stream=LIST, limit=2, cursor=page["cursor"], atLeast=head)
    assert refused["code"] == "invalid"


def test_items_that_repeat(service, client):
    client.create_list(LIST, template="todo", items=["a"])
    item = client.done(LIST, "add", {
        "text": "Rent", "repeat": "monthly", "due": "2020-01-31T08:00:00Z"})["outcome"]["item"]
    outcome = client.done(LIST, "complete", {"item": item})["outcome"]
    following = outcome["next"]["item"]
    # The first time behind the completion, which is now, on the 31st or the month's last day.
    assert outcome["next"]["due"][11:] == "08:00:00.000000Z"
    assert sections(client) == [(1, "To do", [1, following]), (2, "Completed", [item])]
    row = client.view(LIST)["sections"][0]["items"][1]
    assert row == {
        "item": following, "text": "Rent", "completed": False, "repeat": "monthly",
        "due": outcome["next"]["due"]}
    same_as_state(client)
    client.done(LIST, "edit", {"item": following, "movable": False, "repeat": None})
    refused = client.rejected(LIST, "reorder", {"item": following, "first": True})
    assert (refused["code"], refused["ids"]) == ("rejected", [following])
    text = service.cli("show", LIST).stdout
    assert f"Rent (due {outcome['next']['due'][:10]} 08:00, fixed)" in text
    same_as_state(client)


def test_replace(client):
    client.create_list(LIST, template="plain", items=["a", "b", "c"])
    done = client.done(LIST, "replace", {"section": 1, "texts": ["c", "x", "a"]})
    assert done["outcome"] == {"items": [3, 4, 1]} and done["events"] == 3
    assert client.done(
        LIST, "replace", {"section": 1, "texts": ["c", "x", "a"]})["events"] == 0
    assert sections(client) == [(1, None, [3, 4, 1])]
    same_as_state(client)
