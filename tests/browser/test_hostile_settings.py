"""Hostile names on the page Settings, and the verdict of a model that says no. Rows S1, S2."""

import json
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from kgcore.bootstrap import Studio
from tests.browser.hostile_world import bring_in, open_studio, shared_out, watcher
from tests.browser.test_correcting import idle
from tests.browser.test_hostile_labels import HOSTILE, Watched
from tests.servers.faulty_server import FaultyServer, Reply

pytestmark = pytest.mark.browser

Watch = Callable[[str], Watched]
MARKUP, LINK = HOSTILE[1], HOSTILE[16]


@pytest.fixture(scope="module")
def refusing() -> Iterator[FaultyServer]:
    """A service that says no, with hostile words."""
    said = json.dumps({"error": {"message": " ".join(HOSTILE[:24]), "code": MARKUP}})
    with FaultyServer([Reply(400, body=said.encode())]) as server:
        yield server


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """A folder with a hostile name, in it graphs, prompts and sources with hostile names."""
    home = tmp_path_factory.mktemp("graphs") / MARKUP.replace("/", "")
    opened = open_studio(home)
    for name, text in shared_out().items():
        bring_in(opened, name, text)
    (home / "prompts" / LINK.replace("/", "")).mkdir(parents=True)
    yield opened
    opened.store.close()


@pytest.fixture
def watch(open_page: Callable[..., Page], studio: Studio) -> Watch:
    return watcher(open_page, studio.home, KGCORE_ALLOW_PRIVATE_ENDPOINTS="1")


def test_S1_S2_hostile_settings_and_the_verdict_of_a_model_are_text(
    watch: Watch, refusing: FaultyServer
) -> None:
    watched = watch("settings")
    page = watched.page
    expect(page.get_by_text("Data folder")).to_contain_text("<img src=")
    watched.check("the page")
    page.get_by_role("combobox", name="Prompt set").click()
    expect(page.get_by_role("option").nth(1)).to_be_visible()
    watched.check("the sets of prompts")
    page.get_by_role("option").nth(1).click()
    for key, text in (
        ("set-model", f"openai/{MARKUP}"),
        ("set-base", refusing.url("/v1")),
        ("set-evaluate", LINK),
        ("set-query", HOSTILE[5]),
        ("set-contact", MARKUP),
    ):
        page.locator(f".st-key-{key} input").fill(text)
        page.keyboard.press("Enter")
        idle(page)
    watched.check("what was typed")
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.locator(".ts-verdict.is-bad")).to_contain_text("not usable")
    watched.check("the verdict")
    page.get_by_role("button", name="Save settings").click()
    idle(page)
    watched.check("what is said of saving")
