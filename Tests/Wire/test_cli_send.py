"""`send` and `send --file`: values, receipts, order, exit statuses (§8)."""

import json
import threading

import pytest

from harness import INBOX, Service, mail, run_cli, wait_until


def send(service, *arguments, status=0):
    return service.cli_json("send", *arguments, status=status)


@pytest.fixture
def mailbox(service):
    service.client().deliver(3)
    service.client().create_list("list/values", "plain")
    return service


@pytest.mark.parametrize("argument, text", [
    ("text=five", "five"), ('text="5"', "5"), ("text=a=b", "a=b"), ('text="a b"', "a b"),
    ("text=2026-01-01", "2026-01-01"), ("text=1 2", "1 2"), ("text=[1", "[1"),
    ("text=ünïcode 🙂", "ünïcode 🙂"), ("text=007", "007"), ("text=+1", "+1"),
    ('text="\\u00e4"', "ä"), ("text=-", "-"), ("text=nul", "nul")])
def test_values_that_are_text(mailbox, argument, text):
    """What is no JSON literal is text; `text='"5"'` forces text."""
    send(mailbox, "list/values", "add", argument)
    assert mailbox.client().events()[-1]["data"]["text"] == text


@pytest.mark.parametrize("argument", [
    "text=5", "text=true", "text=null", "text=[]", "text={}", "text=1.5", "text=-3", "text="])
def test_values_that_are_no_text(mailbox, argument):
    """Integers, true, false and JSON literals are sent as such, which `add` does not take."""
    receipt = send(mailbox, "list/values", "add", argument, status=1)
    assert receipt["error"]["code"] == "invalid"


def test_typed_values(mailbox):
    """Arrays, numbers, objects and booleans reach the command as they are."""
    bulk = send(mailbox, INBOX, "flag", "mails=[1,2]")
    assert bulk["outcome"]["results"] == [
        {"mail": 1, "changed": True}, {"mail": 2, "changed": True}]
    assert send(mailbox, INBOX, "reorder", "mail=1", "first=true")["events"] == 1
    assert send(mailbox, INBOX, "configure-swipe", 'left-to-right={"buttons":[]}')["events"] == 1


def test_the_receipt(mailbox):
    """One line, the service's own answer."""
    result = mailbox.cli("send", INBOX, "flag", "mail=2", "--id", "f", "--by", "tester")
    assert result.stdout.count("\n") == 1
    assert json.loads(result.stdout) == {
        "id": "f", "ok": True, "stream": INBOX, "revision": 4, "position": 6, "events": 1,
        "outcome": {}}
    assert mailbox.client().events()[-1]["meta"]["by"] == "tester"


def test_refusals(mailbox):
    """Refused is exit status 1, with the receipt still printed."""
    for arguments, code in [
            ((INBOX, "flag", "mail=99"), "not-found"),
            ((INBOX, "flag", "mail=1", "--expect", "1"), "conflict"),
            ((INBOX, "dance"), "unknown-command"),
            ((INBOX, "flag", "mail=one"), "invalid"),
            (("inbox", "flag", "mail=1"), "invalid"),
            ((INBOX, "flag", "mail=1", "--id", "~x"), "invalid"),
            ((INBOX, "flag", "mail=1", "--id", "x" * 65), "invalid"),
            (("system/x", "flag", "mail=1"), "forbidden")]:
        assert send(mailbox, *arguments, status=1)["error"]["code"] == code, arguments
    assert send(mailbox, INBOX, "flag", "mail=1", "--expect", "3")["events"] == 1


@pytest.mark.parametrize("arguments", [
    [], ["no-such-command"], ["send"], ["send", INBOX], ["send", INBOX, "flag", "mail"],
    ["send", INBOX, "flag", "=1"], ["send", INBOX, "flag", "mail=1", "mail=2"],
    ["send", INBOX, "flag", "--colour", "red"], ["send", INBOX, "flag", "--id"],
    ["send", INBOX, "flag", "mail=1", "--expect", "many"],
    ["send", INBOX, "flag", "mail=1", "--timeout", "soon"],
    ["send", "--file", "-", INBOX], ["show"], ["show", "inbox"], ["show", INBOX, "extra"],
    ["show", INBOX, "--at", "yesterday"], ["show", INBOX, "--limit", "0"],
    ["tail", "--from", "middle"], ["tail", "extra"], ["replay", "--to", "soon"],
    ["replay", "--from", "-1"], ["query"], ["query", "mailbox", "stream"], ["rebuild", "a", "b"],
    ["import"], ["import", "x"], ["import", "x", "--into", "list/todo"],
    ["views"], ["views", "burn"], ["demo", "extra"], ["serve", "--segment-bytes", "1"],
    ["serve", "extra"], ["read", INBOX], ["read", INBOX, "first"], ["help", "no-such-command"],
    ["status", "extra"], ["status", "--endpoint", "nonsense"],
], ids=" ".join)
def test_usage(arguments):
    """What makes no sense is exit status 2, with a message and nothing printed."""
    result = run_cli(*arguments, status=2)
    assert result.stdout == ""
    assert result.stderr.startswith("swipestream: ")


def test_help():
    """Every subcommand is listed and explained."""
    listed = run_cli("help").stdout
    for name in ("serve", "send", "show", "tail", "replay", "query", "rebuild", "import", "read",
                 "views", "demo", "status", "version", "help"):
        assert f"\n  {name} " in listed
        assert run_cli(name, "--help").stdout == run_cli("help", name).stdout
        assert f"usage: swipestream {name}" in run_cli("help", name).stdout


@pytest.mark.parametrize("arguments", [
    ["send", INBOX, "flag", "mail=1"], ["show", INBOX], ["replay"], ["status"], ["demo"],
    ["query", "mailbox", f"stream={INBOX}"], ["tail", "--from", "start"], ["rebuild"],
    ["views", "list"], ["send", "--file", "-"]], ids=" ".join)
def test_no_service(arguments, tmp_path):
    """Nobody answers: exit status 3, and what to do about it."""
    result = run_cli(
        *arguments, "--endpoint", f"ipc://{tmp_path}/nobody", "--timeout", "0.3", status=3,
        input='{"stream":"mailbox/inbox","command":"flag","data":{"mail":1}}\n')
    assert "no service answered" in result.stdout + result.stderr


def test_import_without_service(tmp_path):
    file = tmp_path / "a.eml"
    file.write_text("From: a@b\nSubject: s\n\ntext\n")
    run_cli("import", file, "--into", INBOX, "--endpoint", f"ipc://{tmp_path}/nobody",
            "--timeout", "0.3", status=3)


class TestFile:
    """NDJSON of commands, pipelined; receipts in the order of the input."""

    def receipts(self, service, lines, status=0):
        text = "".join(
            line if isinstance(line, str) else json.dumps(line) + "\n" for line in lines)
        result = service.cli("send", "--file", "-", input=text, status=status)
        return [json.loads(line) for line in result.stdout.splitlines()]

    def test_order(self, service):
        """Also across streams; op and id may be left out."""
        lines = [
            {"stream": f"mailbox/{number % 7}", "command": "deliver", "data": mail(number)}
            for number in range(3000)]
        receipts = self.receipts(service, lines)
        assert [receipt["stream"] for receipt in receipts] == [line["stream"] for line in lines]
        assert [receipt["outcome"]["mail"] for receipt in receipts] == [
            number // 7 + 1 for number in range(3000)]
        assert sorted(receipt["position"] for receipt in receipts) == list(range(1, 3001))
        assert service.client().head() == 3000

    def test_good_and_bad_lines(self, service):
        """A refused line does not stop the others; exit status 1."""
        lines = [
            {"id": "one", "stream": INBOX, "command": "deliver", "data": mail(1)},
            "this is no JSON\n",
            {"op": "command", "id": "two", "stream": INBOX, "command": "flag", "data": {"mail": 1}},
            "\n", "   \n",
            {"id": "three", "stream": INBOX, "command": "flag", "data": {"mail": 7}},
            "[1, 2]\n",
            {"id": 5, "stream": INBOX, "command": "flag", "data": {"mail": 1}},
            {"id": "four", "stream": "nowhere", "command": "flag", "data": {"mail": 1}},
            {"id": "five", "stream": INBOX, "command": "unflag", "data": {"mail": 1}}]
        receipts = self.receipts(service, lines, status=1)
        found = [
            (receipt["id"], receipt["error"]["code"] if not receipt["ok"] else None)
            for receipt in receipts]
        assert found == [
            ("one", None), (None, "malformed"), ("two", None), ("three", "not-found"),
            (None, "malformed"), (None, "invalid"), ("four", "invalid"), ("five", None)]

    def test_one_id_twice(self, service):
        """The second line of the same command is a duplicate; in another stream it is its own."""
        line = {"id": "same", "stream": INBOX, "command": "deliver", "data": mail(1)}
        receipts = self.receipts(service, [line, line, {**line, "stream": "mailbox/other"}])
        assert receipts == [
            receipts[0], {**receipts[0], "duplicate": True},
            {**receipts[0], "stream": "mailbox/other", "position": 2}]

    def crashed(self, service, count=20_000):
        """Sends mails from a file while the service is killed and started again; gives the lines,
        their receipts, and the events."""
        lines = [
            {"stream": INBOX, "command": "deliver", "data": mail(number), "id": f"line-{number}"}
            for number in range(count)]
        text = "".join(json.dumps(line) + "\n" for line in lines)
        printed = []
        sending = threading.Thread(target=lambda: printed.extend(
            service.cli("send", "--file", "-", "--timeout", 60, input=text).stdout.splitlines()))
        watcher = service.client()
        sending.start()
        wait_until(lambda: watcher.head() > 2000, "the sending is under way")
        service.kill()
        there = service.again().client().head()
        sending.join()
        assert there < count, "all was sent before the crash"
        return lines, [json.loads(line) for line in printed], service.client().events()

    def test_a_service_that_crashes_meanwhile(self, service):
        """What was not answered is sent again once the service is back: each line has its receipt,
        in its place, and is carried out once."""
        lines, receipts, events = self.crashed(service)
        assert [receipt["id"] for receipt in receipts] == [line["id"] for line in lines]
        recorded = {event["meta"]["command"]: event for event in events}
        assert len(recorded) == len(events) == len(lines)
        for line, receipt in zip(lines, receipts):
            event = recorded[line["id"]]
            assert event["data"]["subject"] == line["data"]["subject"]
            assert (event["position"], event["data"]["mail"]) == (
                receipt["position"], receipt["outcome"]["mail"])

    def test_the_order_of_lines_outlives_a_crash(self, service):
        """One client's commands to one stream are carried out in the order they were sent."""
        lines, _, events = self.crashed(service)
        assert [event["meta"]["command"] for event in events] == [line["id"] for line in lines]

    def test_windows_lines_and_no_last_newline(self, service):
        line = json.dumps({"stream": INBOX, "command": "deliver", "data": mail(1)})
        assert len(self.receipts(service, [line + "\r\n" + line])) == 2

    def test_ids_beyond_any_limit(self, service):
        """Each still has its answer: nothing is waited for in vain."""
        line = {"stream": INBOX, "command": "deliver", "data": mail(1)}
        lines = [{**line, "id": "x" * length} for length in (64, 65, 256, 257, 5000)]
        receipts = self.receipts(service, lines, status=1)
        assert [receipt["ok"] for receipt in receipts] == [True, False, False, False, False]
        assert {receipt["error"]["code"] for receipt in receipts[1:]} == {"invalid"}

    def test_a_line_too_large(self, service):
        line = {"stream": INBOX, "command": "deliver", "data": mail(1, message="x" * (1 << 20))}
        after = {"stream": INBOX, "command": "deliver", "data": mail(2)}
        receipts = self.receipts(service, [line, after], status=1)
        assert receipts[0]["error"]["code"] == "too-large"
        assert receipts[1]["ok"]

    def test_from_a_file(self, service, tmp_path):
        file = tmp_path / "commands"
        file.write_text(json.dumps({"stream": INBOX, "command": "deliver", "data": mail(1)}) + "\n")
        assert json.loads(service.cli("send", "--file", file).stdout)["position"] == 1
        assert service.cli("send", "--file", tmp_path / "none", status=1).stdout == ""


def test_data_directory_from_the_environment(tmp_path, monkeypatch):
    """`SWIPESTREAM_DATA` names it where `--data` does not."""
    service = Service()
    try:
        service.start()
        assert (service.directory / "data" / "log").is_dir()
        monkeypatch.setenv("SWIPESTREAM_DATA", str(service.directory / "data"))
        result = run_cli("serve", "--commands", "tcp://127.0.0.1:*", status=1)
        assert str(service.directory) in result.stderr
    finally:
        service.close()


def test_a_directory_as_the_file(service):
    refused = service.cli("send", "--file", str(service.directory), status=1)
    assert "cannot read" in refused.stderr
