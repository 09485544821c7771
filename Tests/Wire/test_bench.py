"""Scripts/bench on the real process: what it writes, and that it leaves nothing behind."""

import itertools
import json
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from harness import DEADLINE_SECONDS, REPOSITORY, binary, wait_until

# Everything that is measured here takes seconds; a debug build is slower.
PATIENCE_SECONDS = 300


@pytest.fixture(scope="module", autouse=True)
def bare_loop():
    path = Path(binary()).with_name("bare-loop")
    assert path.exists(), "`swift build --product bare-loop` makes what the benchmark compares with"


def start_bench(directory, *options):
    """The benchmark, on a machine that has none of the other services."""
    environment = os.environ | {"PATH": str(directory / "empty")}
    return subprocess.Popen(
        [sys.executable, "-B", str(REPOSITORY / "Scripts/benchmark"),
         "--binaries", str(Path(binary()).parent), "--directory", str(directory),
         "--json", str(directory / "bench.json"), "--quick", *options],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def processes_of(directory):
    """The command lines of processes that have the directory in them."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if any(str(directory).encode() in word for word in words):
            found.append(words)
    return found


def test_a_run_writes_its_figures_and_leaves_nothing_else(tmp_path):
    bench = start_bench(tmp_path, "--cases", "live,redis,nats")
    output, _ = bench.communicate(timeout=PATIENCE_SECONDS)
    assert bench.returncode == 0, output
    document = json.loads((tmp_path / "bench.json").read_text())
    assert [case["name"] for case in document["cases"]] == ["live", "redis", "nats"]
    live, *others = document["cases"]
    receipt = live["rows"][0]
    assert len(receipt["service"]) == len(receipt["baseline"]) == document["options"]["pairs"] == 1
    assert receipt["ratios"] == [receipt["service"][0] / receipt["baseline"][0]]
    assert receipt["name"] in output
    # What is not here is named, with the way to get it.
    assert [other["rows"] for other in others] == [[], []]
    assert [skipped["what"] for skipped in document["skipped"]] == [
        "Redis Streams", "NATS JetStream"]
    for skipped in document["skipped"]:
        assert "setup --with-bench-peers" in skipped["reason"]
        assert skipped["reason"] in output
    assert document["failed"] == []
    assert [path.name for path in tmp_path.iterdir()] == ["bench.json"]
    assert processes_of(tmp_path) == []


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_run_that_is_ended_leaves_no_process(tmp_path, how):
    bench = start_bench(tmp_path, "--cases", "memory")
    try:
        wait_until(
            lambda: any(b"serve" in words for words in processes_of(tmp_path)), "a service")
        bench.send_signal(how)
        assert bench.wait(DEADLINE_SECONDS) != 0
    finally:
        bench.kill()
        bench.communicate()
    wait_until(lambda: processes_of(tmp_path) == [], "the service ends")
    if how != signal.SIGKILL:
        assert list(tmp_path.iterdir()) == []


def test_the_tool_alone_measures_a_service_of_its_own(tmp_path):
    done = subprocess.run(
        [binary(), "bench", "--json"], cwd=tmp_path, capture_output=True, text=True,
        timeout=PATIENCE_SECONDS, check=False)
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)
    assert {"commands, 1 in flight", "tail of history", "read and verified"} <= figures.keys()
    assert all(figure["value"] > 0 and figure["unit"] for figure in figures.values())
    assert list(tmp_path.iterdir()) == []
    assert processes_of(tmp_path) == []


@pytest.mark.parametrize("kind, streams", [
    *itertools.product(["flag", "deliver", "swipe", "add", "page"], [1, 30]), ("reorder", 1)])
def test_each_kind_of_load_writes_one_event_a_command(service, kind, streams):
    before = service.client().request("status")["head"]
    in_flight = 10 if kind == "page" else 50
    done = subprocess.run(
        [binary(), "bench", "load", "--endpoint", service.commands, "--kind", kind,
         "--streams", str(streams), "--rows", "20", "--inflight", str(in_flight), "--count", "300"],
        capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False)
    assert done.returncode == 0, done.stderr
    line = json.loads(done.stdout)
    assert line["commands"] == 300
    # A list begins with two events, its own and its section's.
    rows = {"deliver": 0, "add": 2, "reorder": 22}.get(kind, 20)
    written = 0 if kind == "page" else 300
    assert service.client().request("status")["head"] - before == streams * rows + written


@pytest.mark.parametrize("options", [
    ["--streams", "20"], ["--streams", "20", "--lists"], ["--streams", "0", "--new-every", "1"]])
def test_fill_makes_logs_that_are_sound(tmp_path, new_service, options):
    subprocess.run(
        [binary(), "bench", "fill", "--data", str(tmp_path / "data"), "--events", "9000", *options],
        check=True, stdout=subprocess.DEVNULL)
    service = new_service(directory=tmp_path).start()
    status = wait_until(lambda: caught_up(service), "the views")
    assert status["head"] == 9000
    assert [view["parked"] for view in status["views"]] == [0, 0, 0]
    audit = subprocess.run(
        [binary(), "views", "audit", "--endpoint", service.commands], capture_output=True,
        text=True, timeout=PATIENCE_SECONDS, check=False)
    assert audit.returncode == 0, audit.stdout + audit.stderr


# Of a moved item's key the bare loop knows only behind which other it is, so the order may differ.
ROWS = {
    "mailbox": [
        "SELECT id, mailbox, trashed, key, read, flag, date, sender, subject, message FROM mails"
        " ORDER BY id",
        "SELECT number, stream, revision, last_mail, top, total, unread, flagged, trash"
        " FROM mailboxes ORDER BY number"],
    "list": [
        "SELECT id, section, completed, text FROM items ORDER BY id",
        "SELECT number, stream, revision, last_section, last_item, open, completed, title"
        " FROM lists ORDER BY number"]}


@pytest.mark.parametrize("view, options", [("mailbox", []), ("list", ["--lists"])])
def test_the_bare_loop_writes_the_rows_of_the_view(
        tmp_path, new_service, monkeypatch, view, options):
    monkeypatch.syspath_prepend(str(REPOSITORY / "Scripts/benchmark"))
    import rows
    from cases.views import schema

    subprocess.run(
        [binary(), "bench", "fill", "--data", str(tmp_path / "data"), "--events", "30000",
         "--streams", "50", *options], check=True, stdout=subprocess.DEVNULL)
    service = new_service(directory=tmp_path).start()
    wait_until(lambda: caught_up(service), "the views")
    events = subprocess.run(
        [binary(), "replay", "--endpoint", service.commands], check=True, capture_output=True)
    assert service.stop() == 0
    shape = {"mailbox": rows.MAILBOX, "list": rows.LIST}[view]
    views = tmp_path / "data" / "views"
    rows.write_steps(
        events.stdout.splitlines(), schema(views, view), shape, tmp_path / "steps")
    bare = tmp_path / "bare.sqlite"
    subprocess.run(
        [str(Path(binary()).with_name("bare-loop")), "rows", str(tmp_path / "steps"), str(bare)],
        check=True, stdout=subprocess.DEVNULL)
    (ours,) = views.glob(f"{view}*.sqlite")
    for query in ROWS[view]:
        found = [sqlite3.connect(path).execute(query).fetchall() for path in (ours, bare)]
        assert len(found[0]) > 50
        assert found[0] == found[1]


def caught_up(service):
    status = service.client().request("status")
    return all(view["position"] >= status["head"] for view in status["views"]) and status
