"""Urbion: dreams around the cities of sleep, to be balanced; solo and two-player co-operative."""

from companion.components import Display
from companion.games.urbion.game import Urbion
from companion.games.urbion.pieces import PIECES
from companion.games.urbion.presenter import UrbionPresenter, edition_name
from companion.games.urbion.set_up_form import UrbionForm

GAME = Urbion()
DISPLAY = Display(presenter=UrbionPresenter(), edition_name=edition_name, form=UrbionForm())

__all__ = ["DISPLAY", "GAME", "PIECES", "Urbion"]
