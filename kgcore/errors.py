"""Every error this package raises on purpose.

    KGCoreError
    ├── InputError                 what a person gave cannot be used; the text says why
    │   ├── UnknownGraphError
    │   ├── UnknownRunError
    │   ├── UnknownCorrectionError
    │   ├── ConflictError          somebody else was faster, or says otherwise
    │   └── ImportFileError        a file broke at a line
    ├── UnreadableReplyError       a model's reply does not say what was asked
    ├── IllegalMoveError           an action the state machine does not allow
    ├── ServiceError               a model or a graph failed; the run keeps everything and can resume
    │   ├── RateLimitedError
    │   ├── TimedOutError
    │   ├── RefusedKeyError        401, 403
    │   ├── ContextWindowError     the prompt does not fit
    │   ├── FilteredError          the provider withheld the reply
    │   ├── EmptyReplyError
    │   ├── UnreachableError       no connection: refused, unknown host, TLS, or left alone after failures
    │   ├── BadReplyError          what came back is not what was asked for
    │   └── TooHeavyError          the service gave the query up: too much work or too many rows
    ├── BudgetExceededError
    ├── StoppedError               the person said stop before the call started
    └── RunError
        ├── LeaseLostError         another driver holds the run
        ├── JournalEndsError       a replay needs more than the journal holds
        ├── ReplayDivergedError    the reasoner asks for another step than the journal holds
        ├── VersionChangedError    the reasoner or a template is not the one that made the journal
        └── StoreError             the run store cannot be read or written

Messages are one line, meant for people, and never hold a secret.
"""

from __future__ import annotations


class KGCoreError(Exception):
    """Root of all errors of this package.

    `usage` (kgcore.steps.Usage) is what a call cost before it failed or was cut short, where that is known.
    """

    usage: object = None


class InputError(KGCoreError):
    """What a person gave cannot be used."""


class UnknownGraphError(InputError):
    """No graph has this name."""


class UnknownRunError(InputError):
    """No run has this id."""


class UnknownCorrectionError(InputError):
    """No correction has this id."""


class ConflictError(InputError):
    """What a person wants to do does not go together with what somebody else did."""


class ImportFileError(InputError):
    """A file cannot be imported; carries the file, the line and the reason."""

    def __init__(self, file: str, line: int | None, reason: str) -> None:
        self.file, self.line, self.reason = file, line, reason
        where = f"{file}, line {line}" if line is not None else file
        super().__init__(f"{where}: {reason}")


class UnreadableReplyError(KGCoreError):
    """A model's reply does not say what was asked."""


class IllegalMoveError(KGCoreError):
    """The state machine does not allow this action in this state."""


class ServiceError(KGCoreError):
    """A model or a graph failed; a run that meets it ends failed and can be resumed."""

    kind = "provider"


class RateLimitedError(ServiceError):
    """The service keeps saying: too many requests."""

    kind = "rate_limited"


class TimedOutError(ServiceError):
    """The service did not answer in time."""

    kind = "timeout"


class RefusedKeyError(ServiceError):
    """The service refused the key."""

    kind = "key"


class ContextWindowError(ServiceError):
    """The prompt does not fit the model's context window."""

    kind = "context_window"


class FilteredError(ServiceError):
    """The provider's content filter withheld the reply."""

    kind = "filtered"


class EmptyReplyError(ServiceError):
    """The service answered without any content."""

    kind = "empty"


class UnreachableError(ServiceError):
    """No connection to the service: refused, unknown host, TLS, or left alone after repeated failures."""

    kind = "unreachable"


class BadReplyError(ServiceError):
    """What came back is not what was asked for: a page of HTML, a text that ends early."""

    kind = "bad_reply"


class TooHeavyError(ServiceError):
    """The service gave the query up: too much work or too many rows."""

    kind = "too_heavy"


class BudgetExceededError(KGCoreError):
    """A call, token, money or time budget is used up; `kind` says which."""

    def __init__(self, kind: str, limit: float) -> None:
        self.kind, self.limit = kind, limit
        super().__init__(f"the budget of {limit:g} {kind} is used up")


class StoppedError(KGCoreError):
    """A person stopped the run before this call started."""


class RunError(KGCoreError):
    """A run cannot go on as asked."""


class LeaseLostError(RunError):
    """Another driver holds the run's lease."""


class JournalEndsError(RunError):
    """A replay needs a result or a fact that the journal does not hold yet."""


class ReplayDivergedError(RunError):
    """The reasoner asks for another step than the journal holds."""


class VersionChangedError(RunError):
    """The journal was made by another version of the reasoner or of a template."""


class StoreError(RunError):
    """The run store cannot be read or written."""
