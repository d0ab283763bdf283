"""The workbench: registers the pages and draws the frame they share. Start it with `make run`."""

from pathlib import Path

import streamlit as st

from pages.components import loading

loading.show()  # before the rest is imported, which takes seconds after a start
# ruff: noqa: E402
from kgcore.errors import KGCoreError
from pages.components import frame
from pages.components.addresses import spelled_otherwise
from pages.components.language import t

# A page with an icon of its own would have the browser fetch it from afar, as the icon of the tab: the bar draws them.
bar = [
    (st.Page("pages/ask.py", title=t("Ask"), default=True), ":material/forum:"),
    (st.Page("pages/runs.py", title=t("Runs")), ":material/history:"),
    (st.Page("pages/corrections.py", title=t("Corrections")), ":material/fact_check:"),
    (st.Page("pages/graphs.py", title=t("Knowledge graphs")), ":material/hub:"),
    (st.Page("pages/sources.py", title=t("Knowledge sources")), ":material/menu_book:"),
    (st.Page("pages/settings.py", title=t("Settings")), ":material/tune:"),
]
stage = st.Page("pages/present.py", title=t("Present"))
listed = [*(page for page, _ in bar), stage]
page = st.navigation([*listed, *spelled_otherwise(listed)], position="hidden")
st.set_page_config(
    page_title=f"{page.title} · Traversal Studio",
    page_icon=str(Path(__file__).parent / "assets" / "icon.png"),
    layout="wide",
    initial_sidebar_state="collapsed",
)
if st.query_params.get("present") == "1" and page != stage:
    st.switch_page(stage, query_params=st.query_params.to_dict())
frame.show(bar, page.title, is_bare=page == stage)
try:
    page.run()
except KGCoreError as error:
    frame.show_problem(str(error))
