"""The tour's commands print what the page shows.

SWIPESTREAM_WRITE_TOUR=1 writes the page anew instead.
"""

import os

import tour


def test_the_tour_is_true(service):
    service.cli("demo")
    terminal = tour.Terminal(service)
    page = tour.PAGE.read_text()
    if os.environ.get("SWIPESTREAM_WRITE_TOUR"):
        tour.PAGE.write_text(tour.rewritten(page, terminal))
        return
    for block in tour.blocks(page):
        for command, shown in tour.steps(block):
            printed = terminal.run(command)
            assert tour.is_as_shown(printed, shown), (command, printed, shown)
