"""A source of passages: asked in plain words, answered from a full-text index."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from kgcore.errors import InputError
from kgcore.ranking import Ranker
from kgcore.sources.index_folder import IndexFolder, version_of
from kgcore.sources.spec import SourceHealth, SourceSpec
from kgcore.sources.spec_source import SpecSource
from kgcore.sources.texts.files import text_files
from kgcore.sources.texts.index import FORMAT, Found, PassageIndex, make_index
from kgcore.steps import BadQuery, Evidence, Passages

_TO_RERANK = 30  # passages that are looked at once more
_LONGEST_QUERY = 4_000  # characters
_N_TITLES = 12  # in the schema


def open_texts(
    spec: SourceSpec,
    home: Path,
    *,
    ranker: Ranker | None = None,
    most: int = 5,
    time_limit_s: float = 10.0,
) -> TextSource:
    """Open a source of passages; files that are new or have changed are read first.

    With a `ranker` what is found is ordered by it and by BM25 together.
    """
    folder = IndexFolder(home, spec.name)
    states = folder.states(text_files(spec.where))
    version = version_of(states, FORMAT)
    place = folder.folder(version, lambda new, newest: make_index(new, newest, states))
    index = PassageIndex(place, spec.name)
    return TextSource(spec, version, index, ranker=ranker, most=most, time_limit_s=time_limit_s)


class TextSource(SpecSource):
    """Passages of one index; open one with `open_texts`. Safe to share between threads."""

    def __init__(
        self,
        spec: SourceSpec,
        version: str,
        index: PassageIndex,
        *,
        ranker: Ranker | None,
        most: int,
        time_limit_s: float,
    ) -> None:
        titles = "; ".join(index.titles(_N_TITLES))
        super().__init__(
            spec,
            f"{version} {ranker.name}" if ranker is not None else version,
            description="passages of text",
            schema=f"{index.size():,} passages, among them: {titles}",
        )
        self._index, self._ranker = index, ranker
        self._most, self._time_limit_s = most, time_limit_s

    def run(self, query: str) -> Passages | BadQuery:
        """Find the passages that fit a sentence best."""
        query = " ".join(query.split())
        if len(query) > _LONGEST_QUERY:
            return BadQuery("the query is too long; ask one thing in one sentence")
        limit = self._most if self._ranker is None else max(self._most, _TO_RERANK)
        try:
            found = self._index.search(query, limit=limit, seconds=self._time_limit_s)
        except InputError as error:
            return BadQuery(str(error))
        if self._ranker is not None and found:
            found = reranked(query, found, self._ranker)
        return Passages(tuple(map(to_evidence, found[: self._most])), query)

    def health(self) -> SourceHealth:
        """Say how many passages there are, and what could not be read."""
        return SourceHealth(
            True, n_items=self._index.size(), unit="passages", notes=self._index.notes()
        )


def reranked(query: str, found: Sequence[Found], ranker: Ranker) -> tuple[Found, ...]:
    """Order passages by the mean of their BM25, as a share of the best, and what a ranker says, in 0…1."""
    texts = [f"{one.passage.title}: {one.passage.text}" for one in found]
    ranking = ranker.rank(query, texts)
    meaning = dict(zip(ranking.order, ranking.scores, strict=True))
    best = max(one.score for one in found) or 1.0
    scored = [
        replace(one, score=round((one.score / best + meaning.get(i, 0.0)) / 2, 4))
        for i, one in enumerate(found)
    ]
    return tuple(sorted(scored, key=lambda one: -one.score))


def to_evidence(found: Found) -> Evidence:
    """Return a passage as evidence; its title leads where the text does not begin with it."""
    passage = found.passage
    is_named = passage.title.casefold() in passage.text[: len(passage.title) + 40].casefold()
    raw = {"title": passage.title, "position": passage.position, "text": passage.text}
    return Evidence(
        passage.text if is_named else f"{passage.title}: {passage.text}",
        json.dumps(raw, ensure_ascii=False),
        f"{passage.title}, {passage.position}",
        found.score,
    )
