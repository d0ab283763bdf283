"""The Settings page as a script."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from kgcore.config import Settings, load_settings, save_settings
from pages.components import frame
from pages.components.studio import shared

ROOT = Path(__file__).parents[2]
KEY = "sk-secret-0123456789-abcd"


@pytest.fixture(autouse=True)
def inside_the_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frame, "_shown", [True])


def open_page() -> AppTest:
    page = AppTest.from_file(str(ROOT / "pages" / "settings.py"), default_timeout=60).run()
    assert not page.exception
    return page


def press(page: AppTest, label: str) -> AppTest:
    next(b for b in page.button if b.label == label).click()
    page.run()
    assert not page.exception
    return page


def html(page: AppTest) -> str:
    return "\n".join(block.proto.body for block in page.get("html"))


def everything(page: AppTest) -> str:
    texts = [element.value for element in (*page.text_input, *page.caption, *page.markdown)]
    return html(page) + repr(texts) + repr(page.session_state)


def test_what_is_saved_is_read_again(tmp_home: Path) -> None:
    page = open_page()
    page.text_input(key="set-model").set_value(" openai/some-model ")
    page.text_input(key="set-base").set_value("http://127.0.0.1:9/v1")
    page.text_input(key="set-contact").set_value("me@example.org")
    page.number_input(key="set-budget_usd").set_value(1.5)
    press(page, "Save settings")
    saved = load_settings(tmp_home)
    assert (saved.model, saved.api_base) == ("openai/some-model", "http://127.0.0.1:9/v1")
    assert (saved.contact, saved.budget_usd) == ("me@example.org", 1.5)


def test_the_fields_show_what_was_saved(tmp_home: Path) -> None:
    save_settings(tmp_home, Settings(model="anthropic/x", query_model="openai/y"))
    page = open_page()
    assert page.text_input(key="set-model").value == "anthropic/x"
    assert page.text_input(key="set-query").value == "openai/y"
    assert page.get("button_group")[0].value == "anthropic"


def test_a_preset_fills_model_and_address() -> None:
    page = open_page()
    page.get("button_group")[0].set_value("ollama")
    page.run()
    assert page.text_input(key="set-model").value.startswith("ollama/")
    assert page.text_input(key="set-base").value.startswith("http://127.0.0.1")


def test_the_offline_matcher_says_that_it_is_no_model() -> None:
    page = press(open_page(), "Check")
    assert "offline matcher – no language model" in str(page.get("button_group")[0].proto)
    assert "ok: the offline matcher" in html(page)


def test_the_check_says_what_is_wrong() -> None:
    page = open_page()
    page.text_input(key="set-model").set_value("openai/some-model")
    page.text_input(key="set-base").set_value("http://127.0.0.1:9/v1")
    press(page, "Check")
    assert "cannot be reached" in html(page)


def test_a_preset_cannot_be_left_unchosen() -> None:
    assert open_page().get("button_group")[0].proto.required


def test_only_the_last_four_characters_of_a_key_are_ever_shown() -> None:
    page = open_page()
    page.text_input(key="set-model").set_value("openai/some-model")
    page.run()
    page.text_input(key="set-key").set_value(KEY)
    press(page, "Use this key")
    assert "comes from the session and ends in …" in html(page)
    assert KEY[-4:] in html(page)
    assert KEY[-6:] not in everything(page)
    assert page.session_state["secrets"].key("OPENAI_API_KEY") == KEY
    assert shared().studio.secrets.key("OPENAI_API_KEY") is None, "it is this session's alone"


def test_a_key_of_the_environment_is_named_and_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    page = open_page()
    page.text_input(key="set-model").set_value("anthropic/some-model")
    page.run()
    assert "comes from the environment" in html(page)
    assert KEY[-6:] not in everything(page)


def test_keys_are_never_written_to_the_data_folder(tmp_home: Path) -> None:
    page = open_page()
    page.text_input(key="set-model").set_value("openai/some-model")
    page.run()
    page.text_input(key="set-key").set_value(KEY)
    press(press(page, "Use this key"), "Save settings")
    files = [file for file in tmp_home.rglob("*") if file.is_file()]
    assert files
    assert all(KEY.encode() not in file.read_bytes() for file in files)


def test_the_data_folder_is_named_with_its_size(tmp_home: Path) -> None:
    assert str(tmp_home) in html(open_page())
    assert " MB" in html(open_page())


def test_a_prompt_set_of_the_persons_own_can_be_chosen(tmp_home: Path) -> None:
    (tmp_home / "prompts" / "mine").mkdir(parents=True)
    page = open_page()
    page.selectbox(key="set-prompts").select("mine")
    press(page, "Save settings")
    assert load_settings(tmp_home).prompts == "mine"


def test_whole_numbers_have_no_decimals(tmp_home: Path) -> None:
    del tmp_home
    formats = {number.key: number.proto.format for number in open_page().number_input}
    assert set(formats.values()) <= {"%d", "%g"}
    assert formats["set-timeout"] == formats["set-cache_days"] == "%g"
