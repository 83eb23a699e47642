"""What holds for every test: no network but loopback, no data folder but a temporary one."""

import ipaddress
import os
import signal
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

from commonplace.settings import ENVIRONMENT_ALIASES, PREFIX, Settings

# How many times the examples a property asks for, each time new ones; `make fuzz` sets it.
FUZZ = int(os.environ.get("COMMONPLACE_FUZZ", "0"))  # noqa: TID251 - the switch of `make fuzz`
_SHRINKING_S = 330  # hypothesis makes a failing example small for at most five minutes

# Shared machines are slow at times; a property is about values, never about time.
_CALM: dict[str, Any] = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("steady", derandomize=True, print_blob=True, **_CALM)
settings.register_profile("search", print_blob=True, **_CALM)


def pytest_configure(config: pytest.Config) -> None:
    """The same examples every time, unless new ones are asked for (ADR 0052)."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # As a job in the background: programs we start would not hear Ctrl-C either.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # Where output is not buffered, what waits in a buffer is never put to the test.
    os.environ.pop("PYTHONUNBUFFERED", None)  # noqa: TID251 - of the programs we start
    is_search = FUZZ > 0 or config.getoption("--hypothesis-seed") is not None
    settings.load_profile("search" if is_search else "steady")
    if not is_search:
        # Constants of whatever module happens to be loaded are no part of the examples: they would
        # change with the order of tests, and with every word of the source.
        providers._get_local_constants = lambda: providers._local_constants


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A property that fails has the time to show its smallest example."""
    limit_s = float(config.getini("timeout")) * max(FUZZ, 1) + _SHRINKING_S
    properties = [one for one in items if one.get_closest_marker("hypothesis")]
    for item in properties:
        if item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(limit_s))
    if FUZZ:
        for given in {one.obj for one in properties if isinstance(one, pytest.Function)}:
            asked = given._hypothesis_internal_use_settings
            more = settings(asked, max_examples=asked.max_examples * FUZZ)
            given._hypothesis_internal_use_settings = more


def _is_local(family: int, address: Any) -> bool:  # noqa: ANN401 - as the socket takes it
    if family not in (socket.AF_INET, socket.AF_INET6):
        return True
    host = address[0]
    if host in ("localhost", ""):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@pytest.fixture(scope="session", autouse=True)
def _loopback_only() -> Iterator[None]:
    """Tests that reach for another machine fail, also where a network would answer."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:  # noqa: ANN401 - as the socket's own
        if not _is_local(self.family, address):
            raise OSError(f"tests stay on this machine; refused {address}")
        connect(self, address)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", guarded)
        yield


@pytest.fixture(scope="session", autouse=True)
def _own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test sees the settings or the index of whoever runs it."""
    names = [*ENVIRONMENT_ALIASES, *(f"{PREFIX}{name.upper()}" for name in Settings.model_fields)]
    with pytest.MonkeyPatch.context() as patch:
        for name in names:
            patch.delenv(name, raising=False)
        patch.setenv(f"{PREFIX}HOME", str(tmp_path_factory.mktemp("home")))
        yield
