"""Commands that people type in a fight besides answers: looking, taking over, a game master's."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, cast

from affray.app.inputs.fight_sheets import SIDES, situation_keys
from affray.app.inputs.intake import value_of
from affray.app.lines import always
from affray.app.revisions import EVERYTHING
from affray.cli.fight_seats import seat_named, seated, who_is
from affray.cli.person import ALWAYS, FOR_SIDE, Command, Tell
from affray.cli.person import COMMANDS as USUAL
from affray.cli.seats import ROLLED, Seat
from affray.cli.show_fight import condition_lines
from affray.core.errors import AnswerError
from affray.core.lazy import NamedTuple
from affray.core.names import unknown
from affray.core.telling import shown, value_told

if TYPE_CHECKING:
    from affray.app.fight import Fight
    from affray.cli.fight_log import FightLog

__all__ = ["COMMANDS", "HELP", "Commands"]

COMMANDS: Mapping[str, str] = {
    **USUAL, "table": "table", "t": "table", "who": "who", "log": "log", "take": "take",
    "give": "give", "set": "set", "ask": "ask", ALWAYS: ALWAYS, "habits": "habits",
    "gm": "gm", "chances": "chances", "hits": "hits",
}  # fmt: skip
"""The commands that are known at every question of a fight, by the words for them."""
HELP = """\
  a choice   its number or name, or the beginning of it, and what else
             is decided: attack husk 2 burst; Enter takes the usual.
             ? tells what each option is worth; with ! after it always,
             with !! for the whole side; burst! against husk
  always burst   the same at any prompt, of an option that was on offer
  all husks attack nearest   all of a kind, or all of the side, this round;
             again: what the one before did
  habits     what is always taken; habits off [N] gives it up
  dice       the faces, 6 4 or 64, 0 is ten; Enter or r rolls what is
             missing; 2=5 corrects die 2, of this roll or of the last one
  why [N]    everything about the last exchange, or that with this number
  u [N]      take back the last answer, or N; redo [N] gives them again
  table      the table; who NAME: what a condition does; log [N]: N turns;
             chances: that each side wins from here; hits: that an attack
             hits, with each option of the turn
  set                    tell the situation of both sides
  set KEY=VALUE          change it for both, as set distance_m=10
  set SIDE KEY=VALUE     of one side: one, other or its name
  set NAME > NAME KEY=VALUE  where one acts upon the other, or all
  ask [KEY]              have the situation asked again, or one key
  take NAME [rolled]     answer for a fighter or a side yourself
  give NAME [POLICY]     hand a fighter or a side to the computer
  gm set NAME KEY=VALUE  set or mend a condition; at=PLACE: elsewhere.
                         A key of the situation works as with set
  gm enter SIDE FIGHTER  bring in a fighter; gm leave NAME takes one out
  gm order NAME, NAME    the turns of this round that are still to come
  gm first WHO           who goes first from the next round on
  gm end VERDICT         end the fight: one, other, drawn or ended
  q          stop here; with --save the fight goes on from there"""
AGAINST = " against "
"""Stands between an option and the kind of enemy against which it is always taken."""
GM = ("set", "mend", "enter", "leave", "order", "first", "end")
_PAIR = re.compile(r"(?:(?P<name>.*?)\s+)?(?P<key>[A-Za-z_][A-Za-z0-9_]*)\s*=\s*(?P<value>.*)")


class _Pair(NamedTuple):
    """`NAME KEY=VALUE`: whom it is about ("": everybody), the key, and the value as it is meant."""

    name: str
    key: str
    value: object


def _pair(command: str, text: str) -> _Pair:
    match = _PAIR.fullmatch(text.strip())
    if match is None or not match["value"].strip():
        raise AnswerError(f"{command} {shown(text)}: write it as KEY=VALUE")
    value = value_of(match["value"].strip(), f"{command} {match['key']}")
    return _Pair((match["name"] or "").strip(), match["key"], value)


class Commands:
    """Carries out commands in a fight.

    Args:
        tell: shows a text.
        width: columns that there are.
        log: how what happened is told.
    """

    def __init__(self, tell: Tell, width: int, log: FightLog) -> None:
        self._tell = tell
        self._log_told = log
        self._width = width

    def done(self, fight: Fight, command: Command) -> Fight:
        """The fight after a command.

        Raises:
            AffrayError: it can't be done; nothing has changed.
        """
        rest = " ".join(command.words)
        if command.name == "who":
            self._who(fight, rest)
        elif command.name == "log":
            self._log(fight, command.number)
        elif command.name == "take":
            return self._take(fight, rest)
        elif command.name == "give":
            return self._give(fight, rest)
        elif command.name == "set" and not rest:
            self._tell_situation(fight)
        elif command.name == "set":
            return _situation(fight, rest)
        elif command.name == "ask":
            return fight.hand("ask", key=rest or "all")
        elif command.name == ALWAYS:
            return _always(fight, command)
        elif command.name == "habits":
            return self._habits(fight, command.words)
        elif command.name == "gm":
            return _gm(fight, rest)
        else:
            self._tell(HELP)
        return fight

    def _who(self, fight: Fight, text: str) -> None:
        """Tell everything of a fighter's condition; of everybody's if nobody is named."""
        here = fight.session.position
        wanted = who_is(here, text, sides=False)[0] if text else ""
        for row in fight.view().fighters:
            if wanted in {"", row.name}:
                for line in condition_lines(row, self._width):
                    self._tell(line)

    def _tell_situation(self, fight: Fight) -> None:
        """Tell what each side's situation says that is not as usual."""
        contest = fight.session.contest
        for side in contest.sides:
            setup = cast("Any", side.situation)
            said = [
                f"{field.name}={_called(getattr(setup, field.name))}"
                for field in fields(setup)
                if field.name in situation_keys(contest.system)
                and getattr(setup, field.name) != field.default
            ]
            self._tell(f"  {side.name}: {', '.join(said) or 'nothing out of the ordinary'}")
        for row in fight.view().situations:
            if not row.side:
                two = (row.fighter, "all"), (row.target, "all")
                one, other = (name or anybody for name, anybody in two)
                self._tell(f"  {one} > {other}: {row.key}={_called(row.value)}")

    def _habits(self, fight: Fight, words: tuple[str, ...]) -> Fight:
        """Tell the habits, or give one of them up; all without a number."""
        rows = fight.view().habits
        if words[:1] == ("off",):
            number = words[1] if len(words) > 1 else ""
            known = [str(place) for place in range(1, len(rows) + 1)]
            if number and number not in known:
                raise unknown("number of a habit", number, known)
            dropped = rows[int(number) - 1 : int(number)] if number else rows
            for row in dropped:
                more = {"against": row.against} if row.against else {}
                fight = fight.hand("habit", who=row.who, step=row.step, option="", **more)
            return fight
        for place, row in enumerate(rows, start=1):
            whom = fight.view().sides[SIDES.index(row.who)] if row.who in SIDES else row.who
            against = f" against {row.against}" if row.against else ""
            step = row.step.replace("_", " ")
            self._tell(f"  {place} {whom}: always {row.option}{against} ({step})")
        if not rows:
            self._tell("  nobody has a habit; type ! after an option to take it always")
        return fight

    def _log(self, fight: Fight, turns: int) -> None:
        """Tell again what happened in the last turns."""
        events = fight.view(since=EVERYTHING).events
        starts = [place for place, event in enumerate(events) if event.kind == "turn"]
        for line in self._log_told.events(events[starts[-turns] if len(starts) >= turns else 0 :]):
            self._tell(line)

    def _take(self, fight: Fight, rest: str) -> Fight:
        """A person answers for a fighter or a side from now on."""
        name, kind = who_is(fight.session.position, rest)
        seat = seat_named(kind) if kind else _own(fight)
        if not seat.decides:
            raise unknown("way to take somebody over", kind, ("typed", "rolled"))
        return self._told(seated(fight, name, seat), name, seat)

    def _give(self, fight: Fight, rest: str) -> Fight:
        """The computer answers for a fighter or a side from now on."""
        name, policy = who_is(fight.session.position, rest)
        seat = seat_named(f"computer:{policy}" if policy else "computer")
        return self._told(seated(fight, name, seat), name, seat)

    def _told(self, fight: Fight, name: str, seat: Seat) -> Fight:
        who = "you answer" if seat.decides else "the computer answers"
        whom = fight.view().sides[SIDES.index(name)] if name in SIDES else name
        self._tell(f"  {who} for {whom} from now on ({seat.told})")
        return fight


def _always(fight: Fight, command: Command) -> Fight:
    """The fight once an option is a habit, which is taken from now on."""
    text, _, against = " ".join(command.words).partition(AGAINST)
    words = text.split()
    for_side = words[-1:] == [FOR_SIDE]
    option = " ".join(words[:-1] if for_side else words)
    habit = always(fight, option, for_side=for_side, against=against)
    return fight.hand(habit.what, **habit.values)


def _called(value: object) -> str:
    """A value of a situation: things by their names."""
    return str(getattr(value, "name", "")) or value_told(value)


def _own(fight: Fight) -> Seat:
    """The way in which people answer at this table already."""
    seats = map(seat_named, fight.seats.values())
    return next((seat for seat in seats if seat.decides), ROLLED)


# -- a game master's hand ------------------------------------------------------------------------


def _situation(fight: Fight, rest: str) -> Fight:
    pair = _pair("set", rest)
    here = fight.session.position
    if ">" in pair.name:
        two = [name.strip() for name in pair.name.split(">", 1)]
        actor, target = (n if n == "all" else who_is(here, n, sides=False)[0] for n in two)
        return fight.hand("between", fighter=actor, target=target, key=pair.key, value=pair.value)
    side = who_is(here, pair.name, fighters=False)[0] if pair.name else "both"
    return fight.hand("situation", side=side, key=pair.key, value=pair.value)


def _is_of_situation(fight: Fight, pair: _Pair) -> bool:
    """Whether a game master means the situation: its key, of both sides, of one, or of two."""
    here = fight.session.position
    if pair.key not in situation_keys(here.contest.system):
        return False
    sides = (*SIDES, *(side.name for side in here.contest.sides))
    whole = pair.name.casefold() in {"", *(side.casefold() for side in sides)}
    return whole or ">" in pair.name


def _gm(fight: Fight, text: str) -> Fight:
    what, _, rest = text.strip().partition(" ")
    here, rest = fight.session.position, rest.strip()
    if what not in GM:
        raise unknown("command of a game master", what, GM)
    if what in {"set", "mend"}:
        pair = _pair(f"gm {what}", rest)
        if _is_of_situation(fight, pair):
            return _situation(fight, rest)
        who = who_is(here, pair.name, sides=False)[0]
        return fight.hand("set", fighter=who, key=pair.key, value=pair.value)
    if what == "enter":
        side, name = who_is(here, rest, fighters=False)
        return fight.hand("enter", side=side, fighter=name)
    if what == "leave":
        return fight.hand("leave", fighter=who_is(here, rest, sides=False)[0])
    if what == "order":
        order = []
        while rest:
            name, rest = who_is(here, rest, sides=False)
            order.append(name)
        return fight.hand("order", order=order)
    sides = [side.name for side in here.contest.sides]
    meant = SIDES[sides.index(rest)] if rest in sides else rest
    return fight.hand("first", first=meant) if what == "first" else fight.hand("end", verdict=meant)
