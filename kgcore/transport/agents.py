"""The services that want to know who asks, and whom they may write to."""

from __future__ import annotations

import re

from kgcore.errors import InputError

# Hosts (and all below them) whose rules ask for a contact; without one they slow a program down, then block it.
WANTS_CONTACT = (
    "musicbrainz.org",
    "wikibase.cloud",
    "wikidata.org",
    "wikimedia.org",
    "wikipedia.org",
)
_CONTACT = re.compile(r"\([^()]*[@.][^()]*\)")  # an e-mail address or a page, in the comment


def check_agent(host: str, agent: str) -> None:
    """Raise InputError when a host wants a contact and the User-Agent names none."""
    is_wanted = any(host == known or host.endswith("." + known) for known in WANTS_CONTACT)
    if is_wanted and not _CONTACT.search(agent):
        raise InputError(
            f"{host} wants to know whom it may write to: enter a contact (an e-mail address or a web page)"
            " on the Settings page, or as `contact:` in settings.yaml"
        )
