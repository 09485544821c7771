"""What a command costs in allocations: a count, so it is the same on every machine."""

import struct
import subprocess
from pathlib import Path

import pytest

COMMANDS = 100_000
IN_FLIGHT = 10_000
# Allocations that a command may cost each of these threads. libzmq takes one for a receipt, as it is
# longer than what a message holds in place; the rest is what a batch costs, shared by its commands,
# which are the fewer the busier the machine is.
LIMITS = {"shard-0": 1.5, "log-writer": 0.2}


class AllocationCounts:
    """The counts of a process that runs with `allocations.c`."""

    SIZE = 256 * 16

    def __init__(self, directory):
        self.library = directory / "allocations.so"
        subprocess.run(
            ["cc", "-O2", "-shared", "-fPIC", "-o", self.library,
             Path(__file__).with_name("allocations.c")], check=True)
        self.file = directory / "allocations"
        self.file.write_bytes(bytes(self.SIZE))

    @property
    def environment(self):
        return {"LD_PRELOAD": str(self.library), "ALLOCATION_COUNTS": str(self.file)}

    def by_thread(self, pid):
        """Allocations so far, by the thread's name."""
        numbers = struct.iter_unpack("qq", self.file.read_bytes())
        found = {}
        for thread, count in numbers:
            name = Path(f"/proc/{pid}/task/{thread}/comm")
            if thread and name.exists():
                key = name.read_text().strip()
                found[key] = found.get(key, 0) + count
        return found


@pytest.fixture
def counts(tmp_path):
    return AllocationCounts(tmp_path)


def flag(service, count):
    """Has `count` commands sent that change one mail each, with many in flight."""
    service.cli("bench", "load", "--inflight", str(IN_FLIGHT), "--count", str(count))


def test_a_command_takes_no_allocation_of_its_own(new_service, counts):
    service = new_service(environment=counts.environment).start()
    # What grows with the first commands (buffers, tables) is there after these.
    flag(service, COMMANDS // 4)
    before = counts.by_thread(service.process.pid)
    flag(service, COMMANDS)
    after = counts.by_thread(service.process.pid)
    taken = {name: (after[name] - before[name]) / COMMANDS for name in LIMITS}
    # A receipt is one, so less would mean that nothing was counted.
    assert taken["shard-0"] >= 1
    for name, limit in LIMITS.items():
        assert taken[name] <= limit, f"{name}: {taken[name]:.2f} allocations a command"
