"""Modifiers of a check, row by row of the tables."""

from __future__ import annotations

from functools import lru_cache

from affray.core.modifier import Modifier
from affray.core.ruling import Rulings
from affray.core.step import cites
from affray.core.table import Table
from affray.systems.emlia import rulings as rule
from affray.systems.emlia.actions import attack_of, edges_before, weapon_for
from affray.systems.emlia.engagement import body_of, combat_of, is_ranked, touched
from affray.systems.emlia.state import Decisions, Terms
from affray.systems.emlia.strength import CheckInputs
from affray.systems.emlia.tables import AIM, CC, FOCUS, RANK, RATIO, VOL

__all__ = [
    "ENEMIES_OUT",
    "RANGES",
    "SOURCE_OUT",
    "Rows",
    "common_rows",
    "focus_rows",
    "growing",
    "modifier",
    "own_rows",
]  # fmt: skip

Rows = tuple[Modifier, ...]


def modifier(table: Table[str, int], key: str, label: str, clause: str, times: int = 1) -> Modifier:
    """One row of a table of modifiers, as often as it applies."""
    return Modifier(label, table[key] * times, clause)


@cites("EM-30", "EM-32", "EM-36")
def growing(
    table: Table[str, int], keys: tuple[tuple[str, str], ...], much: int, clause: str,
    rulings: Rulings,
) -> Rows:  # fmt: skip
    """Rows of which the first `much` apply; all of them, or only the last (B6)."""
    rows = tuple(modifier(table, key, label, clause) for key, label in keys[:much])
    return rows if rulings[rule.STACK] == "cumulative" else rows[-1:]


def _steps(prefix: str, who: str, strict: bool) -> tuple[tuple[str, str], ...]:  # noqa: FBT001  # a wording
    word = "more than " if strict else ""
    first = f"{prefix}1" if not strict else prefix
    return (
        (first, f"{who} outnumbered"),
        (f"{prefix}2", f"{who} outnumbered {word}2:1"),
        (f"{prefix}3", f"{who} outnumbered {word}3:1"),
    )


_ENEMY_OUT = _steps("enemy_out", "enemy", strict=True)
_FRIEND_OUT = _steps("friend_out", "friends", strict=True)
_SUBJECT_OUT = _steps("out", "subject", strict=False)
SOURCE_OUT = _steps("src_out", "source", strict=False)
ENEMIES_OUT = _steps("sub_out", "subject", strict=False)
RANGES = (("out_short", "outside short range"), ("out_medium", "outside medium range"))
_SMALL = (("small4", "target less than 1/4 of the enemy"),
          ("small10", "target less than 1/10 of the enemy"))  # fmt: skip


def common_rows(terms: Terms, decided: Decisions, inputs: CheckInputs, by: int) -> Rows:
    """Modifiers that don't depend on who of the body is attacked; the skill's own among them."""
    troop = terms.troops[by].troop
    attack = attack_of(troop, decided.action)
    assert attack is not None  # only attacks are worked out
    rows: list[Modifier] = []
    crew = dict(inputs.crews)[by]
    if crew.bonus:
        rows.append(Modifier(crew.label, crew.bonus, crew.clause))
    if attack.like == "aimed_fire":
        rows += _aim_rows(terms, decided, inputs, by)
    elif attack.like == "volley_fire":
        rows += _volley_rows(terms, by, decided)
    else:
        rows += _melee_rows(terms, decided, inputs, by)
    if by in inputs.aligned:
        rows.append(modifier(RANK, "aligned", "just aligned", "EM-20"))
    if attack.own is not None:
        rows += [Modifier(row.label, row.amount, "EM-1") for row in attack.own.modifiers]
    return tuple(rows)


def _is_double(terms: Terms, decided: Decisions, inputs: CheckInputs, by: int) -> bool:
    moved = terms.setup.move == "double" and not decided.stays
    return moved or by in inputs.paced


@cites("EM-30", "EM-33")
def _aim_rows(terms: Terms, decided: Decisions, inputs: CheckInputs, by: int) -> list[Modifier]:
    setup, rulings = terms.setup, terms.rulings
    attack = attack_of(terms.troops[by].troop, decided.action)
    assert attack is not None
    rows: list[Modifier] = []
    weapon = weapon_for(terms.troops[by].troop, attack, setup.weapon if by == 0 else "")
    if weapon is not None:
        rows += growing(AIM, RANGES, edges_before(weapon, setup.distance), "EM-30", rulings)
    if setup.move == "forfeit":
        rows.append(modifier(AIM, "forfeit_move", "forfeited movement", "EM-30"))
    if _is_double(terms, decided, inputs, by):
        rows.append(modifier(AIM, "double_pace", "double pace", "EM-30"))
    skirmish = combat_of(terms, decided) == "skirmish"
    if attack.support:
        if not skirmish or rulings[rule.SUPPORT] == "adds":
            rows.append(modifier(AIM, "support", "supporting fire", "EM-33"))
        if skirmish:
            rows.append(
                modifier(AIM, "support_skirmish", "supporting fire into a skirmish", "EM-33")
            )
    if attack.support or rulings[rule.AIMED_ODDS] == "always":
        rows += growing(AIM, _ENEMY_OUT, inputs.enemy_out, "EM-33", rulings)
        if skirmish and inputs.enemy_out:
            rows.append(
                modifier(AIM, "enemy_out_skirmish", "enemy outnumbered in skirmish", "EM-33")
            )
        rows += growing(AIM, _FRIEND_OUT, inputs.friend_out, "EM-33", rulings)
    if decided.focus is not None:
        small = _smallness(terms, decided, inputs, decided.focus)
        rows += growing(AIM, _SMALL, small, "EM-30", rulings)
    return rows


def _smallness(terms: Terms, decided: Decisions, inputs: CheckInputs, focus: int) -> int:
    """Count the small-target rows: 1 below a quarter of the enemies attacked, 2 below a tenth."""
    rows = zip(body_of(terms, decided), inputs.sizes, strict=True)
    sizes = {place: n for place, n in rows if terms.troops[place].side == "enemy"}
    return smallness(sizes[focus], sum(sizes.values()))


def smallness(size: int, whole: int) -> int:
    """Count the small-target rows for a troop of a size: below a quarter, below a tenth of all."""
    return sum(size * RATIO[share] < whole for share in ("quarter", "tenth"))


@cites("EM-31")
def _volley_rows(terms: Terms, by: int, decided: Decisions) -> list[Modifier]:
    setup, troop = terms.setup, terms.troops[by].troop
    attack = attack_of(troop, decided.action)
    assert attack is not None
    weapon = weapon_for(troop, attack, setup.weapon if by == 0 else "")
    rows: list[Modifier] = []
    edges = 1 if weapon is None else edges_before(weapon, setup.distance)
    if edges == 0:
        rows.append(modifier(VOL, "in_short", "inside short range", "EM-31"))
    if edges > 1:
        rows.append(modifier(VOL, "out_medium", "outside medium range", "EM-31"))
    if setup.blind:
        rows.append(modifier(VOL, "blind", "firing blind", "EM-31"))
    if setup.in_sight:
        rows.append(modifier(VOL, "in_sight", "target in sight", "EM-31"))
    return rows


@cites("EM-32")
def _melee_rows(terms: Terms, decided: Decisions, inputs: CheckInputs, by: int) -> list[Modifier]:
    rulings = terms.rulings
    rows = list(growing(CC, _SUBJECT_OUT, inputs.enemy_out, "EM-32", rulings))
    if by in inputs.charged:
        rows.append(modifier(CC, "charged", "charged", "EM-32"))
    if _is_double(terms, decided, inputs, by):
        rows.append(modifier(CC, "double_pace", "double paced", "EM-32"))
    return rows


@cites("EM-23")
def _facing(terms: Terms, decided: Decisions, by: int, place: int) -> Rows:
    """Penalties of a ranked unit for an enemy on its flank or rear, and for several fronts."""
    unit, enemy = terms.troops[by].unit, terms.troops[place].unit
    if combat_of(terms, decided) != "ranked" or not is_ranked(terms, decided, unit):
        return ()
    contact = touched(terms, unit)
    side = contact.own_side if enemy == terms.target else touched(terms, enemy).side
    one = () if side == "front" else (modifier(RANK, f"to_{side}", f"enemy on the {side}",
                                               "EM-23"),)  # fmt: skip
    many = (modifier(RANK, "to_multi", "enemies on several fronts", "EM-23"),)
    return _stacked(one, many if contact.own_fronts > 1 else (), terms.rulings)


@cites("EM-23")
def _stacked(one: Rows, other: Rows, rulings: Rulings) -> Rows:
    """Rows of side and of fronts: both, or the larger one (B9)."""
    rows = (*one, *other)
    if rulings[rule.RANKS] == "add" or len(rows) < 2:
        return rows
    return (max(rows, key=lambda row: abs(row.value)),)


def own_rows(
    terms: Terms, decided: Decisions, inputs: CheckInputs, by: int
) -> tuple[Rows, ...]:  # fmt: skip
    """Modifiers that depend on who of the body is attacked, for each of them."""
    body = zip(body_of(terms, decided), inputs.exposed, inputs.bared, inputs.unaware, strict=True)
    return tuple([_own_rows(terms, decided, by, one) for one in body])


@lru_cache(maxsize=4096)
def _own_rows(
    terms: Terms, decided: Decisions, by: int, attacked: tuple[int, int, bool, bool]
) -> Rows:
    """The same for one of the body: its place, and as in `CheckInputs`."""
    place, exposed, bared, unaware = attacked
    troop = terms.troops[place].troop
    attack = attack_of(terms.troops[by].troop, decided.action)
    assert attack is not None
    rows: list[Modifier] = []
    above = terms.troops[by].troop.elevation - troop.elevation
    if attack.like == "volley_fire":
        if troop.vertical_cover == "partial" and not bared:
            rows.append(modifier(VOL, "vcover_partial", "partial vertical cover", "EM-31"))
    else:
        table, clause = (AIM, "EM-30") if attack.like == "aimed_fire" else (CC, "EM-32")
        if troop.concealment != "none":
            rows.append(modifier(table, f"conceal_{troop.concealment}",
                             f"{troop.concealment} concealment", clause))  # fmt: skip
        if troop.cover != "none" and not bared:
            cover = troop.cover if f"cover_{troop.cover}" in table else "partial"
            rows.append(modifier(table, f"cover_{cover}", f"{troop.cover} cover", clause))
        if above > 0:
            rows.append(modifier(table, "elev_over", "elevation over target", clause))
    if attack.like == "aimed_fire" and unaware:
        rows.append(modifier(AIM, "unaware", "target unaware", "EM-30"))
    if attack.like == "close_combat":
        if above < 0:
            rows.append(modifier(CC, "target_elev", "target has elevation", "EM-32"))
        if troop.rough or terms.troops[by].troop.rough:
            rows.append(modifier(CC, "rough", "rough terrain", "EM-32"))
        if exposed:
            rows.append(modifier(CC, "exposed", "fumbled its Disengage", "EM-36", exposed))
        rows += _facing(terms, decided, by, place)
        rows += _flanked(terms, decided, place)
    if troop.to_hit:
        rows.append(Modifier("to hit it", troop.to_hit, "EM-2"))
    return tuple(rows)


@cites("EM-23")
def _flanked(terms: Terms, decided: Decisions, place: int) -> Rows:
    """Bonuses for attacking a ranked unit's flank or rear, and for its further fronts."""
    unit = terms.troops[place].unit
    if combat_of(terms, decided) != "ranked" or not is_ranked(terms, decided, unit):
        return ()
    contact, rulings = touched(terms, unit), terms.rulings
    side = contact.own_side
    one = () if side == "front" else (modifier(RANK, f"from_{side}", f"from the {side}", "EM-23"),)
    fronts = contact.own_fronts
    extra = fronts - 1 if rulings[rule.FRONTS] == "beyond_first" or fronts == 1 else fronts
    many = (modifier(RANK, "from_extra_front", "on further fronts", "EM-23", extra),)
    return _stacked(one, many if extra else (), rulings)


@lru_cache(maxsize=4096)
@cites("EM-30", "EM-32", "EM-52")
def focus_rows(terms: Terms, decided: Decisions, by: int) -> tuple[Rows, Rows]:
    """The cost of focusing: rows of the table, and the penalty of step 1.3 (B8, B18)."""
    if decided.focus is None:
        return (), ()
    attack, rulings = attack_of(terms.troops[by].troop, decided.action), terms.rulings
    assert attack is not None
    step = (Modifier("focusing, step 1.3", FOCUS["step"], "EM-52"),)
    if attack.like == "volley_fire":
        return (), step
    if attack.like == "close_combat":
        rows: Rows = (modifier(CC, "focus", "focusing", "EM-32"),)
    else:
        skirmish = combat_of(terms, decided) == "skirmish"
        both = (modifier(AIM, "focus", "focusing", "EM-30"),
                modifier(AIM, "focus_skirmish", "focusing in a skirmish", "EM-30"))  # fmt: skip
        rows = both if skirmish else both[:1]
        if skirmish and rulings[rule.FOCUS_SKIRMISH] == "replaces":
            rows = both[1:]
    return (rows, step) if rulings[rule.FOCUS] == "both" else ((), rows)
