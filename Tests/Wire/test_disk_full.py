"""A small real file system that fills up and is freed again (promise 6)."""

import os
import subprocess
import tempfile
from pathlib import Path

import pytest
from harness import MEBIBYTE, Service, new_id, wait_until, without
from ledger import Ledger
from load import MixedWriter

SIZE = 48 * MEBIBYTE
STREAMS = ["mailbox/one", "mailbox/two", "list/one"]
TEXT = {"from": "Ada", "subject": "Tea", "message": "x" * 500, "to": ["y" * 900] * 40}


@pytest.fixture
def small_disk():
    """A mounted ext4 of its own; a file system in memory where there are no loop devices."""
    if os.geteuid() != 0:
        pytest.skip("mounting a small file system needs root")
    with tempfile.TemporaryDirectory(prefix="swipestream-disk-") as place:
        mount = Path(place, "mount")
        mount.mkdir()
        if not mount_ext4(Path(place, "image"), mount):
            mounted = run("mount", "-t", "tmpfs", "-o", f"size={SIZE}", "none", mount)
            if mounted.returncode != 0:
                pytest.skip(f"nothing can be mounted here: {mounted.stderr.strip()}")
        try:
            yield mount
        finally:
            run("umount", "--lazy", mount)


def mount_ext4(image, mount):
    with open(image, "wb") as file:
        file.truncate(SIZE)
    return (run("/usr/sbin/mkfs.ext4", "-q", "-m", "0", image).returncode == 0
            and run("mount", "-o", "loop", image, mount).returncode == 0)


def run(*arguments):
    try:
        return subprocess.run([*map(str, arguments)], capture_output=True, text=True, timeout=60)
    except FileNotFoundError as error:
        return subprocess.CompletedProcess(arguments, 127, "", str(error))


class Ballast:
    """A file that takes what room there is."""

    def __init__(self, mount):
        self._path = mount / "ballast"

    def fill(self, spare=0):
        with open(self._path, "ab", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(4096))
            except OSError:
                pass
        with open(self._path, "r+b") as file:
            file.truncate(max(self._path.stat().st_size - spare, 0))

    def free(self):
        self._path.unlink()


@pytest.fixture
def full_service(small_disk):
    """A service on the small disk, with one mail that was delivered while there was room."""
    service = Service(directory=small_disk, segment_bytes=MEBIBYTE)
    try:
        service.start().client().deliver()
        yield service, Ballast(small_disk)
    finally:
        service.close()


def is_read_only(service):
    return service.client().request("status")["readOnly"]


def test_writes_resume_by_themselves(full_service):
    """Under load the disk fills up, is freed, fills up: nothing acknowledged is lost, nothing
    refused is written, reads go on meanwhile."""
    service, ballast = full_service
    ledger = Ledger()
    known, doubtful = dict.fromkeys(STREAMS, 0), {stream: {} for stream in STREAMS}
    for turn in range(3):
        writers = [
            MixedWriter(service, stream, seed=turn, window=100, known=known[stream],
                        resend=[(key, *what) for key, what in doubtful[stream].items()])
            for stream in STREAMS]
        for writer in writers:
            writer.start()
        wait_until(lambda: all(len(writer.receipts) > 50 for writer in writers), "load")
        ballast.fill(spare=300_000)
        wait_until(lambda: any("read-only" in writer.refusals.values() for writer in writers),
                   "a refusal")
        head = service.client().head()
        assert len(service.client().request("read", **{"from": 0})["events"]) > 0
        assert service.client().request("state", stream=STREAMS[0])["position"] <= head
        before = {writer.stream: len(writer.receipts) for writer in writers}
        ballast.free()
        wait_until(lambda: all(len(writer.receipts) > before[writer.stream] + 50
                               for writer in writers), "writes after room was made")
        for writer in writers:
            writer.finish()
            known[writer.stream], doubtful[writer.stream] = writer.known, writer.doubtful
        ledger.take_events(service)
        for writer in writers:
            ledger.settle(writer.stream, writer.receipts, writer.refusals, writer.doubtful)
    assert ledger.refused > 0
    ledger.check_unchanged(service)
    ledger.check_views(service)


def refused_command(client):
    """Delivers until the room that is reserved is used up; gives the id of the refused command."""
    def attempt():
        command = new_id()
        receipt = client.command("mailbox/inbox", "deliver", TEXT, id=command)
        return None if receipt["ok"] else (command, receipt["error"]["code"])

    command, code = wait_until(attempt, "a refusal")
    assert code == "read-only"
    return command


@pytest.mark.parametrize("end", ["stop", "kill"])
def test_a_full_disk_stops_no_start(full_service, end):
    service, ballast = full_service
    ballast.fill()
    command = refused_command(service.client())
    head = service.client().head()
    getattr(service, end)()
    service.start()
    client = service.client()
    assert client.head() == head
    assert len(client.request("read", **{"from": 0})["events"]) == min(head, 100)
    assert client.request("query", view="mailbox", stream="mailbox/inbox")["rows"]
    assert refused_command(client) != command
    ballast.free()
    wait_until(lambda: not is_read_only(service), "room to write")
    receipt = client.done("mailbox/inbox", "deliver", TEXT, id=command)
    assert receipt["position"] > head and "duplicate" not in receipt
    view = client.view()
    service.restart()
    assert without(service.client().view(), "id", "cursor") == without(view, "id", "cursor")
