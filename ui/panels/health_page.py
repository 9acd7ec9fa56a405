"""The health page of a sensor table: the whole table, then each cell, and the switches for its lights."""

from __future__ import annotations

from typing import Final

from PyQt6.QtCore import Qt, QTimer
from PyQt6.QtWidgets import (
    QCheckBox,
    QDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QSlider,
    QVBoxLayout,
    QWidget,
)

from companion.sensor_health import CellHealth, HealthLine, HealthReport
from companion.view_model import Mark
from ui.controller.sensor_face import SensorFace
from ui.settings import Settings
from ui.text import said, tr
from ui.theme import THEMES, Theme, dress
from ui.ties import tie

REFRESH_MS: Final = 500
PERCENT: Final = 100
CELL_WH: Final = (118, 84)


class HealthPage(QDialog):
    """Shows the table's condition, which it requests twice a second."""

    def __init__(self, face: SensorFace, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._face = face
        self._theme = THEMES[settings.theme_name]
        self._scale = settings.scale
        self.report: HealthReport | None = None
        self.setWindowTitle(tr("Sensor table"))
        dress(self, self._theme, settings.scale)
        self._lines = QGridLayout()
        self._lines.setColumnStretch(1, 1)
        self._lines.setVerticalSpacing(6)
        self._cells = QGridLayout()
        self._cells.setSpacing(4)
        row = QHBoxLayout()
        row.addWidget(_scrolled(self._lines), 5)
        row.addWidget(_scrolled(self._cells), 7)
        column = QVBoxLayout(self)
        column.addLayout(row, 1)
        column.addLayout(self._switches())
        self.resize(1180, 640)
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.refresh)
        self._timer.start(REFRESH_MS)
        self.refresh()

    def refresh(self) -> None:
        """Show the current condition of the table."""
        report = said(self._face.health())
        if report != self.report:
            self.report = report
            self._show_lines(report)
            self._show_cells(report)

    def _switches(self) -> QHBoxLayout:
        self.lights = QCheckBox(tr("Lights and buzzer"))
        self.lights.setChecked(self._face.is_on)
        tie(self.lights.toggled, self, self._face.switch)
        self.sound = QCheckBox(tr("Buzzer"))
        self.sound.setChecked(True)
        tie(self.sound.toggled, self, lambda on: self._face.mute(not on))
        self.brightness = QSlider(Qt.Orientation.Horizontal)
        self.brightness.setRange(0, PERCENT)
        self.brightness.setValue(round(self._face.brightness * PERCENT))
        self.brightness.setAccessibleName(tr("Brightness of the lights"))
        tie(self.brightness.valueChanged, self, lambda value: self._face.dim(value / PERCENT))
        row = QHBoxLayout()
        row.addWidget(self.lights)
        row.addWidget(self.sound)
        row.addWidget(QLabel(tr("Brightness")))
        row.addWidget(self.brightness, 1)
        return row

    def _show_lines(self, report: HealthReport) -> None:
        _clear(self._lines)
        row = 0
        for line in report.lines:
            self._lines.addWidget(_label(("⚠ " if line.is_bad else "") + line.name), row, 0)
            self._lines.addWidget(self._value(line), row, 1)
            row += 1
            if line.advice:
                advice = _label(line.advice)
                advice.setProperty("role", "small")
                self._lines.addWidget(advice, row, 0, 1, 2)
                row += 1
        self._lines.setRowStretch(row, 1)

    def _value(self, line: HealthLine) -> QLabel:
        label = _label(line.value)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        if line.is_bad:
            label.setStyleSheet(f"color: {_wrong(self._theme)}; font-weight: 600;")
        return label

    def _show_cells(self, report: HealthReport) -> None:
        _clear(self._cells)
        for cell in report.cells:
            self._cells.addWidget(self._cell(cell), *cell.cell)
            self._cells.setColumnStretch(cell.cell[1], 1)
            self._cells.setRowStretch(cell.cell[0], 1)

    def _cell(self, cell: CellHealth) -> QFrame:
        frame = QFrame()
        frame.setProperty("role", "card")
        if cell.faults:
            frame.setStyleSheet(f'QFrame[role="card"] {{ border: 2px solid {_wrong(self._theme)}; }}')
        column = QVBoxLayout(frame)
        column.setContentsMargins(5, 3, 5, 3)
        column.setSpacing(1)
        told = (*(f"⚠ {fault}" for fault in cell.faults), *cell.words)
        words = _label("\n".join(told) or "–")
        words.setProperty("role", "small")
        words.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        column.addWidget(words, 1)
        frame.setAccessibleName(tr("Cell {row},{column}", row=cell.cell[0], column=cell.cell[1]))
        frame.setMinimumSize(round(CELL_WH[0] * self._scale), round(CELL_WH[1] * self._scale))
        return frame


def _wrong(theme: Theme) -> str:
    return dict(theme.marks)[Mark.WRONG]


def _label(words: str) -> QLabel:
    label = QLabel(words)
    label.setWordWrap(True)
    return label


def _scrolled(grid: QGridLayout) -> QScrollArea:
    inner = QWidget()
    inner.setLayout(grid)
    area = QScrollArea()
    area.setWidget(inner)
    area.setWidgetResizable(True)
    inner.setAutoFillBackground(False)
    viewport = area.viewport()
    assert viewport is not None
    viewport.setAutoFillBackground(False)
    return area


def _clear(grid: QGridLayout) -> None:
    while (item := grid.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.deleteLater()
    for row in range(grid.rowCount()):
        grid.setRowStretch(row, 0)
