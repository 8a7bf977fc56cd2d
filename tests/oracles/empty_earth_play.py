"""Whole Empty Earth exchanges by brute force: purchases, cubes, Abilities, turns, Counters.

Beside `empty_earth`, which values one attack on settled terms, this walks through everything that
is decided around it, in the order of the numbered steps. `Table.node` says what comes at a
position: a choice, a roll with every single fall of the dice, or the end. Dice lie as they fell;
nothing is sorted or put into classes. `value` has both sides at their best; `spread` follows
fixed habits and gives the chances of all that came of it. Clause ids stand in docstrings.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations, product
from typing import Literal, NamedTuple

Who = Literal[0, 1]
"""The attacker of the exchange is 0, the defender 1; a Counter changes who strikes, not these."""


# ------------------------------------------------------------------ readings and sheets


@dataclass(frozen=True)
class Readings:
    """One field per ambiguity, the default first."""

    dodge: Literal["pool", "per_die", "all"] = "pool"
    dodge_dice: Literal["printed", "cube"] = "printed"
    reaction: Literal["first", "last"] = "first"
    post_roll: Literal["attacker", "defender", "alternate"] = "attacker"
    focus: Literal["one", "split"] = "one"
    focus_amount: Literal["exact", "up_to"] = "exact"  # A-5b
    focus_cost: Literal["free", "blue"] = "free"  # A-5d
    crowd: Literal["each_die", "one_die", "damage"] = "each_die"
    aim: Literal["once", "each_cube"] = "once"
    refocus: Literal["lost", "kept", "forbidden"] = "lost"
    shields: Literal["spent", "stay"] = "spent"
    reset: Literal["activation", "never"] = "activation"
    counter: Literal["off", "attack", "paid", "fixed"] = "off"
    both: Literal["yes", "no"] = "yes"
    on_damage: Literal["counts", "regular"] = "counts"
    final: Literal["raw", "capped"] = "raw"
    dodge_focus: Literal["allowed", "attack_only"] = "allowed"
    negative: Literal["zero", "adds"] = "zero"
    harmless: Literal["counter", "none"] = "counter"
    reroll: Literal["one", "all"] = "one"
    stage: Literal["hold", "taken"] = "hold"
    retaliation: Literal["reduced", "direct"] = "reduced"
    last_blow: Literal["yes", "no"] = "yes"
    reactions: Literal["between_turns", "every_attack"] = "between_turns"


class Condition(NamedTuple):
    """A Condition (EE-56); `turns` own turns have to begin until it ends, 0: it stays."""

    name: str
    each_die: int = 0
    phys_def: int = 0
    ess_def: int = 0
    dr: int = 0
    no_reactions: bool = False
    no_actions: bool = False
    turns: int = 0


@dataclass(frozen=True)
class Feature:
    """A Weapon Feature or an Ability (EE-30, EE-31, EE-57)."""

    name: str
    role: Literal["either", "attacker", "defender"] = "either"
    red: int = 0
    blue: int = 0
    timing: Literal["pre_roll", "post_roll", "immediate", "on_hit", "on_damage"] = "pre_roll"
    each_die: int = 0
    damage: int = 0
    piercing: int = 0
    rerolls: int = 0
    sweeps: int = 0
    focus: tuple[int, ...] = ()
    defence: int = 0
    dr: int = 0
    shields: int = 0
    condition: Condition | None = None

    def helps_attacker(self) -> bool:
        """Say if an attacker can use it."""
        harms = self.damage or self.piercing or self.shields or self.condition
        return self.role != "defender" and bool(harms or self.helps_dice())

    def helps_defender(self) -> bool:
        """Say if a defender can use it: before the roll, or once the dice lie."""
        wards = self.defence or self.dr or self.shields or self.condition
        asked = self.timing in {"immediate", "post_roll"}
        return self.role != "attacker" and asked and bool(wards or self.helps_dice())

    def helps_dice(self) -> bool:
        """Say if it does something to the own dice."""
        return bool(self.each_die or self.rerolls or self.sweeps or self.focus)


class Dice(NamedTuple):
    """Dice as printed: how many, of how many sides, what is added to each (EE-4, EE-37)."""

    n: int = 0
    sides: int = 1
    each: int = 0


NO_DICE = Dice()


@dataclass(frozen=True)
class Line:
    """An attack line (EE-5). A range of 0 is melee. An effect may ask for unmodified values."""

    name: str
    dice: Dice
    damage: int = 1
    piercing: int = 0
    essential: bool = False
    zones: int = 0
    aim: int = 0
    features: tuple[Feature, ...] = ()
    effect_at: int = 0
    effect_needs_hit: bool = False
    effect_test: Literal["at_least", "exactly", "at_most"] = "at_least"
    effect: tuple[int, int, int] = (0, 0, 0)
    effect_condition: Condition | None = None

    def fires(self, face: int) -> bool:
        """Say if this unmodified value has an effect (EE-58)."""
        if not self.effect_at:
            return False
        low = face >= self.effect_at or self.effect_test == "at_most"
        return low and (face <= self.effect_at or self.effect_test == "at_least")


class StageEnd(NamedTuple):
    """An effect of the end of a Stage on player characters (EE-59)."""

    vitality: int = 0
    injuries: int = 0
    loses: int = 0
    gains: int = 0
    cures: bool = False
    condition: Condition | None = None


@dataclass(frozen=True)
class Fighter:
    """One who attacks or is attacked. `active`: reactions and Resistance that a cube buys."""

    lines: tuple[Line, ...] = ()
    side: Literal["pc", "ally", "enemy"] = "enemy"
    phys_def: int = 0
    ess_def: int = 0
    dr: int = 0
    dodge: Dice = NO_DICE
    center: Dice = NO_DICE
    vitality: int = 10
    most: int = 10
    shields: int = 0
    injuries: int = 0
    red: int = 0
    blue: int = 0
    reactions: int = 1
    active: tuple[int, int] | None = None
    abilities: tuple[Feature, ...] = ()
    rerolls: int = 0
    sweeps: int = 0
    focus: tuple[int, ...] = ()
    retaliation: int = 0
    conditions: tuple[Condition, ...] = ()


@dataclass(frozen=True)
class Scene:
    """Both fighters, the number of attacks, the distance, and the turns that begin."""

    attacker: Fighter
    defender: Fighter
    attacks: int = 1
    zones: int = 0
    hostile: tuple[int, int] = (0, 0)
    new_turn: Literal["none", "attacker", "defender"] = "none"
    turn_between: bool = False
    others_injured: bool = True
    deck: tuple[Condition, ...] = ()
    stage_end: tuple[StageEnd, ...] = ()
    readings: Readings = field(default_factory=Readings)


# ------------------------------------------------------------------ positions


class Person(NamedTuple):
    """A fighter as they are now."""

    vitality: int
    shields: int
    injuries: int
    red: int
    blue: int
    reactions: int
    active: bool = False
    fallen: bool = False
    suffers: tuple[tuple[Condition, int], ...] = ()

    def total(self, number: str) -> int:
        """Add up one number of all Conditions."""
        return sum(getattr(one, number) for one, _ in self.suffers)

    def is_kept_from(self, what: str) -> bool:
        """Say if a Condition forbids something."""
        return any(getattr(one, what) for one, _ in self.suffers)

    def hit_by(self, more: Sequence[Condition]) -> "Person":
        """Suffer these; one that is suffered already begins anew."""
        held = {one.name: (one, left) for one, left in self.suffers}
        for one in more:
            held[one.name] = (one, one.turns)
        return self._replace(suffers=tuple(sorted(held.values())))


class Die(NamedTuple):
    """A die on the table: its face, and Focus laid on it (EE-36)."""

    face: int
    focus: int = 0


class Kit(NamedTuple):
    """Post-roll effects that are left to a side (EE-34)."""

    rerolls: int = 0
    sweeps: int = 0
    focus: tuple[int, ...] = ()


class Tally(NamedTuple):
    """The results of all attacks so far."""

    hits: int = 0
    regular: int = 0
    piercing: int = 0
    damage: int = 0
    effects: int = 0
    on_damage: bool = False
    counter: bool = False
    downed: bool = False
    stage_ended: bool = False
    countered: int = 0
    answers: bool = False
    retaliated: int = 0
    returned: int = 0


class Blow(NamedTuple):
    """The attack in hand: what was decided and what lies on the table."""

    striker: Who = 0
    line: int = 0
    bought: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    reaction: Literal["none", "dodge", "center"] = "none"
    aims: int = 0
    dice: tuple[Die, ...] = ()
    dodge: tuple[Die, ...] = ()
    kits: tuple[Kit, Kit] = (Kit(), Kit())
    turn: int = 0
    asked: bool = False
    passed: bool = False
    suffered: tuple[int, int, int, int] = (0, 0, 0, 0)
    hand: tuple[int, ...] = ()
    values: tuple[int, ...] = ()
    hits: int = 0
    regular: int = 0
    piercing: int = 0
    final: int = 0


class Position(NamedTuple):
    """A point of the exchange; `left` are attacks still to come after this one."""

    phase: str
    people: tuple[Person, Person]
    left: int
    blow: Blow
    tally: Tally


def _quicken(kind: type[tuple[object, ...]]) -> None:
    """Let `_replace` put values in place: positions are copied a million times."""
    places = {name: place for place, name in enumerate(kind.__annotations__)}

    def replaced(self: tuple[object, ...], **changes: object) -> tuple[object, ...]:
        values = list(self)
        for name, value in changes.items():
            values[places[name]] = value
        return tuple.__new__(kind, values)

    kind._replace = replaced  # type: ignore[attr-defined]  # every NamedTuple has one


for _kind in (Person, Tally, Blow, Position):
    _quicken(_kind)


class Choose(NamedTuple):
    """Somebody picks one of these; `step` is what the choice is called."""

    who: Who
    step: str
    options: tuple[tuple[str, Position], ...]


class Roll(NamedTuple):
    """Dice fall; every way is equally likely."""

    ways: tuple[Position, ...]


class Over(NamedTuple):
    """The exchange has ended."""

    people: tuple[Person, Person]
    tally: Tally


Node = Choose | Roll | Over


def _other(who: Who) -> Who:
    return 1 if who == 0 else 0


def _sets(features: Sequence[Feature], purse: Person) -> Iterator[tuple[Feature, ...]]:
    """Every set of features that these cubes pay for (EE-30)."""
    for size in range(len(features) + 1):
        for taken in combinations(features, size):
            red, blue = sum(f.red for f in taken), sum(f.blue for f in taken)
            if red <= purse.red and blue <= purse.blue:
                yield taken


def _named(taken: Sequence[Feature]) -> str:
    return "+".join(f.name for f in taken) or "none"


def _paid(purse: Person, taken: Sequence[Feature]) -> Person:
    red, blue = sum(f.red for f in taken), sum(f.blue for f in taken)
    return purse._replace(red=purse.red - red, blue=purse.blue - blue)


def _gained(purse: Person, taken: Sequence[Feature]) -> Person:
    """Pay for these and gain their Shields."""
    paid = _paid(purse, taken)
    return paid._replace(shields=paid.shields + sum(f.shields for f in taken))


def _affordable(one: Feature, purse: Person) -> bool:
    return one.red <= purse.red and one.blue <= purse.blue


def _falls(dice: Dice) -> list[tuple[Die, ...]]:
    faces = range(1, dice.sides + 1)
    return [tuple(Die(face) for face in fall) for fall in product(faces, repeat=dice.n)]


@dataclass(frozen=True)
class Table:
    """One scene being played."""

    scene: Scene

    @property
    def _rules(self) -> Readings:
        return self.scene.readings

    def _sheet(self, who: Who) -> Fighter:
        return self.scene.attacker if who == 0 else self.scene.defender

    def start(self) -> Position:
        """Before the first attack."""
        people = tuple(
            Person(s.vitality, s.shields, s.injuries, s.red, s.blue, s.reactions,
                   fallen=s.side == "pc" and s.vitality == 0).hit_by(s.conditions)
            for s in (self.scene.attacker, self.scene.defender)
        )  # fmt: skip
        turn = {"none": "declare", "attacker": "turn0", "defender": "turn1"}[self.scene.new_turn]
        return Position(turn, (people[0], people[1]), self.scene.attacks - 1, Blow(), Tally())

    def node(self, at: Position) -> Node:
        """Give the node at this position."""
        while True:
            found: Node | Position = getattr(self, "_" + at.phase)(at)
            if not isinstance(found, Position):
                return found
            at = found

    # -------------------------------------------------------------- turns

    def _turn0(self, at: Position) -> Node | Position:
        return self._turn(at, 0)

    def _turn1(self, at: Position) -> Node | Position:
        return self._turn(at, 1)

    def _turn(self, at: Position, who: Who) -> Node | Position:
        """Shields go, the Armor's effect ends, a reaction comes back (EE-26, EE-60, EE-61)."""
        sheet, now = self._sheet(who), at.people[who]
        keeps = sheet.side != "pc" and self._rules.reset == "never"
        lasting = tuple((c, left - 1 if left > 0 else left) for c, left in now.suffers if left != 1)
        now = now._replace(
            shields=now.shields if keeps else 0, active=False, reactions=1, suffers=lasting
        )
        at = self._with(at, who, now)._replace(phase="declare")
        if sheet.active is None or now.fallen or not now.blue or now.is_kept_from("no_actions"):
            return at
        reactions = max(now.reactions, sheet.active[0])
        on = now._replace(active=True, reactions=reactions, blue=now.blue - 1)
        return Choose(who, "activate_armor", (("no", at), ("activate", self._with(at, who, on))))

    @staticmethod
    def _with(at: Position, who: Who, person: Person) -> Position:
        one, other = at.people
        return at._replace(people=(person, other) if who == 0 else (one, person))

    # -------------------------------------------------------------- steps 1 and 2

    def _legal(self, line: Line) -> bool:
        """Melee in the same Zone, ranged up to its range (EE-9, EE-11)."""
        return self.scene.zones <= line.zones

    def _declare(self, at: Position) -> Node:
        """Step 1: the attack line (EE-28)."""
        options = [
            (line.name, at._replace(phase="immediate", blow=Blow(line=i)))
            for i, line in enumerate(self.scene.attacker.lines)
            if self._legal(line)
        ]
        return Choose(0, "declare_attack", tuple(options))

    def _line(self, at: Position) -> Line:
        return self._sheet(at.blow.striker).lines[at.blow.line]

    def _immediate(self, at: Position) -> Node:
        """Step 1: features that are bought as the attack is declared (EE-31)."""
        then = "reaction" if self._rules.reaction == "first" else "before_roll"
        return self._buys(at, "immediate", "buy_immediate", then)

    def _offers(self, at: Position, timing: str) -> list[Feature]:
        """Features of the attack line, and Abilities of the one who strikes (EE-57)."""
        own = [f for f in self._sheet(at.blow.striker).abilities if f.helps_attacker()]
        return [f for f in (*self._line(at).features, *own) if f.timing == timing]

    def _buys(self, at: Position, timing: str, step: str, then: str) -> Node:
        striker = at.blow.striker
        offered = self._offers(at, timing)
        options = []
        for taken in _sets(offered, at.people[striker]):
            after = self._with(at, striker, _gained(at.people[striker], taken))
            bought = at.blow.bought + tuple(f.name for f in taken)
            after = after._replace(phase=then, blow=at.blow._replace(bought=bought))
            options.append((_named(taken), after))
        return Choose(striker, step, tuple(options))

    def _reaction(self, at: Position) -> Node:
        """Step 1: Dodge, Center or neither, one of them between turns (EE-29, EE-61, A-2)."""
        who = _other(at.blow.striker)
        now, sheet = at.people[who], self._sheet(who)
        price = 1 if self._rules.dodge_dice == "cube" else 0
        limited = self._rules.reactions == "between_turns"
        options = [("none", at._replace(phase="abilities"))]
        for name, dice in (("dodge", sheet.dodge), ("center", sheet.center)):
            may = now.reactions > 0 or not limited
            may = may and not now.is_kept_from("no_reactions")
            if dice.n and may and not now.fallen and now.blue >= price:
                left = now.reactions - limited
                spent = now._replace(reactions=left, blue=now.blue - price)
                blow = at.blow._replace(reaction="dodge" if name == "dodge" else "center")
                after = self._with(at, who, spent)._replace(phase="abilities", blow=blow)
                options.append((name, after))
        return Choose(who, "choose_reaction", tuple(options))

    def _abilities(self, at: Position) -> Node:
        """Step 1: immediate Abilities of the defender (EE-29, A-20)."""
        who = _other(at.blow.striker)
        now = at.people[who]
        offered = [f for f in self._sheet(who).abilities
                   if f.timing == "immediate" and f.helps_defender()]  # fmt: skip
        if now.is_kept_from("no_actions"):
            offered = []
        if now.fallen or (self._rules.both == "no" and at.blow.reaction != "none"):
            offered = []
        then = "before_roll" if self._rules.reaction == "first" else "roll"
        options = []
        for taken in _sets(offered, now):
            paid = _gained(now, taken)
            blow = at.blow._replace(used=tuple(f.name for f in taken))
            after = self._with(at, who, paid)._replace(phase=then, blow=blow)
            after = self._cursed(after, taken)
            options.append((_named(taken), after))
        return Choose(who, "use_abilities", tuple(options))

    def _cursed(self, at: Position, taken: Sequence[Feature]) -> Position:
        """Conditions of the defender's Abilities come upon the attacker at once (EE-57)."""
        striker = at.blow.striker
        curses = [f.condition for f in taken if f.condition]
        return self._with(at, striker, at.people[striker].hit_by(curses))

    def _before_roll(self, at: Position) -> Node:
        """Step 2: red cubes for Weapon Features (EE-30, EE-31)."""
        return self._buys(at, "pre_roll", "buy_features", "aim")

    def _aim(self, at: Position) -> Node:
        """Step 2: blue cubes to Aim (EE-38, A-7)."""
        striker = at.blow.striker
        now, line = at.people[striker], self._line(at)
        most = now.blue if line.aim else 0
        most = min(most, 1) if self._rules.aim == "once" else most
        then = "roll" if self._rules.reaction == "first" else "reaction"
        options = []
        for aims in range(most + 1):
            after = self._with(at, striker, now._replace(blue=now.blue - aims))
            after = after._replace(phase=then, blow=at.blow._replace(aims=aims))
            options.append(("no" if not aims else "aim" if aims == 1 else f"aim-{aims}", after))
        return Choose(striker, "take_aim", tuple(options))

    # -------------------------------------------------------------- steps 3 and 4

    def _bought(self, at: Position) -> list[Feature]:
        own = self._sheet(at.blow.striker).abilities
        return [f for f in (*self._line(at).features, *own) if f.name in at.blow.bought]

    def _used(self, at: Position) -> list[Feature]:
        abilities = self._sheet(_other(at.blow.striker)).abilities
        return [f for f in abilities if f.name in at.blow.used]

    def _answer(self, at: Position) -> Dice:
        """The dice of a reaction that fits the attack (EE-33)."""
        fitting = "center" if self._line(at).essential else "dodge"
        if at.blow.reaction != fitting:
            return Dice()
        sheet = self._sheet(_other(at.blow.striker))
        return sheet.center if self._line(at).essential else sheet.dodge

    def _roll(self, at: Position) -> Node:
        """Step 3: attack dice and those of the reaction fall together (EE-32, EE-33)."""
        striker = at.blow.striker
        own, answer = self._sheet(striker), self._answer(at)
        theirs = self._sheet(_other(striker))
        mine = _kit(own, self._bought(at))
        yours = _kit(theirs, self._used(at)) if answer.n else Kit()
        if self._rules.dodge_focus == "attack_only":
            yours = yours._replace(focus=())
        ways = []
        suffered = self._suffered(at)
        for dice in _falls(self._line(at).dice):
            for dodge in _falls(answer):
                blow = at.blow._replace(
                    dice=dice, dodge=dodge, kits=(mine, yours), suffered=suffered
                )
                ways.append(at._replace(phase="after_roll", blow=blow))
        return Roll(tuple(ways))

    def _suffered(self, at: Position) -> tuple[int, int, int, int]:
        """Add up what Conditions of both change in this attack, as the dice fall (EE-56)."""
        by, against = at.people[at.blow.striker], at.people[_other(at.blow.striker)]
        guard = "ess_def" if self._line(at).essential else "phys_def"
        each = by.total("each_die"), against.total("each_die")
        return (*each, against.total(guard), against.total("dr"))

    def _after_roll(self, at: Position) -> Node | Position:
        """Step 4: who applies effects after the roll first (A-4)."""
        if self._rules.post_roll == "defender":
            return at._replace(phase="effects", blow=at.blow._replace(turn=1))
        return at._replace(phase="post_roll")

    def _post_roll(self, at: Position) -> Node:
        """Step 4: features of the attacker that are bought once the dice lie (EE-31)."""
        striker = at.blow.striker
        options = []
        for taken in _sets(self._left(at, 0), at.people[striker]):
            after = self._taken(at, 0, taken)
            after = after._replace(phase="effects", blow=after.blow._replace(turn=0))
            options.append((_named(taken), after))
        return Choose(striker, "buy_after_roll", tuple(options))

    def _answer_roll(self, at: Position) -> Node:
        """Step 4: Abilities of the defender once the dice lie (EE-34, EE-57)."""
        who = _other(at.blow.striker)
        at = at._replace(blow=at.blow._replace(asked=True), phase="effects")
        taken = _sets(self._left(at, 1), at.people[who])
        options = [(_named(some), self._taken(at, 1, some)) for some in taken]
        return Choose(who, "use_after_roll", tuple(options))

    def _left(self, at: Position, turn: int) -> list[Feature]:
        """List what a side can still buy after the roll."""
        if turn == 0:
            return [f for f in self._offers(at, "post_roll") if f.name not in at.blow.bought]
        who = _other(at.blow.striker)
        if at.people[who].fallen or at.people[who].is_kept_from("no_actions"):
            return []
        return [f for f in self._sheet(who).abilities if f.timing == "post_roll"
                and f.helps_defender() and f.name not in at.blow.used
                and (at.blow.dodge or f.defence or f.dr or f.shields or f.condition)]  # fmt: skip

    def _taken(self, at: Position, turn: int, taken: Sequence[Feature]) -> Position:
        """The same position once a side has bought these after the roll."""
        who, kit = self._whose(at, turn), at.blow.kits[turn]
        focus = kit.focus + sum((f.focus for f in taken), ())
        if turn == 1 and self._rules.dodge_focus == "attack_only":
            focus = ()
        rerolls = kit.rerolls + sum(f.rerolls for f in taken)
        kit = Kit(rerolls, kit.sweeps + sum(f.sweeps for f in taken), focus)
        names, blow = tuple(f.name for f in taken), _laid(at.blow, turn, None, kit)
        if turn == 0:
            blow = blow._replace(bought=blow.bought + names)
        else:
            blow = blow._replace(used=blow.used + names)
        after = self._with(at, who, _gained(at.people[who], taken))._replace(blow=blow)
        return self._cursed(after, taken) if turn == 1 else after

    def _has(self, at: Position, turn: int) -> bool:
        """Say if this side has an effect that it could still use."""
        kit, who = at.blow.kits[turn], self._whose(at, turn)
        if any(_affordable(f, at.people[who]) for f in self._left(at, turn)):
            return True
        if turn == 1 and not at.blow.dodge:
            return False
        pays = self._rules.focus_cost == "free" or at.people[who].blue > 0
        return bool(kit.rerolls or kit.sweeps or (kit.focus and pays))

    @staticmethod
    def _whose(at: Position, turn: int) -> Who:
        return at.blow.striker if turn == 0 else _other(at.blow.striker)

    def _effects(self, at: Position) -> Node | Position:
        """Step 4: Reroll and Focus on the own dice, one after another, until passing (EE-34)."""
        turn = at.blow.turn
        if turn == 1 and not at.blow.asked:
            return at._replace(phase="answer_roll")
        if not self._has(at, turn):
            return self._pass(at)
        options = [("pass", self._pass(at))]
        options += self._uses(at, turn)
        for one in self._left(at, turn):
            if _affordable(one, at.people[self._whose(at, turn)]):
                options.append((f"buy-{one.name}", self._taken(at, turn, [one])))
        step = "adjust_attack" if turn == 0 else "adjust_dodge"
        return Choose(self._whose(at, turn), step, tuple(options))

    def _pass(self, at: Position) -> Position:
        """A side is done for now, or for good."""
        turn, order = at.blow.turn, self._rules.post_roll
        blow = at.blow._replace(passed=False)
        if order == "attacker":
            after = "modifiers" if turn == 1 else "effects"
            return at._replace(phase=after, blow=blow._replace(turn=1))
        if order == "defender":
            return at._replace(phase="modifiers" if turn == 0 else "post_roll", blow=blow)
        if at.blow.passed or not self._has(at, 1 - turn):
            return at._replace(phase="modifiers", blow=blow)
        return at._replace(blow=blow._replace(turn=1 - turn, passed=True))

    def _uses(self, at: Position, turn: int) -> Iterator[tuple[str, Position]]:
        """Every effect of one side on its own dice."""
        kit = at.blow.kits[turn]
        dice = at.blow.dice if turn == 0 else at.blow.dodge
        yield from self._focuses(at, turn, dice, kit)
        loose = [i for i, die in enumerate(dice)
                 if not (die.focus and self._rules.refocus == "forbidden")]  # fmt: skip
        if kit.rerolls:
            less = kit._replace(rerolls=kit.rerolls - 1)
            if self._rules.reroll == "all":
                picks = [tuple(loose)] if loose else []
            else:
                picks = [(i,) for i in loose]
            for picked in picks:
                yield "reroll", self._again(at, turn, picked, less)
        if kit.sweeps:
            less = kit._replace(sweeps=kit.sweeps - 1)
            for size in range(1, len(loose) + 1):
                for picked in combinations(loose, size):
                    yield "sweep", self._again(at, turn, picked, less)

    def _again(self, at: Position, turn: int, picked: tuple[int, ...], kit: Kit) -> Position:
        blow = _laid(at.blow, turn, None, kit)._replace(hand=(turn, *picked))
        return at._replace(phase="in_hand", blow=blow)

    def _in_hand(self, at: Position) -> Node:
        """The new face is the unmodified one; Focus on the die goes or stays (EE-35, A-8)."""
        turn, *picked = at.blow.hand
        at = at._replace(blow=at.blow._replace(hand=()))
        dice = at.blow.dice if turn == 0 else at.blow.dodge
        sides = self._line(at).dice.sides if turn == 0 else self._answer(at).sides
        ways = []
        kept = self._rules.refocus == "kept"
        for faces in product(range(1, sides + 1), repeat=len(picked)):
            new = dict(zip(picked, faces, strict=True))
            lying = tuple(
                Die(new[i], die.focus if kept else 0) if i in new else die
                for i, die in enumerate(dice)
            )
            blow = _laid(at.blow, turn, lying, at.blow.kits[turn])
            after = at._replace(phase="effects", blow=blow)
            ways.append(self._handed_over(after, turn))
        return Roll(tuple(ways))

    def _handed_over(self, at: Position, turn: int) -> Position:
        """After an effect it is the other side's turn where they alternate (A-4)."""
        if self._rules.post_roll != "alternate":
            return at
        return at._replace(blow=at.blow._replace(turn=1 - turn, passed=False))

    def _focuses(
        self, at: Position, turn: int, dice: tuple[Die, ...], kit: Kit
    ) -> Iterator[tuple[str, Position]]:
        """Each Focus [X] raises a value and not the unmodified one (EE-36, A-5)."""
        who = self._whose(at, turn)
        price = 1 if self._rules.focus_cost == "blue" else 0
        if at.people[who].blue < price:
            return
        paid = at.people[who]._replace(blue=at.people[who].blue - price)
        for number, points in enumerate(kit.focus):
            rest = kit._replace(focus=kit.focus[:number] + kit.focus[number + 1 :])
            for shares in product(range(points + 1), repeat=len(dice)):
                total = sum(shares)
                if not 0 < total <= points:
                    continue
                if self._rules.focus_amount == "exact" and total != points:
                    continue
                if self._rules.focus == "one" and sum(x > 0 for x in shares) > 1:
                    continue
                raised = tuple(
                    die._replace(focus=die.focus + x) for die, x in zip(dice, shares, strict=True)
                )
                after = self._with(at, who, paid)
                after = after._replace(blow=_laid(at.blow, turn, raised, rest))
                yield "focus", self._handed_over(after, turn)

    # -------------------------------------------------------------- steps 5 and 6

    def _is_crowded(self, at: Position) -> bool:
        """Ranged, and somebody hostile in the own Zone (EE-14, EE-15)."""
        near = self.scene.hostile[at.blow.striker] > 0 or self.scene.zones == 0
        return self._line(at).zones > 0 and near

    def _defence(self, at: Position) -> int:
        sheet = self._sheet(_other(at.blow.striker))
        printed = sheet.ess_def if self._line(at).essential else sheet.phys_def
        return printed + sum(f.defence for f in self._used(at)) + at.blow.suffered[2]

    def _modifiers(self, at: Position) -> Node | Position:
        """Step 5: the printed number, Aim, features and the penalty (EE-37 to EE-40, A-6)."""
        line = self._line(at)
        each = line.dice.each + at.blow.aims * line.aim + sum(f.each_die for f in self._bought(at))
        each += at.blow.suffered[0]
        crowded, rule = self._is_crowded(at), self._rules.crowd
        if crowded and rule == "each_die":
            each -= 1
        values = tuple(die.face + die.focus + each for die in at.blow.dice)
        at = at._replace(phase="dodging", blow=at.blow._replace(values=values))
        if not (crowded and rule == "one_die"):
            return at
        options = []
        for i in range(len(values)):
            less = tuple(v - (i == j) for j, v in enumerate(values))
            options.append((f"die-{i}", at._replace(blow=at.blow._replace(values=less))))
        return Choose(at.blow.striker, "place_penalty", tuple(options))

    def _dodging(self, at: Position) -> Node | Position:
        """Step 6: the defender applies Dodge or Center (EE-39, EE-41, A-1, A-25)."""
        if not at.blow.dodge:
            return at._replace(phase="hits")
        each = self._answer(at).each + sum(f.each_die for f in self._used(at))
        each += at.blow.suffered[1]
        worth = [die.face + die.focus + each for die in at.blow.dodge]
        if self._rules.negative == "zero":
            worth = [max(0, x) for x in worth]
        values, limit = at.blow.values, self._defence(at)
        before = sum(v > limit for v in values)
        options = []
        for off in self._ways_off(worth, len(values)):
            left = tuple(v - x for v, x in zip(values, off, strict=True))
            stopped = before - sum(v > limit for v in left)
            name = "none" if not stopped else f"stop-{stopped}" if stopped > 0 else "raise"
            after = at._replace(phase="hits", blow=at.blow._replace(values=left))
            options.append((name, after))
        return Choose(_other(at.blow.striker), "spread_dodge", tuple(options))

    def _ways_off(self, worth: list[int], n: int) -> Iterator[tuple[int, ...]]:
        total = sum(worth)
        if self._rules.dodge == "all":
            yield (total,) * n
        elif self._rules.dodge == "pool" and total < 0:
            for i in range(n):
                yield tuple(total if i == j else 0 for j in range(n))
        elif self._rules.dodge == "pool":
            for shares in product(range(total + 1), repeat=n):
                if sum(shares) <= total:
                    yield shares
        else:
            for goals in product(range(-1, n), repeat=len(worth)):  # -1: left unused
                yield tuple(
                    sum(x for x, goal in zip(worth, goals, strict=True) if goal == i)
                    for i in range(n)
                )

    # -------------------------------------------------------------- steps 7 and 8

    def _hits(self, at: Position) -> Node:
        """Step 7: each die above the defence is a hit (EE-7, EE-17, EE-21, EE-42, EE-45)."""
        line, limit = self._line(at), self._defence(at)
        landed = [v > limit for v in at.blow.values]
        effects = 0
        for die, hit in zip(at.blow.dice, landed, strict=True):
            effects += line.fires(die.face) and (hit or not line.effect_needs_hit)
        if at.blow.striker == 0:
            at = at._replace(tally=at.tally._replace(effects=at.tally.effects + effects))
        return self._count(at, sum(landed), effects)

    def _count(self, at: Position, hits: int, effects: int = 0) -> Node:
        line, bought = self._line(at), self._bought(at)
        more, deep, shields = (effects * number for number in line.effect)
        regular = hits * (line.damage + sum(f.damage for f in bought)) + more
        if self._is_crowded(at) and self._rules.crowd == "damage":
            regular = max(0, regular - 1)
        piercing = hits * (line.piercing + sum(f.piercing for f in bought)) + deep
        names = [f.condition for f in bought if f.condition] if hits else []
        if effects and line.effect_condition:
            names.append(line.effect_condition)
        striker = at.people[at.blow.striker]
        richer = striker._replace(shields=striker.shields + shields)
        at = self._with(at, at.blow.striker, richer)
        blow = at.blow._replace(hits=hits, regular=regular, piercing=piercing)
        at = self._marked(at._replace(blow=blow), names)
        return self._late(at, "on_hit", "buy_on_hit", "reduce", offers=hits > 0)

    def _late(self, at: Position, timing: str, step: str, then: str, *, offers: bool) -> Node:
        """Features on hit and on damage (EE-23, EE-24, EE-31)."""
        striker, blow = at.blow.striker, at.blow
        found = self._offers(at, timing) if offers else []
        options = []
        for taken in _sets(found, at.people[striker]):
            after = self._with(at, striker, _gained(at.people[striker], taken))
            more = blow._replace(
                regular=blow.regular + blow.hits * sum(f.damage for f in taken),
                piercing=blow.piercing + blow.hits * sum(f.piercing for f in taken),
            )
            names = [f.condition for f in taken if f.condition]
            after = self._marked(after._replace(blow=more), names)
            options.append((_named(taken), after._replace(phase=then)))
        return Choose(striker, step, tuple(options))

    def _reduce(self, at: Position) -> Node:
        """Step 8: Shields, then Resistance; piercing passes both (EE-18 to EE-27, EE-43)."""
        who = _other(at.blow.striker)
        now, sheet, blow = at.people[who], self._sheet(who), at.blow
        resist = sheet.dr + sum(f.dr for f in self._used(at))
        resist += sheet.active[1] if sheet.active and now.active else 0
        resist = max(0, resist + blow.suffered[3])
        absorbed = min(now.shields, blow.regular)
        through = max(0, blow.regular - absorbed - resist)
        final = through + blow.piercing
        if self._rules.final == "capped":
            final = min(final, now.vitality)
        if self._rules.shields == "spent":
            now = now._replace(shields=now.shields - absorbed)
        hurts = through > 0 if self._rules.on_damage == "regular" else final > 0
        tally = at.tally
        if blow.striker == 0:
            tally = tally._replace(
                hits=tally.hits + blow.hits,
                regular=tally.regular + blow.regular,
                piercing=tally.piercing + blow.piercing,
                damage=tally.damage + final,
                on_damage=tally.on_damage or hurts,
            )
        else:
            tally = tally._replace(countered=tally.countered + final)
        at = self._with(at, who, now)._replace(blow=blow._replace(final=final), tally=tally)
        return self._late(at, "on_damage", "buy_on_damage", "harm", offers=hurts)

    # -------------------------------------------------------------- step 9 and Vitality 0

    def _harm(self, at: Position) -> Node | Position:
        """Vitality falls; an Injury or worse at 0 (EE-46 to EE-54)."""
        who = _other(at.blow.striker)
        hurt = at.blow.final > 0 and at.people[who].vitality > 0
        if who == 1 and hurt and at.people[who].vitality <= at.blow.final:
            at = at._replace(tally=at.tally._replace(downed=True))
        return self._suffer(at._replace(phase="retaliating"), who, at.blow.final)

    def _suffer(self, at: Position, who: Who, points: int) -> Node | Position:
        """One fighter loses Vitality; then it goes on at the phase of the position."""
        now, sheet = at.people[who], self._sheet(who)
        if not points or not now.vitality:
            return at
        now = now._replace(vitality=max(0, now.vitality - points))
        if now.vitality:
            return self._with(at, who, now)
        everybody = self.scene.others_injured and self._rules.stage == "hold"
        ends = sheet.side == "pc" and everybody
        at = at._replace(tally=at.tally._replace(stage_ended=at.tally.stage_ended or ends))
        if sheet.side != "pc" or now.injuries:
            down = self._with(at, who, now._replace(fallen=True))
            return self._enacted(down) if ends else down
        faces = [min(sheet.most, face) for face in range(1, 7)]
        ways = []
        for hurt in self._cards(now._replace(injuries=1)):
            for face in faces:
                risen = self._with(at, who, hurt._replace(vitality=face))
                ways.append(self._enacted(risen) if ends else risen)
        return Roll(tuple(ways))

    def _cards(self, hurt: Person) -> list[Person]:
        """Draw each Injury card; it acts while the Injury is held, or for its turns (EE-59)."""
        drawn = []
        for card in self.scene.deck:
            others = [row for row in hurt.suffers if row[0].name != card.name]
            held = tuple(sorted([*others, (card, card.turns or -1)]))
            drawn.append(hurt._replace(suffers=held))
        return drawn or [hurt]

    def _enacted(self, at: Position) -> Position:
        """The effects of the end of the Stage, in order, on player characters (EE-59)."""
        sides: tuple[Who, Who] = (0, 1)
        for effect in self.scene.stage_end:
            for who in sides:
                if self._sheet(who).side == "pc":
                    at = self._with(at, who, self._affected(at.people[who], effect, who))
        return at

    def _affected(self, now: Person, effect: StageEnd, who: Who) -> Person:
        vitality = min(self._sheet(who).most, now.vitality + effect.vitality)
        injuries = max(0, now.injuries - effect.injuries)
        kept = [row for row in now.suffers if row[1] == -1 or not effect.cures]
        if not injuries:
            kept = [row for row in kept if row[1] != -1]
        now = now._replace(
            vitality=vitality, fallen=now.fallen and not vitality, injuries=injuries,
            red=max(0, now.red - effect.loses) + effect.gains, suffers=tuple(kept),
        )  # fmt: skip
        return now.hit_by([effect.condition]) if effect.condition else now

    def _retaliating(self, at: Position) -> Node | Position:
        """Every die that hit does damage to the one who attacked (EE-55, A-28, A-29)."""
        striker, rules = at.blow.striker, self._rules
        who, at = _other(striker), at._replace(phase="answering")
        points = at.blow.hits * self._sheet(who).retaliation
        silent = at.people[who].fallen and rules.last_blow == "no"
        if not points or at.people[striker].fallen or at.tally.stage_ended or silent:
            return at
        now, sheet = at.people[striker], self._sheet(striker)
        if rules.retaliation == "reduced":
            absorbed = min(now.shields, points)
            resist = sheet.dr + (sheet.active[1] if sheet.active and now.active else 0)
            resist = max(0, resist + now.total("dr"))
            points = max(0, points - absorbed - resist)
            if rules.shields == "spent":
                now = now._replace(shields=now.shields - absorbed)
        if rules.final == "capped":
            points = min(points, now.vitality)
        t = at.tally
        if striker == 0:
            t = t._replace(retaliated=t.retaliated + points)
        else:
            t = t._replace(returned=t.returned + points)
        at = self._with(at._replace(tally=t), striker, now)
        return self._suffer(at, striker, points)

    def _answering(self, at: Position) -> Node | Position:
        """Step 9: a Counter, where no Final Damage was done (EE-44, A-18, A-26)."""
        blow, rule = at.blow, self._rules.counter
        who = _other(blow.striker)
        now, sheet, line = at.people[who], self._sheet(who), self._line(at)
        able = line.damage + line.piercing > 0
        able = able or any(f.damage or f.piercing for f in self._bought(at))
        able = able or sum(line.effect[:2]) > 0
        after = at._replace(phase="next")
        if blow.final or now.fallen or not (able or self._rules.harmless == "counter"):
            return after
        if at.tally.stage_ended:
            return after
        if blow.striker == 1:
            return after
        after = after._replace(tally=at.tally._replace(counter=True))
        price = 1 if rule == "paid" else 0
        if rule == "off" or at.people[blow.striker].fallen:
            return after
        answered = after._replace(tally=after.tally._replace(answers=True))
        if now.is_kept_from("no_actions"):
            return after
        if not sheet.lines or now.red < price or not self._legal(sheet.lines[0]):
            return after
        paid = self._with(answered, who, now._replace(red=now.red - price))
        back = Blow(striker=who)
        if rule == "fixed":
            struck = paid._replace(phase="fixed", blow=back)
        else:
            struck = paid._replace(phase="immediate", blow=back)
        return Choose(who, "offer_counter", (("no", after), ("counter", struck)))

    def _fixed(self, at: Position) -> Node:
        return self._count(at._replace(blow=at.blow._replace(suffered=self._suffered(at))), 1)

    def _marked(self, at: Position, more: Sequence[Condition]) -> Position:
        """Conditions come upon the one who was hit (EE-23)."""
        who = _other(at.blow.striker)
        return self._with(at, who, at.people[who].hit_by(more))

    def _next(self, at: Position) -> Node | Position:
        """The next attack of the row, unless somebody is out of it or the Stage is over."""
        one, other = at.people
        held = one.is_kept_from("no_actions")
        if not at.left or at.tally.stage_ended or one.fallen or other.fallen or held:
            return Over(at.people, at.tally)
        phase = "turn1" if self.scene.turn_between else "declare"
        return at._replace(phase=phase, left=at.left - 1, blow=Blow())


def _kit(sheet: Fighter, features: Sequence[Feature]) -> Kit:
    return Kit(
        sheet.rerolls + sum(f.rerolls for f in features),
        sheet.sweeps + sum(f.sweeps for f in features),
        sheet.focus + sum((f.focus for f in features), ()),
    )


def _laid(blow: Blow, turn: int, dice: tuple[Die, ...] | None, kit: Kit) -> Blow:
    """The same attack with other dice (None: as they lie) and effects of one side."""
    mine, yours = blow.kits
    if turn == 0:
        return blow._replace(dice=blow.dice if dice is None else dice, kits=(kit, yours))
    return blow._replace(dodge=blow.dodge if dice is None else dice, kits=(mine, kit))


# ------------------------------------------------------------------ what it comes to

UTILITIES: Mapping[str, Callable[[Tally], int]] = {
    "damage": lambda t: t.damage,
    "hit": lambda t: int(t.hits > 0),
    "wound": lambda t: int(t.damage > 0),
    "effect": lambda t: int(t.effects > 0),
    "kill": lambda t: int(t.downed),
    "trade": lambda t: t.damage - t.countered - t.retaliated,
    "survive": lambda t: int(not t.downed),
    "unhurt": lambda t: int(t.damage == 0),
}
"""Wishes by name; the last two are the defender's."""

DEFENDERS = frozenset({"survive", "unhurt"})


def value(scene: Scene, wish: str) -> Fraction:
    """Value the exchange for the one who wishes, both sides at their best."""
    table, utility = Table(scene), UTILITIES[wish]
    wisher = 1 if wish in DEFENDERS else 0
    seen: dict[Position, Fraction | int] = {}

    def worth(at: Position) -> Fraction | int:
        known = seen.get(at)
        if known is None:
            node = table.node(at)
            if isinstance(node, Over):
                known = utility(node.tally)
            elif isinstance(node, Roll):
                known = Fraction(sum(map(worth, node.ways)), len(node.ways))
            else:
                worths = [worth(after) for _, after in node.options]
                known = max(worths) if node.who == wisher else min(worths)
            seen[at] = known
        return known

    return Fraction(worth(table.start()))


def spread(scene: Scene, habits: Mapping[str, Sequence[str]]) -> dict[Over, Fraction]:
    """The chances of all ends where everybody keeps to habits.

    Args:
        scene: what is played.
        habits: for each step the names of options, the dearest first; what is not named here
            passes: the first option.
    """
    table = Table(scene)
    ends: dict[Over, Fraction] = {}
    waiting = {table.start(): Fraction(1)}
    while waiting:
        at, p = waiting.popitem()
        node = table.node(at)
        if isinstance(node, Over):
            ends[node] = ends.get(node, Fraction(0)) + p
            continue
        if isinstance(node, Roll):
            after = [(way, p / len(node.ways)) for way in node.ways]
        else:
            offered = dict(reversed(node.options))
            names = [name for name in habits.get(node.step, ()) if name in offered]
            after = [(offered[names[0]] if names else node.options[0][1], p)]
        for where, share in after:
            waiting[where] = waiting.get(where, Fraction(0)) + share
    return ends


def replace_reading(scene: Scene, **changes: str) -> Scene:
    """The same scene with another reading."""
    return replace(scene, readings=replace(scene.readings, **changes))  # type: ignore[arg-type]
