"""The fights of Eclipse Phase, answered by affray from its rule text.

Each function reads a fight, and gives back what answers it: that is timed.
"""

from __future__ import annotations

from collections.abc import Callable

from affray.app.inputs.fight_setups import load_raw_fight
from affray.app.registry import system_named
from affray.engine.fight.contest import Contest
from affray.engine.fight.duels.answers import DuelResult
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.sampled.battle import Battle, BattleResult
from benchmarks.peers.numbers import Fighters, Sheet

EP = system_named("eclipse-phase")
HABITS = {"choose_style": "plain", "choose_called_shot": "none", "choose_defence": "fray"}


def _contest(given: Fighters, *, number: int, first: str) -> Contest:
    def side(like: str, weapon: str, sheet: Sheet) -> dict[str, object]:
        fighter = {
            "like": like, "number": number, "melee": sheet.skill, "fray": sheet.fray,
            "energy": sheet.armor, "kinetic": sheet.armor,
            "wound_threshold": sheet.wound_threshold, "durability": sheet.durability,
            "weapons": [{"like": weapon, "d10": sheet.n_d10}],
        }  # fmt: skip
        return {"fighters": [fighter], "policy": "first", "choose": HABITS}

    raw = {
        "first": first, "rulings": {"wound_effects": "modifiers"},
        "one": side("duellist_a", "duel_blade", given.a),
        "other": side("duellist_b", "duel_maul", given.b),
    }  # fmt: skip
    return load_raw_fight(EP, raw, "benchmark").contest


def w6(given: Fighters) -> Callable[[], DuelResult]:
    """One against one to the end."""
    contest = _contest(given, number=1, first="one")
    return lambda: Duel(contest).solve()


def w8(given: Fighters, n: int) -> Callable[[], BattleResult]:
    """Three against three, so many times."""
    contest = _contest(given, number=3, first="seats")
    battles: list[Battle] = []  # what it found out stays for the next time

    def answer() -> BattleResult:
        if not battles:
            battles.append(Battle(contest))
        return battles[0].run(n, seed=1, workers=1)

    return answer
