"""An old and a new run side by side, in lines for a person."""

from __future__ import annotations

from collections.abc import Iterable

from kgcore.cli.output import counted, plain, table
from kgcore.corrections import Correction
from kgcore.model import Triple
from kgcore.runs.comparison import Comparison, Side


def comparison_lines(comparison: Comparison) -> list[str]:
    """Return what changed in answer and proof, why, and what each cost."""
    old, new = comparison.old, comparison.new
    rows = [
        ["", "before", "now"],
        ["Answer", _answer(old), _answer(new)],
        ["Asked", _asked(old), _asked(new)],
        ["Run", old.run_id[:8], new.run_id[:8]],
    ]
    return [
        plain(comparison.question),
        *table(rows, (8, 60, 60)),
        *(plain(f"{n}: {old or '–'} → {new or '–'}") for n, old, new in comparison.set_up),
        *_corrections("with", comparison.new_corrections),
        *_corrections("without", comparison.gone_corrections),
        *_triples("−", comparison.dropped),
        *_triples("+", comparison.gained),
        "",
    ]


def _answer(side: Side) -> str:
    return side.text or ("none" if side.has_ended else "not ended")


def _asked(side: Side) -> str:
    usage = side.usage
    calls = f"{usage.llm_requests} model, {counted(usage.kg_requests, 'graph request')}"
    memory = f"; {side.n_remembered} steps from memory" if side.n_remembered else ""
    return calls + memory


def _corrections(word: str, corrections: Iterable[Correction]) -> list[str]:
    return [plain(f"Now {word} correction {c.id[:8]}: {c.text}") for c in corrections]


def _triples(sign: str, triples: Iterable[Triple]) -> list[str]:
    return [plain(f"  {sign} {t.text}") for t in triples]
