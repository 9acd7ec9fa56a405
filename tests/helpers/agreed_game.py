"""The toy game once more, with an ending that only the players can tell."""

from dataclasses import replace

from companion.decision import Ask, Choice
from companion.game import Event, Json
from tests.helpers.toy_game import LIMIT, Act, Lamps, ToyGame


class AgreedGame(ToyGame):
    """Lamps whose players may agree from the second action on that it is over, and who has won."""

    def result(self, state: Lamps) -> Json | None:
        return super().result(state) if state.bright is None else self._won_by(state.bright)

    def admits(self, state: Lamps, claimed: Json) -> bool:
        return self.open_ending(state) is not None and claimed in map(self._won_by, state.players)

    def open_ending(self, state: Lamps) -> Ask[Act] | None:
        if state.count < 2 or self.result(state) is not None:
            return None
        over = (Choice(actions=(), text=name, result=self._won_by(name)) for name in state.players)
        return Ask(text="Is it over?", choices=(Choice(actions=(), text="no"), *over))

    def settle(self, state: Lamps, result: Json) -> tuple[Lamps, tuple[Event, ...]]:
        if not self.admits(state, result):
            return super().settle(state, result)
        return replace(state, bright=result["winners"][0], count=LIMIT), (Event(),)

    @staticmethod
    def _won_by(name: str) -> Json:
        return {"winners": [name], "reason": "agreed", "draw": False}
