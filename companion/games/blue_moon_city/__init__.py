"""Blue Moon City: catalogue, rules, record, predicted table, reconciling, prompts, and what is in its box."""

from companion.components import Display
from companion.games.blue_moon_city.components import CityComponents
from companion.games.blue_moon_city.game import BlueMoonCity
from companion.games.blue_moon_city.set_up_form import CityForm

GAME = BlueMoonCity()
COMPONENTS = CityComponents(GAME)
DISPLAY = Display(presenter=COMPONENTS.presenter, edition_name=COMPONENTS.edition_name, form=CityForm())
