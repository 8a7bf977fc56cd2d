"""Places in play: steps are pure, facts can be hashed, rolls sum to one, options differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import prod

from affray.core.actor import role_of
from affray.core.node import At, Chance, Choice, End, Facts, Node, unhashable_field
from affray.core.reading import enumerated, roll_of
from affray.core.telling import shown
from affray.testing.cases import Case
from affray.testing.law import Law, law
from affray.testing.material import Material, Met

__all__ = ["LAWS"]

MOST_ENUMERATED = 20_000
_PURE = (
    "A step may use nothing but its facts: no dice of its own, no clock, nothing that it remembers "
    "or that other code changes."
)


@law("places", _PURE, over=Material.places)
def steps_are_pure(material: Material, met: Met) -> Iterator[str]:
    """A step says the same to the same facts each time, and leaves them as they are."""
    at, before = met.at, repr(met.at.facts)
    nodes = [at.step.rule(at.facts) for _ in range(3)]
    if repr(at.facts) != before:
        yield "the step changes something inside its facts"
        return
    for node in nodes:
        if node != met.node:
            yield f"the same facts give {_node(met.node)} once, {_node(node)} later"
            return


def _node(node: Node[Facts]) -> str:
    if isinstance(node, Choice):
        return f"the options {', '.join(option.name for option in node.options)}"
    if isinstance(node, Chance):
        return f"{node.dice} for {node.ask!r}, then {node.then.step.name}"
    return f"the end with {shown(node)}" if isinstance(node, End) else f"step {node.step.name}"


@law("places", "Facts are a NamedTuple of numbers, texts, tuples and frozen records.",
     over=Material.places)  # fmt: skip
def facts_can_be_hashed(material: Material, met: Met) -> Iterator[str]:
    """Facts can be hashed, and equal facts hash alike."""
    wrong = unhashable_field(met.at.facts)
    if wrong is not None:
        yield f"{wrong[0]} is {wrong[1]}"
        return
    copied = tuple.__new__(type(met.at.facts), met.at.facts)
    if hash(met.at) != hash(At(met.at.step, copied)):
        yield "a copy of the facts is equal, but has another hash"
    elif not hasattr(met.at.facts, "_fields"):
        yield f"the facts are {type(met.at.facts).__name__}, no NamedTuple"


@law("places", "Name one of System.actors, or Actor(\"defender\", 2) for one of several.",
     over=Material.questions)  # fmt: skip
def those_who_are_asked_are_actors(material: Material, met: Met) -> Iterator[str]:
    """Dice and options belong to an actor whom the system declares."""
    assert isinstance(met.node, (Chance, Choice))
    if role_of(met.node.actor) not in material.system.actors:
        yield f"{met.node.ask!r} is asked of {shown(met.node.actor)}"
    if not met.node.ask.strip():
        yield "the question has no words: `ask` is empty"


# -- rolls ---------------------------------------------------------------------------------------


@law("places", "`counted` must give each reading the weight of the faces that `__call__` reads so.",
     over=Material.rolls)  # fmt: skip
def reads_count_what_enumeration_counts(material: Material, met: Met) -> Iterator[str]:
    """The readings of a roll have the weights of the faces that they are read from."""
    node = met.node
    assert isinstance(node, Chance)
    roll = roll_of(node.dice, node.read)
    faces = prod(sum(die.weights) for die in node.dice.dice)
    summed = sum(weight for _, weight in roll.rows)
    what = f"{node.dice} read by {type(node.read).__name__}"
    if not roll.total == faces == summed:
        yield f"{what}: weights sum to {summed} of {roll.total}; the dice have {faces} faces"
    elif prod(len(die.faces) for die in node.dice.dice) <= MOST_ENUMERATED:
        counted, plain = dict(roll.rows), enumerated(node.dice, node.read)
        for reading in {**counted, **plain}:
            here, there = counted.get(reading, 0), plain.get(reading, 0)
            if here != there:
                yield (
                    f"{what}: {shown(reading)} is counted {here} times, and {there} times face "
                    "by face"
                )
                return


def _of_several_dice(material: Material) -> Iterator[Case]:
    yield from (case for case in material.rolls() if case.thing.node.dice.size > 1)


@law("places", "Let the read keep only what later clauses look at: a sum, a count, sorted faces.",
     over=_of_several_dice)  # fmt: skip
def no_raw_dice_are_kept(material: Material, met: Met) -> Iterator[str]:
    """A reading of several dice is coarser than their faces."""
    node = met.node
    assert isinstance(node, Chance)
    faces = prod(len(die.faces) for die in node.dice.dice)
    kept = len(roll_of(node.dice, node.read).rows)
    if kept >= faces:
        yield f"{node.dice} has {faces} ways to fall, and the reading keeps {kept} of them apart"


@law("places", "`into` names the field of the facts that the reading fills.", over=Material.rolls)
def rolls_fill_a_field(material: Material, met: Met) -> Iterator[str]:
    """A roll fills fields of the facts only."""
    node = met.node
    assert isinstance(node, Chance)
    names: tuple[str, ...] = getattr(type(node.then.facts), "_fields", ())
    if node.into not in names:
        yield f"{node.ask!r} fills {node.into!r}; fields are {', '.join(names)}"


# -- choices -------------------------------------------------------------------------------------


@law("places", "Give each option a name of its own and offer those with equal facts once: "
     "`choose` does.", over=Material.choices)  # fmt: skip
def options_differ(material: Material, met: Met) -> Iterator[str]:
    """Options have different names and lead to different places; none is closed as well."""
    node = met.node
    assert isinstance(node, Choice)
    for name, many in Counter(option.name for option in node.options).items():
        if many > 1:
            yield f"{node.ask!r} offers {name!r} {many} times"
            return
    if len({option.at for option in node.options}) < len(node.options):
        yield f"{node.ask!r} offers two options that lead to the same place"
    both = {option.name for option in node.options} & {name for name, _ in node.closed}
    if both:
        yield f"{node.ask!r} offers {', '.join(sorted(both))} and says that it is closed"
    for name, reason in node.closed:
        if not reason.strip():
            yield f"{node.ask!r} closes {name!r} without a reason"


@law("places", "`spends` is how many points an option uses up: 0 or more.", over=Material.choices)
def options_spend_what_there_is(material: Material, met: Met) -> Iterator[str]:
    """An option spends no less than nothing, and one that is offered first spends least."""
    node = met.node
    assert isinstance(node, Choice)
    for option in node.options:
        if option.spends < 0:
            yield f"{node.ask!r}: {option.name!r} spends {option.spends}"


LAWS: tuple[Law, ...] = (
    steps_are_pure,
    facts_can_be_hashed,
    those_who_are_asked_are_actors,
    reads_count_what_enumeration_counts,
    no_raw_dice_are_kept,
    rolls_fill_a_field,
    options_differ,
    options_spend_what_there_is,
)
