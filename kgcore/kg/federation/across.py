"""Finds an entity of one graph in another by its label, where no explicit link joins them."""

from __future__ import annotations

from kgcore.kg.base import KnowledgeGraph
from kgcore.kg.mentions import features, fold
from kgcore.model import Entity, EntityId

# Words in types and descriptions that tell what kind of thing something is; kinds exclude each other.
KINDS = {
    "agent": "human person artist singer songwriter musician actor actress director writer group band orchestra choir "
    "character 人 歌手 演员 乐队 艺人",
    "film": "film movie television series episode 电影 电视剧",
    "music": "album release recording song single ep soundtrack track work composition 专辑 歌曲",
    "place": "area city country town village state continent capital venue district region island 国家 城市 地区",
    "organisation": "company organisation organization label studio university school party club 公司 大学 组织",
    "class": "genre class profession occupation concept 类型 职业",
}
_KIND_OF = {word: kind for kind, words in KINDS.items() for word in words.split()}
_CANDIDATES = 10


def link_across(entity: Entity, graph: KnowledgeGraph) -> EntityId | None:
    """Return the one entity of a graph that has this entity's label and may be the same thing; None otherwise.

    What both sides say of their kind must agree. Where a side says nothing, the label must be unique there.
    """
    if not entity.label:
        return None
    context = " ".join((entity.description, *entity.types))
    found = graph.link(entity.label, context=context, limit=_CANDIDATES).items
    same = [c.entity for c in found if fold(c.entity.label) == fold(entity.label)]
    agreeing = [other for other in same if _agree(entity, other)]
    if agreeing:
        return agreeing[0].id
    unclear = [other for other in same if not (_kinds(entity) and _kinds(other))]
    return unclear[0].id if len(same) == len(unclear) == 1 else None


def _agree(one: Entity, other: Entity) -> bool:
    if _kinds(one) and _kinds(other):
        return bool(_kinds(one) & _kinds(other))
    return bool(_words(one) & _words(other))


def _kinds(entity: Entity) -> set[str]:
    """Kinds named by the types; by the description where the types name none."""
    by_type = {_KIND_OF[w] for t in entity.types for w in _parts(t) if w in _KIND_OF}
    if by_type:
        return by_type
    return {_KIND_OF[w] for w in _parts(entity.description) if w in _KIND_OF}


def _parts(text: str) -> set[str]:
    return {*features(text), fold(text)}


def _words(entity: Entity) -> frozenset[str]:
    return features(f"{entity.description} {' '.join(entity.types)}")
