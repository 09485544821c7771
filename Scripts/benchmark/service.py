"""The service under measurement, and the bare loops that stand beside it."""

import contextlib
import json
import subprocess
import time
from pathlib import Path

from children import Failure
from zmtp import Client


class Service:
    """`swipestream serve` on a data directory, and the measuring tools of the same executable."""

    def __init__(self, run, directory, *options):
        self.run = run
        self.directory = Path(directory)
        self._options = options
        self.process = None
        self.endpoint = None

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()

    def start(self):
        self.process = self.run.children.start(
            [self.run.swipestream, "serve", "--data", self.directory,
             "--commands", "tcp://127.0.0.1:*", "--events", "tcp://127.0.0.1:*", *self._options],
            stdout=subprocess.PIPE, text=True)
        for line in self.process.stdout:
            name, _, value = line.strip().partition(" ")
            if name == "commands":
                self.endpoint = value.strip()
            if name == "ready":
                return self
        raise Failure(f"serve ended with {self.process.wait()} before it was ready")

    def stop(self):
        status = self.run.children.end(self.process)
        if status != 0:
            self.run.note(f"a service ended with status {status}")

    def bench(self, tool, *options):
        """What one of the measuring tools says about this service."""
        return self.run.tool(tool, "--endpoint", self.endpoint, *options)

    def client(self):
        return Client(self.endpoint)

    def status(self):
        with self.client() as client:
            return client.request("status")

    def wait_for_views(self):
        while True:
            status = self.status()
            if all(view["position"] >= status["head"] for view in status["views"]):
                return status
            time.sleep(0.05)

    def resident_bytes(self):
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
        raise Failure("the service tells no VmRSS")


class BareRouter:
    """The bare loop: ROUTER that writes as many bytes as the service does, and syncs them."""

    def __init__(self, run, log_bytes, reply_bytes):
        self.run = run
        self._file = run.work / "bare.file"
        self._sizes = (round(log_bytes), round(reply_bytes))

    def __enter__(self):
        self._process = self.run.children.start(
            [self.run.bare, "router", "tcp://127.0.0.1:*", self._file, *self._sizes],
            stdout=subprocess.PIPE, text=True)
        self.endpoint = ready(self._process)
        return self

    def __exit__(self, *_):
        self.run.children.end(self._process)
        self._file.unlink(missing_ok=True)

    def bench(self, tool, *options):
        return self.run.tool(tool, "--endpoint", self.endpoint, "--reply-only", *options)


def ready(process):
    """What stands behind `ready` in a bare loop's output."""
    name, _, value = process.stdout.readline().strip().partition(" ")
    if name != "ready":
        raise Failure(f"bare-loop ended with {process.wait()} before it was ready")
    return value


def push_and_pull(run, messages, message_bytes):
    """Bare PUSH and PULL; what the receiver measured."""
    pull = run.children.start(
        [run.bare, "pull", "tcp://127.0.0.1:*", messages], stdout=subprocess.PIPE, text=True)
    try:
        run.children.run([run.bare, "push", ready(pull), messages, message_bytes])
        return json.loads(pull.stdout.readline())
    finally:
        run.children.end(pull)


class Prepared:
    """A load, or another tool, by a process of its own, which begins when it is told."""

    def __init__(self, server, *options, tool="load"):
        self._run = server.run
        reply_only = ["--reply-only"] if isinstance(server, BareRouter) else []
        self._process = self._run.children.start(
            [self._run.swipestream, "bench", tool, "--endpoint", server.endpoint, "--when-told",
             *reply_only, *options],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self):
        if self._process.stdout.readline() != "ready\n":
            raise Failure(f"{self._process.args[2]} ended before it was ready")
        return self

    def __exit__(self, *_):
        self._run.children.end(self._process)

    def tell(self):
        self._process.stdin.write("\n")
        self._process.stdin.flush()

    def result(self):
        line = self._process.stdout.readline()
        if not line:
            raise Failure(f"{self._process.args[2]} failed")
        return json.loads(line)

    def begin(self):
        self.tell()
        return self.result()


def load_together(server, clients, *options):
    """Several loads by as many processes, which begin together."""
    with contextlib.ExitStack() as stack:
        loads = [Prepared(server, *options) for _ in range(clients)]
        for load in loads:
            stack.enter_context(load)
        for load in loads:
            load.tell()
        lines = [load.result() for load in loads]
    return {
        "perSecond": sum(line["perSecond"] for line in lines),
        "p50Microseconds": max(line["p50Microseconds"] for line in lines),
        "p99Microseconds": max(line["p99Microseconds"] for line in lines)}
