"""A game in front of an engine: rules, the first place, and what is settled beforehand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from affray.core.errors import AnswerError, Fault, RulesError
from affray.core.lazy import NamedTuple
from affray.core.names import nearest_name
from affray.core.node import At, Choice, Facts, Option
from affray.core.refused import option_refused
from affray.core.system import System
from affray.core.telling import shortened, shown

__all__ = [
    "Game", "Narrow", "Offered", "considered", "first_option", "free_options", "liked",
    "note_offer", "note_offers", "options_left", "settled_option",
]  # fmt: skip


Narrow = Callable[[At[Facts], Choice[Facts]], tuple[Option[Facts], ...]]
"""A filter on the options of a choice: it leaves some of them, at least one."""


def first_option(at: At[Facts], choice: Choice[Facts]) -> tuple[Option[Facts], ...]:
    """Only the option that is listed first; rule texts list first what costs nothing."""
    return choice.options[:1]


def free_options(at: At[Facts], choice: Choice[Facts]) -> tuple[Option[Facts], ...]:
    """Only options that spend nothing, as long as there are any."""
    return tuple(option for option in choice.options if option.is_free) or choice.options


class Game(NamedTuple):
    """An exchange ready to be played, priced or solved.

    Attributes:
        system: whose rules hold.
        start: the first place.
        settled: choices that are decided beforehand, by name of the step: the options that
            shall be taken, most wanted first. They are never asked, but logged.
        narrow: which options of a choice come into consideration at all; None: every one.
    """

    system: System[Facts]
    start: At[Facts]
    settled: Mapping[str, tuple[str, ...]] = {}
    narrow: Narrow | None = None

    def __repr__(self) -> str:
        decided = f", decided: {', '.join(self.settled)}" if self.settled else ""
        return f"<game of {self.system.id}, at {self.start.step.name}{decided}>"

    def settle(self, more: Mapping[str, tuple[str, ...]]) -> Game:
        """The same game with more choices decided beforehand.

        Raises:
            AnswerError: a name that is no step of the system, or no option for it.
        """
        for name, options in more.items():
            check_settled(self.system, name, options)
        return self._replace(settled={**self.settled, **more})


def check_settled(system: System[Facts], name: str, options: Sequence[str]) -> None:
    """Check that a choice can be settled beforehand.

    Args:
        system: whose choice it is.
        name: the step that offers it.
        options: the names of options, most wanted first.

    Raises:
        AnswerError: an unknown step, or no option.
    """
    names = [step.name for step in system.steps]
    if name not in names:
        told = f"{system.id} has no step {shown(name)} to settle"
        fault = Fault(
            "", told, shortened(name), ", ".join(names), "unknown-name", nearest_name(name, names)
        )
        raise AnswerError(f"{told}; steps: {', '.join(names)}", faults=[fault])
    if not options:
        raise AnswerError(f"{system.id}: {name} is settled to no option; name at least one")


def considered(game: Game, at: At[Facts], choice: Choice[Facts]) -> tuple[Option[Facts], ...]:
    """The options of a choice that come into consideration."""
    return choice.options if game.narrow is None else game.narrow(at, choice)


def liked(game: Game, at: At[Facts], choice: Choice[Facts]) -> tuple[Option[Facts], ...]:
    """The options that come into consideration, as the system's rule of thumb likes them.

    The best comes first, and of equals the one that is listed first; () where it has no say.
    """
    fight, options = game.system.fight, considered(game, at, choice)
    ranks = () if fight is None else fight.rule_of_thumb(at, choice)
    if not ranks:
        return ()
    by_option = zip(choice.options, ranks, strict=True)
    found = sorted(by_option, key=lambda row: -row[1])
    return tuple(option for option, _ in found if option in options)


Offered = dict[tuple[str, str], dict[str, bool]]
"""For an actor and a step with a habit the options that were met: on offer, or closed only."""


def note_offer(offered: Offered, at: At[Facts], choice: Choice[Facts]) -> None:
    """Note what a choice offers."""
    met = offered.setdefault((choice.actor, at.step.name), {})
    for name, _ in choice.closed:
        met.setdefault(name, False)
    for option in choice.options:
        met.update(dict.fromkeys((option.name, *option.also), True))


def note_offers(offered: Offered, more: Offered) -> None:
    """Note what was noted elsewhere."""
    for key, names in more.items():
        met = offered.setdefault(key, {})
        for name, is_open in names.items():
            met[name] = is_open or met.get(name, False)


def options_left(
    game: Game, at: At[Facts], choice: Choice[Facts]
) -> tuple[Option[Facts], ...]:  # fmt: skip
    """The options between which somebody decides; a single one where nobody does.

    Raises:
        AnswerError: what was settled is not on offer; says what is, and why the other is not.
        RulesError: the rule text offers nothing at all.
    """
    if not choice.options:
        raise RulesError(f"step {at.step.name} offers no option")
    wanted = game.settled.get(at.step.name)
    if wanted is None:
        return considered(game, at, choice)
    for name in wanted:
        option = choice.named(name)
        if option is not None:
            return (option,)
    raise refusal(at, choice, wanted[-1])


def settled_option(game: Game, at: At[Facts], choice: Choice[Facts]) -> Option[Facts] | None:
    """The option that was settled beforehand, the only one there is, or None if it is open.

    Raises:
        AnswerError, RulesError: as for `options_left`.
    """
    options = options_left(game, at, choice)
    return options[0] if len(options) == 1 else None


def refusal(at: At[Facts], choice: Choice[Facts], given: str) -> AnswerError:
    """Why an option can't be taken: the error for the one who wanted it."""
    why = dict(choice.closed).get(given, "")
    reason = f": {why}" if why else " is not on offer"
    told = f"{at.step.name} ({choice.ask}): {shown(given)}{reason}"
    return option_refused(told, given, (option.name for option in choice.options), why)
