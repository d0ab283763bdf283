"""The page Knowledge sources: what Chain-of-Knowledge may look things up in, adding one, and asking it by hand."""

import streamlit as st

from pages.components import frame, source_add, source_list, source_panel
from pages.components.source_choice import chosen
from pages.components.studio import studio


def main() -> None:
    """Draw the page."""
    frame.need("pages/sources.py")
    frame.show_problem()
    found = studio().source_infos()
    left, right = st.columns([0.3, 0.7], gap="medium")
    with left:
        source_list.show(found)
    with right:
        info = chosen(found)
        if info is None:
            source_add.show(studio())
        else:
            source_panel.show(studio(), info)


main()
