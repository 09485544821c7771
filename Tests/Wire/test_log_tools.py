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
    service.cli("send", "--file", "-", input=commands(600, "a"))
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
    assert report["segments"] == len(segments(filled)) > 2
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
    offset = content.index(b"x" * 100, HEADER_BYTES) + 50
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
    assert statistics["streams"] == 5 and statistics["indexesToRebuild"] == 0
    assert statistics["commands"] >= 600
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
