"""Hints are true: what engines are told of the rules is what the rules do (`affray.core.hints`)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from affray.core.fight import Role
from affray.core.lazy import NamedTuple
from affray.core.node import At, Chance, Choice, End, Facts, Go, Node, Step, fill
from affray.core.reading import roll_of
from affray.core.system import Field, Objective
from affray.core.telling import shown
from affray.engine.budget import Clock
from affray.engine.exchange.proposals import Proposal, propose
from affray.engine.exchange.session import Session
from affray.testing.cases import Case
from affray.testing.law import Law, law
from affray.testing.material import Material, Met, random_faces

__all__ = ["LAWS", "Hinted", "field_of", "proposal", "where"]

MOST_STEPS = 2_000
TRIES = 6
"""Times that a promise about a place is tried with other answers."""
ROLES: tuple[Role, ...] = ("actor", "target")
_TAKE_OUT = "Take it out of the hints: it costs time, and nothing else."


class _Touched(Exception):  # noqa: N818  # caught where it is expected
    """A step uses a field that is to be left aside."""


class Untouchable:
    """Stands for a field that is left aside: any use of it fails."""

    def _fail(self, *_: object) -> bool:
        raise _Touched

    __bool__ = __len__ = __iter__ = __getitem__ = __contains__ = __lt__ = __gt__ = _fail
    __add__ = __radd__ = __sub__ = __rsub__ = __call__ = __le__ = __ge__ = _fail

    def __eq__(self, other: object) -> bool:
        return self is other or self._fail()

    def __hash__(self) -> int:
        return 7


class Hinted(NamedTuple):
    """A place and a field for which a hint promises something."""

    met: Met
    field: str


def where(step: Step[Facts], hint: str, name: str) -> str:
    """How a case names a hint for a step."""
    return f"step {step.name}, {hint} {name}"


# -- aside ---------------------------------------------------------------------------------------


def _aside(material: Material) -> Iterator[Case]:
    for step, names in material.system.hints.aside.items():
        for name in names:
            for met in material.by_step.get(step, ()):
                yield Case(where(step, "aside", name), Hinted(met, name))


@law("hints", _TAKE_OUT, over=_aside)
def steps_leave_aside_what_they_promise(material: Material, case: Hinted) -> Iterator[str]:
    """A step neither reads nor changes the fields that it leaves aside."""
    (at, plain, *_), field = case
    mark = Untouchable()
    try:
        node = at.step.rule(fill(at, field, mark).facts)
        if _besides_places(node) != _besides_places(plain):
            yield f"what it says differs if {field} can't be seen"
            return
        for place, other in zip(_places(at, node), _places(at, plain), strict=True):
            if getattr(place.facts, field) is not mark:
                yield f"it changes {field}"
            elif fill(place, field, getattr(at.facts, field)) != other:
                yield f"it leads elsewhere if {field} can't be seen"
    except _Touched:
        yield f"it reads {field}"
    except (TypeError, AttributeError) as error:
        yield f"it reads {field}: {error}"


def _places(at: At[Facts], node: Node[Facts]) -> list[At[Facts]]:
    """The places that a node leads to; an end leads to itself."""
    if isinstance(node, Choice):
        return [option.at for option in node.options]
    if isinstance(node, Chance):
        return [node.then]
    return [node.at if isinstance(node, Go) else At(at.step, node.outcome)]


def _besides_places(node: Node[Facts]) -> tuple[object, ...]:
    """All that a node says besides where it leads."""
    if isinstance(node, Choice):
        offered = [(option.name, option.spends, option.words, option.also)
                   for option in node.options]  # fmt: skip
        return (Choice, node.actor, node.ask, offered, node.about, node.closed)
    return (Chance, *node[:-1]) if isinstance(node, Chance) else (type(node),)


# -- fixes ---------------------------------------------------------------------------------------


def _fixes(material: Material) -> Iterator[Case]:
    for step, names in material.system.hints.fixes.items():
        for name in names:
            for met in material.met:
                if met.at.step is step:
                    yield Case(where(step, "fixes", name), Hinted(met, name))


@law("hints", _TAKE_OUT, over=_fixes)
def fixed_fields_never_change_again(material: Material, case: Hinted) -> Iterator[str]:
    """An outcome field that a step fixes is at the end what it was there."""
    field = field_of(material, case.field)
    early, late = field.of(case.met.at.facts), field.of(case.met.outcome)
    if early != late:
        yield f"{field.name} is {shown(early)} there and {shown(late)} at the end"


def _fixes_where(material: Material) -> Iterator[Case]:
    for step in material.system.hints.fixes_where:
        for met in material.by_step.get(step, ()):
            yield Case(f"step {step.name}, fixes_where", met)


@law("hints", "Let `fixes_where` name only fields that can't change from these facts on.",
     over=_fixes_where)  # fmt: skip
def fields_fixed_by_the_facts_never_change_again(material: Material, met: Met) -> Iterator[str]:
    """What is fixed at a place because of its facts is at the end what it was there."""
    system = material.system
    fixed = system.fixed(*met.at)
    for name in sorted(fixed):
        field = system.field_named(name)
        if field is not None and field.of(met.at.facts) != field.of(met.outcome):
            early, late = field.of(met.at.facts), field.of(met.outcome)
            yield f"{name} is {shown(early)} there and {shown(late)} at the end"
    for wish in system.objectives:
        by = system.decided_by(wish)
        if by is not None and by <= fixed:
            soon, worth = wish.utility(met.at.facts), wish.utility(met.outcome)
            if soon != worth:
                yield f"objective {wish.name} is worth {soon} there and {worth} at the end"


def field_of(material: Material, name: str) -> Field[Facts]:
    """The outcome field of a name that is known to be one."""
    found = material.system.field_named(name)
    assert found is not None, f"there is no field {name}"
    return found


# -- vector forms --------------------------------------------------------------------------------


def _columns(material: Material) -> Iterator[Case]:
    for name in material.system.hints.columns:
        for case in material.rolls_by_step():
            if name in material.system.fixes[case.thing.node.then.step]:
                yield Case(f"column {name}", Hinted(case.thing, name))


@law("hints", "Make the column say for each reading what the field says of the facts with it.",
     over=_columns)  # fmt: skip
def columns_are_what_their_fields_are(material: Material, case: Hinted) -> Iterator[str]:
    """The vector form of a field gives for each reading of a roll what the field gives."""
    node, field = case.met.node, field_of(material, case.field)
    assert isinstance(node, Chance)
    readings = [reading for reading, _ in roll_of(node.dice, node.read).rows]
    column = list(material.system.hints.columns[case.field](node.then.facts, node.into, readings))
    each = [field.of(fill(node.then, node.into, reading).facts) for reading in readings]
    if len(column) != len(each):
        yield f"it gives {len(column)} values for {len(each)} readings of {node.dice}"
        return
    for reading, quick, plain in zip(readings, column, each, strict=True):
        if quick != plain:
            yield (
                f"for {node.into} = {shown(reading)} it gives {shown(quick)}; the field is "
                f"{shown(plain)}"
            )
            return


def _unused(material: Material) -> Iterator[Case]:
    used = {case.thing.field for case in _columns(material)}
    yield from (Case(f"column {name}", name in used) for name in material.system.hints.columns)


@law("hints", _TAKE_OUT, over=_unused)
def columns_are_used(material: Material, used: bool) -> Iterator[str]:  # noqa: FBT001  # a case
    """The vector form of a field is used: some roll leads to a step that fixes it."""
    if not used:
        yield "no roll of any example leads to a step that fixes the field"


def _alike(material: Material) -> Iterator[Case]:
    for step, alike in material.system.hints.alike.items():
        for met in material.by_step.get(step, ()):
            yield Case(where(step, "alike", alike.field), Hinted(met, alike.field))


@law("hints", "Let the keys differ wherever the step does: all that it looks at must be in a key.",
     over=_alike)  # fmt: skip
def a_step_says_the_same_for_values_that_are_alike(
    material: Material, case: Hinted
) -> Iterator[str]:
    """Two values with equal keys make the step say the same."""
    at = case.met.at
    values = _rolled_into(material, case)
    keys = material.system.hints.alike[at.step].keys(at.facts, values)
    if len(keys) != len(values):
        yield f"there are {len(keys)} keys for {len(values)} values"
        return
    said: dict[object, tuple[object, Node[Facts]]] = {}
    for value, key in zip(values, keys, strict=True):
        told = at.step.rule(fill(at, case.field, value).facts)
        first, other = said.setdefault(key, (value, told))
        if told != other:
            yield f"{shown(first)} and {shown(value)} have one key, and lead to different places"
            return


def _rolled_into(material: Material, case: Hinted) -> list[object]:
    """The values that the dice of an example can give a field: readings of rolls that fill it."""
    key = ("rolled into", case.met.example, case.field)
    if key not in material.kept:
        rolls = {
            (met.node.dice, met.node.read)
            for met in material.met
            if met.example == case.met.example
            and isinstance(met.node, Chance)
            and met.node.into == case.field
        }
        found = [reading for roll in rolls for reading, _ in roll_of(*roll).rows]
        material.kept[key] = list(dict.fromkeys(found))
    now = getattr(case.met.at.facts, case.field)
    return [now, *(value for value in material.kept[key] if value != now)]


# -- forgetting ----------------------------------------------------------------------------------


def _rolled(material: Material) -> Iterator[Case]:
    if material.system.hints.forget is not None:
        for case in material.rolls_by_step():
            yield Case(f"forget, step {case.thing.at.step.name}", case.thing)


@law("hints", "Let `forget` keep whatever a field that is asked for still depends on.",
     over=_rolled)  # fmt: skip
def what_is_forgotten_was_not_needed(material: Material, met: Met) -> Iterator[str]:
    """Without what is forgotten, the outcome fields that are asked for come out the same."""
    forget, fight = material.system.hints.forget, material.system.fight
    node = met.node
    assert forget is not None
    assert isinstance(node, Chance)
    chooser = random.Random(f"{met.at.step.name} {met.example}")
    names = [field.name for field in material.system.fields]
    for _ in range(TRIES):
        wanted = frozenset(chooser.sample(names, min(len(names), chooser.choice((1, 2)))))
        whole, less = _rolled_both(node, forget(node, wanted), chooser)
        ends = _ends(material, whole, less, (wanted, chooser))
        if isinstance(ends, str):
            yield f"asked for {', '.join(sorted(wanted))}: {ends}"
            return
        assert ends is not None  # that is for those who may ask fewer questions
        for name in wanted:
            field = field_of(material, name)
            one, other = field.of(ends[0]), field.of(ends[1])
            if one != other:
                yield f"asked for {name}, it comes to {shown(other)} instead of {shown(one)}"
                return
    needed = material.system.hints.needed
    for _ in range(0 if fight is None or needed is None else TRIES):
        whole, less = _rolled_both(node, forget(node, needed or frozenset()), chooser)
        wrong = _apart_in_a_fight(material, _ends(material, whole, less, (None, chooser)))
        if wrong:
            yield wrong
            return


def _apart_in_a_fight(material: Material, ends: tuple[Facts, Facts] | str | None) -> str:
    """What differs in a fight between two ends that are to come to the same; "" if nothing does."""
    if isinstance(ends, str):
        return f"in a fight: {ends}"
    if ends is None or _effects(material, ends[0]) == _effects(material, ends[1]):
        return ""
    return "the effects in a fight differ"


def _rolled_both(
    one: Chance[Facts], other: Chance[Facts], chooser: random.Random
) -> tuple[At[Facts], At[Facts]]:
    """The places that two rolls of the same dice lead to with the same faces.

    The other one may throw the dice of the next roll along.
    """
    faces = random_faces(other.dice, chooser).faces
    own = one.dice.size
    one_at = fill(one.then, one.into, one.read(faces[:own]))
    while own < len(faces):
        node = one_at.step.rule(one_at.facts)
        if isinstance(node, Go):
            one_at = node.at
        elif isinstance(node, Chance):
            one_at = fill(node.then, node.into, node.read(faces[own:]))
            own += node.dice.size
        else:
            break  # this time there is no roll to come
    return one_at, fill(other.then, other.into, other.read(faces))


def _ends(
    material: Material,
    one: At[Facts],
    other: At[Facts],
    how: tuple[frozenset[str] | None, random.Random],
    *,
    fewer: bool = False,
) -> tuple[Facts, Facts] | str | None:
    """The ends that two places lead to by the same answers; or how their questions differ.

    As engines do, nothing is followed beyond a place that fixes all fields that are wanted. Clauses
    that apply by themselves may be more on the one way than on the other.

    Args:
        material: the system.
        one: a place.
        other: another place.
        how: the fields that are wanted, if not all are; who answers.
        fewer: whether the other place may ask fewer questions; then it may also end later.

    Returns:
        None where both come to one place: from there on nothing differs any more.
    """
    wanted, chooser = how

    def node_of(at: At[Facts]) -> Node[Facts]:
        if wanted is not None and wanted <= material.system.fixed(*at):
            return End(at.facts)
        return at.step.rule(at.facts)

    dropped = False  # whether the other place has left a question out, so that much may differ
    for _ in range(MOST_STEPS):
        if fewer and one == other:
            return None
        here, there = node_of(one), node_of(other)
        if isinstance(here, End) and isinstance(there, End):
            return here.outcome, there.outcome
        if isinstance(here, Go) and isinstance(there, Go):
            one, other = here.at, there.at
        elif isinstance(there, Go):
            other = there.at
        elif isinstance(here, Go):
            one = here.at
        elif dropped and isinstance(here, End):
            other = _answered(there, chooser)
        elif fewer and not isinstance(here, End) and not _asks_alike(one, here, other, there):
            dropped = dropped or not isinstance(here, Choice) or len(here.options) > 1
            one = _answered(here, chooser)
        elif isinstance(here, Chance) and isinstance(there, Chance) and here.dice == there.dice:
            faces = random_faces(here.dice, chooser).faces
            one = fill(here.then, here.into, here.read(faces))
            other = fill(there.then, there.into, there.read(faces))
        elif isinstance(here, Choice) and isinstance(there, Choice):
            names = [option.name for option in here.options]
            if names != [option.name for option in there.options]:
                return f"step {one.step.name} offers other options"
            place = chooser.randrange(len(names))
            one, other = here.options[place].at, there.options[place].at
        else:
            return f"step {one.step.name} says something else"
    return "there is no end"


def _asks_alike(one: At[Facts], here: Node[Facts], other: At[Facts], there: Node[Facts]) -> bool:
    """Whether two places ask somebody the same question."""
    if one.step is not other.step:
        return False
    if isinstance(here, Choice) and isinstance(there, Choice):
        names = [[option.name for option in node.options] for node in (here, there)]
        return names[0] == names[1] and (here.actor, here.ask) == (there.actor, there.ask)
    if isinstance(here, Chance) and isinstance(there, Chance):
        return here[:3] == there[:3]
    return False


def _answered(node: Node[Facts], chooser: random.Random) -> At[Facts]:
    """Where a random answer leads."""
    if isinstance(node, Choice):
        return chooser.choice(node.options).at
    assert isinstance(node, Chance)
    return fill(node.then, node.into, node.read(random_faces(node.dice, chooser).faces))


def _plain(material: Material) -> Iterator[Case]:
    for step in material.system.hints.plain:
        for met in material.by_step.get(step, ()):
            yield Case(f"plain, step {step.name}", met)


@law("hints", "Let `plain` keep whatever a field that is asked for still depends on.", over=_plain)
def plainer_facts_come_to_the_same(material: Material, met: Met) -> Iterator[str]:
    """With plainer facts, the outcome fields that are asked for come out the same."""
    system = material.system
    plain = system.hints.plain[met.at.step]
    chooser = random.Random(f"plain {met.at.step.name} {met.example}")
    names = [field.name for field in system.fields]
    asked: list[tuple[frozenset[str], Objective[Facts] | None]] = [
        (by, wish) for wish in system.objectives if (by := system.decided_by(wish)) is not None
    ]
    for _ in range(4):
        some = chooser.sample(names, min(len(names), chooser.choice((1, 2))))
        asked.append((frozenset(some), None))
    for wanted, wish in asked:
        less = At(met.at.step, plain(met.at.facts, wanted))
        ends = _ends(material, met.at, less, (wanted, chooser), fewer=True)
        told = ", ".join(sorted(wanted))
        if isinstance(ends, str):
            yield f"asked for {told}: {ends}"
            return
        if ends is None:
            continue
        fields = [found for name in wanted if (found := system.field_named(name)) is not None]
        for name, of in (
            [(field.name, field.of) for field in fields]
            if wish is None else [(f"objective {wish.name}", wish.utility)]
        ):  # fmt: skip
            one, other = of(ends[0]), of(ends[1])
            if one != other:
                yield f"asked for {told}, {name} comes to {shown(other)} instead of {shown(one)}"
                return
    fight, needed = system.fight, system.hints.needed
    if fight is not None and needed is not None:
        less = At(met.at.step, plain(met.at.facts, needed))
        wrong = _apart_in_a_fight(
            material, _ends(material, met.at, less, (None, chooser), fewer=True)
        )
        if wrong:
            yield wrong


# -- needed --------------------------------------------------------------------------------------


def _needed(material: Material) -> Iterator[Case]:
    if material.system.fight is None or material.system.hints.needed is None:
        return
    examples: dict[str, list[Met]] = {}
    for met in material.met:
        examples.setdefault(met.example, []).append(met)
    yield from (Case(f"needed, example {name}", mets) for name, mets in examples.items())


@law("hints", "Name under `needed` every outcome field that `Fight.effect` reads, or leave it out.",
     over=_needed)  # fmt: skip
def effects_read_what_is_needed(material: Material, mets: Sequence[Met]) -> Iterator[str]:
    """Effects in a fight depend on nothing but the outcome fields that are said to be needed.

    From where these are fixed, effects are those of the end. What names mean of which only `forget`
    and `plain` know, their own laws find out.
    """
    hints = material.system.hints
    needed = sorted(hints.needed or ())
    told = ", ".join(needed)
    fields = [found for name in needed if (found := material.system.field_named(name)) is not None]
    literal = hints.forget is None and not hints.plain
    if literal and len(fields) < len(needed):
        known = ", ".join(field.name for field in material.system.fields)
        yield f"it names {told}; outcome fields are {known}"
    by_fields: dict[object, tuple[object, ...]] = {}
    for met in mets:
        effects = _effects(material, met.outcome)
        if material.system.fixed(*met.at).issuperset(needed) and not isinstance(met.node, End):
            early = _effects(material, met.at.facts)
            if early != effects:
                yield (
                    f"{told} can't change after step {met.at.step.name}, and effects do: "
                    f"{_brief(early)} there, {_brief(effects)} at the end"
                )
                return
        values = tuple([field.of(met.outcome) for field in fields])
        other = by_fields.setdefault(values, effects)
        if literal and other != effects:
            yield (
                f"with {told} the same, effects are {_brief(other)} once and {_brief(effects)} "
                "another time"
            )
            return


def _effects(material: Material, outcome: Facts) -> tuple[object, ...]:
    """All that an exchange does in a fight: to whoever acts, to the target, to mates."""
    fight = material.system.fight
    assert fight is not None
    return (*(fight.effect(outcome, role) for role in ROLES), *fight.helped(outcome))


def _brief(effects: tuple[object, ...]) -> str:
    return " and ".join(map(shown, effects))


# -- several -------------------------------------------------------------------------------------


def _several(material: Material) -> Iterator[Case]:
    for step in material.system.hints.several:
        mets = material.by_step.get(step, ())
        if mets:
            yield Case(f"step {step.name}, several", (step, mets))


@law("hints", "Let the rules under `several` say what the step says.", over=_several)
def a_rule_for_several_places_says_what_the_step_says(
    material: Material, case: tuple[Step[Facts], Sequence[Met]]
) -> Iterator[str]:
    """A rule that is asked of several places says of each what the step says, in any order."""
    step, mets = case
    for order in (mets, mets[::-1]):
        rule = material.system.hints.several[step]()
        for met in order:
            node = rule(met.at.facts)
            if _besides_places(node) != _besides_places(met.node):
                yield f"of {shown(met.at.facts)} it says something else"
                return
            if _places(met.at, node) != _places(met.at, met.node):
                yield f"from {shown(met.at.facts)} it leads elsewhere"
                return


# -- what could be promised ----------------------------------------------------------------------


def proposal(material: Material, clock: Clock) -> Proposal:
    """The hints that random playthroughs of a system's examples bear out.

    Raises:
        LimitError: time is over; fewer playthroughs would contradict too little.
    """

    def played() -> Iterator[Session]:
        for _, session in material.sessions():
            clock.poll()
            yield session
        clock.poll()

    return propose(material.system, played())


LAWS: tuple[Law, ...] = (
    steps_leave_aside_what_they_promise,
    fixed_fields_never_change_again,
    fields_fixed_by_the_facts_never_change_again,
    columns_are_what_their_fields_are,
    columns_are_used,
    a_step_says_the_same_for_values_that_are_alike,
    what_is_forgotten_was_not_needed,
    plainer_facts_come_to_the_same,
    effects_read_what_is_needed,
    a_rule_for_several_places_says_what_the_step_says,
)
