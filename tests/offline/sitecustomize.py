"""Refuses every connection that leaves this machine, in the tests and in the Python processes they start.

Python imports a module of this name by itself when it starts, so a folder on PYTHONPATH is enough to guard
child processes too. The guard is an audit hook: it sees connections made by any library through Python's own
sockets, also by code that kept a reference to the original functions. What it refuses it writes to a log as
well, since a library may swallow the error; the test during which the log grew fails.

Names that can never exist (example.invalid) fail like any unknown host and are not logged.
"""

import ipaddress
import os
import socket
import sys
from pathlib import Path

LOG_VARIABLE = "KGCORE_TEST_OUTSIDE_LOG"
ALLOW_VARIABLE = "KGCORE_TEST_NETWORK"


class OutsideConnectionError(ConnectionError):
    """A test tried to reach an address outside this machine."""


def is_local(host: object) -> bool:
    """Say whether a host is this machine; a name that would have to be looked up is not."""
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else host
    if name is None or name == "":
        return True
    if not isinstance(name, str):
        return False
    if name.lower() in {"localhost", socket.gethostname().lower()}:
        return True
    try:
        address = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None) or address
    return mapped.is_loopback or mapped.is_unspecified


def _refuse(what: str, *, log: bool = True) -> None:
    message = f"tests stay on this machine: refused {what}"
    path = os.environ.get(LOG_VARIABLE)
    if log and path:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(f"{message} (process {os.getpid()}: {' '.join(sys.argv)[:200]})\n")
    raise OutsideConnectionError(message)


def _check_address(event: str, sock: object, address: object) -> None:
    if not isinstance(address, tuple) or is_local(address[0]):
        return  # a path of a Unix socket, or this machine
    # Connecting a datagram socket sends nothing: it is how programs find out their own address.
    is_probe = event == "socket.connect" and getattr(sock, "type", None) == socket.SOCK_DGRAM
    _refuse(f"{event} to {address[0]}:{address[1]}", log=not is_probe)


def _check_name(event: str, host: object) -> None:
    if is_local(host):
        return
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else str(host)
    try:
        ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        if name.lower().rstrip(".").endswith(".invalid"):
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known") from None
        _refuse(f"{event} of {name}")
    # A plain address needs no look-up; connecting to it is another event.


def _hook(event: str, args: tuple[object, ...]) -> None:
    if not event.startswith("socket.") or os.environ.get(ALLOW_VARIABLE) == "1":
        return
    if event in {"socket.connect", "socket.sendto", "socket.sendmsg"}:
        _check_address(event, args[0], args[1])
    elif event in {"socket.getaddrinfo", "socket.gethostbyname"}:
        _check_name(event, args[0])


def install() -> None:
    """Guard this process until it ends; audit hooks cannot be taken back."""
    sys.addaudithook(_hook)


if __name__ == "sitecustomize":
    install()
