"""Starts the fork of a run that the pages offer in several places."""

import hashlib
import json

from kgcore.model import to_dict
from kgcore.runs import Edit, Run
from pages.components.studio import shared, studio

__all__ = ["fork_with"]


def fork_with(run_id: str, edit: Edit, *, token: str = "") -> str:
    """Start the fork with an edit and return its id; a second click is the same fork.

    The fork of a run that is held begins held, so that it can be stepped on with. `token` tells edits apart
    that differ in more than what a person chose.
    """

    def make() -> Run:
        parent = studio().live(run_id)
        run = studio().fork(run_id, [edit])
        if parent is not None and not parent.join(0) and parent.control.mode == "pause":
            run.pause()
        return run

    return shared().begin(f"fork {run_id} {token or _digest(edit)}", make)


def _digest(edit: Edit) -> str:
    said = json.dumps(to_dict(edit), sort_keys=True)
    return hashlib.blake2b(said.encode("utf-8", "replace"), digest_size=12).hexdigest()
