"""kill -9 in the middle of load (promise 1): what was acknowledged is there, once; what was not is
there whole or not at all; the views follow. Scripts/soak does many more rounds."""

import random

from kill_loop import KillLoop

ROUNDS = 4


def test_kill_in_the_middle_of_load(new_service):
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")
    loop = KillLoop(new_service(segment_bytes=256 << 10), seed)
    for _ in range(ROUNDS):
        loop.round()
    loop.check_all()
    assert loop.ledger.acknowledged > 0
