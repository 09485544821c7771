"""Text that was erased leaves the backup with the next run, and an older backup is restored without
it where a newer state of the log is given."""

import json

import pytest

from harness import INBOX, run_cli
from test_backup import Place
from test_erase import SECRET, files_with, fill, wait_until_erased
from test_read_log import read_log


@pytest.fixture
def erased(new_service):
    """A service that has erased what the backup `old` still has."""
    place = Place(new_service)
    client = place.service.client()
    secret = fill(client)
    place.old = place.service.directory / "old"
    run_cli("log", "backup", "--data", place.data, "--to", place.old)
    place.back_up()
    assert files_with(place.old, SECRET) and files_with(place.backup, SECRET)
    client.done(INBOX, "purge", {"mails": secret, "erase": True})
    client.done("list/todo", "purge", {"items": [1, 2], "erase": True})
    wait_until_erased(client)
    return place


def test_the_next_run_replaces_it(erased):
    report = erased.back_up()
    assert report["replaced"] >= 1 and report["head"] == erased.service.client().head()
    assert files_with(erased.backup, SECRET) == []
    erased.restore("r")
    assert erased.serve("r").client().events() == erased.service.client().events()


@pytest.mark.parametrize("source", ["data", "backup", "stopped"])
def test_an_old_backup_is_restored_without_it(erased, source):
    events = erased.service.client().events()
    erased.back_up()
    if source == "stopped":
        erased.service.stop()
    newer = erased.backup if source == "backup" else erased.data
    erased.backup = erased.old
    report = erased.restore("r", "--erasures-from", newer)
    assert report["erased"] > 0
    assert files_with(erased.path("r"), SECRET) == []
    run_cli("log", "verify", "--data", erased.path("r"))
    restored = erased.serve("r").client()
    assert restored.events() == events[:report["head"]]
    assert files_with(erased.path("r"), SECRET) == []


def test_the_python_reader_says_what_was_erased(erased):
    events = [json.loads(line) for line in read_log(erased.data).stdout.splitlines()]
    recorded = {
        position for event in events if event["type"] == "erasure.completed"
        for position in event["data"]["positions"]}
    assert {event["position"] for event in events if event.get("erased")} == recorded != set()
    for event in events:
        event.pop("erased", None)
    assert events == erased.service.replayed()
