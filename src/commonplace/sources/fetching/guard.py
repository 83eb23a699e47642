"""What may be reached: web addresses only, and no machine of the reader's own network.

A page chooses its links and a name its addresses, so both are hostile. Addresses are checked
where they are dialled (``network.py``), after every look-up and every redirect: whatever way a
number is written, and whatever a name answers the second time, the check sees what is connected.
"""

import ipaddress
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import TypeAlias
from urllib.parse import urlsplit

import httpx2

from commonplace.domain.errors import ForbiddenOperation, InvalidArgument

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network

MOST_URL_CHARS = 4000
_SCHEMES = frozenset({"http", "https"})
_DEFAULT_PORTS = {"http": 80, "https": 443}
# Of the registries RFC 6890 set up for addresses with a special purpose, those no page is at.
# Written out: what ``ipaddress`` calls global changes with the version of Python.
_NOT_PUBLIC_4 = tuple(
    ipaddress.IPv4Network(block)
    for block in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16"),
        *("172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16"),
        *("198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
    )
)
_UNICAST_6 = ipaddress.IPv6Network("2000::/3")
_NOT_PUBLIC_6 = tuple(
    ipaddress.IPv6Network(block) for block in ["2001::/23", "2001:db8::/32", "3fff::/20"]
)
# Addresses that carry an IPv4 address which a gateway would dial (RFC 6052, RFC 3056).
_TRANSLATED = ipaddress.IPv6Network("64:ff9b::/96")
_COMPATIBLE = ipaddress.IPv6Network("::/96")
_SIX_TO_FOUR = ipaddress.IPv6Network("2002::/16")


def inner_addresses(address: Address) -> list[Address]:
    """The address and every IPv4 address written inside it.

    >>> [str(one) for one in inner_addresses(ipaddress.ip_address("64:ff9b::7f00:1"))]
    ['64:ff9b::7f00:1', '127.0.0.1']
    """
    found: list[Address] = [address]
    if isinstance(address, ipaddress.IPv4Address):
        return found
    number = int(address)
    if address.ipv4_mapped is not None:
        found.append(address.ipv4_mapped)
    if address in _SIX_TO_FOUR:
        found.append(ipaddress.IPv4Address((number >> 80) & 0xFFFFFFFF))
    if address in _COMPATIBLE or address in _TRANSLATED:
        found.append(ipaddress.IPv4Address(number & 0xFFFFFFFF))
    return found


def is_public(address: Address) -> bool:
    """Whether an address belongs to the open internet, itself and all that is written inside.

    >>> [is_public(ipaddress.ip_address(one)) for one in ("93.184.215.14", "10.1.2.3", "::1")]
    [True, False, False]
    """
    if isinstance(address, ipaddress.IPv4Address):
        return not any(address in block for block in _NOT_PUBLIC_4)
    _, *inner = inner_addresses(address)
    is_unicast = address in _UNICAST_6 and not any(address in block for block in _NOT_PUBLIC_6)
    is_carrier = address.ipv4_mapped is not None or address in _TRANSLATED
    return (is_unicast or is_carrier) and all(is_public(one) for one in inner)


class Guard:
    """Decides what may be fetched; ``allowed`` excepts hosts, host:port, addresses, networks."""

    def __init__(self, allowed: Sequence[str] = ()) -> None:
        self._names: list[str] = []
        self._networks: list[Network] = []
        for entry in allowed:
            self._allow(entry.strip().lower())

    def _allow(self, entry: str) -> None:
        try:
            self._networks.append(ipaddress.ip_network(entry.strip("[]"), strict=False))
        except ValueError:
            if not entry or "/" in entry:
                raise InvalidArgument(
                    f"web_allow_hosts: {entry!r} is no host, host:port, address or network; "
                    "write such as docs.corp.example, localhost:8000 or 10.0.0.0/8"
                ) from None
            self._names.append(entry)

    def check_url(self, url: str) -> httpx2.URL:
        """The address of a page, checked for its form; raises InvalidArgument naming the fault."""
        if len(url) > MOST_URL_CHARS:
            raise InvalidArgument(
                f"the URL has {len(url)} characters; {MOST_URL_CHARS} are the most"
            )
        if any(char.isspace() or ord(char) < 32 or ord(char) == 127 for char in url):
            raise InvalidArgument(f"{url[:200]!r} has blanks or control characters; encode them")
        try:
            parsed = httpx2.URL(url)
            port = urlsplit(url).port
        except (httpx2.InvalidURL, ValueError) as exc:
            raise InvalidArgument(f"{url[:200]!r} is no web address: {exc}") from exc
        if parsed.scheme not in _SCHEMES:
            raise InvalidArgument(f"{url[:200]!r} is no web address; it must begin with http(s)://")
        if not parsed.host or port == 0:
            raise InvalidArgument(f"{url[:200]!r} names no host that can be reached")
        if parsed.userinfo:
            raise InvalidArgument(
                "a URL with a user name or password is not fetched; leave them out"
            )
        return parsed.copy_with(fragment=None)

    def check_address(self, host: str, port: int, address: str) -> None:
        """Refuse an address of the reader's own network; raises ForbiddenOperation."""
        try:
            found = ipaddress.ip_address(address.partition("%")[0])
        except ValueError as exc:
            raise ForbiddenOperation(
                f"{host} resolves to {address!r}, which is no address"
            ) from exc
        if self._is_named(host.lower().rstrip("."), port) or self._is_listed(found):
            return
        if not is_public(found):
            raise ForbiddenOperation(
                f"{host} is at {address}, an address of a private network, which pages may not "
                f"reach; if you trust it, add {host!r} to the setting `web_allow_hosts`",
                host=host,
                address=address,
            )

    def _is_named(self, host: str, port: int) -> bool:
        asked = (host, f"{host}:{port}")
        return any(fnmatchcase(one, name) for name in self._names for one in asked)

    def _is_listed(self, address: Address) -> bool:
        return any(
            one in network
            for one in inner_addresses(address)
            for network in self._networks
            if one.version == network.version
        )


def port_of(url: httpx2.URL) -> int:
    """The port a URL means.

    >>> port_of(httpx2.URL("https://a.example/"))
    443
    """
    return url.port or _DEFAULT_PORTS[url.scheme]


def origin_of(url: httpx2.URL) -> str:
    """Scheme, host and port: whom a rule of politeness is about.

    >>> origin_of(httpx2.URL("http://A.example/x?y"))
    'http://a.example:80'
    """
    return f"{url.scheme}://{url.host.lower()}:{port_of(url)}"
