"""When to ask a service again, and how long to wait before.

A pure schedule: no clock and no sleep in here. A service that says how long to wait (`Retry-After`) is believed
up to a cap; otherwise the wait is drawn anew each time between nothing and a bound that doubles ("full
jitter"), so that many callers who failed together do not come back together.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_LATER = 0.1  # spread over callers that were told the same number of seconds


def parse_retry_after(value: str | None, now: datetime | None = None) -> float | None:
    """Return the seconds that a `Retry-After` header asks for; None when it says nothing readable.

    The header holds seconds or an HTTP date; a date in the past is 0 seconds.
    """
    text = (value or "").strip()
    if not text:
        return None
    try:
        seconds = float(text)
    except ValueError:
        return _seconds_until(text, now or datetime.now(UTC))
    return seconds if 0 <= seconds < float("inf") else None


def _seconds_until(text: str, now: datetime) -> float | None:
    try:
        when = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return max(0.0, (when - now).total_seconds())


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often a failed request is sent again: at most `max_retries` times."""

    max_retries: int = 2
    base_s: float = 1.0  # bound of the first wait; doubles with every further one
    cap_s: float = 8.0  # bound of any wait the service did not ask for
    retry_after_cap_s: float = 30.0  # a service that asks for more is not waited for
    rng: random.Random = field(default_factory=random.Random, compare=False, repr=False)

    def wait_s(self, n_failed: int, *, retry_after: float | None = None) -> float | None:
        """Return the seconds to wait after the `n_failed`-th failure; None when it is time to give up."""
        if n_failed > self.max_retries:
            return None
        if retry_after is not None:
            if retry_after > self.retry_after_cap_s:
                return None
            return retry_after + self.rng.uniform(0, _LATER)
        return self.rng.uniform(0, min(self.cap_s, self.base_s * 2.0 ** (n_failed - 1)))
