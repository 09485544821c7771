"""Random clients on one mailbox, against a model of it (§3, promise 7); see test_list_model.py."""

import pytest

import mailbox_commands  # Teaches the model what commands do.
from harness import INBOX
from mailbox_model import MailboxModel
from model_run import ModelRun, seeds


@pytest.mark.parametrize("seed", seeds(2))
def test_random_clients_on_one_mailbox(service, seed):
    print(f"SWIPESTREAM_SEED={seed}")
    service.client().deliver(12)
    run = ModelRun(service, INBOX, MailboxModel())
    run.round(seed, clients=8, count=200)
    run.check_reading()
    service.restart()
    run.check_reading()
    # The rules' own state after the restart: further commands are decided on it.
    run.round(seed + 100, clients=4, count=100)
    run.check_reading()
    run.check_variety()
