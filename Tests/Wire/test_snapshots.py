"""Snapshots, indexes and views are disposable, aggregates come and go, commands are remembered as
far as it is said: the answers are the same."""

import os
import random
import shutil

from harness import MEBIBYTE, code_of, mail, wait_until, without
from kill_loop import KillLoop

LEAST_MEMORY = ("--aggregate-memory", "65536")
KINDS = ("index", "snapshots", "views")
BOXES = [f"mailbox/box-{number}" for number in range(6)]
LIST = "list/things"


def fill(client):
    """Six mailboxes and a list, each of several hundred events."""
    for box in BOXES:
        for number in range(60):
            client.done(box, "deliver", mail(number, messageID=f"<{number}@example.org>"))
        for command in ("flag", "mark-read", "unflag", "trash", "restore", "mark-unread"):
            client.done(box, command, {"mails": list(range(1, 51, 2))}, id=f"{box[-1]}-{command}")
        client.done(box, "reorder", {"mails": [3, 9, 4], "after": 20})
        client.done(box, "trash", {"mails": [5, 6]})
        client.done(box, "purge", {"mail": 6})
    client.create_list(LIST, items=[f"thing {number}" for number in range(80)])
    for command in ("complete", "reopen", "delete", "restore", "complete"):
        client.done(LIST, command, {"items": list(range(1, 60, 3))})
    client.done(LIST, "reorder", {"items": [2, 5], "first": True})


def answers(client):
    """What shows the state of every aggregate and view, and writes nothing."""
    found = []
    for box in BOXES:
        known = client.done(box, "deliver", mail(7, messageID="<7@example.org>"))
        assert known["events"] == 0 and known["outcome"] == {"mail": 8}
        purged = client.done(box, "deliver", mail(5, messageID="<5@example.org>"))
        assert purged["outcome"] == {"mail": 6}
        no_change = client.done(box, "mark-unread", {"mails": list(range(1, 51, 2))})
        again = client.done(
            box, "flag", {"mails": list(range(1, 51, 2))}, id=f"{box[-1]}-flag")
        assert again["duplicate"] is True
        found += [known, purged, no_change, again]
        found.append(client.rejected(box, "flag", {"mail": 6}))
        found.append(client.rejected(box, "reorder", {"mail": 1, "after": 5}))
        found.append(client.request("result", stream=box, command=f"{box[-1]}-trash"))
        for direction in ("left-to-right", "right-to-left"):
            found.append(client.done(
                box, "swipe", {"mail": 8, "direction": direction, "extent": 0.7}))
    found.append(client.done(LIST, "complete", {"items": [1, 4]}))
    found.append(client.rejected(LIST, "complete", {"item": 999}))
    for stream in [*BOXES, LIST]:
        found.append(client.view(stream))
        found.append(client.request("state", stream=stream))
    return [without(answer, "id", "cursor") for answer in found]


def data(service):
    return service.directory / "data"


def wait_for_snapshots(service, count):
    client = service.client()
    wait_until(
        lambda: client.request("status")["snapshots"]["written"] >= count, f"{count} snapshots")


def damage(kind, path):
    """Does to a file what disks and users do."""
    content = path.read_bytes()
    if kind == "noise":
        path.write_bytes(os.urandom(max(len(content), 64)))
    elif kind == "flips":
        content = bytearray(content)
        for _ in range(8):
            content[random.randrange(len(content))] ^= 1 << random.randrange(8)
        path.write_bytes(content)
    elif kind == "cut":
        path.write_bytes(content[:random.randrange(len(content))])
    elif kind == "empty":
        path.write_bytes(b"")


def test_derived_files_may_be_lost_or_damaged(new_service):
    service = new_service(segment_bytes=65536).start()
    fill(service.client())
    expected = answers(service.client())
    head = service.client().head()
    service.restart()
    # Each stream is replayed for its next command, which leaves a snapshot.
    assert answers(service.client()) == expected
    wait_for_snapshots(service, len(BOXES) + 1)
    assert len(list((data(service) / "snapshots").glob("*.snap"))) == len(BOXES) + 1
    service.restart()
    assert answers(service.client()) == expected
    assert service.client().request("status")["snapshots"] == {"written": 0, "failed": 0}

    assert service.stop() == 0
    for name in KINDS:
        shutil.rmtree(data(service) / name)
    service.start()
    assert answers(service.client()) == expected
    wait_for_snapshots(service, len(BOXES) + 1)

    for name in KINDS:
        assert service.stop() == 0
        shutil.rmtree(data(service) / name)
        service.start()
        assert answers(service.client()) == expected, name

    for kind in ("noise", "flips", "cut", "empty"):
        wait_for_snapshots_on_disk(service)
        assert service.stop() == 0
        # SQLite does not notice a flipped bit in a row: `views audit` does.
        for name in KINDS if kind != "flips" else ("index", "snapshots"):
            for path in (data(service) / name).iterdir():
                if path.is_file() and path.stat().st_size > 0:
                    damage(kind, path)
        service.start()
        assert answers(service.client()) == expected, kind
    assert service.client().head() == head


def test_flipped_bits_in_views_stop_no_start(new_service):
    service = new_service().start()
    service.client().deliver(20)
    head = service.client().head()
    for _ in range(8):
        assert service.stop() == 0
        for path in (data(service) / "views").iterdir():
            if path.stat().st_size > 0:
                damage("flips", path)
        service.start()
        assert service.client().head() == head


def wait_for_snapshots_on_disk(service):
    wait_until(
        lambda: len(list((data(service) / "snapshots").glob("*.snap"))) == len(BOXES) + 1,
        "a snapshot of each stream")


def test_the_snapshots_directory_may_be_a_file(new_service):
    service = new_service(segment_bytes=65536)
    data(service).mkdir(parents=True)
    (data(service) / "snapshots").write_text("in the way")
    service.start()
    fill(service.client())
    expected = answers(service.client())
    service.restart()
    assert answers(service.client()) == expected
    client = service.client()
    wait_until(lambda: client.request("status")["snapshots"]["failed"] > 0, "a failure")
    assert "snapshot of " in client.request("status")["snapshotFailure"]


def test_snapshots_of_another_log_are_not_believed(new_service):
    """A directory put together from two: the log of one, the snapshots of the other."""
    services = [new_service(segment_bytes=65536).start() for _ in range(2)]
    for number, service in enumerate(services):
        client = service.client()
        client.deliver(120 + number, "mailbox/a")
        client.done("mailbox/a", "flag", {"mail": 1 + number})
        service.restart()
        service.client().done("mailbox/a", "mark-unread", {"mail": 1})
        wait_for_snapshots(service, 1)
        assert service.stop() == 0
    shutil.rmtree(data(services[0]) / "snapshots")
    shutil.copytree(data(services[1]) / "snapshots", data(services[0]) / "snapshots")
    client = services[0].start().client()
    assert client.deliver(1, "mailbox/a", first=500)["outcome"] == {"mail": 121}
    assert client.done("mailbox/a", "flag", {"mails": [1, 2]})["outcome"] == {
        "results": [{"mail": 1, "changed": False}, {"mail": 2, "changed": True}]}


def test_evicted_aggregates_come_back_right(new_service):
    """One service keeps hardly anything in memory, the other everything: they answer alike."""
    small = new_service(segment_bytes=65536, options=LEAST_MEMORY).start()
    large = new_service(segment_bytes=65536).start()
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")
    dice = random.Random(seed)
    boxes = [f"mailbox/{number}" for number in range(40)]
    clients = [small.client(), large.client()]
    for client in clients:
        for box in boxes:
            client.deliver(120, box)
    sent = []
    for number in range(600):
        box = dice.choice(boxes)
        mails = sorted({dice.randrange(1, 125) for _ in range(dice.randrange(1, 4))})
        command = dice.choice(["flag", "unflag", "trash", "restore", "purge", "mark-read"])
        request = (box, command, {"mails": mails}, f"c{number}")
        if sent and dice.random() < 0.2:
            request = dice.choice(sent)
        sent.append(request)
        replies = [
            client.command(request[0], request[1], request[2], id=request[3])
            for client in clients]
        assert replies[0] == replies[1], request
    status = [client.request("status") for client in clients]
    assert status[0]["aggregates"] < 30 < status[1]["aggregates"] == len(boxes)
    assert status[0]["aggregateBytes"] < 131072 < status[1]["aggregateBytes"]
    assert status[0]["snapshots"]["written"] > 0
    assert status[0]["head"] == status[1]["head"]
    for box in boxes:
        views = [without(client.view(box), "id", "cursor") for client in clients]
        assert views[0] == views[1]


def test_kill_while_snapshots_are_written(new_service):
    """The load makes snapshots all the time, and aggregates come and go."""
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")
    loop = KillLoop(new_service(segment_bytes=256 << 10, options=LEAST_MEMORY), seed)
    names = set()
    # A round may be too short for a snapshot, so there are more until enough have met some.
    while loop.rounds < 4 or not any(name.endswith(".snap") for name in names):
        assert loop.rounds < 30, "no load has made a snapshot"
        loop.round()
        names |= {path.name for path in data(loop.service).glob("snapshots/*")}
    assert all(name.endswith(".snap") or name == "new.tmp" for name in names)
    loop.check_all()
    assert loop.ledger.acknowledged > 0


def test_the_command_horizon_is_what_it_says(new_service):
    service = new_service(
        segment_bytes=65536, options=("--command-horizon", "50", *LEAST_MEMORY)).start()
    client = service.client()
    for number in range(100):
        client.done(f"mailbox/{number % 7}", "deliver", mail(number), id=f"c{number}")
    check_horizon(client, range(50, 100))
    service.restart()
    check_horizon(service.client(), range(50, 100))
    # What was forgotten is in the log still: a larger horizon finds it again.
    service.options = ("--command-horizon", "1000")
    service.restart()
    check_horizon(service.client(), range(100))
    service.options = ("--command-horizon", "3")
    service.restart()
    client = service.client()
    check_horizon(client, range(97, 100))
    # Behind the horizon an id is as good as new.
    receipt = client.done("mailbox/0", "deliver", mail(0), id="c0")
    assert "duplicate" not in receipt and receipt["events"] == 1
    assert client.done("mailbox/0", "deliver", mail(0), id="c0")["duplicate"] is True
    assert client.request("status")["remembered"] == 3


def check_horizon(client, remembered):
    for number in range(100):
        stream = f"mailbox/{number % 7}"
        found = client.request("result", stream=stream, command=f"c{number}")
        assert found["result"] == ("written" if number in remembered else "unknown"), number
        if number not in remembered:
            continue
        again = client.done(stream, "deliver", mail(number), id=f"c{number}")
        assert again["duplicate"] is True and again["position"] == number + 1
        assert without(again, "id", "ok", "duplicate") == found["receipt"]
        reused = client.command(stream, "deliver", mail(number + 1), id=f"c{number}")
        assert code_of(reused) == "id-reused"


def test_memory_is_bounded_by_what_is_configured(new_service):
    """Many more mailboxes than fit: what is counted stays near the bound."""
    service = new_service(
        segment_bytes=MEBIBYTE, options=("--aggregate-memory", str(MEBIBYTE))).start()
    client = service.client()
    for number in range(300):
        client.deliver(150, f"mailbox/{number}")
    status = client.request("status")
    assert 0 < status["aggregateBytes"] <= 2 * MEBIBYTE
    assert 0 < status["aggregates"] < 300
