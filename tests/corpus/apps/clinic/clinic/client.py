"""What the reception desk runs."""

from typing import Any

import httpx
import requests

BASE = "https://clinic.example"


class Desk:
    """Talks to the clinic."""

    def __init__(self, address: str = BASE) -> None:
        self.http = httpx.Client(base_url=address)

    def patient(self, key: int) -> dict[str, Any]:
        return self.http.get(f"/patients/{key}").json()

    def enrol(self, name: str) -> int:
        return requests.post(BASE + "/patients", params={"name": name}, timeout=5).json()["id"]


def visits(key: int) -> list[Any]:
    return requests.get(f"{BASE}/v1/patients/{key}/visits", timeout=5).json()


def is_alive() -> bool:
    return requests.request("GET", "{}/health".format(BASE), timeout=5).ok
