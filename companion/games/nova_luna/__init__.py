"""Nova Luna: tiles from a moon wheel, laid to fulfil tasks; 1 to 4 players."""

from companion.components import Display
from companion.games.nova_luna.game import NovaLuna
from companion.games.nova_luna.pieces import PIECES
from companion.games.nova_luna.presenter import NovaPresenter, edition_name
from companion.games.nova_luna.set_up_form import NovaForm

GAME = NovaLuna()
DISPLAY = Display(presenter=NovaPresenter(), edition_name=edition_name, form=NovaForm())

__all__ = ["DISPLAY", "GAME", "PIECES", "NovaLuna"]
