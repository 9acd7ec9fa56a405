"""The report of a game: charts by turn, and what paid each player; saved in many forms."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

from PyQt6.QtCharts import (
    QBarCategoryAxis,
    QBarSet,
    QChart,
    QChartView,
    QLineSeries,
    QStackedBarSeries,
    QValueAxis,
)
from PyQt6.QtCore import QMargins, QMarginsF, QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QPageLayout, QPageSize, QPainter, QPdfWriter, QPen
from PyQt6.QtWidgets import (
    QDialog,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from companion.session.thinking import clock_text
from ui.controller.chronicle import Chart, Chronicle
from ui.painting.art import text_font
from ui.panels.prompt_panel import reason_text
from ui.text import opening, player_name, tr
from ui.theme import Theme, player_colour
from ui.ties import tie

DASHES = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DotLine, Qt.PenStyle.DashDotLine)
REASON_COLOURS = ("#2470c4", "#e3b20a", "#2f8f46", "#bf3a2b", "#7b4fa3", "#89929b")

MOST_TICKS = 6
TITLE_PX = 15


class Report(QDialog):
    """Charts in a grid, and buttons that save them."""

    def __init__(
        self,
        told: Chronicle,
        export: Callable[[Path], None],
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        """Draw the charts; `export` writes the record, or the actions, without making the window wait."""
        super().__init__(parent)
        self._export = export
        self._theme = theme
        self.setWindowTitle(tr("Report"))
        self.page = QWidget()
        self.said = QLabel()
        self.said.setWordWrap(True)
        self._fill_page(told)
        buttons = QHBoxLayout()
        for words, does in (
            (tr("Save as picture…"), self._ask_png),
            (tr("Save as PDF…"), self._ask_pdf),
            (tr("Save the game's record…"), self._ask_record),
            (tr("Save the actions…"), self._ask_actions),
        ):
            button = QPushButton(words)
            tie(button.clicked, button, does)
            buttons.addWidget(button)
        buttons.addWidget(self.said, 1)
        column = QVBoxLayout(self)
        column.addWidget(self.page, 1)
        column.addLayout(buttons)
        self.resize(1100, 720)

    def save_png(self, file: Path) -> bool:
        """Write the page as a picture; return whether that was possible."""
        return self._say(file, self.page.grab().save(str(file), "PNG"))

    def save_pdf(self, file: Path) -> bool:
        """Write the page as one A4 sheet in landscape format; return whether that was possible."""
        writer = QPdfWriter(str(file))
        writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
        writer.setPageOrientation(QPageLayout.Orientation.Landscape)
        writer.setPageMargins(QMarginsF(12, 12, 12, 12))
        painter = QPainter()
        is_open = painter.begin(writer)
        if is_open:
            sheet = QRectF(0, 0, writer.width(), writer.height())
            zoom = min(sheet.width() / self.page.width(), sheet.height() / self.page.height())
            painter.scale(zoom, zoom)
            self.page.render(painter)
            painter.end()
        return self._say(file, is_open)

    def save_record(self, file: Path) -> None:
        """Write the game's record or its actions; a failure is reported in the main window."""
        self._export(file)
        self.said.setText(tr("Saved: {file}", file=str(file)))

    def _fill_page(self, told: Chronicle) -> None:
        heading = QLabel(f"{told.title}. {opening(told.outcome)}")
        heading.setProperty("role", "banner")
        heading.setWordWrap(True)
        grid = QGridLayout(self.page)
        grid.addWidget(heading, 0, 0, 1, 3)
        if told.thought:
            grid.addWidget(_thinking_line(told), 1, 0, 1, 3)
        views: list[QWidget] = [self._line_chart(chart, told.players) for chart in told.charts]
        if any(told.gains.values()):
            views.append(self._gains_chart(told))
        for index, view in enumerate(views):
            grid.addWidget(view, 2 + index // 3, index % 3)

    def _chart(self, title: str) -> QChart:
        chart = QChart()
        chart.setTitle(title)
        chart.setBackgroundBrush(QColor(self._theme.panel))
        chart.setTitleBrush(QColor(self._theme.text))
        chart.setTitleFont(text_font(TITLE_PX, bold=True))
        chart.setMargins(QMargins(4, 4, 4, 4))
        return chart

    def _axis(self, most: int) -> QValueAxis:
        """Return an axis from 0 with whole numbers at its ticks."""
        step = max(1, -(-most // MOST_TICKS))
        axis = QValueAxis()
        axis.setRange(0, max(step, -(-most // step) * step))
        axis.setTickType(QValueAxis.TickType.TicksDynamic)
        axis.setTickAnchor(0)
        axis.setTickInterval(step)
        axis.setLabelFormat("%d")
        axis.setLabelsColor(QColor(self._theme.text))
        axis.setGridLineColor(QColor(self._theme.edge))
        axis.setLinePenColor(QColor(self._theme.edge))
        return axis

    def _line_chart(self, told: Chart, players: tuple[str, ...]) -> QChartView:
        chart = self._chart(told.label)
        most = max(max(values) for values in told.lines.values())
        across = self._axis(max(len(values) - 1 for values in told.lines.values()))
        up = self._axis(most)
        chart.addAxis(across, Qt.AlignmentFlag.AlignBottom)
        chart.addAxis(up, Qt.AlignmentFlag.AlignLeft)
        for seat, (player, values) in enumerate(told.lines.items()):
            series = QLineSeries()
            series.setName(player_name(player))
            series.append([QPointF(turn, value) for turn, value in enumerate(values)])
            colour = player_colour(player) if player else QColor(self._theme.accent)
            series.setPen(QPen(_visible(colour, self._theme), 2.5, DASHES[seat % len(DASHES)]))
            chart.addSeries(series)
            series.attachAxis(across)
            series.attachAxis(up)
        return self._view(chart, has_legend=len(told.lines) > 1 and bool(players))

    def _gains_chart(self, told: Chronicle) -> QWidget:
        chart = self._chart(tr("Crystals and where they came from"))
        reasons = list(dict.fromkeys(reason for gains in told.gains.values() for reason in gains))
        bars = QStackedBarSeries()
        for index, reason in enumerate(reasons):
            bar = QBarSet(reason_text(reason))
            bar.append([float(told.gains[player].get(reason, 0)) for player in told.players])
            bar.setColor(QColor(REASON_COLOURS[index % len(REASON_COLOURS)]))
            bars.append(bar)
        chart.addSeries(bars)
        across = QBarCategoryAxis()
        across.append([player_name(player) for player in told.players])
        across.setTruncateLabels(False)
        across.setLabelsColor(QColor(self._theme.text))
        across.setGridLineColor(QColor(self._theme.edge))
        up = self._axis(max(sum(gains.values()) for gains in told.gains.values()))
        chart.addAxis(across, Qt.AlignmentFlag.AlignBottom)
        chart.addAxis(up, Qt.AlignmentFlag.AlignLeft)
        bars.attachAxis(across)
        bars.attachAxis(up)
        view = QWidget()
        column = QVBoxLayout(view)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._view(chart, has_legend=False), 1)
        column.addWidget(_legend([reason_text(reason) for reason in reasons]))
        return view

    def _view(self, chart: QChart, *, has_legend: bool) -> QChartView:
        legend = chart.legend()
        if legend is not None:
            legend.setVisible(has_legend)
            legend.setLabelColor(QColor(self._theme.text))
        view = QChartView(chart)
        view.setBackgroundBrush(QColor(self._theme.window))
        view.setRenderHint(QPainter.RenderHint.Antialiasing)
        view.setAccessibleName(chart.title())
        return view

    def _say(self, file: Path, is_done: bool) -> bool:
        words = tr("Saved: {file}", file=str(file))
        self.said.setText(words if is_done else tr("{file} could not be written", file=str(file)))
        return is_done

    def _ask(self, *endings: str) -> Path | None:
        kinds = ";;".join(f"*.{ending}" for ending in endings)
        file, kind = QFileDialog.getSaveFileName(self, tr("Save as"), f"moontable.{endings[0]}", kinds)
        if not file:
            return None
        path = Path(file)
        return path.with_suffix(kind[1:]) if len(endings) > 1 and kind else path

    def _ask_png(self) -> None:
        if (file := self._ask("png")) is not None:
            self.save_png(file)

    def _ask_pdf(self) -> None:
        if (file := self._ask("pdf")) is not None:
            self.save_pdf(file)

    def _ask_actions(self) -> None:
        if (file := self._ask("csv", "json")) is not None:
            self.save_record(file)

    def _ask_record(self) -> None:
        if (file := self._ask("jsonl")) is not None:
            self.save_record(file)


def _thinking_line(told: Chronicle) -> QLabel:
    """Return one line that says how long each player has thought."""
    times = [
        f"{player_name(player)} {clock_text(told.thought[player])}"
        for player in told.players
        if player in told.thought
    ]
    line = QLabel(tr("Thinking time: {times}", times=" · ".join(times)))
    line.setTextFormat(Qt.TextFormat.PlainText)
    line.setWordWrap(True)
    return line


def _legend(reasons: list[str]) -> QLabel:
    """Return a legend of the bars' colours; unlike Qt's own legend, it can wrap its lines."""
    colours = itertools.cycle(REASON_COLOURS)
    signs = (f'<font color="{colour}">■</font>' for colour in colours)
    words = (reason.replace(" ", "&nbsp;") for reason in reasons)
    legend = QLabel(" ".join(f"{sign}&nbsp;{word}&nbsp;" for sign, word in zip(signs, words, strict=False)))
    legend.setTextFormat(Qt.TextFormat.RichText)
    legend.setAlignment(Qt.AlignmentFlag.AlignCenter)
    legend.setProperty("role", "small")
    legend.setWordWrap(True)
    return legend


def _visible(colour: QColor, theme: Theme) -> QColor:
    """Return the colour, made darker or lighter if a line in it could not be seen on the panel."""
    panel = QColor(theme.panel)
    distance = abs(colour.lightness() - panel.lightness())
    if distance > 40:
        return colour
    return colour.darker(190) if panel.lightness() > 128 else colour.lighter(260)
