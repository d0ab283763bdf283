"""Settings of an installation: where data lives, which model answers, what a run may spend.

Settings are read from `settings.yaml` in the data folder. Keys are never among them: a key comes from the
session, the operating system's keyring where there is one, or the environment, at the moment of a call.
"""

from __future__ import annotations

import contextlib
import dataclasses
import math
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from kgcore.errors import InputError

OFFLINE, OFFLINE_MATCHER = "offline", "offline-matcher"  # as people choose it, as journals name it


def is_offline(model: str) -> bool:
    """Whether the model of this name is the offline matcher, which is no language model."""
    return model.startswith(OFFLINE)


def default_home(environ: Mapping[str, str]) -> Path:
    """Return the data folder: KGCORE_HOME, else the platform's place for user data."""
    if environ.get("KGCORE_HOME"):
        return Path(environ["KGCORE_HOME"]).expanduser()
    user = Path(environ.get("HOME") or environ.get("USERPROFILE") or tempfile.gettempdir())
    if sys.platform == "win32":
        base = Path(environ.get("LOCALAPPDATA") or user / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = user / "Library" / "Application Support"
    else:
        base = Path(environ.get("XDG_DATA_HOME") or user / ".local" / "share")
    return base / "traversal-studio"


@dataclass(frozen=True, slots=True)
class Settings:
    """What a person set. Models are named as litellm names them; `offline` is the offline matcher.

    `evaluate_model` and `query_model` play these roles; empty means that `model` does. A budget of 0 is no
    limit. `contact` (an address or URL) goes into the User-Agent of requests to public services.
    """

    model: str = OFFLINE
    api_base: str = ""
    evaluate_model: str = ""
    query_model: str = ""
    prompts: str = ""
    contact: str = ""
    budget_calls: int = 200
    budget_tokens: int = 0
    budget_usd: float = 0.0
    budget_seconds: float = 0.0
    timeout_seconds: float = 120.0  # of an answer, waits and repeats included
    context_tokens: int = 0  # 0: as litellm knows it
    database_url: str = ""
    cache_mb: int = 500  # replies of remote graphs kept on disk
    cache_days: float = 30.0  # a reply kept longer is asked for again

    def __post_init__(self) -> None:
        for name in (
            "budget_calls",
            "budget_tokens",
            "budget_usd",
            "budget_seconds",
            "cache_mb",
            "cache_days",
        ):
            if not 0 <= getattr(self, name) < math.inf:
                raise InputError(f"{name} must be 0 or more")
        if not 0 < self.timeout_seconds < math.inf:
            raise InputError("timeout_seconds must be more than 0")


def load_settings(home: Path) -> Settings:
    """Read the settings of a data folder; defaults where there are none."""
    file = home / "settings.yaml"
    if not file.is_file():
        return Settings()
    try:
        data = parse_yaml(file.read_bytes(), file.name) or {}
    except OSError as error:
        raise InputError(f"{file.name} cannot be read: {error.strerror}") from error
    known = {f.name: f.default for f in dataclasses.fields(Settings)}
    if not isinstance(data, dict) or set(data) - set(known):
        raise InputError(f"{file.name} holds unknown settings")
    given = {name: value for name, value in data.items() if value is not None}
    return Settings(**{name: _typed(name, value, known[name]) for name, value in given.items()})


def parse_yaml(data: bytes, name: str) -> Any:
    """Read the YAML of a file that a person may write; InputError says in which line it is none.

    The words of the YAML library are left out: they repeat what the file holds.
    """
    try:
        return yaml.safe_load(data.decode("utf-8-sig"))
    except (yaml.YAMLError, ValueError, RecursionError) as error:  # ValueError: a date that is none
        mark = getattr(error, "problem_mark", None)
        where = f" (line {mark.line + 1})" if mark else ""
        raise InputError(f"{name} is not valid YAML{where}") from error


def _typed(name: str, value: Any, default: Any) -> Any:
    try:
        return type(default)(value)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"the setting {name} has an unusable value") from None


def save_settings(home: Path, settings: Settings) -> None:
    """Write the settings; an earlier file is replaced whole or not at all."""
    home.mkdir(parents=True, exist_ok=True)
    text = yaml.safe_dump(dataclasses.asdict(settings), sort_keys=True, allow_unicode=True)
    part = home / "settings.yaml.part"
    part.write_text(text, "utf-8")
    part.replace(home / "settings.yaml")


class Secrets:
    """Where keys come from: this session first, then the keyring, then the environment.

    Only looked up when a call needs one; never printed, stored in a run or logged.
    """

    SERVICE = "traversal-studio"

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ, self._session = environ, dict[str, str]()

    def __repr__(self) -> str:
        return "Secrets(…)"

    def set_for_session(self, name: str, key: str) -> None:
        """Keep a key in memory until the program ends; an empty one forgets it."""
        self._session[name] = key.strip()

    def set_in_keyring(self, name: str, key: str) -> None:
        """Keep a key in the operating system's keyring; InputError where there is none, or it is locked."""
        ring = _keyring()
        if ring is None:
            raise InputError("this system has no keyring")
        try:
            ring.set_password(self.SERVICE, name, key.strip())
        except Exception:  # noqa: BLE001  back ends raise anything, and its words may hold the key
            raise InputError("the keyring did not take the key") from None

    @property
    def has_keyring(self) -> bool:
        """Whether the operating system offers a keyring."""
        return _keyring() is not None

    def key(self, name: str) -> str | None:
        """Return the key of this name (`OPENAI_API_KEY`), or None."""
        return self._find(name)[0]

    def where(self, name: str) -> str:
        """Say where the key comes from: session, keyring, environment, or nowhere."""
        return self._find(name)[1]

    def _find(self, name: str) -> tuple[str | None, str]:
        """Return the key and where it was found; a line end around it, as files leave one, is no part of it."""
        places = (
            (self._session.get, "session"),
            (self._from_keyring, "keyring"),
            (self._environ.get, "environment"),
        )
        for look, place in places:
            key = (look(name) or "").strip()
            if key:
                return key, place
        return None, "nowhere"

    def _from_keyring(self, name: str) -> str | None:
        ring = _keyring()
        if ring is None:
            return None
        with contextlib.suppress(Exception):  # a locked keyring is like none
            found: str | None = ring.get_password(self.SERVICE, name)
            return found
        return None


def _keyring() -> Any:
    """Return the keyring module when it is installed and has a real back end."""
    try:
        import keyring
        from keyring.backends import fail
    except ImportError:
        return None
    return None if isinstance(keyring.get_keyring(), fail.Keyring) else keyring


def is_full_sync(environ: Mapping[str, str]) -> bool:
    """Whether appends must survive power loss too (KGCORE_SYNC=full)."""
    return environ.get("KGCORE_SYNC", "").lower() == "full"


def lease_seconds(environ: Mapping[str, str]) -> float:
    """Return for how long a driver that fell silent keeps its run (KGCORE_LEASE_SECONDS, 15)."""
    text = environ.get("KGCORE_LEASE_SECONDS", "") or "15"
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0.1 <= seconds <= 3600:
        raise InputError(f"KGCORE_LEASE_SECONDS must be between 0.1 and 3600, not {text[:20]!r}")
    return seconds


def allows_private(environ: Mapping[str, str], *, default: bool) -> bool:
    """Whether endpoints at loopback and private addresses may be asked (KGCORE_ALLOW_PRIVATE_ENDPOINTS).

    `default` holds where the operator says nothing: True where only this machine's user reaches the program.
    """
    text = environ.get("KGCORE_ALLOW_PRIVATE_ENDPOINTS", "").strip().lower()
    return text in ("1", "true", "yes", "on") if text else default
