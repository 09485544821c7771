"""Kills the real process with -9 at random moments under load, many times over one log, and checks
everything that clients were told. Run by Scripts/soak; the test run does a few rounds of it.

Prints one JSON object with the figures. Exits 1 where something is lost, doubled, half or changed;
the data is left there then.
"""

import argparse
import json
import random
import shutil
import sys
import time
import traceback
from pathlib import Path

from harness import Service
from ledger import Ledger
from load import MixedWriter

STREAMS = ["mailbox/one", "mailbox/two", "mailbox/three", "list/one", "list/two"]
WINDOWS = [1, 10, 100, 500, 1000]


class KillLoop:
    """Rounds of load, kill -9, start, check, on one data directory."""

    def __init__(self, service, seed):
        self.service = service
        self.ledger = Ledger()
        self.rounds = self.kills_at_start = self.cut_tails = self.deletions = 0
        self._random = random.Random(seed)
        self._doubtful = {stream: {} for stream in STREAMS}
        self._known = {stream: 0 for stream in STREAMS}

    def round(self):
        """One kill under load, and the check after the start that follows."""
        if self.service.process is None:
            self.service.start()
        writers = [self._writer(stream) for stream in STREAMS]
        for writer in writers:
            writer.start()
        time.sleep(self._random.uniform(0.02, 1.0))
        self.service.kill()
        for writer in writers:
            writer.finish()
            self._doubtful[writer.stream] = writer.doubtful
            self._known[writer.stream] = writer.known
        self._start_again()
        self.ledger.take_events(self.service)
        for writer in writers:
            self.ledger.settle(
                writer.stream, writer.receipts, writer.refusals, writer.doubtful)
            self.ledger.check_answers(
                self.service, writer.stream, writer.receipts, writer.doubtful)
        self.rounds += 1

    def _writer(self, stream):
        resend = [(command_id, *rest) for command_id, rest in self._doubtful[stream].items()]
        return MixedWriter(
            self.service, stream, seed=self._random.random(),
            window=self._random.choice(WINDOWS), resend=resend, known=self._known[stream])

    def _start_again(self):
        """Starts the service; at times it is killed in that too, or finds its derived files gone."""
        dice = self._random.random()
        if dice < 0.15:
            for name in ["index", "views", "snapshots"]:
                shutil.rmtree(self.service.directory / "data" / name, ignore_errors=True)
            self.deletions += 1
        while self._random.random() < 0.3:
            self.service.launch()
            time.sleep(self._random.uniform(0, 0.1))
            self.service.kill()
            self.kills_at_start += 1
        self.service.start()
        self.cut_tails += any(line.startswith("recovery") for line in self.service.printed)

    def check_all(self):
        """At the end: nothing of what was seen has changed, and the views follow."""
        self.ledger.check_unchanged(self.service)
        self.ledger.check_views(self.service)

    def figures(self):
        ledger = self.ledger
        return {
            "rounds": self.rounds, "killsAtStart": self.kills_at_start,
            "cutTails": self.cut_tails, "deletedDerivedFiles": self.deletions,
            "events": ledger.head, "acknowledged": ledger.acknowledged,
            "acknowledgedThatWrote": ledger.wrote, "found": ledger.found,
            "lost": len(ledger.lost),
            "refused": ledger.refused, "unansweredWritten": ledger.doubtful_written,
            "unansweredNotWritten": ledger.doubtful_lost}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--segment-bytes", type=int, default=256 << 10)
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else random.randrange(1 << 32)
    print(f"kill loop: {options.rounds} rounds, seed {seed}", file=sys.stderr)
    service = Service(segment_bytes=options.segment_bytes)
    loop = KillLoop(service, seed)
    try:
        for number in range(options.rounds):
            loop.round()
            print(f"kill loop: round {number + 1}, {loop.ledger.head} events", file=sys.stderr)
        loop.check_all()
    except AssertionError:
        traceback.print_exc()
        kept = Path(f"{service.directory}-kept")
        service.kill()
        service.directory.rename(kept)
        print(f"kill loop: failed with seed {seed}; its data is left in {kept}", file=sys.stderr)
        return 1
    finally:
        service.close()
    print(json.dumps({"seed": seed, **loop.figures()}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
