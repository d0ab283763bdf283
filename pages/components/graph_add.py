"""Adding a graph: files to import, a SPARQL endpoint, or MusicBrainz."""

from typing import Any

import streamlit as st

from kgcore.bootstrap import Studio
from kgcore.errors import KGCoreError
from kgcore.kg.connections import MUSICBRAINZ, Connection, Health, password_name
from kgcore.kg.sparql.profile import profiles
from pages.components import frame, graph_files
from pages.components.graph_choice import choose
from pages.components.language import t, tn
from pages.components.text import plain

__all__ = ["show"]


def show(studio: Studio) -> None:
    """Draw the three ways to add a graph."""
    with st.container(border=True):
        st.html(f'<h2 class="ts-section">{t("Add a graph")}</h2>')
        files, sparql, musicbrainz = st.tabs([t("Files"), t("SPARQL endpoint"), "MusicBrainz"])
        with files:
            graph_files.show()
        with sparql:
            _show_sparql(studio)
        with musicbrainz:
            _show_musicbrainz(studio)
        _show_refused(studio)


def _show_sparql(studio: Studio) -> None:
    st.caption(
        t(
            "A graph on the network that answers SPARQL queries. Nothing is copied; it is asked as needed."
        )
    )
    _show_contact(studio)
    with st.form("kg-sparql", border=False):
        name, profile = st.columns(2)
        name.text_input(
            t("Name"), key="kg-sparql-name", placeholder=t("what you call it"), max_chars=100
        )
        profile.selectbox(
            t("Profile"),
            profiles(studio.home),
            key="kg-sparql-profile",
            help=t("How its labels, types and statements are written; generic fits most."),
        )
        st.text_input(
            t("Address"), key="kg-sparql-address", placeholder="https://example.org/sparql"
        )
        user, password, place = st.columns(3)
        user.text_input(t("User"), key="kg-sparql-user", placeholder=t("none"), autocomplete="off")
        password.text_input(
            t("Password"), type="password", key="kg-sparql-password", autocomplete="new-password"
        )
        places = ["session", "keyring"] if studio.secrets.has_keyring else ["session"]
        place.selectbox(
            t("Keep the password"),
            places,
            format_func={
                "session": t("until the tab is reloaded"),
                "keyring": t("in the keyring"),
            }.__getitem__,
            key="kg-sparql-place",
        )
        st.form_submit_button(
            t("Add"), type="primary", icon=":material/add_link:", on_click=_take_sparql
        )
    _add_what_was_asked(studio, "sparql")


def _show_musicbrainz(studio: Studio) -> None:
    st.caption(
        t(
            "MusicBrainz' web service: artists, recordings, releases, works, places. It takes one request a second."
        )
    )
    _show_contact(studio)
    with st.form("kg-musicbrainz", border=False):
        name, host = st.columns(2)
        name.text_input(t("Name"), "musicbrainz", key="kg-mb-name", max_chars=100)
        host.text_input(
            t("Address"), MUSICBRAINZ, key="kg-mb-address", help=t("Or a mirror of your own.")
        )
        st.form_submit_button(
            t("Add"), type="primary", icon=":material/add_link:", on_click=_take_musicbrainz
        )
    _add_what_was_asked(studio, "musicbrainz")


def _show_contact(studio: Studio) -> None:
    """Say that public services want to know whom to write to."""
    if not studio.settings.contact:
        st.caption(
            ":material/info: "
            + t(
                "Public services such as Wikidata and MusicBrainz ask for a contact: an address or a URL, under "
                "Settings."
            )
        )


def _field(name: str) -> str:
    return str(st.session_state.get(name) or "").strip()


def _take_sparql() -> None:
    connection = Connection(
        _field("kg-sparql-name"),
        "sparql",
        _field("kg-sparql-address"),
        profile=_field("kg-sparql-profile") or "generic",
        user=_field("kg-sparql-user"),
    )
    password = _field("kg-sparql-password")
    st.session_state["kg-sparql-password"] = ""
    place = _field("kg-sparql-place")
    st.session_state["kg-wanted"] = {
        "connection": connection, "password": password, "place": place or "session",
    }  # fmt: skip


def _take_musicbrainz() -> None:
    connection = Connection(_field("kg-mb-name"), "musicbrainz", _field("kg-mb-address"))
    st.session_state["kg-wanted"] = {"connection": connection}


def _add_what_was_asked(studio: Studio, kind: str) -> None:
    """Add the connection the form was sent with; where it does not answer, ask what to do."""
    wanted: dict[str, Any] = st.session_state.get("kg-wanted", {})
    if not wanted or wanted["connection"].kind != kind:
        return
    del st.session_state["kg-wanted"]
    st.session_state.pop("kg-refused", None)
    connection: Connection = wanted.pop("connection")
    try:
        with st.spinner(t("Asking whether it answers…")):
            health = studio.add_connection(connection, **wanted)
    except KGCoreError as error:
        frame.show_problem(str(error))
        return
    if health.is_up:
        _go_to(connection, health)
    if wanted.get("password"):  # for the button that adds it all the same
        studio.secrets.set_for_session(password_name(connection.name), wanted["password"])
    st.session_state["kg-refused"] = (connection, health.problem)


def _show_refused(studio: Studio) -> None:
    connection, why = st.session_state.get("kg-refused", (None, ""))
    if connection is None:
        return
    frame.show_problem(f"{connection.name} does not answer: {why}")
    if st.button(t("Add it anyway"), key="kg-anyway", icon=":material/add_link:"):
        del st.session_state["kg-refused"]
        try:
            with st.spinner(t("Asking once more…")):
                health = studio.add_connection(connection, anyway=True)
        except KGCoreError as error:
            frame.show_problem(str(error))
            return
        _go_to(connection, health)


def _go_to(connection: Connection, health: Health) -> None:
    name, n = plain(connection.name, 60), health.n_triples
    told = t("{name} was added", name=name)
    if n is not None:
        told = tn(
            "{name} was added with {n:,} triple",
            "{name} was added with {n:,} triples",
            n,
            name=name,
        )
    st.toast(told, icon=":material/check:")
    choose(connection.name)
    st.rerun()
