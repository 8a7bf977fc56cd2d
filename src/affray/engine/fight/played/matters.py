"""What is asked of the situation before a deed is done, and what becomes of the answers.

A matter is asked once for those for whom its answer holds; the answer is a ground of the position
like one that a game master sets. Nothing is asked of deeds that nobody has a say in, nor on a board
that shows where everybody stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import Any

from affray.core.errors import AnswerError, SetupError
from affray.core.fight import Deed, Scene
from affray.core.lazy import NamedTuple
from affray.core.matter import Matter, Offer
from affray.core.names import unknown
from affray.engine.fight.course import FighterId
from affray.engine.fight.played.deeds import encounter
from affray.engine.fight.played.position import Event, Ground, Position

__all__ = [
    "ALL", "NO_MORE", "Chosen", "Unsaid", "asked_again", "check_grounds", "first_of_scene",
    "first_unsaid", "lapsed", "mirrored", "said", "unsaid_before",
]  # fmt: skip

ALL = "all"
"""Said after an answer: it holds for everybody."""
NO_MORE = "stop asking"
"""The answer that everything is as assumed, from now on."""
STOPS = frozenset({NO_MORE, "stop", "ask no more"})
"""All that is taken for it; older saved fights have the last."""


class Chosen(NamedTuple):
    """A deed that somebody has chosen, and to whom it will be done.

    Attributes:
        actor, deed, target: who does what to whom.
        is_scene: whether it only stands for all that both sides may do: the scene is being set
            before the first round, and what is said holds for everybody of the two sides.
    """

    actor: FighterId
    deed: Deed
    target: FighterId
    is_scene: bool = False


class Unsaid(NamedTuple):
    """Something of the situation that nobody has said yet, and that matters for a deed.

    Attributes:
        matter: what it is.
        scene: the exchange that is about to be declared.
        offers: the values; the first is assumed unless somebody says otherwise.
    """

    matter: Matter[Any]
    scene: Scene[Any, Any]
    offers: tuple[Offer, ...]


def mirrored(key: str, matters: Iterable[Matter[Any]]) -> str:
    """The key under which the same thing stands where two have each other's roles; "": none."""
    return next((matter.mirror for matter in matters if matter.key == key), "")


def first_of_scene(here: Position) -> tuple[Chosen, Unsaid] | None:
    """The first thing that is to be asked before round 1, with a deed for which it matters."""
    met = set()
    for actor in here.course.everybody:
        deeds = here.contest.deeds(actor.side, *here.both(actor))
        for deed, target in product(deeds, here.course.everybody):
            kind = actor.side, deed, here.sheet(actor), here.sheet(target)
            if deed.on != "foe" or target.side == actor.side or kind in met:
                continue
            met.add(kind)
            chosen = Chosen(actor, deed, target, is_scene=True)
            unsaid = first_unsaid(here, chosen)
            if unsaid is not None:
                return chosen, unsaid
    return None


def first_unsaid(here: Position, chosen: Chosen) -> Unsaid | None:
    """The first thing that is to be asked before a deed; None: nothing is left."""
    if here.board is not None or here.whole is not None:
        return None
    actor, _, target, _ = chosen
    for matter in here.contest.fight.matters:
        if (actor.side, matter.key) not in here.unsaid:
            continue
        if any(one.key == matter.key and one.holds(actor, target) for one in here.grounds):
            continue
        scene = _scene(here, chosen)
        offers = () if scene is None else matter.offers(scene)
        if scene is not None and offers:
            stands = getattr(scene.setup, matter.key)
            found = sorted(offers, key=lambda offer: offer.value != stands)
            return Unsaid(matter, scene, tuple(found))
    return None


def _scene(here: Position, chosen: Chosen) -> Scene[Any, Any] | None:
    """The exchange that is about to be declared, with everybody's names."""
    actor, deed, target, _ = chosen
    matchup, met = encounter(here, actor, deed, target)
    if matchup.setup is None:
        return None
    setup = here.contest.fight.named(matchup.setup, *names_of(here, chosen))
    return Scene(setup, deed, met.actor, met.target, met.context, here.contest.rulings, met.company)


def said(here: Position, chosen: Chosen, unsaid: Unsaid, text: str) -> Position:
    """The position after somebody said how it is.

    Args:
        here: where it was asked.
        chosen: the deed for which it matters.
        unsaid: what was asked.
        text: a name on offer, perhaps with "all" after it; or what the matter reads.

    Raises:
        AnswerError: it is not on offer, or can't be in this fight.
    """
    matter = unsaid.matter
    asked = unsaid_told(here, chosen, unsaid)
    if text in STOPS:
        event = _event(here, chosen, "Nothing more is asked; everything else is as usual")
        return here._replace(unsaid=frozenset(), events=(event,))
    name, for_all = text, matter.for_all
    if not for_all and text.endswith(f" {ALL}"):
        name, for_all = text[: -len(ALL)].rstrip(" ,"), True
    try:
        offer = _offer(unsaid, name)
        alike = _alike(here, chosen, matter) if chosen.is_scene and not for_all else (chosen,)
        for_all = for_all or (chosen.is_scene and matter.holds == "pair")
        grounds = tuple(
            g for one in alike for g in _grounds(here, one, matter, offer, for_all=for_all)
        )
        there = here._replace(grounds=(*here.grounds, *grounds))
        check_grounds(there, grounds)
    except SetupError as error:
        faults = error.at("/option", "answer").faults
        raise AnswerError(f"{asked} {error}", faults=faults) from None
    words = f" ({offer.words})" if offer.words else ""
    event = _event(here, chosen, f"{_told(here, chosen, matter, offer, for_all=for_all)}{words}")
    return there._replace(events=(event,))


def _told(
    here: Position, chosen: Chosen, matter: Matter[Any], offer: Offer, *, for_all: bool
) -> str:
    """What was said, as a line of the log."""
    one, other = names_of(here, chosen)
    if for_all and not chosen.is_scene:
        one = other = "anybody"
    if matter.told:
        return matter.told.format(actor=one, target=other, value=offer.name)
    whose = {"fight": "", "sides": "", "pair": f"{one} and {other}: ", "actor": f"{one}: ",
             "target": f"{other}: "}[matter.holds]  # fmt: skip
    return f"{whose}{matter.key.replace('_', ' ')} {offer.name}"


def unsaid_told(here: Position, chosen: Chosen, unsaid: Unsaid) -> str:
    """The question as it is asked, with names."""
    one, other = names_of(here, chosen)
    return unsaid.matter.ask.format(actor=one, target=other)


def names_of(here: Position, chosen: Chosen) -> tuple[str, str]:
    """The names of those of whom something is asked: the two sides, where it is the scene."""
    if not chosen.is_scene:
        return here.name(chosen.actor), here.name(chosen.target)
    one, other = (here.contest.sides[who.side].name for who in (chosen.actor, chosen.target))
    return one, other


def _alike(here: Position, chosen: Chosen, matter: Matter[Any]) -> Iterator[Chosen]:
    """The same deed of everybody of one side to everybody of the other, once for each ground."""
    everybody = here.course.everybody
    actors = [who for who in everybody if who.side == chosen.actor.side]
    targets = [who for who in everybody if who.side == chosen.target.side]
    if matter.holds == "target":
        yield from (chosen._replace(target=target) for target in targets)
    elif matter.holds == "actor":
        yield from (chosen._replace(actor=actor) for actor in actors)
    else:
        yield chosen


def _offer(unsaid: Unsaid, name: str) -> Offer:
    """The offer that is called so, or what the matter reads.

    Raises:
        SetupError: there is none.
    """
    for offer in unsaid.offers:
        if offer.name == name:
            return offer
    if unsaid.matter.reads is not None:
        return unsaid.matter.reads(unsaid.scene, name)
    names = [offer.name for offer in unsaid.offers]
    raise AnswerError(str(unknown("answer", name, names)))


def _grounds(
    here: Position, chosen: Chosen, matter: Matter[Any], offer: Offer, *, for_all: bool
) -> Iterator[Ground]:
    """What holds from now on."""
    actor, _, target, _ = chosen
    if matter.holds == "sides":
        turned = dict(dict(here.contest.fight.turned)[matter.key])
        for who in here.course.everybody:
            value = offer.value if who.side == actor.side else turned[str(offer.value)]
            yield Ground(who, None, matter.key, value, offer.name)
        return
    one: FighterId | None = actor
    other: FighterId | None = target
    if for_all or matter.holds == "target":
        one = None
    if for_all or matter.holds == "actor":
        other = None
    yield Ground(one, other, matter.key, offer.value, offer.name)
    back = matter.mirror or (matter.key if matter.holds == "pair" else "")
    if back and (one, other, matter.key) != (other, one, back):
        yield Ground(other, one, back, offer.value, offer.name)


def _event(here: Position, chosen: Chosen, why: str) -> Event:
    now = here.in_full
    return Event(
        "situation", here.moment.round, chosen.actor, target=chosen.target, before=now, after=now,
        why=why,
    )  # fmt: skip


def check_grounds(here: Position, grounds: Iterable[Ground]) -> None:
    """Check that what holds between some of them contradicts nothing.

    Raises:
        SetupError: it does; says for whom.
    """
    fighters = here.contest.sides[0].fighters, here.contest.sides[1].fighters
    fresh = tuple(grounds)
    for actor, target in product(here.course.everybody, repeat=2):
        if actor.side == target.side or not any(one.holds(actor, target) for one in fresh):
            continue
        met = [side.situation for side in here.contest.sides]
        for one, two in ((actor, target), (target, actor)):
            met[one.side] = here.situation(one, two) or met[one.side]
        clash = here.contest.fight.clash((met[0], met[1]), fighters)
        if clash:
            raise SetupError(f"{here.name(actor)} upon {here.name(target)}: {clash}")


# -- what is asked again -------------------------------------------------------------------------


def asked_again(here: Position, key: str) -> Position:
    """The position in which something is asked again when it next matters; "": everything.

    Raises:
        UnknownNameError: nothing is asked under this key.
    """
    matters = here.contest.fight.matters
    keys = {matter.key for matter in matters}
    if key and key not in keys:
        raise unknown("thing that is asked of the situation", key, sorted(keys))
    again = {key} if key else keys
    dropped = again | {mirrored(one, matters) for one in again}
    kept = tuple(one for one in here.grounds if one.key not in dropped)
    more = {(side, one) for side in (0, 1) for one in again}
    return here._replace(grounds=kept, unsaid=here.unsaid | more)


def unsaid_before(here: Position, key: str, sides: tuple[int, ...]) -> Position:
    """The position in which a side's own situation counts for a key, whatever was said before.

    Args:
        here: the position.
        key: of the setup.
        sides: the numbers of the sides.
    """
    kept: list[Ground] = []
    for one in here.grounds:
        if one.key != key or not one.said:
            kept.append(one)
        elif one.actor is not None:
            kept += [] if one.actor.side in sides else [one]
        else:
            others = (who for who in here.course.everybody if who.side not in sides)
            kept += [one._replace(actor=who) for who in others]
    left = here.unsaid - {(side, key) for side in sides}
    return here._replace(grounds=tuple(kept), unsaid=left)


def lapsed(here: Position, actor: FighterId, outcome: Any) -> Position:
    """The position without what was said of somebody and no longer holds after an exchange."""
    if not here.grounds:
        return here
    matters = here.contest.fight.matters
    ended = [matter for matter in matters if matter.lapses(outcome)]
    if not ended:
        return here
    ends = [_about(matter, actor) for matter in ended]
    pairs = {key for one in ended if one.holds == "pair" for key in (one.key, one.mirror)}
    kept: list[Ground] = []
    for one in here.grounds:
        if one.said and one.key in pairs and (one.actor is None or one.target is None):
            kept += (
                one._replace(actor=who, target=whom)
                for who, whom in product(here.course.everybody, repeat=2)
                if who.side != whom.side and actor not in (who, whom) and one.holds(who, whom)
            )
        elif not any(is_about(one) for is_about in ends):
            kept.append(one)
    return here._replace(grounds=tuple(kept))


def _about(matter: Matter[Any], who: FighterId) -> Callable[[Ground], bool]:
    """Tells whether a ground is what was said of somebody."""

    def is_about(ground: Ground) -> bool:
        if not ground.said:
            return False
        own, theirs = ground.actor == who, ground.target == who
        if matter.holds == "pair":
            return ground.key in {matter.key, matter.mirror} and (own or theirs)
        acts = matter.holds == "actor"
        straight = ground.key == matter.key and (own if acts else theirs)
        back = ground.key == matter.mirror and (theirs if acts else own)
        return straight or back

    return is_about
