"""The seam to litellm: one HTTP request, bounded in time and size, out of which plain values come.

litellm takes seconds and much memory to import, so it is imported when the first request is made (or by `warm`),
never before. Its requests go through our HTTP client (client.py), which ends a reply in time and at a size.
Besides, each request runs on a thread of its own that is left alone once its time is over: a server that never
finishes its headers cannot hold a run.

The key is asked for on that thread and stays there. Failures cross over as values, so no vendor exception, and
no local variable that holds the key, is in any traceback.
"""

from __future__ import annotations

import contextlib
import importlib
import logging
import os
import threading
import warnings
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotDoneError
from dataclasses import dataclass, field
from typing import Any

from kgcore.errors import RefusedKeyError, ServiceError
from kgcore.llm import wire
from kgcore.llm.failures import Failure, Seen, judge
from kgcore.llm.samples import Completion, read_completion
from kgcore.transport import Allowance
from kgcore.transport.retry import parse_retry_after

_SETUP_S = (
    5.0  # the first request to a provider makes litellm import more; time counts from sending
)
_GRACE_S = 0.3  # for a request on its way out when its time is over
_NO_KEY = "none"  # local servers want no key, the library wants one

LOADING = "loading the model library; the first time may take up to a minute"
_LOOK_S = 0.1

_lock = threading.Lock()
_loaded: list[Any] = []  # litellm, once it is here
_failed = threading.Event()  # it could not be imported


@dataclass(frozen=True, slots=True)
class Call:
    """One request to a provider."""

    model: str
    messages: tuple[tuple[str, str], ...]
    n: int
    temperature: float
    max_tokens: int
    timeout_s: float  # of this request
    read_timeout_s: float  # for litellm, which keeps a client for every value: let it not vary
    api_base: str | None = None
    user_agent: str = ""
    api_key: Callable[[], str | None] | None = field(default=None, repr=False)


def load() -> Any:
    """Return litellm, imported and made quiet on first use; ServiceError when it cannot be imported."""
    with _lock:
        if not _loaded:
            from kgcore.llm import client

            try:
                litellm = _import()
            except ServiceError:
                _failed.set()
                raise
            client.install(litellm)
            _loaded.append(litellm)
        return _loaded[0]


def is_loaded() -> bool:
    """Whether litellm is here already."""
    return bool(_loaded)


def has_failed() -> bool:
    """Whether litellm could not be imported when that was tried."""
    return _failed.is_set()


def warm() -> threading.Thread:
    """Start the import on a thread; whoever needs it meanwhile waits for it."""

    def run() -> None:
        with contextlib.suppress(ServiceError):  # told to whoever needs it
            load()

    thread = threading.Thread(target=run, name="import-litellm", daemon=True)
    thread.start()
    return thread


def await_loaded(allowance: Allowance) -> None:
    """Wait until litellm is here, and say so meanwhile; StoppedError as soon as the person stops the run."""
    if is_loaded():
        return
    thread = warm()
    while thread.is_alive():
        allowance.wait(_LOOK_S, LOADING)
    load()  # what is wrong with it is told by this


def _import() -> Any:
    # Without this the import fetches a price list over the network.
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    try:
        litellm: Any = importlib.import_module("litellm")
    except Exception as error:  # noqa: BLE001  whatever a broken installation raises
        reason = " ".join(str(error).split())[:200]
        problem = f"the library litellm cannot be imported ({reason})"
    else:
        for said in ("Items? .* on TypedDict class", "Pydantic serializer warnings"):
            warnings.filterwarnings("ignore", said, UserWarning)  # of its own classes
        litellm.suppress_debug_info = True
        litellm.telemetry = False
        for name in ("LiteLLM", "LiteLLM Proxy", "LiteLLM Router"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        for name in ("openai", "httpx", "httpcore", "httpx2", "httpcore2"):
            logging.getLogger(name).setLevel(logging.WARNING)  # they log addresses and headers
        return litellm
    raise ServiceError(f"{problem}; install it, or choose the offline matcher")


def send(call: Call, *, service: str) -> Completion | Failure:
    """Send one request and return what came of it, at the latest when the call's time is over."""
    load()
    on_wire = wire.Wire(call.timeout_s)
    outcome: Future[Completion | Failure] = Future()

    def run() -> None:
        wire.current.set(on_wire)
        outcome.set_result(_complete(call, on_wire, service))
        on_wire.started.set()

    threading.Thread(target=run, name="model-request", daemon=True).start()
    on_wire.started.wait(_SETUP_S)
    try:
        return outcome.result(timeout=call.timeout_s + _GRACE_S)
    except NotDoneError:
        return judge(Seen(problem="late", n_sent=on_wire.n_sent), service=service, model=call.model)


def _complete(call: Call, on_wire: wire.Wire, service: str) -> Completion | Failure:
    """Run on the request's own thread; never raises."""
    try:
        key = call.api_key() if call.api_key is not None else None
    except Exception:  # noqa: BLE001  a keyring may raise anything, and its words may hold the key
        return Failure(RefusedKeyError, f"the key for {service} cannot be read", n_sent=0)
    try:
        response = _loaded[0].completion(**_arguments(call, key))
        return read_completion(response, call.model, _loaded[0])
    except Exception as error:  # noqa: BLE001  a vendor library may raise anything
        seen = Seen(
            name=type(error).__name__,
            text=str(error),
            claimed=_status(error),
            status=on_wire.status,
            content_type=on_wire.content_type,
            retry_after=on_wire.retry_after if on_wire.status is not None else _retry_after(error),
            n_sent=on_wire.n_sent,
            problem=on_wire.problem,
        )
        return judge(seen, service=service, model=call.model, secrets=_secrets(key))


def takes_n(model: str) -> bool:
    """Whether the provider can give several samples for one request, as far as litellm knows."""
    litellm, provider = load(), provider_of(model)
    if not provider:
        return True
    _, _, name = model.partition(f"{provider}/")
    known = litellm.get_supported_openai_params(name or model, provider)
    return known is None or "n" in known


def provider_of(model: str) -> str:
    """Return litellm's name of the provider of a model; "" when it knows none."""
    try:
        return str(load().get_llm_provider(model)[1])
    except Exception:  # noqa: BLE001  its way to say no
        return ""


def _arguments(call: Call, key: str | None) -> dict[str, Any]:
    arguments: dict[str, Any] = {
        "model": call.model,
        "messages": [{"role": role, "content": text} for role, text in call.messages],
        "temperature": call.temperature,
        "max_tokens": call.max_tokens,
        "timeout": call.read_timeout_s,
        "max_retries": 0,
        "drop_params": True,
    }
    if call.n > 1:
        arguments["n"] = call.n
    if call.api_base:
        arguments["api_base"] = call.api_base
        if not provider_of(call.model):
            arguments["model"] = f"openai/{call.model}"
        # An address a person typed never gets a key that litellm finds in the environment by itself.
        arguments["api_key"] = key or _NO_KEY
    elif key:
        arguments["api_key"] = key
    if call.user_agent:
        arguments["extra_headers"] = {"User-Agent": call.user_agent}
    return arguments


def _status(error: BaseException) -> int | None:
    status = getattr(error, "status_code", None)
    return status if isinstance(status, int) else None


def _retry_after(error: BaseException) -> float | None:
    headers = getattr(getattr(error, "response", None), "headers", None)
    return parse_retry_after(headers.get("retry-after")) if headers is not None else None


def _secrets(key: str | None) -> tuple[str, ...]:
    """Everything that must not be in a message: the key, and what the environment holds as keys."""
    names = ("KEY", "TOKEN", "SECRET", "PASSWORD")
    held = (v for k, v in os.environ.items() if any(n in k.upper() for n in names) and len(v) >= 8)
    return (*((key,) if key else ()), *held)
