"""Emlia: a whole activation, from the actions on offer to the Resolution Phase.

A setup goes in as plain dicts, as for `emlia_situation`. `Activation.run` is a generator: it asks
for dice and for choices, and is sent faces and names; when it is over, `told` has what came of it.
Hits are spent by `emlia.allocate`, so no two troops may share a Hits value, and who takes a point
is never picked. Clause ids and ambiguity numbers stand in docstrings.

What is read here, beyond the two others:

* Whoever engages strikes before anything moves, one troop after the other, in the order of the
  setup; a unit of which nobody is left without a mark goes no further.
* Rows of a threshold table hold at once: levels, speed, cover. Of several speeds the lowest counts.
* A charge, a Disengage and a move are over when the unit has moved; other attacks come after it.
"""

from collections.abc import Generator, Sequence
from copy import deepcopy
from typing import Any, NamedTuple

from tests.oracles import emlia
from tests.oracles.emlia_situation import Kind, Raw, Roll, Situation, points_of

MELEE, SHOT, VOLLEY = "close_combat", "aimed_fire", "volley_fire"


class Dice(NamedTuple):
    """So many dice are rolled; the answer is their faces."""

    number: int
    sides: int


class Pick(NamedTuple):
    """Somebody chooses; the answer is a name. What can't be chosen is closed."""

    actor: str
    names: tuple[str, ...]
    closed: tuple[str, ...] = ()


Asks = Generator[Dice | Pick, Any, None]


class RefusedError(Exception):
    """The setup asks for what the rules don't allow."""


def is_gone(troop: Raw) -> bool:
    """Whether a table has destroyed a troop (EM-43)."""
    return any(row["destroyed"] for row in troop["table"] if row["name"] in troop["came_up"])


def speed_of(troop: Raw) -> float:
    """What is left of the speed of a troop (EM-43)."""
    rows = [row for row in troop["table"] if row["name"] in troop["came_up"]]
    return float(min([troop["speed"], *[r["speed"] for r in rows if r["speed"] is not None]]))


class Activation:
    """One activation under some readings."""

    def __init__(self, raw: Raw, picks: dict[str, Any]) -> None:
        self.raw, self.picks = deepcopy(raw), picks
        self.plan: dict[str, Any] = {}
        self.parties = Situation(self.raw, picks).parties
        self.target = Situation(self.raw, picks).target
        self.before = [deepcopy(party.troop) for party in self.parties]
        # Points that a single member takes in this activation don't weaken it yet (EM-45).
        for party in self.parties:
            party.troop.setdefault("felt", points_of(party.troop))
        self.track = [
            troop.get("track", troop["damage"] if troop["threshold"] is None else troop["wear"])
            for troop in self.before
        ]
        self.dealt = [0] * len(self.before)
        self.told: dict[str, Any] = {
            "successes": 0, "ones": 0, "net": 0, "fumble": 0, "hits": 0, "friend_hits": 0,
            "dice": 0, "difficulty": 0, "focus": "none", "rolls": 0, "moved": 0, "reached": False,
            "left": False, "formation": self.parties[0].troop["formation"],
        }  # fmt: skip
        self.rows: list[str] = []
        self.stays = self.meets = False

    # -- what can be done -----------------------------------------------------------------------

    def situation(self, action: str = "") -> Situation:
        """Everything as it is now."""
        raw = {**self.raw, "action": action}
        if self.stays:
            raw["move"] = "none"
        return Situation(raw, self.picks, **self.plan)

    def names(self, places: Sequence[int]) -> list[str]:
        """What troops are called."""
        return [self.parties[n].troop["name"] for n in places]

    def strikers(self) -> list[int]:
        """Who engages the unit that acts (EM-10, EM-12)."""
        return self.situation().strikers()

    def serving(self, kind: Kind, name: str) -> Raw | None:
        """The first weapon that serves an attack, of all or of those with this name."""
        for weapon in self.parties[0].troop["weapons"]:
            serves = {weapon["skill"], weapon["also"]} & {kind.skill, kind.like}
            if serves and name in ("", weapon["name"]):
                return dict(weapon)
        return None

    def forbids(self, action: str) -> bool:
        """Whether the rules forbid an action now."""
        raw, own = self.raw, self.parties[0].troop
        known = {skill["skill"] for skill in own["skills"]}
        if action in ("disengage", "distract"):
            return not self.strikers() or MELEE not in known
        if action == "break_ranks":
            spent = self.picks["breaking_ranks"] == "move" and raw["move"] != "none"
            whole = own["formation"] != "ranked" or raw["contact"]["own_fronts"] < 2
            return bool(whole or spent)
        if action == "move":
            return bool(raw["move"] == "forfeit" or speed_of(own) == 0)
        if action == "pass":
            return False
        situation = self.situation(action)
        kind = situation.kind(own)
        assert kind is not None
        if kind.skill not in known and not kind.default:
            return True
        weapon = self.serving(kind, raw["weapon"])
        if raw["weapon"] and weapon is None:
            return True
        if action == "charge":
            still = speed_of(own) == 0 or raw["move"] != "none"
            return bool(raw["engaged"] or raw["distance"] == 0 or still)
        if kind.like == MELEE:
            paces = {"normal": 1, "double": 2}.get(raw["move"], 0)
            return bool(not raw["engaged"] and raw["distance"] > paces * speed_of(own))
        if weapon is None and kind.skill not in known:
            return True
        if weapon is not None and raw["distance"] > weapon["longest"]:
            return True
        if kind.like == VOLLEY:
            return bool(own["formation"] != "close" or raw["move"] in ("normal", "double"))
        friends = [n for n, p in enumerate(self.parties) if p.side == "friend" and p.leader]
        beside = any(self.parties[n].fights for n in friends)
        apart = beside and situation.combat() == "ranked" and not kind.support
        if apart and self.picks["shot_at_ranked"] == "support":
            return True
        if raw["blind"] or (kind.support and not any(self.parties[n].fights for n in friends)):
            return True
        return all(self.parties[n].troop["cover"] == "total" for n in situation.body())

    def on_offer(self) -> list[str]:
        """Actions that make sense where none is named."""
        own = self.parties[0].troop
        known = {skill["skill"] for skill in own["skills"]}

        def fires(skill: str) -> bool:
            kind = Kind(skill, skill, True, False, 0, 1)
            return skill in known or self.serving(kind, "") is not None

        found = [MELEE]
        if fires(SHOT):
            found.append(SHOT)
            if any(other["side"] == "friend" for other in self.raw["others"]):
                found.append("supporting_fire")
        if fires(VOLLEY):
            found.append(VOLLEY)
        if self.raw["distance"] > 0:
            found.append("charge")
        found += [act["name"] for act in own["actions"]]
        if self.strikers():
            found += ["disengage", "distract", "move"]
        if own["formation"] == "ranked" and self.raw["contact"]["own_fronts"] > 1:
            found.append("break_ranks")
        return found

    def refuse(self) -> None:
        """Raise where the setup contradicts the rules."""
        named = self.raw["action"]
        ends = (0, self.target)
        if "goes_on" not in self.raw and any(is_gone(self.parties[n].troop) for n in ends):
            raise RefusedError("nobody")  # in a fight those who joined them go on
        if named == "open":
            return
        if self.forbids(named):
            raise RefusedError(named)
        situation = self.situation(named)
        attacks = situation.kind(self.parties[0].troop) is not None and named != "charge"
        if attacks:
            attacked = ("open", "none", *self.names(situation.body()))
            if self.raw["focus"] not in attacked:
                raise RefusedError("focus")

    # -- the course -----------------------------------------------------------------------------

    def run(self) -> Asks:
        """The activation; asks on the way."""
        self.refuse()
        action = self.raw["action"]
        if action == "open":
            every = self.on_offer()
            free = [name for name in every if not self.forbids(name)]
            shut = tuple(name for name in every if name not in free)
            names, closed = ([name.replace("_", " ") for name in some] for some in (free, shut))
            took = (yield Pick("attacker", tuple(names), tuple(closed))) if free else "pass"
            action = took.replace(" ", "_")
        self.action = action
        yield from self.course(action)
        self.over()

    def course(self, action: str) -> Asks:
        """What an action is made of (EM-11, EM-35, EM-36, EM-60)."""
        attacks = self.situation(action).kind(self.parties[0].troop) is not None
        if action in ("disengage", "distract"):
            yield from self.disengage(action)
            return
        if action == "pass":
            return
        if action == "break_ranks":
            self.told["formation"] = "close"
            self.plan["closed"] = True
            near = self.raw["engaged"] or self.raw["distance"] == 0
            if self.picks["breaking_ranks"] == "move" and near:
                self.action = MELEE
                yield from self.attack(MELEE)
            return
        self.meets = self.meeting(action)
        walks = self.raw["move"] in ("normal", "double")
        if action in ("move", "charge") or walks:
            leaves = self.raw["leaves"] or action == "charge"
            near = [n for n in self.strikers() if not is_gone(self.parties[n].troop)]
            if near and (leaves or self.picks["free_strike_timing"] == "any_move"):
                if (yield Pick("attacker", ("go", "stay"))) == "stay":
                    self.stays = True
                    if action in ("move", "charge") or self.meets:
                        return
                else:
                    yield from self.strikes()
                    if self.is_fallen():
                        return
            yield from self.walk(action)
        if attacks and (action != "charge" or self.told["reached"]):
            yield from self.attack(action)

    def is_fallen(self) -> bool:
        """Whether nobody of the unit that acts is left without a mark."""
        own = self.parties[0].troop
        return is_gone(own) or own["marked"] >= own["members"]

    def walk(self, action: str) -> Asks:
        """Movement, and a charge (EM-35, EM-60)."""
        speed, move = speed_of(self.parties[0].troop), self.raw["move"]
        if action == "charge":
            yield from self.charge(speed)
            return
        if action in ("move", "disengage") and move == "none":
            move = "normal"
        paces = {"none": 0, "forfeit": 0, "normal": 1, "double": 2}[move]
        self.told["moved"] = 0 if self.stays else paces * speed
        if paces and self.meets and not self.stays:
            if self.raw["distance"]:
                self.told["moved"] = min(self.raw["distance"], paces * speed)
            if move == "double":
                self.mark_own("double_paced")
            yield from self.contact_made()
            return
        if move == "double" and not self.stays:
            self.mark_own("double_paced")
        if action in ("move", "disengage"):
            self.told["left"] = self.told["moved"] > 0
            if self.told["left"] and (self.raw["leaves"] or action == "disengage"):
                self.unpin()

    def meeting(self, action: str) -> bool:
        """Whether the unit moves into contact for an attack in close combat."""
        kind = self.situation(action).kind(self.parties[0].troop)
        return kind is not None and kind.like == MELEE and not self.raw["engaged"]

    def unpin(self) -> None:
        """Pins end with the engagement (EM-36; B35)."""
        held = any(
            party.side == "friend" and party.leader and party.fights
            and party.troop["members"] and not is_gone(party.troop)
            for party in self.parties
        )  # fmt: skip
        if not held or self.picks["pins_end"] == "source":
            for party in self.parties:
                if party.side == "enemy":
                    party.troop["pinned"] = 0

    def mark_own(self, key: str) -> None:
        """The unit that acts, and all who joined it, have done something this turn."""
        for party in self.parties:
            if party.leader == 0:
                party.troop[key] = True

    def charge(self, speed: float) -> Asks:
        """Straight at the target at double speed; then aligning and enveloping (EM-20, EM-21)."""
        away = self.raw["distance"]
        self.told["moved"], self.told["reached"] = min(away, 2 * speed), away <= 2 * speed
        if not self.told["reached"]:
            self.told["own_morale"] = -1
            return
        self.plan["charged"] = True
        self.mark_own("charged")
        yield from self.contact_made()

    def contact_made(self) -> Asks:
        """Ranks that are contacted align, or are enveloped (EM-20, EM-21; B37)."""
        self.told["reached"] = True
        self.raw |= {"engaged": True, "distance": 0}
        aim, touch = self.parties[self.target].troop, self.raw["contact"]
        if aim["formation"] != "ranked":
            return
        more = [members for members in self.raw["wrap"] if members]
        if self.raw["may_align"] and (touch["side"] != "front" or more):
            costs = dict(zip(("front", "flank", "rear"), self.raw["align_cost"], strict=True))
            dear = costs[touch["side"]] > speed_of(aim)
            names = ("stay",) if dear else ("stay", "align")
            if (yield Pick("defender", names, ("align",) * dear)) == "align":
                touch["side"], aim["aligned"] = "front", True
                if self.picks["aligning"] == "joined":
                    for n in self.joined(self.target):
                        self.parties[n].troop["aligned"] = True
                return
        if more and (yield Pick("attacker", ("no", "envelop"))) == "envelop":
            round_it = {"front": ("flank", "flank", "rear"), "flank": ("rear", "front", "flank"),
                        "rear": ("flank", "flank", "front")}  # fmt: skip
            sides = [*touch["further"], *round_it[touch["side"]][: len(more)]]
            touch["fronts"] = min(4, touch["fronts"] + len(more))
            touch["further"] = sides[: touch["fronts"] - 1]
            for key in ("members", "fighting"):
                if touch[key] is not None:
                    touch[key] += sum(more)
            self.plan["closed"] = True
            self.told["formation"] = "close"

    def disengage(self, action: str) -> Asks:
        """Disengage and Distract (EM-36)."""
        now, own = self.situation(), self.parties[0].troop
        there = [n for n in self.strikers() if not is_gone(self.parties[n].troop)]
        dice, _ = now.dice(0, MELEE, 0)
        number = emlia.difficulty(now.disengaging(), self.picks["check"],
                                  clamp=self.picks["clamp"])  # fmt: skip
        self.told |= {"dice": dice, "difficulty": number}
        sure = all(self.parties[n].troop["unaware"] for n in there)
        net, excess = yield from self.check(dice, number, sure=sure)
        own["exposed"] += excess
        strong = sum(party.troop["members"] for party in self.parties if party.leader == 0)
        for _ in range(net):
            foes = [self.parties[n].troop for n in there]
            free = {foe["name"]: foe for foe in foes if foe["pinned"] < foe["members"]}
            if not free:
                break
            troop = free[(yield Pick("attacker", tuple(free)))]
            troop["pinned"] = min(troop["members"], troop["pinned"] + strong)
        if action == "distract":
            return
        spent = self.raw["move"] in ("normal", "double")
        stuck = self.raw["move"] == "forfeit"
        stuck = stuck or (spent and self.picks["disengage_move"] == "needed")
        names = ("stay",) if stuck else ("leave", "stay")
        if (yield Pick("attacker", names, ("leave",) * stuck)) == "leave":
            yield from self.strikes()
            if not self.is_fallen():
                yield from self.walk("disengage")

    def strikes(self) -> Asks:
        """Free Strikes (EM-11, EM-12)."""
        for n in self.strikers():
            hits, base = self.situation().blows(n)
            body = [0, *self.joined(0)]
            here = [n for n in body if not is_gone(self.parties[n].troop)]
            focus = None
            if hits and len(here) > 1:
                names = self.names(here)
                wanted = yield Pick("defender", ("none", *names))
                focus = None if wanted == "none" else here[names.index(wanted)]
            yield from self.hurt(body, hits, base, focus=focus)

    def joined(self, leader: int) -> list[int]:
        """Who joined a unit."""
        return [n for n, party in enumerate(self.parties) if party.leader == leader != n]

    # -- the attack -----------------------------------------------------------------------------

    def attack(self, action: str) -> Asks:
        """Focus, checks, hits (EM-30 to EM-34, EM-50, EM-52)."""
        body = self.situation(action).body()
        here = [n for n in body if not is_gone(self.parties[n].troop)]
        wanted, names = self.raw["focus"], self.names(here)
        if len(here) > 1 and wanted != "none":
            foes = self.names([n for n in here if self.parties[n].side == "enemy"])
            if wanted == "open":
                wanted = yield Pick("attacker", ("none", *foes))
            elif wanted not in names:
                wanted = yield Pick("attacker", ("none",), (wanted,))
            if wanted != "none":
                self.plan["focus"] = here[names.index(wanted)]
                self.told["focus"] = wanted
        rolls = self.situation(action).rolls()
        self.told |= {"dice": rolls[0].dice, "difficulty": rolls[0].difficulty}
        results: list[tuple[int, int]] = []
        for one in rolls:
            came = yield from self.check(one.dice, one.difficulty, sure=one.automatic)
            results.append(came)
        for one, (net, excess) in zip(rolls, results, strict=True):
            yield from self.land(one, net, excess)

    def land(self, one: Roll, net: int, excess: int) -> Asks:
        """The hits of one check, or those of its fumble on friends (EM-33)."""
        if net:
            self.told["hits"] += net * one.each
            yield from self.hurt(one.body, net * one.each, one.base, bare=one.automatic,
                                 focus=self.plan.get("focus"))  # fmt: skip
        elif excess and one.friends:
            self.told["friend_hits"] += excess
            yield from self.hurt(one.friends, excess, one.base)

    def check(
        self, dice: int, number: int, *, sure: bool
    ) -> Generator[Dice | Pick, Any, tuple[int, int]]:
        """A check: successes and ones in excess that are left (EM-3, EM-4, EM-6; B19)."""
        if sure or not dice:
            few = self.picks["auto_success"] == "one"
            net = min(1, dice) if few else dice
            self.told["successes"] += net
            self.told["net"] += net
            return net, 0
        rule = self.picks["check"]
        faces = yield Dice(dice, emlia.SIDES[rule])
        readings: Any = {"clamp": self.picks["clamp"], "compare": self.picks["compare"]}
        self.told["successes"] += sum(emlia.is_success(f, number, rule, **readings) for f in faces)
        self.told["ones"] += faces.count(1)
        came = emlia.check(faces, number, rule, **readings)
        self.told["net"] += came.net
        self.told["fumble"] += came.excess
        return came.net, came.excess

    def hurt(
        self, body: Sequence[int], hits: int, base: int, *, bare: bool = False,
        focus: int | None = None,
    ) -> Asks:  # fmt: skip
        """Hits on a body, with the rolls on tables that they call for (EM-40 to EM-56)."""
        there = [
            n for n in body
            if self.parties[n].troop["members"] and not is_gone(self.parties[n].troop)
        ]  # fmt: skip
        if not hits or not there:
            return
        units: Any = [self.as_target(n, base, bare=bare) for n in there]
        name = self.parties[focus].troop["name"] if focus in there else None
        named = {"discard": "discarded"}
        readings: Any = {
            "h_floor": self.picks["h_floor"], "group_size": self.picks["group_size"],
            "k_scope": self.picks["k_scope"], "group_by": self.picks["group_by"],
            "markers_owner": self.picks["markers_owner"],
            "markers": named.get(self.picks["markers"], self.picks["markers"]),
        }  # fmt: skip
        rolls: list[int] = []
        while True:
            try:
                came = emlia.allocate(units, hits, name, rolls=list(rolls), **readings)
                break
            except emlia.TableRollNeededError as needed:
                rolls += yield Dice(1, needed.die)
        self.told["rolls"] += len(rolls)
        for n, one in zip(there, came.by.values(), strict=True):
            troop = self.parties[n].troop
            self.dealt[n] += one.points
            self.track[n] = one.damage
            troop["marked"] += one.casualties
            troop["markers"] = one.markers
            troop["bonus"], troop["next_bonus"] = one.bonus, one.next_bonus
            troop["came_up"] = [*troop["came_up"], *one.came_up]
            for row in troop["table"]:
                troop["weaker"] += row["weaker"] * one.came_up.count(row["name"])
            self.rows += one.came_up
        for n, one in zip(there, came.by.values(), strict=True):
            table = {row["name"]: row for row in self.parties[n].troop["table"]}
            for row in one.came_up:
                yield from self.shake(n, table[row].get("endangers", 0))

    def shake(self, place: int, hits: int) -> Asks:
        """Hits on all who stand on a troop whose table has come up (EM-65)."""
        name = self.parties[place].troop["name"]
        for n, party in enumerate(self.parties):
            if party.troop.get("on") == name:
                yield from self.hurt([n], hits, 0)

    def as_target(self, place: int, base: int, *, bare: bool) -> Raw:
        """A troop as `emlia.allocate` wants it."""
        troop = self.parties[place].troop
        return {
            "name": troop["name"], "members": troop["members"], "marked": troop["marked"],
            "hits": troop["hits"] + (0 if bare else troop["armor"]), "base": base,
            "damage": self.track[place], "limit": troop["damage_limit"],
            "threshold": troop["threshold"], "markers": troop["markers"],
            "bonus": troop["bonus"], "next_bonus": troop["next_bonus"], "die": troop["table_die"],
            "table": [(row["low"], row["high"], row) for row in troop["table"]],
            **({"standing": troop["members"]} if self.picks["marked_sizes"] == "all" else {}),
        }  # fmt: skip

    # -- the end --------------------------------------------------------------------------------

    def over(self) -> None:
        """The end of the activation, and the Resolution Phase (EM-20, EM-24, EM-44, EM-61)."""
        now = self.situation(self.action)
        morale = [0] * len(self.parties)
        morale[0] = self.told.pop("own_morale", 0)
        broken = [False] * len(self.parties)
        for party, before in zip(self.parties, self.before, strict=True):
            if party.leader == 0:
                party.troop["aligned"] = False
                if self.picks["fumble_bonus_duration"] == "activation":
                    party.troop["exposed"] -= before["exposed"]
        self.tally()
        if self.raw["resolution"]:
            for n, party in enumerate(self.parties):
                morale[n] += now.morale(n)
                self.resolve(party.troop)
                has = party.troop["morale"]
                if self.picks["morale"] == "on" and has is not None:
                    broken[n] = has + morale[n] <= 0
        self.told["own_morale"], self.told["morale"] = morale[0], morale[self.target]
        self.morale, self.broken = morale, broken
        press = now.pressing(self.raw["press"]) if self.raw["resolution"] else 0
        self.told["in_contact"] = now.touching(press)
        self.count()

    def count(self) -> None:
        """Who is left at the end: of the target, of the unit that acts, of all enemies."""
        foes = [n for n, party in enumerate(self.parties) if party.side == "enemy"]
        aim, own = [self.target, *self.joined(self.target)], [0, *self.joined(0)]
        troops = [party.troop for party in self.parties]
        here = [n for n, troop in enumerate(troops)
                if troop["members"] and not is_gone(troop) and not self.broken[n]]  # fmt: skip

        def unmarked(places: list[int]) -> int:
            return sum(troops[n]["members"] - troops[n]["marked"] for n in places if n in here)

        lying = [troop["markers"] for troop in troops]
        self.told |= {
            "dead": all(unmarked([n]) == 0 for n in aim), "members_left": unmarked(aim),
            "marked": sum(troops[n]["marked"] for n in aim if n in here),
            "own_left": unmarked(own), "markers": sum(lying[n] for n in foes),
            "markers_by": self.by(lying), "casualties": sum(self.fell[n] for n in foes),
            "casualties_by": self.by(self.fell),
        }  # fmt: skip

    def by(self, counts: list[int]) -> str:
        """Enemies with what befell them; those whom nothing befell are left out."""
        rows = [f"{party.troop['name']} {counts[n]}" for n, party in enumerate(self.parties)
                if party.side == "enemy" and counts[n]]  # fmt: skip
        return ", ".join(rows) or "none"

    def tally(self) -> None:
        """Who suffered what, before casualties are gone."""
        fell = []
        for troop, before in zip((p.troop for p in self.parties), self.before, strict=True):
            lost = troop["marked"] - before["marked"]
            if is_gone(troop) and not is_gone(before):
                lost = troop["members"] - before["marked"]
            fell.append(lost)
        self.fell = fell
        foes = [n for n, party in enumerate(self.parties) if party.side == "enemy"]
        mates = [
            n for n, party in enumerate(self.parties) if party.side == "friend" and party.leader
        ]

        pins = sum(self.parties[n].troop["pinned"] for n in foes)
        self.told |= {
            "damage": sum(self.dealt[n] for n in foes), "damage_by": self.by(self.dealt),
            "friend_casualties": sum(fell[n] for n in mates),
            "friend_dies": any(fell[n] > 0 for n in mates),
            "own_casualties": sum(fell[n] for n in [0, *self.joined(0)]),
            "destroyed": any(is_gone(self.parties[n].troop) for n in foes),
            "pinned": 0 if self.raw["resolution"] else pins,
            "exposed": self.exposure(), "table": ", ".join(self.told_rows()) or "none",
        }  # fmt: skip

    def exposure(self) -> int:
        """What a fumbled Disengage leaves after the activation, or after the turn (B22)."""
        kept = self.picks["fumble_bonus_duration"] == "activation" or not self.raw["resolution"]
        return int(self.parties[0].troop["exposed"]) if kept else 0

    def told_rows(self) -> list[str]:
        """Rows that came up in this activation, troop by troop, each troop's in order of names."""
        found: list[str] = []
        for party, before in zip(self.parties, self.before, strict=True):
            more = list(party.troop["came_up"])
            for row in before["came_up"]:
                more.remove(row)
            found += sorted(more)
        return found

    def resolve(self, troop: Raw) -> None:
        """The Resolution Phase for one troop (EM-44, EM-61; B12, B22)."""
        left = 0 if is_gone(troop) else troop["members"] - troop["marked"]
        troop["lost"] += troop["members"] - left
        troop["members"], troop["marked"], troop["pinned"] = left, 0, 0
        troop["charged"] = troop["double_paced"] = False
        if left == 0 or self.picks["markers"] == "resolution":
            troop["markers"] = 0
        if self.picks["fumble_bonus_duration"] == "turn":
            troop["exposed"] = 0
