"""Rating: how promising is a node, how good is an answer? (paper, section 3.3: the value function)."""

from __future__ import annotations

from dataclasses import replace

from kgcore.prompts import RateAnswer, RateSiblings, RateState, Rating
from kgcore.reasoners.traversals.states import SearchNode
from kgcore.reasoners.traversals.tree import Tree
from kgcore.steps import ActionRejected, Ask, NodeScored, Reasoning, gather


def rated(children: list[SearchNode], tree: Tree) -> Reasoning:
    """Rate the children and return them with their values; a chain (k = 1) rates only answers."""
    config = tree.config
    asked = [
        child
        for child in children
        if (child.answer is not None or config.k > 1)
        and not (child.answer is not None and child.answer.is_unknown)
    ]
    ratings = yield from _ratings(asked, tree)
    by_id = {child.id: rating for child, rating in zip(asked, ratings, strict=True)}
    done: list[SearchNode] = []
    for child in children:
        rating = by_id.get(child.id)
        if child.answer is not None and child.answer.is_unknown:
            rating = Rating(0.0, "it says that it cannot tell")
        if rating is not None:
            child = replace(child, value=rating.value)
            tree.update(child)
            yield NodeScored(child.id, rating.value, rating.reason)
        done.append(child)
    return done


def _ratings(children: list[SearchNode], tree: Tree) -> Reasoning:
    """Return a rating for each child: in one request, or at the same time in one request each."""
    requests = tuple(_rating_request(child, tree) for child in children)
    if tree.config.rate_together and len(requests) > 1:
        request = RateSiblings(tree.question, requests, language=tree.config.language)
        about = tuple(child.id for child in children)
        replies = yield Ask(request, role="evaluate", about=about)
        if replies.value is not None:
            return replies.value
    asks = [
        Ask(request, role="evaluate", about=(child.id,))
        for request, child in zip(requests, children, strict=True)
    ]
    results = yield from gather(list(asks))
    ratings: list[Rating] = []
    for child, replies in zip(children, results, strict=True):
        if replies.value is None:
            yield ActionRejected(child.id, replies.items[0].text, "the rating is unreadable")
        ratings.append(replies.value or Rating(0.0, "the rating is unreadable"))
    return ratings


def _rating_request(child: SearchNode, tree: Tree) -> RateState | RateAnswer:
    language = tree.config.language
    if child.answer is not None:
        return RateAnswer(
            tree.question,
            child.subgraph,
            tree.seeds,
            child.trajectory,
            child.answer,
            language=language,
        )
    return RateState(
        tree.question,
        child.subgraph,
        tree.seeds,
        child.trajectory,
        child.state,
        child.selected,
        language=language,
    )
