"""A combatant's condition as people at the table see it, and as a game master sets it."""

from typing import Any

import pytest

from affray.core.errors import SetupError
from affray.core.fight import Told
from affray.core.ruling import Rulings
from affray.systems.eclipse_phase.condition import Condition, Rare
from affray.systems.eclipse_phase.fight import FIGHT
from affray.systems.eclipse_phase.scenes import RELOAD
from affray.systems.eclipse_phase.sheet import Combatant, Lasting

from .factory import BY_ATTACKS, SYSTEM, pistol, shot, victim
from .fighting import SHOOTER, VICTIM, enter, fresh, numbers, quickness

COUNTED = BY_ATTACKS
PLENTY = Rulings.pick(SYSTEM.rulings, {"ammunition": "plenty", "turns": "attacks"})


def lines(sheet: Combatant, condition: Condition) -> dict[str, Told]:
    return {line.label: line for line in FIGHT.told(sheet, condition)}


def set_to(sheet: Combatant, condition: Condition, key: str, value: object) -> Condition:
    assert FIGHT.mended is not None
    return FIGHT.mended(sheet, condition, key, value)


# -- telling -------------------------------------------------------------------------------------


def test_ep65_damage_is_told_with_what_it_leads_to() -> None:
    told = lines(VICTIM, enter(VICTIM, damage=12))["damage"]
    assert told[:4] == ("damage", "12 of 35", "out of action at 35, dead at 53 (EP-65)", "damage")


@pytest.mark.parametrize(
    ("sheet", "wounds", "does"),
    [
        (victim(), 0, ""),
        (victim(), 2, "-20 on all tests, -2 on initiative (EP-50, EP-26)"),
        (victim(ignore_wounds=1), 1, "1 ignored (EP-109)"),
        (victim(ignore_wounds=9), 4,
         "-10 on all tests, -1 on initiative, 3 ignored (EP-50, EP-26)"),
        (victim(qualities=("low_pain_tolerance",)), 1,
         "-20 on all tests, -1 on initiative (EP-50, EP-26)"),
    ],
)  # fmt: skip
def test_ep50_what_wounds_do_is_what_they_do(sheet: Combatant, wounds: int, does: str) -> None:
    hurt = enter(sheet, wounds=wounds)
    assert lines(sheet, hurt)["wounds"].does == does
    loss = int(does.split(" ", maxsplit=1)[0]) if does.startswith("-") else 0
    whole = numbers(fresh(SHOOTER), fresh(sheet), shot())[1]
    assert numbers(fresh(SHOOTER), (sheet, hurt), shot())[1] == (whole or 0) + loss
    slower = does.count("-1 on initiative") + 2 * does.count("-2 on initiative")
    assert quickness((sheet, hurt))[0] == quickness(fresh(sheet))[0] - slower


def test_ep125_those_without_lucidity_have_no_stress() -> None:
    assert "stress" in lines(VICTIM, enter(VICTIM))
    drone = victim(lucidity=0)
    assert not {"stress", "traumas"}.intersection(lines(drone, enter(drone)))


def test_ep115_conditions_are_told_with_their_turns() -> None:
    sheet = victim(
        conditions=("stunned", "prone", "blinded"),
        lasting=(Lasting(condition="stunned", turns=3),),
    )
    told = lines(sheet, enter(sheet))["conditions"]
    assert told.value == ("prone", "blinded", "stunned 3")
    assert "stunned: -30 on physical, -10 on mental actions (EP-115)" in told.does


def test_ep18_pools_that_a_sheet_has_are_told() -> None:
    sheet = victim(vigor=2)
    found = lines(sheet, enter(sheet))
    assert found["vigor"].value == 2
    assert "moxie" not in found


def test_ep79_rounds_are_told_where_they_are_counted() -> None:
    gunner = victim(weapons=(pistol(rounds=12),))
    told = lines(gunner, FIGHT.enter(gunner, COUNTED)._replace(rounds=(("pistol", 5),)))
    (label,) = (label for label in told if label.startswith("rounds"))
    assert told[label].value == "5 of 12"
    plenty = lines(gunner, FIGHT.enter(gunner, PLENTY))
    assert not any(label.startswith("rounds") for label in plenty)


# -- setting -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "value", "field", "becomes"),
    [
        ("damage", "7", "damage", 7),
        ("wounds", 3, "wounds", 3),
        ("stress", "8", "stress", 8),
        ("traumas", 1, "traumas", 1),
        ("flex", 2, "pools", (0, 0, 0, 0, 2)),
        ("conditions", "Prone, stunned 3", "states", (("stunned", 3),)),
        ("conditions", "prone", "prone", True),
        ("conditions", "surprised", "surprised", True),
        ("stance", "full defense", "guard", True),
        ("stance", "aim, aggressive", "aim", True),
        ("stance", "goes first", "rare", Rare(first=True)),
        ("moved", "-4", "advance", -4),
    ],
)
def test_a_game_master_sets_every_line(key: str, value: object, field: str, becomes: Any) -> None:
    sheet = victim(flex=1)
    after = set_to(sheet, enter(sheet), key, value)
    assert getattr(after, field) == becomes


def test_every_line_can_be_set() -> None:
    sheet = victim(
        vigor=1, insight=1, moxie=1, flex=1, threat=1, weapons=(pistol(rounds=12),),
        conditions=("blinded",),
    )  # fmt: skip
    condition = FIGHT.enter(sheet, COUNTED)
    for line in FIGHT.told(sheet, condition):
        value = 0 if line.key not in {"conditions", "stance"} else "none"
        after = set_to(sheet, condition, line.key, value)
        assert {one.key for one in FIGHT.told(sheet, after)} >= {line.key}


def test_ep36_damage_set_to_durability_puts_out_and_back_again() -> None:
    out = set_to(VICTIM, enter(VICTIM, prone=True), "damage", 35)
    assert FIGHT.is_out(VICTIM, out)
    assert FIGHT.fate(VICTIM, set_to(VICTIM, out, "damage", 53)) == "dead"
    assert not FIGHT.is_out(VICTIM, set_to(VICTIM, out, "damage", 34))


def test_ep115_a_condition_of_the_sheet_can_be_taken_away() -> None:
    sheet = victim(conditions=("blinded",))
    whole, hampered = (numbers(fresh(SHOOTER), fresh(who), shot())[1] for who in (VICTIM, sheet))
    assert (whole, hampered) == (30, 0)
    healed = set_to(sheet, enter(sheet), "conditions", "none")
    assert lines(sheet, healed)["conditions"].value == ()
    assert numbers(fresh(SHOOTER), (sheet, healed), shot())[1] == 30
    again = set_to(sheet, healed, "conditions", "blinded")
    assert numbers(fresh(SHOOTER), (sheet, again), shot())[1] == 0


def test_ep111_the_unconscious_can_be_woken() -> None:
    sheet = victim(conditions=("unconscious",), weapons=(pistol(),))
    asleep = enter(sheet)
    assert FIGHT.is_out(sheet, asleep)
    awake = set_to(sheet, asleep, "conditions", "none")
    assert FIGHT.deeds(sheet, awake)


def test_ep79_a_full_magazine_needs_no_reload() -> None:
    gunner = victim(weapons=(pistol(rounds=12),))
    key = next(line.key for line in FIGHT.told(gunner, FIGHT.enter(gunner, COUNTED))
               if line.key.startswith("rounds"))  # fmt: skip
    short = set_to(gunner, FIGHT.enter(gunner, COUNTED), key, 2)
    assert short.rounds == (("pistol", 2),)
    assert RELOAD in FIGHT.deeds(gunner, short)
    assert set_to(gunner, short, key, "12").rounds == ()


@pytest.mark.parametrize(
    ("key", "value", "why"),
    [
        ("damage", 54, "damage is 54; allowed: 0 to 53"),
        ("damage", -1, "allowed: 0 to 53"),
        ("damage", "much", "damage is 'much'; allowed: 0 to 53"),
        ("wounds", True, "allowed: 0 to 100"),
        ("stress", 61, "allowed: 0 to 60"),
        ("conditions", "sad", "conditions is 'sad'; allowed: any of prone, surprised"),
        ("conditions", "stunned 0", "each with 1 to 1000 turns"),
        ("conditions", "prone 2", "allowed: prone without turns"),
        ("conditions", "entangled 1", "name both"),
        ("conditions", "grappled, entangled", "with a number"),
        ("conditions", 3, "words with commas between them"),
        (
            "stance",
            "duck",
            "allowed: full defense, aim, aggressive, goes first, behind cover; or none",
        ),
        ("moxie", 1, "'Victim' has no 'moxie' to be set; allowed: damage, wounds"),
    ],
)
def test_what_cannot_be_is_refused(key: str, value: object, why: str) -> None:
    sheet = victim(name="Victim")
    with pytest.raises(SetupError) as refused:
        set_to(sheet, enter(sheet), key, value)
    assert why in str(refused.value)


def test_ep65_the_harm_of_the_fallen_is_told_as_it_was_set() -> None:
    bot = victim(body="bot")
    out = set_to(bot, set_to(bot, enter(bot), "damage", 41), "wounds", 1)
    told = lines(bot, out)
    assert (told["damage"].value, told["wounds"].value) == ("41 of 35", 1)
    back = set_to(bot, out, "damage", 3)
    assert (back.damage, back.wounds, FIGHT.fate(bot, back)) == (3, 1, "standing")


@pytest.mark.parametrize("typed", ["9" * 5000, "\u0663", "--3", "3.0", True])
def test_ep65_what_is_no_number_is_refused_with_what_is_allowed(typed: object) -> None:
    with pytest.raises(SetupError, match=r"damage is .*allowed: 0 to 53"):
        set_to(VICTIM, enter(VICTIM), "damage", typed)
