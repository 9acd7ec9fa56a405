"""The hints for a first game."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from tests.helpers.patience import WAIT_MS
from ui.panels.guide_panel import GuidePanel, hints


def test_hints_follow_one_another(qtbot: QtBot) -> None:
    """Each is shown once; after the last the panel is gone."""
    panel = GuidePanel()
    qtbot.addWidget(panel)
    assert panel.isHidden()
    panel.show_step(0)
    seen = []
    with qtbot.waitSignal(panel.finished, timeout=WAIT_MS):
        for _ in hints():
            seen.append(panel.words.text())
            panel.next.click()

    assert [text in words for text, words in zip(hints(), seen, strict=True)] == [True] * len(hints())
    assert panel.isHidden()
    assert panel.step is None


@pytest.mark.parametrize("step", range(len(hints()) - 1))
def test_hints_can_be_skipped(qtbot: QtBot, step: int) -> None:
    """At any of them but the last, which ends by itself."""
    panel = GuidePanel()
    qtbot.addWidget(panel)
    panel.show_step(step)
    with qtbot.waitSignal(panel.finished, timeout=WAIT_MS):
        panel.skip.click()

    assert panel.isHidden()
