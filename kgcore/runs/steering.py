"""What a person does to a run that is being driven: the part of a `Run` that pages and commands call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from kgcore.errors import InputError
from kgcore.model import Entity, Literal, Triple
from kgcore.prompts.linking import Pick
from kgcore.runs.control import Control
from kgcore.runs.gate import Decided, decide
from kgcore.runs.link_choice import LinkQuestion, Settled, settle
from kgcore.runs.pauses import Pauses


class Steering:
    """Pausing, stepping, going on and stopping, the breakpoints, and the decisions a run waits for."""

    control: Control
    pauses: Pauses

    def pause(self) -> None:
        """Pause before the next step."""
        self.control.set("pause", "paused")

    def step(self) -> None:
        """Do one step, then pause."""
        self.control.set("step")

    def step_over(self) -> None:
        """Go on to the next expansion of the search, then pause."""
        self.control.set("over")

    def go_on(self) -> None:
        """Continue after a pause."""
        self.control.set("run")

    def stop(self) -> None:
        """Start nothing more; keep what calls in flight still bring, then end as stopped."""
        self.control.set("stop", "stopped by the person")

    @property
    def waiting(self) -> tuple[Triple, ...]:
        """The triples that wait for a decision; none while the run does not wait for one."""
        waits = self.control.waits_for
        return waits if isinstance(waits, tuple) else ()

    @property
    def waiting_link(self) -> LinkQuestion | None:
        """The names whose meaning waits for a person's choice."""
        waits = self.control.waits_for
        return waits if isinstance(waits, LinkQuestion) else None

    def settle(self, asked: LinkQuestion, picks: Sequence[Pick] | None) -> None:
        """Say what the names stand for; None leaves it to the model. InputError when it is not asked any more.

        Of each name the position of its candidate, None for none of these, or another entity of the same graph.
        """
        if asked is not self.waiting_link:
            raise InputError("what these names stand for is not asked any more")
        self.control.decide(Settled(is_left=True) if picks is None else settle(asked, picks))

    def decide(
        self,
        batch: Sequence[Triple],
        *,
        rejected: Iterable[Triple] = (),
        replaced: Mapping[Triple, Entity | Literal] | None = None,
        author: str = "local",
        reason: str = "",
    ) -> Decided:
        """Decide on the triples that were shown: what is neither rejected nor replaced is approved.

        InputError when these are not the ones that wait (a second click comes too late).
        """
        if not batch or tuple(batch) != self.waiting:
            raise InputError("these triples do not wait for a decision any more")
        decided = decide(batch, rejected=rejected, replaced=replaced, author=author, reason=reason)
        self.control.decide(decided)
        return decided
