"""Effects that don't look at a hidden number: applied once for all values of it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

import pytest

from affray.core.errors import SetupError
from affray.core.hints import Hidden, hides
from affray.core.lazy import NamedTuple
from affray.core.unknown import UNKNOWN, Parts
from affray.engine.fight.duels import overlooked
from affray.engine.fight.duels.overlooked import Overlooked
from tests.engine.fight.duels.shipped import shipped_duel


class Body(NamedTuple):
    """Somebody with wounds, and a tally of those in this round."""

    name: str
    wounds: int = 0
    tally: int = 0


BODIES: Hidden[Any] = hides("wounds", beside=("tally",))
"""Wounds come first among the hidden numbers, and every effect below but one looks at them."""


def wound(body: Body) -> Body:
    return body._replace(wounds=body.wounds + 1, tally=body.tally + 1)


def check(body: Body) -> Body:
    return body._replace(wounds=body.wounds + 1, tally=0)


def rename(body: Body) -> Body:
    return body._replace(name=f"{body.name} again")


def apply(body: Any, effect: Any) -> Any:
    return effect(body)


class Asked:
    """What applies effects, and how often it was asked."""

    def __init__(self) -> None:
        self.bodies: list[Body] = []

    def __call__(self, body: Any, effect: Any) -> Any:
        self.bodies.append(body)
        return effect(body)


def parts(body: Body) -> Parts:
    return Parts(("wounds", "tally"), (body.wounds, body.tally))


def seeking(
    effect: Callable[[Body], Body], ask: Callable[[Hashable, Hashable], Hashable] = apply
) -> Overlooked:
    found = Overlooked(BODIES, ask, {}, "toy: an effect")
    found.seek(Body("a", 1, 2), parts(Body("a", 1, 2)), effect)
    return found


def line_of(found: Overlooked, body: Body) -> overlooked.Line | None:
    return found.line(hash(body), body, parts(body))


def test_conditions_that_differ_in_an_overlooked_number_share_a_line() -> None:
    found = seeking(check)
    line = line_of(found, Body("a", 1, 0))
    assert line is not None
    assert line.veiled == Body("a", 1, UNKNOWN)  # type: ignore[arg-type]  # what stands there
    assert line is line_of(found, Body("a", 1, 5))
    assert line is not line_of(found, Body("a", 2, 0))
    assert line is not line_of(found, Body("b", 1, 0))


def test_an_effect_that_does_not_look_makes_the_same_of_a_whole_line() -> None:
    found = seeking(check)
    line = line_of(found, Body("a", 1, 3))
    assert line is not None
    assert found.after(line, check, 1) == check(Body("a", 1, 0)) == check(Body("a", 1, 3))


@pytest.mark.parametrize("effect", [wound, rename])
def test_an_effect_that_looks_or_passes_it_on_makes_nothing_of_a_line(effect: Any) -> None:
    """It is asked for once; from then on it is known to look."""
    asked = Asked()
    found = seeking(check, asked)
    line = line_of(found, Body("a", 1, 3))
    assert line is not None
    asked.bodies.clear()
    assert [found.after(line, effect, 7) for _ in range(3)] == [None] * 3
    assert asked.bodies == [line.veiled]
    assert found.after(line, check, 8) == Body("a", 2, 0)  # others still don't


@pytest.mark.parametrize("effect", [wound, rename])
def test_there_are_no_lines_before_an_effect_overlooks_a_number(effect: Any) -> None:
    assert line_of(seeking(effect), Body("a", 1, 3)) is None


def test_whoever_seeks_stops_at_the_first_number_and_after_some_effects(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(overlooked, "TRIED", 2)
    asked, body = Asked(), Body("a", 1, 2)
    found = Overlooked(BODIES, asked, {}, "toy: an effect")
    for _ in range(4):
        found.seek(body, parts(body), wound)
    assert len(asked.bodies) == 2 * len(parts(body).values)
    found.seek(body, parts(body), check)
    assert line_of(found, body) is None  # too late
    again = seeking(check, asked)
    asked.bodies.clear()
    again.seek(body, parts(body), check)
    assert not asked.bodies


def test_the_first_number_that_an_effect_overlooks_makes_lines() -> None:
    line = line_of(seeking(lambda body: Body(body.name)), Body("a", 1, 3))
    assert line is not None
    assert line.veiled == Body("a", UNKNOWN, 3)  # type: ignore[arg-type]  # what stands there


def test_a_single_hidden_number_has_no_lines() -> None:
    asked = Asked()
    found = Overlooked(hides("wounds"), asked, {}, "toy: an effect")
    found.seek(Body("a", 1), 1, check)
    assert not asked.bodies
    seen = seeking(check)
    assert seen.line(0, Body("a", 1), 1) is None


def test_a_condition_that_has_a_number_holds_nothing_unknown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It need not be looked into once more."""
    known: dict[Hashable, int] = {}
    found = Overlooked(BODIES, apply, known, "toy: an effect")
    found.seek(Body("a", 1, 2), parts(Body("a", 1, 2)), check)
    line = line_of(found, Body("a", 1, 3))
    assert line is not None
    known[Body("a", 2, 0)] = 4
    monkeypatch.setattr(overlooked, "holds_unknown", lambda _: pytest.fail("looked into"))
    assert found.after(line, check, 1) == Body("a", 2, 0)


def test_what_the_rules_refuse_is_told() -> None:
    def refuse(body: Body) -> Body:
        raise SetupError(f"nobody is called {body.name}")

    with pytest.raises(SetupError, match="nobody is called a"):
        seeking(refuse)


def test_a_built_in_function_that_refuses_the_unknown_counts_as_a_look() -> None:
    def tell(body: Body) -> Body:
        return body._replace(name="".join(["a", body.name][: pow(2, body.tally, 3)]), tally=0)

    found = seeking(check)
    line = line_of(found, Body("a", 1, 1))
    assert line is not None
    assert found.after(line, tell, 2) is None


def test_a_duel_shares_what_effects_overlook() -> None:
    """Of Affinity: Hit Dice lost in this round don't count once Resolve was checked."""
    for duelist in shipped_duel("affinity", "marsh").duelists:
        effects = {number: effect for effect, number in duelist.effects.items()}
        lines = duelist._overlooked._lines.values()
        assert any(line.becomes for line in lines)
        for here, line in duelist._overlooked._line_of.items():
            for number, after in line.becomes.items():
                if number in duelist.changes[here]:
                    wanted = duelist.after(duelist.conditions[here], effects[number])
                    assert duelist.conditions[after] == wanted
