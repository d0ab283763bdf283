"""Questions with gold answers, how runs do on them, and why they go wrong."""

from kgcore.evaluation.calibration import Bucket, Calibration, Rated, calibrate
from kgcore.evaluation.case import Case, Dataset, Gold, GoldEdge
from kgcore.evaluation.causes import Cause
from kgcore.evaluation.datasets import SOURCES, read_dataset, read_samples
from kgcore.evaluation.evaluator import Evaluator, Outcome
from kgcore.evaluation.metrics import Score
from kgcore.evaluation.report import Report

__all__ = [
    "SOURCES",
    "Bucket",
    "Calibration",
    "Case",
    "Cause",
    "Dataset",
    "Evaluator",
    "Gold",
    "GoldEdge",
    "Outcome",
    "Rated",
    "Report",
    "Score",
    "calibrate",
    "read_dataset",
    "read_samples",
]
