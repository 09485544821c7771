"""`sync` (§8): a Maildir and a mailbox in step, both ways; renames keep the unique part."""

import json
import os
import signal
import subprocess

import pytest

from harness import DEADLINE_SECONDS, INBOX, Lines, binary, start_process, wait_until

MAIL = """\
From: anna@example.com
Subject: {subject}
Date: Thu, 01 Jan 2026 00:30:00 +0000
Message-ID: <{subject}@example.com>

Text of {subject}.
"""


class Maildir:
    def __init__(self, path):
        self.path = path
        for box in ("cur", "new", "tmp"):
            (path / box).mkdir(parents=True)

    def add(self, name, subject):
        """Delivers as mail programs do: written in `tmp`, then renamed."""
        draft = self.path / "tmp" / "draft"
        draft.write_text(MAIL.format(subject=subject))
        draft.rename(self.path / name)

    def rename(self, old, new):
        (self.path / old).rename(self.path / new)

    @property
    def files(self):
        return sorted(
            f"{box}/{file.name}" for box in ("cur", "new") for file in (self.path / box).iterdir())

    @property
    def state_file(self):
        return next(self.path.glob(".swipestream-sync-*.json"))

    @property
    def state(self):
        """Unique part → (mail, agreed flags)."""
        return {name: (mail, flags) for name, mail, flags in
                json.loads(self.state_file.read_text())["files"]}


class RunningSync:
    """A continuous sync, and what it says."""

    def __init__(self, service, maildir, *options):
        self.process = start_process(
            [binary(), "sync", str(maildir.path), INBOX, "--interval", "0.05", *options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=service.environment())
        self.lines, self.errors = Lines(self.process.stdout), Lines(self.process.stderr)
        assert self.lines.next().startswith(f"in step with {INBOX}: ")

    def close(self):
        self.process.kill()
        self.process.wait(DEADLINE_SECONDS)


@pytest.fixture
def maildir(tmp_path):
    return Maildir(tmp_path / "mail")


@pytest.fixture
def once(service, maildir):
    """One pass; what it did: mails delivered, changes there, changes here."""

    def run(**options):
        result = service.cli("sync", maildir.path, INBOX, "--once", **options)
        run.errors = result.stderr
        if not result.stdout:
            return None
        words = result.stdout.splitlines()[-1].split()
        return int(words[4]), int(words[6]), int(words[9])

    return run


@pytest.fixture
def running(service, maildir):
    """Starts a continuous sync, which ends with the test."""
    return lambda *options: service.closing(RunningSync(service, maildir, *options))


def flags(client):
    """Mail → its flags as Maildir letters; mails in the trash have a T."""
    found = {}
    for members, letter in (({}, ""), ({"in": "trash"}, "T")):
        cursor = {}
        while cursor is not None:
            page = client.view(limit=1000, **members, **cursor)
            for row in page["rows"]:
                found[row["mail"]] = "F" * row["flag"] + "S" * row["read"] + letter
            cursor = {"cursor": page["cursor"]} if page["cursor"] else None
    return found


def types(client):
    return [event["type"] for event in client.events()]


def test_new_files_become_mails(service, client, maildir, once):
    maildir.add("new/1.host", "a")
    maildir.add("cur/2.host:2,S", "b")
    maildir.add("cur/3.host:2,FRST", "c")
    before = maildir.files
    assert once() == (3, 0, 0)
    assert flags(client) == {1: "", 2: "S", 3: "FST"}
    assert {event["meta"]["by"] for event in client.events()} == {"sync"}
    assert maildir.files == before
    assert maildir.state == {"1.host": (1, ""), "2.host": (2, "S"), "3.host": (3, "FST")}
    assert once() == (0, 0, 0)
    assert client.head() == 3


def test_import_and_sync_know_each_others_mails(service, client, maildir, once):
    """The same command with the same id."""
    maildir.add("new/1.host", "a")
    service.cli("import", maildir.path, "--into", INBOX)
    assert once() == (0, 0, 0)
    assert maildir.state == {"1.host": (1, "")}
    assert client.head() == 1


def test_changes_on_disk_become_commands(service, client, maildir, once):
    for number in (1, 2, 3):
        maildir.add(f"new/{number}.host", f"m{number}")
    once()
    maildir.rename("new/1.host", "cur/1.host:2,S")
    maildir.rename("new/2.host", "cur/2.host:2,FT")
    maildir.rename("new/3.host", "cur/3.host:2,")
    assert once() == (0, 3, 0)
    assert flags(client) == {1: "S", 2: "FT", 3: ""}
    maildir.rename("cur/1.host:2,S", "cur/1.host:2,R")
    maildir.rename("cur/2.host:2,FT", "cur/2.host:2,")
    assert once() == (0, 3, 0)
    assert flags(client) == {1: "", 2: "", 3: ""}
    assert types(client)[3:] == [
        "mail.read", "mail.flagged", "mail.trashed",
        "mail.unread", "mail.restored", "mail.unflagged"]
    assert {event["meta"]["by"] for event in client.events()} == {"sync"}
    assert once() == (0, 0, 0)


def test_events_become_renames(service, client, maildir, once):
    """One rename, the unique part and foreign letters kept, letters sorted."""
    maildir.add("new/1.host", "a")
    maildir.add("cur/2.host:2,aRS", "b")
    maildir.add("cur/3.host", "c")
    once()
    client.done(INBOX, "mark-read", {"mail": 1})
    client.done(INBOX, "mark-unread", {"mail": 2})
    client.done(INBOX, "trash", {"mail": 2})
    client.done(INBOX, "flag", {"mails": [2, 3]})
    assert once() == (0, 0, 3)
    assert maildir.files == ["cur/1.host:2,S", "cur/2.host:2,FRTa", "cur/3.host:2,F"]
    client.done(INBOX, "restore", {"mail": 2})
    client.done(INBOX, "unflag", {"mail": 3})
    assert once() == (0, 0, 2)
    assert maildir.files == ["cur/1.host:2,S", "cur/2.host:2,FRa", "cur/3.host:2,"]
    head = client.head()
    assert once() == (0, 0, 0)
    assert client.head() == head


def test_both_sides_changed(service, client, maildir, once):
    """Different flags of one mail: both hold. The same one: nothing is left to do."""
    maildir.add("cur/1.host:2,", "a")
    once()
    maildir.rename("cur/1.host:2,", "cur/1.host:2,FS")
    client.done(INBOX, "trash", {"mail": 1})
    client.done(INBOX, "flag", {"mail": 1})
    assert once() == (0, 1, 1)
    assert maildir.files == ["cur/1.host:2,FST"]
    assert flags(client) == {1: "FST"}


def test_the_service_wins_without_an_agreement(service, client, maildir, once):
    """As where the state file was deleted, or damaged."""
    maildir.add("cur/1.host:2,", "a")
    maildir.add("cur/2.host:2,", "b")
    once()
    for damage in (None, b"", b"{", b'{"version":1}', maildir.state_file.read_bytes()[:-9]):
        client.done(INBOX, "flag", {"mail": 1})
        maildir.rename("cur/2.host:2,", "cur/2.host:2,S")
        if damage is None:
            maildir.state_file.unlink()
        else:
            maildir.state_file.write_bytes(damage)
        assert once() == (0, 0, 2)
        assert ("beginning anew" in once.errors) == (damage is not None)
        assert maildir.files == ["cur/1.host:2,F", "cur/2.host:2,"]
        client.done(INBOX, "unflag", {"mail": 1})
        assert once() == (0, 0, 1)


def test_another_log(service, client, new_service, maildir):
    """Mail numbers of one service mean nothing to another."""
    maildir.add("cur/1.host:2,F", "a")
    maildir.add("cur/2.host:2,S", "b")
    service.cli("sync", maildir.path, INBOX, "--once")
    other = new_service().start()
    other.client().deliver(5)
    result = other.cli("sync", maildir.path, INBOX, "--once")
    assert "another log" in result.stderr
    assert maildir.state == {"1.host": (6, "F"), "2.host": (7, "S")}
    assert maildir.files == ["cur/1.host:2,F", "cur/2.host:2,S"]


def test_a_removed_file(service, client, maildir, once):
    """A warning, once, and no command; back again it is the same mail."""
    maildir.add("cur/1.host:2,", "a")
    maildir.add("cur/2.host:2,", "b")
    once()
    (maildir.path / "cur/1.host:2,").unlink()
    assert once() == (0, 0, 0)
    assert "1.host was removed" in once.errors and "mail 1" in once.errors
    assert once() == (0, 0, 0)
    assert once.errors == ""
    assert client.head() == 2
    client.done(INBOX, "flag", {"mail": 1})
    maildir.add("new/1.host", "a")
    assert once() == (0, 0, 1)
    assert maildir.files == ["cur/1.host:2,F", "cur/2.host:2,"]


def test_a_purged_mail(service, client, maildir, once):
    """Its file stays as it is, whatever becomes of it, and so it does when it is new again."""
    maildir.add("cur/1.host:2,", "a")
    once()
    client.done(INBOX, "trash", {"mail": 1})
    client.done(INBOX, "purge", {"mail": 1})
    assert once() == (0, 0, 0)
    maildir.rename("cur/1.host:2,", "cur/1.host:2,S")
    assert once() == (0, 0, 0)
    maildir.state_file.unlink()
    assert once() == (0, 0, 0)
    assert maildir.files == ["cur/1.host:2,S"]
    (maildir.path / "cur/1.host:2,S").unlink()
    assert once() == (0, 0, 0)
    assert once.errors == ""


def test_the_same_mail_in_two_files(service, client, maildir, once):
    """One mail; a change of one file, or of the mail, is one of both files."""
    maildir.add("cur/1.host:2,", "a")
    maildir.add("cur/2.host:2,", "a")
    assert once() == (1, 0, 0)
    maildir.rename("cur/2.host:2,", "cur/2.host:2,S")
    assert once() == (0, 1, 1)
    assert maildir.files == ["cur/1.host:2,S", "cur/2.host:2,S"]
    client.done(INBOX, "mark-unread", {"mail": 1})
    assert once() == (0, 0, 2)
    assert types(client) == ["mail.delivered", "mail.read", "mail.unread"]


def test_what_is_no_mail(service, client, maildir, once):
    """Index files, hidden files and empty ones are left alone; names need not be UTF-8."""
    (maildir.path / "cur" / "dovecot.index.cache").write_text("x")
    (maildir.path / "cur" / ".hidden").write_text("x")
    (maildir.path / "dovecot-uidlist").write_text("x")
    (maildir.path / "new" / "1.empty").write_text("")
    odd = os.fsencode(maildir.path) + b"/new/2.\xff%"
    with open(odd, "w") as file:
        file.write(MAIL.format(subject="odd"))
    assert once() == (1, 0, 0)
    assert "1.empty" in once.errors
    assert maildir.state == {"2.%ff%25": (1, "")}
    client.done(INBOX, "mark-read", {"mail": 1})
    assert once() == (0, 0, 1)
    assert os.path.exists(os.fsencode(maildir.path) + b"/cur/2.\xff%:2,S")


def test_only_its_own_stream(service, client, maildir, once):
    """A mailbox whose name begins the same is another one."""
    maildir.add("cur/1.host:2,", "a")
    client.deliver(1, INBOX + "2")
    sync = RunningSync(service, maildir)
    try:
        client.done(INBOX + "2", "flag", {"mail": 1})
        client.done(INBOX, "mark-read", {"mail": 1})
        wait_until(lambda: maildir.files == ["cur/1.host:2,S"], "the file is read")
    finally:
        sync.close()


def test_many_mails(service, client, maildir, once):
    """More than a page of the view, and than commands are under way at once."""
    count = 1100
    for number in range(count):
        maildir.add(f"new/{number}.host", f"m{number}")
    assert once() == (count, 0, 0)
    client.done(INBOX, "mark-read", {"mails": list(range(1, count + 1))})
    client.done(INBOX, "trash", {"mails": list(range(1, 51))})
    assert once() == (0, 0, count)
    for name in maildir.files:
        maildir.rename(name, name.replace("S", "FS"))
    assert once() == (0, count, 0)
    assert sorted(flags(client).items()) == [
        (mail, "FST" if mail <= 50 else "FS") for mail in range(1, count + 1)]


def test_refusals(service, maildir, tmp_path):
    (tmp_path / "plain").mkdir()
    for arguments, status, words in (
            ((tmp_path / "none", INBOX), 1, "none"), ((tmp_path / "plain", INBOX), 1, "Maildir"),
            ((maildir.path, "list/todo"), 2, "mailbox"), ((maildir.path,), 2, "STREAM"),
            ((maildir.path, INBOX, "--interval", "0"), 2, "--interval")):
        result = service.cli("sync", *arguments, "--once", status=status)
        assert words in result.stderr


def test_no_service(service, maildir):
    service.stop()
    for options in ((), ("--once",)):
        service.cli("sync", maildir.path, INBOX, "--timeout", "0.3", *options, status=3)


# Continuous


def test_both_ways_while_it_runs(service, client, maildir, running):
    running()
    maildir.add("new/1.host", "a")
    wait_until(lambda: client.head() == 1, "the new file is delivered")
    client.done(INBOX, "flag", {"mail": 1})
    wait_until(lambda: maildir.files == ["cur/1.host:2,F"], "the file is flagged")
    maildir.rename("cur/1.host:2,F", "cur/1.host:2,FS")
    wait_until(lambda: flags(client) == {1: "FS"}, "the mail is read")
    client.done(INBOX, "mark-unread", {"mail": 1})
    wait_until(lambda: maildir.files == ["cur/1.host:2,F"], "the file is unread")
    assert types(client) == ["mail.delivered", "mail.flagged", "mail.read", "mail.unread"]


def test_no_echo(service, client, maildir, running):
    """Changes on both sides, much faster than passes: in the end both agree, nothing comes back,
    and every event is somebody's wish."""
    count = 30
    for number in range(1, count + 1):
        maildir.add(f"cur/{number}.host:2,", f"m{number}")
    running()
    wishes = 0
    for turn in range(20):
        command = ("flag", "unflag")[turn % 2]
        client.done(INBOX, command, {"mails": list(range(1, count // 2 + 1))})
        wishes += count // 2
        letters = ("S", "")[turn % 2]
        for number in range(count // 2 + 1, count + 1):
            file = next(name for name in maildir.files if name.startswith(f"cur/{number}.host"))
            maildir.rename(file, f"cur/{number}.host:2,{letters}")
        wishes += count // 2
    client.done(INBOX, "flag", {"mail": 1})
    maildir.rename(f"cur/{count}.host:2,", f"cur/{count}.host:2,T")
    wait_until(lambda: "cur/1.host:2,F" in maildir.files, "the file is flagged")
    wait_until(lambda: flags(client)[count] == "T", "the mail is in the trash")
    wait_until(lambda: maildir.state[f"{count}.host"] == (count, "T"), "both sides agree")
    head = client.head()
    assert head <= count + wishes + 2
    on_disk = {int(name[4:].split(".")[0]): name.split(",")[1] for name in maildir.files}
    assert on_disk == flags(client) == {
        mail: {1: "F", count: "T"}.get(mail, "") for mail in range(1, count + 1)}
    wait_until(lambda: not client.is_silent(0) or client.head() == head, "nothing more comes")
    assert client.head() == head


def test_one_at_a_time(service, maildir, running):
    first = running()
    result = service.cli("sync", maildir.path, "mailbox/other", "--once", status=1)
    assert "another sync" in result.stderr
    first.close()
    service.cli("sync", maildir.path, INBOX, "--once")


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_it_ends(service, client, maildir, running, how):
    maildir.add("cur/1.host:2,S", "a")
    sync = running()
    sync.process.send_signal(how)
    assert sync.process.wait(DEADLINE_SECONDS) == 0
    assert maildir.state == {"1.host": (1, "S")}
    assert not list(maildir.path.glob("*.tmp")) and not list(maildir.path.glob(".*.tmp"))


def test_it_ends_without_a_service(service, maildir, running):
    maildir.add("cur/1.host:2,", "a")
    sync = running("--timeout", "0.3")
    service.stop()
    maildir.rename("cur/1.host:2,", "cur/1.host:2,S")
    assert "waiting" in sync.errors.next()
    sync.process.send_signal(signal.SIGTERM)
    assert sync.process.wait(DEADLINE_SECONDS) == 0


def test_the_service_is_away(new_service, maildir, tmp_path):
    """It waits, and goes on: what changed on either side meanwhile is not lost."""
    service = new_service(commands=f"ipc://{tmp_path}/commands").start()
    client = service.client()
    maildir.add("cur/1.host:2,", "a")
    maildir.add("cur/2.host:2,", "b")
    sync = service.closing(RunningSync(service, maildir, "--timeout", "0.5"))
    service.kill()
    maildir.rename("cur/1.host:2,", "cur/1.host:2,S")
    maildir.add("new/3.host", "c")
    assert "waiting" in sync.errors.next()
    service.start()
    wait_until(lambda: client.head() == 4, "what changed meanwhile arrives")
    assert flags(client) == {1: "S", 2: "", 3: ""}
    client.done(INBOX, "flag", {"mail": 2})
    wait_until(lambda: "cur/2.host:2,F" in maildir.files, "events come again")


def test_killed_at_any_time(service, client, maildir, running):
    """Killed and started again and again, with changes all the time: both sides agree at last."""
    count = 40
    for number in range(1, count + 1):
        maildir.add(f"cur/{number}.host:2,", f"m{number}")
    for turn in range(6):
        sync = running()
        client.done(
            INBOX, ("flag", "unflag")[turn % 2], {"mails": list(range(1, count // 2))})
        for name in maildir.files:
            unique, letters = name.split(":2,")
            if int(unique[4:].split(".")[0]) > count // 2:
                maildir.rename(name, f"{unique}:2,{('S', '')[turn % 2]}")
        sync.close()
    running()
    wait_until(lambda: all(name.endswith(",") for name in maildir.files), "nothing is flagged")
    wait_until(lambda: set(flags(client).values()) == {""}, "nothing is read")
    assert len(flags(client)) == count
