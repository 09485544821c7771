"""Loads that run beside something else, or beside one another."""

import contextlib
import json
import subprocess

from bare import BareRouter
from children import Failure


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
