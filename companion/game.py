"""The interface that every game implements.

A game is a bundle of pure functions over its own state and action types. It never reads a clock or draws
a random number: decks, dice and shuffles arrive in the header or as arguments.
"""

from __future__ import annotations

import enum
import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

from companion.decision import Ask, Decision
from companion.errors import MalformedError, Param, RuleViolation
from companion.free_pieces import FreeTable, Homes, Placed
from companion.i18n import msg
from companion.loose_pieces import LoosePiece
from companion.observation import Observation, Query
from companion.prompts import Prompt
from companion.table import Picture, Place, Value
from companion.table_layout import TableLayout
from companion.view_model import Reminder

# One parsed line of a record: strings, integers, booleans, None, lists and objects.
Json: TypeAlias = dict[str, Any]

S = TypeVar("S")
A = TypeVar("A")


class Verdict(enum.Enum):
    """The answer to "may this be done?" where cards may be hidden."""

    LEGAL = "legal"
    REFUSED = "refused"
    CANNOT_TELL = "cannot_tell"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened by the rules; each game subclasses it for its own events."""


class Game(ABC, Generic[S, A]):
    """One game: header to state, actions, record, predicted table, reconciling, prompts, words.

    `S` is the game's frozen state, `A` the union of its frozen actions.
    """

    name: ClassVar[str]
    # Kinds of places that players may see to only after the next action; flipped tiles always may wait.
    late_kinds: ClassVar[frozenset[str]] = frozenset()
    # Kinds of places that players never put right by hand, because nobody can say exactly what lies there.
    unentered_kinds: ClassVar[frozenset[str]] = frozenset()
    # Kinds of places that tell where a piece is which never leaves the table once it is there: one that is
    # nowhere is in somebody's hand, or nobody sees it.
    roaming_kinds: ClassVar[frozenset[str]] = frozenset()
    # Kinds of pieces that may come to the table in almost any turn, almost anywhere: of one that only likely
    # stands somewhere that is not believed, for it would explain too much.
    arriving_kinds: ClassVar[frozenset[str]] = frozenset()
    # Keys of a checkpoint that no table shows at all: they are reckoned from what was seen to be done.
    reckoned: ClassVar[frozenset[str]] = frozenset()

    # -- set-up and rules -------------------------------------------------------------------------

    @abstractmethod
    def deal(self, rng: random.Random, options: Mapping[str, Any]) -> Json:
        """Return the header of a new open game, shuffled with `rng`.

        `options` are the words of the command line (players, edition, setup ...), all optional.
        Raises MalformedError for an option that the game does not know.
        """

    @abstractmethod
    def start(self, header: Json) -> S:
        """Return the state after the set-up that a record's header describes; raises MalformedError."""

    def corrected(self, corrections: Mapping[str, Any]) -> Game[S, A]:
        """Return the game of a copy on which something else is printed; raises MalformedError."""
        if corrections:
            raise MalformedError(f"nothing printed in {self.name} can be corrected")
        return self

    def header_from_table(self, picture: Picture, options: Mapping[str, Any]) -> Json:
        """Return the closed header of the game that is set up on the table.

        `options` are those of `deal`, with the players' names. Raises MalformedError for what is missing or
        laid wrongly, in words; the default knows no set-up that a table shows whole.
        """
        del picture, options
        raise MalformedError("this game's set-up cannot be read from the table: give a header")

    def is_left_to_table(self, header: Json) -> bool:
        """Say whether a header leaves so much open that the set-up must be read from the table."""
        del header
        return False

    def public_header(self, header: Json) -> Json:
        """Return the header as far as everyone at the table can know it (no hands, no deck)."""
        return header

    def table_layout(self, players: Sequence[str] = ()) -> TableLayout | None:
        """Return the usual layout of the table for these players, None for a game that nothing looks at.

        Without players it has what belongs to nobody. Where things really are is learnt.
        """
        del players
        return None

    def tile_under(self, where: Place) -> Place | None:
        """Return the place of the tile on which a place is, None for one that is on no tile."""
        del where
        return None

    def pointed_at(self, where: Place, value: Value) -> Place | None:
        """Return the place to point at when `value` is wrong for `where`, None where there is none.

        For a piece that stands somewhere it is not the piece's own place but the one on which it stands.
        """
        del value
        return where

    def group_of(self, where: Place) -> str | None:
        """Return the group of places whose pieces have no order, None for a place without a group."""
        del where
        return None

    def stages(self, before: S, action: A, after: S) -> Iterable[Picture]:
        """Return the pictures that the table passes through between two states.

        Only what no state ever predicts: the marker that completes a building, say, lies there for a moment.
        """
        del before, action, after
        return ()

    @abstractmethod
    def apply(self, state: S, action: A) -> tuple[S, tuple[Event, ...]]:
        """Return the next state and what happened, or raise RuleViolation and change nothing."""

    @abstractmethod
    def legal_actions(self, state: S) -> Iterable[A]:
        """Yield the legal actions of an open game, in a fixed order; none when the game is over."""

    def with_chance(self, state: S, action: A, rng: random.Random) -> A:
        """Return the action with the chance it needs filled in (the order of a reshuffle, say)."""
        del state, rng
        return action

    def told(self, state: S, true: S, action: A) -> tuple[A, ...]:
        """Return what players enter by hand for an action where decks are hidden, after what it turns up.

        `state` is the one that knows only what all know, `true` the one in which the action was played.
        """
        del state, true
        return (action,)

    def random_player(self, rng: random.Random) -> Callable[[S], A]:
        """Return a random player for one open game: a function from state to a legal action.

        A game may give its players habits drawn from `rng`, so that games differ and come to an end.
        """
        return lambda state: rng.choice(tuple(self.legal_actions(state)))

    def is_played(self, action: A) -> bool:
        """Say whether someone did the action; hidden cards that become known are nobody's doing."""
        del action
        return True

    def ends_turn(self, action: A) -> bool:
        """Say whether the action does nothing but end the turn, which no table shows."""
        del action
        return False

    def is_revisable(self, state: S, action: A) -> bool:
        """Say whether the players may still take the action back by putting its pieces elsewhere.

        `state` is the one before the action: walking a figure to and fro is one move until the turn goes on.
        """
        del state, action
        return False

    def reachable(self, state: S) -> tuple[Place, ...]:
        """Return the cells that the active player's figure can still go to without playing a card."""
        del state
        return ()

    @abstractmethod
    def judge(self, state: S, action: A) -> Verdict:
        """Say whether the action is legal, refused, or cannot be told because cards are hidden."""

    @abstractmethod
    def result(self, state: S) -> Json | None:
        """Return the record's ``result`` object, or None while the game runs."""

    def admits(self, state: S, claimed: Json) -> bool:
        """Say whether what is hidden may have led to the claimed result, where `result` cannot know it."""
        del state, claimed
        return False

    def open_ending(self, state: S) -> Ask[A] | None:
        """Return the question by which the players settle an ending that hidden cards leave open, if any.

        Its choices carry no actions: a result that `admits` takes, or none where the game may go on.
        """
        del state
        return None

    def settle(self, state: S, result: Json) -> tuple[S, tuple[Event, ...]]:
        """Return the state in which the game has ended as the players say, and what happened by that.

        Raises RuleViolation if `admits` does not take the result.
        """
        del state
        raise RuleViolation("settle.nothing", msg("there is nothing to settle"), result=str(result))

    @abstractmethod
    def turn_of(self, state: S) -> str | None:
        """Return the player who acts next, None after the end."""

    @abstractmethod
    def defects(self, state: S) -> tuple[str, ...]:
        """Return every broken invariant in words (conserved quantities and the like); empty when sound."""

    # -- the record -------------------------------------------------------------------------------

    @abstractmethod
    def parse_action(self, line: Json) -> A:
        """Return the action of one record line; raises MalformedError for unknown keys or values."""

    @abstractmethod
    def format_action(self, action: A) -> Json:
        """Return the record line of an action; the inverse of `parse_action`."""

    @abstractmethod
    def checkpoint(self, state: S) -> Json:
        """Return the full ``check`` object that the state gives."""

    @abstractmethod
    def check(self, state: S, claimed: Json) -> None:
        """Compare a checkpoint's keys with the state; raises MalformedError naming the first difference."""

    # -- the table --------------------------------------------------------------------------------

    @abstractmethod
    def predict(self, state: S) -> Picture:
        """Return the picture of the table that the state casts, every place in it."""

    @abstractmethod
    def explain(self, state: S, seen: Query) -> Decision[A]:
        """Say what the snapshot means in this state: the heart of reconciling, pure and deterministic."""

    def located(self, state: S, observation: Observation) -> Observation:
        """Return the observation with the places of the pieces in its free areas.

        `state` says what is known to lie there. Of what nobody could tell nothing is said.
        """
        del state
        return observation

    def laid_out(self, options: Mapping[str, Any], observation: Observation) -> Observation:
        """Return the observation with the places of the pieces in its free areas, before any game has begun.

        `options` as in `header_from_table`; raises MalformedError if they are no game's.
        """
        del options
        return observation

    def placed(self, layout: TableLayout, players: Sequence[str], table: FreeTable) -> Placed:
        """Return what lies free on a table as sightings of places, and as the pieces of areas.

        Nothing is known of what lay there before; `located` makes places of the areas.
        """
        del layout, players, table
        return Placed()

    def homes(self, layout: TableLayout, players: Sequence[str], table: FreeTable) -> Homes:
        """Return where each face and each piece that lies free on a table is; see `placed`."""
        del layout, players, table
        return Homes()

    def area_of(self, where: Place) -> str | None:
        """Return the free area from which a place is known, None for a place that is looked at itself."""
        del where
        return None

    def spots(self, picture: Picture) -> Mapping[Place, LoosePiece]:
        """Return where careful players put the pieces in free areas, by place."""
        del picture
        return {}

    @abstractmethod
    def parse_table(self, table: Json) -> dict[Place, Value]:
        """Return the picture of a ``table state`` object; raises MalformedError."""

    @abstractmethod
    def format_table(self, picture: Picture) -> Json:
        """Return the ``table state`` object of a picture."""

    @abstractmethod
    def format_reading(self, observation: Observation) -> Json:
        """Return the ``table state`` object of one observation, with its ``confidence`` member."""

    # -- words ------------------------------------------------------------------------------------

    @abstractmethod
    def prompts(self, before: S, action: A, after: S, events: tuple[Event, ...]) -> tuple[Prompt, ...]:
        """Return what the players are to be told after an accepted action."""

    @abstractmethod
    def describe(self, state: S) -> str:
        """Return the state in a line or a few, for messages and logs."""

    @abstractmethod
    def describe_action(self, state: S, action: A) -> str:
        """Return the action in words, as seen from the state before it."""

    def name_place(self, state: S, place: Place) -> str:
        """Return a place in words."""
        del state
        return str(place)

    def name_value(self, state: S, place: Place, value: Value) -> str:
        """Return what is at a place, in words."""
        del state, place
        return msg("nothing") if value is None else value

    def reminders(self) -> tuple[Reminder, ...]:
        """Return the rules to look up, in our own words, in the order to list them."""
        return ()

    @abstractmethod
    def rule_text(self, rule: str, params: Mapping[str, Param]) -> str:
        """Return one sentence that states the rule; raises KeyError for an unknown id."""
