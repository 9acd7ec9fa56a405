"""What has been dealt so far, kept in a folder: nothing is lost when the program ends before the deal."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from calibration.profile import LEAST_FACE_MM, MOST_FACE_MM
from companion.errors import MalformedError, ProfileError
from companion.i18n import msg
from companion.storage.files import written_whole
from companion.storage.strict import (
    as_each,
    as_file_name,
    as_integer,
    as_list,
    as_numbers,
    as_object,
    as_string,
    named,
    read_bytes,
    read_json_object,
)
from vision.capture.pictures import packed_face, unpack
from vision.enrolment.deal import Deal
from vision.enrolment.laid_shot import LearntFace

FILE: Final = "deal.json"
_VERSION: Final = 1
_MOST_CARDS: Final = 1000


class DealDraft:
    """A folder that holds a deal that is not over yet; `name` tells deals of different copies apart."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        self._name = name
        self._written = 0

    @property
    def is_there(self) -> bool:
        """Whether something has been kept."""
        return (self._folder / FILE).is_file()

    def load(self, deal: Deal) -> None:
        """Add what was kept to a deal in which nothing has come yet.

        Raises:
            MalformedError: the draft is damaged or of another copy; nothing is added then.
            OSError: it cannot be read.
        """
        file = self._folder / FILE
        with named(str(file)):
            kept = as_object(read_json_object(file), "a deal", ("version", "of", "cards", "said"))
            as_integer(kept["version"], "version", _VERSION, _VERSION)
            if as_string(kept["of"], "of") != self._name:
                raise MalformedError("what was dealt before is of another copy")
            cards = [self._card(one) for one in as_list(kept["cards"], "cards", most=_MOST_CARDS)]
            said = as_each(kept["said"], "said", as_string)
            numbers = {_number(key): name for key, name in said.items()}
        for face in cards:
            deal.add(face)
        for number, name in numbers.items():
            deal.say(number, name)
        self._written = len(cards)

    def save(self, deal: Deal) -> None:
        """Keep a deal as it is now; raises ProfileError in words where there is no room for it."""
        try:
            self._save(deal)
        except OSError as error:
            raise ProfileError(
                msg(
                    "what was dealt cannot be kept in {folder}: {why}; nothing is lost: make room, then try "
                    "again",
                    folder=self._folder,
                    why=error.strerror or error,
                )
            ) from error

    def _save(self, deal: Deal) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        # Cards that were undone and dealt anew have other pictures under the same numbers.
        for number in range(min(self._written, len(deal)), len(deal)):
            face = deal.cards[number].face
            with written_whole(self._folder / _picture(number)) as part:
                part.write_bytes(packed_face(_picture(number), face.image, face.valid))
        self._written = len(deal)
        cards = [
            {"picture": _picture(number), "size_mm": list(one.face.size_mm)}
            for number, one in enumerate(deal.cards)
        ]
        said = {str(number): name for number, name in deal.said.items()}
        kept = {"version": _VERSION, "of": self._name, "cards": cards, "said": said}
        with written_whole(self._folder / FILE) as part:
            part.write_text(json.dumps(kept, ensure_ascii=False), encoding="utf-8")

    def undone(self, deal: Deal) -> None:
        """Keep a deal whose last card was undone; raises ProfileError as `save` does."""
        self._written = min(self._written, len(deal))
        self.save(deal)

    def discard(self) -> None:
        """Remove what was kept; raises OSError."""
        if self.is_there:
            shutil.rmtree(self._folder)
        self._written = 0

    def _card(self, value: object) -> LearntFace:
        found: dict[str, Any] = as_object(value, "a card", ("picture", "size_mm"))
        name = as_file_name(found["picture"], "picture")
        width, height = as_numbers(found["size_mm"], "size_mm", 2, LEAST_FACE_MM, MOST_FACE_MM)
        picture = unpack(read_bytes(self._folder / name), cv2.IMREAD_UNCHANGED)
        if picture.ndim != 3 or picture.shape[2] != 4 or picture.dtype != np.uint8:
            raise MalformedError(f"{name} is no picture of a card")
        return LearntFace(
            picture=name,
            corners_px=np.zeros((4, 2)),
            size_mm=(width, height),
            image=np.ascontiguousarray(picture[..., :3]),
            valid=np.asarray(picture[..., 3] > 127, np.bool_),
        )


def _picture(number: int) -> str:
    return f"{number}.png"


def _number(text: str) -> int:
    if not text.isdecimal() or int(text) >= _MOST_CARDS:
        raise MalformedError(f"there is no card {text}")
    return int(text)
