"""Learning a copy from tiles or cards that are dealt under the camera: the deal, and its profile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from calibration.profile import Profile
from companion.errors import ProfileError
from companion.i18n import msg
from companion.table_layout import TableLayout
from companion.table_pieces import PieceSet
from vision.enrolment.copy_profile import profile_of_copy, with_ground
from vision.enrolment.deal import Deal
from vision.enrolment.dealt_names import DealtOrder
from vision.enrolment.dealt_table import DealtTable
from vision.enrolment.laid_shot import face_size_mm


def new_deal(
    pieces: PieceSet, header: Mapping[str, Any], layout: TableLayout, *, with_backs: bool = True
) -> Deal:
    """Return the deal of a copy in which nothing has come yet.

    Args:
        pieces: of the game.
        header: of a game that is played with all that is dealt.
        layout: the usual table.
        with_backs: one card of each back is dealt first, face down: then cards that lie face down are known.
    """
    backs = tuple(pieces.backs(header)) if with_backs else ()
    names = (*backs, *pieces.sorted_copy(header))
    return Deal(
        order=DealtOrder(names=names, are_alike=pieces.may_look_alike),
        listed_mm=face_size_mm(layout, pieces, names[0]),
        backs=frozenset(backs),
    )


def dealt_profile(
    game: str, pieces: PieceSet, players: Sequence[str], table: DealtTable, missing: Mapping[str, str]
) -> Profile:
    """Return the profile of what was dealt; `missing` tells by name why other things are not known.

    Raises ProfileError if the camera has not seen the table, or nothing was taken.
    """
    faces = table.deal.faces()
    if table.view is None or table.empty is None:
        raise ProfileError(msg("the camera has not seen the codes"))
    if not faces:
        raise ProfileError(msg("no card was taken: lay them one after another between the codes"))
    not_dealt = msg("it was not dealt")
    profile = profile_of_copy(
        game,
        pieces,
        table.layout,
        players,
        faces=faces,
        missing={**missing, **dict.fromkeys(table.deal.missing(), not_dealt)},
        solids=(),
        lens=table.view.camera.lens,
    )
    return with_ground(profile, table.empty, table.view.camera)
