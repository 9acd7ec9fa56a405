"""Words for players: names of places and tiles, one sentence a rule, actions told in words."""

from __future__ import annotations

from collections.abc import Mapping
from string import Formatter
from typing import Final

from companion.errors import Param
from companion.games.blue_moon_city.catalogue import CELLS, COURTYARD, INDEX, printed
from companion.games.blue_moon_city.state import CityState
from companion.i18n import Message, mark, mark_of, msg, msg_of, nmsg
from companion.names import amount, cell_text, player_name
from companion.table import Place, Value, kind_of, parts_of

DRAGON_NAMES: Final = {
    "fire": mark("the fire dragon"),
    "earth": mark("the earth dragon"),
    "water": mark("the water dragon"),
}
# The word before "dragon" in "the {dragon} dragon".
DRAGON_KINDS: Final = {
    "fire": mark_of("dragon", "fire"),
    "earth": mark_of("dragon", "earth"),
    "water": mark_of("dragon", "water"),
}

RULES: Final[Mapping[str, str]] = {
    "game.over": mark("The game is over."),
    "turn.not_yours": mark("It is {active}'s turn, not {player}'s."),
    "turn.no_such_player": mark("There is no player called {player} in this game."),
    "phase.movement_is_over": mark("After the first contribution or offering of a turn, nothing may move."),
    "move.no_step": mark("A walk has at least one step."),
    "move.way_missing": mark("A walk must name every cell it crosses."),
    "move.step_not_orthogonal": mark(
        "A figure steps only to a neighbouring cell, never diagonally ({start} → {end})."
    ),
    "move.too_far": mark(
        "A figure walks two steps a turn, and two more for each Flit of value 2; {steps} is too many, "
        "{allowed} left."
    ),
    "move.wrong_card": mark("Only a Flit of value 2 adds steps; {card} does not."),
    "fly.wrong_card": mark("Only a Flit of value 1 lets a figure fly; {card} does not."),
    "fly.same_cell": mark("A flight must end on a different cell."),
    "dragon.wrong_card": mark(
        "The {dragon} dragon moves only with its own people's cards of value 1 or 2, not with {card}."
    ),
    "dragon.value_1_has_no_path": mark(
        "A card of value 1 puts the {dragon} dragon directly on a cell; it has no path."
    ),
    "dragon.value_2_needs_path": mark("A card of value 2 walks the {dragon} dragon; name every step."),
    "dragon.same_cell": mark("A dragon card must move the {dragon} dragon."),
    "dragon.not_in_city": mark(
        "A card of value 2 moves only a dragon in the city; the {dragon} dragon is not there."
    ),
    "dragon.no_step": mark("A dragon's walk has at least one step."),
    "dragon.step_not_orthogonal": mark("A dragon steps only to a neighbouring cell ({start} → {end})."),
    "dragon.too_far": mark("A card of value 2 walks a dragon up to {allowed} steps; {steps} is too many."),
    "dragon.no_card": mark(
        "The {dragon} dragon moves only when a card of its people is discarded; none was."
    ),
    "contribute.courtyard": mark("The courtyard takes no contributions."),
    "contribute.already_built": mark("{tile} is built; it takes no more contributions."),
    "contribute.no_such_box": mark("{tile} has no such contribution box."),
    "contribute.box_taken": mark("This contribution box is already paid."),
    "contribute.no_marker": mark("{player} has no markers left and cannot contribute."),
    "contribute.wrong_colour": mark("This box is paid in {wanted}, not in {colour}."),
    "contribute.wrong_card": mark("{card} does not count for a contribution in {colour}."),
    "contribute.too_little": mark("The cards are worth {total}; the box asks for {value}."),
    "contribute.no_pair": mark("A pair is two Mimix of value 1 or 2; {one} and {other} are not a pair."),
    "contribute.figure_elsewhere": mark("Players contribute only to the building under their own figure."),
    "recolour.wrong_card": mark("Only a Hoax of value 1 or 2 changes colours; {card} does not."),
    "recolour.wrong_number": mark("{card} changes one to {most} cards, not {number}."),
    "recolour.two_colours": mark("One Hoax changes cards of one colour only."),
    "recolour.same_colour": mark("{card} is already {colour}."),
    "recolour.not_played": mark("{card} is changed by the Hoax, but it was not played."),
    "offer.not_in_courtyard": mark("Offerings are made from the courtyard only."),
    "offer.no_marker": mark("{player} has no markers left and cannot make an offering."),
    "offer.obelisk_full": mark("The obelisk is full."),
    "offer.wrong_card": mark("Only a Pillar of value 1 or 2 allows one more offering; {card} does not."),
    "offer.pillar_before_first": mark("A Pillar allows one more offering; the first of a turn needs none."),
    "offer.once_a_turn": mark("One offering a turn; each further one needs a Pillar."),
    "offer.too_few_crystals": mark("The offering costs {price}, which is more than the player has."),
    "offer.wrong_box": mark("Offerings fill the obelisk from the bottom: the next box asks for {price}."),
    "offer.shaded_box": mark("With two players the two shaded boxes of the obelisk stay empty."),
    "end.too_many_discards": mark("At most two cards may be discarded at the end of a turn, not {number}."),
    "cards.must_be_named": mark("In an open game every card must be named."),
    "cards.not_in_hand": mark("{card} is not in the hand."),
    "cards.hand_too_small": mark("This takes at least {needed}; the hand has {held} at most."),
    "cards.no_more_copies": mark("All {copies} copies of {card} have been discarded."),
    "cards.none_spent": mark(
        "This must be paid with cards, but the discard pile shows that none were spent."
    ),
    "reshuffle.missing": mark(
        "The deck has run out: the line must give the order of the {cards} reshuffled discards."
    ),
    "reshuffle.not_due": mark("Nothing is reshuffled here."),
    "reshuffle.other_cards": mark("The reshuffled cards are not the discards."),
    "setup.tile_twice": mark("{tile} is in the city twice."),
    "setup.courtyard": mark("The courtyard belongs in the middle; it lies here: {cell}."),
    "setup.start_tile": mark("{tile} belongs here: {cell}; {seen} lies there."),
    "setup.start_tile_apart": mark("{tile} belongs next to the courtyard; it lies here: {cell}."),
    "table.marker_missing": mark("A marker stays on its box until the building is complete."),
    "table.marker_moved": mark("A marker stays on the box that was paid."),
    "table.marker_changed": mark("A paid box keeps its owner's marker."),
    "table.stray_marker": mark("No marker belongs here."),
    "table.stray_figure": mark("This figure belongs to no player in this game."),
    "table.offering_missing": mark("A marker on the obelisk stays there until the end."),
    "table.tile_moved": mark("The tiles of the city stay in their places."),
    "table.flipped_early": mark("A building is turned over only when all its boxes are paid."),
    "table.flipped_back": mark("A built tile stays on its built side."),
    "table.differs": mark("No legal play can lead to this table."),
}


def text(rule: str, params: Mapping[str, Param]) -> Message:
    """Return one sentence on a rule; raises KeyError for an unknown id."""
    told = {name: _param_text(name, value) for name, value in params.items()}
    gaps = {name: "…" for _, name, _, _ in Formatter().parse(RULES[rule]) if name}
    return msg(RULES[rule], **{**gaps, **told})


def _param_text(name: str, value: Param) -> Param:
    """Return what to call a rule's parameter; parameters that were not given read as an ellipsis."""
    if isinstance(value, int):
        known = {"price": "crystals", "needed": "cards"}
        return (
            steps_text(value) if name == "steps" else amount(known[name], value) if name in known else value
        )
    match name:
        case "player" | "active":
            return player_name(value)
        case "tile" | "seen":
            return tile_name(value)
        case "card" | "one" | "other":
            return card_name(value)
        case "colour" | "wanted":
            return people_name(value)
        case "dragon":
            return dragon_kind(value)
        case "cell" | "start" | "end" if value in INDEX:
            return cell_text(value, CELLS)
        case _:
            return value


def steps_text(number: int) -> Message:
    """Return a number of steps in words."""
    return nmsg("{n} step", "{n} steps", number)


def people_name(people: str) -> str:
    """Return a people's proper name, the same in all languages."""
    return people.capitalize()


def card_name(card: str) -> str:
    """Return a card in words: ``flit-2`` is called ``Flit 2``."""
    people, _, value = card.partition("-")
    return f"{people_name(people)} {value}"


def dragon_name(dragon: str) -> str:
    """Return a dragon in words."""
    return msg(DRAGON_NAMES[dragon]) if dragon in DRAGON_NAMES else dragon


def dragon_kind(dragon: str) -> str:
    """Return the word before "dragon"."""
    return msg_of("dragon", DRAGON_KINDS[dragon]) if dragon in DRAGON_KINDS else dragon


def figure_name(player: str) -> Message:
    """Return a player's figure in words."""
    return msg("{player}'s figure", player=player_name(player))


def building_name(tile: str) -> str:
    """Return a tile's printed name."""
    if tile == COURTYARD:
        return msg("Courtyard")
    building = printed().buildings.get(tile)
    return tile if building is None else msg(building.name)


def tile_name(tile: str) -> str:
    """Return a tile's printed name as it stands within a sentence."""
    building = building_name(tile)
    return msg("the {building}", building=building) if isinstance(building, Message) else building


def cell_name(state: CityState, cell: str) -> str:
    """Return a cell by the tile that belongs there."""
    return tile_name(state.setup.layout[INDEX[cell]]) if cell in INDEX else cell


def place_name(state: CityState, where: Place) -> str:
    """Return a place in words."""
    kind, parts = kind_of(where), parts_of(where)
    match kind:
        case "cell":
            return msg("the cell of {tile}", tile=cell_name(state, parts[0]))
        case "box":
            return msg("box {number} of {tile}", number=int(parts[1]) + 1, tile=cell_name(state, parts[0]))
        case "figure":
            return figure_name(where.partition(":")[2])
        case "dragon":
            return dragon_name(parts[0])
        case "obelisk":
            value = state.setup.catalogue.obelisk[int(parts[0])]
            return msg("the obelisk's box {number} (worth {value})", number=int(parts[0]) + 1, value=value)
        case _:
            return msg("the discard pile")


def reading_text(where: Place, value: Value) -> str:
    """Return what was recognised, as it is written on a camera's picture; a piece goes by its name."""
    match kind_of(where):
        case "cell" if value is not None:
            tile, _, side = value.partition("/")
            name = building_name(tile)
            return msg("{tile}, built", tile=name) if side == "built" else msg("{tile}, sketch", tile=name)
        case "figure":
            return player_name(where.partition(":")[2])
        case "dragon":
            return dragon_name(parts_of(where)[0])
        case "box" | "obelisk" if value is not None:
            return player_name(value)
        case "discard" if value is not None:
            return card_name(value)
        case _:
            return msg("nothing")


def value_name(state: CityState, where: Place, value: Value) -> str:
    """Return in words what is at a place; for a figure or a dragon, where it is."""
    if kind_of(where) not in ("figure", "dragon"):
        return reading_text(where, value)
    return msg("next to the city") if value is None else msg("on {tile}", tile=cell_name(state, value))


def fix_text(state: CityState, where: Place, seen: Value, wanted: Value) -> Message:
    """Return the instruction that puts one place right."""
    name = place_name(state, where)
    kind = kind_of(where)
    if kind in ("figure", "dragon"):
        if wanted is None:
            return msg("Take {piece} out of the city.", piece=name)
        return msg("Put {piece} back on {tile}.", piece=name, tile=cell_name(state, wanted))
    if kind == "cell":
        return _fix_tile(state, parts_of(where)[0], seen, wanted)
    if wanted is None:
        return msg("Take {player}'s marker off {place}.", player=player_name(seen or ""), place=name)
    if seen is None:
        return msg("Put {player}'s marker on {place}.", player=player_name(wanted), place=name)
    return msg(
        "Take {seen}'s marker off {place} and put {wanted}'s there.",
        seen=player_name(seen),
        place=name,
        wanted=player_name(wanted),
    )


def _fix_tile(state: CityState, cell: str, seen: Value, wanted: Value) -> Message:
    name = cell_name(state, cell)
    if seen is None or wanted is None or seen.partition("/")[0] != wanted.partition("/")[0]:
        return msg("Put {tile} on its cell ({cell}).", tile=name, cell=cell_text(cell, CELLS))
    if wanted.endswith("/built"):
        return msg("Turn {tile} to its built side.", tile=name)
    return msg("Turn {tile} to its sketch side.", tile=name)
