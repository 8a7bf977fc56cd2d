"""Step 9 and Vitality 0: Injuries, being down, revival, the end of a Stage, the Counter."""

from __future__ import annotations

from collections.abc import Sequence

from affray.core.dice import Pool, d
from affray.core.loop import Loop
from affray.core.node import At, Chance, End, Go, Node, Option, Step, choose
from affray.core.reading import SumOfDice
from affray.core.sheet import replace
from affray.core.step import cites, step
from affray.core.unknown import remembers
from affray.systems.empty_earth import rulings as rule
from affray.systems.empty_earth.cards import StageEffect
from affray.systems.empty_earth.conditions import forbidding, grown, healed, injured
from affray.systems.empty_earth.numbers import settle, suffering, why_not
from affray.systems.empty_earth.reading import Regained
from affray.systems.empty_earth.sheet import Cubes, Setup
from affray.systems.empty_earth.standing import called, swapped
from affray.systems.empty_earth.state import (
    NO_PLAN,
    Exchange,
    FighterState,
    Landed,
    Past,
    Terms,
)
from affray.systems.empty_earth.tables import COST, REGAIN

__all__ = [
    "COUNTER", "FIXED_COUNTER", "NEXT_ATTACK", "NEXT_TURN", "RETALIATION", "STEPS",
    "can_pay_revival", "is_same", "lose_vitality", "lowered", "revive", "why_not_revive",
]  # fmt: skip

COUNTER: Loop[Exchange] = Loop("the attack of a Counter")
FIXED_COUNTER: Loop[Exchange] = Loop("the one hit of a Counter that needs no roll")
RETALIATION: Loop[Exchange] = Loop("the damage of retaliation")
NEXT_ATTACK: Loop[Exchange] = Loop("the next attack of a row")
NEXT_TURN: Loop[Exchange] = Loop("the turn between two attacks of a row")


# -- Vitality --------------------------------------------------------------------------------


@cites("EE-46")
def lowered(vitality: int, damage: int) -> int:
    """Vitality after damage: not below 0, what is beyond is lost."""
    return max(0, vitality - damage)


@step("EE-46", "EE-54")
def lose_vitality(x: Exchange) -> Node[Exchange]:
    """Final Damage lowers Vitality, but not below 0."""
    struck = x.defending
    if not x.final or not struck.vitality:
        return Go(_then(x, offer_counter), x)
    vitality = lowered(struck.vitality, x.final)
    after = x._replace(struck=struck._replace(vitality=vitality), downed=x.downed or not vitality)
    if vitality:
        return Go(_then(after, offer_counter), after)
    return Go(draw_injury if x.terms.target.is_pc and not struck.injuries else fall, after)


@lose_vitality.says
def _(before: Exchange, after: Exchange) -> str:
    if before.defending.vitality == after.defending.vitality:
        return ""
    return f"Vitality {before.defending.vitality} -> {after.defending.vitality}."


def _then(x: Exchange, otherwise: Step[Exchange]) -> Step[Exchange]:
    """The step after the harm: retaliation, where there is any."""
    terms = x.terms
    if not (x.hits and terms.target.retaliation) or x.stage_ended or terms.striker.fallen:
        return otherwise
    if x.defending.fallen and x.rulings[rule.LAST_BLOW] == "no":
        return otherwise
    return retaliate


@step("EE-47", "EE-48")
def draw_injury(x: Exchange) -> Node[Exchange]:
    """The first time at 0 Vitality a player character draws an Injury."""
    after = x._replace(struck=x.defending._replace(injuries=x.defending.injuries + 1, taken=True))
    deck = x.terms.target.deck
    if not deck:
        return Go(_after_the_card(x), after)
    if len(deck) == 1:
        return Go(suffer_injury, after._replace(drawn=1))
    pool = Pool((d(len(deck)), 1))
    return Chance(x.target, "Injury card", pool, SumOfDice(), "drawn", At(suffer_injury, after))


def _after_the_card(x: Exchange) -> Step[Exchange]:
    cut_short = x.terms.target.last and x.rulings[rule.LAST_REGAIN] == "no"
    return end_stage if cut_short else regain_vitality


@draw_injury.briefly
@draw_injury.says
def _(before: Exchange, after: Exchange) -> str:
    return f"The {before.target} draws an Injury."


@step("EE-48", "EE-59")
def suffer_injury(x: Exchange) -> Node[Exchange]:
    """The Injury card acts as a Condition, as long as the Injury is held."""
    struck, card = x.defending, x.terms.target.deck[x.drawn - 1]
    hurt = struck._replace(conditions=injured(struck.conditions, card))
    return Go(_after_the_card(x), x._replace(struck=hurt, drawn=0))


@suffer_injury.briefly
@suffer_injury.says
def _(before: Exchange, after: Exchange) -> str:
    return f"The card: {before.terms.target.deck[before.drawn - 1].name}."


@step("EE-47", "EE-48", "EE-49")
def regain_vitality(x: Exchange) -> Node[Exchange]:
    """After the card 1D6 Vitality comes back, up to the end of the track."""
    then = At(rise, x)
    return Chance(
        x.target, "Vitality", REGAIN["injury"], Regained(x.terms.target.most), "regained", then
    )


@regain_vitality.briefly
def _(before: Exchange, after: Exchange) -> str:
    return "for Vitality"


@step("EE-49")
def rise(x: Exchange) -> Node[Exchange]:
    """The roll is the new Vitality."""
    struck = x.defending._replace(vitality=x.regained, fallen="")
    after = x._replace(struck=struck)
    return Go(end_stage if x.downed or x.terms.target.last else next_attack, after)


@rise.says
def _(before: Exchange, after: Exchange) -> str:
    return f"Vitality {before.defending.vitality} -> {after.defending.vitality}."


@step("EE-50", "EE-52", "EE-53")
def fall(x: Exchange) -> Node[Exchange]:
    """At 0 Vitality an Enemy or Ally is defeated; a PC with an Injury can't move or act."""
    is_pc = x.terms.target.is_pc
    fallen = x.defending._replace(fallen="incapacitated" if is_pc else "defeated")
    after = x._replace(struck=fallen)
    if is_pc and x.terms.target.last and x.rulings[rule.STAGE] == "hold":
        return Go(end_stage, after)  # everybody holds an Injury, this one an old one
    return Go(_then(after, next_attack), after)


@fall.says
def _(before: Exchange, after: Exchange) -> str:
    return f"The {before.target} is {after.defending.fallen}."


@step("EE-52")
def end_stage(x: Exchange) -> Node[Exchange]:
    """When all player characters have taken an Injury the Stage ends at once."""
    if not x.terms.target.last:
        return Go(_then(x, next_attack), x)
    ended = x._replace(stage_ended=True)
    setup = x.terms.setup
    return Go(enact_stage_end if setup and setup.stage_end else next_attack, ended)


@end_stage.briefly
@end_stage.says
def _(before: Exchange, after: Exchange) -> str:
    return "The Stage ends; its end effects take place." if after.stage_ended else ""


@step("EE-52", "EE-59")
def enact_stage_end(x: Exchange) -> Node[Exchange]:
    """The effects of the end of the Stage come upon the player characters."""
    setup, terms = x.terms.declared, x.terms
    striker, struck = terms.striker, x.defending
    for effect in setup.stage_end:
        if setup.attacker.side == "pc":
            striker = enacted(effect, striker, setup.attacker.vitality_max)
        if setup.defender.side == "pc":
            struck = enacted(effect, struck, setup.defender.vitality_max)
    names = tuple(effect.name for effect in setup.stage_end)
    after = x._replace(terms=replace(terms, striker=striker), struck=struck, enacted=names)
    return Go(next_attack, after)


@enact_stage_end.briefly
@enact_stage_end.says
def _(before: Exchange, after: Exchange) -> str:
    return f"{', '.join(after.enacted)}."


@cites("EE-49", "EE-59")
def enacted(effect: StageEffect, now: FighterState, most: int) -> FighterState:
    """One effect of the end of a Stage on a player character."""
    vitality = eased(now.vitality, [effect], most)
    injuries = max(0, now.injuries - effect.injuries)
    kept = () if effect.cures else now.conditions
    if effect.cures:
        kept = tuple(one for one in now.conditions if one not in healed(now.conditions))
    if not injuries:
        kept = healed(kept)
    return now._replace(
        vitality=vitality,
        fallen="" if vitality else now.fallen,
        injuries=injuries,
        cubes=now.cubes.less(effect.loses) + effect.gains,
        conditions=grown(kept, [effect.condition] if effect.condition else []),
    )


@cites("EE-49", "EE-59")
def eased(vitality: int, effects: Sequence[StageEffect], most: int) -> int:
    """Vitality after effects of the end of a Stage: up to the end of the track."""
    return min(max(most, vitality), vitality + sum(effect.vitality for effect in effects))


# -- revival ---------------------------------------------------------------------------------


def is_same(setup: Setup) -> bool:
    """Say if a setup names one fighter twice, by sheet or by name."""
    one, other = setup.attacker, setup.defender
    return one == other or (one.name != "" and one.name == other.name)


@cites("EE-51")
def can_pay_revival(cubes: Cubes) -> bool:
    """Say if these cubes pay for a revival."""
    return cubes.black >= COST["revive"]


@cites("EE-51")
def why_not_revive(setup: Setup, striker: FighterState, struck: FighterState) -> str | None:
    """Why the attacker of a setup can't revive its defender, somebody else, or None."""
    rescuer = setup.attacker
    who = called(rescuer, "attacker")
    if rescuer.side != "pc":
        return f"attacker: {who} is an {rescuer.side}; only another player revives (EE-51)"
    if striker.fallen:
        return f"attacker: {who} is down and can't act (EE-50); another player has to"
    if ban := forbidding(striker.conditions, "no_actions"):
        return f"attacker: {who} can't act: {ban} (EE-56)"
    if struck.fallen != "incapacitated":
        down = called(setup.defender, "defender")
        return f"defender: {down} is not down and needs no revival (EE-51)"
    if not can_pay_revival(striker.cubes):
        return (
            f"attacker: {who} has {striker.cubes.black} black cubes, reviving takes "
            f"{COST['revive']}; other colors don't count (EE-51)"
        )
    return None


@step("EE-51")
def revive(x: Exchange) -> Node[Exchange]:
    """Another player spends black cubes to revive a fallen character."""
    terms, struck = x.terms, x.defending
    cubes = terms.striker.cubes - Cubes(black=COST["revive"])
    change = {"unchanged": 0, "add": 1, "remove": -1}[x.rulings[rule.REVIVAL]]
    setup = terms.declared
    target = suffering(setup, struck, x.rulings)
    if change <= 0:
        target = target._replace(last=False)
    paid = replace(terms, striker=terms.striker._replace(cubes=cubes), target=target)
    after = x._replace(terms=paid)
    if change > 0:
        return Go(draw_injury, after)
    if change < 0:
        injuries = max(0, struck.injuries + change)
        kept = struck.conditions if injuries else healed(struck.conditions)
        after = after._replace(struck=struck._replace(injuries=injuries, conditions=kept))
    read = Regained(setup.defender.vitality_max)
    return Chance(x.target, "Vitality", REGAIN["revival"], read, "regained", At(rise, after))


@revive.opens
def _(before: Exchange, after: Exchange) -> str:
    setup = before.terms.declared
    return (
        f"{called(setup.attacker, before.striker)} revives {called(setup.defender, before.target)}"
    )


@revive.briefly
def _(before: Exchange, after: Exchange) -> str:
    return "for Vitality"


# -- retaliation -----------------------------------------------------------------------------


@step("EE-23", "EE-55")
def retaliate(x: Exchange) -> Node[Exchange]:
    """Each die that hit a fighter who retaliates does damage to the attacker, if it did any or not.

    It is one blow without a roll: reduced once, with all that 0 Vitality brings.
    """
    terms, rulings = x.terms, x.rulings
    setup = swapped(terms.declared)
    points = x.hits * terms.target.retaliation
    is_direct = rulings[rule.RETALIATION] == "direct"
    back = Terms(
        rulings=rulings,
        setup=setup,
        striker=x.defending,
        answered=x,
        retaliates=True,
        target=suffering(setup, terms.striker, rulings),
        ground=terms.ground,
    )
    blow = Exchange(
        back,
        terms.striker,
        regular=0 if is_direct else points,
        piercing=points if is_direct else 0,
    )
    return Go(RETALIATION.step, blow)


@retaliate.briefly
@retaliate.says
def _(before: Exchange, after: Exchange) -> str:
    points = before.hits * before.terms.target.retaliation
    return f"The {before.target} retaliates: {points} damage to the {before.striker}."


# -- step 9: the Counter ---------------------------------------------------------------------


@step("EE-44")
def offer_counter(x: Exchange) -> Node[Exchange]:
    """Step 9: if no damage was dealt, the defender may Counter."""
    terms, struck, rulings = x.terms, x.defending, x.rulings
    able = not struck.fallen or rulings[rule.COUNTER_ABLE] == "no"
    hit = terms.hit
    special = hit.special is not None and (hit.special.damage or hit.special.piercing)
    can_hurt = hit.damage or hit.piercing or special
    harmless = not can_hurt and rulings[rule.HARMLESS] == "none"
    if x.final or not able or harmless or x.stage_ended:
        return Go(next_attack, x)
    after = x._replace(counter=True)
    kind = rulings[rule.COUNTER]
    if kind == "off" or terms.answered is not None:
        return Go(next_attack, after)
    no, back = Option("no", At(next_attack, after)), after._replace(strikes_back=True)
    price = Cubes(red=COST["counter"] if kind == "paid" else 0)
    if why := _why_no_counter(x, price):
        return choose(x.target, "Counter?", [no], closed=(("counter", why),))
    words = "one attack with the equipped weapon"
    yes = Option("counter", _counter(back, price), price.number, words)
    hurts = terms.declared.attacker.retaliation > 0
    return choose(x.target, "Counter?", [no, yes] if price.number or hurts else [yes, no])


@offer_counter.says
def _(before: Exchange, after: Exchange) -> str:
    if not after.counter:
        return ""
    by_hand = after.rulings[rule.COUNTER] == "off"
    who = f"No damage: the {before.target} may Counter"
    return f"{who}; your table carries it out." if by_hand else f"{who}."


@offer_counter.briefly
def _(before: Exchange, after: Exchange) -> str:
    return f"the {before.target} Counters" if after.strikes_back else ""


def _why_no_counter(x: Exchange, price: Cubes) -> str | None:
    if x.terms.striker.fallen:
        return "the attacker is out of the fight (A-18)"
    if ban := forbidding(x.defending.conditions, "no_actions"):
        return f"{ban} forbids it (EE-56)"
    setup = swapped(x.terms.declared)
    if not setup.attacker.attacks:
        return "there is no weapon to strike back with (A-18)"
    if not x.defending.cubes.covers(price):
        return "no red cube is left for it (A-18)"
    return why_not(setup, setup.attacker.attacks[0], x.rulings)


def _counter(x: Exchange, price: Cubes) -> At[Exchange]:
    """The attack that answers; the facts of the one it answers are kept in its terms."""
    striker = x.defending._replace(cubes=x.defending.cubes - price)
    terms = Terms(
        rulings=x.rulings, setup=swapped(x.terms.declared), striker=striker, answered=x,
        ground=x.terms.ground,
    )  # fmt: skip
    back = Exchange(terms, x.terms.striker, plan=NO_PLAN)
    if x.rulings[rule.COUNTER] != "fixed":
        return At(COUNTER.step, back)
    settled = settle(terms, back.defending, NO_PLAN)
    return At(FIXED_COUNTER.step, back._replace(terms=settled, reach=(Landed(1),)))


# -- the end ---------------------------------------------------------------------------------


@step("EE-44", "EE-52")
def next_attack(x: Exchange) -> Node[Exchange]:
    """The attack is over; the next one in a row follows, unless one side is out of the fight."""
    terms = x.terms
    if terms.answered is not None:
        main = terms.answered
        if terms.retaliates:
            suffered = main._replace(
                terms=replace(main.terms, striker=x.defending),
                retaliated=main.retaliated + x.final,
                stage_ended=x.stage_ended,
                enacted=x.enacted,
                struck=terms.striker,
            )
            return Go(offer_counter, suffered)
        return Go(
            next_attack,
            main._replace(
                terms=replace(main.terms, striker=x.defending),
                struck=terms.striker,
                countered=main.countered + x.final,
                returned=main.returned + x.retaliated,
                enacted=x.enacted,
                stage_ended=x.stage_ended,
            ),
        )
    striker = terms.striker
    over = x.stage_ended or x.defending.fallen or striker.fallen
    if not terms.left or over or forbidding(striker.conditions, "no_actions"):
        bare = _bare(terms)
        # The end of a Stage reaches others in a fight: what it brings is kept.
        return End(x._replace(terms=replace(bare, setup=terms.setup) if x.enacted else bare))
    again = replace(_bare(terms), setup=terms.setup, left=terms.left - 1)
    after = Exchange(
        again, x.defending, downed=x.downed, countered=x.countered,
        retaliated=x.retaliated, returned=x.returned, past=added(x), plan=NO_PLAN,
    )  # fmt: skip
    return Go(NEXT_TURN.step if terms.declared.turn_between else NEXT_ATTACK.step, after)


def added(x: Exchange) -> Past:
    """Add this attack to those before it."""
    past = x.past or Past()
    return Past(
        hits=past.hits + x.hits,
        regular=past.regular + x.regular,
        piercing=past.piercing + x.piercing,
        damage=past.damage + x.final,
        unmodified=past.unmodified + x.unmodified,
        on_hit=past.on_hit or x.hits > 0,
        on_damage=past.on_damage or x.on_damage,
        counter=past.counter or x.counter,
        strikes_back=past.strikes_back or x.strikes_back,
    )


@remembers(4096)
def _bare(terms: Terms) -> Terms:
    """Terms without what only the attack that is over needed."""
    return Terms(rulings=terms.rulings, striker=terms.striker, ground=terms.ground)


STEPS = (
    lose_vitality, draw_injury, suffer_injury, regain_vitality, revive, rise, fall, end_stage,
    enact_stage_end, retaliate,
    offer_counter, next_attack,
)  # fmt: skip
"""The steps of this chapter in the order of the book."""
