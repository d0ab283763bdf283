"""From what a provider said to one of our errors."""

from __future__ import annotations

import time
from typing import Any

import pytest

from kgcore.errors import (
    ContextWindowError,
    FilteredError,
    RateLimitedError,
    RefusedKeyError,
    ServiceError,
    TimedOutError,
)
from kgcore.llm.failures import Seen, judge, quote, scrub

OPENAI = "litellm.BadRequestError: OpenAIException - "

# what was seen → error, its kind, whether to ask again
ROWS: list[tuple[str, Seen, type[ServiceError], str, bool]] = [
    ("429", Seen("RateLimitError", "slow", 429, 429), RateLimitedError, "rate_limited", True),
    (
        "no quota",
        Seen("RateLimitError", "You exceeded your current quota", 429, 429),
        RateLimitedError,
        "rate_limited",
        False,
    ),
    ("500", Seen("InternalServerError", "boom", 500, 500), ServiceError, "provider", True),
    ("502", Seen("BadGatewayError", "", 502, 502), ServiceError, "provider", True),
    ("503", Seen("ServiceUnavailableError", "", 503, 503), ServiceError, "provider", True),
    ("504", Seen("Timeout", "", 408, 504), ServiceError, "provider", True),
    ("529", Seen("InternalServerError", "overloaded", 500, 529), ServiceError, "provider", True),
    ("408", Seen("Timeout", "", 408, 408), TimedOutError, "timeout", True),
    ("timeout", Seen("Timeout", "Request timed out.", 408), TimedOutError, "timeout", True),
    ("late in the body", Seen("Timeout", "", 408, 200), TimedOutError, "timeout", True),
    ("our limit", Seen("APIError", "", 500, 200, problem="late"), TimedOutError, "timeout", True),
    (
        "too large",
        Seen("APIError", "", 500, 200, problem="large"),
        ServiceError,
        "too_large",
        False,
    ),
    (
        "reset",
        Seen("InternalServerError", "Connection error.", 500),
        ServiceError,
        "provider",
        True,
    ),
    ("refused", Seen("APIConnectionError", "refused", 500), ServiceError, "provider", True),
    ("any exception", Seen("KeyError", "'choices'"), ServiceError, "provider", True),
    ("401", Seen("AuthenticationError", "", 401, 401), RefusedKeyError, "key", False),
    ("403 by another name", Seen("APIError", "", 403, 403), RefusedKeyError, "key", False),
    (
        "no key",
        Seen("AuthenticationError", "The api_key client option must be set", 401, n_sent=0),
        RefusedKeyError,
        "key",
        False,
    ),
    ("404", Seen("NotFoundError", "no such model", 404, 404), ServiceError, "model", False),
    (
        "no provider",
        Seen("BadRequestError", "LLM Provider NOT provided.", 400, n_sent=0),
        ServiceError,
        "model",
        False,
    ),
    ("400", Seen("BadRequestError", "n too big", 400, 400), ServiceError, "provider", False),
    ("422", Seen("UnprocessableEntityError", "", 422, 422), ServiceError, "provider", False),
    ("402", Seen("PaymentRequiredError", "", 402, 402), ServiceError, "provider", False),
    ("307", Seen("APIError", "", 307, 307), ServiceError, "provider", False),
    (
        "overflow by name",
        Seen("ContextWindowExceededError", "", 400, 400),
        ContextWindowError,
        "context_window",
        False,
    ),
    (
        "overflow by words",
        Seen("BadRequestError", "the request exceeds the available context size", 400, 400),
        ContextWindowError,
        "context_window",
        False,
    ),
    (
        "overflow under 413",
        Seen("APIError", "prompt is too long: 9 tokens > 8", 413, 413),
        ContextWindowError,
        "context_window",
        False,
    ),
    (
        "filter by name",
        Seen("ContentPolicyViolationError", "", 400, 400),
        FilteredError,
        "filtered",
        False,
    ),
    (
        "filter by words",
        Seen("BadRequestError", "content management policy", 400, 400),
        FilteredError,
        "filtered",
        False,
    ),
    (
        "web page as success",
        Seen("InternalServerError", "<html>", 500, 200, "text/html; charset=utf-8"),
        ServiceError,
        "provider",
        False,
    ),
    (
        "cut JSON",
        Seen("InternalServerError", "Expecting ':'", 500, 200, "application/json"),
        ServiceError,
        "provider",
        True,
    ),
]


@pytest.mark.parametrize(
    "seen, error, kind, is_retryable", [r[1:] for r in ROWS], ids=[r[0] for r in ROWS]
)
def test_a_failure_becomes_the_right_error(
    seen: Seen, error: type[ServiceError], kind: str, is_retryable: bool
) -> None:
    failure = judge(seen, service="api.example.org", model="openai/m")
    raised = failure.exception()
    assert (type(raised), raised.kind, failure.is_retryable) == (error, kind, is_retryable)
    assert "\n" not in str(raised)
    assert len(str(raised)) < 300


@pytest.mark.parametrize("status", [429, 500, 503])
def test_the_wait_a_service_asks_for_is_kept(status: int) -> None:
    failure = judge(Seen(status=status, retry_after=7.0), service="x", model="m")
    assert failure.retry_after == 7.0


def test_only_a_rejected_request_counts_as_a_bad_one() -> None:
    def is_bad(**seen: Any) -> bool:
        return judge(Seen(**seen), service="x", model="m").is_bad_request

    assert is_bad(status=400)
    assert is_bad(status=422)
    assert not is_bad(status=401)
    assert not is_bad(status=429)
    assert not is_bad(status=500)
    assert not is_bad(status=400, text="maximum context length")


def test_a_rejected_request_is_quoted_in_one_clean_line() -> None:
    seen = Seen("BadRequestError", OPENAI + "temperature\n must  be 1", 400, 400)
    said = str(judge(seen, service="api.example.org", model="m").exception())
    assert said == "api.example.org answered 400 Bad Request: temperature must be 1"


def test_markup_and_tracebacks_are_never_quoted() -> None:
    assert quote("<html><body>Bad <b>gateway</b></body></html>") == ""
    assert quote("error\nTraceback (most recent call last):\n  File x") == ""
    assert quote("a < b and c > d") == "a < b and c > d"


WRAPPED = [
    ("litellm.InternalServerError: InternalServerError: OpenAIException - boom", "boom"),
    ("litellm.ServiceUnavailableError: OpenAIException - Error code: 503", ""),
    ("AzureException APIError - Error code: 500 - model is loading", "model is loading"),
    (
        "litellm.ServiceUnavailableError: AnthropicException - . "
        "Handle with `litellm.ServiceUnavailableError`.",
        "",
    ),
    ("Errors in the request", "Errors in the request"),
]


@pytest.mark.parametrize("text, words", WRAPPED)
def test_only_the_providers_own_words_are_quoted(text: str, words: str) -> None:
    assert quote(text) == words


def test_a_long_quote_is_cut() -> None:
    assert quote("word " * 100).endswith("…")
    assert len(quote("word " * 100)) <= 160


@pytest.mark.parametrize("piece", ["<a", "a-", "\n", "Error: ", "sk-"])
def test_a_message_made_to_be_slow_is_quoted_at_once(piece: str) -> None:
    start = time.monotonic()
    assert len(quote(piece * 1_000_000)) <= 160
    assert time.monotonic() - start < 10


def test_a_secret_is_scrubbed_before_a_message_is_cut() -> None:
    for n in range(3_980, 4_001):
        assert "own" not in quote(" " * n + "my-own-secret", ["my-own-secret"])


SECRETS = [
    "my-own-secret",
    "sk-abcdefgh12345678",
    "sk-proj-AAAA_bbbb-cccc",
    "gsk_abcdEFGH1234",
    "AIzaSyA1234567890abcdefg",
    "Bearer abc.def.ghi",
    "0123456789abcdef0123456789abcdef",
    "sk-ab***************yz",
]


@pytest.mark.parametrize("secret", SECRETS)
def test_keys_and_what_looks_like_one_are_scrubbed(secret: str) -> None:
    said = scrub(f"Incorrect API key provided: {secret}. See the docs.", ["my-own-secret"])
    assert secret not in said
    assert secret.split()[-1] not in said
    assert said.startswith("Incorrect API key provided: [key]")


@pytest.mark.parametrize(
    "text", ["the model gpt-4o-mini-2024-07-18 is gone", "max_completion_tokens is too large: 9000"]
)
def test_ordinary_words_are_not_scrubbed(text: str) -> None:
    assert scrub(text) == text


def test_a_refused_key_quotes_nothing() -> None:
    seen = Seen("AuthenticationError", "Incorrect key: hunter2", 401, 401)
    said = str(judge(seen, service="api.example.org", model="m").exception())
    assert said == "api.example.org refused the key (401)"
