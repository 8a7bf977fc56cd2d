"""Sheets filled in before an activation: units, their gear, and the situation."""

from __future__ import annotations

from typing import Annotated, Literal, NewType, TypeAlias, get_args

from affray.core.sheet import Ge, Le, sheet
from affray.core.step import cites
from affray.systems.emlia.gear import (
    CoreCheck,
    Count,
    Few,
    ForPeople,
    Length,
    Own,
    Row,
    Shift,
    Skill,
    Weapon,
)
from affray.systems.emlia.table.placing import Table

__all__ = [
    "UNDECIDED",
    "Action",
    "Contact",
    "Cover",
    "Formation",
    "Other",
    "OwnAction",
    "Setup",
    "Troop",
    "Unit",
]  # fmt: skip

Formation = Literal["open", "close", "ranked"]
Cover = Literal["none", "partial", "total"]
Face = Literal["front", "flank", "rear"]
Members = Annotated[int, Ge(1), Le(5_000)]

MOST = {"rows": 100, "names": 20, "joined": 12, "others": 20, "path": 100, "wrap": 3}
"""More than this of anything is no setup, but a slip of the pen; `wrap` has the three sides that a
front does not touch."""
BASIC = ("close_combat", "aimed_fire", "volley_fire")
"""Skills of the attacks that everybody knows."""
BookAction = Literal["close_combat", "aimed_fire", "volley_fire", "supporting_fire", "charge",
                     "disengage", "distract", "break_ranks", "move", "pass"]  # fmt: skip
OwnAction = NewType("OwnAction", str)
"""The name of an action that a unit brings along."""
Action: TypeAlias = BookAction | OwnAction
UNDECIDED = OwnAction("")
"""No action yet."""
ACTIONS = (*get_args(BookAction), "open")
"""Names of actions that no unit can give to one of its own."""


@sheet
@cites("EM-13", "EM-22", "EM-40", "EM-42", "EM-43", "EM-50")
class Troop:
    """Characters who share skills and gear: a unit, or a character who joins one.

    Attributes:
        Unit:
            name: what the unit is called.
            members: characters on the table, those marked included (EM-44).
            formation: open (skirmish), close or ranked (EM-13).
            speed: length of a Normal Move, in units of length (EM-60).
            morale: nerve; left out: it has none (EM-62).
            reach (Reaching ranks): ranks behind those in contact that fight too (EM-22).
        Skills and weapons:
            skills: what it can do, with its levels (EM-1).
            weapons: by roster name or written out; the first one that serves is taken (EM-40).
            actions (Own actions): attack actions that it brings along (EM-1b).
        Taking harm:
            hits: the Hits attribute without armor: hits that make a point of damage (EM-41).
            armor: bonus to the Hits attribute (EM-40).
            damage_limit: points of damage that take one member; left out: one, or none if there is
                a threshold (EM-42).
            threshold: points of damage for a roll on the table; left out: there is none (EM-43).
            table_die (Die of the table): sides of the die that is rolled on the table (EM-43).
            table: rows of the threshold table, one for each face of its die (EM-43).
        Ground (EM-66):
            cover: its cover, as attackers find it.
            concealment: its concealment, as attackers find it.
            vertical_cover: cover from above or below, as attackers find it.
            covered_by: the unit that gives it total vertical cover.
            on (Stands on): the unit that it stands on, as a garrison on its wall (EM-65).
            rough (Rough ground): it stands on rough ground.
            elevation: height of the ground it stands on, in units of length.
        Losses so far:
            lost (Members lost): members lost since it was whole; skills have shrunk accordingly
                (EM-45).
            marked (Marked casualties): casualties who leave in the next Resolution Phase: until
                then they count, but nothing can hurt them again (EM-44).
            damage (Damage so far): points towards the next casualty (EM-42).
            wear: points towards the next roll on the table (EM-43).
            markers: hits left over, which make no point yet (EM-41).
            bonus (Bonus to the table): added to all later rolls on the table (EM-43).
            next_bonus (Bonus to the next roll): added to the next roll on the table alone (EM-43).
            weaker (Levels lost): levels lost to the table (EM-43).
            came_up: names of the rows that have come up on it, whose effects last (EM-43).
            unfelt: of a single character: points of damage since the last Resolution Phase, which
                do not weaken it yet (EM-44).
            suffered: of a single character without a damage limit: all its points; left out: those
                in wear (EM-45).
        State now:
            unaware: unaware of the attacker (EM-1).
            to_hit: any other modifier to hit it (EM-2).
            charged: it charged this turn (EM-35).
            double_paced: it moved at double pace this turn (EM-60).
            aligned: it aligned since its last activation (EM-20).
            exposed: bonus to hit it in close combat, after a fumble (EM-32).
            pinned: members who may not make Free Strikes (EM-12).
        Origin:
            source: where these numbers come from.
    """

    name: str = ""
    members: Members = 1
    lost: Count = 0
    marked: Count = 0
    formation: Formation = "close"
    hits: Annotated[int, Ge(1), Le(100)] = 1
    armor: Few = 0
    speed: Length = 6
    morale: Annotated[int, Ge(-100), Le(100)] | None = None
    skills: tuple[Skill, ...] = ()
    weapons: tuple[Weapon, ...] = ()
    actions: tuple[Own, ...] = ()
    damage_limit: Annotated[int, Ge(1), Le(10_000)] | None = None
    threshold: Annotated[int, Ge(1), Le(10_000)] | None = None
    table_die: Annotated[int, Ge(2), Le(1_000)] = 10
    table: tuple[Row, ...] = ()
    reach: Few = 0
    cover: Cover = "none"
    concealment: Cover = "none"
    vertical_cover: Cover = "none"
    covered_by: str = ""
    on: str = ""
    rough: bool = False
    elevation: Annotated[int, Ge(-1_000), Le(1_000)] = 0
    unaware: bool = False
    to_hit: Shift = 0
    charged: bool = False
    double_paced: bool = False
    aligned: bool = False
    damage: Count = 0
    wear: Count = 0
    markers: Count = 0
    bonus: Annotated[int, Ge(-1_000), Le(1_000)] = 0
    next_bonus: Shift = 0
    weaker: Count = 0
    came_up: tuple[str, ...] = ()
    unfelt: Count = 0
    suffered: Count | None = None
    exposed: Few = 0
    pinned: Count = 0
    source: ForPeople = ""

    @property
    def points(self) -> int:
        """Points of damage that a single character has taken in all."""
        if self.damage_limit is not None:
            return self.damage + self.marked * self.damage_limit
        if self.threshold is None:
            return self.marked
        return self.wear if self.suffered is None else self.suffered

    def check(self) -> str | None:
        """A table that covers its die, names that belong together, damage within its track."""
        return self._wrong_table() or self._wrong_names() or self._wrong_state()

    def _wrong_table(self) -> str | None:
        if self.threshold is not None and not self.table:
            return f"threshold {self.threshold} without a table; allowed: rows in `table` (EM-43)"
        if self.threshold is None and self.table:
            return "a table without threshold; allowed: both or neither (EM-43)"
        if len(self.table) > MOST["rows"]:
            return f"table has {len(self.table)} rows; allowed: at most {MOST['rows']}"
        faces = [
            face
            for row in self.table
            for face in range(row.low, min(row.high or self.table_die, self.table_die) + 1)
        ]
        if not self.table or sorted(faces) == list(range(1, self.table_die + 1)):
            return None
        missing = [str(face) for face in range(1, self.table_die + 1) if face not in faces]
        if missing:
            return f"table has no row for {', '.join(missing)}; its die is a d{self.table_die}"
        twice = next(face for face in faces if faces.count(face) > 1)
        return f"table has two rows for {twice}; allowed: one for each face of its die (EM-43)"

    def _wrong_names(self) -> str | None:
        actions = [own.name for own in self.actions]
        skills = [skill.skill for skill in self.skills]
        for what, names in (("skills", skills), ("actions", actions)):
            if len(set(names)) != len(names):
                return f"{what} {', '.join(names)}; allowed: each once"
            if len(names) > MOST["names"]:
                return f"{len(names)} {what}; allowed: at most {MOST['names']}"
        if len(self.weapons) > MOST["names"]:
            return f"{len(self.weapons)} weapons; allowed: at most {MOST['names']}"
        taken = [name for name in actions if name in ACTIONS]
        if taken:
            return f"action {taken[0]!r}; allowed: a name that no action of the book has (EM-1b)"
        known = [*BASIC, *[own.skill or own.name for own in self.actions]]
        served = [serves for weapon in self.weapons for serves in (weapon.skill, weapon.also)]
        for what, names in (("skill", skills), ("weapon for", served)):
            stray = [name for name in names if name and name not in known]
            if stray:
                return (f"{what} {stray[0]!r}, which no action of it uses; allowed: "
                        f"{', '.join(known)}")  # fmt: skip
        return None

    def _wrong_state(self) -> str | None:
        for key, most in (("marked", self.members), ("pinned", self.members)):
            if getattr(self, key) > most:
                return f"{key} {getattr(self, key)}; allowed: at most its members, {most}"
        for key, full, clause in (
            ("damage", "damage_limit", "EM-42"), ("wear", "threshold", "EM-43"),
        ):  # fmt: skip
            points, limit = getattr(self, key), getattr(self, full)
            if points and limit is None:
                return f"{key} {points} without {full}; allowed: 0 ({clause})"
            if points and points >= limit:
                return f"{key} {points}; allowed: less than {full}, {limit} ({clause})"
        if not self.table and (self.bonus or self.next_bonus):
            return "a bonus to rolls on a table without a table; allowed: 0 (EM-43)"
        stray = [name for name in self.came_up if name not in [row.name for row in self.table]]
        if stray:
            return f"came_up {stray[0]!r}; allowed: names of rows of its table (EM-43)"
        return self._wrong_points()

    def _wrong_points(self) -> str | None:
        given = "unfelt" if self.unfelt else "suffered" if self.suffered is not None else ""
        if given and self.members + self.lost != 1:
            return f"{given}; allowed: only for a unit that never had two members (EM-45)"
        if self.suffered is not None and (self.damage_limit is not None or self.threshold is None):
            return "suffered; allowed: only with a threshold and no damage_limit (EM-45)"
        if self.suffered is not None and self.suffered < self.wear:
            return f"suffered {self.suffered}; allowed: at least its wear, {self.wear} (EM-45)"
        if self.unfelt > self.points:
            return f"unfelt {self.unfelt}; allowed: at most its points, {self.points} (EM-45)"
        return None


@sheet
@cites("EM-50", "EM-56")
class Unit(Troop):
    """A unit with the characters who have joined it: an attack meets them as one body.

    Attributes:
        Joined:
            joined: characters or other troops that fight in it as one; each attacks by itself
                (EM-50).
    """

    joined: tuple[Troop, ...] = ()

    def check(self) -> str | None:
        """As for every troop; not too many have joined."""
        if len(self.joined) > MOST["joined"]:
            return f"{len(self.joined)} joined; allowed: at most {MOST['joined']} (EM-50)"
        return Troop.check(self)


@sheet
@cites("EM-10", "EM-22", "EM-23")
class Contact:
    """The contact of attacker and target, as declared without a table.

    Attributes:
        Contact (EM-22):
            side: the side of the target that the attacker touches (EM-23).
            own_side: the attacker's side that the target touches (EM-23).
            members: members of the attacker in contact; left out: all.
            theirs: members of the target in contact; of several enemies at one unit, each gives
                those whom no earlier one touches.
            fighting: members of the attacker in contact or in reach; left out: those in contact,
                times the ranks that reach.
            theirs_fighting: members of the target in contact or in reach; left out: those in
                contact, times the ranks that reach.
            fronts: sides on which the target is fought (EM-23).
            own_fronts: sides on which the attacker is fought (EM-23).
            further (Further sides): sides of the target, besides the one touched first, to which
                the attacker has wrapped round it (EM-21).
            own_further (Own further sides): sides of the attacker to which the target has wrapped
                round it (EM-21).
    """

    side: Face = "front"
    own_side: Face = "front"
    members: Annotated[int, Ge(0), Le(5_000)] | None = None
    theirs: Annotated[int, Ge(0), Le(5_000)] | None = None
    fighting: Annotated[int, Ge(0), Le(5_000)] | None = None
    theirs_fighting: Annotated[int, Ge(0), Le(5_000)] | None = None
    fronts: Annotated[int, Ge(1), Le(4)] = 1
    own_fronts: Annotated[int, Ge(1), Le(4)] = 1
    further: tuple[Face, ...] = ()
    own_further: tuple[Face, ...] = ()

    def check(self) -> str | None:
        """A unit fights on as many fronts, at least, as it is wrapped round."""
        for key, many, sides in (
            ("fronts", self.fronts, self.further), ("own_fronts", self.own_fronts, self.own_further)
        ):  # fmt: skip
            if len(sides) >= many:
                further = key.replace("fronts", "further")
                return (f"{len(sides)} in {further}, with {key} {many}; allowed: fewer than "
                        f"{key} (EM-21)")  # fmt: skip
        return None


@sheet
@cites("EM-13", "EM-14", "EM-33", "EM-34")
class Other:
    """One more unit that has to do with the activation.

    Attributes:
        Other unit:
            who (Unit): the unit.
            side: whose it is: the attacker's (friend) or the target's (enemy).
            body (One body): it is attacked together with the target, as one (EM-13).
            fights: it is in the close combat, and counts when one side outnumbers the other
                (EM-32).
            engages: it engages the attacker, and makes Free Strikes when the attacker moves
                (EM-11).
            contact: how it touches the attacker; a friend: how it touches the target (EM-22).
    """

    who: Unit
    side: Literal["friend", "enemy"] = "enemy"
    body: bool = False
    fights: bool = True
    engages: bool = False
    contact: Contact = Contact()

    def check(self) -> str | None:
        """Only enemies make Free Strikes at the attacker."""
        if self.engages and self.side == "friend":
            return "engages, of a friend; allowed: of an enemy (EM-11)"
        return None


@sheet
class Setup:
    """One activation: the acting unit, its target, the situation, the action.

    Attributes:
        Who:
            attacker: the unit that acts (EM-60).
            defender: its target (EM-1).
            others (Other units): more units in it (EM-13).
        Action:
            action: its name; "open": the attacker chooses among the actions open to the unit
                (EM-60).
            weapon: its name; empty: the first that serves (EM-40).
            focus: a unit to focus on by name; "none"; "open": the attacker chooses (EM-52).
            move: the attacker's move action: forfeited, a normal move, a move at double pace, or
                none of these (none); open: on a table, the attacker chooses where to go; spent: it
                has moved already (EM-60).
            leaves: whether the move leads out of contact (EM-11).
            core_check: how checks are rolled; left out: as the ruling on checks names it (EM-3).
            resolution: whether the Resolution Phase follows (EM-44).
        Place:
            distance: to the target, in units of length (EM-31).
            blind: nobody sees the target point (EM-31).
            in_sight: the target of a volley is in sight (EM-31).
            table: units on a table; what it shows wins over distance and contact (EM-10).
            path: points [x, y] of a charge; left out: straight at the target (EM-35).
        Contact:
            engaged: whether attacker and target are in contact at the start (EM-10).
            combat: skirmish or ranked; "auto": by their formations (EM-15).
            contact: how they touch; ranked combat looks at it (EM-22).
            may_align: whether a ranked target that is contacted may align (EM-20).
            align_cost: movement that aligning costs, by side (B26; EM-20).
            wrap: members more that come into contact on each further front by enveloping, if the
                target does not align; empty: no room (EM-21).
            press: members who press forward into contact in the Resolution Phase, where ranks meet
                head to head (B26: the text has no number; EM-26).
    """

    attacker: Unit
    defender: Unit
    action: str = "open"
    weapon: str = ""
    focus: str = "open"
    engaged: bool = False
    combat: Literal["auto", "none", "skirmish", "ranked"] = "auto"
    contact: Contact = Contact()
    others: tuple[Other, ...] = ()
    distance: Length = 0
    blind: bool = False
    in_sight: bool = False
    move: Literal["none", "forfeit", "normal", "double", "open", "spent"] = "none"
    leaves: bool = False
    may_align: bool = True
    align_cost: tuple[Length, Length, Length] = (0, 0, 0)
    press: Count = 0
    wrap: tuple[Count, ...] = ()
    resolution: bool = False
    core_check: CoreCheck | None = None
    table: Table | None = None
    path: tuple[tuple[float, float], ...] = ()

    def check(self) -> str | None:
        """Nothing that contradicts the rest, and not too much of anything."""
        if self.path and self.table is None:
            return "path without a table; allowed: both or neither (EM-35)"
        if self.move == "open" and self.table is None:
            return "move open without a table; allowed: both or neither (EM-60)"
        if self.move in {"open", "spent"} and self.leaves:
            return f"leaves with move {self.move}; allowed: leave it out, ways say so (EM-60)"
        if self.blind and self.in_sight:
            return "blind and in_sight; allowed: one of them (EM-31)"
        if self.engaged and self.distance and self.table is None:
            return f"engaged at a distance of {self.distance:g}; allowed: 0 in contact (EM-10)"
        for key in ("others", "path", "wrap"):
            if len(getattr(self, key)) > MOST[key]:
                return f"{len(getattr(self, key))} in {key}; allowed: at most {MOST[key]}"
        return None
