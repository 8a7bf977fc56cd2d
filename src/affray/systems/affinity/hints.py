"""Engines may know this of the rules to be quick; see `affray.core.hints`."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from typing import Any

from affray.core.dice import Face, Pool
from affray.core.hints import Hints, hides
from affray.core.lazy import NamedTuple
from affray.core.node import At, Chance
from affray.core.reading import Counts, count_sums
from affray.core.ruling import Rulings
from affray.core.sheet import replace
from affray.core.unknown import UNKNOWN, Parts, is_unknown, merges_places, remembers
from affray.systems.affinity import aftermath, declaration, harm, other_actions
from affray.systems.affinity import rulings as rule
from affray.systems.affinity.attempts import attempt_of, cap_of, is_big
from affray.systems.affinity.glances import as_actor, as_target
from affray.systems.affinity.numbers import counts_totals, fewer_dice, harder
from affray.systems.affinity.reading import Rolled, Successes
from affray.systems.affinity.sheet import Combatant
from affray.systems.affinity.state import CombatantState, Condition, Done, Exchange, Plan, Terms
from affray.systems.affinity.tables import ECONOMY, RESOLVE, SPREAD, TIERS

__all__ = ["HINTS"]

merges_places(__name__)  # no rule stands here

DEALT = ("successes", "damage", "burn", "own_hd", "spread", "targets")
"""Outcome fields that no defense changes."""

STRUCK = (
    "hd_lost", "damage", "successes", "burn", "hd", "own_hd", "layers", "magical", "shield",
    "armor", "temporary", "helped", "ally_burn", "healed", "defending", "stabilized", "moved",
    "conditions", "granted", "given", "spread", "targets", "others", "others_lost",
)  # fmt: skip
"""Outcome fields that no check of Resolve changes."""


EFFECTS = frozenset({"hd_lost", "others_lost", "resolve_change", "own_resolve_change"})
"""What effects in a fight are made of: of Resolve only how it changes, for which there is no field.
"""


BARE = EFFECTS | {
    "damage", "successes", "hd", "layers", "state", "down", "dead", "resolve", "own_resolve",
}  # fmt: skip
"""Outcome fields that look at no more of the attacker than Resolve, and effects."""


FELT = BARE - {"hd", "layers"}
"""Those of them that no longer tell Hit Dice apart once it is known that some are left."""


HIT = frozenset({"hd_lost", "others_lost", "damage", "successes"})
"""Those of them that look at nothing that a check of Resolve looks at."""


HARM = HIT - {"successes"}
"""Those of these that only a deed changes that does something to somebody else."""


ALONE = frozenset({"rush", "repair", "dash", "march", "disengage"})
"""Deeds that do nothing to anybody else."""

OWN = EFFECTS | {"damage", "successes"}
"""What looks at nobody on whom a deed of these does nothing."""


class Unread(NamedTuple):
    """A roll of dice at which nobody looks: it reads the same, whatever they show."""

    reading: Hashable = 0

    def __call__(self, faces: tuple[Face, ...]) -> Hashable:  # noqa: ARG002  # as all readings
        """What it always reads."""
        return self.reading

    def counted(self, pool: Pool) -> Counts[Hashable]:
        """All faces together."""
        return {self.reading: sum(count_sums(pool).values())}


def forget(roll: Chance[Exchange], needed: frozenset[str]) -> Chance[Exchange]:
    """A roll without what only fields that nobody needs look at."""
    at = roll.then
    x = at.facts
    if x.terms.others:
        return roll  # there is more to be known than of two
    if at.step is other_actions.grant_layer and needed <= OWN | {"resolve", "own_resolve"}:
        kept = x if "successes" in needed else x._replace(successes=0)
        read = roll.read if counts_totals(x.rulings) else Unread()
        return roll._replace(read=read, then=At(at.step, kept))
    if x.plan is None:
        after = pares(at, needed)
        return roll if after is at else roll._replace(then=after)
    asks = not needed.isdisjoint({"own_resolve", "own_resolve_change"})
    whole = not needed <= EFFECTS
    if x.plan.deed == "attack" and needed <= BARE:
        terms = _at_roll(x.terms, x.plan, asks=asks, whole=whole)
        if "successes" not in needed:
            roll = _damaging(roll, x.terms, x.plan)
        if needed <= HIT:
            roll = _unburnt(roll, x, x.plan)
    elif x.plan.deed in ALONE and needed <= OWN:
        terms = _alone(_at_roll(x.terms, x.plan, asks=asks, whole=whole))
        if needed <= HARM:
            roll = roll._replace(read=Unread(Rolled()))
    else:
        return roll
    if terms is x.terms:
        return roll
    return roll._replace(then=At(at.step, roll.then.facts._replace(terms=terms)))


def _damaging(roll: Chance[Exchange], terms: Terms, plan: Plan) -> Chance[Exchange]:
    """The roll of an attack that counts no more successes than can add to its damage."""
    attempt, read = attempt_of(terms, plan), roll.read
    most = attempt.required + attempt.cap + SPREAD["stronger"] - attempt.more
    if not isinstance(read, Successes):
        return roll
    return roll._replace(read=read._replace(most=max(0, most)))


def _unburnt(roll: Chance[Exchange], x: Exchange, plan: Plan) -> Chance[Exchange]:
    """The roll of an attack as if none of its dice could burn, whoever put them in."""
    read = roll.read
    if not isinstance(read, Successes) or x.rulings[rule.BURN] == "immediate":
        return roll  # burning Hit Dice may end the attack
    attempt = attempt_of(x.terms, plan)
    whole = plan._replace(exertion=plan.exertion + plan.affinity, affinity=0)
    then = At(roll.then.step, x._replace(plan=whole))
    return roll._replace(read=read._replace(safe=attempt.safe + attempt.burning), then=then)


def pares(at: At[Exchange], needed: frozenset[str]) -> At[Exchange]:
    """A place after the attack's dice were read without what only other fields look at."""
    x = at.facts
    if x.terms.others:
        return at
    after = x._replace(
        plan=None,
        successes=x.successes if "successes" in needed else 0,
        dealt=x.dealt if "damage" in needed else 0,
    )
    if x.done.deed == "attack" and needed <= HIT:
        after = after._replace(
            burn=0, done=Done("attack"), daunts=False, terms=_as_hit(after.terms)
        )
        if at.step is harm.lose_hd:
            after = after._replace(terms=_at_loss(after.terms, after, whole=False, capped=True))
        return At(at.step, after)
    if x.done.deed == "attack" and needed <= BARE:
        terms, burn, whole = x.terms, x.burn, not needed <= EFFECTS
        if not is_unknown(terms.striker.checked):
            strained = aftermath.is_strained(x)
            burn = x.burn if strained else 0
            terms = _after_roll(terms, strained=strained, burn=burn, whole=whole)
        if not (whole or is_unknown(terms.struck)):
            terms = _midway(terms)
        if at.step is harm.lose_hd and needed <= FELT:
            terms = _at_loss(terms, after, whole=whole, capped=whole)
        after = after._replace(terms=terms)
    return at if after == x else At(at.step, after)


NOBODY = CombatantState(checked=True)
"""Stands for somebody with whom nothing happens."""

BEFALLS = EFFECTS | HIT | {"hd", "layers", "state", "down", "dead"}
"""Outcome fields, those of effects among them, that look at nothing else of whoever acts."""


def splits(at: At[Exchange], minding: frozenset[str]) -> tuple[At[Exchange], At[Exchange]] | None:
    """An attack whose dice were read: the one who made it checks Resolve, the target defends."""
    x = at.facts
    if x.terms.others or at.step is not harm.meet_damage:
        return None
    if x.done.deed != "attack" or not minding <= BEFALLS:
        return None
    others = x._replace(
        terms=_unattended(x.terms), done=Done("attack"), burn=0, stepped=0, way=0, plan=None
    )
    if others == x:
        return None  # only others are left
    own = Exchange(
        _alone(x.terms), done=x.done, burn=x.burn, stepped=x.stepped, way=x.way, moved=x.moved
    )
    return At(aftermath.look_at_attacker, own), At(at.step, others)


def cloaks(at: At[Exchange]) -> tuple[At[Exchange], Hashable] | None:
    """A place with the target's condition unknown; at a foe nothing looks at it before damage."""
    x = at.facts
    if x.terms.setup.towards != "foe" or x.terms.setup.hazard is not None or x.terms.others:
        return None
    return At(at.step, x._replace(terms=_cloaked(x.terms))), x.terms.struck


def _with(terms: Terms, **changes: object) -> Terms:
    """The terms with other values; equal ones are one object, which is compared at once."""
    return _one(replace(terms, **changes))  # type: ignore[arg-type]  # of the kinds they have


@remembers(8192)
def _one(terms: Terms) -> Terms:
    return terms


@remembers(8192)
def _cloaked(terms: Terms) -> Terms:
    return _with(terms, struck=UNKNOWN)  # nobody may look at it


@remembers(8192)
def _unattended(terms: Terms) -> Terms:
    """The terms without the one who acts."""
    return _with(terms, striker=NOBODY)


@remembers(8192)
def _at_roll(terms: Terms, plan: Plan, *, asks: bool, whole: bool) -> Terms:
    """The terms, with as much of whoever acts as the roll of a deed, and all after it, need.

    Args:
        terms: as they are.
        plan: what is done.
        asks: whether somebody asks for the Resolve of whoever acts, or how it changes.
        whole: whether more is asked for than how it changes.
    """
    now = terms.striker
    bare = CombatantState(
        resolve=now.resolve, raging=now.raging, hurt=now.hurt, conditions=now.conditions,
        checked=True,
    )  # fmt: skip
    attempt = attempt_of(terms, plan)
    if attempt.burning and terms.rulings[rule.BURN] == "immediate":
        bare = bare._replace(
            hd=now.hd, exerted=now.exerted, checked=now.checked, stabilized=now.stabilized,
            lost=now.lost,
        )  # fmt: skip
    elif asks and is_unknown(now.checked):
        exerted, _ = _strained_at(terms, plan, attempt.burning)
        bare = bare._replace(
            hd=now.hd, exerted=exerted, checked=now.checked, stabilized=now.stabilized,
            lost=now.lost,
        )  # fmt: skip
    elif asks and not now.checked and plan.deed != "rush":
        exerted, hd = _strained_at(terms, plan, attempt.burning)
        if exerted or hd <= attempt.burning or is_big(attempt.tier):
            bare = bare._replace(
                hd=hd, exerted=exerted, checked=False, stabilized=now.stabilized
            )  # fmt: skip
    if plan.deed == "attack":
        most, rank = terms.setup.attacker.resolve_max, TIERS[attempt.tier].rank
        if is_unknown(bare.checked) or not bare.checked or (asks and whole):
            most = now.resolve if whole else _most_alike(now.resolve, most)
        bare = bare._replace(resolve=_firm(now.resolve, most, terms.rulings, rank))
    return terms if bare == now else _with(terms, striker=bare)


@lru_cache(maxsize=4096)
def _firm(resolve: int, most: int, rulings: Rulings, rank: int | None = None) -> int:
    """The highest Resolve, up to `most`, with which an action needs as many successes.

    Args:
        resolve: as it is.
        most: the most that is looked at.
        rulings: those on Resolve (B-8).
        rank: of the tier of the action; None: with which as many defense dice are thrown.
    """

    def stage(at: int) -> int:
        return fewer_dice(at, rulings) if rank is None else harder(at, rank, rulings)

    return max((at for at in range(resolve, most + 1) if stage(at) == stage(resolve)),
               default=resolve)  # fmt: skip


def _most_alike(resolve: int, most: int) -> int:
    """The highest Resolve that a check changes by as much, where `most` is all there can be."""
    change = RESOLVE["check"]
    return most - change if RESOLVE["least"] + change <= resolve <= most - change else resolve


def _strained_at(terms: Terms, plan: Plan, burning: int) -> tuple[int, int]:
    """Dice exerted and Hit Dice, none of them lost, with which the same rolls call for a check."""
    now, sheet, rulings = terms.striker, terms.setup.attacker, terms.rulings
    most = sheet.level if rulings[rule.RESOLVE] == "core" else sheet.prof
    if rulings[rule.RESOLVE] != "off" and plan.exertion and now.exerted + plan.exertion >= most:
        return most, 1
    return 0, 0 if is_unknown(now.hd) else _burns_at(sheet, now, burning)


def _burns_at(sheet: Combatant, now: CombatantState, burning: int) -> int:
    """The fewest Hit Dice whose burning calls for a check; more than may burn, if none does."""
    return min(now.hd, max(1, sheet.prof + RESOLVE["over"] - now.lost), burning + 1)


@remembers(8192)
def _alone(terms: Terms) -> Terms:
    """The terms without the one to whom nothing is done."""
    return _with(terms, struck=CombatantState(), guards=())


@remembers(8192)
def _as_hit(terms: Terms) -> Terms:
    """The terms, with as much of both as is needed where nobody asks for checks of Resolve."""
    now = terms.struck
    if not is_unknown(now):
        resolve = _firm(now.resolve, terms.setup.defender.resolve_max, terms.rulings)
        now = now._replace(resolve=resolve, checked=True, stabilized=False, lost=0)
    return _with(terms, striker=NOBODY, struck=now)


@remembers(8192)
def _midway(terms: Terms) -> Terms:
    """The terms, with the defender's Resolve as one that a check changes by as much."""
    now, resolve = terms.struck, terms.struck.resolve
    most = _most_alike(resolve, terms.setup.defender.resolve_max)
    alike = _firm(resolve, most, terms.rulings)
    return terms if alike == resolve else _with(terms, struck=now._replace(resolve=alike))


@remembers(8192)
def _after_roll(terms: Terms, *, strained: bool, burn: int, whole: bool) -> Terms:
    """The terms, with as much of the attacker as is needed once the dice have been read."""
    now = terms.striker
    bare = CombatantState(checked=True, resolve=now.resolve if whole else 0)
    if strained:  # as if all Hit Dice there are had burned, if that is why
        bare = CombatantState(
            hd=burn, resolve=now.resolve, stabilized=now.stabilized,
            exerted=0 if burn else now.exerted,
        )  # fmt: skip
    return terms if bare == now else _with(terms, striker=bare)


def _at_loss(terms: Terms, x: Exchange, *, whole: bool, capped: bool) -> Terms:
    """The terms, with as much of the defender as is needed when Hit Dice are about to be lost.

    That many are lost, or all there are; either way they count as beyond what calls for a check,
    or not at all.

    Args:
        terms: as they are.
        x: the place.
        whole: Resolve is asked for.
        capped: it matters how many Hit Dice there are, beyond whether that calls for a check.
    """
    now = terms.struck
    if now.down:
        return terms
    if is_unknown(now.lost):
        bare = CombatantState(
            hd=now.hd, resolve=now.resolve, checked=now.checked, stabilized=now.stabilized,
            lost=now.lost,
        )  # fmt: skip
    else:
        bare = _bare_at_loss(now, x, whole=whole, capped=capped)
    return terms if bare == now else _with_struck(terms, bare)


def _bare_at_loss(now: CombatantState, x: Exchange, *, whole: bool, capped: bool) -> CombatantState:
    """As much of a defender as is needed when Hit Dice are about to be lost; see `_at_loss`."""
    over = x.terms.setup.defender.prof + RESOLVE["over"]
    may = x.rulings[rule.RESOLVE] != "off" and not now.checked
    counts = may and now.lost + x.damage >= over
    checks, hd = may, now.hd
    if not is_unknown(hd):
        checks = counts or (may and x.damage >= hd)
        hd = min(hd, x.damage + 1) if capped else x.damage + (not checks)
        counts = counts and capped
    return CombatantState(
        hd=hd,
        resolve=now.resolve if whole or checks or x.daunts else 0,
        checked=not checks,
        stabilized=now.stabilized and (checks or x.daunts),
        lost=over if counts else 0,
    )


def parted(at: At[Exchange], part: Parts, needed: frozenset[str]) -> Hashable:
    """What of a defender makes a difference when Hit Dice are about to be lost."""
    x = at.facts
    now = x.terms.struck
    if x.terms.others:
        return part
    if at.step is not harm.lose_hd or x.done.deed != "attack" or now.down or not needed <= FELT:
        return part
    fields: dict[str, Any] = dict(zip(part.names, part.values, strict=True))
    known = CombatantState(resolve=now.resolve, **fields)
    rest = not needed <= EFFECTS
    return _bare_at_loss(known, x, whole=rest, capped=rest)


@remembers(8192)
def _with_struck(terms: Terms, struck: CombatantState) -> Terms:
    return _with(terms, struck=struck)


def _looks_at_hd(rulings: Rulings) -> bool:
    """An exchange looks at the actor's Hit Dice under these readings."""
    return (
        rulings[rule.RESOLVE] != "off"
        or rulings[rule.BURN] == "immediate"
        or rulings[rule.STEADYING] == "yes"
    )


def visible(condition: Condition) -> Condition:
    """A condition as exchanges see it; Hit Dice matter only under some readings, and if few."""
    now = condition.now
    hd = min(now.hd, now.plenty) if _looks_at_hd(condition.rulings) else 0
    return condition if hd == now.hd else condition._replace(now=now._replace(hd=hd))


def acting(sheet: Combatant, condition: Condition) -> Condition:
    """A combatant who acts: what an action looks at, and where they stand."""
    now, rulings = condition.now, condition.rulings
    seen = _offered(sheet, as_actor(sheet, now, rulings), rulings)
    if rulings[rule.RESOLVE] != "off":
        hd = _burns_at(sheet, now, _most_burning(sheet, rulings))
        if now.checked:
            hd = min(hd, 1)
            limited = rulings[rule.BUDGET] == "turn"
            seen = seen._replace(stabilized=False, exerted=seen.exerted if limited else 0)
        if rulings[rule.STEADYING] == "no" and rulings[rule.BURN] == "listed":
            seen = seen._replace(hd=hd, lost=0)
    return condition._replace(now=seen._replace(gone=now.gone, walked=now.walked))


def _offered(sheet: Combatant, seen: CombatantState, rulings: Rulings) -> CombatantState:
    """A combatant with what was done in this turn as far as it closes an action."""
    braces, cost = "defend" in sheet.universal, rulings[rule.DEFEND_COST]
    return seen._replace(
        actions=seen.actions if braces and cost == "turn" else min(seen.actions, ECONOMY["each"]),
        attacked=seen.attacked and braces and cost != "action",
        expert=seen.expert and rulings[rule.EXPERTS] == "one",
        affinity=min(seen.affinity, max(sheet.prof, sheet.exertion or 0)),
    )


@lru_cache(maxsize=4096)
def _most_burning(sheet: Combatant, rulings: Rulings) -> int:
    """The most Hit Dice that one action can burn; Affinity dice that burn are within the cap."""
    pools = (0, *(action.pool for action in sheet.actions))
    exerts = max(cap_of(sheet, CombatantState(), rulings, pool) for pool in pools)
    return exerts + _printed(sheet, rulings)


def _printed(sheet: Combatant, rulings: Rulings) -> int:
    """The most Hit Dice that a printed pool can burn by itself."""
    if rulings[rule.NPC_BURN] == "none":
        return 0
    return max((max(0, action.pool - sheet.prof) for action in sheet.actions), default=0)


def struck(sheet: Combatant, condition: Condition) -> Condition:
    """A combatant who is acted upon, and where they stand."""
    now = condition.now
    seen = as_target(sheet, now, condition.rulings)
    placed = seen._replace(hd=0, lost=0, checked=False, stabilized=False, gone=now.gone)
    return condition._replace(now=placed)


def _of_last(x: Exchange) -> tuple[str, ...]:
    """Nothing changes them any more once the one at whom an attack is aimed has defended."""
    return STRUCK if x.area is None else ()


def frugal(sheet: Combatant, condition: Condition) -> Condition:
    """A combatant whose Affinity dice nobody will spend."""
    return condition._replace(now=condition.now._replace(affinity=0))


HINTS: Hints[Exchange, Combatant, Condition] = Hints(
    fixes={
        harm.meet_damage: DEALT,
        aftermath.finish: STRUCK,
    },
    decides={"damage": ("hd_lost", "others_lost")},
    fixes_where={aftermath.check_resolve: _of_last, aftermath.look_at_attacker: _of_last},
    forget=forget,
    needed=EFFECTS,
    seams=frozenset({harm.meet_damage, harm.lose_hd}),
    pares=pares,
    splits=splits,
    cloaks=cloaks,
    hidden=hides("now.hd", visible, beside=("lost", "checked", "stabilized")),
    parted=parted,
    acting=acting,
    struck=struck,
    frugal=frugal,
    spends_at={declaration.choose_affinity: ()},
)
