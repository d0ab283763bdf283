"""How names are compared, and which spans of a question may be names.

`fold` is for telling whether two names are written alike; `loosen` also drops punctuation and is the key
of the label index. Marks are stripped from Latin, Greek and Cyrillic letters only: in other scripts they are
part of the letter. Chinese, Japanese and Korean have no spaces between words, so there every character is a
unit of its own.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

KEY_LENGTH = 200  # characters of a name that are compared
_KEPT = frozenset("#&")  # C and C#, R and R&B are different things
_DROPPED = "'`´‘"
_ASCII_MARKS = {
    code: None if chr(code) in _DROPPED else " "
    for code in range(128)
    if unicodedata.category(chr(code))[0] in "PZC" and chr(code) not in _KEPT
} | {ord("`"): None}
_CJK = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_IS_CJK = re.compile(f"[{_CJK}]")
_UNIT = re.compile(rf"[{_CJK}]|[^\s{_CJK}]+")
_POSSESSIVE = re.compile(r"(?:['’´`]s|(?<=s)['’])\Z")
_OPEN, _CLOSE = "\"'“”‘’«»„‚「」『』《》〈〉()（）[]【】", "\"'“”‘’«»‚「」『』《》〈〉()（）[]【】"
_EDGE_START = _OPEN + "¿¡.,;:!?-–—…、，。；：！？·"
_EDGE_END = _CLOSE + ".,;:!?-–—…、，。；：！？·"
_QUOTED = re.compile(r"[\"“„«「『《〈]([^\"“”„«»「」『』《》〈〉]{1,200})[\"”“»」』》〉]")
_BRACKETED = re.compile(r"\s*[(（][^()（）]*[)）]\s*\Z")
MAX_WORDS, MAX_CHARACTERS = 12, 24

STOP_WORDS = {
    "en": frozenset(
        "a an the of in on at to for from by with and or not is are was were be been being am do does did has have "
        "had having it its this that these those there here he she they them his her their him i you we me my your "
        "our who whom whose what which where when why how many much more most than as into about between both each "
        "all any some other same such no nor so too very can could will would should may might must if but also then "
        "ever first last one two three named called name list give tell show find me us please yes s".split()
    ),
    "zh": frozenset(
        "的 了 是 在 和 与 或 吗 呢 吧 啊 谁 哪 哪个 哪些 哪里 哪儿 什么 怎么 怎样 如何 多少 几 何 何时 何地 为什么 有 没有 "
        "被 把 从 到 于 由 为 对 中 里 上 下 他 她 它 他们 我 我们 你 你们 这 那 这个 那个 一 个 位 部 名 年 月 日 人 也 都 还 "
        "请 问 请问 叫 叫做 同时 一共 共同 是否 以及 并 又 哪年 哪一 哪部 哪位 谁是 是谁".split()
    ),
    "de": frozenset(
        "der die das den dem des ein eine einer eines einem einen und oder in im an am auf aus von vom zu zum zur mit bei "
        "für ist sind war waren wurde wurden hat haben hatte wer wen wem wessen was welche welcher welches welchen wo "
        "woher wohin wann warum wie viele viel nicht auch es er sie ihr".split()
    ),
    "fr": frozenset(
        "le la les un une des de du d l en dans au aux à par pour avec et ou est sont était étaient a ont qui que quoi quel "
        "quelle quels quelles où quand comment pourquoi combien ne pas il elle ils elles son sa ses".split()
    ),
    "es": frozenset(
        "el la los las un una unos unas de del en al a por para con y o es son era eran fue fueron ha han quién quien "
        "quiénes qué que cuál cuáles dónde cuándo cómo cuántos cuántas no su sus".split()
    ),
    "ru": frozenset(
        "и в во на с со к по из за от до о об у не что кто кого кому чей где когда как какой какая какие какого "
        "сколько почему был была были есть это он она они его её их ли".split()
    ),
}
_STOPS = frozenset().union(*STOP_WORDS.values())


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a question that may be a name: the ways to read it as one, each with its key."""

    names: tuple[tuple[str, str], ...]  # (key, text as written)
    start: int  # first unit
    end: int  # after the last unit
    is_quoted: bool = False
    is_capital: bool = False  # has a capital (or is in a script without them)
    is_first: bool = False  # starts the question, where a capital says nothing


def fold(text: str) -> str:
    """Case, marks, quotes and runs of white space made equal."""
    if text.isascii():
        return " ".join(text.casefold().split())
    letters: list[str] = []
    for char in unicodedata.normalize("NFC", text):
        code = ord(char)
        if code < 0x0530 or 0x1E00 <= code <= 0x1FFF:
            plain = unicodedata.normalize("NFD", char)
            letters += [c for c in plain if not unicodedata.combining(c)]
        else:
            letters.append(unicodedata.normalize("NFKC", char))
    return " ".join("".join(letters).casefold().replace("’", "'").split())


def loosen(text: str) -> str:
    """The key of a name: folded, without punctuation; the folded name itself when nothing else is left."""
    folded = fold(text[: 4 * KEY_LENGTH])
    if folded.isascii():
        return (" ".join(folded.translate(_ASCII_MARKS).split()) or folded)[:KEY_LENGTH]
    chars = []
    for char in folded:
        if char in _DROPPED:
            continue
        kind = "L" if char.isalnum() or char in _KEPT else unicodedata.category(char)
        chars.append(" " if kind[0] in "PZC" else char)
    return (" ".join("".join(chars).split()) or folded)[:KEY_LENGTH]


def has_cjk(text: str) -> bool:
    """True when the text has Chinese, Japanese or Korean characters."""
    return _IS_CJK.search(text) is not None


def without_brackets(text: str) -> str:
    """Return a name without the bracket at its end: "Titanic (1997)" without the year."""
    return _BRACKETED.sub("", text)


def features(text: str) -> frozenset[str]:
    """Words of a text that say something, and pairs of characters where words are not spaced."""
    words: set[str] = set()
    for unit in re.findall(rf"[{_CJK}]+|[^\s{_CJK}]+", text):
        if has_cjk(unit):
            words.update(unit[i : i + 2] for i in range(len(unit) - 1))
        else:
            words.update(loosen(unit).split())
    return frozenset(w for w in words if w not in _STOPS and len(w) > 1)


def is_stop(text: str) -> bool:
    """True when every word of the text is a word that questions are made of."""
    key = loosen(text)
    if key in _STOPS:
        return True
    if has_cjk(key):
        return _is_cut_into_stops(key.replace(" ", ""))
    return all(word in _STOPS for word in key.split())


def _is_cut_into_stops(text: str) -> bool:
    reached = {0}
    for i in range(len(text)):
        if i in reached:
            reached |= {j for j in range(i + 1, len(text) + 1) if text[i:j] in STOP_WORDS["zh"]}
    return len(text) in reached


def spans(question: str) -> list[Span]:
    """All spans of a question that may be names, longest first."""
    units = [(m.start(), m.end()) for m in _UNIT.finditer(question)]
    quoted = {m.span(1) for m in _QUOTED.finditer(question)}
    found: list[Span] = []
    for i in range(len(units)):
        for j in range(i, min(len(units), i + MAX_CHARACTERS)):
            text = question[units[i][0] : units[j][1]]
            if j - i >= MAX_WORDS and not has_cjk(text):
                break
            span = _span(text, i, j + 1, question, units[i][0], quoted)
            if span is not None:
                found.append(span)
    found.sort(key=lambda s: (s.start - s.end, s.start))
    return found


def _singulars(key: str) -> list[str]:
    """Keys of which this may be the English plural."""
    if len(key) < 4 or not key.isascii() or not key.endswith("s") or key.endswith("ss"):
        return []
    stems = [key[:-1]]
    if key.endswith(("ches", "shes", "xes", "sses")):
        stems.append(key[:-2])
    if key.endswith("ies"):
        stems.append(key[:-3] + "y")
    return stems


def _span(
    text: str, start: int, end: int, question: str, offset: int, quoted: set[tuple[int, int]]
) -> Span | None:
    """Strip what surrounds a name; None when only stop words are left or a part of a word was cut off."""
    left = text.lstrip(_EDGE_START)
    offset += len(text) - len(left)
    bare = left.rstrip(_EDGE_END)
    if not bare:
        return None
    owner = _POSSESSIVE.sub("", bare)
    # An initialism or a bracket keeps its end: "Warner Bros.", "Titanic (1997)".
    full = left.rstrip(".,;:!?？！。，、") if "(" in left or "（" in left else bare
    is_capital = any(c.isupper() for c in bare) or has_cjk(bare)
    names = [name for name in dict.fromkeys((full, bare, owner)) if name]
    is_quoted = any(offset == a and offset + len(bare) == b for a, b in quoted)
    is_first = not question[:offset].strip(_EDGE_START + " ")
    says_name = any(c.isupper() for c in bare[is_first:])
    if is_stop(owner) and not says_name and not is_quoted:
        return None
    keyed = {loosen(name): name for name in reversed(names)}
    if not is_capital and not is_quoted:  # "beagles" may be the beagle
        keyed |= {key: owner for key in _singulars(loosen(owner)) if key not in keyed}
    readings = tuple(sorted((k, n) for k, n in keyed.items() if k))
    return Span(readings, start, end, is_quoted, is_capital, is_first) if readings else None
