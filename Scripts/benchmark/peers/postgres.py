"""PostgreSQL: one insert a transaction, with synchronous commit."""

import os
import pwd
import re
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

from peers import Absent, free_port, program

_FOLDER = "/usr/lib/postgresql/*/bin"
_SETTINGS = {
    "fsync": "on", "synchronous_commit": "on", "listen_addresses": "", "max_connections": 100,
    "shared_buffers": "256MB", "max_wal_size": "4GB"}
_TABLE = "CREATE TABLE events (position bigserial PRIMARY KEY, stream text NOT NULL, data text NOT NULL)"


class Postgres:
    payload_bytes = 0

    def __init__(self, run):
        self._run = run
        self._initdb = program("initdb", _FOLDER)
        self._postgres = program("postgres", _FOLDER)
        self._pgbench = program("pgbench", _FOLDER)
        self._psql = program("psql", _FOLDER)
        self._account = account()

    def __enter__(self):
        directory = self._run.directory("postgres")
        if self._account:
            # It will not run as root, and its account has to reach the directory.
            self._run.work.chmod(0o711)
            shutil.chown(directory, *self._account)
            for folder in self._run.work.parents:
                if not folder.stat().st_mode & 0o001:
                    raise Absent(f"{folder} is closed to the account that it would have to run as")
        data = directory / "data"
        self._child(
            self._run.children.run, self._initdb, "-D", data, "-A", "trust", "-U", "bench",
            "--no-instructions", "-E", "UTF8", "--locale", "C")
        settings = [f"--{name}={value}" for name, value in _SETTINGS.items()]
        # A socket's path has a hundred characters at most, so the directory may be too deep.
        self._sockets = directory if len(str(directory)) < 80 else Path(tempfile.gettempdir())
        self._port = free_port()
        self._process = self._child(
            self._run.children.start, self._postgres, "-D", data, "-k", self._sockets,
            "-p", self._port, *settings, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self._run.wait(lambda: (self._sockets / f".s.PGSQL.{self._port}").exists(), "postgres")
        self._run.wait(self._answers, "postgres")
        self._sql(_TABLE)
        self._script = self._run.work / "insert.sql"
        data = "x" * self.payload_bytes
        self._script.write_text(
            f"INSERT INTO events (stream, data) VALUES ('mailbox/inbox', '{data}');\n")
        return self

    def __exit__(self, *_):
        # Without waiting for whoever is still connected.
        self._run.children.end(self._process, how=signal.SIGINT)

    def version(self):
        return self._run.children.run([self._postgres, "--version"]).split()[2]

    def load(self, clients, seconds):
        """Transactions a second of so many clients."""
        output = self._run.children.run(
            [self._pgbench, "-n", "-M", "prepared", "-f", self._script, "-c", clients, "-j",
             min(2, clients), "-T", seconds, *self._connection()])
        self._sql("TRUNCATE events")
        return {
            "perSecond": float(re.search(r"tps = ([\d.]+)", output)[1]),
            "averageMicroseconds": float(re.search(r"latency average = ([\d.]+)", output)[1]) * 1000}

    def _child(self, how, *arguments, **options):
        if self._account:
            options |= {"user": self._account[0], "group": self._account[1], "extra_groups": []}
        return how(arguments, cwd="/", **options)

    def _connection(self):
        return ["-h", self._sockets, "-p", self._port, "-U", "bench", "postgres"]

    def _answers(self):
        command = [self._psql, *self._connection(), "-c", "SELECT 1"]
        return subprocess.run(
            [str(word) for word in command], capture_output=True, check=False).returncode == 0

    def _sql(self, statement):
        self._run.children.run([self._psql, *self._connection(), "-q", "-c", statement])


def account():
    """Whom to run as; None where this process may run it itself."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return entry.pw_uid, entry.pw_gid
    raise Absent("it does not run as root, and there is no account postgres or nobody")
