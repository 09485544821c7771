"""Random clients on one list, against a model of it (§4, promise 7).

Every item is in exactly one place, moves of different items keep both intents, counts are exact, queries
and states are what the log says, each client's receipts come in order, and nothing changes by a restart.
"""

import pytest

import list_commands  # Teaches the model what commands do.
import list_sections  # What it says of sections.
from list_model import ListModel
from model_run import ModelRun, seeds

STREAM = "list/shared"


@pytest.mark.parametrize("template", ["todo", "plain"])
@pytest.mark.parametrize("seed", seeds(2))
def test_random_clients_on_one_list(service, seed, template):
    print(f"SWIPESTREAM_SEED={seed}")
    service.client().create_list(STREAM, template, items=[f"first {n}" for n in range(12)])
    run = ModelRun(service, STREAM, ListModel())
    run.round(seed, clients=8, count=200)
    run.check_reading()
    service.restart()
    run.check_reading()
    # The rules' own state after the restart: further commands are decided on it.
    run.round(seed + 100, clients=4, count=100)
    run.check_reading()
    run.check_variety()
