"""Reading an answer: its text, and what it names in the subgraph."""

from __future__ import annotations

import re
from functools import cache

from kgcore.errors import UnreadableReplyError
from kgcore.model import EntityId, Literal, Subgraph
from kgcore.prompts.literals import dates_in, find_literals
from kgcore.prompts.matching import Offer, Offered, key
from kgcore.prompts.replies import Fields, bare
from kgcore.prompts.values import GiveAnswer
from kgcore.prompts.wording import fold, wording

ANSWER_LIMIT = 4000
SHORT_ANSWER = 300  # a bare reply up to this length can be an answer
_QUOTED = re.compile(r"《[^《》]*》|“[^“”]*”|「[^「」]*」|\"[^\"]*\"")
_BULLET = re.compile(r"^\s*(?:[-*•·]|\d{1,2}[.)])\s+")
_PUNCTUATION = r"[\s.,;:!?。，；：！？、—–-]"


def entity_offer(subgraph: Subgraph) -> Offer:
    """Return all entities of a subgraph as an offer, in order of growth."""
    return Offer(
        (
            Offered(
                subgraph.handle(entity.id),
                tuple(member.id for member in subgraph.members(entity.id)),
                tuple(m.label for m in subgraph.members(entity.id) if m.label),
            )
            for entity in subgraph.entities
        ),
        letter="E",
    )


def read_answer(fields: Fields, subgraph: Subgraph | None, *, text: str = "") -> GiveAnswer:
    """Return the answer of a reply; UnreadableReplyError when its text is empty.

    What it names are the parts of its text where all of them are known, else what its field "Entities" lists.
    """
    text = _tidy(text or fields.get("answer"))
    if not text:
        raise UnreadableReplyError("the answer is empty")
    if subgraph is None:
        return GiveAnswer(text, is_unknown=is_unknown(text))
    offer = entity_offer(subgraph)
    text = _with_labels(text, subgraph, offer)
    listed = fields.get("entities")
    from_list = offer.find_known(listed).positions if listed else ()
    positions = _in_text(text, offer) or from_list
    entities = tuple(subgraph.entities[i].id for i in positions)
    names = [m.label for e in entities for m in subgraph.members(e)]
    if is_unknown(text, names):
        return GiveAnswer(text, is_unknown=True)
    if is_yes_or_no(text) and offer.lookup(text) not in from_list:
        return GiveAnswer(text)
    return GiveAnswer(text, entities, _literals(text, listed, entities, subgraph))


def is_unknown(text: str, names: list[str] | None = None) -> bool:
    """Tell whether an answer says that it cannot tell; words inside names and quoted titles do not count."""
    folded = fold(text)
    for name in sorted(map(fold, names or []), key=len, reverse=True):
        if name:
            folded = folded.replace(name, " … ")
    if key(folded) in wording().unknown_whole:
        return True
    return bool(_unknown_phrases().search(_QUOTED.sub(" … ", folded)))


def is_yes_or_no(text: str) -> bool:
    """Tell whether an answer begins with yes or no, as a word by itself."""
    start = re.match(
        rf"([^\W\d_]+)(?:{_PUNCTUATION}*$|\s*[.,;:!。，；：！、—–]|\s+-\s)", fold(bare(text))
    )
    return start is not None and start[1] in wording().yes | wording().no


@cache
def _unknown_phrases() -> re.Pattern[str]:
    """Whole words where a language has them; Chinese writes none."""
    phrases = sorted(wording().unknown, key=lambda p: (-len(p), p))
    ways = [rf"(?<!\w){re.escape(p)}(?!\w)" if p.isascii() else re.escape(p) for p in phrases]
    return re.compile("|".join(ways))


def _tidy(value: str) -> str:
    """Return the first paragraph on one line; a list of lines becomes one separated by commas."""
    paragraph = re.split(r"\n\s*\n", value[:ANSWER_LIMIT])[0]
    lines = [" ".join(line.split()) for line in paragraph.split("\n")]
    lines = [line for line in lines if line]
    if len(lines) > 1 and (
        all(_BULLET.match(line) for line in lines) or not re.search(r"[.。]", value)
    ):
        return ", ".join(bare(_BULLET.sub("", line)) for line in lines)
    return bare(" ".join(lines))


def _with_labels(text: str, subgraph: Subgraph, offer: Offer) -> str:
    """Write names in place of handles, which only the prompt knows."""

    def name(match: re.Match[str]) -> str:
        position = offer.handle(match["handle"])
        if position is None:
            return match[0]
        label = subgraph.entities[position].name
        before, after = text[: match.start()].rstrip(), text[match.end() :].lstrip()
        if match["open"] and match["close"]:
            return "" if fold(before).endswith(fold(label)) else f" {label}"
        if fold(after).startswith(fold(label)):
            return match["open"]
        return f"{match['open']}{label}{match['close']}"

    written = re.sub(
        r"(?P<open>\s*[(\[（]?)(?<![A-Za-z0-9_:/#.-])(?P<handle>[Ee]\d{1,7})(?![A-Za-z0-9_])(?P<close>[)\]）]?)",
        name,
        text,
    )
    return written.strip() or text


def _in_text(text: str, offer: Offer) -> tuple[int, ...]:
    """Return what a text names, if it is nothing but known names."""
    try:
        found = offer.find_known(text, is_fuzzy=False)
    except UnreadableReplyError:  # a name that several have, or what only looks like a handle
        return ()
    return found.positions if found.is_complete else ()


def _literals(
    text: str, listed: str, entities: tuple[EntityId, ...], subgraph: Subgraph
) -> tuple[Literal, ...]:
    literals = [t.object for t in subgraph.triples if isinstance(t.object, Literal)]
    whole = find_literals([text], literals)
    if whole or not literals:
        return whole
    pieces = [p for p in re.split(r"\s*[;；\n]\s*|,\s+|，|、|\s+(?:and|or)\s+|和|与", text) if p]
    pieces += list(dates_in(text))
    if not entities:
        pieces += [p for p in re.split(r"\s*[;；\n]\s*|,\s+", listed) if p]
    return find_literals(pieces, literals)
