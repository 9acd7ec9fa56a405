"""Words for players: names of places and tiles, one sentence a rule, actions told in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.errors import Param
from companion.games.blue_moon_city.actions import Action, Contribute, End, Fly, Move, MoveDragon, Offer
from companion.games.blue_moon_city.catalogue import CELLS, COURTYARD, INDEX, printed
from companion.games.blue_moon_city.state import CityState
from companion.table import Place, Value, kind_of, parts_of

DRAGON_NAMES: Final = {"fire": "the fire dragon", "earth": "the earth dragon", "water": "the water dragon"}

RULES: Final[Mapping[str, str]] = {
    "game.over": "The game is over; nothing more is played.",
    "turn.not_yours": "It is {active}'s turn, not {player}'s; if {active} has passed, say so.",
    "turn.no_such_player": "Nobody called {player} plays in this game.",
    "phase.movement_is_over": "After the first contribution or offering of a turn nothing moves any more.",
    "move.no_step": "A walk has at least one step.",
    "move.way_missing": "A walk must name every cell that it crosses.",
    "move.step_not_orthogonal": (
        "A figure steps only straight to a neighbouring cell, never diagonally ({start} to {end})."
    ),
    "move.too_far": (
        "A figure walks two steps in a turn, two more for each Flit of value 2; {steps} "
        "steps are too many, {allowed} are left."
    ),
    "move.wrong_card": "Only a Flit of value 2 adds steps; {card} does not.",
    "fly.wrong_card": "Only a Flit of value 1 lets a figure fly; {card} does not.",
    "fly.same_cell": "A flight ends on another cell than it began.",
    "dragon.wrong_card": "The {dragon} dragon obeys its own people's cards of value 1 or 2 only, not {card}.",
    "dragon.value_1_has_no_path": (
        "A card of value 1 brings the {dragon} dragon straight to a cell; it walks no path."
    ),
    "dragon.value_2_needs_path": "A card of value 2 walks the {dragon} dragon; every step must be named.",
    "dragon.same_cell": "A card that leaves the {dragon} dragon where it is may not be spent.",
    "dragon.not_in_city": "A card of value 2 moves a dragon that is in the city; the {dragon} dragon is not.",
    "dragon.no_step": "A dragon's walk has at least one step.",
    "dragon.step_not_orthogonal": "A dragon steps only straight to a neighbouring cell ({start} to {end}).",
    "dragon.too_far": "A card of value 2 walks a dragon up to {allowed} steps; {steps} are too many.",
    "dragon.no_card": (
        "The {dragon} dragon moves only for a discarded card of its people; none was discarded."
    ),
    "contribute.courtyard": "The courtyard takes no contributions.",
    "contribute.already_built": "{tile} is built; it takes no more contributions.",
    "contribute.no_such_box": "{tile} has no such contribution box.",
    "contribute.box_taken": "This contribution box is already paid.",
    "contribute.no_marker": "{player} has no marker left and can contribute nothing.",
    "contribute.wrong_colour": "This box is paid in {wanted}, not in {colour}.",
    "contribute.wrong_card": "{card} does not count for a contribution in {colour}.",
    "contribute.too_little": "The cards are worth {total}; the box asks for {value}.",
    "contribute.no_pair": "A pair is two Mimix of value 1 or 2; {one} and {other} are none.",
    "contribute.figure_elsewhere": "A player contributes only to the building under his own figure.",
    "recolour.wrong_card": "Only a Hoax of value 1 or 2 changes colours; {card} does not.",
    "recolour.wrong_number": "{card} turns one to {most} cards, not {number}.",
    "recolour.two_colours": "One Hoax turns cards of one colour only.",
    "recolour.same_colour": "{card} has the colour {colour} already and cannot be turned into it.",
    "recolour.not_played": "{card} is turned but not among the cards played.",
    "offer.not_in_courtyard": "Offerings are made from the courtyard only.",
    "offer.no_marker": "{player} has no marker left and can make no offering.",
    "offer.obelisk_full": "The obelisk is full.",
    "offer.wrong_card": "Only a Pillar of value 1 or 2 allows one more offering; {card} does not.",
    "offer.pillar_before_first": "A Pillar allows one more offering; the first of a turn needs none.",
    "offer.once_a_turn": "One offering a turn; every further one needs a Pillar.",
    "offer.too_few_crystals": "The offering costs {price} crystals; at most {crystals} are there.",
    "offer.wrong_box": "Offerings fill the obelisk from the bottom: the next box asks for {price} crystals.",
    "offer.shaded_box": "With two players the two shaded boxes of the obelisk stay free.",
    "end.too_many_discards": "At most two cards are discarded at the end of a turn, not {number}.",
    "cards.must_be_named": "In an open game every card is named.",
    "cards.not_in_hand": "{card} is not in the hand.",
    "cards.hand_too_small": "This takes at least {needed} cards; the hand holds {held} at most.",
    "cards.no_more_copies": "All {copies} copies of {card} have been discarded.",
    "cards.none_spent": "This must be paid with cards; the discard pile shows that none was spent.",
    "reshuffle.missing": (
        "The deck is used up: the line must give the order of the {cards} reshuffled discards."
    ),
    "reshuffle.not_due": "Nothing is reshuffled here.",
    "reshuffle.other_cards": "The reshuffled cards are not the discards.",
    "setup.tile_twice": "{tile} lies in the city twice.",
    "setup.courtyard": "The courtyard belongs in the middle, not on {cell}.",
    "setup.start_tile": "{tile} belongs on {cell}; {seen} lies there.",
    "setup.start_tile_apart": "{tile} belongs beside the courtyard, not on {cell}.",
    "table.marker_missing": "A marker stays on its box until the building is complete.",
    "table.marker_moved": "A marker stays on the box that was paid.",
    "table.marker_changed": "A paid box keeps its owner's marker.",
    "table.stray_marker": "No marker belongs here.",
    "table.stray_figure": "Nobody in this game plays with this figure.",
    "table.offering_missing": "A marker on the obelisk stays there to the end.",
    "table.tile_moved": "The tiles of the city keep their places.",
    "table.flipped_early": "A building is flipped only when all its boxes are paid.",
    "table.flipped_back": "A built tile stays on its built side.",
    "table.differs": "The table shows what no legal play can lead to.",
}


def rule_text(rule: str, params: Mapping[str, Param]) -> str:
    """Return one sentence on a rule; raises KeyError for an unknown id."""
    words = {k: tile_name(v) if k == "tile" and isinstance(v, str) else v for k, v in params.items()}
    return RULES[rule].format_map(_Blank(words))


class _Blank(dict[str, Param]):
    """Parameters that were not given read as an ellipsis."""

    def __missing__(self, key: str) -> str:
        return "…"


def tile_name(tile: str) -> str:
    """Return a tile's printed name."""
    if tile == COURTYARD:
        return "the Courtyard"
    building = printed().buildings.get(tile)
    return tile if building is None else f"the {building.name}"


def cell_name(state: CityState, cell: str) -> str:
    """Return a cell by the tile that belongs there."""
    return tile_name(state.setup.layout[INDEX[cell]]) if cell in INDEX else cell


def place_name(state: CityState, where: Place) -> str:
    """Return a place in words."""
    kind, parts = kind_of(where), parts_of(where)
    match kind:
        case "cell":
            return f"the cell of {cell_name(state, parts[0])}"
        case "box":
            return f"box {int(parts[1]) + 1} of {cell_name(state, parts[0])}"
        case "figure":
            return f"the figure of {where.partition(':')[2]}"
        case "dragon":
            return DRAGON_NAMES.get(parts[0], parts[0])
        case "obelisk":
            value = state.setup.catalogue.obelisk[int(parts[0])]
            return f"the obelisk's box {int(parts[0]) + 1} (worth {value})"
        case _:
            return "the discard pile"


def fix_text(state: CityState, where: Place, seen: Value, wanted: Value) -> str:
    """Return the instruction that puts one place right."""
    name = place_name(state, where)
    kind = kind_of(where)
    if kind in ("figure", "dragon"):
        return (
            f"Put {name} back on {cell_name(state, wanted)}." if wanted else f"Take {name} out of the city."
        )
    if kind == "cell":
        return _fix_tile(state, parts_of(where)[0], seen, wanted)
    if wanted is None:
        return f"Take {seen}'s marker off {name}."
    if seen is not None:
        return f"Take {seen}'s marker off {name} and put {wanted}'s there."
    return f"Put {wanted}'s marker on {name}."


def _fix_tile(state: CityState, cell: str, seen: Value, wanted: Value) -> str:
    name = cell_name(state, cell)
    if seen is None or wanted is None or seen.partition("/")[0] != wanted.partition("/")[0]:
        return f"Put {name} on its cell ({cell})."
    side = "built side" if wanted.endswith("/built") else "sketch side"
    return f"Turn {name} to its {side}."


def describe_action(state: CityState, action: Action) -> str:
    """Return an action in words, as seen from the state before it."""
    who = action.player
    match action:
        case Move():
            return f"{who} walks to {cell_name(state, CELLS[action.to])}"
        case Fly():
            return f"{who} flies to {cell_name(state, CELLS[action.to])}"
        case MoveDragon():
            return f"{who} moves {DRAGON_NAMES[action.dragon]} to {cell_name(state, CELLS[action.to])}"
        case Contribute():
            here = CELLS[state.figures[state.setup.players.index(who)]] if who in state.setup.players else "?"
            return f"{who} pays box {action.box + 1} of {cell_name(state, here)}"
        case Offer():
            more = " more" if state.offered else ""
            return f"{who} makes one{more} offering"
        case End():
            return f"{who} ends the turn"
