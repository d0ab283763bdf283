"""`model check`: is a model within reach, and if not, why?"""

from __future__ import annotations

from argparse import Namespace

from kgcore.bootstrap import build
from kgcore.cli.output import plain, show
from kgcore.llm.check import check_model


def check(arguments: Namespace) -> int:
    """Send one tiny request to a model and print the verdict; 1 when it cannot be used."""
    model = build().model(arguments.name, api_base=arguments.api_base)
    built_in = getattr(model, "display_name", "")  # it is always there
    verdict = f"ok: {built_in}" if built_in else check_model(model)
    is_ok = verdict.startswith("ok")
    show(arguments, {"model": model.name, "ok": is_ok, "verdict": verdict}, [plain(verdict)])
    return 0 if is_ok else 1
