"""Blue Moon City: catalogue, rules, record, predicted table, reconciling and prompts."""

from companion.games.blue_moon_city.game import BlueMoonCity

GAME = BlueMoonCity()
