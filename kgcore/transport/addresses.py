"""Which addresses may be asked: a guard against being sent to machines nobody meant.

A person types the address of an endpoint; the program, which may stand inside a network that the person cannot
reach, then asks it. So an address is looked at twice. `check_address` reads what was typed, without any network:
only http and https, no user name in it, no literal address of this machine or of a private network. And when a
connection is made, `Guard.connect` looks the name up, keeps the addresses that may be asked, and connects to one of
*these*: the name is not looked up again, so an answer of DNS that changes in between ("rebinding") changes nothing.
Redirects pass both again.

Loopback and private addresses may be asked where the operator says so; addresses of the link (where clouds keep
their metadata), of groups and of no machine at all never.

Where the environment names a proxy, the proxy looks names up and connects. The guard then still refuses what is
written as an address and what resolves here to one that may not be asked; where a name leads on the proxy's side is
up to the proxy.
"""

from __future__ import annotations

import contextlib
import ipaddress
import re
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal as OneOf
from urllib.parse import SplitResult, urlsplit, urlunsplit

from kgcore.errors import InputError

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Reach = OneOf["public", "private", "never"]
Resolve = Callable[[str, int], Sequence[str]]

SWITCH = "KGCORE_ALLOW_PRIVATE_ENDPOINTS"
MAX_LENGTH = 64_000  # a query may be part of it
# Where clouds answer with keys, beside 169.254.0.0/16: AWS over IPv6, Alibaba, Azure, Oracle.
METADATA = frozenset(
    map(ipaddress.ip_address, ("fd00:ec2::254", "100.100.100.200", "168.63.129.16", "192.0.0.192"))
)
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_COMPATIBLE = ipaddress.ip_network("::/96")
_CONTROL = re.compile(r"[\x00-\x20\x7f-\xa0\\\u2028\u2029]")
_HOST = re.compile(r"[a-z0-9_:%-][a-z0-9._:%-]{0,252}")


def check_address(url: str, allow_private: bool) -> str:
    """Return an address a person typed, tidied, or raise InputError with one line that says what is wrong."""
    text = url.strip()
    parts = _split(text)
    host = host_of(parts)
    literal = read_ip(host)
    if literal is not None:
        refuse_if_closed(literal, host, allow_private=allow_private)
    elif not allow_private and (host == "localhost" or host.endswith(".localhost")):
        raise InputError(_closed(host, host))
    return urlunsplit((parts.scheme.lower(), parts.netloc, parts.path, parts.query, ""))


def _split(text: str) -> SplitResult:
    if not text or len(text) > MAX_LENGTH:
        raise InputError("the address is empty" if not text else "the address is too long")
    if _CONTROL.search(text):
        raise InputError("an address holds no spaces, backslashes or control characters")
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise InputError("the address cannot be read: look at its host and port") from None
    if parts.scheme.lower() not in ("http", "https") or not parts.netloc:
        raise InputError("an address begins with http:// or https://")
    if "@" in parts.netloc:
        raise InputError(
            "leave user name and password out of the address; they have fields of their own"
        )
    if port == 0:
        raise InputError("the address names port 0; ports are between 1 and 65535")
    return parts


def host_of(parts: SplitResult) -> str:
    """Return the host as it is looked up: lower case, ASCII, without the dot at its end."""
    host = (parts.hostname or "").rstrip(".")
    try:
        known = host if host.isascii() else host.encode("idna").decode("ascii")
    except UnicodeError:
        known = ""
    known = known.lower()
    if not _HOST.fullmatch(known) or ".." in known:
        raise InputError("the address names no host that can be looked up")
    return known


def origin(url: str) -> str:
    """Return the host of a URL as people read it, with its port where that is not the usual one."""
    parts = urlsplit(url)
    host = host_of(parts)
    shown = f"[{host}]" if ":" in host else host
    usual = {"http": 80, "https": 443}.get(parts.scheme.lower())
    return shown if parts.port in (None, usual) else f"{shown}:{parts.port}"


def read_ip(host: str) -> Address | None:
    """Return the IP address a host stands for by itself, also as `127.1`, `0x7f000001` or `2130706433`."""
    try:
        return ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        pass
    try:
        return ipaddress.IPv4Address(socket.inet_aton(host))
    except OSError:
        return None


def reach(address: Address) -> Reach:
    """Say who can be reached at an address; one that wraps another is no more open than what it wraps."""
    inner = _inside(address)
    if inner is not None:
        return reach(inner)
    is_nobody = address.is_multicast or address.is_unspecified or address == _BROADCAST
    if address.is_link_local or is_nobody or address in METADATA:
        return "never"
    is_site = isinstance(address, ipaddress.IPv6Address) and address.is_site_local
    return "public" if address.is_global and not is_site else "private"


_BROADCAST = ipaddress.IPv4Address("255.255.255.255")


def _inside(address: Address) -> Address | None:
    """Return the IPv4 address inside an IPv6 one, in each of the ways one can be put there."""
    if isinstance(address, ipaddress.IPv4Address):
        return None
    if address.ipv4_mapped or address.sixtofour:
        return address.ipv4_mapped or address.sixtofour
    if address.teredo:
        return address.teredo[1]
    is_compatible = address in _COMPATIBLE and int(address) > 0xFFFF
    if address in _NAT64 or is_compatible:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return None


def refuse_if_closed(address: Address, host: str, *, allow_private: bool) -> None:
    """Raise InputError for an address that may not be asked."""
    kind = reach(address)
    if kind == "never":
        raise InputError(f"{host} is never asked: no graph lives at {address}")
    if kind == "private" and not allow_private:
        raise InputError(_closed(host, str(address)))


def _closed(host: str, address: str) -> str:
    what = host if host == address else f"{host} ({address})"
    return (
        f"{what} is this machine or in a private network; such addresses are asked only where the operator"
        f" allows it ({SWITCH}=1)"
    )


def look_up(host: str, port: int) -> list[str]:
    """Return the IP addresses of a host, as the system knows them; OSError (gaierror) when it knows none."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(sockaddr[0]) for *_, sockaddr in found))


@dataclass(frozen=True, slots=True)
class Guard:
    """Connects to addresses that may be asked, and to no other."""

    allow_private: bool = False
    resolve: Resolve = look_up

    def addresses(self, host: str, port: int) -> list[Address]:
        """Return the addresses of a host that may be asked; InputError when it has none but others."""
        literal = read_ip(host)
        found = [literal] if literal is not None else []
        for text in [] if found else self.resolve(host, port):
            found.append(ipaddress.ip_address(text.partition("%")[0]))
        is_open = ("public", "private") if self.allow_private else ("public",)
        allowed = [address for address in found if reach(address) in is_open]
        if not allowed and found:
            refuse_if_closed(found[0], host, allow_private=self.allow_private)
        return allowed

    def check_if_known(self, host: str, port: int) -> None:
        """Raise InputError when a host that another machine will look up is known here, and closed."""
        with contextlib.suppress(OSError):
            self.addresses(host, port)

    def connect(self, host: str, port: int, timeout_s: float | None) -> socket.socket:
        """Return a socket that is connected to a checked address of the host."""
        problem: OSError = socket.gaierror(socket.EAI_NONAME, "no address")
        for address in self.addresses(host, port):
            family = socket.AF_INET6 if address.version == 6 else socket.AF_INET
            sock = socket.socket(family, socket.SOCK_STREAM)
            try:
                sock.settimeout(timeout_s)
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                sock.connect((str(address), port))
            except OSError as error:
                sock.close()
                problem = error
            else:
                return sock
        raise problem
