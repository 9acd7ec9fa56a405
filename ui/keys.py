"""The list of keys."""

from __future__ import annotations

from ui.text import tr


def keys_table() -> str:
    """Return the keys and what they do, as a table in Qt's kind of HTML."""
    keys = (
        ("Enter", tr("the uppermost prompt is done")),
        ("1 … 9", tr("answer the question")),
        ("E", tr("the turn is over")),
        ("C", tr("hold to see the crystals")),
        ("Ctrl+Z, Ctrl+Y", tr("undo, redo")),
        ("F1", tr("the rules that fit the moment")),
        ("F2", tr("mend an accepted action")),
        ("Ctrl+1 … Ctrl+5", tr("the language")),
        (tr("Arrows, Enter"), tr("go over the table, put right what lies there")),
        ("R", tr("the game is right, the table was misread")),
        ("Esc", tr("not now: leave it until the table changes")),
        ("Ctrl+M", tr("report a misread")),
        ("Ctrl+R", tr("the report, with charts")),
        ("Ctrl+O", tr("past games: go on, replay, delete, statistics")),
        ("Ctrl+T", tr("set camera and profile up again")),
        ("P", tr("pause watching")),
        ("S", tr("prompts spoken or silent")),
        ("V, O", tr("camera large or small; what was recognised")),
        ("G, T", tr("at a glance; table mode")),
        ("L, [ ], B", tr("a sensor table's lights, how bright, whether it beeps")),
        ("N, H", tr("light where the figure can go; health of the sensor table")),
        ("D, Ctrl + −", tr("dark or light, size of text")),
        ("M, F11", tr("pieces move or jump; full screen")),
        ("Ctrl+Q", tr("leave; nothing is lost")),
    )
    cell = "<td style='white-space: nowrap'>"
    lines = "".join(f"<tr>{cell}<b>{key}</b>&nbsp;&nbsp;</td>{cell}{what}</td></tr>" for key, what in keys)
    return f"<table>{lines}</table>"
