"""Colours and sizes: a light and a dark theme, colours of kinds and players, and a sign for each colour."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from PyQt6.QtGui import QColor, QPalette
from PyQt6.QtWidgets import QApplication, QWidget

from companion.view_model import Mark


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """One set of colours for the whole window, as ``#rrggbb``."""

    name: str
    window: str
    panel: str
    edge: str
    text: str
    soft: str
    accent: str
    felt: str
    paper: str
    paper_ink: str
    marks: tuple[tuple[Mark, str], ...]

    def mark(self, mark: Mark) -> QColor:
        """Return the colour of a mark."""
        return QColor(dict(self.marks)[mark])


LIGHT: Final = Theme(
    name="light",
    window="#eceae4",
    panel="#fbfaf6",
    edge="#c9c4b6",
    text="#1d2126",
    soft="#5a616b",
    accent="#1f5fa8",
    felt="#3d6b5c",
    paper="#f1e6cb",
    paper_ink="#3c3222",
    marks=(
        (Mark.WRONG, "#d3222a"),
        (Mark.DUE, "#f39c12"),
        (Mark.NEWS, "#27c26c"),
        (Mark.UNCERTAIN, "#5b6470"),
    ),
)
DARK: Final = Theme(
    name="dark",
    window="#14181d",
    panel="#1f252c",
    edge="#3a444f",
    text="#f2f4f6",
    soft="#a9b4bf",
    accent="#6db3f2",
    felt="#1d3a33",
    paper="#dccfae",
    paper_ink="#2b2418",
    marks=(
        (Mark.WRONG, "#ff4d55"),
        (Mark.DUE, "#ffb02e"),
        (Mark.NEWS, "#3ddc84"),
        (Mark.UNCERTAIN, "#9aa6b2"),
    ),
)
THEMES: Final = {theme.name: theme for theme in (LIGHT, DARK)}


@dataclass(frozen=True, slots=True, kw_only=True)
class KindLook:
    """The look of a kind (a people, a dragon): its colour, the text colour on it, and its sign."""

    fill: str
    ink: str
    sign: str


KINDS: Final = {
    "vulca": KindLook(fill="#2d2d33", ink="#ffffff", sign="V"),
    "terrah": KindLook(fill="#bf3a2b", ink="#ffffff", sign="T"),
    "aqua": KindLook(fill="#2470c4", ink="#ffffff", sign="A"),
    "flit": KindLook(fill="#89929b", ink="#101418", sign="F"),
    "khind": KindLook(fill="#2f8f46", ink="#ffffff", sign="K"),
    "mimix": KindLook(fill="#7a5132", ink="#ffffff", sign="M"),
    "hoax": KindLook(fill="#f4f1e8", ink="#1d2126", sign="H"),
    "pillar": KindLook(fill="#e3b20a", ink="#1d2126", sign="P"),
    "any": KindLook(fill="#7b4fa3", ink="#ffffff", sign="★"),
    "fire": KindLook(fill="#c8321f", ink="#ffffff", sign="F"),
    "earth": KindLook(fill="#2f8f46", ink="#ffffff", sign="E"),
    "water": KindLook(fill="#2470c4", ink="#ffffff", sign="W"),
}
PLAIN: Final = KindLook(fill="#8d8674", ink="#1d2126", sign="")

PLAYER_COLOURS: Final = {
    "purple": "#8146b8",
    "violet": "#8146b8",
    "white": "#f3f1ea",
    "red": "#d0312d",
    "blue": "#2467c9",
    "green": "#2f9a48",
    "yellow": "#f0c419",
    "black": "#2a2a2e",
    "orange": "#ee7f1b",
    "brown": "#7b4f2c",
    "pink": "#e87aa8",
    "grey": "#8b939b",
    "gray": "#8b939b",
    "natural": "#d9b98a",
    "turquoise": "#1ba8a0",
    "teal": "#1b8a84",
}

# The shape that marks a seat wherever its colour does.
SEAT_SHAPES: Final = ("circle", "square", "triangle", "diamond", "star", "cross")


def kind_look(kind: str | None) -> KindLook:
    """Return the look of a kind; plain for None and for a kind without a look of its own."""
    return KINDS.get(kind or "", PLAIN)


def player_colour(player: str) -> QColor:
    """Return the colour that a player is named after; for any other name, a hue derived from it."""
    word = player.strip().lower()
    if word in PLAYER_COLOURS:
        return QColor(PLAYER_COLOURS[word])
    return QColor.fromHsv(zlib.crc32(word.encode()) % 360, 170, 190)


def ink_on(fill: QColor) -> QColor:
    """Return black or white, whichever is easier to read on the fill."""
    light = 0.299 * fill.red() + 0.587 * fill.green() + 0.114 * fill.blue()
    return QColor("#15181c") if light > 140 else QColor("#ffffff")


def dress(window: QWidget, theme: Theme, scale: float) -> None:
    """Apply the theme's colours and sizes to a window.

    The palette is set on the whole application: the parts that a style sheet leaves to the style (ticks,
    sliders, selected text) are drawn with the application's palette, not the window's.
    """
    QApplication.setPalette(palette(theme))
    window.setPalette(palette(theme))
    window.setStyleSheet(style_sheet(theme, scale))


def palette(theme: Theme) -> QPalette:
    """Return the palette of the whole application."""
    made = QPalette()
    role = QPalette.ColorRole
    for where, colour in (
        (role.Window, theme.window),
        (role.Base, theme.panel),
        (role.AlternateBase, theme.window),
        (role.Button, theme.panel),
        (role.ToolTipBase, theme.panel),
        (role.WindowText, theme.text),
        (role.Text, theme.text),
        (role.ButtonText, theme.text),
        (role.ToolTipText, theme.text),
        (role.PlaceholderText, theme.soft),
        (role.Highlight, theme.accent),
        (role.HighlightedText, theme.window),
        (role.Link, theme.accent),
        (role.Mid, theme.edge),
    ):
        made.setColor(where, QColor(colour))
    for where in (role.Text, role.ButtonText, role.WindowText):
        made.setColor(QPalette.ColorGroup.Disabled, where, QColor(theme.soft))
    return made


Pixels: TypeAlias = Callable[[float], str]
"""Returns the text of a size for the style sheet; the size is given at scale 1."""


def style_sheet(theme: Theme, scale: float) -> str:
    """Return the style sheet; sizes are in pixels at `scale` 1."""

    def px(size: float) -> str:
        return f"{round(size * scale)}px"

    return "".join(part(theme, px) for part in (_words, _buttons, _values, _menus, _bars))


def words_sheet(theme: Theme, scale: float) -> str:
    """Return the style sheet for text alone, for a widget whose text has another size than its window's."""

    def px(size: float) -> str:
        return f"{round(size * scale)}px"

    return _words(theme, px) + _buttons(theme, px)


def _words(theme: Theme, px: Pixels) -> str:
    """Return the style of windows, cards and text."""
    edges = "".join(
        f'QFrame[role="card"][mark="{mark.value}"] {{ border-left: 7px solid {colour};'
        " border-top-left-radius: 0; border-bottom-left-radius: 0; }\n"
        for mark, colour in theme.marks
    )
    return f"""
    QWidget {{ font-size: {px(15)}; color: {theme.text}; }}
    QMainWindow, QDialog {{ background: {theme.window}; }}
    QFrame[role="card"] {{ background: {theme.panel}; border: 1px solid {theme.edge}; border-radius: 8px; }}
    {edges}
    QLabel[role="banner"] {{ font-size: {px(26)}; font-weight: 600; }}
    QLabel[role="phase"] {{ font-size: {px(16)}; color: {theme.soft}; }}
    QLabel[role="prompt"] {{ font-size: {px(20)}; font-weight: 600; }}
    QLabel[role="prompt-with-rows"] {{ font-size: {px(17)}; font-weight: 600; }}
    QLabel[role="small"] {{ font-size: {px(13)}; color: {theme.soft}; }}
    QLabel[role="name"] {{ font-size: {px(19)}; font-weight: 600; }}
    QLabel[role="number"] {{ font-size: {px(19)}; font-weight: 600; }}
    QLabel[role="notice"] {{ font-size: {px(16)}; padding: 6px 10px; border-radius: 6px;
        background: {dict(theme.marks)[Mark.DUE]}; color: #15181c; }}
    """


def _buttons(theme: Theme, px: Pixels) -> str:
    """Return the style of buttons."""
    return f"""
    QPushButton {{ background: {theme.panel}; border: 1px solid {theme.edge}; border-radius: 6px;
        padding: {px(6)} {px(12)}; }}
    QPushButton:hover {{ border-color: {theme.accent}; }}
    QPushButton:focus {{ border: 2px solid {theme.accent}; }}
    QPushButton:disabled {{ color: {theme.soft}; background: {theme.window}; }}
    QPushButton[role="menu"] {{ padding-right: {px(30)}; }}
    QPushButton[role="menu"]::menu-indicator {{ subcontrol-origin: padding; subcontrol-position: center right;
        right: {px(11)}; width: 0; height: 0; border-left: {px(5)} solid {theme.panel};
        border-right: {px(5)} solid {theme.panel}; border-top: {px(7)} solid {theme.soft}; }}
    QPushButton[role="more"] {{ background: {theme.window}; border: none; border-radius: 0;
        padding: {px(2)} {px(12)}; color: {theme.accent}; font-weight: 600; }}
    QPushButton[role="choice"] {{ padding: {px(9)} {px(12)}; }}
    QPushButton[role="choice"]:checked {{ border: 2px solid {theme.accent}; color: {theme.accent}; }}
    QPushButton[role="main"] {{ background: {theme.accent}; color: {theme.window}; font-weight: 600; }}
    QPushButton[role="main"]:disabled {{ background: {theme.edge}; color: {theme.soft}; }}
    """


def _values(theme: Theme, px: Pixels) -> str:
    """Return the style of lists, fields, progress bars and sliders."""
    return f"""
    QListWidget, QTextBrowser, QTableWidget, QLineEdit, QComboBox, QSpinBox {{
        background: {theme.panel}; border: 1px solid {theme.edge}; border-radius: 6px; padding: 2px; }}
    QComboBox {{ padding: {px(5)} {px(8)}; }}
    QComboBox::drop-down {{ border: none; width: {px(28)}; }}
    QComboBox::down-arrow {{ width: 0; height: 0; border-left: {px(5)} solid {theme.panel};
        border-right: {px(5)} solid {theme.panel}; border-top: {px(7)} solid {theme.soft}; }}
    QListWidget::item {{ padding: {px(3)} 0; }}
    QListWidget::item:selected {{ background: {theme.accent}; color: {theme.window}; }}
    QTableWidget::item {{ padding: {px(3)} {px(8)}; }}
    QTableWidget::item:selected {{ background: {theme.accent}; color: {theme.window}; }}
    QProgressBar {{ background: {theme.panel}; border: 1px solid {theme.edge}; border-radius: 6px;
        text-align: center; min-height: {px(26)}; }}
    QProgressBar::chunk {{ background: {theme.accent}; border-radius: 5px; }}
    QCheckBox::indicator, QRadioButton::indicator {{ width: {px(14)}; height: {px(14)}; }}
    QCheckBox::indicator:unchecked, QRadioButton::indicator:unchecked {{ background: {theme.panel};
        border: 1px solid {theme.soft}; border-radius: 2px; width: {px(12.3)}; height: {px(12.3)}; }}
    QRadioButton::indicator:unchecked {{ border-radius: {px(7)}; }}
    QSlider::groove:horizontal {{ height: {px(4)}; border-radius: 2px; background: {theme.edge}; }}
    QSlider::sub-page:horizontal {{ border-radius: 2px; background: {theme.accent}; }}
    QSlider::handle:horizontal {{ width: {px(16)}; margin: -{px(6)} 0; border-radius: {px(8)};
        background: {theme.accent}; }}
    QFrame[frameShape="4"] {{ border: none; background: {theme.edge}; max-height: 1px; }}
    """


def _menus(theme: Theme, px: Pixels) -> str:
    """Return the style of tabs, menus and headings."""
    return f"""
    QTabBar::tab {{ padding: {px(5)} {px(14)}; background: {theme.window}; border: 1px solid {theme.edge};
        border-top-left-radius: 6px; border-top-right-radius: 6px; }}
    QTabBar::tab:selected {{ background: {theme.panel}; font-weight: 600; }}
    QTabWidget::pane {{ border: 1px solid {theme.edge}; background: {theme.panel}; }}
    QMenuBar {{ background: {theme.window}; color: {theme.text}; }}
    QMenuBar::item {{ background: transparent; padding: {px(3)} {px(8)}; }}
    QMenuBar::item:selected {{ background: {theme.accent}; color: {theme.window}; }}
    QMenu {{ background: {theme.panel}; border: 1px solid {theme.edge}; }}
    QMenu::item {{ padding: {px(6)} {px(22)}; }}
    QMenu::item:selected {{ background: {theme.accent}; color: {theme.window}; }}
    QHeaderView::section {{ background: {theme.window}; border: none; padding: {px(5)} {px(8)};
        font-weight: 600; }}
    """


def _bars(theme: Theme, px: Pixels) -> str:
    """Return the style of scroll bars and tool tips."""
    return f"""
    QScrollArea {{ border: none; background: transparent; }}
    QScrollBar:vertical {{ background: {theme.window}; width: {px(12)}; margin: 0; }}
    QScrollBar::handle:vertical {{ background: {theme.edge}; min-height: {px(24)}; border-radius: 5px; }}
    QScrollBar:horizontal {{ background: {theme.window}; height: {px(12)}; margin: 0; }}
    QScrollBar::handle:horizontal {{ background: {theme.edge}; min-width: {px(24)}; border-radius: 5px; }}
    QScrollBar::add-line:horizontal, QScrollBar::sub-line:horizontal {{ width: 0; }}
    QScrollBar::add-line:vertical, QScrollBar::sub-line:vertical {{ height: 0; }}
    QToolTip {{ background: {theme.panel}; color: {theme.text}; border: 1px solid {theme.edge}; }}
    """
