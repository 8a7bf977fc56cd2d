"""Exchanges with the hidden part unknown at first, against the same rules walked place by place."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple, cast

import pytest

from affray.core.dice import Face, Pool, d
from affray.core.fight import Fight
from affray.core.hints import Hints
from affray.core.node import At, Chance, Choice, End, Facts, Go, Node, Option, choose
from affray.core.step import step
from affray.core.system import Field, Objective, System
from affray.core.unknown import UNKNOWN, is_unknown
from affray.engine.exchange.game import Game
from affray.engine.fight.front import EffectOdds, closed, waiting
from affray.engine.fight.fronts import Fronts
from affray.engine.fight.worths import Worths
from tests.core.assembling import assembled

# -- a strike: it may be braced against, is rolled for, harms, and tires -------------------------


class Struck(NamedTuple):
    """The target: armor is seen, what is `left` is hidden."""

    armor: int
    left: int


class Blow(NamedTuple):
    """The facts.

    Attributes:
        struck: the target. luck: points of the one who strikes.
        mind: the target may "brace", or "dodge" once dice were rolled ("dodge if fit": if much is
            left of it), or have no choice; of much armor others are "wary".
        alone: whether the one who strikes is left out, to be followed apart.
    """

    struck: Struck
    luck: int = 0
    mind: str = ""
    move: str = ""
    braced: bool = False
    rolled: int = 0
    harm: int = 0
    tired: int = 0
    alone: bool = False


class Shown(NamedTuple):
    """What the dice show, all together."""

    def __call__(self, faces: tuple[Face, ...]) -> int:
        return sum(map(int, faces))


NOBODY = Struck(0, 0)
DAMAGE = {"sure": 1, "wild": 3, "lucky": 4}


@step("TY-1")
def pick_move(x: Blow) -> Node[Blow]:
    """A sure strike, a wild one, or one that takes luck."""
    if x.mind == "wary" and x.struck.armor > 4:
        return Go(brace, x._replace(move="sure"))
    options = [Option(move, At(brace, x._replace(move=move))) for move in ("sure", "wild")]
    if x.luck:
        lucky = x._replace(luck=x.luck - 1, move="lucky")
        options.append(Option("lucky", At(brace, lucky), 1))
    return choose("attacker", "how?", options)


@step("TY-2")
def brace(x: Blow) -> Node[Blow]:
    """A target may brace itself, so that less comes through; or flee from one who has luck."""
    if x.mind != "brace":
        return Go(roll_strike, x)
    options = [
        Option("stand", At(roll_strike, x)),
        Option("brace", At(roll_strike, x._replace(braced=True)), 1),
    ]
    if x.luck:
        options.append(Option("flee", At(stop, x), 1))
    return choose("defender", "brace?", options)


@step("TY-3")
def roll_strike(x: Blow) -> Node[Blow]:
    """A die is rolled, a larger one by those who have luck."""
    dice = Pool((d(8 if x.luck else 6), 1))
    return Chance("attacker", "strike", dice, Shown(), "rolled", At(look, x._replace(luck=0)))


@step("TY-3")
def look(x: Blow) -> Node[Blow]:
    """It has to beat armor; a sure one finds a gap in it."""
    hits = x.move == "sure" or x.rolled + x.braced > x.struck.armor
    harm = max(1, DAMAGE[x.move] - 2 * x.braced) if hits else 0
    after = Blow(x.struck, mind=x.mind, harm=harm, tired=int(x.rolled == 1))
    dodged = after._replace(harm=0)
    if hits and (x.mind == "dodge" or (x.mind == "dodge if fit" and x.struck.left > 3)):
        return choose(
            "defender",
            "dodge?",
            [Option("take", At(wound, after)), Option("dodge", At(wound, dodged))],
        )
    return Go(wound, after)


@step("TY-4")
def wound(x: Blow) -> Node[Blow]:
    """Much harm to one who has little left is certain, else a die is added."""
    x = x._replace(mind="")
    if not x.harm:
        return Go(tire, x)
    if x.harm > 2 and x.struck.left < 2:
        return Go(tire, x._replace(harm=9))
    return Chance("attacker", "harm", Pool((d(3), 1)), Shown(), "rolled", At(bleed, x))


@step("TY-4")
def bleed(x: Blow) -> Node[Blow]:
    """The die counts on top."""
    return Go(tire, x._replace(harm=x.harm + x.rolled, rolled=0))


@step("TY-5")
def tire(x: Blow) -> Node[Blow]:
    """The one who strikes may tire, the more after a one."""
    if x.alone:
        return Go(stop, x)
    dice = Pool((d(2 if x.tired else 4), 1))
    return Chance("attacker", "tire", dice, Shown(), "tired", At(stop, x._replace(tired=0)))


@step("TY-6")
def stop(x: Blow) -> Node[Blow]:
    """It is over."""
    return End(x)


# -- the system, and its hints -------------------------------------------------------------------


def _effect(x: Blow, role: str) -> int:
    if role == "actor":
        return int(x.tired == 1)
    harm = x.harm
    return harm if harm < 4 else min(harm, x.struck.left)  # it need not always look


def _pares(at: At[Any], needed: frozenset[str]) -> At[Any]:
    """Armor was looked at, and nobody is tired if nobody asks."""
    x: Blow = at.facts
    if at.step is not wound:
        return at
    struck = x.struck if is_unknown(x.struck) else Struck(0, x.struck.left)
    return At(at.step, x._replace(struck=struck, tired=x.tired if "tired" in needed else 0))


def _splits(at: At[Any], minding: frozenset[str]) -> tuple[At[Any], At[Any]] | None:
    x: Blow = at.facts
    if at.step is not wound or x.alone or not minding <= {"harm"}:
        return None
    return At(tire, Blow(NOBODY, tired=x.tired)), At(wound, x._replace(tired=0, alone=True))


def _cloaks(at: At[Any]) -> tuple[At[Any], Hashable] | None:
    x: Blow = at.facts
    if at.step not in {pick_move, brace, roll_strike}:
        return None
    unknown: Any = UNKNOWN
    return At(at.step, x._replace(struck=unknown)), x.struck


def _parted(at: At[Any], part: int, needed: frozenset[str]) -> Hashable:
    """Nothing takes more than seven from one who has so many left."""
    return min(part, 7)


HINTS: dict[str, Any] = {
    "seams": frozenset({wound}),
    "pares": _pares,
    "splits": _splits,
    "cloaks": _cloaks,
    "parted": _parted,
}
SOON = "soon"
"""In the place of a hint: the first roll leads to a seam."""
NEEDED = frozenset({"harm", "tired", "loss"})
FIELDS: tuple[Field[Blow], ...] = (
    Field("harm", "Harm.", lambda x: x.harm, "TY-4"),
    Field("tired", "Tired.", lambda x: x.tired == 1, "TY-5"),
    Field("loss", "Points that go.", lambda x: min(x.harm, x.struck.left), "TY-4"),
)
LOSS: Objective[Any] = Objective(
    "loss", "", lambda x: x.harm if x.harm < 5 else min(x.harm, x.struck.left), "attacker"
)
GUARD: Objective[Any] = Objective(
    "guard", "", lambda x: -Fraction(min(x.harm, x.struck.left), 2), "defender"
)
HUGE: Objective[Any] = Objective(
    "huge", "", lambda x: 10**400 * min(x.harm, x.struck.left), "attacker"
)


def _system(*hints: str) -> System[Facts]:
    fight: Fight[Any, Any, Any, Any, Any] = Fight(
        enter=lambda sheet, rulings: 0,
        declare=lambda scene: At(pick_move, scene.setup),
        effect=_effect,
        apply=lambda sheet, condition, effect: condition - effect,
        is_out=lambda sheet, condition: condition <= 0,
        vitals=lambda sheet, condition: condition,
        harm=lambda effect: effect,
        helped=lambda x: ((0, "splash"),) if x.harm == 5 else (),
    )
    known = {name: HINTS[name] for name in hints if name != SOON}
    if SOON in hints:
        known["seams"] = frozenset({look, wound})
    return assembled(
        (pick_move, brace, roll_strike, look, wound, bleed, tire, stop),
        fields=FIELDS,
        objectives=(LOSS, GUARD, HUGE),
        fight=fight,
        hints=Hints(needed=NEEDED, **known),
    )


COMBINED: list[tuple[str, ...]] = [
    (), ("cloaks",), ("seams", "splits", "parted"), ("seams", "pares", "cloaks"), ("cloaks", SOON),
    tuple(HINTS), (*HINTS, SOON),
]  # fmt: skip
PARTS = (0, 1, 2, 4, 6, 7, 12)
STARTS = [
    *product((1,), ("", "brace", "dodge", "wary"), (2, 5)),
    (0, "brace", 2), (0, "dodge", 5), (0, "", 0), (1, "", 0),
]  # fmt: skip
Shares = dict[Hashable, Fraction]


def _at(start: tuple[int, str, int], left: Any) -> At[Any]:
    luck, mind, armor = start
    return At(pick_move, Blow(Struck(armor, left), luck, mind))


# -- the oracle: rules walked place by place, with everything known ------------------------------


class Walk:
    """Walks through exchanges and keeps what it finds.

    Args:
        names: options that are taken wherever they are on offer, else the first one is.
        objective: all do what is best for it instead; of equal options the first is best.
        threshold: how much a point has to be worth.
    """

    def __init__(
        self, *names: str, objective: Objective[Any] | None = None, threshold: int = 0
    ) -> None:
        self.names, self.objective, self.threshold = names, objective, threshold
        self.known: dict[At[Any], dict[Blow, Fraction]] = {}
        self.found: dict[object, Shares] = {}

    def ends(self, at: At[Any]) -> dict[Blow, Fraction]:
        """The ends of a place, by their probability."""
        if at not in self.known:
            self.known[at] = self._ends(at)
        return self.known[at]

    def _ends(self, at: At[Any]) -> dict[Blow, Fraction]:
        node = at.step.rule(at.facts)
        if isinstance(node, End):
            return {cast("Blow", node.outcome): Fraction(1)}
        if isinstance(node, Go):
            return self.ends(At(*node))
        if isinstance(node, Choice):
            return self.ends(self.decides(at, node).at)
        found: defaultdict[Blow, Fraction] = defaultdict(Fraction)
        rolls = list(product(*[die.faces for die in node.dice.dice]))
        for faces in rolls:
            after = node.then.facts._replace(**{node.into: node.read(faces)})
            for end, share in self.ends(At(node.then.step, after)).items():
                found[end] += share / len(rolls)
        return found

    def decides(self, at: At[Any], choice: Choice[Any]) -> Option[Any]:
        """What is taken at a choice."""
        if self.objective is not None:
            return max(choice.options, key=lambda option: self._worth(choice, option))
        named = [choice.named(name) for name in self.names]
        return next((option for option in named if option), choice.options[0])

    def _worth(self, choice: Choice[Any], option: Option[Any]) -> Fraction:
        objective = self.objective
        assert objective is not None
        ends = self.ends(option.at).items()
        mean = sum((objective.utility(x) * share for x, share in ends), Fraction(0))
        sign = 1 if choice.actor == objective.actor else -1
        return sign * mean - self.threshold * option.spends

    def shares(self, start: tuple[int, str, int], left: int) -> Shares:
        """The effects of an exchange, by their probability."""
        known = self.found.get((start, left))
        if known is None:
            known = self.found[start, left] = self._shares(start, left)
        return known

    def _shares(self, start: tuple[int, str, int], left: int) -> Shares:
        found: defaultdict[Hashable, Fraction] = defaultdict(Fraction)
        for x, share in self.ends(_at(start, left)).items():
            mates = ((0, "splash"),) if x.harm == 5 else ()
            found[_effect(x, "actor"), _effect(x, "target"), mates] += share
        return {**found}


def _told(odds: EffectOdds) -> Shares:
    """The same of odds."""
    helped = odds.helped or [()] * len(odds.effects)
    found: defaultdict[Hashable, Fraction] = defaultdict(Fraction)
    for (mine, theirs), mates, weight in zip(odds.effects, helped, odds.weights, strict=True):
        found[mine, theirs, mates] += Fraction(weight, odds.total)
    return {**found}


def _harms(shares: Shares) -> dict[int, Fraction]:
    """The shares of what befalls the target."""
    found: defaultdict[int, Fraction] = defaultdict(Fraction)
    for effects, share in shares.items():
        found[cast("tuple[int, int, object]", effects)[1]] += share
    return {**found}


# -- decisions by plans --------------------------------------------------------------------------

PLANS = [Walk(), Walk("wild", "brace", "dodge"), Walk("lucky")]


@pytest.mark.parametrize("hints", COMBINED, ids=" ".join)
@pytest.mark.parametrize("walk", PLANS, ids=["first", "wild", "lucky"])
def test_an_exchange_comes_to_what_its_rules_say(walk: Walk, hints: tuple[str, ...]) -> None:
    fronts = Fronts(Game(_system(*hints), _at(STARTS[0], 1)), walk.decides, needed=NEEDED)
    for start in STARTS:
        found = fronts.each_odds_at(_at(start, UNKNOWN), PARTS)
        for part, odds in zip(PARTS, found, strict=True):
            assert _told(odds) == walk.shares(start, part)
            assert fronts.each_odds_at(_at(start, UNKNOWN), (part,))[0] is odds
        assert _told(fronts.odds_from(_at(start, PARTS[3]))) == _told(found[3])


@pytest.mark.parametrize("minding", [frozenset({"harm"}), frozenset({"tired"}), None])
def test_what_decisions_depend_on_is_followed(minding: frozenset[str] | None) -> None:
    """Places are split or pared only where that is known."""
    game, walk = Game(_system(*HINTS), _at(STARTS[0], 1)), PLANS[1]
    fronts = Fronts(game, walk.decides, needed=NEEDED, minding=minding)
    harm = Fronts(game, walk.decides, needed=frozenset({"harm"}), minding=minding)
    for start in STARTS:
        shares = walk.shares(start, 12)
        assert _told(fronts.each_odds_at(_at(start, UNKNOWN), (12,))[0]) == shares
        assert _harms(_told(harm.each_odds_at(_at(start, UNKNOWN), (12,))[0])) == _harms(shares)


# -- decisions that are best ---------------------------------------------------------------------

BEST = {
    "loss": Walk(objective=LOSS),
    "dear": Walk(objective=LOSS, threshold=1),
    "guard": Walk(objective=GUARD),
    "huge": Walk(objective=HUGE),  # more than a float holds
}


def _deciding(system: System[Facts], walk: Walk) -> tuple[Fronts, Worths]:
    """Exchanges in which every choice is open, put together as matchups do."""
    game, minds = Game(system, _at(STARTS[0], 1)), frozenset({"loss"})
    assert walk.objective is not None
    worths = Worths(
        game, waiting(game, closed(game)), walk.objective, threshold=walk.threshold, minds=minds
    )
    decide = waiting(game, walk.decides)
    return Fronts(game, decide, needed=NEEDED, minding=minds, chooses=worths), worths


@pytest.mark.parametrize(
    ("name", "hints"),
    [
        *[("loss", hints) for hints in COMBINED],
        *product(("dear", "guard", "huge"), (("cloaks",), COMBINED[-1])),
    ],
)
def test_the_best_options_are_taken_for_each_hidden_part(name: str, hints: tuple[str, ...]) -> None:
    walk = BEST[name]
    fronts, _ = _deciding(_system(*hints), walk)
    taken = set[str]()
    for start in STARTS:
        found = fronts.each_odds_at(_at(start, UNKNOWN), PARTS)
        for part, odds in zip(PARTS, found, strict=True):
            at = _at(start, part)
            assert _told(odds) == walk.shares(start, part)
            node = at.step.rule(at.facts)
            if isinstance(node, Choice):
                taken.add(walk.decides(at, node).name)
    assert len(taken) > 1


@pytest.mark.parametrize("hints", [("cloaks",), tuple(HINTS)], ids=" ".join)
def test_nobody_chooses_before_the_hidden_part_is_known(hints: tuple[str, ...]) -> None:
    game, walk = Game(_system(*hints), _at(STARTS[0], 1)), BEST["loss"]
    decide = waiting(game, walk.decides)
    fronts = Fronts(game, decide, needed=NEEDED, minding=frozenset({"loss"}))
    for start in STARTS[2:5]:
        for part, odds in zip(PARTS, fronts.each_odds_at(_at(start, UNKNOWN), PARTS), strict=True):
            assert _told(odds) == walk.shares(start, part)


def test_a_choice_after_the_dice_is_left_open_for_those_who_have_it_alone() -> None:
    walk = BEST["loss"]
    fronts, worths = _deciding(_system("cloaks"), walk)
    start = (1, "dodge if fit", 2)
    waits = fronts.front(_at(start, UNKNOWN)).waits
    assert waits is not None
    parts = (1, 5, 3)
    picks = worths.picks(waits, worths.several(parts))
    for part, pick in zip(parts, picks, strict=True):
        if part > 3:
            assert pick is None
            continue
        at = _at(start, part)
        node = at.step.rule(at.facts)
        assert isinstance(node, Choice)
        assert pick is not None
        assert pick.name == walk.decides(at, node).name


def test_outcomes_that_are_worth_the_same_are_one_and_so_are_places_to_choose() -> None:
    _, worths = _deciding(_system("seams"), BEST["loss"])
    at = _at((1, "", 2), UNKNOWN)
    hit: At[Any] = At(wound, at.facts._replace(harm=2))
    front = worths.front(hit)
    assert len(front.looks) == 1  # harm of five; who tires is worth nothing
    assert len(front.ends.weights) == 2  # harm of three, or four
    same = At(at.step, at.facts._replace(tired=7))  # nobody ever looks at it
    assert worths.front(at) is worths.front(same)
    assert worths.front(at) is not worths.front(_at((0, "", 2), UNKNOWN))
