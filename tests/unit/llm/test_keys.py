"""A key that is missing is told before the library of the providers is loaded."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kgcore.llm.keys import lacks_key

ASK = """
import pathlib, sys
from kgcore.bootstrap import build, Task
from kgcore.errors import KGCoreError
studio = build(pathlib.Path(sys.argv[1]))
run = studio.ask(Task("Who directed Inception?", model="openai/gpt-4.1-mini"))
run.drive()
assert run.status == "failed", run.status
print(run.journal.ended.reason)
assert "litellm" not in sys.modules
"""


def test_a_run_without_a_key_fails_before_the_library_is_loaded(tmp_path: Path) -> None:
    environ = {name: v for name, v in os.environ.items() if not name.endswith(("_KEY", "_TOKEN"))}
    done = subprocess.run(
        [sys.executable, "-c", ASK, str(tmp_path)],
        capture_output=True,
        text=True,
        env={**environ, "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring"},
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    assert "no key is set for openai" in done.stdout


@pytest.mark.parametrize(
    "model, key, lacks",
    [
        ("openai/gpt-4.1-mini", None, True),
        ("openai/gpt-4.1-mini", "", True),
        ("openai/gpt-4.1-mini", "a key", False),
        ("ollama_chat/llama3.1", None, False),
        ("some-local-model", None, False),
    ],
)
def test_only_a_provider_that_surely_wants_a_key_is_refused(
    model: str, key: str | None, lacks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert lacks_key(model, lambda: key) is lacks
    monkeypatch.setenv("OPENAI_API_KEY", "of the environment")
    assert not lacks_key(model, lambda: key)


def test_a_key_that_cannot_be_read_is_left_to_the_request() -> None:
    def locked() -> str:
        raise RuntimeError("the keyring is locked")

    assert not lacks_key("openai/gpt-4.1-mini", locked)
