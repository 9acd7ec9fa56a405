"""Prints how many of the cards' powers the engine executes."""

from __future__ import annotations

import sys

from companion.games.blue_moon_legends.catalogue import catalogue


def main() -> int:
    """Print the number of powers executed and the cards whose power is applied by hand; 0 = all executed."""
    powers = [(card, card.power) for card in catalogue().cards.values() if card.power is not None]
    by_hand = [card for card, power in powers if not power.is_executed]
    print(f"{len(powers) - len(by_hand)} of {len(powers)} powers are executed by the engine")
    for card in by_hand:
        print(f"  by hand: {card.id} {card.name}")
    return 1 if by_hand else 0


if __name__ == "__main__":
    sys.exit(main())
