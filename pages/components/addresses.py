"""Addresses of pages that were written in other letters: /Corrections is /corrections."""

from collections.abc import Sequence
from functools import partial
from urllib.parse import unquote, urlsplit

import streamlit as st
from streamlit.navigation.page import StreamlitPage

__all__ = ["spelled", "spelled_otherwise"]


def spelled_otherwise(pages: Sequence[StreamlitPage]) -> list[StreamlitPage]:
    """Return a hidden page for the address that was asked for, where only its letters are other ones; else none."""
    asked, meant = spelled(str(st.context.url or ""), [page.url_path for page in pages])
    page = next((page for page in pages if page.url_path == meant), None)
    if not meant or page is None:
        return []
    go = partial(st.switch_page, page, query_params=st.query_params.to_dict())
    return [st.Page(go, title=page.title, url_path=asked, visibility="hidden")]


def spelled(address: str, names: Sequence[str]) -> tuple[str, str]:
    """Return the last part of an address, and the name it means where it is another spelling of it."""
    asked = unquote(urlsplit(address).path.rstrip("/").rpartition("/")[2])
    if asked in names:
        return asked, ""
    return asked, next((name for name in names if name and name == asked.casefold()), "")
