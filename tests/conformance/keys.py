"""Finds for each key of a sheet a value that matters: it changes a question, the log or an outcome.

Setups are played with the same answers before and after one value is changed. A key that no play
of a setup ever reads can't matter there; the classes of sheets are watched to tell.
"""

from __future__ import annotations

import dataclasses
import random
import sys
import tomllib
import types
import typing
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import MISSING, dataclass, field, fields, is_dataclass, replace
from functools import _lru_cache_wrapper, cache, cached_property
from itertools import zip_longest
from pathlib import Path as File
from typing import Annotated, Any, ClassVar, Literal, NamedTuple
from zlib import crc32

from affray.app.inputs.fight_setups import FightChanges, fight_examples, load_raw_fight
from affray.app.inputs.fight_sheets import situation_keys
from affray.app.inputs.intake import InputError
from affray.app.inputs.rosters import Filling, Roster, roster_for
from affray.app.inputs.setups import RESERVED, examples
from affray.app.inputs.tables import (
    list_at,
    roster,
    settled_at,
    table_at,
    texts_at,
    validated,
)
from affray.core.errors import AffrayError, AnswerError, MissingError, SetupError
from affray.core.node import Chance, Choice, Facts
from affray.core.ruling import Rulings
from affray.core.sheet import informs
from affray.core.system import System
from affray.engine.exchange.game import Game
from affray.engine.exchange.session import Answer, Question, Session, StepTaken, log_line
from affray.engine.exchange.sources import Script, drive
from affray.engine.fight.contest import Contest
from affray.engine.fight.plans import DECIDE_ALL
from affray.engine.fight.played.play import play_battle

MADE = 350
"""How many situations are made, about."""
MADE_FIGHTS = 60
MOST_ANSWERS = 60
"""Whole games go on for long; their beginning will do."""


class Key(NamedTuple):
    """A field of a sheet.

    Attributes:
        word: the word among its values that is meant; "" for the field itself.
        role: who has it: a key of the setup, such as "attacker"; "" for anybody.
    """

    sheet: type
    name: str
    word: object = ""
    role: str = ""

    def __str__(self) -> str:
        where = self.role or self.sheet.__name__
        return f"{where}.{self.name}" + (f"={self.word}" if self.word != "" else "")


class Matters(NamedTuple):
    """How a key matters: `how` is "outcome", "log" or "refused"; `where` is a setup."""

    how: str
    where: str


# -- which keys there are ------------------------------------------------------------------------


def hints_of(sheet: type) -> Mapping[str, object]:
    """The annotations of a sheet."""
    if sheet not in _HINTS:
        _HINTS[sheet] = typing.get_type_hints(sheet, include_extras=True)
    return _HINTS[sheet]


_HINTS: dict[type, Mapping[str, object]] = {}


def _parts(hint: object) -> Iterator[object]:
    """An annotation and everything inside it."""
    yield hint
    if typing.get_origin(hint) is Annotated:
        yield from _parts(typing.get_args(hint)[0])
    elif typing.get_origin(hint) is not Literal:
        for part in typing.get_args(hint):
            yield from _parts(part)


def _words(hint: object) -> tuple[object, ...]:
    found = [part for part in _parts(hint) if typing.get_origin(part) is Literal]
    return tuple(word for part in found for word in typing.get_args(part))


@cache
def sheets_of(setup: type) -> tuple[type, ...]:
    """A sheet and all sheets in it, however deep."""
    found: list[type] = []
    waiting = [setup]
    while waiting:
        sheet = waiting.pop(0)
        if sheet not in found:
            found.append(sheet)
            for hint in hints_of(sheet).values():
                waiting += [p for p in _parts(hint) if isinstance(p, type) and is_dataclass(p)]
    return tuple(found)


def keys_of(setup: type) -> tuple[Key, ...]:
    """Every key of a setup: each field of each sheet, or the words that one may have."""
    return tuple(
        Key(sheet, name, word)
        for sheet in sheets_of(setup)
        for name, hint in hints_of(sheet).items()
        for word in _words(hint) or ("",)
    )


ROLES = ("attacker", "defender")
IN_FIGHTS: Mapping[str, tuple[str, ...]] = {
    "situation": ("one_situation", "other_situation"),
    "fighter": ("one", "other"),
}
"""Where in the `Sides` of a fight a role of `fight_keys_of` stands."""


def role_keys_of(setup: type) -> tuple[Key, ...]:
    """Words of those fields of a fighter that list some, such as conditions, for both roles."""
    sheet = hints_of(setup)["attacker"]
    assert isinstance(sheet, type)
    return tuple(
        Key(sheet, name, word, role)
        for role in ROLES
        for name, hint in hints_of(sheet).items()
        if typing.get_origin(hint) is tuple
        for word in _words(hint)
    )


def fight_keys_of(system: System[Facts]) -> tuple[Key, ...]:
    """Keys that a fight reads: those of a situation, and those of a fighter."""
    if system.fight is None:
        return ()
    sheet = hints_of(system.setup)["attacker"]
    assert isinstance(sheet, type)
    return (
        *(Key(system.setup, name, "", "situation") for name in situation_keys(system)),
        *(Key(sheet, name, "", "fighter") for name in hints_of(sheet)),
    )


# -- trees of sheets -------------------------------------------------------------------------------

Path = tuple[str | int, ...]


def _at(tree: Any, path: Path) -> Any:
    for part in path:
        tree = tree[part] if isinstance(part, int) else getattr(tree, part)
    return tree


def changed(tree: Any, path: Path, value: object) -> Any:
    """A tree of sheets with another value at a path.

    Raises:
        SetupError: a sheet refuses it.
    """
    if not path:
        return value
    first, rest = path[0], path[1:]
    if isinstance(first, int):
        new = changed(tree[first], rest, value)
        return (*tree[:first], new, *tree[first + 1 :])
    return replace(tree, **{first: changed(getattr(tree, first), rest, value)})


def sheets_in(tree: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every sheet of a tree and the path to it."""
    if isinstance(tree, tuple):
        for place, part in enumerate(tree):
            yield from sheets_in(part, (*path, place))
    elif is_dataclass(tree):
        yield path, tree
        for one in fields(tree):
            yield from sheets_in(getattr(tree, one.name), (*path, one.name))


# -- cases: what can be played ---------------------------------------------------------------------


class Told(NamedTuple):
    """What a play came to: `hard` without texts for people, `soft` with them."""

    hard: tuple[object, ...]
    soft: tuple[object, ...]
    refused: str = ""


@dataclass(frozen=True, eq=False)
class Case:
    """A setup with readings and choices that are settled.

    Attributes:
        tree: the sheets.
        dice, options: a script; answers that it leaves open are random.
    """

    system: System[Facts]
    name: str
    tree: Any
    rulings: Rulings
    settled: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    dice: tuple[object, ...] = ()
    options: tuple[str, ...] = ()
    cost: ClassVar[int] = 1

    def _game(self, tree: Any, number: int) -> Game:
        start = self.system.declared(tree, self.rulings)
        return Game(self.system, start).settle(self.settled if number == 0 else {})

    def played(self, number: int) -> tuple[Told, tuple[Answer, ...] | None]:
        """A play, the first as scripted, others at random; what it was, and its answers."""
        try:
            session = Session(self._game(self.tree, number))
            if number == 0:
                script = Script(self.dice, self.options)  # type: ignore[arg-type]  # dice refuse
                with suppress(AnswerError):
                    session = drive(session, script)
            session = _ended(session, random.Random(number))
        except (SetupError, AnswerError, MissingError) as error:
            return Told((), (), str(error)), None
        return _told(session), session.answers

    def again(self, tree: Any, number: int, answers: tuple[Answer, ...] | None) -> Told:
        """The same play of a changed setup."""
        try:
            session = Session(self._game(tree, number))
            for given in answers or ():
                session = session.answer(given)
            if answers is None:
                session = _ended(session, random.Random(number))
        except (SetupError, AnswerError, MissingError) as error:
            return Told((), (), str(error))
        return _told(session)


def _ended(session: Session, chooser: random.Random) -> Session:
    for _ in range(MOST_ANSWERS):
        question = session.question
        if question is None:
            break
        session = session.answer(_at_random(chooser, question))
    return session


def _at_random(chooser: random.Random, question: Question) -> Answer:
    if question.dice is None:
        return Answer(option=chooser.choice(question.options).name, by=("seed",))
    faces = tuple(chooser.choices(die.faces, die.weights)[0] for die in question.dice.dice)
    return Answer(faces=faces, by=("seed",) * len(faces))


def _told(session: Session) -> Told:
    system = session.game.system
    hard: list[object] = []
    soft: list[object] = []
    for entry in session.entries:
        bare, told = _entry_told(entry)
        hard.append(bare)
        soft.append(told)
    question = session.question
    if question is not None:
        hard.append((question.step, str(question.dice), [o.name for o in question.options]))
        soft.append((question.ask, question.about, question.closed))
    outcome, start = session.outcome, session.game.start.facts
    if outcome is not None:
        asked = [one for one in system.fields if one.fits is None or one.fits(start)]
        wanted = [one for one in system.objectives if one.fits is None or one.fits(start)]
        hard += [one.of(outcome) for one in asked]
        hard += [one.utility(outcome) for one in wanted]
    return Told(tuple(hard), tuple(soft))


def _entry_told(entry: StepTaken) -> tuple[object, object]:
    node, line = entry.node, log_line(entry)
    hard: tuple[object, ...] = (entry.at.step.name, entry.answer)
    soft: tuple[object, ...] = (line,)
    if isinstance(node, Chance):
        hard += (node.actor, str(node.dice))
        soft += (node.ask,)
    elif isinstance(node, Choice):
        hard += (node.actor, [option.name for option in node.options])
        soft += (node.ask, node.about, node.closed, [option.words for option in node.options])
    values = tuple(term.value for total in line.totals for term in (total.base, *total.terms))
    return (*hard, values), soft


def cases_of(system: System[Facts]) -> Iterator[Case]:
    """The shipped examples."""
    for name, raw in examples(system).items():
        own = {key: value for key, value in raw.items() if key not in RESERVED}
        filling = Filling(roster_for(system, raw, name), name)
        filled = {**filling.defaults(own), **filling.table(own)}
        try:
            tree = validated(system.setup, filled, name)
        except (InputError, SetupError):
            continue  # the sheet itself refuses it
        play = table_at(raw, "play", name)
        yield Case(
            system, name, tree, system.readings(texts_at(raw, "rulings", name)),
            settled_at(raw, name), tuple(list_at(play, "dice", name)),
            tuple(map(str, list_at(play, "choose", name))),
        )  # fmt: skip


# -- fights ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sides:
    """The sheets of a fight: fighters of both sides, and what holds when a side acts."""

    one: tuple[Any, ...]
    other: tuple[Any, ...]
    one_situation: Any
    other_situation: Any


RARE_FIGHTS = tomllib.loads((File(__file__).parent / "rare_fights.toml").read_text("utf-8"))
FIGHTERS_OF_A_SIDE = 2
ROUNDS = 6


@dataclass(frozen=True, eq=False)
class FightCase(Case):
    """A fight of few, played for some rounds."""

    contest: Contest = None  # type: ignore[assignment]  # always given
    cost: ClassVar[int] = 10

    def played(self, number: int) -> tuple[Told, tuple[Answer, ...] | None]:
        """A battle with a seed of its own."""
        return self.again(self.tree, number, None), None

    def again(self, tree: Any, number: int, answers: tuple[Answer, ...] | None) -> Told:
        """The battle with the same seeds."""
        contest = self.contest
        sides = tuple(
            side._replace(
                fighters=own, situation=situation, plan=DECIDE_ALL, plans={}, yields_at=0
            )
            for side, own, situation in zip(
                contest.sides, (tree.one, tree.other),
                (tree.one_situation, tree.other_situation), strict=True,
            )
        )  # fmt: skip
        chooser = random.Random(number)
        offered: list[object] = []

        def choices(session: Session, question: Question) -> Answer | None:
            offered.append((question.step, [option.name for option in question.options]))
            return _at_random(chooser, question) if question.dice is None else None

        try:
            changed = contest.changed(sides=sides)
            battle = play_battle(changed, seed=number, rounds=ROUNDS, source=choices)
        except AffrayError as error:
            return Told((), (), str(error))
        hard: list[object] = [
            offered,
            battle.rounds,
            battle.verdict,
            battle.orders,
            battle.initiative,
        ]
        soft: list[object] = []
        for entry in battle.entries:
            hard.append((entry.actor, entry.target, entry.deed, entry.answers))
            for line in entry.lines:
                values = [t.value for total in line.totals for t in (total.base, *total.terms)]
                hard.append((line.step, line.dice, line.option, values))
            soft.append(entry.lines)
            for own, row in zip((tree.one, tree.other), entry.conditions, strict=True):
                for sheet, condition in zip(own, row, strict=True):
                    hard.append(contest.fight.vitals(sheet, condition))
                    hard.append(dict(contest.fight.resources(sheet, condition)))
        return Told(tuple(hard), tuple(soft))


def fight_cases_of(system: System[Facts]) -> Iterator[FightCase]:
    """The shipped fights, with few fighters of each side."""
    if system.fight is None:
        return
    wanted = FightChanges(policies=("first", "first"))
    for name, raw in {**fight_examples(system), **RARE_FIGHTS.get(system.id, {})}.items():
        contest = load_raw_fight(system, raw, name, wanted).contest
        one, other = contest.sides
        few = [tuple(dict.fromkeys(side.fighters))[:FIGHTERS_OF_A_SIDE] for side in (one, other)]
        tree = Sides(few[0], few[1], one.situation, other.situation)
        yield FightCase(system, f"fight {name}", tree, contest.rulings, contest=contest)


def made_fights(
    system: System[Facts], fights: Sequence[FightCase], values: Values
) -> Iterator[FightCase]:
    """Fights made from the examples, and from shipped fights: others of the roster, other keys."""
    readings = other_readings(system)
    fighter = hints_of(system.setup)["attacker"]
    known = list(values.sheets[fighter]) if isinstance(fighter, type) else []
    from_examples = list(_as_fights(system, fights[0]))
    yield from from_examples
    shipped = [case for case in fights for _ in range(MADE_FIGHTS // len(fights))]
    for number, case in enumerate(shipped):
        chooser = random.Random(f"{case.name} {number}")
        tree = case.tree
        for side in ("one", "other"):
            with suppress(SetupError):
                if chooser.random() < 0.7:
                    tree = replace(tree, **{side: (chooser.choice(known),)})
        for _ in range(chooser.randint(1, 6)):
            tree = _changed_somewhere(tree, chooser, values)
        picks = dict(chooser.sample(readings, min(len(readings), chooser.choice((0, 1, 2)))))
        rulings = system.readings({**case.rulings.named(), **picks})
        yield replace(
            case, name=f"{case.name}, changed ({number})", tree=tree, rulings=rulings,
            contest=case.contest.changed(rulings=rulings),
        )  # fmt: skip


def _as_fights(system: System[Facts], fight: FightCase) -> Iterator[FightCase]:
    """A fight out of each example: its two fighters, with what holds there."""
    for case in cases_of(system):
        keys = {key: getattr(case.tree, key) for key in situation_keys(system)}
        attacker, defender = case.tree.attacker, case.tree.defender
        if attacker is None or defender is None:
            continue
        try:
            pair = _equipped(case.tree, attacker), defender
            first, second = (
                system.setup(attacker=one, defender=other, **keys)
                for one, other in (pair, pair[::-1])
            )
        except SetupError:
            continue
        tree = Sides(pair[:1], pair[1:], first, second)
        yield replace(
            fight, name=f"fight of {case.name}", tree=tree, rulings=case.rulings,
            contest=fight.contest.changed(rulings=case.rulings),
        )  # fmt: skip


def _equipped(setup: Any, fighter: Any) -> Any:
    """A fighter who owns what only the setup has otherwise, such as a weapon."""
    for one in fields(setup):
        thing = getattr(setup, one.name)
        for name, hint in hints_of(type(fighter)).items():
            lists = typing.get_origin(hint) is tuple and type(thing) in _parts(hint)
            if lists and is_dataclass(thing) and not getattr(fighter, name):
                fighter = replace(fighter, **{name: (thing,)})
    return fighter


# -- what a play reads -----------------------------------------------------------------------------


QUIET = ("__eq__", "__hash__", "__post_init__")
COPYING = vars(dataclasses)
"""A copy with other values reads all fields; what it holds is read later, or never."""


class Watch:
    """Notes which fields of sheets are read; making, copying, comparing and hashing don't count."""

    def __init__(self, sheets: Sequence[type]) -> None:
        self.sheets = sheets
        self.read: dict[tuple[type, str], dict[int, Any]] = defaultdict(dict)
        self._quiet = 0

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Watch for a while."""
        kept = {sheet: [(name, getattr(sheet, name)) for name in QUIET] for sheet in self.sheets}
        for sheet in self.sheets:
            self._patch(sheet)
        try:
            yield
        finally:
            for sheet, methods in kept.items():
                del sheet.__getattribute__
                for name, method in methods:
                    setattr(sheet, name, method)

    def _patch(self, sheet: type) -> None:
        names = {one.name for one in fields(sheet)}
        plain, watch = object.__getattribute__, self

        def looked(self: object, name: str) -> object:
            if name in names and not watch._quiet and sys._getframe(1).f_globals is not COPYING:
                watch.read[sheet, name][id(self)] = self
            return plain(self, name)

        def quietly(method: Callable[..., Any]) -> Callable[..., Any]:
            def called(*args: object) -> Any:
                watch._quiet += 1
                try:
                    return method(*args)
                finally:
                    watch._quiet -= 1

            return called

        for name in QUIET:
            setattr(sheet, name, quietly(getattr(sheet, name)))
        sheet.__getattribute__ = looked  # type: ignore[method-assign,assignment]


@cache
def _caches(package: str) -> tuple[Any, ...]:
    """What functions of a package remember, by `lru_cache` or by `remembers`."""
    functions = [
        thing
        for name, module in list(sys.modules.items())
        if name == package or name.startswith(package + ".")
        for thing in vars(module).values()
    ]
    held = [
        cell.cell_contents
        for function in functions
        if isinstance(function, types.FunctionType)
        for cell in function.__closure__ or ()
    ]
    return tuple(one for one in (*functions, *held) if isinstance(one, _lru_cache_wrapper))


def package_of(system: System[Facts]) -> str:
    """The package of a system."""
    module = system.setup.__module__
    return module.rpartition(".")[0] or module


# -- values to try ---------------------------------------------------------------------------------


class Values:
    """Values to try for a field: from its annotation, and as examples and the roster have them."""

    def __init__(self, trees: Sequence[Any], kinds: Sequence[type]) -> None:
        self.texts: dict[str, dict[object, None]] = defaultdict(dict)
        self.seen: dict[tuple[type, str], dict[object, None]] = defaultdict(dict)
        self.sheets: dict[type, dict[object, None]] = defaultdict(dict)
        for tree in trees:
            for _, one in sheets_in(tree):
                self.sheets[type(one)][one] = None
                for part in fields(one):
                    value = getattr(one, part.name)
                    self.seen[type(one), part.name][value] = None
                    if isinstance(value, str):
                        self.texts[part.name][value] = None
        for kind in kinds:
            if not self.sheets[kind]:
                with suppress(SetupError):
                    self.sheets[kind][least(kind)] = None

    def others(self, sheet: Any, key: Key) -> Iterator[object]:
        """Other values for a field, the most different ones first."""
        now = getattr(sheet, key.name)
        hint = hints_of(key.sheet)[key.name]
        if key.word != "":
            found: Iterator[object] = self._with_word(now, key, hint)
        else:
            found = self._any(now, hint, key)
        met = {_Same(now)}
        for value in found:
            if _Same(value) not in met:
                met.add(_Same(value))
                yield value

    def _with_word(self, now: Any, key: Key, hint: object) -> Iterator[object]:
        if isinstance(now, tuple):
            without = tuple(one for one in now if one != key.word)
            yield without if key.word in now else (*now, key.word)
        elif now == key.word:
            yield from (word for word in _words(hint) if word != key.word)
        else:
            yield key.word

    def _any(self, now: Any, hint: object, key: Key) -> Iterator[object]:
        seen = list(self.seen[key.sheet, key.name])
        if isinstance(now, bool):
            yield not now
            return
        if typing.get_origin(hint) in {typing.Union, types.UnionType}:
            if now is not None and type(None) in typing.get_args(hint):
                yield None
            if now is None:
                yield from (value for value in _spread(seen) if value is not None)
                for part in _parts(hint):
                    if part in {int, float}:
                        yield from (0, 1, 2, 5, 12, 30, 80)
                    elif isinstance(part, type) and is_dataclass(part):
                        yield from _spread(list(self.sheets[part]))
        if isinstance(now, (int, float)):
            yield from _numbers(now, hint)
        yield from _words(hint) if not isinstance(now, tuple) else ()
        if isinstance(now, tuple):
            yield from self._lists(now, hint)
        yield from _spread([value for value in seen if value is not None])
        if is_dataclass(now) and len(seen) < 2:
            yield from _spread(list(self.sheets[type(now)]))
        if isinstance(now, str) and not _words(hint):
            yield from ("", f"{now}x", *_spread(list(self.texts[key.name])))

    def _lists(self, now: tuple[Any, ...], hint: object) -> Iterator[object]:
        for place in range(min(3, len(now))):
            yield (*now[:place], *now[place + 1 :])
        if now:
            yield (*now, now[-1])
        if now and isinstance(now[0], (int, float)):
            yield tuple(value + 2 for value in now)
        for word in _words(hint):
            without = tuple(one for one in now if one != word)
            yield without if word in now else (*now, word)
        for part in _parts(hint):
            if isinstance(part, type) and is_dataclass(part):
                yield from ((*now, one) for one in _spread(list(self.sheets[part])))
            elif part is int:
                yield from ((*now, 1), (*now, 3))
            elif part is str:
                yield (*now, "x")


def least(kind: type) -> Any:
    """A sheet with the least that it needs.

    Raises:
        SetupError: it needs more.
    """
    needed: dict[str, object] = {}
    for one in fields(kind):
        if one.default is MISSING and one.default_factory is MISSING:
            hint = hints_of(kind)[one.name]
            parts = list(_parts(hint))
            words = _words(hint)
            sheets = [part for part in parts if isinstance(part, type) and is_dataclass(part)]
            if tuple in map(typing.get_origin, parts):
                needed[one.name] = ()
            elif sheets:
                needed[one.name] = least(sheets[0])
            else:
                needed[one.name] = words[0] if words else "x" if str in parts else 1
    return kind(**needed)


class _Same:
    """A value that equals others of its type alone: True is not 1."""

    def __init__(self, value: object) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        assert isinstance(other, _Same)
        return type(self.value) is type(other.value) and self.value == other.value

    def __hash__(self) -> int:
        return hash((type(self.value), self.value))


def _spread(values: list[Any], most: int = 6) -> list[Any]:
    """A few of them, from all over."""
    if len(values) <= most:
        return values
    return [values[place * len(values) // most] for place in range(most)]


def _numbers(now: float, hint: object) -> Iterator[object]:
    lows = [bound for part in _bounds(hint) if (bound := getattr(part, "ge", None)) is not None]
    highs = [bound for part in _bounds(hint) if (bound := getattr(part, "le", None)) is not None]
    low, high = max(lows, default=0), min(highs, default=1_000)
    kind = type(now)
    steps = [now + 1, now - 1, now * 2 + 5, low, now + 30, min(high, now + 500), low + 1, now // 2]
    yield from (kind(value) for value in steps if low <= value <= high)


def _bounds(hint: object) -> Iterator[object]:
    if typing.get_origin(hint) is Annotated:
        yield from typing.get_args(hint)[1:]
    if typing.get_origin(hint) is not Literal:
        for part in typing.get_args(hint):
            yield from _bounds(part)


# -- the search ------------------------------------------------------------------------------------


def other_readings(system: System[Facts]) -> list[tuple[str, str]]:
    """Readings of open questions that aren't the default: question and reading."""
    return [
        (ruling.name, option)
        for ruling in system.rulings
        for option in ruling.options
        if option != ruling.default
    ]


def made_cases(system: System[Facts], cases: Sequence[Case], values: Values) -> Iterator[Case]:
    """Situations made from the examples: several keys changed at once, other readings."""
    readings = other_readings(system)
    words = [(key, key.word) for key in keys_of(system.setup) if key.word != ""]
    shared = [w for w in dict.fromkeys(word for _, word in words)
              if [word for _, word in words].count(w) > 1]  # fmt: skip
    plain = [case for case in cases if not isinstance(case, FightCase)]
    each = MADE // max(1, len(plain)) + 1
    for case in plain:
        # Each by itself: another example more doesn't change what is made of these.
        chooser = random.Random(case.name)
        for number in range(each):
            tree = case.tree
            for _ in range(number and chooser.randint(1, 6)):
                tree = _changed_somewhere(tree, chooser, values)
            picks = dict(
                chooser.sample(
                    readings, min(len(readings), chooser.choice((0, 1, 2)) if number else 1)
                )
            )
            yield replace(
                case, name=f"{case.name}, changed ({number})", tree=tree,
                rulings=system.readings({**case.rulings.named(), **picks}), dice=(), options=(),
            )  # fmt: skip
        if shared:
            word = chooser.choice(shared)
            tree = _everywhere(case.tree, word, chooser)
            yield replace(case, name=f"{case.name}, all {word}", tree=tree, dice=(), options=())


def _everywhere(tree: Any, word: object, chooser: random.Random) -> Any:
    """A word wherever it may stand; among fields that list words only in one."""
    lists = [
        name
        for _, sheet in sheets_in(tree)
        for name, hint in hints_of(type(sheet)).items()
        if word in _words(hint) and isinstance(getattr(sheet, name), tuple)
    ]
    listed = chooser.choice(lists) if lists else ""
    for path, sheet in list(sheets_in(tree)):
        for name, hint in hints_of(type(sheet)).items():
            now = getattr(sheet, name)
            if word in _words(hint) and (name == listed or not isinstance(now, tuple)):
                with suppress(SetupError):
                    tree = changed(tree, (*path, name), (word,) if name == listed else word)
    return tree


def _changed_somewhere(tree: Any, chooser: random.Random, values: Values) -> Any:
    path, sheet = chooser.choice(list(sheets_in(tree)))
    one = chooser.choice(fields(sheet))
    words = _words(hints_of(type(sheet))[one.name])
    key = Key(type(sheet), one.name, chooser.choice(words) if words else "")
    found = list(values.others(sheet, key))
    if not found:
        return tree
    try:
        return changed(tree, (*path, one.name), chooser.choice(found))
    except (SetupError, TypeError, ValueError):
        return tree


def _alone_or_listed(value: object) -> tuple[object, ...]:
    listed = value if isinstance(value, tuple) else (value,)
    return tuple(one for one in listed if isinstance(one, str))


class Search:
    """Looks for what each key of a system changes.

    Args:
        system: whose keys.
        cases: what is played.
    """

    def __init__(self, system: System[Facts], cases: Sequence[Case]) -> None:
        self.system = system
        self.cases = list(cases)
        self.sheets = sheets_of(system.setup)
        self.values = Values([*(case.tree for case in self.cases), *_entries(system)], self.sheets)
        self.plays: dict[tuple[Case, int], tuple[Told, tuple[Answer, ...] | None]] = {}
        self.readers: dict[tuple[type, str], list[tuple[Case, int, Path]]] = defaultdict(list)
        self.n_tries = 0
        self._said: dict[Case, Counter[object]] = {}
        for case in self.cases:
            self._watched(case, self.readers)

    @cached_property
    def made(self) -> Mapping[tuple[type, str], list[tuple[Case, int, Path]]]:
        """Plays of situations that are made from the examples, by the fields that they read."""
        readers: dict[tuple[type, str], list[tuple[Case, int, Path]]] = defaultdict(list)
        fights = [case for case in self.cases if isinstance(case, FightCase)]
        if len(fights) < len(self.cases):
            for case in made_cases(self.system, self.cases, self.values):
                self._watched(case, readers)
        else:
            for case in made_fights(self.system, fights, self.values):
                self._watched(case, readers, plays=2)
        return readers

    def _watched(
        self, case: Case, readers: dict[tuple[type, str], list[tuple[Case, int, Path]]],
        plays: int = 3,
    ) -> None:  # fmt: skip
        for number in range(plays):
            watch = Watch(self.sheets)
            for kept in _caches(package_of(self.system)):
                kept.cache_clear()
            with watch.watching():
                self.plays[case, number] = case.played(number)
            paths: dict[Any, list[Path]] = defaultdict(list)
            for path, sheet in sheets_in(case.tree):
                paths[sheet].append(path)
            for key, looked in watch.read.items():
                known = {sheet for sheet in looked.values() if sheet in paths}
                if len(known) < len(set(looked.values())):  # a copy, of any of them
                    known = {sheet for sheet in paths if type(sheet) is key[0]}
                readers[key] += [(case, number, path) for one in known for path in paths[one]]

    def reads(self, key: Key) -> bool:
        """Whether any play reads a field."""
        where = (key.sheet, key.name)
        return bool(self.readers.get(where) or self.made.get(where))

    def matters(self, key: Key, most: int = 150, made: int = 400) -> Matters | None:
        """How a key matters, or None if no value was found that changes anything.

        Args:
            key: which.
            most: how many changed plays of examples to try.
            made: how many of situations that are made from them.
        """
        found = self._found(key, self.readers, most)
        if found is None or found.where == "always":
            found = self._found(key, self.made, made) or found
        return found

    def _found(
        self, key: Key, readers: Mapping[tuple[type, str], list[tuple[Case, int, Path]]], most: int
    ) -> Matters | None:
        informed: Matters | None = None
        accepted = refused = n = 0
        for case, number, path, _, value in self._tries(key, readers):
            if n >= most:
                break
            try:
                tree = changed(case.tree, (*path, key.name), value)
            except (SetupError, TypeError, ValueError):
                refused += 1
                continue
            n += case.cost
            self.n_tries += 1
            told, answers = self.plays[case, number]
            again = case.again(tree, number, answers)
            where = f"{case.name}: {'.'.join(map(str, (*path, key.name)))} = {value!r}"
            if bool(again.refused) != bool(told.refused):
                return Matters("refused", where)
            accepted += 1
            if again.hard != told.hard:
                return Matters("outcome", where)
            if again.soft != told.soft and informed is None:
                informed = Matters("log", where)
                if not informs(key.sheet, key.name):
                    return informed
        if informed is None and refused and not accepted:
            return Matters("refused", "always")
        return informed

    def _tries(
        self, key: Key, readers: Mapping[tuple[type, str], list[tuple[Case, int, Path]]]
    ) -> Iterator[tuple[Case, int, Path, Any, object]]:
        """Changes to try, from all over; every other one where the key is set on purpose."""
        heaps: list[list[tuple[Case, int, Path, Any, object]]] = []
        for found in self._where(key, readers):
            heap = [(*one, value) for one in found for value in self.values.others(one[3], key)]
            heap.sort(key=lambda one: crc32(f"{key} {one[0].name} {one[1:3]} {one[4]!r}".encode()))
            heaps.append(heap)
        for pair in zip_longest(*heaps):
            yield from (one for one in pair if one is not None)

    def _says(self, case: Case, key: Key) -> int:
        """How often a setup says the word of a key, alone or in a list."""
        known = self._said.get(case)
        if known is None:
            known = self._said[case] = Counter(
                word
                for _, sheet in sheets_in(case.tree)
                for one in fields(sheet)
                for word in _alone_or_listed(getattr(sheet, one.name))
            )
        return known[key.word]

    def _where(
        self, key: Key, readers: Mapping[tuple[type, str], list[tuple[Case, int, Path]]]
    ) -> tuple[list[tuple[Case, int, Path, Any]], list[tuple[Case, int, Path, Any]]]:
        """Plays that read a field, with each sheet that has it: where it is set, and others."""
        default = next(one for one in fields(key.sheet) if one.name == key.name).default
        good: list[tuple[Case, int, Path, Any]] = []
        later: list[tuple[Case, int, Path, Any]] = []
        for case, number, path in readers.get((key.sheet, key.name), ()):
            if key.role in ROLES and path != (key.role,):
                continue
            if key.role in IN_FIGHTS and (path[0] not in IN_FIGHTS[key.role] or len(path) > 2
                                          or path[-1] in ROLES):  # fmt: skip
                continue
            sheet = _at(case.tree, path)
            value = getattr(sheet, key.name)
            is_set = default is not MISSING and value != default
            if key.word != "":
                is_set = self._says(case, key) > (value == key.word)
            (good if is_set else later).append((case, number, path, sheet))
        return good, later


def _entries(system: System[Facts]) -> Iterator[Any]:
    """Sheets of the roster."""
    hints = {
        name: hint for sheet in sheets_of(system.setup) for name, hint in hints_of(sheet).items()
    }
    for name, section in system.roster_keys.items():
        kinds = (
            [p for p in _parts(hints[name]) if isinstance(p, type) and is_dataclass(p)]
            if name in hints
            else []
        )
        for entry in roster(system).get(section, {}):
            for kind in kinds:
                table = Filling(Roster(system), entry).table({name: entry})[name]
                try:
                    yield validated(kind, typing.cast("dict[str, object]", table), entry)
                except (InputError, SetupError):
                    continue
