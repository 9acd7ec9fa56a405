"""The only object in the window that holds the referee; everything else sees signals.

Three kinds of thread meet here. Each source is iterated in its own thread. The *controller's* thread is the
only one that calls the referee, one request after another. The window's thread only posts requests and
receives frozen values. A source that is faster than the controller is held back, so nothing piles up.
"""

from __future__ import annotations

import functools
import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from PyQt6.QtCore import QObject, pyqtSignal

from companion import log
from companion.errors import BugError, CompanionError, DeviceError
from companion.i18n import msg
from companion.source_runner import RETRY_S, STOP_S, SourceRunner
from companion.table import Place, Value
from companion.view_model import CameraView, HandEntry, HandMove, Option, Reminder, TableView
from ui.controller.controller import Controller
from ui.controller.sensor_face import PicturedSensors
from ui.controller.session import BlindSource, Cable, PicturedObservation, PicturedSource, Session
from ui.controller.shelf import Shelf
from ui.controller.view_state import ViewState
from ui.mishaps import Mishaps
from ui.text import said

BEHIND_MOST: Final = 3
Job = Callable[[], None]


class ControllerBridge(QObject):
    """Turns requests into jobs for the controller, and their results into signals.

    Signals:
        changed: `ViewState`, whenever any part of it changes.
        pictured: `CameraView`; the next one is emitted only after `picture_taken`.
        lost, found: a source went away (its name, why) or is back (its name); translated when shown.
        refused: why a request was refused, as a message.
        mended: the consequences of correcting an action, as messages.
        evidence: an action's number and the picture kept with it as JPEG bytes, or None.
        chronicled: the game in numbers, a `Chronicle`.
        paused: whether watching is paused.
        ended: name of a source that has ended.

    Attributes:
        mishaps: the unexpected errors, including those in the controller's and the sources' threads.
    """

    changed = pyqtSignal(object)
    pictured = pyqtSignal(object)
    lost = pyqtSignal(object, object)
    found = pyqtSignal(object)
    refused = pyqtSignal(str)
    mended = pyqtSignal(object)
    evidence = pyqtSignal(int, object)
    chronicled = pyqtSignal(object)
    paused = pyqtSignal(bool)
    ended = pyqtSignal(str)

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.lookout = session.lookout
        self.mishaps = Mishaps(self)
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._controller = Controller(session)
        self._view_state: ViewState | None = None
        self._thread = threading.Thread(target=self._work, name="controller", daemon=True)
        self._sources = tuple(session.sources)
        self._runners = [self._hired(source) for source in self._sources]
        self._behind = threading.Semaphore(BEHIND_MOST)
        self._picture_free = threading.Event()
        self._picture_free.set()
        self._is_paused = False

    @property
    def is_paused(self) -> bool:
        """Whether watching is paused."""
        return self._is_paused

    @property
    def has_camera(self) -> bool:
        """Whether any of the sources has pictures to show."""
        return any(not isinstance(source, BlindSource | PicturedSensors) for source in self._sources)

    @property
    def sensors(self) -> PicturedSensors | None:
        """The sensor table that is watching now; None if there is none."""
        return next((source for source in self._sources if isinstance(source, PicturedSensors)), None)

    @property
    def cable(self) -> Cable | None:
        """The cable of a simulated device; None if all devices are real."""
        return self._session.cable

    def called(self) -> Mapping[str, str]:
        """Return what the players are called, by player; who is missing goes by colour."""
        return self._session.called()

    @property
    def can_rematch(self) -> bool:
        """Whether people play, who can play again; at a simulated table nobody does."""
        return self._session.answer is None

    @property
    def shelf(self) -> Shelf | None:
        """Past games."""
        return self._session.shelf

    def start(self) -> None:
        """Start watching; the first `changed` follows at once."""
        self._jobs.put(lambda: None)
        self._thread.start()
        for runner in self._runners:
            runner.start()

    def stop(self) -> None:
        """End all threads; the accepted actions are in the journal. Safe to call twice."""
        self.let_go()
        self._jobs.put(None)
        if self._thread.ident is not None:
            self._thread.join(STOP_S)

    def let_go(self) -> None:
        """Release all sources; the game stays as it is. Safe to call twice."""
        for runner in self._runners:
            runner.stopping.set()
        for source in self._sources:
            source.close()
        for runner in self._runners:
            runner.stop()
        self._runners = []
        self._sources = ()

    def watch_with(self, sources: Sequence[PicturedSource]) -> None:
        """Replace the sources; the previous ones are released."""
        self.let_go()
        self._sources = tuple(sources)
        self._jobs.put(self._note_watched)
        self._runners = [self._hired(source) for source in self._sources]
        for runner in self._runners:
            runner.start()

    def _note_watched(self) -> None:
        self._controller.is_watched = bool(self._sources)

    # -- requests, called from the window's thread -----------------------------------------------------

    def confirm(self, prompt_id: str) -> None:
        """Close a prompt that the players say is done."""
        self._jobs.put(lambda: self._controller.confirm(prompt_id))

    def answer(self, index: int) -> None:
        """Answer the question by the number of the choice."""
        self._jobs.put(lambda: self._controller.choose(index))

    def answer_as(self, player: str, number: int, index: int) -> None:
        """Answer for a player the question of that number, unless another is asked by now."""
        self._jobs.put(lambda: self._controller.answer(player, number, index))

    def enter(self, index: int) -> None:
        """Carry out one of the actions that are offered as buttons."""
        self._jobs.put(lambda: self._controller.enter(index))

    def carry_out(self, action: Any) -> None:
        """Enter an action that was pointed out; `refused` follows if it breaks a rule."""
        self._jobs.put(lambda: self._controller.carry_out(action))

    def undo(self) -> None:
        """Take back the last action."""
        self._jobs.put(self._controller.undo)

    def redo(self) -> None:
        """Redo the action that was taken back."""
        self._jobs.put(self._controller.redo)

    def report(self, place: Place, value: Value) -> None:
        """Correct a place: the players say what is really there."""
        self._jobs.put(lambda: self._controller.report(place, value))

    def drop_edits(self) -> None:
        """Discard the corrections by hand that no action explains yet."""
        self._jobs.put(self._controller.drop_edits)

    def mend(self, number: int, entry: HandEntry[Any] | None) -> None:
        """Replace an accepted action by another one, or remove it; `mended` or `refused` follows."""
        self._jobs.put(lambda: self.mended.emit(said(self._controller.mend(number, entry))))

    def name_cards(self, player: str, number: int, cards: tuple[str, ...]) -> None:
        """Say which cards a player spent unseen on an own action."""
        self._jobs.put(lambda: self._controller.name_cards(player, number, cards))

    def dismiss(self) -> None:
        """Close the standing violation or question until the table changes."""
        self._jobs.put(self._controller.dismiss)

    def accept_as_is(self) -> None:
        """Keep the game as it is: the players say that the table was misread."""
        self._jobs.put(self._controller.accept_as_is)

    def ask_evidence(self, number: int) -> None:
        """Ask for the picture kept with an accepted action; `evidence` follows."""
        self._jobs.put(lambda: self.evidence.emit(number, self._controller.evidence(number)))

    def ask_chronicle(self) -> None:
        """Ask for the game in numbers; `chronicled` follows."""
        self._jobs.put(lambda: self.chronicled.emit(said(self._controller.chronicle())))

    def export(self, file: Path) -> None:
        """Write the game's record, or for ``.csv`` and ``.json`` the table of its actions."""
        self._jobs.put(lambda: self._controller.export(file))

    def write_bug_report(self, file: Path) -> None:
        """Write the latest observations, the decisions on them and the unexpected errors into one zip."""
        self._jobs.put(lambda: self._controller.write_bug_report(file, self.mishaps.as_text()))

    def toggle_pause(self) -> None:
        """Pause watching and the players' clock, or resume both."""
        is_paused = self._is_paused = not self._is_paused
        self._jobs.put(lambda: self._controller.pause(is_paused))
        self.paused.emit(self._is_paused)

    def toggle_cable(self) -> None:
        """Unplug the simulated device's cable, or plug it in again."""
        cable = self._session.cable
        if cable is not None:
            (cable.put_in if cable.is_out else cable.pull)()

    def tell_anew(self) -> None:
        """Emit everything again after the language or a name has changed; `changed` follows."""

        def forget() -> None:
            self._view_state = None

        self._jobs.put(forget)

    def picture_taken(self) -> None:
        """Allow the next picture: the last one has been shown."""
        self._picture_free.set()

    # -- questions that only read frozen values ---------------------------------------------------------

    def options(self, place: Place) -> tuple[Option, ...]:
        """Return what can be on a place; what is there now comes first."""
        return said(self._controller.options(place))

    def moves(self) -> tuple[HandMove[Any], ...]:
        """Return the actions that can be entered by pointing now, their texts not yet said."""
        return self._controller.moves()

    def attempt(self, path: tuple[Place, ...]) -> Any | None:
        """Return the action that is meant by pointing at places which no move has; None for nothing."""
        return self._controller.attempt(path)

    def table_after(self, number: int) -> TableView:
        """Return the table after accepted action `number`, 0 for the start."""
        return said(self._controller.table_after(number))

    def reminders(self) -> tuple[Reminder, ...]:
        """Return the rules to look up."""
        return said(self._controller.reminders())

    def alternatives(self, number: int) -> tuple[HandEntry[Any], ...]:
        """Return the actions that could replace an accepted one."""
        return said(self._controller.alternatives(number))

    # -- the controller's thread ----------------------------------------------------------------------

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            self._grant(job)
            try:
                self._show()
            except Exception as error:  # the top of a thread: a bug here must not end the evening
                self.mishaps.note(error)

    def _grant(self, job: Job) -> None:
        """Do what was requested, or emit why that was refused."""
        try:
            job()
        except BugError as error:
            self.mishaps.note(error)
        except CompanionError as error:
            log.ui.info("refused wish reason=%s", error)
            self.refused.emit(said(str(error)))
        except Exception as error:  # as above
            self.mishaps.note(error)

    def _show(self) -> None:
        """Emit `changed` if anything that is shown has changed."""
        view_state = self._controller.view_state()
        if view_state != self._view_state:
            self._view_state = view_state
            self.changed.emit(said(view_state))

    # -- the sources' threads ---------------------------------------------------------------------------

    def _hired(self, source: PicturedSource) -> SourceRunner[PicturedObservation]:
        """Return a thread for a source; it is not started yet."""

        def take(sight: PicturedObservation) -> None:
            self._take(sight, runner.stopping)

        runner = SourceRunner(
            source.name,
            source.pictured,
            take,
            lost=functools.partial(self._note_lost, source.name),
            found=lambda: self.found.emit(source.name),
            ended=lambda: self.ended.emit(source.name),
        )
        return runner

    def _note_lost(self, name: str, error: Exception, running: int) -> float:
        """Report once that a source is gone; return the seconds to wait before it is tried again."""
        why = str(error)
        if not isinstance(error, DeviceError):  # a bug in one source must not stop the others
            self.mishaps.note(error)
            why = msg("Internal error: {error}", error=repr(error))
        elif running == 1:
            log.ui.info("source lost name=%s fault=%s", name, error.fault.value)
        if running == 1:
            self.lost.emit(name, why)
        return RETRY_S

    def _take(self, sight: PicturedObservation, stopping: threading.Event) -> None:
        if sight.camera is not None:
            self._offer_picture(sight.camera)
        if self._is_paused:
            return
        while not self._behind.acquire(timeout=0.1):
            if stopping.is_set():
                return
        self._jobs.put(lambda: self._feed(sight))

    def _feed(self, sight: PicturedObservation) -> None:
        try:
            self._controller.feed(sight.observation, sight.camera)
        finally:
            self._behind.release()

    def _offer_picture(self, picture: CameraView) -> None:
        """Emit a picture, unless the previous one has not been shown yet."""
        if self._picture_free.is_set():
            self._picture_free.clear()
            self.pictured.emit(said(picture))
