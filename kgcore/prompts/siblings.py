"""Several ratings in one request: what the nodes share is written once, then what is different, item by item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from kgcore.model import Subgraph, Triple
from kgcore.model.text import estimate_tokens
from kgcore.prompts.base import TypedRequest
from kgcore.prompts.fitting import Parts, fit
from kgcore.prompts.judging import RateAnswer, RateState
from kgcore.prompts.phrasing import facts_of, new_facts_of, question_line, seed_lines, step_lines
from kgcore.prompts.ratings import read_ratings
from kgcore.prompts.values import Rating, Taken
from kgcore.prompts.wording import say


@dataclass(frozen=True, slots=True)
class RateSiblings(TypedRequest):
    """Several RateState / RateAnswer requests in one. Reads to a tuple of Rating, one each, in order."""

    template: ClassVar[str] = "rate_siblings"
    items: tuple[RateState | RateAnswer, ...]

    def fields(self, budget: int | None) -> tuple[Mapping[str, str], tuple[str, ...]]:
        """Fields: question, seeds, facts, steps, items, n."""
        base = shared_subgraph([item.subgraph for item in self.items])
        n_shared = _n_shared_steps([item.told_steps() for item in self.items])
        seeds = self.items[0].seeds if self.items else ()
        fixed = {
            "question": question_line(self.question),
            "seeds": seed_lines(base, seeds, self.language),
            "n": str(len(self.items)),
        }
        steps = self.items[0].told_steps()[:n_shared] if self.items else ()
        parts = Parts(
            facts_of(self.question, base),
            steps=step_lines(base, steps, self.language),
            language=self.language,
        )
        items, n_cut = self._items(base, n_shared, None)
        room = None if budget is None else budget - estimate_tokens("".join(fixed.values()))
        if room is not None and room - estimate_tokens(items) < _least(parts):
            shortest, _ = self._items(base, n_shared, 0)
            n_grown = sum(bool(added_triples(item.subgraph, base)) for item in self.items)
            share = (room - _least(parts) - estimate_tokens(shortest)) // max(1, n_grown)
            items, n_cut = self._items(base, n_shared, max(0, share))
        fitted = fit(parts, None if room is None else room - estimate_tokens(items))
        left_out = (*fitted.left_out, *([f"{n_cut} new facts of the items"] if n_cut else []))
        return {**fixed, "facts": fitted.facts, "steps": fitted.steps, "items": items}, left_out

    def _items(self, base: Subgraph, n_shared: int, share: int | None) -> tuple[str, int]:
        blocks, n_cut = [], 0
        for number, item in enumerate(self.items, 1):
            block, n = self._item(item, base, n_shared, share)
            blocks.append(f"{number}: {block}")
            n_cut += n
        return "\n".join(blocks), n_cut

    def _item(
        self, item: RateState | RateAnswer, base: Subgraph, n_shared: int, share: int | None
    ) -> tuple[str, int]:
        steps = step_lines(item.subgraph, item.told_steps()[n_shared:], self.language)
        lines = [step.split(". ", 1)[1] for step in steps]
        if isinstance(item, RateAnswer):
            lines.append(say(self.language, "answer", text=item.answer_text()))
        elif not lines:
            lines.append(item.state_text())
        triples = added_triples(item.subgraph, base)
        if not triples:
            return "\n   ".join(lines), 0
        facts, n_cut = new_facts_of(self.question, item.subgraph, triples)(share)
        indented = "\n     ".join(facts.split("\n"))
        return "\n   ".join([*lines, say(self.language, "item_new_facts"), f"  {indented}"]), n_cut

    def read(self, text: str) -> tuple[Rating, ...]:
        """Return one rating an item, by its number."""
        return read_ratings(text, len(self.items))


def _least(parts: Parts) -> int:
    return estimate_tokens(parts.facts(0)[0]) + estimate_tokens("\n".join(parts.steps)) + 4


def _n_shared_steps(trajectories: Sequence[tuple[Taken, ...]]) -> int:
    """Count the steps that all trajectories begin with."""
    n = 0
    for steps in zip(*trajectories, strict=False):
        if any(step != steps[0] for step in steps):
            break
        n += 1
    return n


def shared_subgraph(subgraphs: Sequence[Subgraph]) -> Subgraph:
    """Return the nearest common ancestor of some subgraphs; an empty one when they share nothing."""
    if not subgraphs:
        return Subgraph()
    lines = [_ancestors(subgraph) for subgraph in subgraphs]
    known = [{ancestor.digest for ancestor in line} for line in lines[1:]]
    return next((a for a in lines[0] if all(a.digest in digests for digests in known)), Subgraph())


def _ancestors(subgraph: Subgraph) -> list[Subgraph]:
    line, current = [], subgraph
    while True:
        line.append(current)
        if current.parent is None:
            return line
        current = current.parent


def added_triples(subgraph: Subgraph, base: Subgraph) -> tuple[Triple, ...]:
    """Return the triples of a subgraph that its ancestor does not hold."""
    known = {_identity(subgraph, t) for t in base.triples}
    return tuple(t for t in subgraph.triples if _identity(subgraph, t) not in known)


def _identity(subgraph: Subgraph, triple: Triple) -> tuple[object, ...]:
    end = triple.object
    target = end if not hasattr(end, "id") else subgraph.canonical(end.id)
    return (subgraph.canonical(triple.subject.id), triple.relation.id, target)
