"""A deal as it goes on: the camera's frames, the cards that are taken, what people say of them."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from typing import Final

import cv2
import numpy as np

from companion.i18n import msg
from companion.table import Place
from companion.table_pieces import PieceSet
from companion.view_model import CameraView, Outline
from ui.assembly.deal_draft import DealDraft
from ui.assembly.laid_table import NO_PICTURE
from ui.assembly.table_camera import pictured
from ui.wizard.deal_view import DealtCardView, DealView
from vision.arrays import Image
from vision.capture.sources.frame import FrameSource
from vision.enrolment.dealt_table import DealtTable, Step, Taken
from vision.enrolment.dealt_watch import Now
from vision.enrolment.laid_shot import LearntFace

# The longer edge of a card's small picture, px.
_SMALL_PX: Final = 160


class DealLesson:
    """Watches a deal and keeps what is taken as it comes; the `DealGuide` of its window.

    One thread iterates `steps` or `views`; what people wish is done there, between two frames.

    Attributes:
        table: what is watched, with the deal.
    """

    def __init__(
        self, table: DealtTable, draft: DealDraft, pieces: PieceSet, opener: Callable[[], FrameSource]
    ) -> None:
        self.table = table
        self._draft = draft
        self._pieces = pieces
        self._open = opener
        self._changed = threading.Condition()
        self._wishes: deque[Callable[[], None]] = deque()
        self._source: FrameSource | None = None
        self._is_closed = False
        self._small: dict[int, tuple[LearntFace, CameraView]] = {}
        self._last: Taken | None = None

    # -- what is seen -----------------------------------------------------------------------------

    def steps(self) -> Iterator[tuple[Image, Step]]:
        """Yield the frames and what they brought until the source ends.

        Raises DeviceError, OSError, or ProfileError where nothing can be kept.
        """
        source = self._source = self._open()
        try:
            for frame in source.frames():
                step = self.table.feed(frame.image)
                if step.taken is not None:
                    self._draft.save(self.table.deal)
                yield frame.image, step
        finally:
            source.close()

    def views(self) -> Iterator[DealView]:
        """Yield what is seen until `close`; when the pictures have ended, what is wished alone."""
        self._is_closed = False
        camera, cards, count = NO_PICTURE, self._cards(), len(self.table.deal)
        for image, step in self.steps():
            if self._do_wishes() or len(self.table.deal) != count:
                cards, count = self._cards(), len(self.table.deal)
            camera = self._pictured(image, step)
            yield self._view(camera, _state_text(step), cards)
            if self._is_closed:
                return
        ended = msg("The pictures have ended.")
        yield self._view(camera, ended, cards, is_over=True)
        while self._has_wish():
            self._do_wishes()
            yield self._view(camera, ended, self._cards(), is_over=True)

    def close(self) -> None:
        """End `views` and release the camera; safe at any time, from another thread."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
        if self._source is not None:
            self._source.close()

    # -- what people wish -------------------------------------------------------------------------

    def names(self) -> tuple[tuple[str, str], ...]:
        """Return what a card may be: the faces of the list, and what people call them."""
        return tuple(
            (face, self._pieces.name_of(face)) for face in dict.fromkeys(self.table.deal.order.names)
        )

    def say(self, number: int, face: str | None) -> None:
        """Name a card; those after it follow."""

        def said() -> None:
            if number < len(self.table.deal):
                self.table.deal.say(number, face)
                self._draft.save(self.table.deal)

        self._wish(said)

    def undo(self) -> None:
        """Forget the last card."""

        def undone() -> None:
            self.table.undo()
            self._last = None
            self._draft.undone(self.table.deal)

        self._wish(undone)

    def _wish(self, does: Callable[[], None]) -> None:
        with self._changed:
            self._wishes.append(does)
            self._changed.notify_all()

    def _has_wish(self) -> bool:
        """Wait until something is wished; return False when the deal is closed instead."""
        with self._changed:
            self._changed.wait_for(lambda: self._wishes or self._is_closed)
            return not self._is_closed

    def _do_wishes(self) -> bool:
        """Do what was wished; return whether there was anything."""
        with self._changed:
            wishes = list(self._wishes)
            self._wishes.clear()
        for does in wishes:
            does()
        return bool(wishes)

    # -- how it is shown --------------------------------------------------------------------------

    def _view(
        self, camera: CameraView, state: str, cards: tuple[DealtCardView, ...], *, is_over: bool = False
    ) -> DealView:
        deal, called = self.table.deal, self._pieces.name_of
        following = deal.following()
        return DealView(
            camera=camera,
            state=state,
            following="" if following is None else called(following),
            cards=cards,
            missing=tuple(called(face) for face in deal.missing()),
            is_over=is_over,
        )

    def _cards(self) -> tuple[DealtCardView, ...]:
        return tuple(
            DealtCardView(
                picture=self._small_picture(number),
                face=one.name or "",
                name="" if one.name is None else self._pieces.name_of(one.name),
                is_said=one.is_said,
                is_doubtful=one.is_doubtful,
            )
            for number, one in enumerate(self.table.deal.names())
        )

    def _small_picture(self, number: int) -> CameraView:
        face = self.table.deal.cards[number].face
        known = self._small.get(number)
        if known is None or known[0] is not face:
            known = self._small[number] = face, pictured(_small(face.image))
        return known[1]

    def _pictured(self, image: Image, step: Step) -> CameraView:
        """Return a picture with the card that was taken last, until something moves."""
        if step.taken is not None:
            self._last = step.taken
        elif step.now is Now.MOVING:
            self._last = None
        if self._last is None:
            return pictured(image)
        one = self._last
        label = "?" if one.named.name is None else self._pieces.name_of(one.named.name)
        outline = Outline(
            place=Place(f"card:{one.number}"),
            corners=tuple((float(x), float(y)) for x, y in one.face.corners_px),
            label=label,
            confidence=0.5 if one.named.is_doubtful else 1.0,
        )
        return pictured(image, (outline,))


def _state_text(step: Step) -> str:
    """Return what to do, for people."""
    if step.fault:
        return step.fault
    match step.now:
        case Now.MOVING:
            return msg("Lay it down, and take your hand away.")
        case Now.SETTLING:
            return msg("Hold on …")
        case Now.BLURRED:
            return msg("The picture is not sharp yet.")
        case None:
            return msg("The codes are not seen.")
        case _:
            return msg("Ready for the next one.")


def _small(image: Image) -> Image:
    scale = _SMALL_PX / max(image.shape[:2])
    size = max(round(image.shape[1] * scale), 1), max(round(image.shape[0] * scale), 1)
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
