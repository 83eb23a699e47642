"""What holds for every test: no network but loopback, no data folder but a temporary one."""

import ipaddress
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from commonplace.settings import ENVIRONMENT_ALIASES, PREFIX, Settings

# Shared machines are slow at times; a property is about values, never about time.
settings.register_profile(
    "commonplace", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("commonplace")


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
