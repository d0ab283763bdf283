"""Names of uploaded files: what a browser sends may be no name of a file here."""

import re
import unicodedata
from pathlib import Path

__all__ = ["file_name"]

LONGEST = 200  # bytes of a name as it is kept; file systems take 255
UNSEEN = ("Cc", "Cf", "Cs", "Zl", "Zp")  # categories of characters that nobody sees
ENDING = re.compile(
    r"((?:\.[A-Za-z0-9]{1,10}){1,2})$"
)  # one that a kind of file is told by, packed or not


def file_name(sent: str) -> str:
    """Return the name to keep a file under: without folders and unseen characters, with a stem, its ending whole."""
    name = "".join(c for c in Path(sent.replace("\\", "/")).name if not _is_unseen(c)).strip()
    ending = found.group(1) if (found := ENDING.search(name)) else ""
    stem = name.removesuffix(ending).strip(". ") or "file"
    room = LONGEST - len(ending.encode())
    return stem.encode("utf-8", "ignore")[:room].decode("utf-8", "ignore") + ending


def _is_unseen(character: str) -> bool:
    return unicodedata.category(character) in UNSEEN
