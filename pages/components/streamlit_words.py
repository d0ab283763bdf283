"""The words Streamlit itself writes, in the session's language as far as a style sheet can say them.

Placeholders have a parameter and are given where a widget is drawn. What is left for screen readers alone (labels of
steppers, of the crosses that remove or close) cannot be reached from here and stays English.
"""

import streamlit as st

from pages.components.language import current, t

__all__ = ["words_css"]

EMPTY = '[role="listbox"][data-empty] [role="option"] span'
UPLOAD = '[data-testid="stFileUploaderDropzone"] > span button p'
SKIP = '[data-testid="stSkipToContent"]'
LIMIT = '[data-testid="stFileUploaderDropzoneInstructions"] span'


def words_css() -> str:
    """Return the style sheet that puts other words in the place of Streamlit's; none in English."""
    if current() == "en":
        return ""
    size = t("at most {n} MB per file", n=st.get_option("server.maxUploadSize"))
    words = {
        SKIP: t("Skip to main content"),
        EMPTY: t("No results"),
        UPLOAD: t("Upload"),
        LIMIT: size,
    }
    said = "\n".join(
        f'{place} {{ font-size: 0 !important; }}\n{place}::after {{ content: "{_quoted(word)}"; font-size: 14px; }}'
        for place, word in words.items()
    )
    return f"<style>{said}</style>"


def _quoted(word: str) -> str:
    return word.replace("\\", "\\\\").replace('"', '\\"').replace("<", "\\3c ")
