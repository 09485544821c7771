"""`Scripts/read-log.py`, a reader in another language: it sees what `replay` shows, and damage."""

import json
import subprocess
import sys

import pytest

from harness import INBOX, REPOSITORY, mail

SCRIPT = REPOSITORY / "Scripts" / "read-log.py"


def read_log(*arguments, status=0):
    result = subprocess.run(
        [sys.executable, SCRIPT, *map(str, arguments)], capture_output=True, text=True)
    assert result.returncode == status, result.stderr
    return result


@pytest.fixture
def written(new_service):
    """A service with a log of several segments, text of many kinds in it."""
    service = new_service(segment_bytes=65536).start()
    client = service.client()
    for number in range(6):
        client.deliver(50, stream=f"mailbox/{number % 2}")
    client.done(INBOX, "deliver", mail(1000, subject="Ünï\"\\\n🙂", message="x" * 500))
    client.deliver(100)
    client.done(INBOX, "flag", {"mails": list(range(1, 50))})
    client.create_list(items=["one", "two"])
    client.deliver(50, stream="mailbox/other")
    return service


def test_same_events_as_replay(written):
    """While the service runs, and after it."""
    events = written.replayed()
    shown = [json.loads(line) for line in read_log(written.directory / "data").stdout.splitlines()]
    assert shown == events
    assert len(list(written.log_directory.iterdir())) > 2
    written.stop()
    assert [json.loads(line) for line in read_log(written.directory / "data").stdout.splitlines()
            ] == events
    assert f"positions 1 to {len(events)}" in read_log(
        "--check", written.directory / "data").stdout


def test_a_flipped_byte(written):
    """Anywhere: in a header, a record, a trailer."""
    written.stop()
    data = written.directory / "data"
    segments = sorted(written.log_directory.iterdir())
    for segment in segments[:1] + segments[-1:]:
        good = segment.read_bytes()
        end = len(good.rstrip(b"\0"))
        for place in [20, 80, 4110, 4200, end // 2, end - 1]:
            changed = bytearray(good)
            changed[place] ^= 4
            segment.write_bytes(changed)
            words = read_log("--check", data, status=1).stderr
            assert segment.name in words and "offset" in words, place
        segment.write_bytes(good)
    read_log("--check", data)
    segments[-1].rename(data / "elsewhere")
    assert "durable" in read_log("--check", data, status=1).stderr


def test_no_log(tmp_path):
    assert "no log" in read_log(tmp_path, status=1).stderr
