"""Engines that misbehave, for the tests of the processes that run queries."""

from __future__ import annotations

import os
import time
from typing import Any

from kgcore.errors import InputError, ServiceError


class Odd:
    """Does as the request says."""

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Echo, sleep, die, eat memory, print, or raise."""
        what = request["do"]
        if what == "sleep":
            time.sleep(60)
        if what == "die":
            os._exit(3)
        if what == "eat":
            return {"n": len(bytearray(1_500_000_000))}
        if what == "print":
            os.write(1, b"this is no reply\n")
        if what == "refuse":
            raise InputError("no")
        if what == "fail":
            raise ServiceError("broken")
        if what == "environ":
            return {"environ": sorted(os.environ)}
        return {"pid": os.getpid()}


class Unborn:
    """Cannot be made."""

    def __init__(self) -> None:
        raise ServiceError("the data are gone")
