"""What runs of the list spent, by their journals."""

from kgcore.config import is_offline
from kgcore.errors import KGCoreError
from kgcore.runs import RunRecord
from pages.components.language import t, tn
from pages.components.studio import shared
from pages.components.watch import Seen

__all__ = ["seen_of", "short_cost"]


def seen_of(run: RunRecord) -> Seen | None:
    """Return a run as its journal tells it; None where it cannot be read."""
    try:
        return shared().watches.look(run.id)
    except KGCoreError:
        return None


def short_cost(run: RunRecord) -> str:
    """Return calls, money and time of a run in few words; "" where its journal cannot be read."""
    seen = seen_of(run)
    if seen is None:
        return ""
    usage = seen.view.usage
    parts = [tn("{n:,} call", "{n:,} calls", usage.llm_requests)]
    if usage.cost_usd or not is_offline(run.model):
        parts.append(f"${usage.cost_usd:.4f}")
    parts.append(t("{seconds:.1f} s", seconds=seen.seconds))
    return ", ".join(parts)
