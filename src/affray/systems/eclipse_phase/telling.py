"""A combatant's condition for those at the table: what it is, what it does, how it is set."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import get_args

from affray.core.errors import SetupError
from affray.core.fight import Gauge, Threshold, Told, gauged
from affray.core.lazy import NamedTuple
from affray.core.mending import whole_number
from affray.core.step import cites
from affray.core.telling import counted, shown
from affray.systems.eclipse_phase.condition import (
    ASLEEP,
    POOLS,
    Condition,
    may_bleed,
    weapons_left,
)
from affray.systems.eclipse_phase.gear import Weapon
from affray.systems.eclipse_phase.sheet import Combatant
from affray.systems.eclipse_phase.sheet import Condition as SheetCondition
from affray.systems.eclipse_phase.state import States
from affray.systems.eclipse_phase.tables import (
    AGGRESSIVE,
    AIM,
    ALERTED,
    ATTACKER_COVER,
    CONFUSED,
    DEAFENED,
    ENTANGLED,
    FULL_DEFENSE,
    HAMPERED,
    IGNORED_AT_MOST,
    IMPAIRED,
    INSANITY,
    LASTING,
    POOL_BONUS,
    PRONE_FAR,
    PRONE_FAR_M,
    STUNNED,
    SUPERIOR_POSITION,
    WOUND_STEP,
)

__all__ = ["mended", "told"]

MOST = 100
"""As many wounds, traumas and points as a sheet can hold."""
FARTHEST = 100_000
"""Meters that somebody may have moved."""
FLAGS = ("prone", "surprised", "unconscious")
"""Conditions that don't count turns."""
NAMES: tuple[str, ...] = (*get_args(SheetCondition), "entangled")
OFFLINE = "offline"
STANCES = ("full defense", "aim", "aggressive", "goes first", "behind cover")

SERVES: Mapping[str, str] = {
    "vigor": "REF and SOM tests",
    "insight": "COG and INT tests",
    "moxie": "SAV and WIL tests",
    "threat": "any test",
    "flex": "any test",
}
"""The tests for which points of a pool are spent (EP-18, EP-24)."""

DOES: Mapping[str, str] = {
    "prone": f"{PRONE_FAR} to be shot from {PRONE_FAR_M} m on, +{SUPERIOR_POSITION} for opponents "
    "who stand (EP-97)",
    "surprised": "neither acts nor defends in this round (EP-36)",
    "unconscious": "out of action (EP-111)",
    "incapacitated": "neither acts nor defends (EP-115)",
    "immobilized": "no physical action and no Fray (EP-115)",
    "detached": "neither acts nor defends (EP-123)",
    "grappled": f"only breaks free, {HAMPERED['grappled']} on physical defenses (EP-93, EP-115)",
    "blinded": f"half of what would hit goes wide, {HAMPERED['blinded']} on physical defenses "
    "(EP-101, EP-115)",
    "stunned": f"{STUNNED['physical']} on physical, {STUNNED['mental']} on mental actions (EP-115)",
    "dazed": "defends, and begins nothing (EP-115)",
    "disoriented": "defends, and begins nothing (EP-123)",
    "fleeing": "defends, and attacks nobody (EP-115)",
    "deafened": f"{DEAFENED['initiative']} on initiative, {DEAFENED['perceive']} on Perceive "
    "(EP-26, EP-115)",
    "confused": f"a COG check at {CONFUSED['check']} before each attack (EP-115)",
    "enraged": "attacks in spite of traumas (EP-123)",
    **{name: f"{value} on all actions (EP-115)" for name, value in IMPAIRED.items()},
}
"""What a condition does to whoever has it."""


AMBUSH: Mapping[str, str] = {
    "lurks": "strikes those who are unaware, and nobody else in this round (EP-35)",
    "unaware": "no turn in this round, and no defense if the ambush succeeds (EP-35)",
    "noticed": f"no turn in this round, then {ALERTED} on initiative (EP-37)",
    "alerted": f"{ALERTED} on initiative (EP-37)",
}
"""What an ambush does to those on both ends of it."""


# -- telling -------------------------------------------------------------------------------------


@cites("EP-26", "EP-48", "EP-50", "EP-64", "EP-65", "EP-79", "EP-115", "EP-124")
def told(sheet: Combatant, condition: Condition) -> tuple[Told, ...]:
    """The lines of a combatant's sheet that change in a fight."""
    return tuple(_lines(sheet, condition))


def _lines(sheet: Combatant, condition: Condition) -> Iterator[Told]:
    durability, dies_at = sheet.durability, condition.dies_at
    ends = [Threshold(durability, "out of action")]
    if dies_at:
        ends.append(Threshold(dies_at, "destroyed" if sheet.crashes else "dead"))
    damage = Gauge(condition.damage, durability, tuple(ends), rises=True)
    line = gauged("damage", damage, f"{damage.happens} (EP-65)", "damage")
    yield line._replace(bar=damage.left)
    if sheet.threshold or condition.wounds:
        hurt = counted(condition.wounds, "wound") if condition.wounds else ""
        does = _of_wounds(sheet, condition)
        yield Told("wounds", condition.wounds, does, "wounds", short=hurt)
    if may_bleed(sheet, condition):
        loses = f"{max(1, condition.wounds)} damage a turn, until Medicine stops it"
        bleeding = condition.bleeds == "bleeding"
        does = loses if bleeding else f"a SOM check is due; if it fails, {loses}"
        value = True if bleeding else "unchecked"
        yield Told("bleeding", value, f"{does} (EP-113)", "bleeding", short="bleeding")
    if sheet.lucid:
        breaks = Threshold(sheet.lucid, "breakdown"), Threshold(INSANITY * sheet.lucid, "insane")
        stress = Gauge(condition.stress, sheet.lucid, breaks, rises=True)
        strain = f"stress {condition.stress}/{sheet.lucid}" if condition.stress else ""
        line = gauged("stress", stress, f"{stress.happens} (EP-125)", "stress")
        yield line._replace(short=strain)
        hurt = counted(condition.traumas, "trauma") if condition.traumas else ""
        does = _of_traumas(sheet, condition)
        yield Told("traumas", condition.traumas, does, "traumas", short=hurt)
    had = _conditions(sheet, condition)
    words = tuple(_spelled(name, turns, sheet) for name, turns in had)
    does = "; ".join(f"{_worded(name, sheet)}: {_does(name, turns)}" for name, turns in had)
    yield Told("conditions", words, does, "conditions", short=", ".join(words))
    if ambush := condition.rare.ambush:
        yield Told("ambush", ambush, AMBUSH[ambush], "ambush", short=ambush)
    if condition.rare.holds:
        does = "keeps the hold as a complex action (EP-92)"
        yield Told("grapple", "holds the other", does, short="holds the other")
    stance = _stance(condition)
    yield Told("stance", stance, _of_stance(condition), "stance", short=", ".join(stance))
    for pool, points in zip(POOLS, condition.pools, strict=True):
        if points or getattr(sheet, pool):
            spent = f"a point for {SERVES[pool]}: +{POOL_BONUS}, no modifiers, or a flip"
            if pool == "threat" and sheet.threat_group:
                spent = f"shared by {sheet.threat_group!r} (EP-24); {spent}"
            yield Told(pool, points, f"{spent} (EP-18, EP-19, EP-20)", pool)
    if not condition.rare.plenty:
        left = dict(condition.rounds)
        kept = weapons_left(sheet, condition)
        for weapon in dict.fromkeys(one for one in sheet.weapons if _may_go(one, condition)):
            yield gauged(
                f"left, {weapon.name}", Gauge(kept.count(weapon), sheet.weapons.count(weapon)),
                "what is used up or broken is gone (EP-61)", _left_key(weapon.name),
            )  # fmt: skip
        for weapon in dict.fromkeys(one for one in kept if one.is_fired):
            rounds = Gauge(left.get(weapon.name, weapon.magazine), weapon.magazine, unit="rounds")
            does = "reloading takes a complex action (EP-79)"
            yield gauged(f"rounds, {weapon.name}", rounds, does, _rounds_key(weapon.name))
            left.pop(weapon.name, None)
        for name, number in left.items():  # a weapon of the situation, not of the sheet
            yield Told(f"rounds, {name}", number)
    moved = "meters closer to the other side than at the start (EP-32)"
    does = moved if condition.advance else ""
    yield Told("moved", condition.advance, does, "moved", is_place=True,
               gauge=Gauge(condition.advance, unit="meters"))  # fmt: skip


@cites("EP-61")
def _may_go(weapon: Weapon, condition: Condition) -> bool:
    """Whether a weapon is used up by one attack, or has been broken by one."""
    return "single_use" in weapon.traits or weapon.name in condition.rare.gone


def _left_key(weapon: str) -> str:
    return f"left_{weapon.replace(' ', '_')}"


def _rounds_key(weapon: str) -> str:
    return f"rounds_{weapon.replace(' ', '_')}"


def _of_harm(each: int, harm: int, ignored: int) -> str:
    """The modifiers for so many wounds or traumas, some of which may be ignored."""
    counts = max(0, harm - ignored)
    passed = f", {harm - counts} ignored" if harm > counts else ""
    if not counts:
        return f"{harm} ignored (EP-109)" if harm else ""
    return f"{each * counts} on all tests, -{counts} on initiative{passed} (EP-50, EP-26)"


@cites("EP-26", "EP-50", "EP-109")
def _of_wounds(sheet: Combatant, condition: Condition) -> str:
    step = WOUND_STEP["low_pain_tolerance" in sheet.qualities]
    ignored = min(IGNORED_AT_MOST, sheet.ignore_wounds + condition.rare.ignored[0])
    return _of_harm(step, condition.wounds, ignored)


@cites("EP-26", "EP-50", "EP-122", "EP-123")
def _of_traumas(sheet: Combatant, condition: Condition) -> str:
    ignored = min(IGNORED_AT_MOST, sheet.ignore_traumas + condition.rare.ignored[1])
    does = _of_harm(WOUND_STEP[False], condition.traumas, ignored)
    angry = any(name == "enraged" for name, _ in _conditions(sheet, condition))
    return f"{does}; attacks ignore it (EP-123)" if does and angry else does


def _conditions(sheet: Combatant, condition: Condition) -> States:
    """Every condition, with its turns; those that don't end by themselves have `LASTING`."""
    flags = condition.prone, condition.surprised, condition.knocked_out
    found = {name: LASTING for name, flag in zip(FLAGS, flags, strict=True) if flag}
    found |= {name: LASTING for name in _of_sheet(sheet) if name not in condition.rare.lifted}
    return tuple({**found, **dict(condition.states)}.items())


def _of_sheet(sheet: Combatant) -> list[str]:
    """Conditions of the sheet that a fight itself doesn't end."""
    ended = {*FLAGS, "incapacitated", "grappled", *(one.condition for one in sheet.lasting)}
    return [name for name in sheet.conditions if name not in ended]


@cites("EP-111")
def _worded(name: str, sheet: Combatant) -> str:
    """A condition in words; machines are offline where others are unconscious."""
    return OFFLINE if name == "unconscious" and sheet.crashes else name.replace("_", " ")


def _spelled(name: str, turns: int, sheet: Combatant) -> str:
    """A condition in words, with its turns if they are counted."""
    words = _worded(name, sheet)
    return words if turns >= LASTING else f"{words} {turns}"


def _does(name: str, turns: int) -> str:
    if name == "entangled":
        return f"{ENTANGLED * turns} to break free (EP-61)"
    return DOES[name]


def _stance(condition: Condition) -> tuple[str, ...]:
    rare = condition.rare
    flags = condition.guard, condition.aim, condition.exposed, rare.first, rare.covered
    return tuple(stance for stance, flag in zip(STANCES, flags, strict=True) if flag)


@cites("EP-29", "EP-48", "EP-73", "EP-84")
def _of_stance(condition: Condition) -> str:
    does = {
        "full defense": f"+{FULL_DEFENSE} on defenses until the next own turn (EP-48)",
        "aim": f"+{AIM['complex']} on the next attack (EP-73)",
        "aggressive": f"{AGGRESSIVE['fray']} on Fray until the next own turn (EP-84)",
        "goes first": "acts before everybody else in the coming turn (EP-29)",
        "behind cover": f"{ATTACKER_COVER} on its own shots, until it moves or comes out (EP-77)",
    }
    return "; ".join(does[stance] for stance in _stance(condition))


# -- mending -------------------------------------------------------------------------------------


class _Setting(NamedTuple):
    """A condition about to be changed, by whom and how."""

    sheet: Combatant
    condition: Condition
    key: str
    value: object

    def refused(self, allowed: str) -> SetupError:
        """The complaint about a value that can't be."""
        return SetupError(
            f"{self.sheet.name!r}: {self.key} is {shown(self.value)}; allowed: {allowed}"
        )

    def number(self, most: int, least: int = 0) -> int:
        """The value as a whole number.

        Raises:
            SetupError: it is none, or out of range.
        """
        number = whole_number(self.value)
        if number is None or not least <= number <= most:
            raise self.refused(f"{least} to {most}")
        return number

    def words(self) -> list[str]:
        """The value as words, with commas between them; "none" is no word.

        Raises:
            SetupError: it is no text.
        """
        value = self.value
        if isinstance(value, (tuple, list)):
            value = ", ".join(map(str, value))
        if not isinstance(value, str):
            raise self.refused("words with commas between them, or none")
        words = [word.strip().lower() for word in value.split(",")]
        return [word for word in words if word not in {"", "none"}]


def mended(sheet: Combatant, condition: Condition, key: str, value: object) -> Condition:
    """A condition with one thing set by the game master.

    Raises:
        SetupError: there is no such key for this combatant, or the value can't be.
    """
    setting = _Setting(sheet, condition, key, value)
    keys = [line.key for line in told(sheet, condition)]
    if key not in keys:
        raise SetupError(
            f"{sheet.name!r} has no {shown(key)} to be set; allowed: {', '.join(keys)}"
        )
    if key in POOLS:
        points = dict(zip(POOLS, condition.pools, strict=True)) | {key: setting.number(MOST)}
        vigor, insight, moxie, threat, flex = (points[pool] for pool in POOLS)
        return condition._replace(pools=(vigor, insight, moxie, threat, flex))
    if key.startswith("left_"):
        return _kept(setting)
    return _loaded(setting) if key.startswith("rounds_") else SETS[key](setting)


@cites("EP-64", "EP-65")
def _damage(setting: _Setting) -> Condition:
    most = max(setting.sheet.durability, setting.condition.dies_at)
    return setting.condition._replace(damage=setting.number(most))


def _wounds(setting: _Setting) -> Condition:
    return setting.condition._replace(wounds=setting.number(MOST))


@cites("EP-124", "EP-125")
def _stress(setting: _Setting) -> Condition:
    return setting.condition._replace(stress=setting.number(INSANITY * setting.sheet.lucid))


def _traumas(setting: _Setting) -> Condition:
    return setting.condition._replace(traumas=setting.number(MOST))


@cites("EP-115")
def _with_conditions(setting: _Setting) -> Condition:
    """All conditions: those that aren't named are gone."""
    sheet = setting.sheet
    named = dict(_read(setting, word) for word in setting.words())
    if "entangled" in named and "grappled" not in named:
        raise setting.refused("entangled only for somebody grappled; name both")
    fixed = _of_sheet(sheet)
    states = {
        name: turns
        for name, turns in named.items()
        if name not in FLAGS and (name not in fixed or turns < LASTING)
    }
    lifted = tuple(name for name in fixed if name not in named or name in states)
    if "unconscious" not in named:
        lifted = (*lifted, *(name for name in sheet.conditions if name in ASLEEP))
    condition = setting.condition
    return condition._replace(
        prone="prone" in named,
        surprised="surprised" in named,
        knocked_out="unconscious" in named,
        states=tuple(sorted(states.items())),
        rare=condition.rare._replace(
            lifted=lifted, held=condition.rare.held and "grappled" in states
        ),
    )


def _read(setting: _Setting, word: str) -> tuple[str, int]:
    """A condition and its turns from words such as "stunned 3"."""
    name = "unconscious" if word == OFFLINE else word.replace(" ", "_")
    turns: int | None = None
    if name not in NAMES:
        name, _, number = name.rpartition("_")
        if name not in NAMES or not number.isdecimal() or not 1 <= int(number) <= LASTING:
            raise setting.refused(
                f"any of {', '.join(NAMES).replace('_', ' ')}, each with 1 to {LASTING} turns "
                "where they are counted (stunned 3); or none"
            )
        turns = int(number)
    if turns is not None and name in FLAGS:
        raise setting.refused(f"{name} without turns")
    if turns is None and name == "entangled":
        raise setting.refused("entangled with a number: how tightly")
    return name, LASTING if turns is None else turns


@cites("EP-48", "EP-73", "EP-84")
def _with_stance(setting: _Setting) -> Condition:
    stances = {word.replace("_", " ") for word in setting.words()}
    if not stances.issubset(STANCES):
        raise setting.refused(f"{', '.join(STANCES)}; or none")
    if "behind cover" in stances and setting.sheet.cover_near == "none":
        raise setting.refused("behind cover for those with 'cover_near' only")
    condition = setting.condition
    return condition._replace(
        guard="full defense" in stances, aim="aim" in stances, exposed="aggressive" in stances,
        rare=condition.rare._replace(
            first="goes first" in stances, covered="behind cover" in stances
        ),
    )  # fmt: skip


@cites("EP-113")
def _stopped(setting: _Setting) -> Condition:
    if setting.words() not in ([], ["no"]):
        raise setting.refused("no: it has been stopped")
    return setting.condition._replace(bleeds="")


@cites("EP-35", "EP-37")
def _with_ambush(setting: _Setting) -> Condition:
    words = setting.words()
    rare = setting.condition.rare
    match words:
        case []:
            return setting.condition._replace(rare=rare._replace(ambush=""))
        case ["lurks" | "unaware" | "noticed" | "alerted" as ambush]:
            return setting.condition._replace(rare=rare._replace(ambush=ambush))
        case _:
            raise setting.refused(f"{', '.join(AMBUSH)}; or none")


@cites("EP-79")
def _loaded(setting: _Setting) -> Condition:
    """A weapon's rounds; a full magazine isn't written down."""
    condition = setting.condition
    weapon = next(
        one
        for one in setting.sheet.weapons
        if one.is_fired and _rounds_key(one.name) == setting.key
    )
    rounds = setting.number(weapon.magazine)
    left = {**dict(condition.rounds), weapon.name: rounds}
    if rounds == weapon.magazine:
        del left[weapon.name]
    return condition._replace(rounds=tuple(sorted(left.items())))


@cites("EP-61")
def _kept(setting: _Setting) -> Condition:
    """How many of a weapon there are still."""
    condition, weapons = setting.condition, setting.sheet.weapons
    weapon = next(one for one in weapons if _left_key(one.name) == setting.key)
    number = weapons.count(weapon)
    gone = [name for name in condition.rare.gone if name != weapon.name]
    gone += [weapon.name] * (number - setting.number(number))
    return condition._replace(rare=condition.rare._replace(gone=tuple(sorted(gone))))


@cites("EP-32")
def _moved(setting: _Setting) -> Condition:
    return setting.condition._replace(advance=setting.number(FARTHEST, -FARTHEST))


SETS: Mapping[str, Callable[[_Setting], Condition]] = {
    "damage": _damage,
    "wounds": _wounds,
    "stress": _stress,
    "traumas": _traumas,
    "conditions": _with_conditions,
    "ambush": _with_ambush,
    "bleeding": _stopped,
    "stance": _with_stance,
    "moved": _moved,
}
"""How each key is set; pools and rounds apart."""
