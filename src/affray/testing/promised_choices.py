"""What hints promise of objectives and of choices is true (`affray.core.hints`)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction

from affray.core.errors import LimitError
from affray.core.lazy import NamedTuple
from affray.core.node import Choice, End, Facts
from affray.core.system import Objective
from affray.core.telling import shown
from affray.engine.budget import Budget, spending
from affray.engine.exchange.best import Solution
from affray.engine.exchange.decisions import Situation, report
from affray.engine.exchange.game import Game
from affray.testing.cases import Case
from affray.testing.law import Law, Skip, law
from affray.testing.material import Material, Met
from affray.testing.promises import Hinted, field_of, where

__all__ = ["LAWS"]

MOST_PLACES = 1_000
"""Places of an exchange that is solved to see what its options are worth."""

# -- what decides, what is spent -----------------------------------------------------------------


def _objectives(material: Material) -> Iterator[Case]:
    for wish in material.system.objectives:
        if wish.about:
            yield Case(f"objective {wish.name}, about {wish.about}", (wish, (wish.about,)))
            continue
        by = material.system.hints.decides.get(wish.name, ())
        if by and all(material.system.field_named(name) for name in by):
            yield Case(f"objective {wish.name}, decides", (wish, tuple(sorted(by))))


@law("hints", "Name all fields that decide it, as `about` or under `decides`, or none.",
     over=_objectives)  # fmt: skip
def an_objective_is_about_its_field(
    material: Material, case: tuple[Objective[Facts], tuple[str, ...]]
) -> Iterator[str]:
    """Outcomes in which the fields that decide an objective are equal are worth the same."""
    wish, names = case
    fields, worth = [field_of(material, name) for name in names], dict[object, object]()
    for _, session in material.sessions():
        outcome = session.outcome
        assert outcome is not None
        if wish.fits is None or wish.fits(session.game.start.facts):
            value, here = tuple(field.of(outcome) for field in fields), wish.utility(outcome)
            if worth.setdefault(value, here) != here:
                told = ", ".join(
                    f"{field.name} = {shown(part)}"
                    for field, part in zip(fields, value, strict=True)
                )
                yield (
                    f"with {told} it is worth {worth[value]} in one outcome and {here} in another"
                )
                return


def _reaches(material: Material) -> Iterator[Case]:
    for wish in material.system.objectives:
        if wish.comes_to is not None:
            yield Case(f"objective {wish.name}, comes_to", wish)


@law("hints", "Let `comes_to` hold whatever can still happen, or leave it out.", over=_reaches)
def an_objective_comes_to_what_it_says(material: Material, wish: Objective[Facts]) -> Iterator[str]:
    """At every place an objective can still come to what it does come to at the end."""
    assert wish.comes_to is not None
    for met in material.met:
        if wish.fits is None or wish.fits(met.outcome):
            worth, (least, most) = wish.utility(met.outcome), wish.comes_to(met.at.facts)
            if not (least is None or least <= worth) or not (most is None or worth <= most):
                yield (
                    f"at step {met.at.step.name} of {met.example} it says {least} to {most}, and "
                    f"comes to {worth}"
                )
                return


class _Outdone(NamedTuple):
    """A choice at which hints call an option outdone by another one, for an objective."""

    wish: Objective[Facts]
    met: Met
    worse: str
    better: str


def _outdone(material: Material) -> Iterator[Case]:
    hints, known = material.system.hints, set[object]()
    for wish in material.system.objectives:
        for step, pairs in hints.outdone.get(wish.name, {}).items():
            for met in material.by_step.get(step, ()):
                first = wish.name, met.example, step
                if not isinstance(met.node, Choice) or first in known:
                    continue
                known.add(first)
                for worse, better in pairs.items():
                    case = _Outdone(wish, met, worse, better)
                    yield Case(f"{where(step, 'outdone', worse)}, {met.example}", case)


@law("hints", "Name under `outdone` only options that are never better than one before them.",
     over=_outdone)  # fmt: skip
def options_that_are_outdone_are_worth_no_more(material: Material, case: _Outdone) -> Iterator[str]:
    """An option that is outdone stands after a better one, and is worth no more when solved.

    It is looked at once in each example, unless that takes more than `MOST_PLACES` places.
    """
    wish, met, worse, better = case
    assert isinstance(met.node, Choice)
    names = [option.name for option in met.node.options]
    if worse not in names or better not in names:
        return
    if names.index(worse) <= names.index(better):
        yield f"{worse} is not listed after {better}, and is called outdone by it"
        return
    key = "outdone", wish.name, met.example, met.at.step
    if key not in material.kept:
        game = Game(material.system, met.at)
        solution = Solution(game, {wish.actor: wish}, shared=False)
        try:
            with spending(Budget(places=MOST_PLACES)):
                material.kept[key] = {option.name: option for option in solution.values(met.at)}
        except LimitError:
            material.kept[key] = None
    found = material.kept[key]
    if found is None:
        raise Skip
    if found[worse].cost < found[better].cost:
        yield (
            f"{worse} comes to {found[worse].value}, and {better} only to {found[better].value}, "
            f"for the objective {wish.name}"
        )


class _Reported(NamedTuple):
    """An example whose decisions are reported, for an objective; examples take turns in these."""

    example: str
    wish: Objective[Facts]


def _reported(material: Material) -> Iterator[Case]:
    hints = material.system.hints
    if hints.forget is None and not hints.plain:
        return
    for number, case in enumerate(material.accepted()):
        start = material.loaded(case.thing).game.start
        wishes = [wish for wish in material.system.objectives
                  if wish.fits is None or wish.fits(start.facts)]  # fmt: skip
        if wishes:
            wish = wishes[number % len(wishes)]
            yield Case(f"{case.where}, objective {wish.name}", _Reported(case.thing, wish))


@law("hints", "Let `plain` and `forget` keep what choices tell, or name it under `shown`.",
     over=_reported)  # fmt: skip
def decisions_are_told_the_same(material: Material, case: _Reported) -> Iterator[str]:
    """Decisions of best play are told in the same words, whether or not anything is forgotten.

    Exchanges of more than `MOST_PLACES` places are left out. Choices that don't matter may be
    missing where something is forgotten. What only one of both tells is not compared: a report adds
    facts where the words of a step are the same in several places.
    """
    solution = Solution(material.loaded(case.example).game, {case.wish.actor: case.wish})
    try:
        with spending(Budget(places=MOST_PLACES)):
            whole, less = report(solution), report(solution, most=0)
    except LimitError:
        raise Skip from None
    if less.is_whole:
        return
    known = {(one.step, one.actor): one.situations for one in whole.decisions}
    for one in less.decisions:
        others = known.get((one.step, one.actor), ())
        labels = _labels(one.situations) & _labels(others)
        mine, theirs = _chances(one.situations, labels), _chances(others, labels)
        if any(chance > theirs.get(told, 0) for told, chance in mine.items()):
            yield f"{one.actor} at step {one.step} is told something else if something is forgotten"
            return


def _labels(situations: Sequence[Situation]) -> set[str]:
    return {label for situation in situations for label, _ in situation.about}


def _chances(situations: Sequence[Situation], labels: Collection[str]) -> Mapping[object, Fraction]:
    """How likely each situation is, by what is told under some labels, and by what is best."""
    chances: dict[object, Fraction] = {}
    for one in situations:
        key = tuple([row for row in one.about if row[0] in labels]), one.best
        chances[key] = chances.get(key, Fraction()) + one.chance
    return chances


def _free(material: Material) -> Iterator[Case]:
    hints = material.system.hints
    for case in material.choices():
        step = case.thing.at.step
        for name in hints.spends_at.get(step, ()):
            yield Case(where(step, "spends_at", name), Hinted(case.thing, name))


@law("hints", "Name under `spends_at` only options that cost nothing.", over=_free)
def free_options_spend_nothing(material: Material, case: Hinted) -> Iterator[str]:
    """Options that hints call free spend nothing."""
    assert isinstance(case.met.node, Choice)
    option = case.met.node.named(case.field)
    if option is not None and not option.is_free:
        yield f"the option {option.name} spends {option.spends}, and is called free"


def _with_purse(material: Material) -> Iterator[Case]:
    return material.places() if material.system.hints.purse is not None else iter(())


@law("hints", "Let more to spend close no option, and count only what is spent.", over=_with_purse)
def a_purse_holds_only_what_is_spent(material: Material, met: Met) -> Iterator[str]:
    """Whoever has nothing to spend has no option that others lack, and fares as they do."""
    purse = material.system.hints.purse
    assert purse is not None  # else there is no case
    if isinstance(met.node, End):
        outcome = met.node.outcome
        for field in material.system.fields:
            if not field.of_purse and field.of(purse(outcome)) != field.of(outcome):
                yield f"{field.name} is another one without what can be spent"
    node = met.at.step.rule(purse(met.at.facts))
    if isinstance(met.node, Choice) and isinstance(node, Choice):
        more = {option.name for option in node.options} - {one.name for one in met.node.options}
        if more:
            yield f"only who has nothing to spend may take {', '.join(sorted(more))}"


LAWS: tuple[Law, ...] = (
    an_objective_is_about_its_field,
    an_objective_comes_to_what_it_says,
    options_that_are_outdone_are_worth_no_more,
    decisions_are_told_the_same,
    free_options_spend_nothing,
    a_purse_holds_only_what_is_spent,
)
