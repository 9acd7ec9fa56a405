"""Which light gets which colour: places to lights, highlights to colours. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from companion.table import Picture, Place, kind_of, place
from firmware_bridge.wire import messages
from firmware_bridge.wire.messages import LIGHT_KINDS, LIGHTS_MOST, Colour, Command, GeometryEntry, Kind

DARK: Final[Colour] = (0, 0, 0)
FLIP: Final[Colour] = (255, 160, 40)
WRONG: Final[Colour] = (255, 0, 0)
REACH: Final[Colour] = (0, 60, 160)
ANYBODY: Final[Colour] = (200, 200, 200)


def map_lights(entries: Sequence[GeometryEntry]) -> dict[Place, int]:
    """Return the light of every place that has one."""
    found: dict[Place, int] = {}
    light = 0
    for entry in entries:
        if entry.kind not in LIGHT_KINDS:
            continue
        for i in range(entry.count):
            if entry.kind == Kind.CELL_LIGHT:
                found[place("cell", f"{entry.row},{entry.col}")] = light + i
            elif entry.kind == Kind.BOX_LIGHT:
                found[place("box", f"{entry.row},{entry.col}", entry.first + i)] = light + i
            elif entry.kind == Kind.OBELISK_LIGHT:
                found[place("obelisk", entry.first + i)] = light + i
        light += entry.count
    return found


def compose(
    *,
    wanted: Picture,
    colours: Mapping[str, Colour],
    taken: Mapping[Place, str] | None = None,
    wrong: Iterable[Place] = (),
    reachable: Iterable[Place] = (),
    payable: Iterable[Place] = (),
) -> dict[Place, Colour]:
    """Return what to light.

    `wanted` is what the table should come to show (a prompt's ``done_when``), `taken` the boxes just taken
    and by whom, `wrong` what must be put right, `reachable` the cells that a figure can still reach,
    `payable` the boxes that someone could pay. Earlier ones take precedence over later ones, except that
    `wrong` takes precedence over all.
    """
    lit = dict.fromkeys(reachable, REACH)
    lit.update(dict.fromkeys(payable, ANYBODY))
    lit.update({where: colours.get(player, ANYBODY) for where, player in (taken or {}).items()})
    for where, value in wanted.items():
        if kind_of(where) in ("figure", "dragon"):
            if value is not None:
                lit[place("cell", value)] = colours.get(where.partition(":")[2], ANYBODY)
        elif kind_of(where) == "cell":
            lit[where] = FLIP
        else:
            lit[where] = colours.get(value or "", ANYBODY)
    lit.update(dict.fromkeys(wrong, WRONG))
    return lit


def dimmed(colour: Colour, brightness: float) -> Colour:
    """Return the colour at this brightness (0 to 1); a lit light stays visible unless the brightness is 0."""
    low = 1 if brightness > 0 else 0
    red, green, blue = (max(low, round(c * brightness)) if c else 0 for c in colour)
    return red, green, blue


def light_commands(shown: Sequence[Colour], wanted: Sequence[Colour]) -> Iterator[Command]:
    """Yield the fewest commands that turn the lights from `shown` to `wanted`, the last one showing them."""
    changed = [i for i, (a, b) in enumerate(zip(shown, wanted, strict=True)) if a != b]
    if changed and all(colour == DARK for colour in wanted):
        yield messages.fill(0, len(wanted), DARK, show=True)
        return
    while changed:
        first = changed[0]
        # A gap of a few unchanged lights costs less than another command.
        part = [i for i in changed if i < first + LIGHTS_MOST]
        changed = changed[len(part) :]
        yield messages.lights(first, wanted[first : part[-1] + 1], show=not changed)
