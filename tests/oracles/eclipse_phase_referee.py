"""One attack of Eclipse Phase, followed roll by roll as a person at the table would.

It is given what was declared, the numbers that both sides need, and every answer on the way (what
was decided, what the dice showed), and tells what the attack did. Everything from the first roll
on is worked out here once more: pool points, who prevails, dice, armor, wounds, checks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import floor
from typing import Any, NamedTuple

HALF = Fraction(1, 2)
SPECIAL = {
    "melee": "vigor", "guns": "vigor", "athletics": "vigor", "exotic": "vigor", "fray": "vigor",
    "psi": "moxie", "wil": "moxie", "som": "vigor", "ref": "vigor", "demolitions": "insight",
    "interface": "insight",
}  # fmt: skip
SHOCKED = {"very_small": -30, "small": -10, "medium": 0, "large": 10, "very_large": 30}
STUNNED = {"very_small": -30, "small": -30, "medium": 0, "large": 30, "very_large": 30}
BONUS_D10 = {"large": 1, "very_large": 2}
AFTER_CALL = {
    "bypass": ("damage",), "specific": ("damage",), "disarm": ("harder", "damage", "keep"),
    "knockdown": ("none", "damage"), "redirect": ("harder", "damage"),
}  # fmt: skip
Answers = list[tuple[str, Any]]


def rounded(value: Fraction | int) -> int:
    """To the nearest, halves up."""
    return floor(value + HALF)


def limited(modifiers: int) -> int:
    """No more than 60 either way."""
    return max(-60, min(60, modifiers))


FOREVER = 1000
"""Turns of a condition that doesn't end by itself."""


class Roll(NamedTuple):
    """What a d100 came to; a failure has superior failures below zero."""

    face: int
    success: bool
    critical: bool
    superior: int


def read(face: int, tn: int, zero: str) -> Roll:
    """One face against a number; `zero` is the reading of 00 for who has not got the skill."""
    double = face % 11 == 0
    success = face != 99 and (face <= tn or (face == 0 and not (zero == "may_fail" and tn < 0)))
    if success:
        critical = double and (not zero or (face == 0 and zero == "critical"))
        return Roll(face, True, critical, 0 if critical else (face >= 33) + (face >= 66))
    return Roll(face, False, double, 0 if double else -(face <= 66) - (face <= 33))


class Points:
    """The pool points of one side."""

    def __init__(self, who: Any) -> None:
        """All that the sheet has."""
        names = ("vigor", "insight", "moxie", "threat", "flex")
        self.left = {name: getattr(who, name) for name in names}
        self.spent = 0

    def serve(self, skill: str) -> bool:
        """Whether a point is left for this test."""
        return any(self.left[name] for name in (SPECIAL[skill], "threat", "flex"))

    def pay(self, option: str, skill: str) -> str:
        """Take the point for an option, and say what it is for."""
        use, _, pool = option.partition("-")
        if use == "none":
            return use
        if not pool:
            pool = next(name for name in (SPECIAL[skill], "threat", "flex") if self.left[name])
        assert pool in {SPECIAL[skill], "threat", "flex"}
        assert self.left[pool] > 0
        self.left[pool] -= 1
        self.spent += 1
        return use


class Referee:
    """Follows one attack; `judge` gives what it did."""

    def __init__(
        self, setup: Any, rulings: Mapping[str, str], numbers: Any, answers: Answers
    ) -> None:
        """Who attacks whom how, what is ruled, what both need, and what is answered on the way.

        `numbers` has `attack` and `targets`: target numbers with and without a point, sizes.
        """
        self.setup, self.rulings, self.answers = setup, rulings, list(answers)
        self.attack, self.targets = numbers.attack, numbers.targets
        self.weapon, self.ammo = setup.weapon, setup.ammo
        self.who = (setup.defender, *setup.others)
        self.declared = {step: answer for step, answer in answers if step.startswith("choose_")}
        self.ours, self.theirs = Points(setup.attacker), [Points(who) for who in self.who]
        self.fumble, self.failures, self.broken, self.lands = False, 0, False, 0
        living = setup.defender.body in {"biomorph", "pod", "uplift"}
        self.loaded = living or not self.ammo.biomorphs_only
        self.traits = {*self.weapon.traits, *(self.ammo.traits if self.loaded else ())}
        self.cone = "cone" in self.traits and self.declared.get("choose_fire") != "suppress"
        self.sprayed: dict[tuple[int, bool], int] = {}

    def take(self, step: str) -> Any:
        """The answer to this step, if it was asked next."""
        if self.answers and self.answers[0][0] == step:
            return self.answers.pop(0)[1]
        return None

    # -- the opposed test --------------------------------------------------------------------

    def judge(self) -> dict[str, Any]:
        """Everything that the attack did."""
        self.answers = [
            one for one in self.answers
            if one[0] == "choose_effect" or not one[0].startswith(("choose_", "declare_"))
        ]  # fmt: skip
        while self.answers and self.answers[0][0] in {"search_target", "perceive"}:
            self.answers.pop(0)
        hits: list[dict[str, Any]] = []
        places = range(len(self.who))
        melee = self.weapon.form == "melee"
        for group in [[place] for place in places] if melee else [list(places)]:
            hits += self.test(group)
        done = [
            self.harm(place, hit) if hit["hit"] else self.left_alone(place, hit)
            for place, hit in enumerate(hits)
        ]
        assert self.answers == [], "answered, but never asked"
        for place, record in enumerate(done):
            record["pools"] = {n: k for n, k in self.theirs[place].left.items() if k}
        return {
            "done": done, "fumble": self.fumble, "failures": self.failures,
            "broken": self.broken, "lands_m": self.lands, "spent": self.ours.spent,
            "pools": {n: k for n, k in self.ours.left.items() if k},
        }  # fmt: skip

    def test(self, group: list[int]) -> list[dict[str, Any]]:
        """One attack roll, and the defences of everybody it counts against."""
        skill = self.weapon.skill
        before = self.ours.pay(self.take("spend_before_attack") or "none", skill)
        tn = {"plus20": self.attack.plus, "ignore": self.attack.bare}.get(before, self.attack.tn)
        needs: dict[int, int | None] = {}
        helped: dict[int, bool] = {}
        for place in group:
            target = self.targets[place]
            needs[place] = target.tn
            if target.tn is not None and self.theirs[place].serve(target.skill):
                option = self.take("spend_before_defence")
                helped[place] = option != "none"
                use = self.theirs[place].pay(option, target.skill)
                needs[place] = {"plus20": target.plus, "ignore": target.bare}.get(use, target.tn)
        self.attack_tn = tn
        roll = read(self.take("roll_attack")[0], tn, self.attack.zero)
        may = before == "none" and self.ours.serve(skill)
        late = may and self.rulings["reveal"] == "both"
        if may and not late:
            roll = self.changed(roll, self.take("spend_after_attack") or "none", tn)
        if self.cone:
            if may and late:
                roll = self.changed(roll, self.take("spend_after_attack") or "none", tn)
            return self.spray(roll, needs, helped)
        hits: list[dict[str, Any]] = []
        for place in group:
            target, need = self.targets[place], needs[place]
            shift = target.bare_shift if before == "ignore" else target.shift
            open_still = late and place == group[0]
            faced = None
            if need is not None and (open_still or self.against(roll, tn + shift).success):
                faced = self.take("roll_defence")
            if open_still:
                roll = self.changed(roll, self.take("spend_after_attack") or "none", tn)
            against = self.against(roll, tn + shift)
            defence = None
            if need is not None and faced is not None:
                defence = read(faced[0], need, target.zero)
                use = "none"
                if not helped.get(place) and self.theirs[place].serve(target.skill):
                    option = self.take("spend_after_defence") or "none"
                    use = self.theirs[place].pay(option, target.skill)
                if use == "flip":
                    defence = read(faced[0] % 10 * 10 + faced[0] // 10, need, target.zero)
                elif use == "downgrade":
                    defence = defence._replace(critical=False)
            edge = tn + shift - (need or 0) if target.edge is None else target.edge
            won = self.prevails(against, defence, edge)
            if target.skill == "unable" and self.rulings["undefended"] == "automatic":
                won = "attack"
            hits.append(self.landed(place, against, won, hits))
            if place == group[0]:
                self.fumble |= against.critical and not against.success
            if self.rulings["superior_failure"] == "told":
                self.failures = max(self.failures, -against.superior)
            self.broken |= "fragile" in self.traits and against.superior < 0
        return hits

    def spray(
        self, roll: Roll, needs: Mapping[int, int | None], helped: Mapping[int, bool]
    ) -> list[dict[str, Any]]:
        """A cone: one roll that nobody opposes, then Fray for whoever is in it."""
        self.fumble |= roll.critical and not roll.success
        if self.rulings["superior_failure"] == "told":
            self.failures = max(self.failures, -roll.superior)
        self.broken |= "fragile" in self.traits and roll.superior < 0
        if roll.success and self.attack.wide and self.take("judge_attack")[0] < 50:
            roll = roll._replace(success=False, critical=False, superior=0)
        automatic = self.rulings["undefended"] == "automatic"
        strikes = roll.success or (automatic and self.targets[0].skill == "unable")
        hits: list[dict[str, Any]] = []
        for place, target in enumerate(self.targets):
            hit = {"hit": strikes, "dodged": False, "critical": False, "superior": 0}
            if strikes and needs[place] is not None:
                spent = helped.get(place, False)
                hit["dodged"] = self.ducks(place, roll, needs[place] or 0, helped=spent)
            later = any(one["hit"] for one in hits)
            shares = not (later and self.rulings["shared_superior"] == "first")
            if strikes and shares:
                hit |= {"critical": roll.critical and roll.success,
                        "superior": max(0, roll.superior)}  # fmt: skip
            covered = place == 0 and self.setup.cover != "none"
            if hit["dodged"] and (covered or self.who[place].sheltered):
                hit |= {"hit": False, "critical": False, "superior": 0}
            assert target.number == place + 1
            hits.append(hit)
        return hits

    def ducks(self, place: int, roll: Roll, need: int, *, helped: bool) -> bool:
        """Whether Fray halves a cone."""
        target = self.targets[place]
        face = self.take("dodge")[0]
        fray = read(face, need, target.zero)
        if not helped and self.theirs[place].serve(target.skill):
            use = self.theirs[place].pay(self.take("spend_on_dodge") or "none", target.skill)
            if use == "flip":
                fray = read(face % 10 * 10 + face // 10, need, target.zero)
        if self.rulings["area_fray"] == "plain" or not roll.success:
            return fray.success
        edge = self.attack_tn - need if target.edge is None else target.edge
        return self.prevails(roll, fray, edge) == "defence"

    def against(self, roll: Roll, tn: int) -> Roll:
        """The attack roll as it counts against a target of another size."""
        other = read(roll.face, tn, self.attack.zero)
        return roll if other.success == roll.success else other

    def changed(self, roll: Roll, option: str, tn: int) -> Roll:
        """The attack roll after a point was spent on it."""
        use = self.ours.pay(option, self.weapon.skill)
        if use == "flip":
            return read(roll.face % 10 * 10 + roll.face // 10, tn, self.attack.zero)
        if use == "upgrade":
            assert roll.success
            assert not roll.critical
            return roll._replace(superior=roll.superior + 1)
        if use == "downgrade":
            band = -(roll.face < 66) - (roll.face < 33)
            banded = self.rulings["failure_bands"] == "exclusive"
            return roll._replace(critical=False, superior=band if banded else 0)
        return roll

    def prevails(self, attack: Roll, defence: Roll | None, edge: int) -> str:
        """Who wins: attack, defence, nobody."""
        if not attack.success:
            return "defence"
        if defence is None or not defence.success:
            return "attack"
        ours, theirs = (attack.critical, attack.face), (defence.critical, defence.face)
        if ours != theirs:
            return "attack" if ours > theirs else "defence"
        higher = "attack" if edge > 0 else "defence"
        if attack.critical:
            return higher
        named = {"miss": "defence", "deadlock": "nobody", "higher_skill": higher}
        return named[self.rulings["ties"]]

    def landed(
        self, place: int, roll: Roll, won: str, before: list[dict[str, Any]]
    ) -> dict[str, Any]:
        """How the attack lands on one target, a blind shot perhaps wide."""
        hit: dict[str, Any] = {
            "hit": won == "attack", "deadlock": won == "nobody", "critical": False, "superior": 0,
        }  # fmt: skip
        if won != "attack":
            return hit
        later = any(one["hit"] for one in before)
        if not (later and self.rulings["shared_superior"] == "first"):
            hit |= {"critical": roll.critical and roll.success, "superior": max(0, roll.superior)}
        faced = self.take("go_wide")
        assert (faced is not None) == self.attack.wide
        if faced is not None and faced[0] < 50:
            return {"hit": False, "deadlock": False, "critical": False, "superior": 0}
        return hit

    # -- what a hit does ---------------------------------------------------------------------

    def state(self, place: int) -> tuple[int, int, int, int, int]:
        """Damage, wounds, threshold, durability and death rating; or those of the mind."""
        who = self.who[place]
        if self.weapon.harm == "stress":
            lucid = who.wil * 2 if who.lucidity is None else who.lucidity
            return who.stress, who.traumas, rounded(Fraction(lucid, 5)), lucid, lucid * 2
        fifth = rounded(Fraction(who.durability, 5))
        wt = fifth if who.wound_threshold is None else who.wound_threshold
        if self.rulings["printed"] == "formula" and wt:
            wt = fifth
        times = {"object": Fraction(1)}.get(who.body, Fraction(2))
        if who.body in {"biomorph", "pod", "uplift"}:
            times = Fraction(3, 2)
        dr = rounded(who.durability * times)
        as_printed = self.rulings["printed"] == "printed" or who.body == "object"  # no formula
        if who.death_rating is not None and as_printed:
            dr = who.death_rating
        return who.damage, who.wounds, wt, who.durability, dr

    def left_alone(self, place: int, hit: dict[str, Any]) -> dict[str, Any]:
        """The record of one who was not hit."""
        damage, wounds, _, full, dr = self.state(place)
        out = full > 0 and damage >= full
        minds = self.weapon.harm == "stress"
        return {
            **hit, "dv": 0, "net": 0, "total": damage, "wounds": 0, "all_wounds": wounds,
            "incapacitated": out, "unconscious": out and not minds, "revivable": not out,
            "dead": dr > 0 and damage >= dr and not minds,
            "insane": dr > 0 and damage >= dr and minds, "conditions": (),
            "prone": False, "knocked_out": False,
            "disarmed": False, "redirected": False, "bleeding": 0, "dies_in": 0, "effect": "",
            "calls": (), "needs": (), "spent": 0, "stress": self.weapon.harm == "stress",
        }  # fmt: skip

    def effect(self, hit: dict[str, Any]) -> tuple[str, int, bool]:
        """A called shot's effect, the d6 that superior successes add, whether DV doubles."""
        called = self.declared.get("choose_called_shot", "none")
        reading = self.rulings["called_critical"]
        counts = hit["superior"] > 0 or (hit["critical"] and reading != "doubles")
        if called == "none" or not counts:
            return "", hit["superior"], hit["critical"]
        doubled = hit["critical"] and reading != "effect"
        if hit["superior"] < 2:
            return called, 0, doubled
        names = AFTER_CALL[called]
        if len(names) == 1 and self.rulings["called_second"] == "lost":
            names = ("none",)
        name = self.take("choose_effect") or names[0]
        assert name in names
        return f"{called}+{name}", int(name == "damage" and len(names) == 1), doubled

    def dv(self, effect: str, d6: int, *, doubled: bool) -> int:
        """The DV of the damage dice that fell."""
        who, weapon, ammo, rule = self.setup.attacker, self.weapon, self.ammo, self.rulings
        own10, own6, flat = weapon.d10, weapon.d6, weapon.flat
        if weapon.unarmed:
            own10, own6, flat = who.unarmed_d10, who.unarmed_d6, flat + who.unarmed_flat
        touch = self.declared.get("choose_touch") == "touch"
        fired = weapon.form not in {"melee", "psi"}
        nothing = touch or (fired and not (own10 or own6 or flat))
        if nothing or ammo.no_damage or effect in {
            "knockdown", "knockdown+none", "redirect", "redirect+harder",
        }:  # fmt: skip
            return 0
        more10, more6 = 0, d6
        lost = 0
        if self.loaded:
            more10, lost = max(0, ammo.d10), max(0, -ammo.d10)
            more6 += ammo.d6
        if weapon.form == "melee":
            more10 += BONUS_D10.get(who.size, 0) + who.melee_d10
            more10 += self.declared.get("choose_style") == "damage"
            more6 += who.melee_d6 + (self.setup.movement == "charge")
            more6 += min(3, self.setup.extra_weapons)
        if self.declared.get("choose_fire") == "damage":
            more10 += 2 if self.declared["choose_mode"] == "auto" and weapon.rounds >= 10 else 1
        near = 10 if rule["short_rating"] == "close" else 2
        if "cone" in self.traits and self.setup.distance_m <= 10:
            more10 += 1
        far = self.setup.distance_m > max(near, weapon.range_m) and not self.setup.vacuum
        steady = "steady" in self.traits and rule["steady"] != "to_hit"
        weakens = weapon.form in {"kinetic", "railgun"} or "cone" in self.traits
        lost += far and weakens and not steady
        if rule["minus_die"] == "remove":
            taken = min(more10, lost)
            more10, lost = more10 - taken, lost - taken
            taken = min(own10, lost)
            own10, lost = own10 - taken, lost - taken
        times = doubled and rule["critical_doubles"]
        if times == "dice":
            own10, own6, more10, more6, lost = (2 * n for n in (own10, own6, more10, more6, lost))
        small = weapon.form == "melee" and who.size == "small"
        if small and rule["small_half"] == "dice":
            own10, own6 = rounded(own10 * HALF), rounded(own6 * HALF)
            flat = rounded(flat * HALF)
        whole = [Fraction(2)] * (times == "total")
        whole += [HALF] * (small and rule["small_half"] == "total")
        apart = Fraction(2 if times == "weapon" else 1)
        if ammo.half and rule["half_ammo"] == "weapon":
            apart *= HALF
        elif ammo.half:
            whole.append(HALF)
        if effect.startswith("disarm") and effect != "disarm+damage":
            whole += [HALF] * (rule["disarm_half"] == "dv")
        own, extra = self.fallen(own10, own6, more10, more6, lost, split=apart != 1)
        value = max(Fraction(0), (own + flat) * apart + extra)
        if rule["factors"] == "each":
            value = Fraction(rounded(value))
        for factor in whole:
            value *= factor
            if rule["factors"] == "each":
                value = Fraction(rounded(value))
        if weapon.form == "melee" and who.size == "very_small":
            value = min(Fraction(1), value)
        return rounded(value)

    def fallen(self, *dice: int, split: bool) -> tuple[int, int]:
        """Sums of the weapon's dice and of the others, those that are subtracted taken off."""
        own10, own6, more10, more6, lost = dice
        if self.rulings["static"] == "average":
            mean = Fraction(11 * own10 + 7 * own6, 2)
            rest = Fraction(11 * more10 + 7 * more6 - 11 * lost, 2)
            return (rounded(mean), rounded(rest)) if split else (rounded(mean + rest), 0)
        faces = list(self.take("roll_damage")) if sum(dice) else []
        assert len(faces) == sum(dice), (faces, dice)
        minus = sum(faces[len(faces) - lost :])
        if split:
            own = own10 + own6
            return sum(faces[:own]), sum(faces[own : len(faces) - lost]) - minus
        assert all(face <= 6 for face in faces[own10 + more10 : len(faces) - lost])
        return sum(faces[: len(faces) - lost]) - minus, 0

    def armor(self, place: int, effect: str) -> int:
        """The armor that counts against this attack."""
        kind, who = self.weapon.armor, self.who[place]
        if kind == "none":
            return 0
        av: int = getattr(who, kind)
        if kind != "mental":
            av += sum(getattr(piece, kind) for piece in who.pieces)
        halvings = ("armor_piercing" in self.traits) + effect.startswith("bypass")
        if halvings == 2 and self.rulings["piercing_twice"] == "quarter":
            return rounded(Fraction(av, 4))
        return rounded(Fraction(av, 2)) if halvings else av

    def harm(self, place: int, hit: dict[str, Any]) -> dict[str, Any]:
        """Damage, wounds, and what follows from them."""
        who, rule = self.who[place], self.rulings
        record = self.left_alone(place, hit)
        effect, d6, doubled = self.effect(hit)
        shared = (d6, doubled) if self.cone and rule["blast_damage"] == "once" else None
        if shared in self.sprayed:
            dv = self.sprayed[shared]
        else:
            dv = self.dv(effect, d6, doubled=doubled)
        if shared is not None:
            self.sprayed = {shared: dv}
        if hit.get("dodged"):
            dv = rounded(dv * HALF)
        net = max(0, dv - self.armor(place, effect))
        if effect in {"disarm", "disarm+harder", "disarm+keep"} and rule["disarm_half"] == "net":
            net = rounded(net * HALF)
        damage, held, wt, full, dr = self.state(place)
        total, wounds = damage + net, net // wt if wt else 0
        out, dead = full > 0 and total >= full, dr > 0 and total >= dr
        wakes = not out or (rule["waking"] == "up_to" and total == full)
        falls = who.body not in {"object", "infomorph"} and not record["stress"]
        falls = falls and rule["wound_effects"] == "checks"
        if who.body in {"bot", "vehicle"} and rule["shell_knockdown"] == "crash":
            falls = False
        felt = net > 0 or rule["stopped_effects"] == "hit"
        record |= {
            "dv": dv, "net": net, "total": total, "wounds": wounds, "all_wounds": held + wounds,
            "incapacitated": out, "dead": dead and not record["stress"],
            "insane": dead and record["stress"], "revivable": wakes and not dead, "effect": effect,
            "prone": falls and (wounds >= 2 or effect.startswith("knockdown") or out),
            "disarmed": effect == "disarm+keep",
        }  # fmt: skip
        living = who.body in {"biomorph", "pod", "uplift"}
        if felt and who.body != "object":
            energy = who.energy + sum(piece.energy for piece in who.pieces)
            kinetic = who.kinetic + sum(piece.kinetic for piece in who.pieces)
            low = "low_pain_tolerance" in who.qualities and rule["low_pain"] == "checks"
            tests = {
                "blinding": ("ref", 0), "entangling": ("ref", -10 * record["superior"]),
                "pain": ("wil", -30 * low), "shock": ("som", energy + SHOCKED[who.size]),
                "stun": ("som", kinetic + STUNNED[who.size]),
            }  # fmt: skip
            called = [one for one in tests if one in self.traits]
            called = [one for one in called if living or one not in {"pain", "shock"}]
            needs = [self.need(place, record, *tests[one])[0] for one in called]
            record |= {"calls": tuple(called), "needs": tuple(needs)}
        if not dead:
            bleeds = living and not record["stress"] and "medichines" not in who.qualities
            bleeds = bleeds and rule["wound_effects"] == "checks"
            wounded = record["all_wounds"] > 0 or rule["bleeds_unwounded"] == "yes"
            knocked = felt and "knockdown" in self.traits
            self.checks(place, record, falls=falls, knocked=knocked)
            lasting: dict[str, int] = {}
            if record["stress"] and wounds and not out and rule["wound_effects"] == "checks":
                self.shaken(place, record, lasting)
            for one in record["calls"]:
                self.felt(place, record, (one, *tests[one]), lasting)
            record["conditions"] = tuple(sorted(lasting.items()))
            if bleeds and out and wounded:
                self.bleed(place, record, dr)
        record["unconscious"] = (record["knocked_out"] or out) and not record["stress"]
        return record

    # -- checks ------------------------------------------------------------------------------

    def need(
        self, place: int, record: dict[str, Any], aptitude: str, modifier: int
    ) -> tuple[int, int, int]:
        """The number of a check; with a point; without modifiers."""
        who, rule = self.who[place], self.rulings
        printed = getattr(who, f"{aptitude}_check")
        value: int = getattr(who, aptitude) * 3 if printed is None else printed
        low = "low_pain_tolerance" in who.qualities
        circumstance = modifier
        if low and aptitude == "som" and rule["low_pain"] == "checks":
            modifier -= 30
        wounds, traumas = record["all_wounds"], who.traumas
        if record["stress"]:
            wounds, traumas = who.wounds, record["all_wounds"]
        harm = (-20 if low else -10) * max(0, wounds - min(3, who.ignore_wounds))
        harm -= 10 * max(0, traumas - min(3, who.ignore_traumas))
        outside = harm if rule["wound_cap"] == "outside" else 0
        inside = modifier + harm - outside
        tn = value + limited(inside) + outside
        plus = tn + 20
        if rule["pool_cap"] == "inside":
            plus = value + limited(inside + 20) + outside
        kept = max(0, circumstance) if rule["ignore_all"] == "negative" else 0
        return tn, plus, value + kept

    def check(self, place: int, record: dict[str, Any], aptitude: str, modifier: int = 0) -> bool:
        """Whether one check succeeds."""
        return self.tested(place, record, aptitude, modifier).success

    def shaken(self, place: int, record: dict[str, Any], lasting: dict[str, int]) -> None:
        """What traumas do at once."""
        calm = self.check(place, record, "wil")
        if record["wounds"] == 1:
            lasting |= {} if calm else {"disoriented": 1}
        elif calm:
            lasting["disoriented"] = 1
        else:
            die = self.take("roll_response")[0]
            lasting[("enraged", "fleeing", "detached")[(die - 1) // 2]] = FOREVER

    def felt(
        self, place: int, record: dict[str, Any], test: tuple[str, str, int],
        lasting: dict[str, int],
    ) -> None:  # fmt: skip
        """A check against a trait, and what it brings."""
        name, aptitude, modifier = test
        roll = self.tested(place, record, aptitude, modifier)
        worse = max(0, -roll.superior)
        fumbled = roll.critical and not roll.success
        brings: dict[str, int] = {}
        if name == "shock":
            brings = {"stunned": 3}
            if not roll.success:
                brings = {"incapacitated": 1 + 2 * worse, "stunned": 61 + 2 * worse}
                record["prone"] = True
        elif name == "pain":
            brings = {"impaired_20": 1} | ({} if roll.success else {"fleeing": 1})
        elif not roll.success and name == "stun":
            brings = {"incapacitated": 1, "stunned": 20} if fumbled else {"stunned": 1 + worse}
        elif not roll.success and name == "blinding":
            brings = {"blinded": FOREVER if fumbled else 1 + worse}
        elif not roll.success and name == "entangling":
            brings = {"grappled": FOREVER}
            if record["superior"]:
                brings["entangled"] = record["superior"]
        for one, turns in brings.items():
            lasting[one] = max(turns, lasting.get(one, 0))

    def tested(self, place: int, record: dict[str, Any], aptitude: str, modifier: int) -> Roll:
        """One check, with the points that are spent on it."""
        points, (tn, plus, bare) = self.theirs[place], self.need(place, record, aptitude, modifier)
        use = points.pay(before := self.take("call_for_check") or "none", aptitude)
        tn = {"plus20": plus, "ignore": bare}.get(use, tn)
        faced: int = self.take("roll_check")[0]
        roll = read(faced, tn, "")
        after = self.take("spend_on_check") or "none"
        if points.pay(after, aptitude) == "flip":
            roll = read(faced % 10 * 10 + faced // 10, tn, "")
        record["spent"] += (before != "none") + (after != "none")
        return roll

    def own_check(self, place: int, record: dict[str, Any]) -> bool:
        """A check that wounds call for, in which they count as ruled."""
        fresh = record["wounds"] if self.rulings["fresh_wound"] == "earlier" else 0
        record["all_wounds"] -= fresh
        passed = self.check(place, record, "som")
        record["all_wounds"] += fresh
        return passed

    def checks(self, place: int, record: dict[str, Any], *, falls: bool, knocked: bool) -> None:
        """The checks against falling, fainting, and the effects of called shots."""
        effect = record["effect"]
        if falls and record["wounds"] >= 2:
            record["knocked_out"] = not self.own_check(place, record)
        elif falls and (record["wounds"] == 1 or knocked) and not record["prone"]:
            record["prone"] = not self.own_check(place, record)
        harder = -60 if effect.endswith("harder") else -30
        if effect.startswith("disarm") and not effect.endswith("keep"):
            record["disarmed"] = not self.check(place, record, "som", harder)
            if record["disarmed"]:
                self.lands = self.take("scatter_weapon")[0]
        if effect.startswith("redirect"):
            record["redirected"] = not self.check(place, record, "ref", harder)

    def bleed(self, place: int, record: dict[str, Any], dr: int) -> None:
        """The check against bleeding out, or one each turn."""
        loss = max(1, record["all_wounds"])
        helped = 30 if self.setup.treated else 0
        while not self.check(place, record, "som", helped):
            record["bleeding"] = loss
            if self.rulings["bleeding"] == "once":
                record["dies_in"] = -((record["total"] - dr) // loss)
                return
            record["total"] += loss
            record["dies_in"] += 1
            if record["total"] >= dr:
                record["dead"] = True
                return
        record["bleeding"] = record["dies_in"] = 0


def judge(
    setup: Any, rulings: Mapping[str, str], numbers: Any, answers: Iterable[tuple[str, Any]]
) -> dict[str, Any]:
    """What an attack did; arguments as for `Referee`."""
    return Referee(setup, rulings, numbers, list(answers)).judge()
