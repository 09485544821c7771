"""`import` (§8): mbox, Maildir and single mails; twice adds nothing; changes since then stay."""

import json
import re

import pytest

from harness import INBOX, corpus, wait_until

MAIL = """\
From: {sender} <{sender}@example.com>
To: reader@example.com
Subject: {subject}
Date: Thu, 01 Jan 2026 0{hour}:30:00 +0100
Message-ID: <{subject}@example.com>

Text of {subject}.
"""


def text_of(number, sender="anna"):
    return MAIL.format(sender=sender, subject=f"mail-{number}", hour=number)


def rows(service, **members):
    """Subject → (read, flagged), newest row first."""
    view = service.client().view(**members)
    return {row["subject"]: (row["read"], row["flag"]) for row in view["rows"]}


def imported(result):
    """The counts that an import ends with: imported, already there, skipped."""
    summary = result.stdout.splitlines()[-1]
    found = re.fullmatch(r"(\d+) imported, (\d+) already there, (\d+) skipped", summary)
    assert found, summary
    return tuple(map(int, found.groups()))


@pytest.fixture
def mbox(tmp_path):
    """Three mails, with a body line that begins `From `, quoted as mbox does."""
    file = tmp_path / "three.mbox"
    file.write_text("".join(
        f"From anna@example.com Thu Jan  1 0{number}:30:00 2026\n{text_of(number)}"
        f">From here on it is text.\n\n" for number in (1, 2, 3)))
    return file


def test_mbox_twice(service, mbox):
    """The second run adds nothing and writes nothing."""
    assert imported(service.cli("import", mbox, "--into", INBOX)) == (3, 0, 0)
    client = service.client()
    head = client.head()
    assert head == 3
    assert imported(service.cli("import", mbox, "--into", INBOX)) == (0, 3, 0)
    assert client.head() == head
    view = client.view()
    assert [row["subject"] for row in view["rows"]] == ["mail-3", "mail-2", "mail-1"]
    assert [row["date"] for row in view["rows"]] == [
        f"2026-01-01T0{hour}:30:00.000000Z" for hour in (2, 1, 0)]
    assert view["rows"][0]["from"].startswith("anna")
    assert view["rows"][0]["message"].startswith("Text of mail-3.")


def test_changes_since_then_stay(service, mbox):
    """Read, flag, trash and even purge outlive another import."""
    service.cli("import", mbox, "--into", INBOX)
    client = service.client()
    client.done(INBOX, "trash", {"mails": [1, 2]})
    client.done(INBOX, "purge", {"mail": 2})
    client.done(INBOX, "flag", {"mail": 3})
    client.done(INBOX, "mark-read", {"mail": 3})
    head = client.head()
    assert imported(service.cli("import", mbox, "--into", INBOX)) == (0, 3, 0)
    assert client.head() == head
    assert rows(service) == {"mail-3": (True, True)}
    assert list(rows(service, **{"in": "trash"})) == ["mail-1"]


def test_the_same_mail_in_another_state_is_known(service, tmp_path):
    """A mail found read where it was unread before is the same mail, and stays as it is here."""
    folder = tmp_path / "maildir"
    for name in ("cur", "new", "tmp"):
        (folder / name).mkdir(parents=True)
    file = folder / "cur" / "1.host:2,"
    file.write_text(text_of(1))
    assert imported(service.cli("import", folder, "--into", INBOX)) == (1, 0, 0)
    file.rename(folder / "cur" / "1.host:2,FS")
    assert imported(service.cli("import", folder, "--into", INBOX)) == (0, 1, 0)
    assert rows(service) == {"mail-1": (False, False)}


def test_two_mailboxes(service, mbox):
    """What one mailbox knows is no matter to another."""
    service.cli("import", mbox, "--into", INBOX)
    assert imported(service.cli("import", mbox, "--into", "mailbox/b")) == (3, 0, 0)


def test_maildir_flags(service, tmp_path):
    """Seen, flagged and trashed come along; what is in `new` is unread; `tmp` is left alone."""
    folder = tmp_path / "maildir"
    files = {
        "new/1.host": 1, "cur/2.host:2,": 2, "cur/3.host:2,S": 3, "cur/4.host:2,FS": 4,
        "cur/5.host:2,F": 5, "cur/6.host:2,RS": 6, "cur/7.host:2,ST": 7, "tmp/8.host": 8}
    for name, number in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text_of(number))
    assert imported(service.cli("import", folder, "--into", INBOX))[:2] == (7, 0)
    assert rows(service) == {
        "mail-1": (False, False), "mail-2": (False, False), "mail-3": (True, False),
        "mail-4": (True, True), "mail-5": (False, True), "mail-6": (True, False)}
    assert rows(service, **{"in": "trash"}) == {"mail-7": (True, False)}
    answered = [
        event["data"]["subject"] for event in service.client().events()
        if event["data"].get("answered")]
    assert answered == ["mail-6"]
    assert imported(service.cli("import", folder, "--into", INBOX))[:2] == (0, 7)


def test_single_mails_and_several_paths(service, mbox, tmp_path):
    file = tmp_path / "four.eml"
    file.write_text(text_of(4))
    assert imported(service.cli("import", mbox, file, "--into", INBOX)) == (4, 0, 0)
    assert len(rows(service)) == 4


def test_report(service, mbox, tmp_path):
    """A line of JSON per mail: where it was, what became of it, its number."""
    report = tmp_path / "report"
    for result in ("imported", "already there"):
        service.cli("import", mbox, "--into", INBOX, "--report", report)
        lines = [json.loads(line) for line in report.read_text().splitlines()]
        assert sorted((line["result"], line["mail"]) for line in lines) == [
            (result, 1), (result, 2), (result, 3)]
        assert all(mbox.name in line["origin"] for line in lines)


def test_no_such_path(service, tmp_path):
    result = service.cli("import", tmp_path / "none", "--into", INBOX, status=1)
    assert "none" in result.stderr
    assert service.client().head() == 0


def test_a_mail_without_a_date_has_none(service, tmp_path):
    """Never the time of the import."""
    file = tmp_path / "undated.eml"
    file.write_text("From: a@b\nSubject: s\nDate: the other day\n\ntext\n")
    service.cli("import", file, "--into", INBOX)
    assert [row["date"] for row in service.client().view()["rows"]] == [None]


def test_an_import_that_was_broken_off_is_finished(service, tmp_path):
    """Killed in the middle and run again: every mail once."""
    file = tmp_path / "many.mbox"
    count = 20_000
    file.write_text("".join(
        f"From a@b Thu Jan  1 00:00:00 2026\nFrom: a@b\nSubject: {number}\n"
        f"Message-ID: <{number}@b>\n\ntext\n\n" for number in range(count)))
    running = service.cli_process("import", file, "--into", INBOX)
    client = service.client()
    wait_until(lambda: client.head() > 1000, "the import is under way")
    running.close()
    there = client.head()
    assert there < count, "the import was over before it could be broken off"
    first, again, _ = imported(service.cli("import", file, "--into", INBOX))
    assert first + again == count and again >= there
    subjects = [event["data"]["subject"] for event in client.events()]
    assert sorted(subjects, key=int) == [str(number) for number in range(count)]


def test_a_real_mbox(service):
    """The corpus' mbox with Content-Length and unescaped `From ` lines: as many mails as its
    summary says, twice."""
    file = corpus("mimekit", "mbox", "issue1189.mbox.txt")
    if file is None:
        pytest.skip("there is no mail corpus (SWIPESTREAM_CORPUS)")
    summary = file.with_name("issue1189-summary.txt").read_text()
    count = len(re.findall("(?m)^From ", summary))
    assert count == 4
    assert imported(service.cli("import", file, "--into", INBOX)) == (count, 0, 0)
    assert imported(service.cli("import", file, "--into", INBOX)) == (0, count, 0)
    subjects = re.findall("(?m)^Subject: (.*)", summary)
    assert list(rows(service)) == subjects[::-1]


def test_the_whole_corpus(service):
    """Every file of the corpus, broken ones too: imported or skipped, and the service lives."""
    folder = corpus()
    if folder is None:
        pytest.skip("there is no mail corpus (SWIPESTREAM_CORPUS)")
    files = [path for path in sorted(folder.rglob("*"))
             if path.is_file() and path.suffix in (".eml", ".raw", ".txt", ".msg", ".mbox")
             and "summary" not in path.name]
    result = service.cli("import", *files, "--into", INBOX)
    new, known, _ = imported(result)
    assert new > 100 and service.client().head() == new
    assert service.cli("views", "audit").stdout.splitlines()[-1] == "1 streams audited, 0 differ"
    assert imported(service.cli("import", *files, "--into", INBOX))[:2] == (0, new + known)


def test_a_report_that_cannot_be_written(service, tmp_path):
    """A report on a full disk is said to be incomplete; an input is never overwritten by it."""
    mail = tmp_path / "a.eml"
    mail.write_text("From: a@b\nSubject: s\n\nx\n")
    failed = service.cli("import", str(mail), "--into", INBOX, "--report", "/dev/full", status=1)
    assert "not complete" in failed.stderr
    service.cli("import", str(mail), "--into", INBOX, "--report", str(mail), status=2)
    assert mail.read_text().startswith("From: a@b")
