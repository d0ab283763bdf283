"""Names held in memory, as linking looks them up (linking.NameTable)."""

from __future__ import annotations

from collections.abc import Iterable

from kgcore.kg.linking import Name, typing_errors


class NameList:
    """A list of names that can be searched; whoever has them fills `_names`."""

    _names: list[Name]

    def exact(self, keys: Iterable[str]) -> list[Name]:
        """Names with one of these keys."""
        wanted = set(keys)
        return [name for name in self._names if name.key in wanted]

    def words(self, key: str, limit: int) -> list[Name]:
        """Names that hold all the words of a key, the last one perhaps unfinished."""
        *whole, last = key.split() or [""]
        return [
            name
            for name in self._names
            if last
            and {*whole} <= {*name.key.split()}
            and any(word.startswith(last) for word in name.key.split())
        ][:limit]

    def similar(self, key: str, max_distance: int, limit: int) -> list[Name]:
        """Names that differ from a key by a few typing errors, the nearest first."""
        found = []
        for name in self._names if max_distance else ():
            distance = typing_errors(key, name.key, max_distance)
            if distance <= max_distance:
                found.append(Name(name.node, name.text, name.key, name.is_alias, distance))
        return sorted(found, key=lambda name: (name.distance, name.key))[:limit]
