"""Blue Moon Legends: two decks of peoples fight in fire and earth for three dragons; 2 players."""

from companion.components import Display
from companion.games.blue_moon_legends.game import BlueMoonLegends
from companion.games.blue_moon_legends.pieces import PIECES
from companion.games.blue_moon_legends.presenter import LegendsPresenter, edition_name
from companion.games.blue_moon_legends.set_up_form import LegendsForm

GAME = BlueMoonLegends()
DISPLAY = Display(presenter=LegendsPresenter(), edition_name=edition_name, form=LegendsForm())

__all__ = ["DISPLAY", "GAME", "PIECES", "BlueMoonLegends"]
