"""`log backup` and `log restore` (§7): hot, incremental, kill-proof; a restored log gives the same
answers under a new id."""

import json
import random
import shutil
import subprocess
import time

import pytest

from harness import (
    INBOX, Toggler, binary, mail, page_of, run_cli, start_process, wait_until)

SEGMENT_BYTES = 65536


class Place:
    """A service with small segments, and room for backups and restored logs beside its data."""

    def __init__(self, new_service):
        self.new_service = new_service
        self.service = new_service(segment_bytes=SEGMENT_BYTES).start()
        self.data = self.service.directory / "data"
        self.backup = self.service.directory / "backup"

    def back_up(self):
        return json.loads(run_cli(
            "log", "backup", "--data", self.data, "--to", self.backup, "--json").stdout)

    def restore(self, name, *options, status=0):
        """Restores into a directory of its own; the report, or the refusal's words."""
        result = run_cli(
            "log", "restore", "--from", self.backup, "--data", self.path(name), "--json", *options,
            status=status)
        return json.loads(result.stdout) if status == 0 else result.stderr

    def path(self, name):
        return self.service.directory / name / "data"

    def serve(self, name):
        """A service on a restored log."""
        return self.new_service(
            directory=self.service.directory / name, segment_bytes=SEGMENT_BYTES).start()


@pytest.fixture
def place(new_service):
    return Place(new_service)


def deliver(client, count, first=1):
    """In steps, so that the log goes on from segment to segment."""
    for number in range(first, first + count, 50):
        client.deliver(50, first=number)


def files_of(directory):
    return {path.name: path.read_bytes() for path in (directory / "segments").iterdir()}


def test_hot_backup_under_load(place):
    """Each backup holds everything that was acknowledged before it began, and is a front part of
    the log; a later run writes only what is new."""
    service = place.service
    writers = [
        Toggler(service, f"mailbox/{number}", window=window, bulk=bulk)
        for number, (window, bulk) in enumerate([(100, 1), (300, 1), (50, 10), (5, 100)])]
    for writer in writers:
        writer.start()
    reports, acknowledged = [], []
    for number in range(3):
        target = 800 * (number + 1)
        wait_until(lambda: sum(len(writer.receipts) for writer in writers) > target, "load")
        acknowledged.append({
            key: receipt for writer in writers for key, receipt in list(writer.receipts.items())})
        reports.append(place.back_up())
        assert place.restore(f"r{number}")["head"] == reports[-1]["head"]
    for writer in writers:
        writer.finish()
    events = service.client().events()
    for number, report in enumerate(reports):
        restored = place.serve(f"r{number}")
        assert restored.client().events() == events[:report["head"]]
        by_command = {}
        for event in events[:report["head"]]:
            by_command[event["meta"]["command"]] = event["position"]
        for command, receipt in acknowledged[number].items():
            assert by_command[command] == receipt["position"]
        restored.close()
    for before, after in zip(reports, reports[1:]):
        assert after["written"] == after["bytes"] - before["bytes"]
        assert after["unchanged"] + after["extended"] == before["segments"]
        assert after["replaced"] == 0 and after["extended"] <= 1


def test_incremental(place):
    """Sealed segments that are in the backup stay as they are, byte for byte."""
    deliver(place.service.client(), 500)
    first = place.back_up()
    assert first["segments"] > 2 and first["copied"] == first["segments"]
    before = files_of(place.backup)
    again = place.back_up()
    assert again["written"] == 0 and again["unchanged"] == first["segments"]
    assert files_of(place.backup) == before
    deliver(place.service.client(), 500, first=501)
    second = place.back_up()
    assert second["head"] == 1000
    after = files_of(place.backup)
    newest = max(before)
    assert all(after[name] == content for name, content in before.items() if name != newest)
    assert after[newest].startswith(before[newest]) and len(after) > len(before)


def test_kill_in_the_middle_of_a_backup(place):
    """After a kill at any moment the backup is what it was, or what it was to be."""
    client = place.service.client()
    deliver(client, 300)
    events = client.events()
    heads = {place.back_up()["head"]}
    began = time.monotonic()
    place.back_up()
    duration = time.monotonic() - began
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")
    chance = random.Random(seed)
    killed = 0
    for number in range(12):
        client.deliver(100, first=1000 * number)
        heads.add(client.head())
        process = start_process(
            [binary(), "log", "backup", "--data", str(place.data), "--to", str(place.backup)],
            stdout=subprocess.DEVNULL)
        time.sleep(chance.uniform(0, duration))
        process.kill()
        killed += process.wait() != 0
        head = place.restore(f"k{number}")["head"]
        assert head in heads
        if number % 4 == 3:
            restored = place.serve(f"k{number}")
            assert restored.client().events() == client.events()[:head]
            restored.close()
        shutil.rmtree(place.path(f"k{number}"))
    assert killed > 2
    assert place.back_up()["head"] == client.head()
    assert client.events()[:len(events)] == events


def test_restore_to_a_position_or_a_time(place):
    """Inclusive; the views, the state and the receipts are those of that moment."""
    client = place.service.client()
    client.deliver(30)
    client.done(INBOX, "flag", {"mails": list(range(1, 11))}, id="bulk")
    client.done(INBOX, "trash", {"mail": 3}, id="trash")
    place.back_up()
    events = client.events()
    flagged = [event for event in events if event["type"] == "mail.flagged"]
    middle = flagged[4]["position"]
    for name, options, head in [
            ("p20", ["--to-position", 20], 20), ("half", ["--to-position", middle], middle),
            ("t", ["--to-time", events[11]["time"]], 12), ("all", [], len(events)),
            ("none", ["--to-position", 0], 0), ("late", ["--to-time", "2999-01-01T00:00:00Z"], 41),
            ("early", ["--to-time", "1999-01-01T00:00:00+02:00"], 0)]:
        if name == "t":
            head = max(e["position"] for e in events if e["time"] <= events[11]["time"])
        assert place.restore(name, *options)["head"] == head
        run_cli("log", "verify", "--data", place.path(name))
        restored = place.serve(name)
        there = restored.client()
        assert there.events() == events[:head]
        if head:
            assert page_of(there.view()) == page_of(
                client.request("state", stream=INBOX, at=head))
        restored.close()


def test_beyond_the_head(place):
    """Exit status 1, clear words, and no directory."""
    place.service.client().deliver(5)
    place.back_up()
    words = place.restore("beyond", "--to-position", 6, status=1)
    assert "ends with position 5" in words and "6" in words
    assert not place.path("beyond").exists()


def test_commands_after_a_restore(place):
    """A command that was carried out before is known; ids of mails go on; the log id is new."""
    client = place.service.client()
    sent = [client.done(INBOX, "deliver", mail(number), id=f"d{number}") for number in range(1, 6)]
    bulk = client.done(INBOX, "flag", {"mails": [1, 2, 3]}, id="bulk")
    place.back_up()
    report = place.restore("r")
    restored = place.serve("r")
    there = restored.client()
    for number, receipt in enumerate(sent, 1):
        again = there.command(INBOX, "deliver", mail(number), id=f"d{number}")
        assert again == {**receipt, "duplicate": True}
    assert there.command(INBOX, "flag", {"mails": [1, 2, 3]}, id="bulk") == {
        **bulk, "duplicate": True}
    assert there.rejected(INBOX, "flag", {"mail": 4}, id="bulk")["code"] == "id-reused"
    assert there.done(INBOX, "deliver", mail(6))["outcome"] == {"mail": 6}
    status, before = there.request("status"), client.request("status")
    assert status["log"] == report["log"] != before["log"] == report["from"]
    refusal = there.refused("subscribe", **{"from": 0, "credit": 1, "log": before["log"]})
    assert refusal["code"] == "conflict"


def test_a_stopped_service_and_a_restored_one(place):
    """A log that nobody serves can be backed up; a restored one needs a backup of its own."""
    client = place.service.client()
    client.deliver(20)
    place.service.kill()
    assert place.back_up()["head"] == 20
    place.restore("r")
    words = run_cli(
        "log", "backup", "--data", place.path("r"), "--to", place.backup, status=1).stderr
    assert "is a backup of the log" in words
    run_cli("log", "backup", "--data", place.path("r"), "--to", place.path("own"))


def test_refusals(place):
    """What went wrong, where, and what to do; nothing is changed."""
    place.service.client().deliver(3)
    place.back_up()
    place.restore("r")
    other = place.service.directory / "other"
    other.mkdir()
    (other / "letter.txt").write_text("Dear …")
    for words, arguments in [
            ("not empty", ["restore", "--from", place.backup, "--data", place.path("r")]),
            ("no backup in", ["restore", "--from", other, "--data", place.path("x")]),
            ("inside the backup",
             ["restore", "--from", place.backup, "--data", place.backup / "x"]),
            ("no log in", ["backup", "--data", other, "--to", place.path("x")]),
            ("'letter.txt'", ["backup", "--data", place.data, "--to", other]),
            ("is inside", ["backup", "--data", place.data, "--to", place.data / "b" / "c"]),
            ("is inside", ["backup", "--data", place.data, "--to", place.data])]:
        assert words in run_cli("log", *arguments, status=1).stderr
    assert not place.path("x").exists() and not (place.data / "b").exists()
    for arguments in [
            ["backup", "--data", place.data], ["restore", "--data", place.path("x")],
            ["restore", "--from", place.backup, "--data", place.path("x"), "--to-time", "noon"],
            ["restore", "--from", place.backup, "--data", place.path("x"), "--to-position", "-1"],
            ["restore", "--from", place.backup, "--data", place.path("x"), "--to-position", "1",
             "--to-time", "2026-01-01T00:00:00Z"]]:
        run_cli("log", *arguments, status=2)


def test_damage_in_the_log(place):
    """A byte that changed is named, and the backup that there is can still be restored."""
    deliver(place.service.client(), 400)
    place.service.stop()
    place.back_up()
    before = files_of(place.backup)
    first = min(place.service.log_directory.iterdir())
    content = bytearray(first.read_bytes())
    content[9000] ^= 1
    first.write_bytes(content)
    words = run_cli(
        "log", "backup", "--data", place.data, "--to", place.backup, status=1).stderr
    assert first.name in words and "offset" in words and "positions" in words
    assert files_of(place.backup) == before
    assert place.restore("r")["head"] == 400
