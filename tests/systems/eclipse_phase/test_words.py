"""What logs and sheets say of people and of machines (EP-111, EP-112), and of several targets."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, get_args

import pytest

from affray.core.dice import Face
from affray.core.ruling import Rulings
from affray.engine.exchange.game import Game
from affray.engine.exchange.session import Session
from affray.engine.exchange.sources import Script, drive
from affray.systems.eclipse_phase.fight import FIGHT
from affray.systems.eclipse_phase.sheet import Body, Combatant
from affray.systems.eclipse_phase.telling import mended, told

from .area import caught, throw
from .factory import game, pistol, shot, victim

OF_BODIES = "unconscious", "conscious", "awake", "faint", "dead", "dies", "bleed", "incapacitated"
OF_MACHINES = "offline", "online", "crashes", "destroyed"
BODIES = [{"body": body} for body in get_args(Body)] + [
    {"body": "pod", "qualities": ("cyberbrain",)}
]


def said(played: Game, *faces: Face) -> str:
    """Everything that a log says, in small letters."""
    session = drive(Session(played), Script(faces, ()))
    assert session.outcome is not None, session.question
    return " ".join(line.says for line in session.log).lower()


def is_machine(sheet: dict[str, Any]) -> bool:
    return sheet["body"] not in {"biomorph", "pod", "uplift"} or "qualities" in sheet


def fits(text: str, sheet: dict[str, Any]) -> bool:
    """Whether no word is that of another kind of body."""
    wrong = OF_BODIES if is_machine(sheet) else OF_MACHINES
    return not any(word in text for word in wrong)


@pytest.mark.parametrize("sheet", BODIES, ids=str)
@pytest.mark.parametrize(
    ("dv", "faces"),
    [
        pytest.param(14, (20, 98, 99), id="two wounds and a failed check"),
        pytest.param(14, (20, 98, 0), id="two wounds and a good check"),
        pytest.param(40, (20, 98), id="durability reached"),
        pytest.param(100, (20, 98), id="death rating reached"),
    ],
)
def test_ep111_ep112_machines_go_offline_and_crash(
    sheet: dict[str, Any], dv: int, faces: tuple[int, ...]
) -> None:
    hit = shot(defender=victim(**sheet), weapon=pistol(d10=0, flat=dv))
    rulings = {"wound_effects": "checks" if dv == 14 and sheet["body"] != "object" else "modifiers"}
    text = said(game(hit, rulings), *(faces if rulings["wound_effects"] == "checks" else faces[:2]))
    assert fits(text, sheet), text


@pytest.mark.parametrize("sheet", BODIES, ids=str)
def test_ep111_the_sheet_of_a_machine_says_offline(sheet: dict[str, Any]) -> None:
    who: Combatant = victim(**sheet)
    down = FIGHT.enter(who, Rulings())._replace(knocked_out=True)
    text = " ".join(f"{line.value} {line.does}" for line in told(who, down)).lower()
    assert fits(text, sheet), text
    word = "offline" if is_machine(sheet) else "unconscious"
    assert word in text
    up = mended(who, down, "conditions", "none")
    assert mended(who, up, "conditions", word).knocked_out


def test_ep102_a_blast_calls_everybody_by_name() -> None:
    okoro, ling, other = (caught(name, fray=30) for name in ("Okoro", "Ling", "Ling"))
    places = [replace(one, place_m=(n, 0)) for n, one in enumerate((okoro, ling, other))]
    text = said(game(throw(*places)), 20, 99, 99, 1, 5, 5, 5)
    for name in ("okoro takes it in full", "ling (2) takes it in full", "ling (3) takes half"):
        assert name in text
    assert "target 1" not in text
    assert "defender" not in text
