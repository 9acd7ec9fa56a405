"""The board of prompts: what opens, what closes, and what comes first."""

from companion.decision import Ask, Choice, Fix, InStep, OutOfStep
from companion.observation import Snapshot
from companion.prompts import Prompt, PromptKind
from companion.session.ledger import GameLine, Played
from companion.session.prompt_board import PromptBoard, open_prompts
from companion.table import place
from tests.helpers.toy_game import GAME

LAMP = place("cell", 0)


def told(kind: PromptKind, number: int, *, done: bool = False) -> Prompt:
    return Prompt(id=f"{kind.value}/{number}", kind=kind, text="", done_when={LAMP: "lit"} if done else {})


def line(*actions: tuple[str, list[Prompt]]) -> GameLine[None, int]:
    """Return a game whose actions pass the turn to the named players and tell these prompts."""
    return GameLine(
        start=None,
        played=tuple(
            Played(action=n, entry=n, by="table", after=None, turn=turn, events=(), prompts=tuple(prompts))
            for n, (turn, prompts) in enumerate(actions, 1)
        ),
    )


def kinds(game: GameLine[None, int], closed: set[tuple[int, str]] | None = None) -> list[str]:
    """Return the ids of what is open."""
    return [prompt.id for prompt in open_prompts(game, closed or set()).values()]


def test_prompts_last_as_long_as_they_matter() -> None:
    """Turn news lasts for the turn, rewards for two, housekeeping until it is done, the end for ever."""
    everything = [
        told(PromptKind.END, 1),
        told(PromptKind.HOUSEKEEPING, 1, done=True),
        told(PromptKind.REWARD, 1),
        told(PromptKind.OBELISK, 1),
        told(PromptKind.TURN, 1),
    ]
    first = ("ann", everything)

    assert kinds(line(first)) == ["end/1", "housekeeping/1", "reward/1", "obelisk/1", "turn/1"]
    assert kinds(line(first, ("ann", []))) == ["end/1", "housekeeping/1", "reward/1", "obelisk/1", "turn/1"]
    assert kinds(line(first, ("ben", []))) == ["end/1", "housekeeping/1", "reward/1"]
    assert kinds(line(first, ("ben", []), ("ann", []))) == ["end/1", "housekeeping/1"]
    assert kinds(line(first), {(1, "end/1"), (1, "turn/1")}) == ["housekeeping/1", "reward/1", "obelisk/1"]


def test_newer_news_of_the_turn_replaces_older() -> None:
    """Of two turn prompts in one turn only the newer stands, even when it was closed already."""
    game = line(("ann", [told(PromptKind.TURN, 1)]), ("ann", [told(PromptKind.TURN, 2)]))

    assert kinds(game) == ["turn/2"]
    assert kinds(game, {(2, "turn/2")}) == []


def test_by_hand_what_nobody_sees_done_goes_with_the_turns() -> None:
    """Watched, tidying up stays until the table shows it; where nothing watches, it does not pile up."""
    tidy = told(PromptKind.HOUSEKEEPING, 1, done=True)
    game = line(("ann", [tidy]), ("bob", []), ("ann", []))

    assert [prompt.id for prompt in open_prompts(game, set()).values()] == [tidy.id]
    assert {} == open_prompts(game, set(), is_watched=False)
    assert [tidy.id] == [p.id for p in open_prompts(line(("ann", [tidy])), set(), is_watched=False).values()]


def test_the_important_comes_first() -> None:
    """Violations and questions stand before everything else."""
    board = PromptBoard([])
    game = line(("ann", [told(PromptKind.TURN, 1), told(PromptKind.REWARD, 1)]))
    fix = Fix(place=LAMP, seen="lit", wanted="dark", text="Turn lamp 0 over.")
    board.tell(GAME, OutOfStep(rule="step.far", text="Too far.", fixes=(fix, fix)), 1)
    opened, closed = board.refresh(game, None)

    assert [prompt.kind for prompt in board.prompts] == [
        PromptKind.VIOLATION,
        PromptKind.REWARD,
        PromptKind.TURN,
    ]
    assert (len(opened), closed) == (3, [])
    assert board.prompts[0].text == "Too far.\nA step goes to a neighbouring lamp.\nTurn lamp 0 over."


def test_a_rule_without_words_is_left_out() -> None:
    """An unknown rule id costs a sentence, not the game."""
    board = PromptBoard([])
    board.tell(GAME, OutOfStep(rule="who.knows", text="Odd."), 1)
    board.refresh(line(), None)

    assert [(prompt.text, prompt.rule) for prompt in board.prompts] == [("Odd.", "who.knows")]


def test_questions_list_their_answers_and_are_counted_once() -> None:
    """The same question asked again about the same action counts as one."""
    board = PromptBoard([])
    asked: Ask[int] = Ask(
        text="Which?", choices=(Choice(actions=(1,), text="this"), Choice(actions=(2,), text="that"))
    )
    for decision in (asked, InStep(), asked):
        board.tell(GAME, decision, 1)
    board.refresh(line(), None)

    assert [prompt.text for prompt in board.prompts] == ["Which?\n1. this\n2. that"]
    assert board.questions == 1


def test_the_table_closes_what_it_shows_as_done() -> None:
    """Shown freshly it closes for good; remembered, or under a hand, it does not."""
    board = PromptBoard([])
    game = line(("ann", [told(PromptKind.HOUSEKEEPING, 1, done=True)]))
    lit = {LAMP: "lit"}
    for seen in (
        None,
        Snapshot(picture={}),
        Snapshot(picture=lit, busy=True),
        Snapshot(picture=lit, unseen=frozenset({LAMP})),
    ):
        board.refresh(game, seen)
        assert len(board.prompts) == 1
    _, closed = board.refresh(game, Snapshot(picture=lit))
    board.refresh(game, Snapshot(picture={LAMP: "dark"}))

    assert len(closed) == 1
    assert board.prompts == ()
