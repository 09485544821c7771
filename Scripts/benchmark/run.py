"""One run: its options, its directory, its processes, and what it has to say."""

import json
import shutil
import sys
import tempfile
import time
from pathlib import Path

from children import Children, Failure
from service import Service


class Run:
    def __init__(self, options):
        self.seconds = options.seconds
        self.pairs = options.pairs
        self.is_quick = options.quick
        binaries = Path(options.binaries)
        self.swipestream = binaries / "swipestream"
        self.bare = binaries / "bare-loop"
        self.children = Children()
        self.skipped = []
        self.notes = []
        self.versions = {}
        self._keeps = options.keep
        self._made = 0
        # On the disk that is to be measured: a file system in memory would make every sync free.
        self.work = Path(tempfile.mkdtemp(prefix=".bench.", dir=options.directory))

    def close(self):
        self.children.end_all()
        if self._keeps:
            self.say(f"left: {self.work}")
        else:
            shutil.rmtree(self.work, ignore_errors=True)

    # What people see meanwhile

    def say(self, message):
        print(f"bench: {message}", file=sys.stderr, flush=True)

    def note(self, message):
        self.notes.append(message)
        self.say(message)

    def skip(self, what, reason):
        self.skipped.append({"what": what, "reason": reason})
        self.say(f"skipped: {what}: {reason}")

    # What cases are made of

    def size(self, normal, quick):
        """How much of something: less in a quick run."""
        return quick if self.is_quick else normal

    def directory(self, name):
        """A new directory."""
        self._made += 1
        path = self.work / f"{self._made}-{name}"
        path.mkdir()
        return path

    def service(self, *options, directory=None):
        return Service(self, directory or self.directory("data") / "data", *options)

    def tool(self, *arguments):
        """What a measuring tool of the executable says."""
        return json.loads(self.children.run([self.swipestream, "bench", *arguments]))

    def fill(self, events, *options):
        """A data directory with a log of so many events."""
        data = self.directory("filled") / "data"
        self.tool("fill", "--data", data, "--events", events, *options)
        return data

    def remove(self, directory):
        """Gives back the room of a directory that is not needed any more."""
        if not self._keeps:
            shutil.rmtree(directory, ignore_errors=True)

    def interleave(self, *measurements):
        """Runs each so often, in turns, and every other round the other way round."""
        results = [[] for _ in measurements]
        for number in range(self.pairs):
            order = list(range(len(measurements)))
            for index in order if number % 2 == 0 else reversed(order):
                results[index].append(measurements[index]())
        return results

    def wait(self, condition, what, seconds=60):
        deadline = time.monotonic() + seconds
        while not (value := condition()):
            if time.monotonic() > deadline:
                raise Failure(f"not within {seconds} s: {what}")
            time.sleep(0.02)
        return value
