"""A short look at a MusicBrainz web service: does it answer?"""

from __future__ import annotations

import time

from kgcore.errors import InputError, ServiceError
from kgcore.kg.connections import Connection, Health
from kgcore.kg.musicbrainz.client import Client
from kgcore.transport.transport import Transport

_ANYTHING = "artist"


def probe(connection: Connection, transport: Transport) -> Health:
    """Ask for one thing; how many there are is not told by the service."""
    started = time.monotonic()
    try:
        reply = Client(connection.address, transport, scope="").search(_ANYTHING, "*:*", limit=1)
    except (ServiceError, InputError) as error:
        return Health(False, time.monotonic() - started, problem=str(error))
    seconds = time.monotonic() - started
    if not reply.items(_ANYTHING):
        return Health(False, seconds, problem="it answers, and knows no artist")
    return Health(True, seconds, languages=())
