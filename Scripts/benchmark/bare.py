"""The bare loops on ZeroMQ that stand beside the service."""

import json
import subprocess

from children import Failure


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
