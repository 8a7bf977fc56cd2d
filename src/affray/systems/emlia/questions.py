"""Outcome fields, and the goals that a side can have."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from affray.core.system import Field, Objective, a_chance, none_or_more
from affray.systems.emlia.actions import skill_of
from affray.systems.emlia.aftermath import next_sheets
from affray.systems.emlia.engagement import formation_of
from affray.systems.emlia.measured import skirmishes_of
from affray.systems.emlia.reading import Outcome
from affray.systems.emlia.state import Exchange, status_of
from affray.systems.emlia.strength import in_contact, is_here, level_of
from affray.systems.emlia.table.letters import letters
from affray.systems.emlia.table.picture import drawing as drawn

__all__ = ["EIGHT", "FIELDS", "OBJECTIVES", "drawing", "picture", "tally"]

EIGHT = range(1, 9)
"""Troops of the target's side that have a field of their own."""


def tally(number: int) -> Callable[[Exchange], int]:
    """Successes, or ones, of all checks; that of the last may not have been counted yet."""

    def of(x: Exchange) -> int:
        counted, rolled = x.ones if number else x.successes, x.rolled
        if rolled is None:
            return counted
        if isinstance(rolled, Outcome):  # of a check that is not rolled
            return counted + (0 if number else rolled.net)
        return counted + rolled[number]

    return of


# -- parties ---------------------------------------------------------------------------------


def _enemies(x: Exchange) -> tuple[int, ...]:
    return x.terms.enemies


def _own(x: Exchange) -> tuple[int, ...]:
    return tuple([place for place, party in enumerate(x.terms.troops) if party.unit == 0])


def _mates(x: Exchange) -> tuple[int, ...]:
    """Friends who don't act."""
    troops = enumerate(x.terms.troops)
    return tuple([place for place, one in troops if one.side == "friend" and one.unit])


def _points(x: Exchange, places: tuple[int, ...]) -> int:
    return sum([x.dealt[place] for place in places]) if x.dealt else 0


def _fallen(x: Exchange, place: int) -> int:
    """Members lost in this activation: marked, or gone already; all if it is destroyed in it."""
    troop, status = x.terms.troops[place].troop, x.statuses[place]
    if status_of(troop, x.rulings).destroyed:
        return 0
    if status.destroyed:
        return troop.members - troop.marked
    return status.marked + status.lost - troop.lost - troop.marked


def _casualties(places: Callable[[Exchange], tuple[int, ...]]) -> Callable[[Exchange], int]:
    def of(x: Exchange) -> int:
        return sum(_fallen(x, place) for place in places(x))

    return of


def _by(count: Callable[[Exchange, int], int]) -> Callable[[Exchange], str]:
    """A number for each enemy by name, in order; zeros are left out."""

    def of(x: Exchange) -> str:
        rows = ((x.terms.troops[place].name, count(x, place)) for place in _enemies(x))
        return ", ".join(f"{name} {n}" for name, n in rows if n) or "none"

    return of


def _damage(x: Exchange) -> int:
    return _points(x, _enemies(x))


def _damage_of(number: int) -> Callable[[Exchange], int]:
    def of(x: Exchange) -> int:
        dealt, places = x.dealt, x.terms.enemies
        return dealt[places[number - 1]] if dealt and number <= len(places) else 0

    return of


def _has(number: int) -> Callable[[Exchange], bool]:
    def fits(x: Exchange) -> bool:
        return len(_enemies(x)) >= max(2, number)

    return fits


def _markers(x: Exchange) -> int:
    return sum(x.statuses[place].markers for place in _enemies(x))


def _rows(x: Exchange) -> str:
    """Rows that came up on threshold tables in this activation, in order of their names."""
    came = []
    for party, status in zip(x.terms.troops, x.statuses, strict=True):
        rows = list(status.rolled)
        for row in party.troop.came_up:
            rows.remove(row)
        came += rows
    return ", ".join(came) or "none"


def _is_gone(x: Exchange, place: int) -> bool:
    status = x.statuses[place]
    return not is_here(status) or status.marked >= status.members


def _target(x: Exchange) -> Iterator[int]:
    for place, party in enumerate(x.terms.troops):
        if party.unit == x.terms.target:
            yield place


def _is_dead(x: Exchange) -> bool:
    return all(_is_gone(x, place) for place in _target(x))


def _destroyed(x: Exchange) -> bool:
    return any(x.statuses[place].destroyed for place in _enemies(x))


def _marked(x: Exchange) -> int:
    return sum(x.statuses[place].marked for place in _target(x) if is_here(x.statuses[place]))


def _members_left(x: Exchange) -> int:
    return sum(
        x.statuses[place].members - x.statuses[place].marked
        for place in _target(x)
        if is_here(x.statuses[place])
    )


def _own_left(x: Exchange) -> int:
    return sum(
        x.statuses[place].members - x.statuses[place].marked
        for place in _own(x)
        if is_here(x.statuses[place])
    )


def _level_left(x: Exchange) -> int:
    """The level of the target's first skill; for those who have one."""
    party, status = x.terms.troops[x.terms.target], x.statuses[x.terms.target]
    wanted = skill_of(party.troop, "close_combat") or next(iter(party.troop.skills), None)
    return 0 if wanted is None else level_of(party.troop, status, wanted, x.rulings)


def _pinned(x: Exchange) -> int:
    """Members of the enemy who may not strike."""
    return sum(x.statuses[place].pinned for place in _enemies(x))


def _exposed(x: Exchange) -> int:
    return x.statuses[0].exposed


def _morale(x: Exchange) -> int:
    return x.statuses[x.terms.target].morale


def _own_morale(x: Exchange) -> int:
    return x.statuses[0].morale


def _dice(x: Exchange) -> int:
    return x.checks[0].dice if x.checks else 0


def _difficulty(x: Exchange) -> int:
    return x.checks[0].difficulty if x.checks else 0


def _focus(x: Exchange) -> str:
    return "none" if x.decided.focus is None else x.terms.troops[x.decided.focus].name


def _formation(x: Exchange) -> str:
    return formation_of(x.terms, x.decided, 0)


# -- fitting questions -----------------------------------------------------------------------


def _action(x: Exchange) -> str:
    return x.decided.action or x.terms.setup.action


def _disengages(x: Exchange) -> bool:
    return _action(x) in {"disengage", "distract"}


def _flees(x: Exchange) -> bool:
    return _action(x) in {"disengage", "move"}


def _only_moves(x: Exchange) -> bool:
    return _action(x) in {"move", "break_ranks", "pass"}


def _attacks(x: Exchange) -> bool:
    return not (_disengages(x) or _only_moves(x))


def _faces_strikes(x: Exchange) -> bool:
    return any(party.engages for party in x.terms.troops)


FIELDS: tuple[Field[Exchange], ...] = (
    Field("damage", "points of damage that the enemy takes", _damage, "EM-41", "points",
          fits=_attacks),
    Field("pinned", "enemies who may not make Free Strikes", _pinned, "EM-36", "members",
          fits=_disengages),
    Field("pinned_by", "pinned members of each enemy troop",
          _by(lambda x, place: x.statuses[place].pinned), "EM-36", fits=_disengages),
    Field("own_casualties", "members that the acting unit loses to Free Strikes", _casualties(_own),
          "EM-12", "members", fits=_faces_strikes),
    Field("casualties", "members that the enemy loses", _casualties(_enemies), "EM-42", "members"),
    Field("casualties_by", "members that each enemy troop loses", _by(_fallen), "EM-42"),
    Field("damage_by", "points of damage that each enemy troop takes",
          _by(lambda x, place: _points(x, (place,))), "EM-53"),
    *(Field(f"damage_{n}", f"points of damage of enemy troop {n}, in the order of the setup",
            _damage_of(n), "EM-53", "points", fits=_has(n)) for n in EIGHT),
    Field("hits", "hits on the enemy", lambda x: x.hits, "EM-30", "hits"),
    Field("successes", "successes of the check, before ones cancel any", tally(0),
          "EM-4", "successes"),
    Field("ones", "ones of the check", tally(1), "EM-4", "ones"),
    Field("net", "net successes", lambda x: x.net, "EM-4", "successes"),
    Field("fumble", "excess ones of a fumble", lambda x: x.excess, "EM-4", "ones", ("excess",)),
    Field("difficulty", "difficulty of the first check", _difficulty, "EM-3"),
    Field("dice", "dice of the first check", _dice, "EM-3", "dice"),
    Field("focus", "the troop in focus", _focus, "EM-52"),
    Field("markers", "hits left as markers on the enemy", _markers, "EM-54", "hits"),
    Field("markers_by", "hits left as markers on each enemy troop",
          _by(lambda x, place: x.statuses[place].markers), "EM-54"),
    Field("lost", "hits that hurt nobody", lambda x: x.lost, "EM-54", "hits"),
    Field("rolls", "rolls on threshold tables", lambda x: x.rolls, "EM-43", "rolls"),
    Field("table", "rows that came up on threshold tables", _rows, "EM-43"),
    Field("destroyed", "whether a table destroyed an enemy", _destroyed, "EM-43"),
    Field("dead", "whether nobody of the target is left", _is_dead, "EM-42"),
    Field("members_left", "members of the target who are not marked", _members_left, "EM-44",
          "members"),
    Field("marked", "members of the target who are marked and still on the table", _marked, "EM-44",
          "members"),
    Field("next_sheets", "changes to the sheets for the next activation", next_sheets,
          "EM-44"),
    Field("level_left", "the target's level in close combat, or its first skill", _level_left,
          "EM-45", "levels"),
    Field("friend_hits", "hits on friends in the combat", lambda x: x.friendly, "EM-33", "hits"),
    Field("friend_casualties", "members that friends in the combat lose", _casualties(_mates),
          "EM-34", "members"),
    Field("friend_dies", "whether a friend in the combat dies",
          lambda x: _casualties(_mates)(x) > 0, "EM-34"),
    Field("own_left", "members of the acting unit who are not marked", _own_left, "EM-12",
          "members"),
    Field("in_contact", "members of the acting unit who touch the target",
          lambda x: in_contact(x.terms, x.statuses, x.decided, x.pressed), "EM-26", "members"),
    Field("moved", "length of the movement", lambda x: x.moved, "EM-35"),
    Field("reached", "whether a charge, or a move to attack, reaches its target",
          lambda x: x.reached, "EM-35"),
    Field("left", "whether the unit has moved away", lambda x: x.left, "EM-11"),
    Field("exposed", "bonus of enemies after a fumbled Disengage", _exposed, "EM-36"),
    Field("formation", "formation of the acting unit", _formation, "EM-25"),
    Field("morale", "change of the target's morale", _morale, "EM-24"),
    Field("own_morale", "change of the acting unit's morale", _own_morale, "EM-35"),
)  # fmt: skip


def _spare(x: Exchange) -> int:
    return _damage(x) - _points(x, _mates(x))


def _escape(x: Exchange) -> int:
    return _own_left(x) if x.left else 0


OBJECTIVES: tuple[Objective[Exchange], ...] = (
    Objective("damage", "expected points of damage to the enemy", _damage, "attacker", "damage",
              fits=_attacks, comes_to=none_or_more),
    Objective("escape", "expected members who get away", _escape, "attacker", fits=_flees),
    Objective("pin", "expected enemies pinned", _pinned, "attacker",
              fits=_disengages),
    Objective("casualties", "expected casualties of the enemy", _casualties(_enemies), "attacker",
              comes_to=none_or_more),
    Objective("destroy", "chance that nobody of the target is left", lambda x: int(_is_dead(x)),
              "attacker", comes_to=a_chance),
    Objective("spare", "damage to the enemy less damage to friends in the combat", _spare,
              "attacker"),
    Objective("members", "expected members of the target who are left", _members_left, "defender",
              comes_to=none_or_more),
    Objective("survive", "chance that somebody of the target is left",
              lambda x: int(not _is_dead(x)), "defender", comes_to=a_chance),
)  # fmt: skip


# -- pictures --------------------------------------------------------------------------------


def picture(x: Exchange) -> str:
    """The units on the table in letters; "" without a table."""
    table = x.terms.setup.table
    if table is None:
        return ""
    return letters(table, skirmishes=skirmishes_of(x.terms))


def drawing(x: Exchange) -> str:
    """The units on the table as an SVG document; "" without a table."""
    table = x.terms.setup.table
    if table is None:
        return ""
    return drawn(table, skirmishes_of(x.terms))
