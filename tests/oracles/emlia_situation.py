"""Emlia: the numbers of an attack from the sheets of all who have to do with it.

A setup goes in as plain dicts, with every key written out; for each troop that attacks its dice,
difficulty, base damage and body come out. Everything is worked out anew for each question, by
walking over all troops; rows of modifiers come from `emlia`. Clause ids and ambiguity numbers
stand in docstrings.

What is read here, beyond what `emlia` says:

* A troop is gone that its table has destroyed: it is nobody to anyone. Who joined a unit is in
  contact with all its members.
* Total cover counts as partial where a table has no row for it (Aimed Fire).
* The unit that acts takes part in the combat if it stands at its target and doesn't shoot, or if
  it is engaged, or has charged.
* Of several contacts of one unit, members who touch anybody are added up; a contact that tells no
  number is one of all members.
* Without a table every enemy in the combat touches the unit that acts, and every friend there
  touches the target.
"""

from fractions import Fraction
from typing import Any, NamedTuple

from tests.oracles import emlia

Raw = dict[str, Any]
ALL = 10**9


class Party(NamedTuple):
    """A troop with its part: number of its unit's leader, and how that unit stands."""

    troop: Raw
    side: str
    leader: int
    fights: bool
    body: bool
    engages: bool
    contact: Raw


class Kind(NamedTuple):
    """What an action is to a troop."""

    like: str
    skill: str
    default: bool
    support: bool
    extra: int
    hits: int


class Roll(NamedTuple):
    """The check of one troop."""

    by: int
    dice: int
    difficulty: int
    automatic: bool
    base: int
    each: int
    body: tuple[int, ...]
    friends: tuple[int, ...]


def seen_by_the_other(contact: Raw) -> Raw:
    """A contact from the other end."""
    return {
        "side": contact["own_side"], "own_side": contact["side"],
        "members": contact["theirs"], "theirs": contact["members"],
        "fighting": contact["theirs_fighting"], "theirs_fighting": contact["fighting"],
        "fronts": contact["own_fronts"], "own_fronts": contact["fronts"],
        "further": contact["own_further"], "own_further": contact["further"],
    }  # fmt: skip


def points_of(troop: Raw) -> int:
    """Points of damage that a troop of one has taken (EM-45): by its limit, its table, or marks."""
    if troop["damage_limit"] is not None:
        return int(troop["damage"] + troop.get("marked", 0) * troop["damage_limit"])
    return int(troop["wear"] if troop["threshold"] is not None else troop.get("marked", 0))


def lost_morale(sides: list[str], fronts: int, picks: Raw) -> int:
    """A round on these sides, one for each enemy, and on so many in all (EM-24; B32)."""
    worth = {"front": 0, "flank": -1, "rear": -2}
    kinds = set(sides)
    cost = sum(worth[side] for side in (sides if picks["morale_sides"] == "contacts" else kinds))
    return cost - (max(fronts, len(kinds)) - 1)


class Situation:
    """One setup under some readings, after a plan: charged, closed (formation), focus."""

    def __init__(self, raw: Raw, picks: dict[str, Any], **plan: Any) -> None:
        self.raw, self.picks = raw, picks
        self.charged = plan.get("charged", False)
        self.focus: int | None = plan.get("focus")
        contact = dict(raw["contact"])
        self.closed = bool(plan.get("closed")) or raw["action"] == "break_ranks"
        units = [(raw["attacker"], "friend", True, False, False, contact)]
        back = seen_by_the_other(contact)
        units += [(raw["defender"], "enemy", True, False, raw["engaged"], back)]
        for other in raw["others"]:
            engages = other["side"] == "enemy" and other["engages"]
            units.append((other["who"], other["side"], other["fights"], other["body"], engages,
                          other["contact"]))  # fmt: skip
        self.parties: list[Party] = []
        for unit, side, fights, body, engages, touch in units:
            leader = len(self.parties)
            for troop in (unit, *unit["joined"]):
                self.parties.append(Party(troop, side, leader, fights, body, engages, touch))
        self.target = 1 + len(raw["attacker"]["joined"])

    # -- who is in it ---------------------------------------------------------------------------

    def kind(self, troop: Raw) -> Kind | None:
        """The attack that the action is to a troop (EM-1, EM-30 to EM-33)."""
        name = self.raw["action"]
        for own in troop["actions"]:
            if own["name"] == name:
                extra = sum(row["amount"] for row in own["modifiers"])
                return Kind(own["like"], own["skill"] or name, own["default"], False, extra,
                            own["hits"])  # fmt: skip
        if name == "volley_fire":
            return Kind(name, name, False, False, 0, 1)
        if name == "aimed_fire":
            return Kind(name, name, True, False, 0, 1)
        if name == "supporting_fire":
            return Kind("aimed_fire", "aimed_fire", True, True, 0, 1)
        if name in ("close_combat", "charge"):
            return Kind("close_combat", "close_combat", True, False, 0, 1)
        return None

    def acts_in_melee(self) -> bool:
        """Whether the unit that acts is in the combat (EM-10)."""
        if self.raw["engaged"]:
            return True
        kind = self.kind(self.raw["attacker"])
        if kind is not None and kind.like != "close_combat":
            return False
        return bool(self.raw["distance"] == 0)

    def is_in(self, place: int) -> bool:
        """Whether a troop is in the combat."""
        party = self.parties[place]
        return self.acts_in_melee() if party.leader == 0 else party.fights

    def formation(self, place: int) -> str:
        """The formation of a troop's unit; closed up by enveloping or breaking ranks (EM-21)."""
        leader = self.parties[place].leader
        if leader == 0 and self.closed:
            return "close"
        return str(self.parties[leader].troop["formation"])

    def combat(self) -> str:
        """Ranked, a skirmish, or none without friends (EM-13, EM-15; B29, B30)."""
        if self.raw["combat"] != "auto":
            return str(self.raw["combat"])
        leaders = [n for n, party in enumerate(self.parties) if party.leader == n and self.is_in(n)]
        if all(self.parties[n].side == "enemy" for n in leaders):
            return "none"
        if self.picks["ranked_in_melee"] == "two":
            if "ranked" in [self.formation(n) for n in leaders if n in (0, self.target)]:
                return "ranked"
            leaders = [n for n in leaders if self.formation(n) != "ranked"]
        found = {self.formation(n) for n in leaders}
        mixes = "open" in found or self.picks["close_combat_of_close"] == "skirmish"
        return "skirmish" if mixes and "ranked" not in found else "ranked"

    def strikers(self) -> list[int]:
        """Who engages the unit that acts: in a skirmish all enemies in it (EM-12, EM-63)."""
        mixed = self.raw["engaged"] and self.combat() == "skirmish"
        return [
            n for n, party in enumerate(self.parties)
            if party.engages or (mixed and party.side == "enemy" and party.fights)
        ]  # fmt: skip

    def members(self, place: int) -> int:
        """Members of a troop, those marked included; nobody of one that is destroyed."""
        troop = self.parties[place].troop
        rows = [row for row in troop["table"] if row["name"] in troop["came_up"]]
        return 0 if any(row["destroyed"] for row in rows) else int(troop["members"])

    def counting(self, place: int) -> int:
        """Members of a troop in contact and in reach, where ranks fight (EM-22)."""
        party = self.parties[place]
        members = self.members(place)
        if party.leader != place or self.combat() != "ranked":
            return members
        if party.contact["fighting"] is not None:
            return int(min(members, party.contact["fighting"]))
        if party.contact["members"] is None:
            return members
        return int(min(members, party.contact["members"] * (1 + party.troop["reach"])))

    def involved(self, place: int) -> int:
        """The same, with those who touch other units of the enemy than attacker and target."""
        party, own = self.parties[place], self.counting(place)
        ends = (0, self.target)
        if place not in ends or self.combat() != "ranked" or not own:
            return own
        touching = [
            other.contact["theirs"]
            for n, other in enumerate(self.parties)
            if n == other.leader and n not in ends and other.side != party.side and other.fights
        ]
        if not touching or party.contact["members"] is None:
            return own
        total = sum([party.contact["members"], *[ALL if n is None else n for n in touching]])
        return int(min(party.troop["members"], total * (1 + party.troop["reach"])))

    def strength(self, side: str) -> int:
        """Members of a side in the combat, or its units (B25)."""
        found: dict[int, int] = {}
        for place, party in enumerate(self.parties):
            if party.side == side and self.is_in(place) and self.involved(place):
                found[party.leader] = found.get(party.leader, 0) + self.involved(place)
        return len(found) if self.picks["outnumber_count"] == "units" else sum(found.values())

    # -- dice -----------------------------------------------------------------------------------

    def level(self, troop: Raw, skill: Raw, out: int) -> int:
        """A skill without those who are lost, or out of reach (EM-22, EM-45)."""
        gone = troop["lost"] + out
        if troop["members"] + troop["lost"] == 1 and self.picks["dragon_diminish"] == "points":
            gone += troop.get("felt", points_of(troop))
        diminish: Any = "subtract" if self.picks["diminish"] == "value" else "per_value"
        after = emlia.level_after(skill["level"], Fraction(skill["diminish"]), gone,
                                  diminish=diminish)  # fmt: skip
        return int(max(0, after - troop["weaker"]))

    def dice(self, place: int, skill: str, out: int) -> tuple[int, int]:
        """Dice, and what the skill does to the difficulty (EM-3, EM-5; B4, B21)."""
        troop = self.parties[place].troop
        there = troop["members"] - out
        if not self.members(place):
            return 0, 0
        if there <= 0:
            return 0, 0
        levels = {s["skill"]: self.level(troop, s, out) for s in troop["skills"]}
        if skill in levels:
            by_members = self.picks["dice_from"] == "members"
            return (there, levels[skill]) if by_members else (levels[skill], 0)
        best = max([0, *levels.values()])
        if self.picks["default_yes"] == "one_die":
            return 1, 0
        if self.picks["default_yes"] == "half":
            return max(1, best // 2), 0
        return max(1, best), -2

    def weapon(self, place: int, kind: Kind) -> Raw | None:
        """The weapon named, of the unit that acts; else the first that serves."""
        named = self.raw["weapon"] if place == 0 else ""
        for weapon in self.parties[place].troop["weapons"]:
            serves = {weapon["skill"], weapon["also"]} & {kind.skill, kind.like}
            if serves and (not named or weapon["name"] == named):
                return dict(weapon)
        return None

    def band(self, weapon: Raw) -> int:
        """0 at short range, 1 at medium, 2 at long range, 3 beyond."""
        edges = [weapon["short"], weapon["medium"], weapon["longest"]]
        return sum(self.raw["distance"] > edge for edge in edges)

    def damage(self, weapon: Raw | None, kind: Kind, *, charged: bool) -> int:
        """Base damage (EM-31, EM-35, EM-40)."""
        if weapon is None:
            return 0
        short, medium, long = weapon["damage"], weapon["damage_medium"], weapon["damage_long"]
        if kind.like == "close_combat":
            fast = weapon["damage_charging"]
            return int(fast if charged and fast is not None else short)
        medium = short if medium is None else medium
        by_band = [short, medium, medium if long is None else long]
        if kind.like == "volley_fire" and not weapon["volley_full"]:
            return int(min(by_band))
        return int([*by_band, by_band[2]][self.band(weapon)])

    # -- the body -------------------------------------------------------------------------------

    def body(self) -> tuple[int, ...]:
        """Whom the attack is at (EM-13, EM-14, EM-31, EM-33, EM-34, EM-53)."""
        kind = self.kind(self.raw["attacker"])
        assert kind is not None
        aim = self.parties[self.target].troop
        if kind.like == "volley_fire" and aim["vertical_cover"] == "total":
            names = [party.troop["name"] for party in self.parties]
            return (names.index(aim["covered_by"]),)
        found = []
        for place, party in enumerate(self.parties):
            if party.leader == self.target:
                found.append(place)
                continue
            if party.leader == 0:
                continue
            beside = party.body
            if party.fights and kind.support:
                beside = True
            apart = self.picks["ranked_in_melee"] == "two" and self.formation(place) == "ranked"
            if party.fights and self.combat() == "skirmish" and not apart:
                beside = True
            ranked = self.combat() == "ranked" and kind.like == "close_combat"
            if ranked and self.acts_in_melee() and self.picks["ranked_body"] == "all":
                beside = beside or party.fights
            if kind.like == "volley_fire" and self.picks["volley_area"] == "all":
                beside = True
            shot = self.combat() == "ranked" and kind.like != "close_combat"
            if shot and party.fights and self.picks["shot_at_ranked"] == "mixed":
                beside = True
            if party.side == "friend" and (kind.support or kind.like == "close_combat"):
                beside = False
            if beside:
                found.append(place)
        if kind.like == "aimed_fire" and self.picks["total_cover"] == "spared":
            seen = [n for n in found if self.parties[n].troop["cover"] != "total"
                    or self.bare(self.parties[n].troop)]  # fmt: skip
            found = seen or found
        return tuple(found)

    def bare(self, troop: Raw) -> bool:
        """Whether what covers it has lost its cover."""
        if not troop["covered_by"]:
            return False
        (over,) = [p.troop for p in self.parties if p.troop["name"] == troop["covered_by"]]
        rows = [row for row in over["table"] if row["name"] in over["came_up"]]
        return any(row["uncovers"] or row["destroyed"] for row in rows)

    # -- modifiers ------------------------------------------------------------------------------

    def _flank_rows(self, place: int, *, own: bool, against: int = 0) -> int:
        """T-RANK for a troop's unit: its own attack, or one on it (EM-23; B9, B10)."""
        if self.combat() != "ranked" or self.formation(place) != "ranked":
            return 0
        contact = self.parties[0 if own else place].contact
        side: Any = contact["own_side"]
        fronts, stack = contact["own_fronts"], self.picks["rank_stack"]
        if own:
            enemy = self.parties[against].leader
            if enemy != self.target:
                side = self.parties[enemy].contact["side"]
            return sum(emlia.rows_rank(side=side, fronts=fronts, rank_stack=stack).values())
        count: Any = "all" if self.picks["multi_front_count"] == "all" else "additional"
        rows = emlia.rows_rank_enemy(side=side, fronts=fronts, rank_stack=stack,
                                     multi_front_count=count)  # fmt: skip
        return sum(rows.values())

    def modifier(self, by: int, place: int, kind: Kind) -> tuple[int, int]:
        """What helps a troop against one of the body; and what the table takes for focusing."""
        own, aim = self.parties[by].troop, self.parties[place].troop
        friends, enemies = self.strength("friend"), self.strength("enemy")
        hidden: Any = aim["concealment"]
        cover: Any = "none" if self.bare(aim) else aim["cover"]
        double = own["double_paced"] or self.raw["move"] == "double"
        higher = own["elevation"] > aim["elevation"]
        stack = self.picks["stack_rows"]
        weapon = self.weapon(by, kind)
        total, focusing = kind.extra + aim["to_hit"] - own["aligned"], 0
        if kind.like == "volley_fire":
            at: Any = "medium" if weapon is None else self.range_of(weapon)
            over = (
                "partial" if aim["vertical_cover"] == "partial" and not self.bare(aim) else "none"
            )
            rows = emlia.rows_vol(band=at, blind=self.raw["blind"], in_sight=self.raw["in_sight"],
                                  vertical_cover=over)  # type: ignore[arg-type]  # fmt: skip
            return total + sum(rows.values()), 1
        if kind.like == "close_combat":
            rows = emlia.rows_cc(
                attackers=friends if enemies else 0, subject=enemies or 1, concealment=hidden,
                cover=cover, rough=own["rough"] or aim["rough"],
                charged=self.charged or own["charged"], double_pace=double,
                target_elev=aim["elevation"] > own["elevation"], elev_over=higher, stack_rows=stack,
            )  # fmt: skip
            total += aim["exposed"] + self._flank_rows(by, own=True, against=place)
            return total + sum(rows.values()) + self._flank_rows(place, own=False), 1
        skirmish = self.combat() == "skirmish"
        whole = sum(self.members(n) for n in self.body()
                    if self.parties[n].side == "enemy")  # fmt: skip
        focused = 0 if self.focus is None else self.members(self.focus)
        bits: Any = {
            "concealment": hidden, "cover": "none" if cover == "none" else "partial",
            "forfeit_move": self.raw["move"] == "forfeit", "elev_over": higher,
            "unaware": aim["unaware"], "double_pace": double, "stack_rows": stack,
            "support_skirmish": self.picks["support_skirmish"], "in_skirmish": skirmish,
            "focus_skirmish": self.picks["focus_skirmish"],
            "band": "short" if weapon is None else self.range_of(weapon),
        }  # fmt: skip
        lines: Any = {}
        odds: Any = {"friends": friends if enemies else 0, "enemies": enemies if friends else 0}
        if kind.support:
            lines = emlia.rows_aim(**bits, support=True, **odds)
        elif self.picks["aimed_odds"] == "always":
            # The rows of Supporting Fire less those that say it is.
            lines = emlia.rows_aim(**bits, support=True, **odds)
            lines = {key: row for key, row in lines.items() if "support" not in key}
        else:
            lines = emlia.rows_aim(**bits)
        if self.focus is not None:
            narrow = emlia.rows_aim(focus=True, in_skirmish=skirmish, target=focused,
                                    enemies=whole, stack_rows=stack,
                                    focus_skirmish=self.picks["focus_skirmish"])  # fmt: skip
            focusing = -sum(n for key, n in narrow.items() if key.startswith("focus"))
            total += sum(n for key, n in narrow.items() if key.startswith("small"))
        return total + sum(lines.values()), focusing

    def range_of(self, weapon: Raw) -> str:
        """The band of range; beyond the last one nobody shoots."""
        return ("short", "medium", "long", "long")[self.band(weapon)]

    # -- the checks -----------------------------------------------------------------------------

    def rolls(self) -> list[Roll]:
        """A check for the unit, and for each of those who joined it and can (EM-50)."""
        found, body = [], self.body()
        for by, party in enumerate(self.parties):
            kind = self.kind(party.troop)
            if party.leader != 0 or kind is None:
                continue
            trained = any(skill["skill"] == kind.skill for skill in party.troop["skills"])
            if by and not (trained or kind.default):
                continue
            if by and kind.like != "close_combat":
                armed = [
                    weapon for weapon in party.troop["weapons"]
                    if {weapon["skill"], weapon["also"]} & {kind.skill, kind.like}
                ]  # fmt: skip
                if not armed:
                    continue
            counting = self.counting(by) if by == 0 else party.troop["members"]
            several = len({self.parties[n].leader for n in body}) > 1
            if by == 0 and several and kind.like == "close_combat":
                counting = self.involved(0)
            out = party.troop["members"] - counting
            dice, bonus = self.dice(by, kind.skill, out)
            if by and not dice:
                continue
            numbers = [self.modifier(by, place, kind) for place in body]
            here = [place for place in body if self.members(place)]
            groups = [(self.members(place), number[0] + bonus)
                      for place, number in zip(body, numbers, strict=True)
                      if place in here]  # fmt: skip
            volley = kind.like == "volley_fire"
            difficulty = emlia.mixed_difficulty(
                groups, None if self.focus is None else here.index(self.focus),
                table=numbers[0][1], rule=self.picks["check"], clamp=self.picks["clamp"],
                focus_merge=self.picks["focus_merge"], focus_cap=self.picks["focus_cap"],
                focus_penalty="once" if volley else self.picks["focus_penalty"],
            )  # fmt: skip
            charged = self.charged or party.troop["charged"]
            found.append(Roll(
                by, dice, difficulty,
                kind.like == "close_combat" and all(self.parties[n].troop["unaware"] for n in here),
                self.damage(self.weapon(by, kind), kind, charged=charged), kind.hits, body,
                tuple(n for n, one in enumerate(self.parties) if kind.support and one.leader
                      and one.side == "friend" and one.fights),
            ))  # fmt: skip
        return found

    def blows(self, place: int) -> tuple[int, int]:
        """Hits and base damage of a troop's Free Strikes (EM-6, EM-12, EM-36; B19)."""
        troop = self.parties[place].troop
        out = troop["members"] - min(self.counting(place), troop["members"] - troop["pinned"])
        dice, _ = self.dice(place, "close_combat", out)
        kind = Kind("close_combat", "close_combat", True, False, 0, 1)
        weapon = next((w for w in troop["weapons"]
                       if "close_combat" in (w["skill"], w["also"])), None)  # fmt: skip
        hits = min(1, dice) if self.picks["auto_success"] == "one" else dice
        return hits, self.damage(weapon, kind, charged=False)

    def morale(self, place: int) -> int:
        """What a round of ranked combat costs a troop's unit (EM-24)."""
        party = self.parties[place]
        if party.leader != place or not self.is_in(place):
            return 0
        if self.combat() != "ranked" or self.formation(place) != "ranked":
            return 0
        sides, fronts = self.sides(place), party.contact["own_fronts"]
        return lost_morale(sides, fronts, self.picks) if sides else 0

    def sides(self, place: int) -> list[str]:
        """The side of a unit that each enemy fights (EM-24)."""
        party, ends = self.parties[place], (0, self.target)
        found = []
        if place not in ends or self.acts_in_melee():
            found += [party.contact["own_side"], *party.contact["own_further"]]
        if place in ends:
            for n, other in enumerate(self.parties):
                if n in ends or n != other.leader or not other.fights or other.side == party.side:
                    continue
                found += [other.contact["side"], *other.contact["further"]]
        return found

    def disengaging(self) -> int:
        """All modifiers of Disengage and Distract (EM-36)."""
        own = self.parties[0].troop
        friends, enemies = self.strength("friend"), self.strength("enemy")
        near = [self.parties[n].troop for n in self.strikers()]
        rows = emlia.rows_dis(
            source=friends or int(not enemies), subject=enemies or int(not friends),
            concealment=own["concealment"], cover="none" if self.bare(own) else own["cover"],
            rough=any(troop["rough"] for troop in (own, *near)), charged=own["charged"],
            stack_rows=self.picks["stack_rows"],
        )  # fmt: skip
        return sum(rows.values()) + self.dice(0, "close_combat", 0)[1]

    def pressing(self, press: int) -> int:
        """Members who press forward, where ranks meet head to head (EM-26)."""
        own = self.parties[0]
        if self.combat() != "ranked" or not self.acts_in_melee():
            return 0
        if (own.contact["side"], own.contact["own_side"]) != ("front", "front"):
            return 0
        if own.contact["members"] is None:
            return 0
        return int(max(0, min(press, own.troop["members"] - own.contact["members"])))

    def touching(self, more: int) -> int:
        """Members of the unit that acts who touch the enemy, after so many have pressed forward."""
        own = self.parties[0]
        if not self.acts_in_melee():
            return 0
        members = own.contact["members"]
        return int(own.troop["members"] if members is None else
                   min(own.troop["members"], members + more))  # fmt: skip
