"""The list of past games: continue one, replay it, delete and restore it; statistics."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from PyQt6.QtCore import QDateTime, QLocale, Qt, pyqtSignal
from PyQt6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from companion.errors import CompanionError
from companion.people.person import People
from companion.people.seating import NOBODY
from companion.session.library import PastGame, PlayerRow, statistics
from ui.controller.shelf import Shelf
from ui.dialogs.alone import show_dialog
from ui.dialogs.replay import Replay
from ui.settings import Settings
from ui.text import language, ntr, opening, player_name, said, tr
from ui.theme import THEMES, dress
from ui.ties import tie
from ui.wizard.live import Live


class PastGames(QDialog):
    """The list and the statistics in two tabs.

    Signals:
        resume_wanted: file name of the game to continue.
    """

    resume_wanted = pyqtSignal(str)

    def __init__(self, shelf: Shelf, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.shelf = shelf
        self.settings = settings
        self.games: tuple[PastGame, ...] = ()
        self._people = People()
        self.replay: Replay | None = None
        self._is_asked = False
        self.setWindowTitle(tr("Past games"))
        theme = THEMES[settings.theme_name]
        dress(self, theme, settings.scale)
        self.list = _table((tr("Started"), tr("Game"), tr("Players"), tr("Turns"), tr("Result")), 4)
        self.list.setAccessibleName(tr("Past games"))
        self.list.itemSelectionChanged.connect(self._refresh_buttons)
        self.list.itemActivated.connect(self.open_replay)
        self.said = QLabel(tr("Reading the games…"))
        self.said.setWordWrap(True)
        self.players = _table((tr("Player"), tr("Games"), tr("Wins"), tr("Win rate"), tr("Wins by game")), 4)
        self.players.setAccessibleName(tr("Statistics by player"))
        self.editions = _table(
            (
                tr("Game"),
                tr("Games"),
                tr("Turns"),
                tr("Shortest"),
                tr("Longest"),
                tr("Minutes"),
                tr("Starting player won"),
            ),
            6,
        )
        self.editions.setAccessibleName(tr("Statistics by edition"))
        self._lay_out()
        self.resize(1040, 560)
        self._live: Live | None = None
        self.reload()

    def _lay_out(self) -> None:
        self.resume_button = self._button(tr("Continue"), self._resume)
        self.replay_button = self._button(tr("Replay…"), self.open_replay)
        self.delete_button = self._button(tr("Delete (Del)"), self.delete)
        self.delete_button.setShortcut("Del")
        self.undo_button = self._button(tr("Restore (Ctrl+Z)"), self.bring_back)
        self.undo_button.setShortcut("Ctrl+Z")
        buttons = QHBoxLayout()
        for button in (self.resume_button, self.replay_button, self.delete_button, self.undo_button):
            buttons.addWidget(button)
        buttons.addStretch()
        games = QWidget()
        column = QVBoxLayout(games)
        column.addWidget(self.list, 1)
        column.addLayout(buttons)
        numbers = QWidget()
        lower = QVBoxLayout(numbers)
        for table, share in ((self.players, 3), (self.editions, 2)):
            heading = QLabel(table.accessibleName())
            heading.setProperty("role", "name")
            lower.addWidget(heading)
            lower.addWidget(table, share)
        self.tabs = QTabWidget()
        self.tabs.addTab(games, tr("&Games"))
        self.tabs.addTab(numbers, tr("&Statistics"))
        whole = QVBoxLayout(self)
        whole.addWidget(self.tabs, 1)
        whole.addWidget(self.said)
        self._refresh_buttons()

    def _button(self, words: str, does: Callable[[], None]) -> QPushButton:
        button = QPushButton(words)
        button.setAutoDefault(False)
        tie(button.clicked, button, does)
        return button

    # -- the list ---------------------------------------------------------------------------------

    def reload(self) -> None:
        """Read the folder again, in a separate thread."""
        self._end_reading()

        def reading() -> Iterator[object]:
            self.shelf.library.forget_deleted()
            yield self.shelf.library.games()

        self._live = Live(reading)
        self._live.came.connect(self._fill)
        self._live.failed.connect(self.said.setText)
        self._live.start()

    def _end_reading(self) -> None:
        if self._live is not None:
            self._live.stop(lambda: None)
            self._live = None

    def _fill(self, games: tuple[PastGame, ...]) -> None:
        self.games = games
        self._people = self.shelf.people()
        row = max(0, self.list.currentRow())
        self.list.setRowCount(len(games))
        for index, game in enumerate(games):
            for column, words in enumerate(self._words(game)):
                cell = QTableWidgetItem(words)
                cell.setToolTip(words)
                self.list.setItem(index, column, cell)
        if games:
            self.list.selectRow(min(row, len(games) - 1))
        else:
            self.said.setText(tr("No games have been played yet."))
        if self.said.text() == tr("Reading the games…"):
            self.said.setText("")
        self._fill_statistics()
        self._refresh_buttons()

    def _words(self, game: PastGame) -> tuple[str, ...]:
        if game.left:
            return (game.name, "", "", "", tr("Damaged: {left}", left=said(game.left)))
        if game.trouble:
            return (game.name, "", "", "", tr("This file cannot be read: {why}", why=game.trouble))
        begun = QDateTime.fromSecsSinceEpoch(int(game.began_s))
        when = QLocale(language()).toString(begun, QLocale.FormatType.ShortFormat)
        names = ", ".join(self._named(game, game.players))
        return (
            when,
            opening(said(self.shelf.title(game.game, game.edition))),
            names,
            str(game.turns),
            self._outcome(game),
        )

    def _outcome(self, game: PastGame) -> str:
        if game.name == self.shelf.playing:
            return tr("on the table now")
        if game.winners is None:
            return tr("not finished")
        if not game.winners:
            return tr("no winner")
        names = ", ".join(self._named(game, game.winners))
        return ntr("{players} won", "{players} won", len(game.winners), players=names)

    def _named(self, game: PastGame, players: Iterable[str]) -> list[str]:
        names = self.shelf.names_in(game, self._people)
        return [player_name(player, names) for player in players]

    def _chosen(self) -> PastGame | None:
        row = self.list.currentRow()
        return self.games[row] if 0 <= row < len(self.games) else None

    def _refresh_buttons(self) -> None:
        game = self._chosen()
        can_show = game is not None and self.shelf.can_show(game)
        self.replay_button.setEnabled(can_show)
        self.resume_button.setEnabled(game is not None and self.shelf.can_go_on(game))
        self._ask_about(game)
        self.delete_button.setEnabled(game is not None and game.name != self.shelf.playing)
        self.undo_button.setEnabled(self.shelf.library.can_bring_back)

    def _ask_about(self, game: PastGame | None) -> None:
        """Ask whether to continue from what is left of a damaged game; pressing the button says yes."""
        is_asked = game is not None and bool(game.left) and self.resume_button.isEnabled()
        self.resume_button.setText(tr("Continue from there") if is_asked else tr("Continue"))
        if game is not None and is_asked:
            self.said.setText(
                tr(
                    "This game is damaged: {left}. Continue from there? The damaged file is kept.",
                    left=said(game.left),
                )
            )
        elif self._is_asked:
            self.said.setText("")
        self._is_asked = is_asked

    # -- actions on the chosen game ---------------------------------------------------------------

    def _resume(self) -> None:
        game = self._chosen()
        if game is None or not self.resume_button.isEnabled():
            return
        if game.left:
            try:
                self.shelf.library.salvage(game.name)
            except CompanionError as error:
                self.said.setText(said(str(error)))
                return
        self.resume_wanted.emit(game.name)

    def open_replay(self) -> None:
        """Replay the chosen game."""
        game = self._chosen()
        if game is None or not self.shelf.can_show(game):
            return
        try:
            film = self.shelf.film(game.name)
        except CompanionError as error:
            self.said.setText(said(str(error)))
            return
        self.replay = Replay(film, self.settings, self)
        self.replay.show()

    def delete(self) -> None:
        """Delete the chosen game without asking, since it can be restored."""
        game = self._chosen()
        if game is None or not self.delete_button.isEnabled():
            return
        try:
            self.shelf.library.delete(game.name)
        except OSError as error:
            self.said.setText(tr("Could not be deleted: {why}", why=error.strerror or error))
            return
        self.said.setText(tr("Deleted. Press Ctrl+Z to restore it; it is kept for a month."))
        self.reload()

    def bring_back(self) -> None:
        """Restore the game that was deleted last."""
        if not self.shelf.library.can_bring_back:
            return
        try:
            self.shelf.library.bring_back()
        except OSError as error:
            self.said.setText(tr("Could not be restored: {why}", why=error.strerror or error))
            return
        self.said.setText(tr("Restored."))
        self.reload()

    # -- statistics -------------------------------------------------------------------------------

    def _fill_statistics(self) -> None:
        told = statistics(self.games, {person.id for person in self._people.people})
        _fill_rows(self.players, [self._player_words(row) for row in told.players])
        _fill_rows(
            self.editions,
            [
                (
                    opening(said(self.shelf.title(row.game, row.edition))),
                    str(row.games),
                    f"{row.turns:.0f}",
                    str(row.shortest),
                    str(row.longest),
                    f"{row.minutes:.0f}",
                    f"{row.first_wins / row.games:.0%}",
                )
                for row in told.editions
            ],
        )

    def _player_words(self, row: PlayerRow) -> tuple[str, ...]:
        """Return one player's line: who, games, wins, win rate, and the wins in each game."""
        person = self._people.by_id(row.person)
        who = player_name(row.player, NOBODY) if person is None else person.name
        won = (
            tr("{game}: {wins} of {games}", game=self._game_name(each.game), wins=each.wins, games=each.games)
            for each in row.by_game
        )
        return (who, str(row.games), str(row.wins), f"{row.wins / row.games:.0%}", "; ".join(won))

    def _game_name(self, game: str) -> str:
        return opening(said(self.shelf.title(game, "")))

    def done(self, result: int) -> None:
        self._end_reading()
        super().done(result)


def choose_game(shelf: Shelf) -> str | None:
    """Show the list by itself; return the file name of the game to continue, or None."""
    chosen: list[str] = []

    def make(settings: Settings) -> PastGames:
        dialog = PastGames(shelf, settings)
        tie(dialog.resume_wanted, dialog, chosen.append)
        dialog.resume_wanted.connect(dialog.accept)
        return dialog

    show_dialog(make, "use --json")
    return chosen[0] if chosen else None


def _table(headings: tuple[str, ...], wide: int) -> QTableWidget:
    """Return an empty read-only table; column `wide` takes the remaining width."""
    table = QTableWidget(0, len(headings))
    table.setHorizontalHeaderLabels(headings)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setShowGrid(False)
    table.setTabKeyNavigation(False)
    rows, columns = table.verticalHeader(), table.horizontalHeader()
    assert rows is not None
    assert columns is not None
    rows.hide()
    rows.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    columns.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    columns.setSectionResizeMode(wide, QHeaderView.ResizeMode.Stretch)
    columns.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    return table


def _fill_rows(table: QTableWidget, rows: list[tuple[str, ...]]) -> None:
    table.setRowCount(len(rows))
    for index, row in enumerate(rows):
        for column, words in enumerate(row):
            table.setItem(index, column, QTableWidgetItem(words))
