"""Fixtures: a service of its own for each test."""

import os

import pytest

from harness import Service


def pytest_configure(config):
    path = os.environ.get("SWIPESTREAM")
    if not path or not os.access(path, os.X_OK):
        pytest.exit("SWIPESTREAM must be the path of the swipestream executable", returncode=2)


@pytest.fixture
def new_service():
    """Makes services that end with the test, however it ends."""
    services = []

    def make(**options):
        service = Service(**options)
        services.append(service)
        return service

    yield make
    for service in reversed(services):
        service.close()


@pytest.fixture
def service(new_service):
    """A running service with an empty log."""
    return new_service().start()


@pytest.fixture
def client(service):
    return service.client()


@pytest.fixture(scope="module")
def shared_service():
    """A running service for the tests of one file that write nothing."""
    service = Service()
    try:
        yield service.start()
    finally:
        service.close()
