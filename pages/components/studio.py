"""The one studio of the process, and what all pages of all visitors share with it."""

import contextlib
import ipaddress
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

import streamlit as st

from kgcore.bootstrap import Studio, Task, build
from kgcore.config import Secrets, default_home
from kgcore.runs import Run
from pages.components.imports import Imports
from pages.components.watch import Watches

__all__ = ["Shared", "shared", "studio"]


@dataclass(slots=True)
class Shared:
    """A studio, the runs that are watched, imports under way, and the starts that were already made."""

    studio: Studio
    watches: Watches
    imports: Imports
    _started: dict[str, str] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def start(self, token: str, task: Task) -> str:
        """Start a run in the background and return its id; the same token starts it only once."""
        return self.begin(token, lambda: studio().ask(task))

    def begin(self, token: str, make: Callable[[], Run]) -> str:
        """Start the run that is made and return its id; the same token makes and starts it only once."""
        with self._lock:
            if token not in self._started:
                run = make()
                run.start()
                self._started[token] = run.id
            return self._started[token]


def shared() -> Shared:
    """Return what this process shares for the data folder in force."""
    return _shared(str(default_home(os.environ)))


def studio() -> Studio:
    """Return the studio as this session sees it: what all share, and the keys of this session alone."""
    if "secrets" not in st.session_state:
        st.session_state["secrets"] = Secrets(os.environ)
    return shared().studio.with_secrets(st.session_state["secrets"])


@st.cache_resource(show_spinner=False)
def _shared(home: str) -> Shared:
    del home  # the key of the cache; build reads it again
    made = build(allows_private=_is_for_this_machine())
    return Shared(made, Watches(made), Imports())


def _is_for_this_machine() -> bool:
    """Whether only this machine reaches the app: then a person may name graphs in private networks."""
    address = str(st.get_option("server.address") or "").strip("[]")
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(address).is_loopback
    return address == "localhost"
