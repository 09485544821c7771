"""`log verify`, `log stat` and `serve --verify` on a data directory, as §7 promises them."""

import json
import os
import random
import shutil
import threading

import pytest

from harness import binary, run_cli, start_process, wait_until

SEGMENT_BYTES = 65536
HEADER_BYTES = 4096


def commands(count, prefix):
    """Commands that fill a few small segments, as lines for `send --file -`."""
    return "\n".join(
        json.dumps({
            "stream": "list/filled", "id": f"{prefix}-{index}", "command": "add",
            "data": {"text": f"{index} " + "x" * 200}})
        for index in range(count))


@pytest.fixture
def filled(new_service):
    """A service that was stopped with several segments in its log."""
    service = new_service(segment_bytes=SEGMENT_BYTES).start()
    service.cli("demo")
    service.cli("send", "list/filled", "create", "title=Filled", "template=plain")
    # One round after the other: what comes at once is one batch, which may be a segment of its own.
    for prefix in "abcd":
        service.cli("send", "--file", "-", input=commands(200, prefix))
    service.cli("send", "list/late", "create", "title=Late", "template=plain", "--id", "late")
    service.cli("send", "list/late", "add", "text=" + "x" * 200)
    assert service.stop() == 0
    return service


def data(service):
    return service.directory / "data"


def segments(service):
    return sorted((data(service) / "log").glob("*.seg"))


def tree(path):
    """Every file with its bytes and its time of change."""
    return {
        str(file.relative_to(path)): (file.read_bytes(), file.stat().st_mtime_ns)
        for file in sorted(path.rglob("*")) if file.is_file()}


def verify(service, *options, status=0):
    return json.loads(
        run_cli("log", "verify", "--data", data(service), "--json", *options, status=status).stdout)


def flip(file, offset):
    content = bytearray(file.read_bytes())
    content[offset] ^= 1 << random.randrange(8)
    file.write_bytes(content)


def serve_fails(service, *options):
    """What `serve` says on standard error, where it must not start."""
    service.process = start_process(
        [binary(), "serve", "--data", str(data(service)), "--commands", "tcp://127.0.0.1:*",
         "--events", "tcp://127.0.0.1:*", "--segment-bytes", str(SEGMENT_BYTES), *options],
        stdout=-1, stderr=-1, text=True)
    output, errors = service.process.communicate(timeout=60)
    assert service.process.returncode == 1, errors
    assert output == ""
    return errors


def test_a_whole_log(filled):
    """Exit status 0, and the counts are the log's; nothing is changed by looking."""
    before = tree(data(filled))
    report = verify(filled)
    assert report["ok"] and report["damages"] == [] and report["unfinished"] is None
    assert report["segments"] == len(segments(filled)) > 3
    assert report["records"] == report["head"]
    assert len(report["sealed"]["digest"]) == 64
    text = run_cli("log", "verify", "--data", data(filled)).stdout
    assert "all is well" in text and report["sealed"]["digest"] in text
    late = verify(filled, "--from", str(report["head"]))
    assert late["segments"] == 1 and late["head"] == report["head"]
    assert tree(data(filled)) == before


def test_a_read_only_directory(filled):
    """Nothing is written, not even a lock."""
    log = data(filled) / "log"
    (data(filled) / "lock").unlink()
    for place in [*log.iterdir(), log, data(filled)]:
        place.chmod(0o500)
    try:
        assert verify(filled)["ok"]
        run_cli("log", "stat", "--data", data(filled))
        assert not (data(filled) / "lock").exists()
    finally:
        for place in [data(filled), log, *log.iterdir()]:
            place.chmod(0o700)


@pytest.mark.parametrize("which", [0, 1, -1])
def test_one_flipped_byte(filled, which):
    """`log verify` ends with 1 and names file, offset and positions; `serve --verify` refuses in
    the same words and leaves every byte and time as it was."""
    file = segments(filled)[which]
    content = file.read_bytes()
    offset = content.index(b'"text":"', HEADER_BYTES) + 10
    flip(file, offset)
    before = tree(data(filled))
    report = verify(filled, status=1)
    [damage] = report["damages"]
    assert damage["file"] == file.name
    assert offset - 600 < damage["offset"] <= offset
    assert damage["positions"] == damage["lost"]
    assert damage["positions"]["first"] == damage["positions"]["last"]
    text = run_cli("log", "verify", "--data", data(filled), status=1).stdout
    [line] = [line for line in text.splitlines() if line.startswith("damaged log at")]
    errors = serve_fails(filled, "--verify")
    assert line in errors and str(data(filled)) in errors
    assert tree(data(filled)) == before


def test_any_flipped_byte(filled):
    """Wherever it is, headers and reserved room included."""
    seed = int(os.environ.get("SWIPESTREAM_SEED", random.randrange(1 << 32)))
    print("SWIPESTREAM_SEED", seed)
    choose = random.Random(seed)
    for _ in range(25):
        file = choose.choice(segments(filled))
        content = file.read_bytes()
        changed = bytearray(content)
        offset = choose.randrange(len(content))
        changed[offset] ^= choose.randrange(1, 256)
        file.write_bytes(changed)
        damages = verify(filled, status=1)["damages"]
        assert file.name in {damage["file"] for damage in damages}, (file.name, offset)
        file.write_bytes(content)
    assert verify(filled)["ok"]


def test_serve_verify_on_a_whole_log(filled):
    """It starts; so it does where there is no log yet."""
    filled.options = ["--verify"]
    filled.start()
    assert filled.client().head() == verify(filled)["head"]
    assert filled.stop() == 0
    shutil.rmtree(data(filled))
    assert filled.start().client().head() == 0


def test_a_missing_segment_and_several_damages(filled):
    """All of it is named in one go."""
    files = segments(filled)
    flip(files[0], HEADER_BYTES + 2)
    files[1].unlink()
    flip(files[2], 100)
    found = verify(filled, status=1)["damages"]
    assert [damage["file"] for damage in found][:1] == [files[0].name]
    assert {files[0].name, files[2].name} <= {damage["file"] for damage in found}
    first, third = int(files[1].stem), int(files[2].stem)
    assert {"first": first, "last": third - 1} in [damage["lost"] for damage in found]


def test_no_log(tmp_path):
    """Said so, with status 1; a mistake in the command line is 2."""
    for tool in ["verify", "stat"]:
        for place in [tmp_path, tmp_path / "missing"]:
            errors = run_cli("log", tool, "--data", place, status=1).stderr
            assert "there is no log" in errors and str(place) in errors
        run_cli("log", tool, "--nonsense", status=2)
    run_cli("log", status=2)
    run_cli("log", "nonsense", status=2)
    run_cli("log", "verify", "--from", "0", status=2)
    assert "verify" in run_cli("log", "--help").stdout
    assert "--from" in run_cli("log", "verify", "--help").stdout
    assert list(tmp_path.iterdir()) == []


def test_while_serving(new_service):
    """Verification under load finds nothing wrong, whatever moment it meets."""
    service = new_service(segment_bytes=SEGMENT_BYTES).start()
    service.cli("send", "list/filled", "create", "title=Filled", "template=plain")
    loads = [
        threading.Thread(
            target=lambda name=name: service.cli(
                "send", "--file", "-", input=commands(3000, name)))
        for name in ["a", "b"]]
    for load in loads:
        load.start()
    reports = []
    while any(load.is_alive() for load in loads) or len(reports) < 3:
        reports.append(verify(service))
    for load in loads:
        load.join()
    heads = [report["head"] for report in reports]
    assert heads == sorted(heads)
    assert wait_until(lambda: verify(service)["head"] == service.client().head(), "the head")
    statistics = json.loads(
        run_cli("log", "stat", "--data", data(service), "--json").stdout)
    assert statistics["head"] == 6001 + 1 and statistics["streams"] == 1


def test_stat(filled):
    """What the log is made of, with and without its indexes."""
    report = verify(filled)
    statistics = json.loads(run_cli("log", "stat", "--data", data(filled), "--json").stdout)
    for key in ["log", "head", "records", "bytes"]:
        assert statistics[key] == report[key]
    assert statistics["streams"] == 6 and statistics["indexesToRebuild"] == 0
    assert statistics["commands"] >= 800
    assert [part["file"] for part in statistics["segments"]] == [
        file.name for file in segments(filled)]
    assert sum(part["records"] for part in statistics["segments"]) == statistics["head"]
    assert statistics["firstTime"] < statistics["lastTime"]
    text = run_cli("log", "stat", "--data", data(filled)).stdout
    assert statistics["log"] in text
    shutil.rmtree(data(filled) / "index")
    statistics = json.loads(run_cli("log", "stat", "--data", data(filled), "--json").stdout)
    assert statistics["streams"] is None
    assert statistics["indexesToRebuild"] == len(segments(filled)) - 1
    assert verify(filled)["indexesToRebuild"] == len(segments(filled)) - 1


# Repair


def repair(service, *options, status=0):
    return run_cli("log", "repair", "--data", data(service), *options, status=status)


def damage(service, which=0):
    """Flips a byte inside an event; its position."""
    file = segments(service)[which]
    flip(file, file.read_bytes().index(b'"text":"', HEADER_BYTES) + 10)
    [found] = verify(service, status=1)["damages"]
    return found["positions"]["first"]


def test_repair_without_a_choice(filled):
    """Says what can be done, ends with 1 and changes nothing."""
    assert "nothing to repair" in repair(filled).stdout
    damage(filled, 1)
    before = tree(data(filled))
    text = repair(filled, status=1).stdout
    assert "damaged log at" in text and "--cut" in text and "--fill" in text
    assert "--accept-head" not in text
    repair(filled, "--accept-head", status=1)
    repair(filled, "--cut", "--fill", status=2)
    assert tree(data(filled)) == before


def test_fill_then_serve(filled):
    """One event is lost, all others are as they were, and everything goes on."""
    filled.start()
    events = filled.client().events()
    filled.stop()
    lost = damage(filled, 1)
    repair(filled, "--fill")
    assert verify(filled)["ok"]
    filled.start()
    now = filled.client().events()
    assert now[-1]["stream"] == "system/repairs" and now[-1]["type"] == "log.repaired"
    assert len(now) == len(events) + 1
    for event, before in zip(now, events):
        if event["position"] == lost:
            assert event["type"] == "log.lost"
            assert event["stream"] == before["stream"]
            assert event["revision"] == before["revision"]
        else:
            assert event == before
    known = {event["data"]["item"] for event in events if event["type"] == "item.added"
             and event["stream"] == "list/filled"}
    receipt = filled.cli_json("send", "list/filled", "add", "text=new")
    assert receipt["outcome"]["item"] not in known
    filled.cli("views", "audit")
    command = next(
        event["meta"]["command"] for event in events if event["type"] == "item.added"
        and event["stream"] == "list/filled" and event["position"] != lost)
    again = filled.cli_json("send", "list/filled", "add", "text=other", "--id", command, status=1)
    assert again["error"]["code"] == "id-reused"
    [kept] = (data(filled) / "removed").iterdir()
    assert json.loads((kept / "report.json").read_text())["choice"] == "fill"


def test_cut_then_serve(filled):
    """The log ends before the damage, and goes on from there."""
    position = damage(filled, 1)
    repair(filled, "--cut")
    assert verify(filled)["head"] == position
    filled.start()
    assert filled.client().head() == position
    filled.cli("send", "list/filled", "add", "text=new")
    filled.cli("views", "audit")


def test_repair_needs_the_log_for_itself(filled):
    """While it is served, it is refused."""
    damage(filled, 0)
    filled.start()
    assert "another process serves" in repair(filled, "--fill", status=1).stderr
    assert filled.stop() == 0
    repair(filled, "--fill")


@pytest.mark.parametrize("keeps_mark", [True, False])
def test_a_lost_end(filled, keeps_mark):
    """The newest segment is gone: the mark, or the views, know of more. It is never passed over in
    silence, and going on is an explicit choice."""
    head = verify(filled)["head"]
    first = int(segments(filled)[-1].stem)
    segments(filled)[-1].unlink()
    if not keeps_mark:
        (data(filled) / "head").unlink()
    before = tree(data(filled) / "log")
    errors = serve_fails(filled)
    assert "lost its end" in errors and str(data(filled)) in errors
    report = verify(filled, status=1)
    assert report["damages"][0]["lost"] == {"first": first, "last": head}
    assert "--accept-head" in repair(filled, status=1).stdout
    assert tree(data(filled) / "log") == before
    repair(filled, "--accept-head")
    filled.start()
    assert filled.client().head() == first
    filled.cli("views", "audit")


# The background check


def test_scrub(filled):
    """`status` tells of passes and of damage; nothing is changed, and the service goes on."""
    filled.options = ["--scrub-rate", "1000"]
    filled.start()

    def scrub():
        return filled.client().request("status")["scrub"]

    wait_until(lambda: scrub()["passes"] == 1, "a pass of the scrub")
    status = scrub()
    assert status["state"] == "waiting" and status["damage"] == [] and status["lastCompleted"]
    assert "scrub" in filled.cli("status").stdout
    filled.stop()
    position = damage(filled, 0)
    before = segments(filled)[0].read_bytes()
    filled.start()
    wait_until(lambda: scrub()["passes"] == 1, "a pass of the scrub")
    [found] = scrub()["damage"]
    assert found["file"] == segments(filled)[0].name
    assert found["positions"] == {"first": position, "last": position}
    assert "damaged log at " + found["file"] in filled.errors.next()
    assert "DAMAGED" in filled.cli("status").stdout
    assert segments(filled)[0].read_bytes() == before
    filled.cli("send", "list/other", "create", "title=Other", "template=plain")
    filled.options = ["--scrub-rate", "0"]
    filled.restart()
    assert scrub()["state"] == "off"


def test_no_index_and_a_damaged_segment(filled):
    """It starts; what may be a command of the damaged part is refused, and reads go on."""
    damage(filled, 0)
    shutil.rmtree(data(filled) / "index")
    filled.start()
    status = filled.client().request("status")
    assert "damaged log at" in status["recovery"]
    again = filled.cli_json(
        "send", "list/late", "create", "title=Late", "template=plain", "--id", "late")
    assert again["duplicate"]
    new = filled.cli_json("send", "list/late", "add", "text=new", status=1)
    assert new["error"]["code"] == "unavailable"
    assert filled.client().request("read", **{"from": again["position"] - 1})["events"]
