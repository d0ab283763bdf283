"""The accuracy script over a small sample of the real data sets, and over the demo."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "bench" / "offline_accuracy.py"


def accuracy(tmp_path: Path, *argv: str | Path) -> tuple[dict[str, Any], str]:
    """Run the script and return its reports by name, and what it printed."""
    file = tmp_path / "out.json"
    command = [sys.executable, SCRIPT, "--home", tmp_path / "home", "--json", file, *argv]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=110)
    assert done.returncode in (0, 1), done.stderr  # 1: a small sample may miss a target
    reports = json.loads(file.read_text("utf-8"))
    return {report["name"]: report for report in reports}, done.stdout


def test_a_sample_of_a_published_set_is_asked_and_judged(shared_data: Path, tmp_path: Path) -> None:
    reports, text = accuracy(
        tmp_path, "--data", shared_data, "--set", "pathquestion", "--sample", "12"
    )
    [report] = reports.values()
    assert len(report["cases"]) == 12
    assert {case["status"] for case in report["cases"]} <= {"answered", "no_answer"}
    for case in report["cases"]:
        assert (case["cause"] is None) == (case["hit"] == case["precision"] == case["recall"] == 1)
        assert case["baseline"]["recall"] > 0 or case["type"] == "3-hop"
    overall = report["rows"][-1]
    assert overall["hits"] > overall["baseline_hits"] > 0
    assert "pathquestion all, Hits@1" in text


def test_the_sample_questions_are_asked_by_two_processes(tmp_path: Path) -> None:
    reports, text = accuracy(tmp_path, "--set", "demo-zh", "--sample", "8", "--workers", "2")
    report = reports["demo-zh"]
    assert len({case["id"] for case in report["cases"]}) == 8
    assert report["rows"][-1]["hits"] >= 0.75
    assert report["peak_mb"] > 0 or sys.platform == "win32"
    assert "Causes of wrong" in text
