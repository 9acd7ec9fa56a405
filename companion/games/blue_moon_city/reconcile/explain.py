"""Reconciling: what a snapshot of the table means in a state.

The differences between the seen and the predicted table are sorted (`differences`), shared out among the
turns of the shortest run that could hold them, and the run is played by the rules (`hypotheses`). What no
run explains names the rule that its most likely reading breaks, and what to put back.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from companion.decision import Accepted, Ask, Choice, Decision, Fix, InStep, OutOfStep, Waiting
from companion.errors import RuleViolation
from companion.games.blue_moon_city.actions import Action, Contribute, End, Fly, Move, MoveDragon
from companion.games.blue_moon_city.catalogue import CELLS, DRAGONS
from companion.games.blue_moon_city.descriptions import describe_action
from companion.games.blue_moon_city.reconcile.blind import (
    blind_spot,
    hidden_payments,
    may_have_ended,
    rescuer,
    unpaid_turn,
    unseen_round,
    visible_places,
)
from companion.games.blue_moon_city.reconcile.differences import (
    Differences,
    compare,
    fixes_for,
    pending_flips,
)
from companion.games.blue_moon_city.reconcile.faults import (
    all_places,
    flipped_early,
    misplaced,
    out_of_step,
    wrong_flip,
)
from companion.games.blue_moon_city.reconcile.hypotheses import (
    CityPlay,
    CityRun,
    RunRefused,
    TurnPlan,
    assumed_in,
    cost_of,
    essence,
    passes_of,
    plans_for,
    play,
    shifts,
    unlikely,
    veil,
)
from companion.games.blue_moon_city.reconcile.pile import UNEXPLAINED, check_discards, oddity
from companion.games.blue_moon_city.rules.apply import apply
from companion.games.blue_moon_city.state import CityState
from companion.games.blue_moon_city.texts import cell_name, place_name
from companion.games.kit.search import different, too_little
from companion.i18n import Message, join, msg, nmsg
from companion.names import list_text, player_name
from companion.observation import Query
from companion.table import Place

# How odd it is that the cards of a contribution are not on the pile: they may be still to come, or lie under
# one that looks like the card below them.
_UNPAID = 3
# Where what has changed can be shared out among turns in more ways than this, the game has moved on.
_MOST_WAYS = 500


def explain(state: CityState, seen: Query) -> Decision[Action]:
    """Say what the snapshot means; pure and deterministic."""
    if state.outcome is not None:
        return InStep(text=msg("The game is over."))
    return CitySearch(state, seen).decision()


class CitySearch(CityPlay):
    """A snapshot that is explained, from the state as everyone at the table knows it.

    Its levels are groups of plans that share the differences out among turns, those first that suppose least.
    """

    def __init__(self, state: CityState, seen: Query) -> None:
        view = veil(state)
        super().__init__(view, _followed(view, seen), apply, describe_action)
        self._known = state  # open hands count for what could be paid
        self.view, self.found = self.state, self.start.wrong
        flipped = self.found.flipped
        self._is_shared = any(len(_standing(self.view, self.found, cell)) > 1 for cell in flipped)
        self._early: Decision[Action] | None = None
        self._believed: list[_Believed] = []
        self._doubted: list[_Believed] = []
        self._refusal: RunRefused | None = None  # of the likeliest run that was refused
        self._unpaid: tuple[int, RunRefused] | None = None  # of the likeliest that only lacks its cards
        self._is_cut_short = False

    @cached_property
    def _sight(self) -> frozenset[Place]:
        return visible_places(self.seen)

    def differences(self, state: CityState) -> Differences:
        """Return the differences between the table and a state."""
        return compare(state, self.seen)

    def late(self, run: CityRun) -> tuple[Fix, ...]:
        """Return the markers to take off and the tiles to flip."""
        return pending_flips(run.state, self.seen)

    def essence(self, state: CityState) -> tuple[Hashable, ...]:
        """Return what matters of a state."""
        return essence(state)

    def agreed(self) -> Decision[Action]:
        """Say that all is well, or what is awaited: a flip, or what a card was discarded for."""
        if self.late(self.start) or not self.found.top_changed:
            return super().agreed()
        text = msg("A card was discarded; waiting to see what it was for.")
        pieces = [Place(f"figure:{name}") for name in self.view.setup.players]
        pieces += [Place(f"dragon:{dragon}") for dragon in DRAGONS]
        # What the card was for may stand where nobody sees it.
        if self.seen.trusting or all(piece in self._sight for piece in pieces):
            return InStep(text=text)
        return Waiting(text=text)

    def decision(self) -> Decision[Action]:
        """Say what the snapshot means; wait where a place that is not seen may prove no rule broken."""
        verdict = super().decision()
        if not isinstance(verdict, OutOfStep):
            return verdict
        # A figure that was not seen might have stood on the tile; no run bears that out.
        view, seen, found = self.view, self.seen, self.found
        verdict = wrong_flip(view, seen, found, trust_unseen=False) or verdict
        if seen.trusting:
            return verdict
        sight = self._sight
        if (hidden := rescuer(view, verdict.rule, found, sight)) is not None:
            return _unsighted(view, hidden)
        # Who seems to have passed may have paid what nobody sees.
        passed = verdict.offers[0].actions if verdict.offers else ()
        return self._perhaps_unseen(passed, sight) or verdict

    # -- the search ---------------------------------------------------------------------------------

    def run(self) -> None:
        """Look at the runs, unless something is in the air or lies where no legal play moves it."""
        view, seen, found = self.view, self.seen, self.found
        if found.lifted:
            self._early = _in_flight(view, seen, found)
        else:
            self._early = _clearing(view, seen, found) or misplaced(view, seen, found)
        if self._early is None:
            super().run()

    def levels(self) -> Iterator[list[CityRun]]:
        """Yield the legal runs that may be believed; later levels suppose more."""
        view, found = self.view, self.found
        is_open = may_have_ended(view, self._sight)
        for group in shifts(view, found, is_turn_open=is_open):
            shared = [plans_for(view, found, shift, most=_MOST_WAYS) for shift in group]
            self._is_cut_short = None in shared
            if self._is_cut_short:
                return
            plans = [p for ways in shared for p in ways or ()]
            costs = [cost_of(view, each, found, is_turn_open=is_open) for each in plans]
            priced = sorted(zip(costs, plans, strict=True), key=lambda each: each[0])
            yield [run for cost, plan in priced for run in self._tried(cost, plan)]

    def longer(self, run: CityRun) -> Iterator[CityRun]:
        """Yield nothing: runs are planned whole."""
        del run
        yield from ()

    def is_enough(self) -> bool:
        """Say whether a level that supposes more is not needed.

        It is where the pile speaks against all runs, not where the likeliest only waits for its cards.
        """
        if any(not one.odd for one in self._believed) and not self._is_shared:
            return True
        refusal = self._refusal
        return not self.whole and refusal is not None and _is_unpaid(refusal) and not refusal.odd

    def _tried(self, cost: int, plans: list[TurnPlan]) -> Iterator[CityRun]:
        """Yield the run of these plans if it is legal and leads to the seen table, and may be believed."""
        if self._believed and cost > self._dearest():
            return
        doubt = unlikely(self.view, plans, self.found)
        self._refusal = self._refusal or doubt
        try:
            run = self._played(plans)
        except RunRefused as refused:
            if self._unpaid is None and _is_unpaid(refused):
                self._unpaid = (cost + refused.odd, refused)
            self._refusal = self._refusal or refused
            return
        believed = _Believed(cost, oddity(run, self.found), run, plans)
        if doubt is not None:
            self._doubted.append(believed)
            return
        self._believed.append(believed)
        yield run

    def _played(self, plans: list[TurnPlan]) -> CityRun:
        """Return the run if it is legal and leads to the seen table; raises RunRefused."""
        run = play(self, self._known, plans)
        run = check_discards(run, self.found, self.view, may_be_unpaid=self.seen.doubting)
        if run.wrong:
            raise RunRefused(RuleViolation("table.differs"), all_places(self.view, run.wrong))
        return run

    def _dearest(self) -> int:
        """Return what a run may cost to be believed beside the likeliest.

        Where several stand on a flipped tile and a turn went by or cards were discarded meanwhile, the next
        of them may have paid its last boxes, though whoever came before him then only passed. Where the
        likeliest does not quite explain the pile, one that does may be true though more happened in it.
        """
        best = min(self._believed, key=lambda one: one.cost)
        has_ended = any(isinstance(action, End) for action in best.run.actions)
        if self._is_shared and (self.found.earlier_discards or has_ended):
            return best.cost + 3
        return best.cost + (2 if best.odd else int(self.seen.doubting))

    def _owed(self) -> RunRefused | None:
        """Return the refusal of a run that only lacks its cards, where no other is nearly as likely."""
        if self._unpaid is None or self.seen.doubting:
            return None
        cost, refusal = self._unpaid
        return refusal if all(one.cost > cost + _UNPAID for one in self._believed) else None

    # -- the verdict --------------------------------------------------------------------------------

    def chosen(self) -> Decision[Action]:
        """Let the likely runs decide together, once all is seen that could tell them apart."""
        if self._is_cut_short:
            return too_little()
        if self._owed() is not None:
            return self.unexplained()
        self._believe_doubted()
        dearest = self._dearest()
        likely = [one.run for one in self._believed if one.cost <= dearest]
        sight, trusting = self._sight, self.seen.trusting
        top = self.found.top_now if self.found.top_changed else None
        blind = (blind_spot(self.view, run.actions, sight, top) for run in likely)
        if not trusting and (hidden := next(filter(None, blind), None)) is not None:
            return _unsighted(self.view, hidden)
        verdict = self._verdict(likely)
        if not isinstance(verdict, Accepted):
            return verdict
        asked = None if trusting else self._perhaps_paid(verdict.actions, sight)
        asked = asked or self._perhaps_round(verdict.actions, sight)
        return asked or self._perhaps_unseen(verdict.actions, sight) or verdict

    def _believe_doubted(self) -> None:
        """Believe unlikely runs too where cards were discarded that no likely one accounts for."""
        if all(one.odd >= UNEXPLAINED for one in self._believed):
            self._believed += self._doubted  # someone may well have passed
        elif self.seen.doubting and all(one.odd for one in self._believed):
            self._believed += [one for one in self._doubted if not one.odd]

    def unexplained(self) -> Decision[Action]:
        """Return the verdict where no run is legal and believable."""
        if self._early is not None:
            return self._early
        view, seen, found = self.view, self.seen, self.found
        refusal = None if self._is_cut_short else self._owed() or self._refusal
        if refusal is None:
            if found.flipped:
                return flipped_early(view, seen, found.flipped[0])
            return out_of_step(view, seen, RuleViolation("table.differs"), all_places(view, found))
        if _is_unpaid(refusal):
            if _is_flip_alone(view, found):
                return flipped_early(view, seen, found.flipped[0])
            return Waiting(text=msg("The cards for this still have to be discarded."))
        places = refusal.places or all_places(view, found)
        return out_of_step(view, seen, refusal.violation, places, self._offers(refusal.skipped))

    def _verdict(self, runs: list[CityRun]) -> Decision[Action]:
        answers = different(runs, essence)
        if len(answers) == 1:
            run = min(runs, key=lambda run: len(run.actions))
            return self.accepted(run, assumed=assumed_in(run))
        answers.sort(key=lambda run: -_purposeful_dragons(self.view, run))
        return self.ask(_question(self.found), answers[: self.limits.choices])

    def _perhaps_paid(self, actions: tuple[Action, ...], sight: frozenset[Place]) -> Ask[Action] | None:
        """Return the question whether a box that pieces hide was paid, where a card on the pile says so."""
        view = self.view
        paid = hidden_payments(view, actions, self.found.tops[1:], sight)
        runs = [run for payment in paid for run in self.played(self.start, (payment, *actions))]
        if not runs:
            return None
        text = msg(
            "Was a box of {building} paid? Pieces hide it, and a card that could pay for it was discarded.",
            building=cell_name(view, CELLS[view.figures[view.active]]),
        )
        return self.ask(text, (*runs, *self.played(self.start, actions)))

    def _perhaps_round(self, actions: tuple[Action, ...], sight: frozenset[Place]) -> Ask[Action] | None:
        """Return the question whether the others had turns that nobody saw before a figure moved on."""
        ways = unseen_round(self.view, actions, sight)
        if not ways:
            return None
        plans = next(one.plans for one in self._believed if one.run.actions == actions)
        *paid, passed = (self._led_by([*way, *plans]) for way in ways)
        runs = [run for run in paid if run is not None]
        if not runs:
            return None
        text = msg(
            "{player} seems to have moved twice. Was there a turn in between that Moontable could not see?",
            player=player_name(self.view.player),
        )
        runs = [*runs[: self.limits.choices - 2], *filter(None, [passed])]
        return self.ask(text, (*runs, *self.played(self.start, actions)))

    def _led_by(self, plans: list[TurnPlan]) -> CityRun | None:
        """Return the run of these turns, None if it is not legal or does not lead to the seen table."""
        try:
            return self._played(plans)
        except RunRefused:
            return None

    def _perhaps_unseen(self, actions: tuple[Action, ...], sight: frozenset[Place]) -> Ask[Action] | None:
        """Return the question which box was paid in a turn of which not all is seen."""
        seen = self.seen
        number, paid = unpaid_turn(self.view, actions, sight, seen.doubted, is_vain=seen.trusting)
        ways = [(*actions[:number], payment, *actions[number:]) for payment in paid]
        runs = [run for way in ways for run in self.played(self.start, way)]
        if not runs:
            return None
        (ended,) = self.played(self.start, actions[:number])
        player, cell = ended.state.player, CELLS[ended.state.figures[ended.state.active]]
        text = msg(
            "What did {player} do on {building}? Moontable does not see all of it.",
            player=player_name(player),
            building=cell_name(ended.state, cell),
        )
        return self.ask(text, (*runs[: self.limits.choices - 1], *self.played(self.start, actions)))

    def _offers(self, skipped: tuple[TurnPlan, ...]) -> tuple[Choice[Action], ...]:
        """Return what players may say about turns that left no trace: that they are over."""
        if not skipped:
            return ()
        players = self.view.setup.players
        plans = [*skipped, TurnPlan(seat=(skipped[-1].seat + 1) % len(players))]
        try:
            run = play(self, self.view, plans)
        except RunRefused:
            return ()
        passed = passes_of(self.view, plans)
        names = [player_name(players[plan.seat]) for plan in passed]
        words = [
            msg("{player}'s turn is over", player=player_name(players[plan.seat]))
            for plan in skipped
            if plan not in passed
        ]
        words.append(nmsg("{players} passed", "{players} passed", len(names), players=list_text(names)))
        return (Choice(actions=run.actions, text=join(", ", words)),)


@dataclass(frozen=True, slots=True)
class _Believed:
    """A legal run; how much it supposes, how odd the discard pile would be after it, and its turns."""

    supposed: int
    odd: int
    run: CityRun
    plans: list[TurnPlan]

    @property
    def cost(self) -> int:
        """Return how unlikely the run is."""
        return self.supposed + self.odd


def _followed(view: CityState, seen: Query) -> Query:
    """Return the snapshot without the figures that have left their cells, where new markers tell for where.

    Players contribute only where their figure stands. So it stands there, though nobody makes it out.
    """
    figures = [Place(f"figure:{name}") for name in view.setup.players]
    if all(seen.picture.get(figure, "") is not None for figure in figures):
        return seen
    found = compare(view, seen)
    cells = {seat: {cell for cell, _ in spots} for seat, spots in found.placed.items()}
    gone = {
        figures[seat] for seat, its in cells.items() if len(its) == 1 and view.figures[seat] not in its
    }.intersection(found.lifted)
    return replace(seen, picture={at: value for at, value in seen.picture.items() if at not in gone})


# -- what is told without a search ----------------------------------------------------------------------


def _unsighted(view: CityState, where: Place) -> Waiting:
    text = msg(
        "Something moved; to be sure what, Moontable needs to see {place}.", place=place_name(view, where)
    )
    return Waiting(text=text)


def _in_flight(view: CityState, seen: Query, found: Differences) -> Waiting:
    fixes = fixes_for(view, seen, found.lifted)
    pieces = join(", ", [place_name(view, p) for p in found.lifted])
    return Waiting(text=msg("Waiting to see {pieces} clearly again.", pieces=pieces), pending=fixes)


def _clearing(view: CityState, seen: Query, found: Differences) -> Waiting | None:
    """Return what is awaited when markers are coming off a building that was just completed.

    A full row of missing markers under the active figure is a completion being tidied up, unless the discard
    pile shows that nothing was paid; the flip of the tile proves it. Missing markers on a tile whose free
    boxes all got new ones need no proof, unless one of them may only have been knocked there.
    """
    here = found.figures.get(view.active, view.figures[view.active])
    for cell in {cell for cell, _, _ in found.gone}:
        strayed = {owner for c, _, owner in found.gone if c == cell} & set(found.placed)
        is_full = _is_full(view, found, cell)
        if cell in found.flipped or (is_full and not strayed):
            found.gone = [gone for gone in found.gone if gone[0] != cell]
        elif cell == here and not found.top_unchanged and _may_be_clear(view, seen, cell, strayed, is_full):
            return Waiting(
                text=msg(
                    "The markers have been taken off {tile}: if it is complete, turn it to its built side.",
                    tile=cell_name(view, CELLS[cell]),
                )
            )
    return None


def _may_be_clear(view: CityState, seen: Query, cell: int, strayed: set[int], is_full: bool) -> bool:
    """Whether a tile may be complete: it is seen bare, or only the active player has markers new on it."""
    places = (Place(f"box:{CELLS[cell]}:{box}") for box in range(len(view.boxes[cell])))
    is_bare = all(seen.picture.get(where, "") is None for where in places)
    return (is_bare and not strayed) or (is_full and strayed <= {view.active})


def _is_full(view: CityState, found: Differences, cell: int) -> bool:
    new = {box for spots in found.placed.values() for c, box in spots if c == cell}
    return bool(view.boxes[cell]) and all(o >= 0 or b in new for b, o in enumerate(view.boxes[cell]))


def _is_flip_alone(view: CityState, found: Differences) -> bool:
    """Whether a tile was flipped and nothing else speaks for several contributions, not even a walk there.

    One box may have been paid unseen: its card may lie under one that looks like the card before it.
    """
    return any(view.boxes[cell].count(-1) > 1 for cell in found.flipped) and view.active not in found.figures


# -- runs ------------------------------------------------------------------------------------------------


def _is_unpaid(refusal: RunRefused) -> bool:
    return refusal.violation.rule == "cards.unpaid"


def _standing(view: CityState, found: Differences, cell: int) -> list[int]:
    """Return whose figures stand on the cell, as far as they are seen."""
    return [s for s, here in enumerate(view.figures) if found.figures.get(s, here) == cell]


def _purposeful_dragons(view: CityState, run: CityRun) -> int:
    """Return how many dragons were moved to where their mover then contributed: the use of dragons."""
    purposeful = 0
    figures = dict(zip(view.setup.players, view.figures, strict=True))
    moved: list[int] = []
    for action in run.actions:
        match action:
            case MoveDragon():
                moved.append(action.to)
            case Move() | Fly():
                figures[action.player] = action.to
            case Contribute():
                purposeful += moved.count(figures[action.player])
                moved = []
            case End():
                moved = []
            case _:
                pass
    return purposeful


def _question(found: Differences) -> Message:
    if found.flipped:
        return msg("A building was turned over, and several players could have paid its last boxes: who did?")
    if found.dragons:
        return msg("A dragon moved, and it matters when: which of these happened?")
    return msg("It matters whose turn it was: which of these happened?")
