"""A run as one HTML file that plays offline in any browser, without asking any address for anything.

The page holds the player, vis-network and the deck. A strict content security policy names the one script and the one
style sheet by their hashes; the data are JSON that no browser runs. What a graph or a model wrote enters the page
through the data alone, and the player shows it as text.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

from kgcore.errors import InputError
from kgcore.views.deck import colors_of
from kgcore.views.palettes import DARK, LIGHT
from kgcore.views.payload import vis_library

MAX_BYTES = 3_000_000
_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Noto Sans SC', sans-serif"
_PAGE = f"html, body {{ height: 100%; margin: 0; }} :root {{ --st-font: {_FONT}; }}"


@dataclass(frozen=True, slots=True)
class PlayerFiles:
    """The player's own files: its HTML, its style sheets and its scripts, each as one text."""

    html: str
    css: str
    js: str


def replay_html(deck: Mapping[str, Any], player: PlayerFiles) -> str:
    """Return the page; InputError where it would be larger than 3 MB."""
    script = f'"use strict";\n{vis_library()}\n{player.js}'.replace("</script", "<\\/script")
    style = f"{_PAGE}\n{player.css}"
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; "
        "base-uri 'none'; form-action 'none'"
    )
    palettes = {"light": colors_of(LIGHT), "dark": colors_of(DARK)}
    parts = (
        f'<!doctype html>\n<html lang="{escape(str(deck["language"]))}">\n<head>',
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(str(deck['question']))}</title>",
        f"<style>{style}</style>\n</head>\n<body>",
        player.html,
        "<noscript>This file plays a recorded run; it needs JavaScript.</noscript>",
        _data("deck", deck),
        _data("palettes", palettes),
        f"<script>{script}</script>\n</body>\n</html>\n",
    )
    page = "\n".join(parts).encode("utf-8", "replace").decode("utf-8")
    if len(page.encode("utf-8")) > MAX_BYTES:
        raise InputError("the run is too large for one HTML file of 3 MB; export it as JSON")
    return page


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def _data(name: str, value: object) -> str:
    """Return data as a block that is no script; no text in it can end the block."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return f'<script type="application/json" id="{name}">{text}</script>'
