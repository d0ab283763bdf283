"""Settings as a person may have written them, and where keys come from."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgcore.config import Secrets, Settings, load_settings, save_settings
from kgcore.errors import InputError


def written(folder: Path, text: str) -> Path:
    (folder / "settings.yaml").write_text(text)
    return folder


def test_saved_settings_are_read_again(tmp_path: Path) -> None:
    settings = Settings("openai/x", "http://127.0.0.1:9/v1", contact="我@例", budget_usd=0.5)
    save_settings(tmp_path, settings)
    assert load_settings(tmp_path) == settings


@pytest.mark.parametrize("text", ["", "contact:\nmodel: ~\nbudget_calls:\n"])
def test_a_setting_left_empty_has_its_default(tmp_path: Path, text: str) -> None:
    assert load_settings(written(tmp_path, text)) == Settings()


@pytest.mark.parametrize(
    "text",
    [
        "budget_calls: many",
        "budget_calls: .inf",
        "budget_usd: .nan",
        "budget_seconds: -1",
        "timeout_seconds: 0",
        "timeout_seconds: .nan",
        "timeout_seconds: .inf",
        "colour: blue",
        "- model",
        "model: [",
        "model: 2026-99-99",
        "[" * 5_000,
    ],
)
def test_an_unusable_setting_is_refused_in_one_line(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError) as error:
        load_settings(written(tmp_path, text))
    assert "\n" not in str(error.value)


def test_a_key_of_the_session_comes_before_one_of_the_environment() -> None:
    secrets = Secrets({"A_API_KEY": "canary-env\n"})
    assert (secrets.key("A_API_KEY"), secrets.where("A_API_KEY")) == ("canary-env", "environment")
    secrets.set_for_session("A_API_KEY", " canary-session ")
    assert (secrets.key("A_API_KEY"), secrets.where("A_API_KEY")) == ("canary-session", "session")
    secrets.set_for_session("A_API_KEY", "")
    assert secrets.where("A_API_KEY") == "environment"
    assert (secrets.key("B_API_KEY"), secrets.where("B_API_KEY")) == (None, "nowhere")
    assert "canary" not in repr(secrets)
