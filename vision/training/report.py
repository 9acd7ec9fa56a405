"""What a trained recogniser is worth: figures and a reliability diagram on tables that training never saw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.arrays import Floats, Singles
from vision.training.calibration import brier_score, calibration_error, confusion, reliability

# What a referee would act on.
_SURE = 0.99


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingReport:
    """Figures of one recogniser.

    Attributes:
        name: of the recogniser.
        figures: by name.
        text: all of it for people.
    """

    name: str
    figures: dict[str, float]
    text: str


def report(name: str, classes: Sequence[str], probabilities: Singles, truth: Floats) -> TrainingReport:
    """Return the figures of calibrated probabilities (N, classes) against class numbers (N,)."""
    claimed = probabilities.argmax(axis=1)
    confidence = probabilities.max(axis=1).astype(np.float64)
    right = (claimed == truth).astype(np.float64)
    sure = confidence >= _SURE
    figures = {
        "samples": float(len(truth)),
        "right": float(right.mean()),
        "calibration_error": calibration_error(confidence, right),
        "brier": brier_score(probabilities, truth),
        "sure": float(sure.mean()),
        "wrong_though_sure": float((1 - right[sure]).mean()) if sure.any() else 0.0,
    }
    lines = [f"{name}: " + ", ".join(f"{label} {value:.4g}" for label, value in figures.items())]
    lines += ["  truth \\ claimed " + " ".join(f"{one:>12}" for one in classes)]
    table = confusion(claimed.astype(np.float64), truth, len(classes))
    for label, row in zip(classes, table, strict=True):
        lines.append(f"  {label:>15} " + " ".join(f"{int(count):>12}" for count in row))
    lines.append("  confidence  right  count")
    for one in reliability(confidence, right):
        lines.append(f"  {one.confidence:10.4f} {one.right:6.4f} {one.count:6d}")
    return TrainingReport(name=name, figures=figures, text="\n".join(lines))
